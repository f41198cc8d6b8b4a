#!/usr/bin/perl
# Two spheres in Bullet, by a driver of their own: make check-export. Over masses from 1 mg to 1 t,
# radii from 0.1 mm to 1 m, speeds from 1 mm/s to 50 m/s, e from 0.1 to 0.99 and steps of a contact
# from 500 to 5, every e is in the band that the export promises for its step, and both of its ends
# are reached; the promise for a plane, where gaps are closed ahead, is another one.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Synthetic qw(study_of);
use Test::More;

plan skip_all => 'make check-export runs the simulators' if !$ENV{CHECK_EXPORT};
my $flags = `pkg-config --cflags --libs bullet 2>/dev/null`;
plan skip_all => 'bullet is not installed: apt-get install libbullet-dev pkgconf g++' if $?;
chomp $flags;

my $scratch = tempdir(CLEANUP => 1);
my $pi = 4 * atan2(1, 1);

# The fit of drops of a linear contact that lasts some time: e is the same at each speed.
sub fit
{
    my ($name, $bodies, $v, $e, $time) = @_;
    my @rows = map { [$v * $_, $e, $time] } 0.5, 0.7, 0.9, 1.1, 1.5, 2;
    my $text = study_of("$name, synthetic", 'linear', $bodies, @rows);
    $text =~ s/^    sigma: .*/'    sigma: {restitution: 0.0005, duration: ' . $time * 1e-3 . ' s}'/me;
    spew("$scratch/$name.yaml", $text);
    my ($code, undef, $err) = contactfit('fit', "$scratch/$name.yaml", '-o', $scratch);
    die "$name: $err\n" if $code;
    return "$scratch/$name.json";
}

# radii, masses (0: held), speed, e, duration
my @case = ([1e-4, 1e-4, 1e-8, 1e-8, 0.01, 0.7, 1e-5], [0.01, 0.03, 0.01, 0.3, 0.5, 0.85, 1e-3],
            [0.01, 0.01, 0.01, 0, 2, 0.4, 5e-4], [1, 0.5, 1000, 200, 5, 0.99, 0.02],
            [0.1, 0.1, 4, 4, 25, 0.1, 1e-3]);
for my $i (0 .. $#case) {
    my ($R1, $R2, $m1, $m2, $v, $e, $time) = @{$case[$i]};
    my $second = $m2 ? "mass: $m2 kg" : 'fixed: true';
    my $fit = fit("spheres$i", "  a: {sphere: {radius: $R1 m}, mass: $m1 kg}\n"
                      . "  b: {sphere: {radius: $R2 m}, $second}\n", $v, $e, $time);
    for my $steps (500, 30, 5) {
        my $dt = $time / $steps;
        my @ask = ('export', '-q', '--to', 'bullet', $fit, '--dt', $dt);
        my $step = decode_json((contactfit(@ask, '--json'))[1])->{fits}[0]{step};
        spew("$scratch/export.h", (contactfit(@ask))[1]);
        system("g++ -O1 -std=c++14 -I'$scratch' -o '$scratch/run' "
                   . "'$srcdir/t/drivers/bullet_spheres.cpp' $flags") == 0 or die "g++: $?\n";
        my ($low, $high) = split ' ', `'$scratch/run' $R1 $R2 $m1 $m2 $v $dt 25`;
        # Bullet's floats: 24 bits of the radii and of the distance of the centres, against the depth
        my $depth = $v * $time / $pi;
        my $within = 2e-5 + 2 * ($R1 + $R2) / 2 ** 24 / $depth;
        my $name = "case $i, T/$steps: e $low to $high, promised $step->{low} to $step->{high}";
        cmp_ok($low, '>=', $step->{low} - $within, $name);
        cmp_ok($high, '<=', $step->{high} + $within, 'to its upper end');
        my $width = $step->{high} - $step->{low};
        cmp_ok($high - $low, '>=', 0.9 * $width - 2 * $within, 'and no wider than what is seen');
    }
}

# the drop of --verify is of two spheres, at the step given
{
    my $fit = fit('two', "  a: {sphere: {radius: 10 mm}, mass: 10 g}\n"
                      . "  b: {sphere: {radius: 30 mm}, mass: 300 g}\n", 0.5, 0.7, 1e-3);
    my (undef, $out) = contactfit(qw(export -q --to bullet --json --verify --plain --dt 5e-5), $fit);
    my @off = grep { abs($_->{e_seen} - $_->{e_twin}) > 1e-4 } @{decode_json($out)->{fits}[0]{drops}};
    is(scalar(@off), 0, '--verify: e of the twin at each speed');
}

done_testing();
