#!/usr/bin/perl
# exported-symbols.pl HEADER...: the functions and data that public headers declare, one a line:
# what the shared library exports.

use strict;
use warnings;

my %symbol;
for my $path (@ARGV) {
    open my $in, '<', $path or die "$path: $!\n";
    my $text = do { local $/; <$in> };
    close $in;
    $text =~ s{/\*.*?\*/}{}gs;                    # comments
    $text =~ s{^[ \t]*\#(?:.*\\\n)*.*$}{}gm;      # directives
    1 while $text =~ s/\{[^{}]*\}/;/g;            # what structs, enums and inline functions hold
    for my $statement (split /;/, $text) {
        next if $statement =~ /^\s*(?:typedef|struct\s+\w+\s*$|enum\b)/;
        if ($statement =~ /\bextern\b/) {
            $symbol{$1} = 1 while $statement =~ /\b(cf_\w+)\b(?=\s*(?:\[|,|$))/g;
        } elsif ($statement !~ /\bstatic\b/ && $statement =~ /^[\s\w*]*?\b(cf_\w+)\s*\(/) {
            $symbol{$1} = 1;
        }
    }
}
print map { "$_\n" } sort keys %symbol;
