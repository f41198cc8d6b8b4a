#!/usr/bin/perl
# The page of all shipped figures and scenes: small enough to be sent, with links to its parts, and on
# paper short, with every heading beside its figure.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Browser;
use File::Temp qw(tempdir);
use Program;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my @shown = (glob("$srcdir/figures/*.yaml"), shipped_scenes());
my ($exit, $out, $err) = contactfit('report', '-q', @shown, '-o', "$dir/all.html");
is("$exit$err", '0', 'a page of ' . scalar(@shown) . ' figures and scenes');
my $page = slurp("$dir/all.html");
cmp_ok(length $page, '<', 500_000, 'of ' . int(length($page) / 1000) . ' kB');

# contents
my ($nav) = $page =~ m{<nav aria-label="Contents">(.*?)</nav>}s;
my @link = $nav =~ m{<a href="#([^"]+)">([^<]+)</a>}g;
my @section = $page =~ m{<section id="([^"]+)">\n<div class="keep">\n<h2>([^<]+)</h2>}g;
is(scalar @section, 2 * @shown, 'a section for each');
is_deeply(\@link, \@section, 'and a link to it by its title');
my @id = $page =~ / id="([^"]+)"/g;
my %times;
$times{$_}++ for @id;
is_deeply([grep { $times{$_} > 1 } @id], [], 'no id is given twice');
is_deeply([grep { !$times{$_} } map { split ' ' } $page =~ /aria-labelledby="([^"]+)"/g], [], 'names of figures are there');

# one figure needs no contents
($exit, $out, $err) = contactfit('report', '-q', $shown[0], '-o', "$dir/one.html");
unlike(slurp("$dir/one.html"), qr/<nav/, 'one figure has no contents');

# each heading is bound to the figure that follows it, and on paper they are not parted
my @kept = $page =~ m{<div class="keep">\n(<h2>.*?)</div>}sg;
is(scalar(grep { /<svg/ } @kept), scalar @shown, 'a heading goes with its figure');
like($page, qr/\@media print\{.*?[,}\n][^{}]*\.keep[^{}]*\{break-inside:avoid\}/s, 'on paper, too');

SKIP: {
    my $browser = browser();
    skip 'no Chromium: nothing is printed', 2 if !$browser;
    $browser->open_page("$dir/all.html");
    my $pages = $browser->printed_pages;
    cmp_ok($pages, '>', 5, 'it prints');
    cmp_ok($pages, '<=', 20, "on $pages pages");
}

done_testing();
