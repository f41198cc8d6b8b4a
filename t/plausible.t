#!/usr/bin/perl
# What is plausible, as `check`, a fit, its page and its JSON say it: wrong units fit as well as the
# right ones.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Test::More;

draw_no_figures();

my $dir = tempdir(CLEANUP => 1);
my @digit = (2, -1, -2, 1, 2, -2, 0, -1, 1, 0);
our @rows = map {
    my $v = 0.4 * 1.3 ** $_;
    [$v, 0.86 - 0.03 * log($v) + 1e-3 * $digit[$_], 2.4e-4 * $v ** -0.2 * (1 + 4e-3 * $digit[9 - $_])]
} 0 .. 9;

# A study of a steel-like ball of 30 g and 20 mm; speeds and times are multiplied.
sub study_of
{
    my (%with) = @_;
    my ($mass, $diameter) = ($with{mass} // '30 g', $with{diameter} // '20 mm');
    my $text = "contactfit: study/1\ntitle: synthetic\n"
        . "bodies: {ball: {sphere: {diameter: $diameter}, mass: $mass}, plate: {plane: {}, fixed: true}}\n"
        . "law: azad-featherstone\nfit: {k: {}, lambda: {}}\noptions: {starts: 3, screen: 32}\n"
        . "data:\n  - name: drops\n    protocol: impact\n    rows:\n";
    $text .= sprintf "      - {speed: %.6f, restitution: %.5f, duration: %.8f}\n", $_->[0] * ($with{speed} // 1),
        $_->[1], $_->[2] * ($with{time} // 1)
        for @rows;
    spew("$dir/s.yaml", $text . ($with{sigma} // '') . ($with{more} // ''));
    return "$dir/s.yaml";
}

sub fit
{
    my $file = study_of(@_);
    my ($code, $out, $err) = contactfit('fit', $file, '-j', 1);
    my $json = decode_json(slurp("$dir/s.json"));
    return ($code, $json, $out, $err);
}

my ($code, $json) = fit();
is($code, 0, 'the right units: trusted');
is($json->{verdict}{status}, 'good', 'and good');
cmp_ok(scalar @{$json->{plausibility}}, '>=', 12, 'twelve rules and more have their number');
is_deeply([grep { !$_->{plausible} } @{$json->{plausibility}}], [], 'all are plausible');
my $page = slurp("$dir/s.html");
like($page, qr{<h2>Plausible</h2>.*<td>density of ball</td><td class="r"><span class="n">7162}s, 'the page has the numbers');
unlike($page, qr/<b>implausible/, 'and finds nothing');

for my $slip (
    [{mass => '0.03 g'}, 'density of ball: 7.16 kg/m^3, where 10 to 25000 kg/m^3 is plausible (a hollow ball of foam; osmium): is the mass in kg, and not in g?'],
    [{speed => 100}, 'is the speed in cm/s?'],
    [{time => 1e3}, 'is the duration in ms?'],
) {
    my ($with, $words) = @$slip;
    my $name = join ' ', %$with;
    ($code, $json) = fit(%$with);
    isnt($json->{verdict}{status}, 'good', "$name: not good");
    like(join(' ', @{reasons($json)}), qr/implausible: .*\Q$words\E/, "$name: named");
    like(join(' ', @{$json->{verdict}{advice}}), qr/check the units of bodies and columns/, "$name: advice");
    like(slurp("$dir/s.html"), qr{<b>implausible</b>: is }, "$name: on the page");
}

# A number beyond its physical range: exit 3, and the line to edit, from `check` and from a fit; a
# study may say that it is right.
for my $slip (
    [{mass => '30 kg'}, 'mass: 30 kg: density of ball: 7.16e+06 kg/m^3, where only 0.001 to 100000 kg/m^3 is possible (', 'is the mass in g?', 'density'],
    [{mass => '30 t'}, 'mass: 30 t: density of ball: 7.16e+09 kg/m^3, where only', 'is the mass in mg?', 'density'],
    [{diameter => '20 m'}, 'diameter: 20 m: density of ball: 7.16e-06 kg/m^3, where only', 'is the diameter in mm?', 'density'],
) {
    my ($with, $line, $likely, $rule) = @$slip;
    my $name = join ' ', %$with;
    my $file = study_of(%$with);
    my ($code, $out, $err) = contactfit('check', $file);
    is($code, 3, "$name: check exits with 3");
    my $flat = $out =~ s/\n {2,}/ /gr;
    like($flat, qr/^verdict: the $rule of ball is not possible \(exit status 3\)\nedit: \Q$file\E:3: \Q$line\E.*\Q$likely\E If it is right, state unusual: \[$rule\]$/m,
        "$name: the line to edit");
    ($code, my $text) = contactfit('check', $file, '--json');
    is($code, 3, "$name: check --json, too");
    like(decode_json($text)->{look_at}[0], qr/^\Q$file\E:3: \Q$line\E.*\Q$likely\E$/, "$name: which has the line");
    ($code, my $json, $out) = fit(%$with);
    is($code, 3, "$name: a fit exits with 3");
    like($json->{verdict}{status}, qr/^(?:misfit|undetermined)$/, "$name: and is not to be trusted");
    like(reasons($json)->[0], qr/^impossible: \Q$file\E:3: \Q$line\E.*\Q$likely\E$/, "$name: its first reason is the line to edit");
    like($json->{verdict}{advice}[0], qr/unusual: \[$rule\]/, "$name: and how to say that it is right");
    like($out, qr/^next: contactfit check \S+$/m, "$name: what comes next");
    like(slurp("$dir/s.html"), qr{<b>impossible</b>: is }, "$name: on the page");
    ($code, $json, $out) = fit(%$with, more => "unusual: [$rule]\n");
    like(join(' ', @{reasons($json)}), qr/unusual, as the study states: $rule of ball: /, "$name: unusual, as stated");
    unlike(join(' ', @{reasons($json)}), qr/possible: \S+ $rule of ball/, "$name: which is a note");
    is((contactfit('check', "$dir/s.yaml"))[0], 0, "$name: and check agrees");
}

# A hammer of 5.5 kg falls on its nose of 16 mm, as ASTM D7136 has it: nothing else of it is unusual.
for my $case (['', 3, 'misfit'], ["needed: {restitution: 0.1}\n", 3, 'misfit'], ["unusual: [density]\n", 0, 'good']) {
    my ($more, $want, $word) = @$case;
    my $text = slurp(study_of(mass => '5.5 kg', diameter => '16 mm', more => $more));
    $text =~ s/law: .*\n.*/law: e-log\nfit: {e_at_1: {}, b: {}}/;
    $text =~ s/, duration: [\d.e-]+//g;
    spew("$dir/s.yaml", $text);
    my ($code, $out) = contactfit('fit', "$dir/s.yaml", '-j', 1);
    is($code, $want, "a hammer: $word");
    like($out, qr/^$word: /m, 'says so');
}
($code) = contactfit('check', study_of(mass => '30 kg', more => "unusual: [diameter]\n"));
is($code, 3, 'another rule changes nothing');

# `check` has the numbers before the fit.
my ($status, $out, $err) = contactfit('check', study_of(mass => '30 kg'));
like($out, qr{^    density of ball: 7.16e\+06 kg/m\^3 \(10 to 25000 kg/m\^3\): NO: is the mass in g\?$}m, 'check: no');
like($out, qr{^    diameter of ball: 0.02 m \(1e-07 to 20 m\)$}m, 'check: yes');
($status, $out, $err) = contactfit('check', study_of(sigma => "    sigma: {duration: 0.01}\n"));
like($out, qr/sigma over size of duration of drops: 4\S* \(1e-08 to 1\): NO: is sigma in per cent, or in the column's unit/,
    'a sigma larger than its values');

# A restitution above 1 whose sigma is to be estimated is judged when that is known.
{
    my @more = map { [$_->[0], $_->[1] + 0.155 + 3e-3 * $digit[($_->[0] * 10) % 10], $_->[2]] } @rows;
    for my $case ([0, 'good'], [1, 'weak']) {
        local @rows = @more;
        my ($far, $verdict) = @$case;
        $rows[3] = [$rows[3][0], 1.06, $rows[3][2]] if $far;
        my ($status, $said, $out, $err) = fit();
        like($err, qr/note: \S+: restitution 1\.0\d+ is above 1: judged when its sigma is known$/m, "above 1: remarked on, $far");
        my ($rule) = grep { $_->{rule} eq 'rebound beyond impact, in sigmas' } @{$said->{plausibility}};
        ok($rule && $rule->{plausible}, "above 1: with its sigma, $far");
        isnt($said->{verdict}{status}, 'failed', "above 1: fitted, $far");
    }
}

# A row that stands off at the end of the range may be an onset; one in the middle a slip.
for my $case ([9, qr/that row stands at the end of the range of speeds: another behaviour may begin there/],
    [0, qr/that row stands at the end of the range of speeds/], [5, qr/check that row again, and exclude what is a mistake/]) {
    my ($row, $advice) = @$case;
    local @rows = map { [@$_] } @rows;
    $rows[$row][1] -= 0.04;
    my ($status, $said) = fit();
    like(join(' ', @{$said->{verdict}{advice}}), $advice, "a row that stands off, place $row");
}

# What rests on a fixed value says so.
{
    my $held = slurp(study_of()) =~ s/fit: \{k: \{\}, lambda: \{\}\}/fit: {lambda: {}}\nfixed: {k: 2e8}/r;
    spew("$dir/s.yaml", $held);
    my ($status, $said) = contactfit('fit', "$dir/s.yaml", '-j', 1);
    like($said =~ s/\n {8}/ /gr, qr/^  lambda .*\(fine( if the law held)?, given k exactly\)$/m, 'given k exactly');
    like($said, qr/^  k .*\(held\)$/m, 'k is held');
    ($status, $said) = contactfit('fit', study_of(), '-j', 1);
    unlike($said, qr/exactly/, 'nothing is held, nothing is exact');
}

# A number without unit.
($status, $out, $err) = contactfit('check', study_of(mass => 31, diameter => 40));
like($err, qr/note: \S+:3: mass: 31 has no unit and is read as 31 kg$/m, 'a bare mass');
like($err, qr/note: \S+:3: diameter: 40 has no unit and is read as 40 m$/m, 'a bare diameter');
like($out, qr/NO: is the diameter in mm, and the mass in g\?/, 'both at once');
is($status, 3, 'which is beyond what is possible');
($status, $out, $err) = contactfit('check', study_of());
is($err, '', 'units: no remark');

done_testing();
