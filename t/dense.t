#!/usr/bin/perl
# Traces whose errors follow each other: noise: dense. The noise is drawn here and the force is
# written out by its formula; estimates, the model that is found, and what is refused.

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
my ($k, $sigma) = (600e3, 0.01);
# The rows of the record that most of this is about; and its fit, made once: its exit status, file, and words.
my $rows = $full ? 2000 : 1000;
my @of_ar;

# A loop of n rows: the force of a spring k z^1.5 from 0.2 mm before the touch to 1 mm, with noise.
# phi, share: of the slow part, whose share of the variance it is.
sub loop
{
    my ($name, $n, $phi, $share, %more) = @_;
    my ($slow, @row) = (sqrt($share) * normal());
    for my $i (0 .. $n - 1) {
        my $x = $i < $n / 2 ? 2 * $i / $n : 2 - 2 * $i / $n;
        my $depth = -0.2e-3 + 1.2e-3 * $x;
        my $error = $sigma * ($slow + sqrt(1 - $share) * normal());
        my $force = ($depth > 0 ? $k * $depth**1.5 : 0) + $error;
        $slow = $phi * $slow + sqrt($share * (1 - $phi**2)) * normal();
        next if $more{without} && $i >= $more{without}[0] && $i < $more{without}[1];
        push @row, sprintf('%.6f,%.9g,%.9g', $i / 100, $depth, $force);
    }
    spew("$dir/$name.csv", join "\n", '# synthetic', 't_s,depth_m,force_N', @row, '');
}
sub study_of
{
    my ($name, $noise, $more) = @_;
    spew("$dir/$name-$noise.yaml", "contactfit: study/1\nlaw: azad-featherstone\nfit: {k: {}}\nfixed: {lambda: 0}\n"
        . "data:\n  - name: gel\n    protocol: indent\n    file: $name.csv\n"
        . "    columns: {time: t_s, depth: depth_m, force: {from: force_N, noise: $noise}}\n" . ($more // ''));
    return "$dir/$name-$noise.yaml";
}
# of the standard normal distribution, by Simpson's rule
sub normal_below
{
    my ($x) = @_;
    return $x < 0 ? 0 : 1 if abs $x > 8;
    my ($n, $sum) = (60, 0);
    $sum += ($_ == 0 || $_ == $n ? 1 : $_ % 2 ? 4 : 2) * exp(-($x * $_ / $n)**2 / 2) for 0 .. $n;
    return 0.5 + $sum * $x / $n / 3 / sqrt(8 * atan2(1, 1));
}
sub refused
{
    my ($path, $message, $name) = @_;
    my ($status, undef, $err) = contactfit('check', $path);
    like($err, qr/\Q$message\E/, $name);
    is($status, 1, 'and refused');
}

normal() for 1 .. 50;

# autoregression
{
    loop('ar', $rows, 0.9, 1);
    normal() for 1 .. 2 * (2000 - $rows);    # what follows is the same, however long this is
    my ($status, $fit, $out, $err) = @of_ar = fit_of($dir, study_of('ar', 'dense'));
    is($status, 0, 'a fit with noise that is correlated') or diag($err, @{reasons($fit)});
    is($fit->{verdict}{status}, 'good', 'is good');
    my $e = $fit->{errors}{serial}[0];
    is("$e->{model} $e->{order}", 'ar 1', 'by an autoregression of order 1');
    ok(abs($e->{coefficients}[0] - 0.9) < 0.04, "of 0.9 ($e->{coefficients}[0])");
    ok(abs($e->{effective_rows} / ($rows / 19) - 1) < 0.5, "worth a nineteenth of its rows ($e->{effective_rows})");
    ok(abs($e->{step_s} - 0.01) < 1e-9, 'its step in time');
    # the starts were sought by another noise: they lie as far above the best as they did there
    my @confirmed = grep { $_->{at_optimum} } @{$fit->{starts}};
    ok(@confirmed > 1 && !grep({ abs($_->{cost} - $fit->{starts}[0]{cost}) > 0.1 } @confirmed),
        'starts that ended at the optimum cost what it costs: ' . join ', ', map { sprintf '%.3f', $_->{cost} } @confirmed);
    is($fit->{starts}[0]{cost}, $fit->{statistics}{minus_2_log_likelihood}, 'by the noise of the result');
    my $p = $fit->{parameters}{k}{interval};
    ok($p->{low} < $k && $k < $p->{high}, "k: $p->{low} to $p->{high}");

    # sampled, with the number of the model: k as by the likelihood; a short record stands for it below
    if ($full) {
        spew("$dir/sampled.yaml", slurp(study_of('ar', 'dense', "options: {posterior: 300}\n")));
        my ($drawn) = (fit_of($dir, "$dir/sampled.yaml"))[1]->{posterior};
        is("$drawn->{converged} @{[map { $_->{kind} } @{$drawn->{noise}}]}", '1 sigma partial', 'a posterior of it') or diag($drawn->{why});
        for my $end (qw(low high)) {
            my $off = ($drawn->{parameters}{k}{$end} - $p->{$end}) / ($p->{high} - $p->{low});
            ok(abs $off < 0.08, "k: its $end end is the likelihood's ($off)");
        }
    }

    my ($other, $white) = fit_of($dir, study_of('ar', 'white'));
    is($other, 3, 'taken as independent it is none');
    my $w = $white->{parameters}{k}{interval};
    my $ratio = ($p->{high} - $p->{low}) / ($w->{high} - $w->{low});
    ok($ratio > 2.5 && $ratio < 6, "with an interval that is too narrow by sqrt(19) = 4.4 ($ratio)");
    ok(!@{$white->{errors}{serial}}, 'and no model of it');
    my $gain = $white->{statistics}{minus_2_log_likelihood} - $fit->{statistics}{minus_2_log_likelihood};
    my $known = -$rows * log(1 - $e->{coefficients}[0]**2);
    ok(abs($gain - $known) < 20, "and -2 ln L higher by -n ln(1 - phi^2) = $known ($gain)");

    like($out =~ s/\n +/ /gr, qr/errors of force of gel are correlated over [\d.]+ rows \(ar, order 1\): $rows rows are worth [\d.]+/,
        'the terminal says so');
    like(slurp("$dir/ar-dense.html"), qr/follow each other as an autoregression of order 1, chosen by BIC\. They are correlated over/,
        'and the page');
}

# what correlated noise would swallow: eight loops whose force is another in a way that goes on from
# row to row
{
    my %more = (
        nothing   => sub { 0 },
        direction => sub { 2 * $_[1] },
        place     => sub { 1.5 * cos(4e3 * $_[0]) },
        cycle     => sub { 1.5 * sin(12 * atan2(1, 1) * 2 * $_[2]) },
        drift     => sub { 3 * $_[3]**2 },
    );
    my %says = (
        direction => qr/^force of gel: the residuals depend on whether depth rises or falls, which explains \d+ % of their variance \(p/,
        place     => qr/^force of gel: the residuals depend on depth, which explains \d+ % of their variance \(p/,
        cycle     => qr/^force of gel: (\d+) % of the residuals' variance repeats in each of 8 cycles: a mean cycle without any law leaves 0\.0\d+ N, and the law 0\.0\d+ N \(p/,
        drift     => qr/^force of gel: the residuals drift with time, which explains \d+ % of their variance \(p/,
    );
    for my $what ('nothing', sort keys %says) {
        my ($n, $slow, @row) = (3200, normal());
        for my $i (0 .. $n - 1) {
            my $phase = 8 * $i / $n - int(8 * $i / $n);
            my $way = $phase < 0.5 ? 1 : -1;
            my $depth = -0.2e-3 + 1.2e-3 * ($way > 0 ? 2 * $phase : 2 - 2 * $phase);
            my $force = ($depth > 0 ? $k * $depth**1.5 : 0)
                + $sigma * ($slow + $more{$what}->($depth, $way, $phase, $i / $n));
            $slow = 0.8 * $slow + 0.6 * normal();
            push @row, sprintf('%.6f,%.9g,%d,%.9g', $i / 100, $depth, $way, $force);
        }
        spew("$dir/$what.csv", join "\n", '# synthetic', 't_s,depth_m,way,force_N', @row, '');
        my $path = study_of($what, 'dense');
        spew($path, slurp($path) =~ s/depth: depth_m/depth: depth_m, direction: way/r);
        my ($status, $fit, $out) = fit_of($dir, $path);
        my %p = map { $_->{test} => $_->{p_adjusted} } @{$fit->{tests}};
        is(join(' ', grep { defined $p{$_} } qw(offset drift place direction sign cycle)), 'offset drift place direction cycle',
            "$what: what is tested, a force of one sign");
        if ($what eq 'nothing') {
            is($fit->{verdict}{status}, 'good', 'nothing is left, and the fit is good')
                or diag(@{reasons($fit)});
            next;
        }
        is($fit->{verdict}{status}, 'misfit', 'is a misfit, ') or diag(explain($fit->{tests}));
        is($status, 3, 'and exits with 3');
        my ($said) = grep { $_ =~ $says{$what} } @{reasons($fit)};
        ok($said, 'as it says') or diag(@{reasons($fit)});
        if ($what eq 'cycle') {
            my ($percent, $without, $law) = $said =~ /: (\d+) %.* leaves (\S+) N, and the law (\S+) N/;
            ok(abs($without / $sigma - 1) < 0.05, "a mean cycle leaves the noise ($without)");
            ok(abs($law / $sigma / sqrt(1 + 1.5**2 / 2) - 1) < 0.15, "the law what repeats, too ($law)");
            ok(abs($percent - 53) < 10, "which is 53 % of both ($percent)");
            like(slurp("$dir/cycle-dense.html"), qr/repeats in each of 8 cycles/, 'the page says so');
            like($out =~ s/\s+/ /gr, qr/repeats in each of 8 cycles/, 'and the terminal');
        }
    }
}

# studies that are made up have such noise, too: a dozen see noise that is drawn white, or intervals as
# narrow as those of white noise; forty see a coverage below nine tenths
{
    my ($n, $least) = $full ? (40, 35) : (12, 9);
    my ($status, $out, $err) = contactfit('selftest', study_of('ar', 'dense'), '-n', $n, '--json');
    diag($err) if $err;
    my $made = decode_json($out);
    ok(!defined $made->{misfit} || $made->{misfit} eq '', 'what a self-test draws stands on no misfit');
    ok($made->{parameters}{k}{covered} >= $least && $made->{verdicts}{misfit} <= 2,
        "intervals of $n cover, in $made->{parameters}{k}{covered}, and $made->{verdicts}{misfit} are misfits");
    my $width = $made->{parameters}{k}{typical_high} - $made->{parameters}{k}{typical_low};
    my $i = $of_ar[1]->{parameters}{k}{interval};
    ok(abs(log($width / ($i->{high} - $i->{low}))) < log(1.3), 'and are as wide as that of the study');
}

# new records of such noise: rows that follow each other are no news of their own
{
    my ($agree, @said) = 0;
    for my $i (1 .. 12) {
        loop('new', 600, 0.9, 1);
        my ($status, $out) = contactfit('validate', "$dir/ar-dense.json", study_of('new', 'white'), '--json');
        my $v = decode_json($out);
        $agree += $v->{verdict}{agrees} ? 1 : 0;
        push @said, "@{$v->{verdict}{reasons}}" if !$v->{verdict}{agrees};
    }
    ok($agree >= 11, "$agree of 12 new records agree with the fit") or diag(@said);
    loop('off', 600, 0.9, 1);
    spew("$dir/off.csv", join '', map { /^(\d.*),(\S+)$/ ? "$1," . ($2 + 2.5 * $sigma) . "\n" : $_ } split /^/, slurp("$dir/off.csv"));
    my ($status, $out) = contactfit('validate', "$dir/ar-dense.json", study_of('off', 'white'), '--json');
    my $v = decode_json($out);
    ok(!$v->{verdict}{agrees}, 'one that lies 2.5 sigma off does not');
    my ($bias) = grep { $_->{test} eq 'bias' } @{$v->{tests}};
    my ($z) = $bias->{text} =~ /lies (\S+) standard errors/;
    ok($z > 2.5 * sqrt(600 / 19) * 0.5 && $z < 2.5 * sqrt(600 / 19) * 1.5, "by the mean of some 32 rows, not of 600 ($z)");
}

# white noise beside a slow part, with a gap in the middle
{
    loop('slow', 2000, 0.97, 0.5, without => [900, 960]);
    my ($status, $fit) = fit_of($dir, study_of('slow', 'dense'));
    my $e = $fit->{errors}{serial}[0];
    is("$e->{model} $e->{runs} $e->{rows}", 'white-ar 2 1940', 'white noise and a slow part, in two runs');
    ok(abs($e->{share} - 0.5) < 0.2, "half of it ($e->{share})");
    ok($e->{coefficients}[0] > 0.94 && $e->{coefficients}[0] < 0.99, "of 0.97 ($e->{coefficients}[0])");
    my $p = $fit->{parameters}{k}{interval};
    ok($p->{low} < $k && $k < $p->{high}, "k: $p->{low} to $p->{high}");
}

# two records with noise of their own, and sigma known
{
    my $columns = 'columns: {time: t_s, depth: depth_m, force: {from: force_N, noise: dense, sigma: 0.01 N}}';
    my $path = study_of('ar', 'dense', "  - name: slow\n    protocol: indent\n    file: slow.csv\n    $columns\n");
    my ($status, $fit) = fit_of($dir, $path);
    is(join(' ', map { "$_->{data} $_->{model}" } @{$fit->{errors}{serial}}), 'gel ar slow white-ar', 'each with its own model');
    my $i = $fit->{parameters}{k}{interval};
    ok($i->{low} < $k && $k < $i->{high}, "k of both: $i->{low} to $i->{high}");
    my $alone = $of_ar[1];
    my $of_one = $alone->{parameters}{k}{interval};
    ok($i->{high} - $i->{low} < $of_one->{high} - $of_one->{low}, 'is better known than of one');
    my @phi = map { $_->{errors}{serial}[0]{coefficients}[0] } $fit, $alone;
    ok(abs($phi[0] - $phi[1]) < 0.005, "and each one's noise is what it is alone (@phi)");
}

# independent after all
{
    loop('white', 600, 0, 0);
    my ($status, $fit) = fit_of($dir, study_of('white', 'dense'));
    my (undef, $plain) = fit_of($dir, study_of('white', 'white'));
    is($fit->{errors}{serial}[0]{model}, 'white', 'independent errors are found to be so');
    ok(abs($fit->{parameters}{k}{interval}{$_} / $plain->{parameters}{k}{interval}{$_} - 1) < 1e-6,
        "$_ is that without the key") for qw(low high);
}

# a memory that is longer than the record tells
{
    loop('long', 1000, 0.995, 1);
    my ($status, $fit) = fit_of($dir, study_of('long', 'dense'));
    my ($said) = grep { /correlated over/ } @{reasons($fit)};
    is($fit->{verdict}{status}, 'weak', 'errors with a memory of a fifth of the record: weak');
    like($said // '', qr/^the errors of force in gel are correlated over \S+ rows, and the record has 1000: /, 'as it says');
}

# what is refused
my $good = slurp(study_of('white', 'dense'));
refused(study_of('white', 'shared'), 'unknown noise shared: known here: white, dense', 'no such noise');
spew("$dir/depth.yaml", $good =~ s/depth: depth_m/depth: {from: depth_m, noise: dense}/r);
refused("$dir/depth.yaml", 'noise: dense: is of what is measured, whose residuals show it, and depth is imposed', 'of what is imposed');
spew("$dir/robust.yaml", "${good}options: {loss: huber}\n");
refused("$dir/robust.yaml", 'loss: takes every row as independent, and noise: dense states that they are not: leave one of them out', 'with a robust loss');
loop('few', 49, 0.5, 1);
refused(study_of('few', 'dense'), 'few-dense.yaml:6:5: data set gel: noise: dense: 49 rows of force to be fitted: at least 50 are needed to identify their correlation; noise: white takes them as independent', 'of few rows');
spew("$dir/table.csv", "v_m_s,f_N\n1,2\n2,3\n3,4\n");
spew("$dir/table.yaml", "contactfit: study/1\nfriction: f-viscous\nfit: {f_c: {}, d_2: {}}\ndata:\n  - name: s\n"
    . "    protocol: slide\n    file: table.csv\n    columns: {speed: v_m_s, force: {from: f_N, noise: dense}}\n");
refused("$dir/table.yaml", 'noise: dense: is of a record in the order of time, and the rows of slide are measurements of their own', 'of a table');

# a short record, whose errors' correlation is hardly known, against quadrature: with k and sigma integrated out the
# density of phi is (1 - phi^2)^(-(n - 1)/2) A^(-1/2) S^(-(n - 1)/2), A and S the sums of squares of the spring and of what
# it leaves, made independent
{
    loop('brief', 120, 0.7, 1);
    my (undef, $fit) = fit_of($dir, study_of('brief', 'dense', "options: {posterior: " . ($full ? 1500 : 600) . "}\n"));
    my $e = $fit->{errors}{serial}[0];
    is("$e->{model} $e->{order} $e->{runs}", 'ar 1 1', 'a short record: one run of an autoregression of order 1');
    my $p = $fit->{posterior};
    is("$p->{converged} @{[map { $_->{kind} } @{$p->{noise}}]}", '1 sigma partial', 'and a posterior') or diag($p->{why});
    like(slurp("$dir/brief-dense.html"),
        qr/partial autocorrelation of the errors at lag 1 of \w+ in gel: .*; prior: uniform in/, 'which is told');
    my @x = map { [$_->{predicted} / $fit->{parameters}{k}{value}, $_->{value}] } @{$fit->{observations}};
    my (%below, $all);
    my %got = (phi => $p->{noise}[1], k => $p->{parameters}{k});
    for my $i (0 .. 700) {
        my $phi = -0.4 + 0.002 * $i - 1e-3;
        my ($n, $A, $b, $y) = (scalar @x, 0, 0, 0);
        for my $r (0 .. $#x) {
            my ($u, $v) = map { $r ? ($x[$r][$_] - $phi * $x[$r - 1][$_]) / sqrt(1 - $phi**2) : $x[0][$_] } 0, 1;
            $A += $u * $u;
            $b += $u * $v;
            $y += $v * $v;
        }
        my $S = $y - $b * $b / $A;
        my $weight = exp(-($n - 1) / 2 * (log(1 - $phi**2) + log($S / 1e-2)) - log($A) / 2 + 10);
        $all += $weight;
        for my $end (qw(low median high)) {
            $below{phi}{$end} += $weight if $phi < $got{phi}{$end};
            # Student's t of so many degrees of freedom is as good as normal here
            $below{k}{$end} += $weight * normal_below(($got{k}{$end} - $b / $A) / sqrt($S / ($n - 3) / $A));
        }
    }
    my %want = (low => 0.025, median => 0.5, high => 0.975);
    for my $of (qw(phi k)) {
        for my $end (qw(low median high)) {
            my $share = $below{$of}{$end} / $all;
            my $error = 4 * sqrt($want{$end} * (1 - $want{$end}) / $got{$of}{ess}) + 2e-3;
            ok(abs($share - $want{$end}) < $error, "$of: $end: $share of the posterior by quadrature lies below");
        }
    }
}

done_testing();
