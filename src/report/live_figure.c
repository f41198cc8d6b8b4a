/* The chart of a figure as numbers for the script. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/json_value.h"
#include "report/live.h"
#include "report/live_points.h"
#include "report/thin.h"

/* Units of the script's drawing: as many as gnuplot's SVG has dots, so that widths are alike. */
static const double per_inch = CF_LIVE_PER_INCH;

/* Inches about the labels of tics, which the script draws anew. */
static const double half_line = 0.11, above_frame = 0.1;

/* Points of curves without which these are off by no more [units] are left out. Enlarged, as far as
 * the script is used, this is still less than the width of a line. */
static const double unseen = 0.05;

/* Parts of an axis to which curves are rounded: less than a thousandth of that. */
static const double seen = 1e-6;

/* Digits of coordinates: a screen shows 4, and values may lie far from 0. */
enum { DIGITS = 9 };

static json_t *length_of(double inches)
{
    return cf_json_number(per_inch * inches);
}

static void add_datum(json_t **list, const struct cf_datum *datum, bool ends)
{
    json_t *point = json_array();

    cf_json_add(&point, cf_json_number(datum->x));
    cf_json_add(&point, cf_json_number(datum->y));
    if (ends) {
        cf_json_add(&point, cf_json_number(datum->low));
        cf_json_add(&point, cf_json_number(datum->high));
    } else if (datum->line) { /* nothing is drawn there */
        cf_json_add(&point, cf_json_count(0));
        cf_json_add(&point, cf_json_count(0));
    }
    if (datum->line) {
        cf_json_add(&point, cf_json_count(datum->data));
        cf_json_add(&point, cf_json_count(datum->line));
    }
    cf_json_add(list, point);
}

/* How the script draws it, with what the style leaves out, without the points. */
static json_t *series_of(const char *kind, const struct cf_style *style, const char *title)
{
    static const char *const marker[CF_NMARKER] = {
        [CF_MARKER_SQUARE] = "square",     [CF_MARKER_CIRCLE] = "circle",
        [CF_MARKER_TRIANGLE] = "triangle", [CF_MARKER_TRIANGLE_DOWN] = "triangle down",
        [CF_MARKER_DIAMOND] = "diamond",   [CF_MARKER_PENTAGON] = "pentagon",
        [CF_MARKER_PLUS] = "plus",         [CF_MARKER_STAR] = "star",
        [CF_MARKER_CROSS] = "cross",
    };
    json_t *series = json_object();

    cf_json_put(&series, "kind", cf_json_text(kind));
    cf_json_put(&series, "title", cf_json_text(title));
    cf_json_put(&series, "colour", cf_json_text(style->colour ? style->colour : CF_INK));
    cf_json_put(&series, "width", cf_json_number(style->width > 0 ? style->width : 1));
    cf_json_put(&series, "dash", cf_json_text(style->dash ? style->dash : "none"));
    cf_json_put(&series, "opacity", cf_json_number(style->opacity > 0 ? style->opacity : 1));
    cf_json_put(&series, "size", cf_json_number(style->size > 0 ? style->size : 1));
    cf_json_put(&series, "marker", cf_json_text(marker[style->marker]));
    cf_json_put(&series, "filled", json_boolean(style->filled));
    cf_json_put(&series, "ring", cf_json_number(cf_marker_ringed(style) ? CF_RING_SIZE : 0));
    cf_json_put(&series, "inside", cf_json_number(cf_marker_ringed(style) ? CF_RINGED_SIZE : 1));
    return series;
}

/* From the lower left corner of the frame [units]. */
static double place_on(const struct cf_chart_axis *axis, double length, double value)
{
    double low = axis->range.low, high = axis->range.high;
    double share =
        axis->logarithmic ? log(value / low) / log(high / low) : (value - low) / (high - low);

    return per_inch * length * share;
}

/* Sets keep[] for the points of a curve, on the screen, without which it would look otherwise. */
static int thin(const struct cf_panel *panel, const struct cf_chart_series *series, bool keep[])
{
    static const double scale[] = {1, 1, 1};
    bool band = series->kind == CF_SERIES_BAND;
    double width = panel->right - panel->left, height = panel->top - panel->bottom;
    double *place = calloc(3 * series->n + 1, sizeof *place);
    const double *const axis[] = {place, place + series->n, place + 2 * series->n};
    int status;

    if (!place)
        return CF_ENOMEM;
    for (size_t i = 0; i < series->n; i++) {
        const struct cf_datum *datum = &series->datum[i];
        place[i] = place_on(&panel->x, width, datum->x);
        place[series->n + i] = place_on(&panel->y, height, band ? datum->low : datum->y);
        place[2 * series->n + i] = band ? place_on(&panel->y, height, datum->high) : 0;
    }
    status = cf_thin(band ? 3 : 2, axis, scale, series->n, unseen, keep, NULL);
    free(place);
    return status;
}

/* A coordinate of a curve, which is no measurement, as far as it is seen. */
static double rounded(const struct cf_chart_axis *axis, double value)
{
    double step = axis->logarithmic ? fabs(value) : axis->range.high - axis->range.low;

    step = pow(10, floor(log10(seen * step)));
    return step > 0 && isfinite(value) ? step * round(value / step) : value;
}

static struct cf_datum of_curve(const struct cf_panel *panel, const struct cf_datum *datum)
{
    return (struct cf_datum){.x = rounded(&panel->x, datum->x),
                             .y = rounded(&panel->y, datum->y),
                             .low = rounded(&panel->y, datum->low),
                             .high = rounded(&panel->y, datum->high)};
}

/* NULL where memory runs out. */
static json_t *points_of(const struct cf_panel *panel, const struct cf_chart_series *series)
{
    bool curve = series->kind == CF_SERIES_LINE || series->kind == CF_SERIES_BAND;
    bool ends = series->kind == CF_SERIES_BARS || series->kind == CF_SERIES_BAND;
    bool *keep = calloc(series->n + 1, sizeof *keep);
    json_t *points = keep && (!curve || !thin(panel, series, keep)) ? json_array() : NULL;

    for (size_t i = 0; i < series->n && points; i++) {
        struct cf_datum datum = curve ? of_curve(panel, &series->datum[i]) : series->datum[i];
        if (!curve || keep[i])
            add_datum(&points, &datum, ends);
    }
    free(keep);
    return points;
}

static json_t *chart_series_of(const json_t *fit, const struct cf_panel *panel,
                               const struct cf_chart_series *series)
{
    static const char *const kind[] = {
        [CF_SERIES_LINE] = "line",
        [CF_SERIES_POINTS] = "points",
        [CF_SERIES_BARS] = "bars",
        [CF_SERIES_BAND] = "band",
    };
    char title[CF_TEXT_SIZE] = "";
    size_t length = 0;

    /* runs fill no more than the text's own letters */
    for (size_t i = 0; i < series->title.nrun; i++)
        length += (size_t) snprintf(title + length, sizeof title - length, "%s",
                                    cf_text_letters(&series->title, i));
    json_t *object = series_of(kind[series->kind], &series->style, title);
    bool curve = series->kind == CF_SERIES_LINE || series->kind == CF_SERIES_BAND;
    if (curve || !cf_live_points(fit, series, &object))
        cf_json_put(&object, "points", points_of(panel, series));
    return object;
}

/* A series with these points, which are taken over. */
static json_t *with_points(json_t *series, json_t *points)
{
    cf_json_put(&series, "points", points);
    return series;
}

/* Ends at infinity are on the frame. */
static double on_frame(double value, const struct cf_range *range)
{
    return fmin(fmax(value, range->low), range->high);
}

static json_t *rule_of(const struct cf_panel *panel, const struct cf_rule *rule)
{
    const double x[] = {rule->x1, rule->x2}, y[] = {rule->y1, rule->y2};
    json_t *points = json_array();

    for (int i = 0; i < 2; i++) {
        struct cf_datum end = {.x = on_frame(x[i], &panel->x.range),
                               .y = on_frame(y[i], &panel->y.range)};
        add_datum(&points, &end, false);
    }
    return with_points(series_of("line", &rule->style, ""), points);
}

static json_t *strip_of(const struct cf_panel *panel)
{
    const double x[] = {panel->x.range.low, panel->x.range.high};
    const struct cf_style style = {.colour = panel->strip.colour, .opacity = panel->strip.opacity};
    json_t *points = json_array();

    for (int i = 0; i < 2; i++) {
        struct cf_datum end = {
            .x = x[i], .y = panel->strip.low, .low = panel->strip.low, .high = panel->strip.high};
        add_datum(&points, &end, true);
    }
    return with_points(series_of("band", &style, ""), points);
}

static json_t *axis_of(const struct cf_chart_axis *axis)
{
    json_t *object = json_object();

    cf_json_put(&object, "low", cf_json_number(axis->range.low));
    cf_json_put(&object, "high", cf_json_number(axis->range.high));
    cf_json_put(&object, "log", json_boolean(axis->logarithmic));
    return object;
}

/* Left, top, right, bottom, from the upper left corner of the chart. */
static json_t *box_of(const struct cf_chart *chart, double left, double top, double right,
                      double bottom)
{
    json_t *box = json_array();

    cf_json_add(&box, length_of(left));
    cf_json_add(&box, length_of(chart->height - top));
    cf_json_add(&box, length_of(right));
    cf_json_add(&box, length_of(chart->height - bottom));
    return box;
}

static json_t *panel_of(const json_t *fit, const struct cf_chart *chart,
                        const struct cf_panel *panel)
{
    json_t *object = json_object(), *series = json_array();

    cf_json_put(&object, "frame",
                box_of(chart, panel->left, panel->top, panel->right, panel->bottom));
    /* what the script's own drawing lies over: the frame with the labels of its tics, and not the
     * labels of its axes */
    cf_json_put(&object, "cover",
                box_of(chart, panel->y.label_at + half_line, panel->top + above_frame,
                       panel->to > 0 ? panel->to : chart->width, panel->x.label_at + half_line));
    cf_json_put(&object, "x", axis_of(&panel->x));
    cf_json_put(&object, "y", axis_of(&panel->y));
    if (panel->strip.colour)
        cf_json_add(&series, strip_of(panel));
    for (size_t i = 0; i < panel->nrule; i++)
        cf_json_add(&series, rule_of(panel, &panel->rule[i]));
    for (size_t i = 0; i < panel->nseries; i++)
        cf_json_add(&series, chart_series_of(fit, panel, panel->series[i]));
    cf_json_put(&object, "series", series);
    return object;
}

static bool is_live(const struct cf_chart *chart)
{
    size_t n = 0;

    for (size_t i = 0; i < chart->npanel; i++) {
        const struct cf_panel *panel = chart->panel[i];
        if (panel->space || !(panel->x.range.low < panel->x.range.high) ||
            !(panel->y.range.low < panel->y.range.high))
            return false;
        for (size_t k = 0; k < panel->nseries; k++)
            for (size_t j = 0; j < panel->series[k]->n; j++)
                n += panel->series[k]->datum[j].line > 0;
    }
    return n > 0;
}

int cf_live_figure(const json_t *fit, const struct cf_chart *chart, const char *prefix, FILE *out,
                   struct cf_error *err)
{
    json_t *document = NULL, *panels = NULL;

    if (!is_live(chart) || cf_live_count(fit) > CF_LIVE_ROWS)
        return CF_OK;
    document = json_object();
    panels = json_array();
    for (size_t i = 0; i < chart->npanel; i++)
        cf_json_add(&panels, panel_of(fit, chart, chart->panel[i]));
    cf_json_put(&document, "width", length_of(chart->width));
    cf_json_put(&document, "height", length_of(chart->height));
    cf_json_put(&document, "panels", panels);
    fprintf(out, "<script type=\"application/json\" class=\"live\" data-rows=\"%slive-rows\">",
            prefix);
    return cf_live_block(document, DIGITS, out, err);
}
