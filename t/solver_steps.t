#!/usr/bin/perl
# Loops whose friction changes within a row or two: steps from row to row leave an error that would
# look like a finding, and a fit takes as many as leave none. The data are the law's closed form, so
# that no solver made them: over a stroke Dahl's bristle goes to mu/sigma_0 as an exponential of the
# way.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Program qw(:DEFAULT is_refused);
use Synthetic qw(normal);
use Test::More;

draw_no_figures();
my $dir = tempdir(CLEANUP => !$ENV{KEEP});
my ($mu, $sigma_0, $load, $way) = (0.2, 1e4, 10, 2e-4);
my $pi = 4 * atan2 1, 1;

# A study of two periods of a sine, with rows of so many seconds and this noise [N].
sub loops
{
    my ($name, $step, $noise, $apparatus) = @_;
    my ($z, $before, $text) = (0, 0, "t_s,x_m,f_N\n");
    for my $i (0 .. int(4 / $step + 0.5)) {
        # in pieces that end where the way turns, which rows do: 1 s is a whole number of steps
        my $x = $way * (1 - cos($pi * $i * $step)) / 2;
        my $end = ($x <=> $before) * $mu / $sigma_0;
        $z = $end + ($z - $end) * exp(-$sigma_0 / $mu * abs($x - $before));
        $before = $x;
        $text .= sprintf "%.4f,%.12f,%.7f\n", $i * $step, $x, $load * $sigma_0 * $z + $noise * normal();
    }
    spew("$dir/$name.csv", $text);
    spew("$dir/$name.yaml", <<"END");
contactfit: study/1
friction: dahl
fit: {mu: {}, sigma_0: {}}
data:
  - name: $name
    protocol: ramp
    file: $name.csv
    columns: {time: t_s, displacement: x_m, force: {from: f_N, sigma: $noise N}}
    apparatus: {load: $load N, deflection: 0 m$apparatus}
END
    return "$dir/$name.yaml";
}

# Exit status, fit file, stdout, steps of the motion.
sub fitted
{
    my ($study, @options) = @_;
    my ($status, $out) = contactfit('fit', '-q', $study, '-o', $dir, @options);
    my $fit = decode_json(slurp($study =~ s/yaml$/json/r));
    return ($status, $fit, $out =~ s/\n\s+/ /gr, $fit->{data}[0]{apparatus}{substeps}{value});
}

# The true numbers within four standard errors: the noise is drawn, the seed is not.
sub is_true
{
    my ($fit, $name) = @_;
    for my $case ([mu => $mu], [sigma_0 => $sigma_0]) {
        my $p = $fit->{parameters}{$case->[0]};
        my $width = ($p->{interval}{high} - $p->{interval}{low}) / 2;
        cmp_ok(abs($p->{value} - $case->[1]), '<', 2 * $width, "$name: $case->[0] is the true one");
    }
}

for my $case (['few', 0.01, 0.005, 2], ['many', 0.02, 0.002, 4]) {
    my ($name, $step, $noise, $least) = @$case;
    my $study = loops($name, $step, $noise, '');
    my ($status, $fit, $out, $steps) = fitted($study);
    is($status, 0, "$name: clean loops are to be trusted");
    cmp_ok($steps, '>=', $least, "$name: in more steps than usual");
    like($out, qr/motion of $name was fitted in $steps steps from row to row .*: 1 would leave an error of/, "$name: which is said");
    cmp_ok($fit->{solver_bias}{max_over_sigma}, '<', 0.1, "$name: and leave no error that matters");
    is_true($fit, $name);
    my ($again, $same) = fitted(loops("${name}_stated", $step, $noise, ", substeps: $steps"));
    is($again, 0, "$name: a study that states as many has no less");
}

# ---- steps that the study states stay

{
    my $study = loops('stated', 0.01, 0.005, ', substeps: 1');
    my ($status, $fit, $out, $steps) = fitted($study);
    is("$status $fit->{verdict}{status} $steps", '3 failed 1', 'stated steps are kept, and too few');
    like($out, qr/stated states 1 step of its motion .*fit --substeps (\d+)/, 'the advice has those that are enough');
    my ($enough) = $out =~ /fit --substeps (\d+)/;
    like($out, qr/^next: contactfit fit \S*stated\.yaml --substeps $enough$/m, 'and is what comes next');
    ($status, $fit, $out, $steps) = fitted($study, '--substeps', $enough);
    is("$status $steps", "0 $enough", 'they are');
    like($fit->{command}, qr/ --substeps $enough$/, 'and stand in the command that is told');
    is_true($fit, 'stated');
}

# ---- what needs none takes none

{
    my $study = loops('dense', 0.002, 0.03, '');
    my ($status, $fit, $out, $steps) = fitted($study);
    is("$status $steps", '0 1', 'dense rows need one step');
    unlike($out, qr/from row to row/, 'of which nothing is said');
}

# ---- where no number is enough

{
    my $study = loops('sure', 0.05, 1e-7, '');
    my ($status, $fit, $out, $steps) = fitted($study);
    like($out, qr/solver's own error/, 'sigmas below what any steps reach');
    like($out, qr/no number of steps up to 64/, 'no number of steps is enough');
    unlike($out, qr/--global/, 'and no search helps');
    like($out, qr/^next: contactfit check /m, 'the next is to look at the study');
}

# ---- a scene chooses its steps by a tolerance, which it may state: an elastic ball, whose bounces
# are parabolas

{
    spew("$dir/ball.yaml", <<'END');
contactfit: scene/1
title: A ball on a hard floor
gravity: 9.81 m/s^2
duration: 1.2 s
solver: {tolerance: 1e-3}
bodies:
  ball: {sphere: {radius: 20 mm}, mass: 20 g, position: [0 m, 0 m, 0.5 m]}
  floor: {plane: {normal: [0, 0, 1], height: -20 mm}, fixed: true}
contacts:
  - {between: [ball, floor], normal: {law: gonthier, k: 1e12, e: 0.7, v_small: 1 mm/s}}
END
    my ($g, $fall, $e) = (9.81, sqrt(1 / 9.81), 0.8);
    my $text = "t_s,z_mm\n";
    for my $i (0 .. 80) {
        my $s = $i * 0.01 - $fall;
        my $z = $s < 0 ? 0.5 - $g * ($i * 0.01)**2 / 2 : $e * $g * $fall * $s - $g * $s**2 / 2;
        $text .= sprintf "%.3f,%.6f\n", $i * 0.01, 1e3 * ($z + 2e-6 * normal());
    }
    spew("$dir/camera.csv", $text);
    spew("$dir/camera.yaml", <<'END');
contactfit: study/1
law: gonthier
fit: {e: {}}
fixed: {k: 1e12, v_small: 1 mm/s}
data:
  - name: camera
    protocol: log
    scene: ball.yaml
    file: camera.csv
    columns: {time: t_s, ball_z_m: {from: z_mm, sigma: 2 um}}
END
    my ($status, $fit, $out) = fitted("$dir/camera.yaml");
    like($out, qr/solver's own error/, 'a scene whose tolerance is too coarse');
    like($out, qr/solver: \{tolerance: 1e-10\}/, 'the advice is a finer one');
    like($out, qr/^next: contactfit check /m, 'and no search');
}

my $any = loops('any', 0.05, 0.1, '');
is_refused('fit', 2, '--substeps: "0": a whole number from 1 to 1000 is wanted', $any, '--substeps', 0, '-q');
is_refused('fit', 2, '--substeps: no data set of this study has steps from row to row, as those of a ramp have',
    "$srcdir/fits/croquet_ball_on_wood.yaml", '--substeps', 2);

done_testing();
