package TextBoxes;

# Where the texts of an SVG lie, and what is wrong with that: texts on each other, and texts that
# leave the frame. Widths are those of the fonts that are given; the ink of letters counts, so that
# two lines may be near.

use strict;
use warnings;
use Encode qw(decode);
use Exporter qw(import);
use List::Util qw(max min);

our @EXPORT_OK = qw(text_boxes text_faults);

# The matrix of a transform: [a, b, c, d, e, f] of x' = a x + c y + e, y' = b x + d y + f.
sub transform
{
    my ($text) = @_;
    my $m = [1, 0, 0, 1, 0, 0];
    while ($text =~ /(\w+)\s*\(([^)]*)\)/g) {
        my ($name, @n) = ($1, split /[\s,]+/, $2);
        my $turn = ($n[0] // 0) * atan2(1, 1) / 45;
        my $step = $name eq 'translate' ? [1, 0, 0, 1, $n[0], $n[1] // 0]
            : $name eq 'scale' ? [$n[0], 0, 0, $n[1] // $n[0], 0, 0]
            : $name eq 'rotate' && @n == 1 ? [cos $turn, sin $turn, -sin $turn, cos $turn, 0, 0]
            : $name eq 'matrix' && @n == 6 ? [@n] : die "transform $name(@n) is not known here\n";
        $m = product($m, $step);
    }
    return $m;
}

# First the second, then the first.
sub product
{
    my ($s, $t) = @_;
    return [$s->[0] * $t->[0] + $s->[2] * $t->[1], $s->[1] * $t->[0] + $s->[3] * $t->[1],
        $s->[0] * $t->[2] + $s->[2] * $t->[3], $s->[1] * $t->[2] + $s->[3] * $t->[3],
        $s->[0] * $t->[4] + $s->[2] * $t->[5] + $s->[4],
        $s->[1] * $t->[4] + $s->[3] * $t->[5] + $s->[5]];
}

sub attributes
{
    my ($tag) = @_;
    my %of = $tag =~ /([\w:-]+)\s*=\s*"([^"]*)"/g;
    my %more = $tag =~ /([\w:-]+)\s*=\s*'([^']*)'/g;
    return {%of, %more};
}

# What an element inherits, and what it says itself; the style of the element counts, too.
sub inherit
{
    my ($outer, $of) = @_;
    my %style = ($of->{style} // '') =~ /([\w-]+)\s*:\s*([^;]+)/g;
    # in pages anchors are classes, and all of a figure has the size that page_style.c says
    my %class = ($of->{class} // '') =~ /^([me])$/ ? ('text-anchor' => {m => 'middle', e => 'end'}->{$1}) : ();
    $class{'font-size'} = 15 if ($of->{class} // '') eq 'f';
    my %said = (%$of, %class, %style);
    my %state = %$outer;
    for my $key ('font-size', 'font-weight', 'text-anchor') {
        $state{$key} = $said{$key} if defined $said{$key};
    }
    $state{'font-size'} =~ s/px$//;
    $state{matrix} = product($outer->{matrix}, transform($of->{transform})) if $of->{transform};
    return \%state;
}

sub letters
{
    my ($text) = @_;
    my %entity = (amp => '&', lt => '<', gt => '>', quot => '"', apos => "'");
    $text =~ s/&#x([0-9a-fA-F]+);/chr hex $1/ge;
    $text =~ s/&#(\d+);/chr $1/ge;
    $text =~ s/&(\w+);/$entity{$1} or die "&$1; is not known here\n"/ge;
    return $text;
}

# One text element: its letters with their size, weight and height over the line; where it begins.
# Blanks are kept as gnuplot asks for it (xml:space), but for line breaks and those about them.
sub add_letters
{
    my ($text, $state, $run) = @_;
    $run =~ s/\s*\n\s*//g;
    for my $letter (split //, letters($run)) {
        push @{$text->{letter}}, {letter => $letter, size => $state->{'font-size'},
            bold => ($state->{'font-weight'} // '') =~ /^bold/i ? 1 : 0, up => $text->{up}};
    }
}

# The corners of the box of a text, by the fonts [roman, bold].
sub close_text
{
    my ($text, $fonts) = @_;
    my @letters = @{$text->{letter}};
    shift @letters while @letters && $letters[0]{letter} eq ' ';
    pop @letters while @letters && $letters[-1]{letter} eq ' ';
    my ($width, $low, $high) = (0, 0, 0);
    for my $l (@letters) {
        my ($advance, $down, $up) = $fonts->[$l->{bold}]->letter($l->{letter});
        $width += $l->{size} * $advance;
        next if !defined $down;
        $low = min($low, $l->{up} + $l->{size} * $down);
        $high = max($high, $l->{up} + $l->{size} * $up);
    }
    my $anchor = $text->{state}{'text-anchor'} // 'start';
    my $left = $text->{x} - ($anchor eq 'middle' ? $width / 2 : $anchor eq 'end' ? $width : 0);
    my $m = $text->{state}{matrix};
    my @corners = map {
        [$m->[0] * $_->[0] + $m->[2] * $_->[1] + $m->[4], $m->[1] * $_->[0] + $m->[3] * $_->[1] + $m->[5]]
    } map { [$_->[0], $text->{y} - $_->[1]] } [$left, $low], [$left + $width, $low],
        [$left + $width, $high], [$left, $high];
    return {text => join('', map { $_->{letter} } @letters), corner => \@corners};
}

# The texts of an SVG: {text, corner => [[x, y] x 4]}, in the units of its viewBox; and that box,
# [left, top, right, bottom].
sub text_boxes
{
    my ($svg, @fonts) = @_;
    my ($view) = $svg =~ /<svg[^>]*\bviewBox\s*=\s*["']([^"']*)["']/ or die "no viewBox\n";
    my ($left, $top, $width, $height) = split /[\s,]+/, $view;
    my @stack = ({matrix => [1, 0, 0, 1, 0, 0], 'font-size' => 16});
    my ($text, @boxes);
    for my $piece (split /(<!--.*?-->|<[^>]*>)/s, decode('UTF-8', $svg)) {
        if ($piece !~ /^</) {
            add_letters($text, $stack[-1], $piece) if $text;
        } elsif ($piece =~ m{^</(\w+)}) {
            push @boxes, close_text($text, \@fonts) and undef $text if $1 eq 'text';
            pop @stack;
        } elsif ($piece =~ /^<(\w+)/) {
            my ($name, $of) = ($1, attributes($piece));
            my $state = inherit($stack[-1], $of);
            if ($name eq 'text') {
                $text = {state => $state, x => $of->{x} // 0, y => $of->{y} // 0, up => 0, letter => []};
            } elsif ($name eq 'tspan') {
                die "a tspan with a place of its own\n" if defined $of->{x} || defined $of->{y} || defined $of->{dx};
                $text->{up} -= ($of->{dy} // 0) =~ s/px$//r;
            }
            next if $piece =~ m{/>$};
            push @stack, $state;
        }
    }
    return ([grep { $_->{text} ne '' } @boxes], [$left, $top, $left + $width, $top + $height]);
}

# How far apart two boxes are along the direction in which they are furthest; below 0: they overlap.
sub distance
{
    my ($s, $t) = @_;
    my $most = -1e9;
    for my $box ($s, $t) {
        my @c = @{$box->{corner}};
        for my $i (0, 1) {
            my ($dx, $dy) = ($c[$i + 1][0] - $c[$i][0], $c[$i + 1][1] - $c[$i][1]);
            my $length = sqrt($dx ** 2 + $dy ** 2) || next;
            my ($nx, $ny) = (-$dy / $length, $dx / $length);
            my @a = map { $nx * $_->[0] + $ny * $_->[1] } @{$s->{corner}};
            my @b = map { $nx * $_->[0] + $ny * $_->[1] } @{$t->{corner}};
            $most = max($most, min(@b) - max(@a), min(@a) - max(@b));
        }
    }
    return $most;
}

# What is wrong with an SVG, a line each: texts less than `apart` from each other, in the units of
# its viewBox, and texts that leave it.
sub text_faults
{
    my ($svg, $apart, @fonts) = @_;
    my ($boxes, $view) = text_boxes($svg, @fonts);
    my @faults;
    for my $i (0 .. $#$boxes) {
        my $box = $boxes->[$i];
        my @x = map { $_->[0] } @{$box->{corner}};
        my @y = map { $_->[1] } @{$box->{corner}};
        my $out = max($view->[0] - min(@x), $view->[1] - min(@y), max(@x) - $view->[2], max(@y) - $view->[3]);
        push @faults, sprintf '"%s" leaves the frame by %.1f', $box->{text}, $out if $out > 0;
        for my $other (@$boxes[0 .. $i - 1]) {
            my $distance = distance($box, $other);
            push @faults, sprintf '"%s" and "%s" overlap by %.1f', $other->{text}, $box->{text}, -$distance
                if $distance < 0;
            push @faults, sprintf '"%s" and "%s" are %.1f apart', $other->{text}, $box->{text}, $distance
                if $distance >= 0 && $distance < $apart;
        }
    }
    return @faults;
}

1;
