package TrueType;

# Advance widths and extents of letters, from a TrueType font's own tables: head, hhea, hmtx, cmap
# (format 4), loca and glyf, as the OpenType specification has them. Kerning is left out: it makes
# texts narrower by a little.

use strict;
use warnings;

# The font in a file, or undef where there is none.
sub new
{
    my ($class, $path) = @_;
    open my $in, '<:raw', $path or return undef;
    my $bytes = do { local $/; <$in> };
    my $tables = unpack 'x4 n', $bytes;
    my %at;
    for my $i (0 .. $tables - 1) {
        my ($tag, $offset) = unpack 'x' . (12 + 16 * $i) . ' a4 x4 N', $bytes;
        $at{$tag} = $offset;
    }
    my $font = bless {bytes => $bytes, at => \%at}, $class;
    $font->{em} = $font->get('head', 18, 'n');
    $font->{long} = $font->get('head', 50, 'n');
    $font->{metrics} = $font->get('hhea', 34, 'n');
    $font->find_cmap;
    return $font;
}

sub get
{
    my ($font, $table, $offset, $format) = @_;
    return unpack $format, substr $font->{bytes}, $font->{at}{$table} + $offset, 512;
}

# Where the subtable of Unicode's first plane begins.
sub find_cmap
{
    my ($font) = @_;
    for my $i (0 .. $font->get('cmap', 2, 'n') - 1) {
        my ($platform, $encoding, $offset) = $font->get('cmap', 4 + 8 * $i, 'nnN');
        next if $platform != 3 || $encoding != 1;
        die "a cmap that is not of format 4\n" if $font->get('cmap', $offset, 'n') != 4;
        $font->{cmap} = $offset;
    }
    defined $font->{cmap} or die "no cmap of Unicode\n";
}

# The glyph of a code point; 0 where the font has none.
sub glyph
{
    my ($font, $code) = @_;
    my $cmap = $font->{cmap};
    my $twice = $font->get('cmap', $cmap + 6, 'n');
    for (my $i = 0; $i < $twice; $i += 2) {
        my $end = $font->get('cmap', $cmap + 14 + $i, 'n');
        next if $code > $end;
        my $start = $font->get('cmap', $cmap + 16 + $twice + $i, 'n');
        return 0 if $code < $start;
        my $delta = $font->get('cmap', $cmap + 16 + 2 * $twice + $i, 'n');
        my $place = $cmap + 16 + 3 * $twice + $i;
        my $offset = $font->get('cmap', $place, 'n');
        return ($code + $delta) & 0xffff if $offset == 0;
        my $glyph = $font->get('cmap', $place + $offset + 2 * ($code - $start), 'n');
        return $glyph ? ($glyph + $delta) & 0xffff : 0;
    }
    return 0;
}

# Of a letter, in parts of the font's size: how far the next one is, and from where to where its ink
# goes below and above the line. A blank has no ink: low and high are undef.
sub letter
{
    my ($font, $letter) = @_;
    return @{$font->{known}{$letter} //= [$font->measure(ord $letter)]};
}

sub measure
{
    my ($font, $code) = @_;
    my $glyph = $font->glyph($code) or die sprintf "no glyph for U+%04X\n", $code;
    my $metric = $glyph < $font->{metrics} ? $glyph : $font->{metrics} - 1;
    my $advance = $font->get('hmtx', 4 * $metric, 'n') / $font->{em};
    my ($from, $to) = $font->{long} ? $font->get('loca', 4 * $glyph, 'NN')
        : map { 2 * $_ } $font->get('loca', 2 * $glyph, 'nn');
    return ($advance, undef, undef) if $from == $to;
    my ($low, $high) = ($font->get('glyf', $from + 4, 's>'), $font->get('glyf', $from + 8, 's>'));
    return ($advance, $low / $font->{em}, $high / $font->{em});
}

1;
