#!/usr/bin/perl
# The C++ that export writes for libraries that no package has, compiled against declarations as
# their sources have them. What there are packages of is built whole by make check-export.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Synthetic;
use Test::More;

draw_no_figures();

plan skip_all => 'no g++ here: apt-get install g++'
    if !grep { -x "$_/g++" } split /:/, $ENV{PATH};

my $scratch = tempdir(CLEANUP => 1);
my $kk = synthetic($scratch, 'kk', 'azad-featherstone');

# Chrono: ChSystemSMC.h and ChContactMaterialSMC.h; MercuryDPM: the species' normal and friction parts
my %header = ('chrono/physics/ChSystemSMC.h' => <<'CHRONO', 'Species/HertzianBSHPViscoelasticMindlinSpecies.h' => <<'MERCURY');
namespace chrono {
class ChSystemSMC {
  public:
    enum ContactForceModel { Hooke, Hertz, PlainCoulomb, Flores };
    void UseMaterialProperties(bool) {}
    void SetContactForceModel(ContactForceModel) {}
};
struct ChContactMaterialSMC {
    void SetFriction(float) {}
    void SetKn(float) {}
    void SetKt(float) {}
    void SetGn(float) {}
    void SetGt(float) {}
};
}
CHRONO
class HertzianBSHPViscoelasticMindlinSpecies {
  public:
    void setEffectiveElasticModulus(double) {}
    void setDissipation(double) {}
    void setEffectiveShearModulus(double) {}
    void setSlidingFrictionCoefficient(double) {}
};
MERCURY
for my $path (keys %header) {
    make_path("$scratch/$path" =~ s{/[^/]*$}{}r);
    spew("$scratch/$path", $header{$path});
}

my %use = (
    chrono => "chrono::ChSystemSMC system;\n    contactfit_system(system);\n"
        . "    chrono::ChContactMaterialSMC material;\n    contactfit_material_1(material);\n",
    mercury => "HertzianBSHPViscoelasticMindlinSpecies pair;\n    contactfit_species_1(pair);\n",
);
# whole numbers are written otherwise than others
my $whole = decode_json(slurp($kk));
@{$whole->{parameters}{$_->[0]}}{qw(value)} = $_->[1] for ['k', 181762155], ['lambda', 100];
spew("$scratch/whole.json", encode_json($whole));

for my $target (sort keys %use) {
    for my $friction (0, 1) {
        my ($code, $text) = contactfit('export', '-q', '--to', $target,
                                       $friction ? ("$scratch/whole.json", qw(-p mu_S=2 -p mu_C=1))
                                       : $kk);
        is($code, 0, "$target: exit 0");
        spew("$scratch/materials.h", $text);
        spew("$scratch/use.cpp", "#include \"materials.h\"\nint main()\n{\n    $use{$target}}\n");
        my $said = `g++ -fsyntax-only -Wall -Wextra -Wconversion -Werror -I'$scratch' '$scratch/use.cpp' 2>&1`;
        is($said, '', "$target: compiles, " . ($friction ? 'with friction' : 'without'));
    }
}

# tables of several fits, compiled with species and materials that tell what they were given: each
# pair gets its own, by MercuryDPM's species and by Chrono's mean of both bodies
sub runs
{
    my ($name, $main) = @_;
    spew("$scratch/use.cpp", "#include <cstdio>\n#include \"materials.h\"\n$main");
    my $said = `g++ -Wall -Wextra -Wconversion -Werror -I'$scratch' -o '$scratch/use' '$scratch/use.cpp' 2>&1`;
    is($said, '', "$name: compiles");
    return split ' ', `'$scratch/use'`;
}
my %body = (ball => 'ball: {sphere: {radius: 10 mm}, mass: 10 g, material: steel}',
            twin => 'twin: {sphere: {radius: 10 mm}, mass: 10 g, material: steel}',
            bead => 'bead: {sphere: {radius: 5 mm}, mass: 2 g, material: glass}',
            floor => 'floor: {plane: {}, fixed: true, material: oak}');
my %mass = (ball => 0.01, twin => 0.01, bead => 0.002);
sub fit
{
    my ($a, $b, $k) = @_;
    my $mass = 1 / (1 / $mass{$a} + ($mass{$b} ? 1 / $mass{$b} : 0));
    my $path = synthetic($scratch, "$a-$b-of-$k", 'azad-featherstone', mass => $mass,
                         bodies => "  $body{$a}\n  $body{$b}\n");
    my $all = decode_json(slurp($path));
    $all->{parameters}{k}{value} = $k;
    spew("$scratch/$a-$b-$k.json", encode_json($all));
    return "$scratch/$a-$b-$k.json";
}
{
    my @fits = (fit('ball', 'bead', 3e5), fit('ball', 'twin', 1e6), fit('bead', 'floor', 7e5));
    my (undef, $text) = contactfit(qw(export -q --to mercury), @fits);
    spew("$scratch/materials.h", $text);
    make_path("$scratch/Species");
    spew("$scratch/Species/HertzianBSHPViscoelasticMindlinSpecies.h", <<'CPP');
struct Told { double E = 0; void setEffectiveElasticModulus(double x) { E = x; } void setDissipation(double) {} };
struct Handler { Told mixed[3][3]; Told *getMixedObject(const Told *a, const Told *b); };
static Told steel, glass, oak;
static int number(const Told *t) { return t == &steel ? 0 : t == &glass ? 1 : 2; }
inline Told *Handler::getMixedObject(const Told *a, const Told *b) { return &mixed[number(a)][number(b)]; }
CPP
    my @species = $text =~ /^\/\/ species\[\d\], of the handler: (\w+)$/mg;
    is("@species", 'steel glass oak', 'species by material');
    my @E = runs('mercury', 'int main() { Handler h; Told *const s[] = {&steel, &glass, &oak}; '
        . 'contactfit_species(h, s); std::printf("%.12g %.12g %.12g\n", steel.E, h.mixed[0][1].E, h.mixed[1][2].E); }');
    my @want = map { 0.75 * $_->[0] / sqrt($_->[1]) } [1e6, 0.005], [3e5, 0.01 / 3], [7e5, 0.005];
    is(scalar(grep { abs($E[$_] / $want[$_] - 1) < 1e-8 } 0 .. 2), 3, 'each pair has its modulus') or diag("@E for @want");
}
# a name that would go on in the next line ends nothing
{
    my $all = decode_json(slurp(fit('ball', 'twin', 2e6)));
    $_->{material} = 'steel\\' for @{$all->{study}{bodies}};
    spew("$scratch/hostile.json", encode_json($all));
    my (undef, $text) = contactfit(qw(export -q --to mercury), "$scratch/hostile.json");
    spew("$scratch/materials.h", $text);
    is(join(' ', runs('mercury', 'int main() { Handler h; Told *const s[] = {&steel}; contactfit_species(h, s); '
                      . 'std::printf("%d\n", steel.E > 0); }')), 1, 'a name with a backslash');
}
{
    my @fits = (fit('ball', 'floor', 1e6), fit('bead', 'floor', 7e5));
    my (undef, $text) = contactfit(qw(export -q --to chrono), @fits);
    spew("$scratch/materials.h", $text);
    spew("$scratch/chrono/physics/ChSystemSMC.h", $header{'chrono/physics/ChSystemSMC.h'}
         =~ s/void SetKn\(float\) \{\}/float kn = 0; void SetKn(float x) { kn = x; }/r);
    my @kn = runs('chrono', <<'CPP');
int main()
{
    chrono::ChSystemSMC system;
    contactfit_system(system);
    chrono::ChContactMaterialSMC ball, bead, floor, again;
    contactfit_material_1(ball);
    contactfit_material_1(floor, 2);
    contactfit_material_2(bead);
    contactfit_material_2(again, 2);
    std::printf("%.9g %.9g %d\n", (ball.kn + floor.kn) / 2., (bead.kn + floor.kn) / 2., floor.kn == again.kn);
}
CPP
    ok(abs($kn[0] / 1e6 - 1) < 1e-6 && abs($kn[1] / 7e5 - 1) < 1e-6, "chrono: the means are each pair's") or diag("@kn");
    is($kn[2], 1, 'with one material of the floor');
}

done_testing();
