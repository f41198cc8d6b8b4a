#!/usr/bin/perl
# Which law predicts held-out rows better, and whether by more than chance: a constant against a line
# in ln v, fitted here by hand; units of rows that share their fate; nuisances, which rivals have at
# their best, too. Synthetic data.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use List::Util qw(sum);
use Program;
use Test::More;

draw_no_figures();

my $dir = tempdir(CLEANUP => 1);
my $sigma = 0.003;
my $head = "contactfit: study/1\ntitle: synthetic\nbodies: {ball: {sphere: {radius: 10 mm}, mass: 100 g}}\n";
my @error = (0.9, -1.1, 0.3, 1.2, -0.6, -0.8, 1.4, -0.4, 0.2, -0.9, 0.7, -0.5, 1.1, 0.1, -1.3, 0.6, -0.2, 0.4);

# Rows (speed, e, day), the last $n of them at higher speeds than all others.
sub rows
{
    my ($slope, $held, $days) = @_;
    return map {
        my $v = 0.5 + 0.25 * $_;
        [$v, sprintf('%.6f', 0.8 - $slope * log($v) + $sigma * $error[$_ % @error]), $_ % $days]
    } 0 .. 11 + $held;
}

sub write_study
{
    my ($name, $laws, $more, @rows) = @_;
    spew("$dir/$name.csv", join '', "speed_m_s,e,day\n", map { join(',', @$_) . "\n" } @rows);
    spew("$dir/$name.yaml", "${head}${laws}data:\n  - name: drops\n    protocol: impact\n    file: $name.csv\n"
        . "    columns: {speed: {from: speed_m_s}, restitution: {from: e, sigma: $sigma}}\n$more"
        . "hold-out: [{data: drops, where: \"speed > 3.3 m/s\"}]\n");
    return "$dir/$name.yaml";
}

sub fitted
{
    my ($name, @is) = @_;
    my ($status, $fit, $out, $err) = fit_of($dir, write_study($name, @is), '-j', 1);
    ok($fit->{law}, "$name: is fitted") or diag($out, $err);
    $out =~ s/\s+/ /g;
    return ({map { $_->{law} => $_ } @{$fit->{rivals} // []}}, $fit, $out);
}

# Held-out errors in sigmas of the mean of the fitted rows, and of a line in ln v.
sub by_hand
{
    my (@rows) = @_;
    my @fit = grep { $_->[0] <= 3.3 } @rows;
    my @out = grep { $_->[0] > 3.3 } @rows;
    my $mean = sum(map { $_->[1] } @fit) / @fit;
    my $x = sum(map { log $_->[0] } @fit) / @fit;
    my $slope = sum(map { (log($_->[0]) - $x) * $_->[1] } @fit) / sum(map { (log($_->[0]) - $x) ** 2 } @fit);
    return ([map { ($_->[1] - $mean) / $sigma } @out], [map { ($_->[1] - $mean - $slope * (log($_->[0]) - $x)) / $sigma } @out], @out);
}

sub rms { return sqrt(sum(map { $_ ** 2 } @_) / @_) }

# Difference, standard error and p of a against b in units.
sub paired
{
    my ($a, $b, @unit) = @_;
    my %S;
    $S{$unit[$_]} += $a->[$_] ** 2 - $b->[$_] ** 2 for 0 .. $#unit;
    my @S = values %S;
    my $mean = sum(@S) / @S;
    my $error = sqrt(@S / (@S - 1) * sum(map { ($_ - $mean) ** 2 } @S)) / @unit / (rms(@$a) + rms(@$b));
    my $as_large = grep {
        my $way = $_;
        abs(sum(map { $way >> $_ & 1 ? -$S[$_] : $S[$_] } 0 .. $#S)) >= abs(sum @S) * (1 - 1e-12)
    } 0 .. 2 ** @S - 1;
    return (rms(@$a) - rms(@$b), $error, $as_large / 2 ** @S);
}

# ---- one row a unit: the line is better by more than chance

my $laws = "law: e-constant\nrivals: [e-log]\n";
{
    my @rows = rows(0.02, 8, 4);
    my ($constant, $line, @out) = by_hand(@rows);
    my ($rival, $fit, $said) = fitted('rows', $laws, "group: none\n", @rows);
    my ($difference, $error, $p) = paired($line, $constant, 0 .. $#out);
    is_near($rival->{'e-constant'}{held_out_rms_sigma}, rms(@$constant), 1e-6, 'rows: the constant');
    is_near($rival->{'e-log'}{held_out_rms_sigma}, rms(@$line), 1e-6, 'rows: the line');
    is_near($fit->{held_out}{rms_sigma}, rms(@$constant), 1e-6, 'rows: the same measure as of the law by itself');
    is_near($rival->{'e-log'}{held_out}{difference}, $difference, 1e-5, 'rows: their difference');
    is_near($rival->{'e-log'}{held_out}{standard_error}, $error, 1e-5, 'rows: its standard error');
    is_near($rival->{'e-log'}{held_out}{p}, $p, 1e-9, 'rows: its p');
    is_near($rival->{'e-log'}{held_out}{rms}{restitution}, $sigma * rms(@$line), 1e-6, 'rows: raw');
    ok(!exists $rival->{'e-constant'}{held_out}{difference}, 'rows: the law is not compared with itself');
    is("$fit->{held_out}{unit} $fit->{held_out}{units}", 'row 8', 'rows: units');
    my $want = sprintf 'Held-out rows are predicted better by e-log: %.3g sigma rms, against %.3g of e-constant, the study\'s law. '
        . 'The difference, %.2f +- %.2f sigma over 8 rows, is more than chance (p = %.2g by random signs).',
        rms(@$line), rms(@$constant), abs $difference, $error, $p;
    cmp_ok($p, '<', 0.05, 'rows: which is not often so by chance');
    is($fit->{held_out}{text}, $want, 'rows: in words');
    ok(index($said, " $want") >= 0, 'rows: on the terminal') or diag($said);
    like(slurp("$dir/rows.json"), qr/"level": 0\.95,\n/, 'rows: a number of the fit file has the digits that it needs');
    my $page = slurp("$dir/rows.html") =~ s/&#39;|&rsquo;/'/gr;
    my $set = $want =~ s/sigma/<i>σ<\/i>/gr =~ s/\+-/&plusmn;/r =~ s/\(p =/(<i>p<\/i> =/r;
    ok(index($page, "<p>$set</p>") > index($page, '<h2>Rival laws</h2>'), 'rows: on the page, among rivals');
    my $raw = sprintf '<td class="name">e-log</td><td class="r">%.2f</td><td class="r"><span class="n">%.3g</span></td>', rms(@$line), $sigma * rms(@$line);
    ok(index($page, $raw) > index($page, '<h2>Rows held out of the fit</h2>'), 'rows: each law among the held-out rows') or diag($raw);
    my $cell = sprintf '%.2f<br><span class="note"><span class="n">&minus;%.2g</span><br>&plusmn;&#8239;<span class="n">%.2g</span></span></td>',
        rms(@$line), -$difference, $error;
    ok(index($page, $cell) > 0, 'rows: and in its table') or diag($cell, "\n", $page =~ /(e-log<br>.*)/);
}

# ---- four days a unit each: too few to tell; and the two laws change places

{
    my @rows = rows(0.02, 8, 4);
    my ($constant, $line, @out) = by_hand(@rows);
    my ($rival, $fit) = fitted('days', "law: e-log\nrivals: [e-constant]\n", "group: {by: [day]}\n", @rows);
    is("$fit->{held_out}{unit} $fit->{held_out}{units}", 'day 4', 'days: units');
    my $against = $rival->{'e-constant'}{held_out};
    ok($against->{difference} > 0, 'days: the constant is worse');
    is_near($against->{p}, 2 / 2 ** 4, 1e-9, 'days: all four say so');
    like($fit->{held_out}{text}, qr/^Held-out days are predicted better by e-log, the study's law: .* of e-constant\. .* over 4 days, may be chance, as they are so few \(p = 0\.12 by/,
        'days: and are too few');
}

# ---- no slope: no more than chance; and several rivals, for which p counts as often

{
    my @rows = rows(0, 8, 4);
    my ($rival, $fit) = fitted('flat', "law: e-constant\nrivals: [e-log, e-power, e-linear]\n", '', @rows);
    like($fit->{held_out}{text}, qr/^Held-out rows are predicted better by e-constant, the study's law: .*, the best of 3 rivals there\. .* is no more than chance \(p = 1 by random signs, adjusted for 3 rivals\)\.$/,
        'flat: no more than chance, adjusted');
    my @p = sort { $a <=> $b } map { $rival->{$_}{held_out}{p} } qw(e-log e-power e-linear);
    my @adjusted = sort { $a <=> $b } map { $rival->{$_}{held_out}{p_adjusted} } qw(e-log e-power e-linear);
    is_near($adjusted[0], 3 * $p[0] > 1 ? 1 : 3 * $p[0], 1e-9, 'flat: by Holm');
    my (undef, $alike) = fitted('alike', "law: e-constant\nrivals: [tsuji]\n", '', @rows);
    like($alike->{held_out}{text}, qr/^Held-out rows are predicted alike by e-constant, the study's law and tsuji: \S+ sigma rms\.$/, 'alike: one curve');
}

# ---- a nuisance has its best in held-out rows, too: as of the rival as a study's own law

{
    my @rows = map { [$_->[0], $_->[1] + 0.08, $_->[2]] } rows(0.02, 8, 4);
    my $bias = "    nuisance: {restitution.bias: {prior: {value: 0.09, sigma: 0.01}}}\n";
    my ($rival) = fitted('bias', "law: e-constant\nrivals: [e-log]\nfixed: {e_at_1: 0.8}\n", $bias, @rows);
    my (undef, $own) = fitted('own', "law: e-log\nfixed: {e_at_1: 0.8}\n", $bias, @rows);
    is_near($rival->{'e-log'}{held_out}{rms}{restitution}, $own->{held_out}{rms}{restitution}, 1e-5, 'bias: as in a study of its own');
    cmp_ok($own->{held_out}{rms}{restitution}, '<', 3 * $sigma, 'bias: which is near');
    is_near($rival->{'e-constant'}{held_out_rms_sigma}, (fitted('again', "law: e-constant\n", $bias, @rows))[1]{held_out}{rms_sigma}, 1e-6, 'bias: and the law itself');
}

# ---- nothing held out, nothing said

{
    my $path = write_study('none', $laws, '', rows(0.02, 8, 4));
    spew($path, slurp($path) =~ s/^hold-out.*\n//mr);
    my ($status, $fit, $out) = fit_of($dir, $path, '-j', 1);
    ok(!defined $fit->{held_out}, 'nothing is held out') or diag($out);
    unlike($out, qr/Held-out/, 'and nothing said of it');
}

done_testing;
