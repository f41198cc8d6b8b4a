#!/usr/bin/perl
# count_experiments.pl EXPERIMENT LIST N [--without-rivals] [--jobs=N] [--keep=FOLDER] [NAME...]:
# what does `contactfit fit` say of N experiments of each design of a list, whose truth is known?
#
# EXPERIMENT is the program that makes them (bench/experiment.c), LIST a file of bench/experiments.
# Of each design stand: how often each word was given; how many intervals hold the truth, of those
# of parameters that are fine or weak; the exact 99.9 % band of that number (! outside of it); and
# how often a fit was `good` while the truth lay outside its 99.99 % region. Below, the median of half
# of each parameter's interval, in parts of the truth, and what is said most often that is not `good`.

use strict;
use warnings;
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use JSON::PP;

my ($jobs, $rivals, $keep) = (2, 1);
my @given = grep {
    /^--jobs=(\d+)$/ ? ($jobs = $1, 0)[1] : /^--keep=(.+)$/ ? ($keep = $1, 0)[1]
        : $_ eq '--without-rivals' ? ($rivals = 0, 0)[1] : 1
} @ARGV;
my ($maker, $list, $n, @only) = @given;
die "usage: count_experiments.pl EXPERIMENT LIST N [--without-rivals] [--jobs=N] [NAME...]\n"
    if !defined $n || $n !~ /^\d+$/;
my $program = $ENV{CONTACTFIT} // './contactfit';
my $scratch = $keep // tempdir(CLEANUP => 1);
my @words = qw(good weak misfit undetermined failed none);

# ---- distributions

# ln of the gamma function, Lanczos 1964.
sub ln_gamma
{
    my ($x) = @_;
    my @c = (76.18009172947146, -86.50532032941677, 24.01409824083091, -1.231739572450155,
             0.1208650973866179e-2, -0.5395239384953e-5);
    my $sum = 1.000000000190015;
    $sum += $c[$_] / ($x + 1 + $_) for 0 .. 5;
    return ($x + 0.5) * log($x + 5.5) - $x - 5.5 + log(2.5066282746310005 * $sum / $x);
}

# The incomplete beta function I_x(a, b), by its continued fraction.
sub beta
{
    my ($x, $a, $b) = @_;
    return $x <= 0 ? 0 : 1 if $x <= 0 || $x >= 1;
    return 1 - beta(1 - $x, $b, $a) if $x > ($a + 1) / ($a + $b + 2);
    my $front = exp(ln_gamma($a + $b) - ln_gamma($a) - ln_gamma($b) + $a * log($x)
                    + $b * log(1 - $x)) / $a;
    my ($f, $c, $d) = (1, 1, 0);
    for my $i (0 .. 500) {
        my $m = int($i / 2);
        my $term = $i == 0 ? 1
            : $i % 2 == 0  ? $m * ($b - $m) * $x / (($a + 2 * $m - 1) * ($a + 2 * $m))
            : -($a + $m) * ($a + $b + $m) * $x / (($a + 2 * $m) * ($a + 2 * $m + 1));
        $d = 1 / (1 + $term * $d || 1e-300);
        $c = 1 + $term / $c || 1e-300;
        $f *= $c * $d;
        last if abs(1 - $c * $d) < 1e-12;
    }
    return $front * ($f - 1);
}

# P(X <= k) of n trials of probability p.
sub binomial
{
    my ($k, $n, $p) = @_;
    return $k >= $n ? 1 : $k < 0 ? 0 : beta(1 - $p, $n - $k, $k + 1);
}

# Above which F with these degrees of freedom exceeds only 1e-4 of the time.
sub f_limit
{
    my ($nu, $dof) = @_;
    my ($low, $high) = (0, 1e9);
    for (1 .. 200) {
        my $half = ($low + $high) / 2;
        my $p = beta($nu * $half / ($nu * $half + $dof), $nu / 2, $dof / 2);
        ($p < 0.9999 ? $low : $high) = $half;
    }
    return $high;
}

# Below which Student's t lies in 97.5 % with so many degrees of freedom.
sub t_quantile
{
    my ($dof) = @_;
    my ($low, $high) = (0, 1e6);
    for (1 .. 200) {
        my $half = ($low + $high) / 2;
        (beta($half**2 / ($half**2 + $dof), 0.5, $dof / 2) < 0.95 ? $low : $high) = $half;
    }
    return $high;
}

# The degrees of freedom of an interval of 95 % that reaches so many standard errors to a side.
sub dof_of
{
    my ($reach) = @_;
    my ($low, $high) = (log(0.3), log(1e6));
    for (1 .. 60) {
        my $half = ($low + $high) / 2;
        (t_quantile(exp $half) > $reach ? $low : $high) = $half;
    }
    return exp $high;
}

# ---- one fit

# d' C^-1 d by elimination.
sub distance2
{
    my ($c, $d) = @_;
    my @m = map { [@{$c->[$_]}, $d->[$_]] } 0 .. $#$d;
    for my $i (0 .. $#m) {
        return 0 if !($m[$i][$i] > 0);
        for my $k ($i + 1 .. $#m) {
            my $by = $m[$k][$i] / $m[$i][$i];
            $m[$k][$_] -= $by * $m[$i][$_] for $i .. $#m + 1;
        }
    }
    my $sum = 0;
    $sum += $m[$_][-1] ** 2 / $m[$_][$_] for 0 .. $#m;
    return $sum;
}

# Does the truth lie outside the 99.99 % region of what the covariance says?
sub is_outside
{
    my ($fit, $truth) = @_;
    my $u = $fit->{uncertainty};
    my @at = grep { exists $truth->{$u->{names}[$_]} } 0 .. $#{$u->{names}};
    return 0 if !@at;
    my @d = map {
        my $name = $u->{names}[$_];
        my $true = $truth->{$name};
        ($fit->{parameters}{$name}{scale} eq 'log' ? log($true) : $true) - $u->{theta}[$_];
    } @at;
    my @c = map { my $i = $_; [map { $u->{covariance}[$i][$_] } @at] } @at;
    my $dof = 1e6;
    for my $k (0 .. $#at) {
        my $p = $fit->{parameters}{$u->{names}[$at[$k]]};
        my ($low, $high) = map { $p->{scale} eq 'log' ? log $_ : $_ } @{$p->{wald}}{qw(low high)};
        my $own = $c[$k][$k] > 0 ? dof_of(($high - $low) / 2 / sqrt $c[$k][$k]) : 1e6;
        $dof = $own if $own < $dof;
    }
    return distance2(\@c, \@d) / @at > f_limit(scalar @at, $dof);
}

sub fit_one
{
    my ($design, $seed, $folder) = @_;
    my @keys = grep { $rivals || !/^rivals=/ } @{$design->{keys}};
    my %one = (word => 'none', covered => 0, intervals => 0, outside => 0, why => '');
    open my $made, '-|', $maker, $folder, $seed, @keys or die "$maker: $!\n";
    my %truth = map { split ' ' } <$made>;
    close $made or die "$maker: @keys: failed\n";
    # without figures
    open my $run, '-|', "PATH=/nowhere exec $program fit $folder/study.yaml -o $folder --force"
        . " --json -j 1 -q 2>$folder/messages" or die "$program: $!\n";
    local $/;
    my $json = <$run>;
    close $run;
    my $fit = eval { decode_json($json) };
    if (!$fit) {
        open my $messages, '<', "$folder/messages" or return \%one;
        ($one{why}) = grep { !/without figures|^note/ } split /\n/, <$messages>;
        return \%one;
    }
    @one{qw(word why)} = ($fit->{verdict}{status}, join '; ', map { $_->{text} } @{$fit->{verdict}{reasons}});
    for my $name (sort keys %truth) {
        my $p = $fit->{parameters}{$name} or next;
        my ($low, $high) = @{$p->{interval} // {}}{qw(low high)};
        next if $p->{verdict} !~ /^(fine|weak)$/ || !defined $low || !defined $high;
        $one{intervals}++;
        $one{width}{$name} = ($high - $low) / 2 / abs $truth{$name} if $truth{$name} != 0;
        $one{covered}++ if $low <= $truth{$name} && $truth{$name} <= $high;
    }
    $one{outside} = $one{word} eq 'good' && is_outside($fit, \%truth) ? 1 : 0;
    return \%one;
}

# ---- all of them

# A reason with its numbers left out, so that alike ones are counted together.
sub outline
{
    my $why = shift // '';
    $why =~ s/[-+]?\d[\d.]*(?:e[-+]?\d+)?/#/g;
    return substr $why, 0, 110;
}

sub count
{
    my ($design) = @_;
    my %sum = (covered => 0, intervals => 0, outside => 0, map { $_ => 0 } @words);
    my (@from, %why, %width);
    for my $job (0 .. $jobs - 1) {
        my $pid = open my $child, '-|' // die "fork: $!\n";
        if (!$pid) {
            make_path("$scratch/$job");
            for (my $i = $job; $i < $n; $i += $jobs) {
                my $one = fit_one($design, $design->{seed} + $i, "$scratch/$job");
                print encode_json($one), "\n";
            }
            exit 0;
        }
        push @from, $child;
    }
    for my $child (@from) {
        while (my $line = <$child>) {
            my $one = decode_json($line);
            $sum{$_} += $one->{$_} for qw(covered intervals outside);
            $sum{$one->{word}}++;
            push @{$width{$_}}, $one->{width}{$_} for keys %{$one->{width} // {}};
            $why{"$one->{word}: " . outline($one->{why})}++
                if $one->{word} ne $design->{expected};
        }
    }
    return (\%sum, \%why, \%width);
}

sub median
{
    my @sorted = sort { $a <=> $b } @_;
    return ($sorted[$#sorted / 2] + $sorted[@sorted / 2]) / 2;
}

# NAME KEY=VALUE... and, indented, more keys.
sub read_list
{
    my ($path) = @_;
    my (@designs, $seed);
    open my $in, '<', $path or die "$path: $!\n";
    while (<$in>) {
        s/#.*//;
        next if !/\S/;
        my @keys = split ' ';
        push @designs, {name => shift @keys, keys => []} if !/^\s/;
        push @{$designs[-1]{keys}}, @keys;
    }
    for my $d (@designs) {
        ($d->{seed}) = map { /^seed=(\d+)$/ ? $1 : () } @{$d->{keys}};
        $d->{expected} = (map { /^expect=(.+)$/ ? $1 : () } @{$d->{keys}})[0] // 'good';
        $d->{keys} = [grep { !/^(seed|expect)=/ } @{$d->{keys}}];
        die "$path: $d->{name}: a seed is missing\n" if !$d->{seed};
    }
    return @designs;
}

$| = 1;
printf "%d experiments of each design of %s%s\n", $n, $list =~ s{.*/}{}r,
    $rivals ? '' : ', without rivals';
printf "%-34s" . ' %5s' x 6 . "  %-22s %s\n", 'design', qw(good weak misf undet fail none),
    'intervals that hold it', 'good, and far off';
for my $design (read_list($list)) {
    next if @only && !grep { $_ eq $design->{name} } @only;
    my ($sum, $why, $width) = count($design);
    my ($k, $of) = @$sum{qw(covered intervals)};
    my $out = $of && (binomial($k, $of, 0.95) < 0.0005 || 1 - binomial($k - 1, $of, 0.95) < 0.0005);
    printf "%-34s" . ' %5d' x 6 . "  %-22s %s\n", $design->{name}, (map { $sum->{$_} } @words),
        $of ? sprintf('%d of %d, %.1f %%%s', $k, $of, 100 * $k / $of, $out ? ' !' : '') : 'none',
        $sum->{outside};
    print '         to ', join(', ', map { sprintf '%s %.2g %%', $_, 100 * median(@{$width->{$_}}) } sort keys %$width), "\n"
        if %$width;
    my @most = sort { $why->{$b} <=> $why->{$a} || $a cmp $b } keys %$why;
    printf "    %4d %s\n", $why->{$_}, $_ for grep { defined } @most[0 .. 2];
}
