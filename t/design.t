#!/usr/bin/perl
# contactfit design: its predictions for laws whose answer is elementary, and what it refuses. That
# the predictions hold is tested by simulation in t/design.c.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use JSON::PP;
use Program qw(:DEFAULT is_refused);
use Synthetic qw(four_drops);
use Test::More;

draw_no_figures();

my $dir = tempdir(CLEANUP => 1);
my $croquet = "$srcdir/fits/croquet_ball_on_wood.yaml";

my $constant = four_drops("$dir/constant.yaml", 'e-constant', '{e: {}}', 0.01);
my $flat = four_drops("$dir/flat.yaml", 'azad-featherstone', '{k: {}, lambda: {}}', 0.01);

# A mean of four and of seven: 1.96 * 0.01/sqrt(n) is 0.0098 and 0.0074.
{
    my ($status, $out, $err) = contactfit('design', $constant, '--speed', 2);
    is("$status$err", '0', 'exit 0, nothing on stderr');
    is($out =~ s/\Q$constant\E/CONSTANT/r, <<'END', 'a constant: the whole answer');
next measurements for constant
  at: e-constant, e = 0.8 (as fitted to the study's data)
  e, now +-0.0098
    3 x restitution at 2 m/s                                 +-0.0074         1.32 times narrower
  the best 3 one after the other, for all parameters together:
    3 x restitution at 2 m/s
    e            +-0.0098, then +-0.0074: 1.32 times narrower
  rebound_speed needs a sigma: --sigma rebound_speed=VALUE [m/s]
  rebound_height needs a sigma: --sigma rebound_height=VALUE [m]

verdict: add 3 x restitution at 2 m/s: the 95 % interval of e shrinks from +-0.0098 to +-0.0074 (1.32 times narrower)
next: contactfit fit CONSTANT
END
    # twelve more make sixteen, half as wide as four; at 0.5 m/s the rebound's sigma is divided by 0.5
    my (undef, $json) = contactfit('design', $constant, '--speed', '0.5', '-n', 12, '--json', '--sigma',
        'rebound_speed=5 mm/s');
    my $plan = decode_json($json);
    is_deeply([sort map { $_->{quantity} } @{$plan->{offers}{e}}], ['rebound_speed', 'restitution'], '--sigma: one more is offered')
        or diag($json);
    for my $o (@{$plan->{offers}{e}}) {
        cmp_ok(abs($o->{then}{e}{half_width} - 1.959964 * 0.0025), '<', 1e-8, "$o->{quantity}: half as wide");
    }
    is(scalar @{$plan->{sequence}}, 12, '-n: as many in a row');
    is_deeply($plan->{needs_sigma}, ['rebound_height'], 'and one more could be');
}

# what becomes identified; speeds beyond the study's
{
    my ($status, $out) = contactfit('design', $flat, '-n', 1, '-p', 'k=3e6', '-p', 'lambda=300', '--sigma', 'duration=0.01ms',
        '--speed', '2,9');
    is($status, 0, 'restitution alone: exit 0');
    like($out, qr/^  k, now not identified\n    1 x duration at 2 m\/s +\+-\S+ % +becomes identified\n    1 x restitution at 2 m\/s +not identified +still not identified\n/m,
        'a contact time identifies k, a restitution does not');
    like($out, qr/^verdict: add 1 x duration at 2 m\/s: k becomes identified, to \+-\S+ %\nnext: contactfit fit \S+\n\z/m, 'the advice');
    like($out, qr/^  depth needs a sigma: --sigma depth=VALUE \[m\]$/m, 'what could be measured, too');
    ($status, $out) = contactfit('design', $flat, '--sigma', 'duration=0.01ms', '--speed', 9);
    like($out, qr/at 9 m\/s \(beyond the study's speeds\)/, 'a speed beyond is marked');
    like($out, qr/^  these data do not identify every parameter, so that point is any that fits: plan at likely values with -p\n/m,
        'a point on a flat ridge is no point to plan at');
    ($status, $out) = contactfit('design', $flat);
    like($out, qr/^verdict: no single kind of these measurements would identify k\nnext: \S.*\n\z/m, 'nothing that is measured helps');
}

# default speeds: twice the range, both ways
{
    my (undef, $json) = contactfit('design', $constant, '--json', '--sigma', 'rebound_speed=1');
    my ($rebound) = grep { $_->{quantity} eq 'rebound_speed' } @{decode_json($json)->{offers}{e}};
    # u = e v determines e the better the faster it is
    cmp_ok(abs($rebound->{speed_m_s} - 8), '<', 1e-9, 'the fastest is twice the fastest of the study');
}

# croquet, as in doc/which-law-what-next.md
{
    my ($status, $out, $err) = contactfit('design', $croquet, '--speed', '2,5');
    is("$status$err", '0', 'croquet: exit 0');
    like($out, qr/^verdict: add 3 x duration at 2 m\/s \(beyond the study's speeds\)|^verdict: add 3 x duration at 2 m\/s: /m,
        'croquet: contact times are what k lacks');
}

# two experiments along one axis: quantities are each one's own
{
    my $golf = "$srcdir/fits/golf_ball_bounces.yaml";
    my ($status, $out) = contactfit('design', $golf, '-n', 1, '--speed', '2,5', '--sigma', 'rebound_speed=10 mm/s');
    is($status, 0, 'bounces and rebound heights');
    like($out, qr/^    1 x $_->[0] at \S+ m\/s on "$_->[1]"/m, "$_->[0] on $_->[1]")
        for ['ratio', 'stamps'], ['rebound_height', 'heights'], ['rebound_speed', 'heights'];
    is(join('', $out =~ /^(  \S+ needs a sigma.*\n)/mg), "  restitution needs a sigma: --sigma restitution=VALUE [1]\n",
        'what needs a sigma is named as its experiment names it, once');
}

# what is refused
sub refused { return is_refused('design', @_[0, 1], $croquet, @_[2 .. $#_]) }
refused(2, "--add: \"$_\": a whole number from 1 to 100 is wanted", '--add', $_) for 0, 101, 'two';
refused(2, '--speed: 0: a speed must be above 0', '--speed', '0');
refused(2, '--speed: "nan": a finite number is wanted', '--speed', 'nan');
refused(2, '--speed: 100000 m/s: must be from 1e-06 to 10000 m/s', '--speed', '1e5');
refused(2, '--speed: 201 speeds: at most 200 are compared', '--speed', '1:2:201');
refused(2, '--sigma: protocol impact measures no "duratio": did you mean duration?', '--sigma', 'duratio=1ms');
refused(2, '--sigma: protocol impact measures no "speed"', '--sigma', 'speed=1');
refused(2, '--sigma: "duration": QUANTITY=VALUE is wanted, such as restitution=0.01', '--sigma', 'duration');
refused(2, '--sigma: duration = 0 s: must be above 0', '--sigma', 'duration=0');
refused(2, '--sigma duration: 1kg: a mass [kg] where a time [s] is wanted', '--sigma', 'duration=1kg');
refused(2, '--sigma duration: "nan": a finite number is wanted', '--sigma', 'duration=nan');
refused(2, '-p: lambda [N s/m^1.5] is not given: give all parameters that are fitted, or none for those of the '
    . 'study\'s own fit', '-p', 'k=1e8');

# one start of two finds the optimum: the parameters can be given, the noise cannot
{
    my $odd = four_drops("$dir/odd.yaml", 'linear', "{k: {}, lambda: {}}\noptions: {starts: 2, screen: 2}", 'estimate, duration: 1 us');
    my @seen = (['0.305', '1 ms'], ['0.995', '10 ms'], ['0.61', '0.1 ms'], ['0.01', '3 ms']);
    (my $text = slurp($odd)) =~ s/restitution: [\d.]+\}/my $row = shift @seen; "restitution: $row->[0], duration: $row->[1]}"/ge;
    spew($odd, $text);
    is((contactfit('design', $odd))[0], 0, 'two starts that end apart: a second round confirms the better');
    is((contactfit('design', $odd, '-p', 'k=1e5', '-p', 'lambda=10'))[0], 0, 'and its noise');
}

# starts of segments that are not given are as fitted; the law's parameters are given all or none
{
    my $data = abs_path("$srcdir/data");
    spew("$dir/plate.yaml", <<"END");
contactfit: study/1
title: Slides and a plate
friction: bristle
fit: {mu_s: {}, mu_c: {}, v_s: {}}
fixed: {sigma_0: 1e4 1/m, sigma_1: 30 s/m, sigma_2: 0.1 s/m, tau_dw: 0.15 s}
data:
  - name: slides
    protocol: slide
    file: $data/synthetic_plate_slides.csv
    columns: {speed: speed_m_s, force: {from: force_N, sigma: 15 mN}}
    apparatus: {load: 10 N}
  - name: plate
    protocol: stick_slip
    file: $data/synthetic_plate_50.csv
    columns: {time: time_s, spring_force: {from: spring_force_N, noise: dense}}
    apparatus: {load: 10 N, mass: 1 kg, stiffness: 50 N/m, plate_speed: 50 mm/s, ripple_rate: 1.7 Hz,
                ripple_cosine: 0.003, ripple_sine: 0.004}
END
    my @ask = ('design', "$dir/plate.yaml", qw(-n 1 --json --at), '1e-3,0.1');
    my (undef, $fitted) = contactfit(@ask);
    my ($status, $given, $err) = contactfit(@ask, qw(-p mu_s=0.16 -p mu_c=0.11), '-p', 'v_s=3.2 mm/s');
    is("$status$err", '0', 'a plate planned at given parameters');
    my ($at, $fit) = map { decode_json($_)->{at} } $given, $fitted;
    is_deeply([map { sprintf '%.6g', $at->{$_} } qw(mu_s mu_c v_s)], [0.16, 0.11, 0.0032], 'parameters of the law are those');
    my @start = grep { /^trough_/ } sort keys %$at;
    is(scalar @start, 10, 'its five cycles have a time and a force each,');
    is_deeply([map { $at->{$_} } @start], [map { $fit->{$_} } @start], 'which are as fitted');
    # at rest nothing slides: one place of three
    (undef, $given) = contactfit('design', "$dir/plate.yaml", qw(-n 1 --at), '-1e-3,0,1e-3', qw(-p mu_s=0.16 -p mu_c=0.11), '-p', 'v_s=3.2 mm/s');
    like($given, qr/^  not predicted, and so not compared: 3 readings, of which the first: bristle does not settle in sliding at 0 m\/s$/m,
        'a place without a prediction is told,');
    like($given, qr/^    1 x force at -?0\.001 m\/s /m, 'and others are compared');
    is_refused('design', 2, '-p: mu_c [1] is not given: give all parameters that are fitted, or none for those of the study\'s own fit',
        "$dir/plate.yaml", '-p', 'mu_s=0.16');
}

done_testing();
