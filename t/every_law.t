#!/usr/bin/perl
# Every law by every protocol that accepts it, in the smallest experiment that identifies it
# (bench/experiments/every_law.txt), made without the program: there is a fit, no word is false, the
# truth lies inside, and what the answer says to do next can be done. The seeds are the first ones of
# each design. CHECK_FULL=1 takes the slow designs, too, with the drafted rivals, five of each.

use strict;
use warnings;
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use FindBin;
use JSON::PP;
use Test::More;
use Text::ParseWords;
use lib "$FindBin::Bin/lib";
use Program;

draw_no_figures();
my $maker = ($ENV{builddir} // '.') . '/bench/experiment';
my $folder = tempdir(CLEANUP => 1);
my $repeats = $full ? 5 : 1;

# Fits of above 0.3 s of CPU, without rivals.
my $slow = qr/^(?:indent-|pulse-power|impact-power|impact-exponential|pulse-gonthier)/;

# ---- the list

my @designs;
for my $line (split /\n(?=\S)/, slurp("$srcdir/bench/experiments/every_law.txt") =~ s/^#.*\n|^\n//gmr) {
    my ($name, @keys) = split ' ', $line;
    my %key = map { split /=/, $_, 2 } @keys;
    push @designs, {name => $name, key => \%key, keys => [grep { !/^(?:seed|rivals)=/ } @keys]};
}

# What is fitted is a law that the program has, and each law that can be fitted here has a design.
my %protocol = (impact => 'impact', bounce => 'bounce', film => 'bounce_heights', pulse => 'pulse',
                indent => 'indent', slide => 'slide', slide_rotary => 'slide_rotary');
my %law = map { $_->{name} => $_ } @{decode_json((contactfit('models', '--json'))[1])->{laws}};
my %there;
for my $d (@designs) {
    my ($experiment, $truth) = @{$d->{key}}{qw(experiment truth)};
    ok($protocol{$experiment} && $law{$truth}, "$d->{name}: a protocol and a law");
    $there{$experiment}{$truth}++;
}
my @force = grep { $law{$_}{family} eq 'normal' } keys %law;
my @e = grep { $law{$_}{family} eq 'restitution' } keys %law;
my @curve = map { my $of = $_; [grep { /^$of-/ } keys %law] } qw(mu f t);
my %wanted = (impact => [@force, @e], bounce => [@force, @e], film => [@force, @e], pulse => \@force,
              indent => [qw(azad-featherstone hunt-crossley lee-wang linear power exponential)],
              slide => [map { @$_ } @curve[0, 1]], slide_rotary => [map { @$_ } @curve[0, 2]]);
for my $experiment (sort keys %wanted) {
    # two bodies in series: no single contact tells which of them gives way
    is("@{[sort keys %{$there{$experiment}}]}",
       "@{[sort grep { $_ ne 'azad-featherstone-two-body' } @{$wanted{$experiment}}]}",
       "$experiment: a design of each law");
}

# The page of the smallest experiments has each design, once, with what is recorded and held.
my $page = slurp("$srcdir/doc/smallest-experiments.md");
my %row = map { /^\| `([^`]+)` \| (.*) \|$/ ? ($1 => $2) : () } split /\n/, $page;
is("@{[sort keys %row]}", "@{[sort map { $_->{name} } @designs]}", 'the page has the designs of the list');
for my $d (grep { $row{$_->{name}} } @designs) {
    my %key = %{$d->{key}};
    my ($recorded, undef, $held) = split / \| /, "$row{$d->{name}} ";
    my ($n) = $recorded =~ /^(\d+|one) /;
    is("$n, $held", ($key{bounces} // $key{rows} // 'one') . ', '
        . join('', join ', ', map { "`$_`" } split /,/, $key{fixed} // '') . ' ', "$d->{name}: as the page says");
}

# ---- the rivals that init drafts, of its law and the design's

sub drafted
{
    my ($design, $in) = @_;
    my (undef, $draft) = contactfit('init', $protocol{$design->{key}{experiment}}, "$in/d0.csv");
    my ($own) = $draft =~ /^law: (\S+)/m;
    my ($rivals) = $draft =~ /^rivals: \[([^\]]*)\]/m;
    my @laws = ($own // '', split /, /, $rivals // '');
    # the rig makes a force or a torque a coefficient, which the table alone does not say
    my ($family) = $design->{key}{truth} =~ /^(mu|f|t)-/;
    @laws = map { s/^(?:mu|f|t)-/$family-/r } @laws if $family;
    return join ',', sort grep { $_ ne $design->{key}{truth} } @laws;
}

# ---- fits

# 99.9 % of a normal distribution lie within 3.29 standard errors, where 1.96 are half of the 95 %
# of an interval; what has few degrees of freedom is wider anyway.
sub holds
{
    my ($p, $truth) = @_;
    my ($low, $high) = @{$p->{interval} // {}}{qw(low high)};
    return 1 if !defined $low || !defined $high;
    ($low, $high, $truth, my $value) = map { $p->{scale} eq 'log' ? log : $_ } $low, $high, $truth, $p->{value};
    my $more = 3.29 / 1.96;
    return $truth >= $value - $more * ($value - $low) && $truth <= $value + $more * ($high - $value);
}

# The command that the answer says is next is accepted: once for each protocol and command.
my %followed;
sub follow
{
    my ($design, $out) = @_;
    my ($next) = $out =~ /^next: contactfit (.*)$/m;
    return fail("$design->{name}: says what is next") if !defined $next;
    my ($command, @words) = shellwords($next);
    return if $followed{$design->{key}{experiment}, $command}++;
    my ($status, undef, $err) = contactfit({in => $folder}, $command, @words);
    ok($status == 0 || $status == 3, "$design->{name}: $next") or diag($err);
}

my (%words, @misfits);
for my $d (@designs) {
    next if !$full && $d->{name} =~ $slow;
    for my $i (1 .. $repeats) {
        my $in = "$folder/$d->{name}-$i";
        make_path($in);
        my @keys = (@{$d->{keys}}, $full ? "rivals=$d->{key}{rivals}" : ());
        open my $made, '-|', $maker, $in, $d->{key}{seed} + $i, @keys or die "$maker: $!\n";
        my %truth = map { split ' ' } <$made>;
        close $made or die "$maker @keys: failed\n";
        is(drafted($d, $in), join(',', sort split /,/, $d->{key}{rivals}), "$d->{name}: the rivals of a draft")
            if $i == 1;
        my (undef, $out, $err) = contactfit('fit', "$in/study.yaml", '-o', $in, '-j', 1);
        my $fit = eval { decode_json(slurp("$in/study.json")) };
        my $word = $fit ? $fit->{verdict}{status} : 'none';
        my $why = $fit ? join('; ', @{reasons($fit)}) : $err;
        $words{$word}++;
        push @misfits, "$d->{name}: $why" if $word eq 'misfit';
        ok($word =~ /^(?:good|weak|misfit)$/, "$d->{name}: $word") or diag($why);
        next if !$fit;
        follow($d, $out);
        my @outside = grep { $fit->{parameters}{$_}{role} eq 'fitted' && !holds($fit->{parameters}{$_}, $truth{$_}) }
            grep { $fit->{parameters}{$_} } sort keys %truth;
        is("@outside", '', "$d->{name}: the truth inside");
    }
}
note(join ', ', map { "$words{$_} $_" } sort keys %words);
my $n = 0;
$n += $_ for values %words;
# a true law is a misfit in 2 % of experiments at most: this number or fewer 99.9 % of the time
cmp_ok(scalar @misfits, '<=', 0.02 * $n + 3.3 * sqrt(0.02 * $n), 'a true law is no misfit') or diag(join "\n", @misfits);

# ---- the contact of a flat punch is where it touches, not where a Hertz spring would have to begin

for my $seed (1 .. 3) {
    my $in = tempdir(CLEANUP => 1);
    open my $made, '-|', $maker, $in, $seed, split ' ', 'experiment=indent truth=linear k=2e4 lambda=5 rows=60 depth=2e-3'
        . ' rate=0.02 noise=0.01 touch=-5e-4 before=0.15 nuisance=contact,bias_loading,bias_unloading' or die "$maker: $!\n";
    my @truth = <$made>;
    my ($status, undef, $err) = contactfit('check', "$in/study.yaml");
    is($status, 0, 'a linear spring with six rows before it touches') or diag($err);
}

# ---- what a study need not say: the threshold of laws that are given the restitution

sub study_of
{
    my ($keys, $more) = @_;
    my $in = tempdir(CLEANUP => 1);
    system($maker, $in, 77, split(' ', $keys)) == 0 or die "$maker: failed\n";
    spew("$in/study.yaml", slurp("$in/study.yaml") =~ s/^rivals:/$more\nrivals:/mr);
    my ($status, $fit, undef, $err) = fit_of($in, "$in/study.yaml", '-q');
    return ($status, $fit, $err);
}

{
    open my $kept, '>&', \*STDOUT or die;
    open STDOUT, '>', '/dev/null' or die; # the truth, which is not wanted here
    my $keys = 'experiment=impact truth=hu-guo k=4e6 e=0.7 rows=6 from=0.6 to=3 measure=restitution:0.01,duration:0.01';
    my ($status, $fit, $err) = study_of($keys, 'fit: {k: {}, e: {}}');
    my @stated = study_of($keys, 'fixed: {v_small: 1 mm/s}');
    my @asked = study_of($keys, 'fit: {k: {}, e: {}, v_small: {}}');
    open STDOUT, '>&', $kept or die;
    is($status, 0, 'not named, it is off') or diag($err);
    is($fit->{parameters}{v_small}{value}, 0, 'and 0');
    is($stated[1]{parameters}{v_small}{value}, 0.001, 'stated, it is what was stated');
    is("$asked[0] $asked[1]{verdict}{status}", '3 undetermined', 'asked for, these speeds do not show it');
}

done_testing();
