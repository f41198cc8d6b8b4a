#!/usr/bin/perl
# What a verdict says and advises where the law does not hold: both faults where there are two, a
# rival only where its own tests pass, rows that stand off before laws. The data are synthetic.

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
my @speed = map { 0.3 * 1.2 ** $_ } 0 .. 15;
my @error = (0.9, -1.1, 0.3, 1.2, -0.6, -0.8, 1.4, -0.4, 0.2, -0.9, 0.7, -0.3, -1.0, 0.8, 0.1, -0.5);

# The verdict of a fit of e, as rule($speed) makes it with errors of 0.002.
sub verdict_of
{
    my ($name, $law, $fit, $rivals, $rule, $sigma) = @_;
    my $rows = join '', map {
        sprintf "      - {speed: %.5f, restitution: %.5f}\n", $speed[$_], $rule->($speed[$_], $_) + 0.002 * $error[$_]
    } 0 .. $#speed;
    spew("$dir/$name.yaml", "contactfit: study/1\ntitle: synthetic\n"
        . "bodies: {ball: {sphere: {diameter: 40 mm}, mass: 50 g}, block: {plane: {}, fixed: true}}\n"
        . "law: $law\nfit: $fit\nrivals: [$rivals]\ndata:\n  - name: d\n    protocol: impact\n"
        . "    rows:\n$rows    sigma: {restitution: " . ($sigma // 0.002) . "}\n");
    my ($code, $out, $err) = contactfit('fit', "$dir/$name.yaml", '-j', 1);
    my $json = slurp("$dir/$name.json");
    return ($json ? decode_json($json) : {}, $out, $err);
}

sub line { my ($v) = @_; return 0.82 - 0.03 * log $v }
sub wave { my ($v) = @_; return line($v) + 0.02 * sin(4 * log $v) }
sub try_of { return join ' ', map { /^try (\S+),/ ? $1 : () } @{$_[0]{verdict}{advice}} }

my $none = 'none of the rivals describes these data either: check the data before trying other laws, or split the speed range';
{
    my ($fit, $out) = verdict_of('line', 'hunt-crossley', '{a: {}}', 'e-power, e-log, linear', \&line);
    is($fit->{verdict}{status}, 'misfit', 'a law that is wrong');
    like(try_of($fit), qr/^e-(?:log|power)$/, 'a rival that describes the data is named');
    like($out =~ s/\n {8}/ /gr, qr/^  a +\S+ +\[\S+ \S+ s\/m +\(fine if the law held\)$/m, 'a parameter is fine if the law held');
    is($fit->{parameters}{a}{verdict}, 'fine', 'which programs are told as before');
}
{
    my ($fit) = verdict_of('wave', 'e-log', '{e_at_1: {}, b: {}}', 'e-power, hunt-crossley', \&wave);
    is($fit->{verdict}{status}, 'misfit', 'a wave that no law knows');
    is(try_of($fit), '', 'no rival is named where none describes the data');
    ok((grep { $_ eq $none } @{$fit->{verdict}{advice}}), 'and that is said') or diag join "\n", @{$fit->{verdict}{advice}};
}
{
    my ($fit) = verdict_of('both', 'azad-featherstone', '{k: {}, lambda: {}}', 'e-log, e-power', \&wave);
    is($fit->{verdict}{status}, 'undetermined', 'what cannot be told apart');
    like($fit->{verdict}{summary}, qr/^These data cannot identify k and lambda separately, only \S+ \S+\)\. Nor does the law describe them: the residuals are not mere scatter\.$/,
        'and a misfit: both are said');
    ok((grep { $_ eq $none } @{$fit->{verdict}{advice}}), 'with the advice of both');
    ok((grep { /^to identify them separately, add / } @{$fit->{verdict}{advice}}), 'one for each');
}
{
    my ($fit) = verdict_of('apart', 'azad-featherstone', '{k: {}, lambda: {}}', 'e-log', sub { 1 - 0.09 * $_[0] ** 0.2 });
    unlike($fit->{verdict}{summary}, qr/Nor does/, 'no misfit, no word of it');
}
{
    my ($fit) = verdict_of('slip', 'e-log', '{e_at_1: {}, b: {}}', 'e-power, hunt-crossley',
        sub { line($_[0]) + ($_[1] == 7 ? -0.05 : 0) });
    ok((grep { /^check that row again/ } @{$fit->{verdict}{advice}}), 'a row that stands off is to be looked at');
    is(try_of($fit), '', 'before other laws');
}

# Sigmas that are stated too large: a note, which changes no verdict.
for my $case ([0.002, 0], [0.004, 1], [0.006, 1]) {
    my ($sigma, $said) = @$case;
    my ($fit) = verdict_of("sigma$said", 'e-log', '{e_at_1: {}, b: {}}', 'e-power', \&line, $sigma);
    is($fit->{verdict}{status}, 'good', "sigma $sigma: good");
    is((grep { /^note: the residuals are smaller than the given sigmas let one expect: chi\^2 \S+ on 14 degrees of freedom \(p = \S+\): / }
        @{reasons($fit)}) + 0, $said, $said ? 'and too large for them' : 'and no word of it');
}

# four numbers of mean 0.6015, each known to 1e-4: 0.6015 -+ 1.95996 x 0.5e-4, which three digits hide
{
    spew("$dir/narrow.yaml", <<'END');
contactfit: study/1
bodies: {ball: {sphere: {diameter: 40 mm}, mass: 50 g}, block: {plane: {}, fixed: true}}
law: e-constant
options: {weak_factor: 1.00001}
data:
  - name: d
    protocol: impact
    rows: [{speed: 1, restitution: 0.6015}, {speed: 2, restitution: 0.6016}, {speed: 3, restitution: 0.6014}, {speed: 4, restitution: 0.6015}]
    sigma: {restitution: 0.0001}
END
    contactfit('fit', '-q', "$dir/narrow.yaml");
    my ($said) = grep { /poorly/ } @{reasons(decode_json(slurp("$dir/narrow.json")))};
    like($said, qr/ is poorly determined: between 0\.601402 and 0\.601598$/, 'a narrow range with as many digits as it needs');
}

done_testing;
