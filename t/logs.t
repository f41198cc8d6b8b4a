#!/usr/bin/perl
# Any scene fitted to any log: the shipped log of a robot under force accommodation; a bouncing ball
# seen by a late and slow sensor; friction alone; new logs against a fit; and what is no such log.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Fitted;
use Program;
use Synthetic qw(normal);
use Test::More;

use Cwd qw(abs_path);

draw_no_figures();
my $dir = tempdir(CLEANUP => 1);
my $top = abs_path($srcdir);

# ---- the shipped study

{
    my ($status, $out, $err) =
        contactfit('fit', "$srcdir/fits/synthetic_force_accommodation.yaml", '-o', $dir);
    is($status, 0, 'the shipped log is fitted');
    like($err, qr/gonthier \+ bristle-fixed of the study replaces the scene's laws: gonthier \+ bristle-fixed of half-sphere-plate$/m,
         'that the law of the study stands over that of the scene is said');
    my $got = decode_json(slurp("$dir/synthetic_force_accommodation.json"));
    my $want = decode_json(slurp("$srcdir/fits/synthetic_force_accommodation.json"));
    is($got->{verdict}{status}, 'good', 'the verdict');
    is_deeply($got->{verdict}, $want->{verdict}, 'as the shipped fit has it');
    holds($got, 'k', 2.5413e8);
    holds($got, 'mu_s', 0.17);
    holds($got, 'bodies.plate.plane.height', 0.12e-3);
    holds($got, 'half-sphere-plate_normal_N.bias', 0.4);
    for my $p (sort keys %{$want->{parameters}}) {
        my $w = $want->{parameters}{$p};
        next if !$w->{interval};
        my $half = ($w->{interval}{high} - $w->{interval}{low}) / 2;
        ok(abs($got->{parameters}{$p}{value} - $w->{value}) < 0.1 * $half,
           "$p is that of the shipped fit");
    }
    my $page = slurp("$dir/synthetic_force_accommodation.html");
    like($page, qr/position of half-sphere along z/, 'the page names the channels in words');

    # the same scene moved otherwise: its record agrees with the fit, one of another plate does not
    for my $row ([0.17, 0, 'the law'], [0.25, 3, 'another friction']) {
        my ($mu, $exit, $what) = @$row;
        my ($code) = contactfit({in => $dir}, 'simulate', '-q',
            "$srcdir/scenes/g07_force_accommodation_tangential.yaml", '-p',
            'bodies.plate.plane.height=0.12 mm', '-p', 'duration=12 s', '-p', 'output.every=40 ms',
            '-p', 'output.noise.seed=7', '-p', "contacts.1.friction.mu_s=$mu", '--trace', "new$mu.csv");
        my @rows = grep { !/^#/ } split /\n/, slurp("$dir/new$mu.csv");
        spew("$dir/new$mu.csv", join "\n", @rows, '');
        spew("$dir/new.yaml", <<"END");
contactfit: study/1
data:
  - name: another day
    protocol: log
    scene: $top/scenes/g07_force_accommodation_tangential.yaml
    file: new$mu.csv
    columns:
      time: time_s
      half-sphere-plate_normal_N: {from: half-sphere-plate_normal_N, sigma: 1 N}
      half-sphere-plate_friction_x_N: {from: half-sphere-plate_friction_x_N, sigma: 1 N}
      half-sphere-plate_friction_y_N: {from: half-sphere-plate_friction_y_N, sigma: 1 N}
      half-sphere_z_m: {from: half-sphere_z_m, sigma: 2 um}
    apparatus: {bodies.plate.plane.height: 0.12 mm}
END
        my ($end, $text, $why) =
            contactfit('validate', "$dir/synthetic_force_accommodation.json", "$dir/new.yaml");
        is($end, $exit, "validate on a log of $what: exit $exit") or diag($text, $why);
    }
}

# ---- a sample at the time when a command changes shows the state there, whatever the steps are

{
    my @off;
    for my $k (map { sprintf '%.4ge8', 2.3 + 0.037 * $_ } 0 .. 11) {
        contactfit({in => $dir}, 'simulate', '-q', "$srcdir/scenes/g07_force_accommodation_tangential.yaml",
            '-p', "contacts.1.normal.k=$k N/m^1.5", '-p', 'duration=8.1 s', '-p', 'output.every=40 ms', '--trace', 'corner.csv');
        my @line = grep { !/^#/ } split /\n/, slurp("$dir/corner.csv");
        my @header = split /,/, shift @line;
        my ($slip) = grep { $header[$_] eq 'half-sphere-plate_slip_x_m_s' } 0 .. $#header;
        my ($row) = grep { abs((split /,/)[0] - 8) < 1e-9 } @line;
        my ($next) = grep { abs((split /,/)[0] - 8.04) < 1e-9 } @line;
        push @off, "$k: " . (split /,/, $row)[$slip] if abs((split /,/, $row)[$slip]) > 1e-12 || !((split /,/, $next)[$slip] > 1e-3);
    }
    is("@off", '', 'nothing slips when the command comes, and much behind it');
}

# ---- the steps of [G07] 5.1.4 that ship: k pressing, then friction with k held, and both at once

{
    my %truth = (
        normal     => {k => 2.5413e8, 'bodies.plate.plane.height' => 1.2e-4},
        tangential => {mu_s => 0.17, 'bodies.plate.plane.height' => 1.2e-4, 'bodies.plate.attitude.angle' => 0.25 * 3.14159265358979 / 180},
    );
    for my $step (sort keys %truth) {
        my $name = "synthetic_accommodation_$step";
        # the second is fitted again by CHECK_FULL: it takes as long as all that is above
        my $folder = $step eq 'normal' || $full ? $dir : "$srcdir/fits";
        contactfit('fit', '-q', "$srcdir/fits/$name.yaml", '-o', $dir) if $folder eq $dir;
        my $got = decode_json(slurp("$folder/$name.json"));
        is($got->{verdict}{status}, 'good', "$step: described");
        holds($got, $_, $truth{$step}{$_}) for sort keys %{$truth{$step}};
    }
    my $joint = decode_json(slurp("$srcdir/fits/synthetic_accommodation_joint.json"));
    is($joint->{verdict}{status}, 'good', 'both at once');
    holds($joint, 'k', 2.5413e8);
    holds($joint, 'mu_s', 0.17);
    my ($k) = grep { $_->{parameter} eq 'k' && $_->{by} eq 'data' } @{$joint->{agreement}};
    is_deeply([map { $_->{label} } @{$k->{told}}], ['pressed', 'drawn'], 'what each step says of k stands side by side');
    contactfit('report', '-q', "$srcdir/fits/synthetic_accommodation_joint.json", '-o', $dir);
    my $page = slurp("$dir/synthetic_accommodation_joint.html");
    like($page, qr/Measured position of half-sphere along z, friction of half-sphere-plate along x, friction of half-sphere-plate along y against time/, 'its page shows what the second log alone has, too');
    my ($held) = slurp("$srcdir/fits/synthetic_accommodation_tangential.yaml") =~ /k: (\S+) N/;
    my $step = decode_json(slurp("$srcdir/fits/synthetic_accommodation_normal.json"));
    ok(abs($held / $step->{parameters}{k}{value} - 1) < 1e-3, 'the k that is held is that of the first step');
}

# ---- a ball that bounces, followed by formulas of its own: parabolas between impacts that are too
# short for the camera, and a camera that is late

{
    my ($e, $g, $late, $drop, $noise) = (0.8, 9.81, 0.013, 0.5, 2e-4);
    spew("$dir/ball.yaml", <<"END");
contactfit: scene/1
title: A ball on a hard floor
gravity: 9.81 m/s^2
duration: 1.2 s
bodies:
  ball: {sphere: {radius: 20 mm}, mass: 20 g, position: [0 m, 0 m, 0.5 m]}
  floor: {plane: {normal: [0, 0, 1], height: -20 mm}, fixed: true}
contacts:
  - {between: [ball, floor], normal: {law: gonthier, k: 1e12, e: 0.7, v_small: 1 mm/s}}
END
    my $fall = sqrt(2 * $drop / $g);
    my @stamp = ($fall);
    my $speed = $g * $fall;
    my @speed = ($speed);
    for (1 .. 3) {
        $speed *= $e;
        push @stamp, $stamp[-1] + 2 * $speed / $g;
        push @speed, $speed;
    }
    my $height = sub {
        my ($t) = @_;
        return $drop if $t < 0;
        return $drop - $g * $t * $t / 2 if $t < $stamp[0];
        my $i = 0;
        $i++ while $i < $#stamp && $t >= $stamp[$i + 1];
        my $s = $t - $stamp[$i];
        return $e * $speed[$i] * $s - $g * $s * $s / 2;
    };
    my $table = "t_s,z_mm\n";
    for my $i (0 .. 110) {
        my $t = $i * 0.01;
        $table .= sprintf "%.3f,%.4f\n", $t, 1e3 * ($height->($t - $late) + $noise * normal());
    }
    spew("$dir/ball.csv", $table);
    my $study = <<'END';
contactfit: study/1
law: gonthier
fit: {e: {}}
fixed: {k: 1e12, v_small: 1 mm/s}
data:
  - name: camera
    protocol: log
    scene: ball.yaml
    file: ball.csv
    columns: {time: t_s, ball_z_m: {from: z_mm, sigma: 0.2 mm}}
    nuisance: {ball_z_m.delay: {}, bodies.ball.position.3: {prior: {value: 0.5 m, sigma: 2 mm}}}
END
    spew("$dir/camera.yaml", $study);
    my ($status, $out, $err) = contactfit('fit', "$dir/camera.yaml");
    my $fit = decode_json(slurp("$dir/camera.json") || '{}');
    ok($status == 0, 'a camera\'s log of a ball is fitted') or diag($out, $err);
    # contact takes 0.15 ms, which the parabolas leave out: 0.0003 of e
    my $i = $fit->{parameters}{e}{interval};
    ok($i && $i->{low} - 4e-4 < $e && $e < $i->{high} + 4e-4, 'e from places over time')
        or diag(encode_json($fit->{parameters}{e} // {}));
    holds($fit, 'ball_z_m.delay', $late);
    holds($fit, 'bodies.ball.position.3', $drop);

    # a time that begins elsewhere
    (my $later = $table) =~ s/^(\d+\.\d+)/sprintf '%.3f', $1 + 100/gem;
    spew("$dir/ball.csv", $later);
    spew("$dir/camera.yaml", $study =~ s/    nuisance/    apparatus: {start: 100 s}\n    nuisance/r);
    ($status) = contactfit('fit', "$dir/camera.yaml", '-o', $dir);
    my $again = decode_json(slurp("$dir/camera.json"));
    ok($status == 0 && abs($again->{parameters}{e}{value} - $fit->{parameters}{e}{value}) < 1e-5,
       'another clock, the same e');

    # a fit of a scene's record is a law that other commands take
    my ($code, $csv) = contactfit('export', '--to', 'csv', "$dir/camera.json", '--speed', '1 m/s');
    ok($code == 0 && $csv =~ /gonthier/, 'its law can be exported');
    ($code, undef, $err) = contactfit('predict', "$dir/camera.json", '--at', '0.3 s');
    ok($code != 0 && $err =~ /the fit does not hold the scene: its study predicts what it does/,
       'that a fit holds no scene is said') or diag($err);

    # ---- what is no log of this scene, each in one line
    for my $row (
        ['ball_z_m: {' => 'ball_zz_m: {', 'camera.yaml:10:26: unknown channel of the scene ball_zz_m: did you mean ball_z_m?'],
        ['ball_z_m: {' => 'energy_kinetic_J: {', 'unknown channel of the scene energy_kinetic_J'],
        ['bodies.ball.position.3' => 'bodies.ball.sphere.radius', 'camera.yaml:11:36: bodies.ball.sphere.radius: it moves a radius, by which derivatives are not taken'],
        ['bodies.ball.position.3' => 'bodies.bal.position.3', 'bodies.bal.position.3: no bal in'],
        ['ball_z_m.delay: {}' => 'ball_z_m.order: {}', 'camera.yaml:11:16: ball_z_m.order is 1 or 2: state it under apparatus'],
        ['ball_z_m.delay: {}' => 'ball_z_m.lag: {}', 'unknown nuisance ball_z_m.lag: did you mean'],
        ['scene: ball.yaml' => 'scene: bal.yaml', 'bal.yaml: cannot be read'],
        ["    scene: ball.yaml\n" => '', 'camera.yaml:6:5: no key scene here: it is needed'],
        ['protocol: log' => 'protocol: impact', 'camera.yaml:8:5: scene: protocol impact has a scene of its own: leave it out, or state protocol: log'],
        ['law: gonthier' => 'law: e-log', 'e-log'],
        ["fit: {e: {}}\nfixed: {k: 1e12, v_small: 1 mm/s}" => 'fit: all', undef, "law: gonthier\n" => "friction: walton\n", 'friction walton is of rigid impacts'],
    ) {
        my ($from, $to, $says, $from2, $to2, $says2) = @$row;
        (my $text = $study) =~ s/\Q$from\E/$to/;
        $text =~ s/\Q$from2\E/$to2/ if $from2;
        spew("$dir/ball.csv", $table);
        spew("$dir/camera.yaml", $text);
        my ($bad, undef, $message) = contactfit({in => $dir}, 'check', 'camera.yaml');
        my $want = $says // $says2;
        ok($bad == 1 && index($message, $want) >= 0, "refused: $want") or diag($bad, $message);
    }
}

done_testing;
