#!/usr/bin/perl
# What commands show fits where it is shown: no line is wider than the terminal, in help, lists,
# results and messages; colours are for terminals only.

use strict;
use warnings;
use lib ($ENV{srcdir} // '.') . '/t/lib';
use File::Temp qw(tempdir);
use Program;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my $study = "$srcdir/fits/croquet_ball_on_wood.yaml";
my ($json, $example) = ("$dir/croquet_ball_on_wood.json", "$srcdir/scenes/af14_steel_66g.yaml");
my $lines = 0;

# Characters, not bytes; a word that is wider than a line stands alone: a path, here.
sub fits
{
    my ($width, @arguments) = @_;
    my (undef, $out, $err) = contactfit({columns => $width}, @arguments);
    for ($out, $err) {
        utf8::decode($_);
        my @wide = grep { length > $width && !/^ *\S+$/ } split /\n/;
        $lines += split /\n/;
        is(join("\n", @wide), '', "$width columns: @arguments");
        unlike($_, qr/[ \t]$/m, "no trailing blanks: @arguments");
    }
}

my @commands = (contactfit('--help'))[1] =~ /^  ([a-z]\S*) /mg;
my @laws = (contactfit('models'))[1] =~ /^  ([a-z]\S*) /mg;
my @targets = (contactfit('export', '--list'))[1] =~ /^([a-z]\S*) /mg;
cmp_ok(scalar @commands, '>', 14, 'commands are there');
cmp_ok(scalar @laws, '>', 50, 'laws are there');
cmp_ok(scalar @targets, '>', 25, 'targets are there');
fits(80, 'fit', $study, '-o', $dir);
for my $width (80, 60) {
    fits($width, 'help');
    fits($width, $_, '--help') for @commands;
    fits($width, 'models');
    fits($width, 'models', '--units') if $width == 80;    # a table of numbers
    fits($width, 'plot', '--list');
    fits($width, 'export', '--list');
}
fits(80, 'models', $_) for @laws;
fits(80, 'export', '--list', '--to', $_) for @targets;
fits(80, 'check', $study);
fits(80, 'compare', $study, '-o', $dir);
fits(80, 'design', $study);
fits(80, 'selftest', $study, '-n', 3);
fits(80, 'validate', $json, $study, '-o', $dir);
fits(80, 'simulate', $example);
fits(80, 'export', '--force', '--to', 'mujoco', $json, '-o', "$dir/pair.xml");
fits(80, 'export', '--to', 'mujoco', $json, '-o', "$dir/other.xml");
fits(80, 'predict', $json, '--speed', '0.01:100:3', '-q');
fits(80, 'onsets', "$srcdir/data/synthetic_bounce_recording.flac");
fits(80, 'init', "$srcdir/data/impact_croquet_ball_on_wood_gugan2002.csv", '-o', "$dir/new.yaml");
fits(80, 'fitt');
fits(80, 'fit', 'nowhere.yaml', '--bootstrapp');
cmp_ok($lines, '>', 1500, "lines: $lines");

# A pipe gets 80 columns, and each message on a line of its own.
{
    my (undef, $out) = contactfit({columns => 0}, 'models');
    is((contactfit({columns => 80}, 'models'))[1], $out, 'a pipe has 80 columns');
    isnt((contactfit({columns => 120}, 'models'))[1], $out, 'COLUMNS says otherwise');
    is((contactfit({columns => 5}, 'models'))[1], (contactfit({columns => 20}, 'models'))[1], 'at least 20');
    my ($status, undef, $err) = contactfit({columns => 0}, 'restitution', 'hunt-crossley');
    is(($err =~ tr/\n//), 1, 'a message in a pipe is one line');
    unlike((contactfit({columns => 0}, 'compare', $study, '-o', $dir))[1], qr/\033/, 'no colour in a pipe');
}

done_testing;
