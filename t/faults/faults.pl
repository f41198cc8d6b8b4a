#!/usr/bin/perl
# faults.pl OBJECT full|sample [COMMAND...]: what becomes of results when the machine refuses.
#
# Of each command below the first allocations and then every 97th, and each write, open, rename,
# fsync and close, are refused in turn, one a run (OBJECT is refuse.c, to be preloaded); memory is
# limited as a whole; and processes are killed at any time. Each run must end like one that nothing
# disturbed, or be refused with a message, with every file whole or as it was. `sample` does the
# same at fewer places. JOBS runs at a time.

use strict;
use warnings;
use Cwd qw(abs_path);
use Digest::SHA qw(sha1_hex);
use File::Path qw(make_path remove_tree);
use File::Temp qw(tempdir);
use FindBin;
use List::Util qw(sum0);
use Time::HiRes qw(sleep time);
use lib "$FindBin::Bin/../lib";
use Program;

my ($object, $extent, @only) = @ARGV;
$object = abs_path($object) or die "faults.pl: the object to preload is missing\n";
my $full = ($extent // '') eq 'full';
my $jobs = $ENV{JOBS} || 2;
my $longest_s = 120;
my $scratch = tempdir(CLEANUP => 1);
$srcdir = abs_path($srcdir);
$ENV{OMP_NUM_THREADS} = 1;    # so that calls come in the same order in each run

# OUT is a folder of the run's own.
my $croquet = "$srcdir/fits/croquet_ball_on_wood";
my %command = (
    check => ['check', "$croquet.yaml"],
    fit => ['fit', "$croquet.yaml", '-o', 'OUT'],
    report => ['report', "$croquet.json", '-o', 'OUT'],
    simulate => ['simulate', "$srcdir/scenes/presliding_recorded.yaml", '--trace', 'OUT/trace.csv',
        '--events', 'OUT/events.csv'],
    export => ['export', "$croquet.json", '--to', 'mujoco', '--untrusted', '-o', 'OUT/ball.xml'],
    predict => ['predict', "$croquet.json", '--speed', '2'],
);
my $large = ['simulate', "$srcdir/scenes/af14_steel_66g.yaml", '--trace', 'OUT/trace.csv',
    '--every', '20us'];

# A run in OUT: exit status, signal, what it printed, and the hash of each file.
sub run
{
    my ($arguments, $out, $environment, $limit_kb) = @_;
    make_path($out);
    my @command = ($program, map { s/OUT/$out/r } @$arguments);
    @command = ('sh', '-c', "ulimit -v $limit_kb; exec \"\$@\"", 'sh', @command) if $limit_kb;
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        open STDIN, '<', '/dev/null' or die;
        open STDOUT, '>', "$out.out" or die;
        open STDERR, '>', "$out.err" or die;
        @ENV{keys %$environment} = values %$environment;
        alarm $longest_s;
        exec @command or die "$program: $!\n";
    }
    waitpid $pid, 0;
    my %run = (signal => $? & 127, exit => $? >> 8, err => slurp("$out.err"));
    $run{out} = slurp("$out.out") =~ s/\Q$out\E/OUT/gr;
    for my $path (glob "$out/* $out/.[!.]*") {
        my $name = $path =~ s{.*/}{}r;
        $run{file}{$name} = sha1_hex(slurp($path) =~ s/\Q$out\E/OUT/gr);
    }
    return \%run;
}

sub fresh
{
    my ($name) = @_;
    remove_tree("$scratch/$name");
    return "$scratch/$name";
}

sub same_files
{
    my ($run, $good) = @_;
    my %name = map { $_ => 1 } keys %{$run->{file} // {}}, keys %{$good->{file} // {}};
    return !grep { ($run->{file}{$_} // '') ne ($good->{file}{$_} // '') } keys %name;
}

# What a run comes to, beside those that nothing disturbed: of them the second, if any, is what the
# program falls back to, and says so.
sub judge
{
    my ($run, $good, $fallback) = @_;
    my @spoiled = grep { ($run->{file}{$_} // '') ne ($good->{file}{$_} // '') }
        sort keys %{$run->{file} // {}};

    return "crash by signal $run->{signal}" if $run->{signal};
    for my $like (grep { defined } $good, $fallback) {
        my $told = $like == $good || $run->{err} =~ /without figures/;
        return $like == $good ? 'same' : 'told'
            if $run->{exit} == $like->{exit} && $run->{out} eq $like->{out} && $told
            && same_files($run, $like);
    }
    return "spoiled: @spoiled" if @spoiled;
    return 'refused' if $run->{exit} == 1 && $run->{err} =~ /\S/;
    return "exit $run->{exit} where all is not as it should be";
}

# Do each of the jobs, several at a time; returns the tally of what they come to.
my @bad;
sub tally
{
    my ($work, @at) = @_;
    my %tally;
    my @pipe;
    for my $j (0 .. $jobs - 1) {
        my @mine = @at[grep { $_ % $jobs == $j } 0 .. $#at] or next;
        open my $pipe, '-|' // die or do {
            print "$_\t", $work->($_, $j), "\n" for @mine;
            require POSIX;
            $| = 1;
            close STDOUT;
            POSIX::_exit(0);
        };
        push @pipe, $pipe;
    }
    for my $pipe (@pipe) {
        while (my $line = <$pipe>) {
            chomp $line;
            my ($at, $what) = split /\t/, $line, 2;
            $tally{$what}++;
            push @bad, "$at: $what" unless $what =~ /^(?:same|told|refused)$/;
        }
        close $pipe;
    }
    return \%tally;
}

sub shown
{
    my ($tally) = @_;
    return join(', ', map { "$tally->{$_} $_" } sort keys %$tally) || 'none';
}

# Of n calls those to refuse.
sub chosen
{
    my ($kind, $n, $name) = @_;
    my ($first, $step) = $kind eq 'memory' ? ($full ? (200, 97) : (15, int($n / 40) + 1))
        : $full || $name ne 'fit' ? ($n, 1) : (0, 4);
    return grep { $_ <= $first || ($_ - $first) % $step == 0 } 1 .. $n;
}

sub refuse_calls
{
    my ($name) = @_;
    my $good = run($command{$name}, fresh('good'), {});
    my $fallback = run($command{$name}, fresh('without'), {PATH => '/nowhere'});
    my $counted = run($command{$name}, fresh('counted'),
        {LD_PRELOAD => $object, FAULTS => 'count', FAULTS_LOG => "$scratch/log"});
    judge($counted, $good) eq 'same' or die "faults.pl: $name: no two runs are the same\n";
    my %n = map { split ' ' } split /\n/, slurp("$scratch/log");
    for my $kind (qw(memory open write rename fsync close)) {
        my @at = chosen($kind, $n{$kind}, $name) or next;
        my $tally = tally(sub {
            my ($at, $worker) = @_;
            my (undef, undef, $i) = split / /, $at;
            my $run = run($command{$name}, fresh("run$worker"),
                {LD_PRELOAD => $object, FAULTS => "$kind:$i"});
            return judge($run, $good, $fallback);
        }, map { "$name $kind $_" } @at);
        printf "%-9s %6d of %s: %s\n", $name, scalar @at, "$n{$kind} $kind calls", shown($tally);
    }
}

sub limit_memory
{
    my ($name, $arguments) = @_;
    my $good = run($arguments, fresh('good'), {});
    my $fallback = run($arguments, fresh('without'), {PATH => '/nowhere'});
    my $tally = tally(sub {
        my ($at, $worker) = @_;
        my ($mb) = $at =~ /(\d+) MB/;
        return judge(run($arguments, fresh("run$worker"), {}, 1000 * $mb), $good, $fallback);
    }, map { "$name in $_ MB" } $full ? (20, 40, 60, 80, 100, 150) : (20, 60));
    printf "%-9s in little memory: %s\n", $name, shown($tally);
}

# Killed at a time within the run; files are as they were before or whole. Asked to end, the program
# leaves nothing else; what one that was killed leaves goes with the next run.
sub kill_runs
{
    my ($name, $count) = @_;
    my $begun = time;
    my $good = run($command{$name}, fresh('good'), {});
    my $length_s = time - $begun;
    srand 1;
    my %at = map { ("$name killed $_" => rand $length_s) } 1 .. $count;
    my $tally = tally(sub {
        my ($at, $worker) = @_;
        my $out = "$scratch/killed$worker";
        make_path($out);
        my $pid = fork // die "fork: $!\n";
        if (!$pid) {
            setpgrp;
            open STDIN, '<', '/dev/null' or die;
            open STDOUT, '>', '/dev/null' or die;
            open STDERR, '>', '/dev/null' or die;
            my @arguments = map { s/OUT/$out/r } @{$command{$name}};
            exec $program, @arguments or die;
        }
        my $before = () = glob "$out/.contactfit*";
        sleep $at{$at};
        my $signal = $at =~ /[02468]$/ ? 'TERM' : 'KILL';
        kill $signal => $pid;
        waitpid $pid, 0;
        kill KILL => -$pid if $signal eq 'KILL';    # gnuplot
        my @left = glob "$out/.contactfit*";
        return 'left over after SIGTERM' if $signal eq 'TERM' && @left > $before;
        for my $path (glob "$out/*") {
            my $file = $path =~ s{.*/}{}r;
            return "half of $file"
                if sha1_hex(slurp($path) =~ s/\Q$out\E/OUT/gr) ne $good->{file}{$file};
        }
        return 'refused';
    }, sort keys %at);
    my $left = 0;
    for my $worker (0 .. $jobs - 1) {
        my $out = "$scratch/killed$worker";
        -d $out or next;
        my $last = run($command{$name}, $out, {});
        my @over = grep { /^\.contactfit/ } keys %{$last->{file} // {}};
        push @bad, "$name: left over after the next run: @over" if @over;
        push @bad, "$name: the run after those that were killed is not whole"
            unless judge($last, $good) eq 'same';
        remove_tree($out);
    }
    printf "%-9s killed %d times: %s\n", $name, $count,
        shown({map { ($_ eq 'refused' ? 'with whole files' : $_) => $tally->{$_} } keys %$tally});
}

$| = 1;
my @names = @only ? @only : qw(check fit report simulate export predict);
refuse_calls($_) for @names;
limit_memory($_, $command{$_}) for @names;
limit_memory('large', $large) unless @only;
my @writers = grep { !/check|predict/ } @names;
kill_runs($_, ($full ? 1000 : 60) / @writers) for @writers;
print "$_\n" for @bad;
print @bad ? scalar(@bad) . " runs were not as they should be\n" : "no fault did harm\n";
exit(@bad ? 1 : 0);
