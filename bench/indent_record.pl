#!/usr/bin/perl
# A synthetic indentation of a gel by a sphere at three rates, loading and unloading, with white
# noise: data/indentation_synthetic_gel.csv. Written from the formulas in its head, and not by
# contactfit: perl bench/indent_record.pl > data/indentation_synthetic_gel.csv

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use RecordNoise;

my ($k, $lambda, $drag, $noise_N) = (600, 30, 0.02, 2e-5);
my ($least_m, $most_m, $rows) = (0, 600e-6, 40);    # of the drive, and rows of each branch
my %contact_m = (10 => 152.3e-6, 100 => 148.9e-6, 1000 => 155.1e-6);
my %bias_N = (10 => [0.11e-3, 0.14e-3], 100 => [0.05e-3, -0.02e-3], 1000 => [-0.08e-3, -0.19e-3]);
my ($slope_load, $slope_unload) = (0.05, -0.03);    # N/m

seed(20261123);

# k z^1.5 + lambda z^0.5 zdot in contact, never pulling, and the drag of the bath
sub force
{
    my ($z, $w) = @_;
    my $pressed = $z > 0 ? $k * $z * sqrt($z) + $lambda * sqrt($z) * $w : 0;
    return ($pressed > 0 ? $pressed : 0) + $drag * $w;
}

print <<"HEAD";
# synthetic: no measurement, made by bench/indent_record.pl
# force = bias + slope (z - contact) + k (z - contact)^1.5 + lambda (z - contact)^0.5 rate + drag rate,
#   the part in contact never below 0; white noise, sd 0.02 mN
# k = 600 N/m^1.5, lambda = 30 N s/m^1.5, drag = 0.02 N s/m
# contact at 152.3, 148.9, 155.1 um (10, 100, 1000 um/s)
# bias of loading 0.11, 0.05, -0.08 mN, of unloading 0.14, -0.02, -0.19 mN
#   (what a fit of a bias for each branch sees is these with the drag: bias + drag rate)
# slope 0.05 mN/mm in loading, -0.03 mN/mm in unloading
speed_um_s,time_s,depth_um,force_mN
HEAD

for my $speed (sort { $a <=> $b } keys %contact_m) {
    my $time = 0;
    for my $i (0 .. 2 * $rows - 1) {
        my $back = $i >= $rows;
        my $share = ($back ? 2 * $rows - 1 - $i : $i) / ($rows - 1);
        my $z = $least_m + ($most_m - $least_m) * $share - $contact_m{$speed};
        my $w = ($back ? -1 : 1) * $speed * 1e-6;
        my $F = $bias_N{$speed}[$back] + ($back ? $slope_unload : $slope_load) * $z + force($z, $w)
            + $noise_N * normal();
        printf "%d,%.5f,%.3f,%.5f\n", $speed, $time, 1e6 * ($z + $contact_m{$speed}), 1e3 * $F;
        $time += ($most_m - $least_m) / ($rows - 1) / ($speed * 1e-6);
    }
}
