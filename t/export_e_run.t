#!/usr/bin/perl
# The examples of e(v) as code, in the engines themselves at their 1 ms: make check-export. A ball
# is dropped from heights that give speeds over the fitted ones, and each of its bounces has the e
# of the law, which the program computes by itself.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Spec::Functions qw(rel2abs);
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Test::More;

plan skip_all => 'make check-export runs the simulators' if !$ENV{CHECK_EXPORT};

my $scratch = tempdir(CLEANUP => 1);
my $gravity = 9.81;
my @fits = qw(croquet_ball_on_wood golf_ball_bounces tennis_ball_bounces golf_ball_drop_rebound
              tennis_ball_drop_rebound);

# e of the fit's law at some speeds.
sub law
{
    my ($json, @speeds) = @_;
    my @p = map { ('-p', "$_=$json->{parameters}{$_}{value}") } grep { $json->{parameters}{$_}{role} ne 'derived' }
        sort keys %{$json->{parameters}};
    my (undef, $table) = contactfit('restitution', '-q', $json->{law}, @p, '--mass', $json->{data}[0]{mass_kg},
                                    '--speed', join(',', @speeds));
    return map { (split /,/)[1] } grep { /^[0-9]/ } split /\n/, $table;
}

# Bounces [before, after] of the fitted speeds, of drops that begin at five of them.
sub bounces
{
    my ($run, $low, $high) = @_;
    my @seen;
    for my $i (0 .. 4) {
        my $v = $low * ($high / $low) ** (($i + 0.5) / 5);
        my $said = `$run @{[$v ** 2 / (2 * $gravity)]} 2>&1`;
        push @seen, map { [split] } grep { !/EXTRAPOLATED/ } split /\n/, $said;
    }
    return grep { $_->[0] >= $low && $_->[0] <= $high } @seen;
}

sub range
{
    my ($json) = @_;
    my ($low, $high) = (1e9, 0);
    for my $axis (map { $_->{axis} } @{$json->{data}}) {
        $low = $axis->{low} if $axis->{low} < $low;
        $high = $axis->{high} if $axis->{high} > $high;
    }
    return ($low, $high);
}

sub compare
{
    my ($engine, $fit, $run, $bound) = @_;
    my $json = decode_json(slurp("$srcdir/fits/$fit.json"));
    my @seen = bounces($run, range($json));
    my @e = @seen ? law($json, map { $_->[0] } @seen) : ();
    my ($worst, $at) = (0, 0);
    for my $i (0 .. $#seen) {
        my $off = abs($seen[$i][1] / $seen[$i][0] - $e[$i]);
        ($worst, $at) = ($off, $seen[$i][0]) if !($off <= $worst);
    }
    cmp_ok(scalar(@seen), '>=', 5, "$engine: $fit bounces, " . @seen . ' times at fitted speeds');
    cmp_ok($worst, '<=', $bound, sprintf '%s: %s, e of the law at 1 ms within %.2g, at %.3g m/s', $engine, $fit,
           $worst, $at);
}

# One header for all fits, so that an engine is built with once: FIT is the number of the one meant, and
# takes the name of the one in the examples.
my $header = "#include <stdlib.h>\n";
for my $fit (@fits) {
    contactfit(qw(export -q --untrusted --to c-header), "$srcdir/fits/$fit.json", '-o', "$scratch/$fit.h");
    $header .= "#include \"$fit.h\"\n";
}
for (['double', 'e'], ['int', 'is_fitted']) {
    my ($type, $what) = @$_;
    my @functions = map { "${_}_$what" } @fits;
    $header .= "static $type chosen_$what(double v)\n{\n    $type (*const of[])(double) = {" . join(', ', @functions)
        . "};\n    return of[atoi(getenv(\"FIT\"))](v);\n}\n#define golf_ball_bounces_$what chosen_$what\n";
}
spew("$scratch/restitution.h", $header);

# what each takes from the law: ODE and DART by a softness of the contact, Bullet by its floats
my @built = (['ODE', 'ode', 'drop_ode.c', 'cc', 1e-7, 'libode-dev pkgconf gcc'],
             ['Bullet', 'bullet', 'drop_bullet.cpp', 'c++', 1e-6, 'libbullet-dev pkgconf g++'],
             ['DART', 'dart', 'drop_dart.cpp', 'c++', 5e-5,
              'libdart-dev libdart-external-ikfast-dev libdart-external-odelcpsolver-dev pkgconf g++']);
for (@built) {
    my ($engine, $module, $source, $compiler, $bound, $install) = @$_;
    my $flags = `pkg-config --cflags --libs $module 2>/dev/null`;
  SKIP: {
        skip "$engine is not installed: apt-get install $install", 2 * @fits + 1 if $? || !$flags;
        chomp $flags;
        my ($command) = slurp("$srcdir/doc/examples/$source") =~ /^ \* +((?:cc|c\+\+) .*)$/m;
        my $standard = $command =~ /( -std=\S+)$/ ? $1 : '';
        my $complaint = `$compiler -O1 -I'$scratch' '$srcdir/doc/examples/$source' -o '$scratch/drop' $flags -lm$standard 2>&1`;
        is($? ? $complaint : '', '', "$engine: the example builds") or skip "no $engine", 2 * @fits;
        for my $i (0 .. $#fits) {
            $ENV{FIT} = $i;
            compare($engine, $fits[$i], "'$scratch/drop'", $bound);
        }
    }
}

# PhysX has a package of Node.js only, which is looked for as export --verify does
{
    my ($modules) = grep { -d "$_/physx-js-webidl" } split(/:/, $ENV{NODE_PATH} // ''), 'node_modules';
    my $node = grep { -x "$_/node" } split /:/, $ENV{PATH};
  SKIP: {
        skip 'PhysX is not installed: apt-get install nodejs npm, then npm install physx-js-webidl', 2 * @fits
            if !$node || !$modules;
        symlink(rel2abs($modules), "$scratch/node_modules") or die "$scratch/node_modules: $!\n";
        for my $fit (@fits) {
            contactfit(qw(export -q --untrusted --to javascript), "$srcdir/fits/$fit.json", '-o', "$scratch/restitution.mjs");
            spew("$scratch/drop.mjs", slurp("$srcdir/doc/examples/drop_physx.mjs") =~ s/golf_ball_bounces_/${fit}_/gr);
            compare('PhysX', $fit, "node '$scratch/drop.mjs'", 1e-6);
        }
    }
}

done_testing();
