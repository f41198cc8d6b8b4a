#!/usr/bin/perl
# Completion: bash itself is asked what it would offer. Expected words come from other commands' lists.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Program;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my ($code, $script, $err) = contactfit(qw(completion bash));
is("$code $err", '0 ', 'completion bash');
my $scripts = tempdir(CLEANUP => 1);
mkdir "$scripts/bin";
symlink $program, "$scripts/bin/contactfit";    # which bash asks for its examples
$ENV{PATH} = "$scripts/bin:$ENV{PATH}";
spew("$scripts/contactfit", $script);
spew("$dir/$_", '') for 'one.yaml', 'two.json', 'three.csv';
mkdir "$dir/folder";

# What bash offers for the last of the words.
sub offered
{
    my @words = @_;
    my $list = join ' ', map { "'$_'" } @words;
    my $bash = "cd '$dir' && source '$scripts/contactfit' && COMP_WORDS=($list) && COMP_CWORD=$#words "
        . '&& _contactfit && printf "%s\n" "${COMPREPLY[@]}"';
    open my $out, '-|', 'bash', '--norc', '-c', $bash or die $!;
    return sort grep { length } map { s/\s+$//r } <$out>;
}

SKIP: {
    skip 'no bash here', 18 if !grep { -x "$_/bash" } split /:/, $ENV{PATH};
    my (undef, $help) = contactfit('--help');
    my @missing = grep { my $c = $_; !grep { $_ eq $c } offered('contactfit', '') } $help =~ /^  ([a-z]+)  /mg;
    is("@missing", '', 'every command of the help');
    is(join(' ', offered('contactfit', 'exp')), 'export', 'a command that is begun');
    is(join(' ', offered('contactfit', 'fit', '')), 'folder one.yaml', 'studies, and folders');
    is(join(' ', offered('contactfit', 'export', '')), 'folder two.json', 'fits');
    is(join(' ', offered('contactfit', 'predict', '')),
       'folder hydroelastic-cone hydroelastic-cylinder hydroelastic-sphere hydroelastic-spheres two.json',
       'fits and shapes');
    is(join(' ', offered('contactfit', 'report', '')), 'folder one.yaml three.csv two.json', 'any file');
    is(join(' ', offered('contactfit', 'fit', '--loss', '')), 'huber squares student-t', 'losses');
    is(join(' ', offered('contactfit', 'fit', '--global', '')), 'crs2 direct esch isres mlsl none', 'searches');
    is(join(' ', offered('contactfit', 'simulate', '--method', '')), 'adaptive euler rk3 rk4 rk5', 'methods');
    is(join(' ', offered('contactfit', 'export', '--to', 'liggg')), 'liggghts liggghts-restitution', 'targets');
    is(join(' ', offered('contactfit', 'fit', '--law', 'hunt-')), 'hunt-crossley hunt-crossley-e', 'laws');
    is(join(' ', offered('contactfit', 'plot', '--figure', 'quan')), 'quantiles', 'figures');
    is(join(' ', offered('contactfit', 'examples', 'synthetic_tap')), 'synthetic_tap synthetic_tap_held_out', 'examples');
    is(join(' ', offered('contactfit', 'schema', '')), 'figure scene study', 'kinds of files');
    is(join(' ', offered('contactfit', 'completion', '')), 'bash zsh', 'shells, and no files');
    is(join(' ', offered('contactfit', 'export', '--kee')), '--keep', 'an option');
    is(join(' ', offered('contactfit', 'fit', '-o', 'fol')), 'folder', 'where an output goes');
    my (undef, $of_export) = contactfit(qw(export --help));
    my %offers = map { $_ => 1 } offered('contactfit', 'export', '--');
    my @left = grep { !$offers{$_} } $of_export =~ /^  (?:-\w, |    )(--[a-z-]+)/mg;
    is("@left", '', 'every option of the help of export');
}

(undef, my $zsh) = contactfit(qw(completion zsh));
like($zsh, qr/\A#compdef contactfit\n/, 'completion zsh');
SKIP: {
    skip 'no zsh here', 1 if !grep { -x "$_/zsh" } split /:/, $ENV{PATH};
    spew("$scripts/_contactfit", $zsh);
    is(system('zsh', '-n', "$scripts/_contactfit"), 0, 'which zsh reads');
}
($code, undef, $err) = contactfit(qw(completion fish));
is("$code $err", "2 contactfit completion: \"fish\": the shell must be bash or zsh\n", 'another shell');

done_testing();
