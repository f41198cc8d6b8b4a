#!/usr/bin/perl
# The restitution that LIGGGHTS (hertz) and LAMMPS (damping coeff_restitution) are given, and the e
# that they show. Oracle: their force, integrated here by Runge and Kutta; and LIGGGHTS itself, by
# inputs of its own (make check-export).

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Synthetic;
use Test::More;

draw_no_figures();

my $scratch = tempdir(CLEANUP => 1);
my $pi = 4 * atan2(1, 1);
$Synthetic::law{tsuji} = {k => 1e6, alpha => 0.3};

# e of x'' = -(x^1.5 + alpha x^0.25 x'), never pulling, from x = 0 and x' = 1, to 1e-6.
sub bounce
{
    my ($alpha) = @_;
    my ($x, $v, $h) = (0, 1, 5e-4);
    my $pull = sub {
        my ($x, $v) = @_;
        return 0 if $x <= 0;
        my $f = $x ** 1.5 + $alpha * $x ** 0.25 * $v;
        return $f > 0 ? -$f : 0;
    };
    # the first step by its series: x'' = -alpha x^0.25 grows from 0 as t^0.25
    while ($x >= 0 && ($v > 0 || $pull->($x, $v) != 0)) {
        my ($a1, $v1) = ($pull->($x, $v), $v);
        my ($a2, $v2) = ($pull->($x + $h / 2 * $v1, $v + $h / 2 * $a1), $v + $h / 2 * $a1);
        my ($a3, $v3) = ($pull->($x + $h / 2 * $v2, $v + $h / 2 * $a2), $v + $h / 2 * $a2);
        my ($a4, $v4) = ($pull->($x + $h * $v3, $v + $h * $a3), $v + $h * $a3);
        $x += $h / 6 * ($v1 + 2 * $v2 + 2 * $v3 + $v4);
        $v += $h / 6 * ($a1 + 2 * $a2 + 2 * $a3 + $a4);
    }
    return -$v;
}
# of LIGGGHTS' normal_model_hertz.h: c = 2 sqrt(5/6) b sqrt(S_n m*), S_n = 2 E* sqrt(R* x), and so
# with k = (4/3) E* sqrt(R*) c = 2 sqrt(5/6) sqrt(3/2) b sqrt(k m*) x^0.25
sub alpha_of { my $l = log $_[0]; return 2 * sqrt(5 / 6) * sqrt(1.5) * -$l / sqrt($pi ** 2 + $l ** 2) }
sub export
{
    my ($code, $text, $err) = contactfit(qw(export -q --to), @_);
    return ($code, $text, $err =~ s/^contactfit export: //r);
}
my @lets = ('--allow-missing', 'ball,ball');
# A fit of another law or value, in all digits.
sub with
{
    my ($fit, $parameter, $value) = @_;
    my $all = decode_json(slurp($fit));
    $all->{parameters}{$parameter}{value} = $value;
    spew("$scratch/with.json", encode_json($all));
    return "$scratch/with.json";
}

my $tsuji = synthetic($scratch, 'tsuji', 'tsuji');
my $constant = synthetic($scratch, 'constant', 'e-constant');
my $linear = synthetic($scratch, 'linear', 'linear');
my $kk = synthetic($scratch, 'kk', 'azad-featherstone');

# tsuji is the law itself, and the coefficient that of its alpha
my @given = (0.06, 0.1, 0.3, 0.6, 0.9, 0.99, 0.999);
my %shown = map { $_ => bounce(alpha_of($_)) } @given;
for my $e0 (@given) {
    my $fit = with($tsuji, 'alpha', alpha_of($e0));
    for my $target ('liggghts-restitution', 'lammps-restitution') {
        my ($code, $text, $err) = export($target, $fit, $target =~ /^ligg/ ? @lets : ());
        is($code, 0, "$target: exact") or diag($err);
        my ($got) = $text =~ /^# (?:coefficientRestitution|e) = (\S+) of/m;
        is_within($got, $e0, 1e-8, "the coefficient of alpha = " . alpha_of($e0));
        my ($e) = $text =~ / by the fit, (\S+) here$/m;
        is_within($e, $shown{$e0}, 6e-5, "and e is $e");
        like($text, qr/^# contactfit \S+ for \w+ \(restitution\): exact$/m, 'in all');
    }
}

# a law of another form: e of the design speed, found again by the oracle
for my $e (0.25, 0.5, 0.85, 0.97) {
    my $fit = with($constant, 'e', $e);
    my ($code, $text, $err) = export('liggghts-restitution', $fit, @lets, qw(--keep step --dt 1ms));
    my ($e0) = $text =~ /global coefficientRestitution peratomtypepair 2 1 (\S+) \1 1$/m;
    is_within(bounce(alpha_of($e0)), $e, 2e-5, "e-constant $e by --keep step: $e0");
}
{
    my ($code, $text, $err) = export('liggghts-restitution', $constant, @lets);
    is("$code: $err", "1: constant: liggghts-restitution cannot express e-constant: it needs a Hertz spring, and a law "
                      . "of e alone has none: --keep step chooses one for --dt\n", 'e alone has no spring');
    my $low = with($constant, 'e', 0.2);
    ($code, undef, $err) = export('liggghts-restitution', $low, @lets, qw(--keep step --dt 1ms));
    is($code, 1, 'e that no coefficient shows');
    like($err, qr/^constant: e = 0\.2 at \S+ m\/s: liggghts-restitution takes coefficients above 0\.05, and that one shows (\S+) where nothing pulls; as it is asked serve: c-header, .*\blammps-restitution --keep step$/,
         'is refused, with the least');
    is_within($err =~ /shows (\S+) where/ ? $1 : 0, bounce(alpha_of(0.05)), 1e-4, 'which is right');
    ($code) = export('lammps-restitution', $low, qw(--keep step --dt 1ms));
    is($code, 0, 'LAMMPS takes lower ones');
    ($code, $text) = export('liggghts-restitution', $kk, @lets, qw(--bound 0.1));
    is($code, 0, 'azad-featherstone with a bound');
    like($text, qr/constant e of the design speed/, 'at one speed');
    my $p = decode_json(slurp($kk))->{parameters};
    my ($young, $nu) = map { $text =~ /^# $_ = (\S+)/m } 'youngsModulus', 'poissonsRatio';
    is_within(4 / 3 * $young / (2 * (1 - $nu ** 2)) * sqrt(0.01) / $p->{k}{value}, 1, 1e-8, 'two equal moduli join to E*');
    my ($kappa) = 0.8;
    ($code, $text) = export('liggghts-restitution', $kk, @lets, qw(-p mu_C=0.3 --bound 0.1 -p), "kappa=$kappa");
    ($nu) = $text =~ /^# poissonsRatio = (\S+)/m;
    # 8 G* against 2 E*: G* = G/(2 (2 - nu)), E* = E/(2 (1 - nu^2)), G = E/(2 (1 + nu))
    is_within(8 / (2 * (2 - $nu) * 2 * (1 + $nu)) / (2 / (2 * (1 - $nu ** 2))), $kappa, 1e-8, 'K_t = kappa K_n');
    like($text, qr/model hertz tangential history limitForce on/, 'and friction has a history');
}

# linear: its depth at the design speed, and its e
{
    my ($code, $text) = export('lammps-restitution', $linear, qw(--speed 0.5));
    is($code, 0, 'linear');
    my ($kn, $e0) = map { $text =~ /^# $_ = (\S+)/m } 'kn', 'e';
    my ($e) = $text =~ /by the fit, (\S+) here$/m;
    is_within(bounce(alpha_of($e0)), $e, 6e-5, 'has its e');
    my $p = decode_json(slurp($linear))->{parameters};
    my @of = map { (split /,/, (grep { /^0\.5,/ } split /\n/, $_)[0])[3] }
        (contactfit(qw(restitution linear -q --mass 0.01 --speed 0.5), map { ('-p', "$_=$p->{$_}{value}") } 'k', 'lambda'))[1],
        (contactfit(qw(restitution tsuji -q --mass 0.01 --speed 0.5 -p), 'k=' . $kn * sqrt(0.01), '-p', 'alpha=' . alpha_of($e0)))[1];
    is_within($of[0] / $of[1], 1, 1e-6, 'and its depth');
}

# types: moduli in series, each pair its own
my %body = (ball => 'ball: {sphere: {radius: 10 mm}, mass: 10 g, material: steel}',
            twin => 'twin: {sphere: {radius: 10 mm}, mass: 10 g, material: steel}',
            bead => 'bead: {sphere: {radius: 5 mm}, mass: 2 g, material: glass}',
            pearl => 'pearl: {sphere: {radius: 5 mm}, mass: 2 g, material: glass}');
my %mass = (ball => 0.01, twin => 0.01, bead => 0.002, pearl => 0.002);
my %k = ('ball-twin' => [1e6, 0.2], 'bead-pearl' => [2e5, 0.6], 'ball-bead' => [4e5, 0.4]);
my @three;
for my $pair (sort keys %k) {
    my ($a, $b) = split /-/, $pair;
    my $fit = synthetic($scratch, $pair, 'tsuji', bodies => "  $body{$a}\n  $body{$b}\n",
                        mass => 1 / (1 / $mass{$a} + 1 / $mass{$b}));
    my $all = decode_json(slurp($fit));
    ($all->{parameters}{k}{value}, $all->{parameters}{alpha}{value}) = @{$k{$pair}};
    spew($fit, encode_json($all));
    push @three, $fit;
}
{
    # E* of the mixed pair is what the other two say: 1/E* = 1/(2 E1*) + 1/(2 E2*)
    my ($E1, $E2) = (0.75 * 1e6 / sqrt(0.005), 0.75 * 2e5 / sqrt(0.0025));
    my $mixed = 1 / (1 / (2 * $E1) + 1 / (2 * $E2));
    my ($code, $text, $err) = export('liggghts-restitution', @three);
    is($code, 1, 'moduli that no two types have');
    like($err, qr/^liggghts-restitution puts in series youngsModulus of two bodies, and no values by body give each pair its own: /, 'are refused');
    my $all = decode_json(slurp($three[0]));
    $all->{parameters}{k}{value} = 4 / 3 * $mixed * sqrt(0.01 / 3);
    spew($three[0], encode_json($all));
    ($code, $text, $err) = export('liggghts-restitution', @three);
    is($code, 0, 'those that they have stand') or diag($err);
    my ($first, $steel, $glass) = $text =~ /youngsModulus peratomtype ((\S+) (\S+))$/m;
    my $nu = 0.3;
    is_within($steel / (2 * (1 - $nu ** 2)) / $E1, 1, 1e-8, 'steel');
    is_within($glass / (2 * (1 - $nu ** 2)) / $E2, 1, 1e-8, 'glass');
}

SKIP: {
    skip 'make check-export runs the simulators', 1 if !$ENV{CHECK_EXPORT};
    my $has = sub { my ($program) = @_; return grep { -x "$_/$program" } split /:/, $ENV{PATH} };
    my $run = sub {
        my ($program, $input, %var) = @_;
        my @var = map { ('-var', $_, $var{$_}) } sort keys %var;
        my (undef, $out) = contactfit({program => $program, in => $scratch}, '-log', 'none', '-in',
                                      "$srcdir/t/drivers/$input", @var);
        return $out =~ /^SEEN (\S+)/m ? $1 : do { diag($out); 9 };
    };
    skip 'liggghts is not installed: apt-get install liggghts', 1 if !$has->('liggghts');
    for my $e0 (@given, 0.2, 0.45, 0.75) {
        my $e = $shown{$e0} // bounce(alpha_of($e0));
        is_within($run->('liggghts', 'liggghts_map.in', e => $e0, %$_), $e, 1.2e-4, "LIGGGHTS given $e0 shows $e")
            for {m => 0.01, Y => 1e7, v => 0.5, h => 1e-6, n => 12000},
                {m => 1, Y => 1e8, v => 0.02, h => 1e-5, n => 12000};
    }
    my %R = (ball => 0.01, twin => 0.01, bead => 0.005, pearl => 0.005);
    for (['ball', 'twin', 1, 1], ['bead', 'pearl', 1, 1], ['ball', 'bead', 1, 2]) {
        my ($a, $b, $I, $J) = @$_;
        # LIGGGHTS wants a type 1, which is that of the first fit
        my ($code, $text) = export('liggghts-restitution', $a eq 'bead' ? reverse(@three) : @three);
        spew("$scratch/export.in", $text);
        my $seen = $run->('liggghts', 'liggghts_grains.in', export => "$scratch/export.in", types => 2, I => $I,
                          J => $J, RI => $R{$a}, RJ => $R{$b}, mI => $mass{$a}, mJ => $mass{$b}, v => 0.5, h => 1e-6,
                          n => 8000);
        is_within($seen, bounce($k{"$a-$b"}[1]), 4e-5, "LIGGGHTS: $a on $b by its table");
    }
    skip 'lmp is not installed: apt-get install lammps', 1 if !$has->('lmp');
    # damping tsuji of the e whose polynomial is alpha has the force of coeff_restitution
    for my $e0 (0.3, 0.6, 0.9) {
        my ($low, $high) = (0, 1);
        for (1 .. 60) {
            my $x = ($low + $high) / 2;
            my $p = 1.2728 - 4.2783 * $x + 11.087 * $x ** 2 - 22.348 * $x ** 3 + 27.467 * $x ** 4 - 18.022 * $x ** 5
                + 4.8218 * $x ** 6;
            ($p > alpha_of($e0) ? $low : $high) = $x;
        }
        is_within($run->('lmp', 'lammps_tsuji.in', e => $low, kn => 1e7, v => 0.5), $shown{$e0}, 4e-5,
             "LAMMPS, tsuji of that alpha: $e0");
    }
}
done_testing();
