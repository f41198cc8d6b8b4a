#!/usr/bin/perl
# shorter-json.pl FILE: the same JSON with every list cut to its first items and every text to its
# first words: a seed for the fuzzer that still has all keys.

use strict;
use warnings;
use JSON::PP;

# Lists of rows, and lists of numbers that are long: those that belong together are cut alike.
my %rows = map { $_ => 1 } qw(observations headline_points curves starts rivals provenance steps);
my $most = 3;

sub shorter
{
    my ($value, $key) = @_;
    return {map { $_ => shorter($value->{$_}, $_) } keys %$value} if ref $value eq 'HASH';
    if (ref $value eq 'ARRAY') {
        my $long = $rows{$key // ''} || @$value > 2 * $most && !ref $value->[0];
        my $last = $long && @$value > $most ? $most - 1 : $#$value;
        return [map { shorter($_) } @$value[0 .. $last]];
    }
    return ref $value || !defined $value || length $value < 40 ? $value : substr $value, 0, 40;
}

my $text = do { local $/; <> };
my $short = shorter(decode_json($text));
print JSON::PP->new->canonical->utf8->encode($short), "\n";
