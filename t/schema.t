#!/usr/bin/perl
# JSON Schemas of studies, scenes and figures: every file that ships is valid, and of the bad input of
# t/bad the files that a schema can refuse are counted. python3-jsonschema judges.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Bad qw(edit fresh rows);
use File::Temp qw(tempdir);
use IPC::Open2 qw(open2);
use JSON::PP qw(decode_json);
use List::Util qw(max min);
use Program;
use Test::More;

my $folder = tempdir(CLEANUP => 1);
my %schema;
for my $kind (qw(study scene figure)) {
    my ($status, $out, $err) = contactfit('schema', $kind);
    is("$status $err", '0 ', "schema $kind");
    $schema{$kind} = decode_json($out);
    is($schema{$kind}{'$schema'}, 'https://json-schema.org/draft/2020-12/schema', "the draft of $kind");
    spew("$folder/$kind.json", $out);
}
is_deeply([contactfit('schema', 'stud')], [2, '', "contactfit schema: \"stud\": did you mean study?\n"], 'a typo');
is_deeply([contactfit('schema', 'fit')],
    [2, '', "contactfit schema: \"fit\": study, scene and figure have a schema\n"], 'no such schema');

# The lists of words are those of other commands.
my $study = $schema{study}{properties};
my @laws = @{decode_json((contactfit('models', '--json'))[1])->{laws}};
is_deeply([sort @{$schema{scene}{properties}{contacts}{items}{properties}{normal}{anyOf}[0]{properties}{law}{enum}}],
    [sort map { $_->{name} } grep { $_->{family} eq 'normal' } @laws], 'normal: the laws of models --json');
my %parameter = map { map { $_->{name} => 1 } @{$_->{parameters}} }
    grep { $_->{family} =~ /^(?:normal|foundation|restitution)$/ } @laws;
my $fit = $study->{fit}{anyOf}[0]{properties};
is(join(' ', grep { !$fit->{$_} } sort keys %parameter), '', 'fit: the parameters of models --json');
my %columns = map { $_->{if}{properties}{protocol}{const} => $_->{then}{properties}{columns} } grep { $_->{then}{properties}{columns} }
    @{$study->{data}{items}{allOf}};
is_deeply([sort keys %{$columns{impact}{properties}}], [sort @{$columns{impact}{propertyNames}{enum}}], 'quantities of a protocol: offered and refused by one list');
ok((grep { $_ eq 'restitution' } keys %{$columns{impact}{properties}}) && !(grep { $_ eq 'restitution' } keys %{$columns{slide}{properties}}),
    'of impacts restitution, of slides none');
is_deeply($schema{study}{required}, ['contactfit', 'data'], 'what every study has');

# Units and ranges, for who types: of parameters those of models --json, the widest of all laws' ranges.
my (%row, %alias);
push @{$row{$_->{name}}}, $_ for map { @{$_->{parameters}} } grep { $_->{family} ne 'hydroelastic' } @laws;
push @{$alias{$_->{name}}}, $_ for map { @{$_->{aliases} // []} } @laws;
for my $name (qw(k lambda e mu_s kv kk_time a)) {
    my ($key, @of) = ($study->{fixed}{properties}{$name}, @{$row{$name} // []}, @{$alias{$name} // []});
    my %unit = map { ($_->{unit} eq '1' ? 'a pure number' : $_->{unit}) => 1 } @of;
    is(join(' ', grep { index($key->{description}, $_) < 0 } keys %unit), '', "$name: its units are said: $key->{description}");
    my @bound = $alias{$name} ? () : (min(map { $_->{lower} } @of), max(map { $_->{upper} } @of));
    is_deeply([@$key{qw(minimum maximum)}], [@bound[0, 1]], "$name: the range that holds all");
    like($key->{description}, qr/; $bound[0] to \Q${\ sprintf '%g', $bound[1]}\E$/, "$name: and is said") if @bound;
}
my ($hertz) = grep { $_->{if}{properties}{law}{const} eq 'linear' }
    @{$schema{scene}{properties}{contacts}{items}{properties}{normal}{anyOf}[0]{allOf}};
like($hertz->{then}{properties}{k}{description}, qr{ \[N/m\]; }, 'in a scene k has the unit of its law alone');
is($columns{impact}{properties}{peak_force}{description}, 'largest force during the contact [N]', 'quantities say theirs');

# Other keys: the unit that is said is the one by which a wrong one is refused.
my %wrong = (
    'bodies:additionalProperties/mass' => 'bodies: {ball: {mass: 3 s}}',
    'bodies:additionalProperties/youngs_modulus' => 'bodies: {ball: {mass: 1 kg, youngs_modulus: 3 s, poissons_ratio: 0.3}}',
    'bodies:additionalProperties/sphere/radius' => 'bodies: {ball: {mass: 1 kg, sphere: {radius: 3 s}}}',
    'gravity' => "bodies: {ball: {mass: 1 kg}}\ngravity: 3 s",
    'options/pivot' => "bodies: {ball: {mass: 1 kg}}\noptions: {pivot: 3 s}",
);
for my $path (sort keys %wrong) {
    my $at = {properties => $study};
    for my $step (map { split /:/ } split m{/}, $path) {
        $at = $step eq 'additionalProperties' ? $at->{$step} : $at->{properties}{$step};
    }
    spew("$folder/unit.yaml", "contactfit: study/1\nlaw: e-constant\ndata: [{name: d, protocol: impact, rows: [{speed: 1, restitution: 0.5}],"
        . " sigma: {restitution: 0.1}}]\n$wrong{$path}\n");
    my ($wanted) = (contactfit('check', "$folder/unit.yaml"))[2] =~ /where an? .*?\[([^\]]+)\] is wanted/;
    my ($said) = ($at->{description} // '') =~ /^([^;]+)/;
    is($said, $wanted, "$path: the unit");
}
is($study->{options}{properties}{p_reject}{description}, 'a pure number; between 0 and 0.5', 'a range without its ends');

my $judge = "$srcdir/t/checks/json_schema.py";
my $can = system("python3 -c 'import jsonschema, yaml; jsonschema.Draft202012Validator' >/dev/null 2>&1") == 0;

# What the judge says of files, in their order.
sub judged
{
    my @rows = @_;
    my $pid = open2(my $out, my $in, 'python3', '-W', 'ignore', $judge);
    print $in map { "$folder/$_->[0].json\t$_->[1]\n" } @rows;
    close $in;
    chomp(my @said = <$out>);
    waitpid $pid, 0;
    return @said;
}

SKIP: {
    skip 'no python3-jsonschema and python3-yaml here: apt-get install python3-jsonschema python3-yaml', 8 if !$can;

    my @shipped = ((map { ['study', $_] } glob "$srcdir/fits/*.yaml $srcdir/bench/records/*.yaml"),
        (map { ['scene', $_] } glob "$srcdir/scenes/*.yaml"), map { ['figure', $_] } glob "$srcdir/figures/*.yaml");
    cmp_ok(scalar @shipped, '>=', 70, 'files that ship');
    my @said = judged(@shipped);
    is(join('', map { "$shipped[$_][1]: $said[$_]\n" } grep { $said[$_] ne 'ok' } 0 .. $#shipped), '',
        'each is valid by its schema');

    # By the line: what a schema cannot know is units, sizes, files, and what one key means for another.
    my %wanted = (studies => '53 of 162', data_sets => '16 of 81', scenes => '55 of 149');
    for my $list (sort keys %wanted) {
        my $kind = $list eq 'scenes' ? 'scene' : 'study';
        my @cases = rows("$srcdir/t/bad/$list.txt");
        my @files;
        for my $case (@cases) {
            my ($name, undef, @edits) = @$case;
            my $in = fresh();
            edit($in, $_) for @edits;
            push @files, [$kind, "$in/$kind.yaml"];
        }
        my @answers = judged([$kind, "$srcdir/t/bad/good/$kind.yaml"], @files);
        is(shift @answers, 'ok', "the good $kind of $list is valid");
        my $refused = grep { /^refused: / } @answers;
        is("$refused of " . @cases, $wanted{$list}, "$list.txt: refused by the schema");
        note("$cases[$_][0]: $answers[$_]") for 0 .. $#cases;
    }
}

done_testing();
