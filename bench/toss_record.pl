#!/usr/bin/perl
# Synthetic tosses of a cube: what a motion capture shows of scenes that `contactfit simulate` runs,
# one for each toss, with noise of places and of quaternions.
#
#   perl bench/toss_record.pl > tosses.csv
#   perl bench/toss_record.pl NAME=VALUE... > other.csv      other truths: see %is
#
# Contact is at the corners, or where kv is above 0 over the volume of the cube that is below the floor.

use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use lib $FindBin::Bin;
use RecordNoise;
use SceneTrace;

my %is = (
    k => 1e6, kv => 0, e => 0.35, mu => 0.2, v_small => 0.1, v_e => 1e-3,
    half_width_mm => 50, mass_kg => 0.4, inertia => 7e-4, floor_mm => 0, corner_mm => 0,
    tosses => 8, rate_Hz => 150, duration_s => 0.5, noise_um => 10, turn_noise => 1e-4, seed => 5,
);
for (@ARGV) {
    my ($name, $value) = /^(\w+)=(\S+)$/ or die "usage: toss_record.pl NAME=VALUE...\n";
    die "unknown $name: " . join(', ', sort keys %is) . "\n" if !exists $is{$name};
    $is{$name} = $value;
}
my $dir = tempdir(CLEANUP => 1);
my ($half, $reach) = ($is{half_width_mm}, $is{half_width_mm} - $is{corner_mm});

sub shape
{
    my @corner;
    return "cells: [{box: {size: [" . join(', ', map { 2 * $half . ' mm' } 0 .. 2) . "]}}]" if $is{kv} > 0;
    for my $i (0 .. 7) {
        push @corner, '[' . join(', ', map { ($i >> $_ & 1 ? '' : '-') . "$reach mm" } 0 .. 2) . ']';
    }
    return $is{corner_mm} > 0
        ? "spheres: [" . join(', ', map { "{centre: $_, radius: $is{corner_mm} mm}" } @corner) . ']'
        : 'points: [' . join(', ', @corner) . ']';
}

# uniform, of a toss: the noise's own generator, so that seeds make other tosses
sub between { return $_[0] + ($_[1] - $_[0]) * (0.5 + atan2(normal(), 1) / 3.14159265) }

my ($law, $made_of) = $is{kv} > 0 ? ('gonthier-volumetric', "kv = $is{kv} N/m^3") : ('gonthier', "k = $is{k} N/m^1.5");
my $coefficients = $made_of =~ s/ = /: /r . ", e: $is{e}, v_small: $is{v_small} m/s";
my $force = ($is{kv} > 0 ? 'foundation' : 'normal') . ": {law: $law, $coefficients}";

sub scene
{
    my @axis = map { normal() } 0 .. 2;
    my @spin = map { sprintf '%.5f rad/s', 4 * normal() } 0 .. 2;
    my @speed = map { sprintf '%.5f m/s', $_ } between(-1.2, 1.2), between(-1.2, 1.2), between(-0.5, 0.2);
    return <<"END";
contactfit: scene/1
title: a toss
gravity: 9.81 m/s^2
duration: $is{duration_s} s
output: {every: @{[1 / $is{rate_Hz}]} s}
bodies:
  cube:
    @{[shape()]}
    mass: $is{mass_kg} kg
    inertia: [$is{inertia} kg m^2, $is{inertia} kg m^2, $is{inertia} kg m^2]
    position: [0 m, 0 m, @{[sprintf '%.5f', between(0.13, 0.2)]} m]
    velocity: [@{[join ', ', @speed]}]
    spin: [@{[join ', ', @spin]}]
    attitude: {axis: [@{[join ', ', map { sprintf '%.6f', $_ } @axis]}], angle: @{[sprintf '%.6f', between(0, 3)]} rad}
  floor: {plane: {normal: [0, 0, 1], height: $is{floor_mm} mm}, fixed: true}
contacts:
  - between: [cube, floor]
    $force
    friction: {law: coulomb, mu: $is{mu}, v_e: $is{v_e} m/s}
END
}

seed($is{seed});
print <<"HEAD";
# synthetic: no measurement, made by bench/toss_record.pl from scenes that contactfit simulates
# truth: $law $made_of, e = $is{e}, v_small = $is{v_small} m/s; coulomb mu = $is{mu}, v_e = $is{v_e} m/s
# specimen: cube, half width $is{half_width_mm} mm, $is{mass_kg} kg, $is{inertia} kg m^2, corners rounded by $is{corner_mm} mm; floor at $is{floor_mm} mm
# noise: white, sd $is{noise_um} um of places and $is{turn_noise} of quaternions; $is{rate_Hz} Hz
HEAD
print "toss,time_s,x_m,y_m,z_m,qw,qx,qy,qz\n";
my @column = map { "cube_$_" } qw(x_m y_m z_m qw qx qy qz);
for my $toss (1 .. $is{tosses}) {
    open my $out, '>', "$dir/scene.yaml" or die "scene: $!";
    print {$out} scene();
    close $out or die "scene: $!";
    my $row = 0;
    for my $cells (trace_of("$dir/scene.yaml", [], @column)) {
        my @pose = @$cells;
        $_ += 1e-6 * $is{noise_um} * normal() for @pose[0 .. 2];
        $_ += $is{turn_noise} * normal() for @pose[3 .. 6];
        my $size = sqrt($pose[3]**2 + $pose[4]**2 + $pose[5]**2 + $pose[6]**2);
        $_ /= $size for @pose[3 .. 6];
        printf "%d,%.6f,%s\n", $toss, $row++ / $is{rate_Hz}, join ',', map { sprintf '%.7f', $_ } @pose;
    }
}
