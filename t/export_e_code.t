#!/usr/bin/perl
# e(v) as code, the header for C and the modules for Python and JavaScript: e against the law that the program
# computes by itself, and against the formulas of laws of e alone; monotone; the band; the range;
# many pairs; names that would be code. A C compiler, Python 3 and Node.js run what
# was written.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Synthetic;
use Test::More;

draw_no_figures();

my %have = map { my $name = $_; $name => scalar grep { -x "$_/$name" } split /:/, $ENV{PATH} }
    qw(cc g++ python3 node);
plan skip_all => 'no cc, no python3 and no node here' if !$have{cc} && !$have{python3} && !$have{node};

my $scratch = tempdir(CLEANUP => 1);
my $rounding = 1e-15;
my @strict = qw(-pedantic -Wall -Wextra -Wconversion -Werror);

sub export
{
    my ($target, $file, @args) = @_;
    my ($code, undef, $err) = contactfit('export', '-q', '--to', $target, '-o', "$scratch/$file", @args);
    is("$code$err", '0', "$target: written to $file");
    return slurp("$scratch/$file");
}

# Lines "SPEED e fitted low high" that the code of a pair says of speeds; one word a number.
sub asked
{
    my ($language, $file, $name, @speeds) = @_;
    spew("$scratch/speeds", join("\n", @speeds) . "\n");
    if ($language eq 'python') {
        my $module = $file =~ s/\.py$//r;
        spew("$scratch/ask.py", <<"END");
import sys
sys.dont_write_bytecode = True
import $module as m
for line in sys.stdin:
    v = float(line)
    low, high = m.${name}_band(v) or (-1, -1)
    print(repr(v), repr(m.${name}_e(v)), int(m.${name}_is_fitted(v)), repr(low), repr(high))
END
        return map { [split] } `cd '$scratch' && python3 -W error ask.py <speeds 2>&1`;
    }
    if ($language eq 'javascript') {
        spew("$scratch/ask.mjs", <<"END");
import fs from 'node:fs';
import * as m from './$file';
for (const line of fs.readFileSync('$scratch/speeds', 'utf8').trim().split('\\n')) {
    const v = Number(line), [low, high] = m.${name}_band(v) || [-1, -1];
    console.log(v, m.${name}_e(v), Number(m.${name}_is_fitted(v)), low, high);
}
END
        return map { [split] } `cd '$scratch' && node ask.mjs 2>&1`;
    }
    spew("$scratch/ask.c", <<"END");
#include "$file"
#include <stdio.h>
int main(void)
{
    double v;
    while (scanf("%lf", &v) == 1) {
        double low = -1, high = -1;
        if (!${name}_band(v, &low, &high) && (low != -1 || high != -1))
            return 1;
        printf("%.17g %.17g %d %.17g %.17g\\n", v, ${name}_e(v), ${name}_is_fitted(v), low, high);
    }
    return 0;
}
END
    my @compiler = $language eq 'c' ? qw(cc -std=c99) : qw(g++ -std=c++98 -Wno-long-long -x c++);
    return () if system(@compiler, @strict, '-o', "$scratch/ask", "$scratch/ask.c", '-lm');
    return map { [split] } `'$scratch/ask' <'$scratch/speeds'`;
}

sub spaced
{
    my ($low, $high, $n) = @_;
    return map { sprintf '%.17g', $low * ($high / $low) ** ($_ / ($n - 1)) } 0 .. $n - 1;
}

# Largest difference of the second words from what is wanted.
sub worst
{
    my ($rows, @want) = @_;
    return 'nothing' if @$rows != @want;
    my $worst = 0;
    for my $i (0 .. $#want) {
        my $d = abs($rows->[$i][1] - $want[$i]);
        $worst = $d if !($d <= $worst);
    }
    return $worst;
}

my @language = ($have{cc} ? 'c' : (), $have{cc} && $have{'g++'} ? 'c++' : (), $have{python3} ? 'python' : (),
                $have{node} ? 'javascript' : ());
my %file = (c => 'e.h', 'c++' => 'e.h', python => 'e_of_v.py', javascript => 'e_of_v.mjs');
my %target = (c => 'c-header', 'c++' => 'c-header', python => 'python', javascript => 'javascript');

# Shipped fits, also those of which nothing but e is known: e, the range, the band.
for my $fit (qw(golf_ball_bounces tennis_ball_bounces golf_ball_drop_rebound tennis_ball_drop_rebound
                synthetic_ball_heights)) {
    my $path = "$srcdir/fits/$fit.json";
    my $json = decode_json(slurp($path));
    my ($axis) = map { $_->{axis} } @{$json->{data}};
    my ($low, $high) = @{$axis}{qw(low high)};
    for my $data (@{$json->{data}}) {
        $low = $data->{axis}{low} if $data->{axis}{low} < $low;
        $high = $data->{axis}{high} if $data->{axis}{high} > $high;
    }
    my @speeds = (spaced($low * 1.01e-3, $high * 99, 400), map { sprintf '%.17g', $_ } $low, $high);
    my @p = map { ('-p', "$_=$json->{parameters}{$_}{value}") } sort keys %{$json->{parameters}};
    my $mass = $json->{data}[0]{mass_kg};
    my ($code, $table) = contactfit('restitution', '-q', $json->{law}, @p, '--mass', $mass, '--speed',
                                    join(',', @speeds));
    is($code, 0, "$fit: its law");
    my @want = map { (split /,/)[1] } grep { /^[0-9]/ } split /\n/, $table;
    for my $language (qw(c python javascript)) {
        my $text = export($target{$language}, $file{$language}, $path);
        like($text, qr/^(?:#|\/\/) table: the law from \S+ to \S+ m\/s in \d+ rows, within (\d\S+) of it/m,
             "$fit: the error is stated");
        my ($stated) = $text =~ / rows, within (\S+) of/;
        cmp_ok($stated, '<=', 1e-7, 'and small');
        for my $way (grep { $file{$_} eq $file{$language} } @language) {
            my @rows = asked($way, $file{$language}, $fit, @speeds);
            cmp_ok(worst(\@rows, @want), '<=', $stated, "$fit: e of the law in $way");
            is(join('', map { $_->[2] } @rows),
               join('', map { $_ >= $low && $_ <= $high ? 1 : 0 } @speeds), "$fit: and the fitted speeds");
        }
    }
}

# The band is the fit's own at its points, and its mean between two of them in ln v.
{
    my $fit = 'tennis_ball_bounces';
    my $json = decode_json(slurp("$srcdir/fits/$fit.json"));
    my ($curve) = grep { $_->{channel} eq 'restitution' && $_->{low} } @{$json->{curves}};
    my @v = @{$curve->{abscissa}};
    my @middle = map { sqrt($v[$_] * $v[$_ + 1]) } 0 .. $#v - 1;
    for my $way (@language) {
        export($target{$way}, $file{$way}, "$srcdir/fits/$fit.json");
        my @rows = asked($way, $file{$way}, $fit, @v, @middle, $v[0] * 0.99, $v[-1] * 1.01, 0);
        my @off = grep {
            my ($i, $j) = $_ < @v ? ($_, $_) : ($_ - @v, $_ - @v + 1);
            abs($rows[$_][3] - ($curve->{low}[$i] + $curve->{low}[$j]) / 2) > 1e-9 ||
                abs($rows[$_][4] - ($curve->{high}[$i] + $curve->{high}[$j]) / 2) > 1e-9
        } 0 .. 2 * $#v;
        is(scalar(@off), 0, "$way: the band of the fit");
        is(join(' ', map { "$_->[3] $_->[4]" } @rows[-3 .. -1]), '-1 -1 -1 -1 -1 -1',
           "$way: and none where the fit has none");
    }
}

# Laws of e alone by their formulas, over the corners that they have; beyond the table its ends.
my %formula = (
    'e-log' => [sub { my ($v, %p) = @_; $p{e_at_1} - $p{b} * log($v) }, {e_at_1 => 0.83, b => 0.03}],
    'e-linear' => [sub { my ($v, %p) = @_; 1 - $p{slope} * $v }, {slope => 0.1}],
    'e-power' => [sub { my ($v, %p) = @_; $p{e_at_1} * $v ** -$p{q} }, {e_at_1 => 0.7, q => 0.1}],
    'e-constant' => [sub { my ($v, %p) = @_; $p{e} }, {e => 0.85}],
    'e-thornton' => [sub {
        my ($v, %p) = @_;
        my $x = $p{yield_speed} / $v;
        return 1 if $x >= 1;
        return sqrt(6 * sqrt(3) / 5) * sqrt(1 - $x ** 2 / 6)
            * ($x / ($x + 2 * sqrt(6 / 5 - $x ** 2 / 5))) ** 0.25;
    }, {yield_speed => 0.3}]);
for my $law (sort keys %formula) {
    my ($e, $truth) = @{$formula{$law}};
    $Synthetic::law{$law} = $truth;
    my $path = synthetic($scratch, 'alone', $law);
    my %p = map { $_ => decode_json(slurp($path))->{parameters}{$_}{value} } keys %$truth;
    my @speeds = spaced(1.01e-4, 199, 997);
    my @want = map { my $y = $e->($_, %p); $y < 0 ? 0 : $y > 1 ? 1 : $y } @speeds;
    for my $way (@language) {
        my $text = export($target{$way}, $file{$way}, $path);
        like($text, qr/: exact$/m, "$law: called exact");
        my @rows = asked($way, $file{$way}, 'alone', @speeds, 1e-9, 0, -3, 1e9, 'nan');
        cmp_ok(worst([@rows[0 .. $#speeds]], @want), '<=', 1e-7, "$law in $way: by its formula");
        is(scalar(grep { $rows[$_][1] > $rows[$_ - 1][1] + $rounding } 1 .. $#speeds), 0, 'and it never rises');
        my $first = $e->(1e-4, %p);
        my @ends = map { $_->[1] } @rows[-5 .. -1];
        $first = $first > 1 ? 1 : $first;
        is(scalar(grep { abs($_ - $first) < 1e-9 } @ends[0 .. 2]), 3, 'below the table its first e');
        my $last = $e->(200, %p);
        cmp_ok(abs($ends[3] - ($last < 0 ? 0 : $last)), '<', 1e-9, 'beyond it its last');
        like($ends[4], qr/^[-+]?nan$/i, 'and no number for no number');
    }
}

# Wherever a corner lies between two rows, no cubic goes beyond its ends.
for my $i (1 .. 6) {
    $Synthetic::law{'e-linear'} = {slope => 0.1};
    my $corner = 9 + 0.37 * $i;
    my $fit = decode_json(slurp($i == 1 ? synthetic($scratch, 'corner', 'e-linear') : "$scratch/corner.json"));
    $fit->{parameters}{slope}{value} = 1 / $corner;
    spew("$scratch/corner.json", encode_json($fit));
    my $way = $language[$i % @language];
    export($target{$way}, $file{$way}, "$scratch/corner.json");
    my @rows = map { asked($way, $file{$way}, 'corner', @$_) }
        [map { sprintf '%.17g', $corner * (1 + $_ * 2e-9) } -500 .. 500], [spaced($corner / 2, $corner * 2, 5000)];
    is(scalar(grep { $rows[$_][1] > $rows[$_ - 1][1] + $rounding && $_ != 1001 } 1 .. $#rows), 0,
       "a corner at $corner m/s: e never rises in $way");
    is(scalar(grep { $_->[1] < 0 } @rows), 0, 'nor is below 0');
}

# A law of force never rises either, as close as speeds may be.
{
    my $kk = synthetic($scratch, 'kk', 'azad-featherstone');
    export('c-header', 'e.h', $kk);
    export('python', 'e_of_v.py', $kk);
    export('javascript', 'e_of_v.mjs', $kk);
    for my $way (@language) {
        my @rows = asked($way, $file{$way}, 'kk', spaced(1e-4, 200, 20_000));
        is(scalar(grep { $rows[$_][1] > $rows[$_ - 1][1] + $rounding } 1 .. 19_999), 0,
           "azad-featherstone in $way: e never rises");
    }
    for my $target (($have{cc} ? 'c-header' : ()), ($have{python3} ? 'python' : ()),
                    ($have{node} ? 'javascript' : ())) {
        my ($code, $out, $err) = contactfit('export', '-q', '--to', $target, '--verify', '--json', $kk,
                                            '--dt', '1 ms');
        is("$code$err", '0', "$target: --verify is good");
        my @off = grep { abs($_->{e_seen} - $_->{e_fit}) > 1e-7 } @{decode_json($out)->{fits}[0]{drops}};
        is(scalar(@off), 0, "$target: and its drops show the law");
    }
}

# Many pairs in one text: functions each, and a lookup by bodies; two golf balls are not told apart.
{
    my @fits = map { "$srcdir/fits/$_.json" } qw(golf_ball_bounces tennis_ball_bounces croquet_ball_on_wood);
    my @untrusted = ('--untrusted', @fits);
    my %text;
    my %many = ('c-header' => 'many.h', python => 'many.py', javascript => 'many.mjs');
    for my $target (sort keys %many) {
        my $file = $many{$target};
        my ($code) = contactfit('export', '-q', '--to', $target, '-o', "$scratch/$file", @untrusted);
        is($code, 3, "$target: many, of which one was forced");
        like(slurp("$scratch/$file"), qr/^(?:#|\/\/) not found by the names of its bodies, ball and floor, which another pair has: ${_}_e\(\)$/m,
             "$_ is not found by names") for qw(golf_ball_bounces tennis_ball_bounces);
    }
    spew("$scratch/find.c", <<'END');
#include "many.h"
#include <stdio.h>
int main(void)
{
    const struct contactfit_restitution *one = contactfit_find("ball", "block");
    printf("%d %d %s %d %d %d\n", one == contactfit_find("block", "ball"), !contactfit_find("ball", "floor"),
           one->fit, contactfit_e(one, 1.5) == croquet_ball_on_wood_e(1.5),
           golf_ball_bounces_e(1.5) > tennis_ball_bounces_e(1.5), !contactfit_find("bal", "block"));
    return 0;
}
END
    if ($have{cc}) {
        system(qw(cc -std=c99), @strict, '-o', "$scratch/find", "$scratch/find.c", '-lm');
        is(`'$scratch/find'`, "1 1 croquet_ball_on_wood 1 1 1\n", 'c: found by names');
    }
    spew("$scratch/found.py", <<'END');
import sys
sys.dont_write_bytecode = True
import many as m
one = m.find('ball', 'block')
print(one is m.find('block', 'ball'), m.find('ball', 'floor'), one.fit, one.bodies, one.e(1.5) == m.croquet_ball_on_wood_e(1.5),
      m.golf_ball_bounces_e(1.5) > m.tennis_ball_bounces_e(1.5), m.find('bal', 'block'))
END
    is(`cd '$scratch' && python3 -W error found.py`,
       "True None croquet_ball_on_wood ('ball', 'block') True True None\n", 'python: found by names')
        if $have{python3};
    spew("$scratch/found.mjs", <<'END');
import * as m from './many.mjs';
const one = m.find('ball', 'block');
console.log(one === m.find('block', 'ball'), m.find('ball', 'floor'), one.fit, one.bodies.join(), one.e(1.5) === m.croquet_ball_on_wood_e(1.5),
            m.golf_ball_bounces_e(1.5) > m.tennis_ball_bounces_e(1.5), m.find('bal', 'block'));
END
    is(`node '$scratch/found.mjs'`, "true null croquet_ball_on_wood ball,block true true null\n",
       'javascript: found by names') if $have{node};
    # two headers of different pairs go together, also beside one of all others
    if ($have{cc}) {
        export('c-header', 'one.h', $fits[0]);
        export('c-header', 'two.h', $fits[1]);
        spew("$scratch/both.c", "#include \"one.h\"\n#include \"two.h\"\n#include \"one.h\"\n"
                 . "int main(void)\n{\n    return golf_ball_bounces_e(1) < tennis_ball_bounces_e(1);\n}\n");
        is(system(qw(cc -std=c99), @strict, '-o', "$scratch/both", "$scratch/both.c", '-lm'), 0,
           'two headers in one program');
        is(system("$scratch/both"), 0, 'which runs');
    }
}

# Bodies are found by the names of their materials, too, and two pairs that are meant by none.
{
    my @paths;
    for (['golf', 'surlyn'], ['tennis', 'felt']) {
        my ($ball, $cover) = @$_;
        my $fit = decode_json(slurp("$srcdir/fits/${ball}_ball_bounces.json"));
        $fit->{study}{bodies}[0]{material} = $cover;
        $fit->{study}{bodies}[1]{material} = 'stone';
        spew("$scratch/$ball.json", encode_json($fit));
        push @paths, "$scratch/$ball.json";
    }
    my @ask = (['surlyn', 'stone'], ['floor', 'felt'], ['stone', 'felt'], ['ball', 'floor'], ['ball', 'stone'], ['', 'stone']);
    my $want = "golf_ball_bounces tennis_ball_bounces tennis_ball_bounces none none none\n";
    my %file = ('c-header' => 'm.h', python => 'materials.py', javascript => 'materials.mjs');
    export($_, $file{$_}, @paths) for sort keys %file;
    if ($have{cc}) {
        spew("$scratch/m.c", "#include \"m.h\"\n#include <stdio.h>\nstatic const char *fit(const char *a, const char *b)\n"
                 . "{\n    return contactfit_find(a, b) ? contactfit_find(a, b)->fit : \"none\";\n}\nint main(void)\n{\n    printf(\""
                 . join(' ', ('%s') x @ask) . '\n", ' . join(', ', map { "fit(\"$_->[0]\", \"$_->[1]\")" } @ask) . ");\n    return 0;\n}\n");
        is(system(qw(cc -std=c99), @strict, '-o', "$scratch/m", "$scratch/m.c", '-lm'), 0, 'c: materials');
        is(`'$scratch/m'`, $want, 'c: found by materials');
    }
    my $calls = join ', ', map { "fit('$_->[0]', '$_->[1]')" } @ask;
    spew("$scratch/m.py", "import sys\nsys.dont_write_bytecode = True\nimport materials as m\ndef fit(a, b):\n"
             . "    return m.find(a, b).fit if m.find(a, b) else 'none'\nprint($calls)\n");
    is(`cd '$scratch' && python3 -W error m.py`, $want, 'python: found by materials') if $have{python3};
    spew("$scratch/m.mjs", "import * as m from './materials.mjs';\nconst fit = (a, b) => m.find(a, b) ? m.find(a, b).fit : 'none';\n"
             . "console.log($calls);\n");
    is(`node '$scratch/m.mjs'`, $want, 'javascript: found by materials') if $have{node};
}

# Names are text: none becomes code, ends a comment or a quotation, or hides the lines behind it.
my @names = ('*/ #error a', 'a" ; int x', "tail ??/", 'tail \\', '"""', "'''", 'coding: latin-1', 'class', 'int',
             '2nd ball', 'contactfit', 'contactfit_e', '', '_', '__init__', "\x{43c}\x{44f}\x{447}", "\x{fc}" x 90,
             'x', 'x_band', 'x-band', 'pair_x', 'x_e', 'end</script>', 'a${b}`c`', '%s%n', '{0}', "tab\there", "line\nbreak", "\x{2028}sep");
my @paths;
my $golf = decode_json(slurp("$srcdir/fits/golf_ball_bounces.json"));
for my $i (0 .. $#names) {
    $golf->{name} = $names[$i];
    $golf->{study}{bodies}[0]{name} = "$names[$i] $i";
    $golf->{study}{bodies}[1]{name} = $names[-1 - $i];
    spew("$scratch/name$i.json", encode_json($golf));
    push @paths, "$scratch/name$i.json";
}
{
    my $c = export('c-header', 'names.h', @paths);
    my $python = export('python', 'names.py', @paths);
    my $javascript = export('javascript', 'names.mjs', @paths);
    my @functions = $c =~ /^static inline double (\w+)_e\(double speed\)$/mg;
    is(scalar(@functions), scalar(@names), 'a function each');
    is(scalar(grep { /^(?!contactfit)[A-Za-z](?:_?[A-Za-z0-9])*$/ } @functions), scalar(@names), 'of good names');
    is(join(' ', $python =~ /^def (\w+)_e\(speed\)/mg), "@functions", 'the same in Python');
    is(join(' ', $javascript =~ /^export const (\w+)_e = /mg), "@functions", 'and in JavaScript');
    is(join(' ', @functions[0 .. 4, 7, 9, 10, 12, 16 .. 19]),
       'error_a a_int_x tail tail_2 fit class fit_2nd_ball fit_contactfit fit_3 fit_6 x x_band x_band_2',
       'as they are documented');
    spew("$scratch/use.c", "#include \"names.h\"\n#include <stdio.h>\nint main(void)\n{\n    double s = 0;\n"
             . join('', map { "    s += ${_}_e(1) + ${_}_is_fitted(1);\n" } @functions)
             . "    printf(\"%.6f\\n\", s);\n    puts(contactfit_pair_$functions[15].fit);\n"
             . "    puts(contactfit_pair_$functions[1].fit);\n    return 0;\n}\n");
    my $sum = sprintf '%.6f', @names * (1 + $golf->{parameters}{e_at_1}{value});
    for (['c', qw(cc -std=c99)], ['c++', qw(g++ -std=c++98 -x c++)]) {
        my ($way, @compiler) = @$_;
        next if !grep { $_ eq $way } @language;
        is(system(@compiler, @strict, '-o', "$scratch/use", "$scratch/use.c", '-lm'), 0, "$way: they compile");
        is(`'$scratch/use'`, "$sum\n\xd0\xbc\xd1\x8f\xd1\x87\na\" ; int x\n", "$way: and are what they were");
    }
    if ($have{python3}) {
        spew("$scratch/use.py", "import sys\nsys.dont_write_bytecode = True\nimport names as m\n"
                 . "print('%.6f' % sum(getattr(m, n + '_e')(1) + getattr(m, n + '_is_fitted')(1) for n in '@functions'.split()))\n"
                 . "p = m._pair_$functions[15]\nprint(ascii(p.fit), m.find(*p.bodies) is p)\n");
        is(`cd '$scratch' && python3 -W error use.py`, "$sum\n'\\u043c\\u044f\\u0447' True\n",
           'python: it reads them, and they are what they were');
    }
    if ($have{node}) {
        spew("$scratch/use.mjs", "import * as m from './names.mjs';\nlet s = 0;\n"
                 . "for (const name of '@functions'.split(' '))\n    s += m[name + '_e'](1) + m[name + '_is_fitted'](1);\n"
                 . "console.log(s.toFixed(6), m.find('$names[1] 1', 'line?break').fit);\n");
        is(`node '$scratch/use.mjs'`, "$sum a\" ; int x\n", 'javascript: it reads them, and they are what they were');
    }
}

# a fit without speeds: a speed is asked for, and none is called fitted
{
    my $path = "$srcdir/fits/alumina_on_glass.json";
    my $text = export('c-header', 'e.h', $path, qw(--speed 2));
    like($text, qr/^\/\/ no speeds were fitted: EXTRAPOLATED everywhere$/m, 'no speeds: said');
    like($text, qr/^\/\/ table: the law from 0.002 to 200 m\/s/m, 'the table is around the design speed');
    like($text, qr/^\/\/ band: the fit has none$/m, 'and there is no band');
    export('python', 'e_of_v.py', $path, qw(--speed 2));
    export('javascript', 'e_of_v.mjs', $path, qw(--speed 2));
    for my $way (@language) {
        my @rows = asked($way, $file{$way}, 'alumina_on_glass', 0, 1, 2, 3);
        is(join(' ', map { "@$_[2 .. 4]" } @rows), join(' ', ('0 -1 -1') x 4), "$way: none is fitted, none has a band");
    }
}

# speeds that are asked for are in the table, however far they are
{
    my $path = "$srcdir/fits/golf_ball_bounces.json";
    my ($code, $out, $err) = contactfit(qw(export -q --to c-header --slowest 1e-6 --fastest 5e4), $path, '-o',
                                        "$scratch/e.h");
    like(slurp("$scratch/e.h"), qr/^\/\/ table: the law from 1e-09 to 5e\+06 m\/s/m, 'asked for: a longer table');
    my %p = map { $_ => decode_json(slurp($path))->{parameters}{$_}{value} } qw(e_at_1 b);
    my @speeds = spaced(1e-6, 5e4, 50);
    for my $way (grep { /^c$/ } @language) {
        cmp_ok(worst([asked($way, 'e.h', 'golf_ball_bounces', @speeds)], map { $p{e_at_1} - $p{b} * log($_) } @speeds),
               '<=', 1e-7, 'of the law');
    }
}

# what is refused
for ([qr/alumina_on_glass: the fit has no speeds, and so no design speed: give --speed/, "$srcdir/fits/alumina_on_glass.json"],
     [qr/screw_drive: c-header has no place for the friction of a joint/, '--untrusted', "$srcdir/fits/screw_drive.json"],
     [qr/the verdict of the fit is misfit.*--untrusted/, "$srcdir/fits/croquet_ball_on_wood.json"]) {
    my ($why, @args) = @$_;
    my ($code, $out, $err) = contactfit(qw(export --to c-header), @args);
    is($code, 1, 'refused');
    like($err, $why, 'and why');
    is($out, '', 'and nothing is written');
}

done_testing();
