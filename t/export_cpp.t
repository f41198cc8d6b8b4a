#!/usr/bin/perl
# The C++ that export writes for libraries that no package has, compiled against declarations as
# their sources have them. What there are packages of is built whole by make check-export.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use Program;
use Synthetic;
use Test::More;

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
for my $target (sort keys %use) {
    for my $friction (0, 1) {
        my ($code, $text) = contactfit('export', '-q', '--to', $target, $kk,
                                       $friction ? qw(-p mu_S=0.3 -p mu_C=0.2) : ());
        is($code, 0, "$target: exit 0");
        spew("$scratch/materials.h", $text);
        spew("$scratch/use.cpp", "#include \"materials.h\"\nint main()\n{\n    $use{$target}}\n");
        my $said = `g++ -fsyntax-only -Wall -Wextra -Wconversion -Werror -I'$scratch' '$scratch/use.cpp' 2>&1`;
        is($said, '', "$target: compiles, " . ($friction ? 'with friction' : 'without'));
    }
}

done_testing();
