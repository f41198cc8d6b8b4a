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

done_testing();
