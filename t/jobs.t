#!/usr/bin/perl
# Work on several threads: the same bytes for every number of them, the options that ask for it, the
# page that is made of it, and what an interrupted run leaves behind.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my $name = 'croquet_ball_on_wood';
my $croquet = "$dir/$name.yaml";
my $replicates = $full ? 200 : 100;
my $steps = $full ? 2000 : 600;
my @much = ('--bootstrap', $replicates, "--posterior=$steps");

# A study of the tree, where the rival that is integrated is one that takes little time; and a study
# without its rivals.
my $study = slurp("$srcdir/fits/$name.yaml") =~ s{\.\./data/}{$srcdir/data/}r;
spew($croquet, $study =~ s/^(rivals:.*)\bpower,/$1exponential,/mr);
sub alone { return $_[0] =~ s/^rivals:.*\n//mr }

# the same bytes
my %made;
for my $jobs ($full ? (1, 2, 5) : (1, 5)) {
    mkdir "$dir/$jobs" or die;
    my ($status, $out, $err) = contactfit('fit', $croquet, '-q', '-o', "$dir/$jobs", @much, '--jobs', $jobs);
    is("$status $err", '3 ', "--jobs $jobs: quiet is the result alone");
    like($out, qr/^misfit: /, "--jobs $jobs: which is there");
    $made{$jobs} = slurp("$dir/$jobs/$name.json") . slurp("$dir/$jobs/$name.html");
}
ok($made{1} eq ($made{2} // $made{1}) && $made{1} eq $made{5}, 'one and more threads write the same bytes');
my $made = slurp("$dir/1/$name.json");
{
    my ($status) = contactfit('report', '-q', '-o', "$dir", "$dir/1/$name.json");
    is($status, 0, 'report reads it');
    ok(slurp("$dir/$name.html") eq slurp("$dir/1/$name.html"), 'and makes the same page');
}

# No setting of the surroundings speaks in between, and where no further thread can be started, one
# does the work: a thread's stack of 64 MB has no room in 60 MB.
{
    local $ENV{OMP_NUM_THREADS} = 'nonsense';
    my ($status, undef, $err) = contactfit({figures => 0}, 'fit', $croquet, '-q', '-o', "$dir/5", '--bootstrap', $replicates, '--jobs', 5);
    is("$status $err", '3 ', 'OMP_NUM_THREADS says nothing');
    my $alone = "$dir/no-threads.sh";
    spew($alone, "ulimit -s 65536; ulimit -v 60000; exec '$program' \"\$\@\"\n");
    chmod 0755, $alone;
    my $with = slurp("$dir/5/$name.json");
    unlink "$dir/5/$name.json";
    ($status, undef, $err) = contactfit({program => '/bin/sh'}, $alone, 'fit', $croquet, '-q', '-o', "$dir/5",
        '--bootstrap', $replicates, '--jobs', 5);
    is($status, 3, 'a fit without threads') or diag($err);
    is(slurp("$dir/5/$name.json"), $with, 'is that with them');
}

# records over time, too: what is integrated in one run, and pulses, impact by impact
for my $record ('synthetic_tap', 'synthetic_force_pulses') {
    my @bytes;
    # one row in three, and without rivals: shared out among the threads as all are
    my $study = slurp("$srcdir/fits/$record.yaml");
    my $n = 0;
    spew("$dir/$record.csv", join '', grep { !/^\d/ || $full || $n++ % 3 == 0 } split /^/, slurp("$srcdir/data/$record.csv"));
    spew("$dir/$record.yaml", $study =~ s{\.\./data/}{}r . ($full ? '' : "rivals: []\n"));
    for my $jobs (1, 3) {
        contactfit({figures => 0}, 'fit', "$dir/$record.yaml", '-q', '-o', "$dir/" . ($jobs == 1 ? 1 : 5), '--jobs', $jobs);
        push @bytes, slurp("$dir/" . ($jobs == 1 ? 1 : 5) . "/$record.json");
    }
    ok($bytes[0] ne '' && $bytes[0] eq $bytes[1], "$record: one and three threads write the same bytes");
}

# what is in it
my $fit = decode_json($made);
is($fit->{command}, "contactfit fit $name.yaml --seed 1 --bootstrap $replicates --posterior=$steps", 'the command');
is($fit->{study}{options}{bootstrap}, $replicates, 'the options name the replicates');
is($fit->{study}{options}{posterior}, $steps, 'and the steps');
is_deeply([map { "$_->{kind} $_->{replicates} $_->{failed}" } @{$fit->{bootstrap}}],
    ["rows $replicates 0", "parametric $replicates 0"], 'two bootstraps');
for my $p (qw(k lambda)) {
    my ($profile, $posterior) = ($fit->{parameters}{$p}{interval}, $fit->{posterior}{parameters}{$p});
    my $width = $profile->{high} - $profile->{low};
    for my $b (@{$fit->{bootstrap}}) {
        my $i = $b->{parameters}{$p};
        ok($i->{low} < $fit->{parameters}{$p}{value} && $fit->{parameters}{$p}{value} < $i->{high},
            "$p: inside of the bootstrap's interval, $b->{kind}");
    }
    cmp_ok(abs($posterior->{$_} - $profile->{$_}), '<', 0.05 * $width,
        "$p: all sigmas are given: the posterior's $_ end is the profile's") for qw(low high);
    cmp_ok($posterior->{rhat}, '<', 1.01, "$p: R-hat");
    cmp_ok($posterior->{ess}, '>', 400, "$p: effective sample size");
    is(scalar @{$fit->{posterior}{draws}{$p}}, 400, "$p: draws for pictures");
}
is_deeply($fit->{posterior}{correlation}{names}, ['ln k', 'ln lambda'], 'correlation of what');
cmp_ok(abs($fit->{posterior}{correlation}{matrix}[0][1] - $fit->{covariance}{correlation}[0][1]), '<',
    0.05, 'the correlation is that of the covariance');

# the page
my $page = slurp("$dir/1/$name.html");
my ($section) = $page =~ m{(<section id="intervals">.*?</section>)}s;
my @methods = ('Profile likelihood', 'Wald', 'Bootstrap of rows', 'Parametric bootstrap', 'Posterior');
is_deeply([$section =~ m{<td>([A-Z][a-z ]+)</td><td><span}g], [@methods, @methods],
    'the methods one below the other, for each parameter');
is(scalar(() = $section =~ m{<td><span class="n">}g), 10, 'two parameters, five intervals each');
like($section, qr/contact time has only 2 rows/, 'a small data set is named');
like($section, qr{uniform in ln <i>λ</i> between the bounds}, 'the prior is stated');
unlike($section, qr/an estimated &sigma; is sampled/, 'no word of what was not done');

# flat parameters: no posterior, and a bootstrap of the combination alone
{
    my $falls = slurp("$srcdir/fits/golf_ball_drop_rebound.yaml") =~ s{\.\./data/}{$srcdir/data/}r;
    spew("$dir/golf.yaml", alone($falls));
    my ($status, $out) = contactfit({figures => 0}, 'fit', "$dir/golf.yaml", '-q', '--json', '-o', $dir, '--bootstrap', 100,
        '--posterior=100');
    my $golf = decode_json($out);
    is_deeply([sort keys %{$golf->{bootstrap}[0]{parameters}}], [], 'flat parameters have no bootstrap interval');
    is_deeply([sort keys %{$golf->{bootstrap}[0]{combinations}}], [map { $_->{name} } @{$golf->{combinations}}],
        'what the data do identify has');
    is($golf->{posterior}{why}, 'undetermined: the data do not identify k and lambda, whose posterior would be '
        . 'the bounds that were chosen', 'and there is no posterior');
    is_deeply([$golf->{posterior}{parameters}, $golf->{posterior}{draws}, $golf->{posterior}{correlation}],
        [{}, {}, undef], 'of which nothing is shown');
    my ($words) = slurp("$dir/golf.html") =~ m{<b>Posterior</b>: (.*?)</li>};
    is($words =~ s/<.*?>//gr =~ s/λ/lambda/gr, "not shown: $golf->{posterior}{why}.", 'but the reason');
}

# a study may ask for it; the command line has the last word
{
    my $study = alone(slurp($croquet));
    spew("$dir/asks.yaml", "${study}options: {bootstrap: 150, posterior: 300}\n");
    my ($status, $out) = contactfit({figures => 0}, 'fit', "$dir/asks.yaml", '-q', '--json');
    is(decode_json($out)->{command}, 'contactfit fit asks.yaml --seed 1 --bootstrap 150 --posterior=300',
        'what the study asks for');
    ($status, $out) = contactfit({figures => 0}, 'fit', "$dir/asks.yaml", '-q', '--json', '--bootstrap', 120, '--posterior');
    is(decode_json($out)->{command}, 'contactfit fit asks.yaml --seed 1 --bootstrap 120 --posterior=300',
        'and what the command line does');
    spew("$dir/few.yaml", "${study}options: {bootstrap: 99}\n");
    my $line = () = slurp("$dir/few.yaml") =~ /\n/g;
    (undef, undef, my $err) = contactfit('fit', "$dir/few.yaml");
    is($err, "contactfit fit: $dir/few.yaml:$line:22: bootstrap: 99: a whole number from 100 to 1000000 is wanted\n",
        'too few replicates in a study');
}

# bad options
for my $bad (
    [['--jobs', '0'], '--jobs: "0": a whole number from 1 to 1024 is wanted'],
    [['--jobs', '1025'], '--jobs: "1025": a whole number from 1 to 1024 is wanted'],
    [['--jobs', 'all'], '--jobs: "all": a whole number from 1 to 1024 is wanted'],
    [['--jobs'], '--jobs wants a value: --jobs N'],
    [['--bootstrap', '99'], '--bootstrap: "99": a whole number from 100 to 1000000 is wanted'],
    [['--posterior=5'], '--posterior: "5": a whole number from 100 to 20000 is wanted'],
) {
    my ($status, $out, $err) = contactfit('fit', $croquet, '-o', $dir, @{$bad->[0]});
    is("$status $out$err", "2 contactfit fit: $bad->[1]\n", "@{$bad->[0]}");
}

# interrupted: the signal's exit, and no half a file
{
    mkdir "$dir/stopped" or die;
    my $pid = fork // die;
    if (!$pid) {
        open STDERR, '>', '/dev/null' or die;
        $SIG{INT} = 'DEFAULT'; # what a shell starts in the background inherits deafness to it
        exec $program, 'fit', $croquet, '-q', '-o', "$dir/stopped", '--bootstrap', '1000000' or die;
    }
    select undef, undef, undef, 0.4;
    kill 'INT', $pid;
    waitpid $pid, 0;
    is($? & 127, 2, 'an interrupted fit ends by the signal, which a shell reports as 130');
    opendir my $folder, "$dir/stopped" or die;
    my @left = sort grep { !/^\.\.?$/ } readdir $folder;
    is("@left", 'croquet_ball_on_wood.html croquet_ball_on_wood.json', 'and leaves what it found, and nothing else,');
    my $fit = decode_json(slurp("$dir/stopped/croquet_ball_on_wood.json"));
    my ($bootstrap) = map { $_->{why} } @{$fit->{bootstrap}};
    my ($reason) = map { $_->{rule} } @{$fit->{verdict}{reasons}};
    ok(($bootstrap // '') eq 'it was interrupted' || $reason eq 'unfinished', 'which says that it is not all');
}

done_testing();
