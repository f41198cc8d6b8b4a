#!/usr/bin/perl
# Fits of friction in exports: slides alone and beside a fit of impacts, joints, and impacts at an
# angle; what the target's form of it loses, and what has no place. The oracles are brute force.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use List::Util qw(max min);
use Program;
use Synthetic;
use Test::More;

draw_no_figures();

my $scratch = tempdir(CLEANUP => 1);
my $impacts = synthetic($scratch, 'kk', 'azad-featherstone');
my $hunt = synthetic($scratch, 'hc', 'hunt-crossley');

# A fit of a law to 30 rows of a curve, with no scatter but that of a sine.
sub slides
{
    my ($name, $law, $curve, %more) = @_;
    my ($protocol, $unit, $channel) = @{$more{of} // ['slide', 'm/s', 'coefficient']};
    my $text = "contactfit: study/1\nlaw: $law\ndata:\n  - name: d\n    protocol: $protocol\n    rows:\n";
    for my $i (0 .. 29) {
        my $v = ($more{slowest} // 0.001) * 10**(2.3 * $i / 29) * ($more{both} && $i % 2 ? -1 : 1);
        my $y = $curve->(abs $v) * (1 + 0.002 * sin(7.1 * $i * $i)) * ($v < 0 ? -1 : 1);
        $text .= sprintf "      - {speed: %.9g %s, %s: %.9g%s}\n", $v, $unit, $channel, $y, $more{unit} // '';
    }
    spew("$scratch/$name.yaml", "$text    sigma: {$channel: 0.2 %}\n" . ($more{end} // ''));
    my ($code, undef, $err) = contactfit('fit', '-q', "$scratch/$name.yaml", '-o', $scratch);
    die "$name: $err\n" if $code;
    return "$scratch/$name.json";
}

sub numbers
{
    my ($file) = @_;
    my $all = decode_json(slurp($file))->{parameters};
    return map { $_ => $all->{$_}{value} } keys %$all;
}

my $mu = sub { 0.12 * (1 + 0.5 * exp(-($_[0] / 0.02)**2)) + 0.4 * $_[0] };
my $stribeck = slides('stribeck', 'mu-stribeck', $mu);
my $coulomb = slides('coulomb', 'mu-coulomb', sub { 0.3 });
my $steps = slides('steps', 'mu-drake', sub {
    my $r = $_[0] / 0.02;
    my $x = $r < 1 ? $r : min(1, ($r - 1) / 2);
    my $step = $x**3 * (10 + $x * (6 * $x - 15));
    return $r < 1 ? 0.3 * $step : 0.3 - 0.1 * $step;
}, slowest => 0.01);
my @hinge = (of => ['slide_rotary', 'rad/s', 'torque'], unit => ' N m', slowest => 0.1, both => 1);
my $hinge = slides('hinge', 't-stribeck', sub { 0.5 * (1 + 0.4 * exp(-($_[0] / 2)**2)) + 0.02 * $_[0] }, @hinge);
my $plain = slides('plain', 't-viscous', sub { 0.5 + 0.02 * $_[0] }, @hinge);
my $rail = slides('rail', 'f-coulomb', sub { 3 }, of => ['slide', 'm/s', 'force'], unit => ' N');

# As the fit has it.
my %s = numbers($stribeck);
my $fitted = sub { $s{mu_c} * (1 + $s{rise} * exp(-($_[0] / $s{v_s})**2)) + $s{sigma_2} * $_[0] };
my @grid = map { 0.001 * 10**(2.3 * $_ / 20000) } 0 .. 20000;
my @on_grid = map { $fitted->($_) } @grid;
my $constant = (max(@on_grid) + min(@on_grid)) / 2;
my $off = (max(@on_grid) - min(@on_grid)) / 2;

sub answer
{
    my ($target, @more) = @_;
    my ($code, $out, $err) = contactfit('export', '--json', '--to', $target, @more);
    diag("$target @more: $code $err") if $code;
    return decode_json($out || '{"fits": [{}]}')->{fits}[0];
}

# ---- a coefficient alone

my %alone = (
    csv => qr/mu-stribeck,mu_c,.*mu-stribeck,rise,.*mu-stribeck,v_s,.*mu-stribeck,sigma_2,/s,
    json => qr/"law": "mu-stribeck"/,
    latex => qr/mu\\_c & .*rise & .*v\\_s & .*sigma\\_2 & /s,
    mujoco => qr/<geom priority="1" condim="3" friction="(\S+) 0\.005 0\.0001"\/>\n\s*<pair condim/,
    gazebo => qr/<surface>\s*<friction><ode><mu>([^<]+)<\/mu><mu2>[^<]+<\/mu2><\/ode><\/friction>\s*<\/surface>/,
    gz => qr/<surface>\s*<friction><ode><mu>([^<]+)<\/mu><mu2>[^<]+<\/mu2><\/ode><\/friction>\s*<\/surface>/,
    urdf => qr/<contact>\s*<lateral_friction value="([^"]+)"\/>\s*<\/contact>.*<lateral_friction value="1"/s,
    bullet => qr/\n\{\n    a->setFriction\((\S+)\);\n    b->setFriction\(1\);\n\}/,
    ode => qr/\n\{\n    \(void\) h;\n    s->mode = 0;\n    s->mode \|= dContactApprox1;\n    s->mu = (\S+);\n\}/,
    'ode-bounce' => qr/s->mode = 0;\n    s->mode \|= dContactApprox1;\n    s->mu = (\S+);\n\}/,
    dart => qr/\n\{\n    a\.setFrictionCoeff\((\S+)\);\n    b\.setFrictionCoeff\(\1\);\n\}/,
    physx => qr/staticFriction = 0\.18\d+\n    float physics:dynamicFriction = (\S+)\n\}/,
    map({ $_ => qr/drake:mu_static.{0,8}0\.18\d+.*drake:mu_dynamic(?: value="|>)([0-9.]+)/s }
        qw(drake drake-sap drake-sdf drake-sap-sdf)),
    map({ $_ => qr/^    static_friction: 0\.18\d+\n    dynamic_friction: (\S+)$/m }
        qw(drake-yaml drake-sap-yaml)),
);
my (undef, $listed) = contactfit(qw(export --list));
my @targets = map { /^(\S+)/ } split /\n/, $listed;
my $places = join(', ', grep { $alone{$_} } @targets) =~ s/, (\S+)$/ and $1/r;

for my $target (@targets) {
    my ($code, $text, $err) = contactfit('export', '--to', $target, $stribeck);
    if ($target =~ /^(?:c-header|python|javascript)$/) {
        is("$code $err", "1 contactfit export: stribeck: $target has no place for friction, mu-stribeck: $places have one\n",
           "$target: refused");
        next;
    }
    if (!$alone{$target}) {
        is("$code $err", "1 contactfit export: stribeck: $target has no text of friction alone, mu-stribeck: give it "
            . "beside a fit of impacts, export --to $target IMPACTS.json --friction stribeck.json; alone it goes to $places\n",
            "$target: refused");
        next;
    }
    is($code, 0, "$target: exit 0");
    like($text, $alone{$target}, "$target: has it");
    unlike($text, qr/\bnan\b/, "$target: and nothing that is not known");
    next if $target =~ /^(csv|json|latex)$/;
    is_near(($text =~ $alone{$target})[0], $constant, 1e-5, "$target: the middle of the curve");
    my $form = $target =~ /drake|physx/ ? 'mu_S at rest and one constant where it slides' : 'one constant';
    # the middle is off by as much at the least and at the greatest of the curve
    like($err, qr/: friction: mu-stribeck as $form, off by at most 0\.032 (?:\(16 %\) from 0\.001 to 0\.2 m\/s, at 0\.2|\(23 %\) from 0\.001 to 0\.2 m\/s, at 0\.0366) m\/s\n/,
        "$target: and what is lost");
    like($text, qr/friction: mu-stribeck as $form, off by at most 0\.032/, "$target: in its head, too");
}
{
    my $lost = answer('mujoco', $stribeck)->{friction};
    is_near($lost->{error}, $off, 1e-4, 'the largest difference');
    is_near($lost->{share}, $off / $fitted->($lost->{at}), 1e-4, 'and its share of the friction there');
    $lost = answer('mujoco', $coulomb)->{friction};
    is($lost->{error}, 0, 'a constant loses nothing');
    my (undef, undef, $err) = contactfit(qw(export --to mujoco), $coulomb);
    is($err, "coulomb to MuJoCo: exact\ncoulomb to MuJoCo: friction: mu-coulomb as one constant, as fitted "
        . "from 0.001 to 0.2 m/s\n", 'and that is said');
}

# ---- joints

my %joint = (
    mujoco => qr/<default class="contactfit_1">\n      <joint frictionloss="(\S+)" damping="(\S+)"\/>/,
    gazebo => qr/type="revolute">.*<damping>(?<d>\S+)<\/damping>\s*<friction>(?<c>\S+)<\/friction>/s,
    gz => qr/type="revolute">.*<damping>(?<d>\S+)<\/damping>\s*<friction>(?<c>\S+)<\/friction>/s,
    urdf => qr/type="continuous">.*<dynamics damping="(?<d>\S+)" friction="(?<c>\S+)"\/>/s,
    dart => qr/joint\.setCoulombFriction\(dof, (\S+)\);\n    joint\.setDampingCoefficient\(dof, (\S+)\);/,
);
my %t = numbers($hinge);
my $torque = sub { $t{t_c} * (1 + $t{rise} * exp(-($_[0] / $t{w_s})**2)) + $t{d_2} * $_[0] };
my @w = map { 0.1 * 10**(2.3 * $_ / 2000) } 0 .. 2000;

# the line nearest to it, by trial of slopes
my ($least, $slope, $dry) = (1e9);
for my $try (0 .. 600) {
    my $d = 0.03 * $try / 600;
    my @rest = map { $torque->($_) - $d * $_ } @w;
    my ($low, $high) = (min(@rest), max(@rest));
    ($least, $slope, $dry) = (($high - $low) / 2, $d, ($high + $low) / 2) if ($high - $low) / 2 < $least;
}

my $have = join(', ', grep { $joint{$_} || /^(csv|json|latex)$/ } @targets) =~ s/, (\S+)$/ and $1/r;
for my $target (@targets) {
    my ($code, $text, $err) = contactfit('export', '--to', $target, $hinge);
    if ($target =~ /^(csv|json|latex)$/) {
        like($text, qr/t-stribeck/, "$target: the curve of a joint") if $target ne 'latex';
        is("$code", 0, "$target: of a joint");
        next;
    }
    if (!$joint{$target}) {
        is("$code $err", "1 contactfit export: hinge: $target has no place for the friction of a joint, t-stribeck: $have have one\n",
            "$target: no joints");
        next;
    }
    like($text, $joint{$target}, "$target: a joint");
    $text =~ $joint{$target};
    my ($c, $d) = defined $+{c} ? ($+{c}, $+{d}) : ($1, $2);
    is_near($c, $dry, 2e-3, "$target: dry friction of the nearest line");
    is_near($d, $slope, 2e-2, "$target: and its viscous part");
    like($err, qr/: friction: t-stribeck as dry and viscous friction, off by at most 0\.\d+ N m \(\S+ %\) from 0\.1 to 20 rad\/s, at \S+ rad\/s\n/,
        "$target: and what is lost");
    ($code, $text) = contactfit('export', '-q', '--to', $target, $plain);
    my %p = numbers($plain);
    $text =~ $joint{$target};
    ($c, $d) = defined $+{c} ? ($+{c}, $+{d}) : ($1, $2);
    ok(abs($c - $p{t_c}) < 1e-9 && abs($d - $p{d_2}) < 1e-9, "$target: a line as it is");
}
is_near(answer('dart', $hinge)->{friction}{error}, $least, 2e-3, 'no other line is nearer');
is(answer('dart', $plain)->{friction}{error}, 0, 'a line loses nothing');
like((contactfit(qw(export -q --to urdf), $rail))[1],
    qr/type="prismatic">.*<limit .*<dynamics damping="0" friction="[23]\.\d+"\/>/s, 'a force over m/s is of a slider');
{
    my ($code, $text) = contactfit(qw(export -q --to mujoco), $hinge, $rail);
    is($code, 0, 'two joints in one text');
    like($text, qr/contactfit_1.*frictionloss.*contactfit_2.*frictionloss/s, 'one behind the other');
}

# ---- beside impacts

{
    my ($code, $text, $err) = contactfit(qw(export --to mujoco --bound 0.05), $impacts, '--friction', $stribeck);
    is($code, 0, 'impacts, and the friction of slides');
    is_near(($text =~ /solref="\S+ \S+" solimp=".*?" condim="3" friction="(\S+) /)[0], $constant, 1e-5, 'in one geom');
    like($text, qr/friction of slides: stribeck, stribeck\.json, sha256 [0-9a-f]{64}/, 'whose fit is named');
    ($code, $text, $err) = contactfit(qw(export --to simbody), $hunt, '--friction', $stribeck);
    my @m = $text =~ /ContactMaterial\([^,]*, [^,]*, ([^,]*), ([^,]*), ([^)]*)\)/;
    is_near($m[0], $s{mu_c} * (1 + $s{rise}), 1e-6, 'Simbody: mu_S');
    is_near($m[1], $s{mu_c}, 1e-6, 'mu_C');
    is_near($m[2], $s{sigma_2}, 1e-6, 'sigma_2');
    like($err, qr/friction: mu-stribeck as steps and viscous friction, off by at most 0\.18 \(98 %\).* at 0\.001 m\/s/,
        'what its steps lose, which rest at rest');
    # Simbody's own steps: a peak at v_t, the end of the fall at 3 v_t
    ($code, $text, $err) = contactfit(qw(export --to simbody), $hunt, '--friction', $steps);
    my %d = numbers($steps);
    is_near(($text =~ /transition_velocity_1 = ([^;]+);/)[0], $d{v_s}, 1e-6, 'steps have their peak at v_s');
    like($err, qr/mu-drake as steps and viscous friction, as fitted/, 'and lose nothing');
    my $table = (contactfit(qw(export -q --to csv), $impacts, '--friction', $stribeck))[1];
    like($table, qr/,mu_S,0\.18.*,mu_C,0\.1\d.*,v_S,0\.02\d*,m\/s.*,sigma_2,0\.\d+,s\/m,/s, 'all of it in a table');
    like((contactfit(qw(export -q --to lammps), $impacts, '--friction', $coulomb, qw(-p kappa=0.8)))[1],
        qr/tangential mindlin \S+ 1 0\.\d+ damping/, 'LAMMPS: mu, and kappa by hand');
}

# ---- impacts at an angle: k_t and d_t

my $oblique = "$srcdir/fits/alumina_on_glass.json";
my %o = numbers($oblique);
my $R = 2.5e-3;
my @at = ('-q', '--speed', '3.9 m/s', $oblique);
my %text = map {
    $_ => (contactfit('export', '--to', $_, @at, /liggghts/ ? ('--allow-missing', 'sphere,sphere') : ()))[1]
} qw(lammps liggghts yade esys-particle mercury csv);
my ($kt, $gt, $f) = $text{lammps} =~ /tangential mindlin (\S+) (\S+) (\S+) damping/;
is_near($kt, $o{k_t} / sqrt($R), 1e-6, 'LAMMPS: k_t/sqrt(R*)');
is_near($gt, $o{d_t} / $o{lambda}, 1e-6, 'LAMMPS: d_t over lambda');
is_near($f, $o{mu}, 1e-6, 'LAMMPS: mu');
is_near(($text{liggghts} =~ / kt peratomtypepair 2 0 (\S+)/)[0], $o{k_t} / sqrt($R), 1e-6, 'LIGGGHTS: k_t');
is_near(($text{liggghts} =~ / gammat peratomtypepair 2 0 (\S+)/)[0], $o{d_t} / sqrt($R) / 2.618e-4, 1e-6, 'LIGGGHTS: d_t');
is_near(($text{mercury} =~ /ShearModulus\(([^)]+)\)/)[0], $o{k_t} / sqrt($R) / (16 / 3), 1e-6, 'MercuryDPM: k_t');
like($text{csv}, qr/,kappa,0\.61\d+,1,.*,d_t,16\d\d\.\d*,N s\/m\^1\.5,/s, 'CSV: kappa and d_t');
{
    my %with = map { $_ => (contactfit(qw(export -q --to esys-particle --speed 3.9m/s), $oblique, '-p', "kappa=$_"))[1] } 1, 0.5;
    my %k = map { $_ => ($with{$_} =~ /shearK=([^)]+)\)/)[0] } keys %with;
    is_near($k{0.5} / $k{1}, 0.5, 1e-6, 'ESyS-Particle: a spring in proportion to kappa');
    # Mindlin: K_t/K_n = 2 (1 - nu)/(2 - nu)
    my $yade = (contactfit(qw(export -q --to yade --speed 3.9m/s), $oblique, qw(-p kappa=0.9)))[1];
    my ($young, $nu) = $yade =~ /young=(\S+), poisson=(\S+),/;
    is_near(2 * (1 - $nu) / (2 - $nu), 0.9, 1e-8, 'Yade: kappa by the Poisson ratio');
    is_near($young / (1 - $nu**2), sqrt(2) * 2 * 0.75 * $o{k} / sqrt($R), 1e-6, 'Yade: and E* stays');
}
for (['yade', 'kappa, d_t'], ['esys-particle', 'd_t'], ['mercury', 'd_t'], ['lammps', ''], ['mujoco', 'kappa, d_t'],
     ['chrono', 'kappa, d_t'], ['ode', 'kappa, d_t']) {
    my ($target, $left) = @$_;
    my (undef, undef, $err) = contactfit('export', '--to', $target, @at[1 .. 3]);
    my ($said) = $err =~ /: not carried, there is no place for it: (.*)$/m;
    is($said // '', $left, "$target: lost of an impact at an angle");
}

# ---- refused

my $usage = sub { "2 contactfit export: $_[0]\n" };
for (['--speed', '1 m/s'], ['--dt', '1 ms'], ['--bound', '0.1'], ['--mass', '1 kg'], ['--radius', '1 m'], ['--verify'],
     ['--approximate', 'hunt-crossley'], map { ['-p', $_] } 'mu_S=1', 'mu_C=1', 'v_S=1', 'sigma_2=1', 'kv=1', 'kappa=1') {
    my @option = @$_;
    my ($code, undef, $err) = contactfit(qw(export --to mujoco), $stribeck, @option);
    my $said = $option[0] eq '-p' ? '-p ' . (split /=/, $option[1])[0] : $option[0];
    is("$code $err", $usage->("$said does not go with stribeck.json, a fit of friction alone, mu-stribeck"), "$said: refused");
}
for ([$impacts, [$impacts], "--friction: kk.json is a fit of azad-featherstone: it must be one of slides, to a friction curve such as mu-stribeck"],
     [$hinge, [$impacts], "--friction: hinge.json is a fit of t-stribeck, in N m: contacts need a coefficient, a fit of mu-stribeck with the load"],
     [$coulomb, [$stribeck], "--friction: stribeck.json is a fit of friction itself"]) {
    my ($friction, $fits, $want) = @$_;
    my ($code, undef, $err) = contactfit(qw(export --to mujoco), @$fits, '--friction', $friction);
    is("$code $err", "1 contactfit export: $want\n", $want);
}
{
    my ($code, undef, $err) = contactfit(qw(export --to mujoco), $impacts, '--friction', $coulomb, qw(-p mu_C=0.1));
    is("$code $err", $usage->('--friction and -p both say the friction: give mu_S, mu_C, v_S and sigma_2, or the fit'), 'both');
    ($code, undef, $err) = contactfit(qw(export -q --to mujoco), $stribeck, $hinge);
    is("$code $err", "1 contactfit export: stribeck is of a contact and hinge of a joint: export them apart\n", 'both in one text');
    my $rows = sub { join '', map { "      - {speed: $_ m/s, coefficient: $_[0]}\n" } 1 .. 4 };
    my %level = (forth => 0.3, back => 0.2);
    spew("$scratch/per.yaml", "contactfit: study/1\nlaw: mu-coulomb\nfit: {mu_c: {per: data}}\ndata:\n" . join '',
        map { "  - name: $_\n    protocol: slide\n    rows:\n" . $rows->($level{$_})
            . "    sigma: {coefficient: 0.01}\n" } sort keys %level);
    contactfit('fit', '-q', "$scratch/per.yaml", '-o', $scratch);
    ($code, undef, $err) = contactfit(qw(export -q --to mujoco), "$scratch/per.json");
    is("$code $err", "1 contactfit export: per: mu-coulomb needs mu_c, and the fit has none of all its data\n", 'a parameter per data set');
    ($code, undef, $err) = contactfit(qw(export -q --to mujoco -p kappa=-1), $impacts);
    is("$code $err", "1 contactfit export: -p kappa: -1: must not be below 0\n", 'kappa');
}

done_testing();
