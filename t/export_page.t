#!/usr/bin/perl
# What a fit is worth in simulators, in its file and on its page.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Synthetic;
use Test::More;

my $scratch = tempdir(CLEANUP => 1);
my $path = synthetic($scratch, 'kk', 'azad-featherstone');
my $fit = decode_json(slurp($path));
my $part = $fit->{simulators};
my %row;
for my $row (@{$part->{rows}}) {
    $row{$_->{name}} = $row for @{$row->{targets}};
}

# the oracle is the law itself, by another command
my ($k, $lambda) = map { $fit->{parameters}{$_}{value} } qw(k lambda);
my ($low, $high) = @{$part->{speeds_m_s}}[0, -1];
is("$low $high", '0.1 2', 'the fitted speeds');
my (undef, $table) = contactfit('restitution', 'azad-featherstone', '-p', "k=$k", '-p',
                                "lambda=$lambda", '--mass', '0.01', '--speed',
                                "0.1,$part->{speed_m_s},2", '-q');
my @e = map { (split /,/)[1] } (split /\n/, $table)[1 .. 3];
is_within($part->{speed_m_s}, sqrt(0.1 * 2), 1e-12, 'the design speed is their middle');
is_within($part->{e}, $e[1], 1e-9, 'e there');
is_within($part->{fit}[0], $e[0], 1e-9, 'the curve begins as the law');
is_within($part->{fit}[-1], $e[2], 1e-9, 'and ends so');
is_within($row{mujoco}{range_error}, $e[1] - $e[2], 1e-6, 'what a constant e loses');
is($row{chrono}{range_error}, 0, 'nothing where the law is there');
is($row{chrono}{exactness}, 'exact at this radius only', 'and that is exact');
is($row{lammps}{exactness}, 'exact at this mass and radius only', 'LAMMPS');
is($row{simbody}{exactness}, 'another law in its place', 'an approximation is not exact');
is($row{simbody}{instead}, 'hunt-crossley', 'and is named');
is($row{ode}, $row{gazebo}, 'targets that do the same share a row');
isnt($row{ode}, $row{mujoco}, 'others do not');
ok(!exists $row{csv}, 'tables are no simulators');
is($part->{dt_s}[1], 1e-4, 'a round step of which the contact takes 4 or more');
ok(!$row{mujoco}{steps}[2]{good} && $row{mujoco}{steps}[2]{high} > 1, 'MuJoCo gains energy at 1 ms');
ok(!$row{mujoco}{steps}[0]{good}, 'at 10 us its one e is not that of the fit at all speeds');
ok($row{lammps}{steps}[0]{good}, 'where the law is there, 10 us are good');

# Marks stand at speeds of their own, each with the e that was run there: a linear spring and damper
# has that of the middle speed at each, the law in LAMMPS that which export predicts.
my @marks = map { @{$_->{marks}} } @{$part->{rows}};
my @stepped = grep { @{$_->{steps}} } @{$part->{rows}};
is(scalar(@marks), 3 * @stepped, 'three marks of each simulator with steps of its own');
my %at = map { $_->{speed_m_s} => 1 } @marks;
is(scalar(keys %at), scalar(@marks), 'no two at one speed');
is(scalar(grep { $_->{speed_m_s} <= $low || $_->{speed_m_s} >= $high } @marks), 0, 'all inside the fitted ones');
for my $mark (@{$row{mujoco}{marks}}, @{$row{ode}{marks}}) {
    my $same = $mark->{e} > 0.84 ? $row{mujoco}{steps}[1] : $row{ode}{steps}[1];
    is_within($mark->{$_}, $same->{$_}, 1e-6, "a linear contact at $mark->{speed_m_s} m/s: $_") for qw(e low high);
}
for my $mark (@{$row{lammps}{marks}}) {
    my (undef, $out) = contactfit(qw(export -q --json --to lammps --dt 1e-4 --speed), $mark->{speed_m_s}, $path);
    my $step = decode_json($out)->{fits}[0]{step};
    is_within($mark->{$_}, $step->{$_}, 1e-6, "LAMMPS at $mark->{speed_m_s} m/s: $_") for qw(e low high);
}

# The picture has them there, by the labels of its axes.
SKIP: {
    skip 'no gnuplot here', 2 if !`gnuplot --version 2>/dev/null`;
    contactfit(qw(plot -q --figure simulators), $path, '-o', "$scratch/marks.svg");
    my $svg = slurp("$scratch/marks.svg");
    my @label;
    while ($svg =~ m{d='M([\d.]+),([\d.]+) L[\d.,]+ *'/>\s*<g [^>]*text-anchor="(middle|end)">\s*<text><tspan[^>]*>\s*([\d.]+)</tspan>}g) {
        push @{$label[$3 eq 'end']}, [$3 eq 'end' ? $2 : $1, $4];
    }
    my ($x0, $x1, $y0, $y1) = map { @{$_}[0, -1] } @label;
    # those above the lowest label of e; the legend stands below the axis
    my $bottom = (sort { $b <=> $a } $y0->[0], $y1->[0])[0];
    my @drawn = grep { (split /,/)[1] <= $bottom } $svg =~ /<use [^>]*translate\(([\d.]+,[\d.]+)\)/g;
    my @want = map {
        my $x = $x0->[0] + ($x1->[0] - $x0->[0]) * log($_->{speed_m_s} / $x0->[1]) / log($x1->[1] / $x0->[1]);
        my $y = $y0->[0] + ($y1->[0] - $y0->[0]) * ($_->{e} - $y0->[1]) / ($y1->[1] - $y0->[1]);
        [$x, $y];
    } @marks;
    is(scalar(@drawn), scalar(@want), 'each mark is drawn');
    my @off = grep {
        my ($x, $y) = split /,/, $drawn[$_];
        abs($x - $want[$_][0]) > 0.1 || abs($y - $want[$_][1]) > 0.1;
    } 0 .. $#want;
    is(scalar(@off), 0, 'at its speed and e');
}

# the page
{
    my $page = slurp($path =~ s/json$/html/r);
    my ($section) = $page =~ m{<section id="in-simulators">(.*?)</section>}s;
    for my $name (qw(MuJoCo ODE LAMMPS LIGGGHTS Simbody Drake Chrono)) {
        like($section, qr{<b>$name</b>}, "the page has $name");
    }
    like($section, qr/ms: 0\.664 to 1\.082&nbsp;&#10007;/, 'and the step that gains energy');
    like($page, qr/<figure id="simulators">/, 'and the picture') if `gnuplot --version 2>/dev/null`;
    my ($code) = contactfit('report', $path, '-o', $scratch);
    is($code, 0, 'report');
    is(slurp($path =~ s/json$/html/r), $page, 'writes the same page');
}

# nothing about a fit that is not to be trusted, nor about one of no speeds
my ($code) = contactfit('fit', "$srcdir/fits/croquet_ball_on_wood.yaml", '-o', $scratch, '-q');
is($code, 3, 'a misfit');
ok(!exists decode_json(slurp("$scratch/croquet_ball_on_wood.json"))->{simulators}, 'reports nothing');
unlike(slurp("$scratch/croquet_ball_on_wood.html"), qr/id="simulators"/, 'nor does its page');

# laws of e alone have no stiffness
{
    my $constant = decode_json(slurp(synthetic($scratch, 'constant', 'e-constant')))->{simulators};
    my ($gz) = grep { $_->{targets}[0]{name} eq 'gz' } @{$constant->{rows}};
    is($gz->{exactness}, 'exact in e above the speed from which it bounces only',
       'a constant e is exact where there is a restitution, as far as that goes');
    my ($ode) = grep { $_->{targets}[0]{name} eq 'ode-bounce' } @{$constant->{rows}};
    is($ode->{exactness}, 'exact', 'and everywhere where nothing is too slow');
    my ($none) = grep { $_->{exactness} eq 'impossible' } @{$constant->{rows}};
    ok($none && !defined $none->{e}, 'and impossible elsewhere');
}

done_testing();
