#!/usr/bin/perl
# Motions that a study gives a scene: a slider whose recorded place has noise, and the friction that
# was measured as it moved. The truth is a formula: friction in proportion to the speed, 5 ms late.
# What smoothing does and is said to do; what moves at half and at double of it; clocks; segments;
# and what is no such input.

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

draw_no_figures();

my $dir = tempdir(CLEANUP => 1);
my ($load, $mu, $late) = (10, 2, 0.005);

# at rest, then two sines
sub place
{
    my $t = $_[0] - 0.2;
    return 0 if $t <= 0;
    return 0.01 * (1 - exp(-($t / 0.3)**4)) * (sin(6.28 * $t) + 0.3 * sin(17 * $t));
}

sub speed
{
    my ($t) = @_;
    return (place($t + 1e-5) - place($t - 1e-5)) / 2e-5;
}

# Rows of t_s, x_mm and f_N with such a scatter of the force, the clock at this time when it begins.
sub record
{
    my ($name, $sigma, $clock, $keep) = @_;
    my $table = "t_s,x_mm,f_N\n";
    for my $i (0 .. 1000) {
        my $t = 0.004 * $i;
        my $x = 1e3 * (place($t) + 20e-6 * normal());
        my $f = -$mu * $load * speed($t - $late) + $sigma * normal();
        $table .= sprintf "%.4f,%.6f,%.5f\n", $clock + $t, $x, $f if !$keep || $keep->($t);
    }
    spew("$dir/$name", $table);
    return $table;
}

spew("$dir/slide.yaml", <<'END');
contactfit: scene/1
title: A slider that is moved
gravity: 0 m/s^2
duration: 4 s
bodies:
  slider: {point: {}, trace: {file: nothing.csv, time: t_s, x: x_mm, delay: 0 s}}
  table: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}
contacts:
  - between: [slider, table]
    normal: {load: 10 N, direction: [0, 0, 1]}
    friction: {law: viscous-load, mu_v: 1 s/m}
END

my $study = <<'END';
contactfit: study/1
friction: viscous-load
fit: {mu_v: {}}
data:
  - name: run
    protocol: log
    scene: slide.yaml
    file: run.csv
    columns: {time: t_s, slider-table_friction_x_N: {from: f_N, sigma: 0.3 N}}
    inputs: {bodies.slider.trace: {time: t_s, x: x_mm}}
    nuisance: {bodies.slider.trace.delay: {}}
END

# Fit a study of this name: exit code, the fit, what was said.
sub fit_of_text
{
    my ($name, $text) = @_;
    spew("$dir/$name.yaml", $text);
    my ($status, $out, $err) = contactfit({in => $dir}, 'fit', "$name.yaml");
    my $json = slurp("$dir/$name.json");
    diag($out, $err) if !$json;
    return ($status, $json ? decode_json($json) : {}, $err, $out);
}

# ---- a motion that is smoothed well enough for the noise of the force

my $first = record('run.csv', 0.3, 0);
my ($status, $fit, $err) = fit_of_text('chosen', $study);
is($status, 0, 'the motion of the data set\'s own file moves the slider');
like($err, qr/the recorded motion of slider is smoothed at [\d.]+ Hz \(chosen by cross-validation\): [\d.]+ free numbers of 1001 rows; what it takes off has an sd of (19|20|21) um along x/,
     'at which frequency, and what it takes off, is said');
holds($fit, 'mu_v', $mu, 'smoothed');
holds($fit, 'bodies.slider.trace.delay', $late, 'smoothed');
is($fit->{verdict}{status}, 'good', 'the verdict');
my $smoothness = $fit->{smoothness};
is($smoothness->{cutoffs}[0]{name}, 'bodies.slider.trace.smoothing', 'what is smoothed');
my %moved = map { $_->{parameter} => $_ } @{$smoothness->{parameters}};
ok(abs($moved{mu_v}{change_at_double}) < 1 && abs($moved{mu_v}{change_at_half}) < 1
    && !$moved{mu_v}{text}, 'it moves little at half and at double') or diag(encode_json($smoothness));
is(sprintf('%.10g', $moved{mu_v}{value}), sprintf('%.10g', $fit->{parameters}{mu_v}{value}),
   'from what was fitted');
my $page = slurp("$dir/chosen.html");
like($page, qr/Smoothing of the recorded motion.*At half.*At double.*Nothing moves by more than its standard error/s,
     'the page says so');

# the same by hand: the study's cutoff halved is the fit at half
my $half = $smoothness->{cutoffs}[0]{value_Hz} / 2;
(my $text = $study) =~ s/x: x_mm/x: x_mm, smoothing: $half Hz/;
my (undef, $halved) = fit_of_text('half', $text);
ok(abs($halved->{parameters}{mu_v}{value} / $moved{mu_v}{at_half} - 1) < 1e-5,
   'a study that states half of the cutoff has the value at half')
    or diag($halved->{parameters}{mu_v}{value}, ' ', $moved{mu_v}{at_half});

# ---- of a force that is known better, what was not smoothed off is the limit

record('run.csv', 0.01, 0);
($text = $study) =~ s/0\.3 N/0.01 N/;
$text =~ s/x: x_mm/x: x_mm, smoothing: 60 Hz/;
# a rough motion takes many steps: a part of it, from few starts
$text =~ s/    nuisance/    segments: [{from: 0 s, to: 0.8 s}]\n    nuisance/ if !$full;
$text .= "options: {starts: 3, screen: 8}\n" if !$full;
($status, $fit, $err, my $out) = fit_of_text('rough', $text);
like($err, qr/is smoothed at 60 Hz: \d+(\.\d+)? free/, 'a stated frequency');
%moved = map { $_->{parameter} => $_ } @{$fit->{smoothness}{parameters}};
ok(abs($moved{mu_v}{change_at_double}) > 3, 'too little smoothing moves the result');
like($moved{mu_v}{text}, qr/^mu_v moves by \d+\.\d standard errors where the recorded motion is smoothed at double the cutoff: the noise of the recorded motion, not that of the fitted data, limits it$/,
     'which is said');
ok((grep { index($_, "note: $moved{mu_v}{text}") == 0 } @{reasons($fit)}),
   'beside the verdict, too');

# ---- a motion in a file of its own; nothing smoothed; the scene's own record is never read

spew("$dir/motion.csv", $first =~ s/x_mm/place_mm/r);
spew("$dir/run.csv", $first =~ s/^(t_s|[\d.]+),[^,]+,/$1,/gmr);
($text = $study) =~ s/x: x_mm/file: motion.csv, x: place_mm/;
(undef, my $apart) = fit_of_text('apart', $text);
(undef, $fit) = (0, decode_json(slurp("$dir/chosen.json")));
is($apart->{parameters}{mu_v}{value}, $fit->{parameters}{mu_v}{value},
   'a motion in a file of its own is the same motion');
$text =~ s/place_mm/place_mm, smoothing: none/;
spew("$dir/bare.yaml", $text);
$text =~ s/    nuisance/    segments: [{from: 0 s, to: 0.6 s}]\n    nuisance/ if !$full;
(undef, my $bare, $err) = fit_of_text('plain', $text);
ok($bare->{verdict} && !$bare->{smoothness} && $err !~ /smoothed/, 'nothing is smoothed where none is asked for');

(my $short = $first) =~ s/^0\.0[0-4].*\n|^3\..*\n|^4\.0.*\n//gm;
spew("$dir/motion.csv", $short =~ s/x_mm/place_mm/r);
(undef, undef, $err) = contactfit({in => $dir}, 'check', 'bare.yaml');
like($err, qr/bare\.yaml:5: the motion of slider is recorded from 0\.052 s to 2\.996 s, and the rows go from 0 s to 4 s: before and after it it is at rest$/m,
     'that rows lie beyond a motion is said');

# ---- clocks: the scene begins at 100 s of the record

(my $text100 = $study) =~ s/    nuisance/    apparatus: {start: 100 s}\n    nuisance/;
spew("$dir/run.csv", $first =~ s/^([\d.]+)/sprintf '%.4f', $1 + 100/gemr);
(undef, my $later) = fit_of_text('later', $text100);
ok(abs($later->{parameters}{mu_v}{value} / $fit->{parameters}{mu_v}{value} - 1) < 1e-5
    && abs($later->{parameters}{'bodies.slider.trace.delay'}{value} - $fit->{parameters}{'bodies.slider.trace.delay'}{value}) < 1e-7,
   'a motion goes by the clock of its record') or diag(encode_json($later->{parameters}));

# ---- segments, each of which begins anew

spew("$dir/run.csv", $first);
($text = $study) =~ s/    nuisance/    segments: [{from: 0.5 s, to: 1.5 s}, {from: 2 s, to: 3.2 s}]\n    nuisance/;
($status, my $parts) = fit_of_text('parts', $text);
my $set = $parts->{data}[0];
is($set->{rows_excluded}, 1001 - 251 - 301, 'what lies between segments is left out');
is($set->{excluded}[0]{because}, 'between segments', 'as that');
holds($parts, 'mu_v', $mu, 'of two segments');
(my $joined = $text) =~ s/3\.2 s\}/3.2 s, begins: joined}/;
(undef, my $one) = fit_of_text('joined', $joined);
ok(abs($one->{parameters}{mu_v}{value} / $parts->{parameters}{mu_v}{value} - 1) < 1e-5,
   'of friction without memory it is one whether the motion runs on')
    or diag($one->{parameters}{mu_v}{value}, ' ', $parts->{parameters}{mu_v}{value});

# a new run against the fit
spew("$dir/new.csv", record('run.csv', 0.3, 0));
spew("$dir/run.csv", $first);
(my $new = $study) =~ s/run\.csv/new.csv/;
$new =~ s/friction:.*\nfit:.*\n//;
$new =~ s/    nuisance.*/    apparatus: {bodies.slider.trace.delay: 5 ms}/;
spew("$dir/new.yaml", $new);
($status, $out, $err) = contactfit({in => $dir}, 'validate', 'chosen.json', 'new.yaml');
is($status, 0, 'another run agrees with the fit') or diag($out, $err);

# ---- a scene's own record

spew("$dir/nothing.csv", $first);
for my $row (['', ''], [', smoothing: none', ''], [', smoothing: 9 Hz', 'is smoothed at 9 Hz: '],
             [', smoothing: chosen', 'chosen by cross-validation']) {
    my ($key, $says) = @$row;
    spew("$dir/own.yaml", slurp("$dir/slide.yaml") =~ s/(x: x_mm)/$1$key/r);
    ($status, $out, $err) = contactfit({in => $dir}, 'simulate', 'own.yaml');
    ok($status == 0 && ($says ? index($out . $err, $says) >= 0 : ($out . $err) !~ /smoothed/),
       'simulate' . ($key ? ": $key" : ' as it is')) or diag($out, $err);
}

# ---- what is no such input, each in one line

for my $row (
    ['bodies.slider.trace: {' => 'bodies.slidr.trace: {', 'bad.yaml:10:14: unknown body with a trace slidr: did you mean slider?'],
    ['bodies.slider.trace: {' => 'bodies.table.trace: {', 'bad.yaml:10:14: inputs: body table of slide.yaml has no trace: a recorded motion takes the place of another one'],
    ['bodies.slider.trace: {' => 'bodies.slider: {', 'bad.yaml:10:14: inputs: bodies.slider: a recorded motion of the scene is wanted, as bodies.NAME.trace'],
    ['x: x_mm}' => 'x: y_mm}', 'bad.yaml:10:50: no column y_mm in run.csv (did you mean x_mm?): it has t_s, x_mm, f_N'],
    ['x: x_mm}' => 'y_: x_mm}', 'bad.yaml:10:47: unknown key y_: did you mean y?'],
    [', x: x_mm}' => '}', 'bad.yaml:10:35: trace: no column of places: x, y or z is needed'],
    ['x: x_mm}' => 'x: x_mm, smoothing: -1 Hz}', 'bad.yaml:10:67: smoothing: -1 Hz: must be above 0'],
    ['x: x_mm}' => 'x: x_mm, smoothing: 1 s}', 'bad.yaml:10:67: smoothing: 1 s: a time [s] where a frequency [Hz] is wanted'],
    ['x: x_mm}' => 'x: x_mm, smoothing: much}', 'bad.yaml:10:67: smoothing: much: a frequency such as 20 Hz is wanted, none, or chosen'],
    ['x: x_mm}' => 'x: x_mm, file: no.csv}', 'bad.yaml:10:62: file: no.csv: cannot be read: No such file or directory'],
    ['x: x_mm}' => 'x: x_mm, delimiter: ";"}', 'bad.yaml:10:56: delimiter: of the data set\'s own file it stands under the data set'],
    ['time: t_s, x: x_mm}' => 'time: f_N, x: x_mm}', 'bad.yaml:10:42: time: column f_N is in N: s, or another unit of its dimension, is wanted'],
    ['x: x_mm}' => 'x: x_mm, file: back.csv}', 'back.csv:4:1: t_s 0.004 after 0.008: times must grow from row to row'],
    ['x: x_mm}' => 'x: x_mm, file: dates.csv}', 'bad.yaml:10:42: time: dates.csv has dates, which count from its own first row: a motion in another file than the record has its times in seconds of the record'],
    ['trace.delay' => 'trace.smoothing', 'bad.yaml:11:16: bodies.slider.trace.smoothing: it is stated where the motion is, smoothing: 20 Hz of `inputs` or of the scene\'s trace, and never fitted'],
    ['    file: run' => "    where: t_s > 1 s\n    file: run", 'bad.yaml:11:35: bodies.slider.trace: where chooses among the rows of the data set\'s file: name a file that has this motion alone'],
    ['    nuisance' => "    segments: []\n    nuisance", 'bad.yaml:11:15: segments: none: at least one is wanted'],
    ['    nuisance' => "    segments: [{from: 1 s, to: 1 s}]\n    nuisance", 'bad.yaml:11:32: to: 1 s: must be after from: 1 s'],
    ['    nuisance' => "    segments: [{from: 1 s, to: 2 s}, {from: 1.5 s, to: 3 s}]\n    nuisance", 'bad.yaml:11:45: from: 1.5 s: the segment before goes to 2 s: they are listed by time, and none overlap'],
    ['    nuisance' => "    segments: [{from: 7 s, to: 8 s}]\n    nuisance", 'bad.yaml:11:16: segments: no row lies from 7 s to 8 s'],
    ['    nuisance' => "    segments: [{from: 1 s, to: 2 s, begins: new}]\n    nuisance", 'bad.yaml:11:45: unknown beginning new: did you mean anew?'],
) {
    my ($from, $to, $says) = @$row;
    spew("$dir/back.csv", "t_s,x_mm\n0,0\n0.008,0\n0.004,0\n0.01,1\n0.02,1\n");
    spew("$dir/dates.csv", "t_s,x_mm\n" . join '', map { "2026-11-22T12:00:0$_,$_\n" } 0 .. 6);
    (my $bad = $study) =~ s/\Q$from\E/$to/;
    spew("$dir/bad.yaml", $bad);
    my ($end, undef, $message) = contactfit({in => $dir}, 'check', 'bad.yaml');
    my @lines = grep { !/^note: / } split /\n/, $message;
    ok($end == 1 && @lines == 1 && index($lines[0], $says) >= 0, "refused: $says")
        or diag($end, ' ', $message);
}

done_testing;
