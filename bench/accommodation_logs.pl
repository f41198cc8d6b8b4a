#!/usr/bin/perl
# Two synthetic logs of the experiments by which Gonthier 2007, section 5.1.4, identifies contact and
# friction of a robot's payload: pressed on a plate and lifted (normal), pressed and drawn along it
# (tangential). The plate is not where the scenes have it, and not level.
#
#   perl bench/accommodation_logs.pl normal > data/synthetic_accommodation_normal.csv
#   perl bench/accommodation_logs.pl tangential > data/synthetic_accommodation_tangential.csv

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use SceneTrace;

my $which = shift // '';
my %friction = (normal => [], tangential => ['half-sphere-plate_friction_x_N', 'half-sphere-plate_friction_y_N']);
die "usage: accommodation_logs.pl normal|tangential\n" if !$friction{$which};

my @moved = map { ('-p', $_) } 'bodies.plate.plane.height=0.12 mm',
    ($which eq 'tangential' ? 'bodies.plate.attitude.angle=0.25 deg' : ()),
    'contacts.1.friction.mu_s=0.17', 'output.every=20 ms',
    "output.noise.seed=@{[$which eq 'normal' ? 11 : 14]}";
my @column = ('time_s', 'half-sphere_z_m', 'half-sphere-plate_normal_N', @{$friction{$which}});

my $tilt = $which eq 'tangential' ? ' and tilted by 0.25 deg about y' : '';
print <<"HEAD";
# synthetic: no measurement, made by bench/accommodation_logs.pl from
#   scenes/g07_force_accommodation_$which.yaml
# truth: k = 2.5413e8 N/m^1.5, mu_s = 0.17, sigma_0_star = 1e5 N/m, plate at 0.12 mm$tilt,
#   the rest as in the scene
# noise: white, sd 2 um of the height and 1 N of forces
HEAD
print join(',', @column), "\n";
printf join(',', '%.3f', '%.7f', ('%.3f') x (@column - 2)) . "\n", @$_
    for trace_of("g07_force_accommodation_$which.yaml", \@moved, @column);
