#!/usr/bin/perl
# Stick-slip: records of scenes, which other equations have made, fitted by force and by place; what
# a plate's speed can and cannot tell, said before the fit; a plate that no fit saw; what is no
# record of stick and slip, each said in one line. And friction laws in steady sliding.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use JSON::PP;
use Fitted;
use Program;
use Test::More;

draw_no_figures();

my $dir = tempdir(CLEANUP => !$ENV{KEEP});
my $data = abs_path($srcdir) . '/data';

my $truth = 'sigma_0: 1e4 1/m, sigma_1: 30 s/m, sigma_2: 0.1 s/m, v_s: 3 mm/s';
my $rig = 'load: 10 N, mass: 1 kg, stiffness: 50 N/m, ripple_rate: 1.7 Hz, ripple_cosine: 0.003, ripple_sine: 0.004';

# A data set of one plate.
sub plate
{
    my ($speed, %is) = @_;
    my $file = $is{file} // "$data/synthetic_plate_$speed.csv";
    my $column = $is{column} // 'spring_force: {from: spring_force_N, noise: dense}';
    my $apparatus = $is{apparatus} // $rig;
    my $more = $is{more} // '';
    return <<"SET";
  - name: $speed mm/s
    protocol: stick_slip
    file: $file
    columns: {time: time_s, $column}
    apparatus: {$apparatus, plate_speed: $speed mm/s}
$more
SET
}

sub written
{
    my ($name, $fit, $fixed, @set) = @_;
    spew("$dir/$name.yaml", "contactfit: study/1\ntitle: $name\nfriction: bristle\nfit: {$fit}\nfixed: {$fixed}\ndata:\n" . join '', @set);
    return "$dir/$name.yaml";
}

sub fitted
{
    my ($name, @study) = @_;
    my ($status, $out, $err) = contactfit('fit', '-q', written($name, @study), '-o', $dir);
    my $json = -e "$dir/$name.json" ? slurp("$dir/$name.json") : '{}';
    return ($status, decode_json($json), $err, $out);
}

# The rows of a shipped record, changed by a function of time and force; undef leaves one out.
sub changed
{
    my ($name, $change, $speed) = @_;
    my @line = grep { !/^#/ } split /\n/, slurp("$data/synthetic_plate_" . ($speed // 50) . '.csv');
    my $text = shift(@line) . "\n";
    for (@line) {
        my ($t, $f) = split /,/;
        ($t, $f) = $change->($t, $f);
        $text .= "$t,$f\n" if defined $t;
    }
    spew("$dir/$name.csv", $text);
    return "$dir/$name.csv";
}

# ---- two plates: mu_s, mu_c and tau_dw; by default of each second row of their first two or three cycles

{
    my %record = map {
        my $n = 0;
        ($_ => $full ? "$data/synthetic_plate_$_.csv" : changed("plate_$_", sub { $n++ % 2 == 0 && $_[0] < 3.2 ? @_ : () }, $_))
    } 35, 50;
    my ($numbers, $of) = $full ? (18, 4659) : (12, 1428);
    my @plates = map { plate($_, file => $record{$_}) } 35, 50;
    my ($status, $got, $err, $out) = fitted('two', 'mu_s: {}, mu_c: {}, tau_dw: {}', $truth, @plates);
    is($status, 0, 'two plates are fitted') or diag($err . $out);
    is($got->{verdict}{status}, 'good', 'and described') or diag(encode_json($got->{verdict}));
    holds($got, 'mu_s', 0.15);
    holds($got, 'mu_c', 0.1);
    holds($got, 'tau_dw', 0.15);
    # the record as it was cut, beside the table itself
    my $record = $got->{data}[1]{record};
    my @row = map { [split /,/] } grep { /^[-\d]/ } split /\n/, slurp($record{50});
    my @wrong = grep { my $row = $row[$_ * $record->{step}]; abs($row->[0] - $record->{abscissa}[$_]) > 1e-12
        || abs($row->[1] - $record->{value}[$_]) > 1e-12 } 0 .. $#{$record->{abscissa}};
    is("$record->{channel} $record->{along} " . @wrong, 'spring_force time 0', 'the record, every ' . $record->{step} . 'th row');
    is("@{$record->{reasons}}", 'before the first trough', 'why rows are left out');
    my $first = $record->{starts}[0];
    is(scalar(grep { ($record->{use}[$_] == 2) != ($record->{abscissa}[$_] < $first) } 0 .. $#{$record->{use}}), 0,
        'which are those before the first segment');
    my @best = grep { $_->{at_optimum} } @{$got->{starts}};
    cmp_ok(scalar @best, '>=', 2, 'from more than one start');
    my @starts = grep { $got->{parameters}{$_}{role} eq 'start' } keys %{$got->{parameters}};
    is(scalar @starts, $numbers, 'each cycle has a time and a force of its trough');
    unlike($out, qr/trough_/, 'which are not listed one by one,');
    like($out, qr/^  and $numbers numbers of the segments' starts, in the JSON of this result$/m, 'but counted');
    my $page = slurp("$dir/two.html");
    like($page, qr/Fitted along: $numbers numbers of the segments/, 'on the page, too');
    unlike($page, qr/trough<sub>time/, 'whose lists leave them out');

    # without the rows of a trough it is elsewhere by more than a formula of influence can say
    my $left = $got->{leave_one_out};
    ok($left->{n} < $left->{of} && $left->{of} == $of, "$left->{n} rows of $left->{of} were left out");
    like($out =~ s/\n {4}/ /gr, qr/^  leave-one-out error: \S+ sigma rms over the $left->{n} of $of measurements that move the fit most$/m,
        'which is told,');
    my $miss = 'each by a fit without it, miss them by .* For the others this is not known';
    like($page, qr/the $left->{n} of $of measurements that move the fit most, $miss/s,
        'on the page, too');
    ok(!defined $got->{rivals}[0]{leave_one_out_rms_sigma}, 'and nothing to compare laws by');

    # a slower plate, which the fit has not seen
    my $new = written('slower', 'mu_s: {}, mu_c: {}, tau_dw: {}', $truth, plate(20));
    my ($how, $said, $wrong) = contactfit('validate', "$dir/two.json", $new);
    is($how, 0, 'it predicts a slower plate') or diag($wrong . $said);
}

# ---- by the block's place

{
    my $file = changed('of_place', sub { $full || ($_[0] > 0.9 && $_[0] < 2.4) ? ($_[0], $_[1] / 50) : () });    # or one cycle
    (my $text = slurp($file)) =~ s/spring_force_N/x_m/;
    spew($file, $text);
    my $set = plate(50, file => $file, column => 'displacement: {from: x_m, noise: dense}');
    my ($status, $got, $err, $out) = fitted('place', 'mu_c: {}', "mu_s: 0.15, tau_dw: 0.15 s, $truth", $set);
    is($status, 0, 'a record of the place') or diag($err . $out);
    holds($got, 'mu_c', 0.1);
}

# ---- before the fit

{
    my ($status, $out, $err) = contactfit('check', written('slow', 'mu_c: {}, tau_dw: {start: 0.15 s}', "mu_s: 0.15, $truth", plate(20)));
    like($out, qr/^    20 mm\/s: a tau_dw of 0\.15 s has no effect here: sticks at 20 mm\/s last 0\.98\d s, 6\.\d times it, and after 5 times a contact has its full strength; a plate at 5\d mm\/s or faster identifies it$/m, 'a slow plate cannot tell it');
    like($err, qr/hand formulas: 2 cycles and one, from line 2\d{3} on, that the record's end cuts, each holds 1 s; slips from 1\.577 to 0\.5638 N: mu_s 0\.158 and mu_c 0\.107 at a load of 10 N$/m, 'hand formulas are told');
    unlike($out, qr/trough_time\[/, 'starts of cycles are not asked for');
    ($status, $out, $err) = contactfit('check', written('fast', 'mu_c: {}, tau_dw: {start: 0.15 s}', "mu_s: 0.15, $truth", plate(50)));
    like($out, qr/^    50 mm\/s: sticks at 50 mm\/s last 0\.5\d* s and identify a tau_dw of 0\.11 s or more; a shorter one has no effect here, and a plate at 200 mm\/s identifies one half as long$/m, 'a fast one can');
}

# ---- friction laws in steady sliding

{
    my $slides = "  - name: slides\n    protocol: slide\n    file: $data/synthetic_plate_slides.csv\n    columns: {speed: speed_m_s, force: {from: force_N, sigma: 15 mN}}\n";
    my $held = 'sigma_0: 1e4 1/m, sigma_1: 30 s/m, tau_dw: 0.15 s';
    my $wanted = 'mu_s: {}, mu_c: {}, sigma_2: {}, v_s: {}';
    my ($status, $got, $err, $out) = fitted('slides', $wanted, $held, "$slides    apparatus: {load: 10 N}\n");
    is($status, 0, 'bristle is fitted to slides') or diag($err . $out);
    holds($got, 'mu_s', 0.15);
    holds($got, 'mu_c', 0.1);
    my $viscous = $got->{parameters}{sigma_2};
    cmp_ok(abs($viscous->{value} - 0.1), '<', $viscous->{interval}{high} - $viscous->{interval}{low}, 'sigma_2 lies within four standard errors');
    holds($got, 'v_s', 3e-3);

    # what steady sliding does not show, and laws that have no bristle
    my $path = written('lugre', 'mu_s: {}, mu_c: {}, sigma_0: {}, sigma_1: {}', 'sigma_2: 0.1 s/m, v_s: 3 mm/s', "$slides    apparatus: {load: 10 N}\n");
    (my $text = slurp($path)) =~ s/friction: bristle/friction: lugre/;
    spew($path, $text);
    ($status, $out) = contactfit('check', $path);
    like($out, qr/^    $_ +no: it has no influence on anything that was measured$/m, "$_ of lugre has no influence") for qw(sigma_0 sigma_1);
    like($out, qr/^    $_ +yes/m, "$_ of lugre is told") for qw(mu_s mu_c);
    ($text = slurp($path)) =~ s/friction: lugre/friction: stribeck/;
    $text =~ s/^fit:.*\nfixed:.*$/fit: {mu_s: {}, mu_d: {}, v_s: {}}/m;
    spew($path, $text);
    is((contactfit('check', $path))[0], 0, 'a law without a bristle slides, too');
    ($text = slurp($path)) =~ s/friction: stribeck/friction: clutch-linear/;
    $text =~ s/^fit:.*$/fit: {mu: {}}\nfixed: {k_t: 1e5 N\/m, d_t: 10 N s\/m, c_v: 1 N s\/m}/m;
    spew($path, $text);
    ($status, $out, $err) = contactfit('check', $path);
    is($status, 0, 'and one that needs to know no more than that there is a contact') or diag($err);
    ($text = slurp($path)) =~ s/friction: clutch-linear/friction: clutch/;
    $text =~ s/N\/m, /N\/m^1.5, /, $text =~ s/N s\/m, /N s\/m^1.5, /;
    spew($path, $text);
    ($status, $out, $err) = contactfit('check', $path);
    like($err, qr/friction clutch needs the depth of indentation beside the load, and a slide has none: did you mean clutch-linear\?$/m, 'one that reads the depth does not');
    ($status, $got, $err) = fitted('loadless', $wanted, $held, $slides);
    is($status, 1, q{without a load it is not});
    like($err, qr/bristle needs the load: a column load, or apparatus: \{load: 10 N\}$/m, 'which is said');
}

# ---- a knock that the record shows between two rows

{
    my $record = join '', grep { $full || !/^0\.0[3-9]/ } split /^/, slurp("$data/synthetic_plate_tap.csv");    # half of it
    spew("$dir/half_tap.csv", $record);
    my ($status, $got) = fitted('tap', 'sigma_0: {}, sigma_1: {}', 'mu_s: 0.15, mu_c: 0.1, sigma_2: 0.1 s/m, v_s: 3 mm/s, tau_dw: 0.15 s',
        "  - name: tap\n    protocol: tap\n    file: half_tap.csv\n"
            . "    columns: {time: time_s, velocity: {from: speed_m_s, sigma: 2 um/s}}\n    apparatus: {mass: 1 kg, load: 10 N}\n"
            . "    nuisance: {knock: {}, speed: {}}\n");
    is($status, 0, 'the tap is fitted');
    my ($low, $high) = @{$got->{parameters}{knock}{bounds}};
    ok($low > 5e-3 && $low < 5.001e-3 && $high <= 5.1e-3 && $high > 5.099e-3, "a knock is sought between the rows, from $low to $high s");
    holds($got, 'knock', 5.03e-3);
}

# ---- random starts: two of these twelve drive tau_dw to where it has no slope, and are put back

if ($full) {
    my $slides = "  - name: slides\n    protocol: slide\n    file: $data/synthetic_plate_slides.csv\n    columns: {speed: speed_m_s, force: {from: force_N, sigma: 15 mN}}\n    apparatus: {load: 10 N}\n";
    my $study = written('starts', 'mu_s: {}, mu_c: {}, v_s: {}, tau_dw: {}', 'sigma_0: 1e4 1/m, sigma_1: 30 s/m, sigma_2: 0.1 s/m', $slides, plate(50));
    spew($study, slurp($study) =~ s/^data:/options: {starts: 72, screen: 480}\ndata:/mr);
    my ($status, $out, $err) = contactfit('fit', '-q', $study, '-o', $dir);
    is($status, 0, 'slides and a plate from many starts') or diag($err);
    my $starts = decode_json(slurp("$dir/starts.json"))->{starts};
    is(scalar @$starts, 12, 'a sixth of them, as of all that take long');
    is(scalar(grep { $_->{at_optimum} } @$starts), 12, 'and all end at the optimum');
}

# ---- one cycle alone, between two slips of which the record's ends cut the one and the next stick

{
    my $set = plate(50, file => changed('alone', sub { $_[0] > 0.9 && $_[0] < 2.4 ? @_ : () }));
    my @study = ('alone', 'mu_c: {}', "mu_s: 0.15, tau_dw: 0.15 s, $truth", $set);
    my (undef, undef, $note) = contactfit('check', written(@study));
    like($note, qr/hand formulas: 1 cycle and one, from line \d{3} on, that the record's end cuts, each holds 0\.\d+ s/, 'what the end cuts is told');
    if ($full) {    # the place above is that of one cycle, too
        my ($status, $got, $err) = fitted(@study);
        is($status, 0, 'one whole cycle is enough') or diag($err);
        holds($got, 'mu_c', 0.1);
    }
}

# ---- what is no such record: each is told in one line, with the row that it speaks of

# The line of the first row of a record that is as wanted.
sub line_where
{
    my ($name, $wanted) = @_;
    my @row = split /\n/, slurp("$dir/$name.csv");
    for my $i (1 .. $#row) {
        return $i + 1 if $wanted->(split /,/, $row[$i]);
    }
    return 'none';
}

# Of a record, the line of the greatest or least force among times.
sub line_of_extreme
{
    my ($name, $sign, $from, $to) = @_;
    my ($n, $line, $most) = 0;
    for (split /\n/, slurp("$dir/$name.csv")) {
        my ($t, $f) = split /,/;
        next if ++$n == 1 || $t < $from || $t > $to || (defined $most && $sign * $f <= $most);
        ($line, $most) = ($n, $sign * $f);
    }
    return $line;
}

my $no_fall = 'and never falls and rises again by 0.25 of that and clearly above its noise (apparatus: {hysteresis: }): where a plate so fast or a spring so stiff lets nothing stick, slide fits the level';
my $cycle = 'a cycle goes from one trough to the next, and the record\'s end';
my $ends = 'a cycle goes from one trough to the next, and the record ends';
my $longer = 'record longer, or move the plate faster';
my $which = 'data set 50 mm/s';

# name, change, rig, more, where the place is (nothing: the rows, by a line), what is said
my @bad = (
    ['flat', sub { $_[0] > 0.7 && $_[0] < 0.9 ? ($_[0], 1 + 1e-3 * $_[1]) : () }, $rig, '', sub { line_of_extreme('flat', 1, 0, 9) },
        "$which: no slip in the trace: the force goes from 1.001 to 1.002 N, is greatest here, at 0.704 s, $no_fall"],
    ['noise', sub { ($_[0], 1 + 0.05 * sin(1e6 * $_[0]**2)) }, $rig, '', sub { line_of_extreme('noise', 1, 0, 9) },
        "$which: no slip in the trace: the force goes from 0.95 to 1.05 N, is greatest here, at 0.996 s, $no_fall"],
    ['falling', sub { $_[0] > 0.75 && $_[0] < 0.9 ? @_ : () }, $rig, '', sub { line_of_extreme('falling', 1, 0, 9) },
        "$which: no slip in the trace: the force goes from 1.157 to 1.583 N, is greatest here, at 0.752 s, $no_fall"],
    ['one', sub { $_[0] > 0.5 && $_[0] < 1.4 ? @_ : () }, $rig, '', sub { line_where('one', sub { $_[0] >= 1.133 }) },
        "$which: one slip only, with its trough at 1.133 s: $cycle at 1.398 s in line LAST cuts the stick behind it: $longer"],
    ['begun', sub { $_[0] > 0.9 && $_[0] < 1.4 ? @_ : () }, $rig, '', sub { line_where('begun', sub { $_[0] >= 1.13 }) },
        "$which: one slip only, with its trough at 1.128 s: $cycle at 1.398 s in line LAST cuts the stick behind it: $longer"],
    ['none', sub { $_[0] > 0.5 && $_[0] < 0.95 ? @_ : () }, $rig, '', sub { line_of_extreme('none', 1, 0, 9) },
        "$which: one slip only, from 0.652 s on: $ends at 0.948 s in line LAST, before its trough or just behind it: $longer"],
    ['drift', sub { ($_[0] * (1 + 0.1 * $_[0]), $_[1]) }, $rig, '', sub { abs(line_of_extreme('drift', -1, 5.3, 5.8) - 2024) < 5 ? 2024 : 'the trough' },
        "$which: the plate's speed drifts: the force rises by 2.306 N/s in the first stick and by 1.337 N/s in the last, of speeds 46.12 and 26.74 mm/s: cut the record where it changes (exclude), or let it pass (apparatus: {drift: 0.43})"],
    ['back', sub { ($_[0] > 2 ? $_[0] - 1 : $_[0], $_[1]) }, $rig, '', sub { 1 + line_where('back', sub { $_[0] == 2 }) },
        'time 1.002 s behind 2 s in line 1002: the clock steps back: keep one part of the record, by where and a column that numbers its parts, or by exclude: [{row: 1003, to_row: end, because: ...}]'],
    ['sparse', sub { @_ }, "$rig, rows: 1000", '', sub { line_where('sparse', sub { $_[0] >= 0.168843 }) },
        "$which: a cycle of 482 rows, from 0.168843 s on: at least 1000 are needed for its shape (apparatus: {rows: }): sample faster"],
    ['massless', sub { @_ }, 'load: 10 N, stiffness: 50 N/m', '', 'yaml:11:5', "$which: no mass: stick-slip is nothing without it (apparatus: {mass: 1 kg})"],
    ['springless', sub { @_ }, 'load: 10 N, mass: 1 kg', '', 'yaml:11:5', "$which: no stiffness: stick-slip is nothing without it (apparatus: {stiffness: 50 N/m})"],
    ['loadless', sub { @_ }, 'mass: 1 kg, stiffness: 50 N/m', '', 'yaml:3:11', "law bristle, $which: bristle needs the load: a column load, or apparatus: {load: 10 N}"],
    ['rule', sub { @_ }, $rig, "    nuisance: {hysteresis: {}}\n", 'yaml:12:16', 'hysteresis is a rule by which the record is read, and no number of the rig: state it under apparatus'],
    ['ripple', sub { @_ }, 'load: 10 N, mass: 1 kg, stiffness: 50 N/m', "    nuisance: {ripple_sine: {}}\n", 'yaml:12:16',
        'ripple_sine: of which rate? State it, too (apparatus: {ripple_rate: 2 Hz})'],
);

for my $case (@bad) {
    my ($name, $change, $apparatus, $more, $place, $says) = @$case;
    my $set = plate(50, file => changed($name, $change), apparatus => $apparatus, more => $more);
    my ($status, $got, $err) = fitted($name, 'mu_c: {}', "mu_s: 0.15, tau_dw: 0.15 s, $truth", $set);
    my $last = () = slurp("$dir/$name.csv") =~ /^/mg;
    $says =~ s/LAST/$last/;
    $place = 'csv:' . $place->() . ':1' if ref $place;
    is($status, 1, "$name is refused");
    is($err, "contactfit fit: $dir/$name.$place: $says\n", 'in one line, with the place and why');
}

# rows that are left out do not count, and lines are those of the file
{
    my $set = plate(50, file => changed('left', sub { $_[0] > 0.4 && $_[0] < 1.4 ? @_ : () }), more => "    exclude: [{row: 2, to_row: 30, because: run-up}, {row: 490, to_row: end, because: stopped}]\n");
    my ($status, $got, $err) = fitted('left', 'mu_c: {}', "mu_s: 0.15, tau_dw: 0.15 s, $truth", $set);
    my $line = line_where('left', sub { $_[0] >= 1.133 });
    is($err, "contactfit fit: $dir/left.csv:$line:1: $which: one slip only, with its trough at 1.133 s: $cycle at 1.376 s in line 489 cuts the stick behind it: $longer\n", 'rows that are left out end no record');
}

done_testing();
