#!/usr/bin/perl
# table.pl BENCH: run the library's benchmarks and SciPy's, and print them side by side.
# Figures are shown, never asserted: a busy machine is no bug.

use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use Time::HiRes qw(time);

my $bench = shift or die "usage: table.pl BENCH\n";
my $srcdir = $ENV{srcdir} // dirname(dirname($0));
my $program = $ENV{CONTACTFIT} // './contactfit';
my $study = "$srcdir/fits/croquet_ball_on_wood.yaml";

my @args;
sub rows
{
    my %row;
    for (@_) {
        chomp;
        my ($key, @rest) = split /\t/;
        if ($key eq 'args') {
            @args = @rest;
        } else {
            $row{$key} = {seconds => $rest[0], value => $rest[1], remark => $rest[2] // ''};
        }
    }
    return \%row;
}

# The first Python that has SciPy; PYTHON names another.
sub python
{
    for my $python (grep { defined } $ENV{PYTHON}, 'python3', '/usr/bin/python3') {
        return $python if system("'$python' -c 'import scipy' >/dev/null 2>&1") == 0;
    }
    return;
}

sub shown
{
    my ($seconds) = @_;
    return '-' if !defined $seconds;
    for my $unit ([1, 's'], [1e-3, 'ms'], [1e-6, 'us'], [1e-9, 'ns']) {
        return sprintf '%.3g %s', $seconds / $unit->[0], $unit->[1] if $seconds >= $unit->[0];
    }
    return sprintf '%.3g s', $seconds;
}

sub factor
{
    my ($ratio) = @_;
    my $s = sprintf '%.0f', $ratio;
    1 while $s =~ s/^(\d+)(\d{3})/$1 $2/;
    return $s;
}

print STDERR "bench: library\n";
my $ours = rows(qx{'$bench' '$study'});
die "the benchmark failed\n" if $?;

my $theirs = {};
my $python = python();
if ($python) {
    print STDERR "bench: SciPy\n";
    my ($beta, $lambda, $speed, $e, $sigma) = @args;
    $theirs = rows(qx{'$python' '$srcdir/bench/scipy_bench.py' $beta $lambda $speed $e $sigma});
    die "SciPy's benchmark failed\n" if $?;
}

print STDERR "bench: whole command\n";
my $folder = tempdir(CLEANUP => 1);
my $command;
for (1 .. 2) {
    my $begin = time;
    my $status = system("'$program' fit '$study' --quiet -o '$folder' >/dev/null 2>&1") >> 8;
    my $spent = time - $begin;
    die "the command failed with status $status\n" if $status != 0 && $status != 3;
    $command = $spent if !defined $command || $spent < $command;
}

my @tasks = (
    ['impact', 'one e(v)', '10^4 times SciPy'],
    ['fit', 'lambda to 40 points', '10^3 times SciPy'],
    ['integrate-10', 'one impact integrated', 'below 20 us'],
    ['integrate-13', 'the same, more exactly', ''],
    ['curve', 'making a curve', ''],
    ['read', 'reading the croquet study', ''],
    ['croquet', 'croquet fit, in process', 'below 0.3 s'],
);
my $format = "%-27s %11s %11s %11s  %-17s %s\n";
print "\n";
printf $format, 'task', 'contactfit', 'SciPy', 'times', 'wanted', 'remark';
for (@tasks) {
    my ($key, $what, $wanted) = @$_;
    my $us = $ours->{$key} or next;
    my $them = $theirs->{$key};
    printf $format, $what, shown($us->{seconds}), shown($them && $them->{seconds}),
        $them ? factor($them->{seconds} / $us->{seconds}) : '', $wanted, $us->{remark};
    printf "%65s %s\n", '', "  against: $them->{remark}; values differ by "
        . sprintf('%.0e', abs($them->{value} / $us->{value} - 1))
        if $them;
}
printf $format, 'whole command with page', shown($command), '-', '', 'below 2 s',
    'process, files, figures';
print "\nSciPy: skipped, no python3 with scipy was found (python3-scipy, or set PYTHON)\n"
    if !$python;
