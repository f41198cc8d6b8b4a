#!/usr/bin/perl
# How the files of the house hang together: no circle among files or folders, one meaning for each
# struct tag, enumerations whose names begin alike, and sizes that a reader can take in.

use strict;
use warnings;
use lib ($ENV{srcdir} // '.') . '/t/lib';
use Source;
use Test::More;

no warnings 'recursion';

my @files = without_srcdir(sort glob "$srcdir/src/*/*.[ch]");
my %text = map { $_ => slurp("$srcdir/$_") } @files;
my %code = map { $_ => code($text{$_}) } @files;
my %functions = map { $_ => [functions($code{$_})] } grep { /\.c$/ } @files;

# An arrow runs from a file to what it includes, and from a .c file to one that alone defines a
# function or constant it names. A header is a file of its own: several may fill in one.
my %defined;
for my $file (grep { /\.c$/ } @files) {
    $defined{$_->[0]}{$file} = 1 for grep { !$_->[1] } @{$functions{$file}};
    $defined{$1}{$file} = 1
        while $code{$file} =~ /^const\b[^;(=]*?\b(cf_\w+)\s*(?:\[[^\]]*\])*\s*=/mg;
}
my %arrow;
for my $file (@files) {
    $arrow{$file}{"src/$_"} = 1 for $text{$file} =~ /^#\s*include\s+"(\w+\/[^"]+)"/mg;
    next if $file !~ /\.c$/;
    for my $name ($code{$file} =~ /(?<!struct )(?<!enum )\b(cf_\w+)\b/g) {
        my @where = keys %{$defined{$name} // {}};
        $arrow{$file}{$where[0]} = 1 if @where == 1 && $where[0] ne $file;
    }
}

# Sets of nodes that reach each other (Tarjan 1972).
sub circles
{
    my ($arrow) = @_;
    my ($n, %index, %low, %on, @stack, @found) = (0);
    my $visit;
    $visit = sub {
        my ($node) = @_;
        $index{$node} = $low{$node} = $n++;
        push @stack, $node;
        $on{$node} = 1;
        for my $to (sort keys %{$arrow->{$node} // {}}) {
            if (!defined $index{$to}) {
                $visit->($to);
                $low{$node} = $low{$to} if $low{$to} < $low{$node};
            } elsif ($on{$to} && $index{$to} < $low{$node}) {
                $low{$node} = $index{$to};
            }
        }
        return if $low{$node} != $index{$node};
        my @set;
        do { push @set, pop @stack; $on{$set[-1]} = 0 } while $set[-1] ne $node;
        push @found, join ' ', sort @set if @set > 1;
    };
    defined $index{$_} or $visit->($_) for sort keys %$arrow;
    return @found;
}

is_deeply([circles({a => {b => 1}, b => {c => 1}, c => {b => 1}, d => {a => 1}})], ['b c'],
          'a circle is found where there is one');
none('no circle among files', circles(\%arrow));
my %between;
for my $from (keys %arrow) {
    my ($a) = $from =~ m{^src/(\w+)};
    for my $to (keys %{$arrow{$from}}) {
        my ($b) = $to =~ m{^src/(\w+)};
        $between{$a}{$b} = 1 if $a ne $b;
    }
}
none('no circle among folders', circles(\%between));

# Names.
my %tag;
for my $file (@files) {
    push @{$tag{$1}}, $file while $code{$file} =~ /^(?:typedef )?(?:struct|enum|union) (cf_\w+)\s*\{/mg;
}
none('a tag stands for one thing',
     map { "$_: @{$tag{$_}}" } grep { @{$tag{$_}} > 1 } sort keys %tag);

# The names in an enumeration begin with the same words, but for its count, CF_N... or CF_MAX_...
my @mixed;
for my $file (grep { /\.h$/ } @files) {
    while ($code{$file} =~ /^enum (cf_\w+)\s*\{(.*?)\}/msg) {
        my ($name, $body) = ($1, $2);
        next if $body =~ /_LIST\(/;    # made from a list: its row says them
        my @names = grep { !/^CF_(?:N[A-Z]|MAX_)/ } $body =~ /\b([A-Z]\w+)\s*(?:,|=|$)/mg;
        my %first = map { (/^(CF_[A-Z]+)_/ ? $1 : $_) => 1 } @names;
        push @mixed, "$file: enum $name: @names" if keys %first > 1;
    }
}
none('the names of an enumeration begin alike', @mixed);

# Sizes. Those that are larger still are listed in t/checks/exceptions.txt, which may only shrink: what
# is listed there and no longer breaks its rule is taken out.
sub is_exception_list
{
    my ($rule, @found) = @_;
    my ($block) = slurp("$srcdir/t/checks/exceptions.txt") =~ /^\Q$rule\E:\n((?:  .*\n)*)/m;
    my %listed = map { s/^ +//r => 1 } split /\n/, $block // '';
    my %found = map { $_ => 1 } @found;
    none("$rule, but for those listed", grep { !$listed{$_} } sort keys %found);
    none("$rule: none is listed that keeps to it", grep { !$found{$_} } sort keys %listed);
}

my (@long, @many);
for my $file (sort keys %functions) {
    for my $function (@{$functions{$file}}) {
        my ($name, undef, $line, $lines, $arguments) = @$function;
        push @long, "$file:$line: $name(): $lines lines" if $lines > 60;
        push @many, "$file: $name(): $arguments" if $arguments > 7;
    }
}
none('no function is longer than 60 lines', @long);
is_exception_list('no function takes more than 7 arguments', @many);
cmp_ok(scalar(map { @$_ } values %functions), '>', 2000, 'functions are found');

# A folder has one header of its own, parts.h; the others serve other folders, or users.
my %public = map { $_ => 1 }
    map { split ' ' } slurp("$srcdir/Makefile.am") =~ /^\w+_public = ((?:.*\\\n)*.*)$/mg;
my @private;
for my $header (grep { m{/(?!parts\.h$)\w+\.h$} && !$public{$_} } @files) {
    my ($folder) = $header =~ m{^(src/\w+/)};
    push @private, $header
        if !grep { $arrow{$_}{$header} && !/^\Q$folder\E/ } keys %arrow;
}
is_exception_list('no header serves its own folder alone, but for parts.h', @private);

sub too_long
{
    my ($most, @paths) = @_;
    my @found;
    for my $path (@paths) {
        my $lines = slurp("$srcdir/$path") =~ tr/\n//;
        push @found, "$path: $lines lines" if $lines > $most;
    }
    return @found;
}
none('no file under src is longer than 900 lines', too_long(900, @files));
none('no test is longer than 1200 lines',
     too_long(1200, without_srcdir(grep { !/\.l?o$/ }
              glob "$srcdir/t/*.[cht] $srcdir/t/{bad,checks,fuzz,lib,mutate}/*.*")));

# What a test accuses is data (enum cf_accused); its name is for readers.
none('no verdict looks for a word in the name of a test', grep {
    m{^src/(?:judge|identify)/} && $text{$_} =~ /\bstr(?:n?cmp|str)\([^;]*\bname,\s*"/
} sort keys %text);

done_testing();
