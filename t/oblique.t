#!/usr/bin/perl
# Oblique impacts: alumina on glass as measured, by impulses and with a stiffness of its own along
# the surface; synthetic impacts with known numbers, by impulses and by contacts; nuisances; what
# channels tell side by side; and what is no oblique impact.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Fitted;
use Program;
use Synthetic qw(normal);
use Test::More;

draw_no_figures();

my $dir = tempdir(CLEANUP => 1);
my $deg = atan2(1, 1) / 45;

sub fitted
{
    my ($name, $text, @options) = @_;
    spew("$dir/$name.yaml", "contactfit: study/1\n$text") if defined $text;
    my ($status, $out, $err) = contactfit('fit', '-q', "$dir/$name.yaml", @options);
    diag($err) if $err;
    return ($status, decode_json(slurp("$dir/$name.json") || '{}'), $out);
}

sub inside
{
    my ($value, $low, $high, $what) = @_;
    ok(defined $value && $low <= $value && $value <= $high, "$what: " . ($value // 'none'));
}

# ---- measured: alumina on glass, a reading a row

# The fit that ships, which studies.t makes again; and a page of it.
sub shipped
{
    my ($name) = @_;
    spew("$dir/$name.json", slurp("$srcdir/fits/$name.json"));
    my (undef, undef, $err) = contactfit('report', '-q', "$dir/$name.json", '-o', $dir);
    diag($err) if $err;
    return decode_json(slurp("$dir/$name.json"));
}

{
    my $fit = shipped('alumina_on_glass_sliding');
    inside($fit->{parameters}{mu}{value}, 0.092, 0.098, 'mu by all channels');
    my ($mu) = grep { $_->{parameter} eq 'mu' } @{$fit->{agreement}};
    is(scalar @{$mu->{told}}, 3, 'and by each of three');
    inside($_->{value}, 0.090, 0.1025, "mu by $_->{channel}") for @{$mu->{told}};
    ok($mu->{rejects}, 'which disagree');
    like("@{reasons($fit)}",
        qr/the channels disagree about mu beyond their errors: tangential_restitution 0\.09\d+, rebound_angle 0\.10\d*, rebound_spin 0\.09\d+ \(p = /,
        'and the verdict says so');
    # a slide all through: e_t = 1 - mu (1 + e)/tan(angle), and so its band is that of mu
    my (undef, $out) = contactfit('predict', '-q', "$dir/alumina_on_glass_sliding.json", '--angle', 50 * $deg,
        '--quantity', 'tangential_restitution');
    my ($e_t, $low, $high) = (split /[,\n]/, (split /\n/, $out)[1])[1 .. 3];
    my ($mu_value, $wald) = @{$fit->{parameters}{mu}}{qw(value wald)};
    my $by = 1.98 / (sin(50 * $deg) / cos(50 * $deg));
    ok(abs($e_t - (1 - $mu_value * $by)) < 1e-9, 'predicted: e_t of a slide');
    ok(abs(($high - $low) / ($by * ($wald->{high} - $wald->{low})) - 1) < 1e-6, 'with the interval of mu in its band');
    my $page = slurp("$dir/alumina_on_glass_sliding.html");
    like($page, qr/Do the channels agree\?.*disagree beyond their errors/s, 'and so does the page');
    like($page, qr/by tangential restitution.*by rebound angle.*by rebound spin/s, 'side by side');
}
{
    my $fit = shipped('alumina_on_glass');
    inside($fit->{parameters}{mu}{value}, 0.092, 0.098, 'mu');
    inside($fit->{parameters}{kappa}{interval}{high}, 0.5, 0.9, 'K_t is below 1.5 k by far: the end of kappa');
    is((grep { $_->{rejects} } @{$fit->{agreement}}) + 0, 0, 'with a stiffness of its own the channels agree');
    ok($fit->{rivals}[0]{law} eq 'azad-featherstone + clutch' && $fit->{rivals}[1]{delta_aicc} > 20,
        'rigid rivals are far behind');
    ok($fit->{solver_bias}{max_over_sigma} < 1e-5, 'the motion of a scene confirms the contacts');
    my ($by_hand) = grep { $_->{origin} eq 'hand' } @{$fit->{starts}};
    ok($by_hand && $by_hand->{at_optimum}, 'the start by hand ends at the optimum');
}

# ---- synthetic, by impulses: e = 0.85, mu = 0.15, beta_0 = 0.4, R = 10 mm, m = 10 g, 3 m/s

my $bodies = "bodies: {ball: {sphere: {radius: 10 mm}, mass: 10 g}}\n";
my %true = (e => 0.85, mu => 0.15, beta_0 => 0.4);

# What comes back: e_t, rebound angle, spin [rad/s] and impulse ratio at an angle and a spin before.
sub rebound
{
    my ($angle, $spin) = @_;
    my ($R, $v_n, $v_t) = (0.01, 3 * cos $angle, 3 * sin $angle);
    my $slip = $v_t - $R * $spin;
    my $stick = 2 / 7 * (1 + $true{beta_0}) * abs $slip;
    my $slide = $true{mu} * (1 + $true{e}) * $v_n;
    my $change = ($slip < 0 ? -1 : 1) * ($stick < $slide ? $stick : $slide);
    return (1 - $change / $v_t, atan2($v_t - $change, $true{e} * $v_n), $spin + 2.5 * $change / $R,
        $change / ((1 + $true{e}) * $v_n));
}

sub shots
{
    my ($name, $n, $from, $to, $offset, $gain, $spun) = @_;
    my $table = "# synthetic: e = 0.85, mu = 0.15, beta_0 = 0.4 (walton), R = 10 mm, 3 m/s\n"
        . "angle_deg,spin_rad_s,e,e_t,rebound_deg,after_rad_s,ratio\n";
    for my $i (0 .. $n - 1) {
        my $angle = $deg * ($from + ($to - $from) * $i / ($n - 1));
        my $spin = $spun ? 100 * ($i % 3 - 1) : 0;
        my @out = rebound($angle + $deg * $offset, $spin);
        $table .= join(',', $angle / $deg, $spin, $true{e} + 0.005 * normal(), $out[0] + 0.003 * normal(),
            $out[1] / $deg + 0.2 * normal(), $gain * $out[2] + 2 * normal(), $out[3] + 0.001 * normal()) . "\n";
    }
    spew("$dir/$name.csv", $table);
}

my %column = (
    restitution => 'restitution: {from: e, sigma: 0.005}',
    tangential_restitution => 'tangential_restitution: {from: e_t, sigma: 0.003}',
    rebound_angle => 'rebound_angle: {from: rebound_deg, sigma: 0.2 deg}',
    rebound_spin => 'rebound_spin: {from: after_rad_s, sigma: 2 rad/s}',
    impulse_ratio => 'impulse_ratio: {from: ratio, unit: "1", sigma: 0.001}',
);

sub impacts
{
    my ($name, $channels, $more, $law) = @_;
    $law //= "law: e-constant\nfriction: walton\n";
    return $bodies . $law . "data:\n  - name: d\n    protocol: oblique\n    file: $name.csv\n    columns: {"
        . join(', ', 'angle: angle_deg', map { $column{$_} // $_ } @$channels)
        . "}\n    apparatus: {speed: 3 m/s}\n" . ($more // '');
}

normal() for 1 .. 1100; # another part of the stream
shots('plain', 36, 2, 70, 0, 1, 0);
shots('spun', 36, 2, 70, 0, 1, 1);
shots('off', 60, 2, 70, 1.5, 1.08, 0);

for my $channels (['restitution', 'tangential_restitution'], ['restitution', 'rebound_spin'], ['rebound_angle', 'tangential_restitution'],
    ['restitution', 'impulse_ratio'], ['rebound_angle', 'rebound_spin']) {
    my ($status, $fit) = fitted('plain', impacts('plain', $channels));
    is("$status $fit->{verdict}{status}", '0 good', "@$channels") or diag("@{reasons($fit)}");
    holds($fit, $_, $true{$_}) for sort keys %true;
}
{
    my ($status, $fit) = fitted('spun', impacts('spun', ['spin: spin_rad_s', 'restitution', 'tangential_restitution', 'rebound_spin']));
    is("$status $fit->{verdict}{status}", '0 good', 'spin imposed') or diag("@{reasons($fit)}");
    holds($fit, $_, $true{$_}, "spin imposed: $_") for sort keys %true;
}
{
    my $nuisance = "    nuisance: {angle_offset: {}, rebound_spin.gain: {}}\n";
    my $all = [qw(restitution tangential_restitution rebound_angle rebound_spin)];
    my ($status, $fit) = fitted('off', impacts('off', $all, $nuisance));
    is("$status $fit->{verdict}{status}", '0 good', 'a tilted plane and a scale of the spin') or diag("@{reasons($fit)}");
    holds($fit, $_, $true{$_}, "fitted along: $_") for sort keys %true;
    my %nuisance = map { $_->{name} => $_ } @{$fit->{nuisances}};
    my ($offset) = grep { /offset/ } keys %nuisance;
    ok(defined $offset && abs($nuisance{$offset}{value} / $deg - 1.5) < 0.3, 'the tilt is found') or diag(encode_json($fit->{nuisances}));
    (undef, $fit) = fitted('off', impacts('off', $all));
    is($fit->{verdict}{status}, 'misfit', 'without them the channels contradict each other');
    like("@{reasons($fit)}", qr/channels disagree/, 'and are named');
}

# impacts that slide all through tell nothing of what sticks
{
    shots('slides', 20, 45, 75, 0, 1, 0);
    my ($status, $fit) = fitted('slides', impacts('slides', ['restitution', 'tangential_restitution']));
    is("$status $fit->{verdict}{status}", '3 undetermined', 'gross slip: beta_0 is not identified');
    holds($fit, 'mu', $true{mu}, 'gross slip: mu');
    ($status, $fit) = fitted('slides', undef, '--law', 'rigid-coulomb');
    is("$status $fit->{law}", '0 e-constant + rigid-coulomb', '--law takes the place of one part');
}

# laws beside each other
{
    my ($status, $text, $err) = contactfit('compare', '-q', "$dir/plain.yaml", '--laws', 'rigid-coulomb,e-linear,e-linear + rigid-coulomb', '-o', $dir);
    like($text, qr/e-constant \+ walton is the best of 4/, 'compare: parts and whole laws by name') or diag($err);
    ($status, undef, $err) = contactfit('compare', '-q', "$dir/plain.yaml", '--laws', 'clutch', '-o', $dir);
    is($status, 2, 'a friction that needs a force is refused');
    like($err, qr/--laws: e-constant has no force over time, which friction clutch needs: take a force law such as azad-featherstone, or friction rigid-coulomb or walton/, 'and says so');
}

# ---- synthetic, by contacts: made by predict of a law, fitted again

{
    my $law = "law: linear\nfriction: clutch-linear\nfit: {lambda: {}, mu: {}, kappa: {}}\nfixed: {k: 1e6 N/m, c_v: 0}\ntie: {d_t: 0.5 lambda}\n";
    my $contact = "contactfit: study/1\n${bodies}law: linear\nfriction: clutch-linear\n"
        . "fit: {lambda: {start: 20 N s/m}}\nfixed: {k: 1e6 N/m, mu: 0.2, k_t: 8e5 N/m, d_t: 10 N s/m, c_v: 0}\n"
        . "data:\n  - {name: d, protocol: oblique, rows: [{angle: 5 deg, restitution: 0.73}, {angle: 9 deg, restitution: 0.73}], sigma: {restitution: 0.01}, apparatus: {speed: 3 m/s}}\n";
    spew("$dir/truth.yaml", $contact);
    contactfit('fit', '-q', "$dir/truth.yaml");
    my $lambda = decode_json(slurp("$dir/truth.json"))->{parameters}{lambda}{value};
    my @angle = map { 3 + 4 * $_ } 0 .. 17;
    my ($status, $csv) = contactfit('predict', '-q', "$dir/truth.json", '--angle', join(',', map { $_ * $deg } @angle),
        '--quantity', 'restitution,tangential_restitution,rebound_spin');
    my $table = "# synthetic: linear + clutch-linear, k_t = 0.8 k, mu = 0.2\nangle_deg,e,e_t,after_rad_s\n";
    my @row = grep { /^[0-9]/ } split /\n/, $csv;
    is(scalar @row, 18, 'predictions of contacts');
    for my $i (0 .. $#row) {
        my @cell = split /,/, $row[$i];
        $table .= join(',', $angle[$i], $cell[1] + 0.005 * normal(), $cell[4] + 0.003 * normal(), $cell[7] + 2 * normal()) . "\n";
    }
    spew("$dir/contacts.csv", $table);
    my $fit;
    ($status, $fit) = fitted('contacts', impacts('contacts', ['restitution', 'tangential_restitution', 'rebound_spin'], '', $law));
    like("$status $fit->{verdict}{status}", qr/^0 (good|weak)$/, 'contacts are fitted') or diag("@{reasons($fit)}");
    holds($fit, 'mu', 0.2, 'contacts: mu');
    holds($fit, 'kappa', 0.8, 'contacts: kappa');
    inside($fit->{parameters}{lambda}{value}, 0.8 * $lambda, 1.25 * $lambda, 'contacts: lambda');
    ($status, my $out, my $told) = contactfit('export', '--to', 'csv', '--speed', '2', "$dir/contacts.json");
    is($status, 0, 'a contact law is exported') or diag($told);
    like($out, qr/mu_C/, 'with its friction');
}

# ---- what is no oblique impact: one line each, at its place

my $rows = 'protocol: oblique, sigma: {tangential_restitution: 0.01}, apparatus: {speed: 3 m/s}';
my $head = "${bodies}law: e-constant\nfriction: walton\n";
my @refused = (
    ['beyond 90 deg', "${head}data:\n  - {name: d, $rows, rows: [{angle: 95 deg, tangential_restitution: 0.7}]}\n",
        'angle 95 deg: must be below 90 deg from the normal: it would not come to the plane; of angles from the plane take 90 deg less the angle (sign: -1, offset: 90 deg)'],
    ['along the plane', "${head}data:\n  - {name: d, $rows, rows: [{angle: 90 deg, tangential_restitution: 0.7}]}\n",
        'angle 90 deg: must be below 90 deg from the normal'],
    ['degrees as radians', "${head}data:\n  - {name: d, $rows, rows: [{angle: 30, tangential_restitution: 0.7}]}\n",
        'angle 30 rad is 1719 deg: must be below 90 deg from the normal; state degrees by unit: deg'],
    ['from the other side', "${head}data:\n  - {name: d, $rows, rows: [{angle: -30 deg, tangential_restitution: 0.7}]}\n",
        'angle -30 deg: must be in [0, 90) deg: turn the signs of angle, spin and rebound'],
    ['along the normal', "${head}data:\n  - {name: d, $rows, rows: [{angle: 0 deg, tangential_restitution: 0.7}]}\n",
        'tangential_restitution at angle 0: nothing moves along the plane before the impact: leave it out, or give rebound_angle or rebound_spin'],
    ['without a speed', "${head}data:\n  - {name: d, protocol: oblique, sigma: {tangential_restitution: 0.01}, rows: [{angle: 30 deg, tangential_restitution: 0.7}]}\n",
        'no speed: give a column speed, or apparatus: {speed: 3.9 m/s}'],
    ['a spin that bursts the ball', "${head}data:\n  - {name: d, protocol: oblique, apparatus: {speed: 3 m/s, spin: 1e7 rad/s}, sigma: {restitution: 0.01}, rows: [{angle: 30 deg, restitution: 0.8}]}\n",
        'must be at most 10000 m/s, beyond which no solid holds together: is the spin in another unit (rpm, deg/s)?'],
    ['e above 1', "${head}data:\n  - {name: d, protocol: oblique, apparatus: {speed: 3 m/s}, sigma: {restitution: 0.01}, rows: [{angle: 30 deg, restitution: 1.2}]}\n",
        'restitution 1.2: must be at most 1 + 3 sigma; an impact gives back no more than it got'],
    ['a rebound into the plane', "${head}data:\n  - {name: d, protocol: oblique, apparatus: {speed: 3 m/s}, sigma: {rebound_angle: 1 deg}, rows: [{angle: 30 deg, rebound_angle: 100 deg}]}\n",
        'rebound_angle 100 deg: must be below 90 deg from the normal: it would not leave the plane'],
    ['without friction', "${bodies}law: azad-featherstone\ndata:\n  - {name: d, $rows, rows: [{angle: 5 deg, tangential_restitution: 0.7}, {angle: 30 deg, tangential_restitution: 0.7}]}\n",
        'an oblique impact needs friction beside azad-featherstone: add friction: clutch, or rigid-coulomb'],
    ['two spheres', "bodies: {a: {sphere: {radius: 1 mm}, mass: 1 g}, b: {sphere: {radius: 2 mm}, mass: 2 g}}\nlaw: e-constant\nfriction: walton\ndata:\n  - {name: d, $rows, rows: [{angle: 5 deg, tangential_restitution: 0.7}, {angle: 30 deg, tangential_restitution: 0.7}, {angle: 40 deg, tangential_restitution: 0.7}]}\n",
        'an oblique impact is one of a sphere on a fixed plane: give one body sphere and mass, the other plane: {} and fixed: true'],
    ['an unknown friction', "${bodies}law: linear\nfriction: cluch\n", 'unknown friction law cluch: did you mean clutch?'],
    ['a friction without a force', "${bodies}law: e-log\nfriction: clutch\n",
        'friction: e-log has no force over time, which friction clutch needs: take a force law such as azad-featherstone, or friction rigid-coulomb or walton'],
    ['two frictions', "${bodies}law: e-log + walton\nfriction: rigid-coulomb\n", 'friction: law e-log + walton has one already'],
    ['a rival without a force', "${bodies}law: linear\nfriction: clutch\nrivals: [e-log]\n",
        'e-log has no force over time, which friction clutch needs'],
    ['friction of slides', "${bodies}law: mu-coulomb\nfriction: walton\n",
        'friction: mu-coulomb is a friction curve: friction walton wants a law of the normal direction beside it, such as azad-featherstone'],
);
for my $case (@refused) {
    my ($what, $text, $message) = @$case;
    spew("$dir/way.yaml", "contactfit: study/1\n$text");
    my ($status, $out, $err) = contactfit('check', "$dir/way.yaml");
    is($status, 1, "$what: refused");
    like($err, qr/way\.yaml:\d+:\d+: .*\Q$message\E/, "$what: says why") or diag($err);
}

# ---- a draft

{
    my ($code) = contactfit({in => $dir}, 'init', 'oblique', 'plain.csv', '-o', 'draft.yaml');
    is($code, 0, 'a draft');
    my $draft = slurp("$dir/draft.yaml");
    like($draft, qr/^law: e-constant.*\nfriction: walton\nfit: \{e: \{\}, mu: \{\}, beta_0: \{\}\}.*\nrivals: \[rigid-coulomb\]/m, 'of impulses');
    $draft =~ s/FILL-IN\}, mass: FILL-IN/20 mm}, mass: 10 g/;
    $draft =~ s/^(    # Where no column has them: )(.*)$/    apparatus: {speed: 3 m\/s}/m;
    spew("$dir/draft.yaml", $draft);
    my ($status, undef, $err) = contactfit({in => $dir}, 'check', 'draft.yaml');
    is($status, 0, 'check takes it, once the ball and the speed are filled in') or diag($err);
}

# ---- an optimum at the angle where sliding turns into sticking

{
    my ($mu, $sticks) = (0.098, 5 / 7);
    my @off = (0.004, -0.003, 0.002, -0.004);
    my $table = "angle_rad,beta\n";
    $table .= sprintf "%.1f,%.6f\n", $_, 1 - $mu * 1.9 * cos($_) / sin($_) + shift @off for 0.9, 1, 1.1, 1.2;
    # sticks from mu = 0.1 on, and wants more; those above want 0.098
    $table .= sprintf "%.9f,%.6f\n0.2,%.6f\n0.3,%.6f\n", atan2(3.5 * 0.1 * 1.9, 1), $sticks - 0.02, $sticks + 0.004, $sticks - 0.004;
    spew("$dir/kink.csv", $table);
    my ($status, $fit) = fitted('kink', <<'STUDY');
bodies: {ball: {sphere: {diameter: 20 mm}, mass: 10 g}, plate: {plane: {}, fixed: true}}
law: e-constant
friction: rigid-coulomb
fit: {mu: {}}
fixed: {e: 0.9}
data:
  - name: kink
    protocol: oblique
    file: kink.csv
    columns: {angle: angle_rad, tangential_restitution: {from: beta, sigma: 0.01}}
    apparatus: {speed: 3 m/s}
STUDY
    is("$status $fit->{verdict}{status}", '0 weak', 'an optimum at a kink');
    like("@{reasons($fit)}", qr/^the optimum lies at a kink of the law, .* \(0\.5\d standard errors\)(?: note: |$)/, 'is said to be one');
    ok(abs($fit->{parameters}{mu}{value} / 0.1 - 1) < 1e-6, 'and lies there') or diag($fit->{parameters}{mu}{value});
}

done_testing();
