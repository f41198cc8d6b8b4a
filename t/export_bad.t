#!/usr/bin/perl
# What export refuses beside unknown words and laws (t/export.t): running what cannot be run, programs
# that are missing, and pairs that a target cannot have. Every text is compared whole.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Program qw(:DEFAULT is_refused);
use Synthetic;
use Test::More;

draw_no_figures();

my $scratch = tempdir(CLEANUP => 1);
my $kk = synthetic($scratch, 'kk', 'azad-featherstone');
my $hc = synthetic($scratch, 'hc', 'hunt-crossley');

sub refused { return is_refused('export', @_[0, 1], '-q', @_[2 .. $#_]) }
# A fit file, changed.
sub changed
{
    my ($path, $change) = @_;
    my $fit = decode_json(slurp($path));
    $change->($fit);
    spew("$scratch/changed.json", encode_json($fit));
    return "$scratch/changed.json";
}

# options
my $models = decode_json((contactfit('models', '--json'))[1]);
my $laws = join ', ', map { $_->{name} } grep { $_->{family} !~ /^((rigid-)?friction|hydroelastic)$/ } @{$models->{laws}};
refused(2, '--approximate: unknown law hunt-crosley: did you mean hunt-crossley?',
        qw(--to simbody --approximate hunt-crosley), $kk);
refused(2, "--approximate: unknown law xyz: must be one of $laws", qw(--to ode --approximate xyz), $kk);
refused(2, '--approximate: gz has no law to stand for others', qw(--to gz --approximate linear), $kk);
refused(2, '--bound: 0: must be above 0', qw(--to ode --bound 0), $kk);
refused(2, '--radius: 0 m: must be above 0', qw(--to mercury --radius 0), $kk);
refused(2, '--mass: -0.001 kg: must be above 0', qw(--to lammps --mass -1g), $kk);
refused(2, '-p mu_C: "x" is not a number', qw(--to ode -p mu_C=x), $kk);
refused(2, '-p: "mu_C": must be mu_S, mu_C, v_S, sigma_2, kv or kappa, then = and its value',
        qw(--to ode -p mu_C), $kk);
refused(2, '-p kv: 1 N/m: a stiffness [N/m] where a quantity in [N/m^3] is wanted',
        qw(--to drake-hydroelastic -p), 'kv=1 N/m', $hc);
refused(1, 'hc: simbody-foundation needs the stiffness kv of a foundation: give -p kv=VALUE, in '
            . 'N/m^3', qw(--to simbody-foundation), $hc);
refused(1, "$scratch/none/x: cannot be written: there is no folder $scratch/none", qw(--to ode -o),
        "$scratch/none/x", $kk);
refused(2, '--drops: "2": a whole number from 3 to 64 is wanted', qw(--to ode --drops 2), $kk);

# what cannot be run, and where
my $can = 'c-header, python, javascript, mujoco, simbody, simbody-foundation, bullet, ode, ode-bounce, dart, physx, lammps, '
    . 'lammps-restitution, liggghts, liggghts-restitution, yade, esys-particle';
refused(1, "--verify: $_ cannot be run: must be one of $can", '--to', $_, '--verify', $hc)
    for qw(drake csv gz);
{
    local $ENV{PATH} = "$scratch/none";
    my %install = (
        'lammps' => 'LAMMPS is not installed (no lmp in PATH): apt-get install lammps',
        'liggghts' => 'LIGGGHTS is not installed (no liggghts in PATH): apt-get install liggghts',
        'yade' => 'Yade is not installed (no yade in PATH): apt-get install yade',
        'esys-particle' =>
            'ESyS-Particle is not installed (no mpirun in PATH): apt-get install esys-particle',
        'mujoco' => 'MuJoCo is not installed (no node in PATH): apt-get install libmujoco-dev g++, or nodejs '
            . 'npm, then npm install mujoco-js here or in NODE_PATH',
        'physx' => 'PhysX/Isaac is not installed (no node in PATH): apt-get install nodejs npm, then '
            . 'npm install physx-js-webidl here or in NODE_PATH',
        'ode' => 'g++, to build with ODE, is not installed (no g++ in PATH): apt-get install '
            . 'libode-dev pkgconf g++',
        'bullet' => 'g++, to build with Bullet, is not installed (no g++ in PATH): apt-get install '
            . 'libbullet-dev pkgconf g++',
        'dart' => 'g++, to build with DART, is not installed (no g++ in PATH): apt-get install '
            . 'libdart-dev libdart-external-ikfast-dev libdart-external-odelcpsolver-dev pkgconf g++',
    );
    refused(1, $install{$_}, '--to', $_, '--verify', $kk) for sort keys %install;
}
# programs that fail, or are there without what they need
SKIP: {
    skip 'no sh here', 4 if !-x '/bin/sh';
    mkdir "$scratch/bin";
    my $program = sub {
        my ($name, $text) = @_;
        spew("$scratch/bin/$name", "#!/bin/sh\n$text\n");
        chmod 0755, "$scratch/bin/$name";
    };
    local $ENV{PATH} = "$scratch/bin";
    $program->('g++', 'exit 0');
    $program->('pkg-config', 'exit 1');
    refused(1, 'ODE is not installed (pkg-config knows no ode): apt-get install libode-dev pkgconf g++',
            qw(--to ode --verify), $kk);
    $program->('lmp', 'echo "ERROR: no such pair style"; exit 1');
    refused(1, 'LAMMPS failed: ERROR: no such pair style', qw(--to lammps --verify), $kk);
}

# pairs without what a drop or a target needs
refused(1, 'kk: --verify drops a sphere, and mass or radius of the pair is not known: give --mass and '
            . '--radius', qw(--to dart --verify),
        changed($kk, sub { $_->{radius_m} = undef for @{$_[0]{data}} }));
refused(1, 'kk: mercury needs an effective radius, and two planes have none', qw(--to mercury),
        changed($kk, sub {
            $_->{shape} = 'plane' for @{$_[0]{study}{bodies}};
            $_->{radius_m} = undef for @{$_[0]{data}};
        }));
refused(1, 'kk: the fit has no speeds, and so no design speed: give --speed, such as '
            . '--speed="0.5 m/s"',
        qw(--to mujoco), changed($kk, sub { $_->{axis}{low} = $_->{axis}{high} = undef for @{$_[0]{data}} }));

done_testing();
