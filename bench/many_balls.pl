#!/usr/bin/perl
# many_balls.pl: how long scenes of many balls take, and how that grows with their number.
#
# Glass balls of 10 mm fall from a lattice, each up to 0.3 mm off its place, on the ground or into a
# box. A contact lasts 0.3 ms at 1 m/s. Beside them, where it is installed, LAMMPS runs the same
# balls without friction (its `hertz` with damping `viscoelastic` is azad-featherstone), with the
# largest of its steps, halved in turn, at which places are as near to those of a tight tolerance.
# Figures are shown, never asserted.

use strict;
use warnings;
use File::Temp qw(tempdir);
use List::Util qw(max);
use POSIX qw(ceil);
use Time::HiRes qw(time);

my $program = $ENV{CONTACTFIT} // './contactfit';
my $scratch = tempdir(CLEANUP => 1);
my ($radius_m, $mass_kg) = (5e-3, 1.3e-3);
my ($k_ground, $lambda_ground) = (1.5e7, 3e2);
# two balls: half the radius and half the mass, as LAMMPS has it
my ($k_pair, $lambda_pair) = ($k_ground / sqrt 2, $lambda_ground / sqrt 8);
my %friction = (
    none => '',
    coulomb => ', friction: {law: coulomb, mu: 0.3, v_e: 1e-3}',
    bristle => ', friction: {law: bristle, mu_s: 0.3, mu_c: 0.3, sigma_0: 1e5, sigma_1: 100, '
        . 'sigma_2: 0, v_s: 1e-2, tau_dw: 0.1}',
);

sub spew
{
    my ($path, $text) = @_;
    open my $out, '>', $path or die "$path: $!\n";
    print $out $text;
    close $out or die "$path: $!\n";
    return $path;
}

# Places of so many balls on a square lattice.
sub places
{
    my ($n, $side) = @_;
    srand 1;
    return map {
        my @cell = ($_ % $side, int($_ / $side) % $side, int($_ / $side**2));
        [map { sprintf '%.9f', $_ } 11e-3 * ($cell[0] - ($side - 1) / 2) + 3e-4 * (2 * rand() - 1),
            11e-3 * ($cell[1] - ($side - 1) / 2) + 3e-4 * (2 * rand() - 1),
            6e-3 + 11e-3 * $cell[2] + 3e-4 * rand()]
    } 0 .. $n - 1;
}

sub scene
{
    my ($places, $friction, $duration_s, $box_m) = @_;
    my $at = join ', ', map { "[$_->[0] m, $_->[1] m, $_->[2] m]" } @$places;
    my $n = @$places;
    my @wall = ([0, 0, 1, 0], $box_m ? map { ([$_, 0, 0, -$box_m], [0, $_, 0, -$box_m]) } 1, -1 : ());
    my $walls = join '', map {
        "  wall$_: {plane: {normal: [$wall[$_][0], $wall[$_][1], $wall[$_][2]], height: $wall[$_][3] m}, fixed: true}\n"
    } 0 .. $#wall;
    return <<"END";
contactfit: scene/1
gravity: 9.81 m/s^2
duration: $duration_s s
solver: {tolerance: 1e-6, max-steps: 100000000}
bodies:
  ball: {count: $n, sphere: {radius: $radius_m m}, mass: $mass_kg kg, inertia: solid, places: [$at]}
${walls}contacts:
  - {between: [ball*, ball*], normal: {law: azad-featherstone, k: $k_pair, lambda: $lambda_pair}$friction{$friction}}
  - {between: [ball*, wall*], normal: {law: azad-featherstone, k: $k_ground, lambda: $lambda_ground}$friction{$friction}}
END
}

# CPU seconds of a command that must succeed.
sub cpu_s
{
    my @before = times;
    system(@_) == 0 || ($? >> 8) == 3 or die "@_: failed\n";
    my @after = times;
    return $after[2] + $after[3] - $before[2] - $before[3];
}

sub simulate
{
    my ($text, @options) = @_;
    my $path = spew("$scratch/balls.yaml", $text);
    my $seconds = cpu_s('sh', '-c', 'exec "$@" >"$0" 2>"$0.err"', "$scratch/out.json", $program, 'simulate', $path,
        '--json', @options);
    open my $in, '<', "$scratch/out.json" or die;
    my $json = do { local $/; <$in> };
    my %number = map { ($_ => $json =~ /"$_": (\d+)/ ? $1 : 0) } qw(steps make break);
    return ($seconds, %number, closes => $json =~ /"closes": true/ ? 'yes' : 'no');
}

# The last row of a trace: x, y, z of each ball [m].
sub ends
{
    my ($tolerance, $duration_s, $text) = @_;
    unlink "$scratch/trace.csv";
    my ($seconds) = simulate($text =~ s/tolerance: 1e-6/tolerance: $tolerance/r,
        '--trace', "$scratch/trace.csv", '--every', "$duration_s s");
    open my $in, '<', "$scratch/trace.csv" or die;
    my (@names, $last);
    while (<$in>) {
        next if /^#/;
        chomp;
        if (@names) { $last = $_ } else { @names = split /,/ }
    }
    my @value = split /,/, $last;
    return ($seconds, [map { $value[$_] } grep { $names[$_] =~ /^ball\d+_[xyz]_m$/ } 0 .. $#names]);
}

sub furthest
{
    my ($a, $b) = @_;
    return max map { abs($a->[$_] - $b->[$_]) } 0 .. $#$a;
}

sub lammps
{
    my ($places, $duration_s, $dt_s) = @_;
    my $steps = int($duration_s / $dt_s + 0.5);
    my $gamma_of = $lambda_ground / ($mass_kg * sqrt $radius_m);
    my $model = sprintf 'hertz %.12g %.12g tangential linear_nohistory 0 0 damping viscoelastic limit_damping',
        $k_ground / sqrt $radius_m, $gamma_of;
    my $atoms = join '', map { "create_atoms 1 single @$_\n" } @$places;
    my $density = $mass_kg / (4 / 3 * atan2(0, -1) * $radius_m**3);
    my $input = spew("$scratch/balls.in", <<"END");
units si
atom_style sphere
atom_modify map array
boundary f f f
newton off
comm_modify vel yes
region box block -0.1 0.1 -0.1 0.1 -0.001 0.2
create_box 1 box
${atoms}set group all diameter ${\(2 * $radius_m)}
set group all density $density
neighbor 0.002 bin
pair_style granular
pair_coeff * * $model
fix ground all wall/gran granular $model zplane 0.0 NULL
fix weight all gravity 9.81 vector 0 0 -1
fix motion all nve/sphere
timestep $dt_s
thermo $steps
run $steps
write_dump all custom $scratch/balls.dump x y z modify sort id format float %.12g
END
    my $seconds = cpu_s('sh', '-c', 'exec "$@" >/dev/null', 'sh', 'lmp', '-log', 'none', '-in', $input);
    open my $in, '<', "$scratch/balls.dump" or die "LAMMPS wrote no dump\n";
    1 until <$in> =~ /^ITEM: ATOMS/;
    return ($seconds, [map { split } <$in>]);
}

print "Balls that fall on the ground, 1 s at tolerance 1e-6:\n";
printf "  %-9s %5s %9s %8s %8s %9s\n", 'friction', 'balls', 'CPU s', 'touches', 'steps', 'balance';
for my $friction (qw(none coulomb bristle)) {
    my ($seconds, %of) = simulate(scene([places(27, 3)], $friction, 1));
    printf "  %-9s %5d %9.2f %8d %8d %9s\n", $friction, 27, $seconds, $of{make}, $of{steps}, $of{closes};
}
print "\nBalls that are poured into a box without friction, 0.05 s:\n";
printf "  %5s %9s %8s %8s %14s\n", 'balls', 'CPU s', 'touches', 'steps', 'us/ball/touch';
for my $n (50, 100, 200, 400) {
    my $side = $n <= 50 ? 4 : $n <= 100 ? 5 : $n <= 200 ? 6 : 7;
    my ($seconds, %of) = simulate(scene([places($n, $side)], 'none', 0.05, 5.5e-3 * $side + 2e-3));
    printf "  %5d %9.2f %8d %8d %14.2f\n", $n, $seconds, $of{make}, $of{steps},
        1e6 * $seconds / $n / ($of{make} || 1);
}
if (system('lmp -h >/dev/null 2>&1') != 0) {
    print "\nLAMMPS is not installed (apt install lammps): no comparison.\n";
    exit;
}
my @at = places(27, 3);
my $duration_s = 0.04;
my $text = scene(\@at, 'none', $duration_s);
my (undef, $true) = ends('1e-12', $duration_s, $text);
my ($seconds, $ours) = ends('1e-6', $duration_s, $text);
my $error_m = furthest($ours, $true);
printf "\nThe first %g s of 27 balls without friction, largest error of a place:\n", $duration_s;
printf "  contactfit at 1e-6    %9.3f s  %.1e m\n", $seconds, $error_m;
for (my $dt_s = 1e-5; $dt_s > 1e-8; $dt_s /= 2) {
    my ($theirs_s, $theirs) = lammps(\@at, $duration_s, $dt_s);
    my $off_m = furthest($theirs, $true);
    printf "  LAMMPS by %.2e s    %9.3f s  %.1e m\n", $dt_s, $theirs_s, $off_m;
    last if $off_m <= $error_m;
}
