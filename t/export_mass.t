#!/usr/bin/perl
# Another mass: exports say what predictions say of it and what closed forms do, and the interval of
# e, which is of the fitted mass, goes where e depends on it.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use POSIX qw(acos);
use Program;
use Synthetic;
use Test::More;

draw_no_figures();

my $scratch = tempdir(CLEANUP => 1);
my %fit = map { my $law = $_; $law => synthetic($scratch, $law, $law) }
    qw(azad-featherstone hunt-crossley linear e-log);

sub answer
{
    my ($target, $law, @more) = @_;
    my ($code, $out, $err) = contactfit(qw(export -q --untrusted --json --to), $target, $fit{$law}, @more,
                                       '-o', "$scratch/text");
    is($err, '', "@_");
    my $one = decode_json($out)->{fits}[0];
    $one->{by} = {map { $_->{name} => $_->{value} } @{$one->{values}}};
    return $one;
}

for my $law (sort keys %fit) {
    my $here = answer('csv', $law, qw(--speed 0.45));
    ok(defined $here->{e_low}, "$law: an interval at the fitted mass");
    for my $mass (1e-4, 0.31) {
        my $there = answer('csv', $law, qw(--speed 0.45 --mass), $mass);
        my $said = decode_json((contactfit('predict', $fit{$law}, qw(-q --json --speed 0.45 --mass), $mass))[1]);
        is_near($there->{e_fit}, $said->{rows}[0]{restitution}{value}, 1e-9, "at $mass kg: e of predict");
        if ($law eq 'hunt-crossley') {
            is_near($there->{$_}, $here->{$_}, 1e-12, "$_ is not of the mass, and stays") for qw(e_fit e_low e_high);
        } else {
            is($there->{e_low}, undef, 'no interval');
            is($there->{e_high}, undef, 'at either end');
        }
    }
}

# linear: zeta goes with m^-1/2, and so does e, which never pulls
{
    my $p = answer('csv', 'linear')->{by};
    for my $mass (0.002, 0.5) {
        my $zeta = $p->{lambda} / 2 / sqrt($p->{k} * $mass);
        my $e = exp(-2 * $zeta * acos($zeta) / sqrt(1 - $zeta ** 2));
        my $there = answer('mujoco', 'linear', '--mass', $mass);
        is_near($there->{e_fit}, $e, 1e-9, "linear: e in closed form at $mass kg");
        is_near($there->{e_target}, $e, 1e-9, 'in the target');
        is_near($there->{by}{'solref[0]'}, -$p->{k} / $mass, 1e-9, 'its stiffness by that mass');
    }
}

# gamma of LAMMPS is per mass: their product is the damper of the fit
{
    my $here = answer('lammps', 'azad-featherstone')->{by};
    my $there = answer('lammps', 'azad-featherstone', '--mass', 0.37)->{by};
    is_near($there->{gamma} * 0.37, $here->{gamma} * 0.01, 1e-9, 'LAMMPS: the same damper');
    is_near($there->{kn}, $here->{kn}, 1e-12, 'the same spring');
    like(slurp("$scratch/text"), qr/fitted at m\* = 0\.01 kg: what depends on m\* is that of the law/, 'told');
    answer('dart', 'e-log', qw(--mass 2));
    like(slurp("$scratch/text"), qr/fitted at m\* = 0\.01 kg: a formula for e knows no mass/, 'a formula');
    answer('lammps', 'azad-featherstone', '--mass', 0.01);
    unlike(slurp("$scratch/text"), qr/fitted at/, 'nothing is said at the fitted mass itself');
}

done_testing();
