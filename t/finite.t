#!/usr/bin/perl
# No NaN and no infinity in anything that is written, whatever is asked for: every command with its
# numbers, and every law with its parameters, at the ends of what a double can hold and of what they
# may be. What is out of range is refused by a message that says the range.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Test::More;

draw_no_figures();

my $folder = tempdir(CLEANUP => 1);
my $croquet = "$srcdir/fits/croquet_ball_on_wood";
my $none = qr/(?<![\w.])[-+]?(?:nan|inf(?:inity)?)(?![\w-])/i;

# What came of a run: its failures, in words.
sub wrong
{
    my (@arguments) = @_;
    my ($exit, $out, $err) = contactfit({in => $folder}, @arguments);
    my @files = map { slurp($_) } glob "$folder/*.{csv,json,html,xml,txt}";
    unlink glob "$folder/*.{csv,json,html,xml,txt}";
    my @bad;
    push @bad, "exit $exit" if $exit !~ /^[0123]$/;
    push @bad, 'no message' if $exit =~ /^[12]$/ && $err !~ /^contactfit \w+: .+\n\z/m;
    push @bad, 'output in spite of a failure' if $exit =~ /^[12]$/ && length $out;
    push @bad, 'a number that is none' if grep { /$none/ } $out, @files;
    push @bad, "a message with a number that is none: $err"
        if $exit == 0 && $err =~ /$none/;
    return map { "@arguments: $_" } @bad;
}

sub all_well
{
    my ($name, @runs) = @_;
    my @bad = map { wrong(@$_) } @runs;
    is_deeply([@bad[0 .. ($#bad < 9 ? $#bad : 9)]], [], "$name: " . @runs . ' runs');
}

my @few = qw(0 5e-324 1e-30 1e300 nan);    # for what takes its time
my @extreme = qw(0 -1 5e-324 1e-300 1e-30 1e30 1e300 1.7976931348623157e308 1e309 nan inf -inf);

# What is accepted, which each law computes with; what is not is refused before any law is asked, and
# by one of them but for CHECK_FULL.
my @accepted = qw(5e-324 1e-30 1e30 1.7976931348623157e308);
my @some = $full ? @extreme : qw(0 -1 5e-324 1e300 1e309 nan -inf);

# Laws: each parameter at both ends of what is accepted, the others as usual; and the speeds. Those
# of friction, and shapes, have no impacts.
my %law;
for my $row (@{decode_json((contactfit('models', '--json'))[1])->{laws}}) {
    next if $row->{family} =~ /friction|tangential|hydroelastic/;
    $law{$row->{name}}{$_->{name}} = $_ for @{$row->{parameters}};
}
cmp_ok(scalar keys %law, '>=', 15, 'the laws and their ranges');
for my $name (sort keys %law) {
    my %row = %{$law{$name}};
    my @ends = $full || $name eq 'azad-featherstone' ? @extreme : @accepted;
    my @runs;
    my @usual = map { ('-p', "$_=$row{$_}{typical}") } sort keys %row;
    for my $one (sort keys %row) {
        my @others = map { ('-p', "$_=$row{$_}{typical}") } grep { $_ ne $one } sort keys %row;
        push @runs, ['restitution', $name, @others, '-p', "$one=$_", '--mass', '1', '--speed', '1', '--json']
            for grep { defined } @{$row{$one}}{qw(lower upper)}, 0, 1e300, 'nan';
    }
    push @runs, ['restitution', $name, @usual, '--mass', $_, '--speed', '1'] for @ends;
    push @runs, ['restitution', $name, @usual, '--mass', '1', '--speed', $_] for @ends;
    push @runs, ['restitution', $name, @usual, '--mass', '1', '--speed', '1', '--radius', $_] for @ends;
    all_well($name, @runs);
}

# Options of the other commands.
my %runs = (
    predict => [map { my $x = $_; map { ['predict', "$croquet.json", '--speed', 1, '--json', $_, $x] }
        qw(--speed --mass --radius --drop-height) } @few, '1e-9:1e9:5', '1:1:3', '1:2:0', '0:1:3'],
    export => [map { my $x = $_; map { ['export', "$croquet.json", '--to', 'mujoco', '--untrusted', '-o', 'x.xml', $_, $x] }
        qw(--speed --dt --bound --mass --radius) } @some],
    'export as a table' => [map { my $x = $_; map { ['export', "$croquet.json", '--to', 'json', '--untrusted', '-p', "$_=$x"] }
        qw(mu_S mu_C v_S sigma_2 kv) } @some],
    simulate => [map { my $x = $_; map { ['simulate', "$srcdir/t/bad/good/scene.yaml", '--trace', 't.csv',
        '--events', 'e.csv', '--json', @$_, $x] } ['--every'], ['--tolerance'],
        ['--method', 'rk4', '--step'] } @some],
    'scenes' => [map { my $x = $_; map { ['simulate', "$srcdir/t/bad/good/scene.yaml", '--json', '--trace', 't.csv', '-p', "$_=$x"] }
        qw(gravity duration bodies.ball.mass bodies.ball.sphere.radius bodies.pipe.cylinder.radius) }
        $full ? qw(0 -1 5e-324 1e-30 nan) : qw(-1 1e-30 nan)],
    design => [map { my $x = $_; map { ['design', "$croquet.yaml", '--json', $_, $x] } qw(--at --add) } qw(0 -1 1e-300 1e300 nan)],
    selftest => [map { ['selftest', "$croquet.yaml", '--json', '--replicates', 20, '-p', "k=$_", '-p', 'lambda=1e4'] }
        qw(0 -1 1e-300 1e-3 1e15 1e300 nan)],
);
all_well($_, @{$runs{$_}}) for sort keys %runs;

# Studies whose numbers are at the ends.
my $study = slurp("$srcdir/t/bad/good/study.yaml");
my @studies;
my $n = 0;
for my $change (['mass: 50 g', 'mass: %s kg'], ['diameter: 40 mm', 'diameter: %s m'],
    ['sigma: 0.002', 'sigma: %s'], ['sigma: 1 %', 'sigma: %s s'], ['sigma: 1 %', 'sigma: %s %%']) {
    for my $x (@few, '1e308') {
        my $with = sprintf $change->[1], $x;
        my $text = $study =~ s/\Q$change->[0]\E/$with/r;
        $n++;
        spew("$folder/s$n.yaml", $text);
        push @studies, ['fit', "s$n.yaml", '--json'], ['check', "s$n.yaml", '--json'];
    }
}
spew("$folder/table.csv", slurp("$srcdir/t/bad/good/table.csv"));
{
    no warnings 'redefine';
    my $table = slurp("$folder/table.csv");
    my @bad;
    for my $run (@studies) {
        spew("$folder/table.csv", $table);
        push @bad, wrong(@$run);
    }
    is_deeply([@bad[0 .. ($#bad < 9 ? $#bad : 9)]], [], 'studies: ' . @studies . ' runs');
}

done_testing();
