#!/usr/bin/perl
# fit --choose-by hold-out: the law is chosen by rows that do not fit it; and a data set that is held
# out as a whole is predicted with the sigma of the fitted rows.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Program;
use Synthetic qw(normal);
use Test::More;

draw_no_figures();

my $dir = tempdir(CLEANUP => !$ENV{KEEP});

# e = 0.8 v^-p with a sigma of 0.004, at n speeds.
sub write_table
{
    my ($name, $n, $p) = @_;
    my $text = "# synthetic\nv_m_s,e\n";
    for my $i (0 .. $n - 1) {
        my $v = sprintf '%.5f', 0.3 * 12**($i / ($n - 1));
        $text .= sprintf "%s,%.6f\n", $v, 0.8 * $v**-$p + 0.004 * normal();
    }
    spew("$dir/$name.csv", $text);
}

sub study_of
{
    my ($more) = @_;
    my $columns = 'columns: {speed: v_m_s, restitution: {from: e, unit: 1, sigma: {estimate: constant}}}';
    spew("$dir/s.yaml", "contactfit: study/1\nbodies: {ball: {sphere: {diameter: 40 mm}, mass: 31 g}, floor: {plane: {}, fixed: true}}\n"
        . "law: e-constant\ndata:\n  - {name: d, protocol: impact, file: fitted.csv, $columns}\n  - {name: h, protocol: impact, file: held.csv, $columns}\n$more");
    return "$dir/s.yaml";
}

my $rivals = "rivals: [e-log, e-power]\n";
my $held = "hold-out: [{data: h, where: \"speed > 0 m/s\"}]\n";

write_table('fitted', 24, 0.15);
write_table('held', 16, 0.15);
my ($status, $fit, $out, $err) = fit_of($dir, study_of($rivals . $held), '--choose-by', 'hold-out');
is($status, 0, 'fitted') or diag("$out$err");
is($fit->{law}, 'e-power', 'the law that the held-out rows are of');
like($err =~ s/\s+/ /gr, qr/e-power is chosen by the 16 rows that are held out, [\d.]+ in AICc before e-log; its intervals are of the other rows, which did not choose it/, 'says so');
is($fit->{statistics}{n}, 24, 'and it is fitted to the others');
like($fit->{command}, qr/--choose-by hold-out/, 'the command says how');
ok($fit->{held_out}{rms_sigma} > 0.5 && $fit->{held_out}{rms_sigma} < 1.6, "held-out rows are off by $fit->{held_out}{rms_sigma} sigma");
my ($one) = grep { $_->{use} eq 'held-out' } @{$fit->{observations}};
ok(abs($one->{sigma} / 0.004 - 1) < 0.5, "whose sigma is that of the fitted rows: $one->{sigma}");

# the held-out rows decide, whatever fits the others
write_table('held', 16, 0);
($status, $fit) = fit_of($dir, study_of($rivals . $held), '-q', '--choose-by', 'hold-out');
is($fit->{law}, 'e-constant', 'the rows that are held out decide');
is($status, 3, 'and the others do not like it');

for ([$held, 'hold-out', 1, qr/there is no rival to choose from: name some under rivals/],
    [$rivals, 'hold-out', 1, qr/no rows are held out to choose by: name some under hold-out/],
    [$rivals . $held, 'luck', 2, qr/--choose-by: "luck": hold-out is wanted/],
    [$rivals . "hold-out: [{data: h, where: \"speed > 3 m/s\"}]\n", 'hold-out', 1, qr/held-out rows/]) {
    my ($more, $how, $exit, $said) = @$_;
    my ($status, $out, $err) = contactfit('fit', '-q', study_of($more), '-o', $dir, '--choose-by', $how);
    is($status, $exit, 'refused');
    like($err, $said, 'in words');
}
my ($code, $text, $why) = contactfit('fit', '-q', study_of($rivals . $held), '-o', $dir, '--choose-by', 'hold-out', '--law', 'e-log');
is($code, 2, 'a law that is named');
like($why, qr/--law names the law: give one of the two/, 'is not chosen');

done_testing();
