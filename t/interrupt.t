#!/usr/bin/perl
# Ctrl-C, and the signals that a session or a batch system ends a job with: the command ends within
# a moment, by that signal. A fit writes what it has found, and says so; after a second signal, as
# every other command after the first, it writes nothing. A fit whose time is over ends like this, too.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Program qw(:DEFAULT is_refused);
use Synthetic qw(normal);
use Test::More;
use Time::HiRes qw(sleep time);

my $dir = tempdir(CLEANUP => 1);
my $croquet = "$srcdir/fits/croquet_ball_on_wood.yaml";

draw_no_figures();

# Exit status, stderr, and the seconds it took to end after the signals, which come a tenth of a
# second after each other; the job was in its work when they came: each of these takes minutes.
sub interrupted
{
    my ($signals, @arguments) = @_;
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        $SIG{$_} = 'DEFAULT' for qw(INT TERM HUP); # a background job may ignore them
        open STDIN, '<', '/dev/null' or die;
        open STDOUT, '>', "$dir/out" or die;
        open STDERR, '>', "$dir/err" or die;
        exec $program, @arguments or die "$program: $!\n";
    }
    sleep 0.9;
    for my $signal (split / /, $signals) {
        sleep 0.1;
        kill $signal, $pid;
    }
    my $begun = time;
    waitpid $pid, 0;
    return ($? & 127 ? 'signal ' . ($? & 127) : $? >> 8, slurp("$dir/err"), time - $begun);
}

my %number = (INT => 2, TERM => 15, HUP => 1);
my @case = (
    ['the self-test of a design', 'INT', 'selftest', $croquet, '-n', 100000],
    ['on two threads',  'HUP',  'selftest', $croquet, '-n', 100000, '-j', 2],
    ['on one, quietly', 'TERM', 'selftest', $croquet, '-n', 100000, '-j', 1, '-q'],
);
for my $case (@case) {
    my ($name, $signal, @arguments) = @$case;
    my ($status, $err, $s) = interrupted($signal, @arguments);
    is($status, "signal $number{$signal}", "$name: ended by SIG$signal");
    is($err, "contactfit: interrupted: nothing was written\n", "$name: said");
    is(slurp("$dir/out"), '', "$name: nothing on stdout");
    cmp_ok($s, '<', 10, "$name: without finishing its work");
}
is(join(' ', glob "$dir/*"), "$dir/err $dir/out", 'no file is left');

my $first = qr/^contactfit: interrupted: what was found is written; a second signal ends it at once, and writes nothing$/m;

# ---- a fit whose intervals by drawing are left

for my $case (['posterior', 'INT', '--posterior=20000'], ['bootstrap', 'TERM', '--bootstrap', 999999]) {
    my ($name, $signal, @options) = @$case;
    my ($status, $err, $s) = interrupted($signal, 'fit', $croquet, @options, '-o', $dir);
    is($status, "signal $number{$signal}", "a $name: ended by SIG$signal");
    like($err, $first, "a $name: said at once");
    like($err, qr/^wrote .*croquet_ball_on_wood\.json/m, "a $name: what was found is written");
    my $fit = decode_json(slurp("$dir/croquet_ball_on_wood.json"));
    is($fit->{verdict}{status}, 'misfit', "a $name: the fit before it is whole,");
    my $left = $fit->{$name};
    $left = $left->{rows} // $left if ref $left eq 'HASH';
    $left = $left->[0] if ref $left eq 'ARRAY';
    is($left->{why}, 'it was interrupted', "a $name: which alone is left");
    unlink glob "$dir/croquet*";
}

# ---- a search that takes minutes: two records of a bristle of 3 parameters, from its closed form

# Dahl's: over a stroke the force goes to its level as an exponential of the way.
sub slow
{
    my ($name, @options) = @_;
    my ($z, $before, $text) = (0, 0, "t_s,x_m,f_N\n");
    for my $i (0 .. 8000) {
        my $x = 1e-4 * (1 - cos(3.14159265358979 * $i / 400));
        my $end = ($x <=> $before) * 2e-5;
        $z = $end + ($z - $end) * exp(-5e4 * abs($x - $before));
        $before = $x;
        $text .= sprintf "%.4f,%.10f,%.6f\n", $i / 400, $x, 1e5 * $z + 0.01 * normal();
    }
    spew("$dir/$name.csv", $text);
    spew("$dir/$name.yaml", <<"END");
contactfit: study/1
friction: bristle
fit: {mu_s: {}, sigma_0: {}, sigma_1: {}}
tie: {mu_c: mu_s}
fixed: {sigma_2: 0 s/m, v_s: 1 mm/s, tau_dw: 0.1 s}
rivals: [dahl]
@options
data:
  - name: loops
    protocol: ramp
    file: $name.csv
    columns: {time: t_s, displacement: x_m, force: {from: f_N, sigma: 10 mN}}
    apparatus: {load: 10 N}
END
    return "$dir/$name.yaml";
}

# What is said of a fit that ended in its search.
sub is_unfinished
{
    my ($name, $file, $how) = @_;
    my $fit = decode_json(slurp($file));
    my $verdict = $fit->{verdict};
    my @reason = @{$verdict->{reasons}};
    is("$verdict->{status} $verdict->{trusted} " . @reason, 'failed 0 1', "$name: failed, for one reason:");
    is("@{$reason[0]}{qw(rule word accuses unit)}", 'unfinished failed search starts', "$name: it is unfinished");
    like($reason[0]{text}, qr/^$how in the search for the optimum, step 1 of 7: this is where the best of \d+ starts? had come, of 24 at most$/, "$name: and how far it came");
    for my $p (values %{$fit->{parameters}}) {
        next if $p->{role} ne 'fitted';
        ok($p->{value} == $p->{value} && $p->{verdict} ne 'fine', "$name: a number that is not fine");
    }
    is($fit->{solver_bias}, undef, "$name: what was not looked at is not told");
    return $fit;
}

my $study = slow('slow');
{
    my ($status, $err, $s) = interrupted('INT', 'fit', $study, '-o', $dir);
    is($status, 'signal 2', 'a search: ended by SIGINT');
    like($err, $first, 'a search: said at once');
    is_unfinished('a search', "$dir/slow.json", 'interrupted');
    like(slurp("$dir/out"), qr/^next: contactfit fit \S*slow\.yaml$/m, 'a search: the summary is there, and what comes next');
    cmp_ok($s, '<', 10, 'a search: soon');
    like(slurp("$dir/slow.html"), qr/not compared: the fit was ended before/, 'a search: so is the page');
    unlink "$dir/slow.json", "$dir/slow.html";
}
{
    my ($status, $err) = interrupted('INT INT', 'fit', $study, '-o', $dir);
    is($status, 'signal 2', 'a second signal: ended by it');
    like($err, qr/\ncontactfit: interrupted: nothing was written\n\z/, 'a second signal: said');
    is(slurp("$dir/out"), '', 'a second signal: nothing on stdout');
    ok(!-e "$dir/slow.json" && !-e "$dir/slow.html", 'a second signal: nothing is written');
}

# ---- a budget of time

{
    my $begun = time;
    my ($status, $out, $err) = contactfit('fit', '-q', $study, '-o', $dir, '--time', '1 s');
    is("$status$err", '3', 'a time that is over: exit 3');
    cmp_ok(time - $begun, '<', 10, 'a time that is over: soon');
    my $fit = is_unfinished('a time that is over', "$dir/slow.json", qr/ended after 1 s \(options: time\)/);
    like($out, qr/^next: contactfit fit \S*slow\.yaml --time 2s$/m, 'a time that is over: twice as much is next');
    is($fit->{study}{options}{time_s}, 1, 'a time that is over: it stands in the fit file');
    like($fit->{command}, qr/ --time 1s$/, 'a time that is over: and in the command');
    ($status, $out, $err) = contactfit('fit', '-q', slow('stated', 'options: {time: 900 ms}'), '-o', $dir);
    is("$status$err", '3', 'a time of the study: exit 3');
    is_unfinished('a time of the study', "$dir/stated.json", qr/ended after 0\.9 s \(options: time\)/);
}
{
    unlink glob "$dir/slow.[jh]*";
    my ($status, $out, $err) = contactfit('fit', '-q', $study, '-o', $dir, '--time', '1 us');
    is("$status$out", '1', 'no time at all: exit 1');
    like($err, qr/ended before any point was evaluated: nothing was found, and nothing is written$/, 'no time at all: said');
    ok(!-e "$dir/slow.json", 'no time at all: no file');
}
{
    my ($status, $out) = contactfit('fit', '-q', $croquet, '-o', $dir, '--time', '1 h');
    my $with = slurp("$dir/croquet_ball_on_wood.json");
    contactfit('fit', '-q', $croquet, '-o', $dir);
    my $without = slurp("$dir/croquet_ball_on_wood.json");
    $with =~ s/ --time 3600s//;
    $with =~ s/,\s*"time_s": 3600\.0//;
    ok($with eq $without, 'time enough: the same to the last bit');
}
is_refused('fit', 2, '--time: 0 s: must be above 0', $croquet, '--time', '0 s');

done_testing();
