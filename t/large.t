#!/usr/bin/perl
# A study with more rows than a fit file holds: what is held is told in the file, on the page and by
# validate, and neither grows with the rows. The data are synthetic.

use strict;
use warnings;
use lib ($ENV{srcdir} // '.') . '/t/lib';
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Synthetic qw(normal);
use Test::More;

draw_no_figures();

my ($rows, $held) = (1200, 100);    # 1100 of them are fitted
my $dir = tempdir(CLEANUP => 1);
open my $csv, '>', "$dir/drops.csv" or die $!;
print {$csv} "speed_m_s,e\n";
for my $i (0 .. $rows - 1) {
    my $speed = 0.2 * 20 ** ($i * 1009 % $rows / ($rows - 1));    # in no order
    my $e = 0.8 * $speed ** -0.05 + 0.002 * normal();
    $e += 0.02 if $i == 500;    # and one that stands off
    printf {$csv} "%.17g,%.17g\n", $speed, $e;
}
close $csv;
spew("$dir/drops.yaml", <<'END');
contactfit: study/1
title: Many drops
bodies: {ball: {sphere: {diameter: 40 mm}, mass: 50 g}, block: {plane: {}, fixed: true}}
law: e-power
fit: {e_at_1: {}, q: {}}
data:
  - name: drops
    protocol: impact
    file: drops.csv
    columns: {speed: speed_m_s, restitution: {from: e, sigma: 0.002}}
hold-out:
  - {data: drops, where: "speed > 3.1 m/s"}
END

my ($code, $out, $err) = contactfit({in => $dir}, 'fit', 'drops.yaml');
like($out, qr/^(?:good|weak|misfit)/, "fitted: $err");
my $fit = decode_json(slurp("$dir/drops.json"));
my @fitted = grep { $_->{use} eq 'fit' } @{$fit->{observations}};
my $n = $fit->{statistics}{n};
cmp_ok($n, '>', 1000, 'more rows than are held');
is($fit->{points}{of}, $rows, 'how many rows there are');
is($fit->{points}{held}, scalar @{$fit->{observations}}, 'how many are held');
is(scalar @{$fit->{headline_points}}, $fit->{points}{held}, 'points of the figure are the same');
cmp_ok(scalar @fitted, '<=', 250 + 1 + @{$fit->{outliers}}, 'of the fitted ones some 250');
is(@{$fit->{observations}} - @fitted, $rows - $n, 'those held out are few, and all there');
my @speed = sort { $a <=> $b } map { $_->{abscissa} } @fitted;
is_deeply([@speed[0, -1]], [@{$fit->{data}[0]{axis}}{qw(low high)}], 'both ends of the axis');
ok((grep { $_->{line} == 502 } @{$fit->{outliers}}), 'the row that stands off is found');
for my $outlier (@{$fit->{outliers}}) {
    ok((grep { $_->{line} == $outlier->{line} } @fitted), "line $outlier->{line}, flagged, is held");
}
my $page = slurp("$dir/drops.html");
like($page, qr/ Drawn are $fit->{points}{held} of $rows rows: where a quantity has more than 1000, some 250 of each data set/,
     'the page says what is drawn');
cmp_ok(length $page, '<', 1_000_000, 'and stays below 1 MB');

# by the hash of the file, rows that the fit file does not hold are known as fitted
($code, $out, $err) = contactfit({in => $dir}, 'validate', 'drops.json', 'drops.yaml');
(my $line = $out) =~ s/\s+/ /g;
like($line, qr/drops is a file that was fitted, by its hash; .* so that its $rows values are all taken as fitted/,
     'validate: the same file');
(my $new = slurp("$dir/drops.csv")) =~ s/\n/\n1,0.8\n/;
spew("$dir/drops.csv", $new);
($code, $out, $err) = contactfit({in => $dir}, 'validate', 'drops.json', 'drops.yaml');
unlike($out, qr/fitted, by its hash/, 'validate: another one');

done_testing();
