/* Posterior predictive: where replicates of the measurements lie that are drawn from the sampler's
 * posterior with the measurement's scatter, a panel a measured channel. Data that lie elsewhere are
 * not such as the law, with these errors, makes. */

#include <math.h>
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

static size_t curves_of(const json_t *fit, const struct cf_shown_channel *channel)
{
    size_t i, n = 0;
    json_t *curve;

    json_array_foreach(json_object_get(fit, "predictive"), i, curve)
    {
        n += cf_shown_has(fit, channel, curve) &&
             json_array_size(json_object_get(curve, "abscissa")) > 1;
    }
    return n;
}

static size_t panels(const json_t *fit)
{
    struct cf_shown_channel c;
    size_t n = 0;

    for (size_t i = 0; cf_shown_channel(fit, i, &c); i++)
        n += curves_of(fit, &c) > 0;
    return n;
}

static bool applies(const json_t *fit)
{
    return panels(fit) > 0;
}

/* What was fitted: replicates are of nothing else. */
static bool datum_of(const json_t *row, struct cf_scaling by, struct cf_datum *out)
{
    *out = cf_observation_datum(row, by);
    return cf_point_use(row) == CF_POINT_FIT;
}

static void find_ranges(const json_t *fit, const struct cf_shown_channel *channel,
                        struct cf_range *x, struct cf_range *y)
{
    size_t i;
    json_t *item;
    struct cf_datum datum;

    json_array_foreach(json_object_get(fit, "observations"), i, item)
    {
        if (!cf_shown_has(fit, channel, item) || !datum_of(item, (struct cf_scaling){1, 1}, &datum))
            continue;
        cf_range_include(x, datum.x);
        cf_range_include(y, datum.y);
    }
    json_array_foreach(json_object_get(fit, "predictive"), i, item)
    {
        if (!cf_shown_has(fit, channel, item))
            continue;
        for (size_t k = 0; k < json_array_size(json_object_get(item, "abscissa")); k++) {
            cf_range_include(x, cf_view_item(json_object_get(item, "abscissa"), k));
            cf_range_include(y, cf_view_item(json_object_get(item, "low"), k));
            cf_range_include(y, cf_view_item(json_object_get(item, "high"), k));
        }
    }
}

static void add_curves(const json_t *fit, const struct cf_shown_channel *channel,
                       struct cf_scaling by, struct cf_panel *panel)
{
    const struct cf_style law = cf_law_style(cf_view_text(fit, "law"));
    struct cf_style band = {.colour = law.colour, .opacity = 0.25},
                    middle = {.colour = law.colour, .width = 1.6};
    size_t i, n = 0;
    json_t *curve;

    json_array_foreach(json_object_get(fit, "predictive"), i, curve)
    {
        if (!cf_shown_has(fit, channel, curve))
            continue;
        cf_fit_curve(panel, CF_SERIES_BAND, band, curve, by);
        struct cf_chart_series *line = cf_fit_curve(panel, CF_SERIES_LINE, middle, curve, by);
        if (n++ == 0)
            cf_series_title(line, CF_KEY_HEADING, 0, "median of replicates");
    }
}

static void add_panel(const json_t *fit, const struct cf_shown_channel *channel,
                      const struct cf_stack *stack, struct cf_chart *chart)
{
    size_t all = json_array_size(json_object_get(fit, "observations"));
    struct cf_set_points points = {.fit = fit,
                                   .channel = channel,
                                   .kind = CF_SERIES_POINTS,
                                   .size = cf_set_points_size(all),
                                   .datum = datum_of,
                                   .key = CF_KEY_PANEL};
    struct cf_panel *panel = cf_stack_add_panel(stack, chart);
    struct cf_range x = CF_RANGE_EMPTY, y = CF_RANGE_EMPTY;

    find_ranges(fit, channel, &x, &y);
    points.by = cf_fit_headline_scaling(channel, x, y);
    cf_fit_headline_axis(&panel->y, channel, y, 0.08);
    cf_axis_abscissa(&panel->x, &channel->axis, x, !channel->axis.linear && x.high > 1.5 * x.low);
    add_curves(fit, channel, points.by, panel);
    cf_set_points_add(&points, panel);
}

static int make_chart(const json_t *fit, struct cf_chart *chart, struct cf_error *err)
{
    const struct cf_stack stack = {.height = 3.2, .count = panels(fit), .above = 0.35};
    struct cf_shown_channel c;

    (void) err;
    cf_stack_chart(&stack, chart);
    for (size_t i = 0; cf_shown_channel(fit, i, &c); i++)
        if (curves_of(fit, &c))
            add_panel(fit, &c, &stack, chart);
    return CF_OK;
}

/* Did rows share errors of groups that were sampled along? */
static bool has_groups(const json_t *fit)
{
    size_t i;
    json_t *number;

    json_array_foreach(json_object_get(json_object_get(fit, "posterior"), "noise"), i, number)
    {
        if (strcmp(cf_view_text(number, "kind"), "tau") == 0)
            return true;
    }
    return false;
}

static void caption(const json_t *fit, FILE *html)
{
    fputs("Points: what was fitted. Band: where ", html);
    cf_html_number(html, 100 * cf_view_number(json_object_get(fit, "posterior"), "level"), 4);
    fprintf(html,
            "&#8239;%% of new measurements in the same places%s would lie by the posterior of the "
            "parameters and the measurement&rsquo;s scatter, line: their median. If the law and "
            "its errors are right, that share of the points lies in the band.",
            has_groups(fit) ? ", each of a new group," : "");
    cf_caption_points(fit, html);
}

const struct cf_figure cf_figure_predictive = {
    .name = "predictive",
    .title = "Posterior predictive",
    .what = "replicates of the measurements by the posterior, over the data",
    .applies = applies,
    .chart = make_chart,
    .caption = caption,
};
