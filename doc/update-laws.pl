#!/usr/bin/perl
# update-laws.pl [--check] CONTACTFIT POD: put what the program prints about laws and units between
# the marks of the manual page. With --check nothing is written: exit 1 when the page is stale.

use strict;
use warnings;

my $check = @ARGV && $ARGV[0] eq '--check' && shift;
my ($program, $pod) = @ARGV;
die "usage: update-laws.pl [--check] CONTACTFIT POD\n" if @ARGV != 2;

# man indents by 4, of 80 columns
$ENV{COLUMNS} = 76;

sub printed
{
    open my $pipe, '-|:encoding(UTF-8)', $program, @_ or die "$program: $!\n";
    local $/;
    my $text = <$pipe>;
    close $pipe or die "$program @_: failed\n";
    return $text;
}

# As a verbatim paragraph.
sub verbatim
{
    my ($text) = @_;
    $text =~ s/[ \t]+$//mg;
    $text =~ s/^(?=.)/    /mg;
    $text =~ s/\n*\z/\n/;
    return $text;
}

open my $in, '<:encoding(UTF-8)', $pod or die "$pod: $!\n";
my $old = do { local $/; <$in> };
close $in;

my $list = printed('models');
my $laws = verbatim($list);
# the names are the first words of the list's lines that `models NAME` accepts
for my $name (grep { /^[a-z][a-z0-9-]+$/ } map { (split)[0] // '' } split /\n/, $list) {
    open my $pipe, '-|', "'$program' models '$name' 2>/dev/null" or die "$program: $!\n";
    local $/;
    my $text = <$pipe>;
    close $pipe or next;
    utf8::decode($text);
    $laws .= "\n=head2 $name\n\n" . verbatim($text);
}
my %part = (laws => $laws, units => verbatim(printed('models', '--units')));

my $new = $old;
for my $name (sort keys %part) {
    $new =~ s/(=for comment BEGIN \Q$name\E\n\n).*?(=for comment END \Q$name\E\n)/$1$part{$name}\n$2/s
        or die "$pod: no marks for $name\n";
}
if ($check) {
    exit($new eq $old ? 0 : 1);
}
if ($new ne $old) {
    open my $out, '>:encoding(UTF-8)', $pod or die "$pod: $!\n";
    print $out $new;
    close $out or die "$pod: $!\n";
}
