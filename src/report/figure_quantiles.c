/* Quantiles of the standardised residuals against those of the normal distribution, a panel a
 * channel: tails, outliers and a sigma that is wrong show here. The band holds 95 % of the i-th
 * smallest of n normal numbers, which is distributed as the quantile of a beta variate of i and
 * n + 1 - i (David & Nagaraja, Order Statistics, 2003, section 2.1). */

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "document/view.h"
#include "report/axis.h"
#include "report/figures.h"
#include "report/html.h"
#include "report/layout.h"
#include "report/set_style.h"

enum { FEWEST = 5 };
static const double tail = 0.025; /* of the band */

static bool is_shown(const json_t *fit, const json_t *row, const struct cf_shown_channel *channel)
{
    return cf_shown_has(fit, channel, row) && cf_point_use(row) == CF_POINT_FIT &&
           isfinite(cf_view_number(row, "residual"));
}

static size_t rows_of(const json_t *fit, const struct cf_shown_channel *channel)
{
    const json_t *row;
    size_t i, n = 0;

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
        n += rows_of(fit, &c) >= FEWEST;
    return n;
}

static bool applies(const json_t *fit)
{
    return panels(fit) > 0;
}

struct ranked {
    double residual;
    size_t set;
};

static int by_residual(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return (x->residual > y->residual) - (x->residual < y->residual);
}

/* The quantile that the i-th smallest of n is compared with: that of its median place. */
static double normal_at(size_t i, size_t n, double share)
{
    return gsl_cdf_ugaussian_Pinv(gsl_cdf_beta_Pinv(share, (double) (i + 1), (double) (n - i)));
}

static void add_band(size_t n, struct cf_panel *panel)
{
    const struct cf_style shade = {.colour = CF_SKY, .opacity = 0.18};
    struct cf_chart_series *band = cf_panel_add_series(panel, CF_SERIES_BAND, shade);
    double end = normal_at(n - 1, n, 0.5);

    for (size_t i = 0; i < n; i++)
        cf_series_add(band, (struct cf_datum){.x = normal_at(i, n, 0.5),
                                              .low = normal_at(i, n, tail),
                                              .high = normal_at(i, n, 1 - tail)});
    cf_panel_add_rule(panel, (struct cf_rule){.x1 = -end,
                                              .y1 = -end,
                                              .x2 = end,
                                              .y2 = end,
                                              .style = {.colour = CF_BLUE, .width = 1.2}});
}

/* A series a data set, in the markers that it has in the other figures. */
static void add_points(const json_t *fit, const struct ranked *ranked, size_t n,
                       struct cf_panel *panel)
{
    size_t ndata = json_array_size(json_object_get(fit, "data"));

    for (size_t set = 0; set < ndata; set++) {
        struct cf_style style = cf_set_style(set, CF_POINT_FIT, false);
        struct cf_chart_series *series = NULL;
        style.size *= n < 80 ? 0.7 : n < 400 ? 0.5 : 0.35;
        for (size_t i = 0; i < n; i++) {
            if (ranked[i].set != set)
                continue;
            if (!series)
                series = cf_panel_add_series(panel, CF_SERIES_POINTS, style);
            cf_series_add(series,
                          (struct cf_datum){.x = normal_at(i, n, 0.5), .y = ranked[i].residual});
        }
        if (series && ndata > 1 && ndata <= CF_SETS_NAMED)
            cf_set_title(fit, series, CF_KEY_HEADING, set, CF_POINT_FIT, false);
    }
}

static int add_panel(const json_t *fit, const struct cf_shown_channel *channel, size_t n,
                     const struct cf_stack *stack, struct cf_chart *chart, struct cf_error *err)
{
    struct ranked *ranked = calloc(n, sizeof *ranked);
    struct cf_range y = {normal_at(0, n, tail), normal_at(n - 1, n, 1 - tail)};
    const json_t *row;
    size_t i, k = 0;

    if (!ranked)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", n);
    json_array_foreach(json_object_get(fit, "observations"), i, row)
    {
        if (is_shown(fit, row, channel))
            ranked[k++] =
                (struct ranked){cf_view_number(row, "residual"), cf_view_count(row, "data")};
    }
    qsort(ranked, n, sizeof *ranked, by_residual);
    cf_range_include(&y, ranked[0].residual);
    cf_range_include(&y, ranked[n - 1].residual);
    cf_range_pad(&y, 0.06);
    struct cf_panel *panel = cf_stack_add_panel(stack, chart);
    cf_stack_heading(panel, channel->label);
    cf_axis_linear(&panel->y, y);
    struct cf_range x = {normal_at(0, n, 0.5), normal_at(n - 1, n, 0.5)};
    cf_range_pad(&x, 0.06);
    cf_axis_linear(&panel->x, x);
    cf_text_add(&panel->x.label, "quantile of the normal distribution");
    cf_text_add(&panel->y.label, "residual / ");
    cf_text_symbol(&panel->y.label, "sigma");
    add_band(n, panel);
    add_points(fit, ranked, n, panel);
    free(ranked);
    return CF_OK;
}

static int make_chart(const json_t *fit, struct cf_chart *chart, struct cf_error *err)
{
    const struct cf_stack stack = {
        .height = 3, .count = panels(fit), .above = 0.35, .abreast = true};
    struct cf_shown_channel c;
    int status = CF_OK;

    cf_stack_chart(&stack, chart);
    chart->key_sample = CF_SAMPLE_MARKER;
    for (size_t i = 0; !status && cf_shown_channel(fit, i, &c); i++) {
        size_t n = rows_of(fit, &c);
        if (n >= FEWEST)
            status = add_panel(fit, &c, n, &stack, chart, err);
    }
    return status;
}

static void caption(const json_t *fit, FILE *html)
{
    fputs(
        "The residuals of the fitted rows, from the smallest to the largest, against what normal "
        "errors of the stated <i>&sigma;</i> would give (line; the band holds 95&#8239;% of each). "
        "Steeper than the line: <i>&sigma;</i> is too small, or the law fails; flatter: it is too "
        "large; "
        "ends that leave the band: outliers.",
        html);
    cf_caption_points(fit, html);
}

const struct cf_figure cf_figure_quantiles = {
    .name = "quantiles",
    .title = "Residuals against the normal distribution",
    .what = "quantiles of the residuals against normal ones (Q-Q), a panel a channel",
    .applies = applies,
    .chart = make_chart,
    .caption = caption,
};
