#!/usr/bin/perl
# Programs that nothing is written for: they are known by name, and sent to the tables, which have
# what is entered there.

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
my $kk = synthetic($scratch, 'kk', 'azad-featherstone');
my $fit = decode_json(slurp($kk));

my $dem = 'for each pair of materials the column e, of the design speed, as the coefficient of restitution, mu_S '
    . 'and mu_C as its frictions, and modulus_Pa, 1/E* = (1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2, for its elastic moduli';
my $table = 'k, n and the damping of the law for a table or formula of force over depth and speed, or the column e, '
    . 'of the design speed, where it has a coefficient of restitution';
for ([rocky => 'Rocky', $dem], [EDEM => 'EDEM', $dem], [pfc => 'PFC', $dem], [abaqus => 'Abaqus', $table],
     [Ansys => 'Ansys', $table], [comsol => 'COMSOL', $table], ['ls-dyna' => 'LS-DYNA', $table],
     [LS_DYNA => 'LS-DYNA', $table], [adams => 'Adams', $table], [recurdyn => 'RecurDyn', $table],
     [simpack => 'Simpack', $table]) {
    my ($name, $title, $what) = @$_;
    for my $args (['--to', $name, $kk], ['--list', '--to', $name]) {
        my ($code, $out, $err) = contactfit('export', @$args);
        is("$code $err", "2 contactfit export: --to: nothing is written for $title itself: --to csv, or latex, has the "
               . "numbers to enter there: $what\n", "@$args[0, 1]: sent to the tables");
        is($out, '', 'and nothing is written');
    }
}
like((contactfit(qw(export --to edemm), $kk))[2], qr/unknown target "edemm": must be one of csv/, 'another name is none');

# The columns, by their names.
sub rows
{
    my ($code, $out, $err) = contactfit(qw(export -q --to csv), @_);
    is("$code$err", '0', 'csv') or return;
    my ($head, @rows) = split /\n/, $out;
    my @names = split /,/, $head;
    return map { my %row; @row{@names} = split /,/, $_, -1; is(tr/,//, $#names, 'all columns'); \%row } @rows;
}
sub near { return is_near(@_[0, 1], 1e-12, $_[2]) }
my ($point) = map { (split /,/)[1] } grep { /^[0-9]/ } split /\n/,
    (contactfit(qw(restitution -q azad-featherstone --mass 0.01 --speed 0.7),
                map { ('-p', "$_=$fit->{parameters}{$_}{value}") } qw(k lambda)))[1];
for my $row (rows($kk, qw(--speed 0.7))) {
    near($row->{modulus_Pa}, $fit->{parameters}{effective_modulus}{value}, "$row->{parameter}: the modulus that the fit has derived");
    near($row->{e}, $point, 'e of the law at the speed');
    is($row->{speed_m_s}, 0.7, 'which is told');
    ok($row->{e_low} < $row->{e} && $row->{e} < $row->{e_high}, 'inside its interval');
    is(join(' ', @{$row}{qw(mass_kg fitted_mass_kg radius_m fitted_radius_m)}), '0.01 0.01 0.01 0.01', 'and the sizes of the fit');
}
for my $row (rows($kk, qw(--speed 0.7 --radius 0.04 --mass 0.03))) {
    near($row->{modulus_Pa}, $fit->{parameters}{effective_modulus}{value}, "$row->{parameter}: the modulus is the material's");
    is(join(' ', @{$row}{qw(mass_kg fitted_mass_kg radius_m fitted_radius_m)}), '0.03 0.01 0.04 0.01',
       'the sizes of the pair, and of the fit');
    is("$row->{e_low}$row->{e_high}", '', 'no interval, which was that of another pair');
}
is($_->{modulus_Pa}, '', 'a law that is none of Hertz has no modulus')
    for rows(synthetic($scratch, 'linear', 'linear')), rows(synthetic($scratch, 'constant', 'e-constant'));

my $latex = (contactfit(qw(export -q --to latex --speed 0.7), $kk))[1];
my ($e, $low, $high) = $latex =~ /^ & \$e\$ at 0\.7 m\/s & \$(\S+)\$ & \$(\S+)\$ & \$(\S+)\$ & 1 \\\\$/m;
cmp_ok(abs(($e // 9) - $point), '<', 1e-3, 'latex: e at the speed');
my ($row) = rows($kk, qw(--speed 0.7));
ok(abs(($low // 9) - $row->{e_low}) + abs(($high // 9) - $row->{e_high}) < 2e-4, 'and its interval') or diag("$low $high");
my ($digits, $power) = $latex =~ /^ & \$E\^\*\$ & \$([0-9.]+)\\times10\^\{(\d+)\}\$ & -- & -- & Pa \\\\$/m;
cmp_ok(abs(($digits // 0) * 10 ** ($power // 0) / $fit->{parameters}{effective_modulus}{value} - 1), '<', 1e-3, 'its modulus');
like($latex, qr/^ & \$m\^\*\$ & \$0\.01\$ & -- & -- & kg \\\\\n & \$R\^\*\$ & \$0\.01\$ & -- & -- & m \\\\$/m, 'and its sizes');

done_testing();
