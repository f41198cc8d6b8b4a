#!/usr/bin/perl
# Another radius: exports and predictions say the same of it, and the modulus of the material stays.

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
my $heavy = "  ball:  {sphere: {radius: 40 mm}, mass: 0.7 kg}\n  block: {plane: {}, fixed: true}\n";
my %fit = (kk => synthetic($scratch, 'kk', 'azad-featherstone'),
           heavy => synthetic($scratch, 'heavy', 'azad-featherstone', mass => 0.7, bodies => $heavy),
           hc => synthetic($scratch, 'hc', 'hunt-crossley'),
           linear => synthetic($scratch, 'linear', 'linear'),
           constant => synthetic($scratch, 'constant', 'e-constant'));
my %fitted = (kk => 0.01, heavy => 0.04, hc => 0.01);

sub answer
{
    my ($code, $out, $err) = contactfit(qw(export -q --untrusted --json --to), @_, '-o', "$scratch/text",
                                       $_[0] eq 'liggghts' ? ('--allow-missing', 'ball,ball') : ());
    diag("@_: $err") if $err ne '';
    return decode_json($out)->{fits}[0];
}

for (['kk', 0.0025, 0.13], ['kk', 0.09, 1.7], ['heavy', 0.003, 0.6], ['hc', 0.0225, 0.4]) {
    my ($name, $radius, $v) = @$_;
    my @at = ($fit{$name}, '--speed', $v, '--radius', $radius);
    my $row = decode_json((contactfit('predict', @at, qw(-q --json)))[1])->{rows}[0];
    my $there = answer('csv', @at);
    is_near($there->{e_fit}, $row->{restitution}{value}, 1e-9, "$name at R* = $radius m: e of predict");
    is_near($there->{e_target}, $row->{restitution}{value}, 1e-9, 'and of the target');
    my ($plain) = map { $_->{values}[0]{value} } answer('csv', $fit{$name}, '--speed', $v);
    is_near($there->{values}[0]{value} / $plain, sqrt($radius / $fitted{$name}), 1e-9,
         'k by the root of the radius');
    is($there->{e_low}, undef, 'no band, which was that of another pair');
}

# The modulus is the material's, whatever the radius: LAMMPS and LIGGGHTS hold it as kn, Yade and
# MercuryDPM as Young's modulus, Chrono holds k.
for (['lammps', 'kn', 0], ['liggghts', 'kn', 0], ['yade', 'young', 0], ['mercury', undef, 0],
     ['chrono', 'kn', 0.5]) {
    my ($target, $name, $power) = @$_;
    my ($here) = values_of(answer($target, $fit{kk}), $name);
    my ($there) = values_of(answer($target, $fit{kk}, '--radius', 0.064), $name);
    is_near($there / $here, (0.064 / 0.01) ** $power, 1e-9, "$target: its stiffness at another radius");
    like(slurp("$scratch/text"), qr/fitted at R\* = 0\.01 m: /, 'and the fitted radius is told');
}

sub values_of
{
    my ($answer, $name) = @_;
    return map { $_->{value} } grep { !defined $name || $_->{name} eq $name } @{$answer->{values}};
}

# that radius itself changes nothing
my $same = answer('lammps', $fit{kk}, '--radius', 0.01);
ok(defined $same->{e_low}, 'the fitted radius: the band stays');
unlike(slurp("$scratch/text"), qr/fitted at/, 'and nothing is said');

# What predict refuses, export refuses in the same words.
for (['linear', 'mujoco'], ['constant', 'dart']) {
    my ($name, $target) = @$_;
    my ($no, undef, $said) = contactfit('predict', $fit{$name}, qw(--speed 0.5 --radius 0.03));
    my ($code, undef, $err) = contactfit(qw(export --radius 0.03 --to), $target, $fit{$name});
    is("$no $code", '2 2', "$name: no other radius");
    my ($why) = $said =~ /--radius: (.*)/;
    is($err, "contactfit export: --radius: $name: $why\n", 'for the reason of predict');
}

# Exact for any radius is only what holds no R*, and that is what the stiffness above showed.
my %exact = (mercury => 'exact', 'esys-particle' => 'exact', chrono => 'exact at this radius only',
             'chrono-json' => 'exact at this radius only',
             lammps => 'exact at this mass and radius only');
is(answer($_, $fit{kk})->{exactness}, $exact{$_}, "$_: $exact{$_}") for sort keys %exact;
is(answer($_, $fit{linear})->{exactness}, 'exact at this radius only', "$_: linear, at this radius")
    for qw(lammps ode gazebo bullet physx drake-sap);
is(answer('mujoco', $fit{linear})->{exactness}, 'exact at this mass and radius only', 'mujoco: by mass');

done_testing();
