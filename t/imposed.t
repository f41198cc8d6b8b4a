#!/usr/bin/perl
# A stated error of what is imposed, beside sigmas that are estimated. Rows share it: what two
# columns of a row have in common is that of their speed. The likelihood is held against one that is
# written here, with the covariance of each row as it stands.

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

my $dir = tempdir(CLEANUP => !$ENV{KEEP});
my $balls = "bodies:\n  ball: {sphere: {diameter: 40 mm}, mass: 31 g, material: steel}\n"
    . "  floor: {plane: {}, fixed: true, material: wood}\n";

sub fitted
{
    my ($name, $text, @options) = @_;
    spew("$dir/$name.yaml", "contactfit: study/1\n$balls$text");
    return fit_of($dir, "$dir/$name.yaml", '-q', @options);
}

# e = 0.8 - 0.05 ln v. Columns: v as read, e, v' = v e.
sub table
{
    my ($name, $rows, $share, $sd_e, $sd_back) = @_;
    my @row;
    for my $i (0 .. $rows - 1) {
        my $v = 0.3 * 15**(($i * 7 % $rows) / ($rows - 1));
        my $e = 0.8 - 0.05 * log $v;
        push @row, [map { sprintf '%.9f', $_ } $v * (1 + $share * normal()), $e + $sd_e * normal(), $v * $e + $sd_back * normal()];
    }
    spew("$dir/$name.csv", "# synthetic\nv_m_s,e,back_m_s\n" . join('', map { join(',', @$_) . "\n" } @row));
    return \@row;
}

sub study_of
{
    my ($name, $columns, $more) = @_;
    return "law: e-log\n" . ($more // '') . "data:\n  - {name: d, file: $name.csv, protocol: impact, columns: {$columns}}\n";
}

my %col = (restitution => 1, rebound_speed => 2);

# -2 ln L_R with e_at_1 and b at their best, which it returns. Each row has the covariance
# diag(own^2) + c c', c the share of its speed's error in what is read at ($e1, $b).
sub restricted
{
    my ($row, $names, $sd_v, $own2, $e1, $b) = @_;
    my @N = ([0, 0], [0, 0]);
    my @g = (0, 0);
    my ($log, $all) = (0, 0);
    my @parts;
    for my $r (@$row) {
        my $v = $r->[0];
        my $s = $sd_v->($v);
        my (@c, @X, @y);
        for (@$names) {
            my $by = $_ eq 'restitution' ? 1 : $v;
            push @c, $s * ($_ eq 'restitution' ? -$b / $v : $e1 - $b * log($v) - $b);
            push @X, [$by, -$by * log $v];
            push @y, $r->[$col{$_}];
        }
        # the inverse of diag(d) + c c', by J. Sherman and W. J. Morrison
        my @w = map { 1 / $own2->[$_] } 0 .. $#c;
        my $k = 1 + sum map { $w[$_] * $c[$_]**2 } 0 .. $#c;
        $log += log($k) - sum map { log } @w;
        for my $i (0 .. $#c) {
            for my $j (0 .. $#c) {
                my $P = ($i == $j ? $w[$i] : 0) - $w[$i] * $c[$i] * $w[$j] * $c[$j] / $k;
                for my $p (0, 1) {
                    $g[$p] += $X[$i][$p] * $P * $y[$j];
                    $N[$p][$_] += $X[$i][$p] * $P * $X[$j][$_] for 0, 1;
                }
                $all += $y[$i] * $P * $y[$j];
            }
        }
    }
    my $det = $N[0][0] * $N[1][1] - $N[0][1]**2;
    my @p = (($N[1][1] * $g[0] - $N[0][1] * $g[1]) / $det, ($N[0][0] * $g[1] - $N[0][1] * $g[0]) / $det);
    return ($log + log($det) + $all - $p[0] * $g[0] - $p[1] * $g[1], @p, sqrt($N[1][1] / $det), sqrt($N[0][0] / $det));
}

# The least of a function of one number between two others.
sub least
{
    my ($f, $low, $high) = @_;
    for (1 .. 100) {
        my ($a, $b) = ($low + ($high - $low) / 3, $high - ($high - $low) / 3);
        if ($f->($a) < $f->($b)) { $high = $b } else { $low = $a }
    }
    return ($low + $high) / 2;
}

# The variances by turns, at the fit's own e_at_1 and b.
sub best
{
    my ($row, $names, $sd_v, $fit) = @_;
    my @at = map { $fit->{parameters}{$_}{value} } qw(e_at_1 b);
    my @own2 = map { (channel($fit, $_)->{sigma_base} || 1e-3)**2 * 1.5 } @$names;
    for (1 .. 40) {
        for my $i (0 .. $#own2) {
            $own2[$i] = exp least(sub { my @o = @own2; $o[$i] = exp $_[0]; (restricted($row, $names, $sd_v, \@o, @at))[0] },
                log($own2[$i]) - 2, log($own2[$i]) + 2);
        }
    }
    return (\@own2, restricted($row, $names, $sd_v, \@own2, @at));
}

sub channel
{
    my ($fit, $name) = @_;
    return (grep { $_->{name} eq $name } @{$fit->{data}[0]{channels}})[0];
}

# ---- one column, and two that share the error of their speed

for my $case (
    ['back', '5 %', sub { 0.05 * $_[0] }, [0.05, 0.004, 0.02], 'rebound_speed'],
    ['both', '4 %', sub { 0.04 * $_[0] }, [0.04, 0.004, 0.02], 'restitution', 'rebound_speed'],
    ['constant', '30 mm/s', sub { 0.03 }, [0.02, 0.002, 0.01], 'restitution', 'rebound_speed'])
{
    my ($name, $stated, $sd_v, $made, @names) = @$case;
    my $row = table($name, 24, @$made);
    my %from = (restitution => 'e', rebound_speed => 'back_m_s');
    my ($status, $fit, $out) = fitted($name, study_of($name, join(', ', "speed: {from: v_m_s, sigma: $stated}",
        map { "$_: {from: $from{$_}, sigma: {estimate: constant}}" } @names)));
    my ($own2, undef, @p) = best($row, \@names, $sd_v, $fit);
    is($status, 0, "$name: fitted");
    for my $i (0 .. $#names) {
        my $c = channel($fit, $names[$i]);
        is_near($c->{sigma_base}, sqrt $own2->[$i], 2e-5, "$names[$i]: its own sigma is as likely as can be");
        is_near($c->{sigma}**2, $c->{sigma_base}**2 + $c->{sigma_imposed}**2, 1e-9, 'and the whole has that of the speed beside it');
    }
    is_near($fit->{parameters}{$_->[0]}{value}, $p[$_->[1]], 1e-6, "$_->[0] is that of generalised least squares")
        for ['e_at_1', 0], ['b', 1];
    my %se = map { $_ => $fit->{parameters}{$_}{standard_error} // 0 } qw(e_at_1 b);
    ok($se{b} >= 0.999 * $p[3] && $se{b} < 1.2 * $p[3], "and b is known as well: $se{b} for $p[3]") if $se{b};
    like($out, qr/sigma of $names[-1]: \S+ m\/s, beside \S+ m\/s that errors of the\s+imposed quantity add/, 'it is told');
    like(slurp("$dir/$name.html"), qr/Errors of the imposed quantity add/, 'on the page, too');
}

# ---- a speed that errs by more than the readings scatter, a law that the speed does not move, and none

{
    my $row = table('calm', 16, 0.0005, 0, 0.0005);
    my ($status, $fit) = fitted('calm', study_of('calm', 'speed: {from: v_m_s, sigma: 5 %}, rebound_speed: {from: back_m_s, sigma: estimate}'));
    my $c = channel($fit, 'rebound_speed');
    is($status, 0, 'a speed that is said to err by more than the readings scatter');
    ok($c->{sigma_base} < 0.02 * $c->{sigma_imposed}, 'leaves next to nothing for them,');
    like(join("\n", @{reasons($fit)}), qr/residuals are smaller than the given sigmas let one expect/, 'and the sigma is said to be too large');
    ok(!(grep { $_->{rule} eq 'residuals' } @{$fit->{verdict}{reasons}}), 'what is left of them accuses no law');

    my ($one, $constant) = fitted('flat', study_of('back', 'speed: {from: v_m_s, sigma: 5 %}, restitution: {from: e, sigma: estimate}') =~ s/e-log/e-constant/r);
    my ($two, $plain) = fitted('plain', study_of('back', 'speed: {from: v_m_s}, restitution: {from: e, sigma: estimate}') =~ s/e-log/e-constant/r);
    is_near($constant->{parameters}{e}{value}, $plain->{parameters}{e}{value}, 1e-8, 'an e that no speed moves is as without');
    is_near(channel($constant, 'restitution')->{sigma_base}, channel($plain, 'restitution')->{sigma}, 1e-6, 'and so is its sigma');
}

# ---- new rows: with a sigma of their own speeds, and without

{
    my $row = table('new', 12, 0.05, 0.004, 0.02);
    my %said;
    for my $sigma ('', ', sigma: 5 %', ', sigma: 15 %') {
        my $name = 'check' . ($sigma =~ s/\D//gr || 0);
        spew("$dir/$name.yaml", "contactfit: study/1\n$balls" . study_of('new', "speed: {from: v_m_s$sigma}, rebound_speed: {from: back_m_s, sigma: estimate}"));
        my ($status, $out, $err) = contactfit('validate', "$dir/back.json", "$dir/$name.yaml", '-o', $dir);
        ($said{$name}) = "$out$err" =~ /rms of the residuals ([\d.]+) standard/;
        ok($status == 0 || $status == 3, "validated $name");
    }
    ok($said{check15} < 0.6 * $said{check5}, 'a sigma of the new speeds counts,');
    ok(abs($said{check0} / $said{check5} - 1) < 0.6, 'that of the fitted ones where none is stated');
}

# ---- drawn again: the truth is inside as often as it should be

{
    my ($inside, $of) = (0, 0);
    for my $i (1 .. ($ENV{CHECK_FULL} ? 300 : 24)) {
        table('draw', 16, 0.06, 0.004, 0.01);
        my (undef, $fit) = fitted('draw', study_of('draw', 'speed: {from: v_m_s, sigma: 6 %}, restitution: {from: e, sigma: estimate}, '
            . 'rebound_speed: {from: back_m_s, sigma: estimate}', "options: {starts: 4, screen: 16}\n"));
        for (['e_at_1', 0.8], ['b', 0.05]) {
            my $interval = $fit->{parameters}{$_->[0]}{interval} or next;
            $of++;
            $inside++ if $interval->{low} <= $_->[1] && $_->[1] <= $interval->{high};
        }
    }
    diag("$inside of $of");
    ok($inside > 0.95 * $of - 3.3 * sqrt($of * 0.05 * 0.95), "$inside of $of intervals hold the truth");
}

# ---- many repeats at a few places: where a row lies among those of its place is its speed's error,
# which its residual has, too

sub repeats
{
    my ($name, $bend) = @_;
    my $text = '';
    for my $i (0 .. 239) {
        my $v = (0.35, 0.6, 1.1, 1.9, 3.4)[$i % 5];
        my $e = 0.75 - 0.04 * log($v) - $bend * log($v) ** 2;
        $text .= sprintf "%.6f,%.6f,%.6f\n", $v * (1 + 0.05 * normal()), $e + 0.004 * normal(), $v * $e + 0.006 * normal();
    }
    spew("$dir/$name.csv", "# synthetic\nv_m_s,e,back_m_s\n$text");
}

for my $sigma (['estimate', 'estimate'], ['0.004', '0.006 m/s']) {
    for my $bend (0, 0, 0, 0.02) {
        repeats('places', $bend);
        my (undef, $fit) = fitted('places', study_of('places', "speed: {from: v_m_s, sigma: 5 %}, restitution: {from: e, sigma: $sigma->[0]}, "
            . "rebound_speed: {from: back_m_s, sigma: $sigma->[1]}"));
        is($fit->{verdict}{status}, $bend ? 'misfit' : 'good', "five places, sigmas $sigma->[0]" . ($bend ? ', a bend' : ''));
    }
}

done_testing();
