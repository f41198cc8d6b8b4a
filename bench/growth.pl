#!/usr/bin/perl
# growth.pl FOLDER: how time and memory of `check` and `fit` grow with the rows of a table, with
# rivals and with data sets. Tables and studies are made in FOLDER; they are synthetic: a law's own
# prediction with normal noise, the same in every run. Figures are shown, never asserted.
#
# GROWTH_ROWS, the numbers of rows (default: 100 to 10^6), and GROWTH_SECONDS, after which a command
# is ended and larger tables are not given to it (default: 120), limit what is run.

use strict;
use warnings;
use File::Path qw(make_path);
use POSIX qw(WNOHANG setpgid);
use Time::HiRes qw(time sleep);

my $folder = shift or die "usage: growth.pl FOLDER\n";
my $program = $ENV{CONTACTFIT} // './contactfit';
my @rows = split ' ', $ENV{GROWTH_ROWS} || '100 1000 10000 100000 1000000';
my $most_s = $ENV{GROWTH_SECONDS} || 120;
die "GROWTH_ROWS: whole numbers from 10 to 10^7 are wanted\n"
    if !@rows || grep { !/^[1-9]\d+$/ || $_ > 1e7 } @rows;
@rows = sort { $a <=> $b } @rows;
die "GROWTH_SECONDS: a number of seconds is wanted\n" if $most_s !~ /^\d+(?:\.\d+)?$/;

# What is measured: the pair and the errors of af-small-given in studies.txt.
my ($law, $mass_kg, $k, $lambda) = ('azad-featherstone', 0.31, '3.1e7', '4.7e3');
my ($sigma_e, $sigma_s) = (0.002, 2e-5);
my @rivals = qw(hunt-crossley lee-wang linear tsuji e-log e-power);
my ($base, $sets) = (10_000, 500);    # rows beside which others stand; those are dealt out to sets

# Ends only what it started, with what that has started in turn.
my $child;
sub stop
{
    return if !$child;
    kill 'TERM', -$child;
    sleep 0.5;
    kill 'KILL', -$child;
    waitpid $child, 0;
    undef $child;
}
$SIG{$_} = sub { stop(); exit 1 } for qw(INT TERM HUP);

# Normal numbers by Box and Muller.
sub normal
{
    return sqrt(-2 * log(1 - rand)) * cos(2 * atan2(0, -1) * rand);
}

# A table of n rows, or the same rows dealt out to several tables.
sub make_tables
{
    my ($n, @paths) = @_;
    my @out = map { open my $out, '>', $_ or die "$_: $!\n"; $out } @paths;
    print $_ "# synthetic: $law, k = $k N/m^1.5, lambda = $lambda, $mass_kg kg, with normal noise\n"
        . "speed_m_s,restitution,duration_s\n" for @out;
    srand 1;
    open my $in, '-|', $program, 'restitution', $law, '-p', "k=$k", '-p', "lambda=$lambda",
        '--mass', "$mass_kg", '--speed', "0.1:6:$n" or die "$program: $!\n";
    <$in>;
    while (<$in>) {
        my ($speed, $e, $duration_s) = split /,/;
        printf {$out[$. % @out]} "%.9g,%.9g,%.9g\n", $speed, $e + $sigma_e * normal(),
            $duration_s + $sigma_s * normal();
    }
    close $in or die "$program restitution failed\n";
    close $_ or die "a table cannot be written: $!\n" for @out;
}

sub make_study
{
    my ($path, $rivals, @tables) = @_;
    open my $out, '>', $path or die "$path: $!\n";
    print $out "contactfit: study/1\ntitle: synthetic\n"
        . "bodies:\n  ball: {sphere: {radius: 50 mm}, mass: $mass_kg kg}\n"
        . "  block: {plane: {}, fixed: true}\nlaw: $law\nfit: {k: {}, lambda: {}}\n$rivals"
        . "data:\n";
    print $out "  - {name: $_, protocol: impact, file: $_.csv, columns: {speed: speed_m_s,\n"
        . "     restitution: {from: restitution, sigma: $sigma_e},\n"
        . "     duration: {from: duration_s, sigma: $sigma_s s}}}\n" for @tables;
    close $out or die "$path: $!\n";
}

# The largest memory that a running process has had so far [kB].
sub peak_kB
{
    my ($process) = @_;
    open my $in, '<', "/proc/$process/status" or return 0;
    my ($line) = grep { /^VmHWM:/ } <$in>;
    return $line && $line =~ /(\d+)/ ? $1 : 0;
}

# Seconds and kB of one run; no seconds where it was ended.
sub run_once
{
    my (@command) = @_;
    local $SIG{CHLD} = sub { };    # ends a sleep
    my ($begin, $peak) = (time, 0);
    $child = fork // die "fork: $!\n";
    if (!$child) {
        setpgid(0, 0);
        open STDOUT, '>', '/dev/null';
        open STDERR, '>', "$folder/messages";
        exec $program, @command or POSIX::_exit(127);
    }
    while (waitpid($child, WNOHANG) == 0) {
        my $now = peak_kB($child);
        $peak = $now if $now > $peak;
        if (time - $begin > $most_s) {
            stop();
            return (undef, $peak);
        }
        sleep 0.002;
    }
    my $code = $?;
    undef $child;
    return (time - $begin, $peak) if $code == 0 || $code == 3 << 8;    # 3: not to be trusted
    open my $in, '<', "$folder/messages";
    die "$program @command failed with status $code:\n", <$in>;
}

# The same, the better of two where that takes no time.
sub run
{
    my (@command) = @_;
    print STDERR "bench: @command\n";
    my ($seconds, $peak) = run_once(@command);
    return ($seconds, $peak) if !defined $seconds || $seconds > 2;
    my ($again, $peak_again) = run_once(@command);
    return ($again < $seconds ? $again : $seconds, $peak_again > $peak ? $peak_again : $peak);
}

sub commands
{
    my ($study) = @_;
    return (check => ['check', $study], fit => ['fit', $study, '--quiet', '-o', $folder]);
}

sub shown
{
    my ($seconds) = @_;
    return "> $most_s s" if !defined $seconds;
    return $seconds < 1 ? sprintf '%.3g ms', 1e3 * $seconds : sprintf '%.3g s', $seconds;
}

sub megabytes
{
    my ($kB) = @_;
    return $kB ? sprintf '%.0f MB', $kB / 1e3 : '-';
}

# Stamps of n impacts of a ball, and their study.
sub make_stamps
{
    my ($n, $name) = @_;
    my ($g, $throw, $left) = (9.80665, 0, $n);
    open my $out, '>', "$folder/$name.csv" or die "$folder/$name.csv: $!\n";
    print $out "# synthetic: e = 0.85 - 0.03 ln v, scatter 0.006 v^-0.5 of a bounce and 0.004 of a throw,\n"
        . "# 0.1 ms of a stamp, no drag\nthrow,time_s\n";
    srand 1;
    while ($left > 0) {
        my ($t, $v, $off) = (1, 4 * (0.7 + 0.3 * rand), 0.004 * normal());
        for ($throw++; $v > 0.5 && $left > 0; $left--) {
            printf $out "%d,%.7f\n", $throw, $t + 1e-4 * normal();
            $v *= 0.85 - 0.03 * log($v) + $off + 0.006 / sqrt($v) * normal();
            $t += 2 * $v / $g;
        }
    }
    close $out or die "$folder/$name.csv: $!\n";
    open $out, '>', "$folder/$name.yaml" or die "$folder/$name.yaml: $!\n";
    print $out "contactfit: study/1\ntitle: synthetic\n"
        . "bodies:\n  ball: {sphere: {radius: 20 mm}, mass: 50 g}\n"
        . "  floor: {plane: {}, fixed: true}\nlaw: e-log\n"
        . "data:\n  - {name: stamps, protocol: bounce, file: $name.csv,\n"
        . "     columns: {time: time_s, throw: throw}, apparatus: {drag_coefficient: 0}}\n";
    close $out or die "$folder/$name.yaml: $!\n";
}

# Both commands on one study of each size, printed: {rows}{command} seconds.
sub grow
{
    my ($what, $name, $make) = @_;
    my (%time, %peak, %over, %reference);    # over: commands that a table took too long for
    for my $n (@rows) {
        $make->($n, "$name-$n");
        my %command = commands("$folder/$name-$n.yaml");
        for my $which (sort keys %command) {
            next if $over{$which};
            ($time{$n}{$which}, $peak{$n}{$which}) = run(@{$command{$which}});
            $over{$which} = !defined $time{$n}{$which};
        }
    }

    # Of $base rows, or of the largest table below that was not too large.
    for my $which (qw(check fit)) {
        my @done = grep { defined $time{$_}{$which} } @rows;
        ($reference{$which}) = reverse grep { $_ <= $base || $_ == $done[0] } @done;
    }
    print "\n$what; a row's time is relative to that where 1.00 stands\n";
    printf "%9s %10s %9s %9s %12s %9s %9s\n", 'rows', 'check', 'per row', 'memory', 'fit',
        'per row', 'memory';
    for my $n (@rows) {
        printf '%9d', $n;
        for my $which (qw(check fit)) {
            my ($here, $from) = ($time{$n}{$which}, $reference{$which});
            my $ratio = defined $here
                ? sprintf '%.2f', $here / $n / ($time{$from}{$which} / $from) : '';
            printf $which eq 'fit' ? ' %12s %9s %9s' : ' %10s %9s %9s',
                exists $time{$n}{$which} ? shown($here) : 'not run', $ratio,
                megabytes($peak{$n}{$which});
        }
        print "\n";
    }
    return \%time;
}

make_path($folder);
my $time = grow('rows of restitution and duration, one law, sigmas given', 'rows', sub {
    my ($n, $name) = @_;
    make_tables($n, "$folder/$name.csv");
    make_study("$folder/$name.yaml", '', $name);
});
grow('stamps of bounces, every sigma estimated', 'stamps', \&make_stamps);

# A fit of the same rows, in another way.
sub beside
{
    my ($what, $study) = @_;
    my %command = commands($study);
    my ($seconds, $peak) = run(@{$command{fit}});
    my $plain = $time->{$base}{fit};
    printf "%-42s %10s %9s %9s\n", $what, shown($seconds),
        defined $seconds && defined $plain ? sprintf('%.2f', $seconds / $plain) : '',
        megabytes($peak);
}
if (grep { $_ == $base } @rows) {
    printf "\n%-42s %10s %9s %9s\n", "fit of $base rows", 'time', 'times', 'memory';
    make_study("$folder/rivals.yaml", 'rivals: [' . join(', ', @rivals) . "]\n", "rows-$base");
    beside('with ' . @rivals . ' rivals, against one law', "$folder/rivals.yaml");
    my @tables = map { "set-$_" } 1 .. $sets;
    make_tables($base, map { "$folder/$_.csv" } @tables);
    make_study("$folder/sets.yaml", '', @tables);
    beside("in $sets data sets, against one", "$folder/sets.yaml");
}
