#!/usr/bin/perl
# An indentation whose depth and force were logged apart, at rates and with clocks of their own: the
# fit is that of one table, bit by bit; files, hashes, lines and windows left out are in the fit file
# and on the page, and validate knows them again. The data are synthetic.

use strict;
use warnings;
use lib ($ENV{srcdir} // '.') . '/t/lib';
use Digest::SHA qw(sha256_hex);
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Synthetic qw(normal);
use Test::More;

draw_no_figures();

my $dir = tempdir(CLEANUP => 1);

# 100 rows a second: forth and back over 0.6 mm, touching at 0.15 mm; k = 600, lambda = 30, the sd of
# the force is 0.02 mN. A row in 5 has no force.
my (@row, @extra);
for my $i (0 .. 119) {
    my $z = -1.5e-4 + 6e-4 * ($i < 60 ? $i : 119 - $i) / 59;
    my $d = $z > 0 ? $z : 0;
    my $F = 600 * $d**1.5 + ($i < 60 ? 1 : -1) * 30 * sqrt($d) * 6e-4 / 0.59;
    push @row, [$i / 100, 1e6 * ($z + 1.5e-4), $i % 5 == 4 ? '' : sprintf('%.9g', 1e3 * $F + 0.02 * normal())];
}
spew("$dir/both.csv", "t_s,d_um,f_mN\n" . join '', map { sprintf "%.9g,%.9g,%s\n", @$_ } @row);
spew("$dir/stage.csv", "d_um\n" . join '', map { sprintf "%.9g\n", $_->[1] } @row);
spew("$dir/cell.csv", "# load cell 7\nt/ms;f/mN\n" . join '',
     map { sprintf("%d;%s\n", 10 * $_, $row[$_][2]) =~ tr/./,/r } grep { $row[$_][2] ne '' } 0 .. 119);

sub fitted
{
    my ($name, $set) = @_;
    spew("$dir/$name.yaml", <<"END");
contactfit: study/1
title: A gel
law: azad-featherstone
fit: {k: {}, lambda: {}}
data:
  - name: gel
    protocol: indent
    nuisance: {contact: {}}
$set
END
    my ($status, $out, $err) = contactfit({in => $dir}, 'fit', '-q', "$name.yaml");
    is($err, '', "$name: nothing to tell");
    return decode_json(slurp("$dir/$name.json") || '{}');
}

my $one = fitted('one', '    file: both.csv
    columns: {time: t_s, depth: d_um, force: {from: f_mN, sigma: 0.02 mN}}');
my $apart = '    columns:
      depth: {file: stage.csv, from: d_um, rate: 100 Hz}
      force: {file: cell.csv, from: f/mN, unit: mN, decimal: ",", time: {from: t/ms, unit: ms}, sigma: 0.02 mN}';
my $two = fitted('two', $apart);
ok($one->{parameters}{k}{value} > 500, 'the gel is fitted');
is($two->{parameters}{$_}{value}, $one->{parameters}{$_}{value}, "$_ is the same") for qw(k lambda);
my $data = $two->{data}[0];
my @hash = map { sha256_hex(slurp("$dir/$_.csv")) } qw(stage cell);
is_deeply($data->{files}, [{file => 'stage.csv', sha256 => $hash[0], rows => 120, channels => ['depth']},
                           {file => 'cell.csv', sha256 => $hash[1], rows => 96, channels => ['force']}],
          'both files with their hashes');
is($data->{sha256}, sha256_hex("@hash\n"), 'and that of both');
is($data->{rows}, 120, 'rows of both');
is($one->{data}[0]{files}, undef, 'one file is no list');
my ($point) = grep { $_->{line} == 98 } @{$two->{observations}};
ok($point, 'the last force stands in line 98 of its file');
my $page = slurp("$dir/two.html");
like($page, qr{<dt>File of force</dt><dd><code>cell\.csv</code>, 96 rows, SHA-256 <code>$hash[1]</code>},
     'the page has each file');
my ($status, $out) = contactfit({in => $dir}, 'validate', 'two.json', 'two.yaml');
(my $line = $out) =~ s/\s+/ /g;
like($line, qr/96 values of gel are among those that were fitted/, 'validate knows them again') or diag($out);

my $cut = fitted('cut', "$apart
    exclude: [{from: 0.2 s, to: 0.3 s, because: a door}, {to: 50 ms, because: settling}]");
is_deeply($cut->{data}[0]{excluded},
          [{line => 2, to_line => 7, rows => 6, because => 'settling'},
           {line => 22, to_line => 32, rows => 11, because => 'a door'}], 'windows stand as such in the fit file');
is($cut->{data}[0]{rows_excluded}, 17, 'with their rows');
like(slurp("$dir/cut.html"), qr{<li>line 22 to 32, 11 rows: a door</li>}, 'and on the page');

done_testing();
