#!/usr/bin/perl
# The tournament. All data here are synthetic: a law's curve and scatter from a fixed stream.
# Oracles: closed-form fits of e-constant and e-log, and what the data were made from.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Program qw(:DEFAULT is_refused);
use Synthetic qw(normal);
use Test::More;

draw_no_figures();

my $dir = tempdir(CLEANUP => 1);
my $sigma = 0.002;

# A study of (speed, e) rows; rows from $held on are held out.
sub write_study
{
    my ($name, $law, $fit, $held, @rows) = @_;
    my $rows = join '', map { "      - {speed: $_->[0] m/s, restitution: $_->[1]}\n" } @rows;
    my $keep = $held ? "hold-out:\n  - {data: drops, where: \"speed > $held m/s\"}\n" : '';
    spew("$dir/$name.yaml", <<"END");
contactfit: study/1
title: Synthetic, $name
bodies: {ball: {sphere: {radius: 10 mm}, mass: 100 g}}
law: $law
fit: $fit
data:
  - name: drops
    protocol: impact
    rows:
$rows    sigma: {restitution: $sigma}
$keep
END
}

sub tournament
{
    my ($name, @more) = @_;
    my ($code, $out, $err) = contactfit({figures => $name eq 'log'}, 'compare', "$dir/$name.yaml", @more);
    is($err, "wrote $dir/$name-compare.json and $dir/$name-compare.html\n", "$name: says what it wrote");
    my $fit = decode_json(slurp("$dir/$name-compare.json"));
    my %row;
    for my $i (0 .. $#{$fit->{rivals}}) {
        my ($rival, $contender) = ($fit->{rivals}[$i], $fit->{tournament}{contenders}[$i]);
        is($contender->{law}, $rival->{law}, "$name: contender $i stands beside its rival");
        $row{$rival->{law}} = {%$rival, %$contender};
    }
    return ($code, $out, $fit, \%row);
}

my @speed = map { 0.3 * (20 / 0.3) ** ($_ / 23) } 0 .. 23;
@speed = map { sprintf '%.4f', $_ } @speed;

# e falls with the logarithm of speed; the last four rows are held out
my @log = map { [$_, sprintf '%.6f', 0.8 - 0.03 * log($_) + $sigma * normal()] } @speed;
write_study('log', 'e-constant', '{e: {}}', 10, @log);
my ($code, $out, $fit, $row) = tournament('log');
is($code, 0, 'log: a law describes the data: exit 0');
is($fit->{tournament}{best}, 'e-log', 'log: the law that made the data is the best');
is($fit->{rivals}[0]{law}, 'e-log', 'log: and has the lowest AICc');
ok($row->{'e-log'}{describes}, 'log: it describes them');
ok(!$row->{'e-constant'}{describes}, 'log: a constant does not');
like($row->{'e-constant'}{verdict}, qr/along the speed the readings depart from the law by up to \S+, at speed \S+ m\/s, p [=<] \S+/,
     'log: and it is said why');
{
    my ($chi2) = grep { $_->{test} eq 'chi-square' } @{$row->{'e-log'}{tests}};
    like($chi2->{text}, qr/^chi\^2 \S+ on 18 degrees of freedom$/, 'log: 20 rows less two parameters');
}
is($fit->{verdict}{status}, 'misfit', "log: the study's own law has its verdict, as from fit");

# closed forms: weighted means and a straight line in ln v
{
    my @in = grep { $_->[0] <= 10 } @log;
    my @held = grep { $_->[0] > 10 } @log;
    my $n = @in;
    my ($sx, $sy, $sxx, $sxy) = (0) x 4;
    for (@in) {
        my ($x, $y) = (log $_->[0], $_->[1]);
        $sx += $x; $sy += $y; $sxx += $x * $x; $sxy += $x * $y;
    }
    my $mean = $sy / $n;
    my $slope = ($n * $sxy - $sx * $sy) / ($n * $sxx - $sx * $sx);
    my $height = ($sy - $slope * $sx) / $n;
    my ($c0, $c1, $h0, $h1) = (0) x 4;
    $c0 += (($_->[1] - $mean) / $sigma) ** 2 for @in;
    $c1 += (($_->[1] - $height - $slope * log $_->[0]) / $sigma) ** 2 for @in;
    $h0 += (($_->[1] - $mean) / $sigma) ** 2 / @held for @held;
    $h1 += (($_->[1] - $height - $slope * log $_->[0]) / $sigma) ** 2 / @held for @held;
    my ($k0, $k1) = map { 2 * $_ + 2 * $_ * ($_ + 1) / ($n - $_ - 1) } 1, 2;
    is_within($row->{'e-constant'}{delta_aicc}, $c0 + $k0 - $c1 - $k1, 1e-4, 'log: AICc of the mean against the line');
    is_within($row->{'e-constant'}{bic} - $row->{'e-log'}{bic}, $c0 - $c1 - log $n, 1e-4, 'log: BIC');
    is_within($row->{'e-log'}{rms_sigma}, sqrt($c1 / $n), 1e-6, 'log: rms of the line');
    is_within($row->{'e-log'}{held_out_rms_sigma}, sqrt $h1, 1e-5, 'log: held-out error of the line');
    is_within($row->{'e-constant'}{held_out_rms_sigma}, sqrt $h0, 1e-5, 'log: held-out error of the mean');
    # the error on a row that was left out: its residual over 1 - its leverage
    my ($l0, $l1) = (0, 0);
    for (@in) {
        my $lever = 1 / $n + (log($_->[0]) - $sx / $n) ** 2 / ($sxx - $sx * $sx / $n);
        $l0 += (($_->[1] - $mean) / $sigma / (1 - 1 / $n)) ** 2 / $n;
        $l1 += (($_->[1] - $height - $slope * log $_->[0]) / $sigma / (1 - $lever)) ** 2 / $n;
    }
    is_within($row->{'e-constant'}{leave_one_out_rms_sigma}, sqrt $l0, 1e-5, 'log: leave-one-out error of the mean');
    is_within($row->{'e-log'}{leave_one_out_rms_sigma}, sqrt $l1, 1e-5, 'log: leave-one-out error of the line');
    is_within($row->{'e-log'}{parameters}{b}{value}, -$slope, 1e-8, 'log: its slope');

    # which two curves predict best, and the p of their difference by all changes of sign
    my %curve = map { $_ => $row->{$_} } grep { !$row->{$_}{same_as} } keys %$row;
    my ($best, $next) = sort { $curve{$a}{held_out_rms_sigma} <=> $curve{$b}{held_out_rms_sigma} } keys %curve;
    my $held_out = $fit->{tournament}{held_out};
    is("$held_out->{n} $held_out->{best} $held_out->{next}", @held . " $best $next", 'log: held-out rows, best and next');
    ok(abs($held_out->{p} * 2 ** @held - int($held_out->{p} * 2 ** @held + 0.5)) < 1e-9 && $held_out->{p} >= 2 / 2 ** @held,
       'log: p is a share of the 2^n ways, the way seen and its mirror among them');
    like(join("\n", @{$fit->{tournament}{statements}}),
         qr/^\Q$best\E predicts the held-out rows best: \S+ sigma rms, against \S+ of \Q$next\E, the next\. The difference, \S+ \+- \S+ sigma over 4 rows, may be chance, as they are so few \(p = \S+ by random signs\)\.$/m,
         'log: said in words, with n');
}

# one curve, counted once
{
    my @names = qw(e-constant linear tsuji);
    is($row->{$_}{same_as}, 'e-constant', "log: $_ has the curve of e-constant") for @names[1, 2];
    is($row->{'e-constant'}{same_as}, undef, 'log: which stands for itself');
    my ($sum, $best) = (0, 0);
    for (values %$row) {
        next if $_->{same_as} || $_->{status} ne 'ok';
        $sum += $_->{weight};
        $best++;
    }
    is_within($sum, 1, 1e-12, 'log: the weights of the different curves add up to 1');
    is($best, $fit->{tournament}{curves}, 'log: as many as are counted');
    is_within($row->{'e-power'}{weight} / $row->{'e-log'}{weight}, exp(-$row->{'e-power'}{delta_aicc} / 2), 1e-12,
         'log: a weight is exp(-delta/2)');
    like(join("\n", @{$fit->{tournament}{statements}}), qr/^One curve under 3 names: e-constant, tsuji and linear\./m,
         'log: and it is said');
    like($out, qr/^\* e-constant .* no$/m, "log: the table marks the study's own law");
    like($out, qr/^  linear .* no  the curve of e-constant$/m, 'log: the table says whose curve it is');
}

# the page: from the file alone, its parts in order, whatever the number of threads
{
    my $page = slurp("$dir/log-compare.html");
    my @order = ('Tournament of contact laws', 'Misfit', 'id="restitution-log"', 'The tournament', 'describes the data</span>',
                 'The same restitution curve: <b class="n">tsuji</b>', 'id="tournament"', '<h2>Parameters');
    my @place = map { index $page, $_ } @order;
    is_deeply(\@place, [sort { $a <=> $b } grep { $_ >= 0 } @place], 'page: all parts, in order');
    unlike($page, qr/<h2>Rival laws/, 'page: no second table of rivals');
    like($page, qr/>Left out</, 'page: a column of the error of rows left out');
    mkdir "$dir/again";
    is((contactfit('report', '-q', "$dir/log-compare.json", '-o', "$dir/again"))[0], 0, 'report takes the file');
    ok(slurp("$dir/again/log-compare.html") eq $page, 'and makes the same page of it');
}

# several processes
{
    my @few = ('compare', '-q', "$dir/log.yaml", '--laws', 'e-log,e-power,hunt-crossley,linear');
    my @made = map { contactfit({figures => 0}, @few, '--jobs', $_); slurp("$dir/log-compare.json") } 1, 3;
    ok($made[0] eq $made[1], '--jobs 3: the same bytes');
}

# a law with a force: the curve of hunt-crossley, e = 1 at rest; named contenders only
{
    my ($made) = (contactfit(qw(restitution hunt-crossley -q -p a=0.1 --speed), join ',', @speed))[1];
    my @e = map { (split /,/)[1] } (split /\n/, $made)[1 .. @speed];
    write_study('hc', 'azad-featherstone', '{k: {}, lambda: {}}', 0,
          map { [$speed[$_], sprintf '%.6f', $e[$_] + $sigma * normal()] } 0 .. $#speed);
    my ($status, $text, $file, $of) = tournament('hc', '--laws', 'hunt-crossley,e-log,e-linear');
    is($status, 0, 'hc: exit 0');
    is($file->{tournament}{best}, 'hunt-crossley', 'hc: the law that made the data wins');
    is_deeply([sort keys %$of], [qw(azad-featherstone e-linear e-log hunt-crossley)], 'hc: the named ones and the own');
    is($file->{command}, 'contactfit compare hc.yaml --seed 1 --laws hunt-crossley,e-log,e-linear', 'hc: how to repeat it');
    is_within($of->{'hunt-crossley'}{parameters}{a}{value}, 0.1, 1e-3, 'hc: and a is found');
    is($of->{'hunt-crossley'}{parameters}{k}{value}, undef, 'hc: k is not identified');
    unlike(join("\n", @{$file->{tournament}{statements}}), qr/held-out/, 'hc: nothing held out, nothing said of it');
}

# nothing describes a wave
{
    write_study('wave', 'e-constant', '{e: {}}', 0, map { [$_, 0.7 + 0.1 * sin(3 * log $_)] } @speed);
    my ($status, $text, $file) = tournament('wave', '--laws', 'e-log,e-power,hunt-crossley,azad-featherstone,linear');
    is($status, 3, 'wave: no law describes it: exit 3');
    is($file->{tournament}{best}, undef, 'wave: no best');
    is($file->{tournament}{describing}, 0, 'wave: none describes');
    like($file->{tournament}{summary},
         qr/^None of the \d+ different curves describes these data: the residuals of each are not mere scatter\. \S+ comes closest, but is rejected as well\.$/,
         'wave: said so');
}

# five rows without a sigma: no test can be made, and no law is called wrong
{
    write_study('few', 'e-constant', '{e: {}}', 0, map { [$_, 0.8 - 0.03 * log($_) + 0.001 * (-1) ** $_] } 1 .. 5);
    my $study = slurp("$dir/few.yaml");
    $study =~ s/^    sigma: .*\n//m;
    spew("$dir/few.yaml", $study);
    my ($status, $text) = tournament('few', '--laws', 'e-log,azad-featherstone-recovering');
    is($status, 3, 'few: no law is found to describe them: exit 3');
    like($text, qr/^[* ] \Q$_\E +not compared: 5 measured numbers are too few to rank \d fitted ones/m, "few: $_ is not ranked")
        for qw(e-constant e-log);
    unlike($text, qr/[ \t]$/m, 'few: no blanks at the ends of lines');
    my $page = slurp("$dir/few-compare.html");
    like($page, qr/too few to rank/, 'few: nor on the page');
    unlike($page, qr/rejected<.span>/, 'few: nor is it called wrong there');
}

# refusals
sub refused { return is_refused('compare', @_) }
my $any = "$dir/log.yaml";
refused(2, '--laws: unknown law hunt-crosley: did you mean hunt-crossley?', $any, '--laws', 'e-log,hunt-crosley');
refused(2, '--laws: a name is missing: give a list such as hunt-crossley,e-log', $any, '--laws=');
refused(2, '--laws: a name is missing: give a list such as hunt-crossley,e-log', $any, '--laws', 'e-log,');
refused(2, '--laws: e-log is named twice', $any, '--laws', 'e-log,e-power,e-log');
refused(2, '--laws: e-constant is named twice', $any, '--laws', 'e-constant,e-constant');
refused(2, '--jobs: "0": a whole number from 1 to 1024 is wanted', $any, '--jobs', '0');
refused(2, '--seed: "-": a whole number from 0 to 9007199254740991 is wanted', $any, '--seed', '-');
spew("$dir/time.yaml", <<'END');
contactfit: study/1
bodies: {ball: {mass: 100 g}}
law: hunt-crossley
fit: {k: {}, a: {}}
data:
  - name: times
    protocol: impact
    rows: [{speed: 1, duration: 1 ms}, {speed: 2, duration: 0.9 ms}, {speed: 3, duration: 0.8 ms}]
    sigma: {duration: 1 us}
END
refused(1, "$dir/time.yaml: no restitution, rebound_speed or rebound_height is measured, and these are what all laws "
        . 'predict and are compared on', "$dir/time.yaml");

done_testing();
