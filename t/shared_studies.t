#!/usr/bin/perl
# bench/study spread over several machines: records that merge to the bytes of one run.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Copy qw(copy);
use File::Spec::Functions qw(rel2abs);
use File::Temp qw(tempdir);
use Program;
use Test::More;

draw_no_figures();

my $study = rel2abs(($ENV{builddir} // '.') . '/bench/study');
my $folder = tempdir(CLEANUP => 1);

sub spread { return contactfit({program => $study}, @_) }

# Two short designs and one that asks for fewer studies than the rest: 5, 5 and 2.
my $table = "$folder/designs.txt";
my $rows = "  pair 0.31 0.05\n  speeds 6 0.5 4\n";
spew($table, <<"END");
study flat
  truth e-constant e=0.8
  fit e-constant e
$rows  measure restitution 0.01 given
  seed 1
study flat-2
  truth e-constant e=0.6
  fit e-constant e
$rows  measure restitution 0.02 estimated
  seed 2
study sloped
  truth e-power e_at_1=0.8 q=0.3
  fit e-constant e
$rows  measure restitution 0.01 given
  seed 3
  most 2
END

my ($end, $whole, $said) = spread($table, 5, 1);
is($end, 0, 'one run') or diag $said;
like($whole, qr/^flat +e .*\n(?: .*\n)?flat-2 +e .*\n(?: .*\n)?sloped +e /m, 'of three designs');

# Tasks that end within a design, at its end, and reach over two ends.
my $records = "$folder/records";
mkdir $records or die;
for my $tasks ('0:3', '3:5', '5:6', '6:11', '11:12') {
    my ($code, $out, $err) = spread('--records', $records, '--tasks', $tasks, $table, 5, 1);
    is("$code$out", '0', "tasks $tasks: no table") or diag $err;
}
is(join(' ', sort map { s{.*/}{}r } glob "$records/*"),
    'flat-2.0-1.json flat-2.1-5.json flat.0-3.json flat.3-5.json sloped.0-1.json sloped.1-2.json',
    'a record of each design in each task');
my ($code, $out) = spread('--records', $records, $table, 5, 2);
is($code, $end, 'the records together: the exit of one run');
is($out, $whole, 'and its bytes');
($code, $out) = spread('--records', $records, $table, 5, 1, 'flat-2');
is($out, (spread($table, 5, 1, 'flat-2'))[1], 'one design of them');

# What is refused, and why.
sub refused
{
    my ($why, $message, @arguments) = @_;
    my ($code, undef, $err) = spread(@arguments);
    is($code != 0 ? $err =~ s/^flat\S*: [\d.]+ s\n//mgr : 'accepted', "study: $message\n", $why);
}
my $of = 'FROM:TO is wanted, the replicates from FROM up to before TO, of 0:12';
refused("tasks $_", "--tasks $_: $of", '--records', $records, '--tasks', $_, $table, 5, 1) for '0:13', '3:3', 'x';
refused('more than were made', 'flat: replicates 5 to 5 are in no record: --tasks 5:6 makes them',
    '--records', $records, $table, 6, 1);
refused('no folder', "flat: $folder/none: no folder of records", '--records', "$folder/none", $table, 5, 1);
copy("$records/flat.3-5.json", "$records/flat.4-5.json");
($code, undef, my $err) = spread('--records', $records, $table, 5, 1);
like($err, qr/^study: flat: \Q$records\E\/flat\.\d-5\.json: replicate 3 is there twice\n/m, 'one twice');
unlink "$records/flat.4-5.json", "$records/flat-2.0-1.json";
refused('one too few', 'flat-2: replicates 0 to 0 are in no record: --tasks 5:6 makes them', '--records', $records, $table, 5, 1);
spew($table, slurp($table) . "# other bytes\n");
($code, undef, $err) = spread('--records', $records, $table, 5, 1);
like($err, qr/^study: flat: \Q$records\E\/flat\.\d-\d\.json: a record of another self-test: its study_sha256 differs\n/m,
    'of another table');
is((spread('--tasks', '0:1', $table, 5, 1))[0], 2, 'tasks without a folder for the records');
is((spread($table, 0, 1))[0], 2, 'no studies');

done_testing;
