#!/usr/bin/perl
# A floor beside an estimated sigma: what a log says of its mean. The likelihood is held against one
# that is written here, with normal equations and a search; limits have closed forms.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use List::Util qw(sum);
use Program;
use Synthetic qw(normal);
use Test::More;

draw_no_figures();

my $dir = tempdir(CLEANUP => 1);

sub fitted
{
    my ($name, $text, @options) = @_;
    spew("$dir/$name.yaml", "contactfit: study/1\n$text");
    return fit_of($dir, "$dir/$name.yaml", '-q', @options);
}

# f = 2 N + 3 N s/m |v| and a bias of 0.3 N; own scatter, and that of each row's floor
sub table
{
    my ($name, $own, $grows, $scale, $rows) = @_;
    my @row;
    my $text = "# synthetic\nv_m_s,f_N,sd_mean_N,sd_mN,samples,nothing_N\n";
    for my $i (0 .. $rows - 1) {
        my $v = (0.01 + 0.02 * int($i / 2)) * ($i % 2 ? 1 : -1);
        my $sd = $scale * (0.2 + ($i * 7 % 11) / 5);
        my $f = (2 + 3 * abs $v) * ($v < 0 ? -1 : 1) + 0.3 + $own * normal() + $grows * abs($v) * normal() + $sd * normal();
        push @row, [$v, $f, $sd];
        $text .= join(',', $v, sprintf('%.9f', $f), sprintf('%.6f', $sd), sprintf('%.6f', 1e3 * $sd * 5), 25, 0) . "\n";
    }
    spew("$dir/$name.csv", $text);
    return map { [$_->[0], sprintf('%.9f', $_->[1]), sprintf('%.6f', $_->[2])] } @row;
}

my $set = "law: f-viscous\ndata:\n  - {name: d, file: %s.csv, protocol: slide, columns: {speed: {from: v_m_s}, "
    . "force: {from: f_N, sigma: %s}}, nuisance: {force.bias: {}}}\n";

# The best of the linear parameters, and ln det of the normal equations.
sub solve
{
    my ($A, $b) = @_;
    my $n = @$b;
    my @M = map { [@{$A->[$_]}, $b->[$_]] } 0 .. $n - 1;
    my $log = 0;
    for my $i (0 .. $n - 1) {
        $log += log $M[$i][$i]; # positive definite: no pivots
        for my $k (grep { $_ != $i } 0 .. $n - 1) {
            my $w = $M[$k][$i] / $M[$i][$i];
            $M[$k][$_] -= $w * $M[$i][$_] for 0 .. $n;
        }
    }
    return ($log, map { $M[$_][$n] / $M[$_][$_] } 0 .. $n - 1);
}

# -2 ln L_R of base and slope, and the parameters.
sub restricted
{
    my ($row, $base2, $slope2) = @_;
    my (@A, @b);
    my ($logs, $squares) = (0, 0);
    my @x = map { [$_->[0] < 0 ? -1 : 1, $_->[0], 1] } @$row;
    my @w = map { 1 / ($base2 + $slope2 * $_->[0]**2 + $_->[2]**2) } @$row;
    for my $i (0 .. $#x) {
        for my $j (0 .. 2) {
            $b[$j] += $w[$i] * $x[$i][$j] * $row->[$i][1];
            $A[$j][$_] += $w[$i] * $x[$i][$j] * $x[$i][$_] for 0 .. 2;
        }
        $logs -= log $w[$i];
    }
    my ($det, @p) = solve(\@A, \@b);
    for my $i (0 .. $#x) {
        my $r = $row->[$i][1] - sum map { $p[$_] * $x[$i][$_] } 0 .. 2;
        $squares += $w[$i] * $r * $r;
    }
    return ($logs + $det + $squares, @p);
}

# The least of a function of one number between two others.
sub least
{
    my ($f, $low, $high) = @_;
    for (1 .. 120) {
        my ($a, $b) = ($low + ($high - $low) / 3, $high - ($high - $low) / 3);
        if ($f->($a) < $f->($b)) { $high = $b } else { $low = $a }
    }
    return ($low + $high) / 2;
}

sub channel { return (grep { $_->{name} eq 'force' } @{$_[0]{data}[0]{channels}})[0] }

normal() for 1 .. 900; # another part of the stream

# Quantiles of a number over [number, ln weight].
sub quantiles
{
    my @point = sort { $a->[0] <=> $b->[0] } @_;
    my ($top) = sort { $b <=> $a } map { $_->[1] } @point;
    my $all = sum map { exp($_->[1] - $top) } @point;
    my ($below, @found) = (0);
    for my $p (@point) {
        $below += exp($p->[1] - $top) / $all;
        push @found, $p->[0] while @found < 3 && $below > [0.025, 0.5, 0.975]->[@found];
    }
    return @found;
}

# The sampled numbers of the errors lie where quadrature has them, to a share of their interval.
sub sampled
{
    my ($number, $name, @want) = @_;
    my @got = @$number{qw(low median high)};
    ok(!(grep { abs($got[$_] - $want[$_]) > 0.08 * ($want[2] - $want[0]) } 0 .. 2), "$name: the posterior is that of quadrature")
        or diag("@got for @want");
}

# ---- the likelihood

{
    my @row = table('const', 0.02, 0, 0.02, 40);
    my ($status, $fit, $out) = fitted('const', sprintf $set, 'const', '{estimate: constant, floor: {from: sd_mean_N}}');
    my $a2 = least(sub { (restricted(\@row, $_[0], 0))[0] }, 0, 0.01);
    my (undef, @p) = restricted(\@row, $a2, 0);
    my $c = channel($fit);
    is("$status $fit->{verdict}{status}", '0 good', 'a constant sigma beside a floor');
    is_near($c->{sigma_base}, sqrt $a2, 1e-5, 'as likely as can be');
    is_near($fit->{parameters}{f_c}{value}, $p[0], 1e-7, 'and so are f_c,');
    is_near($fit->{parameters}{d_2}{value}, $p[1], 1e-7, 'd_2');
    is_near($fit->{parameters}{'force.bias'}{value}, $p[2], 1e-6, 'and the bias');
    is($c->{sigma_model}, 'constant', 'named so');
    is_near($c->{sigma_floor}, sqrt(sum(map { $_->[2]**2 } @row) / @row), 1e-9, 'the floor in the root mean square');
    is_near($c->{sigma}**2, $c->{sigma_base}**2 + $c->{sigma_floor}**2, 1e-9, 'both together');
    my ($o) = @{$fit->{observations}};
    is_near($o->{sigma}**2, $a2 + $row[0][2]**2, 1e-5, 'the sigma of a row is of both');
    like($out, qr/sigma of force: 0\.0\d+ N, beside a floor of 0\.0\d+ N\n/, 'and is told');
    ok(slurp("$dir/const.html") =~ /The scatter of [a-z ]*force in d is constant, <i>&sigma;<\/i> = \S+ class="n">0\.0\d+<\/span> in SI units, estimated with the law\. Beside it each row has the floor/,
        'on the page, too');
    is((contactfit('check', "$dir/const.yaml"))[1] =~ /sigma to be estimated, beside a floor of 0\.004 to 0\.044/, 1, 'check says the floor');
    my ($code, $text) = contactfit('predict', '-q', "$dir/const.json", '--at', '0.1 m/s');
    is($code, 0, 'predicted');
    is_near((split /,/, (split /\n/, $text)[1])[1], $p[0] + 0.1 * $p[1], 1e-7, 'as the law has it, without the bias');

    # sampled: what a row varies by in all, a^2 and the mean square of the floors, is uniform in its logarithm
    my (undef, $drawn) = fitted('const', sprintf($set, 'const', '{estimate: constant, floor: {from: sd_mean_N}}') . "options: {posterior: 500}\n");
    my $p2 = $c->{sigma_floor}**2;
    my $post = $drawn->{posterior};
    is("$post->{converged} @{[map { $_->{kind} } @{$post->{noise}}]}", '1 base', 'a posterior of it');
    sampled($post->{noise}[0], 'a', quantiles(map { [sqrt $_->[0], $_->[1]] }
        map { my $v = $p2 * (exp(2 * $_ * 0.005) - 1); [$v, -(restricted(\@row, $v, 0))[0] / 2] } 0 .. 400));
    my ($by, $with) = map { $_->{high} - $_->{low} } $fit->{parameters}{d_2}{interval}, $post->{parameters}{d_2};
    is_near($with, $by, 0.12, 'with d_2 as by the likelihood');

    # sd and number of what was averaged
    (undef, my $counted) = fitted('counted', sprintf $set, 'const', '{estimate: constant, floor: {from: sd_mN, count: samples}}');
    is_near($counted->{parameters}{d_2}{value}, $fit->{parameters}{d_2}{value}, 1e-8, 'the same by sd and count');
    is_near(channel($counted)->{sigma_floor}, $c->{sigma_floor}, 1e-6, 'in another unit');

    # a floor of 0 is none
    my (undef, $zero) = fitted('zero', sprintf $set, 'const', '{estimate: constant, floor: {from: nothing_N}}');
    my (undef, $none) = fitted('none', sprintf $set, 'const', '{estimate: constant}');
    is_near($zero->{parameters}{$_}{value}, $none->{parameters}{$_}{value}, 1e-6, "a floor of 0: $_") for qw(f_c d_2);
    is_near(channel($zero)->{sigma}, channel($none)->{sigma}, 1e-5, 'and sigma');

    # the same floor in each row is part of a constant sigma
    my (undef, $all) = fitted('all', sprintf $set, 'const', '{estimate: constant, floor: 5 mN}');
    is_near(channel($all)->{sigma_base}**2 + 0.005**2, channel($none)->{sigma}**2, 1e-7, 'one floor for all rows: a^2 + floor^2');
    is_near($all->{parameters}{d_2}{value}, $none->{parameters}{d_2}{value}, 1e-8, 'changes nothing else');

    # more than the scatter: nothing is left to estimate, and the floor alone counts
    my (undef, $high) = fitted('high', sprintf $set, 'const', '{estimate: constant, floor: 0.2 N}');
    is(channel($high)->{sigma_base}, 0, 'a floor above the scatter: nothing beside it');
    is_near(channel($high)->{sigma}, 0.2, 1e-9, 'sigma is the floor');
}
{
    my @row = table('both', 0.04, 0.2, 0.02, 80);
    my (undef, $fit) = fitted('both', sprintf $set, 'both', '{estimate: both, floor: {from: sd_mean_N}}');
    my $slope_of = sub { my ($a2) = @_; least(sub { (restricted(\@row, $a2, $_[0]))[0] }, 0, 0.2) };
    my $a2 = least(sub { (restricted(\@row, $_[0], $slope_of->($_[0])))[0] }, 0, 0.02);
    is_near(channel($fit)->{sigma_base}, sqrt $a2, 1e-3, 'both: a');
    is_near(channel($fit)->{sigma_slope}, sqrt $slope_of->($a2), 1e-4, 'and b');
    is_near($fit->{parameters}{d_2}{value}, (restricted(\@row, $a2, $slope_of->($a2)))[2], 1e-6, 'and d_2');
    # sampled: divided among a^2, b^2 times the mean square of the axis in any shares alike, with the floors beside
    my (undef, $drawn) = fitted('both', sprintf($set, 'both', '{estimate: both, floor: {from: sd_mean_N}}') . "options: {posterior: 1000}\n");
    my $post = $drawn->{posterior};
    is("$post->{converged} @{[map { $_->{kind} } @{$post->{noise}}]}", '1 base slope', 'both: a posterior of it');
    my ($p2, $x2) = (channel($fit)->{sigma_floor}**2, sum(map { $_->[0]**2 } @row) / @row);
    my @at = map {
        my $whole = $p2 * exp(0.04 * ($_ + 0.5));
        map {
            my $share = ($_ + 0.5) / 50;
            my @v = (($whole - $p2) * (1 - $share), ($whole - $p2) * $share / $x2);
            [@v, -(restricted(\@row, @v))[0] / 2 + log(1 - $p2 / $whole)]
        } 0 .. 49
    } 0 .. 120;
    sampled($post->{noise}[0], 'both: a', quantiles(map { [sqrt $_->[0], $_->[2]] } @at));
    sampled($post->{noise}[1], 'both: b', quantiles(map { [sqrt $_->[1], $_->[2]] } @at));
    my (undef, $grows) = fitted('grows', sprintf $set, 'both', '{estimate: proportional, floor: {from: sd_mean_N}}');
    my $b2 = least(sub { (restricted(\@row, 0, $_[0]))[0] }, 0, 0.2);
    is_near(channel($grows)->{sigma_slope}, sqrt $b2, 1e-5, 'proportional: b');
    is(channel($grows)->{sigma_base}, 0, 'and no a');
    my (undef, $power, $out) = fitted('power', sprintf $set, 'both', '{estimate: power, floor: {from: sd_mean_N}}');
    ok(channel($power)->{sigma_exponent} > 0.3 && channel($power)->{sigma_floor} > 0, 'power');
}
{
    # few rows, and where all that scatters is the floors'
    my @row = table('few', 0, 0, 0.02, 6);
    my (undef, $fit, $out, $err) = fitted('few', sprintf $set, 'few', '{estimate: constant, floor: {from: sd_mean_N}}');
    is($err, '', '6 rows are fitted');
    my (undef, @p) = restricted(\@row, channel($fit)->{sigma_base}**2, 0);
    is_near($fit->{parameters}{f_c}{value}, $p[0], 1e-6, 'at the best of what was estimated');
}
{
    # rows in the study
    my $rows = join '', map { sprintf "      - {speed: %g m/s, force: %g N}\n", $_ / 10, 2 + 0.3 * $_ + 0.01 * (-1)**($_ * $_ / 3) } map { 3 * $_ } 1 .. 8;
    my ($status, $fit) = fitted('inside', "law: f-viscous\ndata:\n  - name: d\n    protocol: slide\n    rows:\n$rows"
        . "    sigma: {force: {estimate: constant, floor: 1 mN}}\n");
    is(channel($fit)->{sigma_floor}, 0.001, 'rows in the study have one floor');
}

# ---- a nuisance beside variances is among what they are estimated with, and leaves predictions alone

{
    my $group = "group: {by: [samples]}\n" . sprintf $set, 'const', 'estimate';
    my ($status, $fit) = fitted('group', $group);
    is("@{$fit->{uncertainty}{names}}", 'f_c d_2', 'the bias is no part of what predictions need');
    my ($code, $text, $err) = contactfit('predict', '-q', "$dir/group.json", '--at', '0.1 m/s');
    is("$code $err", '0 ', 'a fit of groups with a bias predicts');
}

# ---- drafted

sub drafted
{
    my ($head, $row) = @_;
    spew("$dir/draft.csv", "$head\n" . join('', map { "$_" . ($row =~ s/^\d+//r) . "\n" } 1 .. 4));
    my ($code, $text) = contactfit('init', 'slide', "$dir/draft.csv");
    my ($line) = $text =~ /^ +force: (\{.*?\}+)    #/m;
    return $line;
}
is(drafted('v_m_s,force_N,force_sem_N', '1,2,0.1'), '{from: force_N, sigma: {estimate: constant, floor: {from: force_sem_N}}}', 'drafted: an error of the mean');
is(drafted('v_m_s,force_mean_N,force_mean_sd_N', '1,2,0.1'), '{from: force_mean_N, sigma: {estimate: constant, floor: {from: force_mean_sd_N}}}', 'the sd of a mean');
is(drafted('v_m_s,force_mean_N,force_sd_N,samples', '1,2,0.1,50'), '{from: force_mean_N, sigma: {estimate: constant, floor: {from: force_sd_N, count: samples}}}', 'the sd of a log, and of how many');
is(drafted('v_m_s,force_mean_N,force_sd_N', '1,2,0.1'), '{from: force_mean_N, sigma: estimate}', 'the sd of a log alone');
is(drafted('v_m_s,force_N,force_sd_N', '1,2,0.1'), '{from: force_N, sigma: {from: force_sd_N}}', 'the sd of a number');

# ---- refused

spew("$dir/bad.csv", "v_m_s,f_N,sd_N,n\n1,2,0.1,4\n2,3,-0.1,4\n3,4,0.1,0\n4,5,0.1,\n");
my $bad = "law: f-viscous\ndata:\n  - {name: d, file: bad.csv, protocol: slide, columns: {speed: {from: v_m_s}, force: {from: f_N, sigma: %s}}}\n%s";
for (['{floor: {from: sd_N}}', '', qr/bad\.yaml:4:\d+: floor: stands beside a sigma that is estimated: state how, as in \{estimate: constant, floor: \.\.\.\}\n/],
     ['{estimate: constant, floor: {from: sd_N}}', '', qr/bad\.csv:3:5: sd_N -0\.1: a floor must not be below 0\n/],
     ['{estimate: constant, floor: {from: sd_N, count: n}}', '', qr/bad\.csv:4:9: n 0: a count must be at least 1\n/],
     ['{estimate: constant, floor: {from: std_N}}', '', qr/bad\.yaml:4:\d+: .*std_N.*sd_N/],
     ['{estimate: constant, floor: {from: sd_N, unit: m}}', '', qr/bad\.yaml:4:\d+: floor: column sd_N is in m: N, or another unit of its dimension, is wanted/],
     ['{estimate: constant, floor: {of: sd_N}}', '', qr/bad\.yaml:4:\d+: unknown key of: known here: from, unit, count\n/],
     ['{estimate: steady, floor: {from: sd_N}}', '', qr/unknown way to estimate a sigma steady: known here: constant/],
     ['{estimate: constant, floor: 1 mm}', '', qr/bad\.yaml:4:\d+: .*1 mm/],
     ['{estimate: constant, floor: 1 mN}', "options: {loss: huber}\n", qr/bad\.yaml:5:1: options: huber takes one sigma of all rows, and force of d has a floor in each: leave it out\n/]) {
    my ($sigma, $more, $want) = @$_;
    my ($status, undef, undef, $err) = fitted('bad', sprintf $bad, $sigma, $more);
    is($status, 1, "$sigma: refused");
    like($err, $want, 'in words');
}
{
    my $rows = "law: f-viscous\ndata:\n  - name: d\n    protocol: slide\n    rows:\n      - {speed: 1 m/s, force: 1 N}\n"
        . "    sigma: {force: {estimate: constant, floor: {from: sd_N}}}\n";
    my ($status, undef, undef, $err) = fitted('rows', $rows);
    like($err, qr/rows\.yaml:8:\d+: sigma: a mapping: rows in the study take a quantity or estimate\n/, 'no column in rows');
    my $stamps = "law: e-constant\nbodies: {ball: {sphere: {diameter: 40 mm}, mass: 3 g}}\ndata:\n  - name: d\n    protocol: bounce\n    rows: [{time: 1 s}, {time: 2 s}, {time: 2.5 s}]\n"
        . "    sigma: {time: {estimate: constant, floor: 1 ms}}\n";
    ($status, undef, undef, $err) = fitted('stamps', $stamps);
    like($err, qr/stamps\.yaml:8:\d+: floor: goes with readings, and time is a record\n/, 'nor beside records') ;
}

done_testing();
