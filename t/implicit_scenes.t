#!/usr/bin/perl
# Cells that no exact volume is known of, measured by an octree: they move as exact ones do where both
# are known, stand where their weight is carried, keep their energy, and say what they lack.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use List::Util qw(max);
use Program;
use Test::More;

draw_no_figures();

my $folder = tempdir(CLEANUP => 1);

# A body that meets another: its shape, how it starts, the other one's shape.
sub text
{
    my (%c) = (gravity => '0 m/s^2', ms => 5, kv => '1e9', e => 0.7, friction => 0.2, solver => '', tolerance => '1e-7',
               mass => 'mass: 0.1 kg, inertia: [4e-5 kg m^2, 4e-5 kg m^2, 2e-5 kg m^2]', @_);
    my $friction = $c{friction} ? "friction: {law: coulomb, mu: $c{friction}, v_e: 1 mm/s}," : '';
    return <<"END";
contactfit: scene/1
title: Meeting
gravity: $c{gravity}
duration: $c{ms} ms
bodies:
  one: {$c{one}, $c{mass}, $c{start}}
  two: {fixed: true, $c{two}}
contacts:
  - {between: [one, two], $friction foundation: {law: gonthier-volumetric, kv: $c{kv} N/m^3, e: $c{e}, v_small: 10 mm/s}}
solver: {tolerance: $c{tolerance}$c{solver}}
output: {every: 1 ms}
END
}

# Trace and touches.
sub run
{
    my ($what, %scene) = @_;
    spew("$folder/s.yaml", text(%scene));
    my ($exit, $out, $err) = contactfit({in => $folder}, qw(simulate s.yaml --quiet --trace t.csv --events e.csv));
    is("$exit $err", '0 ', $what);
    my @tables = map {
        my ($names, @rows) = map { [split /,/, $_, -1] } grep { !/^#/ } split /\n/, slurp("$folder/$_");
        [map { my $row = $_; +{map { $names->[$_] => $row->[$_] } 0 .. $#$names} } @rows];
    } qw(t.csv e.csv);
    return @tables;
}

my @seen = map { ("one_$_") } qw(x_m y_m z_m vx_m_s vy_m_s vz_m_s wx_rad_s wy_rad_s wz_rad_s);

# Two runs that should be the same: touches to rounding of the depth, the end to a part of its size.
sub alike
{
    my ($what, $within, $exact, $other) = @_;
    my ($a, $ae) = run("$what, exactly", %$exact);
    my ($b, $be) = run("$what, by the octree", %$exact, %$other);
    ok(@$ae && @$ae == @$be, 'as many events') or diag(scalar(@$ae), ' and ', scalar @$be);
    ok(abs($ae->[0]{time_s} - $be->[0]{time_s}) < 1e-10, 'the touch');
    my $off = max map { abs($a->[-1]{$_} - $b->[-1]{$_}) / max(abs($a->[-1]{$_}), 0.01) } @seen;
    ok($off < $within, 'the end') or diag($off);
}

my $plate = 'cells: [{box: {size: [20 cm, 20 cm, 2 cm], center: [0 m, 0 m, -1 cm]}}]';
my $ground = 'plane: {normal: [0, 0, 1], height: 0 m}';
my $ball = 'mass: 0.1 kg, inertia: solid';

# By default no more than pressing in, of what takes long by the octree; the others come out again.
alike('a cylinder falls on its rim', 2e-5,
      {ms => $full ? 20 : 8, tolerance => $full ? '1e-7' : '1e-6',
       one => 'cells: [{cylinder: {radius: 2 cm, length: 6 cm}}]', two => $ground,
       start => 'position: [0 m, 0 m, 4 cm], attitude: {axis: [1, 0, 0], angle: 0.7 rad}, velocity: [0.2 m/s, 0 m/s, -1 m/s]'},
      {one => 'cells: [{intersection: [{cylinder: {radius: 2 cm, length: 6 cm}}]}]'});
alike('a box falls on a box', 1e-4,
      {one => 'cells: [{box: {size: [4 cm, 5 cm, 6 cm]}}]', two => $plate, ms => 20,
       start => 'position: [0 m, 0 m, 4.6 cm], attitude: {axis: [1, 2, 0], angle: 0.5 rad}, velocity: [0.2 m/s, 0 m/s, -1 m/s]'},
      {one => 'cells: [{intersection: [{box: {size_x: 4 cm, size_y: 5 cm, size_z: 6 cm}}]}]'});
alike('a ball on a cylinder', 1e-4,
      {one => 'sphere: {radius: 2 cm}', mass => $ball, ms => $full ? 12 : 2.2, tolerance => $full ? '1e-7' : '1e-6',
       two => 'cylinder: {point: [0 m, 0 m, 0 m], axis: [0, 1, 0], radius: 3 cm}',
       start => 'position: [1 cm, 0 m, 5 cm], velocity: [0 m/s, 0.3 m/s, -1 m/s]'},
      {one => 'cells: [{sphere: {radius: 2 cm}}]', solver => ', octree: {error: 1e-3}',
       two => 'cells: [{cylinder: {radius: 3 cm, length: 20 cm, attitude: {axis: [1, 0, 0], angle: 90 deg}}}]'});
alike('a ball in a bore', 1e-4,
      {one => 'sphere: {radius: 2 cm}', mass => $ball, ms => 2.8,
       two => 'bore: {point: [0 m, 0 m, 0 m], axis: [0, 0, 1], radius: 2.5 cm}',
       start => 'position: [2 mm, 1 mm, 0 m], velocity: [1 m/s, 0.2 m/s, 0.1 m/s]'},
      {one => 'cells: [{sphere: {radius: 2 cm}}]', solver => ', octree: {error: 1e-4}',
       two => 'cells: [{intersection: [{box: {size_x: 20 cm, size_y: 20 cm, size_z: 10 cm}}, '
           . '{endless-cylinder: {radius: 2.5 cm, hole: true}}]}]'});

# A primitive lies as its attitude says, about an axis that is none of its own.
{
    my $attitude = 'center: [1 mm, -2 mm, 3 mm], attitude: {axis: [1, 2, 3], angle: 1.3 rad}';
    alike('a cone that lies askew in its body', 2e-5,
          {ms => 36, one => "cells: [{cone: {radius: 2 cm, height: 4 cm, $attitude}}]", two => $ground, e => 0.3,
           start => 'position: [0 m, 0 m, 3.4 cm], velocity: [0.2 m/s, 0 m/s, -1 m/s]'},
          {one => "cells: [{intersection: [{cone: {radius: 2 cm, height: 4 cm, $attitude}}]}]"});
}

# Where the weight is carried they stay: kv V(depth) = m g.
sub stands
{
    my ($what, $cells, $center_m, $volume_m3, @more) = @_;
    my $kv = 0.1 * 9.81 / $volume_m3;
    my ($t) = run($what, one => "cells: [$cells]", two => $ground, gravity => '9.81 m/s^2', kv => $kv, friction => 0,
        start => "position: [0 m, 0 m, $center_m m]", ms => $full ? 5 : 2, @more);
    ok(abs($t->[-1]{one_z_m} - $center_m) < 1e-9, "$what: it stays") or diag($t->[-1]{one_z_m} - $center_m);
}
my $pi = 4 * atan2(1, 1);
stands('a ring on its face', '{intersection: [{cylinder: {radius: 5 cm, length: 3 cm}}, '
    . '{endless-cylinder: {radius: 3 cm, hole: true}}]}', 0.0149, $pi * (0.05**2 - 0.03**2) * 1e-4);
stands('an ellipsoid', '{ellipsoid: {radius_x: 3 cm, radius_y: 2 cm, radius_z: 1 cm}}', 0.0099,
       0.03 * 0.02 * $pi / 0.01**2 * 1e-4**2 * (0.01 - 1e-4 / 3));
stands('a bowl, upside down', '{intersection: [{sphere: {radius: 5 cm}}, {half-space: {attitude: {axis: [1, 0, 0], angle: 180 deg}}}, '
    . '{sphere: {radius: 4 cm, hole: true}}]}', -1e-4, $pi * (0.05**2 - 0.04**2) * 1e-4);

# Along a bore, near its wall, and never on it.
{
    my ($t, $e) = run('a ball flies along a bore', one => 'cells: [{sphere: {radius: 2 cm}}]', mass => $ball, ms => 300,
        two => 'cells: [{intersection: [{box: {size_x: 20 cm, size_y: 20 cm, size_z: 1 m}}, '
            . '{endless-cylinder: {radius: 2.1 cm, hole: true}}]}]',
        start => 'position: [0.9 mm, 0 m, -0.6 m], velocity: [0 m/s, 0 m/s, 4 m/s]');
    is(scalar @$e, 0, 'it touches nothing');
    ok(abs($t->[-1]{one_z_m} - 0.6) < 1e-12, 'and comes out');
}

# Let go in a cup, from rest: it falls by 1 cm.
{
    my (undef, $e) = run('a ball in a cup, let go', one => 'cells: [{sphere: {radius: 2 cm}}]', mass => $ball, ms => 46,
        two => 'cells: [{intersection: [{cylinder: {radius: 5 cm, length: 6 cm}}, '
            . '{cylinder: {radius: 3 cm, length: 5 cm, center: [0 m, 0 m, 1 cm], hole: true}}]}]', friction => 0,
        start => 'position: [2 mm, 0 m, 1.5 cm]', gravity => '9.81 m/s^2', tolerance => '1e-5');
    ok(@$e && abs($e->[0]{time_s} - sqrt(0.02 / 9.81)) < 1e-9, 'on its bottom, when it should be');
}

# Into a cup: past its mouth, on its rim, against its wall, on its bottom, each where it is.
{
    my (undef, $e) = run('a ball falls into a cup', one => 'cells: [{sphere: {radius: 2 cm}}]', mass => $ball, ms => 100, tolerance => '1e-5', friction => 0,
        two => 'cells: [{intersection: [{cylinder: {radius: 5 cm, length: 6 cm}}, '
            . '{cylinder: {radius: 3 cm, length: 5 cm, center: [0 m, 0 m, 1 cm], hole: true}}]}]', e => 0.5,
        start => 'position: [1.02 cm, 0 m, 6.5 cm], velocity: [0.1 m/s, 0 m/s, -0.5 m/s]', gravity => '9.81 m/s^2');
    my @at = grep { $_->{event} eq 'make' } @$e;
    my %seen;
    for (@at) {
        my ($x, $z) = (abs $_->{x_m}, $_->{z_m});
        my %way = (rim => $z > 0.03 ? sqrt(($x - 0.03)**2 + ($z - 0.03)**2) : 1, wall => $z > 0.03 ? 1 : 0.03 - $x,
                   bottom => $z + 0.015);
        my ($least) = sort { $way{$a} <=> $way{$b} } keys %way;
        $seen{$least}++;
        ok(abs($way{$least} - 0.02) < 1e-9, "on its $least") or diag("$x $z");
    }
    ok($seen{rim} && $seen{bottom}, 'on its rim and on its bottom') or diag(join ' ', %seen);
}

# Energy, of a ring that falls askew; the finest that is asked for here, too.
for my $case (['1e-2', 1e-5], ['1e-4', 1e-6]) {
    my ($error, $within) = @$case;
    my ($t, $e) = run("a ring falls, error $error", one => 'cells: [{intersection: [{cylinder: {radius: 5 cm, length: 3 cm}}, '
        . '{endless-cylinder: {radius: 3 cm, hole: true}}]}]', two => $ground, gravity => '9.81 m/s^2', kv => 1e8,
        mass => 'mass: 0.5 kg, inertia: [4e-4 kg m^2, 4e-4 kg m^2, 8e-4 kg m^2]', ms => 12,
        start => 'position: [0 m, 0 m, 3 cm], velocity: [0 m/s, 0 m/s, -1 m/s], attitude: {axis: [1, 0, 0], angle: 0.3 rad}',
        solver => ", octree: {error: $error}");
    is(scalar @$e, 2, 'it touches and leaves');
    my $all = max map { $_->{energy_kinetic_J} + abs $_->{energy_potential_J} } @$t;
    my $off = max map { abs $_->{energy_residual_J} } @$t;
    ok($off < $within * $all, 'its energy') or diag($off / $all);
}

# What cannot be.
sub refused
{
    my ($what, $said, %scene) = @_;
    spew("$folder/bad.yaml", text(start => 'position: [0 m, 0 m, 10 cm]', two => $ground, %scene));
    my ($exit, undef, $err) = contactfit({in => $folder}, qw(simulate bad.yaml));
    is("$exit $err", "1 contactfit simulate: bad.yaml:$said\n", $what);
}
sub of { return 'cells: [{intersection: [' . join(', ', @_) . ']}]' }
my $sphere = '{sphere: {radius: 2 cm}}';
refused('an empty intersection', '6:32: intersection: 0 primitives: 1 to 64 are wanted', one => of());
refused('no primitive', '6:34: unknown primitive sfere: did you mean sphere?', one => of('{sfere: {radius: 2 cm}}'));
refused('two in one', '6:33: intersection: 2 primitives in one entry: one is wanted',
        one => of('{sphere: {radius: 2 cm}, box: {size_x: 1 m, size_y: 1 m, size_z: 1 m}}'));
refused('a size of nothing', '6:51: sphere: radius = 0 m: must be in [1e-09, 1e+06]', one => of('{sphere: {radius: 0 m}}'));
refused('a size that is not there', '6:42: no key radius here: it is needed', one => of('{sphere: {}}'));
refused('a cone of 90 deg', '6:61: endless-cone: half_angle = 1.5707963267949 rad: must be in [1e-06, 1.5708]',
        one => of('{endless-cone: {half_angle: 90 deg}}'));
refused('a hole that is no answer', '6:63: hole: perhaps: true or false is wanted',
        one => of('{sphere: {radius: 2 cm, hole: perhaps}}'));
refused('only a hole', '6:32: body: must have a primitive that is not a hole', one => of('{sphere: {radius: 2 cm, hole: true}}'));
refused('a hole that empties its primitive', '6:32: body: its holes leave nothing of it',
        one => of($sphere, '{sphere: {radius: 3 cm, hole: true}}'));
refused('nothing in common', '6:32: body: its primitives have nothing in common',
        one => of($sphere, '{sphere: {radius: 2 cm, center: [9 cm, 0 m, 0 m]}}'));
refused('without an end', '6:8: body one: cell 1 has no end, as only a fixed body may: give it a primitive that is '
    . 'bounded, as box or sphere', one => 'cells: [{endless-cylinder: {radius: 2 cm}}]');
refused('cells that overlap', '6:8: body one: cells 1 and 2 overlap by 1.77492e-05 m^3: what they have in common would press twice',
        one => 'cells: [{sphere: {radius: 2 cm}}, {sphere: {radius: 2 cm, center: [1.3 cm, 0 m, 0 m]}}]');
refused('an octree of no error', '10:43: error: 0: must be in [1e-09, 0.1]', one => of($sphere), solver => ', octree: {error: 0}');
refused('boxes that are not enough', '10:47: max-boxes: 0: a whole number from 1 to 1000000000000 is wanted', one => of($sphere), solver => ', octree: {max-boxes: 0}');
# What a volume would take more than: the run says which contact, and why.
{
    spew("$folder/few.yaml", text(one => of($sphere), two => $ground, solver => ', octree: {max-boxes: 20}',
        start => 'position: [0 m, 0 m, 2.1 cm], velocity: [0 m/s, 0 m/s, -1 m/s]'));
    my ($exit, undef, $err) = contactfit({in => $folder}, qw(simulate few.yaml));
    like("$exit $err", qr/^1 contactfit simulate: few\.yaml: the run stopped at t = \S+ s, contact one-two: octree: its error is \S+ m3 after \d+ boxes, of 20 that it may take, and should be \S+ m3\n$/,
         'too few boxes');
    my $text = slurp("$folder/few.yaml") =~ s/max-boxes: 20/max-memory-MB: 1/r;
    spew("$folder/few.yaml", $full ? $text : $text =~ s/duration: 5 ms/duration: 2 ms/r =~ s/every: 1 ms/every: 0.5 ms/r);
    ($exit, undef, $err) = contactfit({in => $folder}, qw(simulate few.yaml));
    is("$exit $err", '0 ', 'a megabyte is enough');
}
done_testing();
