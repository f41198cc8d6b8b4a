#!/usr/bin/perl
# What exports promise of e at a step, against LAMMPS, LIGGGHTS, Yade and ESyS-Particle: 24 impacts at
# 500, 30 and 5 steps of a contact and several places of the touch, by drivers of their own: make
# check-export.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Program;
use Promises;
use Test::More;

plan skip_all => 'make check-export runs the simulators' if !$ENV{CHECK_EXPORT};

my $within = 1e-7; # of rounding

sub installed { return grep { -x "$_/$_[0]" } split /:/, $ENV{PATH} }

# Pairs that LIGGGHTS is to leave alone: a ball with its like, and so the other where it moves.
sub loose
{
    my ($c) = @_;
    return map { ('--allow-missing', "$_$c->{i},$_$c->{i}") } 'a', $c->{m2} ? 'b' : ();
}

# Steps until the slowest has left: small e creep out.
sub steps_of
{
    my ($r) = @_;
    my $slow = 1 / $r->{c}{e};
    return int $r->{steps} * (3 + ($slow < 500 ? $slow : 500));
}

# LAMMPS and LIGGGHTS take all impacts in one input. A line of what is seen holds e, or depth and e.
sub lines_of_grains
{
    my ($target, $program, @rows) = @_;
    my $input = '';
    unlink "$scratch/seen";
    for my $r (@rows) {
        my %set = (h => $r->{dt}, n => steps_of($r), v0 => $r->{c}{v}, map { $_ => $r->{c}{$_} } qw(R1 R2 m1 m2));
        for my $gap (@{$r->{gaps}}) {
            $set{gap} = $gap;
            $input .= join '', map { "variable $_ equal $set{$_}\n" } sort keys %set;
            $input .= "variable export string $r->{file}\nvariable seen string $scratch/seen\n"
                . "include $srcdir/t/drivers/${target}_impact.in\n";
        }
    }
    spew("$scratch/input", $input);
    system("$program -log none -in '$scratch/input' >'$scratch/said' 2>&1");
    my @e = map { my @cell = split; @cell == 1 ? $cell[0] : $cell[0] > 0 ? 'stays' : $cell[1] }
        split /\n/, slurp("$scratch/seen");
    my $lines = join '', map { join(' ', splice @e, 0, scalar @{$_->{gaps}}) . "\n" } @rows;
    diag(substr slurp("$scratch/said"), -2000) if !-s "$scratch/seen" || @e;
    return $lines;
}

for (['lammps', 'lmp'], ['liggghts', 'liggghts']) {
    my ($target, $program) = @$_;
    next if !is_asked($target);
  SKIP: {
        skip "$target: apt-get install $target", 1 if !installed($program);
        for my $law ('azad-featherstone', 'linear') {
            my @rows = ask_all($target, $law, $target eq 'liggghts' ? (options => \&loose) : ());
            check_promises($target, lines_of_grains($target, $program, @rows), $within, @rows);
        }
    }
}

# The model of LIGGGHTS that takes a restitution, which shows no e below 0.22.
SKIP: {
    last SKIP if !is_asked('liggghts-restitution');
    skip 'liggghts-restitution: apt-get install liggghts', 1 if !installed('liggghts');
    my @rows = ask_all('liggghts-restitution', 'tsuji', options => \&loose,
                       impacts => [grep { $_->{e} > 0.22 } @impact]);
    check_promises('liggghts-restitution', lines_of_grains('liggghts', 'liggghts', @rows), $within, @rows);
}

SKIP: {
    last SKIP if !is_asked('yade');
    skip 'yade: apt-get install yade', 1 if !installed('yade');
    my @rows = ask_all('yade', 'tsuji', places => 5);
    write_cases(@rows);
    system("CASES='$scratch/cases' SEEN='$scratch/seen' yade -n -x '$srcdir/t/drivers/yade_impacts.py' "
               . ">'$scratch/said' 2>&1");
    check_promises('yade', slurp("$scratch/seen"), $within, @rows);
}

# ESyS-Particle has no walls of this law, and one scene a process: a pair for each place in a step.
SKIP: {
    last SKIP if !is_asked('esys-particle');
    skip 'esys-particle: apt-get install esys-particle', 1 if !installed('esysparticle');
    my @rows = ask_all('esys-particle', 'azad-featherstone', impacts => [grep { $_->{R2} } @impact],
                       steps => [200, 5]);
    my ($seen, $folder) = ('', "$scratch/esys");
    mkdir $folder;
    $ENV{TMPDIR} = $scratch; # Open MPI: one run's end takes away what another, beside it, is about to use
    for my $r (@rows) {
        my $c = $r->{c};
        spew("$folder/contactfit_export.py", slurp($r->{file}));
        unlink "$folder/seen";
        system('mpirun --allow-run-as-root --oversubscribe -np 2 esysparticle '
                   . "'$srcdir/t/drivers/esys_impacts.py' '$folder' @$c{qw(R1 R2 m1 m2 v)} $r->{dt} "
                   . steps_of($r) . " @{$r->{gaps}} >'$scratch/said' 2>&1");
        $seen .= slurp("$folder/seen") || "none\n";
    }
    check_promises('esys-particle', $seen, $within, @rows);
}

done_testing();
