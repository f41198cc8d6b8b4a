#!/usr/bin/perl
# New data against a fit. All data here are synthetic, of e = 0.8 v^-0.05 with scatter from a fixed
# stream. Oracles: the formula itself, and the tests' sums with the whole covariance matrix of the
# rows, inverted here by elimination.

use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(basename);
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Program qw(:DEFAULT is_refused);
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my $v = 'contactfit validate:';

srand 5;
sub normal { return sqrt(-2 * log(1 - rand)) * cos(6.283185307179586 * rand) }

# A study's data of n rows, e shifted by a constant and by a share of ln v.
sub rows
{
    my ($n, $shift, $tilt) = @_;
    return join '', map {
        my $speed = sprintf '%.4f', 0.5 * 8 ** ($_ / ($n - 1));
        sprintf "      - {speed: %s, restitution: %.6f}\n", $speed,
            0.8 * $speed ** -0.05 + 0.002 * normal() + $shift + $tilt * log $speed;
    } 0 .. $n - 1;
}

my $bodies = "bodies: {ball: {sphere: {radius: 20 mm}, mass: 100 g}}\n";

sub write_study
{
    my ($name, $rows, $sigma, %more) = @_;
    spew("$dir/$name.yaml", "contactfit: study/1\ntitle: Synthetic, $name\n" . ($more{bodies} // $bodies)
         . ($more{law} // '') . "data:\n  - name: drops\n    protocol: impact\n    rows:\n$rows    sigma: $sigma\n"
         . ($more{rest} // ''));
    return "$dir/$name.yaml";
}

my $stated = '{restitution: 0.002}';
my $law = "law: e-power\nfit: {e_at_1: {}, q: {}}\n";
my $fit = write_study('fit', rows(12, 0, 0), $stated, law => $law);
is((contactfit('fit', '-q', $fit))[0], 0, 'the fit is good');
my $file = "$dir/fit.json";
my $known = decode_json(slurp($file));

sub validated
{
    my ($name, $code, @more) = @_;
    my ($got, $out, $err) = contactfit('validate', $more[0] // $file, "$dir/$name.yaml", '-o', $dir, '--json');
    is("$got $err", "$code wrote $dir/$name-validate.html\n", "$name: exit $code, says what it wrote");
    return decode_json($out);
}

# Solve A x = b.
sub solve
{
    my ($A, $b) = @_;
    my @m = map { [@{$A->[$_]}, $b->[$_]] } 0 .. $#$b;
    for my $i (0 .. $#m) {
        for my $j ($i + 1 .. $#m) {
            my $f = $m[$j][$i] / $m[$i][$i];
            $m[$j][$_] -= $f * $m[$i][$_] for $i .. @m;
        }
    }
    my @x;
    for my $i (reverse 0 .. $#m) {
        my $sum = $m[$i][@m];
        $sum -= $m[$i][$_] * $x[$_] for $i + 1 .. $#m;
        $x[$i] = $sum / $m[$i][$i];
    }
    return @x;
}

# agreeing data, whose study has no law
write_study('new', rows(30, 0, 0), $stated);
my $new = validated('new', 0);
is($new->{verdict}{agrees}, JSON::PP::true, 'new: agrees');
is_deeply($new->{verdict}{reasons}, [], 'new: no reason against it');
{
    my ($e, $q) = map { $known->{parameters}{$_}{value} } qw(e_at_1 q);
    my @log = map { /^ln / ? 1 : 0 } @{$known->{covariance}{names}};
    my $C = $known->{covariance}{matrix};
    my $s = 0.002;
    my (@r, @h, @x, $inside, $squares, $share);
    for my $o (@{$new->{observations}}) {
        my $speed = $o->{abscissa};
        my $y = $e * $speed ** -$q;
        my @g = ($log[0] ? $y : $y / $e, -$y * log($speed) * ($log[1] ? $q : 1));
        my $own = 0;
        for my $i (0, 1) { $own += $g[$i] * $g[$_] * $C->[$i][$_] for 0, 1 }
        my $half = 1.959963984540054 * sqrt($s ** 2 + $own);
        push @r, ($o->{value} - $y) / $s;
        push @h, [map { $_ / $s } @g];
        push @x, log $speed;
        $inside += abs($o->{value} - $y) <= $half;
        $squares += ($o->{value} - $y) ** 2 / ($s ** 2 + $own);
        $share += $own / ($s ** 2 + $own);
        is_near($o->{high} - $o->{predicted}, $half, 1e-8, "new: interval at $speed m/s") if @r % 10 == 1;
    }
    my $n = @r;
    my $c = $new->{coverage};
    is("$c->{inside} of $c->{n}", "$inside of $n", 'new: counted inside');
    is_near($c->{rms_predictive}, sqrt($squares / $n), 1e-8, 'new: rms of the prediction');
    is_near($c->{parameter_share}, $share / $n, 1e-8, 'new: the share of the parameters');

    # V = 1 + H C H^T in full
    my @V;
    for my $i (0 .. $n - 1) {
        for my $j (0 .. $n - 1) {
            $V[$i][$j] = $i == $j;
            for my $a (0, 1) { $V[$i][$j] += $h[$i][$a] * $C->[$a][$_] * $h[$j][$_] for 0, 1 }
        }
    }
    my @w = solve(\@V, \@r);
    my ($chi2, $mean) = (0, 0);
    $chi2 += $w[$_] * $r[$_] for 0 .. $n - 1;
    $mean += $_ / $n for @x;
    my %test = map { $_->{test} => $_ } @{$new->{tests}};
    is(join(' ', sort keys %test), 'bias scatter trend with speed', 'new: the tests');
    is_near($test{scatter}{statistic}, $chi2, 1e-8, 'new: r V^-1 r');
    for (['bias', map { 1 } @x], ['trend with speed', map { $_ - $mean } @x]) {
        my ($name, @weight) = @$_;
        my ($sum, $variance) = (0, 0);
        for my $i (0 .. $n - 1) {
            $sum += $weight[$i] * $r[$i];
            $variance += $weight[$i] * $V[$i][$_] * $weight[$_] for 0 .. $n - 1;
        }
        is_near($test{$name}{statistic}, $sum / sqrt $variance, 1e-8, "new: $name with the whole matrix");
    }
    # erfc by its continued fraction would be too much: two values of the normal distribution
    my $z = abs $test{bias}{statistic};
    my ($steps, $tail) = (20000, 0);
    $tail += exp(-($z + 8 * ($_ + 0.5) / $steps) ** 2 / 2) * 8 / $steps for 0 .. $steps - 1;
    is_near($test{bias}{p}, 2 * $tail / sqrt(6.283185307179586), 1e-6, 'new: p of the bias by quadrature');
    is_deeply($new->{verdict}{cautions}, [], 'new: nothing to keep in mind');
}

# data that disagree: shifted; tilted; scattered
{
    write_study('shifted', rows(20, 0.006, 0), $stated);
    my $got = validated('shifted', 3);
    is($got->{verdict}{agrees}, JSON::PP::false, 'shifted: disagrees');
    like($got->{verdict}{reasons}[0], qr/^restitution of drops: the mean lies \d+\.\d standard errors above the prediction \(p [=<] \S+\)$/,
         'shifted: the bias is named first');
    like(join("\n", @{$got->{verdict}{reasons}}), qr/^restitution of drops, line \d+, at \S+ m\/s: measured 0\.\d+; the fit predicts 0\.\d+ to 0\.\d+$/m,
         'shifted: the worst rows are named');
    like($got->{verdict}{summary}, qr/^The new data disagree with the fit of e-power: \d+ of 20 values lie inside/, 'shifted: in words');
    write_study('tilted', rows(20, 0, 0.006), $stated);
    $got = validated('tilted', 3);
    my ($trend) = grep { $_->{test} eq 'trend with speed' } @{$got->{tests}};
    is($trend->{rejects}, JSON::PP::true, 'tilted: the trend rejects');
    like($trend->{text}, qr/^residuals rise with speed, by \d+\.\d standard deviations$/, 'tilted: and says which way');
    my $rows = join '', map { "      - {speed: 1, restitution: " . (0.8 + 0.008 * (-1) ** $_) . "}\n" } 1 .. 10;
    write_study('scattered', $rows, $stated);
    $got = validated('scattered', 3);
    is(join(' ', map { $_->{test} } grep { $_->{rejects} } @{$got->{tests}}), 'scatter', 'scattered: this test rejects');
    is(scalar(grep { $_->{test} eq 'trend with speed' } @{$got->{tests}}), 0, 'scattered: one speed has no trend');
}

# sigma is that of the fit, and what is known of it
{
    my $many = write_study('many', rows(200, 0, 0), '{restitution: estimate}', law => $law);
    contactfit('fit', '-q', $many);
    write_study('few', rows(20, 0, 0), '{restitution: estimate}');
    my $got = validated('few', 0, "$dir/many.json");
    my $json = decode_json(slurp("$dir/many.json"));
    my ($sigma) = map { $_->{sigma} } grep { $_->{name} eq 'restitution' } @{$json->{data}[0]{channels}};
    is_near($got->{observations}[3]{sigma}, $sigma, 1e-12, 'few: the sigma that the fit estimated');

    # with sigma from 12 rows less two parameters, Student's t on 10 degrees of freedom
    my $dozen = write_study('dozen', rows(12, 0, 0), '{restitution: estimate}', law => $law);
    contactfit('fit', '-q', $dozen);
    my $by_t = validated('few', 0, "$dir/dozen.json");
    $json = decode_json(slurp("$dir/dozen.json"));
    my ($e, $q) = map { $json->{parameters}{$_}{value} } qw(e_at_1 q);
    my @log = map { /^ln / ? 1 : 0 } @{$json->{covariance}{names}};
    for my $o (@{$by_t->{observations}}[0, 10, 19]) {
        my $y = $e * $o->{abscissa} ** -$q;
        my @g = ($log[0] ? $y : $y / $e, -$y * log($o->{abscissa}) * ($log[1] ? $q : 1));
        my $own = 0;
        for my $i (0, 1) { $own += $g[$i] * $g[$_] * $json->{covariance}{matrix}[$i][$_] for 0, 1 }
        is_near($o->{high} - $o->{predicted}, 2.2281388519649385 * sqrt($own + $o->{sigma} ** 2), 1e-7,
             "few: t on 10 degrees of freedom at $o->{abscissa} m/s");
    }

    # the same rows again are no validation, and that is said
    my $again = validated('many', 0, "$dir/many.json");
    like($again->{verdict}{cautions}[0], qr/^200 values of drops are among those that were fitted: they are not new, and agreement with them shows nothing$/,
         'many: fitted rows are distinguished from new ones');
}

# another ball under a law that knows how mass and radius matter
{
    my $both = sub {
        my ($name, $mass, $radius, $k, $lambda, $law) = @_;
        my @speed = map { 0.5 * 8 ** ($_ / 7) } 0 .. 7;
        my ($out) = (contactfit('restitution', 'azad-featherstone', '-q', '-p', "k=$k", '-p', "lambda=$lambda", '--mass', $mass,
                                '--speed', join ',', @speed))[1];
        my @line = map { [split /,/] } (split /\n/, $out)[1 .. 8];
        my $rows = join '', map { sprintf "      - {speed: %s, restitution: %.6f, duration: %.9g}\n", $_->[0],
                                  $_->[1] + 0.002 * normal(), $_->[2] * (1 + 0.002 * normal()) } @line;
        write_study($name, $rows, '{restitution: 0.002, duration: 0.2 %}', law => $law,
                    bodies => "bodies: {ball: {sphere: {radius: $radius m}, mass: $mass kg}}\n");
    };
    $both->('small', 0.1, 0.02, 2e8, 8e3, "law: azad-featherstone\nfit: {k: {}, lambda: {}}\n");
    is((contactfit('fit', '-q', "$dir/small.yaml"))[0], 0, 'small: the fit is good');
    my $root = sqrt 2;
    $both->('large', 0.8, 0.04, 2e8 * $root, 8e3 * $root, '');
    is(validated('large', 0, "$dir/small.json")->{coverage}{n}, 16, 'large: 16 values agree');
    $both->('other', 0.8, 0.04, 2e8, 8e3, '');
    my $got = validated('other', 3, "$dir/small.json");
    like(join("\n", @{$got->{verdict}{reasons}}), qr/^duration of drops: /m, 'other: a stiffness that did not scale shows in the times');
    my ($code, $out, $err) = contactfit('validate', $file, "$dir/large.yaml", '-o', $dir);
    is("$code $out$err", "1 $v $dir/large.yaml: R = 0.04 m: e-power is a record of what a pair of R = 0.02 m did and has no rule for "
       . "another radius\n", 'large: refused by a formula for e');
}

# the page, and the words in a terminal
{
    my $page = slurp("$dir/shifted-validate.html") =~ s{<nav.*?</nav>}{}sr;
    my @order = ('New data against a fit', 'Disagrees', 'New coefficient of restitution over the fit', 'Coverage', '<h2>Next</h2>', '<details', '<h2>Why', '<h2>Tests',
        '<h2>The rows', '<h2>How this was made');
    my @place = map { index $page, $_ } @order;
    is_deeply(\@place, [sort { $a <=> $b } grep { $_ >= 0 } @place], 'page: all parts, in order');
    my @figures = $page =~ m{(<svg.*?</svg>)}gs;
    is(scalar(grep { /<svg.*<\/svg>\s*$/s } @figures), 1, 'page: one figure');
    like($figures[0], qr/<desc[^>]*>[^<]*coefficient of restitution e: .*residual [^.]*against approach speed/s, 'page: restitution, and its residuals below it');
    unlike($page, qr/broken lines are its rivals/, 'page: a caption of its own');
    my ($code, $out) = contactfit('validate', $file, "$dir/new.yaml", '-o', $dir);
    like($out, qr/^agrees: The new data agree with the fit of e-power: /, 'terminal: the verdict first');
    like($out, qr/^  bias +restitution +\S+  the mean lies/m, 'terminal: the tests');
    is((contactfit('validate', '-q', $file, "$dir/new.yaml", '-o', $dir))[2], '', 'quiet');
    my $html = slurp("$dir/new-validate.html");
    contactfit('validate', '-q', $file, "$dir/new.yaml", '-o', $dir);
    ok(slurp("$dir/new-validate.html") eq $html, 'page: the same bytes every time');
    (my $hostile = slurp("$dir/new.yaml")) =~ s/Synthetic, new/<script>alert(1)<\/script>/;
    spew("$dir/hostile.yaml", $hostile);
    contactfit('validate', '-q', $file, "$dir/hostile.yaml", '-o', $dir);
    unlike(slurp("$dir/hostile-validate.html"), qr/<script>(?!'use strict';)/, 'page: text is text');
}

# refusals
sub refused { return is_refused('validate', @_) }
refused(2, 'STUDY.yaml is missing; usage: contactfit validate FIT.json STUDY.yaml [-o DIR] [--json]', $file);
my $times = write_study('times', "      - {speed: 1, duration: 1 ms}\n", '{duration: 1 us}');
refused(1, "$times: none of its 1 measured values is one that the fit of e-power in $file predicts", $file, $times);
my $empty = write_study('empty', "      - {speed: 1, restitution: 0.8}\n", $stated, rest => "    exclude: [{row: 8, because: a test}]\n");
{
    my $page = $times =~ s/\.yaml\z/-validate.html/r;
    spew($page, 'a page of somebody else');
    refused(1, "$page: is there already, and not written by contactfit: write to another file, or over this one with --force",
        $file, $times);    # before it is found that nothing can be predicted
    is(slurp($page), 'a page of somebody else', 'which stays');
    unlink $page;
}
refused(1, "$empty:8:10: speed: no row of data set drops has a value: leave it out", $file, $empty);
my $bare = write_study('bare', "      - {speed: 1}\n", '{}');
refused(1, "$bare:8:7: no measured quantity: one of restitution, rebound_speed, rebound_height, duration, depth, peak_force is "
        . 'needed', $file, $bare);
my $unknown = write_study('unknown', "      - {speed: 1, rebound_speed: 0.8}\n", '{rebound_speed: estimate}');
refused(1, "$unknown: rebound_speed of drops: no sigma is stated and the fit has none of it: state it", $file, $unknown);
(my $old = slurp($file)) =~ s/fit\/3/fit\/7/;
spew("$dir/old.json", $old);
refused(1, "$dir/old.json: contactfit: \"fit/7\" where \"fit/3\" is wanted", "$dir/old.json", "$dir/new.yaml");

# numbers that were fitted to the new data are in the curve that is drawn, too: the knock of the block, of
# several impacts the bias, a piece of curve each
for my $case (['synthetic_tap', 'synthetic_tap_held_out', 1], ['synthetic_force_pulses', 'synthetic_force_pulses', 3]) {
    my ($fit, $new, $pieces) = @$case;
    my (undef, $out) = contactfit('validate', "$srcdir/fits/$fit.json", "$srcdir/fits/$new.yaml", '--json', '-q', '-o', $dir);
    my $got = decode_json($out);
    my ($curve) = @{$got->{curves}};
    my @row = @{$got->{observations}};
    my %at;
    push @{$at{sprintf '%.9g', $_->{abscissa}}}, $_->{predicted} for @row;
    my ($known, $off) = (0, 0);
    for my $i (0 .. $#{$curve->{value}}) {
        my ($value, $near) = ($curve->{value}[$i], $at{sprintf '%.9g', $curve->{abscissa}[$i]});
        next if !defined $value || !$near;
        $known++;
        $off++ if !grep { abs($_ - $value) <= 1e-12 + 1e-9 * abs $value } @$near;
        $off++ if !($curve->{low}[$i] <= $value && $value <= $curve->{high}[$i]);
    }
    cmp_ok($known, '>', 200, "$new: the curve stands at rows that were predicted");
    is($off, 0, 'and is their prediction');
    is(scalar(grep { !defined } @{$curve->{value}}), $pieces - 1, "in pieces: $pieces");
}

# the command to run next, on the page as in the terminal; and cautions, short beside the figure and whole below it
{
    my $made = sub {
        my ($fit, $study, $name) = @_;
        my (undef, $out) = contactfit({in => $dir}, 'validate', $fit, $study, '-o', $dir);
        my ($next) = $out =~ /^next: contactfit (\S+) \S*?([^\/\s]+)$/m ? "$1 $2" : '';
        my $page = slurp("$dir/$name-validate.html");
        my ($shown) = $page =~ m{<pre class="next"><code>contactfit ([^<]*)</code></pre>};
        is($shown, $next, "$name: one command, as in the terminal");
        my ($first, $why) = $page =~ m{<section class="numbers">(.*?)</section>.*<section id="why">(.*?)</section>}s;
        return ($next, $first // $page, $why // '', $page);
    };
    my ($next, $first, $why, $page) = $made->($file, "$dir/new.yaml", 'new');
    is($next, 'report ' . basename($file), 'new data agree: the page of the fit');
    my ($n, $of, $share) = $first =~ m{<li><b>(\d+) of (\d+)</b> values, <span class="n">([\d.]+)</span>&#8239;%, lie inside their <span class="n">95</span>&#8239;%};
    ok(defined $share && abs(100 * $n / $of - $share) < 0.05, 'coverage in numbers');
    like($page, qr{<section id="tests">\n<p>[^<]*</p>\n<details><summary>\d+ tests pass</summary>}, 'tests that pass are folded');
    ($next, $first, $why, $page) = $made->($file, "$dir/shifted.yaml", 'shifted');
    is($next, 'check shifted.yaml', 'they disagree: what the study says of them');
    like($why, qr{<h3>Why</h3>\n<ul>\n<li>e(?:<[^>]*>)* of|<h3>Why</h3>\n<ul>\n<li>restitution of}, 'with the reasons');
    unlike($page =~ s{<section id="why">.*?</section>}{}sr, qr{<h3>Why</h3>}, 'once');
    like($page, qr{<section id="tests">\n<p>[^<]*</p>\n<div class="scroll}, 'tests that reject stand open');
    ($next, $first, $why) = $made->(abs_path("$srcdir/fits/croquet_ball_on_wood.json"), abs_path("$srcdir/fits/croquet_ball_on_wood.yaml"), 'croquet_ball_on_wood');
    is($next, 'report croquet_ball_on_wood.json', 'the fit is not to be trusted: its page');
    like($first, qr{<li>the fit itself is not to be trusted</li>.*<a href="#why">}s, 'a caution in short');
    like($why, qr{<li>the fit itself is not to be trusted: misfit: .*far better}s, 'and whole');
}

# all reasons of a fit that is not to be trusted are named, however many
{
    my (undef, $out) = contactfit({in => $dir}, 'validate', abs_path("$srcdir/fits/croquet_ball_on_wood.json"), abs_path("$srcdir/fits/croquet_ball_on_wood.yaml"), '-o', $dir);
    like($out =~ s/\s+/ /gr, qr/the fit itself is not to be trusted: misfit: the data sets disagree .*; note: power describes the restitution far better \(AICc lower by 24\.9\)/, 'a long verdict of the fit');
}

done_testing();
