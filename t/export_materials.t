#!/usr/bin/perl
# Materials by name: tables of pairs in LAMMPS, LIGGGHTS and MercuryDPM, what is refused, and two
# spheres of such a table in the first two (make check-export), by inputs of their own.

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

my $scratch = tempdir(CLEANUP => 1);
my %body = (
    ball => 'ball: {sphere: {radius: 10 mm}, mass: 10 g, material: steel}',
    twin => 'twin: {sphere: {radius: 10 mm}, mass: 10 g, material: steel}',
    bead => 'bead: {sphere: {radius: 5 mm}, mass: 2 g, material: glass}',
    pearl => 'pearl: {sphere: {radius: 5 mm}, mass: 2 g, material: glass}',
    boulder => 'boulder: {sphere: {radius: 40 mm}, mass: 500 g, material: steel}',
    rock => 'rock: {sphere: {radius: 40 mm}, mass: 500 g, material: steel}',
    plate => 'plate: {plane: {}, fixed: true, material: steel}',
    pane => 'pane: {plane: {}, fixed: true, material: glass}',
    plain => 'plain: {sphere: {radius: 10 mm}, mass: 10 g}',
);
my %mass = (ball => 0.01, twin => 0.01, bead => 0.002, pearl => 0.002, boulder => 0.5, rock => 0.5,
            plain => 0.01);
sub effective { return 1 / (($mass{$_[0]} ? 1 / $mass{$_[0]} : 0) + ($mass{$_[1]} ? 1 / $mass{$_[1]} : 0)) }
sub fit
{
    my ($a, $b, $law) = @_;
    return synthetic($scratch, "$a-$b", $law // 'azad-featherstone', mass => effective($a, $b),
                     bodies => "  $body{$a}\n  $body{$b}\n");
}
sub export
{
    my ($code, $text, $err) = contactfit(qw(export -q --to), @_);
    return ($code, $text, $err =~ s/^contactfit export: //r);
}
sub parameters { my $p = decode_json(slurp($_[0]))->{parameters}; return map { $p->{$_}{value} } 'k', 'lambda' }
sub near { return is_near(@_[0, 1], 1e-8, $_[2]) }

my $steel = fit('ball', 'twin');
my $glass = fit('bead', 'pearl');
my $mixed = fit('ball', 'bead');
my $plate = fit('ball', 'plate');
my $pane = fit('ball', 'pane');
my $boulders = fit('boulder', 'rock');
my $allow = 'give such fits, too, or let them through each other: --allow-missing';

# the fit file, and its page
{
    my $bodies = decode_json(slurp($steel))->{study}{bodies};
    is_deeply([map { $_->{material} } @$bodies], ['steel', 'steel'], 'the fit file carries it');
    like(slurp("$scratch/ball-twin.html"), qr/ball, a sphere of steel of radius/, 'and the page');
}

# equal grains are the pair 1 1
{
    my ($k, $lambda) = parameters($steel);
    my ($code, $text) = export('lammps', $steel);
    is($code, 0, 'equal grains to LAMMPS');
    like($text, qr/^# type 1: steel: ball, twin$/m, 'one type');
    my ($kn, $gamma) = $text =~ /^pair_coeff 1 1 hertz (\S+) (\S+) tangential/m;
    near($kn, $k / sqrt(0.005), 'kn sqrt(R*) = k');
    near($gamma, $lambda / sqrt(0.005) / 0.005, 'gamma m* sqrt(R*) = lambda');
    is(() = $text =~ /pair_coeff/g, 1, 'and no pair more');
    ($code, $text) = export('liggghts', $steel);
    is($code, 0, 'to LIGGGHTS, where nothing is missing');
    near($text =~ /global kn peratomtypepair 1 (\S+)$/m ? $1 : 0, $kn, 'one cell');
    ($code, $text) = export('mercury', $steel);
    like($text, qr/^    contactfit_species_1\(\*species\[0\]\);\n\}/m, 'to MercuryDPM: a species');
}

# a whole table, whatever the order
for my $fits ([$steel, $glass, $mixed], [$mixed, $glass, $steel]) {
    my ($code, $text, $err) = export('liggghts', @$fits);
    is($code, 0, 'three fits, two materials') or diag($err);
    my %type = reverse $text =~ /^# type (\d): (\w+):/mg;
    my @table = split / /, ($text =~ /global gamman peratomtypepair 2 (.*)/)[0];
    my %of = (steel => [$steel, 0.005, 0.005], glass => [$glass, 0.001, 0.0025],
              'steel glass' => [$mixed, 0.01 / 6, 0.01 / 3]);
    for (sort keys %of) {
        my ($a, $b) = (split, $_);
        my (undef, $lambda) = parameters($of{$_}[0]);
        near($table[2 * $type{$a} + $type{$b} - 3], $lambda / $of{$_}[1] / sqrt($of{$_}[2]), "gamman of $_");
    }
    is($table[1], $table[2], 'symmetric');
    (undef, $text) = export('mercury', @$fits);
    like($text, qr/getMixedObject\(species\[0\], species\[1\]\)/, 'a mixed species');
    unlike($text, qr/NO FIT/, 'and none without a fit');
}

# a ball on a plane of its material tells of two balls, by the law's rule: k by sqrt(R*)
for my $target ('lammps', 'liggghts') {
    my ($k, $lambda) = parameters($plate);
    my ($code, $text, $err) = export($target, $plate);
    is($code, 0, "$target: steel on a steel plate") or diag($err);
    like($text, qr/^# pair: ball with ball, m\* = 0\.005 kg, R\* = 0\.005 m$/m, 'and two balls');
    my @damping = $text =~ /^# gamman? = (\S+)/mg;
    near($damping[1], sprintf('%.9g', $lambda / 0.005 / sqrt(0.01)), 'lambda is half of sqrt 2 of it, m* half');
    (undef, $text) = export($target, $plate, $steel);
    is(() = $text =~ /^# pair: /mg, 2, 'not where a fit is of such a pair');
}
{
    my ($code, undef, $err) = export('liggghts', fit('ball', 'plate', 'linear'));
    is("$code: $err", "1: liggghts sets every pair of types, and no fit is of steel with steel: $allow "
                      . "\"steel,steel\"\n", 'nor where the law has no rule');
    my $by = fit('ball', 'plate');
    my (undef, $text) = export('lammps', $by, qw(--mass 80g --radius 20mm));
    like($text, qr/^# pair: ball with ball, m\* = 0\.04 kg, R\* = 0\.01 m\n# fitted at R\* = 0\.01 m:[^\n]*\n# fitted at m\* = 0\.01 kg:/m,
         'another mass and radius by hand are those of the ball');
}

# what is missing is named by material, and may be by body
{
    my ($code, undef, $err) = export('liggghts', $steel, $mixed, $pane);
    is("$code: $err", "1: liggghts sets every pair of types, and no fit is of glass with glass, glass with pane: "
                      . "$allow \"glass,glass\"\n", 'glass is missing');
    for my $words (['glass,glass', 'glass,pane'], ['bead,bead', 'pane,bead'], ['glass,bead', 'bead,pane']) {
        my $text;
        ($code, $text, $err) = export('liggghts', $steel, $mixed, $pane, map { ('--allow-missing', $_) } @$words);
        is($code, 0, "let through: @$words") or diag($err);
        is(() = $text =~ /^# NO CONTACT of glass with (?:glass|pane) /mg, 2, 'and told by material');
    }
    (undef, my $text) = export('mercury', $steel, $mixed);
    like($text, qr/^\/\/ NO FIT of glass with glass: MercuryDPM has/m, 'MercuryDPM makes it of its own');
}

# a body without a material is none of those with one
{
    my ($code, $text) = export('lammps', $steel, fit('plain', 'bead'));
    is_deeply([$text =~ /^# type \d: (.*)$/mg], ['steel: ball, twin', 'plain', 'glass: bead'], 'types');
}

# two sizes of one material
{
    my ($code, $text, $err) = export('lammps', $steel, $boulders);
    is($code, 1, 'two sizes of one pair of materials');
    like($err, qr/^ball-twin and boulder-rock are both of steel with steel, and lammps has one kn for them, not \S+ and \S+ Pa: leave one out, or give what differs a material of its own$/,
         'are refused, and both fits are named');
    ($code, undef, $err) = export('mercury', $steel, $boulders);
    like($err, qr/mercury has one effectiveElasticModulus for them/, 'so in MercuryDPM');
    ($code) = export('csv', $steel, $boulders);
    is($code, 0, 'in a table they stand');
}

# ESyS-Particle has one contact for all
{
    my ($code, undef, $err) = export('esys-particle', $steel, $mixed);
    like($err, qr/^esys-particle has one contact for all particles, and A would be one for ball-twin and another for ball-bead: /,
         'ESyS-Particle has one contact');
}

# three bodies: each data set says which two
{
    my $study = slurp("$scratch/ball-pane.yaml");
    $study =~ s/^bodies:\n/bodies:\n  $body{bead}\n  $body{plate}\n/m;
    $study =~ s/^(    protocol: impact\n)/$1    between: [ball, pane]\n/m;
    spew("$scratch/three.yaml", $study);
    my ($code, undef, $err) = contactfit('fit', "$scratch/three.yaml", '-o', $scratch);
    is($code, 0, 'a study of four bodies') or diag($err);
    my $text;
    ($code, $text, $err) = export('lammps', "$scratch/three.json");
    like($text, qr/^# pair: ball with pane, /m, 'the pair is that of its data');
    like($text, qr/^# type 1: steel: ball$/m, 'and so is the type');
}

SKIP: {
    my $run = $ENV{CHECK_EXPORT};
    skip 'make check-export runs the simulators', 4 if !$run;
    for (['lammps', 'lmp', 'lammps'], ['liggghts', 'liggghts', 'liggghts']) {
        my ($target, $program, $package) = @$_;
        skip "$program is not installed: apt-get install $package", 2
            if !grep { -x "$_/$program" } split /:/, $ENV{PATH};
        my ($k, $lambda) = parameters($plate);
        for ([$plate, 1, 1, 'ball', 'ball', $k / sqrt(2), $lambda / sqrt(2), 'two balls of a fit on a plate'],
             [$mixed, 1, 2, 'ball', 'bead', parameters($mixed), 'two materials']) {
            my ($fit, $I, $J, $a, $b, $of_k, $of_lambda, $name) = @$_;
            my @others = $fit eq $mixed ? ($steel, $fit, $glass) : $fit;
            my ($code, $text, $err) = export($target, @others);
            spew("$scratch/export.in", $text);
            my $types = () = $text =~ /^# type \d/mg;
            my %R = (ball => 0.01, bead => 0.005);
            my @var = map { ('-var', @$_) } ['export', "$scratch/export.in"], ['types', $types], ['I', $I],
                ['J', $J], ['RI', $R{$a}], ['RJ', $R{$b}], ['mI', $mass{$a}], ['mJ', $mass{$b}], ['v', 0.5],
                ['h', 1e-6], ['n', 4000];
            my (undef, $out) = contactfit({program => $program, in => $scratch}, '-log', 'none', '-in',
                                          "$srcdir/t/drivers/${target}_grains.in", @var);
            my ($seen) = $out =~ /^SEEN (\S+)/m;
            my (undef, $curve) = contactfit(qw(restitution azad-featherstone -q --speed 0.5), '--mass',
                                            effective($a, $b), '-p', "k=$of_k", '-p', "lambda=$of_lambda");
            my ($e) = $curve =~ /^0\.5,([^,]*),/m;
            ok(defined $seen && abs($seen - $e) < 2e-5, "$target: $name") or diag(($seen // $out) . " for $e");
        }
    }
}
done_testing();
