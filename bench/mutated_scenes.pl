#!/usr/bin/perl
# Are numbers of scenes found again from their traces? Ten scenes that ship, numbers of each changed,
# three freed: a trace with noise is fitted as a log, and synthetic logs like it are counted.
#
#   perl bench/mutated_scenes.pl [STUDIES] [SCENE]      20 synthetic studies each
#
# For each scene a line: how often intervals called fine cover the truth, the verdicts, and false
# successes; exit 1 where a count lies outside of its exact 99.9 % band.

use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use JSON::PP;
use lib $FindBin::Bin;
use Cwd qw(abs_path);
use RecordNoise;
use SceneTrace;

my $top = abs_path("$FindBin::Bin/..");
my $program = $ENV{CONTACTFIT} // "$top/contactfit";
my ($studies, $only) = @ARGV;
$studies //= 20;

my $bristle = 'sigma_0: 1e5 1/m, sigma_1: 1e4 s/m, sigma_2: 0 s/m, v_s: 0.1 m/s, tau_dw: 0.01 s';
my $gonthier = 'k: 1e6 N/m^1.5, v_small: 1 mm/s';

# Scene: what is changed in it, also where it is not freed; the study's law and what it holds; which
# of its parameters and of the scene's numbers are free, with their truths; columns with sigmas.
my @case = (
    ['af10_bouncing_154g', ['duration=0.4 s', 'output.every=2 ms'],
     'law: azad-featherstone', 'k: 8.5e6 N/m^1.5', {lambda => '2500 N s/m^1.5'},
     {'bodies.ball.position.3' => '0.12 m', gravity => '9.7 m/s^2'}, {ball_z_m => '20 um'}],
    ['af14_steel_66g', ['duration=1.5 s', 'output.every=5 ms'],
     'law: azad-featherstone', 'k: 1e10 N/m^1.5', {lambda => '1.3e5 N s/m^1.5'},
     {'bodies.ball.position.3' => '0.9 m', 'bodies.ground.plane.height' => '2 mm'}, {ball_z_m => '0.1 mm'}],
    ['g07_ball_on_incline', ['duration=1.2 s', 'output.every=5 ms', 'contacts.1.friction.mu_s=0.3'],
     "law: gonthier\nfriction: bristle", "$gonthier, e: 0.5, mu_s: 0.3, $bristle", {mu_c => '0.25'},
     {'bodies.ball.velocity.1' => '-1.2 m/s', 'bodies.plane.attitude.angle' => '0.4 rad'},
     {ball_x_m => '0.5 mm', ball_y_m => '0.5 mm', ball_z_m => '0.5 mm'}],
    ['g07_double_pendulum', ['duration=0.7 s', 'output.every=2 ms'],
     "law: gonthier\nfriction: bristle", 'k: 1e9 N/m^1.5, v_small: 1 mm/s, mu_s: 0.15, mu_c: 0.12, sigma_0: 1e5 1/m, sigma_1: 316.22776601683796 s/m, sigma_2: 0 s/m, v_s: 0.1 m/s, tau_dw: 0.75 s',
     {e => '0.8'}, {'chain.links.1.angle' => '0.8 rad', 'chain.links.2.rate' => '2 rad/s'},
     {upper_angle_rad => '1 mrad', lower_angle_rad => '1 mrad'}],
    ['block_tapped', ['duration=0.3 s'],
     'friction: bristle', 'mu_s: 0.15, mu_c: 0.1, sigma_2: 0 s/m, v_s: 50 mm/s, tau_dw: 2 s',
     {sigma_0 => '1.4e4 1/m', sigma_1 => '4 s/m'}, {'bodies.block.velocity.1' => '1.2 mm/s'},
     {block_vx_m_s => '10 um/s'}],
    ['g07_sphere_on_cone', ['duration=0.6 s', 'output.every=4 ms'],
     "law: gonthier\nfriction: bristle", "$gonthier, e: 0.5, mu_s: 0.45, $bristle", {mu_c => '0.35'},
     {'bodies.ball.velocity.2' => '0.25 m/s', 'bodies.ball.position.1' => '0.025 m'},
     {ball_x_m => '0.3 mm', ball_y_m => '0.3 mm', ball_z_m => '0.3 mm'}],
    ['g07_ball_in_cylinder_2d', ['duration=1.5 s', 'output.every=5 ms'],
     "law: gonthier\nfriction: bristle", "k: 1e6 N/m^1.5, v_small: 1 mm/s, mu_s: 0.45, mu_c: 0.4, $bristle", {e => '0.6'},
     {'bodies.ball.position.1' => '0.35 m', 'bodies.ball.position.3' => '-0.45 m'},
     {ball_x_m => '0.5 mm', ball_z_m => '0.5 mm'}],
    ['af10_rolling_sphere', ['duration=0.5 s', 'output.every=2 ms'],
     "law: azad-featherstone\nfriction: clutch", 'k: 8.5e6 N/m^1.5, lambda: 3.1e3 N s/m^1.5, kappa: 1.5, d_t: 3.1e3 N s/m^1.5, c_v: 0.1 N s/m',
     {mu => '0.15'}, {'bodies.ball.velocity.1' => '0.6 m/s', 'bodies.ball.position.3' => '0.11 m'},
     {ball_x_m => '0.1 mm', ball_z_m => '0.1 mm'}],
    ['g07_force_accommodation_tangential', ['duration=16 s', 'output.every=20 ms'],
     "law: gonthier\nfriction: bristle-fixed",
     'k: 2.5413e8 N/m^1.5, e: 0.85, v_small: 1 mm/s, mu_c: 0.1, sigma_0_star: 1e5 N/m, sigma_1_star: 1e4 N s/m, sigma_2_star: 0 N s/m, v_s: 0.1 m/s, tau_dw: 0.01 s',
     {mu_s => '0.19'}, {'bodies.plate.plane.height' => '0.1 mm', 'bodies.plate.attitude.angle' => '0.01 rad'},
     {'half-sphere_z_m' => '2 um', 'half-sphere-plate_friction_x_N' => '1 N'}],
    ['g07_force_accommodation_normal', ['duration=12 s', 'output.every=20 ms'],
     "law: gonthier\nfriction: bristle-fixed",
     'e: 0.85, v_small: 1 mm/s, mu_s: 0.16, mu_c: 0.1, sigma_0_star: 1e5 N/m, sigma_1_star: 1e4 N s/m, sigma_2_star: 0 N s/m, v_s: 0.1 m/s, tau_dw: 0.01 s',
     {k => '3e8 N/m^1.5'}, {'bodies.plate.plane.height' => '0.1 mm', 'bodies.half-sphere.command.yield' => '0.12 mm/(s N)'},
     {'half-sphere_z_m' => '2 um', 'half-sphere-plate_normal_N' => '1 N'}],
);

my %path_of = (    # of a law's parameters in the scene
    lambda => 'contacts.1.normal.lambda', k => 'contacts.1.normal.k', e => 'contacts.1.normal.e',
    map { $_ => "contacts.1.friction.$_" } qw(mu mu_s mu_c sigma_0 sigma_1 v_s),
);

sub si
{
    my ($value, $unit) = split / /, $_[0];
    my %prefix = (um => 1e-6, mm => 1e-3, 'um/s' => 1e-6, mrad => 1e-3);
    return $value * ($prefix{$unit // ''} // 1);
}

# The scene with rows at equal times, where it says nothing of them.
sub scene_of
{
    my ($scene, $dir) = @_;
    open my $in, '<', "$top/scenes/$scene.yaml" or die "$scene: $!\n";
    my $text = join '', <$in>;
    close $in;
    $text .= "output: {every: 10 ms}\n" if $text !~ /^output:/m;
    open my $out, '>', "$dir/scene.yaml" or die "$dir/scene.yaml: $!\n";
    print $out $text;
    close $out;
    return "$dir/scene.yaml";
}

sub study_of
{
    my ($case, $dir) = @_;
    my ($scene, $moved, $law, $held, $fit, $free, $columns) = @$case;
    my @moved = (@$moved, map({ "$path_of{$_}=$fit->{$_}" } sort keys %$fit),
                 map { "$_=$free->{$_}" } sort keys %$free);
    my @column = sort keys %$columns;
    my $file = scene_of($scene, $dir);

    open my $table, '>', "$dir/log.csv" or die "$dir/log.csv: $!\n";
    print $table join(',', 'time_s', @column), "\n";
    seed(length $scene);
    for (trace_of($file, [map { ('-p', $_) } @moved], 'time_s', @column)) {
        my ($time, @value) = @$_;
        print $table join(',', $time, map { sprintf '%.9g', $value[$_] + si($columns->{$column[$_]}) * normal() } 0 .. $#column), "\n";
    }
    close $table;
    open my $study, '>', "$dir/study.yaml" or die "$dir/study.yaml: $!\n";
    print $study "contactfit: study/1\n$law\nfit: {", join(', ', map { "$_: {}" } sort keys %$fit), "}\n";
    print $study "fixed: {$held}\n" if defined $held;
    print $study "options: {starts: 6}\ndata:\n  - name: trace\n    protocol: log\n    scene: scene.yaml\n    file: log.csv\n";
    print $study "    columns: {time: time_s", map({ ", $_: {from: $_, sigma: $columns->{$_}}" } @column), "}\n";
    my %stated = map { split /=/, $_, 2 } grep { !/^(?:duration|output|contacts\.1\.friction)/ } @$moved;
    print $study "    apparatus: {", join(', ', map { "$_: $stated{$_}" } sort keys %stated), "}\n" if %stated;
    print $study "    nuisance: {", join(', ', map { "$_: {}" } sort keys %$free), "}\n";
    close $study;
    return "$dir/study.yaml";
}

my $wrong = 0;
for my $case (@case) {
    my ($scene, $fit, $free) = @$case[0, 4, 5];
    next if defined $only && $scene ne $only;
    my $study = study_of($case, my $dir = tempdir(CLEANUP => 1));
    my %truth = (%$fit, %$free);
    my $command = join ' ', "'$program' selftest --json -q -n $studies '$study'", map { "-p '$_=$truth{$_}'" } sort keys %truth;
    my $begin = time;
    my $told = qx{$command};
    my $status = $? >> 8;
    if ($status != 0 && $status != 3) {
        print "$scene: selftest failed with status $status\n";
        $wrong++;
        next;
    }
    my $json = decode_json($told);
    my @parameter = map { my $p = $json->{parameters}{$_}; "$_ $p->{covered}/$p->{verdicts}{fine}" } sort keys %{$json->{parameters}};
    printf "%-32s %s; %s; false %d; %d s%s\n", $scene, join(', ', @parameter),
        join(' ', map { "$_ $json->{verdicts}{$_}" } grep { $json->{verdicts}{$_} } sort keys %{$json->{verdicts}}),
        $json->{false_success} // 0, time - $begin, $status ? '  OUTSIDE THE BAND' : '';
    $wrong += $status == 3;
}
exit($wrong ? 1 : 0);
