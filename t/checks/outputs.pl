#!/usr/bin/perl
# outputs.pl PROGRAM OUTDIR [--srcdir DIR] [--jobs N] [--only PATTERN]: everything that a program
# puts out, over the cases at the end of this file and over spoiled inputs, or those of them whose
# names match. Of two programs that are to put out the same, same-outputs.pl compares the folders.
#
# OUTDIR/CASE holds `command`, what was run, and for each step N of it N.status, N.stdout and
# N.stderr, and below files/ what was written. A case has a fresh working folder with copies of the
# studies, data, scenes and figures of DIR, the source tree that this script lies in unless it is
# given: the programs to be compared need the same inputs. A step that runs beyond its time has
# "timed out" for its status.
#
# Images are SVG: PDF bears its date, PNG is the same drawing.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Cases;
use File::Find;
use File::Path qw(make_path remove_tree);
use File::Spec::Functions qw(rel2abs);
use File::Temp qw(tempdir);
use Getopt::Long;
use Program qw(slurp spew);

my $usage = "usage: outputs.pl PROGRAM OUTDIR [--srcdir DIR] [--jobs N] [--only PATTERN]\n";
my ($tree, $jobs, $only) = ("$FindBin::Bin/../..", 2, '');
GetOptions('srcdir=s' => \$tree, 'jobs=i' => \$jobs, 'only=s' => \$only)
    && @ARGV == 2 && $jobs > 0 or die $usage;
my ($program, $outputs) = map { rel2abs($_) } @ARGV;
-f $program && -x _ or die "$program: not a program\n";
!-e $outputs or die "$outputs: is there already\n";

my $seconds = 20;     # for a step on spoiled input
my $patience = 200;   # for any other, so that a busy machine does not matter
my $scratch = tempdir(CLEANUP => 1);

sub write_below
{
    my ($folder, $files) = @_;
    for my $path (keys %$files) {
        make_path("$folder/$path" =~ s{/[^/]*$}{}r);
        spew("$folder/$path", $files->{$path});
    }
}

# One run of the program; returns its status. Nothing of the caller's environment reaches it but the
# way to gnuplot.
sub run
{
    my ($folder, $limit, $to, @arguments) = @_;
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        %ENV = (PATH => $ENV{PATH}, LC_ALL => 'C.UTF-8', HOME => $folder, TZ => 'UTC');
        chdir $folder or die "$folder: $!\n";
        open STDIN, '<', '/dev/null' or die;
        open STDOUT, '>', "$to.stdout" or die;
        open STDERR, '>', "$to.stderr" or die;
        alarm $limit;
        exec {$program} 'contactfit', @arguments or die "$program: $!\n";
    }
    waitpid $pid, 0;
    my $signal = $? & 127;
    return !$signal ? $? >> 8 : $signal == 14 ? 'timed out' : "signal $signal";
}

# What lies below a folder: path => text.
sub files_below
{
    my ($folder) = @_;
    my %files;
    find({no_chdir => 1, wanted => sub {
        $files{substr $_, 1 + length $folder} = slurp($_) if -f && !-l;
    }}, $folder);
    return \%files;
}

sub run_case
{
    my ($case, $inputs, $number) = @_;
    my $folder = "$scratch/$number";
    my $out = "$outputs/$case->{name}";
    my %before = (%$inputs, %{$case->{files}});
    my $n = 0;
    write_below($folder, \%before);
    make_path("$folder/out", $out);
    spew("$out/command", join '', map { "contactfit @$_\n" } @{$case->{steps}});
    for my $step (@{$case->{steps}}) {
        $n++;
        my $limit = $case->{name} =~ /^spoiled_/ ? $seconds : $patience;
        spew("$out/$n.status", run($folder, $limit, "$out/$n", @$step) . "\n");
    }
    my $after = files_below($folder);
    delete @$after{grep { defined $before{$_} && $after->{$_} eq $before{$_} } keys %$after};
    write_below("$out/files", $after);
    remove_tree($folder);
}

# How the cases ended, so that a run in which nothing worked is seen.
sub summary
{
    my ($cases, $begun) = @_;
    my ($files, %ends) = (0);
    my $all = files_below($outputs);
    for (sort keys %$all) {
        next if m{/command$};
        $files++;
        m{^(.*)/\d+\.status$} or next;
        chomp(my $end = $all->{$_});
        $ends{$end}++;
        print "timed out: $1\n" if $end eq 'timed out';
    }
    printf "%d cases, %d files in %d s; steps by exit status: %s\n", $cases, $files, time - $begun,
        join ', ', map { "$ends{$_} with $_" } sort keys %ends;
}

my $begun = time;
my $inputs = inputs($tree);
my @cases = grep { $_->{name} =~ /$only/ } cases(do { local $/; scalar <DATA> }, $inputs);
@cases or die "no case is named so: $only\n";
my %running;

# The end of one case that is under way.
sub reap
{
    my $pid = wait;
    my $name = delete $running{$pid} // die "no case is under way\n";
    die "$name: the case could not be run\n" if $?;
}

make_path($outputs);
for my $i (0 .. $#cases) {
    reap() while keys %running >= $jobs;
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        run_case($cases[$i], $inputs, $i);
        exit 0;
    }
    $running{$pid} = $cases[$i]{name};
}
reap() while %running;
summary(scalar @cases, $begun);

# t/lib/Cases.pm says how the table is read.
__DATA__
# The longest first.
compare fits/{study}.yaml -o out
compare fits/croquet_ball_on_wood.yaml -o out --laws hunt-crossley,linear,e-log --json
compare good/study.yaml --seed 7

# Fits: as they are, and with each option that changes a result.
fit fits/{study}.yaml -o out
fit fits/croquet_ball_on_wood.yaml
fit fits/{croquet_ball_on_wood|golf_ball_drop_rebound}.yaml -o out --seed 7
fit fits/croquet_ball_on_wood.yaml -o out --loss {huber|student-t}
fit fits/croquet_ball_on_wood.yaml -o out --loss squares --json
fit fits/croquet_ball_on_wood.yaml -o out --bootstrap 100
fit fits/croquet_ball_on_wood.yaml -o out --posterior
fit fits/{study}.yaml -o out --posterior=300
fit good/study.yaml -o out --loss {huber|student-t}
fit good/study.yaml -o out --global {crs2|direct|mlsl|isres|esch}
fit fits/croquet_ball_on_wood.yaml -o out --global crs2
fit fits/croquet_ball_on_wood.yaml -o out --jobs 1 --quiet
fit fits/croquet_ball_on_wood.yaml -o out --posterior=200 --global crs2 --loss huber --seed 2
fit good/study.yaml --bootstrap 100 --posterior=500
selftest fits/{study}.yaml -n 4
selftest fits/croquet_ball_on_wood.yaml -n 8 --seed 3 --json
selftest fits/croquet_ball_on_wood.yaml -n 4 -p k=1.7e8 -p lambda=2e4
selftest fits/croquet_ball_on_wood.yaml -n 4 --law {hunt-crossley|e-log|linear}
selftest good/study.yaml -n 6

# A study fitted with every law, and what then becomes of the fit file.
fit law {force}:
    good/study.yaml: law: azad-featherstone => law: {force}
    good/study.yaml: {k: {}, lambda: {}} => {{free}}
    good/study.yaml: [hunt-crossley, e-log] => [e-power]\noptions: {starts: 6, screen: 128}
    fit good/study.yaml -o out ; predict out/study.json --speed 0.5:4:4
    predict out/study.json --speed 1 --radius 40mm ; validate out/study.json good/study.yaml -o out
    plot out/study.json -o out ; design good/study.yaml ; selftest good/study.yaml -n 2
fit law {restitution}:
    good/study.yaml: law: azad-featherstone => law: {restitution}
    good/study.yaml: {k: {}, lambda: {}} => {{free}}
    good/study.yaml: rivals: [hunt-crossley, e-log] => rivals: [lee-wang]
    good/study.yaml:       duration: {from: t_ms, sigma: 1 %}\n =>
    fit good/study.yaml -o out ; predict out/study.json --speed 0.5:4:4
    predict out/study.json --speed 1 --radius 40mm ; validate out/study.json good/study.yaml -o out
    plot out/study.json -o out ; design good/study.yaml ; selftest good/study.yaml -n 2
export law {force}:
    good/study.yaml: law: azad-featherstone => law: {force}
    good/study.yaml: {k: {}, lambda: {}} => {{free}}
    good/study.yaml: rivals: [hunt-crossley, e-log] => options: {starts: 6, screen: 128}
    good/study.yaml: restitution: {from: e, sigma: 0.002} => restitution: {from: e, sigma: 0.01}
    fit -q good/study.yaml -o out ; export --to csv out/study.json
    export --to ALL out/study.json --untrusted ; export --to ALL out/study.json --dt 1e-5 --untrusted
export law {restitution}:
    good/study.yaml: law: azad-featherstone => law: {restitution}
    good/study.yaml: {k: {}, lambda: {}} => {{free}}
    good/study.yaml: rivals: [hunt-crossley, e-log] => options: {starts: 6, screen: 128}
    good/study.yaml: restitution: {from: e, sigma: 0.002} => restitution: {from: e, sigma: 0.01}
    good/study.yaml:       duration: {from: t_ms, sigma: 1 %}\n =>
    fit -q good/study.yaml -o out ; export --to csv out/study.json
    export --to ALL out/study.json --untrusted ; export --to ALL out/study.json --dt 1e-5 --untrusted

# Studies with what the shipped ones do not use.
study with k held:
    good/study.yaml: fit: {k: {}, lambda: {}} => fit: {lambda: {}}\nfixed: {k: 1e6 N/m^1.5}
    check good/study.yaml ; fit good/study.yaml
study with k of Hertz:
    good/study.yaml: mass: 50 g} => mass: 50 g, youngs_modulus: 5 MPa, poissons_ratio: 0.45}
    good/study.yaml: fixed: true} => rigid: true, fixed: true}
    good/study.yaml: fit: {k: {}, lambda: {}} => fit: {lambda: {}}\nfixed: {k: hertz}
    check good/study.yaml ; fit good/study.yaml ; export --to drake good/study.json --untrusted
study with priors:
    good/study.yaml: fit: {k: {}, => fit: {k: {prior: {value: 1e6 N/m^1.5, sigma: 20 %}},
    check good/study.yaml ; fit good/study.yaml --posterior=200
study with bounds:
    good/study.yaml: fit: {k: {}, => fit: {k: {min: 1e5, max: 1e7, start: 3e5},
    check good/study.yaml ; fit good/study.yaml ; design good/study.yaml
study with other aliases:
    good/study.yaml: fit: {k: {}, lambda: {}} => fit: {effective_modulus: {}, lambda_star: {}}
    check good/study.yaml ; fit good/study.yaml ; export --to csv good/study.json --untrusted
study with ties:
    good/study.yaml: law: azad-featherstone => law: azad-featherstone-two-body
    good/study.yaml: {k: {}, lambda: {}} => {k1: {}, lambda1: {}}\ntie: {k2: 4 k1, lambda2: lambda1}
    check good/study.yaml ; fit good/study.yaml ; report good/study.json
study with options:
    good/study.yaml: data:\n => options: {level: 0.9, weak_factor: 1.1, p_reject: 0.2}\ndata:\n
    check good/study.yaml ; fit good/study.yaml
study with a loss of its own:
    good/study.yaml: data:\n => options: {loss: student-t, loss_scale: 3, seed: 5}\ndata:\n
    fit good/study.yaml
study with estimated sigmas:
    good/study.yaml: sigma: 0.002 => sigma: estimate
    good/study.yaml: sigma: 1 % => sigma: {from: s_e}, unit: ms
    check good/study.yaml ; fit good/study.yaml
study with an error of speed:
    good/study.yaml: {from: v_m_s} => {from: v_m_s, sigma: 2 %}
    check good/study.yaml ; fit good/study.yaml ; selftest good/study.yaml -n 4
study of heights:
    good/study.yaml: speed: {from: v_m_s} => drop_height: {from: h0_cm}
    good/study.yaml: hold-out:\n  - {data: drops, where: "speed > 5 m/s"}\n => gravity: 9.81 m/s^2\n
    check good/study.yaml ; fit good/study.yaml ; predict good/study.json --drop-height 0.1,1
study of some rows:
    good/study.yaml: file: table.csv => file: table.csv\n    where: {ball: golf}
    good/study.yaml: speed > 5 m/s => speed > 1.5 m/s
    check good/study.yaml ; fit good/study.yaml
study without a row:
    good/study.yaml: file: table.csv => file: table.csv\n    exclude: [{row: 4, because: slipped}]
    check good/study.yaml ; fit good/study.yaml
study of a decimal comma:
    good/study.yaml: file: table.csv => file: table.csv\n    decimal: ","
    good/table.csv: all => v_m_s;e;t_ms\n0,5;0,86;1,2\n1;0,84;1,05\n3;0,81;0,83\n6;0,79;0,72\n
    check good/study.yaml ; fit good/study.yaml
study of depth and force:
    good/study.yaml: duration: {from: t_ms, sigma: 1 %} \
        => peak_force: {from: f_N, sigma: 2 %}\n      depth: {from: d_mm, sigma: 2 %}
    good/table.csv: all => \
        v_m_s,e,f_N,d_mm\n0.5,0.86,78,0.2\n1,0.84,180,0.35\n4,0.80,940,1.06\n6,0.79,,1.46\n
    check good/study.yaml ; fit good/study.yaml ; plot good/study.json --figure measurements
study of a rebound speed:
    good/study.yaml: restitution: {from: e, sigma: 0.002} \
        => rebound_speed: {from: u_m_s, sigma: 1 %}
    good/table.csv: all => v_m_s,u_m_s,t_ms\n0.5,0.43,1.2\n1,0.84,1.05\n3,2.43,0.83\n6,4.74,0.72\n
    check good/study.yaml ; fit good/study.yaml ; compare good/study.yaml

# Before and after a fit.
check fits/{study}.yaml
check fits/{study}.yaml --json
check good/study.yaml --quiet
init impact data/{table}.csv
init impact good/table.csv ; init friction good/table.csv
design fits/{study}.yaml
design fits/croquet_ball_on_wood.yaml -n 5 --speed 0.2:8:6 --json
design fits/golf_ball_drop_rebound.yaml --sigma duration="0.01 ms" --sigma depth=1um
design fits/tennis_ball_drop_rebound.yaml -p k=1e6 -p lambda=100 --sigma peak_force=1N
predict fits/{fit}.json --speed 0.1:5:7
predict fits/{fit}.json --drop-height 0.1,0.5,2 --json
predict fits/{fit}.json --speed 1 --quantity restitution,duration,depth,peak_force,rebound_speed
predict fits/{fit}.json --speed 0.5,2 --mass 200g --radius 20mm
predict fits/croquet_ball_on_wood.json --speed 1 --data {rebound|elsewhere|"contact time"}
validate fits/{fit}.json fits/{study}.yaml -o out
validate fits/{fit}.json fits/croquet_ball_on_wood.yaml --json
report fits/{fit}.json -o out
report fits/croquet_ball_on_wood.json fits/sample.json
report scenes/{scene}.yaml -o out
report figures/{figure}.yaml -o page.html
report figures/af14_fig3.yaml figures/g07_fig3_3.yaml scenes/af14_steel_66g.yaml
plot fits/{fit}.json -o out
plot fits/sample.json --figure {restitution|restitution-log|measurements|residuals|profiles}
plot fits/sample.json --figure {correlation|starts|tournament|simulators} -o one.svg
plot scenes/{scene}.yaml -o out
plot scenes/af10_bouncing_154g.yaml --figure loop -o loop.svg
plot figures/{figure}.yaml -o out
plot --list

# Exports: every target, then what changes them.
export --to {target} fits/{fit}.json --untrusted
export --to {target} fits/croquet_ball_on_wood.json
export --to {target} fits/{fit}.json --dt 1e-4 --untrusted
export --list ; export --list --to mujoco
export --list --to {target}
export --to {drake|mujoco|gazebo|lammps|csv} fits/croquet_ball_on_wood.json fits/sample.json --untrusted
export --to {json|ode|bullet|yade} fits/sample.json --speed 2m/s --bound 0.05 --json --untrusted
export --to {gazebo|urdf|ode|mujoco|physx} fits/sample.json --keep {duration|force|depth} --untrusted
export --to {drake|simbody|lammps|yade|mujoco} fits/sample.json --dt 1ms --plain --untrusted -o e.txt
export --to {drake|chrono|dart|liggghts|mercury} fits/sample.json --mass 0.1 --radius 5mm --untrusted
export with mu {target}:
    export --to {target} fits/sample.json -p mu_S=0.3 -p mu_C=0.2 -p v_S=1e-3 --untrusted
export approximate {target}:
    export --to {target} fits/sample.json --approximate hunt-crossley --untrusted
    export --to {target} fits/sample.json --approximate linear --untrusted

# Laws and single impacts.
models ; models --quiet
models --json
models --units
models {law}
models {law} --json
restitution {impact}:
    restitution {impact} {parameters} --mass 0.1 --speed 0.01:5:9
restitution {impact} as JSON:
    restitution {impact} {parameters} --mass "66 g" --speed 0.5,1,2 --radius 12.7mm --json
restitution azad-featherstone of a modulus:
    restitution azad-featherstone -p effective_modulus="2 GPa" -p kk_time=1us --mass 66g \
        --radius 12.7mm --speed 1
restitution {friction} is refused:
    restitution {friction} {parameters} --mass 0.1 --speed 1

# Scenes.
simulate scenes/{scene}.yaml --trace trace.csv --events events.csv
simulate scenes/{scene}.yaml --json --quiet
simulate {scene} by fixed steps:
    simulate scenes/{scene}.yaml -p duration=50ms --method rk4 --step 20us --events events.csv
simulate scenes/af14_steel_66g.yaml -p duration=0.2 --method {euler|rk3|rk5|none} --step 1us
simulate scenes/g07_spinning_block.yaml --tolerance 1e-7 --every 20ms --trace t.csv
simulate scenes/af14_steel_66g.yaml -p bodies.ball.mass=70g -p contacts.1.normal.lambda=2e5
simulate scenes/af14_steel_66g.yaml -p bodies.ball.mas=70g
simulate good/scene.yaml --trace t.csv --events e.csv
simulate with normal law {impact}:
    scenes/af10_bouncing_154g.yaml: \
        law: azad-featherstone, k: 8.5e6 N/m^1.5, lambda: 3.1e3 N s/m^1.5 \
        => law: {impact}, {keys}
    simulate scenes/af10_bouncing_154g.yaml --trace t.csv --every 5ms --events e.csv
simulate with friction law {friction}:
    scenes/af10_rolling_sphere.yaml: \
        law: clutch, mu: 0.2, k_t: 12.75e6 N/m^1.5, d_t: 3.1e3 N s/m^1.5, c_v: 0.1 N s/m \
        => law: {friction}, {keys}
    simulate scenes/af10_rolling_sphere.yaml --trace t.csv --every 5ms --events e.csv
loop of law {force}:
    figures/g07_fig3_3.yaml: law: linear, k: 48283.838 N/m, lambda: 94.685825 N s/m, \
        speed: 1 m/s, clamp: false => law: {force}, {keys}, speed: 1 m/s
    plot figures/g07_fig3_3.yaml ; report figures/g07_fig3_3.yaml
curve of law {impact}:
    figures/af14_fig3.yaml: law: linear, k: 1e7 N/m, lambda: 178.1 N s/m => law: {impact}, {keys}
    plot figures/af14_fig3.yaml

# Help, and what is refused.
--version ; --help ; help ; help nothing
nothing ; --nothing
help {command} ; {command} --help ; {command} --version
{command} ; {command} --nothing ; {command} nothing ; {command} nothing.yaml nothing.json
{command} is given the wrong kind:
    {command} fits/sample.json ; {command} scenes/af14_steel_66g.yaml ; {command} good/study.yaml
    {command} figures/af14_fig3.yaml ; {command} data ; {command} good/table.csv
