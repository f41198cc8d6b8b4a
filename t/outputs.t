#!/usr/bin/perl
# What commands write over: never what they read or what a fit was made from, under whatever name,
# never one output over another, nothing that is not ours without --force; where links lead; and what
# killed runs left behind goes.

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
# A fit takes no longer than it must.
$good{'study.yaml'} =~ s/^rivals:.*?(?=^data:)//ms;
$good{'study.yaml'} =~ s/^hold-out:.*/options: {starts: 2, screen: 16}\n/ms;
(my $misfit = $good{'study.yaml'}) =~ s/sigma: 0\.002/sigma: 0.00002/;
spew("$folder/$_", $good{$_}) for keys %good;
spew("$folder/misfit.yaml", $misfit);

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

# Written, with this exit.
sub written
{
    my ($name, $wanted, @arguments) = @_;
    my ($exit, undef, $err) = run(@arguments);
    is($exit, $wanted, $name) or diag($err);
}

my $read = 'is read by this command: write to another file';
my $source = 'a fit was made from it: write to another file';
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

# Without gnuplot a fit is one all the same.
my ($exit, $out, $err);
{
    local $ENV{PATH} = $folder;
    ($exit, $out, $err) = run(qw(fit study.yaml));
}
mkdir "$folder/$_" for qw(a b pages);
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
    ($exit, $out, $err) = run(qw(fit misfit.yaml -q));
}
is("$exit: $err", '3: misfit.html: without figures: gnuplot is not installed, and figures '
    . "are drawn by it: apt-get install gnuplot-nox\n", 'a misfit without gnuplot: why there are no figures');
($exit, $out, $err) = run(qw(fit misfit.yaml -q));
is("$exit: $err", '3: ', 'a misfit with gnuplot, over it: nothing');

# What a fit was made from, by its name, by links, in another place and edited since.
refused('the table of a fit', "table.csv: $source", qw(export study.json --to csv --force -o table.csv));
refused('its study', "./study.yaml: $source", qw(export study.json --to csv --force -o ./study.yaml));
refused('the fit', "study.json: $read", qw(export study.json --to json --force -o study.json));
symlink '../table.csv', "$folder/pages/page.html" or die;
link "$folder/table.csv", "$folder/pages/drops.svg" or die;
link "$folder/study.yaml", "$folder/pages/new-validate.html" or die;
spew("$folder/new.yaml", $good{'study.yaml'});
refused('a page over it', "pages/page.html: $source", qw(report study.json --force -o pages/page.html));
refused('a figure', "pages/drops.svg: $source", qw(plot study.json --figure headline --force -o pages/drops.svg));
refused('a validation', "pages/new-validate.html: $source", qw(validate study.json new.yaml --force -o pages));
unlink glob "$folder/pages/*";
refused('a copy of the study', "new.yaml: $source", qw(export a/study.json --to csv --force -o new.yaml));
rename "$folder/table.csv", "$folder/b/drops.csv" or die;
refused('a table that was moved', "b/drops.csv: $source", qw(export a/study.json --to csv --force -o b/drops.csv));
rename "$folder/b/drops.csv", "$folder/table.csv" or die;
spew("$folder/$_", "$good{$_}# edited\n") for qw(study.yaml table.csv);
refused("an edited $_", "$_: $source", qw(export study.json --to csv --force -o), $_) for qw(study.yaml table.csv);
spew("$folder/$_", $good{$_}) for qw(study.yaml table.csv);
spew("$folder/b/scenic.json", slurp("$folder/study.json") =~ s/"path": "study\.yaml"/"path": "scenic.yaml"/r);
spew("$folder/b/scenic.yaml", "contactfit: study/1\ndata:\n  - {scene: ../scene.yaml, file: [recorded.csv, other.csv]}\n");
spew("$folder/b/other.csv", "t_s,x_m\n0,0\n");
refused("a fit of a scene: $_", "$_: $source", qw(export b/scenic.json --to csv --force -o), $_)
    for qw(scene.yaml trace.csv b/other.csv);

# What is there already, and is not ours: a study, a scene and a figure name us, tables and texts may.
my @foreign = ('my own notes', "contactfit: study/1\ntitle: mine", "# fitted with contactfit\nv,e\n1,0.5",
    '{"contactfit": "study/1", "title": "mine"}', "{\n \"contactfit\": \"scene/1\",\n \"title\": \"mine\"\n}",
    "Written by contactfit\nand then by me", "# Written by contactfit\tand me\nv,e\n1,0.5",
    "v,e\n# Written by contactfit\n1,0.5", "v,e\n1,0.5\n# was Written by contactfit",
    "v,e,by\n1,0.5,contactfit", "<p>of\n<!-- Written by contactfit --></p>");
for my $mine (@foreign) {
    spew("$folder/mine", "$mine\n");
    refused('a foreign file: ' . $mine =~ s/\n.*//sr, "mine: $foreign", qw(export study.json --to csv -o mine));
}
refused("a foreign $_", "$_: $foreign", qw(simulate scene.yaml --trace), $_) for qw(study.yaml table.csv);
spew("$folder/study.html", "<html>a page of mine, by contactfit</html>\n");
refused('a foreign page, before any work', "study.html: $foreign", qw(fit study.yaml));
unlink "$folder/study.html";
spew("$folder/mine", "my own notes\n");
written('written over by force', 0, qw(simulate scene.yaml --trace mine --force));
written('and may be written over as ours', 0, qw(simulate scene.yaml --trace mine));
spew("$folder/mine", slurp("$folder/mine") =~ s/^# .*\n//r);
refused('but not without our mark', "mine: $foreign", qw(simulate scene.yaml --trace mine));
spew("$folder/empty.csv", '');
written('an empty file is in nobody\'s way', 0, qw(simulate scene.yaml --events empty.csv));

# A draft is its user's.
written('a draft', 0, qw(init impact table.csv -o draft.yaml -q));
refused('is no file of ours', "draft.yaml: $foreign", qw(simulate scene.yaml --trace draft.yaml));
refused('nor of init', 'draft.yaml: is there already: write to another file, or over this one with --force',
    qw(init impact table.csv -o draft.yaml));

# Whether a fit is trusted, and whose a file is, are two questions.
my $distrust = 'misfit.json: the verdict of the fit is misfit, and its numbers are not to be trusted: '
    . '--untrusted exports them all the same, marked';
spew("$folder/mine", "my own notes\n");
refused('an untrusted fit', $distrust, qw(export misfit.json --to latex -o new));
refused('an untrusted fit, by force', $distrust, qw(export misfit.json --to latex --force -o new));
refused('an untrusted fit over a foreign file', "mine: $foreign", qw(export misfit.json --to latex --untrusted -o mine));
written('both', 3, qw(export misfit.json --to latex --untrusted --force -o mine));

# Everything that we write may be written over, whichever command wrote it: each over the one before.
spew("$folder/all", '');
written("over the last: export to $_", 0,
    qw(export study.json --bound 0.5 -o all --to), $_,
    /^(?:drake-hydroelastic|simbody-foundation)/ ? qw(-p kv=1e9) : (),
    /^(?:drake|simbody)(?!-sap)/ ? ('--approximate', 'hunt-crossley') : (),
    /^liggghts/ ? ('--allow-missing', 'ball,ball') : ())
    for map { /^(\S+)  / ? $1 : () } split /\n/, (run(qw(export --list)))[1];
written('over the last: a trace', 0, qw(simulate scene.yaml --trace all));
written('over the last: events', 0, qw(simulate scene.yaml --events all));
written('over the last: onsets', 0, 'onsets', "$srcdir/data/synthetic_bounce_recording.flac", '--csv', 'all');
for my $format (qw(svg pdf png html)) {
    rename "$folder/all", "$folder/all.$format" or die;
    written("over the last: a .$format", 0, $format eq 'html' ? 'report' : qw(plot --figure headline),
        'study.json', '-o', "all.$format");
    rename "$folder/all.$format", "$folder/all" or die;
}
rename "$folder/all", "$folder/misfit.html" or die;
written('over the last: a fit', 3, qw(fit misfit.yaml));
spew("$folder/all", slurp("$folder/misfit.json"));
written('over a fit', 0, qw(simulate scene.yaml --trace all));
spew("$folder/study-$_", slurp("$folder/all")) for qw(compare.json compare.html validate.html);
written('over the last: a comparison', 0, qw(compare study.yaml --laws linear));
written('over the last: a validation', 0, qw(validate study.json study.yaml));

# Links: the file that one leads to is written, also where it is not there yet; the link stays.
mkdir "$folder/links";
symlink '../pages/far.csv', "$folder/links/near.csv" or die;
symlink "links/near.csv", "$folder/nearer.csv" or die;
for my $when ('to nothing', 'to a file of ours') {
    written("a link $when", 0, qw(simulate scene.yaml --trace nearer.csv));
    ok(-l "$folder/nearer.csv" && -l "$folder/links/near.csv", 'stays one');
    like(slurp("$folder/pages/far.csv"), qr/^time_s,/m, 'what it leads to is written');
}
symlink 'nowhere/x.csv', "$folder/lost.csv" or die;
refused('a link to no folder', 'lost.csv: cannot be written: there is no folder nowhere',
    qw(simulate scene.yaml --trace lost.csv));
symlink 'round.csv', "$folder/round.csv" or die;
refused('a link to itself', 'round.csv: cannot be written: Too many levels of symbolic links',
    qw(simulate scene.yaml --trace round.csv));
refused('two names of one that is not there yet', 'two.csv: is written by this command already: another name is wanted',
    qw(simulate scene.yaml --trace one.csv --events two.csv))
    if symlink('one.csv', "$folder/two.csv");
unlink map { "$folder/$_" } qw(lost.csv round.csv two.csv);

# Two figures of one name.
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

# Temporary files are where TMPDIR says.
{
    local $ENV{TMPDIR} = "$folder/none";
    ($exit, $out, $err) = run(qw(plot study.json --figure headline));
}
is("$exit: $err", "1: contactfit plot: no temporary file for a figure in $folder/none: No such file or directory\n",
    'TMPDIR is no folder: the reason');

# A signal ends a program of others with the one that waits for it, and nothing is left; nor are there
# files with names that one could leave that is killed.
mkdir "$folder/slow";
mkdir "$folder/slow/tmp";
for my $case (['gnuplot', [], 'report', "$folder/study.json", '-o', "$folder/slow"],
    ['lmp', [qr{/contactfit-\w+\z}], 'export', "$folder/study.json", qw(--to lammps --verify)]) {
    my ($name, $names, @arguments) = @$case;
    spew("$folder/slow/$name", "#!/bin/sh\necho \$\$ >$folder/other.pid\nexec sleep 100\n");
    chmod 0755, "$folder/slow/$name";
    my $pid = fork // die;
    if (!$pid) {
        $ENV{PATH} = "$folder/slow:$ENV{PATH}";
        $ENV{TMPDIR} = "$folder/slow/tmp";
        open STDERR, '>', '/dev/null' or die;
        exec $program, @arguments or die;
    }
    my $waited = 0;
    select undef, undef, undef, 0.01 while !-s "$folder/other.pid" && $waited++ < 3000;
    my ($child) = slurp("$folder/other.pid") =~ /(\d+)/;
    my @there = glob "$folder/slow/tmp/*";
    ok(@there == @$names && !grep({ $there[$_] !~ $names->[$_] } 0 .. $#there), "$name: its temporary files")
        or diag("@there");
    kill TERM => $pid;
    my $begun = time;
    waitpid $pid, 0;
    is($? & 127, 15, "a signal ends the wait for $name");
    cmp_ok(time - $begun, '<', 10, 'at once');
    $waited = 0;
    select undef, undef, undef, 0.01 while kill(0 => $child) && $waited++ < 500;
    is(kill(0 => $child), 0, "and $name with it");
    is_deeply([grep { -e } glob "$folder/slow/.contactfit.* $folder/slow/*.html $folder/slow/tmp/* $folder/slow/tmp/.c*"],
        [], 'and nothing is left');
    unlink "$folder/other.pid";
}

# What could move a terminal's cursor or turn its writing never leaves as it is.
my $nasty = "note\x{e2}\x{80}\x{ae}d";
mkdir "$folder/$nasty" or die;
spew("$folder/$nasty/$_", $good{$_}) for keys %good;
spew("$folder/$nasty/study$nasty.yaml", $good{'study.yaml'});
(my $table = $good{'table.csv'}) =~ s/^#/# remark \x{e2}\x{80}\x{ae}/m;
spew("$folder/$nasty/table.csv", $table);
my $unsafe = qr/[\x00-\x08\x0b-\x1f\x7f]|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]/;
for my $arguments (['fit', "$nasty/study$nasty.yaml"], ['report', "$nasty/study$nasty.json"],
    ['simulate', "$nasty/scene.yaml", '--trace', "$nasty/t.csv"], ['check', "$nasty/nothing.yaml"],
    ['predict', "$nasty/study$nasty.json", '--speed', '1'], ["no$nasty"],
    ['export', "$nasty/study$nasty.json", '--to', 'csv'],
    ['plot', "$nasty/study$nasty.json", '--figure', $nasty]) {
    my ($end, @text) = run(@$arguments);
    unlike("@text", $unsafe, "$arguments->[0]: a terminal is safe from names of files");
    unlike("@text", qr/no\n/, 'and lines are whole');
}
for my $control ("no\e[2Jte", "note\n") {
    my ($end, @text) = run('check', "$control.yaml");
    unlike("@text", $unsafe, 'nor does a name with control characters reach it');
    like("@text", qr/rename the file/, 'which is refused');
}
ok(-s "$folder/$nasty/study$nasty.json", 'a fit of such a study');
for my $ending (qw(json html)) {
    my $made = slurp("$folder/$nasty/study$nasty.$ending");
    unlike($made, $unsafe, "its .$ending is safe");
    like($made, qr/remark/, 'and has the remark of the table, without such characters');
}
(my $titled = $good{'study.yaml'}) =~ s/^title:.*$/title: "drop \x{e2}\x{80}\x{ae}red"/m;
spew("$folder/titled.yaml", $titled);
($exit, $out, $err) = run(qw(check titled.yaml));
like($err, qr/titled\.yaml:\d+:\d+: a character that turns the writing direction/,
    'a title that turns the writing is refused');
done_testing();
