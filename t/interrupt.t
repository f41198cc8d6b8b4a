#!/usr/bin/perl
# Ctrl-C, and the signals that a session or a batch system ends a job with: the command ends within
# a moment, by that signal, writes nothing and says so.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Program;
use Test::More;
use Time::HiRes qw(sleep time);

my $dir = tempdir(CLEANUP => 1);
my $croquet = "$srcdir/fits/croquet_ball_on_wood.yaml";

# Exit status, stderr, and the seconds it took to end after the signal; the job was in its work when
# it came: each of these takes minutes.
sub interrupted
{
    my ($signal, @arguments) = @_;
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        $SIG{$_} = 'DEFAULT' for qw(INT TERM HUP); # a background job may ignore them
        open STDIN, '<', '/dev/null' or die;
        open STDOUT, '>', "$dir/out" or die;
        open STDERR, '>', "$dir/err" or die;
        exec $program, @arguments or die "$program: $!\n";
    }
    sleep 1;
    kill $signal, $pid;
    my $begun = time;
    waitpid $pid, 0;
    return ($? & 127 ? 'signal ' . ($? & 127) : $? >> 8, slurp("$dir/err"), time - $begun);
}

my %number = (INT => 2, TERM => 15, HUP => 1);
my @case = (
    ['the self-test of a design', 'INT', 'selftest', $croquet, '-n', 100000],
    ['a posterior',     'INT',  'fit', $croquet, '--posterior=20000', '-o', $dir],
    ['a bootstrap',     'TERM', 'fit', $croquet, '--bootstrap', 99999, '--posterior=20000', '-o', $dir],
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

done_testing();
