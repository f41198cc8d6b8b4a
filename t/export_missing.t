#!/usr/bin/perl
# Pairs that no fit is of: LIGGGHTS, which sets every pair, refuses them, names them, and lets them
# through each other by name only; two grains of one type, where a fit is of them, bounce.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Program;
use Synthetic;
use Test::More;

draw_no_figures();

my $scratch = tempdir(CLEANUP => 1);
my $wall = synthetic($scratch, 'wall', 'azad-featherstone', mass => 0.03, bodies =>
    "  grain: {sphere: {radius: 12 mm}, mass: 30 g}\n  floor: {plane: {}, fixed: true}\n");
my $grains = synthetic($scratch, 'grains', 'azad-featherstone', mass => 0.02, bodies =>
    "  grain: {sphere: {radius: 12 mm}, mass: 30 g}\n  bead: {sphere: {radius: 15 mm}, mass: 60 g}\n");
my $heavy = "  grain: {sphere: {radius: 12 mm}, mass: 30 g}\n  slab: {plane: {}, fixed: true}\n";
my $slab = synthetic($scratch, 'slab', 'azad-featherstone', mass => 0.03, bodies => $heavy);

sub export
{
    my ($code, $out, $err) = contactfit(qw(export -q --to), @_);
    return ($code, $out, $err =~ s/^contactfit export: //r);
}
sub allow { return map { ('--allow-missing', $_) } @_ }

my $sets = 'liggghts sets every pair of types, and no fit is of';
my $or = 'give such fits, too, or let them through each other: --allow-missing';
for ([[$wall], "$sets grain with grain: $or \"grain,grain\"\n"],
     [[$wall, $grains], "$sets grain with grain, floor with bead, bead with bead: $or \"grain,grain\"\n"],
     [[$wall, $grains, allow('grain,grain')], "$sets floor with bead, bead with bead: $or \"floor,bead\"\n"],
     [[$wall, $slab], "$sets grain with grain: $or \"grain,grain\"\n"]) {
    my ($args, $message) = @$_;
    my ($code, $out, $err) = export('liggghts', @$args);
    is("$code: $err", "1: $message", 'refused, and named');
    is($out, '', 'and nothing is written');
}
for my $wrong ('grain,grains', 'grain,floor', 'grain', 'floor,floor', '') {
    my ($code, undef, $err) = export('liggghts', $wall, allow($wrong));
    is("$code: $err", "2: --allow-missing: \"$wrong\": must be two bodies or materials of these fits that can "
                      . "meet and of which none is\n", "\"$wrong\" is no pair without a fit");
}
{
    my ($code, undef, $err) = export('lammps', $wall, allow('grain,grain'));
    is("$code: $err", "2: --allow-missing: lammps leaves out what no fit is of: this is for liggghts\n",
       'others need it not');
}

# by name, in either order
my ($code, $text) = export('liggghts', $wall, $grains, allow('grain,grain', 'bead,floor', 'bead,bead'));
is($code, 0, 'all named');
is(join(' ', $text =~ /^neigh_modify exclude type (\d \d)$/mg), '1 1 2 3 3 3', 'and excluded, each');
my @told = $text =~ /^# NO CONTACT of (\w+ with \w+) \(\d \d\): no fit is of them/mg;
is("@told", 'grain with grain floor with bead bead with bead', 'and told');
my ($kn) = $text =~ /global kn peratomtypepair 3 (.*)/;
my @kn = split / /, $kn;
is(scalar(grep { $_ > 0 } @kn[1, 2, 3, 6]), 4, 'the fitted pairs are set');

# LAMMPS leaves out what is missing, and says so itself.
(undef, $text) = export('lammps', $wall, $grains);
unlike($text, qr/^pair_coeff 1 1/m, 'lammps: no values of what was not fitted');
like($text, qr/^# pair_coeff 1 1: no fit of grain with grain$/m, 'and which these are');
like($text, qr/^pair_coeff 1 2 hertz [1-9]/m, 'those of what was');

# Two balls head on in LIGGGHTS: of the fitted pair they bounce with its e, of the named they pass.
SKIP: {
    skip 'liggghts is not installed: apt-get install liggghts', 2
        if !grep { -x "$_/liggghts" } split /:/, $ENV{PATH};
    my ($no, $tables) = export('liggghts', $grains, allow('grain,grain', 'bead,bead'), '--speed', 0.5);
    spew("$scratch/export.in", $tables);
    for (['fitted', 2, 15e-3, 60e-3], ['named', 1, 12e-3, 30e-3]) {
        my ($name, $type, $radius, $mass) = @$_;
        my $density = sub { return $_[0] / (4 / 3 * atan2(0, -1) * $_[1]**3) };
        my $z = 12e-3 + $radius + 1e-6;
        spew("$scratch/two.in", join "\n",
            'units si', 'atom_style granular', 'atom_modify map array', 'boundary f f f', 'newton off',
            'communicate single vel yes', 'region box block -0.1 0.1 -0.1 0.1 -0.1 0.1 units box',
            'create_box 2 box', 'neighbor 0.01 bin', 'neigh_modify delay 0', 'soft_particles yes',
            "include $scratch/export.in", 'create_atoms 1 single 0 0 0', "create_atoms $type single 0 0 $z",
            'group a id 1', 'group b id 2', 'set group a diameter 0.024',
            'set group a density ' . $density->(30e-3, 12e-3), 'set group b diameter ' . 2 * $radius,
            'set group b density ' . $density->($mass, $radius), 'velocity b set 0 0 -0.5',
            'fix move all nve/sphere', 'timestep 1e-6', 'variable u equal vz[2]-vz[1]',
            "fix log all print 10000 \"\${u}\" file $scratch/log screen no", 'thermo 100000', 'run 10000', '');
        system("cd '$scratch' && liggghts -log none -in two.in >said 2>&1") == 0
            or die 'liggghts: ' . slurp("$scratch/said");
        my $e = (split /\n/, slurp("$scratch/log"))[-1] / 0.5;
        my ($want) = $name eq 'fitted' ? $tables =~ /e = (\S+) .*by the fit/ : -1;
        cmp_ok(abs($e - $want), '<=', 1e-3, "$name: e = $e for $want");
    }
}

done_testing();
