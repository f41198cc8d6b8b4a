package RateState;

# Records of rate-state friction behind a spring, by Euler steps of the laws as they are printed, with
# noise: nobody's measurements.

use strict;
use warnings;
use Exporter qw(import);
use Synthetic qw(normal);

our @EXPORT_OK = qw(rate_state_record);

# t_s,v_lp,mu for so many seconds, a row each 0.1 s. @pieces: [until, speed of the load point] in turn,
# the last without an end.
sub rate_state_record
{
    my ($slip, $seconds, @pieces) = @_;
    my ($mu_0, $a, $b, $d_c, $v_0, $k) = (0.6, 0.008, 0.011, 5e-6, 1e-6, 3000);
    my ($S, $theta, $h, $text) = ($mu_0, $d_c / $v_0, 1e-3, "t_s,v_lp,mu\n");
    for my $i (0 .. 1000 * $seconds) {
        my $t = $i * $h;
        shift @pieces while @pieces > 1 && $t >= $pieces[0][0];
        my $V = $pieces[0][1];
        $text .= sprintf "%.2f,%g,%.7f\n", $t, $V, $S + 1e-4 * normal() if $i % 100 == 0;
        my $v = $v_0 * exp(($S - $mu_0 - $b * log($v_0 * $theta / $d_c)) / $a);
        my $x = $v * $theta / $d_c;
        $theta += $h * ($slip ? -$x * log($x) : 1 - $x);
        $S += $h * $k * ($V - $v);
    }
    return $text;
}

1;
