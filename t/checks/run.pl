#!/usr/bin/perl
# Run one test, a Perl test by perl, any other as the program that it is, and add the seconds of
# processor time that it took to tmp/costs: `sort -rn tmp/costs` tells which tests are slow.

use strict;
use warnings;

my ($test, @arguments) = @ARGV;
system $test =~ /\.t\z/ ? ($^X, $test) : $test =~ m{/} ? $test : "./$test", @arguments;
my $status = $?;
my (undef, undef, $user_s, $system_s) = times;
if (open my $costs, '>>', 'tmp/costs') {
    printf $costs "%.1f %s\n", $user_s + $system_s, $test;
}
exit($status & 127 ? 128 + ($status & 127) : $status >> 8);
