#!/usr/bin/perl
# A synthetic tap: data/synthetic_tap.csv, what a trace of scenes/block_tapped.yaml shows of the
# block's speed, with the noise of a vibrometer and the quiet before the knock.
#
#   perl bench/tap_record.pl > data/synthetic_tap.csv
#   perl bench/tap_record.pl 20 21 > data/synthetic_tap_held_out.csv      another load [N], and seed

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use RecordNoise;
use SceneTrace;

my ($load_N, $seed) = @ARGV ? @ARGV : (10, 20);
my ($every_s, $knock_s, $noise_m_s, $fine_s) = (0.5e-3, 0.0203, 1e-5, 0.1e-3);

# rows of the record fall between those of the scene: its clock begins before the knock
my @speed = map { $_->[0] } trace_of('block_tapped.yaml', ['-p', 'output.every=0.1 ms', '-p', "contacts.1.normal.load=$load_N N"], 'block_vx_m_s');

seed($seed);
print <<"HEAD";
# synthetic: no measurement, made by bench/tap_record.pl from scenes/block_tapped.yaml
# truth: sigma_0 = 1e4 1/m, sigma_1 = 5 s/m, knocked at 20.3 ms to 1 mm/s; block 1 kg, load $load_N N,
#   the rest as in the scene (bristle mu_s 0.15, mu_c 0.1, sigma_2 0, v_s 50 mm/s, tau_dw 2 s)
# noise: white, sd 10 um/s of the speed
HEAD
print "time_s,speed_m_s\n";
for my $row (0 .. 900) {
    my $t = $row * $every_s;
    my $since = int(($t - $knock_s) / $fine_s + 0.5);
    my $v = $t < $knock_s ? 0 : $speed[$since];
    printf "%.4f,%.7f\n", $t, $v + $noise_m_s * normal();
}
