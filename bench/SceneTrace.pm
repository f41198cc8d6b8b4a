package SceneTrace;

# The trace of a scene, of which the synthetic records beside it are made.

use strict;
use warnings;
use Exporter qw(import);
use FindBin;

our @EXPORT = qw(trace_of);

# Rows of the columns that are wanted of a scene of scenes/, or of a path, some of its numbers
# changed ('-p', 'duration=9 s').
sub trace_of
{
    my ($scene, $moved, @column) = @_;
    my $top = "$FindBin::Bin/..";
    my $program = $ENV{CONTACTFIT} // "$top/contactfit";
    my $trace = "trace.$$.csv";

    open my $summary, '-|', $program, 'simulate', '-q', $scene =~ m{/} ? $scene : "$top/scenes/$scene", @$moved, '--trace',
        $trace
        or die "$program: $!\n";
    my @said = <$summary>;
    close $summary or die "$program does not run: @said";
    open my $in, '<', $trace or die "$trace: $!\n";
    my @line = grep { !/^#/ } <$in>;
    close $in;
    unlink $trace;
    chomp @line;
    my @header = split /,/, shift @line;
    my %at = map { $header[$_] => $_ } 0 .. $#header;
    return map { my @cell = split /,/; [@cell[@at{@column}]] } @line;
}

1;
