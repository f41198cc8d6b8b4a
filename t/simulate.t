#!/usr/bin/perl
# contactfit simulate: the summary, both tables, overrides, and what each exit status means. The
# drop's numbers are those that were computed to 34 digits with another program.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Program;
use Test::More;

draw_no_figures();

my $folder = tempdir(CLEANUP => 1);
my $steel = "$srcdir/scenes/af14_steel_66g.yaml";

sub run { return contactfit({in => $folder}, 'simulate', @_); }

# The lines above the header, the header, and the rows of a table.
sub table
{
    my ($path) = @_;
    my @lines = split /\n/, slurp("$folder/$path");
    my @head = grep { /^#/ } @lines;
    my ($names, @rows) = map { [split /,/, $_, -1] } grep { !/^#/ } @lines;
    return (\@head, $names, \@rows);
}

sub refused
{
    my ($want, $message, @arguments) = @_;
    my ($exit, $out, $err) = run(@arguments);
    is("$exit $out$err", "$want contactfit simulate: $message\n", "@arguments[1 .. $#arguments]");
}

# the summary
my ($exit, $out, $err) = run($steel);
is($exit, 0, 'the drop of 66 g');
is($err, '', 'nothing on standard error');
like($out, qr/^66 g steel sphere on cast iron, dropped from 1 m\n/, 'its title');
like($out, qr/made 38 times, from 0\.447213595\d* s to 2\.52986759\d* s, lost 37 times/, '38 impacts');
like($out, qr/^  rest +from 2\.5/m, 'and rest');
my ($residual) = $out =~ /residual \S+ J, (\S+) of the/;
cmp_ok($residual, '<', 1e-9, 'the energy balance is closed');
my ($change) = $out =~ /potential +\S+ +\S+ +(\S+)$/m;
is($change, '-660.000108', 'm g h and the sag have gone'); # 0.066 10 (1 + (0.66/1e10)^(2/3)) J

# both tables
($exit, $out, $err) = run($steel, qw(--trace t.csv --events e.csv --every 10ms));
is($err, "wrote t.csv\nwrote e.csv\n", 'files are named');
my ($head, $names, $rows) = table('t.csv');
is($head->[0], '# Written by contactfit', 'the mark at the head');
like($head->[1], qr/^# 66 g steel/, 'the title');
like($head->[2], qr/^# source: Azad/, 'the source');
like($head->[3], qr/^# scene: af14_steel_66g\.yaml, sha256 [0-9a-f]{64}$/, 'the scene, without a folder');
like($head->[-1], qr/^# synthetic: /, 'and that nothing was measured');
is($names->[0], 'time_s', 'time comes first');
is($names->[-1], 'energy_residual_J', 'the residual last');
is(scalar(@$rows), 501, 'a row each 10 ms');
is(scalar(grep { @$_ != @$names } @$rows), 0, 'rows are full');
is(scalar(grep { /[^-+.eE\d]/ } map { @$_ } @$rows), 0, 'of numbers only');
my %at = map { $names->[$_] => $_ } 0 .. $#$names;
my ($fall) = grep { abs($_->[0] - 0.4) < 1e-12 } @$rows;
is($fall->[0], '0.4', 'a time of the trace has the digits that it needs');
cmp_ok(abs($fall->[$at{ball_z_m}] - (1.0127 - 0.8)), '<', 1e-14, 'free fall: z = h - g t^2/2');
cmp_ok(abs($fall->[$at{ball_vz_m_s}] + 4), '<', 1e-14, 'and v = -g t');
is(scalar(grep { abs($_->[$at{energy_residual_J}]) > 1e-9 } @$rows), 0, 'the energy balance closes in every row');

($head, $names, $rows) = table('e.csv');
is(join(',', @$names), 'time_s,contact,event,speed_m_s,x_m,y_m,z_m', 'columns of events');
my @make = grep { $_->[2] eq 'make' } @$rows;
my @apex = grep { $_->[2] eq 'apex' } @$rows;
is(scalar(@make), 38, '38 impacts');
cmp_ok(abs($make[0][0] - sqrt(0.2)), '<', 1e-12, 'the first at sqrt(2 h/g)');
cmp_ok(abs($make[0][3] - sqrt(20)), '<', 1e-11, 'at sqrt(2 g h)');
cmp_ok(abs($apex[0][6] - 0.0127 - 0.427645029196), '<', 1e-9, 'the next apex');
cmp_ok(abs($make[11][0] - 2.39167340643), '<', 1e-9, 'the twelfth impact');
my ($break) = grep { $_->[2] eq 'break' } @$rows;
cmp_ok($break->[3], '>', 0, 'a rebound has a speed');
is($rows->[-1][2], 'rest', 'rest is the last event');
is($rows->[-1][1], '', 'of no contact');

# values in place of the file's
($exit, $out) = run($steel, '-p', 'bodies.ball.mass=132 g', '-p', 'contacts.1.normal.k=2e10', '-p',
    'contacts.1.normal.lambda=2e5', '--events', 'f.csv', '-q');
like($out, qr/^  overridden +bodies\.ball\.mass=132 g$/m, 'overrides are reported');
my (undef, undef, $again) = table('f.csv');
is(join(' ', map { sprintf '%s %.9g', $_->[2], $_->[0] } @$again),
    join(' ', map { sprintf '%s %.9g', $_->[2], $_->[0] } @$rows), 'twice of all is the same motion');
like(slurp("$folder/f.csv"), qr/^# overridden: contacts\.1\.normal\.k=2e10$/m, 'in tables, too');

# turned scenes give the turned answer
my $incline = "$srcdir/scenes/g07_ball_on_incline.yaml";
my @short = ('-p', 'duration=0.52 s');
run($incline, @short, '--trace', 'a.csv', '-q');
run($incline, @short, '-p', 'gravity=[9.81, 0, 0]', '-p', 'bodies.ball.position=[-2, 0, 0]', '-p',
    'bodies.ball.velocity=[0, 0.5, -1]', '-p', 'bodies.plane={plane: {normal: [-0.93969262078590838, 0, 0.34202014332566873], height: 0.4}, fixed: true}',
    '--trace', 'b.csv', '-q');
($head, $names, $rows) = table('a.csv');
%at = map { $names->[$_] => $_ } 0 .. $#$names;
(undef, undef, $again) = table('b.csv');
my ($one, $two) = ($rows->[-1], $again->[-1]);
my $off = abs($one->[$at{ball_vx_m_s}] - $two->[$at{ball_vz_m_s}])
    + abs($one->[$at{ball_vz_m_s}] + $two->[$at{ball_vx_m_s}])
    + abs($one->[$at{ball_vy_m_s}] - $two->[$at{ball_vy_m_s}]);
cmp_ok($off, '<', 1e-8, 'turned by a right angle');
cmp_ok(abs($one->[$at{ball_vy_m_s}] - 0.5 * 5 / 7), '<', 1e-5, 'the first impact makes it roll');

# the summary for programs
($exit, $out) = run($steel, '--json');
like($out, qr/^\{.*"events": \{\s*"make": 38,\s*"break": 37/s, 'JSON');
unlike($out, qr/nan|inf/i, 'without what is no number');

like($out, qr/"balance": \{\s*"closes": true,\s*"verdict": "the energy balance closes: /, 'which says that energy is kept');

# a ball without damping at a loose tolerance: text, message, JSON and page say the same, and what helps does
{
    spew("$folder/long.yaml", <<'END');
contactfit: scene/1
title: bounces without end
gravity: 3.7 m/s^2
duration: 200 s
bodies:
  ball: {sphere: {radius: 2 cm}, mass: 50 g, position: [0, 0, 5 cm]}
  ground: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}
contacts: [{between: [ball, ground], normal: {law: hunt-crossley, k: 1e7, a: 0}}]
END
    my @loose = ('long.yaml', '--tolerance', '1e-3');
    ($exit, $out, $err) = run(@loose);
    my ($words, $helps) = $err =~ /^contactfit simulate: long\.yaml: (the energy balance does not close: ball, from t = \S+ s on, drifted .*; --tolerance (\S+) would help)$/;
    is($exit, 3, 'an energy that drifts');
    ok($helps, 'is told, with a tolerance that helps') or diag $err;
    my $text = $out =~ s/\n +/ /gr;
    like($text, qr/^verdict: \Q$words\E \(exit status 3\)$/m, 'in the verdict');
    ($exit, $out) = run(@loose, '--json');
    my ($named) = $out =~ /"closes": false,\s*"verdict": "\Q$words\E",\s*"tolerance_that_helps": (\S+),/;
    is(($named // 0) + 0, $helps + 0, 'in JSON');
    ($exit, $out, $err) = run('long.yaml', '--tolerance', $helps);
    is("$exit$err", '0', 'it does help');
    spew("$folder/page.yaml", slurp("$folder/long.yaml") . "solver: {tolerance: 1e-3}\n");
    contactfit({in => $folder}, qw(report page.yaml -q -o page.html));
    like(slurp("$folder/page.html"), qr{<dt>Energy</dt><dd>the energy balance does not close: ball, from t = \S+ s on, drifted [^<]*; --tolerance \Q$helps\E would help</dd>},
        'on the page, whose figures look at it more often');
}

# fixed steps are reported, not judged
($exit, $out, $err) = run($steel, qw(--method rk4 --step 10us));
is("$exit $err", '0 ', 'rk4');
like($out, qr/by rk4, steps of 1e-05 s/, 'is named');
like($out, qr/fixed steps promise nothing/, 'and what it is worth');

# what is wrong on the command line
refused(2, '-p: "mass": PATH=VALUE is wanted, such as bodies.ball.mass=70g', $steel, '-p', 'mass');
refused(1, "-p bodies.bal.mass: no bal in $steel: did you mean ball?", $steel, '-p', 'bodies.bal.mass=1');
refused(2, '--method rk7: did you mean rk3?', $steel, '--method', 'rk7');
refused(2, '--method rk4: fixed steps: give --step, such as 1ms', $steel, '--method', 'rk4');
refused(2, '--step: the adaptive method chooses its own: give --method, too', $steel, '--step', '1ms');
refused(2, '--tolerance 1: must be in [1e-14, 0.01]', $steel, '--tolerance', '1');
refused(2, '--every: 0 s: must be above 0', $steel, '--every', '0');
refused(1, 'nowhere/t.csv: cannot be written: there is no folder nowhere', $steel, '--trace', 'nowhere/t.csv');

# steps that run out: said, and no table is left
($exit, $out, $err) = run($steel, '-p', 'solver={max-steps: 10}');
is($exit, 1, 'a key that is not there cannot be overridden');
spew("$folder/short.yaml", slurp($steel) . "solver: {max-steps: 10}\n");
($exit, $out, $err) = run('short.yaml', '--trace', 'no.csv');
is("$exit $out", '1 ', 'steps that run out');
like($err, qr/^contactfit simulate: short\.yaml: .*steps.*\n\z/, 'are said');
ok(!-e "$folder/no.csv", 'and no table is left');

# a ball that spins and flies across a bore finds the wall
($exit, $out) = run("$srcdir/scenes/g07_ball_in_cylinder_2d.yaml", '-p', 'duration=0.7 s');
like("$exit\n$out", qr/^0\n.*made 4 times/s, 'four touches in a cylinder, the energy balance closes');

# what a reader should know
for my $early (0, 1) {
    my $trace = slurp("$srcdir/t/bad/good/trace.csv");
    $trace =~ s/0\.02,0\.3\n0\.03/0.015,0.3\n0.019/ if $early;
    spew("$folder/trace.csv", $trace);
    spew("$folder/scene.yaml", slurp("$srcdir/t/bad/good/scene.yaml"));
    ($exit, $out) = run('scene.yaml');
    my @remarks = $out =~ /^  remark +(.*)$/mg;
    is("$exit @remarks", $early ? '0 plate: recorded from 0 s to 0.019 s, before and after which it stands still' : '0 ',
        $early ? 'a recorded motion that ends early' : 'nothing to remark');
}
($exit, $out) = run("$srcdir/scenes/g07_bowden_leben_0.15.yaml");
like($out, qr/made never, lost never\n  friction +slipped 11 times, stuck 11 times\n/, 'a load is no touch');

# sensors' noise on places and forces, by its seed
{
    my $scene = "$srcdir/scenes/g07_force_accommodation_normal.yaml";
    my %with;
    for my $seed (1, 1, 2) {
        run($scene, '-q', '-p', "output.noise.seed=$seed", '--trace', "noise-$seed.csv");
        my $text = slurp("$folder/noise-$seed.csv");
        is($text, $with{$seed}, 'the same seed, the same table') if $with{$seed};
        $with{$seed} = $text;
    }
    isnt($with{1}, $with{2}, 'another seed, another table');
    like($with{1}, qr/^# noise: normal, of 2e-06 m on places and 1 N on forces, seed 1$/m, 'is recorded');
    my ($head, @rows) = map { [split /,/] } grep { !/^#/ } split /\n/, $with{1};
    my %at = map { $head->[$_] => $_ } 0 .. $#$head;
    my %sum;
    for (grep { $_->[0] > 12 && $_->[0] < 14 } @rows) { # far from the plate: no force, a steady rise
        $sum{N} += $_->[$at{'half-sphere-plate_normal_N'}] ** 2;
        $sum{m} += $_->[$at{'half-sphere_y_m'}] ** 2;
        $sum{n}++;
    }
    cmp_ok(abs(sqrt($sum{N} / $sum{n}) - 1), '<', 0.2, 'forces scatter by 1 N');
    cmp_ok(abs(sqrt($sum{m} / $sum{n}) / 2e-6 - 1), '<', 0.2, 'places by 2 um');
}

# the same motion with times as dates, as counted samples, and as rows that are samples
{
    my %good = map { $_ => slurp("$srcdir/t/bad/good/$_") } qw(scene.yaml trace.csv);
    my $folder = tempdir(CLEANUP => 1);
    my @z = $good{'trace.csv'} =~ /^[0-9.]+,(\S+)$/mg;
    my %way = (
        seconds => ['time: t_s', "t_s,z_mm\n" . join '', map { $_ / 100 . ",$z[$_]\n" } 0 .. $#z],
        dates => ['time: when', "when,z_mm\n" . join '', map { sprintf "2026-12-31 23:59:59.%02d,%s\n", 97 + $_, $z[$_] } 0 .. 1],
        counts => ['time: {from: i, rate: 0.1 kHz}', "i,z_mm\n" . join '', map { "$_,$z[$_]\n" } 0 .. $#z],
        rows => ['time: {rate: 100 Hz}', "z_mm\n" . join '', map { "$_\n" } @z]);
    $way{dates}[1] = "when,z_mm\n" . join '', map { sprintf "2026-12-31T23:%02d:%02d.%02d,%s\n", 59, 30, $_, $z[$_] } 0 .. $#z;
    my %trace;
    for my $name (sort keys %way) {
        spew("$folder/trace.csv", $way{$name}[1]);
        spew("$folder/$name.yaml", $good{'scene.yaml'} =~ s/time: t_s/$way{$name}[0]/r);
        my ($end, undef, $said) = contactfit({in => $folder}, 'simulate', "$name.yaml", '--trace', "$name.csv", '-q');
        is("$end$said", '0', "times as $name");
        $trace{$name} = slurp("$folder/$name.csv") =~ s/^#.*\n//gmr;
    }
    ok(length $trace{seconds} > 1000, 'a trace');
    is($trace{$_}, $trace{seconds}, "$_: the same motion") for qw(counts rows);
    my $far = 0;
    my @of = map { [split /[,\n]/, $trace{$_}] } qw(seconds dates);
    for my $i (0 .. $#{$of[0]}) {
        next if $of[0][$i] !~ /^[-+.0-9e]+$/;
        my $by = abs($of[0][$i] - $of[1][$i]);
        $far = $by if $by > $far;
    }
    cmp_ok($far, '<', 1e-9, 'dates: the same motion');
}

# every scene that ships runs
for my $scene (sort glob "$srcdir/scenes/*.yaml") {
    my ($name) = $scene =~ m{([^/]+)\.yaml$};
    my @less = slurp($scene) =~ /^duration: (\S+) s\b/m && $1 > 1 ? ('-p', 'duration=0.2 s') : ();
    ($exit, undef, $err) = run($scene, @less);
    is("$exit $err", '0 ', $name);
}

done_testing();
