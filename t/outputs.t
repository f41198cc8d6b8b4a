#!/usr/bin/perl
# What commands write over: never what they read, under whatever name, never one output over
# another, nothing that is not ours without --force; and what killed runs left behind goes.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Fcntl qw(:flock);
use File::Temp qw(tempdir);
use Program;
use Test::More;

my $folder = tempdir(CLEANUP => 1);
my %good = map { $_ => slurp("$srcdir/t/bad/good/$_") } qw(study.yaml table.csv scene.yaml trace.csv);
spew("$folder/$_", $good{$_}) for keys %good;

sub run
{
    return contactfit({in => $folder}, @_);
}

# Refused, with this message, and every file as it was.
sub refused
{
    my ($name, $message, @arguments) = @_;
    my %before = map { $_ => slurp($_) } glob "$folder/*";
    my ($exit, $out, $err) = run(@arguments);
    isnt($exit, 0, "$name: refused");
    like($err, qr/: \Q$message\E\n\z/, "$name: the reason");
    is_deeply({map { $_ => slurp($_) } glob "$folder/*"}, \%before, "$name: nothing was written");
}

my $read = 'is read by this command: write to another file';
my $foreign = 'is there already, and not written by contactfit: write to another file, or over '
    . 'this one with --force';

# What is read, by its name, by a link of each kind, and what a scene or a study names.
refused('a scene', "scene.yaml: $read", qw(simulate scene.yaml --trace scene.yaml));
link "$folder/scene.yaml", "$folder/hard.csv" or die;
symlink 'scene.yaml', "$folder/soft.csv" or die;
refused('a hard link', "hard.csv: $read", qw(simulate scene.yaml --events hard.csv --force));
refused('a symbolic link', "soft.csv: $read", qw(simulate scene.yaml --events soft.csv));
refused('the motion of a scene', "./trace.csv: $read", qw(simulate scene.yaml --trace ./trace.csv));
link "$folder/table.csv", "$folder/study.json" or die;
refused('the table of a study', "study.json: $read", qw(fit study.yaml));
refused('and with force', "study.json: $read", qw(fit study.yaml --force));
unlink "$folder/study.json", "$folder/hard.csv", "$folder/soft.csv";

# One file for two outputs.
refused('two outputs', 'x.csv: is written by this command already: another name is wanted',
    qw(simulate scene.yaml --trace x.csv --events x.csv));
refused('two names of one', './x.csv: is written by this command already: another name is wanted',
    qw(simulate scene.yaml --trace x.csv --events ./x.csv));

# What is there already.
spew("$folder/x.csv", "my own notes\n");
refused('a foreign file', "x.csv: $foreign", qw(simulate scene.yaml --trace x.csv));
my ($exit, $out, $err) = run(qw(simulate scene.yaml --trace x.csv --force));
is($exit, 0, 'written over by force');
like(slurp("$folder/x.csv"), qr/\A# .*contactfit/s, 'is a trace then');
($exit) = run(qw(simulate scene.yaml --trace x.csv));
is($exit, 0, 'and may be written over as ours');
spew("$folder/empty.csv", '');
($exit) = run(qw(simulate scene.yaml --events empty.csv));
is($exit, 0, 'an empty file is in nobody\'s way');
spew("$folder/study.html", "<html>a page of mine</html>\n");
refused('a foreign page, before any work', "study.html: $foreign", qw(fit study.yaml));
unlink "$folder/study.html";

# Everything that we write may be written again.
sub twice
{
    my ($name, @arguments) = @_;
    my @exit = map { (run(@arguments))[0] } 1 .. 2;
    is($exit[1], $exit[0], "$name: written again");
}
twice('fit', qw(fit study.yaml));
twice('compare', qw(compare study.yaml --laws linear));
twice('validate', qw(validate study.json study.yaml));
twice('report', qw(report study.json));
twice("plot $_", qw(plot study.json --figure headline --format), $_) for qw(svg pdf png);
twice("export $_", qw(export study.json --force -o), "x.$_", '--to', $_)
    for map { /^(\S+)  / ? $1 : () } split /\n/, (run(qw(export --list)))[1];

# Two figures of one name.
mkdir "$folder/$_" for qw(a b pages);
spew("$folder/$_/study.json", slurp("$folder/study.json")) for qw(a b);
($exit, $out, $err) = run(qw(plot a/study.json b/study.json --figure headline -o pages));
is($exit, 1, 'two figures of one name');
like($err, qr{pages/study-restitution\.svg: is written by this command already}, 'are not one');

# Left behind by runs that were killed; one is still at work.
spew("$folder/.contactfit.1.$_", 'half') for 1 .. 3;
open my $busy, '>>', "$folder/.contactfit.1.3" or die;
flock $busy, LOCK_EX or die;
spew("$folder/.contactfit-notes", 'of a user');
($exit) = run(qw(simulate scene.yaml --trace x.csv));
is_deeply([sort map { s{.*/}{}r } glob "$folder/.contactfit*"], ['.contactfit-notes', '.contactfit.1.3'],
    'what killed runs left is cleared, what others work at is not');
close $busy;
($exit) = run(qw(simulate scene.yaml --trace x.csv));
is_deeply([glob "$folder/.contactfit.*"], [], 'until they end');

# A long trace: a signal ends it at once and leaves nothing, a full disk says so and ends it, too.
{
    my @long = ('simulate', "$srcdir/scenes/presliding_recorded.yaml", '--trace', 'long.csv', '--every', '1us', '-q');
    my $pid = fork // die;
    if (!$pid) {
        chdir $folder or die;
        open STDERR, '>', '/dev/null' or die;
        exec $program, @long or die;
    }
    my $waited = 0;
    select undef, undef, undef, 0.01 while !glob("$folder/.contactfit.*") && $waited++ < 3000;
    kill TERM => $pid;
    my $begun = time;
    waitpid $pid, 0;
    is($? & 127, 15, 'a signal ends a long run');
    cmp_ok(time - $begun, '<', 10, 'at once');
    is_deeply([grep { -e } glob "$folder/.contactfit.* $folder/long.csv"], [], "and nothing is left");
    ($exit, $out, $err) = contactfit({in => $folder, limit => 1000}, @long);
    is($exit, 1, 'a full disk');
    like($err, qr/^contactfit simulate: long\.csv: cannot be written: File too large$/m, 'says so');
    is_deeply([grep { -e } glob "$folder/.contactfit.* $folder/long.csv"], [], "and nothing is left");
}

# A signal ends gnuplot with the program that waits for it.
{
    mkdir "$folder/slow";
    spew("$folder/slow/gnuplot", "#!/bin/sh\necho \$\$ >$folder/gnuplot.pid\nexec sleep 100\n");
    chmod 0755, "$folder/slow/gnuplot";
    my $pid = fork // die;
    if (!$pid) {
        $ENV{PATH} = "$folder/slow:$ENV{PATH}";
        open STDERR, '>', '/dev/null' or die;
        exec $program, 'report', "$folder/study.json", '-o', "$folder/slow" or die;
    }
    my $waited = 0;
    select undef, undef, undef, 0.01 while !-s "$folder/gnuplot.pid" && $waited++ < 3000;
    my ($child) = slurp("$folder/gnuplot.pid") =~ /(\d+)/;
    kill TERM => $pid;
    my $begun = time;
    waitpid $pid, 0;
    is($? & 127, 15, 'a signal ends the wait for gnuplot');
    cmp_ok(time - $begun, '<', 10, 'at once');
    $waited = 0;
    select undef, undef, undef, 0.01 while kill(0 => $child) && $waited++ < 500;
    is(kill(0 => $child), 0, 'and gnuplot with it');
    is_deeply([grep { -e } glob "$folder/slow/.contactfit.* $folder/slow/*.html"], [], 'and nothing is left');
}

# Without gnuplot a fit is one all the same.
unlink "$folder/study.json", "$folder/study.html";
{
    local $ENV{PATH} = $folder;
    ($exit, $out, $err) = run(qw(fit study.yaml));
}
my ($with, $whole) = (run(qw(fit study.yaml -o a)))[0, 1];
is($exit, $with, 'without gnuplot: the same exit');
is($out, $whole =~ s{ a/study\.json}{ study.json}r, 'the same summary');
like($err, qr/^study\.html: without figures: gnuplot is not installed/m, 'the reason');
unlike($err, qr/^contactfit fit:/m, 'which is no failure');
is(slurp("$folder/study.json"), slurp("$folder/a/study.json"), 'the same fit file');
like(slurp("$folder/study.html"), qr/Not drawn: gnuplot did not serve/, 'a page that says so');
unlike(slurp("$folder/study.html"), qr/<img/, 'without pictures');

# The same of a fit that is not to be trusted, whose exit says so: no word of a failure.
{
    local $ENV{PATH} = $folder;
    ($exit, $out, $err) = run('fit', "$srcdir/fits/croquet_ball_on_wood.yaml", '-o', '.', '-q');
}
is("$exit: $err", '3: ./croquet_ball_on_wood.html: without figures: gnuplot is not installed, and figures '
    . "are drawn by it: apt-get install gnuplot-nox\n", 'a misfit without gnuplot: why there are no figures');
($exit, $out, $err) = run('fit', "$srcdir/fits/croquet_ball_on_wood.yaml", '-o', '.', '-q');
is("$exit: $err", '3: ', 'a misfit with gnuplot: nothing');

# What could move a terminal's cursor or turn its writing never leaves as it is.
my $nasty = "no\e[2Jte\x{e2}\x{80}\x{ae}d\n";
mkdir "$folder/$nasty" or die;
spew("$folder/$nasty/$_", $good{$_}) for keys %good;
spew("$folder/$nasty/study$nasty.yaml", $good{'study.yaml'});
my $unsafe = qr/[\x00-\x08\x0b-\x1f\x7f]|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]/;
for my $arguments (['fit', "$nasty/study$nasty.yaml"], ['report', "$nasty/study$nasty.json"],
    ['simulate', "$nasty/scene.yaml", '--trace', "$nasty/t.csv"], ['check', "$nasty/nothing.yaml"],
    ['predict', "$nasty/study$nasty.json", '--speed', '1'], ["no$nasty"],
    ['export', "$nasty/study$nasty.json", '--force', '--to', 'csv'],
    ['plot', "$nasty/study$nasty.json", '--figure', $nasty]) {
    my ($end, @text) = run(@$arguments);
    unlike("@text", $unsafe, "$arguments->[0]: a terminal is safe from names of files");
    unlike("@text", qr/no\n/, 'and lines are whole');
}
ok(-s "$folder/$nasty/study$nasty.json", 'a fit of such a study');
unlike(slurp("$folder/$nasty/study$nasty.$_"), $unsafe, "its .$_ is safe") for qw(json html);
(my $titled = $good{'study.yaml'}) =~ s/^title:.*$/title: "drop \x{e2}\x{80}\x{ae}red"/m;
spew("$folder/titled.yaml", $titled);
($exit, $out, $err) = run(qw(check titled.yaml));
like($err, qr/titled\.yaml:\d+:\d+: a character that turns the writing direction/,
    'a title that turns the writing is refused');
(my $table = $good{'table.csv'}) =~ s/^#/# \x{e2}\x{80}\x{ae}/m;
spew("$folder/table.csv", $table);
($exit, $out, $err) = run(qw(fit study.yaml));
unlike(slurp("$folder/study.html") . slurp("$folder/study.json"), $unsafe,
    'of remarks in a table such characters are taken out');

done_testing();
