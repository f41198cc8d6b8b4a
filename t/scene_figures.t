#!/usr/bin/perl
# Figures of scenes: each kind is drawn, the same bytes twice, errors in a file are reported
# with their place, and every scene that ships has its figures and its row in doc/scenes.md.

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

my $good = <<'END';
contactfit: scene/1
title: Two balls
source: made up for this test
notes: [a note <b>]
gravity: 10 m/s^2
duration: 0.3 s
bodies:
  ball:   {sphere: {radius: 10 mm}, mass: 66 g, inertia: solid, position: [0 m, 0 m, 0.11 m], velocity: [0.5 m/s, 0 m/s, 0 m/s]}
  big_ball: {sphere: {radius: 20 mm}, mass: 66 g, inertia: solid, position: [1 m, 0 m, 0.15 m]}
  ground: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}
contacts:
  - between: [ball, ground]
    normal: {law: azad-featherstone, k: 1e8, lambda: 1e4}
    friction: {law: clutch, mu: 0.2, k_t: 1e8, d_t: 1e4, c_v: 0}
  - {between: [big_ball, ground], normal: {law: azad-featherstone, k: 1e8, lambda: 1e4}}
figures:
  - {name: heights, source: "Fig. 1", what: heights, kind: series, y: [ball_z_m, big_ball_z_m]}
  - name: speeds
    kind: series
    during: [0.1 s, 0.2 s]
    panels:
      - {y: [ball_vx_m_s, {of: ball_v_m_s, as: speed}], unit: cm/s}
      - {y: [{of: [ball_z_m, ball_x_m], less: 1 cm, times: -2}], axis: a sum, range: [-0.5 m, 0 m]}
  - {name: loop, kind: path, x: ball-ground_depth_m, y: [ball-ground_normal_N], x-range: [0 um, 90 um]}
  - {name: way, kind: path, x: ball_x_m, y: [ball_z_m], equal: true, start: true}
  - {name: space, kind: path3d, body: ball, start: true, frame: {axis: [0, 0, 1], angle: 30 deg}}
  - {name: energy, kind: energy, level: 1 cm}
  - name: sweep
    kind: sweep
    over: {set: contacts.1.normal.lambda, as: damping, values: [0, 1e3, 1e4]}
    lines: {set: [bodies.ball.mass, bodies.big_ball.mass], as: m, values: [66 g, 132 g]}
    y: energy-loss
  - name: rivals
    kind: variants
    variants:
      - {as: the scene}
      - {as: rk4, set: {solver.method: rk4, solver.step: 50 us}}
      - {as: faster, set: {bodies.ball.velocity: [1 m/s, 0 m/s, 0 m/s]}}
    panels: [{y: [{of: ball_z_m, as: height}], unit: cm}, {y: [ball_vx_m_s], axis: along x}]
  - {name: tilt, y: [ball_tilt_rad], unit: deg, kind: series}
END
my @names = qw(bodies heights speeds loop way space energy sweep rivals tilt);
spew("$folder/s.yaml", $good);
my ($exit, $out, $err) = run('plot s.yaml');
is("$exit$out$err", '0' . join('', map { "wrote s-$_.svg\n" } @names), 'every figure is drawn');
my %svg = map { $_ => slurp("$folder/s-$_.svg") } @names;
for my $name (@names) {
    is(balanced($svg{$name}), '', "$name is well-formed");
    unlike($svg{$name}, qr/nan|inf\b/i, "$name: nothing that is no number");
    ok(length $svg{$name} < 100_000, "$name is small");
}
my %says = (
    bodies => [qr/\bball, radius 10 mm/, qr/\bbig_ball, radius 20 mm/, qr/x \/ m/, qr/300 ms/],
    heights => [qr/time t \/ ms/, qr/position \/ mm/, qr/\bz of ball/, qr/\bz of big_ball/],
    speeds => [qr/velocity \/ \(cm\/s\)/, qr/vx/, qr/speed/, qr/a sum \/ m/, qr/time t \/ ms/],
    loop => [qr/normal force fn \/ N/, qr/compression z \/ µm/],
    way => [qr/position z \/ mm/, qr/position x \/ mm/],
    space => [qr/on the ground/, qr/in space/, qr/\bz \/ m/],
    energy => [qr/total/, qr/bodies/, qr/springs/, qr/lost/, qr/energy \/ mJ/],
    sweep => [qr/m = 66 g/, qr/m = 132 g/, qr/energy lost \/ % of the kinetic one/, qr/damping/],
    rivals => [qr/the scene/, qr/rk4/, qr/faster/, qr/height \/ cm/, qr/along x \/ \(m\/s\)/, qr/time t \/ ms/],
    tilt => [qr/tilt θ \/ (°|deg)/],
);
for my $name (@names) {
    like(line($svg{$name}), $_, "$name says $_") for @{$says{$name}};
}
run('plot s.yaml -o . -q');
is_deeply([map { slurp("$folder/s-$_.svg") } @names], [@svg{@names}], 'the same bytes again');
($exit, $out, $err) = run('plot s.yaml --figure way -o way.png');
is("$exit$out$err", "0wrote way.png\n", 'one image by its name');
like(slurp("$folder/way.png"), qr/^\x89PNG\r\n/, 'in the format of its ending');
($exit, $out, $err) = run('plot s.yaml --figure energy --format pdf,png -q');
is("$exit$out$err", '0', 'two formats');
like(slurp("$folder/s-energy.pdf"), qr/^%PDF-1/, 'one of them PDF');

# The page.
($exit, $out, $err) = run('report s.yaml -o page.html');
is("$exit$out$err", "0wrote page.html\n", 'a page by its name');
my $page = slurp("$folder/page.html");
is(balanced($page =~ s/<(?:!DOCTYPE|meta|img|br)[^>]*>//gr), '', 'it is well-formed');
is_deeply([map { shown($_) } $page =~ m{(<svg.*?</svg>)}gs], [map { shown($_) } @svg{@names}], 'with every figure');
unlike($page, qr/src=|href="(?!#)|url\(/, 'it loads nothing');
like($page, qr{<h2>Two balls</h2>\n<p class="sub">made up for this test</p>}, 'title and source');
like($page, qr{<figcaption><b>Fig\. 1</b>&ensp;heights</figcaption>}, 'a caption');
like($page, qr{<li>a note &lt;b&gt;</li>}, 'a note');
like($page, qr{<dt>Contacts</dt><dd>\d+ begin, the first at <span class="n">0\.1414213562<}, 'the first touch');
like($page, qr{The \d+ contacts</summary>}, 'the list of contacts');
like($page, qr{the energy balance closes to <span class="n">[^<]*10<sup>&minus;1\d</sup></span> of the}, 'the energy residual');
($exit, $out, $err) = run('report s.yaml -q');
ok(-s "$folder/figures.html", 'beside the scene it is called figures.html');

sub refused
{
    my ($line, $want, $message) = @_;
    my ($exit, $out, $err) = run($line);
    is("$exit: $out$err", "$want: contactfit plot: $message\n", $message);
}
refused('plot s.yaml --figure wey', 2, '--figure wey: s.yaml has none of that name: did you mean way?');
refused('plot s.yaml -o one.svg', 2,
    '-o one.svg: s.yaml has several figures: name one with --figure, or a folder');

# What is replaced in the good file, by what, and the message.
my @bad = (
    ['kind: series, y', 'kind: serie, y', 'bad.yaml:17:60: unknown kind serie: did you mean series?'],
    ['kind: series, y', 'y', 'bad.yaml:17:5: no key kind here: it is needed'],
    ['name: heights, ', '', 'bad.yaml:17:5: no key name here: it is needed'],
    ['name: heights', 'name: he/ights',
        'bad.yaml:17:12: name he/ights: a letter, then letters, digits, _ and - are wanted'],
    ['name: loop', 'name: heights', 'bad.yaml:24:12: name: there is a figure heights already'],
    ['y: [ball_z_m, big', 'z: [ball_z_m, big',
        'bad.yaml:17:68: unknown key z: known here: name, kind, source, what, y, axis, unit, range, '
        . 'panels, during, frame'],
    ['[ball_z_m, big_ball', '[ball_zm, big_ball', 'bad.yaml:17:72: unknown column ball_zm: did you mean ball_z_m?'],
    ['[ball_z_m, big_ball', '[bal_tilt_rad, big_ball',
        'bad.yaml:17:72: unknown body that turns bal: did you mean ball?'],
    ['[ball_z_m, big_ball_z_m]', '[ball_tilt_rad, ball_z_m]',
        'bad.yaml:17:87: y: this one is in m, the first one in rad: a panel has one axis'],
    ['[ball_z_m, big_ball_z_m]', '[]', 'bad.yaml:17:71: y: 0: from 1 to 8 are wanted'],
    ['[ball_z_m, big_ball_z_m]', '[ball_z_m, ball_vz_m_s]',
        'bad.yaml:17:82: y: this one is in m/s, the first one in m: a panel has one axis'],
    ['[ball_z_m, ball_x_m], less', '[ball_z_m, ball_vx_m_s], less',
        'bad.yaml:23:30: of: ball_vx_m_s is in m/s, the first one in m: they cannot be added'],
    ['[ball_z_m, ball_x_m], less', '[], less', 'bad.yaml:23:19: of: no columns: one or more are wanted'],
    ['of: ball_v_m_s, ', '', 'bad.yaml:22:27: no key of here: it is needed'],
    ['as: speed', 'as: "sp{eed"',
        'bad.yaml:22:49: as: sp{eed: at most 48 letters, digits, blanks and .,()+-=/| are wanted'],
    ['less: 1 cm', 'less: 1 kg', 'bad.yaml:23:47: less: 1 kg: a mass [kg] where a length [m] is wanted'],
    ['unit: cm/s', 'unit: cmm/s', 'bad.yaml:22:63: unit: unknown unit "cmm" in "cmm/s": did you mean "Nmm"?'],
    ['unit: cm/s', 'unit: cm', 'bad.yaml:22:63: unit: cm: a unit like m/s is wanted'],
    ['range: [-0.5 m, 0 m]', 'range: [0 m, -0.5 m]',
        'bad.yaml:23:86: range: from 0 to -0.5: the second must be the larger'],
    ['during: [0.1 s, 0.2 s]', 'during: [0.1 s, 0.4 s]',
        'bad.yaml:20:13: during: from 0.1 s to 0.4 s: must be two times in the scene\'s 0 s to 0.3 s, the '
        . 'later one second'],
    ["    panels:\n", "    y: [ball_z_m]\n    panels:\n", 'bad.yaml:21:5: y: it belongs to one of the panels'],
    ['x: ball-ground_depth_m, ', '', 'bad.yaml:24:5: no key x here: it is needed'],
    ['y: [ball_z_m], equal', 'y: [ball_vz_m_s], equal', 'bad.yaml:25:60: equal: the axes are in m and in m/s'],
    ['equal: true', 'equal: yes', 'bad.yaml:25:64: equal: yes: true or false is wanted'],
    ['body: ball', 'body: bal', 'bad.yaml:26:39: unknown moving body bal: did you mean ball?'],
    ['angle: 30 deg', 'angle: 30 m', 'bad.yaml:26:90: angle: 30 m: a length [m] where an angle [rad] is wanted'],
    ['level: 1 cm', 'level: 1 s', 'bad.yaml:27:41: level: 1 s: a time [s] where a length [m] is wanted'],
    ['values: [0, 1e3, 1e4]', 'values: []', 'bad.yaml:30:64: values: 0: from 1 to 400 are wanted'],
    ['values: [0, 1e3, 1e4]', 'values: [0, none]',
        'bad.yaml:30:68: none: a number is wanted, with its unit if it has one'],
    ['values: [66 g, 132 g]', 'values: [66 g, 132 kg]',
        'bad.yaml:31:82: 132 kg: the value before it is in g: one unit for all is wanted'],
    ['values: [66 g, 132 g]', 'values: [66 gg, 132 gg]', 'bad.yaml:31:76: 66 gg: unknown unit "gg": did you mean "kg"?'],
    ['values: [0, 1e3, 1e4]', 'from: 2, to: 1, count: 3', 'bad.yaml:30:69: to: 1: it must be larger than from'],
    ['values: [0, 1e3, 1e4]', 'from: 1, to: 2', 'bad.yaml:30:11: no key count here: it is needed'],
    ['set: contacts.1.normal.lambda', 'set: contacts.1.normal.lamda',
        '-p contacts.1.normal.lamda: no lamda in bad.yaml: did you mean lambda? (in a sweep, with '
        . 'contacts.1.normal.lamda = 0)'],
    ['values: [0, 1e3, 1e4]', 'values: [-1, 1e3]',
        'bad.yaml:13:13: lambda = -1 N s/m^1.5: must be in [0, 1e+12] (in a sweep, with '
        . 'contacts.1.normal.lambda = -1)'],
    ['y: energy-loss', 'y: energy', 'bad.yaml:32:8: unknown result energy: did you mean energy-loss?'],
    ['{as: the scene}', '{ass: the scene}', 'bad.yaml:36:10: unknown key ass: did you mean as?'],
    ['{as: the scene}', '{set: {}}', 'bad.yaml:36:9: no key as here: it is needed'],
    ["      - {as: the scene}\n      - {as: rk4, set: {solver.method: rk4, solver.step: 50 us}}\n", '',
        'bad.yaml:36:7: variants: 1: from 2 to 8 are wanted'],
    ['solver.step: 50 us', 'solver.stp: 50 us', 'bad.yaml:37:45: unknown key stp: did you mean step? (variant rk4)'],
    ['solver.step: 50 us', 'solver.step: 50 g',
        'bad.yaml:37:58: step: 50 g: a mass [kg] where a time [s] is wanted (variant rk4)'],
    ['solver.step: 50 us', 'contacts.3.relaxation: 1 s',
        'bad.yaml:37:45: contacts.3.relaxation: no 3 in bad.yaml: a number from 1 to 2 is wanted (variant rk4)'],
    ['solver.step: 50 us', 'gravity.z: 1 m/s^2',
        'bad.yaml:37:45: gravity.z: no z here: what stands before it is a value (variant rk4)'],
    ['solver.method: rk4, ', '',
        'bad.yaml:37:25: step: the adaptive method chooses its own: name a method, such as method: rk4 (variant rk4)'],
    ['{solver.method: rk4, solver.step: 50 us}', '{figures.1.name: rk4}',
        'bad.yaml:37:25: set: figures: it is the same for all variants'],
    ['{solver.method: rk4, solver.step: 50 us}', '{duration: 1 s}',
        'bad.yaml:37:25: set: duration: it is the same for all variants'],
    ['{solver.method: rk4, solver.step: 50 us}', '[rk4]', 'bad.yaml:37:24: set: a list [...] where a mapping {...} is wanted'],
    ['[ball_vx_m_s], axis: along x', '[ball_vx_m_s, ball_vz_m_s]',
        'bad.yaml:39:63: y: 2: one is wanted, which is drawn for each of the variants'],
    ['bodies.ball.velocity: [1 m/s, 0 m/s, 0 m/s]', 'contacts.1.friction: {law: coulomb, mu: 0.2}',
        'bad.yaml:38:49: coulomb needs v_e [m/s] (speed below which friction falls to 0) (variant faster)'],
);
for my $row (@bad) {
    my ($old, $new, $message) = @$row;
    my $n = () = $good =~ /\Q$old\E/g;
    die "$old: found $n times\n" if $n != 1;
    spew("$folder/bad.yaml", $good =~ s/\Q$old\E/$new/r);
    refused('plot bad.yaml', 1, $message);
}
# a scene that lists none has the picture of its bodies, if these have an extent
my $bare = $good =~ s/figures:.*//sr;
spew("$folder/bare.yaml", $bare);
($exit, $out, $err) = run('plot bare.yaml');
is("$exit$out$err", "0wrote bare-bodies.svg\n", 'a scene without figures has its bodies');
($exit, $out, $err) = run('plot bare.yaml -o bare.svg');
is("$exit$out$err", "0wrote bare.svg\n", 'as one image, too');
$bare =~ s/sphere: \{radius: \d+ mm\}(.*?)inertia: solid/point: {}$1inertia: [1 kg m^2, 1 kg m^2, 1 kg m^2]/g;
spew("$folder/bare.yaml", $bare);
refused('plot bare.yaml', 1, 'bare.yaml: no figures in it: the key figures lists them');
my $small = $good =~ s/figures:.*/figures:\n  - {name: a, kind: series, y: [ball_z_m]}\n/sr;
spew("$folder/one.yaml", $small);
($exit, $out, $err) = run('plot one.yaml -o one.svg');
is("$exit$out$err", "0wrote one.svg\n", 'a scene with one figure');

# What ships: its figures are read, and one that is quick is drawn.
my $table = slurp("$srcdir/doc/scenes.md");
my @shipped = map { m{([^/]+)\.yaml$} } sort glob "$srcdir/scenes/*.yaml";
for my $scene (@shipped) {
    my $text = slurp("$srcdir/scenes/$scene.yaml");
    ($exit, $out, $err) = contactfit('plot', "$srcdir/scenes/$scene.yaml", '--figure', '-');
    is($err, "contactfit plot: --figure -: $srcdir/scenes/$scene.yaml has none of that name\n",
        "$scene: its figures are read");
    like($text, qr/^figures:\n  - name: /m, "$scene has figures");
    like($text, qr/^notes:\n  - /m, "$scene reports what was found");
    ok($table =~ /^\| `\Q$scene\E` \|/m, "$scene has its row in doc/scenes.md");
}
($exit, $out, $err) = contactfit('plot', map({ "$srcdir/scenes/$_.yaml" }
    grep { /af1|bowden|benchmark|accommodation/ } @shipped), '-o', $folder, '-q');
is("$exit$out$err", '0', 'the quick ones are drawn');
unlike(join('', map { slurp($_) } glob "$folder/[ag]*.svg"), qr/nan|inf\b/i, 'with numbers only');

# What a file says reaches gnuplot as harmless words only, and the page as text.
spew("$folder/x.yaml", $small =~ s/title: Two balls/title: "`touch pwned` <i>"/r
    =~ s/kind: series,/what: "' ; system('touch pwned')", kind: series,/r);
($exit, $out, $err) = run('report x.yaml -o x.html -q');
is("$exit$out$err", '0', 'hostile texts');
ok(!-e "$folder/pwned", 'run nothing');
like(slurp("$folder/x.html"), qr/<h2>&#96;touch pwned&#96; &lt;i&gt;<\/h2>/, 'and are shown');

done_testing();
