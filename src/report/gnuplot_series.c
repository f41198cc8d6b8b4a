/* The series of a panel, in gnuplot's language. */

#include <math.h>

#include "report/gnuplot_parts.h"

/* A number as gnuplot reads it. */
static void put_number(FILE *script, double value)
{
    if (isfinite(value))
        fprintf(script, " %.17g", value);
    else
        fputs(" NaN", script);
}

static void put_data(FILE *script, const struct cf_chart_series *series, bool space, size_t index)
{
    bool ends = series->kind == CF_SERIES_BARS || series->kind == CF_SERIES_BAND;

    fprintf(script, "$series%zu << EOD\n", index);
    for (size_t i = 0; i < series->n; i++) {
        const struct cf_datum *datum = &series->datum[i];
        put_number(script, datum->x);
        if (series->kind != CF_SERIES_BAND)
            put_number(script, datum->y);
        if (space)
            put_number(script, datum->z);
        if (ends) {
            put_number(script, datum->low);
            put_number(script, datum->high);
        }
        fputc('\n', script);
    }
    fputs("EOD\n", script);
}

static void put_marker(struct cf_gnuplot *to, const struct cf_style *style)
{
    static const int open[CF_NMARKER] = {
        [CF_MARKER_SQUARE] = 4,         [CF_MARKER_CIRCLE] = 6,   [CF_MARKER_TRIANGLE] = 8,
        [CF_MARKER_TRIANGLE_DOWN] = 10, [CF_MARKER_DIAMOND] = 12, [CF_MARKER_PENTAGON] = 14,
        [CF_MARKER_PLUS] = 1,           [CF_MARKER_STAR] = 3,     [CF_MARKER_CROSS] = 2,
    };
    bool filled = style->filled && style->marker < CF_MARKER_PLUS;
    double size = style->size > 0 ? style->size : 1;

    fprintf(to->script, " pointtype %d pointsize %g", open[style->marker] + filled,
            cf_marker_ringed(style) ? CF_RINGED_SIZE * size : size);
    cf_gnuplot_line(to, style);
}

/* The ring of an open marker that has no inside, and its part of the key's entry. */
static void put_ring(struct cf_gnuplot *to, const struct cf_chart *chart,
                     const struct cf_chart_series *series, bool space, size_t index)
{
    struct cf_style ring = series->style;
    bool curve = series->kind == CF_SERIES_LINE || series->kind == CF_SERIES_BAND;

    if (curve || !cf_marker_ringed(&series->style))
        return;
    ring.marker = CF_MARKER_CIRCLE;
    ring.size = CF_RING_SIZE * (ring.size > 0 ? ring.size : 1);
    fputs(", \\\n    ", to->script);
    if (series->n == 0)
        fputs("NaN", to->script);
    else
        fprintf(to->script, "$series%zu using 1:2%s", index, space ? ":3" : "");
    fputs(" with points", to->script);
    put_marker(to, &ring);
    if (series->title.nrun && series->place.x > 0) /* gnuplot gives no entry to an empty title */
        fprintf(to->script, " title \" \" at screen %.6f, screen %.6f",
                series->place.x / chart->width, series->place.y / chart->height);
    else
        fputs(" notitle", to->script);
}

/* Bars below their points, as strokes with an end across on either side: what gnuplot draws as
 * error bars is cleared away about each point, short bars as a whole. */
static void put_bars(struct cf_gnuplot *to, const struct cf_style *style, size_t index)
{
    fputs(" using 1:($4>$3?$3:NaN):(0):($4-$3) with vectors heads size screen 0.008,90 nofilled",
          to->script);
    cf_gnuplot_line(to, style);
    fprintf(to->script, " notitle, \\\n    $series%zu using 1:2", index);
}

static void put_clause(struct cf_gnuplot *to, const struct cf_chart_series *series, bool space,
                       size_t index)
{
    if (series->n == 0) /* an entry of the key */
        fputs("NaN", to->script);
    else
        fprintf(to->script, "$series%zu%s", index,
                series->kind == CF_SERIES_BARS            ? ""
                : series->kind == CF_SERIES_BAND || space ? " using 1:2:3"
                                                          : " using 1:2");
    switch (series->kind) {
    case CF_SERIES_LINE:
        fputs(" with lines", to->script);
        cf_gnuplot_line(to, &series->style);
        break;
    case CF_SERIES_POINTS:
        fputs(" with points", to->script);
        put_marker(to, &series->style);
        break;
    case CF_SERIES_BARS:
        if (series->n > 0)
            put_bars(to, &series->style, index);
        fputs(" with points", to->script);
        put_marker(to, &series->style);
        break;
    case CF_SERIES_BAND:
        fputs(" with filledcurves", to->script);
        cf_gnuplot_fill(to, series->style.colour, series->style.opacity);
    }
}

static void put_title(struct cf_gnuplot *to, const struct cf_chart *chart,
                      const struct cf_chart_series *series)
{
    if (!series->title.nrun) {
        fputs(" notitle", to->script);
        return;
    }
    fputs(" title ", to->script);
    cf_gnuplot_text(to, &series->title, chart->rich_key);
    if (series->place.x > 0)
        fprintf(to->script, " at screen %.6f, screen %.6f", series->place.x / chart->width,
                series->place.y / chart->height);
}

void cf_gnuplot_series(struct cf_gnuplot *to, const struct cf_chart *chart,
                       const struct cf_panel *panel)
{
    const char *between = panel->space ? "splot " : "plot ";

    for (size_t i = 0; i < panel->nseries; i++)
        if (panel->series[i]->n > 0)
            put_data(to->script, panel->series[i], panel->space, i);
    for (size_t i = 0; i < panel->nseries; i++) {
        if (panel->series[i]->n == 0 &&
            (panel->series[i]->title.nrun == 0 || panel->series[i]->kind == CF_SERIES_BAND))
            continue;
        fputs(between, to->script);
        put_clause(to, panel->series[i], panel->space, i);
        put_title(to, chart, panel->series[i]);
        put_ring(to, chart, panel->series[i], panel->space, i);
        between = ", \\\n    ";
    }
    fputc('\n', to->script);
}
