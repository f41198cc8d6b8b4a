#!/usr/bin/perl
# Pages as readers have them: by headings and keys, in light and in the dark, on a phone. In
# Chromium, where there is one; see t/lib/Reading.pm.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Browser;
use File::Temp qw(tempdir);
use Program;
use Reading;
use Test::More;

my $browser = browser() or plan skip_all => 'no Chromium: apt install chromium';
my $dir = tempdir(CLEANUP => 1);

# Writes a page and finds nothing amiss in it.
sub reads_well
{
    my ($what, $name, @command) = @_;
    my ($exit, $out, $err) = contactfit(@command, '-o', "$dir/");
    ok(-s "$dir/$name.html", "$what: a page") or diag "exit $exit: $err" or return;
    $browser->open_page("$dir/$name.html");
    cmp_ok(place_of_the_first_figure($browser), '<', 800, "$what: a figure in the first 800 px");
    is(join("\n", findings_of_order($browser)), '', "$what: headings, names, order of keys");
    is(join("\n", findings_of_contrast($browser, $_)), '', "$what: contrast, $_") for qw(light dark);
    is(join("\n", findings_of_a_phone($browser)), '', "$what: on a phone");
    return;
}

my %fit = (
    'restitution' => 'croquet_ball_on_wood', 'drop and rebound' => 'golf_ball_drop_rebound',
    'indentation' => 'indentation_synthetic_gel', 'loops of friction' => 'presliding_loops',
    'a trace' => 'synthetic_tap', 'steps of speed' => 'rock_gouge_step', 'tosses' => 'cube_tosses',
);
reads_well($_, $fit{$_}, 'report', '-q', "$srcdir/fits/$fit{$_}.json") for sort keys %fit;
reads_well('two fits', 'fits', 'report', '-q', map { "$srcdir/fits/$_.json" } qw(croquet_ball_on_wood indentation_synthetic_gel));
reads_well('a validation', 'cube_tosses_held_out-validate', 'validate', '-q', "$srcdir/fits/cube_tosses.json",
    "$srcdir/fits/cube_tosses_held_out.yaml");
my @drawn = ((glob "$srcdir/figures/*.yaml")[0, 1], "$srcdir/scenes/g07_double_pendulum.yaml", "$srcdir/scenes/block_tapped.yaml");
reads_well('figures and scenes', 'figures', 'report', '-q', @drawn);

my $rows = join '', map { sprintf "      - {speed: %.2f, restitution: %.4f}\n", $_, 0.8 - 0.05 * log($_) + 0.004 * sin(40 * $_) }
    map { 0.3 * $_ } 1 .. 16;
spew("$dir/few.yaml", <<"END");
contactfit: study/1
title: Synthetic, for a comparison
bodies: {ball: {sphere: {radius: 10 mm}, mass: 100 g}}
law: e-log
fit: {e_at_1: {}, b: {}}
data:
  - name: drops
    protocol: impact
    rows:
$rows    sigma: {restitution: 0.004}
END
reads_well('a comparison', 'few-compare', 'compare', '-q', "$dir/few.yaml", '--laws', 'e-log,e-constant,e-power');

# what is amiss is found
spew("$dir/amiss.html", <<'END');
<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>amiss</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body style="background:#fff;color:#000;margin:0"><h1>One</h1><h3>Three</h3><button tabindex="2"></button><a href="#none">A link</a>
<p style="color:#777">4.48 to 1</p><p style="color:#767676">4.54 to 1</p><p style="width:420px">wide</p>
<svg role="img" width="300" height="80"><text x="0" y="20" font-size="10">small</text><text x="0" y="60">on</text><text x="3" y="60">each</text>
<path d="M0 70h99" stroke="#999" fill="none"/><path d="M0 75h99" stroke="#949494" fill="none"/></svg></body></html>
END
$browser->open_page("$dir/amiss.html");
my $all = join "\n", findings_of_order($browser), findings_of_contrast($browser, 'light'), findings_of_a_phone($browser);
like($all, qr/$_/, "found: $_") for 'heading <h3> Three', 'without a name: <button>', 'without a name: <svg>', 'out of order: <button>',
    'leads nowhere: <a> A link', '4\.48 to 1', '2\.8\d to 1', 'as wide as 42\d px', 'cut at 0 to 420 px', 'of 10\.0 px: <text> small',
    'on each other: <text> on of the page, <text> each';
unlike($all, qr/4\.5\d to 1|3\.0\d to 1/, 'what is enough is enough');

done_testing;
