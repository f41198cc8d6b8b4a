#!/usr/bin/perl
# Numbers of the runs of records: how near a law gives them, and what a study may need of them.
# Records are made here, by integration of their own.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Program;
use Synthetic qw(normal);
use Test::More;

draw_no_figures();

my $dir = tempdir(CLEANUP => !$ENV{KEEP});

# A ball of 0.1 kg on F = k d^1.5 (1 + a w): the record of an impact as [t, F], and its true numbers.
sub impact
{
    my ($v, $noise) = @_;
    my ($m, $k, $a, $h, $every) = (0.1, 2e8, 0.15, 2e-7, 25);
    my $force = sub { my ($d, $w) = @_; my $f = $d > 0 ? $k * $d**1.5 * (1 + $a * $w) : 0; return $f > 0 ? $f : 0 };
    my ($d, $w, $impulse, $peak, @row) = (0, $v, 0, 0);
    push @row, [-5e-6 * $_, $noise * normal()] for reverse 1 .. 20;
    for my $i (0 .. 5000) {
        my $f = $force->($d, $w);
        push @row, [$i * $h, $f + $noise * normal()] if $i % $every == 0;
        $peak = $f if $f > $peak;
        $impulse += $h * $f;
        # the classical rule of fourth order
        my @w = ($w, $w - $h / 2 * $f / $m);
        my @f = ($f, $force->($d + $h / 2 * $w[0], $w[1]));
        push @w, $w - $h / 2 * $f[1] / $m;
        push @f, $force->($d + $h / 2 * $w[1], $w[2]);
        push @w, $w - $h * $f[2] / $m;
        push @f, $force->($d + $h * $w[2], $w[3]);
        $d += $h / 6 * ($w[0] + 2 * $w[1] + 2 * $w[2] + $w[3]);
        $w -= $h / 6 / $m * ($f[0] + 2 * $f[1] + 2 * $f[2] + $f[3]);
        last if $i > 100 && $d < -2e-4;
    }
    return {rows => \@row, peak => $peak, impulse => $impulse};
}

sub write_pulses
{
    my ($name, @speeds) = @_;
    my ($text, $begin, @true) = ("# synthetic\nn,v_m_s,t_s,f_N\n", 0);
    for my $i (0 .. $#speeds) {
        my $made = impact($speeds[$i], 2);
        $text .= sprintf "%d,%g,%.9f,%.3f\n", $i + 1, $speeds[$i], $begin + $_->[0], $_->[1] for @{$made->{rows}};
        $begin += 1;
        push @true, $made;
    }
    spew("$dir/$name.csv", $text);
    return @true;
}

sub fit_pulses
{
    my ($name, $law, $needed) = @_;
    spew("$dir/$name.yaml", "contactfit: study/1\nbodies: {ball: {sphere: {radius: 15 mm}, mass: 0.1 kg}, head: {plane: {}, fixed: true}}\n"
        . "law: $law\n" . (defined $needed ? "needed: $needed\n" : '')
        . "data:\n  - {name: drops, protocol: pulse, file: $name.csv, columns: {impact: n, speed: v_m_s, time: t_s, force: {from: f_N, sigma: 2 N}}}\n");
    my ($status, $fit, $out, $err) = fit_of($dir, "$dir/$name.yaml", '-q');
    return ($status, $fit, $out =~ s/\n {4}/ /gr, $err);
}

# ---- eight impacts, of which a linear spring gives no peak

my @speed = (0.3, 0.5, 0.8, 1.2, 1.7, 2.3, 3, 4);
my @true = write_pulses('eight', @speed);
my ($status, $fit, $out) = fit_pulses('eight', 'linear');
is($status, 3, 'a linear law of eight impacts is a misfit');
my $peak = $fit->{adequacy}[0];
is($peak->{number}{name}, 'peak_force', 'its peak force is told without any need');
is(scalar @{$peak->{number}{runs}}, 8, 'of eight runs');
for my $i (0 .. 7) {
    my $run = $peak->{number}{runs}[$i];
    is($run->{place}, $speed[$i], "run $i is at its speed");
    is_within($run->{measured}, $true[$i]{peak}, 2 + 2e-3 * $true[$i]{peak}, 'its peak is that of the integration');
}
my ($largest) = sort { $b <=> $a } map { abs($_->{measured} - $_->{predicted}) } @{$peak->{number}{runs}};
cmp_ok($peak->{in_unit}{at_most}, '>', 0.8 * $largest, 'the limit is not below the largest difference');
cmp_ok($peak->{in_unit}{at_least}, '>', 0, 'it is surely off');
like($out, qr/over 8 runs from 0\.3 to 4 m\/s this law gives the peak force within \S+ N \(\S+ %\).*worst at/, 'in words');

($status, $fit, $out) = fit_pulses('eight', 'linear', '{impulse: 30 %, peak_force: {within: 1 %, from: 0.7 m/s}}');
is($status, 3, 'not adequate: exit status 3');
my %of = map { $_->{number}{name} => $_ } @{$fit->{adequacy}};
is($of{impulse}{needed}{answer}, 'adequate', 'a coarse need of the impulse is met');
is_within($of{impulse}{number}{runs}[$_]{measured}, $true[$_]{impulse}, 2e-4 + 2e-3 * $true[$_]{impulse}, "impulse $_ is that of the integration")
    for 0 .. 7;
is($of{peak_force}{needed}{answer}, 'not adequate', 'a fine one of the peak is not');
is($of{peak_force}{rows}, 6, 'of the runs in its range');
is($of{peak_force}{low}, 0.8, 'from the first of them on');

($status, $fit, $out) = fit_pulses('eight', 'hunt-crossley', '{peak_force: 2 %, impulse: 2 %, duration: 2 %}');
is($status, 0, 'the law that made them gives all three');
is(join(' ', map { $_->{needed}{answer} } @{$fit->{adequacy}}), 'adequate adequate adequate', 'each within 2 %');
like($out, qr/^verdict: .*adequate for what is needed/m, 'the last line says so');
my ($ended, undef, $why) = contactfit('predict', "$dir/eight.json", '--speed', '2', '-q');
isnt($ended, 4, 'predictions know of no curve of a trace');

# ---- few runs: their mean

write_pulses('four', 1, 1, 1, 1);
($status, $fit, $out) = fit_pulses('four', 'hunt-crossley', '{peak_force: 5 %}');
ok($fit->{adequacy}[0]{averaged}, 'four repeats have no curve');
{
    my @r = map { $_->{measured} - $_->{predicted} } @{$fit->{adequacy}[0]{number}{runs}};
    my $mean = 0;
    $mean += $_ / @r for @r;
    my $squares = 0;
    $squares += ($_ - $mean)**2 for @r;
    my $se = sqrt($squares / 3 / 4);
    my $entry = $fit->{adequacy}[0];
    is_near($entry->{in_unit}{at_most} - ($entry->{stated} // 0), abs($mean) + 2.3533634348 * $se, 1e-6,
        "the limit is that of Student's t with three degrees of freedom");
}
like($out, qr/over 4 runs this law gives the peak force on average within/, 'in words, without a range');
write_pulses('one', 1);
($status, $fit, $out) = fit_pulses('one', 'hunt-crossley', '{peak_force: 5 %}');
is($fit->{adequacy}[0]{needed}{answer}, 'cannot tell', 'one run tells nothing of the next');
like($out, qr/two are needed at least/, 'and says what is needed');
($status, $fit, $out) = fit_pulses('one', 'hunt-crossley');
ok(!$fit->{adequacy}, 'without a need nothing is said of one');

# ---- what is refused

for (['{force: 3 N}', qr/force: its readings are a record.*peak_force, impulse or duration/],
     ['{peak_forc: 3 N}', qr/did you mean peak_force/],
     ['{peak_force: 3 m}', qr/a length \[m\] where a force \[N\] is wanted/],
     ['{peak_force: 0 N}', qr/peak_force: .*0/],
     ['{peak_force: {within: 1 %, from: 5 m/s}}', qr/no run lies in this range: the speeds .* from 0\.3 to 4 m\/s/],
     ['{loss: 3 J}', qr/unknown measured quantity loss/]) {
    my ($needed, $like) = @$_;
    my ($ends, undef, undef, $err) = fit_pulses('eight', 'linear', $needed);
    is($ends, 1, "$needed is refused");
    like($err, $like, 'in words');
}

# ---- loops of a spring that slides: the work of each is known

# A bristle of 2e4 N/m that slides at 4 N is drawn to and fro by a few amplitudes.
{
    my ($k, $slide, $step, $x, $f, $t) = (2e4, 4, 2e-5, 0, 0, 0);
    my $text = "# synthetic\nt_s,x_m,f_N\n";
    my @amplitude = map { 1e-4 * $_ } 4, 6, 8, 10, 12, 14, 16;
    for my $turn (map { ($_, -$_) } @amplitude, 0) {
        my $side = $turn > $x ? 1 : -1;
        while ($side * ($turn - $x) > $step / 2) {
            $x += $side * $step;
            $f += $side * $step * $k;
            $f = $f > $slide ? $slide : $f < -$slide ? -$slide : $f;
            $t += 1e-3;
            $text .= sprintf "%.4f,%.7f,%.4f\n", $t, $x, $f + 0.02 * normal();
        }
    }
    spew("$dir/loops.csv", $text);
    spew("$dir/loops.yaml", "contactfit: study/1\nfriction: dahl\nneeded: {loss: 5 %}\n"
        . "data:\n  - {name: loops, protocol: ramp, file: loops.csv, columns: {time: t_s, displacement: x_m, force: {from: f_N, sigma: 0.02 N}}, apparatus: {load: 10 N, deflection: 0 m}}\n");
    my ($ends, $loops, $words, $err) = fit_of($dir, "$dir/loops.yaml", '-q');
    my $loss = $loops->{adequacy}[0];
    is($loss->{number}{name}, 'loss', 'loops have a loss') or diag($err);
    my $runs = $loss->{number}{runs};
    is(scalar @$runs, 6, 'one a loop that closes');
    # 4 N on the way but for the way of the spring, which gives back what it took
    is_near($runs->[$_]{measured}, 2 * 4 * (2 * $amplitude[$_] - 2 * 4 / $k), 0.02, "the work of loop $_") for 0 .. $#$runs;
    is_within($runs->[$_]{place}, $amplitude[$_], 1e-5, 'at its amplitude') for 0 .. $#$runs;
    ok($loss->{needed}{answer} eq 'adequate' || $loss->{in_unit}{at_most} > 0, 'and it is judged');
}

done_testing();
