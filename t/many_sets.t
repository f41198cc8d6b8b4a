#!/usr/bin/perl
# Studies of many data sets: nothing is dropped without a word, the last set counts as the first
# does, and pages, figures and messages stay readable. All data here are synthetic: e falls with
# ln v, or is constant, with normal scatter from a fixed stream.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Svg ();
use Synthetic qw(normal);
use Test::More;

my $dir = tempdir(CLEANUP => 1);

# A study of n sets; how: rows in each, law, b of e = 0.8 - b ln v, scatter, sigma as it is stated,
# shift => sub (set, row, place from -1/2 to 1/2) that adds to a value, balls => each set has its own,
# pairs => two and two of them alike.
sub write_study
{
    my ($name, $n, %how) = @_;
    my $rows = $how{rows} // 8;
    my $ball = sub { sprintf 'sphere: {radius: %.3f mm}, mass: %.4g g', 20 + $_[0], 100 + 20 * $_[0] };
    my $text = "contactfit: study/1\ntitle: synthetic, $n data sets\n"
        . "options: {screen: 16, starts: 4}\nbodies:\n  floor: {plane: {}, fixed: true}\n"
        . join('', map { "  ball$_: {" . $ball->($how{pairs} ? int(($_ + 1) / 2) : $_) . "}\n" }
               $how{balls} ? 1 .. $n : 1)
        . "law: $how{law}\nfit: $how{fit}\n" . ($how{more} // '') . "data:\n";
    for my $set (1 .. $n) {
        my $m = $set == $n ? $how{last_rows} // $rows : $rows;
        $text .= "  - name: s$set\n    protocol: impact\n    between: [ball"
            . ($how{balls} ? $set : 1) . ", floor]\n    rows:\n";
        for my $i (0 .. $m - 1) {
            my $v = 0.5 * 10 ** ($i / ($m - 1));
            my $e = ($how{e} ? $how{e}->($set, $v) : 0.8 - ($how{b} // 0) * log $v)
                + ($how{scatter} // 0.01) * normal()
                + ($how{shift} ? $how{shift}->($set, $i, $i / ($m - 1) - 0.5) : 0);
            $text .= sprintf "      - {speed: %.5f, restitution: %.6f}\n", $v, $e;
        }
        $text .= '    sigma: {restitution: ' . ($how{sigma} // 0.01) . "}\n";
    }
    spew("$dir/$name.yaml", $text);
    return "$dir/$name.yaml";
}

# Fits it: exit status, what is printed, the fit file and its page, which has figures only where they are
# looked at, as drawing takes longest.
sub fit
{
    my ($name, $figures) = @_;
    my ($exit, $out, $err) = contactfit({figures => $figures // 0}, 'fit', "$dir/$name.yaml", '-o', $dir);
    my $file = slurp("$dir/$name.json");
    diag($err) if $file eq '';
    return ($exit, $out, decode_json($file || '{}'), slurp("$dir/$name.html"));
}

sub rejecting { return grep { $_->{rejects} } @{$_[0]{tests}} }
sub line { return join ' ', split ' ', $_[0] }

my @constant = (law => 'e-constant', fit => '{e: {}}');
my @log = (law => 'e-log', fit => '{e_at_1: {}, b: {}}', b => 0.03);

# What is right is found right, whatever the number of sets: each quantity is tested once.
for my $n (10, 65) {
    write_study("good$n", $n, @log, rows => 12, more => "rivals: [e-constant]\n");
    # the figures of the few are drawn by fit, those of the many by report
    my ($exit, $out, $fit, $page) = fit("good$n", $n == 10);
    is("$exit $fit->{verdict}{status}", '0 good', "$n sets: good");
    if ($n > 10) {
        is((contactfit('report', "$dir/good$n.json", '-o', $dir, '-q'))[0], 0, 'report writes the page again');
        $page = slurp("$dir/good$n.html");
    }
    is(join(', ', sort map { "$_->{data} $_->{test}" } @{$fit->{tests}}),
       join(', ', map { "all $_" } 'chi-square', $n > 64 ? () : 'departure by set', 'departure of one set',
            'departure with speed', 'lack of fit', 'lag-1', 'runs'), "$n sets: tested together");
    my $sum = 0;
    $sum += ($_->{value} - $_->{predicted}) ** 2 for @{$fit->{observations}};
    my ($own) = grep { $_->{own} } @{$fit->{rivals}};
    my $rms = sqrt($sum / @{$fit->{observations}});
    ok(abs($own->{rms}{restitution} / $rms - 1) < 1e-9, "$n sets: the rms is that of all sets");
    is(Svg::balanced($page =~ s/<!DOCTYPE html>|<(?:meta|br|img)\b[^>]*>//gr), '',
       "$n sets: the page is whole");
    my $sets = () = $page =~ m{<h3>\d+\. s\d+</h3>}g;
    is($sets, $n, "$n sets: the page has them all");
    my $key = $n > 24 ? ', too many for a key, have a marker each, .*? in the order in which they are listed under Data'
        : ' have a marker each';
    like($page, qr{The $n data sets$key\.}s, "$n sets: its caption says how they are drawn");
    my ($folded) = $page =~ m{<summary>and (\d+) more data sets};
    is($folded, $n > 15 ? $n - 10 : undef, "$n sets: folded where they are many");
}

# The figure: a key of few entries, whatever the number of sets.
SKIP: {
    skip 'gnuplot is missing', 3 if !`gnuplot --version 2>/dev/null`;
    my ($exit, undef, $err) = contactfit('plot', "$dir/good65.json", $full ? ('-o', $dir)
        : ('--figure', 'restitution-log', '-o', "$dir/good65-restitution-log.svg"));
    is($exit, 0, '65 sets: plots are drawn') or diag($err);
    my $svg = Svg::line(slurp("$dir/good65-restitution-log.svg"));
    like($svg, qr{measured, 65 sets}, 'the key names the sets together');
    unlike($svg, qr{\bs\d}, 'and none alone');
}

# Other commands on them.
{
    my $fit = "$dir/good65.json";
    my ($exit, $out) = contactfit('check', "$dir/good65.yaml");
    is($exit . ($out =~ /data "s65": impact, 12 rows/ ? ' s65' : ''), '0 s65', 'check reads all 65');
    ($exit, $out) = contactfit('predict', $fit, '--speed', 1, '--data', 's65', '-q');
    like("$exit $out", qr/^0 .*\n1,0\.(?:80|79)/, 'predict for the last');
    is((contactfit('predict', $fit, '--speed', 1, '--data', 'S65'))[2],
       "contactfit predict: no data set S65 in $fit: did you mean s65?\n", 'the nearest of all names');
    write_study('misnamed', 65, @log, more => "hold-out: [{data: S65, where: \"speed > 1 m/s\"}]\n");
    like((contactfit('check', "$dir/misnamed.yaml"))[2], qr/unknown data set S65: did you mean s65\?/,
         'a study: the nearest of all names');
    ($exit) = contactfit({figures => 0}, 'compare', "$dir/good65.yaml", '--laws', 'e-constant', '-o', $dir, '-q');
    my $compare = decode_json(slurp("$dir/good65-compare.json") || '{}');
    is("$exit $compare->{tournament}{best}", '0 e-log', 'compare: the law that the data were made of');
    my ($wrong) = grep { $_->{law} eq 'e-constant' } @{$compare->{tournament}{contenders}};
    my $n = grep { $_->{rejects} } @{$wrong->{tests}};
    cmp_ok($n, '>', 4, 'most tests reject the other');
}

# New data of as many sets, some of them off.
{
    write_study('new65', 65, @log, shift => sub { $_[0] > 35 ? 0.03 : 0 });
    my ($exit, $out, $err) = contactfit('validate', "$dir/good65.json", "$dir/new65.yaml", '-o', $dir);
    my $json = decode_json((contactfit({figures => 0}, 'validate', "$dir/good65.json", "$dir/new65.yaml", '--json',
                                       '-o', $dir))[1] || '{}');
    is($exit, 3, 'thirty of 65 new sets are off');
    my @off = map { $_->{data} } grep { $_->{test} eq 'bias' && $_->{rejects} } @{$json->{tests}};
    is("@off", join(' ', map { "s$_" } 36 .. 65), 'and all of them are found');
    my $reasons = @{$json->{verdict}{reasons}};
    my ($outside) = map { /^and (\d+) more values lie outside/ ? $1 : () } @{$json->{verdict}{reasons}};
    is($reasons, rejecting($json) + 5 + 1, 'every reason is in the JSON');
    is($outside + 5, $json->{coverage}{n} - $json->{coverage}{inside}, 'and every value outside counts');
    my $shown = () = $out =~ /^  - /mg;
    my ($left) = $out =~ /^  - and (\d+) more reasons, on the page and in its JSON$/m;
    is($shown - 1 + $left, $reasons, 'the terminal shows the first, and how many more there are');
    my ($tests) = $out =~ /^  and (\d+) more tests, of larger p/m;
    is($tests + 40, scalar @{$json->{tests}}, 'so it does with the tests');
    my $page = slurp("$dir/new65-validate.html");
    is(Svg::balanced($page =~ s/<!DOCTYPE html>|<(?:meta|br|img)\b[^>]*>//gr), '', 'its page is whole');
    like($page, qr{<summary>and @{[$reasons - 16]} more reasons</summary>}, 'with reasons folded');
}

# Half the true sigma: chi^2 comes last of very many tests.
{
    write_study('half', 40, @constant, scatter => 0.02);
    my ($exit, undef, $fit) = fit('half');
    is("$exit $fit->{verdict}{status}", '3 misfit', 'a sigma half the true one is a misfit');
    like("@{reasons($fit)}", qr/larger than the given sigmas allow: chi\^2/, 'by chi^2');
}

# A plain trend in the last of very many sets.
{
    my $n = $full ? 300 : 120;
    write_study('last', $n, @constant, last_rows => 24, shift => sub { $_[0] == $n ? 0.05 * $_[2] : 0 });
    my ($exit, $out, $fit) = fit('last');
    is($exit, 3, "$n sets: a misfit");
    ok((grep { $_->{test} eq 'departure of one set' } rejecting($fit)), 'by the test of each set');
    like(line($out), qr/restitution: in s$n the readings depart from the law by up to 0\.0[23]/, 'the last');
    like((contactfit('predict', "$dir/last.json", '--speed', 1, '--data', 'rebound'))[2],
         qr/: it has s1, s2, .*, s\d+ and \d+ more\n\z/, 'of many names the first, and how many more');
}

# A row that stands off in each twelfth of very many sets.
{
    my $n = $full ? 300 : 120;
    write_study('off', $n, @constant, shift => sub { $_[0] % 12 == 0 && $_[1] == 3 ? -0.5 : 0 });
    my ($exit, $out, $fit, $page) = fit('off');
    is($exit, 3, "$n sets: a misfit");
    my @rows = grep { $_->{kind} eq 'outlier' } @{$fit->{outliers}};
    my %hit = map { ("$_->{data} $_->{line}" => 1) } @rows;
    cmp_ok(scalar keys %hit, '>', 0.68 * ($n / 12 - 1), 'rows that stand off are named, as many as they are');
    ok(!(grep { /^s(\d+) / && $1 % 12 } keys %hit), 'and no other');
    like(line($out), qr/and @{[@rows - 3]} more rows are outliers like these/, 'in the verdict: how many');
    is(scalar(() = $page =~ /<span class="tag warn">outlier/g), scalar @rows, 'on the page: all');
}

# Every one of many short sets shows the same, and none alone has a p that counts.
{
    my $n = $full ? 120 : 70;
    write_study('each', $n, law => 'e-constant', fit => '{e: {}}', rows => 6, b => 0.03, scatter => 0.012,
          sigma => 'estimate');
    my ($exit, $out, $fit) = fit('each');
    my @off = rejecting($fit);
    is($exit, 3, 'a trend in all of many sets of six rows is a misfit');
    is(join(', ', sort map { "$_->{data} $_->{test}" } @off),
       join(', ', map { "all $_" } 'departure with speed', 'lack of fit', 'lag-1', 'runs'),
       'by the tests of all sets together');
    like(line($out), qr/restitution: along the speed the readings depart from the law by up to 0\.0\d+, at speed/, 'in words');
}

# Trends up and down, which no mean of all sets shows.
{
    for my $sigma (0.01, 'estimate') {
        write_study('own', 30, @constant, rows => 20, sigma => $sigma,
                    shift => sub { ($_[0] % 2 ? 0.08 : -0.08) * $_[2] });
        my ($exit, $out, $fit) = fit('own');
        my @off = rejecting($fit);
        is($exit, 3, "sigma $sigma: trends up and down in 30 sets are a misfit");
        is(join(', ', sort grep { /set|lag/ } map { $_->{test} } @off), 'departure by set, departure of one set, lag-1',
           'by what tells sets apart');
        my @said = grep { /\(p [=<] / && !/^note: |the intervals assume other noise/ } @{reasons($fit)};
        is(scalar @said, scalar @off, 'the fit file has a reason for each');
    }
}

# Sets share one sigma, unless they scatter unlike each other or the study says so.
{
    my $sigmas = sub { return map { my $d = $_; map { $_->{sigma} } grep { $_->{name} eq 'restitution' }
                                    @{$d->{channels}} } @{$_[0]{data}} };
    my $alike = sub { my %seen = map { ($_ => 1) } @_; return scalar keys %seen };
    my %few = (rows => 6, sigma => 'estimate');
    write_study('alike', 6, @log, %few);
    my ($exit, $out, $fit) = fit('alike');
    is("$exit " . $alike->($sigmas->($fit)), '0 1', 'six sets that scatter alike have one sigma');
    is(scalar @{$fit->{uncertainty}{channels}}, 1, 'of all of them');
    is("@{$fit->{uncertainty}{channels}[0]{sets}}", '0 1 2 3 4 5', 'which the fit file lists');
    unlike(line($out), qr/scatter alike/, 'and nothing is said of it');

    write_study('unlike', 6, @log, %few, rows => 10, more => "rivals: [e-constant]\n",
                shift => sub { $_[0] == 3 ? 0.05 * (-1) ** $_[1] * (1 + $_[1] % 3) : 0 });
    ($exit, $out, $fit) = fit('unlike');
    my @own = $sigmas->($fit);
    is($alike->(@own), 6, 'one of six that scatters far more: each has a sigma');
    cmp_ok($own[2], '>', 5 * $own[0], 'the larger one has the larger');
    like(line($out), qr/data sets do not scatter alike in restitution \(p = [\d.e-]+\), from 0\.00\d+ \(s\d\) to 0\.1\d* \(s3\)/,
         'and it is said');
    my ($rival) = grep { !$_->{own} } @{$fit->{rivals}};
    my ($self) = grep { $_->{own} } @{$fit->{rivals}};
    is($self->{free} // 2, 2, 'the law has its parameters');
    # one variance model: -2 ln L of both have the same sigmas but for what the laws leave
    cmp_ok(abs($rival->{minus_2_log_likelihood} - $self->{minus_2_log_likelihood}), '<', 400,
           'a rival is compared with sigmas of the same sets');
    write_study('told', 6, @log, %few, sigma => '{estimate: constant, per: data}');
    ($exit, undef, $fit) = fit('told');
    is($alike->($sigmas->($fit)), 6, 'per: data: each has a sigma');
    is(scalar @{$fit->{uncertainty}{channels}}, 6, 'and is a channel of its own');
    like((contactfit('check', write_study('wrong', 2, @log, sigma => '{estimate: constant, per: set}')))[2],
         qr/unknown owner of a sigma set: known here: data/, 'no other word is one');

    # a level of its own is no scatter of its own
    write_study('level', 6, @constant, %few, shift => sub { $_[0] == 5 ? 0.06 : 0 });
    ($exit, $out, $fit) = fit('level');
    is("$exit " . $alike->($sigmas->($fit)), '3 1', 'a set that disagrees keeps the sigma of all');
    like(line($out), qr/data sets disagree about e/, 'and disagrees');
}

# Balls of as many masses as sets: more than a figure can tell apart.
SKIP: {
    my $e = sub { my ($set, $v) = @_; 1 - 0.3 * $v ** 0.2 * (1 + $set / 40) };
    write_study('balls', 300, balls => 1, @constant);
    my ($exit, $out) = contactfit('check', "$dir/balls.yaml");
    is($exit, 0, '300 bodies are read') or diag($out);
    skip 'gnuplot is missing', 2 if !`gnuplot --version 2>/dev/null`;
    write_study('few', 12, balls => 1, pairs => 1, law => 'azad-featherstone', e => $e,
          fit => '{k: {}, lambda: {}}', scatter => 0.001, sigma => 0.05);
    fit('few', 1);
    contactfit('plot', "$dir/few.json", '--figure', 'restitution', '-o', "$dir/few.svg", '-q');
    like(Svg::line(slurp("$dir/few.svg")), qr/5 of 6 curves/, 'the key says how many curves are drawn');
    like(slurp("$dir/few.html"), qr/Of the 6 different curves of the law, .*? 5 are drawn/,
         'and so does the caption');
}

# More rows of simulators than are drawn: 20, of a file that has them made up.
SKIP: {
    skip 'gnuplot is missing', 2 if !`gnuplot --version 2>/dev/null`;
    my $json = JSON::PP->new->canonical;
    my $fit = $json->decode(slurp("$dir/good10.json"));
    my @rows = @{$fit->{simulators}{rows}};
    $fit->{simulators}{rows} = [map { $rows[$_ % @rows] } 0 .. 19];
    spew("$dir/made.json", $json->encode($fit));
    my ($exit, undef, $err) = contactfit('report', "$dir/made.json", '-o', $dir);
    my $page = slurp("$dir/made.html");
    my ($section) = $page =~ m{<section id="in-simulators">(.*?)</section>}s;
    is(scalar(() = ($section // $err) =~ /<tr class="over">/g), 20, 'the table has all rows');
    like($page, qr/Of the 20 rows of the table the first 16 are drawn/, 'its figure says which it has');
}

# A table of 300 specimens.
{
    spew("$dir/table.csv", "specimen,speed [m/s],e [-]\n"
         . join '', map { my $s = $_; map { "no. $s,$_,0.8\n" } 1 .. 3 } 1 .. 300);
    my $study = sub {
        my ($specimen) = @_;
        spew("$dir/table.yaml", "contactfit: study/1\ntitle: synthetic\nbodies:\n"
             . "  ball: {sphere: {radius: 20 mm}, mass: 100 g}\nlaw: e-constant\nfit: {e: {}}\n"
             . "data:\n  - name: d\n    protocol: impact\n    file: table.csv\n"
             . "    where: {specimen: $specimen}\n"
             . "    columns: {speed: {}, restitution: {from: e, sigma: 0.01}}\n");
        return contactfit('check', "$dir/table.yaml");
    };
    is(($study->('no. 300'))[0], 0, 'the last of 300 specimens');
    like(($study->('lost'))[2],
         qr/no row whose specimen is lost: there are no\. 1, no\. 2, .*, no\. \d+ and \d+ more\n\z/,
         'of those that there are, the first and how many more');
}

done_testing();
