#!/usr/bin/perl
# Friction and foundations given by hand: where each target has a place for them, and what is said
# where it has none.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Program;
use Synthetic;
use Test::More;

draw_no_figures();

my $scratch = tempdir(CLEANUP => 1);
my %fit = (kk => synthetic($scratch, 'kk', 'azad-featherstone'),
           hc => synthetic($scratch, 'hc', 'hunt-crossley'));
my %by_hand = (mu_S => '0.31', mu_C => '0.17', v_S => '0.02', sigma_2 => '0.07', kv => '2e9');
my @names = qw(mu_S mu_C v_S sigma_2 kv);

# where one e can follow the law
my @few = ('--slowest', '0.4 m/s', '--fastest', '0.6 m/s');

# R* = 0.01 m: kv R = 2e7 Pa; v_t = 0.416 v_S of Simbody; atan(0.17) = 0.168390
my @drake = ('mu_S mu_C', qr/mu_static\W.*?\b0\.31\b/, qr/mu_dynamic\W.*?\b0\.17\b/);
my $simbody = qr/ContactMaterial\([^()]*, 0\.31, 0\.17, 0\.07\)/;
my @one_mu = ('mu_C');
my %place = (
    csv => ['mu_S mu_C v_S sigma_2 kv', qr/,mu_S,0\.31,1,/, qr/,mu_C,0\.17\d*,1,/,
            qr/,v_S,0\.02,m\/s,/, qr/,sigma_2,0\.07\d*,s\/m,/, qr/,kv,2000000000,N\/m\^3,/],
    json => ['mu_S mu_C v_S sigma_2 kv', map { qr/"$_": \{\s+"value": 0\.0*[1-9]/ } @names[0 .. 3]],
    latex => ['mu_S mu_C v_S sigma_2 kv', qr/mu\\_S & \$0\.31\$/, qr/kv & \$2\\times10\^\{9\}\$/],
    'c-header' => [''], python => [''], javascript => [''],
    mujoco => [@one_mu, qr/<geom [^>]*friction="0\.17 /, qr/<pair [^>]*friction="0\.17 0\.17 /],
    drake => \@drake, 'drake-sap' => \@drake, 'drake-sdf' => \@drake, 'drake-sap-sdf' => \@drake,
    'drake-hydroelastic' => ['mu_S mu_C kv', @drake[1, 2],
                             qr/hydroelastic_modulus value="20000000"/],
    'drake-hydroelastic-sdf' => ['mu_S mu_C kv', @drake[1, 2],
                                 qr/hydroelastic_modulus>20000000</],
    'drake-yaml' => ['mu_S mu_C', qr/^    static_friction: 0\.31$/m,
                     qr/^    dynamic_friction: 0\.17/m],
    'drake-sap-yaml' => ['mu_S mu_C', qr/^    static_friction: 0\.31$/m],
    simbody => ['mu_S mu_C v_S sigma_2', $simbody, qr/transition_velocity_1 = 0\.00832;/],
    'simbody-csv' => ['mu_S mu_C v_S sigma_2', qr/,0\.31,0\.17\d*,0\.07\d*,0\.008(?:32|3199)\d*,/],
    'simbody-foundation' => ['mu_S mu_C v_S sigma_2 kv',
                             qr/ContactMaterial\(20000000, [^()]*, 0\.31, 0\.17, 0\.07\), 0\.01\)/,
                             qr/ContactMaterial\(1e30, 0, 0\.31, 0\.17, 0\.07\)/, qr/ = 0\.00832;/],
    gazebo => [@one_mu, qr/<mu>0\.17<\/mu><mu2>0\.17<\/mu2>/],
    gz => [@one_mu, qr/<mu>0\.17<\/mu><mu2>0\.17<\/mu2>/],
    urdf => [@one_mu, qr/<lateral_friction value="0\.17"\/>.*<lateral_friction value="1"\/>/s],
    bullet => [@one_mu, qr/a->setFriction\(0\.17\);\s+b->setFriction\(1\);/],
    ode => [@one_mu, qr/s->mode \|= dContactApprox1;\s+s->mu = 0\.17;/],
    'ode-bounce' => [@one_mu, qr/s->mode \|= dContactApprox1;\s+s->mu = 0\.17;/],
    dart => [@one_mu, qr/a\.setFrictionCoeff\(0\.17\);\s+b\.setFrictionCoeff\(0\.17\);/],
    physx => ['mu_S mu_C', qr/staticFriction = 0\.31\d*\s/, qr/dynamicFriction = 0\.17\d*\s/],
    lammps => [@one_mu, qr/tangential mindlin \S+ 1 0\.17 damping/],
    liggghts => [@one_mu, qr/coefficientFriction peratomtypepair 2 0 0\.17 0\.17 0$/m],
    'lammps-restitution' => [@one_mu, qr/tangential mindlin \S+ 1 0\.17 damping coeff_restitution/],
    'liggghts-restitution' => [@one_mu, qr/coefficientFriction peratomtypepair 2 0 0\.17 0\.17 0$/m,
                               qr/model hertz tangential history/],
    yade => [@one_mu, qr/frictionAngle=0\.168390/],
    'esys-particle' => [@one_mu, qr/dynamicMu=0\.17, shearK=/],
    mercury => [@one_mu, qr/setEffectiveShearModulus\(\d+[^;]*;/,
                qr/setSlidingFrictionCoefficient\(0\.17\);/],
    chrono => [@one_mu, qr/SetFriction\(1\.70000000e-01f\);/],
    'chrono-json' => [@one_mu, qr/"Coefficient of Friction": 0\.17/,
                      qr/"not carried": "mu_S, v_S, sigma_2, kv"/],
);

my (undef, $listed) = contactfit(qw(export --list));
is(join(' ', sort keys %place), join(' ', sort map { /^(\S+)/ } split /\n/, $listed),
   'every target');

for my $target (sort keys %place) {
    my ($takes, @want) = @{$place{$target}};
    my $fit = $fit{$target =~ /simbody|drake(?!-sap)/ ? 'hc' : 'kk'};
    my @may = $target =~ /^liggghts/ ? ('--allow-missing', 'ball,ball') : ();
    my ($code, $text, $err) = contactfit('export', '--to', $target, $fit, @may, @few,
                                         map { ('-p', "$_=$by_hand{$_}") } @names);
    is($code, 0, "$target: exit 0");
    like($text, $_, "$target: has it") for @want;
    my %takes = map { $_ => 1 } split ' ', $takes;
    my $left = join ', ', grep { !$takes{$_} } @names;
    my ($said) = $err =~ /: not carried, there is no place for it: (.*)$/m;
    is($said // '', $left, "$target: what it has no place for is said");
    my ($bare_code, $bare) = contactfit('export', '-q', '--to', $target, $fit, @may, @few,
                                        $target =~ /hydro|foundation/ ? qw(-p kv=2e9) : ());
    is($bare_code, 0, "$target: without friction");
    unlike($bare, qr/\bnan\b/i, "$target: has nothing that is not known");
}

# where a tangential spring must be chosen, it is that of the patch, K_t = 1.5 k sqrt(x)
my $near = sub {
    my ($text, $pattern, $want, $within, $name) = @_;
    my ($got) = $text =~ $pattern;
    ok(defined $got && abs($got / $want - 1) < $within, $name) or diag($got // 'none', " for $want");
};
my ($k, $R, $m) = (1e6, 0.01, 0.01);
my @asked = ($fit{kk}, qw(-q -p mu_C=0.17 --speed 0.5));
my %text = map { $_ => (contactfit('export', '--to', $_, @asked,
                                        /liggghts/ ? ('--allow-missing', 'ball,ball') : ()))[1] }
    qw(lammps liggghts esys-particle mercury);
my $by_root = 1.5 * $k / sqrt($R);
$near->($text{lammps}, qr/tangential mindlin (\S+) /, $by_root, 1e-3, 'lammps: by sqrt(R* x)');
$near->($text{liggghts}, qr/ kt peratomtypepair 2 0 (\S+)/, $by_root, 1e-3, 'liggghts: as well');
$near->($text{mercury}, qr/ShearModulus\(([^)]+)\)/, $by_root / (16 / 3), 1e-3,
        'mercury: (2/3) 8 G* sqrt(R* x)');
# 0.94: damping keeps the ball from the depth of an undamped one
my $depth = 0.94 * (1.25 * $m * 0.25 / $k) ** 0.4;
$near->($text{'esys-particle'}, qr/shearK=([^)]+)\)/, 1.5 * $k * sqrt($depth), 0.03,
        'esys-particle: at the design depth');

done_testing();
