#!/usr/bin/perl
# Fitted friction, seen in simulators: make check-export. Impacts at an angle in LAMMPS and
# LIGGGHTS against what the fit predicts; a joint in DART that runs down; a block that slides in ODE.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Test::More;

plan skip_all => 'make check-export runs the simulators' if !$ENV{CHECK_EXPORT};

my $scratch = tempdir(CLEANUP => 1);
$ENV{TMPDIR} = $scratch; # Open MPI: one run's end takes away what another, beside it, is about to use
my $oblique = "$srcdir/fits/alumina_on_glass.json";
my ($R, $m, $speed) = (2.5e-3, 2.618e-4, 3.9);
my $pi = 4 * atan2(1, 1);

sub found { return grep { -x "$_/$_[0]" } split /:/, $ENV{PATH} }

# e_t of the centre and the spin after an impact at this angle onto the wall of the export.
sub impact
{
    my ($program, $angle) = @_;
    my $old = $program eq 'liggghts';
    my ($vt, $vn) = ($speed * sin $angle, $speed * cos $angle);
    my $density = $m / (4 / 3 * $pi * $R**3);
    my $height = $R + 1e-8;
    my $size = 2 * $R;
    spew("$scratch/oblique.in", join "\n",
        'units si', $old ? 'atom_style granular' : 'atom_style sphere', 'atom_modify map array',
        $old ? 'boundary f f f' : 'boundary p p f', 'newton off',
        $old ? 'communicate single vel yes' : 'comm_modify vel yes',
        'region box block -0.05 0.05 -0.05 0.05 -0.0025 0.05' . ($old ? ' units box' : ''),
        'create_box ' . ($old ? 2 : 1) . ' box', 'neighbor 0.0025 bin',
        $old ? ('neigh_modify delay 0', 'soft_particles yes', "include $scratch/export.in") : (),
        "create_atoms 1 single 0 0 $height", "set group all diameter $size", "set group all density $density",
        "velocity all set $vt 0 -$vn",
        $old ? () : ("include $scratch/export.in",
                     'pair_coeff 1 1 hooke 1 0 tangential linear_nohistory 0 0 damping velocity'),
        'fix move all nve/sphere', 'timestep 2e-9', 'compute w all property/atom omegay',
        'variable v equal vx[1]', 'variable w equal c_w[1]',
        "fix log all print 20000 \"\${v} \${w}\" file $scratch/log screen no", 'thermo 100000', 'run 20000', '');
    system("cd '$scratch' && $program -log none -in oblique.in >said 2>&1") == 0 or die "$program: " . slurp("$scratch/said");
    my ($v, $w) = split ' ', (split /\n/, slurp("$scratch/log"))[-1];
    return ($v / $vt, $w);
}

my @angle = map { $_ * $pi / 180 } 10, 20, 30, 45;
my (undef, $predicted) = contactfit('predict', '-q', $oblique, '--angle', join(',', @angle),
                                    '--quantity', 'tangential_restitution,rebound_spin');
my @row = map { [split /,/] } grep { /^[0-9]/ } split /\n/, $predicted;
is(scalar @row, 4, 'predicted at four angles');

# LIGGGHTS holds the spring alone against the cone and adds the damping where it sticks only.
for (['lammps', 'lmp', 3e-3, 5e-3], ['liggghts', 'liggghts', 0.014, 0.022]) {
    my ($target, $program, $within_e, $within_spin) = @$_;
  SKIP: {
        skip "$target is not installed", 8 if !found($program);
        my ($code, $text) = contactfit(qw(export -q --speed 3.9m/s --to), $target, $oblique,
                                       $target eq 'liggghts' ? ('--allow-missing', 'sphere,sphere') : ());
        spew("$scratch/export.in", $text);
        for my $i (0 .. 3) {
            my ($e_t, $spin) = impact($program, $angle[$i]);
            my $deg = sprintf '%.0f deg', $angle[$i] * 180 / $pi;
            ok(abs($e_t - $row[$i][1]) < $within_e, "$target: tangential restitution at $deg, $e_t");
            ok(abs($spin / $row[$i][4] - 1) < $within_spin, "$target: spin at $deg, $spin");
        }
    }
}

# ---- fits of slides

sub slides
{
    my ($name, $law, $protocol, $unit, $channel, $in, $curve) = @_;
    my $text = "contactfit: study/1\nlaw: $law\ndata:\n  - name: d\n    protocol: $protocol\n    rows:\n";
    for my $i (1 .. 12) {
        $text .= sprintf "      - {speed: %g %s, %s: %.9g%s}\n", $i, $unit, $channel,
            $curve->($i) * (1 + 0.001 * sin(7.1 * $i * $i)), $in;
    }
    spew("$scratch/$name.yaml", "$text    sigma: {$channel: 0.1 %}\n");
    my ($code, undef, $err) = contactfit('fit', '-q', "$scratch/$name.yaml", '-o', $scratch);
    die "$name: $err\n" if $code;
    my $all = decode_json(slurp("$scratch/$name.json"))->{parameters};
    return ("$scratch/$name.json", map { $_ => $all->{$_}{value} } keys %$all);
}

# The number that a program of these lines prints, with the export in export.h.
sub built
{
    my ($module, $program) = @_;
    spew("$scratch/try.cpp", $program);
    my $flags = `pkg-config --cflags --libs $module`;
    chomp $flags;
    system("cd '$scratch' && g++ -O1 -w -o try try.cpp $flags -std=c++17 >said 2>&1") == 0 or die substr slurp("$scratch/said"), 0, 2000;
    chomp(my $seen = `'$scratch/try'`);
    return $seen;
}

sub has_module { return found('g++') && found('pkg-config') && system("pkg-config --exists $_[0]") == 0 }

# I w' = -(c + d w): from w_0 it stands still after (I/d) ln(1 + d w_0/c)
SKIP: {
    skip 'DART is not installed', 1 if !has_module('dart');
    my ($file, %p) = slides('hinge', 't-viscous', 'slide_rotary', 'rad/s', 'torque', ' N m', sub { 0.5 + 0.02 * $_[0] });
    my (undef, $text) = contactfit(qw(export -q --to dart), $file);
    spew("$scratch/export.h", $text);
    my $seen = built('dart', <<'END');
#include <dart/dart.hpp>
#include <cstdio>
#include "export.h"
using namespace dart::dynamics;
int main()
{
    auto world = dart::simulation::World::create();
    world->setGravity(Eigen::Vector3d::Zero());
    world->setTimeStep(1e-5);
    auto wheel = Skeleton::create("wheel");
    auto pair = wheel->createJointAndBodyNodePair<RevoluteJoint>();
    Inertia inertia;
    inertia.setMass(1);
    inertia.setMoment(Eigen::Matrix3d::Identity() * 0.1);
    pair.second->setInertia(inertia);
    pair.first->setVelocity(0, 10);
    contactfit_joint_1(*pair.first);
    world->addSkeleton(wheel);
    while (pair.first->getVelocity(0) > 1e-6 && world->getTime() < 10)
        world->step();
    printf("%.6f\n", world->getTime());
}
END
    my $want = 0.1 / $p{d_2} * log(1 + $p{d_2} * 10 / $p{t_c});
    ok(abs($seen / $want - 1) < 1e-3, "dart: a wheel runs down in $want s") or diag($seen);
}

# the same wheel in MuJoCo, whose frictionloss is a constraint
SKIP: {
    skip 'node is not installed', 1 if !found('node');
    my ($file, %p) = slides('hinge', 't-viscous', 'slide_rotary', 'rad/s', 'torque', ' N m', sub { 0.5 + 0.02 * $_[0] });
    my (undef, $text) = contactfit(qw(export -q --to mujoco), $file);
    spew("$scratch/export.xml", $text);
    spew("$scratch/wheel.mjs", <<'END');
import fs from 'node:fs';
import path from 'node:path';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';
let file;
for (const place of ['.', ...(process.env.NODE_PATH || '').split(path.delimiter)])
    try {
        file = file || createRequire(path.resolve(place, 'x.js')).resolve('mujoco-js');
    } catch {}
if (!file) {
    console.log('mujoco-js is not installed: npm install mujoco-js');
    process.exit();
}
const mujoco = await (await import(pathToFileURL(file))).default();
mujoco.FS.writeFile('/export.xml', fs.readFileSync(process.argv[2]));
mujoco.FS.writeFile('/wheel.xml', `<mujoco><include file="export.xml"/>
<option timestep="1e-5" gravity="0 0 0"/><worldbody><body>
<joint class="contactfit_1" type="hinge" axis="0 0 1"/>
<inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/></body></worldbody></mujoco>`);
const model = mujoco.MjModel.loadFromXML('/wheel.xml'), data = new mujoco.MjData(model);
data.qvel[0] = 10;
while (data.qvel[0] > 0.2 && data.time < 10)
    mujoco.mj_step(model, data);
console.log(data.time);
END
    chomp(my $seen = `node '$scratch/wheel.mjs' '$scratch/export.xml' 2>&1`);
    skip $seen, 1 if $seen =~ /is not installed/;
    my $left = 0.2; # rad/s: at 0.05, c times solreffriction over 2 I, the constraint grows soft
    my $want = 0.1 / $p{d_2} * log(($p{t_c} + $p{d_2} * 10) / ($p{t_c} + $p{d_2} * $left));
    ok(abs($seen / $want - 1) < 1e-3, "mujoco: a wheel runs down to 0.2 rad/s in $want s") or diag($seen);
}

# A box that slides on a plane at an angle to its sides: it slows down by mu g, straight on.
sub slows_down
{
    my ($engine, $mu, $within, $seen) = @_;
    for my $line (split /\n/, $seen) {
        my ($angle, $along, $aside) = split ' ', $line;
        ok(abs($along / (10 * $mu) - 1) < $within && abs($aside) < 0.02 * 10 * $mu,
           "$engine: at $angle degrees a box slows down by $along m/s^2, and by $aside aside") or diag(10 * $mu);
    }
}

SKIP: {
    skip 'ODE is not installed', 3 if !has_module('ode');
    my ($file, %p) = slides('sled', 'mu-coulomb', 'slide', 'm/s', 'coefficient', '', sub { 0.3 });
    my (undef, $text) = contactfit(qw(export -q --to ode), $file);
    spew("$scratch/export.h", $text);
    slows_down('ode', $p{mu_c}, 5e-3, built('ode', <<'END'));
#include "export.h"
#include <cmath>
#include <cstdio>
static dWorldID world;
static dJointGroupID group;
static const dReal step = 1e-3;
static void near_pair(void *, dGeomID a, dGeomID b)
{
    dContact c[8];
    int n = dCollide(a, b, 8, &c[0].geom, sizeof(dContact));
    for (int i = 0; i < n; i++) {
        dBodyID one = dGeomGetBody(c[i].geom.g1), two = dGeomGetBody(c[i].geom.g2);
        c[i].surface = dSurfaceParameters();
        contactfit_contact_1(&c[i], one, two, step);
        dJointAttach(dJointCreateContact(world, group, &c[i]), one, two);
    }
}
static void slide(double degrees)
{
    double a = degrees * M_PI / 180;
    world = dWorldCreate();
    group = dJointGroupCreate(0);
    dSpaceID space = dSimpleSpaceCreate(0);
    dWorldSetGravity(world, 0, 0, -10);
    dCreatePlane(space, 0, 0, 1, 0);
    dBodyID body = dBodyCreate(world);
    dMass mass;
    dMassSetBoxTotal(&mass, 1, 1, 1, 0.05);
    dBodySetMass(body, &mass);
    dGeomID box = dCreateBox(space, 1, 1, 0.05);
    dGeomSetBody(box, body);
    dBodySetPosition(body, 0, 0, 0.025);
    dBodySetLinearVel(body, 5 * cos(a), 5 * sin(a), 0);
    for (int i = 0; i < 1000; i++) {
        dSpaceCollide(space, 0, near_pair);
        dWorldStep(world, step);
        dJointGroupEmpty(group);
    }
    const dReal *v = dBodyGetLinearVel(body);
    printf("%g %.6f %.6f\n", degrees, 5 - v[0] * cos(a) - v[1] * sin(a), v[1] * cos(a) - v[0] * sin(a));
}
int main()
{
    dInitODE();
    slide(0);
    slide(20);
    slide(45);
}
END
}

# MuJoCo's contacts are soft: it takes some time until the box lies as deep as it slides.
SKIP: {
    skip 'MuJoCo is not installed', 3 if !-e '/usr/include/mujoco/mujoco.h';
    my ($file, %p) = slides('sled', 'mu-coulomb', 'slide', 'm/s', 'coefficient', '', sub { 0.3 });
    my (undef, $text) = contactfit(qw(export -q --to mujoco), $file);
    spew("$scratch/export.xml", $text);
    spew("$scratch/slide.xml", <<'END');
<mujoco><include file="export.xml"/><option timestep="1e-3" gravity="0 0 -10"/><worldbody>
<geom class="contactfit_1" type="plane" size="50 50 .1"/>
<body pos="0 0 .025"><freejoint/><geom class="contactfit_1" type="box" size=".5 .5 .025" mass="1"/></body>
</worldbody></mujoco>
END
    spew("$scratch/slide.cpp", <<'END');
#include <mujoco/mujoco.h>
#include <cmath>
#include <cstdio>
#include <initializer_list>
int main()
{
    char why[1000];
    mjModel *m = mj_loadXML("slide.xml", nullptr, why, sizeof why);
    if (!m)
        return puts(why), 1;
    mjData *d = mj_makeData(m);
    for (double degrees : {0., 20., 45.}) {
        double a = degrees * M_PI / 180, before = 0;
        mj_resetData(m, d);
        d->qvel[0] = 5 * cos(a);
        d->qvel[1] = 5 * sin(a);
        for (int i = 0; i < 1000; i++) {
            if (i == 500)
                before = d->qvel[0] * cos(a) + d->qvel[1] * sin(a);
            mj_step(m, d);
        }
        printf("%g %.6f %.6f\n", degrees, 2 * (before - d->qvel[0] * cos(a) - d->qvel[1] * sin(a)),
               d->qvel[1] * cos(a) - d->qvel[0] * sin(a));
    }
}
END
    system("cd '$scratch' && g++ -O1 -w -o slide slide.cpp -lmujoco -lm >said 2>&1") == 0 or die substr slurp("$scratch/said"), 0, 2000;
    slows_down('mujoco', $p{mu_c}, 0.05, scalar `cd '$scratch' && ./slide`);
}

done_testing();
