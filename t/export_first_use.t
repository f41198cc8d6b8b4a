#!/usr/bin/perl
# The two ways of the README from a drop test to a simulator, as it has them: make check-export.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Program;
use Test::More;

plan skip_all => 'make check-export runs the simulators' if !$ENV{CHECK_EXPORT};

my $scratch = tempdir(CLEANUP => 1);
my $readme = slurp("$srcdir/README.md");

# a golf ball on a floor of MuJoCo, under gravity
SKIP: {
    my $cc = "cc -O1 -o '$scratch/drop' '$srcdir/doc/examples/drop_mujoco.c' -lmujoco -lm";
    skip 'MuJoCo is not installed: apt-get install libmujoco-dev gcc', 3 if system("$cc 2>/dev/null");
    my ($code) = contactfit(qw(export -q --to mujoco), "$srcdir/fits/golf_ball_bounces.json",
                            qw(--dt 1ms --keep step --gravity 9.81 -o), "$scratch/contact.xml");
    is($code, 0, 'MuJoCo: the contact of a golf ball for 1 ms');
    spew("$scratch/drop.xml", slurp("$srcdir/doc/examples/drop_mujoco.xml"));
    my $said = `'$scratch/drop' '$scratch/drop.xml' 0.021`;
    my @off = grep { abs((/e = (\S+)/)[0] - 0.9) > 0.021 } split /\n/, $said;
    is("@off", '', 'its bounces have the e of the fit, 0.90, within 0.02');
    my ($first) = $said =~ /^(.*)$/m;
    like($readme, qr/^    \Q$first\E$/m, 'as the README shows');
}

# balls of one material in LIGGGHTS: the table and the words of the README
SKIP: {
    skip 'LIGGGHTS is not installed: apt-get install liggghts', 3
        if !grep { -x "$_/liggghts" } split /:/, $ENV{PATH};
    my ($table) = $readme =~ /^((?:    [^\n]*\n)*    speed_m_s,e,contact_time_ms\n(?:    [^\n]*\n)*)/m;
    my ($ball, $ground) = $readme =~ /^    (ball: \{.* material: nylon\})\n    (ground: \{.* material: nylon\})$/m;
    spew("$scratch/drops.csv", $table =~ s/^    //mgr);
    my ($code) = contactfit('init', 'impact', "$scratch/drops.csv", '-o', "$scratch/drops.yaml");
    my $study = slurp("$scratch/drops.yaml");
    $study =~ s/ball: \{sphere.*FILL-IN\}$/$ball/m;
    $study =~ s/ground: \{plane.*\}$/$ground/m;
    spew("$scratch/drops.yaml", $study);
    contactfit('fit', '-q', "$scratch/drops.yaml", '-o', $scratch);
    ($code) = contactfit(qw(export -q --to liggghts --dt 20us), "$scratch/drops.json", '-o', "$scratch/contact.in");
    is($code, 0, 'LIGGGHTS: one drop test, two pairs');
    spew("$scratch/drop.in", slurp("$srcdir/doc/examples/drop_liggghts.in"));
    my ($floor, $balls) = `cd '$scratch' && liggghts -log none -in drop.in 2>&1`
        =~ /^e of ball and floor = (\S+), of ball and ball = (\S+)$/m;
    my ($head) = slurp("$scratch/contact.in");
    my @e = $head =~ /m\/s: e = (\S+) .*?by the fit/g;
    cmp_ok(abs($floor - $e[0]), '<', 1e-3, "e of ball and floor: $floor for $e[0]");
    ($e[1]) = $head =~ /ball with ball,.*?: e = (\S+) by the fit/s;
    cmp_ok(abs($balls - $e[1]), '<', 1e-3, "of ball and ball: $balls for $e[1]");
}

done_testing();
