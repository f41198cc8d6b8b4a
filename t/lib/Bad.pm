package Bad;

# The rows of t/bad and their edits; t/bad/README says how they are read.

use strict;
use warnings;
use Exporter qw(import);
use File::Temp qw(tempdir);
use Program;

our @EXPORT_OK = qw(edit fresh rows %good);

our %good = map { $_ => slurp("$srcdir/t/bad/good/$_") } qw(study.yaml table.csv scene.yaml
    trace.csv);

# A fresh folder with the good files.
sub fresh
{
    my $folder = tempdir(CLEANUP => 1);
    spew("$folder/$_", $good{$_}) for keys %good;
    return $folder;
}

sub unescaped
{
    my ($text) = @_;
    my %plain = (n => "\n", r => "\r", t => "\t", '\\' => '\\');
    $text =~ s/\\(?:x([0-9a-f]{2})|(.))/defined $1 ? chr hex $1 : $plain{$2} \/\/ die $text/ges;
    return $text;
}

# Apply one edit of a row to the files of a folder.
sub edit
{
    my ($folder, $line) = @_;
    my ($file, $what) = $line =~ /^([\w.]+): (.*)$/ or die "no edit: $line\n";
    my $path = "$folder/$file";
    if ($what eq 'gone' || $what eq 'folder') {
        unlink $path or die "$path: $!\n";
        mkdir $path if $what eq 'folder';
        return;
    }
    my ($old, $new) = $what =~ /^(.*?) =>(?: (.*))?$/ or die "no edit: $line\n";
    $new = unescaped($new // '');
    return spew($path, $new) if $old eq 'all';
    $old = unescaped($old);
    my $text = slurp($path);
    my $n = () = $text =~ /\Q$old\E/g;
    die "$line: found $n times\n" if $n != 1;
    $text =~ s/\Q$old\E/$new/;
    spew($path, $text);
}

sub rows
{
    my ($path) = @_;
    my @rows;
    for my $row (split /\n\n+/, slurp($path)) {
        my ($name, @lines) = split /\n/, $row;
        next if $name =~ /^#/;
        my @said = map { s/^> //r } grep { /^> / } @lines;
        die "$path: $name: no message\n" if !@said;
        push @rows, [$name, join("\n", @said), grep { !/^> / } @lines];
    }
    return @rows;
}

1;
