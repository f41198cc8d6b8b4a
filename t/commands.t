#!/usr/bin/perl
# The command line: usage, help, wrong words, exit codes, and what models and restitution print.
# Numbers are held against tables that were computed without this program.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Program;
use Test::More;

my $scratch = tempdir(CLEANUP => 1);

# The whole message, nothing on stdout, and the exit code.
sub refused
{
    my ($want_code, $message, @args) = @_;
    my ($code, $out, $err) = contactfit(@args);
    my $what = @args ? join(' ', @args) : 'no command';
    is($err, "$message\n", "$what: message");
    is("$code, \"$out\"", "$want_code, \"\"", "$what: exit $want_code, no output");
}

my @commands = qw(init check fit compare predict validate design selftest report plot export
    models restitution onsets);

# help
{
    my ($code, $out, $err) = contactfit('--help');
    is("$code$err", '0', '--help: exit 0, nothing on stderr');
    like($out, qr/^usage: contactfit COMMAND \[ARGUMENT\.\.\.\]\n/, '--help: usage');
    like($out, qr/^  \Q$_\E +\S/m, "--help names $_") for @commands;
    is((contactfit('help'))[1], $out, 'help says the same');
    is((contactfit('-h'))[1], $out, '-h says the same');
    my ($usage, $none, $shown) = contactfit();
    is("$usage$none", '2', 'no command: exit 2, nothing on stdout');
    is($shown, $out, 'no command: the usage on stderr');
}
for my $command (@commands) {
    my ($code, $out, $err) = contactfit({columns => 0}, $command, '--help');
    is("$code$err", '0', "$command --help: exit 0, nothing on stderr");
    like($out, qr/^usage: contactfit $command( \S.*)?\n( {18,}\S.*\n)*\n\S.*\n(\S.*\n)?\n/, "$command --help: usage");
    like($out, qr/^  -q, --quiet  +\S/m, "$command --help: options");
    my @wide = grep { length > 80 || / $/ } split /\n/, $out;
    is("@wide", '', "$command --help: at most 80 wide, no trailing blanks");
    is((contactfit({columns => 0}, 'help', $command))[1], $out, "help $command says the same");
}
{
    my ($code, $out, $err) = contactfit('--version');
    is("$code$err", '0', '--version: exit 0, nothing on stderr');
    like($out, qr/^contactfit \d+\.\d+\.\d+\n/, '--version: name and version');
    is((contactfit('models', '--version'))[1], $out, 'models --version says the same');
}

# words that are not known
refused(2, 'contactfit: unknown command "restution": did you mean restitution?', 'restution');
refused(2, 'contactfit: unknown command "xyz": contactfit help lists them', 'xyz');
refused(2, 'contactfit: unknown command "chek": did you mean check?', 'help', 'chek');
refused(2, 'contactfit models: unknown option --unit: did you mean --units?', 'models', '--unit');
refused(2, 'contactfit models: unknown option --foo: see contactfit models --help',
        'models', '--foo=3');
refused(2, 'contactfit models: unknown option -units: did you mean --units?', 'models', '-units');
refused(2, 'contactfit models: "a?b": control characters, such as line breaks, are not allowed: rename the file, or leave them out',
        'models', "a\nb");
refused(2, 'contactfit check: "study?.yaml": control characters, such as line breaks, are not allowed: rename the file, or leave them out',
        'check', "study\x1b.yaml");
{
    # a pipe as a study and as a table, as <(...) of a shell
    my $dir = tempdir(CLEANUP => 1);
    my $way = 'a pipe, a terminal or a device: files are read more than once: write it into a file, and name that';
    system('mkfifo', "$dir/fifo") == 0 or die "mkfifo: $?\n";
    refused(1, "contactfit $_->[0]: $dir/fifo: $way", @$_) for ['check', "$dir/fifo"], ['init', 'impact', "$dir/fifo"];
}
refused(2, 'contactfit models: --units takes no value: "3"', 'models', '--units=3');
refused(2, 'contactfit models: --units stands alone, without --json', qw(models --units --json));
refused(2, 'contactfit models: unknown law lee-wong: did you mean lee-wang?', qw(models lee-wong));
refused(2, 'contactfit models: unknown law bristel: did you mean bristle?', qw(models bristel));
refused(2, 'contactfit models: unknown law zzzzzz: contactfit models lists them', qw(models zzzzzz));
refused(2, 'contactfit models: "b" is one argument too many; usage: contactfit models [NAME] '
        . '[--units] [--json]', qw(models linear b));

my $synopsis = 'usage: contactfit restitution LAW -p NAME=VALUE... --mass Q --speed LIST '
    . '[--radius Q] [--json]';
my @hc = ('restitution', 'hunt-crossley', '-p', 'a=1');
my $r = 'contactfit restitution:';
refused(2, "$r LAW is missing; $synopsis", 'restitution');
refused(2, "$r \"x\" is one argument too many; $synopsis", @hc, 'x');
refused(2, "$r --speed wants a value: --speed LIST", @hc, '--speed');
refused(2, "$r --speed wants a value: --speed LIST", @hc, '--speed', '--json');
refused(2, "$r --speed is missing: give 0.1,0.5,2 or FROM:TO:COUNT (log-spaced)", @hc);
refused(2, "$r unknown law hunt-crosley: did you mean hunt-crossley?",
        qw(restitution hunt-crosley --speed 1));
refused(2, "$r hunt-crossley has no parameter lamda: did you mean lambda?",
        @hc, qw(-p lamda=3 --speed 1));
refused(2, "$r a is given twice", @hc, qw(-p a=3 --speed 1));
refused(2, "$r -p: \"a\": NAME=VALUE is wanted, such as k=1e+08",
        qw(restitution hunt-crossley -p a --speed 1));
refused(2, "$r -p a: 3 m: a length [m] where an inverse speed [s/m] is wanted",
        'restitution', 'hunt-crossley', '-pa=3 m', '--speed', '1');
refused(2, "$r a = -1 s/m: must be in [0, 10000]",
        qw(restitution hunt-crossley -p a=-1 --speed 1));
refused(2, "$r hunt-crossley needs a [s/m] (damping factor, lambda/k): give -p a=VALUE",
        qw(restitution hunt-crossley -p k=1e8 --mass 1 --speed 1));
refused(2, "$r lee-wang needs k [N/m^1.5] (Hertz stiffness, (4/3) E* sqrt(R)): give -p k=VALUE",
        qw(restitution lee-wang -p lambda=1e4 --mass 1 --speed 1));
refused(2, "$r lee-wang needs the mass that bounces: give --mass, such as --mass=\"66 g\"",
        qw(restitution lee-wang -p lambda=1e4 -p k=1e8 --speed 1));
refused(2, "$r --mass: 66 mm: a length [m] where a mass [kg] is wanted",
        @hc, '--mass', '66 mm', '--speed', '1');
refused(2, "$r --mass: -0.5 kg: must be above 0", @hc, qw(--mass -0.5 --speed 1));
refused(2, "$r --speed: 0: a speed must be above 0", @hc, '--speed', '0,5');
refused(2, "$r --speed: nothing stands after a comma", @hc, '--speed', '1,,2');
refused(2, "$r --speed: nothing stands there: give 0.1,0.5,2 or FROM:TO:COUNT", @hc, '--speed=');
refused(2, "$r --speed: 3 kg: a mass [kg] where a speed [m/s] is wanted", @hc, '--speed=1,3 kg');
refused(2, "$r --speed: \"1:5\": a range is FROM:TO:COUNT", @hc, '--speed=1:5');
refused(2, "$r --speed: \"1\": COUNT of FROM:TO:COUNT is a whole number from 2 to 1000000",
        @hc, '--speed=1:5:1');
refused(2, "$r --speed: \"nan\": a finite number is wanted", @hc, '--speed=nan');

# models
{
    my ($code, $out, $err) = contactfit('models');
    is("$code$err", '0', 'models: exit 0, nothing on stderr');
    my @laws = qw(azad-featherstone hunt-crossley lee-wang tsuji linear gonthier hunt-crossley-e
                  lankarani-nikravesh herbert-mcwhannell hu-guo flores e-constant e-linear e-log
                  e-power clutch clutch-linear bristle bristle-fixed stribeck viscous-load coulomb
                  dahl lugre elasto-plastic iwan-2 iwan-3 iwan-4
                  rate-state rate-state-slip rate-state-2 rate-state-slip-2);
    like($out, qr/^  \Q$_\E +\S.*\n +\S/m, "models lists $_ with its source") for @laws;
    my ($json_code, $json) = contactfit('models', '--json');
    is($json_code, 0, 'models --json: exit 0');
    is(() = $json =~ /"formula":/g, () = $out =~ /^  [a-z]/mg, 'models --json: as many laws');

    my $one = (contactfit('models', 'azad-featherstone'))[1];
    like($one, qr/^  F = k z\^1\.5 \+ lambda z\^0\.5 zdot;/m, 'models NAME: formula');
    like($one, qr/^  k +N\/m\^1\.5 +\S+ to \S+ +\S+ to \S+ +1e\+08 +log +Hertz stiffness/m,
         'models NAME: a parameter with unit, ranges, example, scale and meaning');
    like($one, qr/^  kk_time +s +\S/m, 'models NAME: other aliases');
    my $friction = (contactfit('models', 'bristle'))[1];
    like($friction, qr/^  f = -f_n \(sigma_0 x /m, 'models NAME: a friction law');
    like($friction, qr/^  tau_dw +s +0 to 1e\+09 +\S+ to \S+ +2 +log +time /m, 'and its parameters');
    unlike($friction, qr/SPELLINGS/, 'without aliases');
    is(() = (contactfit('models', 'lugre', '--json'))[1] =~ /"formula":/g, 1, 'models NAME --json');
    like((contactfit('models', '--units'))[1],
         qr/^  \+ N     1                 kg m\/s\^2      newton$/m, 'models --units');
}

# restitution
my $header = 'speed_m_s,restitution,duration_s,depth_m,peak_force_N';

# The rows as lists of cells, after the header and the messages were checked.
sub rows
{
    my ($name, $message, @args) = @_;
    my ($code, $out, $err) = contactfit('restitution', @args);
    my ($first, @rows) = split /\n/, $out;
    is("$code: $err", "0: $message", "$name: exit 0, what is said");
    is($first, $header, "$name: header");
    return map { [split /,/, $_, -1] } @rows;
}

# k = m = 32 and v = 1 make every scale 1 (SI), so that beta is lambda/32
my @oracle = (
    # beta, e, tau, zeta, phi
    [0.01, 0.98854743964272943, 3.21179830015394, 1.08834576013, 1.13544326061],
    [0.1, 0.89285887550655333, 3.15725565580257, 1.04559671592, 1.07281726588],
    [1, 0.39393060322987319, 2.75202657403905, 0.76748080154, 0.88297479432],
    [10, 0.025095704431518392, 1.63071544465623, 0.26670819084, 2.54139138430],
    [100, 6.0490272502950e-4, 0.64810899098252, 0.06065802690, 11.6552020479],
);
for (@oracle) {
    my ($beta, $e, $tau, $zeta, $phi) = @$_;
    my ($row) = rows("beta $beta", '', 'azad-featherstone', '-p', 'k=32', '-p',
                     'lambda=' . 32 * $beta, qw(--mass 32 --speed 1));
    is_near($row->[1], $e, 1e-11, "beta $beta: restitution");
    is_near($row->[2], $tau, 1e-10, "beta $beta: duration");
    is_near($row->[3], $zeta, 1e-10, "beta $beta: depth");
    is_near($row->[4], 32 * $phi, 1e-10, "beta $beta: peak force");
}

# k = 32, m = 1 and v = 32: Z = 32^0.4 = 4, T = 1/8, m v^2/Z = 256, beta = 2 lambda/8
{
    my ($row) = rows('units', '', 'azad-featherstone', '-p', 'k=0.032 kN/m^1.5', '-p',
                     'lambda=4 N s/m^(3/2)', '--mass', '1000 g', '--speed', '3200 cm/s');
    is($row->[0], '32', 'units: speed in SI');
    is_near($row->[1], 0.39393060322987319, 1e-11, 'units: restitution');
    is_near($row->[2], 2.75202657403905 / 8, 1e-10, 'units: duration');
    is_near($row->[3], 4 * 0.76748080154, 1e-10, 'units: depth');
    is_near($row->[4], 256 * 0.88297479432, 1e-10, 'units: peak force');
}
for (['linear', 'lambda=32', 0.298436059192], ['lee-wang', 'lambda=32', 0.499731495031],
     ['tsuji', 'alpha=1', 0.330499967577]) {
    my ($law, $parameter, $e) = @$_;
    my ($row) = rows($law, '', $law, qw(-p k=32 -p), $parameter, qw(--mass 32 --speed 1));
    is_near($row->[1], $e, 5e-12, "$law: restitution at beta = 1");
}

# cells that are not determined
{
    my $rest = 'duration_s, depth_m and peak_force_N stay empty';
    my @rows = rows('a alone', "$r k and --mass are not given: $rest\n", 'hunt-crossley',
                    '-p', 'a=1', '--speed', '0.1,1,10');
    my @want = (0.93747557994990506, 0.59362426004004009, 0.099981624752943887);
    is_near($rows[$_][1], $want[$_], 1e-14, "a alone: restitution $_") for 0 .. 2;
    is(join('|', map { @$_[2 .. 4] } @rows), '||||||||', 'a alone: the rest is empty');
    rows('no k', "$r k is not given: $rest\n", qw(hunt-crossley -p a=1 --mass 1 --speed 1));
    rows('no mass', "$r --mass is not given: $rest\n",
         qw(hunt-crossley -p a=1 -p k=1e8 --speed 1));
    rows('quiet', '', qw(hunt-crossley -p a=1 --speed 1 --quiet));
    my ($row) = rows('e-law', "$r e-log predicts the restitution only: $rest\n",
                     qw(e-log -p e_at_1=0.75 -p b=0.05 --speed 1));
    is("@$row", '1 0.75   ', 'e-law: e(1 m/s) is its first parameter');
    my ($all) = rows('all given', '', qw(hunt-crossley -p a=1 -p k=1e8 --mass 0.1 --speed 1));
    is(scalar(grep { $_ eq '' } @$all), 0, 'all given: no cell is empty');
}

# aliases: E* = 1 GPa, R = 1 cm give k = (4/3) 1e9 0.1; drake_dissipation is a
{
    my ($one) = rows('k', '', 'hunt-crossley', '-p', 'k=133333333.33333333', '-p', 'a=0.5',
                     qw(--mass 0.1 --speed 2));
    my ($two) = rows('spelled', '', 'hunt-crossley', '-p', 'effective_modulus=1 GPa', '-p',
                     'drake_dissipation=0.5', '--radius', '1 cm', qw(--mass 0.1 --speed 2));
    my ($three) = rows('material', '', 'hunt-crossley', '-p', 'youngs_modulus_1=1GPa', '-p',
                       'poissons_ratio_1=0', '-p', 'radius_1=10mm', '-p', 'a=0.5',
                       qw(--mass 0.1 --speed 2));
    is_near($two->[$_], $one->[$_], 1e-14, "spelled: cell $_") for 1 .. 4;
    is_near($three->[$_], $one->[$_], 1e-14, "material: cell $_") for 1 .. 4;
}

# lists of speeds
{
    my @q = qw(hunt-crossley -p a=1 --quiet --speed);
    my $speeds = sub { join ' ', map { $_->[0] } rows("speeds $_[0]", '', @q, $_[0]) };
    is($speeds->('0.25,0.5 m/s, 50 cm/s,2'), '0.25 0.5 0.5 2', 'a list, units, blanks');
    my @log = split / /, $speeds->('0.125:8:7');
    is("$log[0] $log[6]", '0.125 8', 'a range has its ends');
    is_near($log[$_], 2 ** ($_ - 3), 1e-15, "and is log-spaced: $_") for 1 .. 5;
    is($speeds->('0.3:7.7:2'), '0.3 7.7', 'its ends are exact');
    is($speeds->('8:2:2,1'), '8 2 1', 'a range may fall, and stand in a list');
    my @many = split / /, $speeds->('0.1:0.7:1000');
    is("$many[0] $many[-1] " . @many, '0.1 0.7 1000',
       'a thousand speeds');
}

# JSON
{
    my ($code, $out, $err) = contactfit(qw(restitution hunt-crossley -p a=1 --speed 1 --json -q));
    is("$code$err", '0', '--json: exit 0');
    like($out, qr/"restitution": 0\.593624260040040\d*,\n\s+"duration_s": null,/, '--json: a row');
}

# output that cannot be written is a failure
SKIP: {
    skip 'no /dev/full here', 1 if !-c '/dev/full';
    my $pid = fork() // die "fork: $!\n";
    if ($pid == 0) {
        open STDOUT, '>', '/dev/full';
        open STDERR, '>', "$scratch/err";
        exec {$program} 'contactfit', 'models';
        exit 127;
    }
    waitpid $pid, 0;
    is(($? >> 8) . ': ' . slurp("$scratch/err"),
       "1: contactfit: standard output: No space left on device\n", 'a full disk is reported');
}
{
    pipe my $reader, my $writer or die "pipe: $!\n";
    close $reader;
    my $pid = fork() // die "fork: $!\n";
    if ($pid == 0) {
        open STDOUT, '>&', $writer;
        open STDERR, '>', "$scratch/err";
        exec {$program} 'contactfit', 'models';
        exit 127;
    }
    waitpid $pid, 0;
    is("$?: " . slurp("$scratch/err"), '0: ', 'a reader that has seen enough: no failure, no word');
}

done_testing();
