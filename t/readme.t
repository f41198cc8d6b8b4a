#!/usr/bin/perl
# The README is short and leads to every page of doc/; links of the README and of the pages reach
# files and headings that exist.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Program;
use Test::More;

my $readme = slurp("$srcdir/README.md");
cmp_ok(($readme =~ tr/\n//), '<', 200, 'the README has fewer than 200 lines');

my @pages = map { s{^\Q$srcdir\E/}{}r } sort glob "$srcdir/doc/*.md";
cmp_ok(scalar @pages, '>=', 15, 'pages are found');
for my $page (@pages) {
    like($readme, qr/\]\(\Q$page\E\)/, "the README links $page");
}

# The anchors of a page: its headings as GitHub writes them.
sub anchors
{
    my ($text) = @_;
    return map { lc(s/[^\w\s-]//gr) =~ tr/ /-/r } $text =~ /^#+ (.*)$/mg;
}

for my $page ('README.md', @pages) {
    my $text = slurp("$srcdir/$page");
    my ($folder) = $page =~ m{^(.*/)?};
    my @broken;
    for my $link ($text =~ /\]\(([^)]+)\)/g) {
        next if $link =~ /^https?:/;
        my ($file, $anchor) = split /#/, $link;
        my $path = "$srcdir/" . ($file eq '' ? $page : ($folder // '') . $file);
        if (!-e $path) {
            push @broken, $link;
        } elsif (defined $anchor) {
            push @broken, $link if !grep { $_ eq $anchor } anchors(slurp($path));
        }
    }
    is("@broken", '', "$page: links lead somewhere");
}

done_testing();
