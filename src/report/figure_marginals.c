/* The posterior of each parameter: a histogram of the draws, the normal approximation about the
 * best fit, and the prior where it is uniform. A panel a parameter. Those that are fitted in the
 * logarithm are drawn as ratios to the best fit. */

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

#include "document/view.h"
#include "report/axis.h"
#include "report/figures.h"
#include "report/html.h"
#include "report/layout.h"

enum { MOST_PANELS = 8, MOST_BINS = 40, CURVE_POINTS = 121 };

/* What is drawn of one parameter. */
struct marginal {
    const json_t *parameter, *draws;
    const char *name, *prior;
    bool ratio;
    double by; /* what numbers of the file are multiplied by */
};

/* The i-th parameter with draws; false behind the last, or without a posterior. */
static bool marginal_of(const json_t *fit, size_t i, struct marginal *out)
{
    const json_t *posterior = json_object_get(fit, "posterior"), *draws;
    const char *name;

    if (!cf_view_true(posterior, "converged"))
        return false;
    json_object_foreach((json_t *) json_object_get(posterior, "draws"), name, draws)
    {
        const json_t *parameter = json_object_get(json_object_get(fit, "parameters"), name);
        double value = cf_view_number(parameter, "value");
        if (json_array_size(draws) < 2 || !isfinite(value) || i-- > 0)
            continue;
        bool ratio = strcmp(cf_view_text(parameter, "scale"), "log") == 0 && value > 0;
        *out = (struct marginal){
            .parameter = parameter,
            .draws = draws,
            .name = name,
            .prior = cf_view_text(json_object_get(json_object_get(posterior, "parameters"), name),
                                  "prior"),
            .ratio = ratio,
            .by = ratio ? 1 / value : 1};
        return true;
    }
    return false;
}

static size_t count(const json_t *fit)
{
    struct marginal m;
    size_t n = 0;

    while (marginal_of(fit, n, &m))
        n++;
    return n;
}

static bool applies(const json_t *fit)
{
    return count(fit) > 0;
}

static double draw(const struct marginal *m, size_t i)
{
    return m->by * cf_view_item(m->draws, i);
}

/* As many bins as the root of the number of draws; their outline. Returns the greatest density. */
static double add_histogram(const struct marginal *m, struct cf_range x, struct cf_panel *panel)
{
    const struct cf_style style = {.colour = CF_BLUE, .width = 1.8};
    size_t n = json_array_size(m->draws), bins = (size_t) ceil(sqrt((double) n)),
           in[MOST_BINS] = {0};
    struct cf_chart_series *outline = cf_panel_add_series(panel, CF_SERIES_LINE, style);
    double most = 0;

    bins = bins < MOST_BINS ? bins : MOST_BINS;
    double width = (x.high - x.low) / (double) bins;
    for (size_t i = 0; i < n; i++) {
        double at = (draw(m, i) - x.low) / width;
        size_t bin = at > 0 ? (size_t) at : 0;
        in[bin < bins ? bin : bins - 1]++;
    }
    cf_series_add(outline, (struct cf_datum){.x = x.low});
    for (size_t k = 0; k < bins; k++) {
        double density = (double) in[k] / ((double) n * width);
        cf_series_add(outline, (struct cf_datum){.x = x.low + width * (double) k, .y = density});
        cf_series_add(outline,
                      (struct cf_datum){.x = x.low + width * (double) (k + 1), .y = density});
        most = fmax(most, density);
    }
    cf_series_add(outline, (struct cf_datum){.x = x.high});
    cf_series_title(outline, CF_KEY_HEADING, 0, "draws");
    return most;
}

/* The density of the normal approximation, in the logarithm where that is fitted; NAN: the fit has
 * no such interval. */
static double normal_density(const struct marginal *m, double x)
{
    const json_t *wald = json_object_get(m->parameter, "wald");
    double low = m->by * cf_view_number(wald, "low"), high = m->by * cf_view_number(wald, "high");
    double z = gsl_cdf_ugaussian_Pinv((1 + cf_view_number(wald, "level")) / 2);
    double centre = m->by * cf_view_number(m->parameter, "value");

    if (!m->ratio)
        return gsl_ran_gaussian_pdf(x - centre, (high - low) / (2 * z));
    return gsl_ran_gaussian_pdf(log(x / centre), log(high / low) / (2 * z)) / x;
}

/* The density of a prior that is uniform between the bounds; NAN: it is another. */
static double prior_density(const struct marginal *m, double x)
{
    const json_t *bounds = json_object_get(m->parameter, "bounds");
    double low = m->by * cf_view_item(bounds, 0), high = m->by * cf_view_item(bounds, 1);

    if (strncmp(m->prior, "uniform", 7) != 0)
        return (double) NAN;
    return m->ratio ? 1 / (x * log(high / low)) : 1 / (high - low);
}

static void add_curve(const struct marginal *m, double (*density)(const struct marginal *, double),
                      struct cf_range x, struct cf_style style, const char *title, size_t rank,
                      double *most, struct cf_panel *panel)
{
    if (!isfinite(density(m, x.low)))
        return;
    struct cf_chart_series *series = cf_panel_add_series(panel, CF_SERIES_LINE, style);
    for (int i = 0; i < CURVE_POINTS; i++) {
        double at = x.low + (x.high - x.low) * i / (CURVE_POINTS - 1), value = density(m, at);
        cf_series_add(series, (struct cf_datum){.x = at, .y = value});
        *most = fmax(*most, value);
    }
    cf_series_title(series, CF_KEY_HEADING, rank, "%s", title);
}

static void name_axis(const struct marginal *m, struct cf_text *label)
{
    const char *unit = cf_view_text(m->parameter, "unit");

    if (cf_view_plain(m->name))
        cf_text_symbol(label, m->name);
    else
        cf_text_add(label, "parameter");
    if (m->ratio) {
        cf_text_add(label, " over its best fit");
    } else if (strcmp(unit, "1") != 0) {
        cf_text_add(label, " / (");
        cf_text_unit(label, unit);
        cf_text_add(label, ")");
    }
}

static void add_panel(const struct marginal *m, const struct cf_stack *stack,
                      struct cf_chart *chart)
{
    static const struct cf_style normal = {.colour = CF_VERMILION, .width = 1.4, .dash = "8,4"},
                                 before = {.colour = CF_GREY, .width = 1.4, .dash = "3,3"};
    struct cf_panel *panel = cf_stack_add_panel(stack, chart);
    const double index_in = 0.05; /* below the letters of a name, an index of an index */
    struct cf_range x = CF_RANGE_EMPTY;

    for (size_t i = 0; i < json_array_size(m->draws); i++)
        cf_range_include(&x, draw(m, i));
    if (!(x.high > x.low)) /* draws that do not move */
        cf_range_pad(&x, 0.1);
    double most = add_histogram(m, x, panel);
    add_curve(m, normal_density, x, normal, "normal", 1, &most, panel);
    add_curve(m, prior_density, x, before, "prior", 2, &most, panel);
    cf_axis_linear(&panel->y, (struct cf_range){0, most * 1.08});
    cf_range_pad(&x, 0.04);
    cf_axis_linear(&panel->x, x);
    name_axis(m, &panel->x.label);
    panel->x.label_at += index_in;
    cf_text_add(&panel->y.label, "density");
}

static int make_chart(const json_t *fit, struct cf_chart *chart, struct cf_error *err)
{
    size_t n = count(fit);
    const struct cf_stack stack = {
        .height = 2.3, .count = n < MOST_PANELS ? n : MOST_PANELS, .above = 0.35};
    struct marginal m;

    (void) err;
    cf_stack_chart(&stack, chart);
    for (size_t i = 0; i < stack.count && marginal_of(fit, i, &m); i++)
        add_panel(&m, &stack, chart);
    return CF_OK;
}

static void caption(const json_t *fit, FILE *html)
{
    struct marginal m;
    size_t n = count(fit), other = 0;

    for (size_t i = 0; marginal_of(fit, i, &m); i++)
        other += strncmp(m.prior, "uniform", 7) != 0;
    fputs(
        "How the draws from the posterior lie, beside the normal approximation about the best fit: "
        "where the two differ, intervals from the covariance are wrong. Dotted: the prior",
        html);
    if (other)
        fprintf(html, ", but for the %zu that the study states, whose numbers are in the study",
                other);
    fputs("; far below the histogram it says little beside the data.", html);
    if (n > MOST_PANELS)
        fprintf(html, " Of %zu parameters the first %d are drawn.", n, MOST_PANELS);
}

const struct cf_figure cf_figure_marginals = {
    .name = "marginals",
    .title = "Posterior of each parameter",
    .what = "the density of each parameter's posterior, with the prior",
    .applies = applies,
    .chart = make_chart,
    .caption = caption,
};
