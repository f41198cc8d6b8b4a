#!/usr/bin/perl
# Slow indentations: a synthetic gel at three rates with its contact points, biases and slopes; a rig
# that gives way; attraction; a power law. What is no indentation, and laws that ask for an impact.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Fitted;
use Program;
use Synthetic qw(normal);
use Test::More;

draw_no_figures();

my $dir = tempdir(CLEANUP => 1);
normal() for 1 .. 1700;    # another part of the stream

sub fitted
{
    my ($name, $text) = @_;
    spew("$dir/$name.yaml", "contactfit: study/1\n$text");
    my ($status, $out, $err) = contactfit('fit', '-q', "$dir/$name.yaml");
    diag($err) if $err;
    return ($status, decode_json(slurp("$dir/$name.json") || '{}'), $out);
}

# ---- records: as many rows forth and back, by formulas of their own

my %true = (k => 600, lambda => 30, contact => 1.5e-4, bias => 5e-5);

# The force at a depth beyond contact and its rate: k z^1.5 + lambda z^0.5 w, never pulling, less the
# attraction that falls off before contact.
sub force
{
    my ($z, $w, $adhesion, $range) = @_;
    my $F = $z > 0 ? $true{k} * $z**1.5 + $true{lambda} * sqrt($z) * $w : 0;
    $F = 0 if $F < 0;
    return $F - $adhesion * ($z > 0 || !$range ? 1 : exp($z / $range));
}

# Rows of time, depth and force: depths of the probe, evenly spaced, forth and back at a rate. A rig
# of this compliance then stands that much further on, and moves by as much faster.
sub rows
{
    my ($rate, %rig) = @_;
    my ($n, $first, $last) = (30, -1.5e-4, 4.5e-4);
    my ($c, $time, @rows) = ($rig{compliance} // 0, 0);
    for my $i (0 .. 2 * $n - 1) {
        my $z = $first + ($last - $first) * ($i < $n ? $i : 2 * $n - 1 - $i) / ($n - 1);
        my $w = $i < $n ? $rate : -$rate;
        my $F = force($z, $w, $rig{adhesion} // 0, $rig{range});
        push @rows, [$time, $z + $c * $F + $true{contact}, $F];
        $time += ($last - $first) / ($n - 1) / $rate;
    }
    return @rows;
}

my $columns = 'columns: {time: {from: t_s}, depth: {from: d_um}, force: {from: f_mN, sigma: 0.02 mN}}';

sub table
{
    my ($name, @rows) = @_;
    my $text = "# synthetic: k = 600 N/m^1.5, lambda = 30 N s/m^1.5, contact at 150 um, bias 0.05 mN, sd 0.02 mN\nt_s,d_um,f_mN\n";
    $text .= sprintf("%.9g,%.9g,%.9g\n", $_->[0], 1e6 * $_->[1], 1e3 * ($_->[2] + $true{bias}) + 0.02 * normal()) for @rows;
    spew("$dir/$name.csv", $text);
}

sub sets
{
    my ($more, @names) = @_;
    return "data:\n" . join '', map { "  - {name: $_, protocol: indent, file: $_.csv, $columns$more}\n" } @names;
}

table("slow", rows(1e-4));
table("fast", rows(1e-3));
my $free = ', nuisance: {contact: {}, force.bias: {}}';

{
    my ($status, $fit) = fitted('gel', "law: azad-featherstone\nrivals: [hunt-crossley]\n" . sets($free, 'slow', 'fast'));
    is("$status $fit->{verdict}{status}", '0 good', 'two rates') or diag("@{reasons($fit)}");
    holds($fit, $_, $true{$_}) for qw(k lambda);
    my %nuisance = map { $_->{name} => $_ } ref $fit->{nuisances} eq 'ARRAY' ? @{$fit->{nuisances}} : values %{$fit->{nuisances} // {}};
    for my $set ('slow', 'fast') {
        my $i = ($nuisance{"contact[$set]"} // {})->{interval};
        ok($i && $i->{low} < $true{contact} && $true{contact} < $i->{high}, "the contact point of $set");
    }
    like(slurp("$dir/gel.html"), qr/Filled points are loading, open points unloading, and their lines differ in colour;/,
        'the page tells them apart');
    is($fit->{rivals}[0]{law}, 'azad-featherstone', 'the loop at two rates tells how damping goes with depth');
    my %strokes;
    $strokes{$_->{branch}}++ for @{$fit->{headline_points}};
    is_deeply(\%strokes, {loading => 60, unloading => 60}, 'points know their stroke');
    is_deeply([map { $_->{branch} } @{$fit->{curves}}], [('loading', 'unloading') x 2], 'each has a curve');
    my ($by_hand) = grep { $_->{origin} eq 'hand' } @{$fit->{starts}};
    ok($by_hand && $by_hand->{at_optimum}, 'the start by hand ends at the optimum');

    (undef, my $out) = contactfit('predict', '-q', "$dir/gel.json", '--at', '400 um');
    my $in = (split /,/, (split /\n/, $out)[1])[1];
    ok(abs($in / (4.8e-3 + 6e-5) - 1) < 0.02, 'a prediction is of loading, at the rate of the set, from the contact point')
        or diag($in);
}

# strokes told by a column: several cycles in one set
{
    my ($time, $text) = (0, "# synthetic: as before\nt_s,d_um,f_mN,way\n");
    for my $rate (1e-4, 1e-3) {
        my $i = 0;
        my @cycle = rows($rate);
        $text .= sprintf "%.9g,%.9g,%.9g,%d\n", $time + $_->[0], 1e6 * $_->[1], 1e3 * ($_->[2] + $true{bias}) + 0.02 * normal(), $i++ < 30 ? 1 : -1
            for @cycle;
        $time += $cycle[-1][0] + 1;
    }
    spew("$dir/cycles.csv", $text);
    my ($status, $fit) = fitted('cycles', "law: azad-featherstone\n"
        . sets($free, 'cycles') =~ s/columns: \{/columns: {direction: {from: way, unit: "1"}, /r);
    is("$status $fit->{verdict}{status}", '0 good', 'two cycles in one set') or diag("@{reasons($fit)}");
    holds($fit, $_, $true{$_}) for qw(k lambda);
}

# ---- a rig in series, known or not

{
    table("soft$_", rows($_ * 1e-3, compliance => 0.02)) for 0.1, 1;
    # its probe is driven evenly here, so that times hold, and rates of the drive follow from them
    my ($status, $fit) = fitted('soft', "law: azad-featherstone\n"
        . sets(", apparatus: {compliance: 20 um/mN}$free", 'soft0.1', 'soft1'));
    is("$status $fit->{verdict}{status}", '0 good', 'a rig that gives way, stated') or diag("@{reasons($fit)}");
    holds($fit, $_, $true{$_}) for qw(k lambda);
    ($status, $fit) = fitted('stiff', "law: azad-featherstone\n" . sets($free, 'soft0.1', 'soft1'));
    is("$status $fit->{verdict}{status}", '3 misfit', 'taken as rigid: a misfit');
    ok((grep { /look at what the rig leaves in the record.*compliance/ } @{$fit->{verdict}{advice}}), 'what may be left is named');
}

# ---- attraction, and free exponents

{
    table("near$_", rows($_ * 1e-3, adhesion => 3e-4, range => 2e-5)) for 0.1, 1;
    my ($status, $fit) = fitted('near', "law: azad-featherstone\n"
        . sets(', apparatus: {adhesion_range: 20 um}, nuisance: {contact: {}, force.bias: {}, adhesion: {}}', 'near0.1', 'near1'));
    is("$status $fit->{verdict}{status}", '0 good', 'attraction') or diag("@{reasons($fit)}");
    holds($fit, $_, $true{$_}) for qw(k lambda);
    ($status, $fit) = fitted('power', "law: power\n" . sets($free, 'slow', 'fast'));
    is("$status $fit->{verdict}{status}", '0 good', 'a power law') or diag("@{reasons($fit)}");
    holds($fit, 'n', 1.5);
    holds($fit, 'p', 0.5);
}

# ---- what is no indentation, or not enough: one line each, at its place

sub refused
{
    my ($what, $text, $message) = @_;
    spew("$dir/bad.yaml", "contactfit: study/1\n$text");
    my ($status, $out, $err) = contactfit('check', "$dir/bad.yaml");
    is($status, 1, "$what: refused");
    like($err, qr/$message/, "$what: says why");
    is(scalar(() = $err =~ /\n/g), 1, "$what: in one line");
}

my @slow = rows(1e-4);
my $law = "law: azad-featherstone\n";
table('air', @slow[0 .. 6]);
refused('no contact', $law . sets($free, 'air'),
    qr/air\.csv:3:1: data set air: no contact in the record: at its greatest depth of 0\.0001241 m the force is \S+ N above what it is without, and its noise has an sd of \S+ N: at least 5 times as much is a contact \(apparatus: \{rise: \}\)\n/);
table('late', @slow[9 .. 29]);
refused('contact from the first row on', $law . sets($free, 'late'),
    qr/late\.csv:3:1: data set late: contact from the first sample on: 0 rows lie above the contact point by hand, 0\.000\d+ m: at least 3 are needed for the force without contact \(apparatus: \{baseline: \}\); where contact and bias are known, baseline: 0\n/);
table('twice', @slow, map { [$_->[0] + 20, @$_[1, 2]] } @slow);
refused('two cycles', $law . sets($free, 'twice'),
    qr/twice\.csv:\d+:1: data set twice: depth runs backwards in unloading: 2\.069e-05 m behind 0 m, by 0\.034 of the record's depth, and at most 0\.02 is noise \(apparatus: \{reversal: \}\); of several cycles, choose one by where\n/);
table('clock', map { [10 - $_->[0], @$_[1, 2]] } @slow);
refused('time runs backwards', $law . sets($free, 'clock'),
    qr/clock\.csv:4:1: time 9\.79310345 s behind 10 s in line 3: the clock steps back: keep one part of the record, by where and a column that numbers its parts, or by exclude: \[\{row: 4, to_row: end, because: \.\.\.\}\]\n/);
table('stands', map { [$_->[0] - ($_->[0] > 0.3 ? $slow[1][0] : 0), @$_[1, 2]] } @slow);
refused('a time twice', $law . sets($free, 'stands'),
    qr/stands\.csv:5:1: data set stands: time \S+ s behind \S+ s: rates need times that increase from row to row\n/);
spew("$dir/gap.csv", slurp("$dir/slow.csv") =~ s/^(?:[^,\n]*)(,0\.?\d*,[^,\n]*)$/$1/mr);
refused('a row without a time', $law . sets($free, 'gap'),
    qr/gap\.csv:3:1: data set gap: no time, which other rows have: give it, or exclude the row\n/);
my $rows = "data:\n  - {name: d, protocol: indent, sigma: {force: 0.1 N}%s, rows: [%s]}\n";
refused('a direction', $law . sprintf($rows, '', '{depth: 1 mm, direction: 0.5, force: 1 N}'),
    qr/bad\.yaml:4:\d+: direction 0\.5: must be 1 where the row loads, -1 where it unloads\n/);
refused('a rate of the wrong sign', $law . sprintf($rows, '', '{depth: 1 mm, rate: 1 mm/s, direction: -1, force: 1 N}'),
    qr/bad\.yaml:4:\d+: rate 0\.001 m\/s in a row of direction -1: a rate is above 0 where the depth grows and below 0 where it shrinks; of a column that has speeds without a sign, give time instead\n/);
refused('attraction that is a step', $law . sets(', nuisance: {adhesion: {}}', 'slow'),
    qr/bad\.yaml:4:\d+: adhesion: the attraction must fall off over some distance before contact, for a step has no derivative: state it, as apparatus: \{adhesion_range: 1 um\}\n/);
refused('a rule', $law . sets(', nuisance: {reversal: {}}', 'slow'),
    qr/bad\.yaml:4:\d+: reversal is a rule by which the record is read, and no number of the rig: state it under apparatus\n/);
my %asks = (
    tsuji => 'the damping of tsuji depends on the mass that moves, which an indentation does not have: fit azad-featherstone, hunt-crossley or power',
    flores => 'the damping of flores depends on the speed at impact, which an indentation does not have: fit azad-featherstone, hunt-crossley or power',
    'azad-featherstone-recovering' => 'azad-featherstone-recovering has a force that depends on earlier loading, and an indentation is predicted from depth and rate alone: fit azad-featherstone or power',
);
refused($_, "law: $_\n" . sets($free, 'slow'), qr/law $_, data set slow: \Q$asks{$_}\E\n/) for sort keys %asks;
refused('a rival', "law: linear\nrivals: [gonthier]\n" . sets($free, 'slow'), qr/law gonthier, data set slow: the damping of gonthier/);
refused('e(v)', "law: e-log\n" . sets($free, 'slow'), qr/force: law e-log predicts no force: leave the column out/);

# limits are keys
{
    my ($status) = contactfit('check', '-q', do {
        spew("$dir/late.yaml", "contactfit: study/1\n$law" . sets(', apparatus: {contact: 150 um, baseline: 0}', 'late'));
        "$dir/late.yaml" });
    is($status, 0, 'without a baseline, where the contact point is known');
    spew("$dir/quiet.csv", join "\n", 'd_um,f_mN', map { sprintf '%.9g,%.9g', 1e6 * $_->[1], 1e3 * $_->[2] } @slow);
    spew("$dir/quiet.yaml", "contactfit: study/1\n$law" . "fit: {k: {}}\nfixed: {lambda: 0}\n" . sets($free, 'quiet') =~ s/time: \{from: t_s\}, //r);
    ($status, undef, my $err) = contactfit('check', "$dir/quiet.yaml");
    like($err, qr/quiet\.csv: data set quiet: neither rate nor time: taken as infinitely slow, so that it identifies neither damping nor drag\n/, 'without rates that is said');
}

# one row, damping held at 0
{
    my ($status, $fit) = fitted('one', $law . "fit: {k: {}}\nfixed: {lambda: 0}\n" . sprintf $rows, '', '{depth: 0.4 mm, rate: 1 um/s, force: 480 N}');
    is("$status $fit->{verdict}{status}", '0 weak', 'one row is met, and the law not tested');
    ok(abs($fit->{parameters}{k}{value} / 6e7 - 1) < 1e-9, 'by Hertz');
}

# the table that ships is what its script makes, and its fit holds the numbers in its head
is(scalar `$^X $srcdir/bench/indent_record.pl`, slurp("$srcdir/data/indentation_synthetic_gel.csv"), 'the shipped table is made by its script');
{
    my $fit = decode_json(slurp("$srcdir/fits/indentation_synthetic_gel.json"));
    is($fit->{verdict}{status}, 'good', 'the shipped fit');
    holds($fit, $_, $true{$_}) for qw(k lambda);
}

# ---- a baseline that tilts: up to touch, or on in contact as well, and rows that do not tell which

sub tilted
{
    my ($name, $tilt, $on, $more) = @_;
    table($name, map { [$_->[0], $_->[1], $_->[2] + $tilt * ($_->[1] < $true{contact} ? 1 : $on) * ($_->[1] - $true{contact})] } rows(1e-3));
    my $nuisance = ', nuisance: {contact: {}, force.bias: {}, slope_loading: {}, slope_unloading: {}' . ($more // '') . '}';
    return fitted($name, "law: azad-featherstone\nrivals: []\n" . sets($nuisance, $name));
}

{
    my ($status, $fit, $out) = tilted('ends', 2, 0);
    is($fit->{verdict}{status}, 'misfit', 'a tilt that ends at touch') or diag($out);
    my ($why) = grep { $_->{rule} eq 'assumption contradicted' } @{$fit->{verdict}{reasons}};
    like($why ? $why->{text} : '', qr/^these data contradict that the slope of the baseline goes on in contact: they are described better \(p = \S+\) if it ended at touch, and (?:k|lambda) is \S+ \S+(?: \S+)? there, \S+ standard errors from here$/,
        'is told');
    ok($why && $why->{p} < 0.01, 'with the p that its text has');
    like(join("\n", @{$fit->{verdict}{advice}}), qr/^let the data tell, nuisance: \{slope_in_contact: \{\}\}, or state it, apparatus: \{slope_in_contact: 0\}$/m, 'and the keys');
    (undef, $fit, $out) = tilted('free', 2, 0, ', slope_in_contact: {}');
    is($fit->{verdict}{status}, 'good', 'fitted along') or diag($out);
    holds($fit, $_, $true{$_}) for qw(k lambda);
    (undef, $fit, $out) = tilted('holds', 2, 1);
    is($fit->{verdict}{status}, 'good', 'a tilt that goes on') or diag($out);
    holds($fit, $_, $true{$_}) for qw(k lambda);
    (undef, $fit, $out) = tilted('faint', 0.25, 1);
    is($fit->{verdict}{status}, 'weak', 'one that is faint') or diag($out);
    like(join("\n", @{reasons($fit)}), qr/^it is assumed that the slope of the baseline goes on in contact, and these data do not tell: if it ended at touch, k would be \S+ N\/m\^1\.5, \S+ standard errors from here$/m,
        'is an assumption');
}

# what it is otherwise is what a fit finds that states so
{
    my $nuisance = ', nuisance: {contact: {}, force.bias: {}, slope_loading: {}, slope_unloading: {}}';
    for my $law ('azad-featherstone', 'power') {
        table('on', map { [$_->[0], $_->[1], $_->[2] + ($_->[1] < $true{contact} ? 2 * ($_->[1] - $true{contact}) : 0)] } rows(1e-3));
        my (undef, $fit, $out) = fitted('on', "law: $law\nrivals: []\n" . sets($nuisance, 'on'));
        my (undef, $stated) = fitted('stated', "law: $law\nrivals: []\n" . sets(", apparatus: {slope_in_contact: 0}$nuisance", 'on'));
        my ($name, $value, $errors) = join("\n", @{reasons($fit)}) =~ /and (\w+) is (\S+)(?: \S+)? there, (\S+) standard errors from here/;
        ok($name, "$law: one that ends") or diag($out);
        my ($here, $there) = map { $_->{parameters}{$name // 'k'} } $fit, $stated;
        my ($from, $to, $low, $high) = map { $here->{scale} eq 'log' ? log : $_ } $here->{value}, $there->{value}, @{$here->{wald}}{qw(low high)};
        cmp_ok(abs(($value // 0) / $there->{value} - 1), '<', 1e-3, 'the number of a fit that states so');
        cmp_ok(abs(($errors // 0) - abs($to - $from) / (($high - $low) / 3.92)), '<', 0.06, 'and how far off');
    }
}

# ---- a draft that runs as it is

{
    my ($code, $out, $told) = contactfit({in => $dir}, 'init', 'slow.csv', '-o', 'draft.yaml');
    is($code, 0, 'a draft by the columns') or diag($told);
    my $draft = slurp("$dir/draft.yaml");
    unlike($draft =~ s/^#.*//mgr, qr/FILL-IN|bodies|tsuji/, 'nothing is left to fill in, no law that asks for a mass');
    like($draft, qr/^    nuisance: \{contact: \{\}, bias_loading: \{\}, bias_unloading: \{\}\}$/m, 'contact point and zero are thought of');
    ($code) = contactfit({in => $dir}, 'check', 'draft.yaml');
    is($code, 0, 'check takes it');
}

done_testing();
