#!/usr/bin/perl
# table.pl FOLDER: run the library's benchmarks in FOLDER, and those of SciPy, Octave and Simbody,
# and print them side by side, then the time of one evaluation of every law.
# Figures are shown, never asserted: a busy machine is no bug.

use strict;
use warnings;
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use Time::HiRes qw(time);

my $bench = shift or die "usage: table.pl FOLDER\n";
my $srcdir = $ENV{srcdir} // dirname(dirname($0));
my $program = $ENV{CONTACTFIT} // './contactfit';
my $study = "$srcdir/fits/croquet_ball_on_wood.yaml";
my $drop = "$srcdir/scenes/af14_steel_66g.yaml";
my $slide = "$srcdir/scenes/g07_bowden_leben_0.05.yaml";
my $scratch = tempdir(CLEANUP => 1);
my @skipped;

# Lines KEY<tab>... into $row{KEY} = [...].
sub rows
{
    my %row;
    for (@_) {
        chomp(my $line = $_);
        my ($key, @rest) = split /\t/, $line;
        $row{$key} = \@rest;
    }
    return \%row;
}

sub run
{
    my ($what, $command) = @_;
    print STDERR "bench: $what\n";
    my @lines = qx{$command};
    die "$what: the benchmark failed\n" if $?;
    return rows(@lines);
}

sub file_of
{
    my ($name, @lines) = @_;
    open my $file, '>', "$scratch/$name" or die "$name: $!\n";
    print $file "$_\n" for @lines;
    close $file or die "$name: $!\n";
    return "$scratch/$name";
}

sub quiet
{
    return system("$_[0] >/dev/null 2>&1") == 0;
}

# The first Python that has SciPy; PYTHON names another.
sub python
{
    for my $python (grep { defined } $ENV{PYTHON}, 'python3', '/usr/bin/python3') {
        return $python if quiet("'$python' -c 'import scipy'");
    }
    push @skipped, 'SciPy: no python3 with scipy was found (apt install python3-scipy, or set PYTHON)';
    return;
}

# Simbody's side, one of its programs compiled here.
sub simbody
{
    my ($name) = @_;
    my $made = "$scratch/$name";
    my $cxx = $ENV{CXX} // 'c++';
    if (!quiet('pkg-config --exists simbody')) {
        push @skipped, "Simbody, $name: not found by pkg-config (apt install libsimbody-dev)";
        return;
    }
    return $made if quiet("$cxx -O2 '$srcdir/bench/$name.cpp' -o '$made' "
        . '$(pkg-config --cflags --libs simbody) -lSimTKsimbody -lSimTKmath -lSimTKcommon');
    push @skipped, "Simbody: $name.cpp does not compile with $cxx (set CXX)";
    return;
}

# Wall time of a whole command, the better of two.
sub command_time
{
    my ($command, @good) = @_;
    my $best;
    for (1 .. 2) {
        my $begin = time;
        my $status = system("$command >/dev/null 2>&1") >> 8;
        my $spent = time - $begin;
        die "$command failed with status $status\n" if !grep { $_ == $status } 0, @good;
        $best = $spent if !defined $best || $spent < $best;
    }
    return $best;
}

sub shown
{
    my ($seconds) = @_;
    return '-' if !defined $seconds || $seconds !~ /\d/;
    for my $unit ([1, 's'], [1e-3, 'ms'], [1e-6, 'us'], [1e-9, 'ns']) {
        return sprintf '%.3g %s', $seconds / $unit->[0], $unit->[1] if $seconds >= $unit->[0];
    }
    return sprintf '%.3g s', $seconds;
}

sub grouped
{
    my $s = sprintf $_[0] < 10 ? '%.1f' : '%.0f', $_[0];
    1 while $s =~ s/^(\d+)(\d{3})/$1 $2/;
    return $s;
}

my $format = "%-28s %10s %10s %8s %9s  %-17s %s\n";
sub row
{
    my ($what, $us, $them, $whole, $wanted) = @_;
    printf $format, $what, shown($us->[0]), shown($them && $them->[0]),
        $them ? grouped($them->[0] / $us->[0]) : '', $whole ? shown($whole) : '', $wanted, $us->[2];
    printf "%88s  against: %s; %s\n", '', $them->[2], $them->[3] if $them;
}

# What they say of a number that both compute: by how much the values differ, or each one's error.
sub differing
{
    my ($us, $them) = @_;
    return undef if !$them;
    return [@$them, 'values differ by ' . sprintf('%.0e', abs($them->[1] / $us->[1] - 1))];
}

sub erring
{
    my ($us, $them, $unit) = @_;
    return undef if !$them;
    return [@$them, sprintf('error%s %.1e, ours %.1e', $unit && " [$unit]", $them->[1], $us->[1])];
}

my $python = python();

my $others = join ' ', map { "'$srcdir/fits/$_.yaml'" } qw(golf_ball_drop_rebound tennis_ball_drop_rebound);
my $impact = run('impacts and fits', "'$bench/bench' '$srcdir/fits' '$study' $others");
my $impact_by = {};
if ($python) {
    my ($beta, $lambda, $speed, $e, $sigma) = @{$impact->{args}};
    $impact_by = run("the same by SciPy",
        "'$python' -B '$srcdir/bench/scipy_impact.py' $beta $lambda $speed $e $sigma");
    $impact_by = {%$impact_by,
        %{run('the oblique contact by SciPy', "'$python' -B '$srcdir/bench/scipy_oblique.py'")},
        %{run('bounces by SciPy', "'$python' -B '$srcdir/bench/scipy_bounce.py'")},
        %{run('the pulses by SciPy', "'$python' -B '$srcdir/bench/scipy_pulse.py' "
            . "<'$srcdir/data/synthetic_force_pulses.csv'")},
        %{run('the loops by SciPy', "'$python' -B '$srcdir/bench/scipy_ramp.py' "
            . "<'$srcdir/data/presliding_reciprocating_8cycles.csv'")},
        %{run('stick-slip by SciPy', "'$python' -B '$srcdir/bench/scipy_stick_slip.py' "
            . join ' ', map { "$_ '$srcdir/data/synthetic_plate_$_.csv'" } 20, 35, 50)}};
}

open my $table, '<', "$srcdir/t/reference/drops.csv" or die "drops.csv: $!\n";
my $touches = file_of('touches', map { /^66g,([^,]+),/ ? $1 : () } <$table>);
my $motion = run('motion',
    "'$bench/motion' '$drop' '$slide' '$srcdir/bench/impact.yaml' '$touches'");
my %motion_by;
if (quiet('octave-cli --version')) {
    %motion_by = (%motion_by, %{run('the drop by Octave',
        "octave-cli --no-gui -q '$srcdir/bench/octave_drop.m' '$touches' 2>/dev/null; true")});
} else {
    push @skipped, 'Octave: no octave-cli was found (apt install octave)';
}
if ($python) {
    my $truth = file_of('truth', @{$motion->{'slide-truth'}});
    %motion_by = (%motion_by,
        %{run('the slide by SciPy', "'$python' -B '$srcdir/bench/scipy_slide.py' <'$truth'")});
}
my $simbody = simbody('simbody_impact');
if ($simbody) {
    my $arguments = join ' ', @{$motion->{'impact-truth'}};
    %motion_by = (%motion_by, %{run('the impact by Simbody', "'$simbody' $arguments")});
}

print STDERR "bench: whole commands\n";
my %whole = (
    croquet => command_time("'$program' fit '$study' --quiet -o '$scratch'", 3),
    drop => command_time("'$program' simulate '$drop'"),
    slide => command_time("'$program' simulate '$slide'"),
);

print "\n";
printf $format, 'task', 'contactfit', 'other', 'times', 'command', 'wanted', 'remark';
for (['impact', 'one e(v)', '10^4 times SciPy'],
     ['fit', 'lambda to 40 points', '10^3 times SciPy'],
     ['integrate-10', 'one impact integrated', 'below 20 us'],
     ['integrate-13', 'the same, more exactly', ''],
     ['oblique', 'one oblique contact', '100 times SciPy'],
     ['oblique-slopes', 'and its six derivatives', '100 times SciPy'],
     ['bounce', '10 bounces by a force law', '100 times SciPy'],
     ['bounces', '100 000 bounces by e(v)', 'NumPy\'s vectors'],
     ['pulse', 'force pulses, one descent', '25 times SciPy'],
     ['ramp', 'presliding loops, one descent', '25 times SciPy'],
     ['stick-slip', 'plates at 3 speeds, one descent', '25 times SciPy'],
     ['stick-slip', 'the same, SciPy by odeint', '', 'stick-slip-odeint'],
     ['plate', '60 s of it, 7 derivatives', 'below 0.1 s'],
     ['toss', 'cube tosses, one descent', ''],
     ['curve', 'making a curve', ''],
     ['croquet-read', 'reading the croquet study', ''],
     ['croquet-curves', 'croquet fit, curves only', 'below 0.1 s'],
     ['croquet', 'croquet fit, in process', 'below 0.25 s'],
     ['golf-curves', 'golf fit, curves only', 'below 0.1 s'],
     ['golf', 'golf fit, in process', 'below 0.25 s'],
     ['tennis-curves', 'tennis fit, curves only', 'below 0.1 s'],
     ['tennis', 'tennis fit, in process', 'below 0.25 s']) {
    my ($key, $what, $wanted, $other) = @$_;
    my $us = $impact->{$key} or next;
    row($what, $us, differing($us, $impact_by->{$other // $key}), $whole{$key}, $wanted);
}
for (['drop', 'drop', '66 g drop, 38 impacts', '10^3 times Octave', 's'],
     ['slide', 'slide-10', '60 s of stick and slip', '10 times SciPy', 'N'],
     ['slide-6', 'slide-6', 'the same at 1e-6', '10 times SciPy', 'N'],
     ['slide-6', 'slide-vectors', 'the same, SciPy in vectors', '10 times SciPy', 'N'],
     ['impact-simbody', 'impact-simbody', 'one impact in a scene', 'Simbody', 'e']) {
    my ($key, $other, $what, $wanted, $unit) = @$_;
    my $us = $motion->{$key};
    row($what, $us, erring($us, $motion_by{$other}, $unit), $whole{$key}, $wanted);
}
for (['slide-8', '60 s of stick and slip, 1e-8', 'below 20 ms'],
     ['slide-samples', 'and 60 001 samples', 'below 20 ms'],
     ['slide-columns', 'with seven columns', ''],
     ['slide-both', 'with both, of the place', 'below 0.1 s'],
     ['slide-force', 'with both, of the friction', 'twice the columns']) {
    my ($key, $what, $wanted) = @$_;
    row($what, $motion->{$key}, undef, undef, $wanted);
}

my $exact_s;    # of a sphere's volume with a half-space
for (['laws', 'one call of'], ['volumes', 'one volume of']) {
    my ($program, $what) = @$_;
    print STDERR "bench: $program\n";
    my @lines = map { chomp; [split /\t/] } qx{'$bench/$program'};
    die "$program: the benchmark failed\n" if $?;
    printf "\n%-13s %-28s %16s %22s\n", $what, '', 'plain, per us', 'with slopes, per us';
    for (@lines) {
        my ($kind, $name, @seconds) = @$_;
        $exact_s = $seconds[1] if $kind eq 'half-space' && $name eq 'sphere';
        my @rate = map { /\d/ ? sprintf '%.3g', 1e-6 / $_ : '-' } @seconds;
        printf "%-13s %-28s %16s %22s\n", $kind, $name, @rate;
    }
}
# Scenes over volumes of interference, by the time of a second of their motion; beside them their kind
# with points of contact.
printf "\n%-44s %16s\n", 'scene over volumes', 'per s of motion';
for (['g07_tippe_top', 0.2], ['g07_battery_box', 1.2], ['g07_ball_off_table', 4.6],
     ['g07_spinning_block_face', 0.5], ['g07_spinning_block', 0.5]) {
    my ($scene, $duration) = @$_;
    my $seconds = command_time("'$program' simulate '$srcdir/scenes/$scene.yaml' -p duration='$duration s'");
    printf "%-44s %16s\n", $scene, shown($seconds / $duration);
}

# Growth with cells: a block that falls on another, cut into so many; by evaluations of the rates, of
# which finer cuts need more, as they touch more often. What it takes to read the scene is apart.
sub cells_on_cells
{
    my ($falls, $lies) = map { "cut: [$_, $_, $_]" } @_;
    return file_of("cells-$_[0]-$_[1].yaml", 'contactfit: scene/1', 'title: Block of cells on a block of cells',
        'gravity: 9.81 m/s^2', 'duration: 60 ms', 'bodies:',
        "  block: {cells: [{box: {size: [0.2 m, 0.2 m, 0.2 m], $falls}}], mass: 1 kg,",
        '          inertia: [0.006 kg m^2, 0.006 kg m^2, 0.006 kg m^2], position: [0 m, 0 m, 0.11 m],',
        '          attitude: {axis: [1, 0.3, 0], angle: 3 deg}, velocity: [0.1 m/s, 0 m/s, 0 m/s]}',
        "  ground: {cells: [{box: {size: [0.4 m, 0.4 m, 0.2 m], center: [0 m, 0 m, -0.1 m], $lies}}], fixed: true}",
        'contacts:', '  - between: [block, ground]',
        '    foundation: {law: gonthier-volumetric, kv: 1e8 N/m^3, e: 0.5, v_small: 1 mm/s}');
}
{
    my $one;
    printf "\n%-44s %10s %16s %10s %10s\n", 'cells on cells', 'pairs', 'an evaluation', 'of 1 on 1', 'reading';
    for ([1, 1], [2, 2], [3, 3], [4, 4], [4, 8]) {
        my ($falls, $lies) = @$_;
        my $file = cells_on_cells($falls, $lies);
        my ($n) = join('', qx{'$program' simulate '$file' --json}) =~ /"evaluations": (\d+)/;
        my $read = command_time("'$program' simulate '$file' -p duration='1 ns'", 3);
        my $each = (command_time("'$program' simulate '$file'") - $read) / $n;
        $one //= $each;
        printf "%-44s %10s %16s %10s %10s\n", "$falls^3 cells on $lies^3", ($falls * $lies)**3, shown($each),
            grouped($each / $one), shown($read);
    }
}

# What of the octree is cheapest for a sphere, by the error of V: [error, seconds].
my @sphere;

# The octree of implicit primitives: time and boxes of the coarsest of its steps that is as good.
{
    print STDERR "bench: octree\n";
    my @lines = grep { !/^#/ } map { chomp; $_ } qx{'$bench/octree'};
    die "octree: the benchmark failed\n" if $?;
    my @error = (1e-2, 1e-3, 1e-4, 1e-5);
    my (@order, %best);
    for (@lines) {
        my ($shape, $how, $steps, $v, undef, undef, $seconds, $boxes) = split /\t/;
        my $key = sprintf '%-9s %-15s', $shape, $how;
        push @order, $key if !$best{$key};
        push @sphere, [$v, $seconds] if $shape eq 'sphere' && $how =~ /^(?:flat|curved) leaves$/;
        $best{$key} //= {};
        for my $error (grep { $v ne '-' && $v <= $_ } @error) {
            $best{$key}{$error} //= sprintf '%.3g, %.3g', 1e6 * $seconds, $boxes;
        }
    }
    printf "\n%-25s %16s %16s %16s %16s\n", 'us, boxes; error of V:', @error;
    for my $key (@order) {
        printf "%-25s %16s %16s %16s %16s\n", $key, map { $best{$key}{$_} // '-' } @error;
    }
}
# A sphere pressed into a half-space by half of its radius, against springs on a mesh: at errors of the
# depth, which are half of those of the force, and so of V.
if (my $made = simbody('simbody_foundation')) {
    my @error = ('1e-3', '1e-4');
    my $them = run('the foundation by Simbody', "'$made' 0.37 @error");
    printf "\n%-28s %10s %10s %8s  %-17s %s\n", 'force on a sphere, depth to', 'contactfit', 'other', 'times',
        'wanted', 'remark';
    for (['1e-3', 3], ['1e-4', 10]) {
        my ($error, $wanted) = @$_;
        my ($seconds, $got, $remark) = @{$them->{"foundation-$error"}};
        my ($octree) = sort { $a->[1] <=> $b->[1] } grep { $_->[0] <= 2 * $error } @sphere;
        for (['exact', $exact_s, 100, 'closed form'],
             ['octree', $octree->[1], $wanted, sprintf 'error of V %.1e', $octree->[0]]) {
            my ($how, $ours, $times, $ours_remark) = @$_;
            printf "%-28s %10s %10s %8s  %-17s %s\n", "$error, $how", shown($ours), shown($seconds),
                grouped($seconds / $ours), "$times times Simbody",
                sprintf '%s; against: %s, depth to %.1e', $ours_remark, $remark, $got;
        }
    }
}
print "\n" if @skipped;
print "skipped: $_\n" for @skipped;
