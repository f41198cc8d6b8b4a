#!/usr/bin/perl
# Figure files: those that ship are drawn in every format, the user's own points lie over the curves
# and tune them, and errors in a file are reported with their place. Points here are made by the
# program itself or invented for these tests.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Program;
use Svg;
use Test::More;

my $folder = tempdir(CLEANUP => 1);

sub run
{
    my ($line) = @_;
    return contactfit({in => $folder}, split ' ', $line);
}

# What ships.
my @shipped = map { m{([^/]+)\.yaml$} } sort glob "$srcdir/figures/*.yaml";
is("@shipped", 'af10_fig2 af10_fig3 af10_fig4 af10_fig6_7 af14_fig3 af14_fig4 af14_fig5 drake_fig3 g07_fig3_3 '
    . 'g07_fig3_4 g07_fig5_1 g07_fig5_2', 'the figures that ship');
my ($exit, $out, $err) = contactfit('plot', (map { "$srcdir/figures/$_.yaml" } @shipped), '-o', $folder,
    '--format', 'svg');
is($exit, 0, 'all are drawn');
is($err, join('', map { "wrote $folder/$_.svg\n" } @shipped), 'and said');
contactfit('plot', "$srcdir/figures/af14_fig5.yaml", '-o', $folder, '-q', '--format', 'pdf,png');
like(slurp("$folder/af14_fig5.pdf"), qr/^%PDF-1.*%%EOF\n% Written by contactfit\n\z/s, 'PDF');
like(slurp("$folder/af14_fig5.png"), qr/^\x89PNG\r\n/, 'PNG');
my %panels = (af14_fig5 => 6, af10_fig4 => 4, af10_fig6_7 => 2);
for my $name (@shipped) {
    my $svg = slurp("$folder/$name.svg");
    is(balanced($svg), '', "$name: the SVG is well-formed");
    unlike($svg, qr/nan|inf\b/i, "$name: nothing that is no number");
    my $letters = join '', map { chr(ord('A') + $_) } 0 .. ($panels{$name} // 0) - 1;
    is(join('', words($svg) =~ /^\s*([A-F])\s*$/mg), $letters, "$name: its panels have letters");
    my $text = slurp("$srcdir/figures/$name.yaml");
    unlike($text, qr/^\s*points:/m, "$name ships without points");
    like($text, qr/^source: \S/m, "$name names its source");
}
like(words(slurp("$folder/af14_fig3.svg")), qr/approach speed\s+v \/ \(m\/s\)/, 'an axis with its unit');
like(words(slurp("$folder/g07_fig5_2.svg")), qr/compression\s+z \/ µm/, 'and a prefix');

# The page of all.
($exit, $out, $err) = contactfit('report', (map { "$srcdir/figures/$_.yaml" } @shipped), '-o', $folder);
is("$exit$out$err", "0wrote $folder/figures.html\n", 'one page');
my $page = slurp("$folder/figures.html");
is(balanced($page =~ s/<(?:!DOCTYPE|meta|img|br)[^>]*>//gr), '', 'it is well-formed');
is(scalar(() = $page =~ /<figure>/g), scalar @shipped, 'with every figure');
is_deeply([map { shown($_) } $page =~ m{(<svg.*?</svg>)}gs], [map { shown(slurp("$folder/$_.svg")) } @shipped],
    'as they were drawn');
unlike($page, qr/src=|href="(?!#)|url\(/, 'and loads nothing');
like($page, qr/as a picture and not as numbers/, 'that there are no points is said');

# A small figure, and what the user lays over it.
my $good = <<'END';
contactfit: figure/1
kind: restitution
axis: logarithmic
speed: [1 cm/s, 5 m/s]
mass: 66 g
points: {file: p.csv, speed: v_cm_s, restitution: e}
curves:
  - {law: azad-featherstone, k: 1e10, lambda: 5e4, fit: lambda}
  - {law: hunt-crossley, a: 0.3}
END
my ($status, $rows) = contactfit('restitution', 'azad-featherstone', '-p', 'k=1e10', '-p', 'lambda=1.3e5',
    '--mass=66 g', '--speed', '0.02:4:9', '-q');
my $table = "# made by the program\nv_cm_s,e\n" . join '', map { my @c = split /,/; 100 * $c[0] . ",$c[1]\n" }
    grep { /^\d/ } split /^/, $rows;
spew("$folder/p.csv", $table);
spew("$folder/fig.yaml", $good);
($exit, $out, $err) = run('plot fig.yaml');
is("$exit$out$err", "0wrote fig.svg\n", 'a figure with points, beside its file');
like(words(slurp("$folder/fig.svg")), qr/points/, 'they have their entry in the key');
($exit, $out, $err) = run('report fig.yaml -q');
is("$exit$out$err", '0', 'its page');
like(slurp("$folder/figures.html"), qr{λ</i> = [^()]*1\.3[^()]*10<sup>5</sup>[^()]*\(fitted\)}, 'lambda is found again');
like(slurp("$folder/figures.html"), qr/9 points from p\.csv\./, 'the points are named');

# One image by its name.
($exit, $out, $err) = run('plot fig.yaml -o one.png');
is("$exit$out$err", "0wrote one.png\n", 'a file by its ending');
like(slurp("$folder/one.png"), qr/^\x89PNG/, 'in that format');
spew("$folder/fit.json", slurp("$srcdir/t/fits/sample.json"));
($exit, $out, $err) = run('plot fit.json --figure starts -o starts.pdf');
is("$exit$out$err", "0wrote starts.pdf\n", 'of a fit, too');
($exit, $out, $err) = run('plot --list');
is($exit . $err, '0', 'the list');
like($out, qr/^Figures of fits:\n(?:  \S+ +\S.*\n)+\nKinds of figure files:\n(?:  \S+ +\S.*\n){5}\nKinds of figures of scenes:\n(?:  \S+ +\S.*\n){7}\z/,
    'of all');

sub refused
{
    my ($line, $want, $message) = @_;
    my ($exit, $out, $err) = run($line);
    is("$exit: $out$err", "$want: contactfit plot: $message\n", $message);
}
refused('plot', 2, 'FILE... is missing; usage: contactfit plot FILE... [--figure NAME] [--format LIST] [-o DIR]');
refused('plot fig.yaml fit.json -o one.png', 2, '-o one.png: one image cannot take the figures of 2 files');
refused('plot fig.yaml -o one.png --format pdf', 2, '-o one.png: the ending is the format: leave --format out');
refused('plot fit.json -o one.png', 2,
    '-o one.png: a fit has several figures: name one with --figure, or a folder');
refused('plot fig.yaml --figure starts', 2,
    '--figure starts: fig.yaml is no fit, but a figure file, which is one');
refused('plot none.yaml', 1, 'none.yaml: cannot be read: No such file or directory');

# Rows: what is replaced in the good file or table, by what, and the message.
my @bad = (
    ['figure/1', 'study/1', 'fig.yaml:1:13: contactfit: study/1: a figure is wanted here: figure/1'],
    ['figure/1', 'figure/2', 'fig.yaml:1:13: contactfit: figure/2: this program reads figure/1'],
    ["contactfit: figure/1\n", '', 'fig.yaml:1:1: no key contactfit here: a figure begins with contactfit: figure/1'],
    ['kind: restitution', 'kind: restitutoin',
        'fig.yaml:2:7: unknown kind restitutoin: did you mean restitution?'],
    ["kind: restitution\n", '', 'fig.yaml:1:1: no key kind here: it is needed'],
    ['axis: log', 'axes: log', 'fig.yaml:3:1: unknown key axes: did you mean axis?'],
    ['axis: logarithmic', 'axis: log', 'fig.yaml:3:7: unknown axis log: did you mean logarithmic?'],
    ["speed: [1 cm/s, 5 m/s]\n", '', 'fig.yaml:1:1: no key speed here: it is needed'],
    ['[1 cm/s, 5 m/s]', '[-1 m/s, 5 m/s]', 'fig.yaml:4:8: speed: from -1 to 5 m/s: must lie in [1e-09, 1e+06]'],
    ['[1 cm/s, 5 m/s]', '[5 m/s, 1 cm/s]', 'fig.yaml:4:8: speed: from 5 to 0.01: the second must be the larger'],
    ['[1 cm/s, 5 m/s]', '[1 cm/s]', 'fig.yaml:4:8: speed: 1 values: two are wanted, [FROM, TO]'],
    ['[1 cm/s, 5 m/s]', '[1 cm, 5 m/s]',
        'fig.yaml:4:9: this entry: 1 cm: a length [m] where a speed [m/s] is wanted'],
    ['mass: 66 g', 'mass: 66 m', 'fig.yaml:5:7: mass: 66 m: a length [m] where a mass [kg] is wanted'],
    ["mass: 66 g\n", '', 'fig.yaml:7:5: azad-featherstone needs the mass that bounces: give mass, here or beside '
        . 'the curves, or bodies'],
    ['law: hunt-crossley', 'law: hunt-crosley', 'fig.yaml:9:11: unknown law hunt-crosley: did you mean hunt-crossley?'],
    ['law: hunt-crossley, a: 0.3', 'a: 0.3', 'fig.yaml:9:5: no key law here: it is needed'],
    [', a: 0.3', '', 'fig.yaml:9:5: hunt-crossley needs a [s/m] (damping factor, lambda/k)'],
    ['a: 0.3', 'a: 0.3 m/s', 'fig.yaml:9:29: a: 0.3 m/s: a speed [m/s] where an inverse speed [s/m] is wanted; '
        . 'no reciprocal is taken'],
    ['a: 0.3', 'b: 0.3', 'fig.yaml:9:26: unknown key or parameter b: known here: law, fit, speed, clamp, mass, '
        . 'k, a, effective_modulus, lambda, hc_slope, drake_dissipation'],
    ['a: 0.3', 'a: -0.3', 'fig.yaml:9:5: hunt-crossley: a = -0.3 s/m: must be in [0, 10000]'],
    ['a: 0.3', 'k: hertz, a: 0.3', 'fig.yaml:9:29: k: hertz needs bodies here, with their radii and moduli'],
    ['a: 0.3', 'a: hertz', 'fig.yaml:9:29: a: hertz gives k and nothing else'],
    ['a: 0.3', 'a: 0.3, speed: 1 m/s', 'fig.yaml:9:34: speed: a curve of a figure of kind restitution has none'],
    ['a: 0.3', 'a: 0.3, clamp: false', 'fig.yaml:9:34: clamp: a curve of a figure of kind restitution has none'],
    ['fit: lambda', 'fit: lamda', 'fig.yaml:8:57: unknown parameter lamda: did you mean lambda?'],
    ['lambda: 5e4, fit', 'fit', 'fig.yaml:8:44: fit: lambda has no value to start from: give it, too'],
    ["mass: 66 g\n", "mass: 66 g\ntarget: {law: e-linear, slope: 0.2}\n",
        'fig.yaml:6:1: target: a figure of kind restitution has none'],
    ["mass: 66 g\n", "mass: 66 g\npanels: []\n", 'fig.yaml:5:1: mass: it belongs to one of the panels'],
    ["mass: 66 g\n", "mass: 66 g\nbodies: {ball: {mass: 1 g}}\n",
        'fig.yaml:5:1: mass and bodies: one of them is wanted'],
    ['file: p.csv', 'file: q.csv', 'fig.yaml:6:16: file: q.csv: cannot be read: No such file or directory'],
    ['file: p.csv, ', '', 'fig.yaml:6:9: no key file here: it is needed'],
    ['speed: v_cm_s', 'speed: w_cm_s', 'fig.yaml:6:30: no column w_cm_s in p.csv (did you mean v_cm_s?): it has v_cm_s, e'],
    ['speed: v_cm_s, ', '', 'fig.yaml:6:9: no key speed here: it is needed'],
    ['restitution: e', 'restitution: v_cm_s',
        'fig.yaml:6:51: restitution: column v_cm_s is in cm/s: a pure number is wanted'],
    ['restitution: e', 'ratio: e', 'fig.yaml:6:38: unknown key ratio: known here: file, speed, restitution, delimiter, '
        . 'decimal, thousands, encoding, block, header_line, names, unit_row'],
    ['restitution: e', 'restitution: e, header_line: 90', 'fig.yaml:6:16: file: p.csv: header_line: 90: the file has 11 lines'],
    ['restitution: e', 'restitution: e, unit_row: true', 'p.csv:3:1: unit_row: 2 is a number: this row has no units'],
    ['curves:', 'curve:', 'fig.yaml:7:1: unknown key curve: did you mean curves?'],
);
for my $row (@bad) {
    my ($old, $new, $message) = @$row;
    my $n = () = $good =~ /\Q$old\E/g;
    die "$old: found $n times\n" if $n != 1;
    spew("$folder/fig.yaml", $good =~ s/\Q$old\E/$new/r);
    refused('plot fig.yaml', 1, $message);
}
spew("$folder/fig.yaml", $good);
for my $row (
    ["v_cm_s,e\n-2,0.8\n", 'p.csv:2:1: speed: -0.02 m/s: must be in [1e-09, 1e+06]'],
    ["v_cm_s,e\n2,2.5\n", 'p.csv:2:3: restitution: 2.5: must be in [0, 2]'],
    ["v_cm_s,e\n2,\n,0.5\n", 'p.csv: no row has both speed and restitution'],
    ["v_cm_s,e\n2,0.8\n", 'fig.yaml:8:5: azad-featherstone: 1 point: lambda is fitted to two or more'],
) {
    spew("$folder/p.csv", $row->[0]);
    refused('plot fig.yaml', 1, $row->[1]);
}

# Of the other kinds.
my %kind = (
    friction => "contactfit: figure/1\nkind: friction\nslip: [0, 0.1]\ncurves:\n  - {law: mu-tanh, mu_c: 0.3, v_t: 0.01, sigma_2: 0}\n",
    loops => "contactfit: figure/1\nkind: loops\nmass: 1 kg\ncurves:\n  - {law: linear, k: 1e5, lambda: 50, speed: 1}\n",
    'damping-factor' => "contactfit: figure/1\nkind: damping-factor\nrestitution: [0.1, 1]\ncurves:\n  - {law: gonthier}\n",
    'restitution-ratio' => "contactfit: figure/1\nkind: restitution-ratio\nspeed: [0.1, 2]\n"
        . "target: {law: e-linear, slope: 0.2}\ncurves:\n  - {law: gonthier, v_small: 0}\n",
);
for my $row (
    ['loops', '', '', undef],
    ['loops', 'mass: 1 kg', "mass: 1 kg\naxis: logarithmic", 'fig.yaml:4:7: axis: a figure of kind loops has linear axes'],
    ['loops', 'mass: 1 kg', "mass: 1 kg\ndepth: [0, 1]", 'fig.yaml:4:1: depth: the curves of a figure of kind loops find their own range'],
    ['loops', ', speed: 1', '', 'fig.yaml:5:5: no key speed here: it is needed'],
    ['loops', 'speed: 1', 'speed: -1', 'fig.yaml:5:46: speed: -1: must be above 0'],
    ['loops', "mass: 1 kg\n", '', 'fig.yaml:4:5: linear needs the mass that bounces: give mass, here or beside the curves, or bodies'],
    ['loops', 'speed: 1', 'speed: 1, clamp: false', undef],
    ['loops', 'speed: 1', 'speed: 1, clamp: no', 'fig.yaml:5:56: clamp: no: true or false is wanted'],
    ['loops', 'lambda: 50, speed: 1', 'lambda: 5e4, speed: 1, clamp: false',
        'fig.yaml:5:5: linear: lambda = 50000 N s/m: without the clamp the body comes back only where lambda is below 2 sqrt(k m) = 632.456 N s/m'],
    ['loops', 'linear, k: 1e5, lambda: 50, speed: 1', 'hunt-crossley, k: 1e8, a: 0.1, speed: 1, clamp: false',
        'fig.yaml:5:52: clamp: false is for the law linear: the force of hunt-crossley is never drawn without its clamp'],
    ['loops', 'linear, k: 1e5, lambda: 50', 'e-constant, e: 0.5',
        'fig.yaml:5:11: law e-constant in a figure of kind loops: it predicts restitution only, and no force'],
    ['loops', 'speed: 1', 'speed: 1, fit: lambda', 'fig.yaml:5:49: fit: curves of a figure of kind loops are not fitted'],
    ['friction', '', '', undef],
    ['friction', 'friction', "friction\naxis: logarithmic", 'fig.yaml:4:7: slip: from 0: a logarithmic axis begins above 0'],
    ['friction', '[0, 0.1]', '[-1, 0.1]', 'fig.yaml:3:7: slip: from -1 to 0.1 m/s: must lie in [0, 1e+06]'],
    ['friction', "slip: [0, 0.1]\n", '', 'fig.yaml:1:1: no key slip here: it is needed'],
    ['friction', 'mu-tanh', 'f-tanh', 'fig.yaml:5:19: unknown key or parameter mu_c: did you mean f_c?'],
    ['friction', 'mu-tanh, mu_c: 0.3, v_t: 0.01, sigma_2: 0', 'gonthier, k: 1e6, e: 0.5, v_small: 0',
        'fig.yaml:5:11: law gonthier in a figure of kind friction: a friction coefficient over the slip speed is wanted, such as mu-drake'],
    ['friction', ', v_t: 0.01', '', 'fig.yaml:5:5: mu-tanh needs v_t [m/s] (speed at which friction settles)'],
    ['damping-factor', '', '', undef],
    ['damping-factor', 'gonthier', 'tsuji', 'fig.yaml:5:11: law tsuji in a figure of kind damping-factor: it is not driven by a wanted restitution e'],
    ['damping-factor', 'gonthier', 'gonthier, e: 0.5', 'fig.yaml:5:21: e: a figure of this kind sets it: leave it out'],
    ['damping-factor', '[0.1, 1]', '[0.1, 1.5]', 'fig.yaml:3:14: restitution: from 0.1 to 1.5: must lie in [0.001, 1]'],
    ['restitution-ratio', '', '', undef],
    ['restitution-ratio', "target: {law: e-linear, slope: 0.2}\n", '', 'fig.yaml:1:1: no key target here: it is needed'],
    ['restitution-ratio', 'e-linear, slope: 0.2', 'gonthier', 'fig.yaml:4:9: target: gonthier: a law of restitution is wanted, such as e-linear'],
    ['restitution-ratio', ', slope: 0.2', '', 'fig.yaml:4:9: e-linear needs slope [s/m] (fall of e per m/s)'],
    ['restitution-ratio', '[0.1, 2]', '[0.1, 6]', 'fig.yaml:6:5: gonthier: the target e-linear asks for e = 0 at 5.017 m/s: it must be above 0 and at most 1 over the whole range of speed'],
) {
    my ($name, $old, $new, $message) = @$row;
    spew("$folder/fig.yaml", $old eq '' ? $kind{$name} : $kind{$name} =~ s/\Q$old\E/$new/r);
    if (defined $message) {
        refused('plot fig.yaml', 1, $message);
    } else {
        ($exit, $out, $err) = run('plot fig.yaml -q');
        is("$exit$out$err", '0', "$name $new");
    }
}

# What a file says never reaches gnuplot, and the page only as text.
spew("$folder/fig.yaml", "contactfit: figure/1\ntitle: '`touch pwned` <b>\@_{x}'\ncaption: \"' ; system('touch pwned')\"\n"
    . substr $kind{loops}, length "contactfit: figure/1\n");
($exit, $out, $err) = run('report fig.yaml -q');
is("$exit$out$err", '0', 'hostile texts');
ok(!-e "$folder/pwned", 'run nothing');
like(slurp("$folder/figures.html"), qr/<h2>&#96;touch pwned&#96; &lt;b&gt;\@_\{x\}<\/h2>/, 'and are shown');

done_testing();
