#!/usr/bin/perl
# Numbers of a data set that are fitted along: what the fit finds of them, what they leave open, and
# where it is told: terminal, fit file, page.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Synthetic qw(normal);
use Test::More;

draw_no_figures();

my $dir = tempdir(CLEANUP => 1);
my ($bias, $gain) = (0.013, 1.2);

# Impacts by the law itself, read by instruments of a known bias and a known gain, with the scatter
# that the study states.
{
    my (undef, $out) = contactfit('restitution', 'azad-featherstone', '-p', 'k=1e9', '-p', 'lambda=2e4', '--mass',
        '50 g', '--speed', '0.2:5:20');
    my ($head, @row) = split /\n/, $out;
    my @names = map { s/_[^a-z]*.*$//r } split /,/, $head;
    my $table = "# synthetic: azad-featherstone, k = 1e9, lambda = 2e4, 50 g, normal scatter\nspeed_m_s,e,duration_s,force_N\n";
    for my $row (@row) {
        my %cell;
        @cell{split /,/, $head} = split /,/, $row;
        my ($v) = grep { /^speed/ } keys %cell;
        my ($t) = grep { /^duration/ } keys %cell;
        my ($force) = grep { /^peak_force/ } keys %cell;
        $table .= join(',', $cell{$v}, $cell{restitution} + $bias + 0.002 * normal(),
            $cell{$t} * (1 + 0.005 * normal()), $gain * $cell{$force} * (1 + 0.01 * normal())) . "\n";
    }
    spew("$dir/table.csv", $table);
}

sub fitted
{
    my ($name, $channels, $nuisance) = @_;
    spew("$dir/$name.yaml", <<"END");
contactfit: study/1
bodies:
  ball: {sphere: {diameter: 40 mm}, mass: 50 g}
  floor: {plane: {}, fixed: true}
law: azad-featherstone
fit: {k: {}, lambda: {}}
data:
  - name: rig
    protocol: impact
    between: [ball, floor]
    file: table.csv
    columns:
      speed: speed_m_s
      $channels
$nuisance
END
    my ($status, $out, $err) = contactfit({in => $dir}, 'fit', '-q', "$name.yaml");
    return ($status, $out, $err, -e "$dir/$name.json" ? decode_json(slurp("$dir/$name.json")) : {});
}

# The interval holds the truth.
sub covers
{
    my ($parameter, $truth, $name) = @_;
    my $interval = $parameter->{interval};
    ok($interval->{low} < $truth && $truth < $interval->{high}, "$name: $interval->{low} to $interval->{high}");
}

my $three = 'restitution: {from: e, sigma: 0.002}
      duration: {from: duration_s, sigma: 0.5 %}
      peak_force: {from: force_N, sigma: 1 %}';

# both are found again, and the law with them
{
    my ($status, $out, $err, $fit) =
        fitted('both', $three, '    nuisance: {restitution.bias: {}, peak_force.gain: {}}');
    is("$status$err", '0', 'fitted, without a word');
    my %found = map { $_->{name} => $_ } @{$fit->{nuisances}};
    is(join(' ', sort keys %found), 'peak_force.gain restitution.bias', 'both stand in the fit file');
    covers($found{'restitution.bias'}, $bias, 'the bias');
    covers($found{'peak_force.gain'}, $gain, 'the gain');
    covers($fit->{parameters}{k}, 1e9, 'k');
    covers($fit->{parameters}{lambda}, 2e4, 'lambda');
    my $interval = $found{'peak_force.gain'}{interval};
    # 20 forces of 1 % tell a gain to 0.01/sqrt(20) at best; k adds to it
    my $sigma = log($interval->{high} / $interval->{low}) / 2 / 1.96;
    ok($sigma > 0.01 / sqrt(20) && $sigma < 0.005, 'and is as wide as 20 forces of 1 % make it');
    is($found{'peak_force.gain'}{prior}, JSON::PP::false, 'no prior');
    my $page = slurp("$dir/both.html");
    like($page, qr{<h3>What was fitted along</h3>}, 'told on the page');
    like($page, qr{peak force\.gain<br><span class="note">reading over true value</span>}, 'with what it is');

    # each reading tells a true value, with which figures are drawn
    my ($b, $g) = map { $found{$_}{value} } qw(restitution.bias peak_force.gain);
    my ($off, %told) = (0);
    for my $row (@{$fit->{observations}}) {
        my $true = $row->{channel} eq 'restitution' ? $row->{value} - $b : $row->{value} / $g;
        my $sigma = $row->{channel} eq 'restitution' ? $row->{sigma} : $row->{sigma} / $g;
        next if !defined $row->{true_value};
        $told{$row->{channel}}++;
        $off++ if abs($row->{true_value} / $true - 1) > 1e-9 || abs($row->{true_sigma} / $sigma - 1) > 1e-9;
    }
    is_deeply([$off, \%told], [0, {restitution => 20, peak_force => 20}], 'readings tell true values');
    my %true = map { $_->{line} => $_->{true_value} } grep { $_->{channel} eq 'restitution' } @{$fit->{observations}};
    is(scalar(grep { $_->{from} eq 'restitution' && $_->{value} == $true{$_->{line}} } @{$fit->{headline_points}}),
        20, 'so do the points of the main figure');
    like($page, qr/Readings of peak force are drawn as true values, corrected by the gain or bias/, 'the captions say so');

    (undef, $out) = contactfit({in => $dir}, 'fit', "both.yaml");
    like($out, qr/^  restitution\.bias  0\.0133 +\[0\.00579, 0\.0208\]  \(nuisance\)$/m, 'told on the terminal');
    like($out, qr/^  peak_force\.gain   1\.2045 +\[1\.1955, 1\.2136\]  \(nuisance\)$/m, 'and aligned');
}

# the posterior says what it does with them
{
    contactfit({in => $dir}, 'fit', '-q', '--posterior=400', 'both.yaml');
    my $page = slurp("$dir/both.html");
    like($page, qr/<b>Posterior<\/b>: median .* what was fitted along is integrated out\./,
        'the posterior tells what it does with them');
    my $fit = decode_json(slurp("$dir/both.json"));
    for my $name ('k', 'lambda') {
        my ($by, $wald) = ($fit->{posterior}{parameters}{$name}, $fit->{parameters}{$name}{interval});
        my ($width, $other) = map { log($_->{high} / $_->{low}) } $by, $wald;
        cmp_ok(abs($width / $other - 1), '<', 0.15, "$name: its posterior is as wide as its profile");
    }
}

# without them the law is not the one that made the data, and the verdict sees it
{
    my ($status, undef, undef, $fit) = fitted('without', $three, '');
    is($status, 3, 'readings taken as they are: exit 3');
    is($fit->{verdict}{status}, 'misfit', 'a misfit');
    unlike(slurp("$dir/without.html"), qr/fitted along/, 'no nuisances on its page');
}

# a prior that is sharp decides; one that is wide leaves the data to decide
{
    my $prior = '    nuisance: {restitution.bias: {prior: {value: 0.013, sigma: %s}}, peak_force.gain: {}}';
    my (undef, undef, undef, $sharp) = fitted('sharp', $three, sprintf $prior, '1e-6');
    my (undef, undef, undef, $wide) = fitted('wide', $three, sprintf $prior, 1);
    my (undef, undef, undef, $free) = fitted('free', $three, '    nuisance: {restitution.bias: {}, peak_force.gain: {}}');
    my $width = sub { my ($name, $fit) = @_; my $i = $fit->{parameters}{$name}{interval}; log($i->{high} / $i->{low}) };
    cmp_ok($width->('lambda', $sharp), '<', 0.5 * $width->('lambda', $free), 'a known bias: lambda is known better');
    cmp_ok(abs($width->('lambda', $wide) / $width->('lambda', $free) - 1), '<', 1e-3, 'a wide prior says nothing');
    is($wide->{nuisances}[0]{prior}, JSON::PP::true, 'that there is a prior is told');
}

# a gain and k that only forces tell apart from one another: neither is identified
{
    my ($status, undef, undef, $fit) = fitted('flat', 'peak_force: {from: force_N, sigma: 1 %}',
        '    nuisance: {peak_force.gain: {}}');
    is($status, 3, 'a gain that nothing tells from k: exit 3');
    is($fit->{parameters}{$_}{interval}, undef, "$_ has no interval") for qw(k lambda);
    is($fit->{nuisances}[0]{interval}, undef, 'nor has the gain');
    like(slurp("$dir/flat.html"), qr{peak force\.gain<br>.*</td><td>not determined</td>}, 'the page says so');
    my (undef, $out) = contactfit({in => $dir}, 'fit', 'flat.yaml');
    like($out, qr/^  peak_force\.gain +not identified +\(nuisance\)$/m, 'so does the terminal');
}

# an unknown gain beside a friction: what the two numbers have to each other is identified, and said
# as the quotient that it is, with the interval of least squares

for my $case (['slide', 'force', 'N', 'm_s', 'm/s', 'f'], ['slide_rotary', 'torque', 'Nm', 'rad_s', 'rad/s', 't']) {
    my ($protocol, $reading, $in, $speed, $unit, $law) = @$case;
    my @row = map { my $v = 0.02 * $_; [$v * ($_ % 3 ? 1 : -1)] } 1 .. 30;
    $_->[1] = sprintf '%.6f', 1.4 * (($_->[0] < 0 ? -3 : 3) + 5 * $_->[0]) + 0.05 * normal() for @row;
    spew("$dir/cart.csv", "# synthetic\nv_$speed,r_$in\n" . join('', map { join(',', @$_) . "\n" } @row));
    spew("$dir/cart.yaml", "contactfit: study/1\nlaw: $law-viscous\ndata:\n  - {name: d, file: cart.csv, protocol: $protocol, "
        . "columns: {speed: v_$speed, $reading: {from: r_$in, sigma: 0.05}}, nuisance: {$reading.gain: {}}}\n");
    my ($status, $out, $err) = contactfit({in => $dir}, 'fit', '-q', 'cart.yaml', '-o', $dir);
    my ($one) = -e "$dir/cart.json" ? @{decode_json(slurp("$dir/cart.json"))->{combinations}} : diag($err);
    my ($ss, $sv, $vv, $sf, $vf) = (0) x 5;
    for (@row) {
        my $sign = $_->[0] < 0 ? -1 : 1;
        $ss++, $sv += $sign * $_->[0], $vv += $_->[0]**2, $sf += $sign * $_->[1], $vf += $_->[0] * $_->[1];
    }
    my $det = $ss * $vv - $sv**2;
    my ($f, $d) = (($vv * $sf - $sv * $vf) / $det, ($ss * $vf - $sv * $sf) / $det);
    my $se = 0.05 * sqrt($vv / $f**2 + 2 * $sv / ($f * $d) + $ss / $d**2) / sqrt $det; # of ln(f/d)
    my $up = $one->{name} eq "d_2/${law}_c"; # which of them is above is no matter
    like($one->{name}, qr{^(?:d_2/${law}_c|${law}_c/d_2)$}, "$protocol: a quotient is named as one,");
    is($one->{unit}, $up ? join('/', reverse split m{/}, $unit) : $unit, 'with its unit');
    is_near($one->{value}, ($f / $d)**($up ? -1 : 1), 1e-5, 'its value');
    is_near(log($one->{interval}{high} / $one->{interval}{low}), 2 * 1.959964 * $se, 1e-4, 'its interval');
    like($out, qr/identify ${law}_c and d_2 only as \Q$one->{name}\E: every pair that keeps it\s+fits as well/, 'and it is told');
    is($status, 3, 'not to be trusted');
}

done_testing();
