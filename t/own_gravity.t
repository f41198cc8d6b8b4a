#!/usr/bin/perl
# Gravity of a data set: what falls elsewhere, or on an incline, beside what falls here, in one study.
# e = 0.82 - 0.04 ln v in all of it, flights by v = g t/2 and v^2 = 2 g h.

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
my %truth = (e_at_1 => 0.82, b => 0.04);
my ($here, $moon) = (9.80665, 1.62);

sub e_of
{
    my ($v) = @_;
    return $truth{e_at_1} - $truth{b} * log($v) + 0.002 * normal();
}

# Speeds of a throw's impacts and the times between them.
sub stamps
{
    my ($g) = @_;
    my $text = "throw,time_s\n";
    for my $throw (1 .. 12) {
        my ($v, $t) = (2.2 + 0.1 * $throw, 0.2);
        $text .= sprintf "%d,%.9f\n", $throw, $t;
        while ($v > 0.4) {
            $v *= e_of($v);
            $t += 2 * $v / $g;
            $text .= sprintf "%d,%.9f\n", $throw, $t;
        }
    }
    return $text;
}

# Heights over time, 240 in a second of the fall here.
sub heights
{
    my ($g) = @_;
    my $text = "throw,time_s,height_mm\n";
    my $every = $g ** -1 * $here / 240;
    for my $throw (1 .. 6) {
        my ($v, $begun) = (2.2 + 0.1 * $throw, 0);
        for my $flight (1 .. 7) {
            my $long = 2 * $v / $g;
            for (my $t = $every * int($begun / $every + 1); $t < $begun + $long; $t += $every) {
                my $since = $t - $begun;
                $text .= sprintf "%d,%.9f,%.6f\n", $throw, $t, 1e3 * ($v * $since - $g * $since**2 / 2) + 0.05 * normal();
            }
            $begun += $long;
            $v *= e_of($v);
        }
    }
    return $text;
}

sub drops
{
    my ($g) = @_;
    my $text = "drop_m,e\n";
    for my $i (1 .. 30) {
        my $height = 0.03 * $i;
        $text .= sprintf "%.9g,%.9g\n", $height, e_of(sqrt(2 * $g * $height));
    }
    return $text;
}

my %kind = (
    bounce => [\&stamps, '{time: time_s, throw: throw}'],
    bounce_heights => [\&heights, '{time: time_s, throw: throw, height: height_mm}'],
    impact => [\&drops, '{drop_height: drop_m, restitution: {from: e, sigma: 0.002}}'],
);

# A study of data sets [NAME, PROTOCOL, apparatus, more].
sub study_of
{
    my ($name, $head, @sets) = @_;
    my $text = "contactfit: study/1\n${head}bodies:\n  ball: {sphere: {diameter: 40 mm}, mass: 50 g}\n"
        . "  floor: {plane: {}, fixed: true}\nlaw: e-log\ndata:\n";
    for my $set (@sets) {
        my ($file, $protocol, $apparatus, $more) = @$set;
        $text .= "  - name: $file\n    protocol: $protocol\n    file: $file.csv\n    columns: $kind{$protocol}[1]\n"
            . "    apparatus: {drag_coefficient: 0$apparatus}\n" . ($more // '');
    }
    spew("$dir/$name.yaml", $text);
    return "$dir/$name.yaml";
}

sub values_of
{
    my ($fit) = @_;
    return map { $fit->{parameters}{$_}{value} } sort keys %truth;
}

for my $protocol (sort keys %kind) {
    my ($make) = @{$kind{$protocol}};
    spew("$dir/$protocol-here.csv", $make->($here));
    spew("$dir/$protocol-moon.csv", $make->($moon));
    my @moon = ("$protocol-moon", $protocol);

    my (undef, $own, $out, $err) = fit_of($dir, study_of("$protocol-own", '', [@moon, ', gravity: 1.62 m/s^2']));
    my ($e, $b) = @{$own->{parameters}}{qw(e_at_1 b)};
    ok(abs($e->{value} - 0.82) < 0.002 && abs($b->{value} - 0.04) < 0.006,
        "$protocol: the truth, from what fell on the moon") or diag($out, $err);
    is($own->{data}[0]{apparatus}{gravity}{value}, 1.62, 'its gravity is in the fit');
    my (undef, $whole) = fit_of($dir, study_of("$protocol-whole", "gravity: 1.62 m/s^2\n", [@moon, '']));
    is_deeply([values_of($own)], [values_of($whole)], 'as by the gravity of the study');
    is($whole->{data}[0]{apparatus}{gravity}{value}, 1.62, 'which is that of the data set');

    my (undef, $both, $said) = fit_of($dir, study_of("$protocol-both", '', [@moon, ', gravity: 1.62 m/s^2'],
        ["$protocol-here", $protocol, '']));
    is($both->{verdict}{status}, 'good', 'beside what fell here') or diag($said);
    is($both->{data}[1]{apparatus}{gravity}{value}, $here, 'which has the gravity of the study');
    if ($protocol ne 'bounce_heights') {    # there a gravity that is wrong is refused
        my (undef, $wrong) = fit_of($dir, study_of("$protocol-wrong", '', [@moon, ''], ["$protocol-here", $protocol, '']));
        isnt($wrong->{verdict}{status}, 'good', 'without it they do not agree');
    }

    my (undef, $sure, $budget) = fit_of($dir, study_of("$protocol-sure", '', [@moon, ', gravity: 1.62 m/s^2 +- 5 %']));
    like($budget, qr/gravity/, 'what it may be off by is in the budget');
    my ($status, undef, $refused) = contactfit('fit', study_of("$protocol-free", "gravity: 1.62 m/s^2\n",
        [@moon, '', "    nuisance: {gravity: {}}\n"]));
    is($status, 1, 'it is not fitted');
    like($refused, qr/gravity is stated under apparatus, and never fitted/, 'and says so');
}

# What a fit holds is what predictions go by, of a data set as of a study.
for my $name ('own', 'whole') {
    my ($status, $out, $err) = contactfit('predict', "$dir/impact-$name.json", '--drop-height', '0.5 m', '--json');
    my ($restitution) = ($out // '') =~ /"restitution":\s*\{\s*"value":\s*([\d.]+)/;
    is_within($restitution, $truth{e_at_1} - $truth{b} * log(sqrt(2 * 1.62 * 0.5)), 2e-3, "impact-$name: e behind a fall of 0.5 m")
        or diag($out, $err);
}

# A toss has the gravity of its study, too.
{
    my $study = slurp("$srcdir/fits/cube_tosses.yaml");
    my $file = "$srcdir/data/cube_tosses_contactnets.csv";
    $study =~ s{\.\./data/}{$srcdir/data/}g;
    ok($study =~ s/gravity: 9\.81 m\/s\^2,\s*//, 'tosses without a gravity of their own');
    ok($study =~ s/^(title:)/gravity: 3.7 m\/s^2\n$1/m, 'in a study that has one');
    spew("$dir/tosses.yaml", $study);
    my ($status, undef, $err) = contactfit('check', "$dir/tosses.yaml");
    my ($other, undef, $as) = contactfit('check', do {
        spew("$dir/stated.yaml", slurp("$srcdir/fits/cube_tosses.yaml") =~ s{\.\./data/}{$srcdir/data/}gr
            =~ s/gravity: 9\.81 m\/s\^2/gravity: 3.7 m\/s^2/r);
        "$dir/stated.yaml";
    });
    is($err =~ s/tosses\.yaml//gr, $as =~ s/stated\.yaml//gr, 'are read as with that gravity');
}

done_testing();
