#!/usr/bin/perl
# coverage.pl FOLDER: lines run, file by file, from the gcov data of a build under FOLDER.

use strict;
use warnings;
use File::Find;

my $folder = shift or die "usage: coverage.pl FOLDER\n";
my @data;
find({no_chdir => 1, wanted => sub { push @data, $_ if m{/src/.*\.gcda$} }}, $folder);
die "no coverage data under $folder\n" if !@data;

my %seen;    # file => [lines, of which run]
for my $gcda (@data) {
    my $file;
    for (qx{gcov -n '$gcda' 2>/dev/null}) {
        $file = /^File '(?:.*\/)?(src\/[^\/]+\/[^\/']+\.c)'/ ? $1 : undef if /^File/;
        next if !$file || !/^Lines executed:([\d.]+)% of (\d+)/;
        my $run = $1 * $2 / 100;
        # a source that is compiled into two libraries counts by the better of its runs
        $seen{$file} = [$2, $run] if !$seen{$file} || $seen{$file}[1] < $run;
        undef $file;
    }
}
my ($lines, $run) = (0, 0);
for my $file (sort keys %seen) {
    my ($n, $r) = @{$seen{$file}};
    printf "%6.1f %% of %4d lines  %s\n", 100 * $r / $n, $n, $file;
    $lines += $n;
    $run += $r;
}
printf "%6.1f %% of %4d lines  in all\n", 100 * $run / $lines, $lines;
