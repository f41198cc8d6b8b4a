#!/usr/bin/perl
# A bouncing ball by its heights over time: synthetic tracks with known truth, what is wrong with a
# track, and what is none.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Synthetic qw(normal);
use Test::More;

draw_no_figures();

my $dir = tempdir(CLEANUP => 1);
my $g = 9.80665;
my %truth = (e_at_1 => 0.85, b => 0.03);

# Heights over time of one throw: held, let fall from $h, bouncing without drag with contacts of 3 ms,
# and at rest. %how: fps, noise [m], e's scatter and shift, and the height of contact [m].
sub track
{
    my ($h, %how) = @_;
    my ($v, $off) = (sqrt(2 * $g * $h), $how{shift} * normal());
    my @piece = ([0.2, sub { $h }], [0.2 + $v / $g, sub { $h - $g * ($_[0] - 0.2)**2 / 2 }]);
    my $t = $piece[1][0];
    while ($v > 0.7) {
        my ($from, $u) = ($t + ($how{lasts} ? $how{lasts}->($v) : 0.003), $v * ($truth{e_at_1} - $truth{b} * log($v) + $off + $how{scatter} * normal()));
        push @piece, [$from, sub { 0 }], [$from + 2 * $u / $g, sub { my $s = $_[0] - $from; $u * $s - $g * $s * $s / 2 }];
        ($v, $t) = ($u, $from + 2 * $u / $g);
    }
    push @piece, [$t + 0.3, sub { 0 }];
    my @samples;
    for (my ($x, $i) = (0.001, 0); $x < $t + 0.3; $x += 1 / $how{fps}) {
        $i++ while $x > $piece[$i][0];
        push @samples, [$x, $how{contact} + $piece[$i][1]->($x) + $how{noise} * normal()];
    }
    return \@samples;
}

my %usual = (fps => 240, noise => 5e-4, scatter => 0.004, shift => 0.002, contact => 0);

sub tracks
{
    my ($n, %more) = @_;
    return map { track(0.3 + 0.7 * $_ / $n, %usual, %more) } 1 .. $n;
}

# Lines of the file: the first sample is in line 3.
sub table
{
    my ($name, @throws) = @_;
    my $text = "# synthetic: heights of a ball over time, e = 0.85 - 0.03 ln v, no drag\nthrow,time_s,height_mm\n";
    for my $i (0 .. $#throws) {
        $text .= sprintf "%d,%.6f,%.3f\n", $i + 1, $_->[0], 1000 * $_->[1] for @{$throws[$i]};
    }
    spew("$dir/$name.csv", $text);
}

my $columns = "    columns: {time: time_s, throw: throw, height: height_mm}\n    apparatus: {drag_coefficient: 0}\n";

sub study_of
{
    my ($name, $more) = @_;
    spew("$dir/$name.yaml", "contactfit: study/1\nbodies:\n  ball: {sphere: {diameter: 40 mm}, mass: 50 g}\n"
        . "  floor: {plane: {}, fixed: true}\nlaw: e-log\ndata:\n  - name: s\n    protocol: bounce_heights\n"
        . "    file: $name.csv\n" . ($more // $columns));
    return "$dir/$name.yaml";
}

sub lies
{
    my ($fit, $name, $truth) = @_;
    my $i = $fit->{parameters}{$name}{interval};
    return $i && $i->{low} < $truth && $truth < $i->{high};
}

# ---- the truth lies in the intervals

{
    my ($n, %in) = (12);
    for (1 .. $n) {
        table('cover', tracks(8));
        my (undef, $fit) = fit_of($dir, study_of('cover'));
        $in{$_} += lies($fit, $_, $truth{$_}) for keys %truth;
    }
    # 10 of 12 and more: with 0.98 where 95 % are covered
    cmp_ok($in{$_}, '>=', 10, "$_ lies in its interval in $in{$_} of $n studies") for sort keys %in;
}

my @clean = tracks(8);
{
    table('clean', @clean);
    my ($status, $fit, $out, $err) = fit_of($dir, study_of('clean'));
    is($fit->{verdict}{status}, 'good', 'clean tracks are good') or diag($out);
    my @notes = $err =~ /note: (.*)/g;
    is(scalar @notes, 1, 'and one thing is to be said of them') or diag($err);
    my ($low, $high) = $err =~ /note: data set s: v_small is between (\S+) m\/s, where the ball came to rest, and (\S+) m\/s, the slowest impact with a rebound \(line \d+\); throws end: 8 of 8 at rest\n/;
    ok($low && $low < 0.7 && 0.7 < $high, 'the speed below which it does not bounce') or diag($err);
    my ($record) = @{$fit->{errors}{records}};
    is($record->{record}, 'height', 'errors are those of heights');
    ok($record->{sigma} > 2e-5 && $record->{sigma} < 2e-4, 'of flights, smaller than those of samples')
        or diag($record->{sigma});
    like(slurp("$dir/clean.html"), qr/height/, 'there is a page');
    my ($ok, $text) = contactfit('predict', "$dir/clean.json", '--speed', '1,2');
    is($ok, 0, 'predict');
    like($text, qr/^speed_m_s,restitution,/, 'restitution over speed');
    is((contactfit('check', "$dir/clean.yaml"))[0], 0, 'check');
    is((contactfit('design', "$dir/clean.yaml"))[0], 0, 'design');
    like((contactfit('selftest', "$dir/clean.yaml", '-n', 4))[1], qr/self-test of clean: 4 synthetic studies/, 'selftest');
    is((contactfit('validate', "$dir/clean.json", "$dir/cover.yaml"))[0] & ~3, 0, 'validate');
    my (undef, $draft) = contactfit({in => $dir}, 'init', 'clean.csv');
    like($draft, qr/^    protocol: bounce_heights$/m, 'init finds the protocol');
}

# ---- the table that ships

is(scalar `$^X $srcdir/bench/heights_record.pl`, slurp("$srcdir/data/synthetic_ball_heights.csv"),
    'the shipped table is made by its script');
{
    my $fit = decode_json(slurp("$srcdir/fits/synthetic_ball_heights.json"));
    is($fit->{verdict}{status}, 'good', 'and its fit');
    ok(lies($fit, $_, $truth{$_}), "has the $_ in its head") for sort keys %truth;
}

# ---- contact at another height, known roughly

{
    table('centre', tracks(8, contact => 0.02));
    my (undef, $fit, undef, $err) = fit_of($dir, study_of('centre', $columns =~ s/\{drag/{contact_height: 21 mm, drag/r
        . "    nuisance: {contact_height: {prior: {value: 21 mm, sigma: 2 mm}}}\n"));
    ok(lies($fit, 'contact_height', 0.02), 'the height of contact is found') or diag($err);
    ok(lies($fit, $_, $truth{$_}), "$_ with it") for sort keys %truth;
}

# ---- contact at another height than is stated: film of the centre, read as if of the lowest point

{
    my $at = sub { my ($h) = @_; study_of('centre', $columns =~ s/\{drag/{contact_height: $h, drag/r) };
    my ($status, undef, $err) = contactfit('check', study_of('centre'));
    is($status, 1, 'the centre against 0: exit 1');
    my ($n, $of, $meet) = $err =~ /^contactfit check: centre\.csv: (\d+) of (\d+) neighbouring flights do not meet at contact_height 0 m within rules: \{meet: 0\.02 s\}: they meet near (\S+) m; apparatus: \{contact_height: \} is the height as read at which the ball touches, its radius where its centre is followed\n$/;
    ok($n && 2 * $n > $of, 'most do not meet') or diag($err);
    # contacts of 3 ms end flights later: by g T 3 ms/4 lower, of T = 0.1 to 0.9 s
    ok($meet && 0.0135 < $meet && $meet < 0.02, 'and where they do') or diag($meet);
    (undef, undef, $err) = contactfit('check', $at->('12 mm'));
    my ($by, $near) = $err =~ /^note: data set s: neighbouring flights overlap by (\S+) s at contact_height 0\.012 m, and would meet near (\S+) m: apparatus: \{contact_height: \} is the height as read at which the ball touches$/m;
    ok($by && $by > 0.001 && $by < 0.02 && $near == $meet, '8 mm low is noted') or diag($err);
    (undef, undef, $err) = contactfit('check', $at->('20 mm'));
    unlike($err, qr/neighbouring flights/, 'where it touches nothing is said');
    (undef, undef, $err) = contactfit('check', $at->('4 cm'));
    like($err, qr/neighbouring flights (?:are apart|do not meet)/, 'and above it something is');
    # other data: the shipped film, of the lowest point, moved up by 35 mm and with drag
    my ($head, @rows) = grep { !/^#/ } split /\n/, slurp("$srcdir/data/synthetic_ball_heights.csv");
    spew("$dir/film.csv", join '', "$head\n", map { my ($k, $t, $h) = split /,/; sprintf "%d,%s,%.1f\n", $k, $t, $h + 35 } @rows);
    ($status, undef, $err) = contactfit('check', study_of('film', "    columns: {time: time_s, throw: throw, height: height_mm}\n"));
    is($status, 1, 'the shipped film 35 mm higher: exit 1');
    like($err, qr/they meet near 0\.05\d* m; /, 'of a radius of 20 mm on a floor at 35 mm');
}

# ---- rows of pictures count downwards

{
    table('down', map { [map { [$_->[0], 0.9 - $_->[1]] } @$_] } @clean);
    my ($status, undef, $err) = contactfit('check', study_of('down'));
    is($status, 1, 'downwards: exit 1');
    my ($down, $up) = $err =~ /^contactfit check: down\.csv: heights turn sharply downwards at (\d+) places and upwards at (\d+): a ball does so upwards, where it bounces; these are read downwards \(columns: \{height: \{scale: -1\}\}\)\n$/;
    ok($down && $down >= 40 && $up < 10, 'said') or diag($err);
    (undef, my $fit) = fit_of($dir, study_of('down', $columns =~ s/height: height_mm/height: {from: height_mm, scale: -1}/r =~ s/\{drag/{contact_height: -90 cm, drag/r));
    ok(lies($fit, $_, $truth{$_}), "turned round $_ is right") for sort keys %truth;
    # nor are whole pixels, of half a millimetre, and a ball that rests for longer than it bounces
    my @pixels = map { my $throw = $_; my $end = $throw->[-1][0]; [map({ [$_->[0], 5e-4 * sprintf '%.0f', $_->[1] / 5e-4] } @$throw), map { [$end + $_ / 240, 0] } 1 .. 2 * @$throw] }
        tracks(8, noise => 1e-4);
    table('pixels', @pixels);
    (undef, my $seen, undef, $err) = fit_of($dir, study_of('pixels'));
    unlike($err, qr/downwards|do not meet|no free flight/, 'pixels and a long rest are no reason');
    ok(lies($seen, $_, $truth{$_}), "$_ of pixels is right") for sort keys %truth;
    (undef, undef, $err) = contactfit('check', study_of('pixels', $columns =~ s/height: height_mm/height: {from: height_mm, scale: -1}/r));
    like($err, qr/heights turn sharply downwards at \d+ places and upwards at 0: /, 'but turned round they are');
    # samples that were misread are no reason
    my ($first, @others) = map { [map { [@$_] } @$_] } @clean;
    $first->[10 * $_][1] += 0.3 for 1 .. 8;
    table('down', $first, @others);
    (undef, undef, $err) = contactfit('check', study_of('down'));
    unlike($err, qr/downwards/, 'eight misread samples are none');
    # other data: the shipped film as rows of pictures
    my ($head, @rows) = grep { !/^#/ } split /\n/, slurp("$srcdir/data/synthetic_ball_heights.csv");
    spew("$dir/film.csv", join '', "$head\n", map { my ($k, $t, $h) = split /,/; sprintf "%d,%s,%.1f\n", $k, $t, 2000 - $h } @rows);
    (undef, undef, $err) = contactfit('check', study_of('film', "    columns: {time: time_s, throw: throw, height: height_mm}\n"));
    like($err, qr/heights turn sharply downwards at \d+ places and upwards at 0: /, 'the shipped film');
}

# ---- one throw whose stated height is 3 mm off: flights do not overlap, and are no further apart than a
# contact may last, but ever longer apart as they slow down; elastic contacts, which are longer where
# slow, do not look like that, and a height that is fitted along is where it is

{
    my $at = sub { my ($h, $more) = @_; study_of('one', $columns =~ s/\{drag/{contact_height: $h, drag/r . ($more // '')) };
    for my $fps (240, 1000) {
        table('one', track(0.9, %usual, contact => 0.02, fps => $fps));
        my ($status, $fit, $out, $err) = fit_of($dir, $at->('23 mm'));
        is("$status $fit->{verdict}{status}", '3 misfit', "$fps Hz: a height of contact that is 3 mm off is a misfit");
        my ($by) = join("\n", @{reasons($fit)}) =~ /goes with 1\/v, as where contact_height 0\.023 m is (\S+) \+- \S+ m too high/;
        ok($by && abs($by - 0.003) < 7e-4, 'which says by how much') or diag(@{reasons($fit)});
        ($status, $fit) = fit_of($dir, $at->('20 mm'));
        is($status, 0, 'the right one is not');
        ($status, $fit, $out, $err) = fit_of($dir, $at->('23 mm', "    nuisance: {contact_height: {prior: {value: 23 mm, sigma: 2 mm}}}\n"));
        is($status, 0, 'nor is one that is fitted along') or diag($err, @{reasons($fit)});
    }
    table('one', track(0.9, %usual, contact => 0.02, fps => 1000, lasts => sub { 0.006 * $_[0]**-0.2 }));
    my ($status) = fit_of($dir, $at->('20 mm'));
    is($status, 0, 'contacts that last longer where slow contradict nothing');
}

# ---- a height of contact that is known to some mm, and stated as that alone

{
    table('centre', tracks(8, contact => 0.021));
    my $prior = "    nuisance: {contact_height: {prior: {value: 21 mm, sigma: 2 mm}}}\n";
    my ($status, $fit, $out, $err) = fit_of($dir, study_of('centre', $columns . $prior));
    is($fit->{verdict}{status}, 'good', 'what a prior says of the contact height is where flights meet') or diag($out, $err);
    ok(lies($fit, 'contact_height', 0.021), 'and what the data say of it is near');
    ($status, undef, $err) = contactfit('check', study_of('centre', $columns =~ s/\{drag/{contact_height: 0 mm, drag/r . $prior));
    is($status, 1, 'one that is stated beside it counts');
    like($err, qr/do not meet at contact_height 0 m/, 'and is what they do not meet at') or diag($err);
}

# ---- how throws end

{
    my ($first) = @clean;
    my $last = (grep { $first->[$_][1] > 0.05 } 1 .. $#$first)[-1];
    table('ends', [@$first[0 .. $last]]);
    my (undef, undef, $err) = contactfit('check', study_of('ends'));
    like($err, qr/v_small < \S+ m\/s, .*; throws end: 1 of 1 with the record, before the next one was due \(throws without end\)\n/,
        'a throw without end');
    table('ends', map { track(0.4, %usual, noise => 3e-3) } 1);
    (undef, undef, $err) = contactfit('check', study_of('ends'));
    like($err, qr/v_small < \S+ m\/s, .*; throws end: 1 of 1 where the next one would be lower than its rules' rise, or shorter than least_samples\n/,
        'heights too noisy for the end');
}

# ---- what is wrong with a track

sub told
{
    my ($name, $message, $what) = @_;
    my (undef, undef, undef, $err) = fit_of($dir, study_of($name));
    like($err, qr/note: $message/, $what);
}

table('scale', map { [map { [$_->[0], 1.02 * $_->[1]] } @$_] } @clean);
told('scale', qr/data set s: the flights curve 1\.02\d* \+- \S+ times as much as gravity has them: heights or times are read on another scale \(columns: \{height: \{scale: 0\.98\d*\}\} would mend it\)/,
    'heights of another scale');
my (undef, undef, undef, $mended) = fit_of($dir, study_of('scale',
    $columns =~ s/height: height_mm/height: {from: height_mm, scale: 0.9804}/r));
unlike($mended, qr/curve/, 'and mended: nothing is said then');

# ---- heights that fall otherwise by far: frames at another rate, another unit

{
    my $drag = $columns =~ s/drag_coefficient: 0/drag_coefficient: 0.5/r;
    for (['slow motion', 4, 1, $columns, '1/16 of it: times are 4 times too long', '{time: {from: ..., scale: 0.25}}'],
         ['slow motion with drag', 25, 1, $drag, '1/625 of it: times are 25 times too long', '{time: {from: ..., scale: 0.04}}'],
         ['fewer frames', 5 / 6, 1, $columns, '1.44 times it: times are 1.2 times too short', '{time: {from: ..., scale: 1.2}}'],
         ['decimetres', 1, 0.1, $columns, '1/10 of it: times are 3.16 times too long', '{time: {from: ..., scale: 0.3162}}), or heights 10 times too small (columns: {height: {from: ..., scale: 10}}'],
         ['centimetres', 1, 100, $columns, '100 times it: times are 10 times too short', '{time: {from: ..., scale: 10}}), or heights 100 times too large (columns: {height: {from: ..., scale: 0.01}}']) {
        my ($what, $slow, $height, $keys, $ratio, $mend) = @$_;
        table('fall', map { [map { [$slow * $_->[0], $height * $_->[1]] } @$_] } @clean);
        my ($status, undef, $err) = contactfit('check', study_of('fall', $keys));
        is($status, 1, "$what: refused");
        $err =~ /^contactfit check: \S*fall\.csv: data set s: heights fall with \(?(\S+) \+- \S+ m\/s\^2 where the gravity stated is 9\.807 m\/s\^2, (.*)\n$/;
        my ($falls, $said) = ($1 // 'nan', $2 // $err);
        cmp_ok(abs($falls / $g * $slow**2 / $height - 1), '<', 0.01, "$what: by how much");
        is(index($said, $ratio), 0, "$what: and what that is") or diag($said);
        cmp_ok(index($said, $mend), '>', 0, "$what: and its key") or diag($said);
    }
    # by its key it is mended
    table('fall', map { [map { [4 * $_->[0], $_->[1]] } @$_] } @clean);
    my ($status, undef, $err) = contactfit('check', study_of('fall', $columns =~ s/time: time_s/time: {from: time_s, scale: 0.25}/r));
    is($status, 0, 'frames at their rate') or diag($err);
    unlike($err, qr/curve|fall with/, 'nothing is said then');
    # a ball that floats: gravity is right, and drag is not
    table('fall', @clean);
    ($status, undef, $err) = contactfit('check', study_of('fall', $columns =~ s/drag_coefficient: 0/drag_coefficient: 2, air_density: 300/r));
    unlike($err, qr/heights fall with/, 'a drag that is wrong is none of time or gravity') or diag($err);
}

{
    # frames about the second impact are lost
    my ($first) = @clean;
    my @down = grep { $first->[$_][1] < 0.01 && $first->[$_ - 1][1] >= 0.01 } 1 .. $#$first;
    table('lost', [@$first[0 .. $down[1] - 8], @$first[$down[2] + 12 .. $#$first]], @clean[1 .. 7]);
    told('lost', qr/lost\.csv: the flights of lines \d+ to \d+ and of \d+ to \d+ do not meet at contact_height 0 m: 0\.\d+ s are between them; cut there \(rules: \{meet: 0\.02 s\} is the limit\)/,
        'frames that are lost about two impacts');
    # and in each throw, about its second impact: four are named
    table('lost', map { my $throw = $_; my @in = grep { $throw->[$_][1] < 0.01 && $throw->[$_ - 1][1] >= 0.01 } 1 .. $#$throw;
        [@$throw[0 .. $in[1] - 8], @$throw[$in[2] + 12 .. $#$throw]] } @clean);
    my (undef, undef, undef, $lost) = fit_of($dir, study_of('lost'));
    is(scalar(() = $lost =~ /do not meet at contact_height/g), 4, 'many are named by the first four');
    like($lost, qr/note: lost\.csv: and 4 more neighbouring flights do not meet\n/, 'and their number');
    my $touched = [map { [@$_] } @$first];
    $touched->[$_][1] += 0.02 for $down[1] + 8 .. $down[1] + 30;
    table('touched', $touched, @clean[1 .. 7]);
    told('touched', qr/touched\.csv: lines \d+ to \d+ are no free flight: their heights lie \d+\S* standard deviations off its path; left out \(rules: \{misfit: 4\} is the limit\)/,
        'a flight that was touched');
    my $line = 3 + $down[1];
    my $by_hand = join ', ', map { "{row: $_, because: touched}" } $line + 2 .. $line + 50;
    my (undef, undef, undef, $hand) = fit_of($dir, study_of('touched', "$columns    exclude: [$by_hand]\n"));
    unlike($hand, qr/no free flight/, 'left out by hand, it is not looked at');
}

# ---- what is no track

sub refused
{
    my ($what, $rows, $more, $message) = @_;
    spew("$dir/bad.csv", "time_s,height_m\n" . join '', map { "$_\n" } @$rows) if $rows;
    my ($status, undef, $err) = contactfit({in => $dir}, 'check', study_of('bad', $more) =~ s{.*/}{}r);
    is($status, 1, "$what: exit 1");
    is($err, "contactfit check: $message\n", $what);
}

my $one = "    columns: {time: time_s, height: height_m}\n    apparatus: {drag_coefficient: 0}\n";
refused('times that go back', ['0,1', '1,1', '0.5,1'], $one,
    'bad.csv:4: time 0.5 s does not follow 1 s of line 3: the times of a throw ascend; where another throw begins, name the column that numbers them: columns: {throw: HEADER}');
refused('one height', ['0,1'], $one,
    'data set s: no throw has two flights that follow each other: restitution is the root of the ratio of their heights (a flight takes rules: {least_samples: 5})');
refused('a ball at rest', [map { "$_,0.001" } 1 .. 50], $one,
    'data set s: no throw has two flights that follow each other: restitution is the root of the ratio of their heights (a flight takes rules: {least_samples: 5})');
refused('no heights', ['0,1'], "    columns: {time: time_s}\n", 'bad.yaml:10:14: no height: it is what a row records');
refused('no times', ['0,1'], "    columns: {height: height_m}\n", 'bad.csv:2:1: no time: a height has one');
refused('a rule out of range', ['0,1'], "$one    rules: {least_samples: 2}\n",
    'bad.yaml:12:28: least_samples: 2: least_samples must be in [3, 1e+06]');
table('bad', @clean);
{
    my ($status, undef, $err) = contactfit('check', study_of('bad', $columns =~ s/\{drag/{contact_height: 2 m, drag/r));
    is($status, 1, 'contact above the flights: exit 1');
    like($err, qr/^contactfit check: bad\.csv: the flight of lines \d+ to \d+ has its highest point at 0\.\d+ m, which is not above contact_height 2 m: apparatus: \{contact_height: \} is the height at which the ball touches\n$/,
        'contact above the flights');
    ($status, undef, $err) = contactfit('check', study_of('bad', $columns =~ s/\{drag/{contact_height: 10 cm, drag/r));
    like($err, qr/^contactfit check: bad\.csv: (\d+) of \1 neighbouring flights do not meet at contact_height 0\.1 m /, 'and above some of them');
}

done_testing();
