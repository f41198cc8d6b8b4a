#!/usr/bin/perl
# Synthetic pulses, data/synthetic_force_pulses.csv: a ball on the head of a force sensor at three
# speeds, integrated here by small steps of the classical Runge-Kutta method, apart from the program
# that fits them.
#
#   perl bench/force_pulses.pl > data/synthetic_force_pulses.csv
#   perl bench/force_pulses.pl NAME=VALUE... > other.csv      other truths: see %is

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use RecordNoise;

my %is = (
    mass_kg => 0.1, k => 2e8, lambda => 5e3, n => 1.5, p => 0.5,
    rig_stiffness_N_m => 2e8, rig_mass_kg => 0.02, rig_damping_N_s_m => 200,    # 0: rigid
    bandwidth_Hz => 2e4, order => 2,                                           # 0: at once
    bias_N => 1.5, noise => 0.01, seed => 7, rate_Hz => 4e5, before => 60, after => 120,
    speeds => '0.5,1.5,4', gap_s => 0.5,
);
for (@ARGV) {
    /^(\w+)=(\S+)$/ && exists $is{$1} or die "$_: one of ", join(' ', sort keys %is), "\n";
    $is{$1} = $2;
}
my $soft = $is{rig_stiffness_N_m} > 0;
my $w = 2 * 3.14159265358979324 * $is{bandwidth_Hz};

sub force
{
    my ($z, $rate) = @_;
    return 0 unless $z > 0;
    my $F = $is{k} * $z**$is{n} + $is{lambda} * $z**$is{p} * $rate;
    return $F > 0 ? $F : 0;
}

sub felt
{
    my ($F, @y) = @_;
    return $soft ? $is{rig_stiffness_N_m} * $y[2] + $is{rig_damping_N_s_m} * $y[3] : $F;
}

# Depth, its rate, place and speed of the head, what is shown and its rate.
sub rates
{
    my @y = @_;
    my $F = force($y[0], $y[1]);
    my $felt = felt($F, @y);
    my $head = $soft ? ($F - $felt) / $is{rig_mass_kg} : 0;
    my @lag = !$w ? (0, 0)
        : $is{order} == 1 ? ($w * ($felt - $y[4]), 0)
        :                   ($y[5], $w * ($w * ($felt - $y[4]) - sqrt(2) * $y[5]));
    return ($y[1], -$F / $is{mass_kg} - $head, $y[3], $head, @lag);
}

sub rk4
{
    my ($h, @y) = @_;
    my @a = rates(@y);
    my @b = rates(map { $y[$_] + $h / 2 * $a[$_] } 0 .. $#y);
    my @c = rates(map { $y[$_] + $h / 2 * $b[$_] } 0 .. $#y);
    my @d = rates(map { $y[$_] + $h * $c[$_] } 0 .. $#y);
    return map { $y[$_] + $h / 6 * ($a[$_] + 2 * $b[$_] + 2 * $c[$_] + $d[$_]) } 0 .. $#y;
}

# What is shown at times a step apart, the first one before touch by part of a step.
sub pulse
{
    my ($speed, $late) = @_;
    my $steps = 40;    # between readings
    my $h = 1 / $is{rate_Hz} / $steps;
    my @y = (1e-15, $speed, 0, 0, 0, 0);
    my (@shown, $after);
    @y = rk4($late / $is{rate_Hz}, @y);
    for (my $in = 1; $after++ < $is{after};) {
        my $F = force($y[0], $y[1]);
        push @shown, $w ? $y[4] : felt($F, @y);
        $after = 0 if $F > 0;
        @y = rk4($h, @y) for 1 .. $steps;
    }
    return ((0) x $is{before}, @shown);
}

seed($is{seed});
my $rig = $soft ? "rig_stiffness $is{rig_stiffness_N_m} N/m, rig_mass $is{rig_mass_kg} kg, rig_damping "
    . "$is{rig_damping_N_s_m} N s/m" : 'a rigid rig';
my $sensor = $w ? "bandwidth $is{bandwidth_Hz} Hz of order $is{order}" : 'a sensor that follows at once';
print <<"HEAD";
# synthetic: no measurement, made by bench/force_pulses.pl
# truth: k z^n + lambda z^p zdot, k = $is{k}, lambda = $is{lambda}, n = $is{n}, p = $is{p}; mass $is{mass_kg} kg;
#   $rig; $sensor; the sensor shows $is{bias_N} N too much
# noise: white, sd $is{noise} of the greatest force of each impact
impact,speed_m_s,time_s,force_N,sigma_N
HEAD
my ($number, $time) = (0, 0);
for my $speed (split /,/, $is{speeds}) {
    my @F = pulse($speed, 0.37);
    my $peak = 0;
    $number++;
    for (@F) { $peak = $_ if $_ > $peak }
    for my $i (0 .. $#F) {
        my $sigma = sprintf '%.3g', $is{noise} * $peak;
        printf "%d,%g,%.7f,%.3f,%s\n", $number, $speed, $time + $i / $is{rate_Hz},
            $F[$i] + $is{bias_N} + $sigma * normal(), $sigma;
    }
    $time += $is{gap_s};
}
