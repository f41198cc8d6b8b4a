#!/usr/bin/perl
# A row that is unlike all beside it, as by a slip of typing, is named before anything else: by
# `check`, and as the first reason of a fit, with file and line, whatever law and protocol.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Test::More;

draw_no_figures();

my $dir = tempdir(CLEANUP => 1);
my @digit = (2, -1, -2, 1, 2, -2, 0, -1, 1, 0, -1, 2);

# A study of a table: head, protocol, columns, rows of texts; rows stand in the study if it says so.
sub study_of
{
    my ($kind, $rows, %with) = @_;
    my $text = "contactfit: study/1\ntitle: synthetic\n$kind->{head}";
    $text .= $with{more} // '';
    $text .= "data:\n  - name: runs\n    protocol: $kind->{protocol}\n" . ($kind->{set} // '');
    $text .= $with{set} // '';
    my @name = @{$kind->{columns}};
    if ($with{inside}) {
        $text .= "    rows:\n" . join '', map { my $r = $_; '      - {' . join(', ', map { "$name[$_]: $r->[$_]" } 0 .. $#name) . "}\n" } @$rows;
    } else {
        $text .= "    file: runs.csv\n    columns: {" . join(', ', map { "$_: $_" } @name) . "}\n";
        my $units = join ',', map { "$name[$_] [$kind->{units}[$_]]" } 0 .. $#name;
        spew("$dir/runs.csv", join "\n", $units, (map { join ',', @$_ } @$rows), '');
    }
    spew("$dir/s.yaml", $text);
    return "$dir/s.yaml";
}

my $bodies = "bodies: {ball: {sphere: {diameter: 20 mm}, mass: 30 g}, plate: {plane: {}, fixed: true}}\n";
my $few = "options: {starts: 3, screen: 32}\n";
my %kind = (
    restitution => {
        head => "${bodies}law: e-log\nfit: {e_at_1: {}, b: {}}\n$few", protocol => 'impact',
        columns => ['speed', 'restitution'], units => ['m/s', '1'],
        row => sub { my $v = 0.4 * 1.25 ** $_[0]; (sprintf('%.3f', $v), sprintf('%.4f', 0.72 - 0.03 * log($v) + 1e-3 * $digit[$_[0]])) },
    },
    contact => {
        head => "${bodies}law: azad-featherstone\nfit: {k: {}, lambda: {}}\n$few", protocol => 'impact',
        columns => ['speed', 'restitution', 'duration'], units => ['m/s', '1', 'us'],
        row => sub {
            my $v = 0.4 * 1.3 ** $_[0];
            (sprintf('%.3f', $v), sprintf('%.4f', 0.86 - 0.03 * log($v) + 1e-3 * $digit[$_[0]]), sprintf('%.1f', 240 * $v ** -0.2 * (1 + 4e-3 * $digit[11 - $_[0]])));
        },
    },
    friction => {
        head => "law: f-coulomb\nfit: {f_c: {}}\n$few", protocol => 'slide',
        columns => ['speed', 'force'], units => ['mm/s', 'N'],
        row => sub { (sprintf('%.3f', 2 * 1.4 ** $_[0]), sprintf('%.3f', 12 + 0.05 * $digit[$_[0]])) },
    },
    oblique => {
        head => "${bodies}law: e-constant\nfriction: walton\nfit: {e: {}, mu: {}, beta_0: {}}\n$few", protocol => 'oblique',
        columns => ['angle', 'speed', 'restitution'], units => ['deg', 'm/s', '1'],
        row => sub { (5 + 6 * $_[0], sprintf('%.2f', 3.9 + 0.01 * $digit[$_[0]]), sprintf('%.4f', 0.9 + 2e-3 * $digit[$_[0]])) },
    },
);

sub rows_of { my ($kind) = @_; return [map { [$kind->{row}->($_)] } 0 .. 11] }

# Name of kind, column, what is typed, row from 0, and the words behind the place.
for my $slip (
    ['restitution', 1, '1.72', 6, qr/restitution 1\.72 at speed 1\.526 m\/s, where rows beside it have 0\.69\d to 0\.7\d+$/],
    ['restitution', 1, '0.072', 4, qr/restitution 0\.072 at speed /],
    ['restitution', 0, '200', 7, qr/speed 200 m\/s, where all other rows have 0\.4 to 4\.66 m\/s$/],
    ['contact', 1, '1.86', 3, qr/restitution 1\.86 at speed /],
    ['contact', 2, '2210', 5, qr/duration 0\.00221 s at speed /],
    ['friction', 1, '120.1', 5, qr/force 120\.1 N at speed /],
    ['oblique', 2, '0.09', 6, qr/restitution 0\.09 at angle /],
) {
    my ($name, $column, $typed, $row, $words) = @$slip;
    my $kind = $kind{$name};
    my $rows = rows_of($kind);
    my ($code, $out, $err) = contactfit('check', study_of($kind, $rows));
    unlike($out, qr/LOOK FIRST|odd row/, "$name, as measured: check names no row");
    $rows->[$row][$column] = $typed;
    my $line = $row + 2;
    my $file = study_of($kind, $rows);
    ($code, $out, $err) = contactfit('check', $file);
    my $flat = $out =~ s/\n {3,}/ /gr;
    like((split /\n/, $flat)[1], qr/^  LOOK FIRST: runs\.csv:$line: $words/, "$name, $typed: check names it before all else");
    like($flat, qr/^verdict: look at the odd row named above first; then /m, "$name, $typed: and in the end");
    (undef, my $json) = contactfit('check', $file, '--json');
    like(decode_json($json)->{look_at}[0], qr/^runs\.csv:$line: $words/, "$name, $typed: in JSON, too");

    ($code, $out, $err) = contactfit('fit', $file, '-j', 1, '-o', $dir);
    my $fit = decode_json(slurp("$dir/s.json"));
    is($code, 3, "$name, $typed: the fit is not to be trusted");
    like(reasons($fit)->[0], qr/^runs\.csv:$line: $words/, "$name, $typed: its first reason is the row");
    is($fit->{verdict}{reasons}[0]{rule}, 'odd row', "$name, $typed: by its rule");
    like($fit->{verdict}{advice}[0], qr/^check that line first: correct a slip of typing, or exclude/, "$name, $typed: the first advice");
    unlike("@{$fit->{verdict}{advice}}", qr/do not leave (?:it|them) out as a slip/, "$name, $typed: no other advice contradicts it");
    like($out, qr/^next: contactfit check /m, "$name, $typed: what comes next");

    ($code, $out, $err) = contactfit('fit', study_of($kind, $rows, set => "    exclude: [{row: $line, because: a slip of typing}]\n"), '-j', 1, '-o', $dir);
    $fit = decode_json(slurp("$dir/s.json"));
    ok(!(grep { $_->{rule} eq 'odd row' } @{$fit->{verdict}{reasons}}), "$name, $typed: excluded, it is no reason");
}

# Rows inside a study are lines of it.
{
    my $kind = $kind{restitution};
    my $rows = rows_of($kind);
    $rows->[5][1] = '1.72';
    my $file = study_of($kind, $rows, inside => 1);
    my @line = split /\n/, slurp($file);
    my ($line) = grep { $line[$_ - 1] =~ /1\.72/ } 1 .. @line;
    my ($code, $out) = contactfit('check', $file);
    like($out =~ s/\n {3,}/ /gr, qr/^  LOOK FIRST: \Q$file\E:$line: restitution 1\.72 /m, 'a row inside the study');
}

# Under a loss by which such a row hardly counts the fit has it as a note.
{
    my $kind = {%{$kind{restitution}}};
    $kind->{head} =~ s/screen: 32/screen: 32, loss: student-t/;
    my $rows = rows_of($kind);
    $rows->[5][1] = '1.72';
    contactfit('fit', study_of($kind, $rows), '-j', 1, '-o', $dir);
    my $fit = decode_json(slurp("$dir/s.json"));
    ok(!(grep { $_->{rule} eq 'odd row' } @{$fit->{verdict}{reasons}}), 'a loss that lets it count for less');
}

# A law that does not depend on the speed follows a row whose speed is a slip: nothing fitted is wrong.
{
    my $kind = $kind{friction};
    my $rows = rows_of($kind);
    $rows->[6][0] = '1540';
    my $file = study_of($kind, $rows);
    my ($code, $out) = contactfit('check', $file);
    like($out =~ s/\n {3,}/ /gr, qr/^  LOOK FIRST: runs\.csv:8: speed 1\.54 m\/s, where all other rows have 0\.002 to 0\.081 m\/s$/m,
        'a speed that no law here needs: check names it');
    ($code) = contactfit('fit', $file, '-j', 1, '-o', $dir);
    my $fit = decode_json(slurp("$dir/s.json"));
    is("$code $fit->{verdict}{status}", '0 good', 'the law follows: the fit is as good as it was');
}

# An onset at the end of the range is another behaviour, and no slip.
{
    my $kind = $kind{restitution};
    my $rows = rows_of($kind);
    $rows->[11][1] = '0.25';
    my ($code, $out) = contactfit('check', study_of($kind, $rows));
    unlike($out, qr/LOOK FIRST/, 'an onset: check names no row');
}

done_testing();
