#!/usr/bin/perl
# Friction against slip speed: curves fitted to forces, torques and coefficients, of a measured screw
# drive and of synthetic slides; what a set needs for a coefficient, and what is no slide.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use List::Util qw(sum);
use Fitted;
use Program;
use Synthetic qw(normal);
use Test::More;

draw_no_figures();

my $dir = tempdir(CLEANUP => 1);

sub fitted
{
    my ($name, $text) = @_;
    spew("$dir/$name.yaml", "contactfit: study/1\n$text");
    my ($status, $out, $err) = contactfit('fit', '-q', "$dir/$name.yaml");
    diag($err) if $err;
    return ($status, decode_json(slurp("$dir/$name.json") || '{}'), $out);
}

# ---- measured: both directions, the payload's weight in the torque

my $drive = "data:\n  - {name: d, protocol: slide_rotary, where: {drive: 1},\n"
    . "     file: $srcdir/data/friction_vs_velocity_screw_drive.csv,\n"
    . "     columns: {speed: {from: velocity_mean_rad_s}, torque: {from: torque_mean_Nm, sigma: estimate}}%s}\n";

sub rms_mNm
{
    my ($fit) = @_;
    my @left = map { 1e3 * ($_->{value} - $_->{predicted}) } @{$fit->{observations}};
    return sqrt(sum(map { $_ * $_ } @left) / @left);
}

{
    my (undef, $with) = fitted('with', "law: t-stribeck-exponential\n" . sprintf $drive, ', nuisance: {torque.bias: {}}');
    my (undef, $without) = fitted('without', "law: t-stribeck\n" . sprintf $drive, '');
    is(scalar @{$with->{observations}}, 32, 'a screw drive of 32 speeds');
    cmp_ok(rms_mNm($with), '<=', 0.04, 'with the bias of its payload: within 0.04 mN m');
    cmp_ok(rms_mNm($without), '>=', 0.36, 'without: 0.36 and more');
    cmp_ok(rms_mNm($without), '<=', 0.39, 'and no more than 0.39');
    is($without->{verdict}{status}, 'misfit', 'which is told');
    my ($by_hand) = grep { $_->{origin} eq 'hand' } @{$with->{starts}};
    ok($by_hand && $by_hand->{at_optimum}, 'the start by hand ends at the optimum');
}

# ---- synthetic: mu_c, rise, v_s and sigma_2 known

my %true = (mu_c => 0.12, rise => 0.5, v_s => 0.02, sigma_2 => 0.4);

sub mu
{
    my ($v) = @_;
    return $true{mu_c} * (1 + $true{rise} * exp(-($v / $true{v_s})**2)) + $true{sigma_2} * $v;
}

# Speeds of both directions; each row has a load.
sub slides
{
    my ($name, $bias) = @_;
    my $table = "# synthetic: mu-stribeck, mu_c = 0.12, rise = 0.5, v_s = 20 mm/s, sigma_2 = 0.4 s/m\nv_mm_s,w_rad_s,load_N,force_N,torque_Nm,mu\n";
    for my $i (0 .. 59) {
        my $v = 0.001 * 10**(2.3 * int($i / 2) / 29) * ($i % 2 ? -1 : 1);
        my $load = (5, 10, 20)[$i % 3];
        my $coefficient = ($v < 0 ? -1 : 1) * mu(abs $v) * (1 + 0.002 * normal());
        $table .= join(',', 1e3 * $v, $v / 0.05, $load, $load * $coefficient + $bias,
            0.05 * $load * $coefficient, $coefficient) . "\n";
    }
    spew("$dir/$name.csv", $table);
}

normal() for 1 .. 500; # another part of the stream
slides('slides', 0);
slides('weighed', 0.3);
my $law = "law: mu-stribeck\ndata:\n  - {name: d, file: %s.csv, protocol: %s, columns: {%s}%s}\n";

my @ways = (
    ['a coefficient', 'slides', 'slide', 'speed: {from: v_mm_s}, coefficient: {from: mu, unit: "1", sigma: 0.2 %}', ''],
    ['a force and its load', 'slides', 'slide', 'speed: {from: v_mm_s}, load: {from: load_N}, force: {from: force_N, sigma: 0.2 %}', ''],
    ['a force with a bias', 'weighed', 'slide', 'speed: {from: v_mm_s}, load: {from: load_N}, force: {from: force_N, sigma: 0.2 %}', ', nuisance: {force.bias: {}}'],
    ['a torque with its lever', 'slides', 'slide_rotary', 'speed: {from: w_rad_s}, load: {from: load_N}, torque: {from: torque_Nm, sigma: 0.2 %}', ', apparatus: {lever: 50 mm}'],
);
for my $way (@ways) {
    my ($what, @rest) = @$way;
    my ($status, $fit) = fitted('way', sprintf $law, @rest);
    is("$status $fit->{verdict}{status}", '0 good', $what) or diag("@{reasons($fit)}");
    holds($fit, $_, $true{$_}) for sort keys %true;
}

# a parameter of its own for each direction
{
    my $set = "  - {name: %s, file: slides.csv, protocol: slide, where: \"v_mm_s %s 0\",\n"
        . "     columns: {speed: {from: v_mm_s}, coefficient: {from: mu, unit: \"1\", sigma: 0.2 %%}}}\n";
    my ($status, $fit) = fitted('directions', "law: mu-stribeck\nfit: {mu_c: {per: data}, rise: {}, v_s: {}, sigma_2: {}}\ndata:\n"
        . sprintf($set, 'forth', '>') . sprintf($set, 'back', '<'));
    is_deeply([sort keys %{$fit->{parameters}}], ['mu_c[back]', 'mu_c[forth]', 'rise', 'sigma_2', 'v_s'],
        'mu_c by direction');
    holds($fit, $_, $true{mu_c}) for 'mu_c[back]', 'mu_c[forth]';
}

# sticking is never weaker: friction that rises with speed alone
{
    my $table = "# synthetic: f = 2 N + 3 N s/m v, scatter 0.01 N\nv_m_s,f_N\n";
    $table .= join(',', 0.05 * $_, 2 + 3 * 0.05 * $_ + 0.01 * normal()) . "\n" for 1 .. 30;
    spew("$dir/rising.csv", $table);
    my ($status, $fit) = fitted('rising', "law: f-stribeck\ndata:\n  - {name: d, file: rising.csv, protocol: slide,\n"
        . "     columns: {speed: {from: v_m_s}, force: {from: f_N, sigma: 0.01}}}\n");
    cmp_ok($fit->{parameters}{rise}{value}, '>=', 0, 'f_s is never below f_c');
    is($fit->{verdict}{status}, 'weak', 'and a fall that is not there is not called known');
}

# a viscous part that is exactly 0, where the scatter would have it negative: its bound, no failure
{
    my ($ended, %seen) = 0;
    for my $study (1 .. 6) {
        my $table = "# synthetic: f = 2 N (1 + 0.3 exp(-(v/5 mm/s)^2)), scatter 0.02 N\nv_m_s,f_N\n";
        for my $i (0 .. 23) {
            my $v = 0.0005 * 200**($i / 23) * ($i % 2 ? -1 : 1);
            $table .= join(',', $v, ($v < 0 ? -2 : 2) * (1 + 0.3 * exp(-($v / 0.005)**2)) + 0.02 * normal()) . "\n";
        }
        spew("$dir/dry.csv", $table);
        my (undef, $fit) = fitted('dry', "law: f-stribeck\ndata:\n  - {name: d, file: dry.csv, protocol: slide,\n"
            . "     columns: {speed: {from: v_m_s}, force: {from: f_N, sigma: estimate}}}\n");
        $seen{$fit->{verdict}{status}}++;
        $ended += grep { /d_2 ended at its lower bound 0/ } @{reasons($fit)};
    }
    ok(!$seen{failed} && !$seen{good}, 'friction without a viscous part: ' . join ', ', map { "$_ $seen{$_}" } sort keys %seen);
    is($ended, $seen{undetermined} // 0, 'at the bound it is said to be there');
}

# ---- predictions

{
    my (undef, $fit) = fitted('way', sprintf $law, @{$ways[1]}[1 .. 4]);
    my ($status, $out) = contactfit('predict', '-q', "$dir/way.json", '--at', '30 mm/s', '--quantity', 'force,coefficient');
    my @cell = split /,/, (split /\n/, $out)[1];
    ok(abs($cell[1] / (10 * mu(0.03)) - 1) < 0.01, 'a force at the median of the loads');
    ok(abs($cell[4] / mu(0.03) - 1) < 0.01, 'a coefficient');
    contactfit('report', '-q', "$dir/way.json", '-o', "$dir/way.html");
    like(slurp("$dir/way.html"), qr{The curve of \w+ is that at the median of its rows: load <span class="n">10</span>[^<]*<span class="unit">N</span>[.,]},
        'the caption says at which load its curve is drawn');

    # the band: the curve's gradient by hand, in the covariance of the file
    my %p = map { $_ => $fit->{parameters}{$_}{value} } sort keys %true;
    my ($names, $cov) = @{$fit->{covariance}}{qw(names matrix)};
    my $wald = $fit->{parameters}{sigma_2}{wald};
    my ($i) = grep { $names->[$_] eq 'sigma_2' } 0 .. $#$names;
    my $factor = ($wald->{high} - $wald->{low}) / 2 / sqrt($cov->[$i][$i]);
    ($status, $out) = contactfit('predict', '-q', "$dir/way.json", '--at', '2 mm/s,20 mm/s,150 mm/s', '--quantity', 'coefficient');
    for (map { [split /,/] } grep { /^[0-9]/ } split /\n/, $out) {
        my ($v, undef, $low, $high) = @$_;
        my $x = $v / $p{v_s};
        my $fall = exp(-$x * $x);
        my %by = ('ln mu_c' => $p{mu_c} * (1 + $p{rise} * $fall), rise => $p{mu_c} * $fall,
            'ln v_s' => 2 * $p{mu_c} * $p{rise} * $fall * $x * $x, sigma_2 => $v);
        my $variance = 0;
        for my $j (0 .. 3) {
            $variance += $by{$names->[$j]} * $cov->[$j][$_] * $by{$names->[$_]} for 0 .. 3;
        }
        ok(abs(($high - $low) / 2 / ($factor * sqrt $variance) - 1) < 1e-6, "the band at $v m/s is that of all parameters");
    }
    ($status, $out, my $err) = contactfit('export', '--to', 'csv', "$dir/way.json");
    is("$status $err", "0 way to CSV: exact\n", 'and its parameters in a table');
}

# ---- what is missing, what is no slide: one line each, at its place

my $place = qr/way\.yaml:\d+:\d+: /;
my $csv = 'speed: {from: v_mm_s}';
my @refused = (
    ['a torque without a lever', "law: mu-stribeck\ndata:\n  - {name: d, file: slides.csv, protocol: slide, columns: {$csv, load: {from: load_N}, torque: {from: torque_Nm, sigma: 1 %}}}\n",
        'law mu-stribeck, data set d: mu_c of a torque or the speed of an axis needs the lever: state apparatus: {lever: 20 mm}, or fit t-stribeck, which is a torque over rad/s'],
    ['a force without a load', "law: mu-tanh\ndata:\n  - {name: d, file: slides.csv, protocol: slide, columns: {$csv, force: {from: force_N, sigma: 1 %}}}\n",
        'law mu-tanh, data set d: mu_c needs the load of each force and torque: a column load, or apparatus: {load: 10 N}; or fit f-tanh, which is a force'],
    ['a rival that needs one', "law: f-coulomb\nrivals: [mu-coulomb]\ndata:\n  - {name: d, file: slides.csv, protocol: slide, columns: {$csv, force: {from: force_N, sigma: 1 %}}}\n",
        'law mu-coulomb, data set d: mu_c needs the load of each force and torque: a column load, or apparatus: {load: 10 N}; or fit f-coulomb, which is a force'],
    ['a law of impacts', "law: e-log\ndata:\n  - {name: d, file: slides.csv, protocol: slide, columns: {$csv, force: {from: force_N, sigma: 1 %}}}\n",
        'force: law e-log predicts no force: leave the column out'],
    ['a torque law of a coefficient', "law: t-coulomb\ndata:\n  - {name: d, file: slides.csv, protocol: slide, columns: {$csv, coefficient: {from: mu, unit: \"1\", sigma: 1 %}}}\n",
        'coefficient: law t-coulomb predicts no coefficient: leave the column out'],
    ['at rest', "law: f-coulomb\ndata:\n  - {name: d, protocol: slide, rows: [{speed: 0, force: 1 N}, {speed: 1, force: 1 N}], sigma: {force: 0.1 N}}\n",
        'speed 0 m/s: at rest friction is whatever is asked of it: give the speed of the slide, or exclude the row'],
    ['speeding up', "law: f-coulomb\ndata:\n  - {name: d, protocol: slide, rows: [{speed: 2, acceleration: 0.1, force: 1 N}], sigma: {force: 0.1 N}}\n",
        'acceleration 0.1 m/s^2 at a speed of 2 m/s: the speed changes by 0.05 of itself in a second, and a row of constant speed by at most 0.01 (apparatus: {ramp: })'],
    ['no speed', "law: f-coulomb\ndata:\n  - {name: d, protocol: slide, rows: [{load: 5 N, force: 1 N}], sigma: {force: 0.1 N}}\n",
        'no imposed quantity: one of speed is needed'],
    ['all at one speed', "law: f-viscous\ndata:\n  - {name: d, protocol: slide, rows: [{speed: 1, force: 1 N}, {speed: 1, force: 1.1 N}, {speed: 1, force: 1.2 N}], sigma: {force: 0.1 N}}\n",
        undef],
);
for my $case (@refused) {
    my ($what, $text, $message) = @$case;
    spew("$dir/way.yaml", "contactfit: study/1\n$text");
    my ($status, $out, $err) = contactfit('check', "$dir/way.yaml");
    is($status, 1, "$what: refused");
    like($err, defined $message ? qr/\Q$message\E/ : qr/f_c|place|distinct|parameters/, "$what: says why") or diag($err);
}

# impacts need bodies as before
spew("$dir/way.yaml", "contactfit: study/1\nlaw: e-log\ndata:\n  - {name: d, protocol: impact, rows: [{speed: 1, restitution: 0.5}]}\n");
like((contactfit('check', "$dir/way.yaml"))[2], qr/bodies/, 'impacts without bodies are refused');
my ($status, undef, $err) = contactfit('restitution', 'mu-coulomb', '-p', 'mu_c=0.1', '--mass', '1 kg', '--speed', '1');
is($status, 1, 'a friction curve has no restitution');
like($err, qr/mu-coulomb is a friction curve: it does not predict impacts/, 'and says so');

# speeds of one sign cannot tell a bias from friction
{
    my $table = "# synthetic: f = 2 N, bias 0.5 N, scatter 0.01 N\nv_m_s,f_N\n";
    $table .= join(',', 0.05 * $_, 2.5 + 0.01 * normal()) . "\n" for 1 .. 30;
    spew("$dir/one.csv", $table);
    my ($code, $fit) = fitted('one', "law: f-coulomb\ndata:\n  - {name: d, file: one.csv, protocol: slide,\n"
        . "     columns: {speed: {from: v_m_s}, force: {from: f_N, sigma: 0.01}}, nuisance: {force.bias: {}}}\n");
    is("$code $fit->{verdict}{status}", '3 undetermined', 'speeds of one sign: friction and bias are not told apart');
}

# ---- machines of every size: friction is sought where the readings are, whatever the law's row holds for usual

# level and viscous part; speeds, and rows of each direction
for ('t slide_rotary torque 3e-6:2e-6 0.1:3 6', 't slide_rotary torque 0.04:0.003 1:40 5', 't slide_rotary torque 20:43 0.05:1.6 2',
    't slide_rotary torque 900:7000 0.01:0.3 6', 'f slide force 0.02:0.5 1e-3:0.05 5', 'f slide force 400:6e4 2e-3:0.03 6',
    'mu slide coefficient 0.3:2e4 1e-6:9e-6 5')
{
    my ($form, $protocol, $channel, $true, $span, $n) = split ' ';
    my ($level, $viscous) = split /:/, $true;
    my ($from, $to) = split /:/, $span;
    my $table = "v,y\n";
    for my $i (0 .. 2 * $n - 1) {
        my $v = $from * ($to / $from)**(int($i / 2) / ($n - 1));
        my $y = ($level + $viscous * $v) * (1 + 0.01 * normal());
        $table .= join(',', $i % 2 ? (-$v, -$y) : ($v, $y)) . "\n";
    }
    spew("$dir/sized.csv", $table);
    my ($name, $unit) = @{{t => ['d_2', 'N m'], f => ['d_2', 'N'], mu => ['sigma_2', '1']}->{$form}};
    my $speed = $form eq 't' ? 'rad/s' : 'm/s';
    my ($code, $fit) = fitted('sized', "law: $form-viscous\ndata:\n  - {name: d, file: sized.csv, protocol: $protocol,\n"
        . "     columns: {speed: {from: v, unit: $speed}, $channel: {from: y, unit: \"$unit\", sigma: 1 %}}}\n");
    my $interval = $fit->{parameters}{$name}{interval} // {low => 0, high => 0};
    is($code, 0, "$form of $true at $span $speed, " . 2 * $n . ' rows') or diag(join '; ', @{reasons($fit)});
    my $middle = ($interval->{low} + $interval->{high}) / 2;
    cmp_ok(abs($viscous - $middle), '<=', 1.5 * ($interval->{high} - $interval->{low}) / 2, "$name is found");
    is($fit->{parameters}{$name}{bounds_by}[1], 'data', 'the readings bound it');
    my ($low, $high) = @{$fit->{parameters}{$name}{bounds}};
    cmp_ok($high, '>', 3 * $viscous, 'far from the truth');
}
{
    my $set = "data:\n  - {name: d, file: $dir/sized.csv, protocol: slide, columns: {speed: {from: v, unit: m/s},\n"
        . "     coefficient: {from: y, unit: \"1\", sigma: 1 %}}}\n";
    my (undef, $fit) = fitted('stated', "law: mu-viscous\nfit: {mu_c: {}, sigma_2: {max: 1e4 s/m}}\n$set");
    is_deeply([map { @{$fit->{parameters}{sigma_2}{$_}} } 'bounds', 'bounds_by'], [0, 1e4, 'default', 'study'],
        'a bound that is stated holds');
    (undef, $fit) = fitted('stated', "law: mu-viscous\nfit: {mu_c: {}, sigma_2: {start: 5 s/m}}\n$set");
    is($fit->{starts}[0]{origin} eq 'hand' ? 'hand' : 'stated', 'stated', 'and so does a start');
    is($fit->{parameters}{sigma_2}{bounds_by}[1], 'data', 'whose range is still of the readings');
    like($fit->{verdict}{status}, qr/^(good|weak)$/, 'so that it ends where they are');
}

# ---- a draft that runs as it is

{
    my ($code, $out, $told) = contactfit({in => $dir}, 'init', 'slide', 'rising.csv', '-o', 'draft.yaml');
    is($code, 0, 'a draft');
    unlike(slurp("$dir/draft.yaml") =~ s/^#.*//mgr, qr/FILL-IN|bodies/, 'nothing is left to fill in');
    ($code) = contactfit({in => $dir}, 'check', 'draft.yaml');
    is($code, 0, 'check takes it');
}

done_testing();
