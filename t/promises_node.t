#!/usr/bin/perl
# What exports promise of e at a step, against MuJoCo and PhysX: 24 impacts at 500, 30 and 5 steps of a contact
# and eight places of the touch, by drivers of their own: make check-export.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Program;
use Promises;
use Test::More;

plan skip_all => 'make check-export runs the simulators' if !$ENV{CHECK_EXPORT};

my @more = (impacts => \@others, steps => [150, 12], places => 5);
for (['mujoco', 'mujoco-js', 1e-7], ['physx', 'physx-js-webidl', 1e-5, @more]) {
    my ($target, $module, $within, @which) = @$_;
    next if !is_asked($target);
  SKIP: {
        skip "$target: npm install $module", 1
            if system("node -e 'require.resolve(\"$module\")' 2>/dev/null");
        for my $others (0 .. (@which > 0)) {
            my @rows = ask_all($target, 'linear', $others ? @which : ());
            my $seen = seen_by("node '$srcdir/t/drivers/${target}_impacts.mjs'", @rows);
            check_promises($target . ($others ? ', others' : ''), $seen, $within, @rows);
        }
        next if $target ne 'physx';
        # boxes that land flat on four points, which share the spring
        my @rows = ask_all($target, 'linear', impacts => [grep { !$_->{R2} && $_->{R1} > 1e-3 } @impact],
                           steps => [100, 12], places => 4, options => sub { qw(--points 4) });
        check_promises("$target, boxes", seen_by("node '$srcdir/t/drivers/physx_impacts.mjs' -- box", @rows), $within, @rows);
    }
}

done_testing();
