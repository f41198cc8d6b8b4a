/* Whatever was measured beside the main channel, a panel a channel along its axis, with the fitted
 * law and its band. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/view.h"
#include "report/axis.h"
#include "report/figures.h"
#include "report/fit_curve.h"
#include "report/html.h"
#include "report/layout.h"
#include "report/observation.h"

/* From so many rows on, points are small and have no bars, which would hide them. */
enum { MANY = 80, VERY_MANY = 800 };

/* The main channel has figures of its own. */
static bool has_panel(const json_t *fit, const struct cf_shown_channel *channel)
{
    struct cf_shown_channel headline;
    size_t i;
    json_t *row;

    if (cf_shown_headline(fit, &headline) && strcmp(channel->name, headline.name) == 0 &&
        strcmp(channel->protocol, headline.protocol) == 0)
        return false;
    json_array_foreach(json_object_get(fit, "observations"), i, row)
    {
        if (cf_shown_has(fit, channel, row) && strcmp(cf_view_text(row, "use"), "excluded") != 0)
            return true;
    }
    return false;
}

/* How many of this use there are. */
static size_t rows_of(const json_t *fit, const struct cf_shown_channel *channel, const char *use)
{
    size_t i, n = 0;
    json_t *row;

    json_array_foreach(json_object_get(fit, "observations"), i, row)
    {
        n += cf_shown_has(fit, channel, row) && strcmp(cf_view_text(row, "use"), use) == 0;
    }
    return n;
}

static size_t panels(const json_t *fit)
{
    struct cf_shown_channel c;
    size_t n = 0;

    for (size_t i = 0; cf_shown_channel(fit, i, &c); i++)
        n += has_panel(fit, &c);
    return n;
}

static bool applies(const json_t *fit)
{
    return panels(fit) > 0;
}

/* Nothing when there are none of this use. */
static void add_points(const json_t *fit, const struct cf_shown_channel *channel, const char *use,
                       struct cf_scaling by, struct cf_style style, struct cf_panel *panel)
{
    struct cf_chart_series *series = NULL;
    size_t i, all = rows_of(fit, channel, "fit") + rows_of(fit, channel, "held-out");
    bool bars = all < MANY;
    json_t *row;

    if (!bars)
        style.size *= all < VERY_MANY ? 0.6 : 0.35;

    json_array_foreach(json_object_get(fit, "observations"), i, row)
    {
        if (!cf_shown_has(fit, channel, row) || strcmp(cf_view_text(row, "use"), use) != 0)
            continue;
        if (!series)
            series = cf_panel_add_series(panel, bars ? CF_SERIES_BARS : CF_SERIES_POINTS, style);
        cf_series_add(series, cf_observation_datum(row, by));
    }
}

/* Ranges from the measurements and from the law between them. */
static void find_ranges(const json_t *fit, const struct cf_shown_channel *channel,
                        struct cf_range *x, struct cf_range *y)
{
    size_t i;
    json_t *item;

    json_array_foreach(json_object_get(fit, "observations"), i, item)
    {
        struct cf_datum datum = cf_observation_datum(item, (struct cf_scaling){1, 1});
        if (!cf_shown_has(fit, channel, item) || strcmp(cf_view_text(item, "use"), "excluded") == 0)
            continue;
        cf_range_include(x, datum.x);
        cf_range_include(y, datum.low);
        cf_range_include(y, datum.high);
        cf_range_include(y, cf_observation_predicted(item));
    }
}

static int add_panel(const json_t *fit, const struct cf_shown_channel *channel,
                     const struct cf_stack *stack, struct cf_chart *chart, struct cf_error *err)
{
    static const struct cf_style fitted = {.colour = CF_INK,
                                           .width = 1.2,
                                           .marker = CF_MARKER_CIRCLE,
                                           .filled = true,
                                           .size = 0.75},
                                 held_out = {.colour = CF_VERMILION,
                                             .width = 1.2,
                                             .marker = CF_MARKER_CIRCLE,
                                             .size = 0.95};
    struct cf_panel *panel = cf_stack_add_panel(stack, chart);
    struct cf_range x = CF_RANGE_EMPTY, y = CF_RANGE_EMPTY;
    struct cf_curve_choice curves;
    int status;

    find_ranges(fit, channel, &x, &y);
    struct cf_prefix prefix = cf_prefix_for(channel->unit, fmax(fabs(y.low), fabs(y.high)));
    struct cf_scaling by = cf_fit_headline_scaling(channel, x, y);
    y.low *= prefix.factor;
    y.high *= prefix.factor;
    cf_range_pad(&y, 0.15);
    cf_axis_linear(&panel->y, y);
    cf_axis_abscissa(&panel->x, &channel->axis, x, !channel->axis.linear && x.high > 1.5 * x.low);
    cf_axis_label(&panel->y.label, channel->label, "", prefix.symbol, channel->unit);
    status = cf_fit_curves_choose(fit, channel, NULL, NULL, NULL, &curves, err);
    for (size_t i = 0; !status && i < curves.n; i++)
        cf_fit_curve_own(panel, NULL, 0, curves.curve[i], by);
    free(curves.curve);
    add_points(fit, channel, "fit", by, fitted, panel);
    add_points(fit, channel, "held-out", by, held_out, panel);
    return status;
}

static int make_chart(const json_t *fit, struct cf_chart *chart, struct cf_error *err)
{
    const struct cf_stack stack = {.height = 3.2, .count = panels(fit), .above = 0.15};

    struct cf_shown_channel c;
    int status = CF_OK;

    cf_stack_chart(&stack, chart);
    for (size_t i = 0; !status && cf_shown_channel(fit, i, &c); i++)
        if (has_panel(fit, &c))
            status = add_panel(fit, &c, &stack, chart, err);
    return status;
}

static void caption(const json_t *fit, FILE *html)
{
    struct cf_shown_channel c;
    const char *axis = "", *between = "Measured ";

    for (size_t i = 0; cf_shown_channel(fit, i, &c); i++) {
        if (!has_panel(fit, &c))
            continue;
        if (*axis && strcmp(axis, c.axis.label) != 0) { /* a protocol with another axis */
            fputs(" against ", html);
            cf_html_text(html, axis);
        }
        fputs(between, html);
        cf_html_text(html, c.label);
        between = ", ";
        axis = c.axis.label;
    }
    fputs(" against ", html);
    cf_html_text(html, axis);
    fputs(", where they are few with one &sigma; each way; open points were held out. The line is ",
          html);
    cf_html_text(html, cf_view_text(fit, "law"));
    fputs(" as fitted, with the confidence band of the curve.", html);
    for (size_t i = 0; cf_shown_channel(fit, i, &c); i++) {
        struct cf_curve_choice curves;
        if (!has_panel(fit, &c) || cf_fit_curves_choose(fit, &c, NULL, NULL, NULL, &curves, NULL))
            continue;
        cf_fit_curves_caption(&curves, html);
        cf_observation_caption(fit, &c, html);
        free(curves.curve);
    }
    cf_caption_points(fit, html);
}

const struct cf_figure cf_figure_measurements = {
    .name = "measurements",
    .title = "Other measured quantities",
    .what = "what was measured beside {y}, against {axis}, a panel each",
    .applies = applies,
    .chart = make_chart,
    .caption = caption,
};
