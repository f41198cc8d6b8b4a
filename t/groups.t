#!/usr/bin/perl
# `group`: which rows share an error. By columns, by texts of data sets, by place where a study is
# silent; what the fit, its page and `check` say of it; and every way to say it wrongly.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Program qw(:DEFAULT is_refused);
use Test::More;

draw_no_figures();

my $dir = tempdir(CLEANUP => 1);
my $head = "contactfit: study/1\ntitle: synthetic\n"
    . "bodies: {ball: {sphere: {diameter: 40 mm}, mass: 50 g}, block: {plane: {}, fixed: true}}\n"
    . "law: e-log\nfit: {e_at_1: {}, b: {}}\noptions: {starts: 3, screen: 32}\n";

# Two sessions in each of two files, an error of 0.01 in each, of their own the digits of a table.
my @digit = (3, -1, -4, 1, 5, -2, 0, -3, 4, -3, 2, -2);
my @shift = (9, -11, 10, -8);

sub table
{
    my ($first, $n) = @_;
    my $text = "# synthetic\nspeed_m_s,e,day,session\n";
    for my $i (0 .. $n - 1) {
        my $session = $first + ($i % 2);
        my $v = 0.5 * 1.3 ** (($i * 5) % 12);
        $text .= sprintf "%.5f,%.6f,%s,%d\n", $v,
            0.8 - 0.03 * log($v) + 1e-3 * $shift[$session] + 5e-4 * $digit[($i * 7 + $first) % 12],
            $session % 2 ? 'mon' : 'tue', $session;
    }
    return $text;
}

spew("$dir/a.csv", table(0, 12));
spew("$dir/b.csv", table(2, 12));

sub set
{
    my ($name, $more) = @_;
    return "  - name: $name\n    protocol: impact\n    file: $name.csv\n"
        . "    columns: {speed: {from: speed_m_s}, restitution: {from: e, unit: 1}}\n" . ($more // '');
}

sub fit
{
    my ($text, @more) = @_;
    spew("$dir/s.yaml", $head . $text);
    my ($code, $out, $err) = contactfit('fit', "$dir/s.yaml", '-j', 1, @more);
    my $json = slurp("$dir/s.json");
    return ($code, $json ? decode_json($json) : {}, $out, $err);
}

sub shared { return $_[0]{errors}{shared} }

# tau's interval where the rows' own errors are next to nothing: that of a standard deviation of five
# means, by chi^2 on 4 degrees of freedom (0.48442 and 11.14329 are its 2.5 and 97.5 % points).
{
    my @mean = (0.80, 0.83, 0.79, 0.82, 0.81);
    my $text = "data:\n  - name: a\n    protocol: impact\n    rows:\n";
    for my $i (0 .. 19) {
        my $g = $i % 5;
        $text .= sprintf "      - {speed: %d m/s, restitution: %.6f}\n", 1 + $g,
            $mean[$g] + 1e-6 * $digit[$i % 12];
    }
    my $squares = 0;
    spew("$dir/c.yaml", $head =~ s/^law: .*\nfit: .*\n/law: e-constant\nfit: {e: {}}\n/mr . $text);
    contactfit('fit', "$dir/c.yaml");
    my ($tau) = @{shared(decode_json(slurp("$dir/c.json")))};
    $squares += ($_ - 0.81) ** 2 for @mean;
    my $s = sqrt($squares / 4);
    cmp_ok(abs($tau->{sigma} / $s - 1), '<', 1e-4, 'tau is the standard deviation of the means');
    cmp_ok(abs($tau->{low} / ($s * sqrt(4 / 11.14329)) - 1), '<', 1e-3, 'the lower end');
    cmp_ok(abs($tau->{high} / ($s * sqrt(4 / 0.48442)) - 1), '<', 1e-3, 'and the upper one');
}

# tau's interval beside own errors that count, by Tukey's and Williams' formula from sums of squares: days of four rows,
# of which the means may lie closer than by chance, where tau is 0 and its interval no point. Quantiles of chi^2 and F
# at 2.5 and 97.5 %, for two and three days.
for my $case ([2, 0.000982069, 5.023886, 0.00107, 8.813101], [3, 0.05063562, 7.377759, 0.0253892, 5.714705]) {
    my ($days, $chi_low, $chi_high, $f_low, $f_high) = @$case;
    my ($zeros, $n) = (0, 4);
    for my $between (0, 0.001, 0.004, 0.02) {
        my ($text, $all, $within, $means) = ("data:\n  - name: a\n    protocol: impact\n    rows:\n", 0, 0, 0);
        my @row;
        for my $g (0 .. $days - 1) {
            push @{$row[$g]}, 0.8 + $between * $g + 0.003 * $digit[(5 * $g + 7 * $_ + 1e3 * $between) % 12] for 1 .. $n;
            $text .= sprintf "      - {speed: 1 m/s, restitution: %.9f, day: d%d}\n", $_, $g for @{$row[$g]};
        }
        my @mean = map { my $sum = 0; $sum += $_ for @$_; $sum / $n } @row;
        $all += $_ / $days for @mean;
        for my $g (0 .. $days - 1) {
            $within += ($_ - $mean[$g]) ** 2 / ($days * ($n - 1)) for @{$row[$g]};
            $means += ($mean[$g] - $all) ** 2 / ($days - 1);
        }
        my $own = $within / $n;
        my $positive = sub { $_[0] > 0 ? $_[0] : 0 };
        my $low = sqrt($positive->($means - $f_high * $own) * ($days - 1) / $chi_high);
        my $high = sqrt((($means > $own ? $means : $own) - $f_low * $own) * ($days - 1) / $chi_low);
        spew("$dir/c.yaml", $head =~ s/^law: .*\nfit: .*\n/law: e-constant\nfit: {e: {}}\ngroup: {by: [day]}\n/mr . $text);
        my (undef, $out) = contactfit('fit', "$dir/c.yaml");
        my ($tau) = @{shared(decode_json(slurp("$dir/c.json")))};
        my $what = "$days days $between apart";
        # means that lie so close lower the likeliest sigma a little
        is_near($tau->{high}, $high, $means < $own ? 0.1 : 2e-3, "$what: the upper end");
        $low ? is_near($tau->{low}, $low, 2e-3, 'and the lower one') : is($tau->{low}, 0, 'and the lower one');
        unlike($out, qr/tau of [^:]*: \S+ \[0, 0\]|\bnan\b/, 'and no interval is a point');
        $zeros++ if $tau->{sigma} == 0;
    }
    cmp_ok($zeros, '>=', 1, "$days days: some of them show no tau");
}

# Sessions by their column, over both files.
my ($code, $json, $out) = fit("group: {by: [session]}\ndata:\n" . set('a') . set('b'));
is($json->{errors}{group}, 'stated', 'the study says who shares');
is(scalar @{shared($json)}, 1, 'one effect');
is_deeply([map { shared($json)->[0]{$_} } qw(level channel groups rows identified)],
    ['session', 'restitution', 4, 24, JSON::PP::true], 'four sessions of two files');
ok(abs(shared($json)->[0]{sigma} - 0.011) < 0.004, 'tau is about what was put in');
like($out =~ s/\n {4}/ /gr, qr/^  tau of restitution, shared by the rows of one session: 0\.01\S* \[.*\] \(4 groups, 24 rows\)$/m,
    'and stands beside the parameters');
my $grouped = $json->{parameters}{e_at_1}{interval};
my $slope = $json->{parameters}{b}{interval};
like(slurp("$dir/s.html"), qr{<h2>What is assumed of the errors</h2>.*as the study states.*session.*>4<}s,
    'the page says so');
like(slurp("$dir/s.html"), qr/An error that all rows have in common.*is assumed to be 0/s,
    'and what no test can see');

# The same without: the mean seems known too well; the slope, which lies within sessions, less well.
($code, $json) = fit("group: none\ndata:\n" . set('a') . set('b'));
is($json->{errors}{group}, 'none', 'none is said');
is_deeply(shared($json), [], 'and there is no effect');
my $plain = $json->{parameters}{e_at_1}{interval};
cmp_ok($grouped->{high} - $grouped->{low}, '>', 2 * ($plain->{high} - $plain->{low}),
    'what all rows of a session share makes the mean uncertain');
cmp_ok($slope->{high} - $slope->{low}, '<',
    $json->{parameters}{b}{interval}{high} - $json->{parameters}{b}{interval}{low},
    'and the slope more certain');

# Levels, and a text for a whole data set.
($code, $json) = fit("group: {by: [day, session]}\ndata:\n" . set('a') . set('b'));
is_deeply([map { [@$_{qw(level groups)}] } @{shared($json)}], [['session', 4], ['day', 2]],
    'sessions within days');
($code, $json) = fit("data:\n" . set('a', "    group: {by: [lab], lab: north}\n")
    . set('b', "    group: {by: [lab], lab: south}\n"));
is_deeply([map { [@$_{qw(level groups)}] } @{shared($json)}], [['lab', 2]], 'a text for all rows');
($code, $json) = fit("group: {by: [lab]}\ndata:\n" . set('a', "    group: {lab: north}\n")
    . set('b', "    group: {lab: north}\n"));
is_deeply(shared($json), [], 'one lab, two files: labs have no tau');
is_deeply($json->{tests}, (fit("group: none\ndata:\n" . set('a') . set('b')))[1]{tests},
    'and the fit is judged as without: repeats of both sets miss the curve alike');
like(join(' ', @{reasons($json)}), qr/note: the numbers are those of this lab: by how much another lab differs/,
    'which is said');
($code, $json) = fit("group: {by: [session]}\ndata:\n" . set('a') . set('b', "    group: none\n"));
is(shared($json)->[0]{rows}, 12, 'a data set may stay out');

# Rows in the study; repeats of a silent study.
sub rows
{
    my ($places, $repeats, $more) = @_;
    my $text = "data:\n  - name: r\n    protocol: impact\n    rows:\n";
    for my $i (0 .. $places * $repeats - 1) {
        my $place = $i % $places;
        my $v = 0.5 * 1.15 ** $place;
        $text .= sprintf "      - {speed: %.5f, restitution: %.6f%s}\n", $v,
            0.8 - 0.03 * log($v) + 1e-3 * $shift[$place % 4] * ($place % 3) + 5e-4 * $digit[($i * 5) % 12] + 1e-5 * $i,
            $more ? ", session: s" . ($i % 5) : '';
    }
    return $text;
}
($code, $json) = fit(rows(6, 4));
is($json->{errors}{group}, 'by place', 'repeats of a silent study are grouped by place');
is_deeply([map { shared($json)->[0]{$_} } qw(level groups rows)], ['speed', 6, 24], 'six of four');
like(join(' ', @{reasons($json)}),
    qr/restitution: the means of repeats miss the curve \S+ times more than their scatter explains .* either repeats at one speed share an error, as is assumed here, or the law fails there/,
    'what that leaves open is said');
is($json->{verdict}{status}, 'weak', 'and caps the verdict');
like(slurp("$dir/s.html"), qr/Repeats at one place are taken to share an error/, 'the page says why');
($code, $json) = fit("group: none\n" . rows(6, 4));
is($json->{verdict}{status}, 'misfit', 'taken as independent they are a misfit');
($code, $json) = fit(rows(19, 2));
is($json->{errors}{group}, 'by place', '19 places are few');
($code, $json) = fit(rows(20, 2));
is($json->{errors}{group}, 'silent', '20 are many');
($code, $json) = fit(rows(8, 1));
is($json->{errors}{group}, 'silent', 'without repeats there is nothing to group');
($code, $json) = fit("group: {by: [session]}\n" . rows(6, 4, 1));
is(shared($json)->[0]{groups}, 5, 'rows of the study name their session');
($code, $out) = contactfit('check', do { spew("$dir/s.yaml", $head . rows(6, 4)); "$dir/s.yaml" });
like($out, qr/^  rows of one speed share an error: 6 groups \(repeats at few places; group: none takes them as independent\)$/m,
    'check says it, too');

# One text for all rows of a data set names its own level.
($code, $json) = fit("data:\n" . set('a', "    group: {session: monday}\n") . set('b', "    group: {session: tuesday}\n"));
is(shared($json)->[0]{level}, 'session', 'a text names the level');
is(shared($json)->[0]{groups}, 2, 'and each data set is a group of it');
(undef, my $by) = fit("group: {by: [session]}\ndata:\n" . set('a', "    group: {session: monday}\n") . set('b', "    group: {session: tuesday}\n"));
is_deeply(shared($json), shared($by), 'as where the study names the level');

# Every way to say it wrongly.
sub refused
{
    my ($text, $message, $what) = @_;
    spew("$dir/s.yaml", $head . $text);
    my ($status, $said, $error) = contactfit('check', "$dir/s.yaml");
    is($status, 1, "$what: refused");
    like($error, qr/^contactfit check: \S+?\Q$message\E$/m, "$what: why");
}
my $both = "data:\n" . set('a');
refused("group: session\n$both", 's.yaml:7:8: group: {by: [session]}, or none, is wanted', 'a word');
refused("group: {session: 1}\n$both", 's.yaml:7:9: unknown key session: known here: by, of', 'another key');
refused("group: {by: []}\n$both", 's.yaml:7:13: by: empty: the column of what rows share, as in [session]', 'no level');
refused("group: {by: [session, session]}\n$both", 's.yaml:7:23: by: session: named twice', 'a level twice');
refused("group: {by: [sesion]}\n$both",
    "s.yaml:7:14: no column sesion in $dir/a.csv (did you mean session?): it has speed_m_s, e, day, session",
    'no such column');
refused("data:\n" . set('a', "    group: {}\n"), 's.yaml:12:12: group: {by: [session]}, {session: monday} or none is wanted', 'nothing');
refused("data:\n" . set('a', "    group: {session: [1]}\n"), 's.yaml:12:22: session: a list [...] where a text is wanted', 'a list for a text');
refused("group: {by: [session]}\n" . rows(6, 4), 's.yaml:12:9: session: missing: which group does the row belong to?',
    'a row without');
refused("group: {by: [day, session]}\ndata:\n" . set('a') . set('b', "    group: {by: [session]}\n"),
    's.yaml:17:18: group: session lies within other groups elsewhere: name the levels in one order', 'another order');
spew("$dir/c.csv", "# synthetic\nspeed_m_s,e,session\n1,0.8,x\n2,0.78,\n3,0.77,x\n4,0.76,y\n");
refused("group: {by: [session]}\ndata:\n" . set('c'), 'c.csv:4:8: session: empty: which group does it belong to?',
    'an empty cell');

(my $robust = $head) =~ s/options: .*\n/options: {starts: 3, screen: 32, loss: huber}\n/;
spew("$dir/s.yaml", $robust . "group: {by: [session]}\n$both");
($code, $out, my $err) = contactfit('check', "$dir/s.yaml");
like($err, qr/s\.yaml:6:1: options: huber takes every row as independent: leave it out, or state group: none$/m,
    'a loss that knows no groups');
spew("$dir/s.yaml", $robust . rows(6, 4));
($code, $out, $err) = contactfit('check', "$dir/s.yaml");
like($err, qr/note: r: 24 rows at 6 speeds are taken as independent, as huber does$/m, 'a silent study is told');

# How an estimated sigma goes with the axis.
{
    my $grow = "data:\n  - name: g\n    protocol: impact\n    sigma: {restitution: {estimate: WAY}}\n    rows:\n";
    for my $i (0 .. 15) {
        my $v = 0.4 * 1.2 ** $i;
        $grow .= sprintf "      - {speed: %.5f, restitution: %.6f}\n", $v,
            0.8 - 0.03 * log($v) + 8e-4 * $v * $digit[($i * 5) % 12];
    }
    for my $way (qw(constant proportional both)) {
        my ($code, $json, $out) = fit($grow =~ s/WAY/$way/r);
        my $c = $json->{data}[0]{channels}[2];
        is($c->{sigma_model} // 'constant', $way, "$way: told");
        next if $way eq 'constant';
        ok($c->{sigma_slope} > 0, "$way: a part that grows");
        like($out, qr/^  sigma of restitution grows: sigma\^2 = \(\S+\)\^2 \+ \(\S+ x\)\^2, x the speed$/m, "$way: in words");
        like(slurp("$dir/s.html"), qr/The scatter of coefficient of restitution in g grows along the axis/, "$way: on the page");
    }
    my ($code, $json) = fit($grow =~ s/\{estimate: WAY\}/estimate/r);
    is($json->{data}[0]{channels}[2]{sigma_model}, 'both', 'estimate: the data choose');
    refused($grow =~ s/WAY/bth/r, 's.yaml:10:37: unknown way to estimate a sigma bth: did you mean both?', 'no such way');
    refused($grow =~ s/estimate: WAY/estimate: both, from: x/r, 's.yaml:10:43: unknown key from: known here: estimate, floor, per', 'two ways');
}

# the sampler has the errors that rows share, and says so
{
    my (undef, $shared) = fit("group: {by: [session]}\ndata:\n" . set('a') . set('b'), '--posterior=400');
    my $p = $shared->{posterior};
    is($p->{converged}, JSON::PP::true, 'rows that share errors: a posterior') or diag($p->{why});
    is_deeply([map { $_->{kind} } @{$p->{noise}}], [qw(sigma tau)], 'of which sigma and tau are sampled');
    my $tau = $p->{noise}[1];
    is_deeply([@$tau{qw(level channel unit)}], ['session', 'restitution', '1'], 'tau of what');
    like($tau->{prior}, qr{1/\(tau\^2 \+ v\)}, 'and its prior');
    ok($tau->{low} < 0.012 && $tau->{high} > 0.012 && $tau->{ess} > 400, "tau is $tau->{low} to $tau->{high}");
    for my $name (qw(e_at_1 b)) {
        my ($by, $with) = map { $_->{high} - $_->{low} } $shared->{parameters}{$name}{interval}, $p->{parameters}{$name};
        cmp_ok(abs($with / $by - 1), '<', 0.15, "$name: as wide as by the likelihood");
    }
    my $page = slurp("$dir/s.html");
    like($page, qr{Sampled along, from the likelihood of all rows .*<i>&tau;</i> of coefficient of restitution, shared by the rows of one session: .*; prior: }, 'on the page, too');
    like($page, qr/% of new measurements in the same places, each of a new group, would lie/, 'the figure of replicates says of what');
    like($page, qr/Along with them 2 numbers of the measurement&rsquo;s errors were sampled/, 'so does that of the chains');
    like($page, qr/errors was sampled along, so its uncertainty is in the histograms/, 'and that of the marginals');
    my ($wide) = map { $_->{high}[5] - $_->{low}[5] } grep { $_->{channel} eq 'restitution' } @{$shared->{predictive}};
    cmp_ok($wide, '>', 4 * 0.009, 'replicates are of new sessions');

    my (undef, $alone) = fit("group: none\ndata:\n" . set('a') . set('b'), '--posterior=200');
    is($alone->{posterior}{converged}, JSON::PP::true, 'as independent ones') or diag($alone->{posterior}{why});
    is_deeply([map { $_->{kind} } @{$alone->{posterior}{noise}}], [qw(sigma)], 'they have a sigma alone');
    my (undef, $one) = fit("group: {by: [lab]}\ndata:\n" . set('a', "    group: {lab: north}\n") . set('b', "    group: {lab: north}\n"), '--posterior=200');
    is_deeply([map { $_->{kind} } @{$one->{posterior}{noise}}], [qw(sigma)], 'one group has no tau');
    like(slurp("$dir/s.html"), qr/the numbers are those of this lab/, 'which is told');
    my ($status, undef, $err) = contactfit('check', do { spew("$dir/s.yaml", $head =~ s/screen: 32/screen: 32, posterior: 400/r . "group: {by: [session]}\n$both"); "$dir/s.yaml" });
    is($status, 0, 'a study may ask for it') or diag($err);
}

# stamps: neighbouring intervals share one, and throws an error
for my $ball (['tennis', -0.0086, 0.0503], $full ? ['golf', -0.0019, 0.0049] : ()) {
    my $asked = '--posterior=' . ($full ? 500 : 300);    # of fewer it goes on by itself, and takes longer
    my ($name, $low, $high) = @$ball;
    my (undef, $out) = contactfit('fit', "$srcdir/fits/${name}_ball_bounces.yaml", $asked, '--json', '-q', '-o', $dir);
    my $p = decode_json($out)->{posterior};
    is($p->{converged}, JSON::PP::true, "$name: a posterior") or diag($p->{why});
    is_deeply([map { $_->{kind} } @{$p->{noise}}], [qw(sigma record sigma tau tau)], "$name: of all its errors");
    if ($name eq 'tennis') {
        my (undef, $again) = contactfit('fit', "$srcdir/fits/${name}_ball_bounces.yaml", $asked, '--json', '-q', '-j', 3, '-o', $dir);
        is_deeply(decode_json($again)->{posterior}, $p, "$name: the same from three threads");
    }
    my $wide = $high - $low;
    for (['low', $low], ['high', $high]) {
        my ($end, $by) = @$_;
        cmp_ok(abs($p->{parameters}{b}{$end} - $by), '<', 0.2 * $wide, "$name: b lies near what the likelihood says ($end)");
    }
}

done_testing();
