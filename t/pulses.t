#!/usr/bin/perl
# Pulses: the shipped synthetic record of three impacts; one impact, with its rig known and not; new
# impacts against a fit; and what is no pulse, each said in one line.

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

my $bodies = "bodies:\n  ball: {sphere: {radius: 15 mm}, mass: 0.1 kg}\n  head: {plane: {}, fixed: true}\n";
my $rig = 'rig_stiffness: 2e8 N/m, rig_mass: 20 g, rig_damping: 200 N s/m, force.bandwidth: 20 kHz, force.order: 2';

# ---- the shipped study

{
    my ($status, $out, $err) = contactfit('fit', '-q', "$srcdir/fits/synthetic_force_pulses.yaml", '-o', $dir);
    is($status, 0, 'the shipped pulses are fitted') or diag($out, $err);
    my $got = decode_json(slurp("$dir/synthetic_force_pulses.json") || '{}');
    my $want = decode_json(slurp("$srcdir/fits/synthetic_force_pulses.json"));
    is_deeply($got->{verdict}, $want->{verdict}, 'the verdict is that of the shipped fit');
    my $n = holds($got, 'n', 1.5);
    holds($got, 'p', 0.5);
    my $pivot = $got->{study}{options}{pivot_m};
    my $k = holds($got, 'pivot_force', 2e8 * $pivot**1.5);
    holds($got, 'pivot_damping', 5e3 * $pivot**0.5);
    holds($got, 'force.bias', 1.5);
    ok(($n->{high} - $n->{low}) / 4 < 0.003 * 1.5, 'three speeds tell n to 0.3 %');
    ok(($k->{high} - $k->{low}) / 4 < 0.004 * 2e8 * $pivot**1.5, 'and the force at the pivot to 0.4 %');
    is(scalar(grep { $_->{part} } @{$got->{curves}}), 3, 'each impact has a curve');

    # at the depth that the file states, not at another one
    my ($ok, $csv) = contactfit('predict', '-q', "$dir/synthetic_force_pulses.json", '--since-touch', '0.0002');
    my ($at) = $csv =~ /\n[^,]+,([^,]+)/;
    ok($ok == 0 && abs($at - 775.5) < 5, 'the force of the impact at 1.5 m/s after 0.2 ms')
        or diag($csv);

    for my $row (['agree', '-1.5 N', 0], ['differ', '60 N', 3]) {
        spew("$dir/$row->[0].yaml", <<"END");
contactfit: study/1
${bodies}data:
  - name: the second
    protocol: pulse
    file: $top/data/synthetic_force_pulses.csv
    where: {impact: 2}
    columns: {time: time_s, speed: speed_m_s, force: {from: force_N, sigma: {from: sigma_N}, offset: $row->[1]}}
    apparatus: {$rig}
END
        my ($end, $text, $why) = contactfit('validate', '-q', "$dir/synthetic_force_pulses.json", "$dir/$row->[0].yaml");
        is($end, $row->[2], "validate: they $row->[0]") or diag($text, $why);
    }

    # the shipped one of a fourth speed, whose zero is fitted to it; a gain does as much for one that is off
    my $held_out = slurp("$srcdir/fits/synthetic_force_pulses_held_out.yaml") =~ s#\.\./data#$top/data#r;
    for my $row (['as it is', 's/x/x/', 0, 'force\.bias of 2\.5 m/s = -?[01]'],
                 ['a tenth too high', 's/force: \{from: force_N, sigma/force: {from: force_N, scale: 1.1, sigma/', 3, ''],
                 ['and its gain found', 's/force: \{from: force_N, sigma/force: {from: force_N, scale: 1.1, sigma/; s/force.bias: \{\}/force.bias: {}, force.gain: {}/', 0, 'force\.gain of 2\.5 m/s = 1\.[01]']) {
        local $_ = $held_out;
        eval $row->[1];
        spew("$dir/fourth.yaml", $_);
        my ($end, $text, $why) = contactfit('validate', '-q', "$dir/synthetic_force_pulses.json", "$dir/fourth.yaml");
        is($end, $row->[2], "validate: a fourth speed, $row->[0]") or diag($text, $why);
        $text =~ s/\s+/ /g;
        like($text, qr/$row->[3]/, 'what was fitted');
    }
}

# ---- a draft of the shipped table, and what may be fitted of its sensor

{
    my ($status, $out, $err) = contactfit('init', 'pulse', "$srcdir/data/synthetic_force_pulses.csv");
    like($out, qr/^      impact: \{from: impact\} /m, 'the number of an impact is a column of its own');
    my $study = slurp("$srcdir/fits/synthetic_force_pulses.yaml") =~ s#\.\./data#$top/data#r;
    spew("$dir/late.yaml", $study =~ s/force\.bias: \{\}/force.delay: {}/r);
    ($status, $out, $err) = contactfit('check', "$dir/late.yaml");
    like($err, qr/unknown nuisance force\.delay: did you mean force\.bias\?$/m, 'when it touches is fitted, and no delay beside it');
}

# ---- errors that follow each other: what each impact begins with is then an unknown of the fit

{
    my @line = split /\n/, slurp("$srcdir/data/synthetic_force_pulses.csv");
    my ($slow, $before) = (0, '');
    for (@line) {
        next if !/^[0-9]/;
        my @cell = split /,/;
        $slow = $cell[0] eq $before ? 0.8 * $slow + 0.6 * normal() : normal();
        $before = $cell[0];
        $cell[3] += 2 * $cell[4] * $slow;
        $_ = join ',', @cell;
    }
    spew("$dir/slow.csv", join("\n", @line) . "\n");
    my $study = slurp("$srcdir/fits/synthetic_force_pulses.yaml") =~ s#\.\./data/synthetic_force_pulses#slow#r;
    spew("$dir/slow.yaml", $study =~ s/sigma: \{from: sigma_N\}\}/sigma: estimate, noise: dense}/r =~ s/    nuisance.*\n//r);
    my ($status, $out, $err) = contactfit('fit', '-q', "$dir/slow.yaml", '-o', $dir);
    my $fit = decode_json(slurp("$dir/slow.json"));
    is_deeply([sort grep { /touch/ } keys %{$fit->{parameters}}], ['touch[1]', 'touch[2]', 'touch[3]'], 'when each impact touches') or diag($out, $err);
    holds($fit, 'n', 1.5);
    like($fit->{errors}{serial}[0]{model}, qr/ar/, 'the errors are found to follow each other');
    ok($fit->{errors}{serial}[0]{effective_rows} < 700, 'and to be worth fewer rows');
}

# ---- what is no pulse: a half sine between levels, at 20 readings a period or as said

sub checked
{
    my ($name, $table, $columns, $apparatus) = @_;
    spew("$dir/$name.csv", $table);
    spew("$dir/$name.yaml", <<"END");
contactfit: study/1
${bodies}law: linear
fit: {k: {}, lambda: {}}
data:
  - name: drop
    protocol: pulse
    file: $name.csv
    columns: {$columns}
    apparatus: {$apparatus}
END
    my ($status, $out, $err) = contactfit('check', "$dir/$name.yaml");
    return ($status, $err);
}

sub pulse
{
    my (%is) = (rows => 200, before => 20, in => 60, peak => 500, level => 0, behind => 0, @_);
    my $text = '';
    for my $i (0 .. $is{rows} - 1) {
        my $phase = ($i - $is{before}) / $is{in};
        my $F = $phase > 0 && $phase < 1 ? $is{peak} * sin(3.14159265 * $phase) : 0;
        $F += $is{level} + ($phase >= 1 ? $is{behind} : 0) + ($is{noise} // 1) * normal();
        my $speed = $is{speed} ? $is{speed}->($i) : 2;
        $text .= sprintf "%.6f,%g,%d,%.4f\n", $is{time} ? $is{time}->($i) : $i * 1e-5, $speed, 1, $F;
    }
    return "t_s,v_m_s,hit,f_N\n$text";
}

my $usual = 'time: t_s, speed: v_m_s, force: {from: f_N, sigma: 1 N}';
my @wrong = (
    ['sign', pulse(peak => -500), $usual, '', qr/the force is negative in contact: -(?:49|50)\d\S* N at 0\.000\d+ s, and at most [\d.]+ N: sign: -1 of its column turns it$/m],
    ['none', pulse(peak => 0), $usual, '', qr/no contact in the record: its greatest force is [\d.]+ N above its level, and its noise has an sd of [\d.]+ N: at least 8 times as much is a contact \(apparatus: \{rise: \}\)$/m],
    ['late', pulse(before => -20), $usual, '', qr/contact from the first reading on: 0 before touch, at \S+ s: at least 3 are needed for the level without contact \(apparatus: \{baseline: \}\); where the sensor shows 0 without a force, baseline: 0$/m],
    ['high', pulse(before => -20, level => 200), $usual, '', qr/contact from the first reading on: 0 before touch, at \S+ s: at least 3 are needed for the level without contact/m],
    ['few', pulse(in => 6), $usual, '', qr/\d readings in contact, from \S+ s on: at least 8 are needed for the shape of a pulse \(apparatus: \{contact_rows: \}\): sample faster$/m],
    ['slow', pulse(), $usual, 'force.bandwidth: 80 kHz', qr/slow\.yaml:\d+:34: data set drop: 1e\+05 readings a second, and a bandwidth of 8e\+04 Hz: fewer than 2 in its period cannot show its lag \(apparatus: \{period_rows: \}\): leave force\.bandwidth out, the sensor follows at once$/m],
    ['speeds', pulse(speed => sub { $_[0] < 100 ? 2 : 3 }), "$usual, impact: hit", '', qr/speed\.csv|speeds\.csv:102:1: data set drop: speed 3 m\/s, and 2 m\/s in line 2 of the same impact: an impact has one approach speed, in all of its rows$/m],
    ['back', pulse(time => sub { $_[0] == 50 ? 0 : $_[0] * 1e-5 }), $usual, '', qr/back\.csv:52:1: time 0 s behind 0\.00049 s in line 51: the clock steps back/],
    ['mass', pulse(), $usual, 'rig_stiffness: 1e8 N/m', qr/rig_stiffness 1e\+08 N\/m: the head that it holds has a mass: give rig_mass under apparatus$/m],
    ['sigma', pulse(), 'time: t_s, speed: {from: v_m_s, sigma: 0.1 m/s}, force: f_N', '', qr/sigma of speed: all rows of an impact share its error, and it would be taken as one of each: leave it out, and free the speeds' gain/],
);
# one that is turned is said to be, whatever its noise looks like
for my $more (1 .. 30) {
    push @wrong, ["sign$more", pulse(peak => -500), $usual, '', qr/the force is negative in contact: .*sign: -1 of its column turns it$/m];
}
for my $row (@wrong) {
    my ($name, $table, $columns, $apparatus, $said) = @$row;
    my ($status, $err) = checked($name, $table, $columns, $apparatus);
    ok($status == 1 || $status == 2, "$name is refused") or diag($status);
    like($err, $said, 'in one line');
}

{
    my ($status, $err) = checked('sticks', pulse(behind => 40), $usual, '');
    is($status, 0, 'a level that is another behind the impact is told');
    like($err, qr/the level is \d\d(\.\d)? N higher behind the impact at \S+ s, more than 0\.02 of its \d+(\.\d)? N \(apparatus: \{shift: \}\): a sensor that sticks or drifts$/m, 'by how much');
    ($status, $err) = checked('clips', pulse() =~ s/,(4[5-9]|5)\d\d?\.\d+$/,450.0000/gmr, $usual, '');
    like($err, qr/450/, 'a sensor that is clipped is told');

    # two impacts at one speed, which the force tells apart
    my ($one, $two) = (pulse(rows => 600), pulse(rows => 600, time => sub { 6e-3 + $_[0] * 1e-5 }));
    $two =~ s/^t_s.*\n//;
    ($status, $err) = checked('two', $one . $two, $usual, '');
    is($status, 0, 'two impacts at one speed');
    like($err, qr/2 impacts, cut midway between pulses more than 5 of their lengths apart/, 'are cut by the force');
}

done_testing();
