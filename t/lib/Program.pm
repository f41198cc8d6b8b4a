package Program;

# Running the program under test: CONTACTFIT is its path (default ./contactfit), srcdir the source
# tree (default "."). Both are made absolute, so that tests may change folder.

use strict;
use warnings;
use Exporter qw(import);
use File::Spec::Functions qw(rel2abs);
use File::Temp qw(tempdir);
use IO::File;
use JSON::PP qw(decode_json);

our @EXPORT = qw($srcdir $program slurp spew contactfit fit_of draw_no_figures $full
    shipped_scenes is_near is_within reasons);
our @EXPORT_OK = qw(is_refused);

# CHECK_FULL=1 (make check-full) asks for every case of large grids and for all figures.
our $full = $ENV{CHECK_FULL};
my $draws = 1;
our $srcdir = rel2abs($ENV{srcdir} // '.');
our $program = rel2abs($ENV{CONTACTFIT} // './contactfit');

# The reasons of a fit's verdict, in words.
sub reasons
{
    my ($fit) = @_;
    return [map { $_->{text} } @{$fit->{verdict}{reasons} // []}];
}

# The bytes of a file; '' when there is none.
sub slurp
{
    my ($path) = @_;
    my $in = IO::File->new($path, '<:raw') or return '';
    local $/;
    return scalar <$in> // '';
}

sub spew
{
    my ($path, $text) = @_;
    my $out = IO::File->new($path, '>:raw') or die "$path: $!\n";
    print $out $text;
    $out->close or die "$path: $!\n";
}

# From here on, pages of this script have no figures: gnuplot is not found, and its absence not told.
# Drawing takes three quarters of the time of a fit. For scripts that do not look at figures; those
# of what ships are drawn in svg_text.t, and a figure that fails on another fit is seen in full.
sub draw_no_figures
{
    $draws = $full;
}

my $undrawn = qr/^.*: without figures: gnuplot is not installed, .*\n/m;

# Exit status, stdout and stderr of the program, run without a shell and without a terminal. A
# first argument that is a hash may name a folder to run in (`in`), a limit of the size of the files
# it writes (`limit`, in blocks as the shell counts), a file to be standard input (`input`, else
# nothing), the width to fold text to (`columns`, else so wide that no line is folded; 0: what a pipe
# gets), another program (`program`), and whether pages have figures (`figures`, else as above).
sub contactfit
{
    my $how = ref $_[0] ? shift : {};
    my @arguments = @_;
    my $run = $how->{program} // $program;
    my $drawn = $full || ($how->{figures} // $draws);
    my $scratch = tempdir(CLEANUP => 1);
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        my @limited = defined $how->{limit}
            ? ('sh', '-c', "ulimit -f $how->{limit}; exec \"\$@\"", 'sh') : ();
        !defined $how->{in} || chdir $how->{in} or die "$how->{in}: $!\n";
        open STDIN, '<', $how->{input} // '/dev/null' or die;
        open STDOUT, '>', "$scratch/out" or die;
        open STDERR, '>', "$scratch/err" or die;
        delete local @ENV{qw(COLUMNS NO_COLOR)};
        $ENV{COLUMNS} = $how->{columns} // 1000 if $how->{columns} // 1;
        $ENV{PATH} = $scratch if !$drawn && !@limited && $run eq $program && "@arguments" =~ /^(?:fit|compare|validate)\b/;
        exec @limited, $run, @arguments or die "$run: $!\n";
    }
    waitpid $pid, 0;
    my $status = $? & 127 ? 'signal ' . ($? & 127) : $? >> 8;
    my $err = slurp("$scratch/err");
    return ($status, slurp("$scratch/out"), $drawn ? $err : $err =~ s/$undrawn//r);
}

# Exit status, fit file, stdout and stderr of fitting a study into a folder; the fit file is empty
# where there is none.
sub fit_of
{
    my ($folder, $path, @options) = @_;
    my ($name) = $path =~ m{([^/]+)\.yaml\z};
    unlink "$folder/$name.json";
    my ($status, $out, $err) = contactfit('fit', @options, $path, '-o', $folder);
    return ($status, decode_json(slurp("$folder/$name.json") || '{}'), $out, $err);
}

# That a number is another within a share of that, however small it is: no floor stands under the
# tolerance, and a want of 0 is met by 0 alone. What is no number is near to nothing.
sub is_near
{
    my ($got, $want, $tolerance, $name) = @_;
    return is_within($got, $want, $tolerance * abs $want, $name);
}

# The same within an amount, in the unit of both.
sub is_within
{
    my ($got, $want, $within, $name) = @_;
    my $near = defined $got && $got =~ /\d/ && abs($got - $want) <= $within;
    require Test::More;    # not for scripts that are no tests
    return Test::More::ok($near, $name)
        || Test::More::diag('got ' . ($got // 'nothing') . ", want $want within $within");
}

# The scenes that ship; those over volumes, of which some take ten seconds, by CHECK_FULL alone.
sub shipped_scenes
{
    return grep { $full || !/battery_box|tippe_top|volumetric_ball|off_table/ } glob "$srcdir/scenes/*.yaml";
}

# That a command refuses its arguments, FILE and others: exit status, message, and no output.
sub is_refused
{
    my ($command, $want, $message, @arguments) = @_;
    require Test::More;    # not for scripts that are no tests
    my ($status, $out, $err) = contactfit($command, @arguments);
    my $what = "@arguments[1 .. $#arguments]";
    Test::More::is($err, "contactfit $command: $message\n", "$what: message");
    Test::More::is("$status, \"$out\"", "$want, \"\"", "$what: exit $want, no output");
}

1;
