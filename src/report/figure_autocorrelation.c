/* Autocorrelation of the residuals over the rows of each data set, a panel a channel: neighbours
 * that share an error, or a law that fails along the axis, show here. In units of 1/sqrt(n), about
 * which that of n independent residuals scatters (Box & Jenkins, Time Series Analysis, 1970,
 * section 2.1.6), so that data sets of any size share one band. */

#include <math.h>
#include <stdlib.h>

#include "document/view.h"
#include "report/axis.h"
#include "report/figures.h"
#include "report/html.h"
#include "report/layout.h"
#include "report/set_style.h"

enum { FEWEST = 8, MOST_LAGS = 25 };

/* The residuals of a channel of one data set, in the order of rows. */
struct run {
    size_t n;
    double *residual;
};

static bool is_shown(const json_t *fit, const json_t *row, const struct cf_shown_channel *channel,
                     size_t set)
{
    return cf_view_count(row, "data") == set && cf_shown_has(fit, channel, row) &&
           cf_point_use(row) == CF_POINT_FIT && isfinite(cf_view_number(row, "residual"));
}

static size_t rows_of(const json_t *fit, const struct cf_shown_channel *channel, size_t set)
{
    const json_t *row;
    size_t i, n = 0;

    json_array_foreach(json_object_get(fit, "observations"), i, row)
    {
        n += is_shown(fit, row, channel, set);
    }
    return n;
}

static size_t sets_of(const json_t *fit)
{
    return json_array_size(json_object_get(fit, "data"));
}

static bool has_panel(const json_t *fit, const struct cf_shown_channel *channel)
{
    bool has = false;

    for (size_t set = 0; set < sets_of(fit); set++)
        has = has || rows_of(fit, channel, set) >= FEWEST;
    return has;
}

static size_t panels(const json_t *fit)
{
    struct cf_shown_channel c;
    size_t n = 0;

    for (size_t i = 0; cf_shown_channel(fit, i, &c); i++)
        n += has_panel(fit, &c);
    return n;
}

/* Neighbours are needed: a file that holds some of the rows has none. */
static bool applies(const json_t *fit)
{
    const json_t *points = json_object_get(fit, "points");

    return cf_view_count(points, "held") >= cf_view_count(points, "of") && panels(fit) > 0;
}

/* r_k sqrt(n) of k = 1..lags, about the mean of the run; false: the run is constant. */
static bool correlate(const double r[], size_t n, size_t lags, double out[])
{
    double mean = 0, variance = 0;

    for (size_t i = 0; i < n; i++)
        mean += r[i] / (double) n;
    for (size_t i = 0; i < n; i++)
        variance += (r[i] - mean) * (r[i] - mean);
    for (size_t k = 1; k <= lags && variance > 0; k++) {
        out[k - 1] = 0;
        for (size_t i = 0; i + k < n; i++)
            out[k - 1] += (r[i] - mean) * (r[i + k] - mean) / variance * sqrt((double) n);
    }
    return variance > 0;
}

static int add_set(const json_t *fit, const struct cf_shown_channel *channel, size_t set,
                   struct cf_panel *panel, struct cf_range *y, struct cf_error *err)
{
    struct cf_style style = cf_set_style(set, CF_POINT_FIT, false);
    size_t i, n = rows_of(fit, channel, set), k = 0, lags = n / 2 < MOST_LAGS ? n / 2 : MOST_LAGS;
    double *residual = calloc(n + 1, sizeof *residual), value[MOST_LAGS];
    const json_t *row;

    if (!residual)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", n);
    json_array_foreach(json_object_get(fit, "observations"), i, row)
    {
        if (is_shown(fit, row, channel, set))
            residual[k++] = cf_view_number(row, "residual");
    }
    if (correlate(residual, n, lags, value)) {
        style.size *= 0.7;
        struct cf_chart_series *series = cf_panel_add_series(panel, CF_SERIES_POINTS, style);
        for (k = 0; k < lags; k++) {
            cf_series_add(series, (struct cf_datum){.x = (double) k + 1, .y = value[k]});
            cf_range_include(y, value[k]);
        }
        if (sets_of(fit) > 1 && sets_of(fit) <= CF_SETS_NAMED)
            cf_set_title(fit, series, CF_KEY_HEADING, set, CF_POINT_FIT, false);
    }
    free(residual);
    return CF_OK;
}

static int add_panel(const json_t *fit, const struct cf_shown_channel *channel,
                     const struct cf_stack *stack, struct cf_chart *chart, struct cf_error *err)
{
    struct cf_panel *panel = cf_stack_add_panel(stack, chart);
    struct cf_range y = {-3, 3};
    size_t lags = 0;
    int status = CF_OK;

    for (size_t set = 0; !status && set < sets_of(fit); set++) {
        size_t n = rows_of(fit, channel, set);
        if (n < FEWEST)
            continue;
        status = add_set(fit, channel, set, panel, &y, err);
        lags = n / 2 > lags ? n / 2 : lags;
    }
    cf_stack_heading(panel, channel->label);
    cf_range_pad(&y, 0.06);
    cf_axis_linear(&panel->x,
                   (struct cf_range){0, (double) (lags < MOST_LAGS ? lags : MOST_LAGS) + 0.5});
    cf_axis_linear(&panel->y, y);
    cf_text_add(&panel->x.label, "rows apart");
    cf_text_add(&panel->y.label, "autocorrelation × √n");
    panel->strip = (struct cf_strip){-2, 2, CF_SKY, 0.18};
    cf_panel_add_rule(panel, (struct cf_rule){.x1 = -HUGE_VAL,
                                              .x2 = HUGE_VAL,
                                              .style = {.colour = CF_BLUE, .width = 1.2}});
    return status;
}

static int make_chart(const json_t *fit, struct cf_chart *chart, struct cf_error *err)
{
    const struct cf_stack stack = {
        .height = 2.7, .count = panels(fit), .above = 0.35, .abreast = true};
    struct cf_shown_channel c;
    int status = CF_OK;

    cf_stack_chart(&stack, chart);
    chart->key_sample = CF_SAMPLE_MARKER;
    for (size_t i = 0; !status && cf_shown_channel(fit, i, &c); i++)
        if (has_panel(fit, &c))
            status = add_panel(fit, &c, &stack, chart, err);
    return status;
}

static void caption(const json_t *fit, FILE *html)
{
    (void) fit;
    fprintf(
        html,
        "The correlation of residuals that stand so many rows apart in a data set of <i>n</i> "
        "rows, times &radic;<i>n</i>. With independent errors, 95 of 100 values lie in the shaded "
        "strip of &plusmn;2; the first few of a small data set lie lower. Values that fall slowly "
        "from above the strip: neighbours share an error, or the law fails along the axis. Values "
        "that alternate: two conditions were measured in turn. Data sets of fewer than %d rows are "
        "not shown.",
        FEWEST);
}

const struct cf_figure cf_figure_autocorrelation = {
    .name = "autocorrelation",
    .title = "Autocorrelation of the residuals",
    .what = "how alike residuals are that stand some rows apart, a panel a channel",
    .applies = applies,
    .chart = make_chart,
    .caption = caption,
};
