#!/usr/bin/perl
# Bodies that just touch: stacks, rows, a triangle of balls, a ball at a wall, blocks, drawn by a
# seed. No formula of theirs is known here. Asked is that a gap of 0 is as one of rounding and as
# one of a tenth of a picometre, that the order of bodies and contacts means nothing, that nothing
# falls through anything, that momentum is kept and what is damped comes to rest. Rows that are hit
# are followed by an integration of their own.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use List::Util qw(max sum0);
use Program;
use Test::More;

my $dir = tempdir(CLEANUP => !$ENV{KEEP});
my $scenes = $ENV{CHECK_FULL} ? 1000 : 100;
my $seed = $ENV{TOUCHING_SEED} // 20;
srand $seed;

sub draw { return $_[int rand @_] }
sub millimetres { return sprintf('%.17g', $_[0]) . ' mm' }

# A scene is its duration, gravity, bodies [name, text] and contacts [a, b, text].
sub text_of
{
    my ($scene) = @_;
    return "contactfit: scene/1\ngravity: $scene->{gravity} m/s^2\nduration: $scene->{duration}\nbodies:\n"
        . join('', map { "  $_->[0]: $_->[1]\n" } @{$scene->{bodies}})
        . "contacts:\n" . join('', map { "  - {between: [$_->[0], $_->[1]], $_->[2]}\n" } @{$scene->{contacts}})
        . ($scene->{more} // '');
}

sub simulate
{
    my ($scene, @options) = @_;
    spew("$dir/scene.yaml", text_of($scene));
    my ($status, $out, $err) = contactfit('simulate', "$dir/scene.yaml", '--json', @options);
    my $run = eval { decode_json($out) } or diag($err);
    return ($run, $status, $err);
}

sub damped { return draw('{law: azad-featherstone, k: 1e8, lambda: 2e4}', '{law: linear, k: 1e5, lambda: 4}') }
sub any_law { return draw(damped(), '{law: hunt-crossley, k: 1e8, a: 0}', '{law: hunt-crossley, k: 1e8, a: 0.3}') }
my @radius = (3, 5, 7.5, 8, 10, 12, 15, 20, 25, 40);
my $ground = ['ground', '{plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}'];

sub ball
{
    my ($name, $radius, $mass_g, $place, $speed) = @_;
    return [$name, '{sphere: {radius: ' . millimetres($radius) . "}, mass: $mass_g g, position: ["
        . join(', ', map { millimetres($_) } @$place) . ']' . ($speed ? ", velocity: [$speed m/s, 0 m/s, 0 m/s]" : '') . '}'];
}

my %kind = (
    stack => sub {
        my @r = map { draw(@radius) } 1 .. 2 + int rand 4;
        my $law = damped();
        return sub {
            my ($gap, $z, @bodies, @contacts) = ($_[0], 0);
            for my $i (0 .. $#r) {
                $z += $r[$i] + $gap;
                push @bodies, ball("b$i", $r[$i], 10, [0, 0, $z]);
                $z += $r[$i];
                push @contacts, ["b$i", $i ? 'b' . ($i - 1) : 'ground', "normal: $law"];
            }
            return {gravity => 9.81, duration => '0.4 s', bodies => [@bodies, $ground], contacts => \@contacts, rests => 1};
        };
    },
    row => sub {
        my ($n, $r, $law) = (3 + int rand 4, draw(@radius), any_law());
        return sub {
            my ($gap) = @_;
            my @bodies = (ball('b0', $r, 50, [-1, 0, 0], 1), map { ball("b$_", $r, 50, [2 * $r * $_ + $gap * ($_ - 1), 0, 0]) } 1 .. $n - 1);
            return {gravity => 0, duration => '6 ms', bodies => \@bodies, contacts => [map { ["b$_", 'b' . ($_ - 1), "normal: $law"] } 1 .. $n - 1], momentum => 1};
        };
    },
    triangle => sub {
        my ($rows, $r, $law, $aside) = (2 + int rand 3, draw(@radius), any_law(), rand 1);
        return sub {
            my $apart = 2 * $r + $_[0];
            my @place = ([-2 * $r - 1, $aside, 0]);
            for my $i (0 .. $rows - 1) {
                push @place, map { [$i * $apart * sqrt(3) / 2, ($_ - $i / 2) * $apart, 0] } 0 .. $i;
            }
            my (@bodies, @contacts);
            for my $i (0 .. $#place) {
                push @bodies, ball("b$i", $r, 50, $place[$i], $i ? 0 : 2);
                push @contacts, map { ["b$i", "b$_", "normal: $law"] } 0 .. $i - 1;
            }
            return {gravity => 0, duration => '4 ms', bodies => \@bodies, contacts => \@contacts, momentum => 1};
        };
    },
    pair => sub {
        my ($low, $top, $law) = (draw(20, 25, 40), draw(8, 10, 12), any_law());
        return sub {
            my ($gap) = @_;
            return {gravity => 9.81, duration => '0.4 s',
                bodies => [ball('low', $low, 600, [0, 0, $low + 300]), ball('top', $top, 60, [0, 0, 2 * $low + $top + 300 + $gap]), $ground],
                contacts => [['low', 'ground', "normal: $law"], ['top', 'low', "normal: $law"]]};
        };
    },
    wall => sub {
        my ($r, $law) = (draw(@radius), any_law());
        my $force = draw('[0 s], values: [5 N]', '[0 s, 10 ms, 20 ms], values: [0 N, 0 N, 5 N]', '[0 s, 1 ms, 2 ms, 3 ms], values: [-1 N, -1 N, 0 N, 5 N]');
        return sub {
            return {gravity => 0, duration => '50 ms', bodies => [ball('b', $r, 50, [$r + $_[0], 0, 0]), ['wall', '{plane: {normal: [1, 0, 0], height: 0 m}, fixed: true}']],
                contacts => [['b', 'wall', "normal: $law"]], more => "forces:\n  - {body: b, direction: [-1, 0, 0], times: $force}\n"};
        };
    },
    blocks => sub {
        my @height = map { draw(8, 10, 20, 25, 30, 50) } 1 .. 2 + int rand 2;
        my @width = sort { $b <=> $a } map { draw(50, 60, 80, 90, 100) } @height;
        return sub {
            my ($gap, $z, @bodies, @contacts) = ($_[0], 0);
            for my $i (0 .. $#height) {
                $z += $height[$i] / 2 + $gap;
                push @bodies, ["b$i", "{cells: [{box: {size: [$width[$i] mm, $width[$i] mm, $height[$i] mm]}}], mass: 1 kg, position: [0 m, 0 m, " . millimetres($z) . ']}'];
                $z += $height[$i] / 2;
                push @contacts, ["b$i", $i ? 'b' . ($i - 1) : 'ground', 'foundation: {law: winkler, kv: 1e9 N/m^3, a: 2}'];
            }
            return {gravity => 9.81, duration => '0.2 s', bodies => [@bodies, $ground], contacts => \@contacts};
        };
    },
);

# The largest difference of places [m] and speeds [m/s].
sub distance
{
    my ($a, $b) = @_;
    my %most = (position_m => 0, velocity_m_s => 0);
    for my $name (keys %{$a->{bodies}}) {
        for my $of (keys %most) {
            $most{$of} = max($most{$of}, map { abs($a->{bodies}{$name}{$of}[$_] - $b->{bodies}{$name}{$of}[$_]) } 0 .. 2);
        }
    }
    return @most{qw(position_m velocity_m_s)};
}

my %bad;
for my $number (1 .. $scenes) {
    my $name = (sort keys %kind)[rand keys %kind];
    my $made = $kind{$name}->();
    my ($apart) = simulate($made->(1e-10));
    for my $gap (0, 1e-14, -1e-14) {
        my $scene = $made->($gap);
        my ($run, $status, $err) = simulate($scene);
        my $what = "scene $number of seed $seed, a $name with a gap of $gap mm";
        if (!$run || !$apart) {
            push @{$bad{runs}}, "$what: $err";
            next;
        }
        my ($place, $speed) = distance($run, $apart);
        push @{$bad{gap}}, sprintf '%s: %.1e m, %.1e m/s', $what, $place, $speed if $place > 2e-9 || $speed > 1e-6;
        push @{$bad{steps}}, "$what: $run->{steps} for $apart->{steps}" if $run->{steps} > 2 * $apart->{steps} + 20;
        next if $gap;
        my %b = %{$run->{bodies}};
        my @z = map { $b{$_}{position_m}[2] } sort grep { /^b\d/ } keys %b;
        push @{$bad{through}}, $what if $name =~ /stack|blocks/ && grep { $z[$_] >= $z[$_ + 1] } 0 .. $#z - 1;
        push @{$bad{rest}}, $what if $scene->{rests} && grep { abs $_->{velocity_m_s}[2] > 1e-4 } values %b;
        my $all = 50e-3 * sum0(map { $_->{velocity_m_s}[0] } values %b);
        push @{$bad{momentum}}, "$what: $all" if $scene->{momentum} && abs($all - 50e-3 * ($name eq 'row' ? 1 : 2)) > 1e-12;
        my $turned = {%$scene, bodies => [reverse @{$scene->{bodies}}], contacts => [reverse @{$scene->{contacts}}]};
        my ($other) = simulate($turned);
        ($place, $speed) = distance($run, $other);
        push @{$bad{order}}, sprintf '%s: %.1e m, %.1e m/s', $what, $place, $speed if $place > 2e-9 || $speed > 1e-6;
    }
}
is_deeply($bad{$_->[0]} // [], [], "$scenes scenes: $_->[1]")
    for ['runs', 'all run to their end'], ['gap', 'a gap of 0 is as any that is as small'], ['steps', 'in at most twice the steps'],
        ['through', 'nothing is below what it stands on'], ['rest', 'what is damped comes to rest'],
        ['momentum', 'momentum is kept'], ['order', 'the order of bodies and contacts means nothing'];

# ---- a body at rest beside a wall: nothing limits its steps

for my $gap_um (1, 0.01) {
    my ($run) = simulate({gravity => 0, duration => '20 ms', bodies => [ball('b', 10, 50, [10 + 1e-3 * $gap_um, 0, 0]), ['wall', '{plane: {normal: [1, 0, 0], height: 0 m}, fixed: true}']],
        contacts => [['b', 'wall', 'normal: {law: azad-featherstone, k: 1e8, lambda: 1e3}']],
        more => "forces:\n  - {body: b, direction: [0, 0, 1], times: [0 s], values: [0 N]}\n"});
    cmp_ok($run->{steps}, '<', 100, "a body at rest $gap_um um from a wall takes few steps");
}

# ---- a ball that bounces on a peg as small, while another rests: steps are long, and none passes it

for my $fall_mm (50, 5) {
    my ($run) = simulate({gravity => 9.81, duration => '1 s', contacts => [['ball', 'peg', 'normal: {law: hunt-crossley, k: 1e8, a: 0}'], ['still', 'ground', 'normal: {law: azad-featherstone, k: 1e8, lambda: 1e5}']],
        bodies => [['peg', '{sphere: {radius: 1 mm}, position: [0 m, 0 m, 0.5 m], fixed: true}'], ball('ball', 1, 1, [0, 0, 502 + $fall_mm]), ball('still', 10, 50, [500, 0, 10]), $ground]});
    my $fall = sqrt(2e-3 * $fall_mm / 9.81);    # contacts take a thousandth of it
    is($run->{events}{make}, int((1 / $fall - 1) / 2) + 1, "a ball that falls by $fall_mm mm bounces on a peg as often as it should");
}

# ---- rows that are hit: hunt-crossley by the classical rule of fourth order

sub follow_row
{
    my ($n, $r, $m, $k, $a, $end) = @_;
    my $h = 2e-7;
    my @state = (-1e-3, (map { 2 * $r * $_ } 1 .. $n - 1), 1, (0) x ($n - 1));
    my $rate = sub {
        my (@s) = @_;
        my @force = (0) x $n;
        for my $i (0 .. $n - 2) {
            my $depth = 2 * $r - ($s[$i + 1] - $s[$i]);
            next if $depth <= 0;
            my $f = $k * $depth * sqrt($depth) * (1 + $a * ($s[$n + $i] - $s[$n + $i + 1]));
            $f = 0 if $f < 0;
            $force[$i] -= $f;
            $force[$i + 1] += $f;
        }
        return (@s[$n .. 2 * $n - 1], map { $_ / $m } @force);
    };
    for (1 .. int($end / $h + 0.5)) {
        my @k1 = $rate->(@state);
        my @k2 = $rate->(map { $state[$_] + $h / 2 * $k1[$_] } 0 .. $#state);
        my @k3 = $rate->(map { $state[$_] + $h / 2 * $k2[$_] } 0 .. $#state);
        my @k4 = $rate->(map { $state[$_] + $h * $k3[$_] } 0 .. $#state);
        $state[$_] += $h / 6 * ($k1[$_] + 2 * $k2[$_] + 2 * $k3[$_] + $k4[$_]) for 0 .. $#state;
    }
    return @state[$n .. 2 * $n - 1];
}

for my $case ([3, 20e-3, 0], [4, 12e-3, 0.3], [5, 7.5e-3, 0.1]) {
    my ($n, $r, $a) = @$case;
    my $mm = 1e3 * $r;
    my @bodies = (ball('b0', $mm, 50, [-1, 0, 0], 1), map { ball("b$_", $mm, 50, [2 * $mm * $_, 0, 0]) } 1 .. $n - 1);
    my ($run) = simulate({gravity => 0, duration => '3 ms', bodies => \@bodies,
        contacts => [map { ["b$_", 'b' . ($_ - 1), "normal: {law: hunt-crossley, k: 1e8, a: $a}"] } 1 .. $n - 1]});
    my @want = follow_row($n, $r, 0.05, 1e8, $a, 3e-3);
    is_within($run->{bodies}{"b$_"}{velocity_m_s}[0], $want[$_], 1e-8, "ball $_ of a row of $n") for 0 .. $n - 1;
}

done_testing();
