/* The draws from the posterior in the order of sampling: a panel a parameter, a line for each of
 * the sampler's ensembles. Where they wander together about one level the sample has converged; a
 * drift, or ensembles that part, says that it has not. The file holds so few draws, evenly spaced,
 * that each is seen. */

#include <math.h>

#include "document/view.h"
#include "report/axis.h"
#include "report/figures.h"
#include "report/html.h"
#include "report/layout.h"
#include "report/line_style.h"
#include "report/marginal.h"

/* Draws of each ensemble: they stand one ensemble after the other; 0: there is no such order. */
static size_t draws_each(const json_t *fit, const struct cf_marginal *m)
{
    size_t ensembles = cf_view_count(json_object_get(fit, "posterior"), "ensembles"),
           n = json_array_size(m->draws);

    return ensembles > 0 && n % ensembles == 0 ? n / ensembles : 0;
}

static size_t count(const json_t *fit)
{
    struct cf_marginal m;
    size_t n = 0;

    while (cf_marginal_of(fit, n, &m) && draws_each(fit, &m) > 1)
        n++;
    return n;
}

static bool applies(const json_t *fit)
{
    return count(fit) > 0;
}

/* A draw stands for the middle of its share of the steps. */
static void add_ensemble(const struct cf_marginal *m, size_t ensemble, size_t each, double steps,
                         struct cf_panel *panel, struct cf_range *y)
{
    const struct cf_style style = {.colour = cf_line_colour(ensemble), .width = 0.9};
    struct cf_chart_series *series = cf_panel_add_series(panel, CF_SERIES_LINE, style);

    for (size_t i = 0; i < each; i++) {
        double value = cf_marginal_draw(m, ensemble * each + i);
        cf_series_add(
            series, (struct cf_datum){.x = steps * ((double) i + 0.5) / (double) each, .y = value});
        cf_range_include(y, value);
    }
}

static void add_panel(const json_t *fit, const struct cf_marginal *m, bool keyed,
                      const struct cf_stack *stack, struct cf_chart *chart)
{
    const json_t *posterior = json_object_get(fit, "posterior");
    size_t ensembles = cf_view_count(posterior, "ensembles"), each = draws_each(fit, m);
    double steps = (double) cf_view_count(posterior, "steps");
    struct cf_panel *panel = cf_stack_add_panel(stack, chart);
    struct cf_range y = CF_RANGE_EMPTY;
    char words[80];

    for (size_t e = 0; e < ensembles; e++) {
        add_ensemble(m, e, each, steps, panel, &y);
        if (keyed)
            cf_series_title(panel->series[panel->nseries - 1], CF_KEY_CHART, e, "ensemble %zu",
                            e + 1);
    }
    panel->strip = (struct cf_strip){m->by * cf_view_number(m->numbers, "low"),
                                     m->by * cf_view_number(m->numbers, "high"), CF_SKY, 0.18};
    snprintf(words, sizeof words, "R-hat %.3f, %.0f effective draws",
             cf_view_number(m->numbers, "rhat"), cf_view_number(m->numbers, "ess"));
    cf_stack_heading(panel, words);
    if (!(y.high > y.low))
        cf_range_pad(&y, 0.1);
    cf_range_pad(&y, 0.05);
    cf_axis_linear(&panel->x, (struct cf_range){0, steps});
    cf_axis_linear(&panel->y, y);
    cf_text_add(&panel->x.label, "step of the sampler, after its warm-up");
    cf_marginal_label(m, &panel->y.label);
}

static int make_chart(const json_t *fit, struct cf_chart *chart, struct cf_error *err)
{
    const struct cf_stack stack = cf_marginals_stack(fit);
    struct cf_marginal m;

    (void) err;
    cf_stack_chart(&stack, chart);
    for (size_t i = 0; i < stack.count && cf_marginal_of(fit, i, &m); i++)
        add_panel(fit, &m, i == 0, &stack, chart);
    return CF_OK;
}

static void caption(const json_t *fit, FILE *html)
{
    const json_t *posterior = json_object_get(fit, "posterior");
    struct cf_marginal m;
    size_t n = count(fit), along = json_array_size(json_object_get(posterior, "noise"));

    fprintf(
        html,
        "Draws from the posterior in the order of sampling, %zu of each of %zu ensembles of %zu "
        "walkers, each draw of the next walker. The strip is the parameter&rsquo;s interval. "
        "Lines that wander about one level are what convergence looks like; a drift, or "
        "ensembles that part, would be a sample that is too short.",
        cf_marginal_of(fit, 0, &m) ? draws_each(fit, &m) : 0, cf_view_count(posterior, "ensembles"),
        cf_view_count(posterior, "walkers"));
    if (n > CF_MARGINAL_PANELS)
        fprintf(html, " Of %zu parameters the first %d are drawn.", n, CF_MARGINAL_PANELS);
    if (along)
        fprintf(html,
                " Along with them %zu number%s of the measurement&rsquo;s errors %s sampled, which "
                "the table of intervals lists.",
                along, along > 1 ? "s" : "", along > 1 ? "were" : "was");
}

const struct cf_figure cf_figure_chains = {
    .name = "chains",
    .title = "Chains of the sampler",
    .what = "draws from the posterior in the order of sampling, a panel a parameter",
    .applies = applies,
    .chart = make_chart,
    .caption = caption,
};
