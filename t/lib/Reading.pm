package Reading;

# What a page must be to be read by anyone: its findings, as texts, in the page that a Browser has
# open. Folded sections are opened first.

use strict;
use warnings;
use Exporter qw(import);

our @EXPORT = qw(findings_of_order findings_of_contrast findings_of_a_phone place_of_the_first_figure);

# Shared by what runs in the page.
my $tools = <<'JS';
document.querySelectorAll('details').forEach(d => { d.open = true; });
const shown = e => e.getClientRects().length > 0 && getComputedStyle(e).visibility === 'visible';
const called = e => `<${e.tagName.toLowerCase()}> ${(e.textContent || '').trim().slice(0, 40)}`
    + ` of ${(e.closest('figure, section, article') || {}).id || 'the page'}`;
const found = [];
JS

sub run
{
    my ($browser, $script) = @_;
    return @{$browser->value("(() => { $tools $script return found; })()")};
}

# Headings begin with one of the first level and skip none; controls and figures have names; nothing
# is taken out of the order of the document, in which the tabulator key goes.
sub findings_of_order
{
    my ($browser) = @_;
    my @found = run($browser, <<'JS');
let last = 0;
document.querySelectorAll('h1, h2, h3, h4, h5, h6').forEach(h => {
    const level = +h.tagName[1];
    if (level > last + 1) found.push(`heading ${called(h)} after level ${last}`);
    if (!h.textContent.trim()) found.push(`a heading without words: ${called(h)}`);
    last = level;
});
const name = e => {
    const by = (e.getAttribute('aria-labelledby') || '').split(' ').filter(Boolean);
    const said = by.map(id => document.getElementById(id) || found.push(`no element ${id}`) && null)
        .map(n => n ? n.textContent : '').join(' ');
    const own = /^(BUTTON|A|SUMMARY)$/.test(e.tagName) ? e.textContent : '';
    return (said || e.getAttribute('aria-label') || e.alt || own || '').trim();
};
document.querySelectorAll('a[href], button, input, select, summary, [tabindex], img, svg[role=img], [role=application]').forEach(e => {
    if (!name(e)) found.push(`without a name: ${called(e)}`);
    if (e.tabIndex > 0) found.push(`out of order: ${called(e)}`);
});
document.querySelectorAll('figure').forEach(f => {
    if (!f.querySelector('svg[role=img], img')) found.push(`a figure that is none: ${f.id}`);
});
const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
ids.filter((id, i) => ids.indexOf(id) !== i).forEach(id => found.push(`twice: id ${id}`));
document.querySelectorAll('a[href^="#"]').forEach(a => {
    if (!document.getElementById(decodeURIComponent(a.hash.slice(1)))) found.push(`leads nowhere: ${called(a)}`);
});
window.passed = window.began = document.body;
JS
    $browser->value("document.activeElement.blur(); window.getSelection().removeAllRanges(); scrollTo(0, 0)");
    for my $press (1 .. 40) {
        $browser->key('Tab');
        my $place = $browser->value(<<'JS');
(() => {
    const now = document.activeElement, before = window.passed;
    if (now === document.body || now === window.began) return 'end';
    if (window.began === document.body) window.began = now;
    window.passed = now;
    return before.compareDocumentPosition(now) & Node.DOCUMENT_POSITION_FOLLOWING ? '' : now.outerHTML.slice(0, 60);
})()
JS
        last if $place eq 'end';
        push @found, "the tabulator key goes back at press $press: $place" if $place;
        last if $place;
    }
    return @found;
}

# Words at 4.5 to 1 against what is behind them, curves and marks at 3 to 1 (WCAG 2.2, 1.4.3 and
# 1.4.11), with the page in a colour scheme, "light" or "dark". Lines of a grid are no content.
sub findings_of_contrast
{
    my ($browser, $scheme) = @_;
    $browser->ask('Emulation.setEmulatedMedia',
        features => [{name => 'prefers-color-scheme', value => $scheme}]);
    my @found = run($browser, <<'JS');
const rgba = c => { const n = c.match(/[\d.]+/g).map(Number); return [n[0], n[1], n[2], n[3] === undefined ? 1 : n[3]]; };
const over = (c, b) => [0, 1, 2].map(i => c[3] * c[i] + (1 - c[3]) * b[i]);
const light = c => c.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const ratio = (a, b) => { const [l, m] = [light(a), light(b)]; return (Math.max(l, m) + 0.05) / (Math.min(l, m) + 0.05); };
const behind = e => {
    for (; e; e = e.parentElement) {
        const c = rgba(getComputedStyle(e).backgroundColor);
        if (c[3] === 1) return c.slice(0, 3);
    }
    return [255, 255, 255];
};
const tell = (e, colour, least) => {
    const back = behind(e), r = ratio(over(rgba(colour), back), back);
    if (r < least) found.push(`${r.toFixed(2)} to 1, ${colour} on ${back}: ${called(e)}`);
};
const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (words.nextNode()) {
    const e = words.currentNode.parentElement;
    if (!words.currentNode.data.trim() || !shown(e) || e.closest('script, style, title, desc')) continue;
    const style = getComputedStyle(e);
    tell(e, e.closest('svg') ? style.fill : style.color, 4.5);
}
document.querySelectorAll('svg path, svg line, svg polyline, svg circle, svg use').forEach(e => {
    const style = getComputedStyle(e);
    if (e.closest('defs, .g') || style.stroke === 'none' || !style.stroke.startsWith('rgb')) return;
    /* what is filled may have a light edge, and a band between curves is one of them */
    if (style.fill !== 'none' || +style.strokeOpacity < 1 || +style.opacity < 1) return;
    tell(e, style.stroke, 3);
});
JS
    $browser->ask('Emulation.setEmulatedMedia', features => []);
    my %once;
    return map { "$scheme: $_" } grep { !$once{s/: <.*//sr}++ } @found;
}

# At 390 px: the page does not scroll sideways and nothing is cut, but in what scrolls by itself;
# words of figures are of 11 px or more and lie on no others.
sub findings_of_a_phone
{
    my ($browser) = @_;
    $browser->ask('Emulation.setDeviceMetricsOverride', width => 390, height => 844,
        deviceScaleFactor => 2, mobile => JSON::PP::true);
    my @found = run($browser, <<'JS');
const wide = document.documentElement.clientWidth;
if (wide !== 390 || document.documentElement.scrollWidth > 390)
    found.push(`as wide as ${Math.max(wide, document.documentElement.scrollWidth)} px`);
const scrolls = e => {
    for (let up = e.parentElement; up && up !== document.body; up = up.parentElement)
        if (/auto|scroll/.test(getComputedStyle(up).overflowX)) return true;
    return false;
};
document.querySelectorAll('body *').forEach(e => {
    const box = e.getBoundingClientRect();
    if (!shown(e) || e.closest('defs') || !box.width || (box.right <= 390.5 && box.left >= -0.5)) return;
    if (!scrolls(e)) found.push(`cut at ${box.left.toFixed(0)} to ${box.right.toFixed(0)} px: ${called(e)}`);
});
document.querySelectorAll('svg').forEach(svg => {
    const texts = [...svg.querySelectorAll('text')].filter(t => shown(t) && t.textContent.trim());
    texts.forEach(t => {
        const to = t.getScreenCTM(), size = parseFloat(getComputedStyle(t).fontSize) * Math.hypot(to.a, to.b);
        if (size < 10.95) found.push(`of ${size.toFixed(1)} px: ${called(t)}`);
    });
    const boxes = texts.map(t => t.getBoundingClientRect());
    /* boxes are of whole lines: letters on each other share more than their spacing */
    texts.forEach((t, i) => texts.slice(i + 1).forEach((u, k) => {
        const a = boxes[i], b = boxes[i + 1 + k];
        const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (x > 1.5 && y > 0.35 * Math.min(a.height, b.height)) found.push(`on each other: ${called(t)}, ${called(u)}`);
    }));
});
JS
    $browser->ask('Emulation.clearDeviceMetricsOverride');
    return @found;
}

# Where the first figure begins, as the page opens [px].
sub place_of_the_first_figure
{
    my ($browser) = @_;
    return $browser->value("(f => f ? f.getBoundingClientRect().top + scrollY : 0)(document.querySelector('figure'))");
}

1;
