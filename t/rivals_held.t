#!/usr/bin/perl
# What a study holds of its rivals alone: `fixed` names parameters that the study's law has not. The
# oracle is the same rival as the law of a study of its own, which holds the same. Synthetic data.

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
my $head = "contactfit: study/1\ntitle: synthetic\nbodies:\n"
    . "  ball: {sphere: {diameter: 40 mm}, mass: 50 g, youngs_modulus: 1 GPa, poissons_ratio: 0.3}\n"
    . "  block: {plane: {}, fixed: true, rigid: true}\n";
my @speed = map { 0.4 * 1.35 ** $_ } 0 .. 9;
my @error = (0.9, -1.1, 0.3, 1.2, -0.6, -0.8, 1.4, -0.4, 0.2, -0.9);
my $rows = join '', map {
    sprintf "      - {speed: %.4f, restitution: %.5f}\n", $speed[$_], 0.8 - 0.03 * log($speed[$_]) + 0.003 * $error[$_]
} 0 .. $#speed;
my $data = "data:\n  - name: drops\n    protocol: impact\n    rows:\n$rows    sigma: {restitution: 0.003}\n";

sub write_study
{
    my ($name, $text) = @_;
    spew("$dir/$name.yaml", "$head$text$data");
    return "$dir/$name.yaml";
}

# The rivals of a fit, by law; and the fit itself.
sub fitted
{
    my ($name, $text, @more) = @_;
    my ($status, $fit, $out, $err) = fit_of($dir, write_study($name, $text), '-j', 1, @more);
    ok(defined $fit->{law}, "$name: is fitted") or diag($out, $err);
    return ({map { $_->{law} => $_ } @{$fit->{rivals} // []}}, $fit, $out, $err);
}

sub near { return is_near(@_[0, 1], 1e-6, $_[2]) }

# The rival is what it is as the law of a study that holds the same.
sub is_that_of
{
    my ($rival, $name, $fixed) = @_;
    my (undef, $own) = fitted("own_$name", "law: $rival->{law}\n$fixed");
    my @fitted = grep { $own->{parameters}{$_}{role} eq 'fitted' } sort keys %{$own->{parameters}};
    is_deeply([sort keys %{$rival->{parameters}}], \@fitted, "$name: the rest is fitted");
    near($rival->{parameters}{$_}{value}, $own->{parameters}{$_}{value}, "$name: $_ as in a study of its own") for @fitted;
    near($rival->{minus_2_log_likelihood}, $own->{statistics}{minus_2_log_likelihood}, "$name: and as likely");
}

# ---- a rival's parameter, and none of the law's

my $held_time = qr{held:(?: |<br>)<i>A<\/i> = <span class="n">3(?:\.0*)?&#8239;&times;&#8239;10<sup>&minus;5</sup></span>&#8239;<span class="unit">s</span>};
my $e_log = "law: e-log\nrivals: [azad-featherstone, linear]\n";
{
    my $fixed = "fixed: {kk_time: 30 us, b: 0.03}\n";
    my ($rival, $fit) = fitted('alone', $e_log . $fixed);
    my $af = $rival->{'azad-featherstone'};
    is_deeply($af->{held}, {kk_time => {value => 3e-5, unit => 's'}}, 'told, without what only the law has');
    is_that_of($af, 'alone', "fixed: {kk_time: 30 us}\n");
    ok(!$rival->{linear}{held}, 'a rival without the name holds nothing');
    is_deeply([sort keys %{$rival->{linear}{parameters}}], [qw(k lambda)], 'and has all fitted');
    is_deeply($fit->{study}{given}, {b => 0.03}, 'what is given of the law is its own');
    is($fit->{parameters}{e_at_1}{verdict_text}, 'fine, given b exactly', 'and so are the words about it');
    is_deeply($rival->{'e-log'}{held}, {b => {value => 0.03, unit => '1'}}, 'the law among its rivals');
    my $page = slurp("$dir/alone.html");
    ok($page =~ /$held_time/, 'on the page') or diag($page =~ /(held:.{0,200})/);
    my ($status, $out, $err) = contactfit('predict', "$dir/alone.json", '--speed', 1);
    is($status, 0, 'the fit predicts') or diag($err);
}

# ---- of several rivals, those that have it in that unit

{
    my ($rival) = fitted('unit', "law: e-log\nrivals: [azad-featherstone, hunt-crossley, linear]\nfixed: {k: 1e8 N/m^1.5}\n");
    ok($rival->{$_}{held}{k} && !$rival->{$_}{parameters}{k}, "k of $_ is held") for qw(azad-featherstone hunt-crossley);
    ok(!$rival->{linear}{held} && $rival->{linear}{parameters}{k}, 'k [N/m] of linear is another number');
    is_that_of($rival->{'azad-featherstone'}, 'unit', "fixed: {k: 1e8 N/m^1.5}\n");
    (my $soft) = fitted('modulus', "law: e-log\nrivals: [azad-featherstone]\nfixed: {effective_modulus: 5 MPa}\n");
    is_that_of($soft->{'azad-featherstone'}, 'modulus', sprintf "fixed: {k: %.15g N/m^1.5}\n", 4 / 3 * 5e6 * sqrt 0.02);
    (my $hertz) = fitted('hertz', "law: e-log\nrivals: [azad-featherstone]\nfixed: {k: hertz}\n");
    is($hertz->{'azad-featherstone'}{held}{k}{value}, 'hertz', 'k of the bodies');
    is_that_of($hertz->{'azad-featherstone'}, 'hertz', "fixed: {k: hertz}\n");
    ok(slurp("$dir/hertz.html") =~ m{held:<br><i>k</i> by Hertz}, 'on the page');
}

# ---- the study's law and its rival change places

{
    my $study = "${e_log}fixed: {kk_time: 30 us, b: 0.03}\n";
    my ($rival, $fit, $out, $err) = fitted('swapped', $study, '--law', 'azad-featherstone');
    is_deeply($fit->{study}{given}, {kk_time => 3e-5}, '--law: what was held of the rival is given');
    is_deeply($rival->{'e-log'}{held}, {b => {value => 0.03, unit => '1'}}, "and the study's law keeps what is held of it");
    is_deeply([sort keys %{$rival->{'e-log'}{parameters}}], ['e_at_1'], 'and no more is fitted of it');
    unlike($err, qr/no parameter/, 'and there is nothing to note') or diag($err);
}
{
    my ($status, $out, $err) = contactfit('compare', write_study('all', "law: e-log\nrivals: [azad-featherstone]\nfixed: {kk_time: 30 us}\n"),
        '-o', $dir, '--laws', 'azad-featherstone,e-power', '-j', 1);
    my $fit = decode_json(slurp("$dir/all-compare.json") || '{}');
    my ($af) = grep { $_->{law} eq 'azad-featherstone' } @{$fit->{rivals}};
    is_deeply([sort keys %{$af->{parameters}}], ['k'], 'a tournament holds it, too') or diag($err);
    ok(slurp("$dir/all-compare.html") =~ /, $held_time/, 'and its page says so');
}

# ---- what is refused

my @refused = (
    ['near', "${e_log}fixed: {kk_tine: 30 us}\n", '8:9: unknown parameter kk_tine: did you mean kk_time?'],
    ['far', "law: e-log\nrivals: [e-constant]\nfixed: {stiffness: 1}\n",
        '8:9: unknown parameter stiffness: known here: e_at_1, b, e'],
    ['unit_of_none', "${e_log}fixed: {kk_time: 30 mm}\n", '8:18: kk_time: 30 mm: a length [m] where a time [s] is wanted'],
    ['bare', "${e_log}fixed: {k: 1e8}\n", '8:12: k: 1e8: azad-featherstone has it in N/m^1.5 and linear in N/m: give it with its unit'],
    ['range', "${e_log}fixed: {k: 0.5 N/m^1.5}\n", '8:12: k: 0.5 N/m^1.5: k must be in [1, 1e+15] N/m^1.5'],
    ['twice', "${e_log}fixed: {kk_time: 30 us, lambda: 1e4 N s/m^1.5}\n",
        '8:25: lambda and kk_time (line 8) both set lambda of rival azad-featherstone: one of them is wanted'],
    ['twice_shared', "law: hunt-crossley\nrivals: [azad-featherstone]\nfixed: {k: 1e8 N/m^1.5, kk_time: 30 us, lambda_star: 1e4 Pa s}\n",
        '8:41: lambda_star and kk_time (line 8) both set lambda of rival azad-featherstone: one of them is wanted'],
    ['fitted', "law: e-log\nfit: {b: {}, k: {}}\nrivals: [azad-featherstone]\nfixed: {e_at_1: 0.8}\n",
        '7:14: k is a parameter of rival azad-featherstone, which is fitted unless it is held: put it under fixed, or leave it out'],
    ['hertz_of_another', "${e_log}fixed: {kk_time: hertz}\n", '8:18: kk_time: hertz gives k and nothing else'],
    ['hertz_of_linear', "law: linear\nfixed: {k: hertz}\n", '7:12: k: hertz gives N/m^1.5, and linear has it in N/m'],
);
is_refused('check', 1, "$dir/$_->[0].yaml:$_->[2]", write_study(@$_[0, 1])) for @refused;

done_testing;
