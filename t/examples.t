#!/usr/bin/perl
# contactfit examples: the list, and copies that hold all the files that are named. Titles and names are
# read from the files' text here, not by the program's readers.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd qw(abs_path);
use File::Copy qw(copy);
use File::Find qw(find);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use Program;
use Test::More;

my %files = map { my $kind = $_; map { m{([^/]+)\.yaml$} ? ($1 => "$kind/$1.yaml") : () } glob "$srcdir/$kind/*.yaml" }
    qw(fits scenes figures);

my ($status, $out, $err) = contactfit('examples');
is("$status $err", '0 ', 'a list');
my %listed = $out =~ /^  (\S+)  +(.*)$/mg;
is_deeply([sort keys %listed], [sort keys %files], 'of all studies, scenes and figures');
my @wrong = grep { my ($title) = slurp("$srcdir/$files{$_}") =~ /^title: (.*)/m; $listed{$_} ne $title =~ s/^(['"])(.*)\1$/$2/r }
    sort keys %listed;
is("@wrong", '', 'each with its title');
($status, $out) = contactfit({columns => 0}, 'examples');
is(join('', grep { length > 81 } $out =~ /^(.*\n)/mg), '', 'folded at 80 columns');

# All files below a folder, as paths from there.
sub below
{
    my ($folder) = @_;
    my @found;
    find({no_chdir => 1, wanted => sub { push @found, s{^\Q$folder\E/}{}r if -f }}, $folder);
    return sort @found;
}

# Each copy holds the file, and those that it and its scenes name; all of them as they are.
my $root = tempdir(CLEANUP => 1);
for my $name (sort keys %files) {
    my $to = "$root/$name";
    ($status, $out, $err) = contactfit('examples', $name, '-o', $to);
    my @copied = below($to);
    my @want = ($files{$name});
    for (my $i = 0; $i < @want; $i++) {
        next if $want[$i] !~ /\.yaml$/;
        my ($folder) = $want[$i] =~ m{^(\w+)/};
        my $text = slurp("$srcdir/$want[$i]") =~ s/^\s*#.*//mgr;
        for my $named ($text =~ /\b(?:file|scene): *"?([^\s,}"]+)/g) {
            my $path = "$folder/$named" =~ s{\w+/\.\./}{}r;
            push @want, $path if !grep { $_ eq $path } @want;
        }
    }
    my $same = !grep { slurp("$to/$_") ne slurp("$srcdir/$_") } @copied;
    is("$status $same @copied", "0 1 @{[sort @want]}", "$name and what it names") or diag($err);
}

# What there is stays.
my $to = "$root/croquet_ball_on_wood";
my $study = "$to/fits/croquet_ball_on_wood.yaml";
spew($study, "edited\n");
is_deeply([contactfit('examples', 'croquet_ball_on_wood', '-o', $to)],
    [1, '', "contactfit examples: $study: is there already: copy to another folder, or over it with --force\n"],
    'what is there is not written over');
is(slurp($study), "edited\n", 'and stays as it was');
unlink $study;
($status, undef, $err) = contactfit('examples', 'croquet_ball_on_wood', '-o', $to);
is("$status $err", "0 wrote $study\nnext: contactfit check $study\n", 'a table that is there, and the same, does');
my $table = "$to/data/impact_croquet_ball_on_wood_gugan2002.csv";
unlink $study;
spew($table, slurp($table) . "# edited\n");
($status, undef, $err) = contactfit('examples', 'croquet_ball_on_wood', '-o', $to);
is("$status $err", "1 contactfit examples: $table: is there already: copy to another folder, or over it with --force\n",
    'one that is another does not');
ok(!-e $study, 'and nothing is written then');
($status, $out, $err) = contactfit('examples', 'fits/croquet_ball_on_wood.yaml', '-o', "$to/", '--force');
is($err, "wrote $study\nwrote $table\nnext: contactfit check $study\n", 'but by --force; by its path, too');
is((contactfit('check', $study))[0], 0, 'and check reads the copy');
my $here = tempdir(CLEANUP => 1);
($status, $out, $err) = contactfit({in => $here}, qw(examples --quiet presliding_recorded));
is("$status$out$err", '0', 'quietly, into this folder');
is(join(' ', below($here)), 'data/presliding_reciprocating_8cycles.csv scenes/presliding_recorded.yaml', 'a scene');
is((contactfit({in => $here}, qw(simulate scenes/presliding_recorded.yaml --json)))[0], 0, 'which runs');

is_deeply([contactfit(qw(examples croquet_bal_on_wood))],
    [2, '', "contactfit examples: no example \"croquet_bal_on_wood\": did you mean croquet_ball_on_wood?\n"], 'a typo');
is_deeply([contactfit(qw(examples xyz))],
    [2, '', "contactfit examples: no example \"xyz\": contactfit examples lists them\n"], 'no such example');
is_deeply([contactfit(qw(examples croquet_ball_on_wood -o -))],
    [2, '', "contactfit examples: -o -: a folder is wanted: an example is several files\n"], 'no folder');
spew("$here/file", '');
is_deeply([contactfit(qw(examples af10_fig2 -o), "$here/file")],
    [1, '', "contactfit examples: $here/file/figures/af10_fig2.yaml: no folder can be made for it: Not a directory\n"],
    'a file where the folder should be');

done_testing();
