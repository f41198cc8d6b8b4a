#!/usr/bin/perl
# The bodies of scenes to scale: their picture at several times, the figure's keys and what they
# refuse, and the slider that moves them, in Chromium, where there is one. The scenes were invented
# for these tests; what is expected follows from free flight by hand.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Browser;
use Digest::SHA qw(sha256_base64);
use File::Temp qw(tempdir);
use JSON::PP;
use Program;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my $json = JSON::PP->new->utf8->canonical;
my $pi = 4 * atan2(1, 1);

# A ball of 5 cm, thrown along x at 2 m/s from 1.2 m, that turns by 6 rad/s about y, above a plane
# that it does not reach in 0.4 s.
my $thrown = <<'YAML';
contactfit: scene/1
title: Thrown ball
gravity: 10 m/s^2
duration: 0.4 s
bodies:
  ball:
    sphere: {radius: 5 cm}
    mass: 1 kg
    inertia: solid
    position: [0 m, 0 m, 1.2 m]
    velocity: [2 m/s, 0 m/s, 0 m/s]
    spin: [0 rad/s, 6 rad/s, 0 rad/s]
  floor: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}
contacts:
  - {between: [ball, floor], normal: {law: linear, k: 1e5 N/m, lambda: 0 N s/m}}
YAML

sub report
{
    my ($name, $text) = @_;
    spew("$dir/$name.yaml", $text);
    my ($exit, $out, $err) = contactfit('report', '-q', "$dir/$name.yaml", '-o', "$dir/$name.html");
    is("$exit$err", '0', "a page: $name");
    return slurp("$dir/$name.html");
}

sub blocks { return map { $json->decode($_) } $_[0] =~ m{<script type="application/json" class="motion">(.*?)</script>}gs }

sub refused
{
    my ($what, $text, $want) = @_;
    spew("$dir/bad.yaml", $text);
    my ($exit, $out, $err) = contactfit('plot', '-q', "$dir/bad.yaml", '-o', "$dir/bad.svg");
    is($exit, 1, "$what is refused");
    like($err, $want, $what);
}

# px of a place in the picture
sub shown
{
    my ($block, $x, $y) = @_;
    my ($l, $t, $r, $b) = @{$block->{frame}};
    my ($x0, $x1, $y0, $y1) = @{$block->{window}};
    return ($l + ($x - $x0) / ($x1 - $x0) * ($r - $l), $b - ($y - $y0) / ($y1 - $y0) * ($b - $t));
}

my $page = report('thrown', $thrown);
my ($block) = blocks($page);
ok($block, 'a picture of the bodies that nobody asked for, with their motion');
is_deeply([map { 0 + sprintf '%.9f', $_ } @{$block->{right}}, @{$block->{up}}], [1, 0, 0, 0, 0, 1], 'seen from the side');
is(scalar @{$block->{bodies}}, 1, 'of the ball alone: the floor does not move');
my ($l, $t, $r, $b) = @{$block->{frame}};
my ($x0, $x1, $y0, $y1) = @{$block->{window}};
cmp_ok(abs(($r - $l) / ($x1 - $x0) / (($b - $t) / ($y1 - $y0)) - 1), '<', 1e-4, 'a length is as long on both axes');

# ghosts at whole steps: 0, 0.1, 0.2, 0.3 and 0.4 s would do, and steps of 0.05 are too many
my ($svg) = $page =~ m{(<svg class="f".*?</svg>)}s;
my $scale = ($r - $l) / ($x1 - $x0);
my $radius = 0 + sprintf '%.1f', 0.05 * $scale;
my @circles;
for my $d ($svg =~ /stroke="#0072b2"[^>]* d="([^"]*)"/g) {
    my ($x, $y) = (0, 0);
    while ($d =~ /([Mmlhva])([^Mmlhvaz]*)/g) {
        my ($c, $data) = ($1, $2);
        my @n = $data =~ /-?(?:\d+\.?\d*|\.\d+)/g;
        ($x, $y) = $c eq 'M' ? @n : $c eq 'h' ? ($x + $n[0], $y) : $c eq 'v' ? ($x, $y + $n[0]) : ($x + $n[-2], $y + $n[-1]);
        push @circles, [$x + $n[0], $y] if $c eq 'a' && $n[-2] < 0;
    }
}
my @want = map { [shown($block, 2 * $_, 1.2 - 5 * $_ ** 2)] } 0, 0.1, 0.2, 0.3, 0.4;
is(scalar @circles, 5, 'five balls are drawn');
my @off = grep { my $w = $_; !grep { abs($_->[0] - $w->[0]) < 0.6 && abs($_->[1] - $w->[1]) < 0.6 } @circles } @want;
is_deeply(\@off, [], 'each where it flies by hand');
like($svg, qr/>ball, radius 50 mm</, 'with its size');
for my $time ('0 s', '0.1 s', '0.2 s', '0.3 s', '0.4 s', '0 ms', '100 ms', '400 ms') {
    next if $time =~ /ms/ != ($svg =~ />400 ms</);
    like($svg, qr/>\Q$time\E</, "named $time");
}
like($svg, qr/<desc[^>]*>[^<]*ball/, 'and in words');

# poses between which the motion may be interpolated
sub pose_at
{
    my ($body, $times, $time) = @_;
    my $i = 0;
    $i++ while $i + 2 < @$times && $times->[$i + 1] <= $time;
    my $u = ($time - $times->[$i]) / ($times->[$i + 1] - $times->[$i]);
    my ($p, $q) = map { $body->{poses}[$_] } $i, $i + 1;
    return map { $p->[$_] + $u * ($q->[$_] - $p->[$_]) } 0 .. 6;
}
my $worst = 0;
for my $k (0 .. 400) {
    my $time = $k / 1000;
    my @p = pose_at($block->{bodies}[0], $block->{times}, $time);
    my $off = sqrt(($p[0] - 2 * $time) ** 2 + ($p[2] - 1.2 + 5 * $time ** 2) ** 2);
    $worst = $off if $off > $worst;
}
cmp_ok($worst / ($x1 - $x0), '<', 0.004, 'the ball is nowhere off by more than a dot or two');
cmp_ok(scalar @{$block->{times}}, '<', 60, 'by ' . @{$block->{times}} . ' poses');
ok(!$block->{off}, 'and no more is to be said');

# of many bodies the poses are fewer, and the page says by how much they may be off
my $crowd = "contactfit: scene/1\ntitle: crowd\ngravity: 10 m/s^2\nduration: 4 s\nbodies:\n"
    . join('', map { "  b$_: {sphere: {radius: 1 cm}, mass: 10 g, inertia: solid, position: [" . 0.05 * $_ . " m, 0 m, " . (0.05 + 0.01 * $_) . " m]}\n" } 1 .. 90)
    . "  floor: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}\ncontacts:\n"
    . join('', map { "  - {between: [b$_, floor], normal: {law: linear, k: 1e4 N/m, lambda: 0.1 N s/m}}\n" } 1 .. 90);
my $crowded = report('crowd', $crowd);
my ($many) = blocks($crowded);
is(scalar @{$many->{bodies}}, 90, 'ninety bodies move');
cmp_ok(90 * @{$many->{times}}, '<=', 12_000, 'by ' . @{$many->{times}} . ' poses each');
ok($many->{off} && $many->{off} < 0.1, "which may be off by $many->{off} of the width");
cmp_ok(length $crowded, '<', 1_000_000, 'of ' . int(length($crowded) / 1000) . ' kB');

# attitudes, too, may be interpolated: of a ball that only spins, one whose spoke is seen to turn
(my $spun = $thrown) =~ s/velocity: .*/velocity: [0 m\/s, 0 m\/s, 0 m\/s]/;
$spun =~ s/spin: .*/spin: [0 rad\/s, 30 rad\/s, 0 rad\/s]/;
$spun =~ s/gravity: .*/gravity: 0 m\/s^2/;
my ($spins) = blocks(report('spun', $spun));
$worst = 0;
for my $k (0 .. 400) {
    my @p = pose_at($spins->{bodies}[0], $spins->{times}, $k / 1000);
    my $length = sqrt($p[3] ** 2 + $p[5] ** 2);
    my $angle = 2 * atan2($p[5], $p[3]) - 30 * $k / 1000;
    $angle -= 2 * $pi * int($angle / (2 * $pi) + ($angle < 0 ? -0.5 : 0.5));
    $worst = abs $angle if abs $angle > $worst && $length > 0.5;
}
cmp_ok($worst * 0.05 / ($spins->{window}[1] - $spins->{window}[0]), '<', 0.004, 'the end of a spoke is nowhere off by more than a dot or two');

# other figures that run along time have where the time is marked
my $timed = report('timed', $thrown . "figures:\n  - {name: h, kind: series, y: [ball_z_m]}\n  - {name: p, kind: path, x: ball_x_m, y: [ball_z_m]}\n");
my @clock = $timed =~ /<figure data-time="([^"]*)"/g;
is(scalar @clock, 1, 'the figure over time, and not the path');
my ($cl, $ct, $cr, $cb, $first, $last) = split / /, $clock[0];
ok($cl > 30 && $cr > 450 && $cr < 522 && $cb > $ct + 100, 'its frame');
is("$first $last", '0 0.4', 'in seconds');
my ($part) = report('part', $thrown . "figures:\n  - {name: h, kind: series, y: [ball_z_m], during: [0.1 s, 0.3 s]}\n") =~ /<figure data-time="([^"]*)"/;
like($part, qr/ 0\.1 0\.3$/, 'of a part of the run, too');

# a page of many scenes has pictures alone, and says so
spew("$dir/many-$_.yaml", $thrown) for 1 .. 9;
contactfit('report', '-q', (map { "$dir/many-$_.yaml" } 1 .. 8), '-o', "$dir/eight.html");
is(scalar blocks(slurp("$dir/eight.html")), 8, 'eight scenes move');
contactfit('report', '-q', (map { "$dir/many-$_.yaml" } 1 .. 9), '-o', "$dir/nine.html");
my $nine = slurp("$dir/nine.html");
is(scalar blocks($nine), 0, 'nine do not');
like($nine, qr/Bodies move on pages of no more than 8 scenes/, 'which the page says');
unlike($nine, qr/<script|script-src/, 'without a script');

# one script, named by its hash
my @scripts = $page =~ m{<script>(.*?)</script>}gs;
is(scalar @scripts, 1, 'one script');
my $hash = sha256_base64($scripts[0]);
$hash .= '=' while length($hash) % 4;
like($page, qr/content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-\Q$hash\E'"/, 'which the policy names');
unlike($scripts[0], qr/innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|Function\(|fetch|XMLHttp|https?:(?!\/\/www\.w3\.org\/2000\/svg)/,
    'it takes no text for code, and asks nobody');

# the keys
my $asked = $thrown . <<'YAML';
figures:
  - name: throw
    kind: bodies
    what: The first half of the throw
    during: [0 s, 0.2 s]
    times: [0 s, 50 ms, 0.2 s]
    from: [0, 1, 0]
YAML
my $other = report('asked', $asked);
is(scalar(() = $other =~ /<svg class="f"/g), 1, 'a file that asks for its bodies has them once');
my ($half) = blocks($other);
is_deeply([map { 0 + sprintf '%.9f', $_ } @{$half->{right}}], [-1, 0, 0], 'from the other side, x goes to the left');
cmp_ok(abs($half->{times}[-1] - 0.2), '<', 1e-9, 'until half of the time');
like($other, qr/>50 ms</, 'at the times asked for');
refused('a time before the span', $asked =~ s/times: \[0 s/times: [-1 s/r, qr/bad\.yaml:\d+:\d+: times: -1 s: the figure shows 0 s to 0\.2 s/);
refused('times that go back', $asked =~ s/50 ms, 0\.2 s\]/0.2 s, 0.1 s]/r, qr/times: 0\.1 s: must be later than the one before it/);
refused('no times', $asked =~ s/times: \[.*?\]/times: []/r, qr/times: none: one or more are wanted/);
refused('no direction', $asked =~ s/from: \[.*?\]/from: [0, 0, 0]/r, qr/bad\.yaml:\d+:\d+: from/);
refused('a key of another kind', $asked =~ s/from:/frame:/r, qr/frame/);

# points, whose hull is a tetrahedron, that turn about an axis across all those of the world; and
# nothing that has no extent
my $tumbling = <<'YAML';
contactfit: scene/1
title: Tumbling points
gravity: 0 m/s^2
duration: 1 s
bodies:
  jack:
    points: [[0 m, 0 m, 0 m], [3 cm, 0 m, 0 m], [0 m, 4 cm, 0 m], [0 m, 0 m, 5 cm], [5 mm, 5 mm, 5 mm]]
    mass: 1 kg
    inertia: [1 kg m^2, 1 kg m^2, 1 kg m^2]
    position: [0 m, 0 m, 1 m]
    spin: [1 rad/s, 1 rad/s, 1 rad/s]
  floor: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}
contacts:
  - {between: [jack, floor], normal: {law: linear, k: 1e5 N/m, lambda: 0 N s/m}}
YAML
my ($jack) = blocks(report('tumbling', $tumbling));
my @faces = grep { $_->{face} } @{$jack->{bodies}[0]{lines}};
is(join(' ', sort map { scalar @{$_->{places}} } @faces), '3 3 3 3', 'the hull of five points is a tetrahedron');
my @inward = grep {
    my ($p, $q, $s) = @{$_->{places}};
    my @u = map { $q->[$_] - $p->[$_] } 0 .. 2;
    my @v = map { $s->[$_] - $p->[$_] } 0 .. 2;
    my @n = ($u[1] * $v[2] - $u[2] * $v[1], $u[2] * $v[0] - $u[0] * $v[2], $u[0] * $v[1] - $u[1] * $v[0]);
    my $out = 0;
    $out += $n[$_] * (0.005 - $p->[$_]) for 0 .. 2;
    $out > 0;
} @faces;
is(scalar @inward, 0, 'all faces look outwards');
(my $box = $tumbling) =~ s/points: .*/box: {size: [2 cm, 3 cm, 4 cm]}/;
my ($turned) = blocks(report('box', $box));
is(join(' ', sort map { scalar @{$_->{places}} } @{$turned->{bodies}[0]{lines}}), '4 4 4 4 4 4', 'a box has six faces of four corners');
(my $point = $thrown) =~ s/sphere: .*/point: {}/;
$point =~ s/inertia: solid/inertia: [1 kg m^2, 1 kg m^2, 1 kg m^2]/;
is(scalar blocks(report('point', $point)), 0, 'a point has no picture');

SKIP: {
    my $browser = browser();
    skip 'no Chromium: apt install chromium', 1 if !$browser;
    $browser->open_page("$dir/thrown.html");
    is_deeply([$browser->complaints], [], 'no error, and the policy lets the script run');
    my $path = sub { $browser->value("(document.querySelector('.now') || {getAttribute: () => ''}).getAttribute('d')") };
    is($path->(), '', 'at first there is the picture alone');

    # where the ball is, by the path of its circle: its left end, and the end of its spoke
    my $where = sub {
        my ($x, $y, $r) = $path->() =~ /^M([-\d.]+),([-\d.]+)a([\d.]+),/ or return;
        my ($cx, $cy, $rx, $ry) = $path->() =~ /M([-\d.]+),([-\d.]+)L([-\d.]+),([-\d.]+)$/;
        return ($x + $r, $y, $r, atan2(-($ry - $cy), $rx - $cx));
    };
    my $set = sub { $browser->value("(s => { s.value = $_[0]; s.dispatchEvent(new Event('input')) })(document.querySelector('.play input'))") };
    my ($before) = do { $set->(0); ($where->())[3] };
    for my $share (250, 500, 1000) {
        $set->($share);
        my $time = 0.4 * $share / 1000;
        my ($x, $y, $r, $angle) = $where->();
        my ($wx, $wy) = shown($block, 2 * $time, 1.2 - 5 * $time ** 2);
        cmp_ok(abs($x - $wx) + abs($y - $wy), '<', 3, "the slider moves the ball: $time s");
        cmp_ok(abs($r - 0.05 * $scale), '<', 0.2, 'to scale');
        # about y, as seen from -y, it turns to the right
        my $turned = $before - $angle - 6 * $time;
        $turned -= 2 * $pi * int($turned / (2 * $pi) + ($turned < 0 ? -0.5 : 0.5));
        cmp_ok(abs $turned, '<', 0.1, 'and turns it');
        like($browser->value("document.querySelector('.play output').textContent"), qr/^\Q@{[sprintf '%.3g', $time]}\E0* s$/, 'at the time that it says');
    }

    # the time is marked in the other figure
    $browser->open_page("$dir/timed.html");
    $set->(250);
    my ($line) = $browser->value("document.querySelector('[data-time] .now').getAttribute('d')") =~ /^M([\d.]+),/;
    cmp_ok(abs($line - ($cl + ($cr - $cl) / 4)), '<', 0.2, 'a line marks a quarter of the time');
    $browser->open_page("$dir/thrown.html");

    # by keys
    $browser->value("document.querySelector('.play input').focus()");
    $browser->key('Home');
    is($browser->value("document.querySelector('.play input').value"), 0, 'Home: the start');
    $browser->key('ArrowRight');
    is($browser->value("document.querySelector('.play input').value"), 1, 'an arrow: a thousandth');
    isnt($browser->value("document.querySelector('.play input').getAttribute('aria-valuetext')"), undef, 'with a value that can be read aloud');

    # played
    $browser->value("document.querySelector('.play button').click()");
    is($browser->value("document.querySelector('.play button').textContent"), 'Pause', 'it plays');
    $browser->value('new Promise(done => setTimeout(done, 400))');
    cmp_ok($browser->value("+document.querySelector('.play input').value"), '>', 20, 'the slider runs');
    $browser->value("document.querySelector('.play button').click()");
    is($browser->value("document.querySelector('.play button').textContent"), 'Play', 'and stops');

    # faces that look away are not drawn: of a box three at most are seen
    $browser->open_page("$dir/box.html");
    $set->(300);
    my @seen = $path->() =~ /Z/g;
    ok(@seen >= 1 && @seen <= 3, 'of a box ' . @seen . ' faces are seen');
}

done_testing();
