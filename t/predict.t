#!/usr/bin/perl
# A fitted law at new speeds, masses and radii. All data here are synthetic. Oracles: what
# `contactfit restitution` prints for the fitted parameters and for slightly shifted ones
# (finite differences against the exact derivatives of the band), and Monte Carlo draws.

use utf8;
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Program qw(:DEFAULT is_refused);
use Test::More;

draw_no_figures();

my $dir = tempdir(CLEANUP => 1);
my $p = 'contactfit predict:';
my @scatter = map { $_ / 100 } qw(31 -120 85 4 -66 142 -9 -101 57 23 -38 110 -75 61 -27 -140 96 12);

# The columns of a CSV text by name.
sub table
{
    my ($head, @rows) = split /\n/, $_[0];
    my @name = split /,/, $head;
    my %column;
    for my $row (@rows) {
        my @cell = split /,/, $row, -1;
        push @{$column{$name[$_]}}, $cell[$_] for 0 .. $#name;
    }
    return \%column;
}

sub law_says { my ($code, $out, $err) = contactfit('restitution', '-q', @_); die $err if $code; return table($out) }

# Fit a study; its JSON and the file's path.
sub fitted
{
    my ($name, $text) = @_;
    spew("$dir/$name.yaml", "contactfit: study/1\ntitle: Synthetic, $name\n$text");
    my (undef, undef, $err) = contactfit('fit', '-q', "$dir/$name.yaml");
    is($err, '', "$name: fitted");
    return (decode_json(slurp("$dir/$name.json")), "$dir/$name.json");
}

sub predicted
{
    my ($name, $code, $said, @args) = @_;
    my ($got, $out, $err) = contactfit('predict', @args);
    is("$got: $err", "$code: $said", "$name: exit $code, what is said");
    return table($out);
}

my @speed = map { sprintf '%.3f', 0.4 * 10 ** ($_ / 9) } 0 .. 8;
my $made = law_says('azad-featherstone', '-p', 'k=2e8', '-p', 'lambda=8e3', '--mass', 0.1, '--speed', join ',', @speed);

# What is said of speeds beyond the fitted ones.
sub beyond
{
    my ($speeds) = @_;
    return "contactfit predict: $speeds m/s goes beyond the fitted speeds, 0.4 to 3.097 m/s, by more than a factor 1.25: "
        . "the band holds if the law does there\n";
}

my $bodies = "bodies: {ball: {sphere: {radius: 20 mm}, mass: 100 g}}\n";
my $e_rows = join '', map { sprintf "      - {speed: %s, restitution: %.6f}\n", $speed[$_],
                            $made->{restitution}[$_] + 0.002 * $scatter[$_] } 0 .. 8;
my $t_rows = join '', map { sprintf "      - {speed: %s, duration: %.9g}\n", $speed[$_],
                            $made->{duration_s}[$_] * (1 + 0.004 * $scatter[$_ + 9]) } 0 .. 8;
my $e_set = "  - name: drops\n    protocol: impact\n    rows:\n$e_rows    sigma: {restitution: 0.002}\n";
my $t_set = "  - name: times\n    protocol: impact\n    rows:\n$t_rows    sigma: {duration: 2 us}\n";
my $law = "law: azad-featherstone\nfit: {k: {}, lambda: {}}\n";

# the band of two identified parameters
my ($fit, $file) = fitted('both', "$bodies${law}data:\n$e_set$t_set");
is($fit->{verdict}{trusted}, JSON::PP::true, 'both: the fit is good');
my ($k, $lambda) = map { $fit->{parameters}{$_}{value} } qw(k lambda);
my $C = $fit->{covariance}{matrix};
my $ask = '0.3,1,3,6';
my %unit = (restitution => 'restitution', duration => 'duration_s', depth => 'depth_m', peak_force => 'peak_force_N');
{
    my $got = predicted('both', 0, beyond('0.3 to 6'), $file, '--speed', $ask);
    my $said = sub { law_says('azad-featherstone', '-p', "k=$_[0]", '-p', "lambda=$_[1]", '--mass', 0.1, '--speed', $ask) };
    my $h = 1e-4;
    my $at = $said->(map { sprintf '%.17g', $_ } $k, $lambda);
    my @k = map { $said->(sprintf('%.17g', $k * exp($_ * $h)), $lambda) } -1, 1;
    my @l = map { $said->($k, sprintf('%.17g', $lambda * exp($_ * $h))) } -1, 1;
    for my $quantity (sort keys %unit) {
        my $column = $unit{$quantity};
        my ($low, $high) = map { (my $name = $column) =~ s/^$quantity/${quantity}_$_/; $name } qw(low high);
        for my $i (0 .. 3) {
            my $gk = ($k[1]{$column}[$i] - $k[0]{$column}[$i]) / 2 / $h;
            my $gl = ($l[1]{$column}[$i] - $l[0]{$column}[$i]) / 2 / $h;
            my $half = 1.959963984540054 * sqrt($gk ** 2 * $C->[0][0] + 2 * $gk * $gl * $C->[0][1] + $gl ** 2 * $C->[1][1]);
            is_near($got->{$column}[$i], $at->{$column}[$i], 1e-12, "$quantity $i: the law at the fitted parameters");
            is_near($got->{$high}[$i] - $got->{$column}[$i], $half, 1e-5, "$quantity $i: half the band by finite differences");
            is_near($got->{$column}[$i] - $got->{$low}[$i], $half, 1e-5, "$quantity $i: as far below");
        }
    }
}

# another mass, another radius; material parameters give the same
{
    my $got = predicted('mass', 0, '', $file, '--speed', 2, '--mass', '250 g');
    my $at = law_says('azad-featherstone', '-p', "k=$k", '-p', "lambda=$lambda", '--mass', 0.25, '--speed', 2);
    is_near($got->{$_}[0], $at->{$_}[0], 1e-11, "mass: $_") for values %unit;

    my $root = sqrt(45 / 20);
    $got = predicted('radius', 0, '', $file, '--speed', 2, '--radius', '45 mm', '--mass', '1 kg');
    $at = law_says('azad-featherstone', '-p', 'k=' . $k * $root, '-p', 'lambda=' . $lambda * $root, '--mass', 1, '--speed', 2);
    is_near($got->{$_}[0], $at->{$_}[0], 1e-11, "radius: $_") for values %unit;

    my (undef, $spelled) = fitted('material', "${bodies}law: azad-featherstone\nfit: {effective_modulus: {}, lambda_star: {}}\n"
                                  . "data:\n$e_set$t_set");
    my $same = predicted('material', 0, '', $spelled, '--speed', 2, '--radius', '45 mm', '--mass', '1 kg');
    is_near($same->{$_}[0], $got->{$_}[0], 1e-6, "material: the same $_ by E* and lambda*") for sort keys %$got;
}

# sigma estimated from 9 rows and 2 parameters: Student's t on 7 degrees of freedom
{
    my $rows = join '', map { sprintf "      - {speed: %s, restitution: %.6f}\n", $speed[$_],
                              0.8 * $speed[$_] ** -0.05 + 0.002 * $scatter[$_] } 0 .. 8;
    my ($power, $path) = fitted('power', "${bodies}law: e-power\nfit: {e_at_1: {}, q: {}}\ndata:\n  - name: drops\n"
                                . "    protocol: impact\n    rows:\n$rows    sigma: {restitution: estimate}\n");
    my ($e, $q) = map { $power->{parameters}{$_}{value} } qw(e_at_1 q);
    my $V = $power->{covariance}{matrix};
    my @log = map { /^ln / ? 1 : 0 } @{$power->{covariance}{names}};
    my $got = predicted('power', 0, beyond(5), $path, '--speed', 5);
    my ($ge, $gq) = (5 ** -$q, -$e * 5 ** -$q * log 5);
    $ge *= $e if $log[0];
    $gq *= $q if $log[1];
    my $sd = sqrt($ge ** 2 * $V->[0][0] + 2 * $ge * $gq * $V->[0][1] + $gq ** 2 * $V->[1][1]);
    is_near($got->{restitution_high}[0] - $got->{restitution}[0], 2.364624251592785 * $sd, 1e-7, 'power: t on 7 degrees of freedom');
    is(join(' ', sort keys %$got), 'restitution restitution_high restitution_low speed_m_s', 'power: a formula for e has no other columns');

    # draws of the parameters from their normal distribution, through the formula itself
    srand 11;
    my ($sum, $squares, $n) = (0, 0, 40000);
    my $l11 = sqrt $V->[0][0];
    my $l21 = $V->[0][1] / $l11;
    my $l22 = sqrt($V->[1][1] - $l21 ** 2);
    for (1 .. $n) {
        my ($r, $phi) = (sqrt(-2 * log(1 - rand)), 6.283185307179586 * rand);
        my ($x, $y) = ($r * cos $phi, $r * sin $phi);
        my $one = $log[0] ? $e * exp($l11 * $x) : $e + $l11 * $x;
        my $two = $log[1] ? $q * exp($l21 * $x + $l22 * $y) : $q + $l21 * $x + $l22 * $y;
        my $drawn = $one * 5 ** -$two - $got->{restitution}[0];
        $sum += $drawn;
        $squares += $drawn ** 2;
    }
    is_near(sqrt($squares / $n - ($sum / $n) ** 2) * 2.364624251592785, $got->{restitution_high}[0] - $got->{restitution}[0],
         0.015, 'power: the scatter of 40000 draws');

    # what its kind of law does not say
    my @refuse = sub {
        my ($message, @args) = @_;
        my ($code, $out, $err) = contactfit('predict', $path, @args);
        is("$code $out$err", "2 $p $message\n", "power: @args");
    };
    $refuse[0]->('--radius: R = 0.03 m: e-power is a record of what a pair of R = 0.02 m did and has no rule for another radius',
                 '--speed', 1, '--radius', '30 mm');
    $refuse[0]->('--quantity: e-power predicts no duration: it predicts restitution, rebound_speed, rebound_height',
                 '--speed', 1, '--quantity', 'restitution,duration');
    predicted('power with a mass', 0, "$p e-power knows no mass: what is said is the restitution at 0.1 kg\n",
              $path, '--speed', 1, '--mass', '3 kg');
    predicted('power afar', 0, "$p 0.1 to 1 m/s goes beyond the fitted speeds, 0.4 to 3.097 m/s, by more than a factor 1.25: "
              . "the band holds if the law does there\n", $path, '--speed', '0.1,1');
    predicted('power afar, one speed', 0, "$p 0.1 m/s goes beyond the fitted speeds, 0.4 to 3.097 m/s, by more than a "
              . "factor 1.25: the band holds if the law does there\n", $path, '--speed', '0.1');
    predicted('quiet', 0, '', $path, '--speed', '0.1,1', '-q');
    my $fall = predicted('fall', 0, '', $path, '--drop-height', '50 cm', '--quantity', 'rebound_height,rebound_speed');
    my $v = sqrt(2 * 9.80665 * 0.5);
    is_near($fall->{speed_m_s}[0], $v, 1e-14, 'fall: speed');
    is_near($fall->{rebound_height_m}[0], 0.5 * ($e * $v ** -$q) ** 2, 1e-12, 'fall: rebound height');
    is_near($fall->{rebound_speed_m_s}[0], $v * $e * $v ** -$q, 1e-12, 'fall: rebound speed');
}

# what is wrong with a fit: the first of several reasons, on lines of their own
{
    my ($fit, $path) = fitted('reasons', "$bodies${law}data:\n$e_set");
    my @all = map { "reason $_; with a part" } 1 .. 5;
    for my $n (2, 5) {
        $fit->{verdict} = {%{$fit->{verdict}}, status => 'misfit', misfit => JSON::PP::true, trusted => JSON::PP::false,
            reasons => [map { {rule => 'residuals', word => 'misfit', accuses => 'law', text => $_} } @all[0 .. $n - 1]]};
        spew($path, JSON::PP->new->canonical->encode($fit));
        my (undef, undef, $said) = contactfit('predict', $path, '--speed', 1, '--quantity', 'restitution');
        is($said, join('', map { "$_\n" } "$p the fit is not to be trusted: misfit", (map { "  - $_" } @all[0 .. ($n > 3 ? 2 : $n - 1)]),
                $n > 3 ? "  - and 2 more, in $path" : ()), "$n reasons");
    }
    # a reason of any length is whole, or says how much of it is left out
    my $sentence = join ' ', map { "wört$_" } 1 .. 90;
    my $book = join ' ', map { "wört$_" } 1 .. 400;
    for my $reasons ([$sentence], [$sentence, 'short'], [$book], [$book, $sentence, $book, 'short'], ['ö' x 1500]) {
        @$fit{qw(contactfit)} = 'fit/2'; # whose reasons were texts alone
        $fit->{verdict}{reasons} = [@$reasons];
        spew($path, JSON::PP->new->utf8->canonical->encode($fit));
        my (undef, undef, $said) = contactfit('predict', $path, '--speed', 1, '--quantity', 'restitution');
        utf8::decode($said);
        my @line = split /\n/, $said;
        if (@$reasons > 1) {
            is(shift @line, "$p the fit is not to be trusted: misfit", 'a line of its own');
        }
        for my $reason (@$reasons > 3 ? @$reasons[0 .. 2] : @$reasons) {
            my ($shown) = shift(@line) =~ (@$reasons > 1 ? qr/^  - (.*)$/ : qr/^$p the fit is not to be trusted: misfit: (.*)$/);
            $shown //= '';
            my $left = $shown =~ s/ \[and (\d+) characters more\]$// ? $1 : 0;
            is(substr($reason, 0, length $shown), $shown, 'a reason as the fit file has it');
            is(length($shown) + $left, length $reason, 'and the number of characters that are left out');
            cmp_ok(length $shown, '>', length $reason > 600 ? 500 : length($reason) - 1, 'which are few');
            like(substr($reason, length $shown), qr/^(?: |\z)/, 'between words') if $reason =~ / /;
        }
        is("@line", @$reasons > 3 ? "  - and 1 more, in $path" : '', 'and no more');
    }
}

# flat parameters: e is given with its band, what needs k alone is not
{
    my ($flat, $path) = fitted('flat', "$bodies${law}data:\n$e_set");
    my $untrusted = "$p the fit is not to be trusted: undetermined: $flat->{verdict}{reasons}[0]{text}\n";
    my $got = predicted('flat', 3, "$p duration, depth, peak_force: the cells stay empty: "
                        . "the data do not identify all that they depend on\n$untrusted", $path, '--speed', 1);
    is(join('', map { @{$got->{$_}} } grep { /duration|depth|force/ } keys %$got), '', 'flat: those cells are empty');
    my ($kf, $lf) = map { $flat->{parameters}{$_}{value} } qw(k lambda);
    my $h = 1e-4;
    my @e = map { law_says('azad-featherstone', '-p', "k=$kf", '-p', 'lambda=' . $lf * exp($_ * $h), '--mass', 0.1, '--speed', 1)
                      ->{restitution}[0] } -1, 1;
    my $group = $flat->{combinations}[0]{interval};
    is_near($got->{restitution_high}[0] - $got->{restitution}[0],
         abs($e[1] - $e[0]) / 2 / $h * log($group->{high} / $group->{low}) / 2, 1e-5,
         'flat: the band of e is that of the combination');
    predicted('flat e, which the data identify: trusted', 0, '', $path, '--speed', 1, '--quantity', 'restitution');
    is(decode_json((contactfit('predict', $path, '--speed', 1, '--quantity', 'restitution', '--json'))[1])->{trusted},
        JSON::PP::true, 'flat e: in JSON, too');
    # but not where something else is wrong, or where the fit file does not say that nothing is
    for my $case (['misfit', qr/"misfit": false/, '"misfit": true'], ['unsaid', qr/"misfit": false,/, ''],
                  ['bound', qr/"verdict": "flat"/, '"verdict": "at bound"']) {
        my ($name, $from, $to) = @$case;
        (my $text = slurp($path)) =~ s/$from/$to/ or die "$name: nothing to change";
        spew(my $spoiled = $path =~ s/\.json\z/-$name.json/r, $text);
        is((contactfit('predict', $spoiled, '--speed', 1, '--quantity', 'restitution'))[0], 3, "flat e, $name: not trusted");
    }
}

# k from Hertz, and hunt-crossley without k
{
    my $glass = "bodies:\n  ball: {sphere: {radius: 20 mm}, mass: 100 g, youngs_modulus: 2 GPa, poissons_ratio: 0.3}\n"
        . "  wall: {plane: {}, fixed: true, rigid: true}\n";
    my ($hertz, $path) = fitted('hertz', "${glass}law: azad-featherstone\nfit: {lambda: {}}\nfixed: {k: hertz}\ndata:\n$e_set");
    my $got = predicted('hertz', 0, '', $path, '--speed', 1, '--radius', '45 mm');
    my $kh = 4 / 3 * 2e9 / (1 - 0.09) * sqrt 0.045;
    my $at = law_says('azad-featherstone', '-p', "k=$kh", '-p', 'lambda=' . $hertz->{parameters}{lambda}{value} * sqrt(45 / 20),
                      '--mass', 0.1, '--speed', 1);
    is_near($got->{$_}[0], $at->{$_}[0], 1e-11, "hertz: $_") for values %unit;

    my (undef, $bare) = fitted('bare', "${bodies}law: hunt-crossley\nfit: {a: {}}\ndata:\n$e_set");
    my ($code, $out, $err) = contactfit('predict', $bare, '--speed', 1);
    like($err, qr/^\Q$p\E duration, depth, peak_force: the cells stay empty: the fit holds no k$/m, 'no k: said');
    like($out, qr/\n1,[^,]+,[^,]+,[^,]+,,,,,,,,,\n\z/, 'no k: only e is there');
    my (undef, $linear) = fitted('linear', "${bodies}law: linear\nfit: {k: {}, lambda: {}}\ndata:\n$e_set$t_set");
    ($code, $out, $err) = contactfit('predict', $linear, '--speed', 1, '--radius', '1 cm');
    is("$code $out$err", "2 $p --radius: R = 0.01 m: linear has no rule by which its k [N/m], fitted at R = 0.02 m, "
       . "changes with the radius\n", 'linear: no rule for a radius');
}

# JSON
{
    my ($code, $out) = contactfit('predict', $file, '--speed', '1,2', '--data', 'times', '--quantity', 'duration', '--json');
    my $json = decode_json($out);
    is("$code $json->{law} $json->{data} $json->{level} " . @{$json->{rows}}, '0 azad-featherstone times 0.95 2', 'JSON');
    my $csv = predicted('CSV', 0, '', $file, '--speed', '1,2', '--quantity', 'duration');
    is_near($json->{rows}[1]{duration}{$_->[0]}, $csv->{$_->[1]}[1], 1e-15, "JSON: $_->[0]")
        for ['value', 'duration_s'], ['low', 'duration_low_s'], ['high', 'duration_high_s'];
}

# refusals
sub refused { return is_refused('predict', @_) }
my $lists = 'give 0.1,0.5,2 or FROM:TO:COUNT';
# standard input is a fit as well, and what is none is told
{
    my @q = ('--speed', '1,2', '--quantity', 'restitution');
    is_deeply([contactfit({input => $file}, 'predict', '-', @q)], [contactfit('predict', $file, @q)], '-');
    is_deeply([contactfit('predict', '-', @q)], [1, '', "$p standard input: the file is empty\n"],
        'nothing on standard input');
    spew("$dir/some.yaml", "# a study\ncontactfit: study/1\ntitle: some\n");
    is_deeply([contactfit('predict', "$dir/some.yaml", @q)], [1, '', "$p $dir/some.yaml: a study: "
        . "contactfit fit makes of it the fit file, a .json, that is wanted here\n"], 'a study');
    is_deeply([contactfit({input => "$dir/some.yaml"}, 'predict', '-', @q)],
        [1, '', "$p standard input: a study: contactfit fit makes of it the fit file, a .json, that is "
            . "wanted here\n"], 'a study on standard input');
    my $long = slurp($file);
    spew("$dir/long.json", $long . ' ' x (1 << 18) . "\n");
    is([contactfit({input => "$dir/long.json"}, 'predict', '-', @q)]->[0], [contactfit('predict', $file, @q)]->[0],
        'more than one buffer of it');
}

refused(2, "--speed is missing: $lists (log-spaced), or --drop-height", $file);
refused(2, '--speed and --drop-height: one of them is wanted', $file, '--speed', 1, '--drop-height', 1);
refused(2, '--speed: 0: a speed must be above 0', $file, '--speed', '1,0');
refused(2, '--speed: "nan": a finite number is wanted', $file, '--speed', 'nan');
refused(2, "--speed: nothing stands there: $lists", $file, '--speed=');
refused(2, '--drop-height: 3 s: a time [s] where a length [m] is wanted', $file, '--drop-height', '3 s');
refused(2, '--drop-height: -1: a height must be above 0', $file, '--drop-height=-1');
refused(2, '--mass: 0 kg: must be above 0', $file, '--speed', 1, '--mass', 0);
refused(2, '--mass: 3 m: a length [m] where a mass [kg] is wanted', $file, '--speed', 1, '--mass', '3 m');
refused(2, '--radius: -2 m: must be above 0', $file, '--speed', 1, '--radius=-2');
refused(2, "no data set time in $file: did you mean times?", $file, '--speed', 1, '--data', 'time');
refused(2, "no data set rebound in $file: it has drops, times", $file, '--speed', 1, '--data', 'rebound');
refused(2, '--quantity: unknown quantity durations: did you mean duration?', $file, '--speed', 1, '--quantity', 'durations');
refused(2, '--quantity: unknown quantity "": azad-featherstone predicts restitution, rebound_speed, rebound_height, duration, '
        . 'depth, peak_force', $file, '--speed', 1, '--quantity=');
refused(2, '--quantity: depth is named twice', $file, '--speed', 1, '--quantity', 'depth,depth');

# fit files that are none, or cannot be used again
sub edited
{
    my ($name, $message, $from, $to) = @_;
    my $text = slurp($file);
    $text =~ s/$from/$to/s or die "$name: nothing edited\n";
    spew("$dir/edited.json", $text);
    my ($code, $out, $err) = contactfit('predict', "$dir/edited.json", '--speed', 1);
    is("$code $out$err", "1 $p $dir/edited.json: $message\n", "edited: $name");
}
edited('another kind', 'contactfit: "validation/2" where "fit/3" is wanted', qr/"fit\/3"/, '"validation/2"');
edited('another version', 'contactfit: "fit/4" where "fit/3" is wanted', qr/"fit\/3"/, '"fit/4"');
edited('an old version', 'contactfit: "fit/1": an older program wrote it: run contactfit fit on its study again',
       qr/"fit\/3"/, '"fit/1"');
edited('law', 'unknown law azad-feathertsone: did you mean azad-featherstone?',
       qr/"law": "azad-featherstone",\n "law_cite"/, "\"law\": \"azad-feathertsone\",\n \"law_cite\"");
edited('older', 'no key "uncertainty": an older program wrote it, without what bands are made from: fit again',
       qr/(?s) "uncertainty": \{.*?\n \},\n/, '');
edited('name', 'uncertainty.names: the law has no parameter alpha', qr/("uncertainty": \{\s+"names": \[\s+)"k"/, '"uncertainty": {"names": ["alpha"');
edited('theta', 'uncertainty: theta, dead, covariance and null are not of one entry a name', qr/("theta": \[\s+)[^,]+,/, '"theta": [');
edited('mass', 'no mass above 0 in data set drops', qr/"mass_kg": [^,]+,\s+"radius_m"/, '"mass_kg": null, "radius_m"');
edited('protocol', 'unknown protocol impcat', qr/"protocol": "impact"/, '"protocol": "impcat"');

done_testing();
