#!/usr/bin/perl
# The stiffness of a foundation by indentation: synthetic records of a ball, a cone, a punch and a
# box that stands askew, by volumes that are written out here; kv, a and the tilt are found again.
# What a study of a foundation may not say.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Fitted;
use Program;
use Synthetic qw(normal);
use Test::More;

draw_no_figures();

my $dir = tempdir(CLEANUP => 1);
normal() for 1 .. 1000;    # another part of the stream
my $pi = 4 * atan2 1, 1;
my %true = (kv => 4e9, a => 30, contact => 1.5e-4, bias => 5e-3, tilt => 0.1);

# A tetrahedron on its vertex, its base 2.5 mm^2 and 3 mm over it.
my $tip = 'vertices: [[0 m, 0 m, 0 m], [1 mm, 0 m, 3 mm], [0 m, 2 mm, 3 mm], [-1 mm, -1 mm, 3 mm]]';

# By the depth of the deepest point.
my %probe = (
    ball => {volume => sub { $pi * $_[0]**2 * (5e-3 - $_[0] / 3) }, apparatus => 'sphere_radius: 5 mm'},
    cone => {volume => sub { $pi * $_[0]**3 }, apparatus => 'cone_radius: 2 mm, cone_half_angle: 60 deg'},
    punch => {volume => sub { $pi * 1e-6 * $_[0] }, apparatus => 'cylinder_radius: 1 mm, cylinder_length: 10 mm, onset: 1 um'},
    box => {volume => \&box, apparatus => 'box_length: 2 mm, box_width: 1 mm, box_height: 5 mm'},
    tip => {volume => sub { 2.5e-6 / 3 * $_[0]**3 / 3e-3**2 },
            apparatus => "shape: {polytope: {$tip, faces: [[2, 3, 4], [1, 3, 2], [1, 4, 3], [1, 2, 4]]}, press: [0, 0, -2]}"},
    ring => {volume => sub { $pi * (2.25e-6 - 1e-6) * $_[0] },    # lying along x
             apparatus => "shape: {intersection: [{cylinder: {radius: 1.5 mm, length: 6 mm, attitude: {axis: [0, 1, 0], angle: 90 deg}}}, "
                 . "{endless-cylinder: {radius: 1 mm, attitude: {axis: [0, 1, 0], angle: 90 deg}, hole: true}}], press: [-1, 0, 0]}, onset: 1 um"},
);

# A box 2 mm long, tilted: on its edge until its face is in.
sub box
{
    my ($z) = @_;
    my ($L, $W, $s, $c) = (2e-3, 1e-3, sin $true{tilt}, cos $true{tilt});
    return $z < $L * $s ? $W * $z**2 / (2 * $s * $c) : $L * $W * ($z - $L / 2 * $s) / $c;
}

# Forth and back at a rate [m/s]; the sd of force is 0.3 % of the greatest.
sub table
{
    my ($name, $volume, $rate) = @_;
    my ($n, $first, $last) = (30, -1.5e-4, 6e-4);
    my $sd = 3e-3 * $true{kv} * $volume->($last);
    my $time = 0;
    my $text = "# synthetic: kv = 4e9 N/m^3, a = 30 s/m, contact at 150 um, bias 5 mN\nt_s,d_um,f_N\n";
    for my $i (0 .. 2 * $n - 1) {
        my $z = $first + ($last - $first) * ($i < $n ? $i : 2 * $n - 1 - $i) / ($n - 1);
        my $w = $i < $n ? $rate : -$rate;
        my $F = $z > 0 ? $true{kv} * $volume->($z) * (1 + $true{a} * $w) : 0;
        $text .= sprintf "%.9g,%.9g,%.9g\n", $time, 1e6 * ($z + $true{contact}), $F + $true{bias} + $sd * normal();
        $time += ($last - $first) / ($n - 1) / $rate;
    }
    spew("$dir/$name.csv", $text);
    return $sd;
}

sub sets
{
    my ($shape, $more) = @_;
    my $text = "data:\n";
    for my $rate (1, 5) {
        my $sd = table("$shape$rate", $probe{$shape}{volume}, $rate * 1e-3);
        $text .= "  - {name: $rate mm/s, protocol: indent, file: $shape$rate.csv, apparatus: {$probe{$shape}{apparatus}}, "
            . "columns: {time: {from: t_s}, depth: {from: d_um}, force: {from: f_N, sigma: $sd}}, "
            . "nuisance: {contact: {}, force.bias: {}$more}}\n";
    }
    return $text;
}

sub fitted
{
    my ($name, $text) = @_;
    # from few starts: what is far from the start by hand takes most of the time
    my $few = $full ? '' : "options: {starts: 4, screen: 32}\n";
    spew("$dir/$name.yaml", "contactfit: study/1\n$few$text");
    my ($status, $out, $err) = contactfit('fit', '-q', "$dir/$name.yaml");
    diag($err) if $err;
    return ($status, decode_json(slurp("$dir/$name.json") || '{}'), $out);
}

# E = kv R in Drake; stiffness over thickness in Simbody; no contact of points can have it.
sub exported
{
    my ($file, $kv, $a) = @_;
    my @speed = qw(--speed 0.2 --mass 0.1);
    my ($code, $urdf) = contactfit('export', '-q', '--to', 'drake-hydroelastic', @speed, $file);
    my ($modulus) = $urdf =~ /<drake:hydroelastic_modulus value="(\S+)"/;
    my ($dissipation) = $urdf =~ /<drake:hunt_crossley_dissipation value="(\S+)"/;
    is($code, 0, 'Drake takes it');
    ok(abs($modulus / ($kv * 5e-3) - 1) < 1e-9 && abs($dissipation / $a - 1) < 1e-9, 'Drake: modulus and dissipation')
        or diag("$modulus, $dissipation");
    like($urdf, qr/law: winkler: kv = \S+ N\/m\^3, a = /, 'the law that was fitted is named');
    like($urdf, qr/<plane\/>|<drake:rigid_hydroelastic\/>/, 'on a rigid half-space');
    my ($by_hand) = (contactfit('export', '-q', '--to', 'drake-hydroelastic', '-p', 'kv=2e8', '--radius', '1 cm', @speed, $file))[1]
        =~ /<drake:hydroelastic_modulus value="(\S+)"/;
    is($by_hand, 2000000, 'kv and radius by hand stand before those of the fit');
    my $mesh = (contactfit('export', '-q', '--to', 'simbody-foundation', @speed, $file))[1];
    my ($stiff, $c, $thick) = $mesh =~ /ContactMaterial\((\S+), (\S+), 0, 0, 0\), (\S+)\);/;
    ok(abs($stiff / $thick / $kv - 1) < 1e-8 && abs($c / $a - 1) < 1e-8, 'Simbody: stiffness over thickness, dissipation')
        or diag("$stiff, $thick, $c");
    like((contactfit('export', '--to', 'ode', @speed, $file))[2],
         qr/ode cannot express winkler: a force of a volume of interference, and the target's contact is a point\n/,
         'a contact of points is refused');
    is((contactfit('export', '--to', 'json', @speed, $file))[2],
       "contactfit export: ball: json cannot express winkler: exports tell what e becomes, and that of a foundation asks for the "
       . "shapes of the bodies\n", 'a table of laws, too');
}

for my $shape (sort keys %probe) {
    my $tilts = $shape eq 'box' ? ', tilt: {start: 0.05}' : '';
    my $rivals = $shape eq 'ball' ? "rivals: [azad-featherstone, power]\n" : '';
    my ($status, $fit) = fitted($shape, "foundation: winkler\n$rivals" . sets($shape, $tilts));
    is("$status $fit->{verdict}{status}", '0 good', "$shape: a good fit") or diag("@{reasons($fit)}");
    holds($fit, $_, $true{$_}, $shape) for qw(kv a);
    my ($kv, $modulus) = map { $fit->{parameters}{$_}{value} } qw(kv modulus_over_thickness);
    ok(abs($kv / $true{kv} - 1) < 0.03, "$shape: kv to 3 %") or diag($kv);
    is($modulus, $kv, "$shape: E/H beside it");
    my ($by_hand) = grep { $_->{origin} eq 'hand' } @{$fit->{starts}};
    ok($by_hand && $by_hand->{at_optimum}, "$shape: the start by hand ends at the optimum");
    if ($tilts) {
        my %nuisance = map { $_->{name} => $_ } ref $fit->{nuisances} eq 'ARRAY' ? @{$fit->{nuisances}} : values %{$fit->{nuisances}};
        for my $set ('1 mm/s', '5 mm/s') {
            my $i = ($nuisance{"tilt[$set]"} // {})->{interval};
            ok($i && $i->{low} < $true{tilt} && $true{tilt} < $i->{high}, "the tilt of $set") or diag(encode_json($i // {}));
        }
    }
    if ($shape eq 'tip') {
        my $press = $fit->{data}[0]{press};
        is("$press->{shape} $press->{error} @{$press->{to_m}}", 'polytope of 4 vertices 0 0.003', 'the file has its volume over depth');
        like(slurp("$dir/tip.html"), qr/polytope of 4 vertices/, 'the page names it');
        my $out = (contactfit('predict', '-q', "$dir/tip.json", '--at', '0.4 mm'))[1];
        my $F = (split /,/, (split /\n/, $out)[1])[1];
        my $want = $true{kv} * $probe{tip}{volume}->(4e-4) * (1 + $true{a} * 1e-3);
        ok(abs($F / $want - 1) < 0.02, 'predict: by the volume of the file') or diag("$F, want $want");
        my ($half) = map { /"press":/ ? s/"to_m": \[\s*0\.003/"to_m": [-0.003/r : $_ } slurp("$dir/tip.json");
        spew("$dir/torn.json", $half);
        like((contactfit('predict', '-q', "$dir/torn.json", '--at', '0.4 mm'))[2],
             qr/piece 1 of a table of volumes: must go on from the one before, from 0 on, with a volume that grows/, 'a file whose volume is none');
    }
    if ($rivals) {
        is($fit->{rivals}[0]{law}, 'winkler', 'the foundation before laws at a point');
        like(slurp("$dir/$shape.html"), qr/modulus[ _]over[ _]thickness/, 'the page has E/H');
        my $out = (contactfit('predict', '-q', "$dir/$shape.json", '--at', '0.4 mm'))[1];
        my $F = (split /,/, (split /\n/, $out)[1])[1];
        my $want = $true{kv} * $pi * 16e-8 * (5e-3 - 4e-4 / 3) * (1 + $true{a} * 1e-3);
        ok(abs($F / $want - 1) < 0.02, 'predict: the force of a depth') or diag("$F, want $want");
        exported("$dir/$shape.json", $kv, $fit->{parameters}{a}{value});
    }
}

# a probe that is not as well known as the force is measured
{
    my $text = "foundation: winkler\n" . sets('ring', '');
    $text =~ s/press: \[-1, 0, 0\]/$&, error: 0.01/g;
    spew("$dir/coarse.yaml", "contactfit: study/1\n$text");
    my ($status, undef, $err) = contactfit('check', "$dir/coarse.yaml");
    is($status, 0, 'a coarse table is allowed');
    like($err, qr/the volume of the probe is good to 0\.01, and the noise of the force is 0\.00\d+ of its greatest: state shape: \{error: 0\.000\d\} or less/,
        'and said to be none');
}

# ---- what is refused: one line each, at its place

sub refused
{
    my ($what, $text, $message) = @_;
    spew("$dir/bad.yaml", "contactfit: study/1\n$text");
    my ($status, $out, $err) = contactfit('check', "$dir/bad.yaml");
    is($status, 1, "$what: refused");
    like($err, qr/$message/, "$what: says why");
    is(scalar(() = $err =~ /\n/g), 1, "$what: in one line");
}

my $columns = 'columns: {time: {from: t_s}, depth: {from: d_um}, force: {from: f_N, sigma: 1 N}}';
sub one { return "data:\n  - {name: d, protocol: indent, file: ball1.csv, $columns, nuisance: {contact: {}, force.bias: {}$_[1]}, apparatus: {$_[0]}}\n" }
refused('law and foundation', "law: azad-featherstone\nfoundation: winkler\n" . one('sphere_radius: 5 mm', ''),
    qr/bad\.yaml:3:1: foundation and law: a contact has one of them: leave one out, or name it under rivals\n/);
refused('a law as a foundation', "foundation: linear\n" . one('sphere_radius: 5 mm', ''),
    qr/bad\.yaml:2:13: foundation: linear is no foundation: it is a law: linear\n/);
refused('an unknown one', "foundation: winkle\n" . one('sphere_radius: 5 mm', ''),
    qr/bad\.yaml:2:13: .*winkle.*did you mean winkler\?\n/);
refused('no shape', "foundation: winkler\n" . one('contact: 0', ''),
    qr/law winkler, data set d: winkler is a force over the volume of the probe that is pressed in: state its shape, as apparatus: \{sphere_radius: 5 mm\}\n/);
refused('two shapes', "foundation: winkler\n" . one('sphere_radius: 5 mm, cone_radius: 1 mm', ''),
    qr/bad\.yaml:4:\d+: .*sphere_radius and cone_radius: one shape of the probe is wanted\n/);
refused('half a shape', "foundation: winkler\n" . one('cylinder_radius: 5 mm', ''),
    qr/a cylinder as a probe needs its cylinder_length, too\n/);
refused('a cone of 90 deg', "foundation: winkler\n" . one('cone_radius: 5 mm, cone_half_angle: 90 deg', ''),
    qr/bad\.yaml:4:\d+: .*90 deg.*cone_half_angle.*\[0, 1\.5708\]/);
refused('a free size', "foundation: winkler\n" . one('sphere_radius: 5 mm', ', sphere_radius: {}'),
    qr/bad\.yaml:4:\d+: sphere_radius is measured on the probe, and kv goes with it: state it under apparatus\n/);
refused('a ball askew', "foundation: winkler\n" . one('sphere_radius: 5 mm', ', tilt: {}'),
    qr/bad\.yaml:4:\d+: tilt: a sphere is the same at any tilt\n/);
refused('in whole', "foundation: winkler\n" . one('sphere_radius: 0.2 mm', ''),
    qr/at its greatest depth the probe, 0\.0004 m long along the press, is 0\.000\d+ m beyond the contact point by hand: it would be in whole\n/);
my $faces = 'faces: [[2, 3, 4], [1, 3, 2], [1, 4, 3], [1, 2, 4]]';
refused('a shape and sizes', "foundation: winkler\n" . one("shape: {polytope: {$tip, $faces}}, sphere_radius: 1 mm", ''),
    qr/bad\.yaml:4:\d+: .*shape and sphere_radius: one shape of the probe is wanted\n/);
refused('a shape askew', "foundation: winkler\n" . one("shape: {polytope: {$tip, $faces}}, tilt: 2 deg", ''),
    qr/tilt: a shape is pressed straight: state its direction, as shape: \{press: \[0\.1, 0, -1\]\}\n/);
refused('an open shape', "foundation: winkler\n" . one("shape: {polytope: {$tip, faces: [[2, 3, 4], [1, 3, 2], [1, 4, 3], [1, 4, 2]]}}", ''),
    qr/bad\.yaml:4:\d+: .*polytope: .*edge/);
refused('a vertex that is none', "foundation: winkler\n" . one("shape: {polytope: {$tip, faces: [[2, 3, 5], [1, 3, 2], [1, 4, 3], [1, 2, 4]]}}", ''),
    qr/bad\.yaml:4:\d+: .*5.*/);
refused('a shape without a form', "foundation: winkler\n" . one('shape: {press: [0, 0, -1]}', ''),
    qr/bad\.yaml:4:\d+: .*polytope/);
refused('no direction', "foundation: winkler\n" . one("shape: {polytope: {$tip, $faces}, press: [0, 0, 0]}", ''),
    qr/bad\.yaml:4:\d+: press: \[0, 0, 0\]: a direction is wanted, which is not 0\n/);
refused('two bodies', "foundation: winkler\n" . one("shape: {polytope: {$tip, $faces}, intersection: [{sphere: {radius: 5 mm}}]}", ''),
    qr/bad\.yaml:4:\d+: shape: both polytope and intersection: one of polytope and intersection is needed\n/);
refused('an error of what is exact', "foundation: winkler\n" . one("shape: {polytope: {$tip, $faces}, error: 1e-5}", ''),
    qr/bad\.yaml:4:\d+: error: of an intersection: the volume of a polytope is exact\n/);
refused('an error that is none', "foundation: winkler\n" . one('shape: {intersection: [{sphere: {radius: 5 mm}}], error: 0.5}', ''),
    qr/bad\.yaml:4:\d+: error: 0\.5: must be in \[1e-08, 0\.1\]\n/);
refused('too few volumes', "foundation: winkler\n" . one('shape: {intersection: [{sphere: {radius: 5 mm}}], volumes: 20}', ''),
    qr/bad\.yaml:4:\d+: .*volume over depth: not to 0\.0001 of itself with 20 volumes/);
refused('a hole that leaves nothing', "foundation: winkler\n" . one('shape: {intersection: [{sphere: {radius: 4 mm}}, {box: {size_x: 1 cm, size_y: 1 cm, size_z: 1 cm, hole: true}}]}', ''),
    qr/bad\.yaml:4:\d+: .*its holes leave nothing of it\n/);
refused('a body without an end', "foundation: winkler\n" . one('shape: {intersection: [{endless-cylinder: {radius: 4 mm}}]}', ''),
    qr/bad\.yaml:4:\d+: .*the body has no end along the press: bound it, as by a half-space\n/);
refused('an unknown primitive', "foundation: winkler\n" . one('shape: {intersection: [{spere: {radius: 4 mm}}]}', ''),
    qr/bad\.yaml:4:\d+: .*spere.*sphere/);
refused('a ring in whole', "foundation: winkler\n" . one('shape: {intersection: [{cylinder: {radius: 4 mm, length: 0.1 mm}}, '
    . '{endless-cylinder: {radius: 3 mm, hole: true}}]}', ''), qr/the probe, 0\.0001 m long along the press, is .* in whole\n/);
refused('a shape in whole', "foundation: winkler\n" . one('shape: {polytope: {vertices: [[0 m, 0 m, 0 m], [1 mm, 0 m, 0.1 mm], [0 m, 2 mm, 0.1 mm], [-1 mm, -1 mm, 0.1 mm]], '
    . "$faces}}", ''), qr/the probe, 0\.0001 m long along the press, is 0\.000\d+ m beyond the contact point by hand: it would be in whole\n/);
refused('the speed of an impact', "foundation: gonthier-volumetric\n" . one('sphere_radius: 5 mm', ''),
    qr/the damping of gonthier-volumetric depends on the speed at impact, which an indentation does not have: fit winkler\n/);

done_testing();
