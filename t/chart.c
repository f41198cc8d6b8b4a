/* Charts: figures as data, and what becomes of their texts on the way to gnuplot. */

#define _POSIX_C_SOURCE 200809L

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/axis.h"
#include "report/figure.h"
#include "report/gnuplot.h"
#include "report/layout.h"
#include "report/render.h"
#include "report/text_width.h"
#include "tap.h"

/* A text as "roman/italic(+1)": faces by their first letter, levels in brackets. */
static const char *spelt(const struct cf_text *text)
{
    static char out[1024];
    size_t at = 0;

    out[0] = '\0';
    for (size_t i = 0; i < text->nrun; i++)
        at += (size_t) snprintf(out + at, sizeof out - at, "%c%+d:%s|", "rib"[text->run[i].face],
                                text -> run[i].level, cf_text_letters(text, i));
    return out;
}

/* Letters in the order of Unicode from alpha, U+03B1, on. */
static void greek(void)
{
    static const char *const name[] = {
        "alpha", "beta",   "gamma",   "delta", "epsilon", "zeta", "eta",  "theta", "iota",
        "kappa", "lambda", "mu",      "nu",    "xi",      NULL,   "pi",   "rho",   NULL,
        "sigma", "tau",    "upsilon", "phi",   "chi",     "psi",  "omega"};
    const double high = cf_letters_width("\u2603"); /* of a letter whose width is not known */

    for (int i = 0; i < 25; i++) {
        unsigned code = 0x3b1 + (unsigned) i;
        char letter[] = {(char) (0xc0 | code >> 6), (char) (0x80 | (code & 63)), '\0'}, want[40];
        struct cf_text text = {0};
        if (!name[i])
            continue;
        snprintf(want, sizeof want, "i+0:%s|", letter);
        cf_text_symbol(&text, name[i]);
        ok(strcmp(spelt(&text), want) == 0 && cf_text_width(&text) != high, "%s: %s", name[i],
           spelt(&text));
    }
}

static void texts(void)
{
    struct cf_text symbol = {0}, unit = {0}, joined = {0}, other = {0}, cut = {0};

    cf_text_symbol(&symbol, "lambda_star");
    is_str(spelt(&symbol), "i+0:λ*|", "a symbol that has one of its own");
    symbol = (struct cf_text){0};
    cf_text_symbol(&symbol, "mu_s");
    is_str(spelt(&symbol), "i+0:μ|r-1:s|", "a symbol with an index");
    symbol = (struct cf_text){0};
    cf_text_symbol(&symbol, "peak_force");
    is_str(spelt(&symbol), "r+0:peak_force|", "a name made of words");
    symbol = (struct cf_text){0};
    cf_text_symbol(&symbol, "e_at_1");
    is_str(spelt(&symbol), "i+0:e|r-1:at|r-2:1|", "an index of an index");
    symbol = (struct cf_text){0};
    cf_text_symbol(&symbol, "kk_time");
    is_str(spelt(&symbol), "i+0:A|", "the symbol of a name made of words");
    cf_text_unit(&unit, "N s/m^1.5");
    is_str(spelt(&unit), "r+0:N s/m|r+1:1.5|", "a unit with its exponent");
    cf_text_unit(&unit, "/m^(p+1) s");
    is_str(spelt(&unit), "r+0:N s/m|r+1:1.5|r+0:/m|r+1:p+1|r+0: s|", "and one in brackets");
    cf_text_add(&joined, "a %d", 1);
    cf_text_add(&joined, "%s", "");
    cf_text_add(&joined, "%s", " b");
    is_str(spelt(&joined), "r+0:a 1 b|", "letters of a kind are one run");
    cf_text_power(&joined, -3);
    is_str(spelt(&joined), "r+0:a 1 b10|r+1:-3|", "a power of ten");
    cf_text_add(&other, "a 1 b10");
    ok(!cf_text_same(&joined, &other), "texts that differ");
    cf_text_put(&other, CF_FACE_ROMAN, 1, "-3");
    ok(cf_text_same(&joined, &other), "and are the same");
    for (int i = 0; i < 2 * CF_TEXT_SIZE; i++)
        cf_text_put(&cut, i % 2 ? CF_FACE_BOLD : CF_FACE_ITALIC, 0, "0123456789");
    ok(cut.nrun <= CF_TEXT_RUNS && cut.size <= CF_TEXT_SIZE &&
           strlen(cf_text_letters(&cut, 3)) == 10,
       "what has no room is left out");
}

static void axes(void)
{
    struct cf_chart chart;
    cf_chart_init(&chart, 4, 3);
    struct cf_panel *panel = cf_chart_add_panel(&chart);

    cf_axis_linear(&panel->y, (struct cf_range){-0.31, 0.52});
    ok(panel->y.tics == CF_TICS_STEP && panel->y.step == 0.2 && panel->y.decimals == 1,
       "round tics of a linear axis");
    cf_axis_log(&panel->x, (struct cf_range){0.15, 12}, 300);
    ok(panel->x.logarithmic && panel->x.ntic == 18, "%zu tics of two decades", panel->x.ntic);
    ok(panel->x.tic[0].value == 0.2 && strcmp(panel->x.tic[0].label, "0.2") == 0 &&
           panel->x.tic[1].label[0] == '\0',
       "labelled at 1, 2 and 5");
    ok(cf_prefix_for("s", 1.3e-3).factor == 1e3 && *cf_prefix_for("s", 1.3e-3).symbol == 'm',
       "a prefix");
    ok(cf_prefix_for("m/s", 1.3e-3).factor == 1, "none of a composed unit");
    cf_chart_free(&chart);
    ok(chart.npanel == 0 && chart.panel == NULL, "nothing is left of a chart that is freed");
}

/* A chart of many panels and points, which stay where they are. */
static void growth(void)
{
    enum { PANELS = 40, SERIES = 30, POINTS = 500 };
    struct cf_chart chart;
    struct cf_error err = {""};
    bool kept = true;

    cf_chart_init(&chart, 4, 3);
    struct cf_panel *first = cf_chart_add_panel(&chart);
    struct cf_chart_series *line =
        cf_panel_add_series(first, CF_SERIES_LINE, (struct cf_style){.colour = CF_BLUE});
    for (int i = 1; i < PANELS; i++)
        cf_chart_add_panel(&chart);
    for (int i = 1; i < SERIES; i++)
        cf_panel_add_series(first, CF_SERIES_POINTS, (struct cf_style){.colour = CF_INK});
    for (int i = 0; i < POINTS; i++)
        cf_series_add(line, (struct cf_datum){.x = i, .y = -i});
    for (int i = 0; i < POINTS; i++)
        kept = kept && line->datum[i].x == i && line->datum[i].y == -i;
    ok(chart.npanel == PANELS && chart.panel[0] == first && first->nseries == SERIES &&
           first->series[0] == line && line->n == POINTS && kept,
       "panels, series and points as they were added");
    for (int i = 0; i < 2 * CF_PANEL_RULES; i++)
        cf_panel_add_rule(first, (struct cf_rule){.x1 = i});
    ok(first->nrule == CF_PANEL_RULES, "rules that have room");
    ok(cf_chart_status(&chart, &err) == CF_OK, "nothing failed");
    line->failed = true;
    ok(cf_chart_status(&chart, &err) == CF_ENOMEM &&
           strcmp(err.text, "no memory for a figure") == 0,
       "a number that was lost is told");
    cf_chart_free(&chart);
}

/* Every row of a channel and use lies in a series, in order. */
static bool holds_rows(const struct cf_chart_series *series, const json_t *fit, const char *channel,
                       const char *use)
{
    size_t i, n = 0;
    json_t *row;
    bool held = true;

    json_array_foreach(json_object_get(fit, "observations"), i, row)
    {
        if (strcmp(json_string_value(json_object_get(row, "channel")), channel) != 0 ||
            strcmp(json_string_value(json_object_get(row, "use")), use) != 0)
            continue;
        held = held && n < series->n &&
               series->datum[n].x == json_number_value(json_object_get(row, "abscissa")) &&
               series->datum[n].y == json_number_value(json_object_get(row, "residual"));
        n++;
    }
    return held && n > 0 && n == series->n;
}

static void residuals(void)
{
    const char *srcdir = getenv("srcdir");
    char path[4096];
    struct cf_chart chart;
    struct cf_error err = {""};

    snprintf(path, sizeof path, "%s/t/fits/sample.json", srcdir ? srcdir : ".");
    json_t *fit = json_load_file(path, 0, NULL);
    ok(cf_figure_chart(cf_figure_find(fit, "residuals"), fit, &chart, &err) == CF_OK, "a chart %s",
       err.text);
    ok(chart.npanel == 2 && chart.width == 5.8 && chart.height == 5.4, "a panel a channel");
    const struct cf_panel *e = chart.panel[0], *duration = chart.panel[1];
    is_str(spelt(&e->heading), "r+0:coefficient of restitution|", "its heading");
    is_str(spelt(&duration->heading), "r+0:contact duration|", "and that of the other");
    is_str(spelt(&e->x.label), "r+0:approach speed |i+0:v|r+0: / (m/s)|", "label of the speed");
    is_str(spelt(&e->y.label), "r+0:residual / |i+0:σ|", "label of the residuals");
    ok(e->top > e->bottom && e->bottom > duration->top && e->left == duration->left,
       "one above the other");
    is_near(e->top, 5.05, 1e-12, "top of the upper frame");
    is_near(duration->bottom, 0.64, 1e-12, "bottom of the lower");
    ok(e->x.logarithmic && !e->y.logarithmic && e->y.range.low == -e->y.range.high, "axes");
    ok(e->strip.low == -2 && e->strip.high == 2 && e->strip.colour, "the strip of 2 sigma");
    ok(e->nrule == 1 && e->rule[0].y1 == 0 && isinf(e->rule[0].x1), "and the line of 0");
    ok(e->nseries == 3 && duration->nseries == 1, "a series a use");
    ok(holds_rows(e->series[0], fit, "restitution", "fit"), "fitted rows");
    ok(holds_rows(e->series[1], fit, "restitution", "held-out"), "rows held out");
    ok(holds_rows(e->series[2], fit, "restitution", "excluded"), "rows excluded");
    ok(holds_rows(duration->series[0], fit, "duration", "fit"), "and those of the other panel");
    is_str(spelt(&e->series[1]->title), "r+0:rebound, held out|", "titles where uses differ");
    is_str(spelt(&duration->series[0]->title), "r+0:contact time|", "and sets");
    ok(e->series[0]->kind == CF_SERIES_POINTS && e->series[0]->style.filled &&
           !e->series[1]->style.filled,
       "filled and open markers");
    cf_chart_free(&chart);
    json_decref(fit);
}

/* A chart of one point, whose texts are these. */
static struct cf_chart chart_with(const char *words, bool rich)
{
    struct cf_chart chart;

    cf_chart_init(&chart, 4, 3);
    chart.rich_key = rich;
    const struct cf_stack stack = {.height = 3, .count = 1, .above = 0.35};
    struct cf_panel *panel = cf_stack_add_panel(&stack, &chart);
    cf_axis_linear(&panel->x, (struct cf_range){0, 2});
    cf_axis_linear(&panel->y, (struct cf_range){0, 2});
    cf_text_put(&panel->x.label, CF_FACE_ITALIC, 0, "%s", words);
    cf_text_put(&panel->y.label, CF_FACE_ROMAN, -1, "%s", words);
    cf_stack_heading(panel, words);
    struct cf_chart_series *series = cf_panel_add_series(
        panel, CF_SERIES_POINTS, (struct cf_style){.colour = CF_INK, .marker = CF_MARKER_DIAMOND});
    cf_series_add(series, (struct cf_datum){.x = 1, .y = NAN});
    cf_series_add(series, (struct cf_datum){.x = 1, .y = 1});
    cf_series_title(series, CF_KEY_HEADING, 0, "%s", words);
    return chart;
}

/* The commands for a chart; the status in *status. */
static char *script_of(const struct cf_chart *chart, int *status, struct cf_error *err)
{
    char *script = NULL;
    size_t size;
    FILE *out = open_memstream(&script, &size);

    *status = cf_gnuplot_write(chart, "svg", out, err);
    fclose(out);
    return script;
}

/* Letters of an SVG without its elements and with its entities read. */
static char *letters_of(const char *svg)
{
    static const struct {
        const char *entity;
        char letter;
    } entities[] = {{"&lt;", '<'},    {"&gt;", '>'},   {"&amp;", '&'},
                    {"&apos;", '\''}, {"&#39;", '\''}, {"&quot;", '"'}};
    char *out = malloc(strlen(svg) + 1), *at = out;

    while (*svg) {
        bool read = false;
        if (*svg == '<') {
            svg += strcspn(svg, ">");
            svg += *svg == '>';
            continue;
        }
        for (size_t i = 0; i < sizeof entities / sizeof *entities && !read; i++)
            if (strncmp(svg, entities[i].entity, strlen(entities[i].entity)) == 0) {
                *at++ = entities[i].letter;
                svg += strlen(entities[i].entity);
                read = true;
            }
        if (!read)
            *at++ = *svg++;
    }
    *at = '\0';
    return out;
}

static size_t count_of(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        n++;
    return n;
}

/* Texts that would be commands, markup or formats if they were let: each is drawn as it stands, as
 * heading, label and title. */
static void hostile(void)
{
    static const char *const words[] = {
        "'; system('touch chart-pwned'); '",
        "`touch chart-pwned`",
        "a''; system('touch chart-pwned') ''''; b'",
        "'",
        "$(touch chart-pwned)",
        "\"; system(\"touch chart-pwned\")",
        "a_{b}^c@d&{e}~f{g}\\h\\\\",
        "%s %n %17g",
        "{/=50 x}",
        "\\",
        "EOD",
        "@macro # comment",
    };
    struct cf_plotter plotter = CF_PLOTTER;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (int rich = 0; rich < 2; rich++) {
            struct cf_chart chart = chart_with(words[i], rich);
            struct cf_error err = {""};
            char *bytes = NULL;
            size_t len;
            bool drawn = cf_chart_render(&chart, "svg", &plotter, &bytes, &len, &err) == CF_OK;
            char *letters = letters_of(bytes ? bytes : "");
            size_t n = count_of(letters, words[i]);
            /* gnuplot names the series in the SVG by its title, too, without some marks */
            ok(drawn && n >= 4, "%s in a %s key is drawn as it stands: %zu times %s", words[i],
               rich ? "rich" : "plain", n, err.text);
            free(letters);
            free(bytes);
            cf_chart_free(&chart);
        }
    cf_plotter_end(&plotter);
    ok(access("chart-pwned", F_OK) != 0, "and none was run");
}

static void refusals(void)
{
    struct cf_plotter plotter = CF_PLOTTER;
    struct cf_error err = {""};
    int status;
    struct cf_chart chart = chart_with("two\nlines", false);
    char *script = script_of(&chart, &status, &err);
    char *bytes;
    size_t len;

    ok(status == CF_EINPUT && !strstr(script, "\nlines"), "a line break stays out");
    is_str(err.text, "a figure cannot be drawn: a control character in a text", "and is refused");
    ok(cf_chart_render(&chart, "svg", &plotter, &bytes, &len, &err) == CF_EINPUT && !bytes &&
           len == 0,
       "nothing is drawn");
    free(script);
    cf_chart_free(&chart);

    chart = chart_with("words", false);
    chart.panel[0]->series[0]->style.colour = "red'; quit";
    script = script_of(&chart, &status, &err);
    ok(status == CF_EINPUT && !strstr(script, "quit"), "%s", err.text);
    free(script);
    chart.panel[0]->series[0]->style = (struct cf_style){.colour = CF_INK, .dash = "1,2); quit"};
    chart.panel[0]->series[0]->kind = CF_SERIES_LINE;
    script = script_of(&chart, &status, &err);
    ok(status == CF_EINPUT && !strstr(script, "quit"), "%s", err.text);
    free(script);
    chart.panel[0]->series[0]->style.dash = "1,2";
    script = script_of(&chart, &status, &err);
    ok(status == CF_OK && strstr(script, " 1 NaN\n 1 1\nEOD\n"), "what is no number is a gap");
    free(script);
    ok(cf_chart_render(&chart, "gif", &plotter, &bytes, &len, &err) == CF_EUSAGE && !bytes,
       "a format");
    is_str(err.text, "unknown format \"gif\": svg, pdf and png are known", "that is not known");
    cf_plotter_end(&plotter);
    cf_chart_free(&chart);
}

TEST(chart)
{
    plan(98);
    greek();
    texts();
    axes();
    growth();
    residuals();
    hostile();
    refusals();
    return done();
}
