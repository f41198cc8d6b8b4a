/* Figures on a page: what draws stays, and nothing else; texts expected were written by hand. */

#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/html_svg.h"
#include "report/svg_path.h"
#include "tap.h"

#define HEAD                                                                                       \
    "<svg class=\"f\" role=\"img\" aria-labelledby=\"i-t i-d\" width=\"60\" height=\"40\" "        \
    "viewBox=\"0 0 60 40\">\n<title id=\"i-t\">A &lt;title&gt;</title>\n"                          \
    "<desc id=\"i-d\">what is &lt; shown</desc>\n"
#define SVG(inside)                                                                                \
    "<?xml version=\"1.0\"?>\n<svg\n width=\"60\" height='40'><title>Gnuplot</title><desc>what "   \
    "is &lt; shown</desc>" inside "</svg>\n"
#define MARK(place) "<use xlink:href='#a' transform='translate(" place ") scale(2)'/>"
#define MARKED(place) "<use transform=\"translate(" place ") scale(2)\" href=\"#i-a\"/>"

static const struct {
    const char *what, *svg, *want;
} rows[] = {
    {"nothing", SVG(""), HEAD},
    {"titles within", SVG("<g><title>one</title><desc>two</desc></g>"), HEAD},
    {"a line, its colour, its place",
     SVG("<g fill=\"none\" color=\"black\" stroke=\"currentColor\" stroke-width=\"1.30\">\n<g/>"
         "<path stroke='rgb(  0, 114, 178)'  d='M1.04,2.06 L11.04,2.06 L11.04,12.06  '/></g>"),
     HEAD "<path stroke=\"#0072b2\" d=\"M1 2.1h10v10\"/>"},
    {"ink and paper", SVG("<rect x='0' fill='#FFFFFF'/><rect x='1' fill=\"rgb(34,34,34)\"/>"),
     HEAD "<rect fill=\"var(--paper)\" x=\"0\"/><rect fill=\"currentColor\" x=\"1\"/>"},
    {"the paper's colour is not the ink's",
     SVG("<g color=\"white\" stroke=\"currentColor\"><path stroke='black' d='M0,0 L1,1'/></g>"),
     HEAD "<path color=\"var(--paper)\" stroke=\"var(--ink)\" d=\"M0 0l1 1\"/>"},
    {"text at its place",
     SVG("<g transform=\"translate(5.25,7)\" stroke=\"none\" fill=\"black\" font-size=\"12.00\" "
         "text-anchor=\"end\">\n<text><tspan font-family=\"x\">a &lt; b</tspan></text></g>"),
     HEAD "<text x=\"5.3\" y=\"7\" font-size=\"12\" class=\"e\">a &lt; b</text>"},
    {"text about its place",
     SVG("<g transform=\"translate(5.25,7)\" stroke=\"none\" fill=\"black\" font-size=\"15.00\" "
         "text-anchor=\"middle\">\n<text>a<tspan font-style=\"normal\">b</tspan></text></g>"),
     HEAD "<text x=\"5.3\" y=\"7\" class=\"m\">ab</text>"},
    {"text that is turned",
     SVG("<g transform=\"translate(5,7) rotate(270)\" fill=\"#ff0000\" font-size=\"15.00\"><text>"
         "<tspan font-style=\"italic\">v</tspan></text></g>"),
     HEAD "<text transform=\"translate(5,7) rotate(270)\" style=\"fill:#ff0000\"><tspan "
          "class=\"i\">v</tspan></text>"},
    {"definitions that are used, under names of the page",
     SVG("<defs><circle id='a' r='1'/><use xlink:href='#a' id='b'/><circle id='c' r='2'/></defs>"
         "<use xlink:href='#b' transform='scale(2)'/>"),
     HEAD "<defs><circle r=\"1\" id=\"i-a\"/><use id=\"i-b\" href=\"#i-a\"/></defs>"
          "<use transform=\"scale(2)\" href=\"#i-b\"/>"},
    {"three marks stay elements",
     SVG("<defs><circle id='a' r='1'/></defs>" MARK("1.04,2") MARK("2,2") MARK("3,2")),
     HEAD "<defs><circle r=\"1\" id=\"i-a\"/></defs>" MARKED("1.04,2") MARKED("2,2") MARKED("3,2")},
    {"more are the corners of a path, those of another kind of their own, in the order of drawing",
     SVG("<defs><circle id='a' r='1'/></defs>" MARK("1.04,2") MARK("2,2") MARK("3,1.5")
             MARK("3.04,1.52") MARK("-1,20") "<use xlink:href='#a' transform='translate(1,1) "
                                             "scale(3)'/><rect x='1'/>" MARK("5,5")),
     HEAD
     "<defs><circle r=\"1\" id=\"i-a\"/></defs><marker id=\"i-m1\" "
     "markerUnits=\"userSpaceOnUse\" overflow=\"visible\"><use transform=\"scale(2)\" "
     "href=\"#i-a\"/></marker><path stroke=\"none\" marker-start=\"url(#i-m1)\" "
     "marker-mid=\"url(#i-m1)\" marker-end=\"url(#i-m1)\" d=\"M1 2l1 0 1-.5-4 18.5\"/>"
     "<use transform=\"translate(1,1) scale(3)\" href=\"#i-a\"/><rect x=\"1\"/>" MARKED("5,5")},
    {"a polygon, all of it", SVG("<polygon fill='#00ff00' points='0,0 5,0 5,5'/>"),
     HEAD "<path fill=\"#00ff00\" d=\"M0 0h5v5z\"/>"},
    {"gridlines go with the page", SVG("<path class='gridline' stroke='red' d='M0,0 L3,0'/>"),
     HEAD "<path class=\"g\" d=\"M0 0h3\"/>"},
    /* lines of axes are gathered where nothing else stands between them: grid, ink, text */
    {"lines of axes",
     SVG("<path class='gridline' d='M0,9 L3,9'/><path d='M0,9 L1,9'/><text>a</text>"
         "<path class='gridline' d='M0,5 L3,5'/><path d='M0,5 L1,5'/><text>b</text>"
         "<path stroke='red' d='M0,0 L3,3'/><path d='M0,0 L0,9'/><text>c</text>"),
     HEAD "<path class=\"g\" d=\"M0 9h3M0 5h3\"/><path d=\"M0 9h1M0 5h1\"/><text>a</text>"
          "<text>b</text><path stroke=\"red\" d=\"M0 0l3 3\"/><path d=\"M0 0v9\"/>"
          "<text>c</text>"},
    {"but not across a group that moves them",
     SVG("<path d='M0,9 L1,9'/><g transform='scale(2)'><path d='M0,8 L1,8'/></g>"
         "<path d='M0,7 L1,7'/>"),
     HEAD "<path d=\"M0 9h1\"/><g transform=\"scale(2)\"><path d=\"M0 8h1\"/></g>"
          "<path d=\"M0 7h1\"/>"},
    /* what runs, loads or leads away */
    {"scripts", SVG("<script>alert(1)</script><g><script href='x'/></g>"), HEAD},
    {"what scripts contain", SVG("<foreignObject><rect x='1'/><text>x</text></foreignObject>"),
     HEAD},
    {"handlers", SVG("<rect x='1' onclick='alert(1)' onload=\"x\"/>"), HEAD "<rect x=\"1\"/>"},
    {"styles and classes", SVG("<rect x='1' style='fill:url(x)' class='fold'/>"),
     HEAD "<rect x=\"1\"/>"},
    {"other places",
     SVG("<use href='http://a/#b'/><use href='x#b'/><image href='#a'/><a href='#x'>t</a>"
         "<rect x='1' fill='url(#a)'/><rect x='2' fill=' URL(http://x)'/>"),
     HEAD "<use/><use/><rect x=\"1\"/><rect x=\"2\"/>"},
    {"animations", SVG("<rect x='1'><set attributeName='href' to='x'/></rect>"), HEAD},
    {"markup in a value", SVG("<rect x='\"&gt;&lt;b>'/>"), HEAD "<rect/>"},
    {"markup in a path", SVG("<path d='M0,0 L1,1\"onload=x'/>"), HEAD "<path d=\"\"/>"},
    {"a comment", SVG("<!-- <script> --><rect x='1'/><!DOCTYPE x>"), HEAD "<rect x=\"1\"/>"},
};
enum { NROW = sizeof rows / sizeof rows[0] };

static const struct {
    const char *svg, *error;
} bad[] = {
    {"", "gnuplot drew no SVG: it does not end"},
    {"<g></g>", "gnuplot drew no SVG"},
    {"<svg width='1' height='1'><g>", "gnuplot drew no SVG: it does not end"},
    {"<svg width='1' height='1'></g></svg>", "gnuplot drew no SVG: </g> ends nothing"},
    {"<svg width='1' height='1'><g x='1></svg>", "gnuplot drew no SVG: a tag does not end"},
    {"<svg></svg>", "gnuplot drew a figure without a size"},
};
enum { NBAD = sizeof bad / sizeof bad[0] };

/* Path data, and what is left of it. */
static const struct {
    const char *data, *want;
} paths[] = {
    {"M0,0 L10,0 L20,0 L20,5", "M0 0h20v5"},
    /* turning back is no straight line */
    {"M0,0 L10,0 L5,0", "M0 0h10h-5"},
    {"M0,0 L10,0.3 L20,0", "M0 0l10 .3l10-.3"},
    {"M1.25,1 L2.25,2 M5,5 L6,5 z", "M1.3 1l1 1m2.7 3h1z"},
    {"M0,0 C1,1 2,2 3,3", "M0,0 C1,1 2,2 3,3"},
    {"-1.26,0 3,0", "M-1.3 0h4.3"},
    /* of moves after which nothing is drawn nothing is left */
    {"M0,0 L3,0 M5,5 M7,1", "M0 0h3"},
    {"M0,0 M5,5 L7,5 M1,1 L2,1", "M5 5h2m-6-4h1"},
    {"M9,9", ""},
    /* many corners about a circle are the circle, and the next place counts from its left */
    {"M30.00,30.00 L29.24,33.83 L27.07,37.07 L23.83,39.24 L20.00,40.00 L16.17,39.24 L1"
     "2.93,37.07 L10.76,33.83 L10.00,30.00 L10.76,26.17 L12.93,22.93 L16.17,20.76 L20."
     "00,20.00 L23.83,20.76 L27.07,22.93 L29.24,26.17 L30.00,30.00"
     " M1,1 L2,1",
     "M10 30a10 10 0 1 0 20 0a10 10 0 1 0-20 0m-9-29h1"},
    /* of an ellipse nothing of the kind */
    {"M30.00,30.00 L28.66,33.00 L25.00,35.20 L20.00,36.00 L15.00,35.20 L11.34,33.00 L1"
     "0.00,30.00 L11.34,27.00 L15.00,24.80 L20.00,24.00 L25.00,24.80 L28.66,27.00 L30."
     "00,30.00",
     "M30 30l-1.3 3l-3.7 2.2l-5 .8l-5-.8l-3.7-2.2l-1.3-3l1.3-3l3.7-2.2l5-.8l5 .8l3.7 2.2l1.3 3"},
    {"M30.00,30.00 L28.66,34.75 L25.00,38.23 L20.00,39.50 L15.00,38.23 L11.34,34.75 L10.00,30.00 "
     "L11.34,25.25 L15.00,21.77 L20.00,20.50 L25.00,21.77 L28.66,25.25 L30.00,30.00",
     "M30 30l-1.3 4.8l-3.7 3.4l-5 1.3l-5-1.3l-3.7-3.4l-1.3-4.8l1.3-4.7l3.7-3.5l5-1.3l5 1.3l3.7 "
     "3.5l1.3 4.7"},
    /* nor where it does not close */
    {"M30,30 L28.7,35 L25,38.7 L20,40 L15,38.7 L11.3,35 L10,30 L11.3,25 L15,21.3 L20,20 L25,21.3 "
     "L28.7,25",
     "M30 30l-1.3 5l-3.7 3.7l-5 1.3l-5-1.3l-3.7-3.7l-1.3-5l1.3-5l3.7-3.7l5-1.3l5 1.3l3.7 3.7"},
};
enum { NPATH = sizeof paths / sizeof paths[0] };

static void check(const char *svg, const char *want, const char *error, const char *what)
{
    const struct cf_html_svg figure = {"i", "A <title>"};
    struct cf_error err = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        exit(99);
    int status = cf_html_svg(&figure, svg, strlen(svg), out, &err);
    fclose(out);
    ok((status != CF_OK) == (error != NULL), "%s: %s", what, error ? "an error" : "no error");
    if (error)
        is_str(err.text, error, "%s", error);
    else
        is_str(text, want, "%s", what);
    free(text);
}

TEST(html_svg)
{
    char want[2000];

    plan(2 * NROW + 2 * NBAD + NPATH);
    for (size_t i = 0; i < NROW; i++) {
        snprintf(want, sizeof want, "%s</svg>\n", rows[i].want);
        check(rows[i].svg, want, NULL, rows[i].what);
    }
    for (size_t i = 0; i < NBAD; i++)
        check(bad[i].svg, NULL, bad[i].error, bad[i].svg);
    for (size_t i = 0; i < NPATH; i++) {
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        if (!out)
            exit(99);
        cf_svg_path(paths[i].data, strlen(paths[i].data), out);
        fclose(out);
        is_str(text, paths[i].want, "%s", paths[i].data);
        free(text);
    }
    return done();
}
