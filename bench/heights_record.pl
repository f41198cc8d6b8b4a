#!/usr/bin/perl
# A synthetic video of a bouncing ball: the height of its centre over time in five throws, with
# noise: data/synthetic_ball_heights.csv. Written from the formulas in its head, and not by
# contactfit: perl bench/heights_record.pl > data/synthetic_ball_heights.csv

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use RecordNoise;

my ($g, $m_kg, $radius_m, $drag, $air) = (9.80665, 0.05, 0.02, 0.5, 1.2);
my ($e_at_1, $b, $scatter, $shift) = (0.85, 0.03, 0.004, 0.002);
my ($rate_hz, $noise_m, $contact_s, $least_m_s) = (120, 0.0005, 0.003, 0.6);
my @drop_m = map { 0.4 + 0.15 * $_ } 0 .. 7;

seed(20261125);

# Flights under gravity and a drag of kappa v^2.
my $kappa = $air * $drag * 4 * atan2(1, 1) * $radius_m**2 / (2 * $m_kg);
my ($terminal, $s) = (sqrt($g / $kappa), sqrt($g * $kappa));

sub acosh { return log($_[0] + sqrt($_[0]**2 - 1)); }
sub cosh { return (exp($_[0]) + exp(-$_[0])) / 2; }
sub fall_time { return acosh(exp($kappa * $_[0])) / $s; }
sub landing_speed { return $terminal * sqrt(1 - exp(-2 * $kappa * $_[0])); }
sub rise { my ($u) = @_; return (log(1 + ($u / $terminal)**2) / (2 * $kappa), atan2($u, $terminal) / $s); }

# Height above contact of a throw: held, let fall, bouncing, at rest; and when that ends.
sub throw_from
{
    my ($drop) = @_;
    my $off = $shift * normal();
    my @piece = ([0.15, sub { $drop }]);
    my ($t, $top, $at) = (0.15 + fall_time($drop), $drop, 0.15);
    push @piece, [$t, sub { $drop - log(cosh($s * ($_[0] - 0.15))) / $kappa }];
    while (1) {
        my $v = landing_speed($top);
        my $u = $v * ($e_at_1 - $b * log($v) + $off + $scatter * normal());
        last if $u < $least_m_s;
        my $from = $t + $contact_s;
        my ($high, $up) = rise($u);
        my $phase = atan2($u, $terminal);
        push @piece, [$from, sub { 0 }],
            [$from + $up, sub { log(cos($phase - $s * ($_[0] - $from)) / cos($phase)) / $kappa }],
            [$from + $up + fall_time($high), sub { $high - log(cosh($s * ($_[0] - $from - $up))) / $kappa }];
        ($t, $top) = ($piece[-1][0], $high);
    }
    push @piece, [$t + 0.25, sub { 0 }];
    return @piece;
}

print <<"HEAD";
# SYNTHETIC: no ball was dropped and nothing was filmed; made by bench/heights_record.pl
# licence: as of the project, GPL-3.0-or-later
# what: height of the centre of a ball of 50 g, 40 mm across, above the floor, @{[scalar @drop_m]} throws, $rate_hz frames a second
# truth: e = 0.85 - 0.03 ln(v / 1 m/s), with a scatter of sd 0.004 at each impact and 0.002 from throw to throw
# drag coefficient 0.5 in air of 1.2 kg/m^3; contacts of 3 ms; noise of sd 0.5 mm
throw,time_s,height_mm
HEAD

for my $i (0 .. $#drop_m) {
    my @piece = throw_from($drop_m[$i]);
    my $k = 0;
    for (my $n = 0; $n / $rate_hz < $piece[-1][0]; $n++) {
        my $t = $n / $rate_hz;
        $k++ while $t >= $piece[$k][0];
        printf "%d,%.5f,%.1f\n", $i + 1, $t, 1000 * ($radius_m + $piece[$k][1]->($t) + $noise_m * normal());
    }
}
