#!/usr/bin/perl
# mutate.pl SOURCES BUILD [WORD...]: plant the faults of the tables beside this script one at a time
# in a copy of the sources and see that the test named beside each fails. With words, only the faults
# whose file or test contains one of them.
#
# FOLDER.txt is the table of src/FOLDER: blocks, divided by empty lines; `#` begins a remark:
#
#   src/law/exact.c
#   - the text as it stands, exactly once in the file
#   + what takes its place
#   t/exact
#
# A text that is not there exactly once is an error: the table follows the code.

use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(basename dirname);

my ($sources, $build, @words) = @ARGV;
die "usage: mutate.pl SOURCES BUILD [WORD...]\n" if !$build;
my @tables = sort glob dirname($0) . '/*.txt';
$_ = abs_path($_) for $sources, $build;

sub slurp
{
    my ($path) = @_;
    open my $in, '<:raw', $path or die "$path: $!\n";
    local $/;
    return scalar <$in>;
}

sub spew
{
    my ($path, $text) = @_;
    open my $out, '>:raw', $path or die "$path: $!\n";
    print $out $text;
    close $out or die "$path: $!\n";
}

my @mutants;
for my $table (@tables) {
    local $/ = '';    # paragraphs
    open my $in, '<', $table or die "$table: $!\n";
    while (my $block = <$in>) {
        my @lines = grep { !/^#/ } split /\n/, $block;
        next if !@lines;
        my ($old, $new) = map {
            my $mark = $_;
            join "\n", map { s/^\Q$mark\E //r } grep { /^\Q$mark\E / } @lines
        } '-', '+';
        my @plain = grep { !/^[-+] / } @lines;
        die "$table: block $.: wants a file, - and + lines, and a test\n"
            if @plain != 2 || $old eq '' || $old eq $new;
        basename(dirname($plain[0])) eq basename($table, '.txt')
            or die "$table: block $.: $plain[0] is of another folder\n";
        push @mutants, {file => $plain[0], old => $old, new => $new, test => $plain[1]};
    }
    close $in;    # blocks are counted anew
}
if (@words) {
    my $any = join '|', map quotemeta, @words;
    @mutants = grep { "$_->{file} $_->{test}" =~ $any } @mutants;
}
die "no fault is left to plant\n" if !@mutants;

my @wrong;
for my $m (@mutants) {
    my $text = eval { slurp("$sources/$m->{file}") } // '';
    my $times = () = $text =~ /\Q$m->{old}\E/g;
    push @wrong, "$m->{file}: stands there $times times, not once: $m->{old}" if $times != 1;
}
die map { "$_\n" } @wrong if @wrong;

# Build what a test needs after `file` has changed. Its objects are removed first, so that make sees
# the change whatever the grain of the clock.
sub build
{
    my ($file, $test) = @_;
    my ($folder, $stem) = $file =~ m{^(.*)/([^/]+)\.c$} or die "$file: not a C file\n";
    unlink glob "$build/$folder/{,*-}$stem.{o,lo}";
    my $target = $test =~ /\.t$/ ? 'contactfit' : $test;
    return system("make -C '$build' -s '$target' >'$build/mutant.log' 2>&1") == 0;
}

sub passes
{
    my ($test) = @_;
    my $run = $test =~ /\.t$/ ? "perl '$sources/$test'" : "./$test";
    my $status = system("cd '$build' && mkdir -p tmp && CONTACTFIT='$build/contactfit'"
        . " srcdir='$sources' builddir=. LC_ALL=C.UTF-8 timeout 120 $run >mutant.log 2>&1");
    die "interrupted\n" if ($status & 127) == 2;
    return $status == 0;
}

# Every named test must pass on the sources as they are.
my %seen;
for my $test (grep { !$seen{$_}++ } map { $_->{test} } @mutants) {
    build($mutants[0]{file}, $test) or die "cannot build $test: see $build/mutant.log\n";
    passes($test) or die "$test fails without any fault: see $build/mutant.log\n";
}

my $survived = 0;
for my $i (0 .. $#mutants) {
    my $m = $mutants[$i];
    my $path = "$sources/$m->{file}";
    my $whole = slurp($path);
    my $at = index $whole, $m->{old};
    my $line = 1 + (substr($whole, 0, $at) =~ tr/\n//);
    my $mutated = $whole;
    substr $mutated, $at, length $m->{old}, $m->{new};
    chmod 0644, $path;
    spew($path, $mutated);
    my $built = build($m->{file}, $m->{test});
    my $survives = $built && passes($m->{test});
    spew($path, $whole);
    die "$m->{file}:$line: the fault does not compile: see $build/mutant.log\n" if !$built;
    $survived += $survives;
    printf "%3d/%d %s  %s:%d  %s\n", $i + 1, scalar @mutants, $survives ? 'SURVIVED' : 'killed  ',
        $m->{file}, $line, $m->{test};
    unlink glob "$build/" . $m->{file} =~ s{([^/]+)\.c$}{{,*-}$1.{o,lo}}r;    # not this fault's
}
printf "mutate: %d faults, %d not noticed\n", scalar @mutants, $survived;
exit($survived ? 1 : 0);
