package Source;

# The C sources as text, for tests of the form of the house: srcdir is the source tree (".").

use strict;
use warnings;
use Exporter qw(import);
use IO::File;
use Test::More;

our @EXPORT = qw($srcdir slurp code without_srcdir functions none);
our $srcdir = $ENV{srcdir} // '.';

# The bytes of a file.
sub slurp
{
    my ($path) = @_;
    my $in = IO::File->new($path, '<:raw') or die "$path: $!\n";
    local $/;
    return scalar <$in>;
}

# Source with comments and texts blanked out, line numbers kept.
sub code
{
    my ($text) = @_;
    $text =~ s{(/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')}
              {my $t = $1; $t =~ s/[^\n]/ /g; $t}gse;
    return $text;
}

# Paths as the repository has them.
sub without_srcdir
{
    return map { s{^\Q$srcdir\E/}{}r } @_;
}

# How many arguments a list has, given without its parentheses.
sub count_arguments
{
    my ($list) = @_;
    1 while $list =~ s/\([^()]*\)|\[[^\[\]]*\]//g;
    return $list =~ /^\s*(?:void)?\s*$/ ? 0 : 1 + ($list =~ tr/,//);
}

# The functions that code() of a file defines: [name, static, first line, lines, arguments].
sub functions
{
    my ($code) = @_;
    my @found;
    while ($code =~ /^((?:[a-z_]\w*[ *]+)+(\w+)\(([^;{}]*)\)\n\{\n.*?^\}$)/msg) {
        my ($whole, $name, $arguments, $from) = ($1, $2, $3, $-[1]);
        my $line = 1 + (substr($code, 0, $from) =~ tr/\n//);
        push @found, [$name, $whole =~ /^static\b/ ? 1 : 0, $line, 1 + ($whole =~ tr/\n//),
                      count_arguments($arguments)];
    }
    return @found;
}

# A test that nothing was found; what was is shown.
sub none
{
    my ($what, @found) = @_;
    ok(!@found, $what) or diag(join "\n", @found);
}

1;
