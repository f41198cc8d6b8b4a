#!/usr/bin/perl
# Markers of data sets: without their colours and sizes, rows that were held out differ from the
# fitted ones of every set, in the figures, in their keys and in what the script draws from; a plus
# and a star, which have no inside, stand in a ring. All data here are synthetic.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my @names = map { "rig no. $_ of the lab" } 1 .. 8;

my $study = "contactfit: study/1\ntitle: Synthetic, of eight sets\noptions: {screen: 16, starts: 4}\nbodies:\n"
    . "  floor: {plane: {}, fixed: true}\n  ball: {sphere: {radius: 20 mm}, mass: 100 g}\nlaw: e-log\nrivals: []\ndata:\n";
for my $set (0 .. $#names) {
    $study .= "  - name: $names[$set]\n    protocol: impact\n    between: [ball, floor]\n    rows:\n";
    for my $i (0 .. 5) {
        my $v = (0.5 + 0.01 * $set) * 10 ** ($i / 5);
        $study .= sprintf "      - {speed: %.5f, restitution: %.6f}\n", $v,
            0.8 - 0.03 * log($v) + 0.01 * sin(17 * ($set + 9 * $i));
    }
    $study .= "    sigma: {restitution: 0.01}\n";
}
$study .= "hold-out:\n" . join '', map { "  - {data: $_, where: \"speed > 4 m/s\"}\n" } @names;
spew("$dir/held.yaml", $study);
my ($exit, undef, $err) = contactfit('fit', '-q', "$dir/held.yaml", '-o', $dir);
ok(-s "$dir/held.json", 'eight sets are fitted') or diag($err);

# The shapes about each point of a plot of this title, and of its entry in the key; the ring is a
# plot of its own, whose title is a blank.
sub shapes
{
    my ($svg, $title) = @_;
    my %at;
    while ($svg =~ m{<g id="gnuplot_plot_\w+" ?><title>([^<]*)</title>(.*?)(?=<g id="gnuplot_plot_|\z)}gs) {
        my ($plot, $body) = ($1, $2);
        next if $plot ne $title && $plot ne ' ';
        while ($body =~ m{<use xlink:href='#(gpPt\d+)' transform='translate\(([^)]*)\) scale\([\d.]+\)' color='([^']*)'}g) {
            my ($shape, $place, $colour) = ($1, $2, $3 =~ tr/ //dr);
            $at{$place} .= " $shape" if $colour ne '#FFFFFF' && ($plot eq $title || defined $at{$place});
        }
    }
    my %look = map { $_ => 1 } values %at;
    return sort keys %look;
}

for my $figure (qw(restitution-log restitution residuals)) {
    contactfit('plot', '-q', "$dir/held.json", '--figure', $figure, '-o', $dir);
    my $svg = slurp("$dir/held-$figure.svg");
    my %look;
    for my $name (@names) {
        my ($fitted, $held) = map { [shapes($svg, $_)] } $name, "$name, held out";
        is_deeply([scalar @$fitted, scalar @$held], [1, 1], "$figure, $name: points and entries look alike");
        isnt($fitted->[0], $held->[0], "$figure, $name: held-out rows have another shape");
        $look{"@$_"}++ for $fitted, $held;
    }
    is(scalar keys %look, 16, "$figure: eight sets and their held-out rows have sixteen shapes");
    is(scalar(grep { /gpPt5$/ && / .* / } keys %look), 2, "$figure: two of them in a ring");
}

my ($block) = slurp("$dir/held.html") =~ m{<script type="application/json"[^>]*>(\{"[^<]*"panels"[^<]*)</script>};
my %live;
for my $series (map { @{$_->{series}} } @{decode_json($block // '{}')->{panels} // []}) {
    $live{join ' ', @{$series}{qw(marker filled)}, $series->{ring} > 0 ? 'ring' : ''}++
        if $series->{title} =~ /^rig/ && $series->{marker};
}
is(scalar keys %live, 16, 'and for the script') or diag(join ' | ', sort keys %live);
is_deeply([sort grep { /ring/ } keys %live], ['plus 0 ring', 'star 0 ring'], 'with the same two rings');

done_testing();
