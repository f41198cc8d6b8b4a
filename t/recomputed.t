#!/usr/bin/perl
# The verdict of what ships, recomputed from the numbers of its fit file alone, by the rules as they
# are printed in doc/how-the-verdict-is-made.md: what a test, an interval, a start or a prior comes to
# must be among the reasons, and nothing else of its kind; and the word is the worst of these.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use JSON::PP;
use Program;
use Test::More;

my $page = slurp("$srcdir/doc/how-the-verdict-is-made.md");
my %word = map { /^\| ([^|]+) \| [^|]+ \| (\S+|a note) \| [^|]+ \|$/ ? ($1, $2) : () } split /\n/, $page;
my %rank = ('a note' => 0, good => 0, weak => 1, misfit => 2, undetermined => 3, failed => 4);
my $p_reject = 0.01;
my $factor = 2;
my $gap = 10;
my $gate = 0.1;

# Holm's p, by hand.
sub holm
{
    my @p = @_;
    my @order = sort { $p[$a] <=> $p[$b] } 0 .. $#p;
    my ($before, @adjusted) = (0);
    for my $k (0 .. $#order) {
        my $p = $p[$order[$k]] * (@p - $k);
        $before = $adjusted[$order[$k]] = $p > 1 ? 1 : $p > $before ? $p : $before;
    }
    return @adjusted;
}

sub rejected
{
    my ($tests) = @_;
    my @adjusted = holm(map { $_->{p} } @$tests);
    return scalar grep { $_ < $p_reject } @adjusted;
}

# Does an interval leave a parameter poorly determined?
sub is_wide
{
    my ($p) = @_;
    my $i = $p->{interval} or return 1;
    my ($low, $high) = @$i{qw(low high)};
    return 1 if !defined $low || !defined $high;
    return $p->{scale} eq 'log' ? $high > $factor * $low : $high - $low > ($factor - 1) * abs $p->{value};
}

# How often each rule finds something, as far as the numbers of the file tell.
sub recount
{
    my ($fit) = @_;
    my %n = map { ($_ => 0) } 'residuals', 'noise', 'prior', 'disagreement', 'implausible', 'solver error',
        'not confirmed', 'poorly determined', 'no influence', 'combination';
    $n{residuals} = rejected($fit->{tests});
    $n{noise} = rejected($fit->{noise_tests}) if $fit->{loss}{name} eq 'squares';
    $n{prior} = grep { defined $_->{p_adjusted} && $_->{p_adjusted} < $p_reject } @{$fit->{priors} // []};
    $n{disagreement} = grep { defined $_->{p_adjusted} && $_->{p_adjusted} < $p_reject } @{$fit->{agreement} // []};
    my @out = grep { (defined $_->{low} && $_->{value} < $_->{low}) || (defined $_->{high} && $_->{value} > $_->{high}) }
        @{$fit->{plausibility}};
    $n{unusual} = grep { $_->{stated} } @out;
    $n{impossible} = grep { !$_->{stated} && exists $_->{possible} } @out;
    $n{implausible} = @out - $n{unusual} - $n{impossible};
    $n{'solver error'} = $fit->{solver_bias}{max_over_sigma} < $gate ? 0 : 1;
    $n{'not confirmed'} = (grep { $_->{at_optimum} } @{$fit->{starts}}) < 2 ? 1 : 0;
    for my $name (@{$fit->{uncertainty}{names}}) { # of the law: nuisances have a rule of their own
        my $p = $fit->{parameters}{$name};
        $n{'no influence'}++ if $p->{verdict} eq 'dead';
        $n{'poorly determined'}++ if $p->{verdict} !~ /^(?:dead|flat|at bound)$/ && is_wide($p);
    }
    $n{combination} = @{$fit->{combinations} // []};
    return %n;
}

my $studied = 0;
for my $path (sort glob "$srcdir/fits/*.json") {
    my ($name) = $path =~ m{([^/]+)\.json$};
    my $fit = decode_json(slurp($path));
    next if !$fit->{contactfit} || $fit->{contactfit} ne 'fit/3';
    my @reasons = @{$fit->{verdict}{reasons}};
    my %found;
    $found{$_->{rule}}++ for @reasons;
    my %n = recount($fit);
    is(join(', ', map { $found{$_} ? "$found{$_} $_" : () } sort keys %n),
       join(', ', map { $n{$_} ? "$n{$_} $_" : () } sort keys %n), "$name: what its numbers come to");
    my ($worst) = sort { $rank{$b} <=> $rank{$a} } 'good', map { $word{$_->{rule}} // 'failed' } @reasons;
    is($fit->{verdict}{status}, $worst eq 'a note' ? 'good' : $worst, "$name: the worst word of its reasons");
    is(($fit->{verdict}{misfit} ? 1 : 0), (grep { $word{$_->{rule}} eq 'misfit' } @reasons) ? 1 : 0, "$name: a misfit or none");
    ok(!(grep { defined $_->{p} && $_->{p} >= $_->{level} } @reasons), "$name: each p is below its level");
    $studied++;
}
cmp_ok($studied, '>=', 10, "$studied studies");
done_testing();
