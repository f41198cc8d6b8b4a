#!/usr/bin/perl
# Groups that differ in a parameter of the law, and those whose error is a share of the reading. A
# law that is linear in its parameters is held against a restricted likelihood that is written here,
# with the covariance of each group as it stands.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use List::Util qw(max sum);
use Program qw(:DEFAULT is_refused);
use Synthetic qw(normal);
use Test::More;

draw_no_figures();

my $dir = tempdir(CLEANUP => !$ENV{KEEP});
my $bodies = "contactfit: study/1\nbodies: {ball: {sphere: {diameter: 40 mm}, mass: 50 g}, floor: {plane: {}, fixed: true}}\n";

# ---- e = e_at_1 - b ln v of specimens: rows [specimen, v, e]

my $specimens = 6;
my @row;

sub write_table
{
    my ($name, $sd_level, $sd_b, $gain, $noise) = @_;
    @row = ();
    for my $s (0 .. $specimens - 1) {
        my ($level, $b, $g) = (0.8 + $sd_level * normal(), 0.05 + $sd_b * normal(), 1 + $gain * normal());
        for my $i (0 .. 6 + $s % 3) {
            my $v = sprintf '%.6f', 0.3 * 1.6**($i + 0.1 * $s);
            push @row, [$s, $v, sprintf('%.9f', $g * ($level - $b * log $v) + $noise * normal())];
        }
    }
    # out of order: rows of a specimen do not lie side by side
    my @order = map { ($_ * 11) % @row } 0 .. $#row;
    @order = 0 .. $#row if @row % 11 == 0;
    @row = @row[@order];
    spew("$dir/$name.csv", "# synthetic\nspecimen,v_m_s,e\n" . join '', map { "s$_->[0],$_->[1],$_->[2]\n" } @row);
}

sub study_of
{
    my ($name, $of, $more) = @_;
    return "${bodies}law: e-log\n" . ($more // '') . "group: {by: [specimen]$of}\ndata:\n  - name: all\n    protocol: impact\n"
        . "    file: $name.csv\n    columns: {speed: v_m_s, restitution: {from: e, unit: 1}}\n";
}

sub fitted
{
    my ($name, $of, @more) = @_;
    spew("$dir/$name.yaml", study_of($name, $of, @more));
    my ($status, $json, $out, $err) = fit_of($dir, "$dir/$name.yaml", '-q');
    ok($json->{parameters}, "$name: fitted") or diag($err);
    return wantarray ? ($json, $out =~ s/\n {4}/ /gr) : $json;
}

# -2 ln L_R of [1, -ln v] with the loads s[effect][row] and ratios tau^2/sigma^2, sigma at its best.
# Returns it, the parameters, sigma^2 and the covariance.
sub restricted
{
    my ($load, @ratio) = @_;
    my %of;
    push @{$of{$row[$_][0]}}, $_ for 0 .. $#row;
    my ($log, $rr, @M, @g) = (0, 0);
    @M = ([0, 0], [0, 0]);
    @g = (0, 0);
    for my $members (@of{sort keys %of}) {
        my $n = @$members;
        my @L;    # Cholesky factor of the group's covariance, in sigma^2
        for my $i (0 .. $n - 1) {
            for my $j (0 .. $i) {
                my $sum = $i == $j ? 1 : 0;
                $sum += $ratio[$_] * $load->[$_][$members->[$i]] * $load->[$_][$members->[$j]] for 0 .. $#ratio;
                $sum -= $L[$i][$_] * $L[$j][$_] for 0 .. $j - 1;
                return (9e99) if $i == $j && $sum <= 0;
                $L[$i][$j] = $i == $j ? sqrt $sum : $sum / $L[$j][$j];
            }
            $log += 2 * log $L[$i][$i];
        }
        my @white;
        for my $i (0 .. $n - 1) {
            my (undef, $v, $e) = @{$row[$members->[$i]]};
            my @x = (1, -log $v, $e);
            for my $c (0 .. 2) {
                $x[$c] -= $L[$i][$_] * $white[$_][$c] for 0 .. $i - 1;
                $x[$c] /= $L[$i][$i];
            }
            push @white, \@x;
            for my $a (0, 1) {
                $g[$a] += $x[$a] * $x[2];
                $M[$a][$_] += $x[$a] * $x[$_] for 0, 1;
            }
            $rr += $x[2]**2;
        }
    }
    my $det = $M[0][0] * $M[1][1] - $M[0][1]**2;
    my @p = (($M[1][1] * $g[0] - $M[0][1] * $g[1]) / $det, ($M[0][0] * $g[1] - $M[0][1] * $g[0]) / $det);
    my $dof = @row - 2;
    my $s2 = ($rr - $p[0] * $g[0] - $p[1] * $g[1]) / $dof;
    my @C = ([$s2 * $M[1][1] / $det, -$s2 * $M[0][1] / $det], [-$s2 * $M[0][1] / $det, $s2 * $M[0][0] / $det]);
    return ($dof * log($s2) + $log + log($det), \@p, $s2, \@C);
}

# The least over all ratios, of their logarithms, one after the other: golden sections, which the
# digits of the function end early, then Newton's steps.
sub least
{
    my ($load) = @_;
    my @at = map { 1 } @$load;
    for my $round (1 .. (@$load > 1 ? 60 : 12)) {
        for my $k (0 .. $#$load) {
            my $f = sub { my @r = @at; $r[$k] = exp $_[0]; return (restricted($load, @r))[0] };
            my $x = log $at[$k];
            if ($round > 3) {
                my ($h, $here) = (1e-3, $f->($x));
                my ($up, $down) = ($f->($x + $h), $f->($x - $h));
                $at[$k] = exp($x - $h * ($up - $down) / 2 / ($up + $down - 2 * $here));
                next;
            }
            my ($low, $high, $share) = (-12, 25, (sqrt(5) - 1) / 2);
            my ($a, $b) = ($high - $share * ($high - $low), $low + $share * ($high - $low));
            my ($fa, $fb) = ($f->($a), $f->($b));
            for (1 .. 24) {
                if ($fa < $fb) { ($high, $b, $fb) = ($b, $a, $fa); $a = $high - $share * ($high - $low); $fa = $f->($a) }
                else { ($low, $a, $fa) = ($a, $b, $fb); $b = $low + $share * ($high - $low); $fb = $f->($b) }
            }
            $at[$k] = exp(($low + $high) / 2);
        }
    }
    return (\@at, restricted($load, @at));
}

sub against
{
    my ($json, $load, $names, $what) = @_;
    my ($ratio, undef, $p, $s2, $C) = least($load);
    my $u = $json->{uncertainty};
    for my $k (0, 1) {
        my $name = (qw(e_at_1 b))[$k];
        is($u->{names}[$k], $name, "$what: $name");
        is_within($json->{parameters}{$name}{value}, $p->[$k], 1e-5 * sqrt($C->[$k][$k]), "$what: $name as by the dense likelihood");
        is_near(sqrt $u->{covariance}[$k][$k], sqrt $C->[$k][$k], 1e-5, "$what: its standard error");
    }
    for my $k (0 .. $#$names) {
        my ($tau) = grep { ($_->{parameter} // $_->{channel}) eq $names->[$k] } @{$json->{errors}{shared}};
        is_near($tau->{sigma}, sqrt($ratio->[$k] * $s2), 1e-5, "$what: tau of $names->[$k]");
        ok($tau->{low} < $tau->{sigma} && $tau->{sigma} < $tau->{high} && $tau->{groups} == $specimens, "$what: its interval");
    }
    return ($p, $s2, $ratio);
}

write_table('slope', 0, 0.02, 0, 0.003);
my @one = map { 1 } @row;
my @minus_ln = map { -log $_->[1] } @row;
my ($json, $out) = fitted('slope', ', of: [b]');
against($json, [\@minus_ln], ['b'], 'b differs');
my ($tau) = @{$json->{errors}{shared}};
is_deeply([@$tau{qw(level of parameter relative unit rows)}], ['specimen', 'parameter', 'b', JSON::PP::false, '1', scalar @row], 'told as what it is');
ok(!exists $tau->{channel}, 'of no one quantity');

write_table('both', 0.05, 0.02, 0, 0.003);
@minus_ln = map { -log $_->[1] } @row;
$json = fitted('both', ', of: [e_at_1, b]');
against($json, [\@one, \@minus_ln], ['e_at_1', 'b'], 'both differ');
is_deeply([map { [@$_{qw(parameter dof)}] } @{$json->{uncertainty}{differ}}], [['e_at_1', $specimens - 1], ['b', $specimens - 1]],
    'the fit file says in what groups differ');

# A constant that differs is an error that adds: two ways to say one thing.
my ($shift, $level) = map { scalar fitted('both', $_) } '', ', of: [e_at_1]';
for my $name (qw(e_at_1 b)) {
    is_near($level->{parameters}{$name}{value}, $shift->{parameters}{$name}{value}, 1e-7, "$name: a level that differs is an error that adds");
    is_near($level->{parameters}{$name}{interval}{high}, $shift->{parameters}{$name}{interval}{high}, 1e-6, "$name: so is its interval");
}

# ---- a share of the reading

write_table('gain', 0, 0, 0.03, 0.002);
$json = fitted('gain', ', of: reading');
{
    my ($e1, $b) = map { $json->{parameters}{$_}{value} } qw(e_at_1 b);
    my @y = map { $e1 - $b * log $_->[1] } @row;
    against($json, [\@y], ['restitution'], 'a gain');
    my ($tau) = @{$json->{errors}{shared}};
    is_deeply([@$tau{qw(of channel relative unit)}], ['reading', 'restitution', JSON::PP::true, '1'], 'a share');
    ok(exists $json->{uncertainty}{channels}[0]{gain} && !exists $json->{uncertainty}{channels}[0]{shared}, 'in the fit file, too');
}

# ---- a law that bends: friction, whose coefficient is on a logarithmic scale. Readings that hardly
# scatter know each specimen's, so that the mean is that of their logarithms, tau their standard
# deviation, and the interval Student's.

{
    my @mu = map { 0.2 * exp(0.3 * normal()) } 1 .. 5;
    my @ln = map { log } @mu;
    my $mean = sum(@ln) / 5;
    my $sd = sqrt(sum(map { ($_ - $mean)**2 } @ln) / 4);
    my $study = "contactfit: study/1\nlaw: mu-coulomb\ngroup: {by: [specimen], of: [mu_c]}\ndata:\n";
    for my $s (0 .. 4) {
        spew("$dir/slide$s.csv", "# synthetic\nspeed_m_s,load_N,friction_N\n" . join '',
            map { sprintf "%.4f,%.3f,%.8f\n", 0.01 * $_, 10 + $_, $mu[$s] * (10 + $_) * (1 + 1e-5 * normal()) } 1 .. 8);
        $study .= "  - {name: d$s, group: {specimen: s$s}, protocol: slide, file: slide$s.csv,\n"
            . "     columns: {speed: speed_m_s, load: load_N, force: friction_N}}\n";
    }
    spew("$dir/slides.yaml", $study);
    my (undef, $json, $out, $err) = fit_of($dir, "$dir/slides.yaml", '-q');
    my ($p, $tau) = ($json->{parameters}{mu_c}, $json->{errors}{shared}[0]);
    is_near($p->{value}, exp $mean, 1e-4, 'the mean of specimens on a logarithmic scale') or diag($err);
    is_near($tau->{sigma}, $sd, 1e-3, 'tau is their standard deviation');
    is($tau->{relative}, JSON::PP::true, 'which is relative');
    is_near(log($p->{interval}{high} / $p->{value}), 2.7764451 * $sd / sqrt 5, 1e-2, "and the interval Student's of 4 degrees of freedom");
    is_near($tau->{low}, $sd * sqrt(4 / 11.14329), 1e-2, 'the lower end of tau by chi^2');
    spew("$dir/apart.yaml", $study =~ s/group: \{by.*\n/group: none\n/r =~ s/group: \{specimen: s\d\}, //gr);
    my (undef, $apart) = fit_of($dir, "$dir/apart.yaml", '-q');
    ok((grep { /group: \{by: \[specimen\], of: \[mu_c\]\}, and group: \{specimen: NAME\} in each data set/ } @{$apart->{verdict}{advice}}),
        'data sets that disagree: what to state if they are specimens') or diag(explain $apart->{verdict});
    like($out =~ s/\n {4}/ /gr, qr/^  tau of mu_c, from one specimen to another: \S+ \[\S+, \S+\] % \(5 groups, 40 rows\)$/m, 'in per cent');
}

# ---- what is said

write_table('slope', 0, 0.02, 0, 0.003);
my $rivals = "rivals: [e-power, e-constant]\n";
($json, $out) = fitted('slope', ', of: [b]', $rivals);
like($out, qr/^  tau of b, from one specimen to another: 0\.0\d+ \[0\.0\d+, 0\.\d+\] \(6 groups, 48 rows\)$/m, 'tau with its interval');
like($out, qr/^  e-constant fits no b: what a group shares is there a share of each reading$/m, 'a rival without the parameter');
my $page = slurp("$dir/slope.html");
like($page, qr{Each group has its own value of the parameter, as a specimen has: the fitted value is their mean}, 'on the page');
like($page, qr{e-constant.*?fits no <i>b</i>: what a group shares is a share of each reading}s, 'the rival, too');
($json, $out) = fitted('gain', ', of: reading');
like($out, qr/^  tau of restitution, shared by the rows of one specimen: \d\.\d+ \[\S+, \S+\] % \(6 groups, \d+ rows\)$/m, 'a gain in per cent');
like(slurp("$dir/gain.html"), qr{What a group shares is a share of the reading, as by a gain}, 'and on the page');

# ---- a specimen that was not fitted

{
    my ($json) = fitted('both', ', of: [e_at_1, b]');
    my $u = $json->{uncertainty};
    my ($level, $slope) = map { $_->{sigma}**2 } @{$u->{differ}};
    my ($v, $e) = (2, 0.8 - 0.05 * log 2);
    spew("$dir/new.yaml", "${bodies}data:\n  - name: new\n    protocol: impact\n    rows:\n"
        . join '', map { "      - {speed: $_ m/s, restitution: " . (0.8 - 0.05 * log $_) . "}\n" } 0.5, 1, 2, 4);
    my ($status, $said, $err) = contactfit('validate', "$dir/both.json", "$dir/new.yaml", '--json', '-q', '-o', $dir);
    my $got = decode_json($said);
    my ($row) = grep { abs($_->{abscissa} - 2) < 1e-9 } @{$got->{observations} // []};
    my $C = $u->{covariance};
    my @g = (1, -log 2);
    my $of_mean = sum(map { my $a = $_; map { $g[$a] * $g[$_] * $C->[$a][$_] } 0, 1 } 0, 1);
    my $all = $of_mean + $level + $g[1]**2 * $slope + $u->{channels}[0]{sigma}**2;
    ok($row, 'a row of a new specimen') or diag($err, substr $said, 0, 600);
    my $t = ($row->{high} - $row->{low}) / 2 / sqrt $all;
    ok($t > 2.0 && $t < 3.2, "a new specimen's reading lies within its own and the specimens' scatter: t = $t");
}

# ---- what is refused

for my $case (
    ['of: [bb]', qr/of: unknown fitted parameter bb|unknown fitted parameter bb/, 'no parameter of the law'],
    ['of: []', qr/of: empty: the parameters that groups differ in, as in \[lambda\]/, 'none'],
    ['of: [b, b]', qr/of: b: named twice/, 'one twice'],
    ['of: readings', qr/of: reading, or a list of parameters as in of: \[lambda\], is wanted|unknown word|readings/, 'another word'],
    ['of: [b]', qr/of: b is fixed: groups can differ in what is fitted only/, 'one that is fixed', "fit: {e_at_1: {}}\nfixed: {b: 0.05}\n"],
    ['of: [b]', qr/of: b is tied to e_at_1: name that, and both differ/, 'one that is tied', "fit: {e_at_1: {}}\ntie: {b: 0.05 e_at_1}\n"],
    ['of: [b]', qr/of: b has a value for each data \(per: data\)/, 'one of each data set', "fit: {e_at_1: {}, b: {per: data}}\n"],
    )
{
    my ($of, $message, $what, $more) = @$case;
    spew("$dir/refused.yaml", study_of('both', ", $of", $more));
    my ($status, undef, $err) = contactfit('check', "$dir/refused.yaml");
    is($status, 1, "$what: refused");
    like($err, $message, "$what: why");
    like($err, qr/refused\.yaml:\d+:\d+: /, "$what: where");
}
spew("$dir/refused.yaml", study_of('both', '') =~ s/file: both.csv\n/file: both.csv\n    group: {by: [specimen], of: [b]}\n/r);
my (undef, undef, $err) = contactfit('check', "$dir/refused.yaml");
like($err, qr/of: say it in the group of the study, with its by: it holds for all data sets/, 'of a data set: refused');

done_testing();
