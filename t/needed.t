#!/usr/bin/perl
# How near a curve is to what was measured, and what follows where a study says what is needed. Data
# are made here, of a reality that the law does not have; the limits themselves are counted by
# t/adequacy.

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

my $dir = tempdir(CLEANUP => !$ENV{KEEP});
my $bodies = "contactfit: study/1\nbodies: {ball: {sphere: {diameter: 40 mm}, mass: 50 g}, floor: {plane: {}, fixed: true}}\n";

# e = 0.8 - 0.04 ln v - bend (ln v)^2, at n speeds from 0.4 to 4 m/s.
sub reality { my ($v, $bend) = @_; return 0.8 - 0.04 * log($v) - $bend * log($v) ** 2 }

sub write_table
{
    my ($name, $n, $bend, $noise) = @_;
    my $text = "# synthetic\nv_m_s,e\n";
    for my $i (0 .. $n - 1) {
        my $v = sprintf '%.6f', 0.4 * 10**($i / ($n - 1));
        $text .= sprintf "%s,%.6f\n", $v, reality($v, $bend) + $noise * normal();
    }
    spew("$dir/$name.csv", $text);
}

sub study_of
{
    my ($name, $needed, $more) = @_;
    return $bodies . ($more // "law: e-log\n") . (defined $needed ? "needed: $needed\n" : '')
        . "data:\n  - {name: d, protocol: impact, file: $name.csv, columns: {speed: v_m_s, restitution: {from: e, unit: 1}}}\n";
}

# Status, document and texts of the fit of a table.
sub fitted
{
    my ($name, $needed, $more) = @_;
    spew("$dir/$name.yaml", study_of($name, $needed, $more));
    my ($status, $fit, $out, $err) = fit_of($dir, "$dir/$name.yaml", '-q');
    return ($status, $fit, $out =~ s/\n {4}/ /gr, $err);
}

# ---- a law that is off by 0.03, surely

write_table('bent', 20, 0.02, 0.002);
my ($status, $fit, $out) = fitted('bent');
is($status, 3, 'a misfit');
my $off = $fit->{adequacy}[0];
my ($law_off) = (0);
{
    # the curve that was fitted, against reality, at its own points
    my $r = $off->{reference};
    for my $i (0 .. $#{$r->{abscissa}}) {
        my $d = abs(reality($r->{abscissa}[$i], 0.02) - $r->{law}[$i]);
        $law_off = $d if $d > $law_off;
    }
}
ok($off->{in_unit}{at_least} < $law_off && $law_off < $off->{in_unit}{at_most}, "it is off by $law_off: $off->{in_unit}{at_least} to $off->{in_unit}{at_most}");
like($out, qr/from 0\.4 to 4 m\/s this curve gives the coefficient of restitution within 0\.0\d\d \(\d\.\d %\) of what was measured, worst at [\d.]+ m\/s; it is surely off by 0\.0\d+/, 'and says by how much');
ok(!exists $fit->{verdict}{needed}, 'nothing is needed');

for (['0.1', 0, 'adequate', qr/misfit, and its curve is adequate for what is needed next/],
    ['15 %', 0, 'adequate', qr/within 15 % is needed: adequate/],
    ['0.001', 3, 'not adequate', qr/misfit, and its curve is not adequate for what is needed \(exit status 3\)/],
    ['{within: 0.1, from: 1 m/s, to: 3 m/s}', 0, 'adequate', qr/from 1\.\d+ to 2\.\d+ m\/s this curve/]) {
    my ($needed, $exit, $word, $said) = @$_;
    my ($status, $fit, $out) = fitted('bent', "{restitution: $needed}");
    is($status, $exit, "$needed: exit $exit");
    is($fit->{verdict}{needed}, $word, $word);
    is($fit->{verdict}{status}, 'misfit', 'the verdict is what it was');
    like($out =~ s/\s+/ /gr, qr/$said/, 'in words');
}

# ---- good, but too few

write_table('few', 7, 0, 0.01);
($status, $fit, $out) = fitted('few', '{restitution: 0.02}');
is($status, 3, 'good, and a need that cannot be told');
is($fit->{verdict}{status}, 'good', 'the word stays');
is($fit->{adequacy}[0]{needed}{answer}, 'cannot tell', 'the answer');
like($out =~ s/\s+/ /gr, qr/within 0\.02 is needed: cannot tell; \d+(\.\d)? times as many measurements at the same places would, four times of five/, 'and how many would tell');
($status, $fit, $out) = fitted('few');
is($status, 0, 'without the need it is good');

write_table('five', 5, 0, 0.01);
($status, $fit, $out) = fitted('five', '{restitution: 0.5}');
is($fit->{adequacy}[0]{needed}{answer}, 'cannot tell', 'five places tell nothing');
like($out =~ s/\s+/ /gr, qr/cannot be told: 6 places along the speed are needed, and there are 5/, 'and say what would');

# ---- what follows

fitted('bent', '{restitution: 0.1}');
my ($csv, $err);
($status, $csv, $err) = contactfit('predict', "$dir/bent.json", '--speed', '0.5,1,3');
is($status, 0, 'predicted') or diag($err);
for (grep { /^\d/ } split /\n/, $csv) {
    my ($v, $e, $low, $high) = split /,/;
    my $truth = reality($v, 0.02);
    ok($low < $truth && $truth < $high, "at $v m/s the band is about what is measured: $low < $truth < $high");
}
($status) = contactfit('predict', "$dir/bent.json", '--speed', '5');
is($status, 3, 'beyond the range as before');
($status) = contactfit('predict', "$dir/bent.json", '--speed', '1', '--mass', '1 kg');
is($status, 3, 'and of another mass');

($status, $csv, $err) = contactfit('export', "$dir/bent.json", '--to', 'c-header');
is($status, 0, 'e(v) as code') or diag($err);
like($csv, qr/e of the fit is off by at most 0\.0\d+ of what was measured, smoothed, from 0\.4 to 4 m\/s/, 'says by how much');
($status, $csv, $err) = contactfit('export', "$dir/bent.json", '--to', 'csv');
is($status, 1, 'parameters are refused as before');
like($err, qr/what takes e alone, which is adequate for what is needed where it was measured/, 'in words');
($status, $csv, $err) = contactfit('export', "$dir/bent.json", '--to', 'c-header', '--fastest', '8 m/s');
is($status, 1, 'and what goes beyond');
fitted('bent', '{restitution: 0.001}');
($status) = contactfit('predict', "$dir/bent.json", '--speed', '1');
is($status, 3, 'an unmet need is none');

# ---- e-smooth: nearer to reality than the law, sorted nearer still

{
    write_table('rough', 24, 0.02, 0.01);
    fitted('rough');
    my %rms;
    for my $how ('', '--smooth', '--smooth=monotone') {
        my ($status, $csv, $err) = contactfit('predict', "$dir/rough.json", '--quantity', 'restitution', '--speed', '0.4:4:60', $how ? $how : ());
        is($status, $how ? 0 : 3, "predict $how") or diag($err);
        my @row = map { [split /,/] } grep { /^\d/ } split /\n/, $csv;
        my $sum = 0;
        $sum += ($_->[1] - reality($_->[0], 0.02)) ** 2 for @row;
        $rms{$how} = sqrt($sum / @row);
        is(scalar(grep { $row[$_][1] > $row[$_ - 1][1] + 1e-9 } 1 .. $#row), 0, 'and falls') if $how =~ /monotone/;
    }
    ok($rms{'--smooth'} < $rms{''}, "rms $rms{'--smooth'} < $rms{''}");
    ok($rms{'--smooth=monotone'} <= $rms{'--smooth'} + 1e-6, "$rms{'--smooth=monotone'}");
    # as code, whose rows are those that predict prints
    my ($exit, $code, $said) = contactfit('export', "$dir/rough.json", '--to', 'c-header', '--smooth');
    is($exit, 0, 'exported, though the fit is a misfit') or diag($said);
    like($code, qr/table: the measurements, smoothed, from 0\.4 to 4 m\/s in \d+ rows; beyond, e of the last row/, 'and says what it is');
    my ($first) = $code =~ /contactfit_rows_rough\[\]\[3\] = \{\s*\{([^}]*)\}/;
    my @number = split /, /, $first;
    ($status, $csv) = contactfit('predict', "$dir/rough.json", '--smooth', '--speed', '0.4');
    ok(abs(exp($number[0]) - 0.4) < 1e-9 && abs($number[1] - (split /,/, (split /\n/, $csv)[1])[1]) < 1e-9, 'the same numbers');
    my ($at, $here) = $code =~ /at ([\d.]+) m\/s: e = [\d.]+ by the fit, ([\d.]+) here/;
    ($status, $csv) = contactfit('predict', "$dir/rough.json", '--smooth', '--speed', $at);
    ok(abs((split /,/, (split /\n/, $csv)[1])[1] - $here) < 1e-4, "between rows, too: $here at $at m/s");
    ($exit, $code, $said) = contactfit('export', "$dir/rough.json", '--to', 'mujoco', '--smooth');
    is($exit, 2, 'of a spring there is none');
    like($said, qr/these have one: c-header, python, javascript/, 'and which targets have one');
    ($exit, $code, $said) = contactfit('export', "$dir/rough.json", '--to', 'c-header', '--smooth', '--mass', '1 kg');
    is($exit, 1, 'nor of another mass');

    ($status, $csv, $err) = contactfit('predict', "$dir/rough.json", '--smooth', '--speed', '4.5');
    is($status, 2, 'no value outside of the range');
    like($err, qr/restitution is not known at 4\.5 m\/s of these bodies: it was measured from 0\.4 to 4 m\/s/, 'which is said');
    ($status, $csv, $err) = contactfit('predict', "$dir/rough.json", '--smooth=wavy', '--speed', '1');
    is($status, 2, 'and how it is smoothed must be known');
}

# ---- both signs of an axis are judged apart

{
    my $text = "# synthetic\nv,f\n";
    for my $i (1 .. 24) {
        my $v = 0.05 * $i;
        $text .= sprintf "%g,%.5f\n%g,%.5f\n", $v, 3 + 0.2 * $v + 0.05 * normal(), -$v, -3 - 0.2 * $v - 0.4 * ($v - 0.6) ** 2 + 0.05 * normal();
    }
    spew("$dir/slide.csv", $text);
    spew("$dir/slide.yaml", "contactfit: study/1\nbodies: {block: {plane: {}, mass: 1 kg}, floor: {plane: {}, fixed: true}}\nlaw: f-coulomb\nneeded: {force: 5 %}\n"
        . "data:\n  - {name: d, protocol: slide, file: slide.csv, columns: {speed: {from: v, unit: m/s}, force: {from: f, unit: N}}, apparatus: {load: 10 N}}\n");
    my ($status, $fit, $out, $err) = fit_of($dir, "$dir/slide.yaml", '-q');
    is(scalar @{$fit->{adequacy} // []}, 2, 'two curves') or diag("$out$err");
    ok($fit->{adequacy}[0]{low} > 0 && $fit->{adequacy}[1]{high} < 0, 'one to each side') if $fit->{adequacy};
}

# ---- what the study states of its instruments is in the limits: 2 % of the load is 2 % of a force

{
    my $study = slurp("$dir/slide.yaml") =~ s/5 %/12 %/r =~ s/f-coulomb/mu-coulomb/r;
    my %most;
    for my $load ('10 N', '10 N +- 2 %') {
        spew("$dir/load.yaml", $study =~ s/load: 10 N/load: $load/r);
        my ($status, $fit, $out, $err) = fit_of($dir, "$dir/load.yaml", '-q');
        my $one = $fit->{adequacy}[0] or diag("$out$err");
        $most{$load} = $one->{in_unit}{at_most};
        if ($load =~ /%/) {
            my $force = $one->{reference}{law}[-1];
            ok(abs($one->{stated} / (1.96 * 0.02 * $force) - 1) < 0.02, "it adds $one->{stated} N of $force N");
            ok(abs($most{'10 N'} + $one->{stated} - $one->{in_unit}{at_most}) < 1e-9, 'to the limit');
            like($out =~ s/\s+/ /gr, qr/within 0\.\d+ N \([\d.]+ %\), 0\.\d+ N of it for what is not known of the instruments, of what was measured/, 'and says so');
        } else {
            ok(!exists $one->{stated}, 'nothing is stated');
        }
    }
}

# ---- what the limits are made from: stated sigmas, groups, other channels

{
    write_table('known', 16, 0, 0.002);
    spew("$dir/known.yaml", study_of('known') =~ s/unit: 1\}/unit: 1, sigma: 0.002}/r);
    my (undef, $fit) = fit_of($dir, "$dir/known.yaml", '-q');
    my $r = $fit->{adequacy}[0]{reference};
    ok(abs($r->{sd} / 0.002 - 1) < 1e-9 && !defined $r->{dof}, 'a sigma that is stated is that of a row');
    like($fit->{adequacy}[0]{text}, qr/^from 0\.4 to 4 m\/s/, 'the only data set has no name there');

    # throws over the same speeds, each with an error of its own
    my ($throws, $each) = (8, 9);
    my $text = "# synthetic\nv_m_s,e,throw\n";
    for my $t (1 .. $throws) {
        my $shared = 0.01 * normal();
        for my $i (0 .. $each - 1) {
            my $v = sprintf '%.6f', 0.4 * 10**(($i + 0.1 * $t) / $each);
            $text .= sprintf "%s,%.6f,t%d\n", $v, reality($v, 0) + $shared + 0.002 * normal(), $t;
        }
    }
    spew("$dir/throws.csv", $text);
    spew("$dir/throws.yaml", study_of('throws', undef, "law: e-log\ngroup: {by: [throw]}\n"));
    (undef, $fit) = fit_of($dir, "$dir/throws.yaml", '-q');
    $r = $fit->{adequacy}[0]{reference};
    is($r->{dof}, $throws - 1, 'groups decide how much is known');
    ok($r->{shared} > 4 && $r->{shared} < 100, "rows of a throw share $r->{shared} of the variance of one");
    ok($r->{sd} > 0.001 && $r->{sd} < 0.004, "whose sigma is $r->{sd}");
    spew("$dir/throws.yaml", study_of('throws', undef, "law: e-log\ngroup: none\n"));
    my (undef, $blind) = fit_of($dir, "$dir/throws.yaml", '-q');
    is($blind->{adequacy}[0]{reference}{shared}, 0, 'and without groups nothing is shared');

    # a speed of rebound gives e, too
    $text = "# synthetic\nv_m_s,back_m_s\n";
    for my $i (0 .. 15) {
        my $v = sprintf '%.6f', 0.4 * 10**($i / 15);
        $text .= sprintf "%s,%.6f\n", $v, $v * (reality($v, 0.02) + 0.002 * normal());
    }
    spew("$dir/back.csv", $text);
    spew("$dir/back.yaml", study_of('back') =~ s/restitution: \{from: e, unit: 1\}/rebound_speed: {from: back_m_s, sigma: {estimate: proportional}}/r);
    (undef, $fit) = fit_of($dir, "$dir/back.yaml", '-q');
    my $one = $fit->{adequacy}[0];
    is($one->{channel}, 'restitution', 'rebounds are judged as e');
    ok($one->{rows} == 16 && $one->{in_unit}{at_least} > 0.005 && $one->{in_unit}{at_most} < 0.04,
        "with limits of e: $one->{in_unit}{at_least} to $one->{in_unit}{at_most}");

    # two data sets that are judged apart are named
    spew("$dir/two.yaml", study_of('known') . "  - {name: other, protocol: impact, between: [ball, floor], file: back.csv, columns: {speed: v_m_s, rebound_speed: back_m_s}}\n");
    spew("$dir/two.yaml", slurp("$dir/two.yaml") =~ s/floor: \{plane: \{\}, fixed: true\}/floor: {plane: {}, fixed: true}, heavy: {sphere: {diameter: 40 mm}, mass: 90 g}/r
        =~ s/name: d,/name: d, between: [ball, floor],/r =~ s/name: other, protocol: impact, between: \[ball,/name: other, protocol: impact, between: [heavy,/r);
    my (undef, $two, $said, $why) = fit_of($dir, "$dir/two.yaml", '-q');
    is(join(' ', map { $_->{text} =~ /^(\w+): / } @{$two->{adequacy} // []}), 'd other', 'each by its name') or diag("$said$why");
}

# ---- what makes a curve unknown: a gain that is fitted along, a hole in the places, a range that was
# not measured, loads that differ

{
    write_table('gain', 20, 0, 0.0005);
    my $prior = sub { $_[0] =~ s/(unit: 1\}\})\}/$1, nuisance: {restitution.gain: {$_[1]}}}/r };
    spew("$dir/gain.yaml", $prior->(study_of('gain', '{restitution: 0.02}'), 'prior: {value: 1, sigma: 5 %}'));
    my (undef, $fit) = fit_of($dir, "$dir/gain.yaml", '-q');
    ok($fit->{adequacy}[0]{in_unit}{at_most} > 0.06, "a gain known to 5 % is in the limit: $fit->{adequacy}[0]{in_unit}{at_most}");
    is($fit->{verdict}{needed}, 'cannot tell', 'and in the answer');
    spew("$dir/gain.yaml", $prior->(study_of('gain', '{restitution: 0.02}'), ''));
    (undef, $fit) = fit_of($dir, "$dir/gain.yaml", '-q');
    like($fit->{adequacy}[0]{text}, qr/cannot be told: the fit leaves a gain, a bias or a number of the apparatus open/, 'one that is open leaves the curve open');

    my $text = "# synthetic\nv_m_s,e\n";
    $text .= sprintf "%.5f,%.5f\n", $_, reality($_, 0) + 0.002 * normal() for map { $_, 6 * $_ } map { 0.5 + 0.03 * $_ } 0 .. 7;
    spew("$dir/hole.csv", $text);
    spew("$dir/hole.yaml", study_of('hole', '{restitution: 0.05}'));
    (undef, $fit) = fit_of($dir, "$dir/hole.yaml", '-q');
    like($fit->{adequacy}[0]{text}, qr/cannot be told: no row lies between 0\.71 and 3 m\/s, which is more than half of the range/, 'a hole is named');
    is($fit->{verdict}{needed}, 'cannot tell', 'and no answer spans it');

    (undef, $fit) = fitted('bent', '{restitution: {within: 0.1, from: 0.1 m/s, to: 3 m/s}}');
    is($fit->{verdict}{needed}, 'cannot tell', 'what is needed where nothing was measured cannot be told');
    like($fit->{adequacy}[0]{text}, qr/as not all of the range was measured where it is needed/, 'in words');

    $text = "# synthetic\nv,F,N\n";
    $text .= sprintf "%.5f,%.5f,%g\n", 0.01 * 1.3**$_, 0.2 * (10, 20, 40)[$_ % 3] * (1 + 0.01 * normal()), (10, 20, 40)[$_ % 3] for 0 .. 17;
    spew("$dir/loads.csv", $text);
    spew("$dir/loads.yaml", "contactfit: study/1\nbodies: {block: {plane: {}, mass: 1 kg}, floor: {plane: {}, fixed: true}}\nlaw: mu-coulomb\n"
        . "data:\n  - {name: d, protocol: slide, file: loads.csv, columns: {speed: {from: v, unit: m/s}, force: {from: F, unit: N}, load: {from: N, unit: N}}}\n");
    (undef, $fit) = fit_of($dir, "$dir/loads.yaml", '-q');
    like($fit->{adequacy}[0]{text} // '', qr/cannot be told: the [\w ]*load differs from row to row/, 'so do loads that differ');
}

# ---- rows of a single group, where it is needed

{
    my $text = "# synthetic\nv_m_s,e,throw\n";
    for my $t (0 .. 2) {
        my $shared = 0.01 * normal();
        $text .= sprintf "%.5f,%.5f,t%d\n", $_, reality($_, 0) + $shared + 0.002 * normal(), $t for map { (0.4, 0.9, 2)[$t] * (1 + 0.1 * $_) } 0 .. 7;
    }
    spew("$dir/one.csv", $text);
    spew("$dir/one.yaml", study_of('one', '{restitution: {within: 0.1, from: 1.9 m/s}}', "law: e-log\ngroup: {by: [throw]}\n"));
    my ($status, $fit, $out, $err) = fit_of($dir, "$dir/one.yaml", '-q');
    is($fit->{verdict}{needed}, 'cannot tell', 'one throw') or diag("$out$err");
    like($fit->{adequacy}[0]{text}, qr/cannot be told: all rows are of one group and share its error/, 'says nothing of others');
}

# ---- an outlier that a robust loss takes for none of reality

{
    write_table('outlier', 20, 0, 0.002);
    my @line = split /\n/, slurp("$dir/outlier.csv");
    $line[9] =~ s/,(.*)/',' . ($1 - 0.15)/e;
    spew("$dir/outlier.csv", join("\n", @line) . "\n");
    my %most;
    for my $loss (qw(squares huber student-t)) {
        spew("$dir/outlier.yaml", study_of('outlier', undef, "law: e-log\noptions: {loss: $loss}\n"));
        my (undef, $fit) = fit_of($dir, "$dir/outlier.yaml", '-q');
        $most{$loss} = $fit->{adequacy}[0]{in_unit}{at_most};
    }
    ok($most{squares} > 0.05, "with squares it is in the limit: $most{squares}");
    ok($most{$_} < 0.03, "$_: $most{$_}") for qw(huber student-t);
}

# ---- bad input

sub refused
{
    my ($needed, $said, $name) = @_;
    spew("$dir/bad.yaml", study_of('bent', $needed));
    my ($status, $out, $err) = contactfit('fit', '-q', "$dir/bad.yaml", '-o', $dir);
    is($status, 1, "$needed: refused");
    like($err, $said, 'in words');
}

refused('{restitution: 0}', qr/bad\.yaml:\d+:\d+: restitution: 0: must be above 0/);
refused('{restitution: -3 %}', qr/restitution: -3 %: must be above 0/);
refused('{restitution: 0.1 mm}', qr/restitution: 0\.1 mm/);
refused('{restituton: 0.1}', qr/unknown measured quantity restituton: did you mean restitution\?/);
refused('{duration: 1 ms}', qr/unknown measured quantity duration/);
refused('{restitution: {within: 0.1, from: 9 m/s}}', qr/no row that is fitted lies in this range: the speeds of those that measure it go from 0\.4 to 4 m\/s/);
refused('{restitution: {within: 0.1, from: 3 m/s, to: 1 m/s}}', qr/must lie beyond from/);
refused('{restitution: {from: 1 m/s}}', qr/within/);
refused('{}', qr/needed/);

# two needs, of which one is of nothing that is fitted: what is held out answers none
{
    my $text = "# synthetic\nv_m_s,e,T\n";
    $text .= sprintf "%.4f,%.5f,%s\n", $_, reality($_, 0), $_ > 3.2 ? '2.5' : '' for map { 0.4 * 10**($_ / 19) } 0 .. 19;
    spew("$dir/held.csv", $text);
    spew("$dir/held.yaml", study_of('held', '{restitution: 0.1, rebound_speed: 1 m/s}') =~ s/unit: 1\}/unit: 1}, rebound_speed: {from: T, unit: m\/s, sigma: 0.01}/r
        . "hold-out: [{data: d, where: \"speed > 3.2 m\/s\"}]\n");
    my ($status, $out, $err) = contactfit('check', "$dir/held.yaml");
    is($status, 1, 'what only held-out rows measure');
    like($err, qr/rebound_speed: no row that is fitted measures it/, 'answers no need');
    # the least of two answers is that of the fit
    my (undef, $fit) = fitted('bent', '{restitution: {within: 0.1, from: 1 m/s, to: 3 m/s}}');
    is($fit->{verdict}{needed}, 'adequate', 'one need');
    my $back = "# synthetic\nv_m_s,e,back\n";
    $back .= sprintf "%.4f,%.5f,%.5f\n", $_, reality($_, 0.02) + 0.002 * normal(), $_ * reality($_, 0.02) + 0.01 * normal() for map { 0.4 * 10**($_ / 19) } 0 .. 19;
    spew("$dir/both.csv", $back);
    spew("$dir/both.yaml", study_of('both', '{restitution: 0.1, rebound_speed: 1 mm/s}') =~ s/unit: 1\}/unit: 1}, rebound_speed: {from: back, unit: m\/s}/r);
    (undef, $fit) = fit_of($dir, "$dir/both.yaml", '-q');
    is($fit->{verdict}{needed}, 'not adequate', 'the least of two') or diag(join "\n", map { $_->{text} } @{$fit->{adequacy}});
}

spew("$dir/pulse.csv", "# synthetic\nt,v,F\n" . join '', map { sprintf "%.5f,1,%.3f\n", $_ * 1e-4, ($_ > 9 && $_ < 31 ? 100 * sin(3.14159 * ($_ - 10) / 20) : 0) + 0.5 * normal() } 0 .. 40);
spew("$dir/pulse.yaml", "${bodies}law: linear\nneeded: {force: 5 N}\ndata:\n  - {name: p, protocol: pulse, file: pulse.csv, columns: {time: {from: t, unit: s}, speed: {from: v, unit: m/s}, force: {from: F, unit: N}}}\n");
($status, $out, $err) = contactfit('check', "$dir/pulse.yaml");
is($status, 1, 'a record');
like($err, qr/force: its readings are a record, one behind the other in time.*peak_force, impulse or duration/, 'has no curve along an axis');

done_testing();
