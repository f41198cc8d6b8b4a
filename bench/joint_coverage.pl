#!/usr/bin/perl
# Do the intervals of the joint study of a campaign hold the truth? Counted over whole campaigns that
# `simulate` makes: nothing of the fit's own predictions is in the data.
#
#   perl bench/joint_coverage.pl --records FOLDER --tasks FROM:TO
#   perl bench/joint_coverage.pl --records FOLDER
#   perl bench/joint_coverage.pl --records FOLDER --make NUMBER
#
# The study is fits/synthetic_bowden_leben.yaml with one of its plates, that of 35 mm/s for 10 s at
# 1 kHz. Each campaign has noise of its own, 1 % of the friction's peak, begins elsewhere in the cycle,
# and has a spring that is stated with an error of 2 %. The first form makes campaigns FROM to TO - 1,
# each with a seed of its own, and writes what was found as FOLDER/NUMBER.csv; many machines may share
# the work. The second counts what is there: how often the interval of each parameter that is called
# `fine` holds the truth, with the exact binomial 99.9 % band. It ends with 1 where a count is outside.
# The third makes one campaign, to look at, in FOLDER. With --small the plate's record has 4 s at 250 Hz,
# and the loops have half of the rows.

use strict;
use warnings;
use File::Copy qw(move);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use FindBin;
use Getopt::Long;
use JSON::PP;
use lib $FindBin::Bin;
use RecordNoise;

my %truth = (mu_s => 0.15, mu_c => 0.1, sigma_0 => 1e4, sigma_1 => 30, sigma_2 => 0.1, v_s => 3e-3, tau_dw => 0.15);
my @name = qw(mu_s mu_c sigma_0 sigma_1 sigma_2 v_s tau_dw);
my ($stiffness, $stated_share) = (50, 0.02);

my $top = "$FindBin::Bin/..";
my $tool = $ENV{CONTACTFIT} // "$top/contactfit";
my ($records, $tasks, $make, $small);
GetOptions('records=s' => \$records, 'tasks=s' => \$tasks, 'make=i' => \$make, small => \$small)
    && defined $records && !@ARGV
    or die "usage: joint_coverage.pl --records FOLDER [--tasks FROM:TO | --make NUMBER] [--small]\n";

sub slurp
{
    my ($path) = @_;
    open my $in, '<', $path or die "$path: $!\n";
    local $/ = undef;
    return scalar <$in>;
}

sub spew
{
    my ($path, $text) = @_;
    open my $out, '>', $path or die "$path: $!\n";
    print $out $text;
    close $out or die "$path: $!\n";
    return;
}

# The shipped study with one plate, whose spring is stated so.
sub study_text
{
    my ($stated) = @_;
    my $text = slurp("$top/fits/synthetic_bowden_leben.yaml");
    $text =~ s/^rivals:.*\n//m or die "the study names no rivals\n"; # they would take longest
    my ($head, @set) = split /^(?=  - name: )/m, $text;
    $text = join '', $head, grep { !/^  - name: plate at / || /^  - name: plate at 35/ } @set;
    $text =~ s{\.\./data/synthetic_plate_(\w+)\.csv}{$1.csv}g;
    $text =~ s{50\.5 N/m}{sprintf '%.4f N/m', $stated}ge;
    return $text;
}

# A seed for each record of each campaign: small ones that follow each other begin alike.
sub seed_of { my ($campaign, $record) = @_; return 1 + (4 * $campaign + $record + 1) * 48271 % 2147483646; }

sub make_campaign
{
    my ($i, $folder) = @_;
    seed(seed_of($i, 0) + 7);
    normal() for 1 .. 10;
    my $stated = $stiffness * (1 + $stated_share * normal());
    my $wait = sprintf '%.3f', 2 + uniform();
    my ($length, $rate) = $small ? ('duration=4 every=4e-3', 'ramp_every=10e-3') : ('', '');
    my %record = (35 => "plate 35 @{[seed_of($i, 0)]} wait=$wait $length", slides => "slide @{[seed_of($i, 1)]}",
        loops => "ramp @{[seed_of($i, 2)]} $rate", tap => "tap @{[seed_of($i, 3)]}");
    for my $name (sort keys %record) {
        my $command = "cd '$folder' && perl '$FindBin::Bin/campaign_records.pl' $record{$name} > $name.csv";
        system($command) == 0 or die "$command: failed\n";
    }
    spew("$folder/joint.yaml", study_text($stated));
    return;
}

sub run_campaign
{
    my ($i) = @_;
    my $folder = tempdir(CLEANUP => 1);
    local $ENV{CONTACTFIT} = $tool;
    make_campaign($i, $folder);
    my $exit = system("cd '$folder' && '$tool' fit joint.yaml --jobs 1 --quiet > said.txt 2>&1") >> 8;
    -e "$folder/joint.json" or die "campaign $i: exit $exit: " . slurp("$folder/said.txt");
    my $fit = decode_json(slurp("$folder/joint.json"));
    my $text = "# campaign $i: $fit->{verdict}{status}\nname,value,low,high,worth\n";
    for my $name (@name) {
        my $p = $fit->{parameters}{$name};
        my $interval = $p->{interval} // {};
        $text .= join(',', $name, $p->{value} // 'nan', $interval->{low} // 'nan', $interval->{high} // 'nan', $p->{verdict}) . "\n";
    }
    spew("$records/$i.csv.part", $text);
    move("$records/$i.csv.part", "$records/$i.csv") or die "$records/$i.csv: $!\n";
    return;
}

# The counts of n that a share of 0.95 leaves with a probability of 0.001, equal tails. In logarithms:
# 0.05^n is 0 from n = 250 on.
sub band
{
    my ($n) = @_;
    my ($share, $tail) = (0.95, 0.0005);
    my ($log_p, $sum, $low, $high) = ($n * log(1 - $share), 0, 0, $n);
    for my $k (0 .. $n) {
        $low = $k if $sum < $tail;
        $sum += exp $log_p;
        if ($sum > 1 - $tail) {
            $high = $k;
            last;
        }
        $log_p += log(($n - $k) / ($k + 1) * $share / (1 - $share)) if $k < $n;
    }
    return ($low, $high);
}

sub count
{
    my (%fine, %covered, %below, %verdict);
    my @file = glob "$records/*.csv";
    @file or die "$records: no records of campaigns\n";
    for (map { slurp($_) } @file) {
        $verdict{$1}++ if /^# campaign \d+: (\S+)/;
        for (grep { /^\w+,/ && !/^name/ } split /\n/) {
            my ($name, undef, $low, $high, $worth) = split /,/;
            next if $worth ne 'fine';
            $fine{$name}++;
            $covered{$name} += $low <= $truth{$name} && $truth{$name} <= $high;
            $below{$name} += $high < $truth{$name};
        }
    }
    my $outside = 0;
    printf "%d campaigns: %s\n", scalar @file, join ', ', map { "$verdict{$_} $_" } sort keys %verdict;
    printf "%-8s %5s %8s %14s %6s %6s\n", qw(of fine profile band below above);
    for (@name) {
        my ($n, $in) = ($fine{$_} // 0, $covered{$_} // 0);
        my ($low, $high) = band($n);
        my $holds = $n == 0 || ($in >= $low && $in <= $high);
        $outside += !$holds;
        printf "%-8s %5d %7.1f%s %6.1f to %5.1f %6d %6d\n", $_, $n, $n ? 100 * $in / $n : 0, $holds ? ' ' : '!',
            $n ? (100 * $low / $n, 100 * $high / $n) : (0, 100), $below{$_} // 0, $n - $in - ($below{$_} // 0);
    }
    return $outside;
}

if (defined $tasks) {
    my ($from, $to) = $tasks =~ /^(\d+):(\d+)$/ or die "--tasks: FROM:TO\n";
    make_path($records);
    -e "$records/$_.csv" || run_campaign($_) for $from .. $to - 1;
    exit 0;
}
if (defined $make) {
    make_path($records);
    local $ENV{CONTACTFIT} = $tool;
    make_campaign($make, $records);
    exit 0;
}
exit(count() ? 1 : 0);
