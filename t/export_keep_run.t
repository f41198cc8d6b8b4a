#!/usr/bin/perl
# --keep step in the simulators: make check-export. The springs that are chosen run at the step that
# they are chosen for, and under gravity a driver of its own in ODE sees the e that is promised: from
# the tops of flights, at other places of the touch.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Test::More;

plan skip_all => 'make check-export runs the simulators' if !$ENV{CHECK_EXPORT};

my $scratch = tempdir(CLEANUP => 1);
$ENV{TMPDIR} = $scratch;

# the shipped fits of impacts, with what it takes to serve them
my @fit = (['golf_ball_drop_rebound'], ['tennis_ball_drop_rebound'], ['golf_ball_bounces'],
           ['tennis_ball_bounces'],
           ['croquet_ball_on_wood', '--untrusted', '--slowest', '1 m/s', '--fastest', '2.5 m/s']);
for my $target (qw(ode bullet mujoco physx)) {
    for (@fit) {
        my ($name, @more) = @$_;
        my ($code, $out, $err) = contactfit('export', '--to', $target, "$srcdir/fits/$name.json", @more,
                                            qw(--keep step --dt 1ms --json --verify -q));
      SKIP: {
            skip "$target: $1", 1 if $err =~ /(?:: | failed: )([^:\n]* is not installed[^\n]*)/;
            if ($target eq 'bullet' && $name =~ /^golf/) {
                like($err, qr/no contact of bullet keeps e within 0\.02 .*; cause: settings of the engine, .*, and size: /,
                     "$target, $name: a ball so small that Bullet does not see it in time, or loses it below the plane");
                next;
            }
            my @drop = @{decode_json($out)->{fits}[0]{drops}};
            my @good = grep { $_->{predicted} && abs($_->{e_seen} - $_->{e_fit}) <= 0.02 } @drop;
            is(scalar(@good), scalar(@drop), "$target, $name: e within 0.02 of the fit at 1 ms") or diag($err);
        }
    }
}

my $flags = `pkg-config --cflags --libs ode 2>/dev/null`;
SKIP: {
    skip 'ODE is not installed: apt-get install libode-dev pkgconf g++', 4 if $?;
    chomp $flags;
    for (['tennis_ball_drop_rebound', 0.032, 0.056, '9.80665', 2.214, 2.81183, 3.571],
         ['golf_ball_drop_rebound', 0.021, 0.0415, '9.80665', 3.961, 4.645]) {
        my ($name, $R, $m, $g, @speed) = @$_;
        my @ask = ('export', '-q', '--to', 'ode', "$srcdir/fits/$name.json", qw(--keep step --dt 1ms),
                   '--gravity', $g);
        spew("$scratch/export.h", (contactfit(@ask))[1]);
        system("g++ -O1 -std=c++14 -I'$scratch' -o '$scratch/run' "
                   . "'$srcdir/t/drivers/ode_gravity.cpp' $flags") == 0 or die "g++: $?\n";
        for my $v (@speed) {
            my $one = decode_json((contactfit(@ask, '--json', '--speed', $v, '--slowest', $v, '--fastest',
                                              $v))[1])->{fits}[0];
            my $promised = decode_json((contactfit(@ask, '--json'))[1])->{fits}[0];
            my ($low, $high) = split ' ', `'$scratch/run' $R $m $v 1e-3 40`;
            my $e = $one->{e_fit};
            cmp_ok(abs($_ - $e), '<=', $promised->{step}{range_error} + 1e-4,
                   "$name under gravity at $v m/s: e $_, by the fit $e") for $low, $high;
        }
    }
}

done_testing();
