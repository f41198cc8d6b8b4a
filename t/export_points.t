#!/usr/bin/perl
# Springs per contact point: exports say it, --points shares them out, and a box of the fitted mass that
# lands flat on four points in ODE shows the e of the fit with --points 4, and not without.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Synthetic;
use Test::More;

draw_no_figures();

my $scratch = tempdir(CLEANUP => 1);
my ($mass, $v, $h) = (0.25, 0.6, 2e-6);
my $fit = synthetic($scratch, 'kk', 'azad-featherstone', mass => $mass, bodies =>
    "  block: {sphere: {radius: 20 mm}, mass: 250 g}\n  floor: {plane: {}, fixed: true}\n");
my $words = qr/of one contact point, as a sphere has: where N touch at once/;

my %text = map { $_ => (contactfit(qw(export -q --speed), $v, '--to', $_, $fit))[1] }
    qw(ode bullet urdf gazebo physx ode-bounce mujoco lammps liggghts dart);
like($text{$_}, $words, "$_: says it") for qw(ode bullet urdf gazebo physx);
unlike($text{$_}, $words, "$_: has no such springs") for qw(ode-bounce mujoco lammps dart);

# a third of stiffness and damping at each of three, and e of the pair, which is that of all three
sub values_of
{
    my ($target, @more) = @_;
    my ($code, $out) = contactfit(qw(export -q --json --plain --speed), $v, '--dt', $h, '--to', $target, $fit, @more,
                                  '-o', "$scratch/text");
    my $one = decode_json($out)->{fits}[0];
    return ($one, map { ("$_->{name} of $_->{of}" => $_->{value}) } @{$one->{values}});
}

my $rigid = 1e18;
my %shared = (ode => [qw(kp kd)], bullet => [qw(contactStiffness contactDamping)], urdf => [qw(stiffness damping)],
              gazebo => [qw(kp kd)], physx => [qw(compliantContactStiffness compliantContactDamping)]);
for my $target (sort keys %shared) {
    my ($one, %by) = values_of($target);
    my ($three, %third) = values_of($target, qw(--points 3));
    for my $name (@{$shared{$target}}) {
        my ($key) = grep { /^\Q$name\E of (?:pair|body 1|each body)$/ } keys %by;
        cmp_ok(abs($third{$key} * 3 / $by{$key} - 1), '<=', 1e-12, "$target: a third of $name");
    }
    my @kept = grep { my $key = $_; !grep { $key =~ /^\Q$_\E of (?:pair|body 1|each body)$/ } @{$shared{$target}} } keys %by;
    is("@third{@kept}", "@by{@kept}", 'and nothing else changes');
    is($three->{e_target}, $one->{e_target}, 'nor e of all three');
    like(slurp("$scratch/text"), qr/of each of 3 contact points, 1\/3 of stiffness and damping: e is that of a body that lands flat/, 'and it is said');
}

# a block in Bullet is met at overlap only: another e at a step than a ball's
{
    my @step = (qw(export -q --json --untrusted --to bullet --speed), $v, '--dt', 5e-5, $fit);
    my ($ball, $block) = map { decode_json((contactfit(@step, @$_))[1])->{fits}[0]{step} } [], [qw(--points 4)];
    cmp_ok($block->{high} - $block->{low}, '>', 3 * ($ball->{high} - $ball->{low}), 'a wider band of e in Bullet');
}

for (['mujoco', 'mujoco gives no spring to each point of a contact, and so nothing is to be shared: this is for gazebo, urdf, bullet, ode, physx'],
     ['lammps', 'lammps gives no spring'], ['ode-bounce', 'ode-bounce gives no spring'], ['drake-sap', 'drake-sap gives no spring']) {
    my ($target, $why) = @$_;
    my ($code, undef, $err) = contactfit(qw(export --points 4 --to), $target, $fit);
    is($code, 2, "$target: refused");
    like($err, qr/^contactfit export: --points: \Q$why\E/, 'and why');
}
for ([[qw(--to ode --points 4 --verify)], '--points 4: --verify drops a sphere, which has one point: give one of the two'],
     [[qw(--to ode --points 0)], '--points: "0": '], [[qw(--to ode --points 2.5)], '--points: "2.5": ']) {
    my ($ask, $why) = @$_;
    my ($code, undef, $err) = contactfit('export', @$ask, $fit);
    is($code, 2, "@$ask: refused");
    like($err, qr/^contactfit export: \Q$why\E/, 'and why');
}

SKIP: {
    skip 'ODE is not installed: apt-get install libode-dev pkgconf g++', 3
        if system('pkg-config --exists ode 2>/dev/null') || !grep { -x "$_/g++" } split /:/, $ENV{PATH};
    my $text;
    for my $points (1, 4) {
        (undef, $text) = contactfit(qw(export -q --to ode --speed), $v, '--dt', $h, $fit, '--points', $points);
        spew("$scratch/export_$points.h", $text);
    }
    spew("$scratch/box.cpp", <<'CPP');
#include EXPORT
#include <stdio.h>
#include <stdlib.h>
static dWorldID world; static dJointGroupID group; static double h; static int most;
static void near_pair(void *, dGeomID a, dGeomID b)
{
    dContact c[8];
    int n = dCollide(a, b, 8, &c[0].geom, sizeof(dContact));
    most = n > most ? n : most;
    for (int i = 0; i < n; i++) {
        c[i].surface = dSurfaceParameters();
        contactfit_surface_1(&c[i].surface, h);
        dJointAttach(dJointCreateContact(world, group, &c[i]), dGeomGetBody(c[i].geom.g1),
                     dGeomGetBody(c[i].geom.g2));
    }
}
int main(int, char **arg)
{
    double m = atof(arg[1]), v = atof(arg[2]), side = 0.04;
    h = atof(arg[3]);
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
    my %seen;
    for my $points (1, 4) {
        system("g++ -DEXPORT='\"export_$points.h\"' -o '$scratch/box' '$scratch/box.cpp' \$(pkg-config --cflags --libs ode)") == 0
            or die "g++: $?\n";
        $seen{$points} = [split ' ', `'$scratch/box' $mass $v $h`];
    }
    my ($e) = $text =~ /at $v m\/s: e = (\S+)/;
    is($seen{4}[0], 4, 'a box lands on four points');
    cmp_ok(abs($seen{4}[1] - $e), '<=', 2e-3, "--points 4: e = $seen{4}[1] for $e");
    cmp_ok($e - $seen{1}[1], '>', 0.03, "without: e = $seen{1}[1]");
}

done_testing();
