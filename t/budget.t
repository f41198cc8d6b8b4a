#!/usr/bin/perl
# Uncertainty budgets as a reader has them: the example of doc/reading-the-answer.md, the fit file,
# the page, and fits of studies that state none.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Test::More;

draw_no_figures();

my $dir = tempdir(CLEANUP => 1);
symlink abs_path("$srcdir/data"), "$dir/data" or die "$dir/data: $!\n";
my ($section) = slurp("$srcdir/doc/reading-the-answer.md") =~ /^## What the study's own numbers add\n(.*)/ms;
my ($study) = $section =~ /```yaml\n(.*?)```/s;
my ($shown) = $section =~ /```\n(  uncertainty budget.*?)```/s;

sub unwrapped
{
    my ($text) = @_;
    $text =~ s/\s+/ /g;
    return $text;
}

sub fit
{
    my ($name, $text) = @_;
    spew("$dir/$name.yaml", $text);
    my ($status, $out, $err) = contactfit({in => $dir}, 'fit', '-q', "$name.yaml", '-o', '.');
    is($err, '', "$name: fitted") or return;
    return ($out, decode_json(slurp("$dir/$name.json")), slurp("$dir/$name.html"));
}

my ($out, $fit, $page) = fit('tap', $study);
isnt(index(unwrapped($out), unwrapped($shown)), -1, 'the example prints what the manual shows') or diag $out;

my $budget = $fit->{budget};
my %at;
@at{map { $_->{name} } @{$budget->{sources}}} = 0 .. $#{$budget->{sources}};
is(join(', ', sort keys %at), 'load, mass, scale of time', 'each number that has one is a source');
is($budget->{sources}[$at{load}]{distribution}, 'rectangular', 'as it is stated');
cmp_ok(abs($budget->{sources}[$at{load}]{u} - 0.5 / sqrt 3), '<', 1e-12, 'half a width over sqrt 3');
is($budget->{sources}[$at{mass}]{stated}, '1 kg +- 20 g (k=2)', 'in the words of the study');

# sigma_0 load = m w^2
my $sigma_0 = $budget->{numbers}{sigma_0};
my @wanted = (['mass', 0.01], ['load', -0.05 / sqrt 3], ['scale of time', -0.002]);
for my $wanted (@wanted) {
    my ($name, $part) = @$wanted;
    cmp_ok(abs($sigma_0->{type_b}[$at{$name}] / $part - 1), '<', 0.01, "sigma_0 by $name");
}
my $square = $sigma_0->{type_a} ** 2;
$square += $_ ** 2 for @{$sigma_0->{type_b}};
cmp_ok(abs($sigma_0->{combined} / sqrt($square) - 1), '<', 1e-9, 'squares add');
ok(!defined $sigma_0->{dof} && abs($sigma_0->{coverage_factor} - 1.95996) < 1e-4, 'stated sigmas: the normal distribution');
ok(!exists $budget->{numbers}{mu_s}, 'what is held has no budget');

like($page, qr/<h2>Uncertainty budget<\/h2>/, 'the page has a section');
like($page, qr/1 kg \+- 20 g \(k=2\)/, 'with what was stated');
like($page, qr/<tr><td>Coverage factor<\/td>/, 'and the coverage factors');
like($page, qr/interval, profile likelihood<span class="screen">, coverage factor/, 'which stand beside intervals, too');

# stated uncertainties change nothing else
(my $plain = $study) =~ s/ \+- [^,}]*//g;
my ($plain_out, $plain_fit, $plain_page) = fit('plain', $plain);
ok(!exists $plain_fit->{budget}, 'without uncertainties there is no budget');
unlike("$plain_out$plain_page", qr/[Uu]ncertainty budget/, 'nor a word of it');
is_deeply($fit->{parameters}, $plain_fit->{parameters}, 'the intervals of the data are the same');
is($fit->{verdict}{status}, $plain_fit->{verdict}{status}, 'and the verdict is');

# a report of the file, and a second run, say the same
my ($status, undef, $err) = contactfit({in => $dir}, 'report', '-q', 'tap.json', '-o', 'again.html');
is($err, '', 'a fit file with a budget is read');
like(slurp("$dir/again.html"), qr/Uncertainty budget/, 'and its page has it');
my (undef, $again) = fit('tap_again', $study);
is_deeply($again->{budget}, $budget, 'the same study gives the same budget');

done_testing;
