#!/usr/bin/perl
# same-outputs.pl OLDDIR NEWDIR [--words FILE]: compares two folders of outputs.pl byte by byte and
# says which cases differ, with the first lines. Exits 0 when all are equal, 1 when not.
#
# FILE is a table of words that were renamed, a line for each, OLD<TAB>NEW, both plain text; lines
# that begin with # are comments. They are replaced in the texts and file names of OLDDIR before
# these are compared: whole words, the longest first, and none twice. <1>, <2>, ... stand for any
# words of one sentence, and a blank for any white space: terminals break lines elsewhere when a
# word grows. So where words are given, runs of white space count as one blank in files that differ,
# and a SHA-256 counts as any other, for it may be that of a file with renamed words.
#
# A step that ran out of time in both folders is not compared, nor what was written in its case; one
# that did in only one of them is a difference.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Find;
use File::Temp qw(tempdir);
use Getopt::Long;
use Program qw(slurp spew);

my $usage = "usage: same-outputs.pl OLDDIR NEWDIR [--words FILE]\n";
my $words;
GetOptions('words=s' => \$words) && @ARGV == 2 or die $usage;
my ($old, $new) = @ARGV;
my $lines = 12;     # of a difference that are shown
my $columns = 160;  # of each of these

# The table of renamed words: OLD => NEW.
sub renames
{
    my ($path) = @_;
    my %renames;
    -f $path or die "$path: no such file\n";
    for (split /\r?\n/, slurp($path)) {
        next if /^(?:#|\s*$)/;
        my ($from, $to) = /^([^\t]+)\t([^\t]*)$/ or die "$path: OLD<TAB>NEW is wanted: $_\n";
        !exists $renames{$from} or die "$path: two lines for $from\n";
        $renames{$from} = $to;
    }
    return \%renames;
}

my $renames = defined $words ? renames($words) : {};

# A renamed word as an expression. A letter, digit or _ beside it would make it another word.
sub expression
{
    my ($from) = @_;
    my $body = join '', map { /^<\d>$/ ? '([^<>"]{1,300}?)' : /^ $/ ? '\s+' : quotemeta }
        split /(<\d>| )/, $from;
    return ($from =~ /^\w/a ? '(?<!\w)' : '') . $body . ($from =~ /\w$/a ? '(?!\w)' : '');
}

my @rules = map { [qr/${\ expression($_)}/a, $renames->{$_}] }
    sort { length $b <=> length $a || $a cmp $b } keys %$renames;

# Each place is replaced once: what stands for it until the end is no text of a file.
sub in_new_words
{
    my ($text) = @_;
    my @new;
    for my $rule (@rules) {
        my ($from, $to) = @$rule;
        $text =~ s{$from}{
            my @held = ($1, $2, $3, $4);
            push @new, $to =~ s/<(\d)>/$held[$1 - 1]/gr;
            "\0$#new\0";
        }ge;
    }
    1 while $text =~ s/\0(\d+)\0/$new[$1]/g;
    return $text;
}

# The cases of a folder, each with its files: case => {path as it is called now => path}.
sub cases_below
{
    my ($folder, $name_of) = @_;
    my %cases;
    -d $folder or die "$folder: no such folder\n";
    find({no_chdir => 1, wanted => sub {
        my ($case, $path) = m{^\Q$folder\E/*([^/]+)/(.*)$}s or return;
        $cases{$case}{$path =~ m{^files/} ? $name_of->($path) : $path} = $_ if -f;
    }}, $folder);
    return \%cases;
}

# The first lines of what differs.
my $scratch = tempdir(CLEANUP => 1);
sub show
{
    my ($what, @texts) = @_;
    spew("$scratch/$_", $texts[$_]) for 0, 1;
    open my $diff, '-|', 'diff', '-a', '-U1', '--label', "old $what", '--label', "new $what",
        "$scratch/0", "$scratch/1" or die "diff: $!\n";
    my @shown = <$diff>;
    close $diff;
    chomp @shown;
    my $more = @shown - $lines;
    splice @shown, $lines if $more > 0;
    print map { '    ' . (length > $columns ? substr($_, 0, $columns) . '...' : $_) . "\n" } @shown;
    print "    ... and $more lines more\n" if $more > 0;
}

# How many of a case's statuses are those of a run that was stopped.
sub stopped
{
    my ($files) = @_;
    return scalar grep { slurp($files->{$_}) eq "timed out\n" } grep { /\.status$/ } keys %$files;
}

# The files of a case that differ: lists of a name and the two texts, undef for a file that is not
# there.
sub differences
{
    my ($before, $after) = @_;
    my %all = (%$before, %$after);
    my @found;
    for my $path (sort keys %all) {
        my ($was, $is) = map { defined $_->{$path} ? slurp($_->{$path}) : undef } $before, $after;
        next if defined $was && defined $is && $was eq $is;
        my $new = defined $was ? in_new_words($was) : undef;
        if (defined $is && defined $was && @rules) {
            $is = in_new_words($is);    # it may quote an input in the old words
            s/\s+/ /g for $new, $is;
            s/\b[0-9a-f]{64}\b/(hash)/g for $new, $is;    # of a file in which words were renamed
        }
        $was = $new;
        push @found, [$path, $was, $is] if !defined $was || !defined $is || $was ne $is;
    }
    return @found;
}

my $before = cases_below($old, \&in_new_words);
my $after = cases_below($new, sub { return $_[0] });
my %all = (%$before, %$after);
my ($files, $differ, @stopped) = (0, 0);
%all or die "$old, $new: no cases\n";

for my $case (sort keys %all) {
    my ($was, $is) = ($before->{$case}, $after->{$case});
    if (!$was || !$is) {
        print "$case: in ", $was ? $old : $new, " only\n";
        $differ++;
        next;
    }
    if (stopped($was) && stopped($is)) {
        push @stopped, $case;
        next;
    }
    $files += grep { $_ ne 'command' } keys %$is;
    my @found = differences($was, $is) or next;
    $differ++;
    print "$case: ", join(', ', map { $_->[0] } @found), "\n";
    for (@found) {
        my ($path, @texts) = @$_;
        if (defined $texts[0] && defined $texts[1]) {
            show($path, @texts);
        } else {
            print "    $path: in ", defined $texts[0] ? $old : $new, " only\n";
        }
    }
}
print "not compared, out of time in both: $_\n" for @stopped;
printf "%d cases, %d files, %s\n", keys(%all) - @stopped, $files,
    $differ ? "$differ cases differ" : 'all equal';
exit($differ ? 1 : 0);
