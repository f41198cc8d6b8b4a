#!/usr/bin/perl
# What commands show fits where it is shown: no line is wider than the terminal, in help, lists,
# results and messages; colours are for terminals only.

use strict;
use warnings;
use lib ($ENV{srcdir} // '.') . '/t/lib';
use File::Temp qw(tempdir);
use Program;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my $study = "$srcdir/fits/croquet_ball_on_wood.yaml";
my ($json, $example) = ("$dir/croquet_ball_on_wood.json", "$srcdir/scenes/af14_steel_66g.yaml");
my $lines = 0;
my %said; # by commands at 80 columns

# Characters, not bytes; a word that is wider than a line stands alone: a path, here.
sub fits
{
    my ($width, @arguments) = @_;
    my (undef, $out, $err) = contactfit({columns => $width}, @arguments);
    $said{"@arguments"} = $out if $width == 80;
    for ($out, $err) {
        utf8::decode($_);
        my @wide = grep { length > $width && !/^ *\S+$/ } split /\n/;
        $lines += split /\n/;
        is(join("\n", @wide), '', "$width columns: @arguments");
        unlike($_, qr/[ \t]$/m, "no trailing blanks: @arguments");
    }
}

my @commands = (contactfit('--help'))[1] =~ /^  ([a-z]\S*) /mg;
my @laws = (contactfit('models'))[1] =~ /^  ([a-z]\S*) /mg;
my @targets = (contactfit('export', '--list'))[1] =~ /^([a-z]\S*) /mg;
cmp_ok(scalar @commands, '>', 14, 'commands are there');
cmp_ok(scalar @laws, '>', 50, 'laws are there');
cmp_ok(scalar @targets, '>', 25, 'targets are there');
fits(80, 'fit', $study, '-o', $dir);
for my $width (80, 60) {
    fits($width, 'help');
    fits($width, $_, '--help') for @commands;
    fits($width, 'models');
    fits($width, 'models', '--units') if $width == 80;    # a table of numbers
    fits($width, 'plot', '--list');
    fits($width, 'export', '--list');
}
fits(80, 'models', $_) for @laws;
fits(80, 'export', '--list', '--to', $_) for @targets;
fits(80, 'check', $study);
fits(80, 'compare', $study, '-o', $dir);
fits(80, 'design', $study);
fits(80, 'selftest', $study, '-n', 3);
fits(80, 'validate', $json, $study, '-o', $dir);
fits(80, 'simulate', $example);
fits(80, 'export', '--untrusted', '--to', 'mujoco', $json, '-o', "$dir/pair.xml");
fits(80, 'export', '--to', 'mujoco', $json, '-o', "$dir/other.xml");
fits(80, 'predict', $json, '--speed', '0.01:100:3', '-q');
fits(80, 'onsets', "$srcdir/data/synthetic_bounce_recording.flac");
fits(80, 'init', "$srcdir/data/impact_croquet_ball_on_wood_gugan2002.csv", '-o', "$dir/new.yaml");
fits(80, 'fitt');
fits(80, 'fit', 'nowhere.yaml', '--bootstrapp');
cmp_ok($lines, '>', 1500, "lines: $lines");

# The last two lines are the verdict and a command that can be run as it stands.
for my $case (
    ['misfit, not to be trusted (exit status 3)', 'fit', $study, '-o', $dir],
    ['power is the best of \d+ different curves by AICc and describes the data, as 3 of the others do\.',
     'compare', $study, '-o', $dir],
    ['these data can identify azad-featherstone', 'check', $study],
    ['add 3 x duration at \S+ m/s .*', 'design', $study],
    ['on this design the intervals hold: .* promised', 'selftest', $study, '-n', 3],
    ['the new data disagree with the fit (exit status 3)', 'validate', $json, $study, '-o', $dir],
    ['the energy balance closes: residual \S+ of what the \w+ energy of ball had at most, \S+ is allowed; drift \S+ of what took part, 0.005 is allowed', 'simulate', $example])
{
    my ($verdict, @arguments) = @$case;
    my $out = $said{"@arguments"} =~ s/\n +/ /gr;
    $verdict =~ s/\((exit.*?)\)/\\($1\\)/;
    like($out, qr/\n\nverdict: $verdict\nnext: contactfit \S.*\n\z/, "$arguments[0]: verdict and next step");
    my ($next) = $out =~ /^next: (.*)/m;
    my ($command) = $next =~ /^contactfit (\S+)/;
    my $taken = `$program $command --help 2>&1`;
    is($?, 0, "$arguments[0]: $next");
}
# Names that a shell would take apart are quoted.
{
    my $odd = "$dir/it's a study.yaml";
    my $text = slurp($study);
    $text =~ s{\.\./data/}{$srcdir/data/}g;
    spew($odd, $text);
    my (undef, $out) = contactfit('check', $odd);
    my ($next) = $out =~ /^next: contactfit (fit .*)/m;
    chdir $dir;
    is(system("'$program' $next >out.txt 2>&1") >> 8, 3, 'the command runs');
    ok(-e "$dir/it's a study.json", 'and fits the study');
    chdir '/';
}

# A pipe gets 80 columns, and each message on a line of its own.
{
    my (undef, $out) = contactfit({columns => 0}, 'models');
    is((contactfit({columns => 80}, 'models'))[1], $out, 'a pipe has 80 columns');
    isnt((contactfit({columns => 120}, 'models'))[1], $out, 'COLUMNS says otherwise');
    is((contactfit({columns => 5}, 'models'))[1], (contactfit({columns => 20}, 'models'))[1], 'at least 20');
    my ($status, undef, $err) = contactfit({columns => 0}, 'restitution', 'hunt-crossley');
    is(($err =~ tr/\n//), 1, 'a message in a pipe is one line');
    unlike((contactfit({columns => 0}, 'check', $study))[1], qr/\033/, 'no colour in a pipe');
}

# "-" is standard input and standard output.
{
    chdir "$srcdir/fits";
    my ($status, $out) = contactfit({input => $study}, 'fit', '-', '-o', $dir, '-q');
    is($status, 3, 'a study from standard input');
    like($out, qr/^next: contactfit fit - --law power$/m, 'is named so');
    ok(-e "$dir/stdin.json", 'what is written of it is called stdin');
    my (undef, $file) = contactfit('export', '--untrusted', '--to', 'urdf', $json);
    my (undef, $piped) = contactfit({input => $json}, 'export', '--untrusted', '--to', 'urdf', '-', '-o', '-', '-q');
    s/^<!--.*\n//mg for $piped, $file;
    is($piped, $file, 'export from and to a pipe');
    ($status, $out) = contactfit('report', $json, '-o', '-', '-q');
    like($out, qr/\A<!DOCTYPE html>.*<\/html>\n<!-- Written by contactfit -->\n\z/si, 'report to a pipe: the whole page');
    ($status, $out, my $err) = contactfit('simulate', $example, '--trace', '-', '-q');
    like($out, qr/\A#.*\n(#.*\n)*time_s,/, 'simulate --trace -: the table');
    unlike($out, qr/verdict/, 'and nothing else');
    like($err, qr/^verdict: the energy balance closes/m, 'the summary goes to standard error');
    ($status, $out, $err) = contactfit('simulate', $example, '--trace', '-', '--json');
    is("$status$out$err", "2contactfit simulate: --trace - and --json both write to standard output: name a file\n",
       'two things on standard output are refused');
    ($status, $out, $err) = contactfit('simulate', $example, '--trace', '-', '--events', '-');
    is("$status$out$err", "1contactfit simulate: -: is written by this command already: another name is wanted\n",
       'and two tables');
    ok(!-e '-', 'no file is called -');
    chdir '/';
}

# A reader who has seen enough is no failure: as many ways to write as there are.
for my $arguments ('models', 'models --json', 'models --units', 'help', 'fit --help', "export --to json --untrusted '$json'",
    "restitution e-constant -p e=0.8 --speed 1:2:9999", "report '$json' -o - -q", "fit '$study' --json -q -o '$dir'")
{
    pipe my $reader, my $writer or die;
    my $pid = fork // die;
    if (!$pid) {
        close $reader;
        open STDOUT, '>&', $writer or die;
        open STDERR, '>', "$dir/err.txt" or die;
        $SIG{PIPE} = 'DEFAULT';
        exec 'sh', '-c', "exec '$program' $arguments" or die;
    }
    close $writer;
    close $reader;
    waitpid $pid, 0;
    my $good = $arguments =~ /^(?:fit '|export)/ ? qr/^[03]$/ : qr/^0$/;
    like($? & 127 ? "signal" : $? >> 8, $good, "a closed pipe: $arguments");
    unlike(slurp("$dir/err.txt"), qr/written|pipe/i, 'not a word of it');
}

# A terminal of 50 columns; script(1) makes one.
SKIP: {
    skip 'script(1) is not there', 10 if system('script -qec true /dev/null >/dev/null 2>&1') != 0;
    my $shown = sub {
        my ($set, @arguments) = @_;
        delete local @ENV{qw(COLUMNS NO_COLOR)};
        local @ENV{keys %$set} = values %$set;
        my $text = `script -qec "stty cols 50; '$program' @arguments" /dev/null </dev/null`;
        $text =~ s/\r//g;
        return $text;
    };
    my $text = $shown->({TERM => 'xterm'}, 'check', $study);
    like($text, qr/^\033\[1;32mverdict:\033\[0m these/m, 'colours on a terminal');
    like($text, qr/^\033\[1mnext:\033\[0m contactfit fit /m, 'and bold');
    (my $bare = $text) =~ s/\033\[[\d;]*m//g;
    is(join("\n", grep { length > 50 && !/^ *\S+$/ } split /\n/, $bare), '', 'folded at its width');
    cmp_ok((sort { $b <=> $a } map { length } split /\n/, $bare)[0], '>', 40, 'and not before');
    is($shown->({TERM => 'dumb'}, 'check', $study), $bare, 'none on a dumb one');
    is($shown->({TERM => 'xterm', NO_COLOR => 1}, 'check', $study), $bare, 'nor with NO_COLOR');
    my $wide = $shown->({TERM => 'xterm', COLUMNS => 70, NO_COLOR => 1}, 'check', $study);
    like($wide, qr/^.{51,70}$/m, 'COLUMNS before the width of the terminal');
    $text = $shown->({TERM => 'xterm'}, 'predict', $json, '--speed', 1);
    like($text, qr/not to be trusted/, 'predict: the verdict');
    $text = $shown->({TERM => 'xterm'}, 'export --untrusted --to urdf', $json, '-o', "$dir/a.urdf");
    like($text, qr/^\033\[1\S*mverdict:\033\[0m .*\n(.*\n)*?\033\[1mnext:\033\[0m contactfit export /m, 'export: verdict and next step');
    # what runs next is what was asked for
    $text = $shown->({TERM => 'xterm'}, 'export --untrusted --to ode --dt 20us --slowest 1m/s --fastest=2', $json, '-o', "$dir/a.h");
    like($text =~ s/ \\\r?\n */ /gr, qr/contactfit export --verify --to ode \S+ --untrusted --dt=20us --slowest=1m\/s --fastest=2\s/,
         'export: the next step has the options of this one');
}

done_testing;
