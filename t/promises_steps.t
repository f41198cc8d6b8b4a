#!/usr/bin/perl
# What exports promise of e at the user's step, with and without gravity, against the engines: cases by
# a Latin hypercube of a seed, as many as CASES says and by drivers of their own: make check-export.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Hypercube;
use Program;
use Promises;
use Test::More;

plan skip_all => 'make check-export runs the simulators' if !$ENV{CHECK_EXPORT};

my ($seed, $n) = ($ENV{SEED} || 20_261_129, $ENV{CASES} || 100);
note("SEED=$seed CASES=$n");

my @soft = qw(--keep step);

# target, driver, its library, what calls the exported function or a switch of the driver, what e is off
# by where nothing is wrong, and the options of the export. Bullet and PhysX are of single precision,
# whose rounding depends on where in the scene the touch is; the bands allow for the origin.
my @engine = (
    ['mujoco', 'mujoco_impacts', 'mujoco', '', 1e-4, @soft],
    ['ode', 'ode_impacts', 'ode', 'contactfit_surface_1(a, b)', 1e-6, @soft],
    ['bullet', 'bullet_impacts', 'bullet', 'contactfit_bodies_1(a, b)', 1e-4, @soft],
    ['bullet', 'bullet_impacts', 'bullet', 'contactfit_bodies_1(a, b)', 1e-4, @soft, '--engine-settings'],
    ['physx', 'physx_impacts', 'physx-js-webidl', undef, 1e-4, @soft],
    ['physx', 'physx_impacts', 'physx-js-webidl', undef, 1e-4, @soft, '--engine-settings'],
    ['ode-bounce', 'ode_impacts', 'ode', 'contactfit_surface_1(a, b)', 1e-4],
    ['dart', 'dart_impacts', 'dart', 'contactfit_bodies_1(*a, *b)', 1e-4]);

sub is_there
{
    my ($package, $how) = @_;
    return !system("node -e 'require.resolve(\"$package\")' 2>/dev/null") if !defined $how;
    return -e '/usr/include/mujoco/mujoco.h' if $package eq 'mujoco';
    return !system("pkg-config --exists $package 2>/dev/null");
}

my @cases = cases_of($seed, $n);
for (@engine) {
    my ($target, $driver, $package, $how, $within, @options) = @$_;
    next if !is_asked($target);
    my $set = grep { /settings/ } @options;
    my $title = $target . ($set ? ', settings' : '');
  SKIP: {
        skip "$title: $package is not installed", 2 if !is_there($package, $how);
        my ($rows, $refused) = ask_cases($target, \@cases, @options);
        my @rows = @$rows;
        write_headers($how, @rows) if $how;
        # the include leaves the model its integrator: of these e is the same
        for my $switch ($package eq 'mujoco' ? map { "-DINTEGRATOR='\"$_\"'" } qw(Euler implicit) : $set ? '-DSETTINGS' : '') {
            build($driver, $package, "-DPATIENCE=100000 $switch") if defined $how;
            my @seen = split /\n/, seen_by(defined $how ? "'$scratch/$driver'" : "node '$srcdir/t/drivers/$driver.mjs'", @rows);
            is(scalar(@seen), scalar(@rows), "$title: e of every impact");
            my $outside = grep { !check_case($title, $rows[$_], $within, split ' ', $seen[$_] // 'stays') } 0 .. $#rows;
            is($outside, 0, "$title: no e outside of what is promised");
        }
        cmp_ok(tell($title, @$refused), '<=', 2, "$title: the band is at most twice as wide as what is seen, in the median");
    }
}

done_testing();
