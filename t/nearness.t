#!/usr/bin/perl
# What a page says and draws of how near the curve is to what was measured: the limits of the fit
# file in sentences, a table and a figure. Measurements are made here by formulas.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my $json = JSON::PP->new->utf8->canonical;
my $ball = "bodies:\n  floor: {plane: {}, fixed: true}\n  ball: {sphere: {radius: 20 mm}, mass: 100 g}\n";
my $fast = "options: {screen: 16, starts: 4}\nrivals: []\n";

# A study by its lines; its fit file and its page.
sub fitted
{
    my ($name, $lines) = @_;
    spew("$dir/$name.yaml", "contactfit: study/1\ntitle: synthetic, of formulas\n$fast$lines");
    my ($exit, $out, $err) = contactfit('fit', '-q', "$dir/$name.yaml", '-o', $dir);
    ok($exit == 0 || $exit == 3, "$name: a fit") or diag($out, $err);
    return ($json->decode(slurp("$dir/$name.json")), slurp("$dir/$name.html"));
}

# The panels of the figure, each its series by their titles, with the rows that points are of.
sub drawn
{
    my ($page) = @_;
    my ($figure) = $page =~ m{<figure id="difference">(.*?)</figure>}s or return;
    my ($block) = $figure =~ m{<script type="application/json"[^>]*>(.*?)</script>}s;
    my ($rows) = $page =~ m{<script type="application/json"[^>]* id="live-rows"[^>]*>(.*?)</script>}s;
    $rows = $json->decode($rows // '{}');
    my @panels;
    for my $panel (@{$json->decode($block)->{panels}}) {
        my %of;
        for my $series (@{$panel->{series}}) {
            my ($x, $y) = @{$series->{by} // []};
            $of{$series->{title} || $series->{kind}} = $series->{points}
                // [map { [$x * $rows->{rows}[$_][3], $y * $rows->{rows}[$_][$series->{field}]] } @{$series->{rows}}];
        }
        push @panels, \%of;
    }
    return @panels;
}

sub cells
{
    my ($page) = @_;
    my ($section) = $page =~ m{<section id="near">(.*?)</section>}s or return;
    my @rows;
    for my $row ($section =~ m{<tbody>(.*?)</tbody>}s ? $1 =~ m{<tr>(.*?)</tr>}gs : $section =~ m{<tr>(<td.*?)</tr>}gs) {
        push @rows, [map { s/<br>/ | /gr =~ s/<[^>]*>//gr =~ s/&#8239;| / /gr =~ s/&minus;/-/gr =~ s/&times;/x/gr } $row =~ m{<td[^>]*>(.*?)</td>}gs];
    }
    return @rows;
}

sub heights_of { my ($points) = @_; return map { $_->[1] } grep { defined $_->[1] } @$points }

# impacts: a law with one bow less than the measurements have
my @speeds = map { 0.5 * 1.2**$_ } 0 .. 12;
my $rows = join '', map { sprintf "      - {speed: %.5f, restitution: %.5f}\n", $_, 0.8 - 0.03 * log($_) + 0.006 * sin(3 * log $_) } @speeds;
my $impacts = "$ball" . "law: e-log\nfit: {e_at_1: {}, b: {}}\ndata:\n  - name: drops\n    protocol: impact\n    between: [ball, floor]\n"
    . "    rows:\n$rows    sigma: {restitution: 0.001}\nhold-out:\n  - {data: drops, where: \"speed > 4 m/s\"}\n";
my ($fit, $page) = fitted('bow', "needed: {restitution: 0.02}\n$impacts");
my ($entry) = @{$fit->{adequacy}};
is(scalar @{$fit->{adequacy}}, 1, 'one range');

my ($said) = $page =~ m{<h2>How near is the curve\?</h2>\n<ul[^>]*>\n<li>(.*?)</li>};
is(($said // '') =~ s/<[^>]*>//gr =~ s/&#8239;/ /gr, $entry->{text}, 'the first screen has its sentence');
like($page, qr{At <span class="n">95</span>&#8239;%, for this|At 95&#8239;%, for this}, 'with its level');
my @place = map { index $page, $_ } '<h2>Result', '<h2>How near is', '<h2>Next', 'id="near"', '<h2>Parameters';
is_deeply(\@place, [sort { $a <=> $b } grep { $_ > 0 } @place], 'behind the result, and its section before the parameters');
like($page, qr{<a href="#near">}, 'to which a link leads');

my ($cells) = cells($page);
is($cells->[0], sprintf('coefficient of restitution | %.3g to %.3g m/s | %d rows at %d places', $entry->{low}, $entry->{high}, ($entry->{rows}) x 2),
    'the quantity and its range');
is($cells->[1], sprintf('%.2g | %.2g %%', $entry->{in_unit}{at_most}, 100 * $entry->{relative}{at_most}), 'at most');
is($cells->[2], sprintf('%.2g', $entry->{in_unit}{at_least}), 'at least');
is($cells->[3], sprintf('%.3g m/s', $entry->{worst_at}), 'worst at');
is($cells->[4], sprintf('x %.3g', ($entry->{high} / $entry->{low})**$entry->{reference}{resolution}), 'the resolution of a logarithmic axis is a factor');
is($cells->[5], '0.02 adequate', 'needed, and its answer');

my ($panel, @more) = drawn($page);
is(scalar @more, 0, 'one panel');
my ($e, $slope) = map { $fit->{parameters}{$_}{value} } qw(e_at_1 b);
my @inside = grep { $_ <= 4 } @speeds;
my @want = map { 0.8 - 0.03 * log($_) + 0.006 * sin(3 * log $_) - ($e - $slope * log $_) } @inside;
my @points = @{$panel->{measured}};
is(scalar @points, scalar @inside, 'measurements of the range, and not what is held out beyond it');
is(scalar(grep { abs($points[$_][0] - $inside[$_]) > 1e-4 || abs($points[$_][1] - $want[$_]) > 2e-5 } 0 .. $#inside), 0,
    'each as far from the curve as it is');
for my $line (['off by at most', $entry->{in_unit}{at_most}], ['needed', 0.02]) {
    my ($title, $value) = @$line;
    is(scalar(grep { abs(abs($_) / $value - 1) > 1e-5 } heights_of($panel->{$title})), 0, "$title: lines at its value");
    is((grep { $_ > 0 } heights_of($panel->{$title})) . (grep { $_ < 0 } heights_of($panel->{$title})), '22', 'above and below');
}
my $reference = $entry->{reference};
is(scalar(grep { abs($_->[3] - $_->[1] - $reference->{simultaneous} * $reference->{standard_error}[0]) < 1e-7 } $panel->{band}[0]), 1,
    'the band is the simultaneous one');
is_deeply([map { sprintf '%.5f', abs } @{$panel->{'worst place'}[0]}], [map { sprintf '%.5f', $_ } $entry->{worst_at}, $entry->{in_unit}{at_most}],
    'the worst place, on its limit');

# a need that is far away leaves the frame, and is said
($fit, $page) = fitted('far', "needed: {restitution: 0.5}\n$impacts");
ok((drawn($page))[0]{'needed, beyond the frame'}, 'a far need has its entry');
like($page, qr{"y":\{"low":-0\.0\d}, 'and does not press the rest flat');

# friction: both directions of the axis, and a need that is a share of the curve
my $torque = sub { my ($w) = @_; return ($w < 0 ? -1 : 1) * (0.4 + 0.02 * abs($w) + 0.004 * sin(2.1 * abs $w)) };
($fit, $page) = fitted('two sides' =~ s/ /_/r, "needed: {torque: 5 %}\nlaw: t-viscous\ndata:\n  - name: drive\n    protocol: slide_rotary\n    rows:\n"
    . join('', map { sprintf "      - {speed: %.3f, torque: %.5f}\n", $_, $torque->($_) } map { ($_, -$_) } map { 0.5 + 0.7 * $_ } 0 .. 9)
    . "    sigma: {torque: estimate}\n");
my @panels = drawn($page);
is(scalar @{$fit->{adequacy}}, 2, 'two ranges');
is(scalar @panels, 2, 'a panel each');
for my $i (0, 1) {
    my $entry = $fit->{adequacy}[$i];
    my $side = $entry->{low} < 0 ? -1 : 1;
    is(scalar(grep { $side * $_->[0] < 0 } @{$panels[$i]{measured}}), 0, 'with the measurements of its side');
    is(scalar @{$panels[$i]{measured}}, 10, 'all of them');
    my @lines = grep { $_ > 0 } heights_of($panels[$i]{needed});
    my ($most) = sort { $b <=> $a } map { 0.05 * abs } @{$entry->{reference}{law}};
    my $unit = $most < 0.5 ? 1000 : 1;    # in mN m
    my ($drawn) = sort { $b <=> $a } @lines;
    cmp_ok(abs($drawn / $unit / $most - 1), '<', 1e-4, 'its share of the curve');
    my $cell = (cells($page))[$i];
    is($cell->[4], sprintf('%.2g rad/s', $entry->{reference}{resolution} * abs($entry->{high} - $entry->{low})), 'on a linear axis the resolution is a length');
    like($cell->[5], qr{^5 % \Q$entry->{needed}{answer}\E$}, 'and the answer');
}

# measured as another quantity: heights tell e by a root
my @drops = map { 0.1 * 1.5**$_ } 0 .. 8;
($fit, $page) = fitted('heights', "$ball" . "law: e-constant\ndata:\n  - name: drops\n    protocol: impact\n    between: [ball, floor]\n    rows:\n"
    . join('', map { sprintf "      - {drop_height: %.5f m, rebound_height: %.6f m}\n", $_, $_ * (0.8 + 0.004 * sin(9 * $_))**2 } @drops)
    . "    sigma: {rebound_height: estimate}\n");
($panel) = drawn($page);
my ($constant) = map { $fit->{parameters}{e}{value} } 1;
@want = map { 0.8 + 0.004 * sin(9 * $_) - $constant } @drops;
is(scalar @{$panel->{measured}}, 9, 'heights are drawn as e');
is(scalar(grep { abs($panel->{measured}[$_][1] - $want[$_]) > 1e-4 } 0 .. 8), 0, 'as far from the curve as their e is');

# too few places
($fit, $page) = fitted('few', "$ball" . "law: e-constant\ndata:\n  - name: drops\n    protocol: impact\n    between: [ball, floor]\n    rows:\n"
    . join('', map { my $v = $_; map { sprintf "      - {speed: %g, restitution: %.4f}\n", $v, 0.8 + 0.003 * sin(17 * $v + 5 * $_) } 1 .. 4 } 1 .. 4)
    . "    sigma: {restitution: estimate}\n");
is(scalar(@{[drawn($page)]}), 0, 'too few places: nothing is drawn');
is(join(' ', @{(cells($page))[0]}[1 .. 5]), join(' ', ('&ndash;') x 5), 'no limits');
like($page, qr{too few places along the axis: measure at 6 or more}, 'and what would tell');

# fit files: of before, with hostile text, and with numbers of what is not there
my $sample = $json->decode(slurp("$srcdir/t/fits/sample.json"));
sub page_of
{
    my ($fit) = @_;
    spew("$dir/other.json", $json->encode($fit));
    unlink "$dir/other.html";
    my ($exit, $out, $err) = contactfit('report', '-q', "$dir/other.json");
    return (slurp("$dir/other.html"), "$exit$err");
}
unlike((page_of($sample))[0], qr/id="near"|How near is/, 'a fit without limits has no section of them');
$sample->{adequacy} = [{%$entry, text => q{<b>`touch pwned`</b>}}];
my ($html, $told) = page_of($sample);
is($told, '0', 'limits of a fit file');
like($html, qr/&lt;b&gt;&#96;touch pwned&#96;&lt;\/b&gt;/, 'their text is escaped');
ok(!-e "$dir/pwned" && !-e 'pwned', 'and no command is run');
for my $bad ([data => 7, qr/adequacy\[0\]: data 7 of 2: counted from 0/], [channel => 'speeed', qr/adequacy\[0\]: channel: data 0 has no channel "speeed"/],
    [branch => q{'; system('touch pwned')}, qr/adequacy\[0\].branch/]) {
    my ($key, $value, $want) = @$bad;
    $sample->{adequacy} = [{%$entry, $key => $value}];
    like((page_of($sample))[1], $want, "$key: $value is refused");
}

done_testing();
