#!/usr/bin/perl
# The house rules that a machine can see: what is listed, what may include what, what the library
# must not do. Each failure names the file and line.

use strict;
use warnings;
use lib ($ENV{srcdir} // '.') . '/t/lib';
use Source;
use Test::More;

# The words of a Makefile variable, and of those that it names.
my $makefile = slurp("$srcdir/Makefile.am");
sub listed
{
    my ($name) = @_;
    my ($words) = $makefile =~ /^\Q$name\E = ?((?:.*\\\n)*.*)$/m
        or die "Makefile.am: no variable $name\n";
    return map { /^\$\((\w+)\)$/ ? listed($1) : $_ } grep { $_ ne '\\' } split ' ', $words;
}

my @library = qw(core law ode impact geometry volume motion experiment estimate resample judge
                 identify sound file scene study figure document report export);
my @folders = (@library, "cmd");
my %rank = map { $folders[$_] => $_ } 0 .. $#folders;

my @files = without_srcdir(sort glob "$srcdir/src/*/*.[ch]");
my %text = map { $_ => slurp("$srcdir/$_") } @files;
my %code = map { $_ => code($text{$_}) } @files;
sub folder { return (split m{/}, $_[0])[1] }

# Every line of the code of some files that matches, as "FILE:LINE: text".
sub lines_with
{
    my ($pattern, @in) = @_;
    my @found;
    for my $file (@in) {
        my $n = 0;
        my @raw = split /\n/, $text{$file};
        for (split /\n/, $code{$file}) {
            push @found, "$file:" . ($n + 1) . ": $raw[$n]" if /$pattern/;
            $n++;
        }
    }
    return @found;
}
my @library_files = grep { my $f = folder($_); grep { $_ eq $f } @library } @files;

# What is built is what is there.
none('every folder under src has its place in the order',
     grep { !exists $rank{$_} } map { folder($_) } @files);
my %in_make = ('src/cmd/main.c' => 1);
for my $list ($makefile =~ /^(\w+_(?:sources|public)) =/mg) {
    $in_make{$_}++ for listed($list);
}
none('every source is listed in Makefile.am', grep { !$in_make{$_} } @files);
none('every listed source is there', grep { !exists $text{$_} } keys %in_make);
none('no source is listed twice', grep { $in_make{$_} > 1 } keys %in_make);
my %test = map { s{\.c$}{}r => 1 } map { listed($_) } qw(c_tests perl_tests test_tools);
none('every test is listed in Makefile.am',
     grep { !$test{$_} }
     map { s{^\Q$srcdir\E/}{}r =~ s{\.c$}{}r } glob("$srcdir/t/*.c $srcdir/t/*.t"));
my %fuzz = map { $_ => 1 } listed('fuzz_targets');
none('every fuzz target is listed in Makefile.am',
     grep { !$fuzz{$_} } map { s{^\Q$srcdir\E/}{}r =~ s{\.c$}{}r } glob("$srcdir/t/fuzz/*.c"));
none('every study, scene, figure and table of data is installed as an example',
     grep { my ($folder) = m{^(\w+)/}; my $file = $_;
            !grep { $_ eq $file } listed("dist_examples_${folder}_DATA") }
     map { s{^\Q$srcdir\E/}{}r } map { glob("$srcdir/$_/*.{csv,yaml}") } qw(data fits figures scenes));

# The order of the house.
my @upward;
for my $file (@files) {
    my $n = 0;
    for (split /\n/, $text{$file}) {
        $n++;
        next if !/^\s*#\s*include\s+"([^"]+)"/ || $1 eq 'config.h';
        my ($to) = $1 =~ m{^([a-z]+)/};
        push @upward, "$file:$n: $_"
            if !defined $to || !exists $rank{$to} || $rank{$to} > $rank{folder($file)};
    }
}
none('a folder includes only from itself and from folders before it', @upward);

# A public header may not need one that is not installed.
my %public = map { $_ => 1 } map { listed("${_}_public") }
    qw(core law ode impact geometry volume motion file study document);
my @private;
for my $file (sort keys %public) {
    push @private, map { "$file includes $_" }
        grep { !$public{"src/$_"} } $text{$file} =~ /^#\s*include\s+"([^"]+)"/mg;
}
none('public headers include public headers only', @private);

# A comment stands above what a public header declares, or above the lines that it stands with.
my @bare;
for my $file (sort keys %public) {
    for my $block (split /\n\s*\n/, $text{$file}) {
        next if $block =~ m{/\*};
        push @bare, map { "$file: $_()" } $block =~ /^\w[^;{}()#]*?\b(cf_\w+)\([^;{]*\);/mg;
    }
}
none('every public function is described', @bare);

# Who knows formats of files.
my @lean = map { glob "$srcdir/src/$_/*.[ch]" } qw(core law ode impact geometry volume motion experiment estimate
                                               resample judge identify);
none('laws, fits and judgements know nothing of YAML, JSON, CSV and sound',
     grep { $text{$_} =~ /#\s*include\s+<(?:yaml|jansson|csv|sndfile)\.h>/ }
     map { s{^\Q$srcdir\E/}{}r } @lean);

# What a library must not do.
none('library code prints nothing',
     lines_with(qr/\b(?:v?printf|puts|putchar|perror)\s*\(|\bstd(?:out|err)\b/, @library_files));
none('library code ends no process',
     lines_with(qr/\b(?:exit|_exit|quick_exit|abort|assert)\s*\(/, @library_files));
none('there is no mutable state at file scope',
     lines_with(qr/^(?!extern char \*\*environ;)(?:static|extern)\s+(?!.*\bconst\b)(?!inline\b)[^()]*(?:=|;|\[)/, @files));
# a function that a macro defines, such as rates_##q(), is not state
none('there is no mutable static state in functions',
     lines_with(qr/^\s+static\s+(?!const\b|.*\bconst\s+\w+\s*(?:\[|=))(?![\w\s*]*\w##\w+\()/, @library_files));
none('every external function begins with cf_',
     grep { !m{^src/cmd/main\.c:\d+: int main\(} }
     lines_with(qr/^(?!static\b|typedef\b|extern\b|else\b|do\b)\w[\w\s*]*?[\s*](?!cf_)\w+\(/, @files));
none('no unsafe or locale-bound text function is used',
     lines_with(qr/\b(?:gets|strcpy|strcat|sprintf|vsprintf|strtok|system|setlocale|tmpnam|mktemp)\s*\(/,
                @files));

# Where memory is missing: streams into memory and containers of JSON drop what they have no room for.
none('texts grow by cf_text_begin() only', lines_with(qr/\bopen_memstream\b/, @files));
none('values are put into JSON by document/json_value.c only',
     lines_with(qr/\bjson_(?:object_(?:set|update|del)|array_(?:set|append|insert|extend))\w*\s*\(/,
                grep { $_ ne 'src/document/json_value.c' } @files));

# The seams to the operating system: files in one place, processes in another.
my %seam = ('src/core/file_system.c' => 1, 'src/core/process.c' => 1);
my %excused = (
    'src/core/parallel.c' => 'unistd.h', # sysconf(): how many processors are there?
    'src/cmd/main.c' => 'signal.h',      # standard C: signals that would end the program
    'src/cmd/progress.c' => 'unistd.h',  # isatty(): is there anyone to show progress to?
);
none('the operating system is asked by core/file_system.c and core/process.c only',
     grep { my ($file, $header) = /^([^:]+):\d+:.*<(.*)>/; ($excused{$file} // '') ne $header }
     lines_with(qr{#\s*include\s+<(?:dirent|fcntl|ftw|poll|pwd|signal|spawn|sys/\w+|unistd)\.h>},
                grep { !$seam{$_} } @files));
none('processes are started, awaited and ended by core/process.c only',
     lines_with(qr/\b(?:posix_spawn\w*|v?fork|exec[lv]p?e?|popen|wait(?:pid|id)?|kill|environ)\b(?!\s*:)/,
                grep { $_ ne 'src/core/process.c' } @files));

# Form.
my @c = (@files, map { s{^\Q$srcdir\E/}{}r }
         glob("$srcdir/t/*.[ch] $srcdir/t/fuzz/*.c $srcdir/t/installed/*.c $srcdir/bench/*.c"));
my (@wide, @tab, @trail, @end, @head, @left, @guard);
for my $file (@c) {
    my $t = $text{$file} // slurp("$srcdir/$file");
    push @end, $file if $t !~ /[^\n]\n\z/;
    my $own = $file =~ m{^src/(\w+)/} ? "$1/[a-z_]+" : $file =~ s{^t/(.*)\.c$}{\Q$1\E}r;
    push @head, $file
        if $t !~ m{\A(?:#define _\w+_SOURCE[^\n]*\n+)?(?:/\*|\#include "$own\.h")};
    my $n = 0;
    for (split /\n/, $t) {
        $n++;
        my $wide = $_;
        utf8::decode($wide);
        push @wide, "$file:$n" if length $wide > 100;
        push @tab, "$file:$n" if /\t/;
        push @trail, "$file:$n" if /\s$/;
        push @left, "$file:$n: $_" if /\b(?:TODO|FIXME|XXX|HACK)\b/;
    }
    if ($file =~ m{^src/(.*)\.h$}) {
        my $want = 'CF_' . uc($1 =~ s{[/.-]}{_}gr) . '_H';
        push @guard, "$file: $want" if $t !~ /^#ifndef \Q$want\E\n#define \Q$want\E$/m;
    }
}
none('lines are at most 100 columns wide', @wide);
none('C files hold no tabs', @tab);
none('no space stands at the end of a line', @trail);
none('files end in one newline', @end);
none('every C file begins by saying what it is, or with the header that does', @head);
none('nothing is left to do', @left);
none('header guards follow the path', @guard);

# Faults that `make mutate` plants: the tables follow the code.
my @stale;
for my $table (glob "$srcdir/t/mutate/*.txt") {
    for my $block (split /\n\n+/, slurp($table)) {
        my ($file, @rest) = grep { !/^#/ } split /\n/, $block;
        next if !defined $file;
        my $old = join "\n", map { s/^- //r } grep { /^- / } @rest;
        my $times = () = ($text{$file} // '') =~ /\Q$old\E/g;
        push @stale, "$file: stands there $times times, not once: $old" if $times != 1;
    }
}
none('every fault of t/mutate has its place', @stale);

# Scripts run where they are started from.
none('scripts are executable',
     grep { !-x "$srcdir/$_" } 'bootstrap', '.ci/run');

done_testing();
