#!/usr/bin/perl
# Ramps, loops and taps: the measured loops of presliding, whose misfit is named; a synthetic drive
# of a scene, which other equations have made, by displacement and by force; a tap; what happens at
# a gap; and what is no ramp and no tap, each said in one line.

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
my $dir = tempdir(CLEANUP => !$ENV{KEEP});
my $top = abs_path($srcdir);

sub fitted
{
    my ($name, $text) = @_;
    spew("$dir/$name.yaml", $text);
    my ($status, $out, $err) = contactfit('fit', '-q', "$dir/$name.yaml", '-o', $dir);
    my $json = -e "$dir/$name.json" ? slurp("$dir/$name.json") : '{}';
    return ($status, decode_json($json), $err, $out);
}

# ---- the measured loops: a misfit under every law, and of what

{
    my ($status, $out, $err) =
        contactfit('fit', "$srcdir/fits/presliding_loops.yaml", '-o', $dir);
    is($status, 3, 'the measured loops are not described');
    like($err, qr/the displacement is smoothed at 20 Hz \(as stated; apparatus: \{smoothing: \}\), which removes a standard deviation of 6\.87e-08 m$/m, 'the smoothing is told');
    my $got = decode_json(slurp("$dir/presliding_loops.json"));
    my $want = decode_json(slurp("$srcdir/fits/presliding_loops.json"));
    is($got->{verdict}{status}, 'misfit', 'a misfit');
    is(scalar(@{$got->{verdict}{reasons}}), scalar(@{$want->{verdict}{reasons}}), 'for as many reasons as in the shipped fit');
    my $why = join "\n", @{reasons($got)};
    like($why, qr/the residuals depend on displacement/, 'place is named,');
    like($why, qr/the residuals depend on whether displacement rises or falls/, 'direction is,');
    like($why, qr/the residuals depend on the sign of force/, 'and the sign of the force');
    like($why, qr/8[5-9] % of the residuals' variance repeats in each of 10 cycles: a mean cycle without any law leaves 0\.039/, 'a mean cycle without any law leaves less');
    my $rms = $got->{data}[0]{channels}[3]{rms};
    ok($rms > 0.095 && $rms < 0.115, "rms $rms N");
    ok(abs($got->{parameters}{sigma_0}{value} - 7180) < 30, 'sigma_0');
    ok(abs($got->{parameters}{mu_s}{value} - 0.471) < 2e-3, 'mu_s');
    my $loop = $got->{loops}[0];
    my @off = map { $loop->{value}[$_] - $loop->{predicted}[$_] } 0 .. $#{$loop->{value}};
    my $sum = 0;
    $sum += $_**2 for @off;
    is("@$loop{qw(channel along step)}", 'force displacement 7', 'a loop of force over displacement,');
    is(scalar(@off), 1143, 'of one row in seven,');
    ok(abs(sqrt($sum / @off) - $rms) < 0.02 * $rms, 'as far off as all rows are');
    my $page = slurp("$dir/presliding_loops.html");
    like($page, qr/Force over displacement.*one row of 7 is drawn/s, 'and its figure');
    like($page, qr/if the law held/, 'no number stands without that');
    like($page, qr/[Hh]alf/, 'the page says what moves at half and double of the smoothing');
}

# ---- a scene's own trace: friction by the equations of motion/, not by those of a ramp

my $friction = 'mu_s: 0.3, mu_c: 0.3, sigma_0: 2e4 1/m, sigma_1: 10 s/m, sigma_2: 0 s/m, v_s: 50 mm/s, tau_dw: 0.1 s';
my $fixed = 'fixed: {sigma_1: 10 s/m, sigma_2: 0 s/m, v_s: 50 mm/s, tau_dw: 0.1 s}';

sub drawn
{
    my ($seed) = @_;
    my $text = "t_s,x_m\n";
    $text .= sprintf "%.4f,%.9f\n", $_ * 5e-3, 4e-5 * (1 - cos(2 * 3.14159265358979 * $_ * 5e-3)) for 0 .. 600;
    spew("$dir/drive.csv", $text);
    spew("$dir/drawn.yaml", <<"END");
contactfit: scene/1
title: a block drawn to and fro
gravity: 0 m/s^2
duration: 3 s
bodies:
  block: {point: {}, trace: {file: drive.csv, time: t_s, x: x_m}}
  plate: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}
contacts:
  - between: [block, plate]
    normal: {load: 10 N, direction: [0, 0, 1]}
    friction: {law: bristle, $friction}
    stuck: true
output: {every: 5 ms}
END
    contactfit({in => $dir}, 'simulate', '-q', 'drawn.yaml', '--trace', 'drawn.csv');
    my @line = grep { !/^#/ } split /\n/, slurp("$dir/drawn.csv");
    my @header = split /,/, shift @line;
    my %at = map { $header[$_] => $_ } 0 .. $#header;
    my $out = "t_s,x_m,f_N\n";
    for (@line) {
        my @cell = split /,/;
        $out .= sprintf "%.4f,%.9f,%.5f\n", $cell[$at{time_s}],
            $cell[$at{block_x_m}] + 2e-8 * normal(),
            -$cell[$at{'block-plate_friction_x_N'}] + 0.25 + 0.02 * normal();
    }
    return $out;
}

my $record = drawn();
spew("$dir/loops.csv", $record);
{
    my $study = <<"END";
contactfit: study/1
friction: bristle
fit: {mu_s: {}, sigma_0: {}}
tie: {mu_c: mu_s}
$fixed
data:
  - name: loops
    protocol: ramp
    file: loops.csv
    columns: {time: t_s, displacement: x_m, force: {from: f_N, sigma: 20 mN}}
    apparatus: {load: 10 N, smoothing: 15 Hz}
    nuisance: {force.bias: {}}
hold-out:
  - {data: loops, where: "time > 2 s"}
END
    my ($status, $fit, $err) = fitted('loops', $study);
    is($fit->{verdict}{status}, 'good', 'loops of a scene are described') or diag($err);
    holds($fit, 'mu_s', 0.3);
    holds($fit, 'sigma_0', 2e4);
    holds($fit, 'force.bias', 0.25);

    # of many data sets fewer rows of each loop are kept: 4800 of all
    my $sets = join '', map {
        "  - name: loop $_\n    protocol: ramp\n    file: loops.csv\n    repeat: true\n"
            . "    columns: {time: t_s, displacement: x_m, force: {from: f_N, sigma: 20 mN, offset: -0.25 N}}\n"
            . "    apparatus: {load: 10 N, smoothing: 15 Hz, deflection: 0 m}\n"
    } 1 .. 9;
    (undef, my $many) = fitted('many', ($study =~ s/^data:.*//msr) . "options: {starts: 2, screen: 8}\nrivals: []\ndata:\n$sets");
    is(scalar(@{$many->{loops}}), 9, 'nine loops,');
    is_deeply([map { "$_->{data} $_->{step} " . @{$_->{value}} } @{$many->{loops}}],
        [map { "$_ 2 301" } 0 .. 8], 'of one row in two each');

    # a held-out cycle is predicted; the same with one more cycle of other friction is not
    for my $row (['agrees', 0, 0], ['another', 0.2, 3]) {
        my ($name, $more, $exit) = @$row;
        (my $other = $record) =~ s/^([\d.]+),([^,]+),(.*)$/"$1,$2," . ($3 + $more * ($1 > 1))/gem;
        spew("$dir/$name.csv", $other);
        (my $text = $study) =~ s/loops\.csv/$name.csv/;
        $text =~ s/^(friction|fit|tie|fixed).*\n//gm;
        $text =~ s/    nuisance.*\nhold-out:\n.*\n//;
        spew("$dir/v.yaml", $text =~ s/sigma: 20 mN\}\}/sigma: 20 mN, offset: -0.25 N}}\n    where: "time > 0.4 s"/r);
        my ($end, $out, $why) = contactfit('validate', '-q', "$dir/loops.json", "$dir/v.yaml");
        is($end, $exit, "validate: $name") or diag($out, $why);
    }

    # a gap cuts the record, and friction goes on from what the force shows there
    (my $gap = $record) =~ s/^1\.[1-6].*\n//gm;
    spew("$dir/gap.csv", $gap);
    (my $text = $study) =~ s/loops\.csv/gap.csv/;
    ($status, $fit, $err) = fitted('gap', $text =~ s/hold-out:\n.*\n//r);
    is($fit->{verdict}{status}, 'good', 'a record with a gap is described') or diag($err);
    holds($fit, 'sigma_0', 2e4);

    # what was not recorded is not known, and behind it the curve goes on
    my $loop = $fit->{loops}[0];
    is(scalar(grep { !defined } @{$loop->{value}}), 1, 'the gap parts its loop');
    my $curve = $fit->{curves}[0];
    my @at = map { [$curve->{abscissa}[$_], $curve->{value}[$_]] } 0 .. $#{$curve->{value}};
    my @within = grep { $_->[0] > 1.11 && $_->[0] < 1.69 } @at;
    ok(@within > 20 && !grep({ defined $_->[1] } @within), 'no curve in the gap');
    my ($late) = grep { $_->[0] > 2.3 } @at;
    ok(defined $late->[1] && abs($late->[1] - 3) < 0.03, 'but behind it');
}

# ---- springs that never let go tell their stiffness, and of friction that it is more

{
    # half of the rows of one cycle, of less noise than three, say as much; the numbers of the others are drawn and left
    my ($last, $each, $noise) = $full ? (600, 1, 0.02) : (200, 2, 0.0085);
    my $few = $full ? '' : "options: {starts: 3, screen: 16}\n";
    my $text = "t_s,x_m,f_N\n";
    for my $i (0 .. 600) {
        my $x = 4e-6 * (1 - cos(2 * 3.14159265358979 * $i * 5e-3));
        my $f = 2e5 * $x + $noise * normal();
        $text .= sprintf "%.4f,%.10f,%.5f\n", $i * 5e-3, $x, $f if $i <= $last && $i % $each == 0;
    }
    spew("$dir/stick.csv", $text);
    my ($status, $fit) = fitted('stick', <<"END");
contactfit: study/1
friction: bristle
fit: {mu_s: {}, sigma_0: {}}
tie: {mu_c: mu_s}
fixed: {sigma_1: 10 s/m, sigma_2: 0 s/m, v_s: 50 mm/s, tau_dw: 0.1 s}
${few}data:
  - name: held
    protocol: ramp
    file: stick.csv
    columns: {time: t_s, displacement: x_m, force: {from: f_N, sigma: $noise N}}
    apparatus: {load: 10 N}
    nuisance: {force.bias: {}}
END
    isnt($fit->{verdict}{status}, 'good', 'a block that only sticks');
    isnt($fit->{parameters}{mu_s}{verdict}, 'fine', 'tells no friction coefficient');
    my $stiffness = $fit->{parameters}{sigma_0};
    my $i = $stiffness->{interval};
    ok($i && $i->{high} - $i->{low} > 40 && $i->{high} - $i->{low} < 200, 'its stiffness no better than the noise lets it, at the kink of the law, too');
    ok($i && abs($stiffness->{value} - 2e4) < 0.75 * ($i->{high} - $i->{low}), 'which is that of the springs');
    is($fit->{parameters}{deflection}{role}, 'fitted', 'how they were deflected at the start, nobody knows');
    unlike($fit->{parameters}{$_}{verdict}, qr/fine/, "nor $_") for 'force.bias', 'deflection';
}

# ---- by a force: a block on springs that hold it

{
    my $k = 2e5;
    my $text = "t_s,f_N,x_m\n";
    for my $i (0 .. 400) {
        my $t = $i * 5e-3;
        my $f = 1 - cos(3.14159265358979 * $t);
        my $rate = 3.14159265358979 * sin(3.14159265358979 * $t);
        $text .= sprintf "%.4f,%.6f,%.10f\n", $t, $f, ($f - 200 * $rate / $k) / $k + 1e-8 * normal();
    }
    spew("$dir/force.csv", $text);
    my ($status, $fit, $err) = fitted('force', <<'END');
contactfit: study/1
friction: bristle
fit: {sigma_0: {}}
fixed: {mu_s: 0.5, mu_c: 0.5, sigma_1: 20 s/m, sigma_2: 0 s/m, v_s: 1 m/s, tau_dw: 0.1 s}
data:
  - name: pulled
    protocol: ramp_force
    file: force.csv
    columns: {time: t_s, force: f_N, displacement: {from: x_m, sigma: 10 nm}}
    apparatus: {load: 10 N, mass: 0.1 kg, smoothing: 20 Hz}
END
    is($fit->{verdict}{status}, 'good', 'a block drawn by a force') or diag($err);
    my $i = $fit->{parameters}{sigma_0}{interval};
    ok($i && abs($fit->{parameters}{sigma_0}{value} / 2e4 - 1) < 0.01, 'sigma_0 is the slope, but for the damping');
}

# ---- the shipped tap

{
    my ($status, $out, $err) = contactfit('fit', "$srcdir/fits/synthetic_tap.yaml", '-o', $dir);
    is($status, 0, 'the shipped tap is fitted');
    like($err, qr/hand formulas: knocked at 0\.0205 s, 12 swings at 50\.51 Hz, damping ratio 0\.0728$/m, 'what it says by hand is told');
    my $got = decode_json(slurp("$dir/synthetic_tap.json"));
    my $want = decode_json(slurp("$srcdir/fits/synthetic_tap.json"));
    is_deeply($got->{verdict}, $want->{verdict}, 'the verdict is that of the shipped fit');
    holds($got, 'sigma_0', 1e4);
    holds($got, 'sigma_1', 5);
    holds($got, 'knock', 0.0203);
    holds($got, 'speed', 1e-3);

    # it predicts one under twice the load, of which knock and speed are its own
    my $new = "$srcdir/fits/synthetic_tap_held_out.yaml";
    ($status, $out, $err) = contactfit('validate', '-q', "$dir/synthetic_tap.json", $new, '-o', $dir);
    is($status, 0, 'a tap under twice the load is predicted');
    (my $said = $out) =~ s/\s+/ /g;
    like($said, qr/fitted to the new data, as their study asks: speed of twice the load = 0\.00099\d+ m\/s/, 'and what was fitted of it is told');
    my $text = slurp($new) =~ s#\.\./data#$top/data#r;
    spew("$dir/blind.yaml", $text =~ s/^    nuisance.*\n//mr);
    ($status, $out) = contactfit('validate', '-q', "$dir/synthetic_tap.json", "$dir/blind.yaml", '-o', $dir);
    is($status, 3, 'without them it is not');
    spew("$dir/prior.yaml", $text =~ s/speed: \{\}/speed: {prior: {value: 2 mm\/s, sigma: 1 um\/s}}/r);
    ($status, $out) = contactfit('validate', '-q', "$dir/synthetic_tap.json", "$dir/prior.yaml", '-o', $dir);
    ($said = $out) =~ s/\s+/ /g;
    is($status, 3, 'nor with a wrong prior');
    my ($speed) = $said =~ /speed of twice the load = (\S+)/;
    ok($speed > 1.1e-3 && $speed < 2e-3, "which draws the speed to $speed m/s");
}

# a hundred times slower: where the speed is sought, the record says
{
    my $text = slurp("$srcdir/data/synthetic_tap.csv");
    $text =~ s/^([\d.]+),(.*)$/sprintf '%s,%.9f', $1, $2 \/ 100/gem;
    spew("$dir/faint.csv", $text);
    my $study = slurp("$srcdir/fits/synthetic_tap.yaml") =~ s#\.\./data/synthetic_tap#faint#r;
    my ($status, $fit, $err) = fitted('faint', $study =~ s/10 um\/s/0.1 um\/s/r);
    is($fit->{verdict}{status}, 'good', 'a faint tap') or diag($err);
    holds($fit, 'speed', 1e-5);
    my ($low, $high) = @{$fit->{parameters}{speed}{bounds}};
    ok($low > -1.3e-4 && $low < -5e-5 && $high > 5e-5 && $high < 1.3e-4, "which is sought from $low to $high m/s");
}

# a knock that is stated at a row's time, and sought from there
{
    my $study = slurp("$srcdir/fits/synthetic_tap.yaml") =~ s#\.\./data#$top/data#r;
    my ($status, $fit, $err) = fitted('stated', $study =~ s/apparatus: \{/apparatus: {knock: 0.0205 s, /r);
    is($fit->{verdict}{status}, 'good', 'a knock stated at the first loud row') or diag($err);
    holds($fit, 'knock', 0.0203);
}

# a record that begins with the knock, at time 0
{
    my $text = slurp("$srcdir/data/synthetic_tap.csv");
    $text = join '', map { /^([\d.]+),(.*)/ ? $1 > 0.0203 ? sprintf("%.4f,%s\n", $1 - 0.0203, $2) : () : /^t/ ? "$_\n" : () } split /\n/, $text;
    spew("$dir/early.csv", $text);
    my ($status, $fit, $err) = fitted('early', <<'END');
contactfit: study/1
friction: bristle
fit: {sigma_0: {}, sigma_1: {}}
fixed: {mu_s: 0.15, mu_c: 0.1, sigma_2: 0 s/m, v_s: 50 mm/s, tau_dw: 2 s}
data:
  - name: tap
    protocol: tap
    file: early.csv
    columns: {time: time_s, velocity: {from: speed_m_s, sigma: 10 um/s}}
    apparatus: {mass: 0.9 kg, sensor_mass: 0.1 kg, load: 10 N, knock: 0 s}
    nuisance: {speed: {}}
END
    is($fit->{verdict}{status}, 'good', 'a knock at time 0, without a row before it') or diag($err);
    holds($fit, 'sigma_0', 1e4);
    holds($fit, 'sigma_1', 5);
}

# ---- what is no ramp and no tap

sub checked
{
    my ($protocol, $name, $table, $columns, $apparatus, $friction, $more) = @_;
    spew("$dir/$name.csv", $table);
    spew("$dir/$name.yaml", <<"END");
contactfit: study/1
friction: $friction
data:
  - name: drawn
    protocol: $protocol
    file: $name.csv
    columns: {$columns}
    apparatus: {$apparatus}
    $more
END
    my ($status, $out, $err) = contactfit('check', "$dir/$name.yaml");
    return ($status, $err);
}

my $ramp = 'time: t_s, displacement: x_m, force: {from: f_N, sigma: 20 mN}';
my $quiet = "t_s,v\n" . join '', map { sprintf "%.4f,%.6f\n", $_ * 1e-3, 1e-5 * normal() } 0 .. 200;
my $few = "t_s,x_m,f_N\n0,0,0\n0.1,1e-6,0.1\n0.2,2e-6,0.2\n";
my @wrong = (
    ['ramp', 'unsorted', $record =~ s/^0\.1000,/0.0900,/mr, $ramp, 'load: 10 N', 'bristle', '',
     qr/unsorted\.csv:22:1: .*time 0\.09 s/],
    ['ramp', 'unloaded', $record, $ramp, 'mass: 1 kg', 'bristle', '',
     qr/bristle needs the load: a column load, or apparatus: \{load: 10 N\}/],
    ['ramp', 'rigid', $record, $ramp, 'load: 10 N', 'coulomb', '',
     qr/friction coulomb has no deflection before it slides: bristle, lugre and iwan-2 have/],
    ['ramp', 'few', $few, $ramp, 'load: 10 N', 'bristle', '',
     qr/the piece of the record from 0 s to 0\.2 s, 3 rows between gaps: 3 samples: at least 5 can be smoothed \(exclude it, or apparatus: \{gap: \}\)/],
    ['ramp', 'stiff', $record, $ramp, 'load: 10 N', 'bristle', 'nuisance: {stiffness: {}}',
     qr/stiffness: a fit begins at a value above 0: state it under apparatus as well/],
    ['ramp', 'rule', $record, $ramp, 'load: 10 N', 'bristle', 'nuisance: {gap: {}}',
     qr/gap is a rule by which the record is read, and no number of the rig: state it under apparatus/],
    ['ramp', 'word', $record, $ramp, 'load: 10 N, stifness: 1e6 N/m', 'bristle', '',
     qr/unknown part of the apparatus stifness: .*stiffness/],
    ['ramp', 'flipped', $record =~ s/^([\d.]+,[^,]+),(.*)$/"$1," . -$2/gemr, $ramp, 'load: 10 N', 'bristle', '',
     qr/the force does work on the drive, 0\.\d+ of what friction at its level of 3\.\d+ N takes from it: it is read against the motion, sign: -1 of its column turns it/],
    ['ramp', 'alone', "t_s,x_m,f_N\n0,0,0\n", $ramp, 'load: 10 N', 'bristle', '',
     qr/the piece of the record from 0 s to 0 s, 1 row between gaps: /],
    ['tap', 'twice', $quiet =~ s/^0\.1000,/0.0990,/mr, 'time: t_s, velocity: {from: v, unit: m/s, sigma: 10 um/s}', 'load: 10 N, mass: 1 kg',
     'bristle', '', qr/twice\.csv:102:1: .*time 0\.099 s/],
    ['tap', 'loads', $quiet =~ s/^t_s,v$/t_s,v,n/mr =~ s/(?<=\d)$/,10/gmr =~ s/^(0\.1000.*),10$/$1,11/mr,
     'time: t_s, velocity: {from: v, unit: m/s, sigma: 10 um/s}, load: {from: n, unit: N}', 'mass: 1 kg', 'bristle', '',
     qr/loads\.csv:102:1: .*load 11 N, and 10 N in the rows before: a tap is under one load \(apparatus: \{load: 10 N\}\)/],
    ['tap', 'quiet', $quiet, 'time: t_s, velocity: {from: v, unit: m/s, sigma: 10 um/s}', 'load: 10 N, mass: 1 kg',
     'bristle', '',
     qr/no knock in the record: the velocity never leaves its own noise, of an sd of \S+ m\/s, by 6 times of that \(apparatus: \{rise: \}, or \{knock: \} where it is known\)/],
    ['tap', 'later', $quiet, 'time: t_s, velocity: {from: v, unit: m/s, sigma: 10 um/s}', 'load: 10 N, mass: 1 kg, knock: 9 s',
     'bristle', '', qr/later\.yaml:\d+:48: data set \w+: knocked at 9 s, behind the last row at \S+ s/],
    ['tap', 'massless', $quiet =~ s/^0\.1000.*$/0.1000,0.01/mr, 'time: t_s, velocity: {from: v, unit: m/s, sigma: 10 um/s}',
     'load: 10 N', 'bristle', '', qr/no mass: a block rings by it \(apparatus: \{mass: 1 kg\}\)/],
);
for my $row (@wrong) {
    my ($protocol, $name, $table, $columns, $apparatus, $law, $more, $said) = @$row;
    my ($status, $err) = checked($protocol, $name, $table, $columns, $apparatus, $law, $more);
    ok($status == 1 || $status == 2, "$name is refused") or diag($status);
    like($err, $said, 'in one line');
}

# ---- init drafts studies of them: once what it advises is done, they are fitted

for my $row (['ramp', 'loops.csv', ', mu_c: {}', ', sigma_2: {}', 'mu_c: mu_s'], ['tap', 'tap.csv', 'mu_s: {}, ', ', sigma_2: {}', '']) {
    my ($protocol, $file) = @$row;
    spew("$dir/tap.csv", slurp("$srcdir/data/synthetic_tap.csv"));
    my ($status, $out, $err) = contactfit({in => $dir}, 'init', $protocol, $file);
    is($status, 0, "init $protocol") or diag($err);
    unlike($out, qr/FILL-IN[^\n]*lists|fit: \{,/, 'asks for no normal law');
    $out =~ s/^(fit: )\{.*?\}\}/$1 . ($protocol eq 'ramp' ? '{mu_s: {}, sigma_0: {}}' : '{sigma_0: {}, sigma_1: {}}')/em;
    $out =~ s/^# (tie|fixed|rivals)(: )/$1$2/gm;
    $out =~ s/^rivals.*\n//gm;
    $out =~ s/^    # (apparatus|nuisance)/    $1/gm;
    $out =~ s/mass: FILL-IN, load: FILL-IN/mass: 1 kg, load: 10 N/;
    spew("$dir/draft_$protocol.yaml", $out);
    ($status, $out, $err) = contactfit({in => $dir}, 'check', "draft_$protocol.yaml");
    is($status, 0, 'and what it advises makes a study') or diag($out, $err);
}

done_testing();
