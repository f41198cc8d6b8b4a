#!/usr/bin/perl
# The order in which rows were measured: by the table, or by a column of it; and friction as the name
# of a law of slides.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Synthetic qw(normal);
use Test::More;

draw_no_figures();

my $dir = tempdir(CLEANUP => 1);

sub fitted
{
    my ($name, $text) = @_;
    spew("$dir/$name.yaml", "contactfit: study/1\n$text");
    my ($status, $fit, undef, $err) = fit_of($dir, "$dir/$name.yaml", '-q');
    return ($status, $fit, $err);
}

# Speeds in any order, a force that drifts with the time; the table is sorted by the speed, or by
# nothing.
my @row;
normal() for 1 .. 300;
for my $i (0 .. 39) {
    my $v = 0.1 + 0.02 * ($i * 17 % 40);
    push @row, {t => 10 + 3 * $i, v => $v, f => 2 + 3 * $v + 0.02 * sin($i / 5) + 0.004 * normal(), run => 40 - $i};
}

sub table
{
    my ($name, @rows) = @_;
    spew("$dir/$name.csv", "# synthetic\nv_m_s,f_N,t_s,run\n" . join '', map { "$_->{v},$_->{f},$_->{t},$_->{run}\n" } @rows);
}
table('sorted', sort { $a->{v} <=> $b->{v} } @row);
table('measured', @row);
my @mixed = map { $row[$_ * 23 % 40] } 0 .. 39;
table('mixed', @mixed);

my $study = "law: f-viscous\ndata:\n  - {name: d, file: %s.csv, protocol: slide, columns: {speed: {from: v_m_s}, force: {from: f_N}}%s}\n";

sub lag
{
    my ($fit) = @_;
    my ($test) = grep { $_->{test} eq 'lag-1 by row' } @{$fit->{tests}};
    return $test;
}

my (undef, $measured) = fitted('measured', sprintf $study, 'measured', '');
my (undef, $sorted) = fitted('sorted', sprintf $study, 'sorted', '');
my (undef, $by_time) = fitted('by_time', sprintf $study, 'sorted', ', order: t_s');
my (undef, $mixed) = fitted('mixed', sprintf $study, 'mixed', '');
my (undef, $mixed_time) = fitted('mixed_time', sprintf $study, 'mixed', ', order: t_s');
my (undef, $backwards) = fitted('backwards', sprintf $study, 'sorted', ', order: run');
ok(lag($measured) && lag($measured)->{p} < 0.01, 'a drift is seen where rows stand as measured');
is($measured->{verdict}{status}, 'misfit', 'and is a misfit');
ok(!lag($sorted), 'of a sorted table nothing tells it');
ok(lag($mixed) && lag($mixed)->{p} > 0.05, 'nor of a mixed one');
for (['a sorted table', $by_time], ['a mixed one', $mixed_time], ['numbers of runs, last first', $backwards]) {
    my ($what, $fit) = @$_;
    ok(lag($fit) && abs(lag($fit)->{statistic} - lag($measured)->{statistic}) < 1e-6, "$what by a column: the same drift");
    is($fit->{verdict}{status}, 'misfit', 'and the same verdict');
}

# an excluded row needs no number; where leaves rows out
{
    my @some = map { {%$_} } sort { $a->{v} <=> $b->{v} } @row;
    $some[3]{t} = '';
    table('hole', @some);
    my ($status, $fit, $err) = fitted('hole', sprintf $study, 'hole', ', order: t_s, exclude: [{row: 6, because: the clock stood}]');
    ok(!$status || $status == 3, 'an excluded row needs no time') or diag($err);
    ok(lag($fit), 'the others have their order');
    ($status, $fit, $err) = fitted('part', sprintf $study, 'hole', ', order: t_s, where: "v_m_s > 0.3"');
    ok(lag($fit), 'nor do those that are left out');
    ($status, undef, $err) = fitted('empty', sprintf $study, 'hole', ', order: t_s');
    is("$status $err", "1 contactfit fit: $dir/hole.csv:6:23: t_s (empty): a number is wanted; what was not measured is an empty cell\n", 'but others do')
        or diag($err);
    $some[3]{t} = $some[7]{t};
    table('twice', @some);
    ($status, undef, $err) = fitted('twice', sprintf $study, 'twice', ', order: t_s');
    like($err, qr/^contactfit fit: \S+twice\.yaml:4:\d+: order: \d+ stands in line 6 and in line 10: which was measured first\?\n/, 'a number twice');
    ($status, undef, $err) = fitted('unknown', sprintf $study, 'hole', ', order: time_s');
    like($err, qr/^contactfit fit: \S+unknown\.yaml:4:\d+: .*time_s/, 'no such column');
    ($status, undef, $err) = fitted('rows', "law: f-coulomb\ndata:\n  - {name: d, protocol: slide, order: t_s, sigma: {force: 1 N}, rows: [{speed: 1 m/s, force: 1 N}]}\n");
    like($err, qr/^contactfit fit: \S+rows\.yaml:4:\d+: order belongs to a file: these are rows\n/, 'rows of the study stand in theirs');
    spew("$dir/stamps.csv", "time_s,n\n1,1\n2,2\n2.8,3\n3.4,4\n");
    ($status, undef, $err) = fitted('stamps', "law: e-constant\nbodies: {ball: {sphere: {diameter: 40 mm}, mass: 3 g}}\n"
        . "data:\n  - {name: d, protocol: bounce, file: stamps.csv, order: n, columns: {time: {from: time_s, sigma: 1 ms}}}\n");
    like($err, qr/^contactfit fit: \S+stamps\.yaml:5:\d+: order: rows of bounce are a record, in its own order\n/, 'a record has its own');
}

# ---- friction for law

{
    my $by = sub { sprintf($study, 'sorted', '') =~ s/^law: f-viscous\n/$_[0]/r };
    my (undef, $fit, $err) = fitted('by_law', $by->("law: f-viscous\n"));
    my (undef, $same) = fitted('by_friction', $by->("friction: f-viscous\n"));
    is($same->{law}, 'f-viscous', 'friction names the law of slides');
    is_deeply($same->{parameters}, $fit->{parameters}, 'which is fitted as by law');
    (undef, my $twice) = fitted('twice_named', $by->("law: f-viscous\nfriction: f-viscous\n"));
    is_deeply($twice->{parameters}, $fit->{parameters}, 'both may say the same');
    (undef, my $rivals) = fitted('rivals', $by->("friction: f-viscous\nrivals: [f-coulomb]\n"));
    is($rivals->{law}, 'f-viscous', 'with rivals');
    for (["law: f-viscous\nfriction: f-coulomb\n", 'friction: f-coulomb is a curve of slides, which stands alone, and law is f-viscous: leave one out'],
         ["law: linear\nfriction: f-coulomb\n", 'friction: f-coulomb is a curve of slides, which stands alone, and law is linear: leave one out; beside that law it is one such as clutch'],
         ["friction: clutch\n", 'law clutch, data set d: friction clutch needs the depth of indentation beside the load, and a slide has none: did you mean clutch-linear?'],
         ["friction: linear\n", 'friction: linear is no law of friction: it is a law: linear'],
         ["friction: f-viscos\n", 'unknown law f-viscos: did you mean f-viscous?'],
         ["law: f-viscous\nfriction: f-viscos\n", 'unknown friction law f-viscos: '],
         ['', 'no key law here: it is needed']) {
        my ($lines, $want) = @$_;
        my ($status, undef, $said) = fitted('wrong', $by->($lines));
        is($status, 1, 'refused: ' . $lines =~ tr/\n/ /r);
        like($said, qr/^contactfit fit: \S+wrong\.yaml:\d+:\d+: \Q$want\E/, 'in words') or diag($said);
    }
    my ($status, undef, $said) = fitted('few', "friction: f-stribeck\ndata:\n  - {name: d, protocol: slide, sigma: {force: 0.1 N}, rows: [{speed: 1 m/s, force: 1 N}]}\n");
    like($said, qr/^contactfit fit: \S+few\.yaml:2:\d+: /, 'too few rows are told at friction') or diag($said);
}

done_testing();
