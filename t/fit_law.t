#!/usr/bin/perl
# Following the advice to try another law: `fit --law NAME`, and studies whose `fit` is all or absent.

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
    . "bodies: {ball: {sphere: {diameter: 40 mm}, mass: 50 g}, block: {plane: {}, fixed: true}}\n";
my @speed = map { 0.4 * 1.35 ** $_ } 0 .. 9;
my @error = (0.9, -1.1, 0.3, 1.2, -0.6, -0.8, 1.4, -0.4, 0.2, -0.9);
my $rows = join '', map {
    sprintf "      - {speed: %.4f, restitution: %.5f}\n", $speed[$_], 0.8 - 0.03 * log($speed[$_]) + 0.003 * $error[$_]
} 0 .. $#speed;
my $data = "data:\n  - name: drops\n    protocol: impact\n    rows:\n$rows    sigma: {restitution: 0.003}\n";
my $times = "  - name: times\n    protocol: impact\n    rows:\n      - {speed: 1, duration: 0.2 ms}\n"
    . "      - {speed: 2, duration: 0.18 ms}\n    sigma: {duration: 10 us}\n";

sub write_study
{
    my ($name, $text) = @_;
    spew("$dir/$name.yaml", $head . $text);
    return "$dir/$name.yaml";
}

sub fit_of
{
    my ($file, @more) = @_;
    my ($code, $out, $err) = contactfit('fit', $file, '-j', 1, @more);
    my $json = slurp($file =~ s/yaml\z/json/r);
    return ($code, $json ? decode_json($json) : {}, $err);
}

# What a fit found, without what its study was called.
sub found { return {map { $_ => $_[0]{$_} } qw(parameters statistics verdict law)} }

# fit: all, and no fit, are those that nothing fixes.
{
    my ($code, $explicit) = fit_of(write_study('explicit', "law: e-log\nfit: {e_at_1: {}, b: {}}\n$data"));
    is($code, 0, 'a fit of two parameters');
    for my $case (['all', 'fit: all'], ['absent', '']) {
        my ($name, $fit) = @$case;
        my ($status, $json, $err) = fit_of(write_study($name, "law: e-log\n$fit\n$data"));
        is($status, 0, "fit $name") or diag $err;
        is_deeply(found($json), found($explicit), "fit $name: the same");
    }
    my (undef, $part) = fit_of(write_study('part', "law: e-log\nfit: all\nfixed: {b: 0.03}\n$data"));
    is_deeply([map { "$_ $part->{parameters}{$_}{role}" } sort keys %{$part->{parameters}}], ['b held', 'e_at_1 fitted'],
        'but for what is fixed');
    is_refused('check', 1, "$dir/other.yaml:5:6: fit: a text where a mapping {...} is wanted",
        write_study('other', "law: e-log\nfit: most\n$data"));
    is_refused('check', 1, "$dir/none.yaml:1:1: fit: no parameter: at least one is needed",
        write_study('none', "law: e-log\nfixed: {b: 0.03, e_at_1: 0.8}\n$data"));
}

# Another law than the study's is fitted as if the study named it.
{
    my $own = write_study('own', "law: azad-featherstone\nfit: {k: {min: 1e6 N/m^1.5}, lambda: {}}\nrivals: [e-log, hunt-crossley]\n$data$times");
    my ($code, $json, $err) = fit_of($own, '--law', 'e-log');
    is($json->{law}, 'e-log', '--law: it is fitted') or diag $err;
    my (undef, $want) = fit_of(write_study('want', "law: e-log\nrivals: [hunt-crossley, azad-featherstone]\n$data"));
    is_deeply($json->{parameters}, $want->{parameters}, 'with the numbers of a study that names it');
    is(join(' ', sort map { $_->{law} } @{$json->{rivals}}), 'azad-featherstone e-log hunt-crossley', "the study's own law is a rival");
    my ($p, $seen) = ($json->{parameters}, $json->{simulators});
    my $e = $p->{e_at_1}{value} - $p->{b}{value} * log($seen->{speed_m_s});
    cmp_ok(abs($seen->{e} - $e), '<', 1e-12, 'what simulators are held against is e by the fit, also where the first of them cannot do it');
    is($seen->{bound}, 0.02, 'within the bound of every fit');
    like($err, qr/^note: e-log predicts no duration: that of times is left out$/m, 'what it does not predict is left out');
    like($err, qr/^note: $_ of the study's law is no parameter of e-log$/m, "and said of $_") for qw(k lambda);
    like($json->{command}, qr/^contactfit fit own\.yaml --law e-log --seed 1$/, 'the command can be repeated');
    (my $code2, $json, $err) = fit_of($own, '--law', 'lee-wang');
    my $k = $json->{parameters}{k};
    cmp_ok(abs($k->{bounds}[0] / 1e6 - 1), '<', 1e-12, 'bounds of a parameter of the same name hold');
    is($json->{statistics}{n}, 12, 'and the times are fitted by a law that predicts them');
    (undef, $json, $err) = fit_of($own, '--law', 'azad-featherstone');
    my $plain = (fit_of($own))[1];
    is_deeply(found($json), found($plain), "the study's own law: as without the option");
    unlike($err, qr/rival|no parameter/, 'and nothing to note');
    is_refused('fit', 2, '--law: unknown law e-lgo: did you mean e-log?', $own, '--law', 'e-lgo');
    my ($exit, $out) = contactfit('predict', $own =~ s/yaml\z/json/r, '--speed', 1);
    like($out, qr/^speed_m_s,restitution/, 'such a fit predicts');
}

# What a fit advises works as it is written.
{
    my $wrong = write_study('wrong', "law: hunt-crossley\nrivals: [e-log]\n$data");
    my ($code, $json) = fit_of($wrong);
    my ($law) = map { /\(fit --law (\S+)\)/ ? $1 : () } @{$json->{verdict}{advice}};
    is($law, 'e-log', 'a misfit advises another law');
    ($code, $json) = fit_of($wrong, '--law', $law);
    is("$code $json->{verdict}{status}", '0 good', 'which fits when it is tried');
}

done_testing;
