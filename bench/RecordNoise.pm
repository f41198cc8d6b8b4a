package RecordNoise;

# Noise of the synthetic records beside it: normal numbers by Marsaglia's polar method on a
# congruential generator (Park & Miller 1988), the same on every machine.

use strict;
use warnings;
use Exporter qw(import);

our @EXPORT = qw(seed uniform normal);
my $state = 1;

sub seed { ($state) = @_; return; }
sub uniform { $state = $state * 16807 % 2147483647; return $state / 2147483647; }

sub normal
{
    while (1) {
        my ($u, $v) = (2 * uniform() - 1, 2 * uniform() - 1);
        my $s = $u * $u + $v * $v;
        return $u * sqrt(-2 * log($s) / $s) if $s > 0 && $s < 1;
    }
}

1;
