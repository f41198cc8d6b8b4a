#!/usr/bin/perl
# contactfit plot: every figure in every format, named and refused as the help says.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Program;
use Test::More;

my $folder = tempdir(CLEANUP => 1);
my @formats = qw(svg pdf png);

# Run a command line in the folder.
sub run
{
    my ($line) = @_;
    return contactfit({in => $folder}, split ' ', $line);
}

sub refused
{
    my ($arguments, $want, $message) = @_;
    my ($exit, $out, $err) = run($arguments);
    is($exit, $want, "$arguments: exit $want");
    is($out . $err, "contactfit plot: $message\n", "$arguments: the message");
}

spew("$folder/fit.json", slurp("$srcdir/t/fits/sample.json"));

# the help lists the figures, and each it lists is one
my ($exit, $help) = run('plot --help');
my ($list) = $help =~ /^Figures of fits:\n((?:  .+\n)+)/m;
my @figures = ($list // '') =~ /^  ([a-z-]+)  +\S/mg;
my (undef, $narrow) = contactfit({columns => 80}, qw(plot --help));
my ($folded) = $narrow =~ /^Figures of fits:\n((?:  .+\n)+)/m;
is(join('', grep { !/^(?:  [a-z]| {21}\S)/ } $folded =~ /^(.*\n)/mg), '', 'at 80 columns folds stand under what they continue');
like($folded, qr/^  headline-log  +\S.*\n {21}\S/m, 'as the second one is');
is_deeply(\@figures, [qw(tournament headline-log headline difference loops prediction stribeck segments measurements residuals quantiles autocorrelation profiles correlation marginals chains predictive starts evidence agreement simulators)], 'figures');
@figures = grep { !/^(?:tournament|difference|loops|prediction|segments|stribeck|autocorrelation|agreement|marginals|chains|predictive|simulators)$/ } @figures;    # which these impacts do not have
s/^headline/restitution/ for @figures;    # so they are called for impacts

# all of them, in every format
my $err;
($exit, my $out, $err) = run('plot fit.json --format svg,pdf,png');
is($exit, 0, 'all figures in all formats');
is($out, '', 'nothing on standard output');
is($err, join('', map { my $f = $_; map { "wrote fit-$f.$_\n" } @formats } @figures), 'and said');
my %magic = (svg => qr/^<\?xml .*<\/svg>\s*<!-- Written by contactfit -->\n\z/s, pdf => qr/^%PDF-1.*%%EOF\n% Written by contactfit\n\z/s, png => qr/^\x89PNG\r\n.*tEXtComment\0Written by contactfit.{8}IEND....\z/s);
for my $figure (@figures) {
    my %bytes = map { $_ => slurp("$folder/fit-$figure.$_") } @formats;
    like($bytes{$_}, $magic{$_}, "$figure is $_") for @formats;
    my ($width, $height) = unpack 'x16 N N', $bytes{png};
    is($width, 1276, "$figure: 5.8 inches at 220 dots");
    my ($svg_width, $svg_height) = $bytes{svg} =~ /width="(\d+)" height="(\d+)"/;
    cmp_ok(abs($svg_height / $svg_width - $height / $width), '<', 0.01, "$figure: one shape in all formats");
    unlike($bytes{svg}, qr/nan|inf\b/i, "$figure: nothing that is no number");
}
my %svg = map { $_ => slurp("$folder/fit-$_.svg") } @figures;

# what stands in them
(my $text = $svg{'restitution-log'}) =~ s/<[^>]*>//g;
like($text, qr/approach speed v \/ \(m\/s\)/, 'an axis with its unit');
like($text, qr/\Q$_\E/, "the curve of $_") for qw(azad-featherstone e-log hunt-crossley), 'held out';
unlike($text, qr/power/, 'no curve of a rival that failed');
($text = $svg{measurements}) =~ s/<[^>]*>//g;
like($text, qr/contact duration \/ ms/, 'milliseconds');
($text = $svg{profiles}) =~ s{<(title|desc)>.*?</\1>|<[^>]*>}{}g;
like($text, qr/k \/ \(108 N\/m1\.5\)/, 'a parameter with its power of ten and unit');
is(scalar(() = $text =~ /rise of/g), 2, 'a panel each');

# the same bytes again; one figure; a folder; silence
mkdir "$folder/made";
($exit, $out, $err) = run('plot fit.json -o made -q');
is("$exit$out$err", '0', 'silent when asked');
is_deeply([map { slurp("$folder/made/fit-$_.svg") } @figures], [@svg{@figures}], 'the same bytes every time');
mkdir "$folder/one";
run('plot fit.json --figure residuals --format pdf --output one');
is_deeply([glob "$folder/one/*"], ["$folder/one/fit-residuals.pdf"], 'one figure');
run('plot fit.json --figure all -o one');
is(scalar(() = glob "$folder/one/*.svg"), scalar @figures, '--figure all');

# start-up files of the user change nothing
spew("$folder/.gnuplot", "set terminal dumb\nset title 'mine'\n");
run("plot fit.json --figure starts -o one -q");
$ENV{HOME} = $folder;
run("plot fit.json --figure starts -o one -q");
is(slurp("$folder/one/fit-starts.svg"), $svg{starts}, 'a ~/.gnuplot is not read');

# refusals
# to standard output
for my $format (@formats) {
    my ($exit, $image, $err) = run("plot fit.json --figure residuals --format $format -o -");
    is("$exit $err", '0 ', "$format to standard output");
    like($image, $magic{$format}, 'is an image');
    ok($image eq slurp("$folder/fit-residuals.$format"), 'the same') if $format ne 'pdf';    # which has the time
}
is((run('plot fit.json --figure residuals -o -'))[1], $svg{residuals}, 'SVG, unless it is said');
refused('plot fit.json -o -', 2, '-o -: a fit has several figures: name one with --figure, or a folder');
refused('plot fit.json --figure residuals --format svg,pdf -o -', 2, '-o -: standard output takes one image, and --format has 2');
refused('plot fit.json fit.json --figure residuals -o -', 2, '-o -: standard output takes one image, and here are 2 files');

refused('plot fit.json --figure restituton', 2, '--figure restituton: did you mean restitution?');
refused('plot fit.json --figure xyzzy', 2, '--figure xyzzy: contactfit plot --help lists the figures');
refused('plot fit.json --format gif', 2, '--format gif: svg, pdf and png are known');
refused('plot fit.json --format svg,,pdf', 2, '--format : svg, pdf and png are known');
refused('plot fit.json --format=', 2, '--format : svg, pdf and png are known');
(my $poor = slurp("$folder/fit.json")) =~ s/^ ("starts": )\[.*?^ \]/ $1\[\]/gms;
spew("$folder/poor.json", $poor);
refused('plot poor.json --figure starts', 1,
    'poor.json: nothing in it for the figure starts (the sorted ends of all starts of the optimiser)');
($exit, $out, $err) = run('plot poor.json');
is($exit, 0, 'a figure with nothing in it is left out of all');
unlike($err, qr/starts/, 'and not written');
spew("$folder/cut.json", substr $poor, 0, 200);
($exit, $out, $err) = run('plot cut.json');
is($exit, 1, 'a fit file that is cut short');
like($err, qr/^contactfit plot: cut\.json:\d+:\d+: .+\n\z/, 'is refused with its place');
is(scalar(() = glob "$folder/cut-*"), 0, 'and nothing is drawn');

# gnuplot that is missing, and one that fails
for my $case ([undef, 'gnuplot is not installed, and figures are drawn by it: apt-get install gnuplot-nox'],
    ["#!/bin/sh\necho 'line 1: bad' >&2\nexit 1\n", 'gnuplot failed: line 1: bad'],
    ["#!/bin/sh\nexit 1\n", 'gnuplot failed: it gave no reason'],
    ["#!/bin/sh\nexit 0\n", 'gnuplot drew nothing'],
    ["#!/bin/sh\necho 'gnuplot: libm.so.6: cannot map' >&2\nexit 127\n",
     'gnuplot failed: gnuplot: libm.so.6: cannot map'],
    ["#!/bin/sh\nkill -9 \$\$\n",
     'gnuplot was ended by signal 9, as where memory is short']) {
    my ($script, $message) = @$case;
    mkdir "$folder/bin";
    if ($script) {
        spew("$folder/bin/gnuplot", $script);
        chmod 0755, "$folder/bin/gnuplot";
    }
    local $ENV{PATH} = "$folder/bin";
    local $ENV{SHELL} = '/bin/sh';
    unlink "$folder/one/fit-starts.svg";
    my $status = system('/bin/sh', '-c',
        "cd $folder && $program plot fit.json --figure starts -o one >$folder/out 2>$folder/err");
    is($status >> 8, 1, "exit 1: $message");
    is(slurp("$folder/err"), "contactfit plot: $message\n", 'the message');
    ok(!-e "$folder/one/fit-starts.svg", 'and no file');
}

done_testing();
