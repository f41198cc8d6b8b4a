#!/usr/bin/perl
# kv of contacts over a volume of interference from logs, against the truth of synthetic ones; what a
# log of them cannot be fitted by.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Test::More;

draw_no_figures();

my $folder = tempdir(CLEANUP => 1);

# A body that is dropped on something, and its noisy log.
sub scene
{
    my ($name, $body, $floor, $contact, $duration) = @_;
    spew("$folder/$name.yaml", <<"END");
contactfit: scene/1
title: Drop
gravity: 9.81 m/s^2
duration: $duration
bodies:
  body: {$body}
  floor: {$floor, fixed: true}
contacts:
  - {between: [body, floor], $contact}
output: {every: 0.5 ms, noise: {place: 0.05 mm, force: 0.2 N, seed: 5}}
END
    my ($exit, undef, $err) = contactfit({in => $folder}, 'simulate', "$name.yaml", qw(--quiet --trace),
        "$name.csv");
    is("$exit $err", '0 ', "$name: its log");
    return;
}

# By default from few starts.
my $few = $full ? '' : "options: {starts: 2, screen: 8}\n";

sub fit_log
{
    my ($name, $law, $fit, $contact) = @_;
    spew("$folder/study.yaml", <<"END");
contactfit: study/1
title: Stiffness from a log
law: $law
$fit
${few}data:
  - name: drop
    protocol: log
    scene: $name.yaml
    file: $name.csv
    columns: {time: time_s, body_z_m: {from: body_z_m, sigma: 0.05 mm},
              ${contact}_normal_N: {from: ${contact}_normal_N, sigma: 0.2 N}}
END
    return contactfit({in => $folder}, qw(fit study.yaml --quiet --force -o .));
}

my $ball = 'sphere: {radius: 5 cm}, mass: 0.3 kg, inertia: solid, position: [0, 0, 6 cm]';
my $plane = 'plane: {normal: [0, 0, 1], height: 0 m}';
my $winkler = 'foundation: {law: winkler, kv: 2e7 N/m^3, a: 0.4 s/m}';

# Estimate and interval hold the truth.
sub holds
{
    my ($fit, $name, $truth, $within) = @_;
    my $p = $fit->{parameters}{$name};
    my ($low, $high) = @{$p->{interval}}{qw(low high)};
    my $wide = $high - $low;
    ok($low - $wide < $truth && $truth < $high + $wide && abs($p->{value} / $truth - 1) < $within,
       "$name: $p->{value} [$low, $high]");
    return;
}

# A ball, and a box that falls on its face; the truth is that of the scene.
for (['ball', $ball, 'body-floor'],
     ['box', 'cells: [{box: {size: [4 cm, 6 cm, 4 cm]}}], mass: 0.3 kg, position: [0, 0, 3 cm]',
      'body-floor']) {
    my ($name, $body, $contact) = @$_;
    # by default no longer than the drop comes up again
    scene($name, $body, $plane, $winkler, $full ? '80 ms' : '70 ms');
    my ($exit, undef, $err) = fit_log($name, 'winkler', 'fit: {kv: {}, a: {}}', $contact);
    is("$exit $err", "0 ", "$name: fitted");
    my $fit = decode_json(slurp("$folder/study.json"));
    is($fit->{verdict}{status}, 'good', 'good');
    holds($fit, 'kv', 2e7, 0.02);
    holds($fit, 'a', 0.4, 0.02);
}

# What carries no derivatives, or is of another kind.
sub refused
{
    my ($what, $floor, $body, $contact, $law, $said) = @_;
    scene('bad', $body, $floor, $contact, '10 ms');
    my ($exit, undef, $err) = fit_log('bad', $law, $said->[0], 'body-floor');
    is("$exit $err", "1 contactfit fit: study.yaml:$said->[1]\n", $what);
    return;
}
refused('over an edge', 'edge: {point: [0, 0, 0], normal_1: [0, 0, 1], normal_2: [0, 1, 0]}', $ball,
        $winkler, 'winkler', ['fit: {kv: {}, a: {}}', '3:6: law winkler, data set drop: contact body-floor: a run carries no derivatives '
        . 'over the volume of a sphere and an edge: it cannot be fitted']);
refused('two cells', 'cells: [{box: {size: [1 m, 1 m, 2 cm], center: [0, 0, -1 cm]}}]',
        'cells: [{box: {size: [4 cm, 6 cm, 4 cm]}}], mass: 0.3 kg, position: [0, 0, 3 cm]', $winkler,
        'winkler', ['fit: {kv: {}, a: {}}', '3:6: law winkler, data set drop: contact body-floor: a run carries no derivatives '
        . 'over the volume of two cells: it cannot be fitted']);
refused('a force of the depth over a foundation', $plane, $ball, $winkler, 'hunt-crossley', ['fit: {k: {}, a: {}}', '3:6: law hunt-crossley, data set drop: no contact of the scene has a '
        . 'normal law over which hunt-crossley could stand']);
refused('a foundation over a force of the depth', $plane, $ball,
        'normal: {law: hunt-crossley, k: 1e6, a: 0.1}', 'winkler', ['fit: {kv: {}, a: {}}', '3:6: law winkler, data set drop: no contact of the scene has a foundation '
        . 'over which winkler could stand']);

# Tosses of a cube over its volume, e and mu from their impacts; refused with rounded corners and with
# friction that has no form over a volume.
{
    my $law = 'kv: 1e8 N/m^3, e: 0.4, v_small: 0.1 m/s';
    my $rows = '';
    for my $toss (1 .. ($full ? 4 : 3)) {
        my $angle = 20 + 17 * $toss;
        spew("$folder/cube.yaml", <<"END");
contactfit: scene/1
title: Tossed cube
gravity: 9.81 m/s^2
duration: 0.3 s
bodies:
  cube: {cells: [{box: {size: [10 cm, 10 cm, 10 cm]}}], mass: 0.4 kg, position: [0, 0, 0.2 m],
         velocity: [0.8 m/s, 0.1 m/s, 0], attitude: {axis: [1, $toss, 0.3], angle: $angle deg},
         spin: [2 rad/s, -3 rad/s, 1 rad/s]}
  floor: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}
contacts:
  - between: [cube, floor]
    foundation: {law: gonthier-volumetric, $law}
    friction: {law: coulomb, mu: 0.2, v_e: 1 mm/s}
output: {every: 6 ms, noise: {place: 0.1 mm, seed: $toss}}
END
        contactfit({in => $folder}, qw(simulate cube.yaml --quiet --force --trace cube.csv));
        my ($head, @lines) = grep { !/^#/ } split /\n/, slurp("$folder/cube.csv");
        my %at = map { (split /,/, $head)[$_] => $_ } 0 .. 20;
        for (@lines) {
            my @v = split /,/;
            $rows .= join(',', $toss, map { $v[$at{$_}] } qw(time_s cube_x_m cube_y_m cube_z_m cube_qw cube_qx
                cube_qy cube_qz)) . "\n";
        }
    }
    spew("$folder/tosses.csv", "# synthetic\ntoss,t_s,x_m,y_m,z_m,qw,qx,qy,qz\n$rows");
    my $study = <<'END';
contactfit: study/1
title: Tosses over a volume
law: gonthier-volumetric
friction: coulomb
fit: {e: {}, mu: {}}
fixed: {kv: 1e8 N/m^3, v_small: 0.1 m/s, v_e: 1 mm/s}
data:
  - name: tosses
    protocol: toss
    file: tosses.csv
    columns: {toss: toss, time: t_s, x: {from: x_m, sigma: 0.1 mm}, y: {from: y_m, sigma: 0.1 mm},
              z: {from: z_m, sigma: 0.1 mm}, qw: {from: qw, sigma: 0.001}, qx: {from: qx, sigma: 0.001},
              qy: {from: qy, sigma: 0.001}, qz: {from: qz, sigma: 0.001}}
    apparatus: {half_width: 50 mm, mass: 0.4 kg, inertia: 6.6666666667e-4 kg m^2, gravity: 9.81 m/s^2,
                floor_height: 0 mm}
END
    spew("$folder/tosses.yaml", $study . $few);
    my ($exit, undef, $err) = contactfit({in => $folder}, qw(fit tosses.yaml --quiet --force -o .));
    like("$exit $err", qr/^0 /, 'tosses: fitted') or diag("$exit $err");
    my $fit = decode_json(slurp("$folder/tosses.json"));
    holds($fit, 'e', 0.4, 0.2);
    holds($fit, 'mu', 0.2, 0.2);

    spew("$folder/tosses.yaml", $study =~ s/half_width: 50 mm/half_width: 50 mm, corner_radius: 2 mm/r);
    ($exit, undef, $err) = contactfit({in => $folder}, qw(check tosses.yaml));
    is("$exit $err", "1 contactfit check: tosses.yaml:3:6: law gonthier-volumetric + coulomb, data set tosses: "
        . "corner_radius 0.002 m: gonthier-volumetric presses on the volume of a cube with sharp edges: leave "
        . "it out\n", 'rounded corners');
    spew("$folder/tosses.yaml", $study =~ s/friction: coulomb/friction: dahl/r);
    ($exit, undef, $err) = contactfit({in => $folder}, qw(check tosses.yaml));
    is("$exit $err", "1 contactfit check: tosses.yaml:4:11: friction: gonthier-volumetric acts on a volume, over "
        . "which friction dahl has no form: bristle, coulomb and viscous-load have\n", 'dahl');
}
done_testing();
