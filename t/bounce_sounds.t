#!/usr/bin/perl
# Recordings in the place of stamps: every width of samples, and what is wrong with a recording, each
# in one line with the limit and the key that changes it.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Program;
use Test::More;

draw_no_figures();

my $dir = tempdir(CLEANUP => 1);
my $rate = 44100;
my $state = 1;
sub noise { $state = $state * 16807 % 2147483647; return $state / 2147483647 - 0.5 }

# Samples in parts of full scale as a WAV file.
sub wav
{
    my ($name, $bits, $channels, @x) = @_;
    my ($float, $bytes) = ($bits == 32, $bits / 8);
    my $data = $float ? pack('f<*', @x)
             : $bits == 8 ? pack('C*', map { 128 + int(127 * $_ + 0.5) } @x)
             : $bits == 16 ? pack('s<*', map { int 32767 * $_ } @x)
             : join '', map { substr pack('l<', int(8388607 * $_)), 0, 3 } @x;
    spew("$dir/$name.wav", pack('a4 V a4 a4 V v v V V v v a4 V', 'RIFF', 36 + length $data, 'WAVE', 'fmt ', 16,
        $float ? 3 : 1, $channels, $rate, $rate * $bytes * $channels, $bytes * $channels, $bits, 'data', length $data)
        . $data);
}

# A throw with e = 0.8 from a first flight of 0.6 s: so many impacts, as loud as said.
sub throw_of
{
    my ($impacts, $loud) = @_;
    my @x = map { 0.02 * noise() } 1 .. int 3.2 * $rate;
    my ($t, $flight) = (0.2, 0.6);
    for my $i (1 .. $impacts) {
        my $first = int($t * $rate) + 1;
        for my $k (0 .. 800) {
            my $s = $first + $k - $t * $rate;
            $x[$first + $k] += $loud * 0.85**$i * sin(0.427 * $s) * exp(-$s / 130);
        }
        $t += $flight;
        $flight *= 0.8;
    }
    return map { $_ > 1 ? 1 : $_ < -1 ? -1 : $_ } @x;
}

sub check
{
    my ($name, $more) = @_;
    spew("$dir/$name.yaml", "contactfit: study/1\nbodies:\n  ball: {sphere: {diameter: 40 mm}, mass: 50 g}\n"
        . "  floor: {plane: {}, fixed: true}\nlaw: e-constant\ndata:\n  - name: s\n    protocol: bounce\n"
        . "    file: $name.wav\n    columns: {time: time_s}\n    apparatus: {drag_coefficient: 0}\n" . ($more // ''));
    return contactfit({in => $dir}, 'check', "$name.yaml");
}

my @throw = throw_of(7, 0.8);
for my $bits (8, 16, 24, 32) {
    wav("bits$bits", $bits, 1, @throw);
    my ($status, $out, $err) = check("bits$bits");
    is($status, 0, "$bits bit: read") or diag($err);
    like($out, qr/^    time  +7 values, 0\.20\d* to 2\.4\d* s/m, 'with its seven impacts');
}

sub refused
{
    my ($what, $name, $message, $more) = @_;
    my ($status, undef, $err) = check($name, $more);
    is($status, 1, "$what: exit 1");
    is($err, "contactfit check: $message\n", $what);
}

sub noted
{
    my ($what, $name, $message, $more) = @_;
    my ($status, undef, $err) = check($name, $more);
    is($status, 0, "$what: read") or diag($err);
    like($err, qr/^note: $name\.wav: $message$/m, $what);
}

wav('stereo', 16, 2, map { ($_, 0.02 * noise()) } @throw);
refused('two channels', 'stereo', 'stereo.yaml:9:11: file: stereo.wav: 2 channels: state which one has the impacts: channel: 1 to 2');
is((check('stereo', "    rules: {channel: 1}\n"))[0], 0, 'the one that is named is read');
refused('the one without impacts', 'stereo',
    'stereo.yaml:9:11: file: stereo.wav: no impact is found above the threshold, 0.0142 of full scale: rules: {noise_ratio: } lowers it', "    rules: {channel: 2}\n");
wav('silent', 16, 1, (0.001) x $rate);
refused('silence', 'silent', 'silent.yaml:9:11: file: silent.wav: silent: each of its 44100 samples is 0.000976562: no impact can be found in it');
wav('one', 16, 1, throw_of(2, 0.8));
refused('one bounce only', 'one', 'data set s: no throw has three stamps in a row: restitution is the ratio of two flights, and takes three');
wav('clipped', 16, 1, throw_of(7, 3));
noted('clipping', 'clipped', qr/\d of 7 onsets clipped, \S+ % of all samples \(clip_level: 0\.99, clip_run: \d\): times hold, peak and snr_dB are lower bounds/);

done_testing();
