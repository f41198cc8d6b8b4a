/* The waterfall: where every start of the optimiser ended, best first. A long flat step at the
 * left is what a found optimum looks like. */

#include <math.h>

#include "document/view.h"
#include "report/axis.h"
#include "report/figures.h"
#include "report/layout.h"

static bool has_cost(const json_t *start)
{
    return isfinite(cf_view_number(start, "cost"));
}

static size_t count(const json_t *fit, bool at_optimum)
{
    size_t i, n = 0;
    json_t *start;
    json_array_foreach(json_object_get(fit, "starts"), i, start)
    {
        n += has_cost(start) && cf_view_true(start, "at_optimum") == at_optimum;
    }
    return n;
}

static bool applies(const json_t *fit)
{
    return count(fit, true) + count(fit, false) > 1;
}

/* Costs are shown as their rise over the best, and where that spans decades as 1 + rise on a
 * logarithmic axis, so that the best is still there. */
struct rise {
    double best, most;
    bool logarithmic;
};

static struct rise find_rise(const json_t *fit)
{
    struct cf_range cost = CF_RANGE_EMPTY;
    size_t i;
    json_t *start;

    json_array_foreach(json_object_get(fit, "starts"), i, start)
    {
        cf_range_include(&cost, cf_view_number(start, "cost"));
    }
    return (struct rise){cost.low, cost.high - cost.low, cost.high - cost.low > 50};
}

static struct cf_chart_series *add_starts(const json_t *fit, bool at_optimum,
                                          const struct rise *rise, struct cf_panel *panel,
                                          struct cf_style style)
{
    struct cf_chart_series *series = cf_panel_add_series(panel, CF_SERIES_POINTS, style);
    size_t i, rank = 0;
    json_t *start;

    json_array_foreach(json_object_get(fit, "starts"), i, start)
    {
        double cost = cf_view_number(start, "cost");
        rank += has_cost(start);
        if (has_cost(start) && cf_view_true(start, "at_optimum") == at_optimum)
            cf_series_add(series,
                          (struct cf_datum){.x = (double) rank,
                                            .y = cost - rise->best + (rise->logarithmic ? 1 : 0)});
    }
    return series;
}

static void make_axes(const json_t *fit, const struct rise *rise, struct cf_panel *panel)
{
    size_t n = count(fit, true) + count(fit, false);

    /* equal ends must not be blown up to a scale where rounding looks like structure */
    if (rise->logarithmic)
        cf_axis_decades(&panel->y, (struct cf_range){0.5, 2 * (1 + rise->most)});
    else
        cf_axis_linear(&panel->y, (struct cf_range){-0.1, fmax(1, 1.1 * rise->most)});
    cf_axis_linear(&panel->x, (struct cf_range){0, (double) n + 1});
    cf_text_add(&panel->x.label, "start, the best end first");
    cf_text_add(&panel->y.label, "%srise of −2 ln ", rise->logarithmic ? "1 + " : "");
    cf_text_symbol(&panel->y.label, "L");
}

static int make_chart(const json_t *fit, struct cf_chart *chart, struct cf_error *err)
{
    static const struct cf_style
        best = {.colour = CF_BLUE, .marker = CF_MARKER_CIRCLE, .filled = true, .size = 0.7},
        other = {.colour = CF_VERMILION, .width = 1.4, .marker = CF_MARKER_SQUARE, .size = 0.8};
    const struct cf_stack stack = {.height = 3.0, .count = 1, .above = 0.35};
    struct rise rise = find_rise(fit);

    (void) err;
    cf_stack_chart(&stack, chart);
    chart->one_panel = true;
    chart->key_sample = CF_SAMPLE_MARKER;
    struct cf_panel *panel = cf_stack_add_panel(&stack, chart);
    make_axes(fit, &rise, panel);
    if (count(fit, true))
        cf_series_title(add_starts(fit, true, &rise, panel, best), CF_KEY_HEADING, 0, "optimum");
    if (count(fit, false))
        cf_series_title(add_starts(fit, false, &rise, panel, other), CF_KEY_HEADING, 1,
                        "elsewhere");
    return CF_OK;
}

static void caption(const json_t *fit, FILE *html)
{
    size_t best = count(fit, true), all = json_array_size(json_object_get(fit, "starts"));
    size_t none = all - best - count(fit, false);

    fprintf(html,
            "Where the optimiser ended from %zu starting points, best first, as the rise of "
            "&minus;2&#8239;ln&#8239;<i>L</i> over the best: %zu at the reported optimum",
            all, best);
    if (none)
        fprintf(html, ", %zu failed and not shown", none);
    fputs(". A long flat step at the left means that many starts agree on the optimum.", html);
}

const struct cf_figure cf_figure_starts = {
    .name = "starts",
    .title = "Where the starts ended",
    .what = "the sorted ends of all starts of the optimiser",
    .applies = applies,
    .chart = make_chart,
    .caption = caption,
};
