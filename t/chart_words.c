/* What charts show, in words: charts are made here whose course is known, and the whole sentence is
 * compared. The same words as the description of an SVG. */

#define _POSIX_C_SOURCE 200809L
#include "report/chart_words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/axis.h"
#include "report/layout.h"
#include "report/render.h"
#include "tap.h"

/* A panel of an axis y from 0 to 100 over x from 1 to 1000. */
static struct cf_panel *begin(struct cf_chart *chart, const char *x, const char *y)
{
    const struct cf_stack stack = {.height = 3, .count = 1, .above = 0.35};

    cf_stack_chart(&stack, chart);
    struct cf_panel *panel = cf_stack_add_panel(&stack, chart);
    cf_axis_log(&panel->x, (struct cf_range){1, 1000}, 10);
    cf_axis_linear(&panel->y, (struct cf_range){0, 100});
    cf_text_add(&panel->x.label, "%s", x);
    cf_text_add(&panel->y.label, "%s", y);
    return panel;
}

static struct cf_chart_series *add(struct cf_panel *panel, enum cf_series_kind kind,
                                   const char *title, size_t n, const double y[])
{
    struct cf_chart_series *series =
        cf_panel_add_series(panel, kind, (struct cf_style){.colour = CF_INK});

    cf_text_add(&series->title, "%s", title);
    for (size_t i = 0; i < n; i++)
        cf_series_add(series, (struct cf_datum){.x = pow(10, (double) i), .y = y[i]});
    return series;
}

static void words_are(void (*words)(const struct cf_chart *chart, FILE *out),
                      const struct cf_chart *chart, const char *want, const char *what)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    words(chart, out);
    fclose(out);
    is_str(text, want, what);
    free(text);
}

static void courses(void)
{
    struct cf_chart chart;
    struct cf_panel *panel = begin(&chart, "speed v / (m/s)", "force F / N");
    struct cf_text *unit = &panel->y.label;

    cf_text_put(unit, CF_FACE_ROMAN, 1, "%s", "1.5");
    words_are(cf_chart_axes_words, &chart, "force F / N^1.5 against speed v / (m/s)", "its axes");
    words_are(cf_chart_words, &chart, "force F / N^1.5 against speed v / (m/s).", "an empty chart");
    add(panel, CF_SERIES_LINE, "law", 4, (double[]){10, 20, 30, 40.04});
    add(panel, CF_SERIES_POINTS, "rows", 4, (double[]){80, NAN, 55, -12.5});
    add(panel, CF_SERIES_BAND, "band", 2, (double[]){1, 2});
    add(panel, CF_SERIES_LINE, "", 3, (double[]){7, 8, 9});
    add(panel, CF_SERIES_BARS, "one", 1, (double[]){3});
    add(panel, CF_SERIES_LINE, "loop", 4, (double[]){5, 90, 5, 6});
    add(panel, CF_SERIES_LINE, "flat", 3, (double[]){50, 50.1, 50.2});
    words_are(cf_chart_words, &chart,
              "force F / N^1.5 against speed v / (m/s): law rising from 10 to 40; rows, 3 points, "
              "falling from 80 to −12.5; one, 1 point, at 3; loop between 5 and 90; flat at 50.1.",
              "each series with a name");
    cf_chart_free(&chart);
}

static void others(void)
{
    struct cf_chart chart;
    struct cf_panel *panel = begin(&chart, "", "");

    cf_text_add(&panel->heading, "A");
    add(panel, CF_SERIES_POINTS, "", 2, (double[]){7, 9});
    add(panel, CF_SERIES_LINE, "", 3, (double[]){9, 8, 1});
    words_are(cf_chart_words, &chart, "A: 2 points between 7 and 9; a curve falling from 9 to 1.",
              "where none has a name, all");
    panel->space = true;
    cf_text_add(&panel->x.label, "x");
    cf_text_add(&panel->y.label, "y");
    cf_text_add(&panel->z.label, "z");
    words_are(cf_chart_words, &chart, "A, x, y and z in space.", "in space");
    cf_chart_free(&chart);
}

static double twice(double at)
{
    return 2 * at;
}

/* Names instead of a quantity: a row each, from above. */
static void rows(void)
{
    struct cf_chart chart;
    struct cf_panel *panel = begin(&chart, "Delta", "");
    struct cf_chart_series *points;

    panel->y.tics = CF_TICS_LIST;
    panel->y.ntic = 0;
    cf_axis_add_tic(&panel->y, 1, "worst");
    cf_axis_add_tic(&panel->y, 2, "none");
    cf_axis_add_tic(&panel->y, 3, "best");
    points = cf_panel_add_series(panel, CF_SERIES_POINTS, (struct cf_style){.colour = CF_INK});
    cf_series_add(points, (struct cf_datum){.x = 7.5, .y = 1});
    cf_series_add(points, (struct cf_datum){.x = 0, .y = 3});
    cf_series_add(points, (struct cf_datum){.x = NAN, .y = 2});
    cf_series_add(points, (struct cf_datum){.x = -2, .y = 3});
    add(panel, CF_SERIES_LINE, "", 3, (double[]){1, 1, 1});
    words_are(cf_chart_words, &chart, "Delta: best at 0, −2; worst at 7.5.", "rows by their names");
    panel->x.stated = twice;
    words_are(cf_chart_words, &chart, "Delta: best at 0, −4; worst at 15.",
              "as the axis has their numbers");
    for (int i = 4; i < 16; i++) {
        cf_axis_add_tic(&panel->y, i, "r%d", i);
        cf_series_add(points, (struct cf_datum){.x = i, .y = i});
    }
    words_are(cf_chart_words, &chart,
              "Delta: r15 at 30; r14 at 28; r13 at 26; r12 at 24; r11 at 22; r10 at 20; r9 at 18; "
              "r8 at 16; r7 at 14; r6 at 12; r5 at 10; r4 at 8; and 3 more.",
              "of many the first twelve");
    cf_chart_free(&chart);
}

/* In an SVG. */
static void described(void)
{
    struct cf_chart chart;
    struct cf_panel *panel = begin(&chart, "a < b", "c & d");
    struct cf_plotter plotter = CF_PLOTTER;
    struct cf_error err = {""};
    char *svg = NULL;
    size_t len = 0;

    add(panel, CF_SERIES_BARS, "<i>", 2, (double[]){7, 9});
    add(panel, CF_SERIES_LINE, "", 2, (double[]){7, 9});
    int status = cf_chart_render(&chart, "svg", &plotter, &svg, &len, &err);
    cf_plotter_end(&plotter);
    ok(status == CF_OK && len == strlen(svg), "drawn %s", err.text);
    const char *text = svg ? svg : "";
    ok(strstr(text, "<title>c &amp; d against a &lt; b</title>"), "its title");
    ok(strstr(text,
              "<desc>c &amp; d against a &lt; b: &lt;i&gt;, 2 points, between 7 and 9.</desc>"),
       "its description");
    ok(!strstr(text, "<title>gnuplot_plot") && !strstr(text, "Produced by"),
       "and none of gnuplot's");
    ok(strstr(text, "<g id=\"gnuplot_plot_1"), "groups keep their ids");
    free(svg);
    cf_chart_free(&chart);
}

TEST(chart_words)
{
    plan(3 + 2 + 3 + 5);
    courses();
    others();
    rows();
    described();
    return done();
}
