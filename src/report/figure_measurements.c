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
#include "report/law_style.h"
#include "report/layout.h"
#include "report/observation.h"
#include "report/set_points.h"

/* The main channels have figures of their own. */
static bool has_panel(const json_t *fit, const struct cf_shown_channel *channel)
{
    size_t i;
    json_t *row;

    if (cf_shown_is_main(fit, channel))
        return false;
    json_array_foreach(json_object_get(fit, "observations"), i, row)
    {
        if (cf_shown_has(fit, channel, row) && cf_point_use(row) != CF_POINT_EXCLUDED)
            return true;
    }
    return false;
}

/* How many are drawn. */
static size_t rows_of(const json_t *fit, const struct cf_shown_channel *channel)
{
    size_t i, n = 0;
    json_t *row;

    json_array_foreach(json_object_get(fit, "observations"), i, row)
    {
        n += cf_shown_has(fit, channel, row) && cf_point_use(row) != CF_POINT_EXCLUDED;
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

static bool datum_of(const json_t *row, struct cf_scaling by, struct cf_datum *out)
{
    *out = cf_observation_datum(row, by);
    return cf_point_use(row) != CF_POINT_EXCLUDED;
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
        if (!cf_shown_has(fit, channel, item) || cf_point_use(item) == CF_POINT_EXCLUDED)
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
    size_t all = rows_of(fit, channel);
    struct cf_set_points points = {
        .fit = fit,
        .channel = channel,
        .kind = all < CF_POINTS_WITHOUT_BARS ? CF_SERIES_BARS : CF_SERIES_POINTS,
        .size = cf_set_points_size(all),
        .datum = datum_of,
        .key = CF_KEY_PANEL,
    };
    struct cf_panel *panel = cf_stack_add_panel(stack, chart);
    struct cf_range x = CF_RANGE_EMPTY, y = CF_RANGE_EMPTY;
    struct cf_curve_choice curves;
    int status;

    find_ranges(fit, channel, &x, &y);
    struct cf_prefix prefix = cf_unit_for(channel->unit, fmax(fabs(y.low), fabs(y.high)));
    points.by = cf_fit_headline_scaling(channel, x, y);
    y.low *= prefix.factor;
    y.high *= prefix.factor;
    cf_range_pad(&y, 0.15);
    cf_axis_linear(&panel->y, y);
    cf_axis_abscissa(&panel->x, &channel->axis, x, !channel->axis.linear && x.high > 1.5 * x.low);
    cf_axis_label(&panel->y.label, channel->label, "", prefix.symbol, prefix.unit);
    status = cf_fit_curves_choose(fit, channel, NULL, NULL, NULL, &curves, err);
    for (size_t i = 0; !status && i < curves.n; i++)
        cf_fit_curve_own(panel, cf_law_style(cf_view_text(fit, "law")), curves.curve[i],
                         (struct cf_range) CF_RANGE_EMPTY, points.by);
    free(curves.curve);
    cf_set_points_add(&points, panel);
    return status;
}

static int make_chart(const json_t *fit, struct cf_chart *chart, struct cf_error *err)
{
    const struct cf_stack stack = {
        .height = 3.2, .count = panels(fit), .above = 0.15, .abreast = true};

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
    fputs(", with error bars of one <i>&sigma;</i> where points are few; open points were held "
          "out, and "
          "data sets have the markers of the main figure. The line is ",
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
