package Svg;

# What tests ask of an SVG.

use strict;
use warnings;
use Exporter qw(import);

our @EXPORT = qw(words line balanced shown marks);

# Its text as it is read, without title and description, and that in one line.
sub words
{
    my ($svg) = @_;
    (my $text = $svg) =~ s{<(title|desc)>.*?</\1>|<[^>]*>}{}gs;
    return $text;
}

sub line
{
    return join ' ', split ' ', words(@_);
}

# What is written in it, without the titles, whether it stands alone or on a page.
sub shown
{
    my ($svg) = @_;
    (my $text = $svg) =~ s{<(title|desc)\b.*?</\1>}{}gs;
    return line($text =~ s{</text>}{ </text>}gr);
}

# Where marks are drawn on a page, [x, y]: elements of their own, and the corners of paths of marks.
sub marks
{
    my ($svg) = @_;
    my @place = map { [split /,/] } $svg =~ /<use [^>]*transform="translate\(([\d.]+,[\d.]+)\)/g;
    for my $path ($svg =~ /<path [^>]*marker-mid="[^>]* d="([^"]*)"/g) {
        my @number = $path =~ /-?(?:\d+(?:\.\d+)?|\.\d+)/g;
        my ($x, $y) = (0, 0);
        while (my ($right, $down) = splice @number, 0, 2) {
            push @place, [$x += $right, $y += $down];
        }
    }
    return @place;
}

# Every element is closed, in order: '' or '</b> closes a'.
sub balanced
{
    my ($xml) = @_;
    my @open;
    $xml =~ s{(<script\b[^>]*>).*?(</script>)}{$1$2}gs; # is no markup
    while ($xml =~ m{<(/?)([a-zA-Z][\w:]*)[^>]*?(/?)>}g) {
        next if $3;
        push @open, $2 and next if !$1;
        my $last = pop @open // 'nothing';
        return "</$2> closes $last" if $last ne $2;
    }
    return "@open";
}

1;
