#!/usr/bin/perl
# What exports promise of e at a step, against engines that are built with: ODE, by its spring, by its
# bounce and as Gazebo classic joins two bodies, DART, also as the new Gazebo sets it, and Simbody. 24
# impacts at 500, 30 and 5 steps of a contact and eight places of the touch, by drivers of their own:
# make check-export.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Promises;
use Test::More;

plan skip_all => 'make check-export runs the simulators' if !$ENV{CHECK_EXPORT};

# target, law, driver and its library, what calls the exported function, or a switch of the driver;
# what e is off by where nothing is wrong, and other impacts and steps, that nothing was chosen by.
# ODE's bounce gives way by 1e-6 of the mass, and DART's by 1e-5. Simbody controls its error by the
# unit of speeds, 1 m/s: at 1 mm/s its tightest accuracy is 2e-4 of e.
# In place of a ball a box of its mass lands flat on four points, which share the spring; not of less
# than 2 mm, of which Bullet's floats make more than of a ball.
my @boxes = (impacts => [grep { !$_->{R2} && $_->{R1} > 1e-3 } @impact], steps => [100, 12], places => 5,
             options => sub { qw(--points 4) });
my @more = (impacts => \@others, steps => [150, 12]);
my @engine = (
    ['bullet', 'linear', 'bullet_impacts', 'bullet', 'contactfit_bodies_1(a, b)', 1e-5, @more],
    ['urdf', 'linear', 'bullet_impacts', 'bullet', '-DURDF', 1e-5, @more],
    ['ode', 'linear', 'ode_impacts', 'ode', 'contactfit_surface_1(a, b)', 1e-7],
    ['ode-bounce', 'linear', 'ode_impacts', 'ode', 'contactfit_surface_1(a, b)', 2.1e-6, @more],
    ['gazebo', 'linear', 'ode_impacts', 'ode', '-DSDF', 1e-7],
    ['dart', 'linear', 'dart_impacts', 'dart', 'contactfit_bodies_1(*a, *b)', 2.1e-5, @more],
    ['gz', 'linear', 'dart_impacts', 'dart', '-DSDF', 2.1e-5, @more],
    ['simbody', 'hunt-crossley', 'simbody_impacts', 'simbody', 'contactfit_material_1()', 2e-4],
    ['simbody-csv', 'hunt-crossley', 'simbody_impacts', 'simbody', '-DTABLE', 2e-4]);

sub run_engine
{
    my ($title, $switch, $target, $law, $driver, $package, $how, $within, @which) = @_;
    my @rows = ask_all($target, $law, @which);
    my $called = $how !~ /^-/;
    write_headers($how, @rows) if $called;
    build($driver, $package, ($called ? '' : $how) . " $switch");
    check_promises("$target$title", seen_by("'$scratch/$driver'", @rows), $within, @rows);
    return;
}

for (@engine) {
    my ($target, $law, $driver, $package, $how, $within, @which) = @$_;
    my @ask = ($target, $law, $driver, $package, $how, $within);
    my $patience = $package eq 'dart' ? '-DPATIENCE=3000' : '';
    next if !is_asked($target);
  SKIP: {
        skip "$target: $package is not installed", 1 if system("pkg-config --exists $package 2>/dev/null");
        run_engine('', $patience, @ask);
        run_engine(', others', $patience, @ask, @which) if @which;
        run_engine(', boxes', '-DBOX=1', @ask, @boxes) if $target =~ /^(?:ode|gazebo|bullet|urdf)$/;
    }
}

done_testing();
