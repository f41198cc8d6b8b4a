/* Stribeck curves: friction over the logarithm of the speed of sliding, both directions laid on
 * each other, forward solid and filled, backward dashed and open. On the axis of the main figure
 * all that happens at slow sliding is one vertical line. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/view.h"
#include "report/axis.h"
#include "report/figures.h"
#include "report/fit_curve.h"
#include "report/html.h"
#include "report/law_style.h"
#include "report/layout.h"
#include "report/observation.h"
#include "report/set_style.h"

/* Inches; share of the range left free over and under what is drawn. */
static const double panel_height = 3.7;
static const double room = 0.08;

/* A curve's places nearer to rest than this share of its end stand for the jump there. */
static const double at_rest = 1e-5;

/* Forward, or backward with speed and friction turned round. */
struct direction {
    int sign;
    const char *words, *dash;
};
static const struct direction directions[] = {{1, "forward", NULL}, {-1, "backward", "8,4"}};
enum { NDIRECTION = sizeof directions / sizeof *directions };

struct stribeck {
    const json_t *fit;
    struct cf_shown_channel shown;
    struct cf_range x, y; /* of what is measured, turned; the file's units */
    size_t n[NDIRECTION];
    struct cf_scaling by;
    struct cf_panel *panel;
};

/* A point that is drawn in a direction. */
static bool is_drawn(const struct stribeck *s, const json_t *point, const struct direction *way)
{
    return cf_shown_in(s->fit, &s->shown, cf_view_count(point, "data")) &&
           cf_point_use(point) != CF_POINT_EXCLUDED && isfinite(cf_view_number(point, "value")) &&
           way->sign * cf_view_number(point, "abscissa") > 0;
}

static struct cf_datum turned(struct cf_datum datum, const struct direction *way)
{
    if (way->sign < 0)
        return (struct cf_datum){.x = -datum.x,
                                 .y = -datum.y,
                                 .low = -datum.high,
                                 .high = -datum.low,
                                 .data = datum.data,
                                 .line = datum.line};
    return datum;
}

/* Ranges and numbers of points of the i-th main channel; false: it is no sliding. */
static bool find(const json_t *fit, size_t which, struct stribeck *s)
{
    size_t i;
    json_t *point;

    *s = (struct stribeck){.fit = fit, .x = CF_RANGE_EMPTY, .y = CF_RANGE_EMPTY};
    if (!cf_shown_main(fit, which, &s->shown) || !s->shown.axis.linear ||
        strcmp(s->shown.axis.name, "speed") != 0)
        return false;
    json_array_foreach(json_object_get(fit, "headline_points"), i, point)
    {
        for (size_t k = 0; k < NDIRECTION; k++) {
            struct cf_datum datum =
                turned(cf_observation_datum(point, (struct cf_scaling){1, 1}), &directions[k]);
            if (!is_drawn(s, point, &directions[k]))
                continue;
            s->n[k]++;
            cf_range_include(&s->x, datum.x);
            cf_range_include(&s->y, datum.low);
            cf_range_include(&s->y, datum.high);
        }
    }
    return s->x.low < s->x.high;
}

static size_t panels(const json_t *fit)
{
    struct cf_shown_channel shown;
    struct stribeck s;
    size_t n = 0;

    for (size_t i = 0; cf_shown_main(fit, i, &shown); i++)
        n += find(fit, i, &s);
    return n;
}

static bool applies(const json_t *fit)
{
    return panels(fit) > 0;
}

/* One kind of series of a curve: its line or its band. */
static struct cf_chart_series *add_part(const struct stribeck *s, const json_t *curve,
                                        const struct direction *way, enum cf_series_kind kind,
                                        struct cf_style style)
{
    const json_t *x = json_object_get(curve, "abscissa"), *y = json_object_get(curve, "value"),
                 *low = json_object_get(curve, "low"), *high = json_object_get(curve, "high");
    struct cf_chart_series *series = cf_panel_add_series(s->panel, kind, style);
    size_t n = json_array_size(x);
    double end = way->sign * cf_view_item(x, way->sign > 0 ? n - 1 : 0);

    for (size_t k = 0; k < n; k++) {
        size_t i = way->sign > 0 ? k : n - 1 - k;
        double at = way->sign * cf_view_item(x, i);
        if (at > at_rest * end)
            cf_series_add(series, turned((struct cf_datum){.x = s->by.x * cf_view_item(x, i),
                                                           .y = s->by.y * cf_view_item(y, i),
                                                           .low = s->by.y * cf_view_item(low, i),
                                                           .high = s->by.y * cf_view_item(high, i)},
                                         way));
    }
    return series;
}

static int add_curves(const struct stribeck *s, struct cf_error *err)
{
    struct cf_style style = cf_law_style(cf_view_text(s->fit, "law"));
    const char *law = cf_view_text(s->fit, "law");
    struct cf_curve_choice curves;
    int status = cf_fit_curves_choose(s->fit, &s->shown, NULL, NULL, NULL, &curves, err);

    style.width = 2.4;
    style.opacity = 0.2;
    for (size_t i = 0; i < curves.n && !status; i++)
        for (size_t k = 0; k < NDIRECTION; k++) {
            const json_t *curve = curves.curve[i];
            if (!s->n[k])
                continue;
            style.dash = NULL;
            if (json_is_array(json_object_get(curve, "low")))
                add_part(s, curve, &directions[k], CF_SERIES_BAND, style);
            style.dash = directions[k].dash;
            struct cf_chart_series *line =
                add_part(s, curve, &directions[k], CF_SERIES_LINE, style);
            if (i == 0)
                cf_series_title(line, CF_KEY_PANEL, k, "%s, %s",
                                cf_view_plain(law) ? law : "fitted law", directions[k].words);
        }
    free(curves.curve);
    return status;
}

/* The points of a data set in one direction; false: it has none. */
static bool add_points(const struct stribeck *s, size_t set, size_t k)
{
    const double small = 0.75;
    struct cf_chart_series *series[CF_NPOINT_USE] = {NULL};
    size_t i;
    json_t *point;

    json_array_foreach(json_object_get(s->fit, "headline_points"), i, point)
    {
        enum cf_point_use use = cf_point_use(point);
        if (cf_view_count(point, "data") != set || !is_drawn(s, point, &directions[k]))
            continue;
        if (!series[use]) {
            struct cf_style style = cf_set_style(set, use, directions[k].sign < 0);
            style.size *= small;
            series[use] = cf_panel_add_series(s->panel, CF_SERIES_BARS, style);
            cf_set_title(s->fit, series[use], CF_KEY_PANEL, set, use, true);
            cf_text_add(&series[use]->title, ", %s", directions[k].words);
            series[use]->rank += NDIRECTION + (size_t) CF_NPOINT_USE * k;
        }
        struct cf_datum datum = cf_observation_datum(point, s->by);
        datum.data = set;
        datum.line = cf_view_count(point, "line");
        cf_series_add(series[use], turned(datum, &directions[k]));
    }
    return series[CF_POINT_FIT] || series[CF_POINT_HELD_OUT];
}

static int add_panel(struct stribeck *s, const struct cf_stack *stack, struct cf_chart *chart,
                     struct cf_error *err)
{
    size_t ndata = json_array_size(json_object_get(s->fit, "data"));
    bool titled[NDIRECTION] = {false};
    int status;

    s->by = cf_fit_headline_scaling(&s->shown, s->x, s->y);
    s->panel = cf_stack_add_panel(stack, chart);
    cf_axis_abscissa(&s->panel->x, &s->shown.axis, s->x, true);
    cf_fit_headline_axis(&s->panel->y, &s->shown, s->y, room);
    status = add_curves(s, err);
    for (size_t set = 0; set < ndata && !status; set++)
        for (size_t k = 0; k < NDIRECTION; k++) {
            size_t before = s->panel->nseries;
            bool any = add_points(s, set, k);
            for (size_t i = before; titled[k] && i < s->panel->nseries; i++)
                s->panel->series[i]->title.nrun = 0;
            titled[k] = titled[k] || any;
        }
    return status;
}

static int make_chart(const json_t *fit, struct cf_chart *chart, struct cf_error *err)
{
    const struct cf_stack stack = {.height = panel_height, .count = panels(fit), .above = 0.12};
    struct cf_shown_channel shown;
    struct stribeck s;
    int status = CF_OK;

    cf_stack_chart(&stack, chart);
    for (size_t i = 0; !status && cf_shown_main(fit, i, &shown); i++)
        if (find(fit, i, &s))
            status = add_panel(&s, &stack, chart, err);
    return status;
}

static void caption(const json_t *fit, FILE *html)
{
    fputs(
        "Friction against the magnitude of the speed, on a logarithmic axis: backward sliding is "
        "turned round, its points are open and its line is dashed. Where the two directions part, "
        "friction is not symmetric. Lines with bands: ",
        html);
    cf_html_text(html, cf_view_text(fit, "law"));
    fputs(" as fitted. Rows at rest are not drawn.", html);
    cf_caption_points(fit, html);
}

const struct cf_figure cf_figure_stribeck = {
    .name = "stribeck",
    .title = "Friction against the logarithm of the speed",
    .what = "of sliding: friction against log speed, both directions",
    .applies = applies,
    .chart = make_chart,
    .caption = caption,
};
