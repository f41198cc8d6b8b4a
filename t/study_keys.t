#!/usr/bin/perl
# A study that uses all that a table may say: `check` reads it, without a word on stderr, and counts
# the rows and values that are left. What the numbers become is in t/study_keys.c.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Program;
use Test::More tests => 4;

my $folder = tempdir(CLEANUP => 1);
spew("$folder/study.yaml", <<'END');
contactfit: study/1
title: Everything that a table may say
bodies:
  ball: {sphere: {diameter: 40 mm}, mass: 50 g}
  marble: {sphere: {diameter: 20 mm}, mass: 20 g}
  floor: {plane: {}, fixed: true}
law: azad-featherstone
fit: {k: {per: pair}, lambda: {per: material, prior: {value: 1e5, sigma: 50 %}}}
rivals: [hunt-crossley]
data:
  - name: camera
    protocol: impact
    between: [ball, floor]
    file: table.csv
    columns:
      speed: {from: v_cm_s, sign: -1, offset: 1 cm/s}
      restitution: {from: e, sigma: 0.004}
      peak_force: {from: cell, unit: N, sign: -1, scale: 0.5, sigma: 2 %}
    where: {ball: golf, session: 2, v_cm_s: {from: -650 cm/s, to: -40}}
    exclude: [{row: 7, because: the trigger failed}]
    nuisance:
      restitution.bias: {prior: {value: 0, sigma: 0.01}}
      peak_force.gain: {prior: {value: 1, sigma: 5 %}, min: 0.8, max: 1.25}
  - name: drops
    protocol: impact
    between: [marble, floor]
    file: drops.csv
    columns:
      drop_height: {from: h0_cm, sigma: 2 mm}
      rebound_height: {from: h1_cm, sigma: 2 mm}
      duration: {from: t_us, sigma: 2 %}
    where: "drop_height >= 5 cm and h1_cm < 60"
    apparatus: {height_scale: 1.01}
    nuisance: {height_scale: {prior: {value: 1, sigma: 1 %}}}
hold-out:
  - {data: drops, where: "drop_height > 80 cm"}
END
spew("$folder/table.csv", <<'END');
v_cm_s,e,cell,session,ball
-49,0.86,-300,2,golf
-99,0.84,-690,2,golf
-199,0.82,-1560,2,golf
-299,0.81,-2520,2,golf
-399,0.80,-3500,1,golf
bad,0.79,-5600,2,golf
-599,0.79,-5600,2,golf
-599,0.79,-5600,2,tennis
-899,0.77,-8600,2,golf
END
spew("$folder/drops.csv", <<'END');
h0_cm,h1_cm,t_us
2,1.6,200
10,7.0,150
20,13.6,139
40,26.8,130
60,40,125
90,59.4,120
95,61,119
END

my ($status, $out, $err) = contactfit({in => $folder}, 'check', 'study.yaml');
is($status, 0, 'the study is read');
is($err, '', 'and nothing is to be remarked');
my @sets = $out =~ /^  (data .*\n(?:    .*\n)*)/mg;
is($sets[0], <<'END', 'converted, chosen by word, number and range, one row excluded');
data "camera": impact, 6 rows, 0 held out, 1 excluded
    effective mass 0.05 kg, effective radius 0.02 m
    speed              5 values, 0.5 to 6 m/s
    restitution        6 values, 0.79 to 0.86, sigma 0.004
    peak_force         6 values, 150 to 2800 N, sigma 3 to 56
END
is($sets[1], <<'END', 'chosen by a condition, one row held out');
data "drops": impact, 5 rows, 1 held out, 0 excluded
    effective mass 0.02 kg, effective radius 0.01 m
    drop_height        5 values, 0.1 to 0.9 m, sigma 0.002
    rebound_height     5 values, 0.07 to 0.594 m, sigma 0.002
    duration           5 values, 0.00012 to 0.00015 s, sigma 2.4e-06 to 3e-06
END
