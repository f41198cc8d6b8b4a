#!/usr/bin/perl
# Contacts over a volume of interference in scenes: the numbers of Gonthier's that were computed with
# another program, rolling resistance in closed form, fixed steps with relaxation, energies.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use List::Util qw(first max);
use Program;
use Test::More;

draw_no_figures();

my $folder = tempdir(CLEANUP => 1);

# The rows of a table, as hashes.
sub table
{
    my ($path) = @_;
    my ($names, @rows) = map { [split /,/, $_, -1] } grep { !/^#/ } split /\n/, slurp($path);
    return map { my $row = $_; +{map { $names->[$_] => $row->[$_] } 0 .. $#$names} } @rows;
}

# Trace and events of a scene.
sub scene
{
    my ($path, @options) = @_;
    my ($exit, undef, $err) = contactfit({in => $folder}, 'simulate', $path,
        qw(--quiet --trace t.csv --events e.csv), @options);
    is("$exit $err", '0 ', "$path @options");
    return ([table("$folder/t.csv")], [table("$folder/e.csv")]);
}

# The energy of the whole stays, in parts of what there was.
sub balanced
{
    my ($trace, $within, $what) = @_;
    my $all = max map { abs($_->{energy_kinetic_J}) + abs($_->{energy_potential_J}) } @$trace;
    my $off = max map { abs $_->{energy_residual_J} } @$trace;
    ok($off <= $within * $all, "$what: energy") or diag($off / $all);
}

sub at { my ($trace, $time) = @_; return first { abs($_->{time_s} - $time) < 1e-9 } @$trace; }

# Gonthier 2007, section 5.2.1; the velocity to 1e-6 on the infinite plane, which the edge is far from.
{
    my ($t, $e) = scene("$srcdir/scenes/g07_ball_off_table.yaml", qw(--every 10ms));
    my @touch = map { $_->{time_s} } grep { $_->{event} eq 'make' } @$e;
    is_within($touch[$_], (0.1428, 0.2946, 0.3624)[$_], 5e-5, 'impact ' . ($_ + 1)) for 0 .. 2;
    is_within(at($t, 0.35)->{ball_vy_m_s}, 0.196945, 1e-6, 'speed after the second impact');
    is_within(at($t, 3.5)->{ball_y_m}, 0.2815, 2e-4, 'place before the edge');
    my $still = first { $_->{time_s} > 1 && abs $_->{ball_wz_rad_s} < 0.03 } @$t;
    is_within($still->{time_s}, 1.885, 0.015, 'the spin stops');
    is_within(at($t, 1)->{'ball-table_nz'}, 1, 1e-12, 'the normal on the face');
    my $over = first { $_->{'ball-table_ny'} > 0.7 } grep { $_->{time_s} > 4 } @$t;
    is_within($over->{time_s}, 4.4, 0.05, 'over the edge');
    balanced($t, 1e-9, 'ball off the table');
}

# Fixed steps as the source took them, with its relaxation.
for my $us (50, 250) {
    my $text = slurp("$srcdir/scenes/g07_ball_off_table.yaml");
    $text =~ s/duration: 4.6 s/duration: 0.4 s\nsolver: {method: rk3, step: $us us}/;
    $text =~ s/  - between: \[ball, table\]/$&\n    relaxation: 1 s/;
    $text =~ s/^figures:.*//ms;
    spew("$folder/fixed.yaml", $text);
    my ($t) = scene('fixed.yaml', qw(--every 50ms));
    is_within(at($t, 0.35)->{ball_vy_m_s}, 0.196945, 1e-3, "steps of $us us: speed after the impact");
}

# A force without a potential: the summary says what it took or gave.
{
    my ($exit, $out) = contactfit({in => $folder}, 'simulate', "$srcdir/scenes/g07_ball_off_table.yaml");
    my $loops = ' +loops +normal forces over edges and between cells have no potential: '
        . 'springs gave 0\.014\d+ J that they never took, 0\.01\d of the most that they held\n';
    like($out, qr/lost: closed loops .*\n(?:.*\n)*$loops/, 'work of closed loops in the summary');
    ($exit, $out) = contactfit({in => $folder}, 'simulate', "$srcdir/scenes/g07_ball_off_table.yaml", '--json');
    like($out, qr/"loop": -0\.014.*"pressed_J": 1\.\d/s, 'and in JSON');
}

# Which is none of adaptive ones.
{
    my $text = slurp("$folder/fixed.yaml") =~ s/^solver: .*\n//mr;
    spew("$folder/adaptive.yaml", $text);
    my ($exit, undef, $err) = contactfit({in => $folder}, qw(simulate adaptive.yaml));
    like("$exit $err", qr/^1 contactfit simulate: adaptive\.yaml:\d+:17: relaxation: 1 s: steps that are chosen /,
         'relaxation in adaptive steps');
    ($exit, undef, $err) = contactfit({in => $folder}, qw(simulate adaptive.yaml --quiet --method rk3 --step 1ms));
    is("$exit $err", '0 ', 'which may name fixed ones');
    spew("$folder/drawn.yaml", "${text}figures:\n  - {name: speed, kind: series, y: [ball_vz_m_s]}\n");
    ($exit, undef, $err) = contactfit({in => $folder}, qw(plot drawn.yaml));
    like("$exit $err", qr/^1 contactfit plot: drawn\.yaml:\d+:17: relaxation: 1 s: /, 'nor in a figure');
}

# Rolling resistance: w' = -kv a J_t w/(I + m h^2), J_t of the cap that the weight presses, about an
# axis across its own through its centroid, which is h below the centre; here by sums over slices.
{
    my ($R, $m, $kv, $a, $g) = (0.1, 2, 1e7, 0.5, 9.81);
    my $pi = 4 * atan2(1, 1);
    my ($low, $high) = (0, 0.01);
    for (1 .. 200) {
        my $d = ($low + $high) / 2;
        ($kv * $pi * $d**2 * ($R - $d / 3) < $m * $g ? $low : $high) = $d;
    }
    my ($n, $V, $first, $second, $J) = (20000, 0, 0, 0, 0);
    for my $i (0 .. $n - 1) {
        my $z = $low * ($i + 0.5) / $n;    # over the deepest point
        my $r2 = $z * (2 * $R - $z);
        my $dV = $pi * $r2 * $low / $n;
        $V += $dV;
        $first += $z * $dV;
        $second += $z * $z * $dV;
        $J += $r2 / 4 * $dV;
    }
    $J += $second - $first**2 / $V;
    my $rate = $kv * $a * $J / (0.4 * $m * $R**2 + $m * ($R - $first / $V)**2);
    my $height = $R - $low;
    spew("$folder/roll.yaml", <<"END");
contactfit: scene/1
title: Ball that rolls to a stop
gravity: $g m/s^2
duration: 1 s
bodies:
  ball:
    sphere: {radius: $R m}
    mass: $m kg
    inertia: solid
    position: [0 m, 0 m, $height m]
    velocity: [0.3 m/s, 0 m/s, 0 m/s]
    spin: [0 rad/s, 3 rad/s, 0 rad/s]
  floor: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}
contacts:
  - between: [ball, floor]
    foundation: {law: winkler, kv: $kv N/m^3, a: $a s/m}
    friction: {law: bristle, mu_s: 0.4, mu_c: 0.4, sigma_0: 1e5 1/m, sigma_1: 300 s/m, sigma_2: 0 s/m,
               v_s: 1 mm/s, tau_dw: 0.01 s}
END
    my ($t) = scene('roll.yaml', qw(--every 0.1s));
    my $measured = log(at($t, 0.2)->{ball_wy_rad_s} / at($t, 1)->{ball_wy_rad_s}) / 0.8;
    is_within($measured / $rate, 1, 2e-4, 'rolling resistance');
    balanced($t, 1e-9, 'rolling');
    is_within(at($t, 1)->{'ball-floor_volume_m3'} / $V, 1, 1e-6, 'V under the weight');
}

# A tippe-top ([G07] 5.2.2), by the angle between its axis and the vertical.
sub turns_over
{
    my ($trace, $beyond) = @_;
    my $row = first { 1 - 2 * ($_->{top_qx}**2 + $_->{top_qy}**2) < cos $beyond } @$trace;
    return $row ? $row->{time_s} : 'never';
}
{
    my ($t, $e) = scene("$srcdir/scenes/g07_tippe_top.yaml", qw(--every 0.1ms));
    is_within(turns_over($t, 2 * atan2(1, 1)), 1.0336, 1e-3, 'its axis is horizontal');
    is_within(turns_over($t, 2.4), 1.3920, 1e-3, 'and 2.4 rad off the vertical');
    is_within((first { $_->{event} eq 'make' && $_->{contact} eq 'top.2-plate' } @$e)->{time_s}, 1.4296, 1e-3,
         'the stem touches');
    is_within(turns_over($t, 3), 1.650, 0.02, 'it stands on it');
    balanced($t, 1e-9, 'tippe-top');
    my $closure = $t->[-1];

    my ($tilt, $w) = (0.1, 185);
    my $spin = sprintf '[0 rad/s, %.12g rad/s, %.12g rad/s]', -$w * sin $tilt, $w * cos $tilt;
    my $text = slurp("$srcdir/scenes/g07_tippe_top.yaml");
    $text =~ s/spin: \[[^]]*\]/spin: $spin/;
    $text =~ s/tau_dw: 0.01 s\}/tau_dw: 0.01 s, spin-factor: 0.65}/;
    $text =~ s/^figures:.*//ms;
    spew("$folder/scaled.yaml", $text);
    ($t) = scene('scaled.yaml', qw(--every 0.1ms));
    is_within(turns_over($t, 3), 1.466, 0.02, 'from 185 rad/s with 0.65 of the torque');

    # the integrals, whose torque at pure spin is 0.924 of the closure's and at v >> w R half of it
    ($text) = map { s/spin-factor: 0.65/contensou: paraboloid/r } $text;
    $text =~ s/duration: 1.8 s/duration: 0.2 s/;
    spew("$folder/exact.yaml", $text);
    ($t) = scene('exact.yaml', qw(--every 1ms));
    balanced($t, 1e-9, 'tippe-top, exact integrals');

    # What the scene's notes say of them.
    $text = slurp("$srcdir/scenes/g07_tippe_top.yaml");
    $text =~ s/tau_dw: 0.01 s\}/tau_dw: 0.01 s, contensou: paraboloid}/;
    $text =~ s/^figures:.*//ms;
    spew("$folder/integrals.yaml", $text);
    ($t) = scene('integrals.yaml', qw(--every 0.1ms));
    is_within(turns_over($t, 2.4), 1.4134, 2e-3, 'with the integrals it turns over later');
    is_within($t->[-1]{energy_spinning_J} / $closure->{energy_spinning_J}, 0.77, 0.02, 'and spinning takes less');
}

# A ball in a cylinder.
{
    my ($t) = scene("$srcdir/scenes/g07_volumetric_ball_in_cylinder.yaml", qw(-p duration=4s --every 10ms));
    balanced($t, 1e-9, 'ball in a cylinder');
    my ($point) = scene("$srcdir/scenes/g07_ball_in_cylinder_3d.yaml", qw(-p duration=4s --every 10ms));
    ok($t->[-1]{energy_rolling_J} > 0.3 && $point->[-1]{energy_rolling_J} == 0,
       'rolling takes energy, where a point takes none');
}

# Friction of a square that spins, over mu f_n times its mean distance from the middle, (sqrt(2) +
# asinh(1))/6 of a side: 1.067 of it as a whole, 1.005 as 64 cells. Elastic force and moment are the
# same: the block does not tilt.
{
    my @ratio;
    for my $cut (1, 8) {
        spew("$folder/square.yaml", <<"END");
contactfit: scene/1
title: Square that spins
gravity: 10 m/s^2
duration: 20 ms
bodies:
  block:
    cells: [{box: {size: [0.2 m, 0.2 m, 0.1 m], cut: [$cut, $cut, 1]}}]
    mass: 1 kg
    inertia: [0.005 kg m^2, 0.005 kg m^2, 0.00666666666666667 kg m^2]
    position: [0 m, 0 m, 0.0499975 m]
    spin: [0 rad/s, 0 rad/s, 20 rad/s]
  ground: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}
contacts:
  - between: [block, ground]
    foundation: {law: winkler, kv: 1e8 N/m^3, a: 0 s/m}
    friction: {law: coulomb, mu: 0.3, v_e: 1e-6 m/s}
END
        my ($t) = scene('square.yaml', qw(--every 10ms));
        my $torque = (20 - $t->[-1]{block_wz_rad_s}) / 0.02 * 0.02 / 3;
        push @ratio, $torque / (0.3 * 10 * 0.2 * (sqrt(2) + log(1 + sqrt 2)) / 6);
        is_within($t->[-1]{block_z_m}, 0.0499975, 1e-12, "$cut x $cut cells: it lies as it lay");
        is_within($t->[-1]{block_qx}**2 + $t->[-1]{block_qy}**2, 0, 1e-20, 'and flat');
        balanced($t, 1e-9, 'square');
    }
    is_within($ratio[0], 1.067, 5e-4, 'a square that spins, whole');
    is_within($ratio[1], 1.005, 5e-4, 'in 64 cells');
}

# Sliding and spinning of a face end together; a box comes to rest in its frame under 100 N.
{
    my ($t) = scene("$srcdir/scenes/g07_spinning_block_face.yaml", qw(--every 1ms));
    my $speed = sub { my ($r) = @_; return sqrt($r->{block_vx_m_s}**2 + $r->{block_vy_m_s}**2) };
    my $slides = first { $speed->($_) < 0.003 } @$t;
    my $spins = first { abs($_->{block_wz_rad_s}) < 0.03 } @$t;
    is_within($slides->{time_s}, $spins->{time_s}, 2e-3, 'sliding and spinning end together');
    balanced($t, 1e-9, 'face');

    ($t) = scene("$srcdir/scenes/g07_battery_box.yaml", qw(--every 10ms));
    my $end = $t->[-1];
    is_within($end->{box_x_m}, 0, 1e-6, 'the box is in');
    is_within($end->{'box-worksite.1_normal_N'}, 100, 0.1, 'the bottom carries its weight');
    is_within(abs $end->{box_qw}, 1, 1e-4, 'it is straight');
    balanced($t, 1e-9, 'battery box');
}

# A box that is tilted falls on a plane, and on a block as large: the potential of the first, and the
# work that is integrated in the second, close the balance; with damping, too.
for my $ground ('plane: {normal: [0, 0, 1], height: 0 m}',
                'cells: [{box: {size: [2 m, 2 m, 0.2 m], center: [0 m, 0 m, -0.1 m]}}]') {
    for my $a ('0 s/m', '0.3 s/m') {
        spew("$folder/tilted.yaml", <<"END");
contactfit: scene/1
title: Tilted box
gravity: 9.81 m/s^2
duration: 0.3 s
bodies:
  block:
    cells: [{box: {size: [0.2 m, 0.3 m, 0.1 m]}}]
    mass: 1 kg
    position: [0 m, 0 m, 0.2 m]
    attitude: {axis: [0.3, 0.5, 0.2], angle: 0.4 rad}
    velocity: [0.5 m/s, 0 m/s, 0 m/s]
  ground: {$ground, fixed: true}
contacts:
  - between: [block, ground]
    foundation: {law: winkler, kv: 1e8 N/m^3, a: $a}
    friction: {law: coulomb, mu: 0.3, v_e: 0.01 m/s}
END
        my ($t) = scene('tilted.yaml', qw(--every 10ms));
        balanced($t, 1e-9, "tilted, a = $a");
    }
}

# Two boxes that meet in free flight, askew: momentum and angular momentum stay, and the energy.
{
    spew("$folder/free.yaml", <<'END');
contactfit: scene/1
title: Two boxes
gravity: 0 m/s^2
duration: 0.3 s
bodies:
  one:
    cells: [{box: {size: [0.2 m, 0.3 m, 0.1 m]}}]
    mass: 1 kg
    position: [-0.2 m, 0.02 m, 0.01 m]
    attitude: {axis: [0.3, 0.5, 0.2], angle: 0.4 rad}
    velocity: [1 m/s, 0 m/s, 0 m/s]
  two:
    cells: [{box: {size: [0.2 m, 0.2 m, 0.2 m]}}]
    mass: 2 kg
    position: [0.1 m, 0 m, 0 m]
    attitude: {axis: [0.1, -0.5, 0.7], angle: 0.9 rad}
    velocity: [-1 m/s, 0.1 m/s, 0 m/s]
contacts:
  - between: [one, two]
    foundation: {law: winkler, kv: 1e8 N/m^3, a: 0.3 s/m}
    friction: {law: coulomb, mu: 0.3, v_e: 0.01 m/s}
END
    my ($t, $e) = scene('free.yaml', qw(--every 10ms));
    ok((grep { $_->{event} eq 'break' } @$e) > 0, 'they meet and part');
    my @mass = (1, 2);
    my @inertia = ([0.1 / 12, 0.05 / 12, 0.13 / 12], [(2 * 0.08 / 12) x 3]);
    my $spun = sub {    # R I R^T w
        my ($r, $name, $I) = @_;
        my ($w, $x, $y, $z) = map { $r->{"${name}_q$_"} } qw(w x y z);
        my @R = ([1 - 2 * ($y**2 + $z**2), 2 * ($x * $y - $w * $z), 2 * ($x * $z + $w * $y)],
                 [2 * ($x * $y + $w * $z), 1 - 2 * ($x**2 + $z**2), 2 * ($y * $z - $w * $x)],
                 [2 * ($x * $z - $w * $y), 2 * ($y * $z + $w * $x), 1 - 2 * ($x**2 + $y**2)]);
        my @w = map { $r->{"${name}_w${_}_rad_s"} } qw(x y z);
        my @inside = map { my $k = $_; $I->[$k] * ($R[0][$k] * $w[0] + $R[1][$k] * $w[1] + $R[2][$k] * $w[2]) } 0 .. 2;
        return map { my $i = $_; $R[$i][0] * $inside[0] + $R[$i][1] * $inside[1] + $R[$i][2] * $inside[2] } 0 .. 2;
    };
    my $momenta = sub {
        my ($r) = @_;
        my (@p, @L);
        for my $b (0, 1) {
            my $name = qw(one two)[$b];
            my @x = map { $r->{"${name}_${_}_m"} } qw(x y z);
            my @v = map { $r->{"${name}_v${_}_m_s"} } qw(x y z);
            my @own = $spun->($r, $name, $inertia[$b]);
            for my $k (0 .. 2) {
                my ($i, $j) = (($k + 1) % 3, ($k + 2) % 3);
                $p[$k] += $mass[$b] * $v[$k];
                $L[$k] += $mass[$b] * ($x[$i] * $v[$j] - $x[$j] * $v[$i]) + $own[$k];
            }
        }
        return (@p, @L);
    };
    my @first = $momenta->($t->[0]);
    my @last = $momenta->($t->[-1]);
    is_within($last[$_], $first[$_], 1e-9, ('p_x', 'p_y', 'p_z', 'L_x', 'L_y', 'L_z')[$_] . ' stays') for 0 .. 5;
    balanced($t, 1e-9, 'two boxes');
}

# Two bodies that give way: the same motion as with the kv of the pair, and their shares.
{
    my $text = slurp("$folder/roll.yaml");
    (my $two = $text) =~ s/kv: 10000000 N\/m\^3/kv_1: 3e7 N\/m^3, kv_2: 1.5e7 N\/m^3/;
    isnt($two, $text, 'two stiffnesses');
    spew("$folder/two.yaml", $two);
    my ($exit, $out) = contactfit({in => $folder}, qw(simulate two.yaml));
    like($out, qr/remark      contact ball-floor: kv = 1e\+07 N\/m\^3, of both in series: 0.333 of the volume is in ball, 0.667 in floor; /,
         'their shares');
    my ($one) = scene('roll.yaml', qw(--every 0.5s));
    my ($both) = scene('two.yaml', qw(--every 0.5s --force));
    is($both->[-1]{ball_x_m}, $one->[-1]{ball_x_m}, 'move as one');
}

# What each of two bodies has alone, at its share of the depth and of the speeds, carries the same force
# along the surface and across it.
for my $law (['winkler', 'a: 0.07 s/m'], ['gonthier-volumetric', 'e: 0.6, v_small: 1 mm/s']) {
    my ($name, $damping) = @$law;
    my ($kv1, $kv2, $a, $mu, $v, $slip) = (2e6, 5e6, 0.07, 0.02, 0.3, 0.11);
    spew("$folder/shares.yaml", <<"END");
contactfit: scene/1
title: two that give way
gravity: 9.81 m/s^2
duration: 0.1 s
bodies:
  ball: {sphere: {radius: 20 mm}, mass: 30 g, inertia: solid, position: [0, 0, 21 mm], velocity: [0.1 m/s, 0, 0]}
  mat: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}
contacts:
  - between: [ball, mat]
    foundation: {law: $name, kv_1: 2e6 N/m^3, kv_2: 5e6 N/m^3, $damping}
    friction: {law: viscous-load, mu_v: 0.02 s/m}
END
    my ($exit, $out) = contactfit({in => $folder}, qw(simulate shares.yaml));
    $out =~ s{\n {14}}{ }g;
    my ($r1, $r2) = $out =~ /: (\S+) of the volume is in ball, (\S+) in mat;/;
    my ($a1, $a2) = $out =~ /; its damping, a = 0\.07 s\/m, would be (\S+) in ball alone, (\S+) in mat;/;
    my ($m1, $m2) = $out =~ /; its friction, mu_v = 0\.02 s\/m, would be (\S+) in ball alone, (\S+) in mat$/m;
    if ($name ne 'winkler') {
        my @times = $out =~ /; its damping would be (\S+) times as large in ball alone, (\S+) times in mat;/;
        ($a1, $a2) = map { $a * $_ } @times;
    }
    my $force = $kv1 * $kv2 / ($kv1 + $kv2) * (1 + $a * $v);
    is_near($kv1 * $r1 * (1 + $a1 * $r1 * $v), $force, 2e-3, "$name: the ball's force is the pair's") or diag($out);
    is_near($kv2 * $r2 * (1 + $a2 * $r2 * $v), $force, 2e-3, "and so is the mat's");
    is_near($m1 * $r1 * $slip * $force, $mu * $slip * $force, 2e-3, "the ball's friction is the pair's");
    is_near($m2 * $r2 * $slip * $force, $mu * $slip * $force, 2e-3, "and so is the mat's");
}

# What cannot be.
sub refused
{
    my ($what, $cells, $other, $said) = @_;
    spew("$folder/bad.yaml", <<"END");
contactfit: scene/1
title: Bad
gravity: 9.81 m/s^2
duration: 1 ms
bodies:
  block:
    cells: $cells
    mass: 1 kg
    inertia: [1 kg m^2, 1 kg m^2, 1 kg m^2]
    position: [0 m, 0 m, 0.5 m]
  ground: {$other, fixed: true}
contacts:
  - {between: [block, ground], foundation: {law: winkler, kv: 1e8, a: 0}}
END
    my ($exit, undef, $err) = contactfit({in => $folder}, qw(simulate bad.yaml));
    is("$exit $err", $said ? "1 contactfit simulate: bad.yaml:$said\n" : '0 ', $what);
}
my $plane = 'plane: {normal: [0, 0, 1], height: 0 m}';
my $box = '[{box: {size: [1 m, 1 m, 1 m]}}]';
refused('no cells', '[]', $plane, '7:12: cells: none: one or more are wanted');
refused('a form of no cell', '[{bocks: {radius: 1 m}}]', $plane, '7:14: unknown form of a cell bocks: known here: intersection, sphere, box, '
        . 'cylinder, cone, polytope, half-space, ellipsoid, endless-cylinder, endless-cone, paraboloid');
refused('two forms in one', '[{box: {size: [1 m, 1 m, 1 m]}, cone: {radius: 1 m, height: 1 m}}]', $plane,
        '7:13: cells: 2 forms in one entry: one is wanted');
refused('a cone of no height', '[{cone: {radius: 1 m, height: 0 m}}]', $plane,
        '7:20: height = 0 m: must be in [1e-09, 1e+06]');
refused('a flat box', '[{box: {size: [1 m, 0 m, 1 m]}}]', $plane,
        '7:19: size_y = 0 m: must be in [1e-09, 1e+06]');
refused('a cut of nothing', '[{box: {size: [1 m, 1 m, 1 m], cut: [2, 0, 1]}}]', $plane,
        '7:52: this entry: 0: a whole number from 1 to 1000 is wanted');
refused('an open polytope', '[{polytope: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], '
        . 'faces: [[1, 3, 2], [1, 2, 4], [1, 4, 3], [1, 3, 2]]}}]', $plane, 
        '7:24: polytope: the edge of face 1 from vertex 1 to 3 is not shared by exactly one other face '
        . 'that runs the opposite way: the body is open or a face is inside out');
refused('a vertex that is not there', '[{polytope: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], '
        . 'faces: [[1, 3, 2], [1, 2, 5], [1, 4, 3], [2, 3, 4]]}}]', $plane, '7:107: this entry: 5: a whole number from 1 to 4 is wanted');

# Gaps between cells: a thousandth of the smaller one's size, 1 m and the square root of 3, is a slip.
sub blocks { return '[' . join(', ', map { "{box: {size: [1 m, 1 m, $_->[0] m], center: [$_->[1]]" . ($_->[2] // '') . '}}' } @_) . ']' }
my @on = ([1, '0 m, 0 m, 0 m'], [1, '0 m, 0.3 m, 1.0005 m']);
refused('a gap between cells', blocks(@on), $plane, '7:5: body block: cells 1 and 2 leave a gap of 0.0005 m, less '
        . 'than 0.001 of the size of the smaller one, 1.732 m: close it, or state clearance, the narrowest gap that is '
        . 'meant');
refused('a gap that is stated', blocks(@on) . "\n    clearance: 0.5 mm", $plane, '');
refused('a gap below the clearance', blocks(@on) . "\n    clearance: 0.6 mm", $plane, '7:5: body block: cells 1 and 2 '
        . 'leave a gap of 0.0005 m: at least the clearance of 0.0006 m that is stated, or none');
refused('a gap that a cell fills', blocks(@on, [0.0005, '0 m, 0 m, 0.50025 m']), $plane, '');
refused('a clearance', blocks($on[0], [1, '0 m, 0 m, 1.002 m']), $plane, '');
refused('cells side by side, to rounding', blocks($on[0], [1, '0 m, 0 m, 1.0000000001 m']), $plane, '');
refused('cells that have an edge side by side', blocks($on[0], [1, '0 m, 1 m, 1.0005 m']), $plane, '');
refused('a tilt', blocks($on[0], [1, '0 m, 0 m, 1.005 m', ', attitude: {axis: [1, 0, 0], angle: 0.5 deg}']), $plane, '');
refused('a slip of the tilt, too', blocks($on[0], [1, '0 m, 0 m, 1.0005 m', ', attitude: {axis: [1, 0, 0], angle: 0.01 deg}']),
        $plane, '7:5: body block: cells 1 and 2 leave a gap of 0.0004127 m, less than 0.001 of the size of the smaller one, '
        . '1.732 m: close it, or state clearance, the narrowest gap that is meant');
refused('cells of a cut', '[{box: {size: [1 m, 1 m, 1 m], cut: [7, 3, 5]}}]', $plane, '');
refused('a clearance without cells', "[{box: {size: [1 m, 1 m, 1 m]}}]", "$plane, clearance: 1 mm",
        '11:53: clearance: body ground has no cells that could leave gaps');
refused('cells that overlap', '[{box: {size: [1 m, 1 m, 1 m]}}, {box: {size: [1 m, 1 m, 1 m], center: [0.9 m, 0 m, 0 m]}}]',
        $plane, '7:5: body block: cells 1 and 2 overlap by 0.1 m^3: what they have in '
        . 'common would press twice');
refused('a box in a bore', $box, 'bore: {point: [0 m, 0 m, 0 m], axis: [0, 1, 0], radius: 9 m}', '13:5: contact block-ground: no exact volume of a cell and a bore: a '
        . 'cell of block touches a plane, or cells');
refused('too deep', $box, 'plane: {normal: [0, 0, 1], height: 0.2 m}', '13:5: contact block-ground: it starts with an overlap of 0.2 m^3: at '
        . 'most 0.1 of the smaller volume, 0.1 m^3');
refused('wholly inside', $box, 'cells: [{box: {size: [9 m, 9 m, 9 m]}}]', '13:5: contact block-ground: it starts with one of the bodies wholly '
        . 'inside the other');
refused('a cube that tells no normal', '[{box: {size: [1 m, 1 m, 1 m], center: [0.9 m, 0.9 m, 0.4 m]}}]',
        'cells: [{box: {size: [1 m, 1 m, 1 m]}}]', '13:5: contact block-ground: it starts with an overlap of 0.001 m^3 '
        . 'whose inertia determines no normal: two of its moments are equal');
done_testing();
