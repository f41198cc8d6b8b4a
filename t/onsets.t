#!/usr/bin/perl
# contactfit onsets: table, CSV and figure of the recording that ships; and every file that is none,
# or no whole one, with its message.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Program qw(:DEFAULT is_refused);
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my $ball = "$srcdir/data/synthetic_bounce_recording.flac";

# A WAV of 16 bit out of samples, each a list of channels; the head may promise more than there is.
sub wav
{
    my ($name, $rate, $channels, $samples, $more) = @_;
    my $data = pack 's<*', map { int } map { ref $_ ? @$_ : $_ } @$samples;
    my $n = length($data) + ($more // 0);
    spew("$dir/$name", pack('a4 V a4 a4 V v v V V v v a4 V', 'RIFF', 36 + $n, 'WAVE', 'fmt ', 16, 1,
                            $channels, $rate, $rate * 2 * $channels, 2 * $channels, 16, 'data', $n)
                       . $data);
    return "$dir/$name";
}

my $state = 1;
sub noise { $state = ($state * 1103515245 + 12345) % 2**31; return $state / 2**31 - 0.5 }

# Clicks that ring at 3 kHz, over noise.
sub clicks
{
    my ($rate, $seconds, @at) = @_;
    my @x = map { 25 * (noise() + noise() + noise()) } 1 .. $rate * $seconds;
    for my $t (@at) {
        my $first = int($t * $rate) + 1;
        $x[$first + $_] += 9000 * sin(2 * 3.14159 * 3000 * ($first + $_ - $t * $rate) / $rate)
            * exp(-$_ / $rate / 3e-3) for 0 .. $rate / 50;
    }
    return \@x;
}

sub refused { return is_refused('onsets', @_) }

# ---- what ships: CSV against the truth

my @truth = map { [split /,/] } grep { /^\d/ } split /\n/,
    slurp("$srcdir/data/synthetic_bounce_recording_truth.csv");
like(slurp("$srcdir/data/synthetic_bounce_recording_truth.csv"), qr/\A# SYNTHETIC: /, 'is marked');
like(slurp($ball), qr/SYNTHETIC: computed/, 'and so is the sound');
cmp_ok(-s $ball, '<', 200_000, 'in less than 200 kB');
{
    my ($status, $out, $err) = contactfit('onsets', $ball, '--csv', "$dir/o.csv", '-r',
                                          'dead_time=70 ms');
    is($status, 0, 'exit 0');
    like($err, qr/^wrote \S+o\.csv\n.*: \d+ of 40 onsets clipped, .*clip_level: 0\.99/, 'messages');
    like($out, qr/^  recording   FLAC .*, 48000 samples a second, channel 1 of 1, 8\.37963 s$/m,
         'what was read');
    is(scalar(() = $out =~ /^ +\d+ +\d+\.\d{6} .*/mg), 40, 'a line an onset');
    my $csv = slurp("$dir/o.csv");
    like($csv, qr/^# source: synthetic_bounce_recording\.flac$/m, 'CSV: source');
    like($csv, qr/^# rule: dead_time = 0\.07 s$/m, 'CSV: rules');
    like($csv, qr/^# note: .*clipped/m, 'CSV: remarks');
    my @rows = map { [split /,/] } grep { !/^#/ } split /\n/, $csv;
    is(join(',', @{shift @rows}), 'time_s,peak,snr_dB,clipped', 'CSV: columns');
    is(scalar @rows, scalar @truth, 'as many rows as impacts');
    is(scalar(grep { abs($rows[$_][0] - $truth[$_][1]) > 1e-4 } 0 .. $#rows), 0,
       'each within 0.1 ms of the truth');
    is($rows[0][3], 1, 'the first is clipped');
    is($rows[9][3], 0, 'the last of the throw is not');
    my ($again) = contactfit('onsets', $ball, '--csv', "$dir/o.csv", '-q');
    is($again, 0, 'its own table is written over');
    is((contactfit('onsets', $ball, '-q'))[2], '', '-q: no remarks');
}
SKIP: {
    skip 'gnuplot is not there', 4 if system('command -v gnuplot >/dev/null 2>&1');
    for my $format (qw(svg pdf png)) {
        my ($status, undef, $err) = contactfit('onsets', $ball, '--figure', "$dir/o.$format");
        ok($status == 0 && -s "$dir/o.$format", $format) or diag($err);
    }
    my $svg = slurp("$dir/o.svg");
    is(join('|', grep { $svg =~ /\Q$_\E/ } 'recording', 'onset, clipped', 'threshold', 'envelope'),
       'recording|onset, clipped|threshold|envelope', 'what the figure names');
}
refused(2, '--figure o.jpg: must end in .svg, .pdf or .png', $ball, '--figure', 'o.jpg');

# ---- rules

refused(2, '--rule: "dead": NAME=VALUE is wanted, such as dead_time=80ms', $ball, '-r', 'dead');
refused(2, '--rule: unknown rule deadtime: did you mean dead_time?', $ball, '-r', 'deadtime=1');
refused(2, '--rule: dead_time: 3 m: a length [m] where a time [s] is wanted', $ball,
        '-r', 'dead_time=3 m');
refused(2, '--rule: dead_time = 100 s: must be in [0.001, 60]', $ball, '-r', 'dead_time=100');
refused(2, '--rule: channel = 1.5: must be a whole number', $ball, '-r', 'channel=1.5');
refused(2, '--rule: dead_time = 0.002 s: must not be below peak_time + pick_after = 0.0055 s',
        $ball, '-r', 'dead_time=2ms');

# ---- files

refused(1, "$dir/none.wav: No such file or directory", "$dir/none.wav");
refused(1, "$dir: no file: a recording is read twice, from a file", $dir);
spew("$dir/empty.wav", '');
refused(1, "$dir/empty.wav: the file is empty", "$dir/empty.wav");
spew("$dir/text.wav", "time_s,peak\n0.1,3\n" x 50);
like((contactfit('onsets', "$dir/text.wav"))[2],
     qr{^contactfit onsets: \Q$dir\E/text\.wav: no sound file \(WAV, FLAC, OGG\): \S.*\n\z},
     'a text under the name of a sound');
my $none = wav('none_in_it.wav', 48000, 1, []);
refused(1, "$none: a sound file (WAV (Microsoft), Signed 16 bit PCM) without any sample", $none);

my @times = (0.3, 0.7, 1.02, 1.276);
my $one = clicks(48000, 2, @times);
my $stereo = wav('stereo.wav', 48000, 2, [map { [$_, 20 * noise()] } @$one]);
refused(1, "$stereo: 2 channels: state which one has the impacts: channel: 1 to 2", $stereo);
refused(1, "$stereo: channel: 3: it has 2 channels", $stereo, '-r', 'channel=3');
like((contactfit('onsets', $stereo, '-r', 'channel=1'))[1], qr/^  onsets      4, /m, 'channel 1');
like((contactfit('onsets', $stereo, '-r', 'channel=2'))[2],
     qr/: no onset: the envelope is nowhere above \S+, 2\.5 times the noise \(noise_ratio:\), /,
     'channel 2 has none');

my $silent = wav('silent.wav', 48000, 1, [(7) x 48000]);
refused(1, "$silent: silent: each of its 48000 samples is 0.000213623: no impact can be found in it", $silent);
my $half = wav('half.wav', 48000, 2, [map { [$_, 7] } @$one]);
refused(1, "$half: silent: each of its " . @$one . " samples is 0.000213623 in this channel: take another one by channel:",
    $half, '-r', 'channel=2');

my $slow = wav('slow.wav', 1000, 1, [map { 100 * noise() } 1 .. 2000]);
refused(1, "$slow: 1000 samples a second: high_pass: 500 Hz needs 1111.11 or more: record at 44100, "
        . 'or lower high_pass', $slow);

# cut short: what is there is read, and said
{
    my $short = wav('short.wav', 48000, 1, $one, 96000);
    my ($status, $out, $err) = contactfit('onsets', $short);
    is($status, 0, 'a WAV that is cut short is read');
    like($out, qr/^  onsets      4, /m, 'as far as it goes');
    is($err, "$short: cut short: its head announces 96000 bytes more: what is there was read, 2 s\n",
       'with a word');
    spew("$dir/short.flac", substr slurp($ball), 0, 60_000);
    ($status, $out, $err) = contactfit('onsets', "$dir/short.flac");
    like("$status $err", qr{^(?:0 .*short\.flac: cut short: its head announces 402222 samples|
                             1\ contactfit\ onsets:\ \S+short\.flac:\ damaged\ or\ cut\ short:\ it\ cannot\ be\ decoded\ behind)}x,
         'a FLAC that is cut short says so');
}

# a sample that is no number
spew("$dir/nan.wav", pack('a4 V a4 a4 V v v V V v v a4 V f<*', 'RIFF', 36 + 16, 'WAVE', 'fmt ', 16, 3, 1,
                          48000, 192000, 4, 32, 'data', 16, 0, 0.5, 'nan', 0));
refused(1, "$dir/nan.wav: sample 3, at 4.16667e-05 s, is NaN: no finite number", "$dir/nan.wav");

# samples so great that their squares are none
spew("$dir/great.wav", pack('a4 V a4 a4 V v v V V v v a4 V d<*', 'RIFF', 36 + 8 * @$one, 'WAVE', 'fmt ', 16, 3, 1,
                            48000, 384000, 8, 64, 'data', 8 * @$one, map { 3e150 * $_ } @$one));
like((contactfit('onsets', "$dir/great.wav"))[2],
    qr{^contactfit onsets: \Q$dir\E/great\.wav: sample 1, at 0 s, is -?\S+e\+15\d: must be in \[-1e\+10, 1e\+10\], in parts of full scale: divide all samples by the greatest of them\n\z},
    'samples beyond all scales are refused');
{
    # those of whole numbers that were not divided by their full scale are not
    spew("$dir/whole.wav", pack('a4 V a4 a4 V v v V V v v a4 V d<*', 'RIFF', 36 + 8 * @$one, 'WAVE', 'fmt ', 16, 3, 1,
                                48000, 384000, 8, 64, 'data', 8 * @$one, map { 65536 * $_ } @$one));
    my ($status, $out) = contactfit('onsets', "$dir/whole.wav");
    like("$status $out", qr/^0 .*^  onsets      4, /ms, 'whole numbers of 32 bits: the same onsets');
    my ($noise) = $out =~ /noise (\S+) \(/;
    cmp_ok($noise, '>', 1e5, 'and their noise is theirs');
    unlike($out, qr/\b(?:inf|nan)\b/i, 'all are numbers');
}

# noise that is crossed by chance is told
like((contactfit('onsets', wav('8k.wav', 8000, 1, clicks(8000, 10, @times))))[2],
     qr/8k\.wav: noise alone crosses the threshold about \S+ times: lift high_pass: 500 Hz /, '8 kHz');

done_testing();
