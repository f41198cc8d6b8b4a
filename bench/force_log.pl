#!/usr/bin/perl
# A synthetic log of a robot under force accommodation: data/synthetic_force_accommodation.csv, what
# a trace of scenes/g07_force_accommodation_tangential.yaml shows of the half-sphere's height and of
# its forces, with the noise that the scene states and the plate where no scene has it.
#
#   perl bench/force_log.pl > data/synthetic_force_accommodation.csv

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use SceneTrace;

my @moved = ('-p', 'bodies.plate.plane.height=0.12 mm', '-p', 'duration=9 s', '-p',
             'output.every=4 ms', '-p', 'contacts.1.friction.mu_s=0.17');
my @column = qw(time_s half-sphere_z_m half-sphere-plate_normal_N half-sphere-plate_friction_x_N
                half-sphere-plate_friction_y_N);
my $bias_N = 0.4;    # of the sensor along the normal

my @row = trace_of('g07_force_accommodation_tangential.yaml', \@moved, @column);
print <<'HEAD';
# synthetic: no measurement, made by bench/force_log.pl from scenes/g07_force_accommodation_tangential.yaml
# truth: k = 2.5413e8 N/m^1.5, mu_s = 0.17, plate at 0.12 mm, the normal sensor shows 0.4 N too much,
#   the rest as in the scene (gonthier e 0.85; bristle-fixed mu_c 0.1, v_s 0.1 m/s)
# noise: white, sd 2 um of the height and 1 N of forces
HEAD
print join(',', @column), "\n";
for my $row (@row) {
    $row->[2] += $bias_N;
    printf "%.3f,%.7f,%.3f,%.3f,%.3f\n", @$row;
}
