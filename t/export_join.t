#!/usr/bin/perl
# Several fits that share a body, in targets that set values by body: each pair gets what it has in
# an export of its own. Oracles are the targets' rules for two bodies, worked out here.

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
my %body = (
    ball => 'ball: {sphere: {radius: 10 mm}, mass: 10 g}',
    small => 'small: {sphere: {radius: 5 mm}, mass: 2 g}',
    large => 'large: {sphere: {radius: 30 mm}, mass: 90 g}',
    block => 'block: {plane: {}, fixed: true}',
    slab => 'slab: {plane: {}, fixed: true}',
);
my %mass = (ball => 0.01, small => 0.002, large => 0.09);
sub mass_of { 1 / ((exists $mass{$_[0]} ? 1 / $mass{$_[0]} : 0) + (exists $mass{$_[1]} ? 1 / $mass{$_[1]} : 0)) }
sub fit
{
    my ($law, $a, $b) = @_;
    return synthetic($scratch, "$law-$a-$b", $law, bodies => "  $body{$a}\n  $body{$b}\n",
                     mass => mass_of($a, $b));
}
my @pairs = (['ball', 'block'], ['small', 'block'], ['large', 'block']);
my %fits = map { my $law = $_; ($law => [map { fit($law, @$_) } @pairs]) } 'azad-featherstone', 'hunt-crossley';

sub near { return is_near(@_[0, 1], 1e-8, $_[2]) }
# Values of the head by body: {ball => {kp => 3}}, of each fit.
sub heads
{
    my ($text) = @_;
    my @heads;
    for my $head (split /^(?=\S* ?contactfit \S+ for )/m, $text) {
        my ($one, $other) = $head =~ /pair: (\S+) with (\S+),/ or next;
        my %value;
        while ($head =~ /^\S+ (\S+) = (\S+)(?: \S[^:\n]*?)? of (each body|\S+): /mg) {
            my ($name, $value, $of) = ($1, $2, $3);
            $value{$_}{$name} = $value for $of eq 'each body' ? ($one, $other) : $of;
        }
        push @heads, [$one, $other, \%value];
    }
    return @heads;
}
sub series { return 1 / (1 / $_[0] + 1 / $_[1]) }
my %rule = (
    sum => sub { $_[0] + $_[1] },
    mean => sub { ($_[0] + $_[1]) / 2 },
    series => \&series,
    product => sub { $_[0] * $_[1] },
    smaller => sub { $_[0] < $_[1] ? $_[0] : $_[1] },
    harmonic => sub { 2 * $_[0] * $_[1] / ($_[0] + $_[1]) },
    simbody => sub { series(map { $_ ** (2 / 3) } @_) ** 1.5 },
);
my %target = (
    bullet => {contactStiffness => 'series', contactDamping => 'sum', friction => 'product'},
    urdf => {stiffness => 'series', damping => 'sum', lateral_friction => 'product'},
    gazebo => {kp => 'series', kd => 'sum', mu => 'smaller', max_vel => 'smaller'},
    gz => {restitution_coefficient => 'product', mu => 'smaller'},
    dart => {restitution => 'product', friction => 'smaller'},
    chrono => {kn => 'mean', gn => 'mean', friction => 'smaller'},
    physx => {compliantContactStiffness => 'mean', compliantContactDamping => 'mean',
              staticFriction => 'mean', dynamicFriction => 'mean'},
    yade => {young => 'series', frictionAngle => 'smaller'},
    'drake-sap' => {point_contact_stiffness => 'series', relaxation_time => 'sum',
                    mu_dynamic => 'harmonic', mu_static => 'harmonic'},
    'drake-sap-sdf' => {point_contact_stiffness => 'series', relaxation_time => 'sum'},
    drake => {point_contact_stiffness => 'series', hunt_crossley_dissipation => 'drake'},
    'drake-sdf' => {point_contact_stiffness => 'series', hunt_crossley_dissipation => 'drake'},
    simbody => {stiffness => 'simbody', dissipation => 'simbody weights'},
);
# What the target makes of a value of two bodies.
sub joined
{
    my ($target, $name, $one, $other, $value) = @_;
    my ($v, $w) = map { $value->{$_}{$name} } $one, $other;
    my $rule = $target{$target}{$name};
    return $rule{$rule}->($v, $w) if $rule{$rule};
    my ($k, $l) = map { $value->{$_}{$rule eq 'drake' ? 'point_contact_stiffness' : 'stiffness'} } $one, $other;
    ($k, $l) = map { $_ ** (2 / 3) } $k, $l if $rule ne 'drake';
    return ($v * $l + $w * $k) / ($k + $l);
}

for my $target (sort keys %target) {
    my $law = $target =~ /^(drake|drake-sdf|simbody)$/ ? 'hunt-crossley' : 'azad-featherstone';
    my @fits = @{$fits{$law}};
    my @friction = map { ['-p', "mu_S=$_->[0]", '-p', "mu_C=$_->[1]"] } [0.3, 0.2];
    my @options = ('-q', '--to', $target, '--speed', 0.5, '--slowest', 0.2, '--bound', 0.9,
                   @{$friction[0]});
    my (@alone, @shared);
    for my $fit (@fits) {
        my ($code, $text) = contactfit('export', @options, $fit);
        is($code, 0, "$target alone");
        push @alone, heads($text);
    }
    my ($code, $text, $err) = contactfit('export', @options, @fits);
    is($code, 0, "$target: three fits on one block") or diag($err);
    @shared = heads($text);
    is(scalar(@shared), 3, 'three heads');
    unlike($text, qr/\b(nan|inf)\b/i, 'numbers');
    my %seen;
    for my $i (0 .. $#shared) {
        my ($one, $other, $value) = @{$shared[$i]};
        for my $name (sort keys %{$target{$target}}) {
            near(joined($target, $name, $one, $other, $value), joined($target, $name, @{$alone[$i]}),
                 "$target: $name of $one with $other");
            for my $body ($one, $other) {
                my $v = $value->{$body}{$name};
                ok($v >= 0, "$name of $body is not below 0");
                is($v, $seen{$body}{$name} //= $v, "$target: one $name of $body");
            }
        }
    }
}

# Yade has K_t of the mean of the shear moduli, E/(2 (1 + nu)), and K_n of the moduli in series
{
    my (undef, $text) = contactfit(qw(export -q --to yade -p mu_C=0.2), @{$fits{'azad-featherstone'}});
    my @times = $text =~ /^# K_t is (\S+) times/mg;
    my @young = map { [$_->[2]{$_->[0]}{young}, $_->[2]{$_->[1]}{young}] } heads($text);
    my @want = map { (($_->[0] + $_->[1]) / 2) / (2 * series(@$_)) } grep { $_->[0] != $_->[1] } @young;
    is(scalar(@times), scalar(@want), 'yade: where the moduli differ');
    ok(abs($times[$_] / $want[$_] - 1) < 1e-3, 'so much more') for 0 .. $#want;
    like($text, qr/^def contactfit_physics\(\*pairs\):$/m, 'and one functor for all pairs');
}

# pairs whose e no values by body give, exact as the files say it: block would be above 1
{
    my %e = ('ball-block' => 0.8, 'small-block' => 0.8, 'ball-small' => 0.25);
    my @three;
    for my $name (sort keys %e) {
        my $fit = decode_json(slurp(fit('e-constant', split /-/, $name)));
        $fit->{parameters}{e}{value} = $e{$name};
        spew("$scratch/$name.json", encode_json($fit));
        push @three, "$scratch/$name.json";
    }
    my ($code, $text, $err) = contactfit(qw(export -q --to gz), @three);
    is($code, 1, 'a circle of pairs that no values by body give');
    is($err, 'contactfit export: gz multiplies restitution_coefficient of two bodies, and no values by body '
        . 'give each pair its own: ball with block 0.8, ball with small 0.25, small with block 0.8; export '
        . "them apart, for scenes of their own, or to what holds values by pair: c-header, python, javascript, mujoco, ode, ode-bounce, "
        . "lammps, lammps-restitution, liggghts, mercury\n", 'and it names them');
    is($text, '', 'nothing is written');
    (undef, $text, $err) = contactfit(qw(export --to gz), @three[0, 2]);
    like($err, qr/^no fit is of ball with small: gz joins the values that stand here$/m, 'a pair without a fit');
    ($code) = contactfit(qw(export -q --to ode-bounce), @three);
    is($code, 0, 'by pair all of them go');
}

# MuJoCo holds them by pair: two balls on one floor, by classes of the balls or by pairs of geoms
SKIP: {
    skip 'make check-export runs the simulators', 6 if !$ENV{CHECK_EXPORT};
    skip 'MuJoCo is not installed: apt-get install libmujoco-dev', 6
        if system("cc -o '$scratch/shared' '$srcdir/t/drivers/mujoco_shared.c' -lmujoco 2>/dev/null");
    my @two = @{$fits{'azad-featherstone'}}[0, 1];
    my ($v, $dt) = (0.5, 1e-5);
    my @ask = (qw(export -q --to mujoco --bound 0.2 --speed), $v, '--dt', $dt);
    my ($code, $text) = contactfit(@ask, @two);
    is($code, 0, 'mujoco: two fits on one block');
    like($text, qr/^<!-- small with block -->\n    <default class="contactfit_2">/m, 'each class says whose it is');
    spew("$scratch/materials.xml", $text);
    my @e = map { decode_json((contactfit(@ask, '--json', $_))[1])->{fits}[0]{step} } @two;
    my $pairs = join '', map { "<pair class=\"contactfit_$_\" geom1=\"g$_\" geom2=\"floor\"/>" } 1, 2;
    for my $by_pair (0, 1) {
        my @class = map { $by_pair ? '' : "class=\"contactfit_$_\"" } 0 .. 2;
        spew("$scratch/scene.xml", '<mujoco><include file="materials.xml"/><option gravity="0 0 0"/><worldbody>'
            . '<geom name="floor" type="plane" size="1 1 .1"/>'
            . "<body pos=\"0 0 .0100001\"><joint type=\"slide\" axis=\"0 0 1\"/><geom name=\"g1\" $class[1] size=\".01\" mass=\".01\"/></body>"
            . "<body pos=\".1 0 .0050001\"><joint type=\"slide\" axis=\"0 0 1\"/><geom name=\"g2\" $class[2] size=\".005\" mass=\".002\"/></body>"
            . '</worldbody>' . ($by_pair ? "<contact>$pairs</contact>" : '') . '</mujoco>');
        my @seen = split ' ', `cd '$scratch' && ./shared scene.xml $v 2000`;
        for (0, 1) {
            ok(@seen == 2 && $seen[$_] > $e[$_]{low} - 1e-6 && $seen[$_] < $e[$_]{high} + 1e-6, ($by_pair ? 'pair' : 'class') . ' of ball ' . ($_ + 1))
                or diag("@seen for $e[$_]{low} to $e[$_]{high}");
        }
    }
}
done_testing();
