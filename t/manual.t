#!/usr/bin/perl
# The manual pages say what the program says: tables of laws and units as printed, every command,
# every option, every exit status.

use strict;
use warnings;
use Pod::Checker;
use Test::More;

my $srcdir = $ENV{srcdir} // '.';
my $program = $ENV{CONTACTFIT} // './contactfit';

sub slurp
{
    my ($path) = @_;
    open my $in, '<:encoding(UTF-8)', $path or die "$path: $!\n";
    local $/;
    return scalar <$in>;
}

sub output
{
    open my $pipe, '-|', $program, @_ or die "$program: $!\n";
    local $/;
    my $text = <$pipe>;
    close $pipe;
    return ($text, $? >> 8);
}

my @pods = map { "$srcdir/doc/$_.pod" } qw(contactfit contactfit-study contactfit-laws
    contactfit-export contactfit-scene);
for my $pod (@pods) {
    my $checker = Pod::Checker->new(-quiet => 1);
    open my $null, '>', \my $complaints;
    $checker->parse_from_file($pod, $null);
    is($checker->num_errors + $checker->num_warnings, 0, "$pod is sound") or diag($complaints);
}

is(system($^X, "$srcdir/doc/update-laws.pl", '--check', $program, $pods[2]),
   0, 'the tables of laws and units are those that the program prints')
    or diag('make update-laws brings doc/contactfit-laws.pod up to date');

is(system($^X, "$srcdir/doc/update-targets.pl", '--check', $program, $pods[3]),
   0, 'what stands about the targets of export is what the program prints')
    or diag('make update-targets brings doc/contactfit-export.pod up to date');

# each target has an example of its own, beside what is printed
my ($targets) = slurp($pods[3]) =~ /^=head1 TARGETS\n(.*?)^=head1 /ms;
my @without = grep { !/^=head2 .*?\n\n(?: [^\n]*\n)+\n.*^ {4}\S/ms }
    $targets =~ /^(=head2 .*?)(?=^=head2|\z)/msg;
is("@without", '', 'every target of export has an example');

my $manual = slurp($pods[0]);
my ($usage, $status) = output('help');
is($status, 0, 'contactfit help');
my @commands = $usage =~ /^  ([a-z]+) +\S/mg;
cmp_ok(scalar @commands, '>=', 7, 'the help lists commands');
for my $command (@commands) {
    like($manual, qr/^=item B<\Q$command\E>/m, "the manual describes $command");
    my ($help, $code) = output($command, '--help');
    is($code, 0, "contactfit $command --help");
    my @missing = grep { $manual !~ /B<\Q$_\E>/ } $help =~ /^\s+(?:-\w, )?(--[a-z-]+)/mg;
    ok(!@missing, "every option of $command is in the manual") or diag("@missing");
}
for my $code (0 .. 3) {
    like($manual, qr/^=item B<$code>$/m, "the manual explains exit status $code");
}

done_testing();
