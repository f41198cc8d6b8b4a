#!/usr/bin/perl
# contactfit design of whole records: the intervals that it expects of one more record, of a plate at
# another speed or of a hold, are those of a study that has such a record; and which records tell
# nothing, in one line each.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use JSON::PP;
use Program qw(:DEFAULT is_refused);
use RateState qw(rate_state_record);
use Synthetic qw(four_drops);
use Test::More;

draw_no_figures();

my $dir = tempdir(CLEANUP => !$ENV{KEEP});
my $data = abs_path("$srcdir/data");

sub planned
{
    my ($study, @options) = @_;
    my ($status, $json, $err) = contactfit('design', $study, '--json', @options);
    is($status, 0, "design @options") or diag($err);
    return $status ? {} : decode_json($json);
}

# Expected of one more record: what a study that has it says. Both are to first order, about the same
# parameters; the records differ by their noise and by where they begin in a cycle.
sub comes_true
{
    my ($before, $after, $within, @names) = @_;
    for (@names) {
        my ($now, $then, $is) = map { $_->{half_width} } $before->{now}{$_}, $before->{after_sequence}{$_}, $after->{now}{$_};
        ok(abs(log($then / $is)) < $within, sprintf '%s: %s now, %.3g expected, %.3g with it', $_, defined $now ? sprintf('%.3g', $now) : 'nothing',
            $then, $is);
    }
}

# ---- a plate: at 20 mm/s sticks last seven dwell times

my $slides = <<"END"; # few starts: the parameters are given
contactfit: study/1
friction: bristle
options: {starts: 2, screen: 4}
fit: {mu_s: {}, mu_c: {}, v_s: {}, tau_dw: {}}
fixed: {sigma_0: 1e4 1/m, sigma_1: 30 s/m, sigma_2: 0.1 s/m}
data:
  - name: slides
    protocol: slide
    file: $data/synthetic_plate_slides.csv
    columns: {speed: speed_m_s, force: {from: force_N, sigma: 15 mN}}
    apparatus: {load: 10 N}
END

sub plate
{
    my ($speed, $more) = @_;
    return <<"END";
  - name: plate at $speed mm/s
    protocol: stick_slip
    file: $data/synthetic_plate_$speed.csv
    columns: {time: time_s, spring_force: {from: spring_force_N, noise: dense}}
    apparatus: {load: 10 N, mass: 1 kg, stiffness: 50.5 N/m, plate_speed: $speed mm/s, ripple_rate: 1.7 Hz}
    nuisance:
      stiffness: {prior: {value: 50.5 N/m, sigma: 2 %}}
      ripple_cosine: {prior: {value: 0, sigma: 0.005}}
      ripple_sine: {prior: {value: 0, sigma: 0.005}}
END
}

my @truth = map { ('-p', $_) } qw(mu_s=0.15 mu_c=0.1 tau_dw=0.15), 'v_s=3 mm/s';
spew("$dir/plate.yaml", $slides . plate(20));
spew("$dir/plates.yaml", $slides . plate(20) . plate(50));
{
    my $before = planned("$dir/plate.yaml", @truth, '--plate-speed', '50 mm/s');
    my $after = planned("$dir/plates.yaml", @truth, '--plate-speed', '50 mm/s');
    ok($before->{now}{tau_dw}{half_width} > 1, 'at 20 mm/s tau_dw is known to no factor of e');
    comes_true($before, $after, 0.12, qw(mu_s mu_c v_s tau_dw));
    my ($offer) = @{$before->{offers}{tau_dw}};
    is("$offer->{setting} $offer->{value} $offer->{unit} of $offer->{data}", 'plate_speed 0.05 m/s of plate at 20 mm/s', 'the offer');
    ok(abs($offer->{length_s} - 5) < 0.01, "as long as the study's record: $offer->{length_s} s");
    is($before->{added}, 1, 'one record, where nothing is said');
    is_deeply([grep { /^trough/ } keys %{$before->{offers}}], [], 'starts of segments are not planned for');

    # two plates of one rig are one: its first
    is_deeply([map { $_->{data} } @{$after->{offers}{mu_s}}], ['plate at 20 mm/s'], 'one rig, two speeds');
    my $stiff = plate(50) =~ s/name: plate/repeat: true\n    name: stiff plate/r =~ s/50\.5 N\/m, plate/51 N\/m, plate/r;
    # of two seconds each: only what is said is looked at
    spew("$dir/rigs.yaml", ($slides . plate(50) . $stiff) =~ s/\Q$data\E\/(synthetic_plate_50)/$dir\/$1/gr);
    spew("$dir/synthetic_plate_50.csv", slurp("$data/synthetic_plate_50.csv") =~ s/^2\.\d+,.*//msr);
    my (undef, $text) = contactfit('design', "$dir/rigs.yaml", @truth, '--plate-speed', '50 mm/s');
    like($text, qr/^    1 x 2 s at plate_speed 0\.05 m\/s on the rig of "$_ at 50 mm\/s"/m, "another spring, another rig: $_")
        for 'plate', 'stiff plate';

    # twice as long tells as much as two records
    my $long = planned("$dir/plate.yaml", @truth, '--plate-speed', '50 mm/s', '--length', '10 s');
    my $two = planned("$dir/plate.yaml", @truth, '--plate-speed', '50 mm/s', '-n', 2);
    comes_true($two, {now => $long->{after_sequence}}, 0.15, qw(mu_s tau_dw));
    is(scalar @{$two->{sequence}}, 2, 'two in a row');

    # the whole text, but for the numbers
    my ($status, $out) = contactfit('design', "$dir/plate.yaml", @truth, '--plate-speed', '2 mm/s,6 mm/s,50 mm/s,120 mm/s');
    like($out, qr/^  at: bristle, mu_s = 0\.15, .*, and 6 numbers of starts of segments \(as given\)$/m, 'starts of segments are counted');
    unlike($out, qr/trough_/, 'and not named');
    like($out, qr/^  tau_dw, now a factor of \S+\n    1 x 5 s at plate_speed 0\.05 m\/s \(beyond the study's\) +\+-\S+ % +\S+ times narrower$/m,
        'a faster plate tells it');
    like($out, qr/^  the best one, for all parameters together:\n    1 x 5 s at plate_speed 0\.05 m\/s /m, 'and is the best');
    like($out, qr/^  plate_speed 0\.002 m\/s identifies nothing: one slip only$/m, 'too slow: one slip');
    like($out, qr/^  plate_speed 0\.12 m\/s identifies nothing: no slip in the trace$/m, 'too fast: it slides, in noise of a memory');
    like($out, qr/^verdict: add 1 x 5 s at plate_speed 0\.05 m\/s .*: the 95 % interval of tau_dw shrinks from a factor of/m, 'the advice');
    unlike($out, qr/1 x force/, 'readings are not planned beside records that are asked for');

    # of a record whose clock was running before
    spew("$dir/late.csv", slurp("$data/synthetic_plate_20.csv") =~ s/^(\d+\.\d+),/sprintf '%.4f,', $1 + 100/gmer);
    spew("$dir/late.yaml", slurp("$dir/plate.yaml") =~ s/\Q$data\E\/synthetic_plate_20/$dir\/late/r);
    my $late = planned("$dir/late.yaml", @truth, '--plate-speed', '50 mm/s');
    ok(abs($late->{sequence}[0]{length_s} - 5) < 0.01, "a record from 100 s on: $late->{sequence}[0]{length_s} s long");
    comes_true($late, $after, 0.2, 'tau_dw');

    # a plan without anything asked for has both; places of the axis alone have no record
    my $all = planned("$dir/plate.yaml", @truth);
    is_deeply([sort map { $_->{setting} // $_->{quantity} } @{$all->{offers}{mu_c}}], ['force', 'plate_speed'], 'readings and records');
    my @values = map { $_->{value} } @{$all->{tell_nothing}};
    ok(@values && $values[0] == 0.002 && abs($values[-1] - 0.2) < 1e-9, 'from a tenth of the study to ten times it');
    my $places = planned("$dir/plate.yaml", @truth, '--at', '1e-3,0.1');
    is_deeply([map { $_->{setting} // $_->{quantity} } @{$places->{offers}{mu_c}}], ['force'], '--at: readings');
    # along a signed axis the study's own speeds are compared, and not even steps that leave slow ones out
    my ($slow) = grep { $_->{quantity} } @{$all->{offers}{v_s}};
    ok(abs($slow->{speed_m_s}) < 0.02, "v_s by a force at $slow->{speed_m_s} m/s");
}

# ---- a hold, and a step to another speed

sub steps_study
{
    my ($name, @records) = @_;
    my $text = <<"END";
contactfit: study/1
friction: rate-state
fit: {mu_0: {}, a_rate: {}, b_state: {}, d_c: {}}
fixed: {v_0: 1 um/s}
data:
END
    $text .= <<"END" for @records;
  - name: $_
    protocol: velocity_step
    file: $_.csv
    columns: {time: t_s, load_point_speed: {from: v_lp, unit: m/s}, friction_coefficient: {from: mu, sigma: 0.1e-3}}
    apparatus: {stiffness: 3000 1/m}
    nuisance: {stiffness: {prior: {value: 3000 1/m, sigma: 5 %}}}
END
    spew("$dir/$name.yaml", $text);
    return "$dir/$name.yaml";
}

spew("$dir/up.csv", rate_state_record(0, 30, [10, 1e-6], [undef, 3e-6]));
spew("$dir/hold.csv", rate_state_record(0, 45, [10, 1e-6], [25, 0], [undef, 1e-6]));
spew("$dir/down.csv", rate_state_record(0, 30, [10, 1e-6], [undef, 0.4e-6]));
my $up = steps_study('up', 'up');
my @rate = map { ('-p', $_) } qw(mu_0=0.6 a_rate=0.008 b_state=0.011), 'd_c=5 um';
{
    my $held = planned($up, @rate, '--hold-time', '15 s');
    comes_true($held, planned(steps_study('held', 'up', 'hold'), @rate), 0.05, qw(mu_0 a_rate b_state d_c));
    ok(abs($held->{sequence}[0]{length_s} - 45) < 0.11, "slide, hold and slide: $held->{sequence}[0]{length_s} s");
    my $down = planned($up, @rate, '--step-speed', '0.4 um/s');
    comes_true($down, planned(steps_study('downward', 'up', 'down'), @rate), 0.05, qw(mu_0 a_rate b_state d_c));
    my (undef, $out) = contactfit('design', $up, @rate, '--hold-time', '15 s', '--length', '20 s');
    like($out, qr/^  hold_time 15 s identifies nothing: no room behind the last step$/m, 'a record that is too short for its hold');
    (undef, $out) = contactfit('design', $up, @rate, '--step-speed', '1 um/s,2 um/s');
    like($out, qr/^  step_speed 1e-06 m\/s identifies nothing: a step without a step$/m, 'a step without a step');
    (undef, $out) = contactfit('design', $up, @rate, '--hold-time', '1e6 s');
    like($out, qr/^  hold_time 1e\+06 s identifies nothing: 1e\+06 s in steps of 0\.1 s$/m, 'a record of ten million rows');
    # of a record with no more rows behind its step than a record must have
    spew("$dir/short.csv", rate_state_record(0, 11.9, [10, 1e-6], [undef, 3e-6]));
    my $short = steps_study('short', 'short');
    (undef, $out) = contactfit('design', $short, @rate, '--hold-time', '3 s');
    like($out, qr/^  the best one, .*\n    1 x 14\.9 s at hold_time 3 s$/m, 'as few rows as there may be');
    (undef, $out) = contactfit('design', $short, @rate, '--hold-time', '3 s', '--length', '14 s');
    like($out, qr/^  hold_time 3 s identifies nothing: the record is too short behind the step at 3 s$/m, 'and fewer');
    # a hold that no record had is a place to begin, and not beyond the study
    (undef, $out) = contactfit('design', $up, @rate);
    like($out, qr/^    1 x \S+ s at hold_time \S+ s +\+-/m, 'holds are offered,');
    like($out, qr/^    1 x 30 s at step_speed \S+ m\/s( \(beyond the study's\))? +\+-/m, 'and steps');
    (undef, my $json) = contactfit('design', $up, @rate, '--json', '--hold-time', '15 s');
    is_deeply(decode_json($json), $held, 'twice the same plan');
}

# ---- what is refused

my $drops = four_drops("$dir/constant.yaml", 'e-constant', '{e: {}}', 0.01);
is_refused('design', 2, '--plate-speed: no record of this study is one of a rig with a plate speed, made in one piece', $drops, '--plate-speed', 1);
is_refused('design', 2, '--hold-time: no record of this study is one of a rig with a hold time, made in one piece', "$dir/plate.yaml", '--hold-time', 1);
is_refused('design', 2, '--length: no record is planned here', $drops, '--length', '1 s');
is_refused('design', 2, '--length: no record is planned here: readings are, along an axis', "$dir/plate.yaml", '--at', '0.1', '--length', '1 s');
is_refused('design', 2, '--plate-speed: 0: a plate speed must be above 0', "$dir/plate.yaml", @truth, '--plate-speed', 0);
is_refused('design', 2, '--plate-speed: 10000 m/s: must be from 1e-12 to 1000 m/s', "$dir/plate.yaml", @truth, '--plate-speed', '1e4');
is_refused('design', 2, '--hold-time: 201 hold times: at most 200 are compared', $up, @rate, '--hold-time', '1:2:201');
is_refused('design', 2, '--length: 0 s: must be above 0', $up, @rate, '--length', 0);

done_testing();
