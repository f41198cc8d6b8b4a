#!/usr/bin/perl
# Exports that are proved by running the target: make check-export. A simulator that is not there is
# skipped, with a word how to install it. The bounds are those that the exports promise.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Synthetic;
use Test::More;

plan skip_all => 'make check-export runs the simulators' if !$ENV{CHECK_EXPORT};

my $scratch = tempdir(CLEANUP => 1);
$ENV{TMPDIR} = $scratch; # Open MPI: one run's end takes away what another, beside it, is about to use
my %fit = (kk => synthetic($scratch, 'kk', 'azad-featherstone'),
           hc => synthetic($scratch, 'hc', 'hunt-crossley'),
           linear => synthetic($scratch, 'linear', 'linear'),
           heavy => synthetic($scratch, 'heavy', 'azad-featherstone', mass => 0.08, bodies =>
               "  ball:  {sphere: {radius: 10 mm}, mass: 80 g}\n  block: {plane: {}, fixed: true}\n"));

# Runs --verify and returns the drops; none, and the reason, where the target is not installed.
sub verify
{
    my ($target, $fit, @more) = @_;
    my ($code, $out, $err) = contactfit('export', '--to', $target, $fit{$fit}, qw(--json --verify -q),
                                        @more);
    return ([], $1) if $err =~ /(?:: | failed: )([^:\n]* is not installed[^\n]*)/;
    my $drops = $out ? decode_json($out)->{fits}[0]{drops} : [];
    diag("$target @more: $code: $err") if @$drops != 3;
    return ($drops, '');
}

# Largest difference between two columns.
sub worst
{
    my ($rows, $a, $b) = @_;
    my $worst = 0;
    for (@$rows) {
        my $d = abs($_->{$a} - $_->{$b});
        $worst = $d if $d > $worst;
    }
    return @$rows == 3 ? sprintf('%.2g', $worst) : 'nothing';
}

# Friction does not change a drop, but its lines are read, or compiled, with it.
my @friction = map { ('-p', $_) } 'mu_S=0.3', 'mu_C=0.2', 'v_S=0.01', 'sigma_2=0.1';

# The fit's e at three speeds.
for (['lammps', 'kk', 5e-4], ['lammps', 'kk', 5e-4, @friction], ['liggghts', 'kk', 5e-4],
     ['liggghts', 'heavy', 5e-4, @friction], ['esys-particle', 'kk', 5e-4],
     ['esys-particle', 'kk', 5e-4, @friction], ['simbody', 'hc', 5e-5, @friction]) {
    my ($target, $fit, $bound, @more) = @$_;
    my ($rows, $missing) = verify($target, $fit, @more);
  SKIP: {
        skip "$target: $missing", 2 if $missing;
        my $off = worst($rows, 'e_fit', 'e_seen');
        cmp_ok($off, '<=', $bound, "$target: e of the fit at 3 speeds, within $off");
        my @depth = grep { abs($_->{depth_seen_m} / $_->{depth_asked_m} - 1) < 2e-3 } @$rows;
        is(scalar(@depth), 3, "$target: and its depths");
    }
}

# what bounces by restitution
for my $target ('ode-bounce', 'dart') {
    my ($rows, $missing) = verify($target, 'kk', '--dt', '1ms', @friction);
  SKIP: {
        skip "$target: $missing", 3 if $missing;
        my ($still) = map { $_->{e_seen} } grep { $_->{e_asked} == 0 } @$rows;
        $_->{e_seen} = 0 for grep { $_->{e_asked} == 0 } @$rows;
        my $off = worst($rows, 'e_asked', 'e_seen');
        cmp_ok($off, '<=', 1e-5, "$target: the e asked at 1 ms, within $off");
        ok($target eq 'dart' ? defined $still && abs($still) <= 0.01 : !defined $still,
           "$target: and at the lowest of the fitted speeds it stays, or bounces");
        is($rows->[0]{speed_m_s}, 0.1, 'which is dropped from');
    }
}

# Yade integrates Tsuji's law
{
    my ($rows, $missing) = verify('yade', 'kk', @friction);
  SKIP: {
        skip "yade: $missing", 2 if $missing;
        my $off = worst($rows, 'e_asked', 'e_seen');
        cmp_ok($off, '<=', 2e-4, "yade: the e asked, within $off");
        my @same = grep {
            abs($_->{depth_seen_m} / $_->{depth_asked_m} - 1) < 1e-3 &&
                abs($_->{duration_seen_s} / $_->{duration_asked_s} - 1) < 2e-3
        } @$rows;
        is(scalar(@same), 3, 'yade: depth and duration of Tsuji\'s law');
    }
}

# SDF by its own reader
SKIP: {
    my $flags = `pkg-config --cflags --libs sdformat12 2>/dev/null`;
    skip 'no sdformat here: apt-get install libsdformat-dev', 5 if !$flags || $?;
    spew("$scratch/read.cc", "#include <sdf/sdf.hh>\nint main(int, char **arg)\n"
             . "{ return sdf::Root().Load(arg[1]).empty() ? 0 : 1; }\n");
    system("g++ -o '$scratch/read' '$scratch/read.cc' $flags") == 0 or die "g++: $?\n";
    for (qw(gazebo:kk gz:kk drake-sdf:hc drake-sap-sdf:kk drake-hydroelastic-sdf:hc)) {
        my ($target, $fit) = split /:/;
        contactfit('export', '--to', $target, $fit{$fit}, '-o', "$scratch/$target.sdf",
                   qw(-q -p mu_C=0.2 -p kv=2e9));
        is(system("$scratch/read", "$scratch/$target.sdf"), 0, "$target: sdformat reads it");
    }
}

# USD by a reader of it; like PhysX it is built for browsers only
SKIP: {
    skip 'node is not installed: apt-get install nodejs npm', 2
        if !grep { -x "$_/node" } split /:/, $ENV{PATH};
    spew("$scratch/usd.mjs", <<'NODE');
import fs from 'node:fs';
import path from 'node:path';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';
let file;
for (const place of ['.', ...(process.env.NODE_PATH || '').split(path.delimiter)]) {
    try {
        file = file || createRequire(path.resolve(place, 'x.js')).resolve('tinyusdz');
    } catch {}
}
if (!file) {
    console.log('tinyusdz is not installed: npm install tinyusdz');
    process.exit();
}
const texts = process.argv.slice(2).map(x => fs.readFileSync(x));
const wasmBinary = fs.readFileSync(file.replace(/js$/, 'wasm'));
globalThis.window = globalThis;
globalThis.process = undefined;
const usd = await (await import(pathToFileURL(file))).default({wasmBinary});
console.log(texts.map(x => new usd.TinyUSDZLoaderNative().loadFromBinary(x, 'x.usda')).join(' '));
NODE
    my ($code, $text) = contactfit(qw(export -q --to physx --bound 0.05), $fit{kk}, @friction);
    is($code, 0, 'physx: a material');
    spew("$scratch/good.usda", $text);
    spew("$scratch/bad.usda", $text =~ s/restitution = 0/restitution 0/r);
    my $said = `node '$scratch/usd.mjs' '$scratch/good.usda' '$scratch/bad.usda' 2>&1`;
    skip $said, 1 if $said =~ /not installed/;
    is($said, "true false\n", 'physx: tinyusdz reads the USD, and not a spoiled one');
}

# Springs and dampers: the twins at three steps, with the damping of the fit.
for my $target (qw(mujoco ode bullet physx)) {
    for my $dt (1e-5, 1e-4, 1e-3) {
        my ($rows, $missing) = verify($target, 'linear', '--dt', $dt, '--plain', @friction);
      SKIP: {
            skip "$target: $missing", 1 if $missing;
            my $off = worst($rows, 'e_twin', 'e_seen');
            cmp_ok($off, '<=', 1e-4, "$target at $dt s: e of the twin, within $off");
        }
    }
}

# MuJoCo by Debian's library, and by Node.js where that is not: what serves the other is taken away
for (['node', "MuJoCo's library is not installed: apt-get install libmujoco-dev g++"],
     ['g++', 'nothing']) {
    my ($without, $why) = @$_;
    mkdir "$scratch/without-$without";
    spew("$scratch/without-$without/$without", "#!/bin/sh\necho \"$why\"\nexit 1\n");
    chmod 0755, "$scratch/without-$without/$without";
    local $ENV{PATH} = "$scratch/without-$without:$ENV{PATH}";
    for (['linear', 1e-3, '--plain', @friction], ['linear', 1e-4], ['kk', 1e-5, @friction]) {
        my ($fit, $dt, @more) = @$_;
        my ($rows, $missing) = verify('mujoco', $fit, '--dt', $dt, @more);
      SKIP: {
            skip "mujoco without $without: $missing", 1 if $missing;
            my $off = worst($rows, 'e_twin', 'e_seen');
            cmp_ok($off, '<=', 1e-4, "mujoco without $without, $fit at $dt s: e of the twin, within $off");
        }
    }
}

# kv: the depth of a sphere goes by kv^(-1/3)
{
    my ($rows, $missing) = verify('simbody-foundation', 'hc', '-p', 'kv=2e9', @friction);
  SKIP: {
        skip "simbody-foundation: $missing", 2 if $missing;
        my @kv = map { ($_->{depth_asked_m} / $_->{depth_seen_m}) ** 3 } @$rows;
        is(scalar(grep { abs($_ - 1) < 0.01 } @kv), 3, "simbody-foundation: kv within 1 %: @kv");
        cmp_ok(worst($rows, 'e_fit', 'e_seen'), '<=', 5e-4, 'and e');
    }
}

# The round trip: fit, export, drops in the simulator as an experiment, fit again.
for (['liggghts', 'kk', 'azad-featherstone'], ['simbody', 'hc', 'hunt-crossley']) {
    my ($target, $fit, $law) = @$_;
    my $csv = "$scratch/$target.csv";
    my ($code, undef, $err) = contactfit('export', '--to', $target, $fit{$fit}, '--seen', $csv,
                                         qw(--drops 12 -q));
  SKIP: {
        skip "$target: $1", 3 if $err =~ /(?:: | failed: )([^:\n]* is not installed[^\n]*)/;
        is("$code$err", '0', "$target: 12 drops");
        like(slurp($csv), qr/^# synthetic: drops run by \w+ with the export of $fit, no measurements$/m,
             "$target: marked as synthetic");
        spew("$scratch/again-$fit.yaml",
             study_of("$target, synthetic", $law, $ball_on_plane, scattered(slurp($csv))));
        my ($again) = contactfit('fit', "$scratch/again-$fit.yaml", '-o', $scratch);
        my ($first, $second) = map { decode_json(slurp($_))->{parameters} }
            ($fit{$fit}, "$scratch/again-$fit.json");
        my @fitted = grep { $first->{$_}{verdict} eq 'fine' } sort keys %$first;
        my @out = grep {
            my $interval = $second->{$_}{interval};
            $first->{$_}{value} < $interval->{low} || $first->{$_}{value} > $interval->{high}
        } @fitted;
        is("$again: @out of @fitted", '0:  of ' . ($fit eq 'kk' ? 'k lambda' : 'a k'),
           "$target: fitted again, a good fit whose intervals have the same parameters");
    }
}

done_testing();
