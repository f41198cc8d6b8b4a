#!/usr/bin/perl
# Bad input: one line for each thing that is wrong, with file, line, column, what was found and what
# is allowed; exit 1; nothing left behind. The rows are in t/bad, whose README says how to read them;
# here are those that need a large file, a full disk or a place that cannot be written.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Bad qw(edit fresh rows %good);
use File::Temp qw(tempdir);
use Program;
use Test::More;

sub names
{
    my ($folder) = @_;
    opendir my $dir, $folder or die "$folder: $!\n";
    return join ' ', sort grep { !/^\.\.?$/ } readdir $dir;
}

# The command must fail with just this message and leave the folder as it was.
sub fails
{
    my ($what, $folder, $limit, $message, @arguments) = @_;
    my $before = names($folder);
    my ($status, $out, $err) = contactfit({in => $folder, limit => $limit}, @arguments);
    my $wanted = join '', map { "contactfit $arguments[0]: $_\n" } split /\n/, $message;
    my $ok = $status eq '1' && $err eq $wanted && names($folder) eq $before;
    ok($ok, $what)
        or diag("exit $status, files: " . names($folder) . "\nsaid:\n${err}wanted:\n$wanted");
}

# The command must accept the edited files and say just this on stderr.
sub accepts
{
    my ($what, $notes, @edits) = @_;
    my $folder = fresh();
    edit($folder, $_) for @edits;
    my ($status, undef, $err) = contactfit({in => $folder}, 'check', 'study.yaml');
    is("$status\n$err", "0\n$notes", $what);
}

accepts('the good study is good', '');
{
    my ($status, undef, $err) = contactfit({in => fresh()}, 'simulate', 'scene.yaml');
    is("$status\n$err", "0\n", 'the good scene is good');
}
accepts('Windows line ends', '', 'table.csv: all => v_m_s,e,t_ms\r\n1,0.84,1.05\r\n'
    . '2,0.82,0.90\r\n3,0.81,0.83\r\n6,0.79,0.72\r\n');
accepts('byte order marks', '', 'table.csv: # source => \xef\xbb\xbf# source',
    'study.yaml: contactfit => \xef\xbb\xbfcontactfit');
accepts('decimal commas where the study says so', '',
    'table.csv: all => v_m_s;e;t_ms\n1,0;0,84;1,05\n2,0;0,82;0,90\n6,0;0,79;0,72\n',
    'study.yaml: file: table.csv => file: table.csv\n    decimal: ","');
accepts('cells with formulas, scripts and backticks are text', '',
    'table.csv: 1.0,0.84,1.05,5.10,0.002,golf => 1.0,0.84,1.05,5.10,0.002,"=cmd(""x"")"',
    'table.csv: 2.0,0.82,0.90,20.4,0.002,golf => 2.0,0.82,0.90,20.4,0.002,<script>`id`</script>');
accepts('restitution up to 1 + 3 sigma, named',
    "note: table.csv:4: restitution 1.005 is above 1 but within 3 sigma (0.002): accepted\n",
    'table.csv: 1.0,0.84, => 1.0,1.005,');
accepts('a column without a unit, named',
    "note: study.yaml:14: column v names no unit: read as m/s\n",
    'table.csv: v_m_s,e => v,e', 'study.yaml: {from: v_m_s} => {from: v}');
# What may be tied to what, which ties are refused with studies.txt.
for (['k to a parameter', '{lambda: {}}', 'k: 1e4 1/s lambda'],
     ['a parameter to k', '{k: {}}', 'lambda: 1e-4 s k'],
     ['k to an alias without k', '{lambda_star: {}}', 'k: 1e4 m^0.5/s lambda_star'],
     ['a parameter to an alias of k', '{effective_modulus: {}}',
      'lambda: 1e-4 s*m^0.5 effective_modulus'],
     ['an alias with k to k', '{k: {}}', 'kk_time: 1e-11 m^1.5*s/N k']) {
    my ($what, $fit, $tie) = @$_;
    accepts("a tie of $what", '', "study.yaml: fit: {k: {}, lambda: {}} => fit: $fit\\ntie: {$tie}");
}

for my $row (map { rows("$srcdir/t/bad/$_.txt") } qw(tables studies data_sets)) {
    my ($name, $message, @edits) = @$row;
    my $folder = fresh();
    edit($folder, $_) for @edits;
    fails($name, $folder, undef, $message, 'check', 'study.yaml');
}
for my $row (rows("$srcdir/t/bad/scenes.txt")) {
    my ($name, $message, @edits) = @$row;
    my $folder = fresh();
    edit($folder, $_) for @edits;
    fails($name, $folder, undef, $message, 'simulate', 'scene.yaml');
}

# Lines and files too long to be kept here.
{
    my $folder = fresh();
    spew("$folder/table.csv", "v_m_s,e\n" . '1' x 70_000 . ",0.8\n");
    fails('a long line', $folder, undef,
        'table.csv:2:1: a line of more than 65536 bytes, which is the most that is read', 'check', 'study.yaml');

    my $out = IO::File->new("$folder/table.csv", '>') or die;
    print $out "v_m_s,e\n";
    print $out '1' x 1_000_000 for 1 .. 100;
    $out->close or die;
    fails('a line of 100 MB', $folder, undef,
        'table.csv:2:1: a line of more than 65536 bytes, which is the most that is read', 'check', 'study.yaml');

    spew("$folder/table.csv", "v_m_s,e\n1,0.8\n");
    truncate "$folder/table.csv", 1_100_000_000 or die; # a hole: refused where it begins
    fails('a table of 1.1 GB of nothing', $folder, undef,
        'table.csv:3:1: a NUL byte: a text file is wanted', 'check', 'study.yaml');

    spew("$folder/study.yaml", $good{'study.yaml'} . '#' x 2_000_000);
    fails('a study of 2 MB', $folder, undef,
        'study.yaml: 1.9 MiB: the limit is 1 MiB', 'check', 'study.yaml');
}

# Output that cannot be written. An earlier result stays as it was.
SKIP: {
    my $folder = fresh();
    mkdir "$folder/study.json" or die;
    fails('a folder where the fit file is to go', $folder, undef,
        'study.json: cannot be written: it is a folder', 'fit', 'study.yaml');
    rmdir "$folder/study.json" or die;
    fails('a folder that is not there', $folder, undef,
        'nowhere/study.json: cannot be written: there is no folder nowhere', 'fit', '-o', 'nowhere', 'study.yaml');
    fails('a file where a folder is wanted', $folder, undef,
        'table.csv/study.json: cannot be written: table.csv is not a folder', 'fit', '-o', 'table.csv', 'study.yaml');

    spew("$folder/study.json", "# Written by contactfit\nbefore\n");
    spew("$folder/study.html", "# Written by contactfit\nbefore\n");
    fails('a full disk', $folder, 1,
        'study.json: cannot be written: File too large', 'fit', 'study.yaml');
    is(slurp("$folder/study.json") . slurp("$folder/study.html"), "# Written by contactfit\nbefore\n# Written by contactfit\nbefore\n",
        'what stood there is as it was');

    skip 'root may write anywhere', 1 if $> == 0;
    $folder = fresh();
    chmod 0555, $folder;
    fails('a folder that may not be written', $folder, undef,
        'study.json: cannot be written: Permission denied', 'fit', 'study.yaml');
    chmod 0755, $folder;
}

# Text that is hostile to pages, shells, gnuplot and spreadsheets is shown, not run.
{
    my $folder = fresh();
    my $evil = q{<script>alert("1")</script> `touch pwned` $(touch pwned) =cmd() & '; system "touch pwned"};
    edit($folder, q{study.yaml: A ball on a floor => '} . ($evil =~ s/'/''/gr) . q{'});
    edit($folder, q{study.yaml: name: drops => name: "<img src=x onerror=alert(1)>"});
    edit($folder, q{study.yaml: data: drops => data: "<img src=x onerror=alert(1)>"});
    my ($status, undef, $err) = contactfit({in => $folder}, 'fit', 'study.yaml');
    like($status, qr/^[03]$/, 'a study with a hostile title is fitted') or diag($err);
    my $page = slurp("$folder/study.html");
    unlike($page, qr/<script>alert|<img src=x/, 'its page shows it as text');
    like($page, qr/&lt;script&gt;alert/, 'all of it');
    ok(!-e "$folder/pwned", 'and nothing of it was run');
}

done_testing();
