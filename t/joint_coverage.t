#!/usr/bin/perl
# Do the intervals of the joint study hold the truth? A small version of bench/joint_coverage.pl: two
# whole campaigns, whose plates are recorded for 4 s at 250 Hz. And does the count see what is wrong?

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Program;
use Test::More;

my $dir = tempdir(CLEANUP => !$ENV{KEEP});
my $study = "$^X $srcdir/bench/joint_coverage.pl";
$ENV{CONTACTFIT} //= "$FindBin::Bin/../contactfit";

# one campaign sees intervals that miss, or that are not to be trusted; two see them come again
my $n = $full ? 2 : 1;
is(system("$study --records $dir/two --small --tasks 0:$n"), 0, "$n campaigns are made and fitted");
my $text = `$study --records $dir/two`;
is($?, 0, 'what was found is inside of the bands') or diag($text);
# a slope at a kink of the law may be a hundredth of a standard error, which is said
like($text, qr/^$n campaigns?: $n (?:good|weak)$/m, 'all are good, or all but that');
like($text, qr/^$_ +$n /m, "$_ is fine in all") for qw(mu_s mu_c sigma_0 sigma_1 sigma_2 v_s tau_dw);
my $held = 0;
$held += $n * $1 / 100 while $text =~ /^\w+ +$n +([\d.]+)/mg;
cmp_ok($held, '>=', 11 * $n / 2, "$held of " . 7 * $n . " intervals hold the truth");

# the band of as many as were asked for, whose least probability is below what a double holds:
# between 271 and 296 of 300 by the binomial distribution, from logarithms of factorials
mkdir "$dir/many" or die;
for my $held (271, 270) {
    for my $i (0 .. 299) {
        my $low = $i < $held ? 0.14 : 0.19;
        spew("$dir/many/$i.csv", "# campaign $i: good\nname,value,low,high,worth\ntau_dw,0.2,$low,0.21,fine\n");
    }
    $text = `$study --records $dir/many`;
    is($? >> 8, $held == 271 ? 0 : 1, "$held of 300 intervals that hold the truth") or diag($text);
    like($text, qr/^tau_dw +300 +\S+ +90\.3 to  98\.7 /m, 'by the band of 300');
}

# intervals that are all elsewhere
mkdir "$dir/wrong" or die;
for my $i (0 .. 9) {
    spew("$dir/wrong/$i.csv", "# campaign $i: good\nname,value,low,high,worth\ntau_dw,0.2,0.19,0.21,fine\n");
}
$text = `$study --records $dir/wrong`;
is($? >> 8, 1, 'intervals that miss the truth ten times of ten are told');
like($text, qr/^tau_dw +10 +0\.0!/m, 'with their parameter');

done_testing();
