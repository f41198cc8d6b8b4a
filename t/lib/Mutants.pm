package Mutants;

# Spoiled copies of text files: one line removed, doubled or changed. The numbers come from a
# generator of its own, so that they are the same under every perl.

use strict;
use warnings;
use Exporter qw(import);

our @EXPORT = qw(mutant);

my $state;

# A number from 0 to n - 1, from a linear congruential generator.
sub draw
{
    my ($n) = @_;
    $state = ($state * 1103515245 + 12345) & 0x7fffffff;
    return ($state >> 8) % $n;
}

sub seed
{
    ($state) = @_;
    draw(2) for 1 .. 8;
}

my $number = qr/(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/;
my $unit = qr/(?<=\d )(?:mm|cm|m|kg|g|ms|s|N|deg|1)\b/;
my @units = qw(mm m km g kg ms s N Pa deg furlong);

# One match of a pattern in a line, replaced by what the sub makes of it; undef without a match.
sub replaced
{
    my ($line, $pattern, $make) = @_;
    my @at;
    push @at, [$-[0], $+[0] - $-[0]] while $line =~ /$pattern/g;
    return if !@at;
    my ($from, $length) = @{$at[draw(scalar @at)]};
    substr $line, $from, $length, $make->(substr $line, $from, $length);
    return $line;
}

sub opposite { return $_[0] =~ /^-(.*)/ ? $1 : '-' . ($_[0] =~ s/^\+//r) }

# Two neighbours within a word change places, or its last letter goes.
sub misspelt
{
    my ($word) = @_;
    my $at = draw(length $word);
    my ($one, $two) = (substr($word, $at, 1), substr($word, $at + 1, 1));
    return substr $word, 0, -1 if $two eq '' || $one eq $two;
    substr $word, $at, 2, $two . $one;
    return $word;
}

sub inserted
{
    my ($line) = @_;
    my $any = " \t:-{}\",#7ex";
    substr $line, draw(1 + length $line), 0, substr $any, draw(length $any), 1;
    return $line;
}

sub deleted
{
    my ($line) = @_;
    substr $line, draw(length $line), 1, '';
    return $line;
}

sub indented
{
    my ($line) = @_;
    return "  $line" if draw(2);
    return $line =~ s/^  ?// ? $line : " $line";
}

# What is done to a line: undef where it does not apply, a list of no or two lines where it does.
my @changes = (
    sub { return [] },
    sub { return [$_[0], $_[0]] },
    sub { return replaced($_[0], $number, \&opposite) },
    sub { return replaced($_[0], $number, sub { return "${\($_[0] * 10)}" }) },
    sub { return replaced($_[0], $number, sub { return '0' }) },
    sub { return replaced($_[0], $number, sub { return '1e308' }) },
    sub { return replaced($_[0], $number, sub { return '' }) },
    sub { return replaced($_[0], qr/[A-Za-z_]\w+(?="?\s*[:,])/, \&misspelt) },
    sub { return replaced($_[0], $unit, sub { return $units[draw(scalar @units)] }) },
    \&deleted,
    \&inserted,
    \&indented,
);

# The text with one line changed; the seed decides which and how. Comments stay as they are, and half
# of the changes come into the first 60 lines: in fit files the rest are long curves.
sub mutant
{
    my ($text, $seed) = @_;
    seed($seed);
    my @lines = split /\n/, $text, -1;
    my $near = @lines > 60 && draw(2) ? 60 : @lines;
    my $change = $changes[draw(scalar @changes)];
    my $at = draw($near);
    for (0 .. 2 * @lines) {
        my $line = $lines[$at];
        my $new = $line =~ /^\s*(?:#|$)/ ? undef : $change->($line);
        if (defined $new && (ref $new || $new ne $line)) {
            splice @lines, $at, 1, ref $new ? @$new : $new;
            return join "\n", @lines;
        }
        $at = ($at + 1) % @lines;
        $change = $changes[draw(scalar @changes)] if $at == 0;
    }
    die "no line can be changed\n";
}

1;
