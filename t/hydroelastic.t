#!/usr/bin/perl
# Estimates of hydroelastic contact on the command line. Oracles: Drake's table of a 1 kg object,
# and its closed forms and the volumes of caps and lenses written out here.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use JSON::PP;
use Program qw(:DEFAULT is_refused);
use Test::More;

draw_no_figures();

my $pi = 4 * atan2 1, 1;
my $p = 'contactfit predict:';

sub near { return is_near(@_[0, 1], $_[3] // 1e-12, $_[2]) }

# The rows that are printed, by name of column; the same in JSON.
sub asked
{
    my ($shape, @args) = @_;
    my ($code, $out, $err) = contactfit('predict', "hydroelastic-$shape", @args);
    is("$code$err", '0', "$shape @args: exit 0, nothing on stderr");
    my ($head, @lines) = split /\n/, $out;
    my @name = split /,/, $head;
    my @rows;
    for my $line (@lines) {
        my @cell = split /,/, $line, -1;
        push @rows, {map { $name[$_] => $cell[$_] } 0 .. $#name};
    }
    my $json = decode_json((contactfit('predict', "hydroelastic-$shape", '--json', @args))[1]);
    is($json->{shape}, "hydroelastic-$shape", 'JSON names the shape');
    is(join(' ', map { my $row = $_; map { 0 + ($row->{$_} // 0) } sort keys %$row } @{$json->{rows}}),
       join(' ', map { my $row = $_; map { 0 + ($row->{$_} || 0) } sort keys %$row } @rows), 'and has the same rows');
    return @rows;
}

# the table of a 1 kg object, in millimetres: weight of 9.81 N, a cylinder of 5 cm
{
    my @weight = ('--mass', '1 kg', '-p', 'gravity=9.81', '-p', 'modulus=1e6:1e9:4', '-p', 'radius=5 cm');
    my @sphere = asked('sphere', @weight);
    my @cylinder = asked('cylinder', @weight);
    is(join(' ', map { sprintf '%.3f', 1e3 * $_->{depth_m} } @sphere), '1.767 0.559 0.177 0.056', 'the table: spheres');
    is(join(' ', map { sprintf '%.1e', 1e3 * $_->{depth_m} } @cylinder), '6.2e-02 6.2e-03 6.2e-04 6.2e-05',
       'the table: cylinders');
    near($_->{force_N}, 9.81, 'the weight') for @sphere;
    near($_->{exact_force_N}, $_->{kv_N_m3} * $pi * $_->{exact_depth_m} ** 2 * (0.05 - $_->{exact_depth_m} / 3), 'an exact cap')
        for @sphere;
}
{
    my ($row) = asked('sphere', qw(-p radius=5cm -p kv=2e8), '--mass', '2 kg');
    near($row->{force_N}, 19.6133, 'gravity is the standard one');
    near($row->{modulus_Pa}, 1e7, 'the modulus of a kv');
    near($row->{thickness_m}, 0.05, 'over the radius');
}

# closed forms
{
    my ($cone) = asked('cone', qw(-p radius=5cm -p modulus=1e7 --depth 1mm -p), 'half_apex_angle=30 deg');
    near($cone->{force_N}, $pi / 3 * 2e8 * 1e-9 / 3 * sqrt 3, 'a cone of 30 deg');
    near($cone->{exact_volume_m3}, $pi / 9 * 1e-9, 'its volume');
    near($cone->{thickness_m}, 0.05 / sqrt 3, 'its incircle');
    my @depth = (1e-6, 1e-4, 1e-2);
    my @two = asked('spheres', qw(-p radius=50mm -p radius_2=80mm -p modulus=1e7 -p modulus_2=1e7 --depth),
                    '1 um,0.1 mm,1 cm');
    for my $i (0 .. 2) {
        my ($x, $d) = ($depth[$i], 0.13 - $depth[$i]);
        near($two[$i]{force_N}, 0.004 / 0.0169 * $pi * 1e7 * $x ** 2, "two spheres: closed form at $x m");
        near($two[$i]{exact_volume_m3}, $pi * $x ** 2 * ($d ** 2 + 2 * $d * 0.13 - 3 * 0.03 ** 2) / (12 * $d), 'and the lens');
    }
    my ($series) = asked('cylinder', qw(-p radius=5cm -p modulus=1e7 -p thickness=2cm -p modulus_2=2e6 -p thickness_2=1cm),
                         qw(--depth 1mm));
    near($series->{kv_N_m3}, 1 / (0.02 / 1e7 + 0.01 / 2e6), 'punch and half-space in series');
}

# kv of what is wanted or measured
{
    my ($wanted) = asked('sphere', qw(-p radius=5cm -p contact_radius=4mm --force 9.81));
    near($wanted->{kv_N_m3}, 4 * 9.81 * 0.05 / $pi / 0.004 ** 4, 'kv of a wanted contact radius');
    my ($measured) = asked('sphere', qw(-p radius=5cm --depth 6mm --force 12));
    near($measured->{kv_N_m3}, 12 / ($pi * 36e-6 * 0.048), 'kv of a measured force and depth');
    near($measured->{exact_force_N}, 12, 'which the exact form gives back');
    my ($again) = asked('sphere', qw(-p radius=5cm --force 12 -p), "kv=$measured->{kv_N_m3}");
    near($again->{exact_depth_m}, 6e-3, 'and its depth');
}

# models
{
    my ($code, $out) = contactfit('models', 'hydroelastic-sphere');
    is($code, 0, 'models knows a shape');
    like($out, qr/^  f = kv pi R x\^2, kv = E\/R: pi E x\^2 /m, 'its formula');
    like($out, qr/^  modulus +Pa +\S+ to \S+ /m, 'its parameters');
}

# what is refused
sub refused { return is_refused('predict', @_) }
my @ball = qw(hydroelastic-sphere -p radius=5cm);
my @stiff = (@ball, qw(-p kv=2e8));
refused(2, 'unknown shape hydroelastic-spere: did you mean hydroelastic-sphere?', 'hydroelastic-spere');
refused(2, 'hydroelastic-sphere needs radius [m] (radius of the sphere): give -p radius=VALUE',
        qw(hydroelastic-sphere -p kv=1e8 --depth 1mm));
refused(2, '-p: hydroelastic-sphere has no parameter modlus: did you mean modulus?', @ball, qw(-p modlus=1e7 --depth 1mm));
refused(2, '-p: "radius": NAME=VALUE is wanted, such as radius=0.05', qw(hydroelastic-sphere -p radius));
refused(2, '-p: radius is given twice', @ball, qw(-p radius=3cm));
refused(2, '-p radius: 5 kg: a mass [kg] where a length [m] is wanted', 'hydroelastic-sphere', '-p', 'radius=5 kg');
refused(2, 'radius = 0 m: must be in [1e-09, 1e+06]', qw(hydroelastic-sphere -p radius=0 -p kv=1e8 --depth 1mm));
refused(2, "half_apex_angle = $_ deg: must be in [5.72958e-05, 89.9999] deg: at 0 and 90 deg a cone is a line or a plane",
        qw(hydroelastic-cone -p radius=5cm -p kv=1e8 --depth 1mm -p), "half_apex_angle=$_ deg") for 0, 90;
refused(1, 'the stiffness is missing: give kv, or modulus', @ball, qw(--depth 1mm));
refused(1, 'modulus_2 is missing: both spheres are compliant, and kv follows of both moduli',
        qw(hydroelastic-spheres -p radius=5cm -p radius_2=8cm -p modulus=1e7 --depth 1mm));
refused(1, 'kv = 300000000 N/m^3, but modulus over thickness makes 200000000 N/m^3: give one of them',
        @ball, qw(-p kv=3e8 -p modulus=1e7 --depth 1mm));
refused(1, 'depth = 0.06 m: must be in [0, 0.05] m, the radius of the sphere', @stiff, '--depth', '1mm,6cm');
refused(1, 'force = 100000 N: must be at most 52359.9 N, where the depth is 0.05 m, the radius of the sphere',
        @stiff, qw(--force 1e5));
refused(1, 'kv = 1e+25 N/m^3: must be in [1e-06, 1e+24]', @ball, qw(-p kv=1e25 --depth 1mm));
refused(2, '--depth: 0: a depth must be above 0', @stiff, qw(--depth 0));
refused(2, '--depth, --force or --mass is missing: give one of them', @stiff);
refused(2, '--force and --mass: one of them is wanted', @stiff, qw(--force 1 --mass 1));
refused(2, '--depth and a load say the stiffness, which -p gives, too: leave one of the three out',
        @stiff, qw(--depth 1mm --force 1));
refused(2, '--depth and --force together are one measurement: one value each', @ball, '--depth', '1mm,2mm', '--force', 1);
refused(2, '-p contact_radius says the stiffness: kv and modulus are given, too',
        @stiff, qw(-p contact_radius=1mm --force 1));
refused(2, '-p contact_radius says the stiffness under a load: give --force or --mass, and no --depth',
        @ball, qw(-p contact_radius=1mm --depth 1mm));
refused(2, 'contact_radius = 0 m: must be in [1e-09, 1e+06]', @ball, qw(-p contact_radius=0 --force 1));
refused(2, '-p gravity is of the weight of a --mass', @stiff, qw(-p gravity=1.6 --force 1));
refused(2, '--radius is of a fit: give hydroelastic-sphere -p radius=VALUE', @stiff, qw(--radius 1 --force 1));
refused(2, '--speed is of a fit: hydroelastic-sphere is asked by --depth, --force or --mass', @stiff, qw(--speed 1));
refused(2, '-p is of a hydroelastic shape: a fit has its own parameters', qw(x.json -p k=1));

done_testing();
