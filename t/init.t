#!/usr/bin/perl
# contactfit init: from a table to a study that check accepts once two values are filled in.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Program;
use Test::More;

chdir tempdir(CLEANUP => 1) or die;

# A study of a table: its text, and what check says before and after the two values are filled in.
sub study_of
{
    my ($table, $text) = @_;
    spew($table, $text);
    my ($status, $out, $err) = contactfit('init', 'impact', $table);
    is($status, 0, "init of $table");
    spew('my.yaml', $out);
    my ($line) = grep { (split /\n/, $out)[$_ - 1] =~ /FILL-IN.*FILL-IN/ } 1 .. $out =~ tr/\n//;
    my ($before, undef, $complaint) = contactfit('check', 'my.yaml');
    is("$before $complaint",
       '1 contactfit check: '
           . "my.yaml:$line:29: diameter: still to be filled in: a number with its unit [m] is wanted\n"
           . 'contactfit check: '
           . "my.yaml:$line:45: mass: still to be filled in: a number with its unit [kg] is wanted\n",
       'check points at what is to be filled in');
    (my $filled = $out) =~ s/diameter: FILL-IN\}, mass: FILL-IN/diameter: 40 mm}, mass: 50 g/;
    spew('my.yaml', $filled);
    return ($out, $err);
}

my ($study, $said) = study_of('ball.csv', <<'END');
# source: made up
speed_m_s,e,contact_time [ms],trial
0.5,0.86,1.20,1
1.0,0.84,1.05,2
2.0,0.82,0.90,3
6.0,0.79,0.72,4
END
unlike($study, qr/^rivals: .*recovering/m, 'no rival that is the law itself in a single impact');
$study =~ s/^rivals: \K.*$/[...]/m;
is($study, <<'END', 'the whole study');
contactfit: study/1
# A draft by contactfit init. Put values, with their units, where FILL-IN stands; then
#   contactfit check THIS.yaml    says what these data can and cannot identify
#   contactfit fit THIS.yaml      fits, and leaves a page beside this file
title: ball
bodies:
  # What moves. As an example: ball: {sphere: {diameter: 42.7 mm}, mass: 45.9 g}
  ball: {sphere: {diameter: FILL-IN}, mass: FILL-IN}
  # What it meets. One that can move has a mass instead of fixed: true.
  ground: {plane: {}, fixed: true}
law: azad-featherstone    # contactfit models lists the laws
fit: {k: {}, lambda: {}}    # each may have {min: , max: , start: }, with units
rivals: [...]
data:
  - name: ball
    protocol: impact
    file: ball.csv    # relative to this file
    # sigma: what you know of the error, as 0.002, 0.05 ms or 1 %; or estimate, from
    # the scatter about the fitted law
    columns:
      speed: {from: speed_m_s}    # 4 values, 0.5 to 6
      restitution: {from: e, sigma: estimate}    # 4 values, 0.79 to 0.86
      duration: {from: 'contact_time [ms]', sigma: estimate}    # 4 values, 0.72 to 1.2
      # not used: trial
# Rows that the fit must predict without having seen them:
# hold-out:
#   - {data: ball, where: "speed > 4.9 m/s"}
END
is($said, "Save this as a .yaml file, fill in what is marked FILL-IN (the ball's diameter and mass), "
    . "then run contactfit check on it.\n", 'what to do next');
my ($status, undef, $err) = contactfit('check', 'my.yaml');
is("$status$err", '0', 'two values filled in, and check accepts it');

# A table as a spreadsheet in another country leaves it, with names that need quotes in YAML.
($study, $said) = study_of("the ball's.csv", "\xef\xbb\xbf"
    . "Drop height (cm);COR;sigma_COR;yes\r\n"
    . "5,0;0,86;0,01;golf\r\n20,0;0,84;0,01;tennis\r\n80,5;0,80;0,01;golf\r\n");
like($study, qr/^title: 'the ball''s'$/m, 'a quote in a name is doubled');
like($study, qr/^    delimiter: ";"\n    decimal: ","$/m, 'semicolons and decimal commas');
like($study, qr/^      drop_height: \{from: 'Drop height \(cm\)', unit: cm\}    # 3 values, 5 to 80\.5$/m,
    'a unit in parentheses is put in the study');
like($study, qr/^      restitution: \{from: COR, sigma: \{from: sigma_COR\}\}/m, 'a column of sigmas');
like($study, qr/^    # where: \{'yes': golf\}    # only these rows; or tennis$/m, 'kinds of rows');
like($study, qr/^law: e-log .*\n(#.*\n)*# law only together\. What parts them is a contact time/m,
    'e alone: a law of e, and what would part k and lambda');
like($said, qr/^The rows are of several kinds \(column yes\)/m, 'and it says so');
($status, undef, $err) = contactfit('check', 'my.yaml');
is("$status$err", '0', 'check accepts it');
# what the comment says, done
$study = slurp('my.yaml');
$study =~ s/^law: .*\n((?:#.*\n)+)fit: .*\n/$1/m or die;
$study =~ s/^#   (law|fit): /$1: /mg;
$study =~ s/mass: 50 g\}/mass: 50 g, youngs_modulus: 10 MPa, poissons_ratio: 0.45}/;
$study =~ s/fixed: true\}/fixed: true, rigid: true}/;
$study =~ s/^rivals: .*\n//m;
spew('hertz.yaml', $study);
($status, undef, $err) = contactfit('check', 'hertz.yaml');
is("$status$err", '0', 'and with k from Hertz as a prior');

# Into a file in another folder: the path of the table is as seen from there.
mkdir $_ for qw(tables studies studies/new);
spew('tables/ball.csv', slurp('ball.csv'));
is_deeply([contactfit(qw(init impact tables/ball.csv -o studies/new/ball.yaml))],
    [0, '', "Fill in what is marked FILL-IN (the ball's diameter and mass), then run contactfit check "
        . "on it.\n"], '-o');
like(slurp('studies/new/ball.yaml'), qr{^    file: \.\./\.\./tables/ball\.csv    # relative}m,
    'the table as seen from the study');
is([contactfit(qw(check studies/new/ball.yaml))]->[2] =~ tr/\n//, 2, 'check finds it');
is_deeply([contactfit(qw(init impact tables/ball.csv -o studies/new/ball.yaml))],
    [1, '', "contactfit init: studies/new/ball.yaml: is there already: write to another file, or over "
        . "this one with --force\n"], 'a study that is there may have been edited');
is([contactfit(qw(init impact ball.csv -q --force -o studies/new/ball.yaml))]->[0], 0, '--force');
like(slurp('studies/new/ball.yaml'), qr{^    file: \.\./\.\./ball\.csv }m, 'from above');
contactfit(qw(init impact -q tables/ball.csv -o tables/ball.yaml));
like(slurp('tables/ball.yaml'), qr{^    file: ball\.csv }m, 'from beside it');
contactfit('init', 'impact', '-q', "$ENV{PWD}/none/ball.csv", '-o', 'x.yaml');
ok(!-e 'x.yaml', 'no table, no study');

spew('sheet.xlsx', "PK\x03\x04\x14\0\6");
is_deeply([contactfit(qw(init impact sheet.xlsx))],
    [1, '', "contactfit init: sheet.xlsx: a spreadsheet (.xlsx, .ods) or another archive: save the sheet "
        . "as CSV\n"], 'a spreadsheet');

spew('odd.csv', "foo,bar\n1,2\n");
($status, $study, $said) = contactfit('init', 'impact', 'odd.csv');
is($status, 0, 'a table without a known name');
like($study, qr/^      speed: \{from: FILL-IN\}$/m, 'what was imposed is to be said');
like($study, qr/^      restitution: \{from: FILL-IN\}$/m, 'and what was measured');
is_deeply([$study =~ /^      # No column looks like (.*)\.$/mg],
    ['speed, drop_height', 'restitution, rebound_speed, rebound_height, duration, depth, peak_force'],
    'of these quantities');
like($said, qr/and which columns hold what/, 'and it says so');

is_deeply([contactfit('init', 'impact', '--quiet', 'ball.csv')]->[2], '', '--quiet');
is_deeply([(contactfit('init', 'inpact', 'ball.csv'))[0, 2]],
    [2, "contactfit init: unknown protocol inpact: did you mean impact?\n"], 'unknown protocol');
is_deeply([(contactfit('init', 'impact', 'none.csv'))[0, 2]],
    [1, "contactfit init: none.csv: cannot be read: No such file or directory\n"], 'missing table');
spew('ragged.csv', "speed_m_s,e\n1,0.8\n2,0.7,0.1\n");
is_deeply([contactfit('init', 'impact', 'ragged.csv')],
    [1, '', "contactfit init: ragged.csv:3:7: 3 cells where the header has 2\n"], 'a table that is none: no draft of it');
spew('head.csv', "speed_m_s,e\n");
is_deeply([contactfit('init', 'impact', 'head.csv')],
    [1, '', "contactfit init: head.csv:1:1: a header without rows: at least one is wanted\n"], 'nor of a header alone');

# ---- without a protocol: by the columns

my %kind = (
    'drops' => ["h0_cm,h1_cm", 'impact'], 'camera' => ["v_m_s,e", 'impact'],
    'pin' => ["sliding_speed_mm_s,friction_N,normal_load_N", 'slide'],
    'disc' => ["omega [rad/s],torque [Nm]", 'slide_rotary'],
    'logs' => ["velocity_mean_rad_s,velocity_sd_rad_s,torque_mean_Nm,torque_sd_Nm", 'slide_rotary'],
    'tribometer' => ["slip speed (m/s);COF", 'slide'],
);
for my $name (sort keys %kind) {
    my ($head, $protocol) = @{$kind{$name}};
    my $mark = $head =~ /;/ ? ';' : ',';
    my $row = join $mark, map { '0.5' } split /$mark/, $head;
    spew("$name.csv", "$head\n$row\n$row\n");
    ($status, $study, $said) = contactfit('init', "$name.csv");
    is($status, 0, "$head: a draft") or diag($said);
    like($study, qr/^    protocol: $protocol$/m, "of $protocol");
    like($said, qr/^Taken as $protocol: /, 'which is said');
    unlike($study, qr/^      .*\{from: FILL-IN/m, 'all columns are found');
}
($status, $study) = contactfit('init', '-q', 'logs.csv');
unlike($study, qr/sigma: \{from: /, 'the sd of a log is no sigma of its mean');
like($study, qr/^    # nuisance: \{torque\.bias: \{\}\}$/m, 'gravity and the zero are thought of');

spew('both.csv', "speed_m_s,force_N\n1,2\n");
is_deeply([contactfit('init', 'both.csv')],
    [1, '', "contactfit init: both.csv: its columns (speed_m_s, force_N) suit impact or slide: say which, contactfit "
        . "init PROTOCOL DATA.csv\n"], 'columns that suit two protocols');
is_deeply([contactfit('init', 'odd.csv')],
    [1, '', "contactfit init: odd.csv: its columns (foo, bar) are those of no experiment by their names: say which it "
        . "is, contactfit init PROTOCOL DATA.csv (impact, oblique, bounce, indent, slide, slide_rotary)\n"], 'columns that suit none');
is((contactfit('init', 'slide'))[0], 2, 'a protocol without a table');

done_testing();
