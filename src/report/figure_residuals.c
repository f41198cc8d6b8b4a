/* Standardised residuals along the axis, a panel a channel: where a law fails it shows here. */

#include <math.h>
#include <string.h>

#include "document/view.h"
#include "report/axis.h"
#include "report/figures.h"
#include "report/html.h"
#include "report/layout.h"
#include "report/panels.h"
#include "report/set_points.h"

/* Is this a row of the panel? */
static bool is_shown(const json_t *fit, const json_t *row, const struct cf_shown_channel *channel)
{
    return cf_shown_has(fit, channel, row) && isfinite(cf_view_number(row, "residual"));
}

size_t cf_residuals_count(const json_t *fit, const struct cf_shown_channel *channel)
{
    size_t i, n = 0;
    json_t *row;
    json_array_foreach(json_object_get(fit, "observations"), i, row)
    {
        n += is_shown(fit, row, channel);
    }
    return n;
}

static size_t panels(const json_t *fit)
{
    struct cf_shown_channel c;
    size_t n = 0;

    for (size_t i = 0; cf_shown_channel(fit, i, &c); i++)
        n += cf_residuals_count(fit, &c) > 0;
    return n;
}

static bool applies(const json_t *fit)
{
    return panels(fit) > 0;
}

static bool datum_of(const json_t *row, struct cf_scaling by, struct cf_datum *out)
{
    *out = (struct cf_datum){.x = by.x * cf_view_number(row, "abscissa"),
                             .y = cf_view_number(row, "residual")};
    return isfinite(out->y);
}

/* At least three standard deviations each way, and as far as the residuals reach. */
static struct cf_range find_range(const json_t *fit, const struct cf_shown_channel *channel)
{
    struct cf_range y = {-3, 3};
    size_t i;
    json_t *row;

    json_array_foreach(json_object_get(fit, "observations"), i, row)
    {
        if (!is_shown(fit, row, channel) || cf_point_use(row) == CF_POINT_EXCLUDED)
            continue;
        double r = fabs(cf_view_number(row, "residual")) * 1.15;
        cf_range_include(&y, r);
        cf_range_include(&y, -r);
    }
    return y;
}

/* One range for all panels of a protocol, so that they can be compared. */
static struct cf_range axis_range(const json_t *fit, const struct cf_shown_channel *channel)
{
    struct cf_range x = CF_RANGE_EMPTY;
    size_t i;
    json_t *row;

    json_array_foreach(json_object_get(fit, "observations"), i, row)
    {
        if (cf_shown_in(fit, channel, cf_view_count(row, "data")))
            cf_range_include(&x, cf_view_number(row, "abscissa"));
    }
    return x;
}

void cf_residuals_add(const json_t *fit, const struct cf_shown_channel *channel, struct cf_range x,
                      bool logarithmic, struct cf_panel *panel)
{
    size_t n = cf_residuals_count(fit, channel);
    const struct cf_set_points points = {
        .fit = fit,
        .channel = channel,
        .kind = CF_SERIES_POINTS,
        .size = n < 80    ? 0.8
                : n < 400 ? 0.55
                          : 0.4,
        .by = {cf_axis_prefix(&channel->axis, x).factor, 1},
        .datum = datum_of,
        .key = CF_KEY_HEADING,
        .uses = true,
        .all_sets = true,
    };

    cf_axis_abscissa(&panel->x, &channel->axis, x, logarithmic);
    cf_axis_linear(&panel->y, find_range(fit, channel));
    cf_text_add(&panel->y.label, "residual / ");
    cf_text_symbol(&panel->y.label, "sigma");
    panel->strip = (struct cf_strip){-2, 2, CF_SKY, 0.18};
    cf_panel_add_rule(panel, (struct cf_rule){.x1 = -HUGE_VAL,
                                              .x2 = HUGE_VAL,
                                              .style = {.colour = CF_BLUE, .width = 1.2}});
    cf_set_points_add(&points, panel);
}

static void add_panel(const json_t *fit, const struct cf_shown_channel *channel,
                      const struct cf_stack *stack, struct cf_chart *chart)
{
    struct cf_range x = axis_range(fit, channel);
    struct cf_panel *panel = cf_stack_add_panel(stack, chart);

    cf_stack_heading(panel, channel->label);
    cf_residuals_add(fit, channel, x, !channel->axis.linear && x.high > 1.5 * x.low, panel);
}

static int make_chart(const json_t *fit, struct cf_chart *chart, struct cf_error *err)
{
    const struct cf_stack stack = {
        .height = 2.7, .count = panels(fit), .above = 0.35, .abreast = true};
    struct cf_shown_channel c;

    (void) err;
    cf_stack_chart(&stack, chart);
    chart->key_sample = CF_SAMPLE_MARKER;
    for (size_t i = 0; cf_shown_channel(fit, i, &c); i++)
        if (cf_residuals_count(fit, &c))
            add_panel(fit, &c, &stack, chart);
    return CF_OK;
}

static void caption(const json_t *fit, FILE *html)
{
    cf_words_html(
        fit,
        "Measured minus predicted, divided by <i>&sigma;</i>. Of the points of a law that holds, "
        "95 in "
        "100 lie in the shaded strip of &plusmn;2, without order in {axis}; a slope or a bow is "
        "the law&rsquo;s failure, or that of an error that neighbours share, as drag or drift. "
        "Data "
        "sets have the markers of the main figure; those that were held out are open.",
        html);
    cf_caption_points(fit, html);
}

const struct cf_figure cf_figure_residuals = {
    .name = "residuals",
    .title = "Residuals",
    .what = "(measured - predicted) / sigma against {axis}, a panel a channel",
    .applies = applies,
    .chart = make_chart,
    .caption = caption,
};
