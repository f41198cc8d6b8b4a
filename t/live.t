#!/usr/bin/perl
# Live figures of a page: one script, which the page's policy names by its hash; rows shown by mouse
# and keys; series switched off; zoom; the data as CSV. In Chromium, where there is one.
# t/fits/sample.json is invented for these tests.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Browser;
use Digest::SHA qw(sha256_base64);
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Svg qw(marks);
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my $json = JSON::PP->new->utf8->canonical;
my $sample = slurp("$srcdir/t/fits/sample.json");

sub page_of
{
    my ($name, $text) = @_;
    spew("$dir/$name.json", $text);
    my ($exit, $out, $err) = contactfit('report', '-q', "$dir/$name.json");
    is("$exit$err", '0', "a page: $name");
    return slurp("$dir/$name.html");
}

sub blocks { my ($html) = @_; return $html =~ m{<script type="application/json"[^>]*>(.*?)</script>}gs }

my ($exit) = contactfit('fit', '-q', "$srcdir/fits/croquet_ball_on_wood.yaml", '-o', $dir);
is($exit, 3, 'the croquet ball is a misfit');
my $page = slurp("$dir/croquet_ball_on_wood.html");
my $fit = $json->decode(slurp("$dir/croquet_ball_on_wood.json"));

# one script, and its hash
my @scripts = $page =~ m{<script>(.*?)</script>}gs;
is(scalar @scripts, 1, 'one script');
my ($policy) = $page =~ /http-equiv="Content-Security-Policy" content="([^"]*)"/;
my $hash = sha256_base64($scripts[0]);
$hash .= '=' while length($hash) % 4;
is($policy, "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-$hash'", 'which the policy names');
cmp_ok(length $scripts[0], '<', 12_000, 'it is short');
unlike($scripts[0], qr/innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|Function\(|fetch|XMLHttp|https?:(?!\/\/www\.w3\.org\/2000\/svg)/,
    'it takes no text for code, and asks nobody');

# The points of a series: as they are listed, or by the rows that they are, [x, y, low, high, data set, line].
sub points_of
{
    my ($series, $rows) = @_;
    return @{$series->{points}} if $series->{points};
    my ($x, $y) = @{$series->{by}};
    return map {
        my $r = $rows->[$_];
        my $sigma = $r->[5] // 0;
        [$x * $r->[3], $y * $r->[$series->{field}], $y * ($r->[4] - $sigma), $y * ($r->[4] + $sigma), @$r[0, 1]];
    } @{$series->{rows}};
}

# the data of the main figure are where gnuplot drew them
my ($block) = map { $json->decode($_) } blocks($page);
my ($table) = grep { $_->{rows} } map { $json->decode($_) } blocks($page);
my ($figure) = $page =~ m{<figure id="restitution-log">(.*?)</figure>}s;
my @drawn = marks($figure);
my $panel = $block->{panels}[0];
my %row = map { ("$_->{data}:$_->{line}" => $_) } grep { $_->{channel} eq 'restitution' } @{$fit->{observations}};
my (@off, $n);
for my $p (map { points_of($_, $table->{rows}) } @{$panel->{series}}) {
    next if @$p < 6;
    $n++;
    my ($x, $y, $low, $high, $data, $line) = @$p;
    my $is = $row{"$data:$line"};
    push @off, "line $line: another row" if abs($x - $is->{abscissa}) + abs($y - $is->{value}) > 1e-8;
    my ($l, $t, $r, $b) = @{$panel->{frame}};
    my $px = $l + log($x / $panel->{x}{low}) / log($panel->{x}{high} / $panel->{x}{low}) * ($r - $l);
    my $py = $b - ($y - $panel->{y}{low}) / ($panel->{y}{high} - $panel->{y}{low}) * ($b - $t);
    push @off, "line $line: not drawn at $px, $py" if !grep { abs($_->[0] - $px) < 1 && abs($_->[1] - $py) < 1 } @drawn;
}
is($n, 10, 'ten points are rows');
is("@off", '', 'within a dot of where gnuplot drew them');

# curves are those of the fit file, but for what nobody sees
{
    my ($own) = grep { $_->{channel} eq 'restitution' } @{$fit->{curves}};
    my ($line) = grep { $_->{kind} eq 'line' && $_->{title} eq $fit->{law} } @{$panel->{series}};
    my @known = grep { defined $own->{value}[$_] } 0 .. $#{$own->{value}};
    my $far = 0;
    for my $p (grep { defined $_->[0] && defined $_->[1] } @{$line->{points}}) {
        $far++ if !grep {
            abs($own->{abscissa}[$_] / $p->[0] - 1) < 1e-6
                && abs($own->{value}[$_] - $p->[1]) < 1e-6 * ($panel->{y}{high} - $panel->{y}{low})
        } @known;
    }
    cmp_ok(scalar @{$line->{points}}, '>', 5, 'a curve');
    is($far, 0, 'of the fit file');
    cmp_ok(length $json->encode($line->{points}), '<', 22 * @{$line->{points}}, 'with few digits');
}

# in every figure of other fits points are where they are drawn, whether they stand by their rows or by themselves: of
# several quantities, of angles, of readings that are not in the table, of a sensor whose bias was fitted
my (%by, %listed);
for my $name (qw(golf_ball_bounces cube_tosses synthetic_tap synthetic_ball_heights indentation_synthetic_gel synthetic_bowden_leben)) {
    my $html = page_of($name, slurp("$srcdir/fits/$name.json"));
    my ($rows) = grep { $_->{rows} } map { $json->decode($_) } blocks($html);
    my ($seen, $astray, $bars) = (0, 0, 0);
    for my $drawing ($html =~ m{<figure id=(.*?)</figure>}gs) {
        my ($live) = map { $json->decode($_) } blocks($drawing);
        my %mark;
        push @{$mark{int $_->[0]}{int $_->[1]}}, $_ for marks($drawing);
        for my $p (@{$live->{panels} // []}) {
            my ($l, $t, $r, $b) = @{$p->{frame}};
            my $share = sub { my ($a, $v) = @_; return $a->{log} ? log($v / $a->{low}) / log($a->{high} / $a->{low}) : ($v - $a->{low}) / ($a->{high} - $a->{low}) };
            for my $s (grep { $_->{kind} =~ /points|bars/ } @{$p->{series}}) {
                ($s->{rows} ? \%by : \%listed)->{$name}++;
                for my $point (grep { $_->[5] } points_of($s, $rows->{rows})) {
                    my ($x, $y) = ($l + $share->($p->{x}, $point->[0]) * ($r - $l), $b - $share->($p->{y}, $point->[1]) * ($b - $t));
                    next if $x < $l || $x > $r || $y < $t || $y > $b;
                    $seen++;
                    $astray++ if !grep { abs($_->[0] - $x) < 1 && abs($_->[1] - $y) < 1 }
                        map { my $column = $mark{$_}; map { @{$column->{$_} // []} } int($y) - 1 .. int($y) + 1 } int($x) - 1 .. int($x) + 1;
                    $bars++ if $s->{kind} eq 'bars' && !($point->[2] <= $point->[1] && $point->[1] <= $point->[3]);
                }
            }
        }
    }
    cmp_ok($seen, '>', 20, "$name: $seen points");
    is("$astray $bars", '0 0', "$name: each is drawn there, and its bar about it");
}
cmp_ok(scalar keys %by, '>', 3, 'most stand by their rows');
cmp_ok(scalar keys %listed, '>', 0, 'some by themselves');

# texts of files end no element and are no code
my $evil = q{</script><script>document.title='run'</script><!--<img src=x onerror="document.title='run'">};
my $bad = $json->decode($sample);
$_->{file} = $evil for @{$bad->{data}};
my $hostile = page_of('hostile', $json->encode($bad));
is(scalar(() = $hostile =~ m{</script}g), scalar(() = $hostile =~ m{<script[ >]}g), 'as many scripts end as begin');
unlike($hostile, qr{<!--(?! Written by contactfit -->\n\z)|<script>document}, 'none of them from a file');
my ($rows) = grep { $_->{rows} } map { $json->decode($_) } blocks($hostile);
is($rows->{sets}[0]{file}, $evil, 'as data they are whole');

# without figures there is nothing to make live
unlike(slurp("$dir/hostile.html") =~ s/<figure.*<\/figure>//sr, qr/class="live"/, 'data stand in figures alone');

SKIP: {
    my $browser = browser();
    skip 'no Chromium: apt install chromium', 1 if !$browser;
    my $open = sub { $browser->open_page("$dir/$_[0].html") };
    my $tip = sub { $browser->value("document.querySelector('#$_[0] .tip').textContent") };
    my $marks = sub { $browser->value("document.querySelectorAll('#$_[0] .over circle').length") };
    my $count = sub { $browser->value("document.querySelectorAll('$_[0]').length") };

    $open->('croquet_ball_on_wood');
    is_deeply([$browser->complaints], [], 'no error, and the policy lets the script run');

    # by mouse: where gnuplot drew the row of line 14
    my $at = sub {
        my ($x, $y) = @_;
        my $box = $browser->value("(r => [r.left, r.top, r.width, r.height])(document.querySelector('#restitution-log > img, #restitution-log svg').getBoundingClientRect())");
        return ($box->[0] + $x * $box->[2] / $block->{width}, $box->[1] + $y * $box->[3] / $block->{height});
    };
    my $place = sub {
        my ($is) = @_;
        my ($l, $t, $r, $b) = @{$panel->{frame}};
        return $at->($l + log($is->{abscissa} / $panel->{x}{low}) / log($panel->{x}{high} / $panel->{x}{low}) * ($r - $l),
            $b - ($is->{value} - $panel->{y}{low}) / ($panel->{y}{high} - $panel->{y}{low}) * ($b - $t));
    };
    my $said = sub {
        my ($is) = @_;
        return sprintf '%s:%d, approach speed %s m/s: coefficient of restitution %s, sigma %s, residual %.2f sigma%s',
            $fit->{data}[0]{file}, @$is{qw(line abscissa value sigma residual)}, $is->{use} eq 'fit' ? '' : " ($is->{use})";
    };
    my $fourteen = $row{'0:14'};
    $browser->mouse('Moved', $place->($fourteen));
    is($tip->('restitution-log'), $said->($fourteen), 'the row under the pointer');
    is($marks->('restitution-log'), 1, 'is marked');
    is($marks->('residuals'), 1, 'in the residuals, too');
    $browser->mouse('Moved', $at->(5, 5));
    is($tip->('restitution-log') . $marks->('residuals'), '0', 'and no longer, away from it');

    # by keys
    $browser->value("document.querySelector('#restitution-log .over').focus()");
    my @rows = sort { $a->{abscissa} <=> $b->{abscissa} } values %row;
    $browser->key('Home');
    is($tip->('restitution-log'), $said->($rows[0]), 'Home: the first row');
    $browser->key('ArrowRight');
    $browser->key('ArrowRight');
    is($tip->('restitution-log'), $said->($rows[2]), 'two to the right');
    $browser->key('ArrowLeft');
    is($tip->('restitution-log'), $said->($rows[1]), 'one back');
    $browser->key('End');
    is($tip->('restitution-log'), $said->($rows[-1]), 'End: the last, which was held out');
    $browser->key('Escape');
    is($tip->('restitution-log'), '', 'Escape: none');
    is($browser->value("(t => t.getAttribute('role') + t.getAttribute('aria-live'))(document.querySelector('.tip'))"),
        'statuspolite', 'it is read aloud');

    # series off and on
    my $button = sub { return "[...document.querySelectorAll('#restitution-log .keys button')].find(b => b.textContent === '$_[0]')" };
    is($count->('#restitution-log .over g[clip-path]'), 0, 'gnuplot draws what is whole');
    my $curves = sub { return $count->('#restitution-log .over g[clip-path] > path[fill="none"]') };
    $browser->value($button->('power') . '.click()');
    is($browser->value($button->('power') . ".getAttribute('aria-pressed')"), 'false', 'a law is switched off');
    my $without = $curves->();
    cmp_ok($without, '>', 5, 'the others are drawn');
    $browser->value($button->('e-log') . '.click()');
    is($curves->(), $without - 1, 'one less');
    $browser->value($button->('measured') . '.click()');
    $browser->value("document.querySelector('#restitution-log .over').focus()");
    $browser->key('Home');
    is($tip->('restitution-log'), $said->((grep { $_->{use} ne 'fit' } @rows)[0]), 'points that are off are passed over');
    $browser->value($button->($_) . '.click()') for 'measured', 'e-log', 'power';
    is($count->('#restitution-log .over g[clip-path]'), 0, 'all on: whole again');

    # zoom: by a drag about one point, which then lies elsewhere; by keys
    my ($x, $y) = $place->($rows[5]);
    $browser->mouse('Moved', $x - 30, $y - 30);
    $browser->mouse('Pressed', $x - 30, $y - 30, 1);
    $browser->mouse('Moved', $x + 50, $y + 50, 1);
    $browser->mouse('Released', $x + 50, $y + 50);
    is($count->('#restitution-log .over g[clip-path]'), 1, 'a drag zooms');
    my ($l, $t, $r, $b) = @{$panel->{frame}};
    $browser->mouse('Moved', $at->($l + 30 / 80 * ($r - $l), $t + 30 / 80 * ($b - $t)));
    is($tip->('restitution-log'), $said->($rows[5]), 'the point is where the part puts it');
    $browser->key('0');
    is($count->('#restitution-log .over g[clip-path]'), 0, '0: the whole');
    $browser->key('Home');
    $browser->key('+');
    is($count->('#restitution-log .over g[clip-path]'), 1, '+: a part');
    is($tip->('restitution-log'), $said->($rows[0]), 'with the same row');
    $browser->key('-');
    is($count->('#restitution-log .over g[clip-path]'), 0, '-: the whole');

    # CSV: the rows of the figure, every number as it reads back
    $browser->value('window.saved = []; const make = URL.createObjectURL; URL.createObjectURL = b => { saved.push(b); return make(b); }; 0');
    $browser->value($button->('Data as CSV') . '.click()');
    my @lines = split /\r\n/, $browser->value('saved[0].text()');
    my @names = split /,/, shift @lines;
    is(scalar @lines, 10, 'CSV: ten rows');
    my @wrong = grep {
        my %cell;
        @cell{@names} = map { s/^"(.*)"$/$1/r } split /,/;
        my $is = $row{"0:$cell{line}"};
        $cell{at} != $is->{abscissa} || $cell{value} != $is->{value} || $cell{sigma} != $is->{sigma}
            || $cell{predicted} != $is->{predicted} || $cell{residual} != $is->{residual}
            || $cell{use} ne $is->{use} || $cell{channel} ne 'restitution' || $cell{file} ne $fit->{data}[0]{file};
    } @lines;
    is("@wrong", '', 'each as the fit file has it');

    # held-out rows of the seventh data set: a plus in a ring, which the fitted ones have not
    {
        my $study = "contactfit: study/1\ntitle: Synthetic, of seven sets\nbodies:\n  floor: {plane: {}, fixed: true}\n"
            . "  ball: {sphere: {radius: 20 mm}, mass: 100 g}\nlaw: e-constant\nrivals: []\ndata:\n";
        for my $set (1 .. 7) {
            $study .= "  - name: set no. $set\n    protocol: impact\n    between: [ball, floor]\n    rows:\n";
            $study .= sprintf "      - {speed: %.3f, restitution: %.4f}\n", $_, 0.8 + 0.001 * ($_ + $set) % 3 for 1 .. 5;
            $study .= "    sigma: {restitution: 0.002}\n";
        }
        spew("$dir/seven.yaml", "${study}hold-out:\n  - {data: set no. 7, where: \"speed > 3.5 m/s\"}\n");
        contactfit('fit', '-q', "$dir/seven.yaml", '-o', $dir);
        $open->('seven');
        my $main = $browser->value("document.querySelector('.over').closest('figure').id");
        $browser->value("document.querySelector('#$main .over').focus()");
        $browser->key('Home');
        $browser->key('+');
        my $drawn = $browser->value("[...document.querySelectorAll('#$main .over g[clip-path] path')].map(e => e.getAttribute('d'))");
        my @plus = grep { 4 == (() = /L/g) && 4 <= (() = /M/g) } @$drawn;
        is(scalar @plus, 5, 'the five rows of the seventh set are drawn');
        is(scalar(grep { /a.*a/ } @plus), 2, 'the two that were held out in a ring');
    }

    # texts of files
    $open->('hostile');
    isnt($browser->value('document.title'), 'run', 'no text of a file is run');
    my $main = $browser->value("document.querySelector('.over').closest('figure').id");
    $browser->value("document.querySelector('#$main .over').focus()");
    $browser->key('Home');
    like($tip->($main), qr/^\Q$evil\E:\d+, /, 'it is shown as text');
    is($browser->value('document.title'), $bad->{title} . ": fit of $bad->{law}", 'and still not run');

    # another script
    (my $injected = $page) =~ s{</body>}{<p id="hand" onclick="document.title='second'">x</p><script>document.title='second'</script></body>};
    spew("$dir/injected.html", $injected);
    $open->('injected');
    $browser->value("document.body.append(Object.assign(document.createElement('script'), {textContent: \"document.title='second'\"}))");
    $browser->value("document.getElementById('hand').click()");
    isnt($browser->value('document.title'), 'second', 'a second script does not run');
    cmp_ok(scalar(grep { /Content Security Policy/ } $browser->complaints), '>=', 1, 'the policy blocks it');
    is($count->('.over'), 5, 'ours does');

    # without scripts
    $browser->ask('Emulation.setScriptExecutionDisabled', value => JSON::PP::true);
    $browser->ask('Page.navigate', url => "file://$dir/croquet_ball_on_wood.html");
    sleep 1;
    my $root = $browser->ask('DOM.getDocument')->{root}{nodeId};
    my $nodes = sub { scalar @{$browser->ask('DOM.querySelectorAll', nodeId => $root, selector => $_[0])->{nodeIds}} };
    is($nodes->('.over, .tip, .keys, button'), 0, 'without scripts there is nothing that would need them');
    is($nodes->('figure'), scalar(() = $page =~ /<figure /g), 'and every figure');
}

done_testing();
