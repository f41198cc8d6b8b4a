#!/usr/bin/perl
# The scenes of the sources against numbers that were computed with other programs, and against what
# is known in closed form.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use List::Util qw(max min);
use Program;
use Test::More;

draw_no_figures();

my $folder = tempdir(CLEANUP => 1);

# The rows of a table, as hashes.
sub table
{
    my ($path) = @_;
    my ($names, @rows) = map { [split /,/, $_, -1] } grep { !/^#/ } split /\n/, slurp($path);
    return map { my $row = $_; +{map { $names->[$_] => $row->[$_] } 0 .. $#$names} } @rows;
}

# Trace and events of a scene.
sub scene
{
    my ($name, @options) = @_;
    my ($exit, undef, $err) = contactfit({in => $folder}, 'simulate', "$srcdir/scenes/$name.yaml",
        qw(--quiet --trace t.csv --events e.csv), @options);
    is("$exit $err", '0 ', $name);
    return ([table("$folder/t.csv")], [table("$folder/e.csv")]);
}

sub when { my ($events, $what) = @_; return map { $_->{time_s} } grep { $_->{event} eq $what } @$events; }

# Azad & Featherstone 2010, section 2.2
{
    my (undef, $e) = scene('af10_bouncing_154g', '--every', '1s');
    my @apex = map { $_->{z_m} - 0.0165 } grep { $_->{event} eq 'apex' } @$e;
    is_within($apex[$_] * 1e3, (35.7828177, 13.8804120, 5.73556452)[$_], 1e-7, 'apex ' . ($_ + 1)) for 0 .. 2;
    is(scalar(when($e, 'break')), 9, '9 bounces');

    my ($t) = scene('af10_bouncing_154g', '-p', 'duration=0.5 s', '--every', '1ms');
    my @lost = (0);
    for my $row (@$t) {
        my $mJ = $row->{energy_normal_damper_J} * 1e3;
        push @lost, $mJ if $row->{'ball-ground_depth_m'} < 0 && $mJ > $lost[-1] + 1;
    }
    is_within($lost[$_ + 1] - $lost[$_], (97.0155, 33.0888, 12.3047)[$_], 1e-4, 'mJ lost in impact ' . ($_ + 1))
        for 0 .. 2;
}

# section 4
{
    my ($t, $e) = scene('af10_rolling_sphere', '--every', '10ms');
    is_within($t->[-1]{ball_vx_m_s}, 0.5 * 5 / 7, 1e-6, 'it rolls with 5/7 of its speed');
    is_within($t->[-1]{ball_wy_rad_s} * 0.0165, $t->[-1]{ball_vx_m_s}, 1e-6, 'without slip');
    my ($make, $stick, $slip) = map { (when($e, $_))[0] } qw(make stick slip);
    is_within($stick - $make, 0.934e-3, 1e-6, 'first contact: it sticks');
    is_within($slip - $make, 1.794e-3, 1e-6, 'and slips again');
}

# Gonthier 2007, section 5.1.2
{
    my ($t, $e) = scene('g07_bowden_leben_0.05', '--every', '4ms');
    my $f = sub { sqrt($_[0]{'block-plate_friction_x_N'}**2 + $_[0]{'block-plate_friction_y_N'}**2) };
    my $r = sub { sqrt($_[0]{block_x_m}**2 + $_[0]{block_y_m}**2) };
    my @late = grep { $_->{time_s} > 45 } @$t;
    is_within(max(map { $f->($_) } grep { $_->{time_s} < 20 } @$t), 1.5, 1e-5, 'first peak of friction');
    is_within(max(map { $f->($_) } @late), 1.49541, 1e-5, 'peak of the last cycle');
    is_within(min(map { $r->($_) } @late), 0.27781, 1e-5, 'the block goes from');
    is_within(max(map { $r->($_) } @late), 0.75360, 1e-5, 'to');
    my @slip = when($e, 'slip');
    is_within($slip[-1] - $slip[-2], 11.8445, 1e-3, 'period');

    ($t) = scene('g07_bowden_leben_0.15', '-p', 'duration=6 s', '--every', '0.5ms');
    my ($peak) = sort { $f->($b) <=> $f->($a) } @$t;
    is_within($peak->{time_s}, 5.0004, 1e-3, 'at 0.15 m/s the first peak is at 5 s');
}

# section 5.1.3, the incline: in its own frame
{
    my ($t, $e) = scene('g07_ball_on_incline', '-p', 'duration=2.4 s', '--every', '1ms');
    my ($s, $c) = (sin(20 * atan2(1, 1) / 45), cos(20 * atan2(1, 1) / 45));
    my $along = sub { $_[0]{ball_vx_m_s} * $c - $_[0]{ball_vz_m_s} * $s };
    is_within((when($e, 'make'))[0], 0.511209, 1e-6, 'first impact');
    my $break = (when($e, 'break'))[0];
    my ($row) = grep { $_->{time_s} > $break } @$t;
    my $since = $row->{time_s} - $break;
    is_within($along->($row) - 9.81 * $s * $since, 0.58714, 1e-5, 'after it: along');
    is_within($row->{ball_vy_m_s}, 0.35714, 1e-5, 'across');
    is_within($row->{ball_vx_m_s} * $s + $row->{ball_vz_m_s} * $c + 9.81 * $c * $since, 2.48728, 1e-5, 'up');
    my ($from, $to) = @$t[-301, -1];
    is_within(($along->($to) - $along->($from)) / ($to->{time_s} - $from->{time_s}), 5 / 7 * 9.81 * $s,
        1e-6, 'rolling: 5/7 g sin 20 deg');
}

# the cylinder
{
    my ($t) = scene('g07_ball_in_cylinder_2d', '-p', 'duration=2.5 s', '--every', '5ms');
    my @late = grep { $_->{time_s} > 1 } @$t;
    is_within(max(map { abs $_->{ball_wy_rad_s} } @late), 9.84, 0.005, 'peak of spin');
    is_within(max(map { sqrt($_->{ball_vx_m_s}**2 + $_->{ball_vz_m_s}**2) } @late), 0.984, 0.0005, 'and of speed');
    is(max(map { abs $_->{ball_y_m} } @$t), 0, 'it stays in its plane');
}

# pendulums
{
    my ($t, $e) = scene('g07_double_pendulum', '-p', 'duration=0.5 s', '--every', '10ms');
    my @sum = map { $_->{energy_kinetic_J} + $_->{energy_potential_J} } grep { $_->{time_s} < 0.09 } @$t;
    is_within(max(@sum), min(@sum), 1e-9, 'energy stays between impacts');

    ($t) = scene('g07_pendulum_benchmark_a', '--every', '0.1ms');
    my ($start, $end) = @$t[0, -1];
    my $left = $end->{energy_kinetic_J} + $end->{energy_potential_J} - $start->{energy_potential_J};
    is_within(100 * (1 - $left / $start->{energy_kinetic_J}), 30.4, 0.05, 'percent of energy lost, case (a)');
}

# section 5.1.4: (command - yield dead band)/yield holds against the plate
{
    my ($t) = scene('g07_force_accommodation_normal', '--every', '100ms', '-p',
        'output.noise.force=1e-9');
    my ($pressed) = grep { abs($_->{time_s} - 9) < 1e-6 } @$t;
    is_within($pressed->{'half-sphere-plate_normal_N'}, 30, 1e-6, '2 mm/s at 10 N per mm/s and 10 N');
}

done_testing();
