#!/usr/bin/perl
# update-targets.pl [--check] CONTACTFIT POD: put what the program prints about the targets of export
# under the headings of the manual page. With --check nothing is written: exit 1 when it is stale.

use strict;
use warnings;

my $check = @ARGV && $ARGV[0] eq '--check' && shift;
my ($program, $pod) = @ARGV;
die "usage: update-targets.pl [--check] CONTACTFIT POD\n" if @ARGV != 2;

# man indents by 4, of 80 columns
$ENV{COLUMNS} = 76;

sub printed
{
    open my $pipe, '-|:encoding(UTF-8)', $program, @_ or die "$program: $!\n";
    local $/;
    my $text = <$pipe>;
    close $pipe or die "$program @_: failed\n";
    $text =~ s/^(?=.)/    /mg;
    return $text;
}

open my $in, '<:encoding(UTF-8)', $pod or die "$pod: $!\n";
my $old = do { local $/; <$in> };
close $in;

# each heading, then the verbatim paragraph of that target, then what a person wrote
my $new = $old;
for my $name (map { /^ {4}(\S+)/ } split /\n/, printed(qw(export --list))) {
    my $text = printed(qw(export --list --to), $name);
    $new =~ s/(=head2 \Q$name\E\n\n)(?:    [^\n]*\n)*/$1$text/ or die "$pod: no =head2 $name\n";
}
exit($new eq $old ? 0 : 1) if $check;
if ($new ne $old) {
    open my $out, '>:encoding(UTF-8)', $pod or die "$pod: $!\n";
    print $out $new;
    close $out or die "$pod: $!\n";
}
