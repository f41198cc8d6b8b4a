package Synthetic;

# Fits of synthetic drops: R = 10 mm, m = 10 g on a rigid plane, 12 speeds from 0.1 to 2 m/s, with a
# fixed scatter of the stated sigmas. The numbers are nobody's measurements.

use strict;
use warnings;
use Exporter qw(import);
use Program;

our @EXPORT = qw($ball_on_plane synthetic scattered study_of normal);
our @EXPORT_OK = qw(four_drops);

# of the reference case: e(0.5 m/s) = 0.85
our %law = (
    'azad-featherstone' => {k => 1e6, lambda => 104.898348},
    'hunt-crossley' => {k => 1e6, a => 0.52801881},
    'linear' => {k => 15924.286822139886, lambda => 1.3497175453759713},
    'e-constant' => {e => 0.85},
    'e-log' => {e_at_1 => 0.83, b => 0.03},
);

my @e = (0.3, -1.1, 0.7, 0.2, -0.5, 1.3, -0.8, -0.1, 0.9, -1.4, 0.6, -0.2);
my @t = (-0.6, 0.4, 1.2, -0.9, 0.1, -0.3, 0.8, -1.2, 0.5, 0.2, -0.7, 1.0);
my ($sigma_e, $sigma_t) = (0.002, 3e-6);

# The text of a study of rows [speed, e, duration or undef].
sub study_of
{
    my ($title, $law, $bodies, @rows) = @_;
    my $timed = defined $rows[0][2];
    my $text = "contactfit: study/1\ntitle: $title\nbodies:\n$bodies" . "law: $law\n"
        . 'fit: {' . join(', ', map { "$_: {}" } sort keys %{$law{$law}}) . "}\n"
        . "data:\n  - name: drops\n    protocol: impact\n    rows:\n";
    for my $row (@rows) {
        $text .= sprintf '      - {speed: %.9g m/s, restitution: %.7f', $row->[0], $row->[1];
        $text .= sprintf ', duration: %.8g s', $row->[2] if $timed;
        $text .= "}\n";
    }
    $text .= "    sigma: {restitution: $sigma_e";
    $text .= ", duration: $sigma_t s" if $timed;
    return $text . "}\n";
}

# The rows of a table speed, e, duration, ... of 12 drops, with the scatter.
sub scattered
{
    my ($table) = @_;
    my @rows;
    for (split /\n/, $table) {
        my ($v, $e, $duration) = split /,/;
        next if $v !~ /^[0-9]/;
        my $i = @rows;
        $duration = $duration eq '' ? undef : $duration + $sigma_t * $t[$i];
        push @rows, [$v, $e + $sigma_e * $e[$i], $duration];
    }
    return @rows;
}

our $ball_on_plane = "  ball:  {sphere: {radius: 10 mm}, mass: 10 g}\n"
    . "  block: {plane: {}, fixed: true}\n";

# Fits such drops of a law and returns the path of the fit file. more: bodies, mass, radius.
sub synthetic
{
    my ($folder, $name, $law, %more) = @_;
    my @p = map { ('-p', "$_=$law{$law}{$_}") } sort keys %{$law{$law}};
    my ($code, $out) = contactfit('restitution', $law, @p, '--mass', $more{mass} // 0.01,
                                  qw(--speed 0.1:2:12 -q));
    die "no curve of $law\n" if $code;
    spew("$folder/$name.yaml", study_of("$name, synthetic", $law, $more{bodies} // $ball_on_plane,
                                        scattered($out)));
    my ($fitted, undef, $err) = contactfit('fit', "$folder/$name.yaml", '-o', $folder);
    die "$name: $err\n" if $fitted;
    return "$folder/$name.json";
}

# Writes a study of e(v) in four rows, and returns its path.
sub four_drops
{
    my ($path, $law, $fit, $sigma) = @_;
    spew($path, <<"END");
contactfit: study/1
title: Synthetic
bodies:
  ball: {sphere: {diameter: 40 mm}, mass: 50 g}
  block: {plane: {}, fixed: true}
law: $law
fit: $fit
data:
  - name: drops
    protocol: impact
    rows:
      - {speed: 1 m/s, restitution: 0.805}
      - {speed: 2 m/s, restitution: 0.795}
      - {speed: 3 m/s, restitution: 0.81}
      - {speed: 4 m/s, restitution: 0.79}
    sigma: {restitution: $sigma}
END
    return $path;
}

# Numbers of the normal distribution (Box and Muller), the same on every machine and in every run:
# not of rand(), which File::Temp draws from, too. The generator is that of Park and Miller, CACM 31
# (1988) 1192.
my $state = 20_261_122;

sub uniform
{
    $state = $state * 16807 % 2147483647;
    return $state / 2147483647;
}

sub normal
{
    my $length = sqrt(-2 * log uniform());
    return $length * cos(6.283185307179586 * uniform());
}

1;
