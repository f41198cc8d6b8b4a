package Cases;

# The table of cases at the end of t/checks/outputs.pl, read and multiplied out. A case is a hash:
# its name, its steps (each a list of arguments), and under `files` the inputs that it changes. In
# the table
#
#     COMMAND ; COMMAND                   is a case that is named after its commands
#     NAME:                               is a case with this name,
#         FILE: OLD => NEW                with the one occurrence of OLD in FILE replaced, or all,
#         COMMAND ; COMMAND               which runs these
#
# and stands for one case for each value of {a|b|c}, and of {law}, {study}, ..., as below;
# {parameters}, {keys} and {free} are those of the law in it. A command with ALL is run for every
# target of export. \n in an edit is a new line; a \ at the end continues a line.

use strict;
use warnings;
use Exporter qw(import);
use Mutants;
use Program;
use Text::ParseWords qw(shellwords);

our @EXPORT = qw(inputs cases);

my @folders = ([fits => 'fits'], [data => 'data'], [scenes => 'scenes'], [figures => 'figures'],
               ['t/bad/good' => 'good'], ['t/fits' => 'fits']);

# What a case finds in its folder: path => text, from a source tree. Pages and images that runs of
# the program have left beside the sources are none of it.
sub inputs
{
    my ($tree) = @_;
    my %inputs;
    for (@folders) {
        my ($from, $to) = @$_;
        for my $path (glob "$tree/$from/*.yaml $tree/$from/*.json $tree/$from/*.csv") {
            my ($name) = $path =~ m{([^/]+)$};
            $inputs{"$to/$name"} = slurp($path) if $name !~ /-compare\.json$/;
        }
    }
    die "$tree: no studies, scenes or figures\n" if !%inputs;
    return \%inputs;
}

my @commands = qw(init check fit compare predict validate design selftest report plot export models
    restitution simulate);
my @targets = qw(csv json latex mujoco drake drake-sap drake-hydroelastic drake-sdf drake-sap-sdf
    drake-hydroelastic-sdf drake-yaml drake-sap-yaml simbody simbody-csv simbody-foundation gazebo
    gz urdf bullet ode ode-bounce dart physx lammps lammps-restitution liggghts liggghts-restitution
    yade esys-particle mercury chrono chrono-json);

# Laws with typical parameters.
my %force = (
    'azad-featherstone' => 'k=1e8 lambda=1e4',
    'hunt-crossley' => 'k=1e8 a=0.1',
    'lee-wang' => 'k=1e8 lambda=1e6',
    'tsuji' => 'k=1e8 alpha=0.3',
    'linear' => 'k=1e5 lambda=10',
    'gonthier' => 'k=1e8 e=0.7 v_small=0.001',
    'hunt-crossley-e' => 'k=1e8 e=0.7 v_small=0.001',
    'lankarani-nikravesh' => 'k=1e8 e=0.7 v_small=0.001',
    'herbert-mcwhannell' => 'k=1e8 e=0.7 v_small=0.001',
    'hu-guo' => 'k=1e8 e=0.7 v_small=0.001',
    'flores' => 'k=1e8 e=0.7 v_small=0.001',
    'power' => 'k=1e8 lambda=1e4 n=1.5 p=0.5',
    'azad-featherstone-two-body' => 'k1=1e8 lambda1=1e4 k2=2e8 lambda2=4e4',
    'azad-featherstone-recovering' => 'k=1e8 lambda=1e4',
    'exponential' => 'k=1e5 skin=0.001 a=0.1',
);
my %restitution = (
    'e-constant' => 'e=0.7',
    'e-linear' => 'slope=0.1',
    'e-log' => 'e_at_1=0.7 b=0.05',
    'e-power' => 'e_at_1=0.7 q=0.1',
    'e-thornton' => 'yield_speed=0.01',
);
my $dwelling = 'mu_s=0.15 mu_c=0.1 v_s=0.001';
my $rated = 'mu_0=0.6 a_rate=0.01 v_0=1e-3';
my %friction = (
    'clutch' => 'mu=0.3 k_t=1.5e8 d_t=1e4 c_v=0.1',
    'clutch-linear' => 'mu=0.3 k_t=1e5 d_t=100 c_v=0.1',
    'bristle' => "$dwelling sigma_0=1e4 sigma_1=30 sigma_2=0.01 tau_dw=2",
    'bristle-fixed' => "$dwelling sigma_0_star=1e5 sigma_1_star=300 sigma_2_star=0.1 tau_dw=2",
    'stribeck' => 'mu_s=0.15 mu_d=0.1 v_s=0.001',
    'viscous-load' => 'mu_v=0.1',
    'coulomb' => 'mu=0.3 v_e=0.001',
    'dahl' => 'mu=0.3 sigma_0=1e4',
    'lugre' => "$dwelling sigma_0=1e4 sigma_1=30 sigma_2=0.01",
    'elasto-plastic' => "$dwelling sigma_0=1e4 sigma_1=30 sigma_2=0.01 break_away=0.7",
    'iwan-2' => 'mu_c=0.1 sigma_0=1e4 yield_1=0.4 keep_1=0.4',
    'iwan-3' => 'mu_c=0.1 sigma_0=1e4 yield_1=0.3 keep_1=0.5 yield_2=0.4 keep_2=0.4',
    'iwan-4' => 'mu_c=0.1 sigma_0=1e4 yield_1=0.25 keep_1=0.6 yield_2=0.3 keep_2=0.5 yield_3=0.4 '
        . 'keep_3=0.4',
    'rate-state' => "$rated b_state=0.012 d_c=1e-5",
    'rate-state-slip' => "$rated b_state=0.012 d_c=1e-5",
    'rate-state-2' => "$rated b_state_1=0.012 d_c_1=1e-5 b_state_2=0.004 d_c_2=1e-4",
    'rate-state-slip-2' => "$rated b_state_1=0.012 d_c_1=1e-5 b_state_2=0.004 d_c_2=1e-4",
);
my %parameters = (%force, %restitution, %friction);

# The names of the inputs in a folder, without their ending.
sub named
{
    my ($inputs, $pattern) = @_;
    return [sort map { /^$pattern$/ ? $1 : () } keys %$inputs];
}

sub values_of
{
    my ($inputs) = @_;
    return {
        command => \@commands,
        target => \@targets,
        law => [sort keys %parameters],
        impact => [sort(keys %force, keys %restitution)],
        force => [sort keys %force],
        restitution => [sort keys %restitution],
        friction => [sort keys %friction],
        study => named($inputs, qr{fits/(.*)\.yaml}),
        fit => named($inputs, qr{fits/(.*)\.json}),
        scene => named($inputs, qr{scenes/(.*)\.yaml}),
        figure => named($inputs, qr{figures/(.*)\.yaml}),
        table => named($inputs, qr{data/(.*)\.csv}),
    };
}

# A law's parameters as the command line, a scene and a study want them.
sub spelt
{
    my ($text, $law) = @_;
    my @pairs = map { [split /=/] } split ' ', $parameters{$law};
    my %as = (
        parameters => join(' ', map { "-p $_->[0]=$_->[1]" } @pairs),
        keys => join(', ', map { "$_->[0]: $_->[1]" } @pairs),
        free => join(', ', map { "$_->[0]: {}" } @pairs),
    );
    return $text =~ s/\{(parameters|keys|free)\}/$as{$1}/gr;
}

# The texts that one text stands for, one for each value of its braces. A text may be a whole case:
# braces in its commands that its name has, too, take the same value.
sub multiplied
{
    my ($text, $values) = @_;
    my $names = join '|', keys %$values;
    return $text if $text !~ /\{($names|[^{}\n]*\|[^{}\n]*)\}/;
    my $what = $1;
    my @each = $values->{$what} ? @{$values->{$what}} : split /\|/, $what, -1;
    return map {
        my $one = $text =~ s/\{\Q$what\E\}/$_/gr;
        multiplied($parameters{$_} ? spelt($one, $_) : $one, $values);
    } @each;
}

# A name for files, from a command line without folders and endings.
sub name_of
{
    my ($text) = @_;
    $text =~ s{\b(?:fits|data|scenes|figures|out)/}{}g;
    $text =~ s/\.(?:yaml|json|csv)\b//g;
    $text =~ s/[^\w.+-]+/_/g;
    return $text =~ s/^_+|_+$//gr;
}

# One edit of an input.
sub edited
{
    my ($case, $inputs, $file, $old, $new) = @_;
    s/\\n/\n/g for $old, $new;
    my $text = $case->{files}{$file} // $inputs->{$file} // die "$case->{name}: no $file\n";
    $old = $text if $old eq 'all';
    my $n = () = $text =~ /\Q$old\E/g;
    die "$case->{name}: $n times in $file: $old\n" if $n != 1;
    $case->{files}{$file} = $text =~ s/\Q$old\E/$new/r;
}

# The case that a text without braces describes.
sub read_case
{
    my ($text, $inputs) = @_;
    my $named = $text =~ s/^(\S.*):\n// ? $1 : undef;
    my $case = {name => name_of($named // $text), files => {}, steps => []};
    for (split /\n/, $text) {
        if (/^\s+([\w.\/-]+): (.*?) =>(?: (.*))?$/) {
            edited($case, $inputs, $1, $2, $3 // '');
        } else {
            push @{$case->{steps}}, map { [shellwords($_)] }
                map { my $step = $_; /\bALL\b/ ? map { $step =~ s/ALL/$_/r } @targets : $step }
                split /\s;\s/;
        }
    }
    die "$case->{name}: nothing to run\n" if !@{$case->{steps}};
    return $case;
}

# What is run on a spoiled file: which files they are, how many of them, and the commands. A study
# is fitted from few starts.
my @spoiled = (
    [qr{^fits/.*\.yaml$}, 36, 'check FILE', 'fit -q FILE -o out'],
    [qr{^good/study\.yaml$}, 24, 'check FILE', 'fit -q FILE -o out'],
    [qr{^data/(?!presliding).*\.csv$}, 16, 'init impact FILE',
     'check fits/croquet_ball_on_wood.yaml', 'check fits/golf_ball_drop_rebound.yaml'],
    [qr{^good/table\.csv$}, 16, 'check good/study.yaml', 'fit -q good/study.yaml -o out'],
    [qr{^(?:data/presliding.*|good/trace)\.csv$}, 8,
     'simulate good/scene.yaml --trace t.csv',
     'simulate scenes/presliding_recorded.yaml --events e.csv'],
    [qr{^scenes/}, 36, 'simulate FILE --trace t.csv --every 10ms --events e.csv',
     'report FILE -o page.html'],
    [qr{^good/scene\.yaml$}, 14, 'simulate FILE --trace t.csv --events e.csv --json'],
    [qr{^figures/}, 22, 'report FILE -o page.html', 'plot FILE -o out'],
    [qr{^fits/.*\.json$}, 28, 'report FILE -o out', 'predict FILE --speed 0.5:2:3',
     'export --to json FILE --untrusted', 'validate FILE fits/croquet_ball_on_wood.yaml -o out'],
);

# Spoiled inputs; the number of a case is its seed.
sub mutants
{
    my ($inputs) = @_;
    my @cases;
    for (@spoiled) {
        my ($pattern, $count, @steps) = @$_;
        my @files = grep { /$pattern/ } sort keys %$inputs;
        for my $i (0 .. $count - 1) {
            my $file = $files[$i % @files];
            my $text = $inputs->{$file};
            $text =~ s/^rivals: .*$/rivals: [e-log]\noptions: {starts: 4, screen: 64}/m;
            my $case = {name => sprintf('spoiled_%03d_%s', 1 + @cases, name_of($file))};
            $case->{files} = {$file => mutant($text, 1 + @cases)};
            $case->{steps} = [map { [split ' ', s/FILE/$file/gr] } @steps];
            push @cases, $case;
        }
    }
    return @cases;
}

# All cases: those of the table, then the spoiled inputs.
sub cases
{
    my ($table, $inputs) = @_;
    $table =~ s/^#.*\n//mg;
    $table =~ s/\s*\\\n\s*/ /g;
    my $values = values_of($inputs);
    my @texts = map { multiplied($_, $values) } $table =~ /^(\S.*\n(?:[ ]+\S.*\n)*)/mg;
    my @cases = ((map { read_case($_, $inputs) } @texts), mutants($inputs));
    my %seen;
    for (@cases) {
        die "two cases are named $_->{name}\n" if $seen{$_->{name}}++;
        die "the name is too long: $_->{name}\n" if length $_->{name} > 120;
    }
    return @cases;
}

1;
