package Hypercube;

# Cases for which exports promise an e, as a Latin hypercube has them: masses from 1 mg to 1 t, speeds
# from 1 mm/s to 50 m/s, e from 0.002 to 0.9999, of one value or falling with the speed, steps of
# 0.1 ms to 1/60 s, with and without gravity, on a plane, on a held sphere or on a free one. Each is
# fitted, exported at its step, and run in the engine at speeds and places of the touch that export
# does not look at.

use strict;
use warnings;
use Exporter qw(import);
use File::Temp ();
use JSON::PP;
use POSIX ();
use Program;
use Promises;
use Test::More;

our @EXPORT = qw(cases_of ask_cases check_case tell);

my $state;

# Park and Miller, CACM 31 (1988) 1192
sub chance
{
    $state = $state * 16807 % 2147483647;
    return $state / 2147483647;
}

# N values evenly in [0, 1), one of each stratum, in any order.
sub strata
{
    my ($n) = @_;
    my @list = map { ($_ + chance()) / $n } 0 .. $n - 1;
    for (my $i = $#list; $i > 0; $i--) {
        my $j = int(chance() * ($i + 1));
        @list[$i, $j] = @list[$j, $i];
    }
    return @list;
}

sub logarithmic
{
    my ($part, $low, $high) = @_;
    return $low * ($high / $low) ** $part;
}

my @step = (1e-4, 1e-3, 4e-3, 1 / 60);
my $pi = 4 * atan2(1, 1);

# N cases of a seed.
sub cases_of
{
    my ($seed, $n) = @_;
    $state = $seed;
    my %of = map { $_ => [strata($n)] } qw(mass speed e fall wide density step gravity other size);
    my @cases;
    for my $i (0 .. $n - 1) {
        my %u = map { $_ => $of{$_}[$i] } keys %of;
        my ($low, $high) = map { log($_ / (1 - $_)) } 0.002, 0.9999;
        my %c = (i => $i, m1 => logarithmic($u{mass}, 1e-6, 1e3), slow => logarithmic($u{speed}, 1e-3, 50),
                 e => 1 / (1 + exp(-($low + $u{e} * ($high - $low)))), dt => $step[int(4 * $u{step})],
                 g => $u{gravity} < 0.6 ? 9.81 : 0, R2 => 0, m2 => 0);
        $c{R1} = ($c{m1} / logarithmic($u{density}, 100, 2e4) * 3 / (4 * $pi)) ** (1 / 3);
        $c{fast} = $c{slow} * 4 ** $u{wide};
        $c{fast} = 50 if $c{fast} > 50;
        $c{b} = $u{fall} < 0.6 ? 0 : 0.08 * ($u{fall} - 0.6) * ($c{e} < 0.5 ? $c{e} : 1 - $c{e});
        $c{R2} = logarithmic($u{size}, 0.3, 3) * $c{R1} if $u{other} > 0.6;
        $c{m2} = $c{m1} * ($c{R2} / $c{R1}) ** 3 if $u{other} > 0.8 && !$c{g};
        push @cases, \%c;
    }
    return @cases;
}

# e of the fit, by the law's own formula.
sub e_of
{
    my ($c, $v) = @_;
    my $e = $c->{law}{e_at_1} ? $c->{law}{e_at_1}{value} - $c->{law}{b}{value} * log($v) : $c->{law}{e}{value};
    return $e < 0 ? 0 : $e > 1 ? 1 : $e;
}

sub fit_of_case
{
    my ($c) = @_;
    my $path = "$scratch/case-$c->{i}";
    if (-e "$path.json") {
        $c->{law} = decode_json(slurp("$path.json"))->{parameters};
        return "$path.json";
    }
    my $other = $c->{R2} ? sprintf '{sphere: {radius: %.12g m}, %s}', $c->{R2}, $c->{m2} ? "mass: $c->{m2} kg" : 'fixed: true'
                         : '{plane: {}, fixed: true}';
    my $scatter = 1e-4 * ($c->{e} < 0.5 ? $c->{e} : 1 - $c->{e});
    my $text = "contactfit: study/1\ntitle: case-$c->{i}\nbodies:\n  a: {sphere: {radius: $c->{R1} m}, mass: $c->{m1} kg}\n"
        . "  b: $other\n" . ($c->{b} ? "law: e-log\nfit: {e_at_1: {}, b: {}}\n" : "law: e-constant\nfit: {e: {}}\n")
        . "data:\n  - name: drops\n    protocol: impact\n    rows:\n";
    for my $k (0 .. 7) {
        my $v = $c->{slow} * ($c->{fast} / $c->{slow}) ** ($k / 7);
        $scatter = -$scatter;
        $text .= sprintf "      - {speed: %.9g m/s, restitution: %.9f}\n", $v, $c->{e} - $c->{b} * log($v / $c->{slow}) + $scatter;
    }
    spew("$path.yaml", $text . "    sigma: {restitution: " . abs($scatter) . "}\n");
    my ($code, undef, $err) = contactfit('fit', '-q', "$path.yaml", '-o', $scratch);
    die "$path: $code: $err\n" if $code && $code != 3;
    $c->{law} = decode_json(slurp("$path.json"))->{parameters};
    return "$path.json";
}

# Rows of a case for the driver, a speed each, the design speed first; none where it is refused:
# $c->{refused} is then why.
sub ask_case
{
    my ($target, $c, @options) = @_;
    my $fit = $c->{fit} //= fit_of_case($c);
    my $file = "$scratch/$target-$c->{i}";
    my ($code, $out, $err) = contactfit(qw(export -q --untrusted --json --to), $target, $fit, '--dt', $c->{dt}, '-o', $file,
                                       @options, $c->{g} ? ('--gravity', $c->{g}) : ());
    delete $c->{answer};
    $c->{refused} = $err;
    return if $code && $code != 3;
    $c->{answer} = decode_json($out)->{fits}[0];
    $c->{refused} = $c->{answer}{reason};
    return if !$c->{answer}{good};
    $c->{design} = $c->{answer}{speed_m_s};
    my @v = ($c->{design}, map { $c->{slow} * ($c->{fast} / $c->{slow}) ** chance() } 1 .. 3);
    return map {
        my $v = $_;
        my $n = $v == $c->{design} ? 12 : 3;
        my $before = $v > 8 * $c->{g} * $c->{dt}; # a step more, where it has fallen from so high
        {c => {%$c, v => $v}, file => $file, dt => $c->{dt}, g => $c->{g},
         gaps => [map { $v * $c->{dt} * ($before + chance()) } 1 .. $n]};
    } @v;
}

# The rows of all cases, and why the others are refused: by as many processes as JOBS says.
sub ask_cases
{
    my ($target, $cases, @options) = @_;
    my $jobs = $ENV{JOBS} || 2;
    my (@rows, @refused, @parts);
    for my $part (0 .. $jobs - 1) {
        my $pid = open(my $from, '-|') // die "fork: $!\n";
        if (!$pid) {
            my @mine;
            srand($$); # for names of folders of its own
            for my $c (grep { $_->{i} % $jobs == $part } @$cases) {
                my @more = ask_case($target, $c, @options);
                push @mine, {i => $c->{i}, rows => \@more, refused => @more ? undef : $c->{refused}};
            }
            print encode_json(\@mine);
            close STDOUT;
            File::Temp::cleanup();
            POSIX::_exit(0);
        }
        push @parts, $from;
    }
    my @all = map { local $/; my $text = readline($_); close $_; @{decode_json($text)} } @parts;
    for (sort { $a->{i} <=> $b->{i} } @all) {
        push @rows, @{$_->{rows}};
        push @refused, $_->{refused} if defined $_->{refused};
    }
    return (\@rows, \@refused);
}

my (%count, @ratio);

# A row and what the driver saw of it: e, or "stays".
sub check_case
{
    my ($target, $row, $within, @e) = @_;
    my ($c, $v) = ($row->{c}, $row->{c}{v});
    my ($fit, $answer) = (e_of($c, $v), $c->{answer});
    @e = sort { $a <=> $b } map { $_ eq 'stays' ? 0 : $_ } @e;
    my $step = $answer->{step};
    my ($low, $high) = $step ? ($fit - $step->{range_error}, $fit + $step->{range_error})
                             : ($fit - $answer->{range_error}, $fit + $answer->{range_error});
    ($low, $high) = ($step->{low}, $step->{high}) if $step && $v == $c->{design};
    $count{$target}{impacts} += @e;
    my $out = (sort { $b <=> $a } $low - $e[0], $e[-1] - $high, 0)[0];
    $count{$target}{out} = $out if $out > ($count{$target}{out} // 0);
    push @ratio, ($high - $low) / ($e[-1] - $e[0]) if $step && $v == $c->{design} && $e[-1] - $e[0] > 1e-4;
    return $out <= $within
        || diag(sprintf '%s, case %d: m %.3g, R %.3g, R2 %.3g, m2 %.3g, g %g, dt %g, %.4g m/s: e %.6f to %.6f, promised %.6f to %.6f; %s',
                $target, @$c{qw(i m1 R1 R2 m2 g dt)}, $v, @e[0, -1], $low, $high, $row->{file}) && 0;
}

# The counts of a target, with the causes of what was refused.
sub tell
{
    my ($target, @refused) = @_;
    my %why;
    for (@refused) {
        my $cause = /gains energy|does not end|gives way|goes|not predicted|off the fit|must be at/ ? $& : /; cause: ([a-z ]+(?:, and [a-z]+)?)/ ? $1 : 'other';
        $why{$cause}++;
    }
    my $median = (sort { $a <=> $b } @ratio)[@ratio / 2] // 0;
    @ratio = ();
    note(sprintf 'RESULT %s: %d impacts, outside by at most %.2g; %d refused: %s; the band is %.2f of what is seen', $target,
         $count{$target}{impacts} // 0, $count{$target}{out} // 0, scalar(@refused),
         join(', ', map { "$_ $why{$_}" } sort keys %why), $median);
    return $median;
}

1;
