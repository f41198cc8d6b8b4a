/* Prediction over measurement, and below it what is left of it, over the same axis: a pair of
 * panels for each main channel along an axis with a sign, as time, or of new data along any axis.
 */

#include <math.h>

#include "document/view.h"
#include "report/figures.h"
#include "report/html.h"
#include "report/layout.h"
#include "report/panels.h"
#include "report/set_style.h"

/* Heights in a pair's place [inches]. */
static const double residual_from = 0.64, residual_to = 1.84, main_from = 2.24, pair_height = 5.2;

/* New data are compared with a fit that is there already. */
static bool is_validation(const json_t *document)
{
    return json_object_get(document, "coverage") != NULL;
}

/* The number of a main channel's measurements that can be drawn in both panels. */
static size_t count(const json_t *fit, const struct cf_shown_channel *shown)
{
    size_t i, n = 0;
    json_t *point;

    if (!cf_residuals_count(fit, shown) || !(shown->axis.linear || is_validation(fit)))
        return 0;
    json_array_foreach(json_object_get(fit, "headline_points"), i, point)
    {
        n += cf_point_use(point) != CF_POINT_EXCLUDED &&
             cf_shown_in(fit, shown, cf_view_count(point, "data")) &&
             cf_shown_on(&shown->axis, cf_view_number(point, "abscissa")) &&
             isfinite(cf_view_number(point, "value"));
    }
    return n;
}

static size_t pairs(const json_t *fit)
{
    struct cf_shown_channel shown;
    size_t n = 0;

    for (size_t i = 0; cf_shown_main(fit, i, &shown); i++)
        n += count(fit, &shown) > 0;
    return n;
}

static bool applies(const json_t *fit)
{
    return pairs(fit) > 0;
}

/* The key of a pair that is alone stands below all, that of one of several below its own lower
 * panel. Residuals have the markers of the points above them. */
static void place_keys(struct cf_panel *above, struct cf_panel *below, bool alone)
{
    for (size_t i = 0; i < below->nseries; i++)
        below->series[i]->title.nrun = 0;
    for (size_t i = 0; i < above->nseries; i++) {
        struct cf_chart_series *of = above->series[i];
        of->key = CF_KEY_CHART;
        if (alone || !of->title.nrun)
            continue;
        struct cf_chart_series *entry = cf_panel_add_series(below, of->kind, of->style);
        entry->title = of->title;
        entry->key = CF_KEY_PANEL;
        entry->rank = of->rank;
        of->title.nrun = 0;
    }
}

static int add_pair(const json_t *fit, size_t which, const struct cf_shown_channel *shown,
                    size_t index, const struct cf_stack *stack, struct cf_chart *chart,
                    struct cf_error *err)
{
    struct cf_panel *above = cf_stack_add_part(stack, index, main_from,
                                               stack->height - stack->above, chart),
                    *below = cf_stack_add_part(stack, index, residual_from, residual_to, chart);
    bool logarithmic = !shown->axis.linear;
    struct cf_range x;
    int status = cf_headline_add_prediction(fit, which, logarithmic, above, &x, err);

    if (status)
        return status;
    cf_residuals_add(fit, shown, x, logarithmic, below);
    below->x.range = above->x.range; /* points lie below each other */
    above->x.label.nrun = 0;
    place_keys(above, below, stack->count == 1);
    return CF_OK;
}

static int make_chart(const json_t *fit, struct cf_chart *chart, struct cf_error *err)
{
    const struct cf_stack stack = {
        .height = pair_height, .count = pairs(fit), .above = 0.12, .abreast = true};
    struct cf_shown_channel shown;
    size_t index = 0;
    int status = CF_OK;

    cf_stack_chart(&stack, chart);
    for (size_t i = 0; !status && cf_shown_main(fit, i, &shown); i++)
        if (count(fit, &shown))
            status = add_pair(fit, i, &shown, index++, &stack, chart, err);
    return status;
}

static void caption(const json_t *fit, FILE *html)
{
    cf_words_html(fit, "{Label} against {axis label} as measured and, as a line, by ", html);
    cf_html_text(html, cf_view_text(fit, "law"));
    fputs(is_validation(fit) ? " as it was fitted before" : " as fitted", html);
    fputs("; below it what is left, measured minus predicted, in <i>&sigma;</i> of the "
          "measurement. Of the "
          "points of a law that holds, 95 in 100 lie in the shaded strip of &plusmn;2.",
          html);
    cf_caption_points(fit, html);
}

const struct cf_figure cf_figure_prediction = {
    .name = "prediction",
    .title = "Prediction, measurement and residual",
    .what = "prediction over measurement, with the residual below it: of traces and of new data",
    .applies = applies,
    .chart = make_chart,
    .caption = caption,
};
