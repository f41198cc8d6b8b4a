#!/usr/bin/perl
# contactfit init: from a table to a study that check accepts once two values are filled in.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Program;
use Test::More;

draw_no_figures();

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

# what is no text, by its first bytes: what it is, and a command
for (['sheet.xlsx', "PK\x03\x04\x14\0\6", qr/a spreadsheet .* libreoffice/],
     ['sheet.xls', "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", qr/a spreadsheet .* libreoffice/],
     ['a.mat', "MATLAB 5.0 MAT-file, Platform: GLNXA64", qr/variables of Matlab: .*csvwrite/],
     ['a.h5', "\x89HDF\r\n\x1a\n\0", qr/HDF5: run h5dump/], ['a.mcap', "\x89MCAP0\r\n\1", qr/a recording in MCAP: .*ros2 topic echo --csv/],
     ['a.bag', "#ROSBAG V2.0\n", qr/a bag of ROS: run rostopic echo -b FILE -p TOPIC/],
     ['a.pdf', "%PDF-1.7\n", qr/a PDF: .*pdftotext/], ['a.png', "\x89PNG\r\n\x1a\n", qr/a picture: /],
     ['a.jpg', "\xFF\xD8\xFF\xE0\0", qr/a picture: /], ['a.gz', "\x1f\x8b\x08", qr/packed by gzip: run gunzip/]) {
    my ($name, $bytes, $what) = @$_;
    spew($name, $bytes);
    my ($status, $out, $err) = contactfit('init', $name);
    like("$status$out$err", qr/^1contactfit init: \Q$name\E: $what.*\n\z/, "$name: one sentence");
}

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
    [1, '', "contactfit init: both.csv: which experiment is it? Its columns (speed_m_s, force_N) do not tell; the likeliest first:\n"
        . "  contactfit init impact both.csv\n    drops and collisions: restitution, contact time, compression, force "
        . "against speed: 2 of 2 columns\n"
        . "  contactfit init slide both.csv\n    sliding at constant speed: friction against slip speed: 2 of 2 columns\n"], 'columns that suit two protocols: each with the command that takes it');
is_deeply([contactfit('init', 'odd.csv')],
    [1, '', "contactfit init: odd.csv: its columns (foo, bar) are those of no experiment by their names: say which it "
        . "is, contactfit init PROTOCOL DATA.csv (impact, oblique, bounce, bounce_heights, indent, slide, slide_rotary, pulse, ramp, ramp_force, tap, stick_slip, velocity_step, toss), or fit a scene to a trace over time: protocol log, contactfit-study(5)\n"], 'columns that suit none');
spew('blanks.txt', "v  e\n1  0.8\n2 0.7\n");
like((contactfit('init', 'blanks.txt'))[1], qr/^    delimiter: blanks\n(?:.*\n)*      restitution: \{from: e,/m, 'cells parted by blanks');
is((contactfit('init', 'slide'))[0], 2, 'a protocol without a table');

# ---- titles above the names, units below them, names in a comment

# The draft of a table without FILL-IN, and what check says of it.
sub drafted
{
    my ($table, $text, @named) = @_;
    spew($table, $text);
    my ($status, $out, $err) = contactfit('init', '-q', @named, $table);
    is($status, 0, "init of $table") or diag($err);
    $out =~ s/diameter: FILL-IN\}, mass: FILL-IN/diameter: 40 mm}, mass: 31 g/;
    spew('its.yaml', $out);
    return ($out, (contactfit('check', 'its.yaml'))[2]);
}

my $rows = "0,52;0,821;1,020\n0,98;0,797;0,941\n1,51;0,772;0,868\n2,03;0,764;0,832\n"
    . "2,96;0,735;0,789\n3,88;0,723;0,751\n";
my @titled = (
    ['a title' => "Drops of 3 May, 2 balls\nspeed [m/s];e;tc [ms]\n$rows", "    header_line: 2\n"],
    ['titles and a blank line' => "Drops\nlab 3; 2024\n\nspeed [m/s];e;tc [ms]\n$rows", "    header_line: 4\n"],
    ['a title as a spreadsheet saves it' => "Drops of 3 May;;\n;;\nspeed [m/s];e;tc [ms]\n$rows",
     "    header_line: 3\n"],
    ['a row of units' => "speed;e;tc\nm/s;-;ms\n$rows", "    unit_row: true\n"],
    ['a row of units in brackets' => "speed;e;tc\n[m/s];[-];[ms]\n$rows", "    unit_row: true\n"],
    ['a row of units with a 1' => "speed;e;tc\nm/s;1;ms\n$rows", "    unit_row: true\n"],
    ['a row of units with a hole' => "speed;e;tc\nm/s;;ms\n$rows", "    unit_row: true\n"],
    ['both' => "Drops\nspeed;e;tc\nm/s;-;ms\n$rows", "    header_line: 2\n    unit_row: true\n"],
    ['names in a comment' => "# made up\n# speed [m/s];e;tc [ms]\n$rows", "    header_line: 2\n"],
    ['neither' => "# made up\n\nspeed [m/s];e;tc [ms]\n$rows", ''],
);
my $fitted;
for (@titled) {
    my ($name, $text, $keys) = @$_;
    my ($out, $said) = drafted('titled.csv', $text);
    like($out, qr/^    delimiter: ";"\n    decimal: ","\n\Q$keys\E(?:    # .*\n)*?    # sigma:/m, "$name: is seen");
    is($said, '', "$name: check accepts the draft");
    is((contactfit(qw(fit -q its.yaml)))[2], '', "$name: and fit does");
    my ($numbers) = slurp('its.json') =~ /("parameters": \[.*?\])/s;
    $fitted //= $numbers;
    is($numbers, $fitted, "$name: to the same numbers");
}
($study, $said) = drafted('cut.csv', "Drops\nspeed,e\nm/s,-\n0.5,0.8\n1,x\n2,0.7\n3,0.7\n");
is($said, "contactfit check: cut.csv:5:3: e x: a number is wanted\n", 'lines are those of the file');
($study) = drafted('tab.txt', "Drop, lab 3\nv [m/s]\te\n0.5\t0.8\n1\t0.7\n2\t0.7\n");
like($study, qr/^    delimiter: tab\n    header_line: 2$/m, 'tabs below a title with commas');
($study) = drafted('two.csv', "Drops, lab 3\nspeed_m_s,e\n0.5,0.8\n1,0.7\n2,0.7\n");
like($study, qr/^    header_line: 2$/m, 'a title of as many cells as the table has');
($study) = drafted('kinds.csv', "speed_m_s,e,ball\n0.5,0.8,m\n1,0.7,s\n2,0.7,m\n");
unlike($study, qr/unit_row|header_line/, 'words in a column of text are no units');

# ---- what names do not tell is asked

($study, $said) = drafted('spun.csv', "angle_deg,e_t,omega [rad/s]\n10,0.7,3\n20,0.6,4\n", 'oblique');
is($study =~ /(      # Which.*?)(?=# Rows|    # Where)/s ? $1 : '', <<'END', 'a column that is two quantities');
      # Which is it? Names and units do not tell: put what stands behind # in the place of
      # FILL-IN where it belongs, and take the other lines out
      spin: FILL-IN    # {from: 'omega [rad/s]'}
      rebound_spin: FILL-IN    # {from: 'omega [rad/s]'}
END
like($said, qr/^contactfit check: its.yaml:\d+:13: .*still to be filled in/m, 'check points at it');
($study) = drafted('spun.csv', "angle_deg,e_t,omega_0 [rad/s],omega (rad/s)\n10,0.7,0,3\n20,0.6,0,4\n");
like($study, qr/^      spin: \{from: 'omega_0 \[rad\/s\]'\}.*\n(.*\n)*      rebound_spin: \{from: 'omega \(rad\/s\)', unit: rad\/s,/m,
    'unless another column takes one of them');
($study) = drafted('pin.csv', "v [m/s],F_N,mu\n1,5,0.3\n2,5,0.3\n3,5,0.3\n4,5,0.3\n5,5,0.3\n");
like($study, qr/^      load: FILL-IN    # \{from: F_N\}\n      force: FILL-IN    # \{from: F_N\}$/m, 'F in N, or F_N');
($study, $said) = drafted('pin.csv', "v [m/s],F_N,F_T\n1,5,3\n2,5,3\n3,5,3\n4,5,3\n5,5,2\n");
like($study, qr/^      load: \{from: F_N\}.*\n      force: \{from: F_T, unit: N, /m, 'beside a friction it is the load');
($study) = drafted('pin.csv', "v [m/s],F_N\n1,5\n2,5\n3,5\n4,5\n5,4\n", 'slide');
like($study, qr/^      force: \{from: F_N, sigma: estimate\}/m, 'alone it is what was measured');
($study) = drafted('twice.csv', "v [m/s],v_in (m/s),e\n1,1,0.7\n2,2,0.6\n");
like($study, qr/^      speed: FILL-IN    # \{from: 'v \[m\/s\]'\} or \{from: 'v_in \(m\/s\)', unit: m\/s\}$/m,
    'a quantity that two columns may be');
($study) = drafted('pair.csv', "v1 [m/s],v2 [m/s]\n1,0.8\n2,1.5\n3,2.2\n");
like($study, qr/^      speed: \{from: 'v1 .*\n      rebound_speed: \{from: 'v2 /m, 'before and after');
($study) = drafted('pair.csv', "v0 [m/s],v1 [m/s]\n1,0.8\n2,1.5\n3,2.2\n");
like($study, qr/^      speed: \{from: 'v0 .*\n      rebound_speed: \{from: 'v1 /m, 'or numbered from 0');
($study) = drafted('strange.csv', "v_arm [m/s],e\n1,0.8\n2,0.7\n", 'impact');
like($study, qr/^      # By its unit v_arm \[m\/s\] could be speed$/m, 'a unit, and no name');
($study) = drafted('errors.csv', "v [m/s],e,e_err,tc [ms],sd tc (us)\n1,0.8,0.01,1,9\n2,0.7,0.01,1,9\n3,0.7,0.01,1,9\n");
like($study, qr/^      restitution: \{from: e, sigma: \{from: e_err\}\}/m, 'a column of errors');
like($study, qr/^      duration: \{from: 'tc \[ms\]', sigma: \{from: 'sd tc \(us\)', unit: us\}\}/m,
    'in a unit of its own');

# ---- what a draft makes of signs and of several readings of one thing

($study, $said) = drafted('turned.csv', "v_in (m/s),v_out [m/s]\n-0.5,0.4\n-1,0.8\n-2,1.5\n-3,2.3\n");
like($study, qr/^      speed: \{from: 'v_in \(m\/s\)', unit: m\/s, sign: -1\}    # 4 values, -3 to -0.5; all below 0: turned by sign$/m,
    'an axis that points the other way');
like($study, qr/^#   - \{data: turned, where: "speed > 2\.5 m\/s"\}$/m, 'and the example of hold-out with it');
is($said, '', 'check accepts it');
unlike((drafted('load.csv', "v [m/s],F [N]\n-1,-2\n-2,-3\n-3,-3\n", 'slide'))[0], qr/sign:/, 'but not where signs mean something');
($study, $said) = drafted('mu.csv', "slip speed (m/s);COF\n0.5;0.4\n1;0.35\n2;0.33\n3;0.32\n4;0.32\n");
like($study, qr/^law: mu-stribeck /m, 'coefficients alone: a law of them');
is($said, '', 'which check accepts');
($study, $said) = drafted('pin.csv', "v [m/s],Fn [N],F_t [N],mu\n0.5,5,2,0.4\n1,5,1.8,0.36\n2,5,1.7,0.34\n3,5,1.6,0.32\n4,5,1.6,0.32\n");
like($study, qr/^law: f-stribeck .*^      # coefficient: \{from: mu, sigma: estimate\}    # f-stribeck predicts no coefficient$/ms,
    'beside forces they say the same again');
is($said, '', 'check accepts that, too');
($study, $said) = drafted('lean.csv', "angle [degrees],e_t\n10,0.7\n20,0.6\n30,0.6\n40,0.6\n50,0.7\n");
like($study, qr/^      angle: \{from: 'angle \[degrees\]', unit: deg\}/m, 'a unit in brackets that the reader does not know');
is($said =~ /angle/, '', 'is overruled by what the study says');

my @spread = map { (drafted('spread.csv', "v [m/s],e,$_\n1,0.8,0.01\n2,0.7,0.01\n3,0.7,0.01\n"))[0]
    =~ /sigma: \{from: (\S+)\}\}/ ? $1 : 'none' } qw(e_err sigma_e u_e e_sd std_e e_unc err_e cor_error
    restitution_sd e_stdev);
is("@spread", 'e_err sigma_e u_e e_sd std_e e_unc err_e cor_error restitution_sd e_stdev', 'names of errors');

# ---- traces

spew('pulse.csv', "time_s,force_N\n" . join '', map { $_ / 1000 . ',' . 9 * sin($_ / 7) . "\n" } 0 .. 20);
my ($drawn, $draft) = contactfit(qw(init pulse.csv));
is($drawn, 0, 'a force over time is no stamps of bounces');
like($draft, qr{protocol: pulse\n.*a column of\n    # approach speeds}s, 'but pulses, whose speeds are asked for');
spew('loop.csv', "t (ms);x (mm);F (N)\n" . join '', map { "$_;" . $_ ** 2 . ";$_\n" } 1 .. 9);
like((contactfit(qw(init loop.csv)))[2], qr/which experiment is it\? .*contactfit init indent loop\.csv\n.*contactfit init ramp loop\.csv\n/s, 'a force over a place may be pressed or drawn');
spew('deep.csv', slurp('loop.csv') =~ s/x \(mm\)/depth (mm)/r);
is((contactfit(qw(init deep.csv)))[0], 0, 'but with a depth it is a record of an indentation');
spew('slip.csv', "t (ms);x (mm);friction (N)\n" . join '', map { "$_;" . $_ ** 2 . ";1\n" } 1 .. 9);
like((contactfit(qw(init slip.csv)))[2], qr/which experiment is it\? .*contactfit init ramp slip\.csv\n.*contactfit init ramp_force slip\.csv\n/s,
    'a force over a path and time is a ramp, by one or by the other');
spew('angle.csv', "t (ms);angle (deg)\n" . join '', map { "$_;" . $_ ** 2 . "\n" } 1 .. 9);
like((contactfit(qw(init angle.csv)))[2], qr/angle\.csv: its columns .* are those of no experiment .*protocol log/, 'a trace of something else');
my ($t, $flight) = (0, 0.5);
my @stamp = map { $t += $flight *= 0.9 } 1 .. 9;
spew('steel.csv', "t\n" . join '', map { sprintf "%.4f\n", $_ } @stamp);
like((contactfit(qw(init steel.csv)))[1], qr/^    protocol: bounce$/m, 'flights that shrink are no clock');
for (['t,x,y', 'y'], ['video_time (s);ball_height [cm]', 'ball_height [cm]'], ['timestamp_s,pos_z_m,drop', 'pos_z_m']) {
    my ($head, $height) = @$_;
    my $by = $head =~ /(;)/ ? ';' : ',';
    spew('video.csv', "$head\n" . join '', map { my $u = $_ % 15 / 15; join($by, $_ / 240, map { 1 + $u * (1 - $u) } (1 .. $head =~ tr/;,//)) . "\n" } 1 .. 60);
    like((contactfit(qw(init video.csv)))[1], qr/^    protocol: bounce_heights\n.*^      height: \{from: '?\Q$height\E'?[,}]/ms,
        "$head: heights beside a clock");
}
spew('peaks.csv', "height_m,time_s\n1,0.3\n0.8,1.1\n0.6,1.7\n0.5,2.2\n0.45,2.6\n0.4,2.9\n0.35,3.1\n");
unlike((contactfit(qw(init peaks.csv)))[1], qr/bounce_heights/, 'highest points are no heights over time');

# ---- a path that holds: check and fit find the table from anywhere

# what only the user knows is asked for and never made up: an example of it stands in a comment
for (['tap', 'synthetic_tap.csv', qr/^    apparatus: \{mass: FILL-IN, load: FILL-IN\}$/m, ''],
     ['stick_slip', 'synthetic_plate_20.csv', qr/^    apparatus: \{load: FILL-IN, mass: FILL-IN, stiffness: FILL-IN, plate_speed: FILL-IN\}$/m, ''],
     ['toss', 'cube_tosses_contactnets.csv', qr/^    apparatus: \{half_width: FILL-IN, mass: FILL-IN, inertia: FILL-IN\}$/m, ''],
     ['bounce_heights', 'synthetic_ball_heights.csv', qr/^    apparatus: \{contact_height: FILL-IN\}$/m, q(the ball's diameter and mass and )]) {
    my ($protocol, $table, $asked, $bodies) = @$_;
    my ($status, $text, $err) = contactfit('init', $protocol, "$srcdir/data/$table");
    like($text, $asked, "$protocol: asked for");
    like($err, qr/^Save this as a \.yaml file, fill in what is marked FILL-IN \(\Q$bodies\Ethe numbers of the rig\), then run contactfit check on it\.$/m, 'and said');
    spew('rig.yaml', $text =~ s/(sphere: \{diameter: )FILL-IN\}, mass: FILL-IN/${1}40 mm}, mass: 31 g/r);
    ($status, undef, $err) = contactfit('check', 'rig.yaml');
    is($status, 1, 'until then nothing is fitted');
    like($err, qr/still to be filled in/, 'and check points there');
}

spew('my.csv', "speed_m_s,e\n" . join '', map { ($_ / 2) . ',' . (0.8 - 0.05 * log($_) + 0.002 * ($_ * 2 % 3)) . "\n" } 1 .. 9);
mkdir $_ for qw(data studies studies/deep);
rename 'my.csv', 'data/my.csv';
my $here = $ENV{PWD} = do { require Cwd; Cwd::getcwd() };
for (['data/my.csv', 'studies/deep/a.yaml', '../../data/my.csv'], ["$here/data/my.csv", 'studies/b.yaml', "$here/data/my.csv"],
     ['data/my.csv', "$here/c.yaml", 'data/my.csv'], ['studies/../data/my.csv', 'data/d.yaml', 'my.csv'],
     ['./data/my.csv', 'studies/e.yaml', '../data/my.csv']) {
    my ($table, $yaml, $seen) = @$_;
    is((contactfit('init', '-q', $table, '-o', $yaml))[0], 0, "$table into $yaml");
    my $text = slurp($yaml);
    is($text =~ /^    file: (\S+)/m && $1, $seen, "is $seen there");
    $text =~ s/diameter: FILL-IN\}, mass: FILL-IN/diameter: 40 mm}, mass: 31 g/;
    spew($yaml, $text);
    is_deeply([(contactfit({in => '/'}, 'check', $yaml =~ m{^/} ? $yaml : "$here/$yaml"))[0, 2]], [0, ''], 'check finds it');
    my ($status, $out, $err) = contactfit('fit', '-q', $yaml);
    is("$status $err", '0 ', 'and fit');
}

# From standard input: the table has no name, and a pipe can be read once only.
{
    my $table = "speed_m_s,e\n" . join '', map { ($_ / 2) . ',' . (0.8 - 0.01 * $_ + 0.002 * ($_ % 3)) . "\n" } 1 .. 9;
    spew('piped.csv', $table);
    my (undef, $named) = contactfit('init', '-q', 'piped.csv');
    my $piped = `cat piped.csv | '$program' init -q -`;
    is($piped, $named =~ s/^title: \Kpiped|name: \Kpiped|data: \Kpiped/table/mgr =~ s/file: \Kpiped\.csv/FILL-IN/r,
        'a table from a pipe: the same draft, without a name');
    my ($status, $out, $err) = contactfit({input => 'piped.csv'}, qw(init impact - -o piped.yaml));
    is("$status$out$err", '0Fill in what is marked FILL-IN (the file that holds the table and the ball\'s diameter and mass), '
        . "then run contactfit check on it.\n", 'into a file, and what is missing is said');
    like((contactfit('check', 'piped.yaml'))[2], qr/^contactfit check: piped\.yaml:\d+:\d+: file: still to be filled in$/m,
        'and check points at the file');
    spew('bad.csv', "speed_m_s,e\n1,0.8\n2\n");
    is_deeply([contactfit({input => 'bad.csv'}, qw(init impact -))],
        [1, '', "contactfit init: -:3:1: 1 cell where the header has 2\n"], 'messages call it -');
    is_deeply([contactfit(qw(init impact -))], [1, '', "contactfit init: -: the file is empty\n"], 'nothing in it');
}

done_testing();
