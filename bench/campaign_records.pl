#!/usr/bin/perl
# Synthetic records of a friction campaign on one pair of surfaces, all made by `simulate`: a block
# held by a spring on a plate that moves on under it, and beside it sliding at constant speeds, slow
# loops, and a knock.
#
#   perl bench/campaign_records.pl plate 35 11 > data/synthetic_plate_35.csv     mm/s, and seed
#   perl bench/campaign_records.pl slide 12 > data/synthetic_plate_slides.csv
#   perl bench/campaign_records.pl ramp 13 > data/synthetic_plate_loops.csv
#   perl bench/campaign_records.pl tap 14 > data/synthetic_plate_tap.csv
#
# Behind the seed NAME=VALUE changes a number of the truth or of the record: tau_dw, duration; `wait` is
# how long the block has been sticking and slipping when the record begins.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use RecordNoise;
use SceneTrace;

my %is = (
    mu_s => 0.15, mu_c => 0.1, sigma_0 => 1e4, sigma_1 => 30, sigma_2 => 0.1, v_s => 3e-3, tau_dw => 0.15,
    load => 10, mass => 1, stiffness => 50, stiffness_stated => 50.5, ripple => 0.005, ripple_rate => 1.7,
    duration => 10, every => 1e-3, ramp_every => 5e-3, noise => 0.015, memory => 0.8, wait => 2,
);
my $kind = shift // '';
my $speed_mm_s = $kind eq 'plate' ? shift : 0;
my $seed = shift // die "kind and seed: see the head of this file\n";
for (@ARGV) {
    my ($name, $value) = /^(\w+)=(\S+)$/ or die "$_: NAME=VALUE\n";
    exists $is{$name} or die "$name: none of " . join(', ', sort keys %is) . "\n";
    $is{$name} = $value;
}
seed($seed);

my $pi = atan2(1, 1) * 4;
my $scratch = "campaign.$$";
my $law = "law: bristle, " . join ', ',
    map { "$_->[0]: $is{$_->[0]} $_->[1]" }
    ['mu_s', ''], ['mu_c', ''], ['sigma_0', '1/m'], ['sigma_1', 's/m'], ['sigma_2', 's/m'], ['v_s', 'm/s'], ['tau_dw', 's'];

# What a scene of two bodies shows.
sub run_scene
{
    my ($bodies, $more, $duration_s, $every_s, @column) = @_;
    open my $out, '>', "$scratch.yaml" or die "$scratch.yaml: $!\n";
    print $out <<"SCENE";
contactfit: scene/1
title: campaign
gravity: 0 m/s^2
duration: $duration_s s
bodies:
$bodies
contacts:
  - between: [block, plate]
    normal: {load: $is{load} N, direction: [0, 0, 1]}
    friction: {$law}
    stuck: true
$more
output: {every: $every_s s}
SCENE
    close $out;
    my @row = trace_of("./$scratch.yaml", [], @column);
    unlink "$scratch.yaml";
    return @row;
}

# Errors of which each is a part of the one before, sd 1.
my $error = normal();

sub error
{
    $error = $is{memory} * $error + sqrt(1 - $is{memory}**2) * normal();
    return $error;
}

sub head
{
    my ($what, @more) = @_;
    print "# synthetic: no measurement, made by bench/campaign_records.pl $kind"
        . ($kind eq 'plate' ? " $speed_mm_s" : '') . " $seed" . join('', map { " $_" } @ARGV) . "\n";
    print "# what: $what\n";
    print "# truth: bristle mu_s $is{mu_s}, mu_c $is{mu_c}, sigma_0 $is{sigma_0} 1/m, sigma_1 $is{sigma_1} s/m, "
        . "sigma_2 $is{sigma_2} s/m,\n#   v_s $is{v_s} m/s, tau_dw $is{tau_dw} s; load $is{load} N\n";
    print "# $_\n" for @more;
    return;
}

sub plate
{
    my $speed = $speed_mm_s / 1e3;
    my ($wait_s, $step_s, $w) = ($is{wait}, 0.01, 2 * $pi * $is{ripple_rate});
    my $until_s = $wait_s + $is{duration};
    my ($cosine, $sine) = (0.6 * $is{ripple}, 0.8 * $is{ripple});

    # time 0 of the record is `wait` behind that of the scene, so that it begins somewhere in a cycle
    open my $drive, '>', "$scratch.csv" or die "$scratch.csv: $!\n";
    print $drive "t,x\n";
    for my $i (0 .. $until_s / $step_s + 100) {
        my $t = $i * $step_s;
        my $at = $t - $wait_s;
        printf $drive "%.3f,%.12g\n", $t, $speed * ($t + ($cosine * sin($w * $at) - $sine * cos($w * $at)) / $w);
    }
    close $drive;
    my @row = run_scene(<<"BODIES", "springs:\n  - {body: block, anchor: [0 m, 0 m, 0 m], stiffness: $is{stiffness} N/m}", $until_s, $is{every}, 'time_s', 'block_x_m');
  block: {point: {}, mass: $is{mass} kg, turns: false}
  plate: {point: {}, trace: {file: ./$scratch.csv, time: t, x: x}}
BODIES
    unlink "$scratch.csv";
    head(
        "force of the spring that holds a block on a plate of $speed_mm_s mm/s",
        "rig: block $is{mass} kg, spring $is{stiffness} N/m (stated as $is{stiffness_stated} to 2 %), plate's speed "
            . "rippling at $is{ripple_rate} Hz by $cosine cos + $sine sin",
        "noise: sd $is{noise} N, each error $is{memory} of the one before"
    );
    print "time_s,spring_force_N\n";
    for (@row) {
        my ($t, $x) = ($_->[0] - $wait_s, $_->[1]);
        printf "%.4f,%.5f\n", $t, $is{stiffness} * $x + $is{noise} * error() if $t > -0.5 * $is{every};
    }
    return;
}

# Each speed for long, the friction at the end.
sub slide
{
    head('force that keeps a block sliding at constant speed', "noise: white, sd $is{noise} N");
    print "speed_m_s,force_N\n";
    for my $sign (1, -1) {
        for my $i (0 .. 14) {
            my $speed = $sign * sprintf('%.4g', 0.3e-3 * (0.2 / 0.3e-3)**($i / 14));
            my $for_s = 20 * $is{tau_dw} + 0.005 / abs $speed;
            my @row = run_scene(<<"BODIES", '', $for_s, $for_s, 'time_s', 'block-plate_friction_x_N');
  block: {point: {}, fixed: true}
  plate: {point: {}, moving: {velocity: [$speed m/s, 0 m/s, 0 m/s]}}
BODIES
            printf "%g,%.5f\n", $speed, $row[-1][1] + $is{noise} * normal();
        }
    }
    return;
}

sub ramp
{
    my ($reach, $speed, $every_s) = (60e-6, 40e-6, $is{ramp_every});
    my $period_s = 4 * $reach / $speed;
    open my $drive, '>', "$scratch.csv" or die "$scratch.csv: $!\n";
    print $drive "t,x\n";
    my (@t, @x);
    for my $i (0 .. 3 * $period_s / $every_s) {
        my $t = $i * $every_s;

        # a triangle with rounded corners
        push @t, $t;
        push @x, $reach * (2 / $pi) * atan2(sin(2 * $pi * $t / $period_s), sqrt(cos(2 * $pi * $t / $period_s)**2 + 0.01));
        printf $drive "%.4f,%.12g\n", $t[-1], $x[-1];
    }
    close $drive;
    my @row = run_scene(<<"BODIES", '', $t[-1], $every_s, 'time_s', 'block-plate_friction_x_N');
  block: {point: {}, trace: {file: ./$scratch.csv, time: t, x: x}}
  plate: {point: {}, fixed: true}
BODIES
    unlink "$scratch.csv";
    head('force that draws a block slowly to and fro', "noise: sd $is{noise} N, each error $is{memory} of the one before");
    print "time_s,displacement_m,force_N\n";
    printf "%.4f,%.6e,%.5f\n", $_->[0], $x[int($_->[0] / $every_s + 0.5)], -$_->[1] + $is{noise} * error() for @row;
    return;
}

sub tap
{
    my ($every_s, $fine_s, $knock_s, $noise_m_s, $speed) = (0.1e-3, 0.01e-3, 5.03e-3, 2e-6, 1e-3);
    my @v = map { $_->[0] } run_scene(<<"BODIES", '', 0.06, $fine_s, 'block_vx_m_s');
  block: {point: {}, mass: $is{mass} kg, turns: false, velocity: [$speed m/s, 0 m/s, 0 m/s]}
  plate: {point: {}, fixed: true}
BODIES
    head('speed of a block that was knocked', "knocked at $knock_s s to $speed m/s; block $is{mass} kg", "noise: white, sd $noise_m_s m/s");
    print "time_s,speed_m_s\n";
    for my $row (0 .. 600) {
        my $t = $row * $every_s;
        my $v = $t < $knock_s ? 0 : $v[int(($t - $knock_s) / $fine_s + 0.5)];
        printf "%.4f,%.8f\n", $t, $v + $noise_m_s * normal();
    }
    return;
}

my %make = (plate => \&plate, slide => \&slide, ramp => \&ramp, tap => \&tap);
($make{$kind} // die "$kind: one of " . join(', ', sort keys %make) . "\n")->();
