#!/usr/bin/perl
# What exports keep clear of, seen in the simulators themselves: make check-export. Each trap is
# sprung by hand, and shows what the manual page says it does.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Program;
use Synthetic;
use Test::More;

plan skip_all => 'make check-export runs the simulators' if !$ENV{CHECK_EXPORT};

my $scratch = tempdir(CLEANUP => 1);
my $kk = synthetic($scratch, 'kk', 'azad-featherstone');
my ($R, $pi) = (0.01, 4 * atan2(1, 1));

sub found { return grep { -x "$_/$_[0]" } split /:/, $ENV{PATH} }

# Drops a sphere of R at 0.5 m/s onto a wall that the lines set, and returns e and the depth.
sub drop
{
    my ($program, $mass, $lines) = @_;
    my $old = $program eq 'liggghts';
    my $density = $mass / (4 / 3 * $pi * $R ** 3);
    my $log = "$scratch/trajectory";
    spew("$scratch/drop.in", join "\n",
         'units si', $old ? 'atom_style granular' : 'atom_style sphere', 'atom_modify map array',
         $old ? 'boundary f f f' : 'boundary p p f', 'newton off',
         $old ? 'communicate single vel yes' : 'comm_modify vel yes',
         'region box block -0.2 0.2 -0.2 0.2 -0.01 0.2' . ($old ? ' units box' : ''),
         'create_box ' . ($old ? 2 : 1) . ' box', 'neighbor 0.01 bin',
         $old ? 'soft_particles yes' : (), $old ? $lines : (),
         'create_atoms 1 single 0 0 0.010001', 'set group all diameter 0.02',
         "set group all density $density", 'velocity all set 0 0 -0.5', $old ? () : $lines,
         'fix move all nve/sphere', 'timestep 1e-6', 'variable x equal 0.01-z[1]',
         'variable v equal -vz[1]', "fix log all print 1 \"\${x} \${v}\" file $log screen no",
         'thermo 100000', 'run 6000', '');
    system("cd '$scratch' && $program -log none -in drop.in >$scratch/said 2>&1") == 0
        or die "$program: " . slurp("$scratch/said");
    my ($deepest, $last) = (0, 0);
    for (split /\n/, slurp($log)) {
        my ($x, $v) = /^(\S+) (\S+)$/ or next;
        next if $x eq '#';
        $deepest = $x if $x > $deepest;
        $last = $v;
    }
    return (-$last / 0.5, $deepest);
}

sub near
{
    my ($got, $want, $within, $name) = @_;
    cmp_ok(abs($got - $want), '<=', $within, "$name: $got for $want");
}

# damping by mass: the coefficients of 10 g at 80 g
SKIP: {
    skip 'liggghts is not installed: apt-get install liggghts', 4 if !found('liggghts');
    my ($code, $text) = contactfit(qw(export -q --to liggghts --speed 0.5), $kk);
    is($code, 0, 'liggghts: an export for 10 g');
    near((drop('liggghts', 0.01, $text))[0], 0.85, 2e-3, 'at 10 g');
    near((drop('liggghts', 0.08, $text))[0], 0.593, 2e-3, 'at 80 g, where the fit has 0.930');
    $text =~ s/ limitForce on//g;
    near((drop('liggghts', 0.08, $text))[0], 0.571, 2e-3, 'at 80 g, and free to pull');
}

SKIP: {
    skip 'lmp is not installed: apt-get install lammps', 3 if !found('lmp');
    my $version = `lmp -h` =~ /Simulator - \d+ \w+ (\d+)/ ? $1 : 0;
    my $pair = "pair_style granular\n"
        . "pair_coeff * * hooke 1 0 tangential linear_nohistory 0 0 damping velocity\n"
        . 'fix wall all wall/gran granular %s tangential linear_nohistory 0 0 damping %s '
        . 'zplane 0.0 NULL';

    # Tsuji's damping for e = 0.85, over sqrt 2: e = exp(-pi b/sqrt(1 - b^2)), b/sqrt 2 for b
    my $b = -log(0.85) / sqrt($pi ** 2 + log(0.85) ** 2) / sqrt(2);
    my ($e) = drop('lmp', 0.01, sprintf $pair, 'hertz 1e7 0.85', 'tsuji');
    skip 'this LAMMPS is newer than the traps', 3 if $version > 2022;
    near($e, exp(-$pi * $b / sqrt(1 - $b ** 2)), 4e-3, 'lammps: tsuji is off by sqrt 2');
    cmp_ok($e - 0.85, '>', 0.03, 'which is no 0.85');

    # a wall of the same material: k = (4/3) sqrt(R) E/(2 (1 - nu^2)), and 1 + nu on top
    my ($E, $nu) = (1e9, 0.3);
    my $k = 4 / 3 * sqrt($R) * $E / 2 / (1 - $nu ** 2);
    my $depth = (1.25 * 0.01 * 0.5 ** 2 / $k) ** 0.4;
    my (undef, $seen) = drop('lmp', 0.01, sprintf $pair, "hertz/material $E 0 $nu", 'viscoelastic');
    near(($depth / $seen) ** 2.5, 1 + $nu, 2e-3, 'lammps: walls of hertz/material are too stiff');
}

done_testing();
