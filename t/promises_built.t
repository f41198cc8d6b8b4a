#!/usr/bin/perl
# What exports promise of e at a step, against engines that are built with: ODE, by its spring and as
# Gazebo classic joins two bodies, and Simbody. 24 impacts at 500, 30 and 5 steps of a contact and
# eight places of the touch, by drivers of their own: make check-export.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Promises;
use Test::More;

plan skip_all => 'make check-export runs the simulators' if !$ENV{CHECK_EXPORT};

# target, law, driver and its library, what calls the exported function, or a switch of the driver;
# what e is off by where nothing is wrong. Simbody controls its error by the unit of speeds, 1 m/s:
# at 1 mm/s its tightest accuracy is 2e-4 of e.
my @engine = (
    ['ode', 'linear', 'ode_impacts', 'ode', 'contactfit_surface_1(a, b)', 1e-7],
    ['gazebo', 'linear', 'ode_impacts', 'ode', '-DSDF', 1e-7],
    ['simbody', 'hunt-crossley', 'simbody_impacts', 'simbody', 'contactfit_material_1()', 2e-4],
    ['simbody-csv', 'hunt-crossley', 'simbody_impacts', 'simbody', '-DTABLE', 2e-4]);

for (@engine) {
    my ($target, $law, $driver, $package, $how, $within) = @$_;
    next if !is_asked($target);
  SKIP: {
        skip "$target: $package is not installed", 1 if system("pkg-config --exists $package 2>/dev/null");
        my @rows = ask_all($target, $law);
        my $called = $how !~ /^-/;
        write_headers($how, @rows) if $called;
        build($driver, $package, $called ? '' : $how);
        check_promises($target, seen_by("'$scratch/$driver'", @rows), $within, @rows);
    }
}

done_testing();
