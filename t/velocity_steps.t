#!/usr/bin/perl
# Velocity steps: the measured step of a basalt gouge; slide-hold-slide that is made here, by other
# equations in other steps, and recovered; what a step cannot tell; and records that are none, each
# said in one line.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use RateState qw(rate_state_record);
use Synthetic qw(normal);
use Test::More;

draw_no_figures();

my $dir = tempdir(CLEANUP => !$ENV{KEEP});
my $top = abs_path($srcdir);

sub fitted_to
{
    my ($name, $text, @options) = @_;
    spew("$dir/$name.yaml", $text);
    my ($status, $out, $err) = contactfit('fit', '-q', "$dir/$name.yaml", '-o', $dir, @options);
    my $json = -e "$dir/$name.json" ? slurp("$dir/$name.json") : '{}';
    return ($status, decode_json($json), $err, $out);
}

# ---- the measured step

# within 3.3 standard deviations: of ten, 99 % of all records
sub near_truth
{
    my ($fit, $name, $truth) = @_;
    my $i = $fit->{parameters}{$name}{interval};
    my $off = ($fit->{parameters}{$name}{value} - $truth) / (($i->{high} - $i->{low}) / 3.92);
    ok(abs($off) < 3.3, sprintf "%s = %g, %.1f standard deviations off", $name, $truth, $off);
}

sub near
{
    my ($fit, $name, $value, $within) = @_;
    my $got = $fit->{parameters}{$name}{value};
    ok(abs($got - $value) <= $within, "$name $got, wanted $value");
}

# all rows at once, as independent: the curves of a prototype in other code
{
    my $few = $full ? '' : "options: {starts: 2, screen: 8}\n";
    my $study = <<"END";
contactfit: study/1
friction: rate-state
rivals: [rate-state-slip]
${few}fit: {mu_0: {}, a_rate: {}, b_state: {}, d_c: {}}
fixed: {v_0: 3.0154 um/s}
data:
  - name: step
    protocol: velocity_step
    file: $top/data/friction_velocity_step_basalt_gouge.csv
    columns: {time: t_s, friction_coefficient: {from: mu, sigma: estimate}}
    apparatus: {speed_before: 3.0154 um/s, step_1_time: 68.66 s, step_1_speed: 10.030 um/s, stiffness: 7000 1/m}
    nuisance: {stiffness: {}, step_1_time: {}, drift: {}}
END
    my ($status, $fit, $err) = fitted_to('white', $study);
    near($fit, 'a_rate', 0.00890, 5e-5);
    near($fit, 'b_state', 0.00931, 5e-5);
    near($fit, 'd_c', 7.03e-6, 5e-8);
    near($fit, 'stiffness', 7105, 50);
    near($fit, 'step_1_time', 68.663, 2e-3);
    my ($channel) = grep { $_->{name} eq 'friction_coefficient' } @{$fit->{data}[0]{channels}};
    ok(abs($channel->{rms} - 8.174e-4) < 2e-7, "rms $channel->{rms}");
    my ($rival) = grep { $_->{law} eq 'rate-state-slip' } @{$fit->{rivals}};
    my ($own) = grep { $_->{law} eq 'rate-state' } @{$fit->{rivals}};
    my $ahead = $own->{aicc} - $rival->{aicc};
    ok(abs($ahead - 38.5) < 1, "as if independent, slip is $ahead ahead");
}

# with its noise: the shipped fit, in full, as it takes a minute; the noise of a record and laws held
# against each other by it are those of dense.t and logs.t
if ($full) {
    my ($status, $out, $err) = contactfit('fit', "$srcdir/fits/rock_gouge_step.yaml", '-o', $dir);
    is($status, 3, 'the measured step is not described to its noise');
    my $got = decode_json(slurp("$dir/rock_gouge_step.json"));
    my $want = decode_json(slurp("$srcdir/fits/rock_gouge_step.json"));
    is($got->{verdict}{status}, $want->{verdict}{status}, 'as the shipped fit says');
    near($got, $_->[0], $_->[1], $_->[2])
        for ['a_rate', 0.0089, 2e-4], ['b_state', 0.0093, 1e-4], ['d_c', 7.0e-6, 1e-7];
    for (qw(a_rate b_state)) {
        my $i = $got->{parameters}{$_}{interval};
        my $sd = ($i->{high} - $i->{low}) / 3.92;
        ok($sd > 2.5e-4 && $sd < 3.6e-4, "sd of $_: $sd");
    }
    my ($sum, $n) = (0, 0);
    for my $set (@{$got->{data}}) {
        my ($channel) = grep { $_->{name} eq 'friction_coefficient' } @{$set->{channels}};
        $sum += $channel->{rms}**2 * $set->{rows};
        $n += $set->{rows};
    }
    is($n, 5849, 'all rows');
    ok(sqrt($sum / $n) <= 8.2e-4, 'rms ' . sqrt($sum / $n));
    my ($rival) = grep { $_->{law} eq 'rate-state-slip' } @{$got->{rivals}};
    my ($own) = grep { $_->{law} eq 'rate-state' } @{$got->{rivals}};
    my $ahead = $own->{aicc} - $rival->{aicc};
    ok($ahead > 2 && $ahead < 10, "with the noise's correlation slip is $ahead ahead, no more");
    my ($bristle) = grep { $_->{law} eq 'bristle' } @{$got->{rivals}};
    $ahead = $bristle->{aicc} - $rival->{aicc};
    ok($ahead > 2 && $ahead < 10, "and $ahead ahead of bristle");
    is($bristle->{parameters}{$_}{value}, undef, "of which this step does not tell $_") for qw(mu_s tau_dw);

    # from other starts, an optimum of bristle that is better
    my $far = slurp("$srcdir/fits/rock_gouge_step.yaml") =~ s/^rivals.*\n//mr =~ s/\.\.\/data/$top\/data/gr;
    $far =~ s/^friction: .*/friction: bristle/m;
    $far =~ s/^fit: .*/fit: {mu_c: {start: 0.53}, sigma_0: {start: 23000 1\/m}, sigma_1: {start: 5 s\/m}, sigma_2: {start: 5700 s\/m, max: 1e5}}/m;
    $far =~ s/^fixed: .*/fixed: {mu_s: 0.7, v_s: 189 um\/s, tau_dw: 1 s}\noptions: {starts: 2}/m;
    $far =~ s/stiffness: 7000/stiffness: 5300/g;
    ($status, my $fit) = fitted_to('far', $far);
    my $better = $rival->{minus_2_log_likelihood} - $fit->{statistics}{minus_2_log_likelihood};
    ok($better > 3 && $better < 5, "where it is $better ahead of slip in 2 ln L");
}

# ---- slide-hold-slide by Euler steps of the laws as they are printed

for my $slip (0, 1) {
    my $law = $slip ? 'rate-state-slip' : 'rate-state';
    my $other = $slip ? 'rate-state' : 'rate-state-slip';
    spew("$dir/holds_$slip.csv", rate_state_record($slip, 60, [10, 1e-6], [25, 0], [40, 1e-6], [undef, 5e-6]));
    my ($status, $fit, $err) = fitted_to("holds_$slip", <<"END");
contactfit: study/1
friction: $law
rivals: [$other]
fit: {mu_0: {}, a_rate: {}, b_state: {}, d_c: {}}
fixed: {v_0: 1 um/s}
data:
  - name: slide-hold-slide
    protocol: velocity_step
    file: holds_$slip.csv
    columns: {time: t_s, load_point_speed: {from: v_lp, unit: m/s}, friction_coefficient: {from: mu, sigma: estimate}}
    apparatus: {stiffness: 2000 1/m}
    nuisance: {stiffness: {}, step_1_time: {}, step_2_time: {}, step_3_time: {}}
END
    is($status, 0, "$law: slide-hold-slide") or diag($err);
    near_truth($fit, 'mu_0', 0.6);
    near_truth($fit, 'a_rate', 0.008);
    near_truth($fit, 'b_state', 0.011);
    near_truth($fit, 'd_c', 5e-6);
    near_truth($fit, 'stiffness', 3000);
    my ($rival) = grep { $_->{law} eq $other } @{$fit->{rivals}};
    my ($own) = grep { $_->{law} eq $law } @{$fit->{rivals}};
    ok($rival->{aicc} - $own->{aicc} > 100, 'and not the other law');
}

# ---- a bristle drawn at um/s, by Euler steps of its equations as they are printed, far below v_s

sub bristle_step
{
    my ($mu_c, $sigma_0, $sigma_1, $sigma_2, $v_s, $k) = (0.58, 900, 5, 1600, 1e-4, 7000);
    my ($v, $h, $text) = (3e-6, 1e-3, "t_s,mu\n");
    my $share = sub { exp(-($_[0] / $v_s)**2) };
    my $x = ($mu_c + $share->($v) / (1 - $share->($v)) * $sigma_1 * $v) / $sigma_0;
    my $S = $sigma_0 * $x + $sigma_2 * $v;
    for my $i (0 .. 20_000) {
        my $t = $i * $h;
        $text .= sprintf "%.2f,%.7f\n", $t, $S + 1e-4 * normal() if $i % 40 == 0;
        for (1 .. 3) { # the speed at which friction is S; its share of sticking as before
            my $s = $share->($v);
            $v = ($S - $sigma_0 * $x - (1 - $s) * ($mu_c - $sigma_0 * $x)) / ($sigma_1 * $s + $sigma_2);
        }
        my $s = $share->($v);
        $x += $h * ($s * $v + (1 - $s) * ($mu_c - $sigma_0 * $x) / $sigma_1);
        $S += $h * $k * (($t < 8 ? 3e-6 : 1e-5) - $v);
    }
    return $text;
}

my $bristle_study = <<'END';
contactfit: study/1
friction: bristle
rivals: [rate-state]
fit: {mu_c: {}, sigma_0: {}, sigma_1: {}, sigma_2: {}}
fixed: {mu_s: 0.7, v_s: 100 um/s, tau_dw: 1 s}
data:
  - name: step up
    protocol: velocity_step
    file: bristle.csv
    columns: {time: t_s, friction_coefficient: {from: mu, sigma: estimate}}
    apparatus: {speed_before: 3 um/s, step_1_time: 8 s, step_1_speed: 10 um/s, stiffness: 7000 1/m}
END
spew("$dir/bristle.csv", bristle_step());
{
    my ($status, $fit, $err) = fitted_to('bristle', $bristle_study);
    is($status, 0, 'bristle: a step up, where neither a start nor a range is stated') or diag($err);
    near_truth($fit, 'mu_c', 0.58);
    near_truth($fit, 'sigma_0', 900);
    near_truth($fit, 'sigma_1', 5);
    near_truth($fit, 'sigma_2', 1600);
    # a fit at a bound takes long: of two of the four parameters
    my $bounded = $bristle_study =~ s/sigma_2: \{\}/sigma_2: {max: 1200 s\/m}/r =~ s/rivals.*\n//r;
    $bounded =~ s/sigma_0: \{\}, sigma_1: \{\}, // if !$full;
    $bounded =~ s/^fixed: \{/options: {starts: 2, screen: 8}\nfixed: {sigma_0: 900 1\/m, sigma_1: 5 s\/m, /m if !$full;
    ($status, $fit, $err) = fitted_to('bounded', $bounded);
    ok($status, 'a range that is stated stays as it is');
    ok($fit->{parameters}{sigma_2}{value} <= 1200, "sigma_2 $fit->{parameters}{sigma_2}{value}");
}

# all laws: where friction is alone, other frictions, and no normal law beside it
{
    # by default of one row in four
    my ($screen, $n) = ($full ? 32 : 8, 0);
    spew("$dir/thin.csv", join '', grep { $full || /^t/ || $n++ % 4 == 0 } split /^/, slurp("$dir/bristle.csv"));
    spew("$dir/all.yaml", $bristle_study =~ s/^data:/options: {starts: 2, screen: $screen}\ndata:/mr =~ s/bristle\.csv/thin.csv/r);
    my ($status, $out, $err) = contactfit('compare', '-q', "$dir/all.yaml", '-o', $dir);
    is($status, 0, 'compare') or diag($err);
    my @laws = sort $out =~ /^[* ] (\S.*?)  +(?:-?\d|not compared)/gm;
    is("@laws", 'bristle coulomb dahl elasto-plastic iwan-2 iwan-3 iwan-4 lugre rate-state rate-state-2 rate-state-slip rate-state-slip-2 stribeck viscous-load',
       'of all frictions that a velocity step knows');
    like($out, qr/^\* bristle +0\.00/m, 'the one by which the record was made is the best');
    my $why = 'could not be evaluated at any of 2 starts: in a frame that gives way a block without mass has no speed of its own, '
        . 'where neither the frame nor LAW resists the more the faster it is: state damping or mass \(apparatus: \{damping: 10 s/m\}\)';
    for my $law (qw(dahl iwan-2 iwan-3 iwan-4)) {
        my $said = "$law " . $why =~ s/LAW/$law/r;
        like($out, qr/^  $law +not compared: $said$/m, "$law is not compared, and why, and what to state");
    }
    spew("$dir/dahl.yaml", slurp("$dir/all.yaml") =~ s/bristle\n/dahl\n/r =~ s/^(?:rivals|fit|fixed).*\n//gmr);
    ($status, $out, $err) = contactfit('fit', '-q', "$dir/dahl.yaml", '-o', $dir);
    is($status, 1, 'as the only law');
    $why =~ s/LAW/dahl/;
    like($err, qr/\A\S+ fit: dahl $why\n\z/, 'it is an error that says the same, in one line');
    ($status, $out, $err) = contactfit('selftest', '-q', "$dir/dahl.yaml");
    like($err, qr/\A\S+ selftest: dahl $why\n\z/, 'and so does selftest, which needs its fit');

    # what it says to state makes it run; a step from sliding to sliding tells mu alone
    # sqrt(7000/0.1)/(2 pi) = 42.1 Hz
    {
        my $study = slurp("$dir/dahl.yaml") =~ s/(stiffness: 7000 1\/m)/$1, mass: 0.1 s^2\/m/r;
        (undef, undef, $err) = fitted_to('swings', $study);
        like($err, qr{5000 steps of integration, the most at one speed of the load point, reach 1\d\.\d+ s of 20 s: a block of mass 0\.1 s\^2/m swings at 42\.1 Hz on its frame of 7000 1/m, and dahl damps it too little: state damping as well, or leave its mass out \(apparatus: \{damping: 10 s/m\}\)\n\z},
            'a block that swings too fast');
    }

    # behind a strong one the states stand still while derivatives decay
    for my $case (['dahl', 10], ['iwan-2', 10], ['iwan-2', 1000]) {
        my ($law, $damping) = @$case;
        my $fit;
        my $study = slurp("$dir/dahl.yaml") =~ s/dahl\n/$law\n/r =~ s/(stiffness: 7000 1\/m)/$1, damping: $damping s\/m/r;
        ($status, $fit, $err) = fitted_to("damped_$law", $study);
        is($status, 3, "$law behind a damper") or diag($err);
        near($fit, $law eq 'dahl' ? 'mu' : 'mu_c', 0.6, 0.02);
        is($fit->{parameters}{sigma_0}{verdict_text}, 'dead', 'its bristles are told as not identified');
    }
}

# ---- what is not identified

{
    my $study = slurp("$dir/holds_0.yaml") =~ s/d_c: \{\}\}/d_c: {}, v_0: {}}/r =~ s/^(fixed|rivals).*\n//gmr;
    my ($status, $fit, $err, $out) = fitted_to('reference', $study);
    is($status, 3, 'v_0 beside mu_0');
    is($fit->{parameters}{v_0}{verdict_text}, 'flat with mu_0', 'is told as not identified');
}

# the dwell time of a bristle: not by a step up, but by a hold
{
    my $bristle = <<"END";
contactfit: study/1
friction: bristle
fit: {mu_s: {start: 0.604}, mu_c: {start: 0.584}, sigma_1: {start: 1000 s/m}, sigma_2: {start: 1500 s/m, max: 4000 s/m}, tau_dw: {start: 1 s}}
fixed: {sigma_0: 1400 1/m, v_s: 10 um/s}
data:
  - name: drawn
    protocol: velocity_step
    file: $top/data/friction_velocity_step_basalt_gouge.csv
    columns: {time: t_s, friction_coefficient: {from: mu, sigma: 8e-4}}
    apparatus: {stiffness: 7000 1/m, STEPS}
END
    $bristle =~ s/^(fit: .*?)sigma_1: .*?, sigma_2: .*?\}, (.*\nfixed: \{)/$1$2sigma_1: 1000 s\/m, sigma_2: 1500 s\/m, /m if !$full;
    my $up = 'speed_before: 3.0154 um/s, step_1_time: 68.66 s, step_1_speed: 10.030 um/s';
    my $hold = 'speed_before: 10 um/s, step_1_time: 50 s, step_1_speed: 0 m/s, step_2_time: 70 s, step_2_speed: 10 um/s';
    for ([up => $up, qr/tau_dw +no: it has no influence on anything that was measured/], [hold => $hold, qr/tau_dw +yes/]) {
        my ($name, $steps, $said) = @$_;
        spew("$dir/dwell.yaml", $bristle =~ s/STEPS/$steps/r);
        my ($status, $out, $err) = contactfit('check', "$dir/dwell.yaml");
        like($out, $said, "tau_dw by a step $name") or diag($err);
    }
}

# ---- what is no velocity step

my @rows = map { [sprintf('%.1f', $_ / 10), $_ < 50 ? '1e-6' : '5e-6', sprintf('%.6f', 0.6 + 1e-4 * normal())] } 0 .. 199;
my $record = "t_s,v,mu\n" . join '', map { join(',', @$_) . "\n" } @rows;
my $time = 'time: t_s, friction_coefficient: {from: mu, sigma: 1e-4}';
my $speed = "$time, load_point_speed: {from: v, unit: m/s}";
my $step = 'speed_before: 1 um/s, step_1_time: 5 s, step_1_speed: 5 um/s';
my @wrong = (
    ['unsorted', $record =~ s/^10\.0,/9.0,/mr, $time, $step, '',
     qr/unsorted\.csv:102:1: time 9 s behind 9\.9 s in line 101: the clock steps back/],
    ['twice', $record =~ s/^10\.0,/9.9,/mr, $time, $step, '',
     qr/twice\.csv:102:1: .*time 9\.9 s behind 9\.9 s: times must increase from row to row; of several records, each is a data set of its own/],
    ['speedless', $record, $time, 'stiffness: 1000 1/m', '',
     qr/no speed of the load point: a column load_point_speed, or apparatus: \{speed_before: 3 um\/s, step_1_time: 60 s, step_1_speed: 10 um\/s\}/, 'apparatus'],
    ['both', $record, $speed, $step, '',
     qr/the column load_point_speed gives the speed of the load point: leave speed_before and the steps out of apparatus/, 'speed_before'],
    ['equal', $record, $time, 'speed_before: 1 um/s, step_1_time: 5 s, step_1_speed: 1 um/s', '',
     qr/a step without a step: at 5 s the load point goes from 1e-06 m\/s to 1e-06 m\/s/, 'step_1_speed'],
    ['constant', $record =~ s/5e-6/1e-6/gr, $speed, '', '', qr/a step without a step: the load point has 1e-06 m\/s all along/, 'csv:2:1'],
    ['drifting', $record =~ s/,[15]e-6,/',' . (1e-6 + 1e-9 * rand) . ','/ger, $speed, '', '',
     qr/the speed of the load point drifts: \S+ m\/s for 1 row; the speeds that were set are wanted, each for a while, in 8 steps at most/],
    ['hold', $record =~ s/^(5\.0),5e-6/$1,0/mr, $speed, '', '', qr/a hold of no length: one row at 0 m\/s/],
    ['holds', $record, $time, 'speed_before: 1 um/s, step_1_time: 5 s, step_1_speed: 0 m/s, step_2_time: 5 s, step_2_speed: 1 um/s', '',
     qr/a hold of no length: step 1 at 5 s, step 2 at 5 s/, 'step_2_time'],
    ['late', $record, $time, 'speed_before: 1 um/s, step_1_time: 19 s, step_1_speed: 5 um/s', '',
     qr/the record is too short behind the step at 19 s: 9 rows, at least 20 are wanted \(apparatus: \{least_rows: \}\)/],
    ['beyond', $record, $time, 'speed_before: 1 um/s, step_1_time: 50 s, step_1_speed: 5 um/s', '',
     qr/step 1 at 50 s is not in the record, which goes from 0 s to 19\.9 s/, 'step_1_time'],
    ['resting', $record, $time, 'speed_before: 0 m/s, step_1_time: 5 s, step_1_speed: 5 um/s', '',
     qr/speed_before: 0 m\/s: a record begins in steady sliding, above 0/, 'speed_before'],
    ['half', $record, $time, 'speed_before: 1 um/s, step_1_time: 5 s', '', qr/step_1_time: 5 s, and no step_1_speed behind it/, 'step_1_time'],
    ['halves', $record, $time, "$step, step_3_speed: 1 um/s", '', qr/step_3_speed: 1e-06 m\/s, and no step_2_time/, 'step_3_speed'],
    ['started', $record, $time, "$step, start: 2 s", '', qr/start: 2 s, behind the first row at 0 s/, 'start'],
    ['stiff', $record, $time, $step, 'nuisance: {stiffness: {}}', qr/stiffness: a fit begins at a value above 0: state it under apparatus as well/],
    ['steps', $record, $time, $step, 'nuisance: {step_2_time: {}}', qr/step_2_time: state it under apparatus as well: a fit begins there/],
    ['rule', $record, $time, $step, 'nuisance: {least_rows: {}}', qr/least_rows is no number of the rig: state it under apparatus/],
    ['force', $record, 'time: t_s, friction_force: {from: mu, unit: N, sigma: 1e-4}', $step, '', qr/a force needs the load \(apparatus: \{load: 10 kN\}\)/],
);
for my $row (@wrong) {
    my ($name, $table, $columns, $apparatus, $more, $said, $place) = @$row;
    spew("$dir/$name.csv", $table);
    spew("$dir/$name.yaml", <<"END");
contactfit: study/1
friction: rate-state
fixed: {v_0: 1 um/s}
data:
  - name: drawn
    protocol: velocity_step
    file: $name.csv
    columns: {$columns}
    apparatus: {$apparatus}
    $more
END
    my ($status, $out, $err) = contactfit('check', "$dir/$name.yaml");
    is($status, 1, "$name is refused");
    like($err, $said, 'it is said');
    like($err, qr/\A\S+ check: \S+:\d+:\d+: .+\n\z/, 'in one line, with its place');
    next if !$place;
    # line 9 is apparatus: at its key, or at the value of a number that is stated
    $place = $place eq 'apparatus' ? "$name.yaml:9:5" : $place =~ /^csv/ ? "$name.$place"
        : "$name.yaml:9:" . (length('    apparatus: {') + index($apparatus, "$place: ") + length("$place: ") + 1);
    like($err, qr/ check: \Q$dir\/$place\E: data set drawn: /, "at $place");
}
{
    spew("$dir/bare.yaml", slurp("$dir/speedless.yaml") =~ s/^    apparatus.*\n//mr);
    my ($status, $out, $err) = contactfit('check', "$dir/bare.yaml");
    like($err, qr/ check: \Q$dir\E\/bare\.yaml:5:5: data set drawn: no speed of the load point: /, 'nothing is stated: at the data set');
}
for (['clutch', qr/friction clutch needs the depth of indentation beside the load, and a velocity_step has none: did you mean clutch-linear\?/],
     ['bristle-fixed', qr/bristle-fixed needs the load \(apparatus: \{load: 10 kN\}\)/]) {
    my ($law, $said) = @$_;
    spew("$dir/law.yaml", slurp("$dir/force.yaml") =~ s/rate-state/$law/r =~ s/^fixed.*\n//mr =~ s/friction_force: \{from: mu, unit: N/friction_coefficient: {from: mu/r);
    my ($status, $out, $err) = contactfit('check', "$dir/law.yaml");
    ok($status, "$law is refused");
    like($err, $said, 'in one line');
}

# ---- init drafts a study

{
    my ($status, $out, $err) = contactfit({in => $dir}, 'init', 'velocity_step', 'holds_0.csv');
    is($status, 0, 'init velocity_step') or diag($err);
    $out =~ s/^# (fixed)(: )/$1$2/gm;
    $out =~ s/, v_0: \{[^}]*\}//;
    like($out, qr/friction: rate-state/, 'begins with rate-state');
    like($out, qr/load_point_speed: /, 'knows the speed of the load point') or diag($out);
}

done_testing();
