#!/usr/bin/perl
# Texts in figures: in every SVG that the program draws of what ships, and of studies made to be
# crowded, no text lies on another or outside the frame, and no number or name is cut; each data set
# has a marker of its own, the same in all figures. Widths are those of DejaVu Sans, the widest font
# that such figures usually meet. All data made here are synthetic.

use strict;
use warnings;
use utf8;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use List::Util qw(max);
use Program;
use Svg;
use Synthetic qw(normal);
use TextBoxes qw(text_boxes text_faults);
use TrueType;
use Test::More;

my $out = Test::More->builder;
binmode $out->$_, ':utf8' for qw(output failure_output todo_output);

# fonts-dejavu-core has both; elsewhere fontconfig knows where they are.
sub font
{
    my ($style) = @_;
    my $file = '/usr/share/fonts/truetype/dejavu/DejaVuSans' . ($style eq 'Bold' ? '-Bold' : '') . '.ttf';
    $file = qx(fc-match -f '%{file}' 'DejaVu Sans:style=$style' 2>/dev/null) if !-e $file;
    return $file =~ /DejaVuSans(?:-Bold)?\.ttf$/ ? TrueType->new($file) : undef;
}
my @fonts = (font('Book'), font('Bold'));
plan skip_all => 'needs the font DejaVu Sans (fonts-dejavu-core)' if grep { !defined } @fonts;

# Where it is installed, Liberation Sans, which stands in for Arial and Helvetica: its letters are
# narrower, but neither as high nor as deep. A family is a pair, roman and bold.
my @liberation = map {
    my $file = qx(fc-match -f '%{file}' 'Liberation Sans:style=$_' 2>/dev/null);
    $file =~ /LiberationSans-(?:Regular|Bold)\.ttf$/ ? TrueType->new($file) : ();
} 'Regular', 'Bold';
my @families = (\@fonts, @liberation == 2 ? \@liberation : ());
note(scalar @families, ' families of letters');

my $dir = tempdir(CLEANUP => 1);
my $apart = 1;    # dots of the SVG that texts keep from each other at least

# ---- the widths by which figures are laid out are the font's

my $source = slurp("$srcdir/src/report/text_width.c");
utf8::decode($source);
my ($ascii) = $source =~ /ascii\[\] = \{(.*?)\}/s;
my @widths = $ascii =~ /(\d+)/g;
is(scalar @widths, 95, 'a width for each letter of ASCII');
is_deeply([map { sprintf '%.0f', 2048 * ($fonts[0]->letter(chr(32 + $_)))[0] } 0 .. $#widths], \@widths,
    'they are those of DejaVu Sans');
my %other = $source =~ /\{"(.)", (\d+)\}/g;
is(scalar(grep { sprintf('%.0f', 2048 * ($fonts[0]->letter($_))[0]) != $other{$_} } keys %other), 0,
    'so are those of ' . keys(%other) . ' other letters');

# ---- the test itself finds what is planted

sub svg
{
    return qq{<svg viewBox="0 0 200 100"><g id="a">@_</g></svg>};
}

sub text
{
    my ($x, $y, $letters, $anchor, $turn) = @_;
    return sprintf '<g transform="translate(%s,%s)%s" font-size="10.00" text-anchor="%s"><text>'
        . '<tspan font-family="sans-serif">%s</tspan></text></g>', $x, $y, $turn ? " rotate($turn)" : '',
        $anchor // 'start', $letters;
}

for my $row (
    # ten digits of 10 dots are 63.6 dots wide and 7.4 high
    ['two lines', text(10, 20, '0123456789') . text(10, 32, '0123456789'), undef],
    ['a line on another', text(10, 20, '0123456789') . text(60, 24, '77'), qr/^"0123456789" and "77" overlap by 3\.\d$/],
    ['the end of a number behind the frame', text(140, 20, '0.11764706'), qr/^"0\.11764706" leaves the frame by \d/],
    ['a number that ends at the frame', text(199, 20, '0.1176', 'end'), undef],
    ['one in the middle', text(5, 20, '1000', 'middle'), qr/^"1000" leaves the frame by 7\.7$/],
    ['a letter above the frame', text(10, 5, 'A'), qr/^"A" leaves the frame by 2\.3$/],
    ['a descender below it', text(10, 98.5, 'g'), qr/^"g" leaves the frame by 0\.\d$/],
    ['and none', text(10, 98.5, 'n'), undef],
    ['a label along an axis', text(12, 50, 'height / mm', 'middle', 270) . text(60, 53, '−200', 'end'), undef],
    ['one that a number reaches', text(40, 50, 'height / mm', 'middle', 270) . text(60, 53, '−200', 'end'),
        qr/^"height \/ mm" and "−200" overlap by \d/],
    ['one that is longer than the frame is high', text(12, 50, 'height of the lowest point / nm', 'middle', 270),
        qr/^"height of the lowest point \/ nm" leaves the frame by \d/],
    ['two too near', text(10, 20, '11') . text(22.8, 20, '22'), qr/^"11" and "22" are 0\.1 apart$/],
    ['a raised number on the line above', text(10, 20, 'yyyyy')
        . '<g transform="translate(10,32)" font-size="10"><text>N/m<tspan dy="-5.00px" font-size="8.00">1.5</tspan><tspan dy="5.00px"></tspan></text></g>',
        qr/^"yyyyy" and "N\/m1\.5" overlap by \d/],
    ['the same further below', text(10, 20, 'yyyyy')
        . '<g transform="translate(10,36)" font-size="10"><text>N/m<tspan dy="-5.00px" font-size="8.00">1.5</tspan><tspan dy="5.00px"></tspan></text></g>',
        undef],
    ['bold is wider', '<g transform="translate(132.8,20)" font-size="10" font-weight="bold"><text>0123456789</text></g>',
        qr/leaves the frame by 2\.\d$/],
    ['roman is not', text(132.8, 20, '0123456789'), undef],
    ['entities are one letter', text(185, 20, '&lt;&#60;'), qr/^"<<" leaves the frame by 1\.8$/],
) {
    my ($what, $body, $want) = @$row;
    utf8::encode(my $bytes = svg($body));
    my @faults = text_faults($bytes, $apart, @fonts);
    if (defined $want) {
        ok(@faults == 1 && $faults[0] =~ $want, "planted: $what") or diag("@faults");
    } else {
        is("@faults", '', "no fault: $what");
    }
}

# ---- figures

my (%drawn, $nfolder);

# Every SVG of a folder that is not known yet.
sub collect
{
    my ($folder, $what) = @_;
    for my $path (sort glob "$folder/*.svg") {
        my ($name) = $path =~ m{([^/]+)\.svg$};
        $drawn{$name} = slurp($path);
        my @faults;
        for my $family (@families) {
            push @faults, eval { text_faults($drawn{$name}, $apart, @$family) };
            push @faults, $@ if $@;
        }
        push @faults, 'a title or a description that is not ours'
            if $drawn{$name} =~ m{<title>(?:Gnuplot|gnuplot_plot_\d+)</title>|<desc>Produced} || $drawn{$name} !~ /<desc\b[^>]*>\S/;
        is(join("\n", @faults), '', "$what: $name");
    }
}

# Commands that draw into a folder of their own.
sub draw
{
    my ($what, @arguments) = @_;
    my $folder = "$dir/" . $nfolder++;
    mkdir $folder or die;
    my ($exit, undef, $err) = contactfit('plot', @arguments, '-o', $folder, '-q', '--format', 'svg');
    is("$exit$err", '0', "$what are drawn");
    collect($folder, $what);
}

draw('figures that ship', glob "$srcdir/figures/*.yaml");
# A fit of each protocol, and the scenes that take less than a second, see a label, a key or an axis
# that is laid out wrongly; all of them see one that only some numbers of what ships bring about.
# The figures of a fit whose page is drawn below are these too.
my @pages = qw(croquet_ball_on_wood indentation_synthetic_gel synthetic_bowden_leben synthetic_tap screw_drive cube_tosses);
my $paged = join '|', grep { !/^(?:croquet|screw)/ } @pages;
my @fits = grep { $full || !/_volume|_tenth_|accommodation_|drop_rebound|bounce_recording|\/(?:$paged)\./ } glob "$srcdir/fits/*.json";
my @scenes = shipped_scenes();
draw('fits that ship', @fits);
draw('scenes that ship', @scenes);
spew("$dir/sample.json", slurp("$srcdir/t/fits/sample.json"));
draw('the sample', "$dir/sample.json");
for my $row (['fit', '--posterior'], ['compare']) {
    my ($command, @how) = @$row;
    mkdir "$dir/$command";
    contactfit({figures => 0}, $command, "$srcdir/fits/croquet_ball_on_wood.yaml", '-o', "$dir/$command", '-q', @how);
    my @made = glob "$dir/$command/*.json";
    spew("$dir/$command-croquet.json", slurp($made[0]));
    draw("the croquet study by $command", "$dir/$command-croquet.json");
}
ok(exists $drawn{'compare-croquet-tournament'}, 'a tournament is drawn');

# The figures that are part of a page, as they stand in it.
sub inline
{
    my ($what, $name, $page, @arguments) = @_;
    my $folder = "$dir/$name";
    mkdir $folder or die;
    contactfit(@arguments, '-o', $folder, '-q');
    my @inside = (-s "$folder/$page" ? slurp("$folder/$page") : '') =~ m{(<svg.*?</svg>)}gs;
    spew(sprintf("$folder/$name-%02d.svg", $_), $inside[$_]) for 0 .. $#inside;
    collect($folder, $what);
    ok(exists $drawn{"$name-00"}, "$what has figures: " . @inside);
}
inline('a page of new data', 'validate', 'croquet_ball_on_wood-validate.html', 'validate',
    map { "$srcdir/fits/croquet_ball_on_wood.$_" } 'json', 'yaml');
inline("the page of $_", "page-$_", "$_.html", 'report', "$srcdir/fits/$_.json")
    for @pages;
inline('the gallery', 'gallery', 'figures.html', 'report', (glob "$srcdir/figures/*.yaml")[0 .. ($full ? 10 : 2)],
    $full ? @scenes : grep { /af1|block_tapped|bowden_leben_0.05/ } @scenes);
mkdir "$dir/sound";
contactfit('onsets', "$srcdir/data/synthetic_bounce_recording.flac", '--figure', "$dir/sound/onsets.svg", '-q');
collect("$dir/sound", 'a recording');
ok(exists $drawn{onsets}, 'that is drawn');
cmp_ok(scalar keys %drawn, '>', $full ? 110 : 90, keys(%drawn) . ' figures of what ships');

# All texts of a figure.
sub texts
{
    my ($name) = @_;
    my ($boxes) = text_boxes($drawn{$name} // '<svg viewBox="0 0 1 1"></svg>', @fonts);
    return map { $_->{text} } @$boxes;
}

# No number or name of a legend is cut: they are compared with the files.
sub has_texts
{
    my ($name, @want) = @_;
    my %there = map { $_ => 1 } texts($name);
    is(join(', ', grep { !$there{$_} } @want), '', "$name: " . join(' | ', @want));
}
has_texts('af10_fig3', map({ sprintf 'azad-featherstone, λ = %s N s/m1.5', $_ } '1000', '3100', '104'),
    map { sprintf 'hunt-crossley, a = %.4g s/m', $_ / 8.5e6 } 1e6, 3.1e6, 1e7);
has_texts('af14_fig4', map { "hunt-crossley, a = $_ s/m" } 0.1, 0.4, 1.6);
for my $path (@fits) {
    my ($name) = $path =~ m{([^/]+)\.json$};
    my $fit = decode_json(slurp($path));
    for my $figure (grep { /^\Q$name\E-(?:restitution|force|torque)/ } sort keys %drawn) {
        has_texts($figure, map { $_->{law} } grep { $_->{curve} && !$_->{own} } @{$fit->{rivals}});
        my %sets = map { $_->{data} => 1 } @{$fit->{headline_points}};
        has_texts($figure, map { $_->{name} } @{$fit->{data}}[sort keys %sets]) if keys %sets > 1;
    }
}

# ---- data sets

# The marker of each plot of a figure by its title: shape, colour and size. Those of one title must
# be the same in all panels.
sub markers
{
    my ($name) = @_;
    my %of;
    while ($drawn{$name} =~ m{<g id="gnuplot_plot_\w+" ?><title>([^<]*)</title>(.*?)(?=<g id="gnuplot_plot_|\z)}gs) {
        my ($title, $body) = ($1, $2);
        my @uses = $body =~ m{<use xlink:href='#(gpPt\d+)' transform='translate\([^)]*\) scale\(([\d.]+)\)' color='([^']*)'}g;
        my %look;
        while (my ($shape, $size, $colour) = splice @uses, 0, 3) {
            $colour =~ tr/ //d;
            $look{"$shape $colour $size"}++;
        }
        delete $look{$_} for grep { /#FFFFFF/ } keys %look;    # about points with bars
        $of{$title}{$_}++ for keys %look;
    }
    return map { $_ => join(' and ', sort keys %{$of{$_}}) } grep { %{$of{$_}} } keys %of;
}

# A study of n sets of impacts of ever other balls, with held-out and excluded rows, named so.
sub sets
{
    my ($name, $n, $title) = @_;
    my $text = "contactfit: study/1\noptions: {screen: 16, starts: 4}\nbodies:\n  floor: {plane: {}, fixed: true}\n"
        . "  ball: {sphere: {radius: 20 mm}, mass: 100 g}\nlaw: e-log\nrivals: [e-linear, e-power]\ndata:\n";
    for my $set (1 .. $n) {
        $text .= '  - name: ' . $title->($set) . "\n    protocol: impact\n    between: [ball, floor]\n    rows:\n";
        for my $i (0 .. 5) {
            my $v = 0.5 * 10 ** ($i / 5);
            $text .= sprintf "      - {speed: %.5f, restitution: %.6f}\n", $v, 0.8 - 0.03 * log($v) + 0.01 * normal();
        }
        $text .= "    sigma: {restitution: 0.01}\n";
    }
    $text .= "hold-out:\n  - {data: " . $title->(2) . ", where: \"speed > 4 m/s\"}\n" if $n > 1;
    spew("$dir/$name.yaml", $text);
    my ($exit, undef, $err) = contactfit({figures => 0}, 'fit', "$dir/$name.yaml", '-o', $dir, '-q');
    ok(-s "$dir/$name.json", "$name: $n data sets are fitted") or diag($err);
    draw("$n data sets", "$dir/$name.json");
}

# Every set has its own marker in the main figure and among the residuals, and it is the same one.
sub own_markers
{
    my ($name, $sets, @figures) = @_;
    my %first;
    for my $figure (@figures) {
        my %marker = markers("$name-$figure");
        my %look = map { $_ => $marker{$_} =~ s/ [\d.]+$//r } grep { defined $marker{$_} } @$sets;
        is(scalar keys %look, scalar @$sets, "$name-$figure: an entry for each of the sets")
            or diag(join ' | ', sort keys %marker);
        my %times;
        $times{$_}++ for values %look;
        is(join(', ', grep { $times{$_} > 1 } sort keys %times), '', "$name-$figure: no two have the same marker");
        is(scalar(grep { / and / } values %look), 0, "$name-$figure: one marker each");
        %first = %look if !%first;
        is_deeply(\%look, \%first, "$name-$figure: the markers of the main figure") if $figure eq 'residuals';
    }
}
for my $n (2, 8, 24, $full ? (6, 13) : ()) {
    my @names = map { "rig no. $_ of the lab" } 1 .. $n;
    sets("sets$n", $n, sub { return $names[$_[0] - 1] });
    own_markers("sets$n", \@names, 'restitution-log', 'restitution', 'residuals');
    my %marker = markers("sets$n-restitution");
    my %shape = map { ($marker{$_} =~ /^(gpPt\d+)/)[0] => 1 } grep { defined $marker{$_} } @names;
    is(scalar keys %shape, $n < 8 ? $n : 8, "sets$n: each of the first eight has a shape of its own");
}
sets('long', 3, sub { return 'a data set that is called by a name too long for any key ' . $_[0] });
has_texts('long-restitution', 'set 1', 'set 2', 'set 3', 'set 2, held out');
sets('wide', 4, sub { return 'W' x 30 . $_[0] });
has_texts('wide-restitution', map { 'W' x 30 . $_ } 1 .. 4);
sets('many', 60, sub { return "s$_[0]" });
has_texts('many-restitution', 'measured, 60 sets', 'held out');
my %looks;
while ($drawn{'many-restitution'} =~ m{<use xlink:href='#(gpPt\d+)' transform='translate\([^)]*\) scale\(([\d.]+)\)' color='([^']*)'}g) {
    my ($shape, $size, $colour) = ($1, $2, $3 =~ tr/ //dr);
    $looks{"$shape $size $colour"}++ if $colour ne '#FFFFFF';
}
cmp_ok(scalar keys %looks, '>=', 60, 'sixty sets have as many markers: ' . keys %looks);

# ---- a posterior with a prior of the study, whose numbers the file has

spew("$dir/prior.yaml", slurp("$dir/sets2.yaml") =~ s/^law: .*/law: e-log\nfit: {e_at_1: {prior: {value: 0.8, sigma: 0.01}}, b: {}}/mr);
my ($known, undef, $said) = contactfit({figures => 0}, 'fit', "$dir/prior.yaml", '-o', $dir, '-q', '--posterior=200');
my $with = -s "$dir/prior.json" ? decode_json(slurp("$dir/prior.json")) : diag($said);
my %number = %{$with->{posterior}{parameters} // {}};
is($number{e_at_1}{prior_centre}, 0.8, 'the centre of a normal prior');
is($number{e_at_1}{prior_sigma}, 0.01, 'and its standard deviation');
ok(!exists $number{b}{prior_sigma}, 'a uniform one has none');
draw('a posterior', "$dir/prior.json");
has_texts('prior-marginals', 'draws', 'normal', 'prior');
has_texts('prior-predictive', 'median of replicates');
has_texts('prior-chains', map { "ensemble $_" } 1 .. 4);

# ---- joint studies: sets that share quantity and axis lie in one panel, whatever their protocols

for my $ball ('golf', 'tennis') {
    own_markers("${ball}_ball_bounces", ['stamps', 'heights'], 'restitution-log', 'restitution', 'residuals');
}

# Others have a panel each.
spew("$dir/two.yaml", <<'END' . join '', map { sprintf "      - {depth: %.2f um, force: %.4f mN, rate: 10 um/s}\n", 10 * $_, 8.5e7 * (1e-5 * $_) ** 1.5 * 1e3 } 1 .. 12);
contactfit: study/1
options: {screen: 16, starts: 4}
bodies:
  floor: {plane: {}, fixed: true}
  ball: {sphere: {radius: 20 mm}, mass: 100 g}
law: azad-featherstone
fit: {k: {}, lambda: {}}
data:
  - name: drops
    protocol: impact
    rows:
      - {speed: 0.5, restitution: 0.85}
      - {speed: 1, restitution: 0.83}
      - {speed: 2, restitution: 0.82}
      - {speed: 4, restitution: 0.80}
    sigma: {restitution: 0.01}
  - name: press
    protocol: indent
    apparatus: {baseline: 0}
    sigma: {force: 1 mN}
    rows:
END
my ($exit, undef, $err) = contactfit({figures => 0}, 'fit', "$dir/two.yaml", '-o', $dir, '-q');
ok(-s "$dir/two.json", 'impacts and an indentation are fitted together') or diag($err);
draw('two protocols', "$dir/two.json");
like(line($drawn{'two-restitution'}), qr/coefficient of restitution e.*force F/, 'both have a panel');
has_texts('two-restitution', 'drops', 'press');
unlike(line($drawn{'two-restitution-log'}), qr/force F/, 'and but one of them logarithms');

# Figures are as wide as a column of text, unless not even one name has room in it.
my @wide = grep { $drawn{$_} !~ /viewBox="0 0 522 |<svg class="bodies"/ && !/^wide-/ } sort keys %drawn;
is("@wide", '', 'figures are as wide as a column');

# ---- what a curve is like: friction jumps where the speed changes its sign

my ($curve) = $drawn{'screw_drive-torque'} =~ m{<title>t-stribeck-exponential</title>.*?<path stroke='rgb\(  0, 114, 178\)'[^>]*?\bd='([^']*)'}s;
my @strokes = grep { !/^\s*$/ } split /M/, $curve // '';
cmp_ok(scalar @strokes, '>=', 2, 'a friction curve has a stroke for each direction');
my $steepest = 0;
for my $stroke (@strokes) {
    my @y = $stroke =~ /-?[\d.]+,(-?[\d.]+)/g;
    $steepest = max($steepest, map { abs($y[$_] - $y[$_ - 1]) } 1 .. $#y);
}
cmp_ok($steepest, '<', 20, 'and none along the jump');

# ---- angles are shown in degrees

for my $name ('alumina_on_glass-tangential_restitution', 'alumina_on_glass-measurements', 'alumina_on_glass-residuals') {
    like(line($drawn{$name}), qr{angle of incidence / deg}, "$name: angles in degrees");
    unlike(line($drawn{$name}), qr{/ rad\b}, "$name: and none in radians");
}
cmp_ok((grep { /^\d+$/ } texts('alumina_on_glass-tangential_restitution'))[-1], '>', 40, 'numbers, too');

done_testing();
