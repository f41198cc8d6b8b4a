#!/usr/bin/perl
# The page of a fit: whole, self-contained, in order, and safe against text in files.
# t/fits/sample.json is invented for these tests.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Browser;
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Svg ();
use Test::More;

my $folder = tempdir(CLEANUP => 1);

# Run a command; its exit status and what it said on standard error.
sub run
{
    my ($command) = @_;
    system("$command >$folder/out 2>$folder/err");
    return ($? >> 8, slurp("$folder/err"));
}

# A page without the one script of ours, which t/live.t tests.
sub unscripted
{
    my ($html) = @_;
    return $html =~ s{<script>'use strict';.*?</script>\n}{}sr;
}

# The page of a fit file's text, without it.
sub page
{
    my ($text) = @_;
    spew("$folder/fit.json", $text);
    unlink "$folder/fit.html";
    my ($exit, $err) = run("cd $folder && $program report -q fit.json");
    is("$exit $err", '0 ', 'a page is written, silently');
    return unscripted(slurp("$folder/fit.html"));
}

sub tags
{
    my ($html) = @_;
    $html =~ s{<svg.*?</svg>}{}gs;
    return join ' ', $html =~ m{<(/?[a-zA-Z][a-zA-Z0-9]*)}g;
}

sub figures
{
    my ($html) = @_;
    my @all = $html =~ m{(<svg class="f".*?</svg>)}gs;
    return @all;
}

# Every element is closed, in order.
sub balanced
{
    my ($html) = @_;
    my %void = map { $_ => 1 } qw(meta img br);
    my @open;
    for my $tag (split ' ', tags($html)) {
        next if $void{$tag};
        if ($tag =~ m{^/(.*)}) {
            my $last = pop @open // 'nothing';
            return "</$1> closes $last" if $last ne $1;
        } else {
            push @open, $tag;
        }
    }
    return @open ? "open: @open" : '';
}

my $sample = slurp("$srcdir/t/fits/sample.json");
my $page = page($sample);

# self-contained
like($page, qr/^<!DOCTYPE html>\n<html lang="en">/, 'HTML 5');
is(balanced($page), '', 'all elements are closed');
like($page, qr/<meta charset="utf-8">/, 'its encoding');
like($page, qr/<meta name="viewport" content="width=device-width, initial-scale=1">/, 'for a phone');
like($page, qr/content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-[\w+\/]{43}='"/, 'its policy');
unlike($page, qr/<(?:script(?! type="application\/json")|link|iframe|object|embed|base|form)\b/i, 'no element that loads or leads');
unlike($page, qr/\son\w+=|javascript:|\@import|url\((?!#[\w-]+\))|http-equiv="refresh"/i, 'no hidden ways to');
is_deeply([grep { !m{^#} } $page =~ m{\b(?:src|href|srcset|action)="([^"]*)"}g],
    [], 'every link is within the page');

# figures
my ($exit, $help) = run("$program plot --help");
my @names = slurp("$folder/out") =~ m{^  ([a-z][a-z-]*)  +\S.*$}mg;
s/^headline/restitution/ for @names;    # so it is called for impacts
@names = grep { $page =~ /id="\Q$_\E"/ } @names;
is_deeply(\@names, [qw(restitution-log restitution measurements residuals quantiles profiles correlation starts evidence)],
    'every figure that plot --help lists is there');
my @figures = figures($page);
is(scalar @figures, scalar @names, 'an image each');
is(join('', map { Svg::balanced($_) } @figures), '', 'each a whole SVG');
is(scalar(grep { /<title id="[\w-]+">[^<]{6,}<\/title>\n<desc id="[\w-]+">[^<]{10,}<\/desc>/ } @figures), scalar @names, 'each with a text for who cannot see');
is(scalar(() = $page =~ /<figcaption>.{40,}?<\/figcaption>/gs), scalar @names, 'each with a caption');
like($figures[0], qr/(?=.*approach speed)(?=.*coefficient of restitution)(?=.*hunt-crossley)/s, 'axes and rivals are named');

# order and words
my @order = ('<nav', 'Misfit', 'not to be trusted', 'id="restitution-log"', '<h2>Result', '<h2>Next',
    '<h3>Why', '<h3>What to do', '<h2>Parameters', 'What the data do identify', 'id="restitution"',
    'id="measurements"', 'id="residuals"', 'Residual tests', 'id="profiles"', 'id="correlation"', 'id="starts"',
    '<h2>Rival laws',
    'Rows held out of the fit', '<h2>Data</h2>', 'Excluded by the study', '<h2>The law',
    '<h2>How this was made', '<h3>How to cite');
my @place = map { index $page, $_ } @order;
is_deeply(\@place, [sort { $a <=> $b } @place], 'the verdict is on top, the rest in order');
is(scalar(grep { $_ < 0 } @place), 0, 'and all of it is there');
like($page, qr{<b>e-log</b> has the lowest AICc of all laws compared on the same 7 rows},
    'the best law is named in words');
like($page, qr{considerably less supported than the best}, 'and what its lead means');
like($page, qr{not compared: 3 parameters beside m}, 'a rival that failed says why');
like($page, qr{<span class="tag warn">rejects the law</span> residuals fall with speed},
    'a test that rejects says so in words');
like($page, qr{line 5: the ball was touched &lt;before&gt; it fell &amp; &quot;spun&quot;},
    'an excluded row has its reason');
like($page, qr{<code>0c87ed818fb90f3f88faa6b362cf1e99}, 'the hash of the study');
like($page, qr{N/m<sup>1\.5</sup>}, 'units are set');
is(page($sample), $page, 'the same bytes every time');

# a parameter that is not identified is never a number with a small error
(my $flat = $sample) =~ s/("role": "fitted",\n\s*"verdict": )"fine"/$1"flat", "verdict_text": "flat with lambda"/;
my ($value, $low) = map { sprintf '%.3g', $_ / 1e8 } $sample =~ /"k": \{\s*"value": ([0-9.]+).*?"low": ([0-9.]+)/s;
my ($row) = page($flat) =~ m{(<tr><td><i>k</i>.*?</tr>)}s;
like($row, qr{<td>not determined</td><td><span class="tag warn">flat with <i>λ</i></span>}, 'flat');
unlike($row, qr/\Q$value\E|\Q$low\E|\[/, 'neither its value nor its interval is shown');
my ($known) = $page =~ m{(<tr><td><i>k</i>.*?</tr>)}s;
like($known, qr/\Q$value\E.*\[\Q$low\E/, 'which an identified parameter has');

# on the first screen +- where the interval is about even, both ends where it is not
for my $case ([2.19e8, qr/k<\/i> = <span class="n">\(2\.00&#8239;&plusmn;&#8239;0\.14\)/], [2.21e8, qr/k<\/i> = <span class="n">2\.00 \[1\.90, 2\.21\]/]) {
    my ($high, $want) = @$case;
    (my $moved = $sample) =~ s/("k": \{\s*"value": )[0-9.]+(.*?"low": )[0-9.]+(.*?"high": )[0-9.]+/${1}2e8${2}1.9e8$3$high/s;
    my ($first) = page($moved) =~ m{(<section class="numbers">.*?</section>)}s;
    like($first, $want, "ends of 1.9e8 and $high about 2e8");
}

# lines behind each other that are left out for one reason are one entry; other reasons and gaps part them
{
    my $json = decode_json($sample);
    $json->{data}[0]{excluded} = [(map { {line => $_, because => 'before'} } 5 .. 7), {line => 8, because => 'other'}, {line => 9, to_line => 20, rows => 12, because => 'other'},
        {line => 22, because => 'other'}];
    my ($list) = page(JSON::PP->new->utf8->canonical->encode($json)) =~ m{Excluded by the study:</p>\n<ul>\n(.*?)</ul>}s;
    is($list, "<li>line 5 to 7, 3 rows: before</li>\n<li>line 8 to 20, 13 rows: other</li>\n<li>line 22: other</li>\n", 'runs of excluded rows');
    # a reason that many runs have is one entry, with their lines folded
    $json->{data}[0]{excluded} = [{line => 3, because => 'rare'},
        map { ({line => 10 * $_, to_line => 10 * $_ + 3, rows => 4, because => 'in <flight>'}, {line => 10 * $_ + 5, because => 'at rest'}) } 1 .. 6];
    my ($by) = page(JSON::PP->new->utf8->canonical->encode($json)) =~ m{Excluded by the study:</p>\n<ul>\n(.*?)</ul>}s;
    my $lines = "<details><summary>their lines</summary>\n<p>";
    is($by, "<li>line 3: rare</li>\n<li>24 rows in 6 runs: in &lt;flight&gt;${lines}10 to 13, 20 to 23, 30 to 33, 40 to 43, 50 to 53, 60 to 63</p>\n</details></li>\n"
        . "<li>6 rows in 6 runs: at rest${lines}15, 25, 35, 45, 55, 65</p>\n</details></li>\n", 'runs by their reason');
    $json->{data}[0]{excluded} = [map { {line => 2 * $_, because => 'odd'} } 1 .. 1003];
    ($by) = page(JSON::PP->new->utf8->canonical->encode($json)) =~ m{Excluded by the study:</p>\n<ul>\n(.*?)</ul>}s;
    like($by, qr{^<li>1003 rows in 1003 runs: odd.*, 2000; and 3 more runs, which the fit file has</p>\n</details></li>\n\z}s, 'of very many how many are left out');
    my $of = sub { [map { {line => 2 * $_, because => 'reason ' . $_ % $_[0]} } 1 .. 5 * $_[0]] };
    for my $n (16, 20) {
        $json->{data}[0]{excluded} = $of->($n);
        ($by) = page(JSON::PP->new->utf8->canonical->encode($json)) =~ m{Excluded by the study:</p>\n<ul>\n(.*?)</ul>}s;
        is(scalar(() = $by =~ m{<li>}g), $n == 16 ? 16 : 16 + 4 * 5, "$n reasons: 16 of them are put together");
    }
    # more than three data sets stand in columns on paper, without the heads of their files
    my @four = map { {%{$json->{data}[0]}, name => "set $_", excluded => []} } 1 .. 4;
    for my $n (3, 4) {
        $json->{data} = [@four[0 .. $n - 1]];
        my ($data) = page(JSON::PP->new->utf8->canonical->encode($json)) =~ m{<section id="data">\n(.*?)</section>}s;
        is(scalar(() = $data =~ m{<div class="set">\n<h3>}g), $n, "$n data sets");
        is($data =~ m{<div class="sets">\n<p class="paper">On paper without the heads of the files}, $n == 4 ? 1 : '', $n == 4 ? 'in columns, and says so' : 'as they are');
    }
    # of several quantities, which data sets have a marker in the panel of this one
    my $several = page(slurp("$srcdir/fits/synthetic_bowden_leben.json"));
    like($several, qr{ The 3 data sets with spring force have a marker each\.}, 'the caption counts the sets of a quantity');
    unlike($several, qr{ The 3 data sets have}, 'and says so');
    $json = decode_json($sample);
    # the head of a file stands once
    $json->{data}[1]{$_} = $json->{data}[0]{$_} for qw(file sha256 provenance);
    my $twice = page(JSON::PP->new->utf8->canonical->encode($json));
    my ($line) = @{$json->{data}[0]{provenance}};
    is(scalar(() = $twice =~ /<pre>\Q$line\E/g), 1, 'the head of a file that two data sets have');
    like($twice, qr{<p class="note">The head of the file stands above, under 1\. \Q$json->{data}[0]{name}\E\.</p>}, 'and where it stands');
    $json->{data}[1]{provenance} = ['what: another'];
    like(page(JSON::PP->new->utf8->canonical->encode($json)), qr{<pre>what: another\n</pre>}, 'another head has its place');
}

# Without the elements that set symbols, numbers and units in sentences.
sub unset
{
    return $_[0] =~ s{</?(?:i|sup|sub)>|<span class="(?:n|unit)">|</span>}{}gr;
}

# symbols and numbers in sentences
{
    my $sentence = 'a misfit of e: chi^2 39.2 (p = 1.8e-05), k and lambda only as lambda/(k^0.6 m^0.4); add {k: 1e-5} at 2e3.';
    (my $said = $sample) =~ s/("reasons": \[\s*\{[^}]*"text": )"(?:[^"\\]|\\.)*"/$1"$sentence"/;
    my ($li) = page($said) =~ m{<li>(a misfit.*?)</li>};
    is($li, 'a misfit of e: <i>χ</i><sup>2</sup> 39.2 (<i>p</i> = <span class="n">1.8&#8239;&times;&#8239;'
        . '10<sup>&minus;5</sup></span>), <i>k</i> and <i>λ</i> only as <i>λ</i>/(<i>k</i>'
        . '<sup>0.6</sup> <i>m</i><sup>0.4</sup>); add {k: 1e-5} at <span class="n">2000</span>.', 'set');
}

# what files say is text, everywhere
my @hostile = (
    '<script>alert(1)</script>', '</title></style><img src=x onerror=alert(1)>', q{"'> `touch pwned` &amp;},
    q{=cmd('calc')}, q{\\nset output 'pwned'; system('touch pwned')\\n!touch pwned}, q{@^_{}~ %s %n %17g},
    "\xe2\x80\xae\xc3\xa9 \\u0000", );
$hostile[6] = "\xe2\x80\xae\xc3\xa9";
# in figures data sets whose names are not plain go by their numbers, as those with long names do
my @unnamed = figures(page($sample =~ s/("name": )"(?:rebound|contact time)"/$1"@{['long' x 20]}"/gr));
isnt($unnamed[3], $figures[3], 'plain names stand in figures');
for my $text (@hostile) {
    (my $json = $text) =~ s/(["])/\\$1/g;
    my $free = qr/title|summary|because|text|what|command|path|file|law_cite|why|protocol|version|shape/;
    (my $bad = $sample) =~ s/("(?:$free)": )"[^"\\]+"/$1"$json"/g;
    $bad =~ s/("name": )"(?:rebound|contact time|ball|block)"/$1"$json"/g;
    $bad =~ s/("(?:advice|provenance)": \[\s*|"reasons": \[\s*\{[^}]*"text": )"(?:[^"\\]|\\.)*"/$1"$json"/g;
    my $html = page($bad);
    (my $shown = $text =~ s/\xe2\x80\xae/?/r) =~ s/\\n/\n/g;
    is(index($html, "\xe2\x80\xae"), -1, 'nothing turns the direction of writing');
    is(tags(unset($html)), tags(unset($page)), "the elements stay what they were: $text");
    is_deeply([figures($html)], \@unnamed, 'and so does every figure, to the byte');
    is(index($html, $shown) >= 0 ? 'raw' : 'escaped', $shown =~ /[<"'`&\n]/ ? 'escaped' : 'raw',
        'markup is escaped, plain text is not');
}
ok(!-e "$folder/pwned", 'no command was run');

# names of laws, parameters and quantities reach gnuplot from our own tables only
my $name = q{k'; system('touch pwned'); set title '`touch pwned`<b>};
(my $renamed = $sample) =~ s/"k": \{\n/"$name": \{\n/;
my $html = page($renamed);
is(balanced($html), '', 'a parameter of any name');
unlike($html, qr/<b>.?`|`touch/, 'is escaped');
like((figures($html))[5], qr/parameter 1/, 'and a number in its figure');
for my $path (qw(torque.bias bodies.ball-2.mass)) {
    like((figures(page($sample =~ s/"k": \{\n/"$path": {\n/r)))[5], qr/>\Q$path\E \/ \(/, "a path is its name there: $path");
}
like((figures(page($sample =~ s/"k": \{\n/"torque..bias": {\n/r)))[5], qr/parameter 1/, 'two dots are none');
# rivals are listed with their law's parameters; numbers of rigs and segments are counted
(my $rigged = $sample) =~ s/("rivals": \[\n  \{\n   "law": "e-log".*?"a": \{\n     "value": [\d.]+,\n     "unit": "1")/$1,\n     "role": "nuisance"/s
    or die 'no such rival';
$html = page($rigged);
my ($listed) = $html =~ m{<td class="name">e-log<br><span class="note">(.*?)</span></td>};
like($listed, qr{\A<i>b</i> = <span[^>]*>0\.03049</span><br>and 1 of rigs and segments\z}, 'a rival whose first number is of a rig')
    or diag($listed);
like($html, qr{<h3>(?:Coefficient of restitution|Restitution) against approach speed</h3>}, 'a figure is headed in words');
# that of a data set's own number may have any text in its brackets
(my $owned = $sample) =~ s/"k": \{\n/"k[`touch pwned` '@^{<b>]": {\n/;
$html = page($owned);
is(balanced($html), '', 'a parameter of a data set of any name');
unlike($html, qr/<b>\]/, 'is escaped,');
like((figures($html))[5], qr/touch pwned/, 'stands in its figure');
ok(!-e "$folder/pwned", 'and is no command');
(my $relawed = $sample) =~ s/"law": "(?:e-log|azad-featherstone)"/"law": "$name"/g;
$html = page($relawed);
is(balanced($html), '', 'laws of any name');
is(scalar(grep { /touch|pwned/ } figures($html)), 0, 'are not drawn');
like((figures($html))[0], qr/fitted law/, 'the fitted one has a name of ours');
ok(!-e "$folder/pwned", 'no command was run');

# a fit with little in it
(my $poor = $sample) =~ s/^ ("(?:tests|rivals|starts|curves|observations|headline_points|combinations)": )\[.*?^ \]/ $1\[\]/gms;
$poor =~ s/^ ("(?:held_out|covariance|solver_bias)": )\{.*?^ \}/ $1null/gms;
$poor =~ s/^   ("profile": )\{.*?^   \}/   $1null/gms;
$html = page($poor);
is(balanced($html), '', 'a fit with nothing to draw has a page');
is(scalar figures($html), 0, 'without figures');

# gnuplot that is not there: an error, and an old page stays as it was
spew("$folder/fit.html", "an old page\n<!-- Written by contactfit -->\n");
($exit, my $err) = run("cd $folder && PATH=$folder $program report fit.json");
is($exit, 0, 'a page without figures needs no gnuplot');
spew("$folder/fit.json", $sample);
spew("$folder/fit.html", "an old page\n<!-- Written by contactfit -->\n");
($exit, $err) = run("cd $folder && PATH=$folder $program report fit.json");
is($err, "contactfit report: gnuplot is not installed, and figures are drawn by it: apt-get install gnuplot-nox\n",
    'gnuplot is missing');
is($exit, 1, 'that is a failure');
is(slurp("$folder/fit.html"), "an old page\n<!-- Written by contactfit -->\n", 'the old page is untouched');
is_deeply([grep { !m{/(?:fit\.json|fit\.html|out|err)$} } glob "$folder/*"], [], 'nothing half-written is left');

# where pages go
mkdir "$folder/made";
($exit, $err) = run("cd $folder && $program report fit.json -o made/");
is($err, "wrote made/fit.html\n", 'into a folder, said on standard error');
is(unscripted(slurp("$folder/made/fit.html")), $page, 'the same page');
($exit, $err) = run("cd $folder && $program report fit.json -o nowhere");
is($exit, 1, 'a folder that is not there');
like($err, qr{^contactfit report: nowhere/fit\.html: .+\n\z}, 'is named');

# several fits: one page, with a table of them
{
    (my $other = $sample) =~ s/^( "title": ).*$/$1"Another <ball>",/m;
    mkdir "$folder/several";
    spew("$folder/several/one.json", $sample);
    spew("$folder/several/two.json", $other);
    ($exit, $err) = run("cd $folder && $program report several/one.json several/two.json");
    is("$exit: $err", "0: wrote several/fits.html\n", 'two fits: one page beside the first');
    my $both = unscripted(slurp("$folder/several/fits.html"));
    is(balanced($both), '', 'that is well-formed');
    is(scalar(figures($both)), 2 * @names, 'with the figures of both');
    my @anchors = $both =~ / id="([^"]+)"/g;
    my %seen;
    is(join(' ', grep { $seen{$_}++ == 1 } @anchors), '', 'no anchor twice');
    is(join(' ', grep { !$seen{$_} } $both =~ /href="#([^"]+)"/g), '', 'each link leads to one');
    like($both, qr{<a href="#fit-2-top">Another &lt;ball&gt;</a>.*?class="status \w+"}s, 'a row of the table');
    ($exit, $err) = run("cd $folder && $program report several/two.json several/one.json -o made/both.html");
    is("$exit: $err", "0: wrote made/both.html\n", 'as one file by name');
    like(slurp("$folder/made/both.html"), qr{<h1>Another &lt;ball&gt;</h1>}, 'that holds the first, too');
    ($exit, $err) = run("cd $folder && $program report several/two.json $srcdir/figures/af10_fig2.yaml -o made/x.html");
    is("$exit: $err", "2: contactfit report: --output: made/x.html names one page, and fits and figures make two\n",
        'a fit and a figure are two pages');
}

# in a browser
SKIP: {
    my $browser = browser();
    skip 'no Chromium: the page is not opened in a browser', 4 if !$browser;
    $browser->open_page("$folder/made/fit.html");
    is(join("\n", $browser->complaints), '', 'no console message, and nothing that its policy refuses');
    ok(length $browser->picture > 20_000, 'it shows something');
    $browser->value("document.querySelectorAll('details').forEach(d => d.open = true)");
    for my $width (1200, 500) {
        $browser->set_width($width);
        my $seen = $browser->value(q{[...document.querySelectorAll('svg.f')].map(i => i.clientWidth > 300 && i.clientWidth <= innerWidth).join(' ')
            + ' ' + (document.documentElement.scrollWidth <= innerWidth)});
        is($seen, 'true ' x @names . 'true', "at $width pixels every figure is shown and nothing sticks out");
    }
}

# columns of rivals that no law has a number in are not there
{
    my $fit = JSON::PP->new->utf8->decode($sample);
    for my $has (0, 1) {
        for my $rival (grep { !$_->{why} } @{$fit->{rivals}}) {
            $rival->{held_out_rms_sigma} = $has ? 1.25 : undef;
            $rival->{leave_one_out_rms_sigma} = $has ? undef : 1.5;
        }
        my ($table) = page(JSON::PP->new->utf8->canonical->encode($fit)) =~ m{(<th scope="col">Law</th><th scope="col" class="r">Fitted.*?</p>)}s;
        is(($table =~ />Held out/ || 0) . ($table =~ />One left out/ || 0), $has ? '10' : '01', $has ? 'held out, not left out' : 'left out, not held out');
        like($table, $has ? qr/Held out: root mean square/ : qr/One left out: root mean square/, 'and said what it is');
        unlike($table, $has ? qr/One left out: / : qr/Held out: /, 'alone');
        my %cells;
        $cells{() = m{<td}g}++ for grep { !/colspan/ } $table =~ m{<tr[^>]*>(<td.*?)</tr>}gs;
        is(join(' ', keys %cells), '8', 'as many cells as heads');
    }
}

# the bodies to scale: a small ball, a large one and a bowl, over a floor with a hostile name
{
    my $fit = JSON::PP->new->utf8->decode($sample);
    $fit->{study}{bodies} = [{name => 'small', shape => 'sphere', radius_m => 0.01, mass_kg => 0.1, fixed => JSON::PP::false},
        {name => '<b>floor', shape => 'plane', fixed => JSON::PP::true},
        {name => 'large', shape => 'sphere', radius_m => 0.04, mass_kg => 0.1, fixed => JSON::PP::false},
        {name => 'bowl', shape => 'sphere', radius_m => -0.02, fixed => JSON::PP::true}];
    my $shown = page(JSON::PP->new->utf8->canonical->encode($fit));
    my ($svg) = $shown =~ m{(<svg class="bodies".*?</svg>)}s;
    my @r = $svg =~ /<circle [^>]* r="([\d.]+)"/g;
    is(scalar @r, 2, 'spheres are circles');
    cmp_ok(abs($r[1] / $r[0] - 4), '<', 0.05, 'to scale');
    my @feet = map { my ($cy, $r) = @$_; $cy + $r } map { [/cy="([\d.]+)" r="([\d.]+)"/] } $svg =~ /<circle [^>]*>/g;
    is("@feet", '80 80', 'on the ground');
    my ($length, $named) = $svg =~ m{class="scale" d="M[^h]*h([\d.]+)"/><text[^>]*>(\d+) mm<};
    cmp_ok(abs($length / $r[1] - $named / 40), '<', 0.02, 'with a scale that is one');
    like($svg, qr/<path d="M[\d.]+ [\d.]+a([\d.]+) \1 0 0 0/, 'a hollow sphere is a bowl');
    like($svg, qr/>&lt;b&gt;floor</, 'names are text');
    like($svg, qr{<desc>small, radius 10 mm; large, radius 40 mm; bowl, radius 20 mm, hollow; on &lt;b&gt;floor</desc>}, 'and in words');
    unlike(page($sample =~ s/"radius_m": [0-9.e-]+/"radius_m": null/gr), qr/<svg class="bodies"/, 'without a size there is no picture');
}

done_testing();
