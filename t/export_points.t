#!/usr/bin/perl
# Springs per contact point: exports say it, and a box of the fitted mass that lands flat on four
# points in ODE shows the e of the fit where each has a quarter of the spring, and not otherwise.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Program;
use Synthetic;
use Test::More;

my $scratch = tempdir(CLEANUP => 1);
my ($mass, $v, $h) = (0.25, 0.6, 2e-6);
my $fit = synthetic($scratch, 'kk', 'azad-featherstone', mass => $mass, bodies =>
    "  block: {sphere: {radius: 20 mm}, mass: 250 g}\n  floor: {plane: {}, fixed: true}\n");
my $words = qr/of one contact point, as a sphere has: where N touch at once/;

my %text = map { $_ => (contactfit(qw(export -q --speed), $v, '--to', $_, $fit))[1] }
    qw(ode bullet urdf gazebo ode-bounce mujoco lammps liggghts dart);
like($text{$_}, $words, "$_: says it") for qw(ode bullet urdf gazebo);
unlike($text{$_}, $words, "$_: has no such springs") for qw(ode-bounce mujoco lammps dart);

SKIP: {
    skip 'ODE is not installed: apt-get install libode-dev pkgconf g++', 3
        if system('pkg-config --exists ode 2>/dev/null') || !grep { -x "$_/g++" } split /:/, $ENV{PATH};
    my (undef, $text) = contactfit(qw(export -q --to ode --speed), $v, '--dt', $h, $fit);
    spew("$scratch/export.h", $text);
    spew("$scratch/box.cpp", <<'CPP');
#include "export.h"
#include <stdio.h>
#include <stdlib.h>
static dWorldID world; static dJointGroupID group; static double h, share; static int most;
static void near_pair(void *, dGeomID a, dGeomID b)
{
    dContact c[8];
    int n = dCollide(a, b, 8, &c[0].geom, sizeof(dContact));
    most = n > most ? n : most;
    for (int i = 0; i < n; i++) {
        c[i].surface = dSurfaceParameters();
        contactfit_surface_1(&c[i].surface, h);
        c[i].surface.soft_cfm /= share; /* erp is a ratio of both: 1/N of both is N times the cfm */
        dJointAttach(dJointCreateContact(world, group, &c[i]), dGeomGetBody(c[i].geom.g1),
                     dGeomGetBody(c[i].geom.g2));
    }
}
int main(int, char **arg)
{
    double m = atof(arg[1]), v = atof(arg[2]), side = 0.04;
    h = atof(arg[3]), share = atof(arg[4]);
    dInitODE2(0);
    world = dWorldCreate(); group = dJointGroupCreate(0);
    dSpaceID space = dSimpleSpaceCreate(0);
    dCreatePlane(space, 0, 0, 1, 0);
    dGeomID box = dCreateBox(space, side, side, side);
    dBodyID body = dBodyCreate(world);
    dMass mass;
    dMassSetBoxTotal(&mass, m, side, side, side);
    dBodySetMass(body, &mass);
    dGeomSetBody(box, body);
    dBodySetPosition(body, 0, 0, side / 2 + v * h / 2);
    dBodySetLinearVel(body, 0, 0, -v);
    for (long i = 0; i < 1000000; i++) {
        dSpaceCollide(space, 0, near_pair);
        dWorldStep(world, h);
        dJointGroupEmpty(group);
        if (dBodyGetLinearVel(body)[2] > 0 && dBodyGetPosition(body)[2] > side / 2)
            break;
    }
    printf("%d %.9f\n", most, dBodyGetLinearVel(body)[2] / v);
    return 0;
}
CPP
    system("g++ -o '$scratch/box' '$scratch/box.cpp' \$(pkg-config --cflags --libs ode)") == 0 or die "g++: $?\n";
    my ($e) = $text =~ /at $v m\/s: e = (\S+)/;
    my ($n, $quarter) = split ' ', `'$scratch/box' $mass $v $h 0.25`;
    my (undef, $whole) = split ' ', `'$scratch/box' $mass $v $h 1`;
    is($n, 4, 'a box lands on four points');
    cmp_ok(abs($quarter - $e), '<=', 2e-3, "a quarter at each: e = $quarter for $e");
    cmp_ok($e - $whole, '>', 0.03, "all of it at each: e = $whole");
}

done_testing();
