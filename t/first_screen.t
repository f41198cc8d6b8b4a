#!/usr/bin/perl
# What a reader of a page sees first, and what is folded below it: the verdict, the main figure, the
# numbers with their uncertainty and one command; links that open the rest; short enough to be read.
# t/fits/sample.json is invented for these tests.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Browser;
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my $sample = slurp("$srcdir/t/fits/sample.json");

sub page_of
{
    my ($json) = @_;
    spew("$dir/fit.json", $json);
    unlink "$dir/fit.html";
    my ($exit, $out, $err) = contactfit('report', '-q', "$dir/fit.json");
    is("$exit$err", '0', 'a page');
    return slurp("$dir/fit.html");
}

# What stands open: the text outside of what is folded, with the headings that open it.
sub open_text
{
    my ($html) = @_;
    1 while $html =~ s{<details[^>]*>\s*<summary>((?:(?!<details|</summary>).)*)</summary>(?:(?!<details|</details>).)*</details>}{$1}s;
    $html =~ s{<head>.*?</head>|<svg.*?</svg>|<script.*?</script>}{}gs;
    $html =~ s/<[^>]*>/ /g;
    $html =~ s/&#8239;|&nbsp;|&ensp;/ /g;
    return $html;
}

my ($exit) = contactfit('fit', '-q', "$srcdir/fits/croquet_ball_on_wood.yaml", '--bootstrap', '200', '-o', $dir);
is($exit, 3, 'the croquet ball is a misfit');
my $page = slurp("$dir/croquet_ball_on_wood.html");
my $fit = JSON::PP->new->utf8->decode(slurp("$dir/croquet_ball_on_wood.json"));

# short
my $words = () = open_text($page) =~ /\S+/g;
cmp_ok($words, '<', 900, "$words words stand open");
cmp_ok($words, '>', 100, 'and not nothing');

# the first screen, in its order, before anything that is folded
my @order = ('<nav', 'class="verdict', '<figure id="restitution-log"', '<h2>Result</h2>', '<h2>Next</h2>', '<details');
my @place = map { index $page, $_ } @order;
is_deeply(\@place, [sort { $a <=> $b } grep { $_ > 0 } @place], 'verdict, figure, numbers, command, then what is folded');

# links and what they open are the same, in the same order
my ($nav) = $page =~ m{<nav[^>]*>(.*?)</nav>}s;
my @links = $nav =~ /href="#([^"]+)"/g;
is_deeply(\@links, [$page =~ m{</summary>\n<section id="([^"]+)">}g], 'a link for each section, in order');
cmp_ok(scalar @links, '>', 8, 'of which there are many');

# on paper stands what a reader of paper needs
my @print = $page =~ m{<details class="fold print">\n<summary><h2>[^<]*</h2></summary>\n<section id="([^"]+)">}g;
is("@print", 'why parameters scatter data law making', 'what is printed, open or not');

# numbers: half of the interval with two digits, the value to the same decimal; checked by printf
for my $name ('k', 'lambda') {
    my ($value, $low, $high) = ($fit->{parameters}{$name}{value}, @{$fit->{parameters}{$name}{interval}}{qw(low high)});
    my ($half, $power) = split /e/, sprintf '%.1e', ($high - $low) / 2;
    my ($own) = (sprintf '%e', $value) =~ /e([+-]\d+)/;
    my $decimals = $own - $power + 1;
    my $want = sprintf '(%.*f&#8239;&plusmn;&#8239;%.*f)&#8239;&times;&#8239;10<sup>%d</sup>', $decimals, $value / 10**$own,
        $decimals, $half * 10**($power - $own), $own;
    like($page, qr/<li><i>[^<]+<\/i> = <span class="n">\Q$want\E/, "$name: $want");
}

# the command by the verdict
sub next_of
{
    my ($html) = @_;
    my ($command) = $html =~ m{<pre class="next"><code>(.*?)</code></pre>};
    return $command // 'none';
}
is(next_of($page), 'contactfit fit croquet_ball_on_wood.yaml --law power', 'a rival that the advice names');
sub with
{
    my ($status, %other) = @_;
    my $json = JSON::PP->new->utf8->canonical->pretty->decode($sample);
    $json->{verdict}{status} = $status;
    $json->{verdict}{advice} = ['look at the rows'];
    $json->{verdict}{reasons} = delete $other{reasons} if $other{reasons};
    $json->{$_} = $other{$_} for grep { $_ ne 'path' } keys %other;
    $json->{study}{path} = $other{path} if defined $other{path};
    return JSON::PP->new->utf8->canonical->pretty->encode($json);
}
is(next_of(page_of(with('misfit'))), 'contactfit compare synthetic_sample.yaml', 'a misfit without such a rival: all laws');
is(next_of(page_of(with('undetermined'))), 'contactfit design synthetic_sample.yaml', 'undetermined: the next measurements');
is(next_of(page_of(with('weak'))), 'contactfit design synthetic_sample.yaml', 'weak: too');
is(next_of(page_of(with('failed'))), 'contactfit fit synthetic_sample.yaml --global crs2', 'failed: a global search');
my %of_solver = (rule => 'solver error', word => 'failed', accuses => 'search', text => 'the solver\'s own error');
is(next_of(page_of(with('failed', reasons => [\%of_solver]))), 'contactfit check synthetic_sample.yaml', 'failed by the solver: no search');
is(next_of(page_of(with('good'))), 'contactfit design synthetic_sample.yaml', 'good, without simulators: the next measurements');
is(next_of(page_of(with('weak', path => q{my ball's $(x).yaml}))),
    'contactfit design &#39;my ball&#39;\&#39;&#39;s $(x).yaml&#39;', 'a path is one word of the shell');

# in a browser
SKIP: {
    my $browser = browser();
    skip 'no Chromium: the page is not opened in a browser', $full ? 33 : 25 if !$browser;
    my $seen = q{(() => { const at = document.querySelector('figure').getBoundingClientRect();
        const open = [...document.querySelectorAll('details')].filter(d => d.open).map(d => d.querySelector('section').id);
        return `${at.top < 800} ${at.top > 0} ${open}`; })()};
    $browser->open_page("$dir/croquet_ball_on_wood.html#rivals");
    like($browser->value($seen), qr/ rivals$/, 'a link opens its section without scripts');
    $browser->open_page("$dir/croquet_ball_on_wood.html");
    is($browser->value($seen), 'true true ', 'the first figure begins within 800 pixels of 1200 by 900; nothing stands open');
    my $pages = $browser->printed_pages;
    cmp_ok($pages, '>', 0, 'it prints');
    cmp_ok($pages, '<=', 4, "on $pages pages");
    # other experiments: several channels, data sets, many rows
    # twelve sets, which several scales of one law describe: many rows of parameters and data
    spew("$dir/sets.yaml", "contactfit: study/1\ntitle: synthetic, twelve data sets of invented heights\noptions: {screen: 16, starts: 4}\n"
        . "bodies:\n  floor: {plane: {}, fixed: true}\n  ball: {sphere: {radius: 20 mm}, mass: 100 g}\n"
        . "law: e-log\nfit: {e_at_1: {}, b: {}}\nrivals: [e-constant, e-power]\ndata:\n"
        . join('', map {
            my $set = $_;
            "  - name: heights of throw $set\n    protocol: impact\n    between: [ball, floor]\n    rows:\n"
                . join('', map { sprintf "      - {speed: %.4f, restitution: %.5f}\n", $_, 0.8 - 0.03 * log($_) + 0.01 * sin(7.3 * $_ * $set) } map { 0.5 + 0.2 * $_ } 0 .. 9)
                . "    sigma: {restitution: estimate}\n    exclude: [" . join(', ', map { "{row: $_, because: the hand was seen at it}" } map { 16 * $set - 1 + $_ } 1, 3) . "]\n"
        } 1 .. 12));
    my ($fitted, $out, $err) = contactfit('fit', '-q', "$dir/sets.yaml", '-o', $dir);
    ok($fitted == 0 || $fitted == 3, 'twelve sets: a fit') or diag($out, $err);
    for my $name (qw(golf_ball_bounces cube_tosses synthetic_bowden_leben synthetic_accommodation_joint sets),
        $full ? qw(alumina_on_glass indentation_synthetic_gel synthetic_tap synthetic_force_accommodation) : ()) {
        contactfit('report', '-q', $name eq 'sets' ? "$dir/sets.json" : "$srcdir/fits/$name.json", '-o', "$dir/$name.html");
        cmp_ok(-s "$dir/$name.html", '<', 600_000, "$name: its weight");
        $browser->open_page("$dir/$name.html");
        $pages = $browser->printed_pages;
        ok($pages > 1 && $pages <= 4, "$name on $pages pages");
    }
    # a tournament: of each law its name and numbers, which a style of the figures once hid
    contactfit('compare', '-q', "$srcdir/fits/croquet_ball_on_wood.yaml", '-o', $dir);
    my $laws = slurp("$dir/croquet_ball_on_wood-compare.html");
    my ($fold) = $laws =~ m{<details class="fold print">\n<summary><h2>The tournament</h2>};
    ok($fold, 'a tournament');
    unlike($laws, qr{<details class="fold print">\n<summary><h2>Residuals}, 'without the residuals of one law on paper');
    $browser->open_page("$dir/croquet_ball_on_wood-compare.html");
    $pages = $browser->printed_pages;
    ok($pages > 1 && $pages <= 4, "it prints on $pages pages");
    my ($rows, $well) = @{$browser->value(q{(() => {
        document.querySelectorAll('details').forEach(d => d.open = true);
        const rows = [...document.querySelectorAll('tr.over')], at = e => e.getBoundingClientRect();
        const well = rows.filter(r => getComputedStyle(r).position === 'static' && at(r).height > 10 && at(r).bottom <= at(r.nextElementSibling).top + 1);
        return [rows.length, well.length]; })()})};
    ok($rows > 3 && $rows == $well, 'each row stands above what is said of it') or diag("$rows $well");
    # new data: whole tosses of seven quantities, and twelve sets of which some are off
    (my $new = slurp("$dir/sets.yaml")) =~ s/(name: heights of throw (\d+)\n.*?)(?=  - name|\z)/my ($set, $i) = ($1, $2); $set =~ s{restitution: 0\.(\d)}{'restitution: 0.' . ($1 - ($i % 2))}ge; $set/gse;
    spew("$dir/new.yaml", $new);
    for my $case (["$srcdir/fits/cube_tosses.json", "$srcdir/fits/cube_tosses_held_out.yaml"], ["$dir/sets.json", "$dir/new.yaml"]) {
        my ($exit) = contactfit('validate', '-q', @$case, '-o', $dir);
        my ($name) = $case->[1] =~ m{([^/]+)\.yaml$};
        is($exit, 3, "$name: disagrees");
        cmp_ok(-s "$dir/$name-validate.html", '<', 600_000, "$name: its weight");
        $browser->open_page("$dir/$name-validate.html");
        $pages = $browser->printed_pages;
        ok($pages > 0 && $pages <= 4, "$name on $pages pages");
    }
}

done_testing();
