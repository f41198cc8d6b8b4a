package Promises;

# Impacts for which exports promise an e at the user's step: 24 synthetic fits, as Latin hypercubes
# have them, of masses from 1 mg to 1 t, radii from 0.1 mm to 1 m, speeds from 1 mm/s to 50 m/s, e
# from 0.002 to 0.9999 and depths from 1e-4 to 0.05 of R*; spheres on a plane and on spheres, free
# and held. A driver of t/drivers reads what was exported and says what e it sees.

use strict;
use warnings;
use Exporter qw(import);
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Test::More;

our @EXPORT = qw($scratch @impact @others is_asked ask_all write_cases write_headers build seen_by check_promises);

our $scratch = tempdir(CLEANUP => 1);

my @e = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.55, 0.6, 0.7, 0.75, 0.8,
         0.85, 0.9, 0.95, 0.98, 0.99, 0.999, 0.9999);
my $pi = 4 * atan2(1, 1);
my $state = 20_261_127;

# Park and Miller, CACM 31 (1988) 1192
sub chance
{
    $state = $state * 16807 % 2147483647;
    return $state / 2147483647;
}

sub shuffled
{
    my @list = @_;
    for (my $i = $#list; $i > 0; $i--) {
        my $j = int(chance() * ($i + 1));
        @list[$i, $j] = @list[$j, $i];
    }
    return @list;
}

# as many values, evenly in the logarithm and in any order, both ends among them
sub spread_out
{
    my ($low, $high) = @_;
    return shuffled(map { $low * ($high / $low) ** ($_ / $#e) } 0 .. $#e);
}

my ($stiffest, $stiffest_hertz) = (9e12, 9e14); # N/m, N/m^1.5: a study may state 1e13, 1e15

sub min { return (sort { $a <=> $b } @_)[0] }
sub max { return (sort { $a <=> $b } @_)[-1] }

# Masses go with radii, within a decade either way: 1 mg has 0.1 mm, and 1 t 1 m. Each has R1, R2, m1,
# m2 (a plane: R2 = 0; held: m2 = 0), those of the pair, R and m, speed v, e, depth x and duration.
my $count = 0;

sub impacts
{
    my @R = map { 1e-4 * 1e4 ** ($_ / $#e) } 0 .. $#e;
    my @v = spread_out(1e-3, 50);
    my @part = spread_out(1e-4, 0.05);
    my @restitution = shuffled(@e);
    my @other = ([0, 0], [1, 1], [0, 0], [3, 0], [0, 0], [0.4, 0.2], [0, 0], [10, 40]);
    my @all;
    for my $i (0 .. $#e) {
        my $m = 1e-6 * 1e9 ** ($i / $#e) * 10 ** (2 * chance() - 1);
        my ($R, $M) = @{$other[$i % @other]};
        my %c = (i => $i, name => $count++, R1 => $R[$i], m1 => max(1e-6, min(1e3, $m)), v => $v[$i], e => $restitution[$i]);
        $c{m1} = $i ? 1e3 : 1e-6 if $i == 0 || $i == $#e;
        $c{R2} = max(1e-4 * ($R > 0), min(1, $R * $c{R1}));
        $c{m2} = max(1e-6 * ($M > 0), min(1e3, $M * $c{m1}));
        $c{R} = $c{R2} ? $c{R1} * $c{R2} / ($c{R1} + $c{R2}) : $c{R1};
        $c{m} = $c{m2} ? $c{m1} * $c{m2} / ($c{m1} + $c{m2}) : $c{m1};
        $c{x} = max($part[$i] * $c{R}, $c{v} * sqrt($c{m} / $stiffest),
                    (1.25 * $c{m} * $c{v} ** 2 / $stiffest_hertz) ** 0.4);
        $c{time} = $pi * $c{x} / $c{v};
        push @all, \%c;
    }
    return @all;
}
our @impact = impacts();
our @others = impacts(); # for what was mended after the first

# The free parameter of each law, and k for a depth x of the undamped contact.
my %free = (linear => 'lambda', 'azad-featherstone' => 'lambda', 'hunt-crossley' => 'a', tsuji => 'alpha',
            'e-constant' => 'e');

# Bounds of it, for e from 0.002 to 0.9999.
sub limits
{
    my ($c, $law, $k) = @_;
    my $unit = {linear => 2 * sqrt($k * $c->{m}), 'azad-featherstone' => $k * $c->{x} / $c->{v},
                'hunt-crossley' => 1 / $c->{v}, tsuji => 1}->{$law};
    return '{}' if !$unit;
    my $name = {linear => 'N s/m', 'azad-featherstone' => 'N s/m^1.5', 'hunt-crossley' => 's/m', tsuji => 1}->{$law};
    return sprintf '{min: %.6g %s, max: %.6g %s}', 1e-6 * $unit, $name,
        min(1e2 * $unit, $law eq 'hunt-crossley' ? 1e4 : 1e10), $name;
}

# A fit of a law that has about that e at that speed; its path.
sub impact_fit
{
    my ($c, $law) = @_;
    my $name = "$law-$c->{name}";
    return "$scratch/$name.json" if -e "$scratch/$name.json";
    my $k = $law eq 'linear' ? $c->{m} * ($c->{v} / $c->{x}) ** 2 : 1.25 * $c->{m} * $c->{v} ** 2 / $c->{x} ** 2.5;
    my $unit = $law eq 'linear' ? 'N/m' : 'N/m^1.5';
    my $other = $c->{R2} ? sprintf '{sphere: {radius: %.12g m}, %s}', $c->{R2}, $c->{m2} ? "mass: $c->{m2} kg" : 'fixed: true'
                         : '{plane: {}, fixed: true}';
    my $text = "contactfit: study/1\ntitle: $name, synthetic\nbodies:\n"
        . "  a$c->{i}: {sphere: {radius: $c->{R1} m}, mass: $c->{m1} kg}\n  b$c->{i}: $other\n"
        . ($law eq 'e-constant' ? '' : "fixed: {k: $k $unit}\n")
        . "law: $law\nfit: {$free{$law}: " . limits($c, $law, $k) . "}\ndata:\n  - name: drops\n    protocol: impact\n    rows:\n";
    my $scatter = 1e-3 * min($c->{e}, 1 - $c->{e});
    for my $f (0.8, 0.9, 1, 1.1, 1.25) {
        $scatter = -$scatter;
        $text .= sprintf "      - {speed: %.9g m/s, restitution: %.9f}\n", $c->{v} * $f, $c->{e} + $scatter;
    }
    spew("$scratch/$name.yaml", $text . "    sigma: {restitution: " . abs($scatter) . "}\n");
    my ($code, undef, $err) = contactfit('fit', '-q', "$scratch/$name.yaml", '-o', $scratch);
    die "$name: $code: $err\n" if $code && $code != 3;
    return "$scratch/$name.json";
}

# All exports to a target: a row for each impact and step, with its text, what is promised and the
# gaps from which it is to be tried: `places` in a step.
sub ask_all
{
    my ($target, $law, %more) = @_;
    my @rows;
    for my $c (@{$more{impacts} // \@impact}) {
        my $fit = impact_fit($c, $law);
        for my $steps (@{$more{steps} // [500, 30, 5]}) {
            my $dt = $c->{time} / $steps;
            my $file = "$scratch/$target-$c->{name}-$steps";
            my ($code, $out, $err) = contactfit(qw(export -q --untrusted --json --bound 0.05 --to), $target, $fit,
                                               '--dt', $dt, '-o', $file,
                                               map({ ($_, $c->{v}) } qw(--speed --slowest --fastest)), $more{options} ? $more{options}->($c) : ());
            die "$target, impact $c->{i}: $err\n" if $code && $code != 3;
            my $one = decode_json($out)->{fits}[0];
            my $n = $more{places} // 8;
            # what is not promised is not run
            $n = 0 if !promised($one);
            my @gap = map { $c->{v} * $dt * ($_ + 0.5) / $n } 0 .. $n - 1;
            push @rows, {c => $c, steps => $steps, dt => $dt, file => $file, answer => $one, gaps => \@gap};
        }
    }
    return @rows;
}

# For the drivers: a line for each row, file R1 R2 m1 m2 v dt g gaps...
sub write_cases
{
    my (@rows) = @_;
    spew("$scratch/cases", join '', map {
        my $r = $_;
        join(' ', $r->{file}, map { sprintf '%.17g', $_ } @{$r->{c}}{qw(R1 R2 m1 m2 v)}, $r->{dt}, $r->{g} // 0, @{$r->{gaps}}) . "\n";
    } @rows);
    return;
}

# For drivers in C++: all exports in one header, each in a namespace, and set_pair(i, file, a, b) by
# `call`, the exported function with a and b, or material_of(i, file), if it returns a material.
sub write_headers
{
    my ($call, @rows) = @_;
    my $text = '';
    my $returns = $call =~ /material/;
    my $switch = $returns ? "static SimTK::ContactMaterial material_of(int i, const std::string &)\n{\n"
        : "template <class A, class B> void set_pair(int i, const std::string &, A a, B b)\n{\n";
    for my $i (0 .. $#rows) {
        my $own = slurp($rows[$i]{file});
        $own =~ s/^#include.*$//mg;
        $text .= "namespace export_$i {\n$own\n}\n";
        $switch .= "    if (i == $i)\n        return export_$i\::$call;\n";
    }
    my $world = "template <class W> void set_world(int i, W w)\n{\n"
        . join('', map { "    if (i == $_)\n        export_$_\::contactfit_world_1(w);\n" } 0 .. $#rows) . "}\n";
    spew("$scratch/exports.h", $text . $switch . ($returns ? "    return {};\n}\n" : "}\n")
        . ($text =~ /^static void contactfit_world_1/m ? $world : ''));
    return;
}

sub build
{
    my ($driver, $package, $switch) = @_;
    # pkg-config knows nothing of MuJoCo
    chomp(my $flags = $package eq 'mujoco' ? '-lmujoco' : `pkg-config --cflags --libs $package`);
    # the newest standard that all headers pass
    system("g++ -O1 $switch -I'$scratch' -o '$scratch/$driver' '$srcdir/t/drivers/$driver.cpp' $flags -std=c++14") == 0
        or die "g++: $?\n";
    return;
}

# What a driver prints of these.
sub seen_by
{
    my ($command, @rows) = @_;
    write_cases(@rows);
    my ($program, @switches) = split / -- /, $command;
    return scalar `$program '$scratch/cases' @switches`;
}

# ONLY=bullet,physx: of these targets alone
sub is_asked
{
    my ($target) = @_;
    return !defined $ENV{ONLY} || grep { $_ eq $target } split /,/, $ENV{ONLY};
}

# What was promised: low and high of e; nothing where it was not.
sub promised
{
    my ($one) = @_;
    return if $one->{reason} =~ /not predicted|does not end/;
    return ($one->{step}{low}, $one->{step}{high}) if $one->{step};
    my $still = $one->{still};
    return (0, $still->{e_most}) if $still && $one->{speed_m_s} <= $still->{speed_m_s};
    return ($one->{e_target}, $one->{e_target});
}

# Compare, a line of seen e for each row; within: what numbers are off by where nothing is wrong.
sub check_promises
{
    my ($target, $seen, $within, @rows) = @_;
    my @line = split /\n/, $seen, -1;
    pop @line;
    my ($worst, $narrow, $tried, $refused, %off) = (0, 0, 0, 0);
    is(scalar(@line), scalar(@rows), "$target: e of every impact");
    for my $i (0 .. $#rows) {
        my ($r, @e) = ($rows[$i], split ' ', $line[$i] // '');
        my $c = $r->{c};
        my ($low, $high) = promised($r->{answer});
        if (!defined $low) {
            $refused++;
            next;
        }
        # that it does not leave is no bounce, and may be promised
        my ($least, $most) = (sort { $a <=> $b } map { /[a-z]/ ? $low == 0 ? 0 : 'inf' : $_ } @e)[0, -1];
        my $out = max(max($low - $least, $most - $high), 0);
        $tried += @e;
        $worst = max($worst, $out);
        my $name = sprintf '%s, impact %d, T/%g: e %s to %s, promised %.6f to %.6f', $target, $c->{i}, $r->{steps},
            $least, $most, $low, $high;
        my $bound = ref $within ? $within->($r) : $within;
        cmp_ok($out, '<=', $bound, $name);
    }
    note(sprintf "RESULT %s: %d rows, %d impacts, %d not predicted, largest distance %.2g", $target, scalar(@rows),
         $tried, $refused, $worst);
    return;
}

1;
