package Fitted;

# What the tests ask of the JSON of a fit.

use strict;
use warnings;
use Exporter qw(import);
use JSON::PP;
use Test::More;

our @EXPORT = qw(holds);

# Does a parameter's interval hold the truth? Returns the interval.
sub holds
{
    my ($fit, $name, $truth, $what) = @_;
    my $i = ($fit->{parameters}{$name} // {})->{interval};
    my $low = $i->{low} // -9**9**9;    # open
    my $high = $i->{high} // 9**9**9;
    ok($i && $low < $truth && $truth < $high, "$name = $truth lies in its interval" . ($what ? ": $what" : ''))
        or diag(encode_json($fit->{parameters}{$name} // {}));
    return $i;
}

1;
