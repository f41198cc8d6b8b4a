#!/usr/bin/perl
# update-experiments.pl LIST COUNTS PAGE: the rows of the tables of doc/smallest-experiments.md, a
# design of bench/experiments/every_law.txt each, from what bench/count_experiments.pl printed. Rows
# of one experiment stay in the order of the list, below the line of its table.

use strict;
use warnings;

my ($list, $counts, $page) = @ARGV;
die "usage: update-experiments.pl LIST COUNTS PAGE\n" if !defined $page;

sub slurp
{
    my ($path) = @_;
    open my $in, '<', $path or die "$path: $!\n";
    local $/;
    return <$in>;
}

# What was recorded.
sub recorded
{
    my (%key) = @_;
    return "$key{bounces} bounces" if $key{bounces};
    return 'one impact' if $key{experiment} eq 'pulse';
    return "$key{rows} rows" if $key{experiment} eq 'indent';
    return "$key{rows} speeds";
}

my %to;
my $name;
for (split /\n/, slurp($counts)) {
    $name = $1 if /^([a-z]\S+)\s+\d/;
    $to{$name} = $1 if /^\s+to (.+)$/;
}

my (%rows, $section);
for my $line (split /\n(?=\S)/, slurp($list) =~ s/^#.*\n|^\n//gmr) {
    my ($design, @keys) = split ' ', $line;
    my %key = map { split /=/, $_, 2 } @keys;
    die "$counts: $design is not counted\n" if !$to{$design};
    my $held = $key{fixed} ? '`' . join('`, `', split /,/, $key{fixed}) . '`' : '';
    my $identified = join ', ', map { /^(\S+) (.*)$/ ? "`$1` $2" : $_ } split /, /, $to{$design};
    my $table = $design =~ s/-\Q$key{truth}\E$//r . ($key{truth} =~ /^(mu|f|t)-/ ? "-$1" : '');
    push @{$rows{$table}}, "| `$design` | " . recorded(%key) . " | $identified | $held |\n";
}

my $text = slurp($page);
$text =~ s/^\| `[a-z]\S*` \| .*\n//gm;
for my $table (sort keys %rows) {
    $text =~ s/(^<!-- $table -->\n(?:\|.*\n){2})/$1 . join('', @{$rows{$table}})/me
        or die "$page: no table $table\n";
}
open my $out, '>', $page or die "$page: $!\n";
print $out $text;
close $out or die "$page: $!\n";
