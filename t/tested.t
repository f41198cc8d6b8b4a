#!/usr/bin/perl
# Nothing tested, nothing praised: fits that nothing could have contradicted, and laws that so few
# rows cannot compare. The data are synthetic.

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

# A study of the rows of data sets, each a list of [speed, e] or [speed, e, duration in s].
sub fit_of
{
    my ($name, $law, $fit, $sigma, @set) = @_;
    my $text = "contactfit: study/1\ntitle: synthetic\n"
        . "bodies: {ball: {sphere: {diameter: 40 mm}, mass: 50 g}, block: {plane: {}, fixed: true}}\n"
        . "law: $law\nfit: $fit\nrivals: [e-log, e-power, hunt-crossley]\ndata:\n";
    for my $i (0 .. $#set) {
        $text .= "  - name: set$i\n    protocol: impact\n    rows:\n";
        for my $row (@{$set[$i]}) {
            $text .= "      - {speed: $row->[0], restitution: $row->[1]" . (@$row > 2 ? ", duration: $row->[2]" : '') . "}\n";
        }
        $text .= "    sigma: $sigma\n";
    }
    spew("$dir/$name.yaml", $text);
    my ($code, $out, $err) = contactfit('fit', "$dir/$name.yaml", '-j', 1);
    my $fit_file = slurp("$dir/$name.json");
    return ($code, $out =~ s/\n +/ /gr, $fit_file ? decode_json($fit_file) : {}, $err);
}

# e of Hunt and Crossley is near 1 - a v, with errors of the size of sigma.
my @error = (0.4, -0.9, 0.7, -0.2, 1.1, -1.3);
sub rows { my ($a, @v) = @_; return [map { [$v[$_], 1 - $a * $v[$_] + 0.004 * $error[$_]] } 0 .. $#v] }

my $praise = 'describes these data within their scatter';
my $untested = 'weak: the law was not tested: %s fits these data, as would other laws that differ elsewhere.';
my $hc = '{a: {}}';
for my $case (
    ['one', 'hunt-crossley', $hc, '{restitution: 0.004}', [rows(0.1, 1.3)],
     '1 number was fitted to 1 measured one, so that the law had to fit them'],
    ['two', 'e-power', '{e_at_1: {}, q: {}}', '{restitution: 0.004}', [rows(0.05, 0.8, 2.9)],
     '2 numbers were fitted to 2 measured ones, so that the law had to fit them'],
    ['two_by_time', 'azad-featherstone', '{k: {}, lambda: {}}', '{restitution: 0.01, duration: 2 us}',
     [[[1.1, 0.81, '0.25 ms']]], '2 numbers were fitted to 2 measured ones, so that the law had to fit them'],
    ['one_speed', 'hunt-crossley', $hc, '{restitution: 0.004}', [rows(0.1, (2.5) x 6)],
     'all rows lie at 2.5 m/s: how the law depends on the speed was not tested'],
    ['one_speed_estimated', 'e-constant', '{e: {}}', '{restitution: estimate}', [rows(0.1, (2.5) x 6)],
     'all rows lie at 2.5 m/s: how the law depends on the speed was not tested'],
    ['nearly_one_speed', 'e-constant', '{e: {}}', '{restitution: 0.004}', [rows(0.01, 2.5, 2.51, 2.53, 2.55, 2.58, 2.62)],
     'all rows lie between 2.5 and 2.62 m/s: how the law depends on the speed was not tested'],
    ['two_sets_one_speed', 'e-constant', '{e: {}}', '{restitution: 0.004}', [rows(0.1, 3, 3, 3), rows(0.1, 3, 3)],
     'all rows lie at 3 m/s: how the law depends on the speed was not tested'],
) {
    my ($name, $law, $fit, $sigma, $sets, $reason) = @$case;
    my ($code, $out, $json, $err) = fit_of($name, $law, $fit, $sigma, @$sets);
    my $want = sprintf($untested, $law) =~ s/^weak: //r;
    is("$code $json->{verdict}{status}", '0 weak', "$name: weak") or diag($out, $err);
    is($json->{verdict}{summary}, $want, "$name: the law was not tested");
    is_deeply([grep { $_ eq $reason } @{reasons($json)}], [$reason], "$name: what was not");
    unlike($out, qr/$praise/, "$name: no praise");
    like($out, qr{ > measure }, "$name: what would test it");
}

# What is tested is told as before.
for my $case (
    ['ten_percent', 'e-constant', '{e: {}}', '{restitution: 0.004}', [rows(0.001, 2.5, 2.6, 2.65, 2.7, 2.73, 2.75)]],
    ['two_sets', 'e-constant', '{e: {}}', '{restitution: 0.004}', [rows(0.1, 2, 2, 2), rows(0.1, 3, 3, 3)]],
    ['three', 'hunt-crossley', $hc, '{restitution: 0.004}', [rows(0.1, 0.5, 1, 2)]],
) {
    my ($name, $law, $fit, $sigma, $sets) = @$case;
    my ($code, $out) = fit_of($name, $law, $fit, $sigma, @$sets);
    unlike($out, qr/not tested/, "$name: is tested");
    like($out, qr/^(?:good|weak|misfit): $law /, "$name: and told");
}

# What cannot be told apart stays undetermined; and a rival that is the law itself is no error.
{
    my ($code, $out, $json, $err) = fit_of('apart', 'azad-featherstone', '{k: {}, lambda: {}}', '{restitution: 0.004}', rows(0.1, 1.3, 1.32));
    is($json->{verdict}{status}, 'undetermined', 'two rows of e for k and lambda: undetermined') or diag($err);
    ok((grep { /^all rows lie between 1.3 and 1.32 m\/s: / } @{reasons($json)}), 'and not tested either');
    my (undef, undef, undef, $said) = fit_of('itself', 'e-log', '{e_at_1: {}, b: {}}', '{restitution: 0.004}', rows(0.1, 1, 2, 3, 4));
    like($said, qr/^note: rival e-log is the study's own law: it is fitted once$/m,
        'a rival that is the law itself');
}

# Criteria that are undefined compare nothing.
for my $case (
    # rows, sigma, laws that are compared
    [3, '0.004', ''], [4, '0.004', 'hunt-crossley'], [5, '0.004', 'hunt-crossley'],
    [3, 'estimate', ''], [4, 'estimate', ''], [5, 'estimate', ''],
) {
    my ($n, $sigma, $compared) = @$case;
    my @v = (0.4, 1, 2.2, 3.1, 4)[0 .. $n - 1];
    my ($code, $out, $json) = fit_of("few_${n}_" . ($sigma =~ s/\W//gr), 'hunt-crossley', $hc, "{restitution: $sigma}", rows(0.07, @v));
    my @rival = @{$json->{rivals}};
    is(join(' ', sort map { $_->{law} } grep { $_->{status} eq 'ok' } @rival), $compared,
        "$n rows, sigma $sigma: compared are " . ($compared || 'none'));
    ok(!(grep { $_->{status} ne 'ok' && exists $_->{delta_aicc} } @rival), 'the others have no differences');
    my ($left) = grep { $_->{law} eq 'e-log' && $_->{status} ne 'ok' } @rival;
    my $fitted = $sigma eq 'estimate' ? 3 : 2;
    like($left->{why}, qr/^$n measured numbers are too few to rank $fitted fitted ones, @{[2 * $fitted + 2]} are enough; /,
        'and the page can say why') if $left;
    unlike($out, qr/AICc lower| > try/, 'neither reason nor advice rests on them');
}

done_testing;
