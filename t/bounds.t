#!/usr/bin/perl
# Bounds that bind far from where the data would have a parameter: that is an answer about the parameter, and the law
# misses the data there; it is no failure of the search.

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

# Of F = k z^n (1 + a zdot) on a mass, from v until it lets go: restitution and duration, by Runge-Kutta.
sub impact
{
    my ($k, $n, $a, $mass, $v) = @_;
    my $pull = sub { -$k * ($_[0] > 0 ? $_[0]**$n : 0) * (1 + $a * $_[1]) / $mass };
    my ($z, $u, $t) = (0, $v, 0);
    my $step = ($mass / $k)**(1 / ($n + 1)) * $v**((1 - $n) / ($n + 1)) / 2000;
    while (1) {
        my @f = ([$u, $pull->($z, $u)]);
        for my $by (0.5, 0.5, 1) {
            my ($zi, $ui) = ($z + $by * $step * $f[-1][0], $u + $by * $step * $f[-1][1]);
            push @f, [$ui, $pull->($zi, $ui)];
        }
        my ($dz, $du) = map { my $i = $_; $step / 6 * ($f[0][$i] + 2 * $f[1][$i] + 2 * $f[2][$i] + $f[3][$i]) } 0, 1;
        return (-$u / $v, $t + $step * $z / -$dz) if $u < 0 && $z + $dz <= 0;
        ($z, $u, $t) = ($z + $dz, $u + $du, $t + $step);
    }
}

sub fitted
{
    my ($name, $text) = @_;
    spew("$dir/$name.yaml", "contactfit: study/1\n$text");
    my ($status, $out, $err) = contactfit('fit', '-q', '-j', 1, "$dir/$name.yaml");
    my $fit = eval { decode_json(slurp("$dir/$name.json")) };
    return ($status, $fit, $out, $err);
}

# One that ends at its bound, and of what the search is accused.
sub binds
{
    my ($what, $parameter, $side, $study) = @_;
    my ($status, $fit, $out, $err) = fitted('one', $study);
    my @rules = map { ref $_ ? $_ : () } @{$fit->{verdict}{reasons} // []};
    is($status, 3, "$what: not to be trusted") or diag($err);
    is($fit->{verdict}{status}, 'undetermined', 'undetermined') or diag(join '; ', map { $_->{text} } @rules);
    is(scalar(grep { $_->{accuses} eq 'search' } @rules), 0, 'the search is not accused');
    ok(scalar(grep { $_->{rule} eq 'at bound' && $_->{parameter} eq $parameter } @rules), "$parameter is");
    like("@{$fit->{verdict}{advice}}", qr/let $parameter go beyond, fit: \{$parameter: \{$side: \.\.\.\}\}/, 'and what to do');
    unlike("$out$err", qr/--global/, 'which is no other search');
}

my $bodies = "bodies:\n  ball: {sphere: {diameter: 40 mm}, mass: 31 g}\n  floor: {plane: {}, fixed: true}\n";
for my $case ([hunt => 'hunt-crossley', 1e8, 1.5, 0.06, '9e7 N/m^1.5'], [far => 'hunt-crossley', 1e8, 1.5, 0.06, '2e7 N/m^1.5'],
    [soft => 'hunt-crossley', 3e6, 1.5, 0.15, '2.6e6 N/m^1.5'])
{
    my ($name, $law, $k, $n, $a, $max) = @$case;
    my ($e, $t) = ("v,e\n", "v,T\n");
    for my $v (0.2, 0.3, 0.5, 0.8, 1.2, 1.5, 2, 3, 4, 5) {
        my @of = impact($k, $n, $a, 0.031, $v);
        $e .= "$v," . ($of[0] + 0.002 * normal()) . "\n";
        $t .= "$v," . $of[1] * (1 + 0.01 * normal()) . "\n" if $v =~ /^(0.2|0.5|1.2|2|4|5)$/;
    }
    spew("$dir/$name-e.csv", $e);
    spew("$dir/$name-t.csv", $t);
    my $study = "law: $law\nfit: {k: %s, a: {}}\nrivals: []\n${bodies}data:\n"
        . "  - {name: e, protocol: impact, file: $name-e.csv, columns: {speed: {from: v, unit: m/s}, restitution: {from: e, sigma: estimate}}}\n"
        . "  - {name: t, protocol: impact, file: $name-t.csv, columns: {speed: {from: v, unit: m/s}, duration: {from: T, unit: s, sigma: 1 %%}}}\n";
    binds("k of $k at most $max", 'k', 'max', sprintf $study, "{max: $max}");
    my ($status, $out) = contactfit('fit', '-q', '-j', 1, '--global', 'crs2', "$dir/one.yaml");
    like($out, qr/^undetermined/, 'a global search says the same');
    my (undef, $fit) = fitted('free', sprintf $study, '{}');
    my ($low, $high) = @{$fit->{parameters}{k}{interval}}{qw(low high)};
    my ($middle, $half) = (($low + $high) / 2, ($high - $low) / 2);
    cmp_ok(abs($k - $middle), '<=', 1.5 * $half, 'without the bound k is found') or diag("$low to $high");
}

# the torque of a joint, whose viscous part may not be what it is
{
    my $table = "w,t\n";
    for my $i (0 .. 15) {
        my $w = 0.05 * 1.3**$i * ($i % 2 ? -1 : 1);
        $table .= "$w," . (($w < 0 ? -1 : 1) * (5 + 20 * abs $w) + 0.1 * normal()) . "\n";
    }
    spew("$dir/joint.csv", $table);
    my $set = "data:\n  - {name: j, protocol: slide_rotary, file: joint.csv, columns: {speed: {from: w, unit: rad/s}, torque: {from: t, unit: N m, sigma: %s}}}\n";
    for my $sigma ('estimate', '0.1 N m') {
        binds("d_2 of 20 at most 3, sigma $sigma", 'd_2', 'max', "law: t-viscous\nfit: {t_c: {}, d_2: {max: 3 N m s/rad}}\n" . sprintf $set, $sigma);
        binds("d_2 of 20 at least 60, sigma $sigma", 'd_2', 'min', "law: t-viscous\nfit: {t_c: {}, d_2: {min: 60 N m s/rad, max: 900 N m s/rad}}\n" . sprintf $set, $sigma);
    }
}

done_testing();
