#!/usr/bin/perl
# contactfit selftest: what it counts, that it is the same for every number of threads, and what it
# refuses. The coverage itself is t/coverage's.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Program qw(:DEFAULT is_refused);
use Synthetic qw(four_drops);
use Test::More;

draw_no_figures();

my $dir = tempdir(CLEANUP => 1);
my $croquet = "$srcdir/fits/croquet_ball_on_wood.yaml";

my $constant = four_drops("$dir/constant.yaml", 'e-constant', '{e: {}}', 0.01);
my $flat = four_drops("$dir/flat.yaml", 'azad-featherstone', '{k: {}, lambda: {}}', 0.01);

# counts, and their sense
{
    my ($status, $out, $err) = contactfit('selftest', $constant, '-n', 100, '--jobs', 1);
    is("$status$err", '0', 'a sound design: exit 0, nothing on stderr');
    like($out, qr/^self-test of constant: 100 synthetic studies on its design, seed 1\n/, 'says what it did');
    like($out, qr/^  made by:     e-constant, e = 0\.8 \(as fitted to the study's data\)\n/m, 'from where');
    like($out, qr/^  e            fine in 100 of 100; covered by \d+\.0 % of the profile intervals \(/m, 'covers');
    like($out, qr/^verdict: on this design the intervals hold: \d+\.0 % of those called fine cover the truth, 95 % is promised\n/m,
        'and judges');
    is((contactfit('selftest', $constant, '-n', 100, '-j', $_))[1], $out, "the same bytes with $_ threads") for 2, 3;
    isnt((contactfit('selftest', $constant, '-n', 100, '-s', 2))[1], $out, 'another seed, other data');

    my ($code, $json) = contactfit('selftest', $constant, '-n', 100, '--json');
    my $t = decode_json($json);
    is($t->{synthetic}, JSON::PP::true, '--json: marked as synthetic');
    my $e = $t->{parameters}{e};
    is($e->{verdicts}{fine}, 100, '--json: all are fine');
    like($out, qr/covered by $e->{covered}\.0 %/, '--json: the same count');
    is($e->{covered} + $e->{below} + $e->{above}, 100, '--json: what does not cover lies to a side');
    # e is a mean of four: its interval is 1.96 * 0.01/2 to each side
    cmp_ok(abs($e->{typical_high} - $e->{typical_low} - 0.0196), '<', 1e-4, '--json: the width of a typical interval');
    # 100 z of unit variance: their mean has an error of 0.1 within some 7 %
    cmp_ok(abs($e->{bias_error} - 0.1), '<', 0.03, '--json: the error of the bias');
    cmp_ok(abs($e->{bias}), '<', 0.5, '--json: the bias');
}

# given parameters
{
    my ($status, $out) = contactfit('selftest', $constant, '-n', 20, '-p', 'e=0.5', '--json');
    my $t = decode_json($out);
    is($t->{truth}{e}, 0.5, '-p: made by what was given');
    is($t->{given}, JSON::PP::true, '-p: and says so');
    cmp_ok(abs($t->{parameters}{e}{typical_low} - 0.49), '<', 0.01, '-p: found again');
}

# the study's rivals judge with it: a law that is not the truth is found out more often
{
    my $rows = join '', map { my $v = 30 ** ($_ / 23);
        sprintf "      - {speed: %.6g m/s, restitution: %.6f}\n", $v, 0.8 * $v ** -0.25 } 0 .. 23;
    spew("$dir/rivals.yaml", "contactfit: study/1\nbodies: {ball: {mass: 10 g}, floor: {fixed: true}}\n"
        . "law: e-log\nrivals: [e-power]\ndata:\n  - name: drops\n    protocol: impact\n    rows:\n$rows"
        . "    sigma: {restitution: 0.02}\n");
    my @of = ("$dir/rivals.yaml", '-n', 60, '-q', '--law', 'e-power', '-p', 'e_at_1=0.8', '-p', 'q=0.25');
    my ($beside) = (contactfit('selftest', @of))[1];
    my ($alone) = (contactfit('selftest', @of, '--without-rivals'))[1];
    like($beside, qr/^  beside:      e-power$/m, 'beside its rivals');
    like($alone, qr/^  beside:      no rivals$/m, '--without-rivals');
    my ($good, $weak) = $beside =~ /good (\d+), weak (\d+)/;
    my ($good_alone, $weak_alone) = $alone =~ /good (\d+), weak (\d+)/;
    is($good, $good_alone, 'a rival that describes the data better changes no word');
    my ($code, $text) = contactfit('selftest', @of, '--tasks', '0:60');
    spew("$dir/beside.json", $text);
    my ($exit, undef, $said) = contactfit('selftest', "$dir/rivals.yaml", "$dir/beside.json",
        @of[1 .. $#of], '--without-rivals');
    is($exit, 1, 'records beside rivals are not counted as those without');
    like($said, qr/rivals/, 'and the message names what differs');
}

# the true law contradicts a prior of the study: a false word, by a rule
{
    spew("$dir/prior.yaml", slurp($constant) =~ s/\{e: \{\}\}/{e: {prior: {value: 0.5, sigma: 0.01}}}/r);
    my ($status, $out) = contactfit('selftest', "$dir/prior.yaml", '-n', 30, '-p', 'e=0.8');
    is($status, 3, 'a prior 30 sigma off: exit 3');
    like($out, qr/^  misfit       most often by the rule "prior": 30\n/m, 'the rule and its count');
    my $t = decode_json((contactfit('selftest', "$dir/prior.yaml", '-n', 30, '-p', 'e=0.8', '--json'))[1]);
    is($t->{rules}{prior}, 30, '--json: how often each rule spoke');
    ok(!$t->{false_words}{misfit}{holds}, '--json: too often');
}

# another law, and a design that identifies nothing
{
    my ($status, $out) = contactfit('selftest', $constant, '-n', 30, '--law', 'linear', '-p', 'k=1e5', '-p', 'lambda=10');
    is($status, 3, '--law: both have a constant e, exit 3');
    like($out, qr/^verdict: if linear were the truth, this design would let e-constant pass as good or weak in \d+\.\d % of all studies: it cannot separate the two\n/m,
        '--law: says so');
    ($status, $out) = contactfit('selftest', $constant, '-n', 30, '--law', 'e-power', '-p', 'e_at_1=0.8', '-p', 'q=0.3');
    is($status, 0, '--law: a fall by a third in four rows is seen');
    like($out, qr/in 0\.0 % of all studies: it separates the two\n/, '--law: always');
    ($status, $out) = contactfit('selftest', $flat, '-n', 10);
    is($status, 3, 'restitution alone: exit 3');
    like($out, qr/^  verdicts:    good 0, weak 0, misfit 0, undetermined 10, failed 0\n/m, 'every fit is undetermined');
    like($out, qr/^verdict: on this design no parameter is ever identified well enough to be called fine: there is nothing to count\n/m,
        'nothing to count');
}

# what is refused
sub refused { return is_refused('selftest', @_) }
my $whole = 'a whole number from 1 to 1000000 is wanted';
refused(2, "--replicates: \"$_\": $whole", $croquet, '-n', $_) for 0, 1000001, 'many', '1e3';
refused(2, '--seed: "x": a whole number from 0 to 9007199254740991 is wanted', $croquet, '--seed', 'x');
refused(2, 'unknown law azad-fetherstone: did you mean azad-featherstone?', $croquet, '--law', 'azad-fetherstone');
refused(2, 'e-log predicts no duration, which data "contact time" hold', $croquet, '--law', 'e-log');
refused(2, '-p: azad-featherstone is fitted with no parameter "lambd": did you mean lambda?', $croquet, '-p', 'lambd=3');
refused(2, '-p: azad-featherstone is fitted with no parameter "zz", but with k, lambda', $croquet, '-p', 'zz=3');
refused(2, '-p: lambda [N s/m^1.5] is not given: give all parameters that are fitted, or none for those of the '
    . 'study\'s own fit', $croquet, '-p', 'k=1e8');
refused(2, '-p: k is given twice', $croquet, '-p', 'k=1e8', '-p', 'k=2e8');
refused(2, '-p: "k": NAME=VALUE is wanted, such as k=3.162e+07', $croquet, '-p', 'k');
refused(2, '-p k: 3kg: a mass [kg] where a Hertz stiffness [N/m^1.5] is wanted', $croquet, '-p', 'k=3kg');
refused(2, '-p k: "nan": a finite number is wanted', $croquet, '-p', 'k=nan');
refused(2, "-p: k = $_ N/m^1.5: must lie within the bounds of the fit, 100 to 1e+13 N/m^1.5", $croquet, '-p', "k=$_")
    for '1e+20', '-1', '0', '100';
{
    my $two = four_drops("$dir/two.yaml", 'e-power', '{e_at_1: {}, q: {}, r: {}}', 0.01);
    my ($code, $out, $err) = contactfit('selftest', $two);
    is($err, "contactfit selftest: $two:7:26: unknown parameter r: known here: e_at_1, q\n", 'a study that cannot be read: message');
    is("$code$out", '1', 'a study that cannot be read: exit 1, no output');
}

# Spread over several machines: the same counts, to the byte, and no replicate lost or doubled.
{
    my $folder = tempdir(CLEANUP => 1);
    my $croquet = "$srcdir/fits/croquet_ball_on_wood.yaml";
    my @of = ($croquet, '-n', 12, '-q');
    my ($end, $whole) = contactfit('selftest', @of);
    my %record;
    for my $tasks ('0:4', '4:5', '5:12') {
        my ($code, $text, $said) = contactfit('selftest', @of, '--tasks', $tasks, '--jobs', 1 + length($tasks) % 2);
        is("$code$said", '0', "tasks $tasks");
        spew($record{$tasks} = "$folder/" . ($tasks =~ s/:/-/r) . '.json', $text);
    }
    my @files = @record{'5:12', '0:4', '4:5'};
    my ($code, $text) = contactfit('selftest', $croquet, @files, '-n', 12, '-q');
    is($code, $end, 'records together: the exit of one run');
    is($text, $whole, 'and its words');
    my %says = (
        'one that is missing' => [[@files[0, 1]], 'replicates 4 to 4 are in no record: --tasks 4:5 makes them'],
        'one twice' => [[@files, $files[2]], "$files[2]: replicate 4 is there twice"],
        'another seed' => [[@files, '--seed', 5], "$files[0]: a record of another self-test: its seed differs"],
        'another law' => [[@files, '--law', 'lee-wang'], "$files[0]: a record of another self-test: its made_by differs"],
        'fewer than there are' => [[@files, '-n', 10], "$files[0]: replicate 10: from 0 to 9 are wanted"],
        'no record' => [["$srcdir/fits/croquet_ball_on_wood.json"], "$srcdir/fits/croquet_ball_on_wood.json: no record of a self-test: those have \"contactfit\": \"selftest/2\""],
        'a record and tasks' => [[@files, '--tasks', '0:2'], '--tasks makes a record: records are counted without it'],
    );
    for my $name (sort keys %says) {
        my ($given, $message) = @{$says{$name}};
        my (undef, $printed, $error) = contactfit('selftest', $croquet, '-n', 12, @$given);
        is("$printed$error", "contactfit selftest: $message\n", $name);
    }
    for my $tasks ('0:25', '3:3', '5:3', '-1:3', '1', 'x:y', '0:1:2', '') {
        my ($exit, $printed, $error) = contactfit('selftest', @of, "--tasks=$tasks");
        is("$exit$printed$error", "2contactfit selftest: --tasks $tasks: FROM:TO is wanted, the replicates from "
            . "FROM up to before TO, of 0:12\n", "no tasks: $tasks");
    }
    # the same studies, with words that they were not told: the true law is called misfit in five
    my ($told, $n) = (slurp($files[0]), 0);
    $told =~ s/"status": \d+,(\s*)"found": \[[^]]*\]/$n++ < 5 ? qq("status": 2,$1"found": ["residuals"]) : $&/ge;
    spew("$folder/told.json", $told);
    ($code, $text) = contactfit('selftest', $croquet, "$folder/told.json", @files[1, 2], '-n', 12);
    is($code, 3, 'five of twelve are called misfit: exit 3');
    like($text, qr/^  false:       called misfit 5 \(up to 3 may be\), called failed 0 /m, 'it counts them');
    like($text, qr/^verdict: on this design the verdict is not to be believed: of studies of the true law 41\.7 % are called misfit, most often by the rule "residuals": at most 2 % are wanted\n/m,
        'and says so, with the rule');
    (undef, $text) = contactfit('selftest', $croquet, "$folder/told.json", @files[1, 2], '-n', 12, '--json');
    is_deeply(decode_json($text)->{false_words}{misfit}, {count => 5, most => 3, wanted => 0.02, rule => 'residuals',
        told => 5, holds => JSON::PP::false}, '--json: the same');
    spew("$folder/told.json", $told =~ s/"residuals"/"residue"/r);
    (undef, undef, my $unknown) = contactfit('selftest', $croquet, "$folder/told.json", @files[1, 2], '-n', 12);
    like($unknown, qr/: replicate \d+ is none of this version$/, 'a rule that there is not');
    spew("$folder/told.json", slurp($files[0]) =~ s/"error": null,/"error": "no memory for one",/r
        =~ s/"status": \d+/"status": 4/r);
    ($code, $text) = contactfit('selftest', $croquet, "$folder/told.json", @files[1, 2], '-n', 12);
    is($code, 3, 'one ended by an error: exit 3');
    like($text, qr/^  error        the first: no memory for one\n/m, 'with its words');
    spew($files[1], slurp($files[1]) =~ s/"status": \d+/"status": 99/r);
    (undef, undef, my $error) = contactfit('selftest', $croquet, @files, '-n', 12);
    like($error, qr/: replicate 0 is none of this version$/, 'a verdict that there is not');
}

done_testing();
