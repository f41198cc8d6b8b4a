#!/usr/bin/perl
# faults.pl OBJECT full|sample|around [COMMAND...]: what becomes of results when the machine refuses;
#   `around`: memory limits and kills alone.
# faults.pl OBJECT show COMMAND KIND:N: one of these runs, and where the refused call came from.
#
# Of each command below these are refused in turn, one a run (OBJECT is refuse.c, to be preloaded):
# the first 300 allocations, each of more than 4 kB, growths of what is there included, and of the
# others every n-th; each write, open, rename, fsync and close. Memory is limited as a whole; and
# processes are killed at any time. A run must end like one that nothing disturbed, or be refused
# with a message and a status and print nothing, with every file whole or as it was.
#
# `sample` does so of some commands at places drawn by FAULTS_SEED, which is printed, in FAULTS_S
# seconds, 60 unless it is set. JOBS runs at a time.

use strict;
use warnings;
use Cwd qw(abs_path);
use Digest::SHA qw(sha1_hex);
use File::Path qw(make_path remove_tree);
use File::Temp qw(tempdir);
use FindBin;
use IO::Handle;
use IPC::Open2;
use List::Util qw(min shuffle);
use Time::HiRes qw(sleep time);
use lib "$FindBin::Bin/../lib";
use Program;

my ($object, $extent, @only) = @ARGV;
$object = abs_path($object) or die "faults.pl: the object to preload is missing\n";
$extent //= 'full';
my $full = $extent ne 'sample';
my $jobs = $ENV{JOBS} || 2;
my $sample_s = $ENV{FAULTS_S} || 60;
my $seed = $ENV{FAULTS_SEED} // int rand 1e6;
my $longest_s = 300;
my $scratch = tempdir(CLEANUP => 1);
$srcdir = abs_path($srcdir);
$ENV{OMP_NUM_THREADS} = 1;    # so that calls come in the same order in each run
srand $seed;

# Of allocations, the first ones, and about so many of the small ones behind them.
my ($first, $others) = (300, 300);

# Commands that a sample draws: their runs that nothing disturbs take most of its time.
my $sampled = 12;

# A study of a few rows, so that its fit takes no longer than it must.
my $small = "$scratch/small";
spew("$scratch/small.csv", join "\n", 'v_m_s,e', map { join ',', @$_ }
    [0.5, 0.92], [1, 0.905], [1.5, 0.896], [2, 0.891], [2.5, 0.885], [3, 0.882], [4, 0.876], [5, 0.871]);
spew("$small.yaml", <<'END');
contactfit: study/1
title: A ball on a slab
bodies:
  ball: {sphere: {diameter: 40 mm}, mass: 50 g +- 0.2 g}
  slab: {plane: {}, fixed: true}
law: azad-featherstone
fixed: {k: 1e8 N/m^1.5}
fit: {lambda: {}}
needed: {restitution: 0.02}
rivals: [e-log]
data:
  - name: drops
    protocol: impact
    file: small.csv
    columns: {speed: v_m_s, restitution: {from: e, sigma: 0.004}}
END
{
    local $ENV{PATH} = '/nowhere';    # without figures
    my ($status, undef, $err) = contactfit('fit', "$small.yaml", '-o', $scratch);
    $status eq '0' || $status eq '3' or die "faults.pl: the small study is not fitted: $err";
}

# Balls that run apart from each other, some of which meet.
spew("$scratch/balls.yaml", <<'END');
contactfit: scene/1
gravity: 9.81 m/s^2
duration: 12 ms
bodies:
  ball: {count: 12, sphere: {radius: 5 mm}, mass: 1 g, inertia: solid, velocity: [0 m/s, 0 m/s, -0.2 m/s],
    lattice: {from: [0 m, 0 m, 6 mm], spacing: [10.4 mm, 11 mm, 11 mm], size: [3, 4, 1], jitter: 0.2 mm, seed: 3}}
  ground: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}
contacts:
  - {between: [ball*, ball*], normal: {law: hunt-crossley, k: 1e6, a: 0.2}, friction: {law: coulomb, mu: 0.3, v_e: 10 mm/s}}
  - {between: [ball*, ground], normal: {law: hunt-crossley, k: 1e6, a: 0.2}}
END

# Each runs in a folder of its own. Hand formulas and records are read by `check`; a fit beside it
# costs more and meets the same. [what it does, does it draw?]
my $fits = "$srcdir/fits";
my %command = (
    help => [['help', 'fit']],
    init => [['init', "$scratch/small.csv", '-o', 'study.yaml']],
    check => [['check', "$fits/croquet_ball_on_wood.yaml", '--json']],
    fit => [['fit', "$small.yaml", '-o', '.'], 1],
    compare => [['compare', "$small.yaml", '--laws', 'e-log', '-o', '.'], 1],
    predict => [['predict', "$small.json", '--speed', '2']],
    validate => [['validate', "$small.json", "$small.yaml", '-o', '.'], 1],
    design => [['design', "$small.yaml"]],
    selftest => [['selftest', "$small.yaml", '-n', '3', '--json']],
    report => [['report', "$small.json", '-o', '.'], 1],
    plot => [['plot', "$small.json", '--figure', 'residuals', '--format', 'svg,png', '-o', '.'], 1],
    scene => [['plot', "$srcdir/scenes/presliding_recorded.yaml", '-o', '.'], 1],
    figure => [['plot', "$srcdir/figures/g07_fig3_3.yaml", '-o', '.'], 1],
    export => [['export', "$small.json", '--to', 'chrono-json', '--untrusted', '-o', 'ball.json']],
    models => [['models', '--json']],
    restitution => [['restitution', 'azad-featherstone', '-p', 'k=1e8', '-p', 'lambda=1e7',
        '--mass', '0.1', '--speed', '1,2,3', '--json']],
    simulate => [['simulate', "$srcdir/scenes/presliding_recorded.yaml", '--trace', 'trace.csv',
        '--events', 'events.csv']],
    balls => [['simulate', "$scratch/balls.yaml", '--events', 'events.csv', '--json']],
    onsets => [['onsets', "$srcdir/data/synthetic_bounce_recording.flac", '--csv', 'onsets.csv']],
    examples => [['examples', 'presliding_recorded', '-o', '.']],
    schema => [['schema', 'study']],
    completion => [['completion', 'zsh']],
    (map { ("check-$_" => [['check', "$fits/$_.yaml"]]) }
        qw(alumina_on_glass alumina_on_glass_sliding golf_ball_bounces golf_ball_drop_rebound
           presliding_loops rock_gouge_step screw_drive synthetic_accommodation_tangential
           synthetic_bounce_recording synthetic_bowden_leben synthetic_force_accommodation
           synthetic_force_pulses synthetic_tap)),
);
my @large = ('simulate', "$srcdir/scenes/af14_steel_66g.yaml", '--trace', 'trace.csv',
    '--every', '20us');

# The data are read again for a budget, which says what it is without.
my $without = qr/it could only be moved|its contribution is not known/;

# A run in a folder: exit status, signal, what it printed, and the hash of each file.
sub looked_at
{
    my ($out, $status) = @_;
    my %run = (signal => $status & 127, exit => $status >> 8,
               out => slurp("$out.out"), err => slurp("$out.err"));
    for my $path (glob "$out/* $out/.[!.]*") {
        next if -d $path;
        my $text = slurp($path);
        $run{file}{$path =~ s{.*/}{}r} = sha1_hex($text);
        $run{without}++ if $text =~ $without;
    }
    $run{without}++ if $run{out} =~ $without;
    return \%run;
}

sub fresh
{
    my ($name) = @_;
    remove_tree("$scratch/$name");
    make_path("$scratch/$name");
    return "$scratch/$name";
}

# A run of a process of its own, which may be limited in memory.
sub run
{
    my ($arguments, $out, $limit_kb) = @_;
    my @command = ($program, @$arguments);
    @command = ('sh', '-c', "ulimit -v $limit_kb; exec \"\$@\"", 'sh', @command) if $limit_kb;
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        chdir $out or die;
        open STDIN, '<', '/dev/null' or die;
        open STDOUT, '>', "$out.out" or die;
        open STDERR, '>', "$out.err" or die;
        alarm $longest_s;
        exec @command or die "$program: $!\n";
    }
    waitpid $pid, 0;
    return looked_at($out, $?);
}

# A process that is the program, loaded, and forks runs: see refuse.c.
sub serve
{
    my ($arguments, %environment) = @_;
    local @ENV{qw(LD_PRELOAD LD_BIND_NOW)} = ($object, 1);
    local @ENV{keys %environment} = values %environment;
    my $pid = open2(my $from, my $to, $program, @$arguments);
    $to->autoflush;
    return {pid => $pid, from => $from, to => $to};
}

sub ask
{
    my ($server, $what, $out) = @_;
    print {$server->{to}} "$what $out\n";
    my $status = readline $server->{from};
    defined $status or die "faults.pl: no answer to $what\n";
    return looked_at($out, $status);
}

sub dismiss
{
    my ($server) = @_;
    close $server->{to};
    close $server->{from};
    waitpid $server->{pid}, 0;
    return;
}

sub same_files
{
    my ($run, $good) = @_;
    my %name = map { $_ => 1 } keys %{$run->{file} // {}}, keys %{$good->{file} // {}};
    return !grep { ($run->{file}{$_} // '') ne ($good->{file}{$_} // '') } keys %name;
}

# What a run comes to, beside those that nothing disturbed: of them the second, if any, is what the
# program falls back to, and says so. What is printed while it is made may be cut where a write
# fails (`cut`).
sub judge
{
    my ($run, $good, $fallback, $cut) = @_;
    my @spoiled = grep { ($run->{file}{$_} // '') ne ($good->{file}{$_} // '') }
        sort keys %{$run->{file} // {}};

    return "crash by signal $run->{signal}" if $run->{signal};
    for my $like (grep { defined } $good, $fallback) {
        my $told = $like == $good || $run->{err} =~ /without figures/;
        return $like == $good ? 'same' : 'told'
            if $run->{exit} == $like->{exit} && $run->{out} eq $like->{out} && $told
            && same_files($run, $like);
    }
    return 'told' if $run->{exit} == $good->{exit} && $run->{without} && !$good->{without};
    return "spoiled: @spoiled" if @spoiled;
    return "exit $run->{exit} where all is not as it should be"
        if $run->{exit} != 1 && $run->{exit} != 127 || $run->{err} !~ /\S/;
    return 'refused' if $run->{out} eq '' || $cut;
    # rows of a table go out as they are computed
    return 'cut short' if index($good->{out}, $run->{out}) == 0;
    return 'printed though refused';
}

my @bad;
my %total;
sub account
{
    my ($title, $of, $what, @found) = @_;
    my %tally;
    for (@found) {
        my ($at, $came) = @$_;
        $tally{$came}++;
        $total{$what}{$came}++;
        push @bad, "$at: $came" unless $came =~ /^(?:same|told|refused|cut short|whole|ended early)$/;
    }
    printf "%-12s %6d of %s: %s\n", $title, scalar @found, $of,
        join(', ', map { "$tally{$_} $_" } sort keys %tally) || 'none';
    return;
}

# Do each of the jobs, several at a time; returns [job, what it comes to] of each.
sub divide
{
    my ($work, @at) = @_;
    my (@found, @pipe);
    for my $j (0 .. $jobs - 1) {
        my @mine = @at[grep { $_ % $jobs == $j } 0 .. $#at] or next;
        open my $pipe, '-|' // die or do {
            STDOUT->autoflush;
            $work->($j, sub { print "$_[0]\t$_[1]\n" }, @mine);
            require POSIX;
            POSIX::_exit(0);
        };
        push @pipe, $pipe;
    }
    for my $pipe (@pipe) {
        while (my $line = <$pipe>) {
            chomp $line;
            push @found, [split /\t/, $line, 2];
        }
        close $pipe;
    }
    return @found;
}

# Of the calls of a kind those to refuse.
sub chosen
{
    my ($kind, $n, @large) = @_;
    return 1 .. $n if $kind ne 'memory';
    my $step = int($n / $others) + 1;
    my %is = map { $_ => 1 } 1 .. min($n, $first), @large,
        grep { $_ % $step == 0 } 1 .. $n;
    return sort { $a <=> $b } keys %is;
}

sub refuse_calls
{
    my ($name, $until) = @_;
    my ($arguments, $draws) = @{$command{$name}};
    my $server = serve($arguments);
    my $counted = fresh('counted');
    my $good = ask($server, 'count', $counted);
    my %n = map { my ($kind, @n) = split; ($kind => \@n) } split /\n/, slurp("$counted.log");
    judge(ask($server, 'none', fresh('good')), $good) eq 'same' && ($good->{exit} == 0 || $good->{exit} == 3)
        or die "faults.pl: $name: no two runs are the same: $good->{err}\n";
    dismiss($server);
    my $fallback;
    if ($draws) {
        $server = serve($arguments, PATH => '/nowhere');
        $fallback = ask($server, 'none', fresh('without'));
        dismiss($server);
    }
    my %chosen = map { ($_ => [chosen($_, $n{$_}[0], @{$n{large}})]) }
        qw(memory open write rename fsync close);
    my @at = map { my $kind = $_; map { "$name $kind:$_" } @{$chosen{$kind}} } sort keys %chosen;
    @at = shuffle @at if !$full;
    my @found = divide(sub {
        my ($worker, $found, @mine) = @_;
        my $mine = serve($arguments);
        for my $at (@mine) {
            last if $until && $at ne $mine[0] && time > $until;
            my (undef, $what) = split / /, $at;
            my $run = ask($mine, $what, fresh("run$worker"));
            $found->($at, judge($run, $good, $fallback, $what =~ /^(?:write|close)/));
        }
        dismiss($mine);
    }, @at);
    for my $kind (qw(memory open write rename fsync close)) {
        account($name, "$n{$kind}[0] $kind calls", 'refused', grep { $_->[0] =~ / $kind:/ } @found)
            if $full && $n{$kind}[0];
    }
    account($name, scalar(@at) . ' calls', 'refused', @found) if !$full;
    return;
}

sub limit_memory
{
    my ($name, $arguments, $draws) = @_;
    my $good = run($arguments, fresh('good'));
    my $fallback;
    if ($draws) {
        local $ENV{PATH} = '/nowhere';
        $fallback = run($arguments, fresh('without'));
    }
    my @mb = (12 .. 30, 35, 40, 44, 50, 60, 70, 80, 90, 100, 120, 150);
    @mb = (shuffle @mb)[0 .. 2] if !$full;
    account($name, 'memories', 'limited', divide(sub {
        my ($worker, $found, @mine) = @_;
        for my $at (@mine) {
            my ($mb) = $at =~ /(\d+) MB/;
            my $run = run($arguments, fresh("run$worker"), 1000 * $mb);
            $found->($at, judge($run, $good, $fallback));
        }
    }, map { "$name in $_ MB" } @mb));
    return;
}

# Killed at a time within the run; files are as they were before or whole. Asked to end, the program
# leaves nothing else; what one that was killed leaves goes with the next run.
sub kill_runs
{
    my ($name, $count) = @_;
    my ($arguments) = @{$command{$name}};
    my $begun = time;
    my $good = run($arguments, fresh('good'));
    my $length_s = time - $begun;
    my %at = map { ("$name killed $_" => rand $length_s) } 1 .. $count;
    fresh("killed$_") for 0 .. $jobs - 1;
    account($name, 'kills', 'killed', divide(sub {
        my ($worker, $found, @mine) = @_;
        $found->($_, killed($arguments, "$scratch/killed$worker", $at{$_}, scalar(/[02468]$/), $good))
            for @mine;
    }, sort keys %at));
    for my $worker (0 .. $jobs - 1) {
        my $last = run($arguments, "$scratch/killed$worker");
        my @over = grep { /^\.contactfit/ } keys %{$last->{file} // {}};
        push @bad, "$name: left over after the next run: @over" if @over;
        push @bad, "$name: the run after those that were killed is not whole"
            unless same_files($last, $good);    # init refuses to write over a study
    }
    return;
}

# A fit that is asked to end writes what it has, and says so; the next one begins as if it had not.
sub ended_early
{
    my ($out) = @_;
    for my $fit (glob "$out/*.json") {
        next if slurp($fit) !~ /"interrupted/;
        return if grep { slurp($_) !~ m{<!-- Written by contactfit -->\s*\z} } glob "$out/*.html";
        fresh($out =~ s{.*/}{}r);
        return 1;
    }
    return;
}

sub killed
{
    my ($arguments, $out, $after_s, $politely, $good) = @_;
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        setpgrp;
        chdir $out or die;
        open STDIN, '<', '/dev/null' or die;
        open STDOUT, '>', '/dev/null' or die;
        open STDERR, '>', '/dev/null' or die;
        exec $program, @$arguments or die;
    }
    my $before = () = glob "$out/.contactfit*";
    sleep $after_s;
    kill +($politely ? 'TERM' : 'KILL') => $pid;
    waitpid $pid, 0;
    kill KILL => -$pid if !$politely;    # gnuplot
    my @left = glob "$out/.contactfit*";
    return 'left over after SIGTERM' if $politely && @left > $before;
    return 'ended early' if $politely && ended_early($out);
    for my $path (glob "$out/*") {
        my $file = $path =~ s{.*/}{}r;
        return "half of $file" if sha1_hex(slurp($path)) ne $good->{file}{$file};
    }
    return 'whole';
}

# One run, and where its call was refused.
if ($extent eq 'show') {
    my $server = serve($command{$only[0]}[0], FAULTS_SHOW => 1);
    my $run = ask($server, $only[1], fresh('run0'));
    dismiss($server);
    print "$run->{err}exit $run->{exit}, signal $run->{signal}\n$run->{out}";
    exit 0;
}

STDOUT->autoflush;
my @names = @only ? @only : sort keys %command;
if (!$full) {
    print "FAULTS_SEED=$seed\n";
    @names = shuffle @names;
    splice @names, $sampled if !@only;
}
my $end = time + $sample_s;
my @reached;
for my $i (0 .. $#names) {
    my $left = $end - time;
    last if $extent eq 'around' || (!$full && $left <= 0);
    refuse_calls($names[$i], $full ? undef : time + $left / (@names - $i));
    push @reached, $names[$i];
}
my @writers = grep { $command{$_}[0][-2] eq '-o' || /simulate|onsets/ } @names;
if ($full) {
    limit_memory($_, @{$command{$_}}) for @names;
    limit_memory('large', \@large) unless @only;
    kill_runs($_, int(1000 / @writers)) for @writers;
} else {
    limit_memory($_, @{$command{$_}}) for grep { /^(?:report|onsets)$/ } @names;
    kill_runs('simulate', 40) if !@only;
    print scalar(@names) - @reached, " commands were not reached\n" if @reached < @names;
}
for my $what (sort keys %total) {
    print "$what: ", join(', ', map { "$total{$what}{$_} $_" } sort keys %{$total{$what}}), "\n";
}
print "$_\n" for @bad;
print @bad ? scalar(@bad) . " runs were not as they should be\n" : "no fault did harm\n";
exit(@bad ? 1 : 0);
