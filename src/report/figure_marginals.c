/* The posterior of each parameter: a histogram of the draws, the normal approximation about the
 * best fit, and the prior. A panel a parameter. Those that are fitted in the
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
#include "report/marginal.h"

enum { MOST_BINS = 40, CURVE_POINTS = 121 };

static bool applies(const json_t *fit)
{
    return cf_marginals_count(fit) > 0;
}

/* As many bins as the root of the number of draws; their outline. Returns the greatest density. */
static double add_histogram(const struct cf_marginal *m, struct cf_range x, struct cf_panel *panel)
{
    const struct cf_style style = {.colour = CF_BLUE, .width = 1.8};
    size_t n = json_array_size(m->draws), bins = (size_t) ceil(sqrt((double) n)),
           in[MOST_BINS] = {0};
    struct cf_chart_series *outline = cf_panel_add_series(panel, CF_SERIES_LINE, style);
    double most = 0;

    bins = bins < MOST_BINS ? bins : MOST_BINS;
    double width = (x.high - x.low) / (double) bins;
    for (size_t i = 0; i < n; i++) {
        double at = (cf_marginal_draw(m, i) - x.low) / width;
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
static double normal_density(const struct cf_marginal *m, double x)
{
    const json_t *wald = json_object_get(m->parameter, "wald");
    double low = m->by * cf_view_number(wald, "low"), high = m->by * cf_view_number(wald, "high");
    double z = gsl_cdf_ugaussian_Pinv((1 + cf_view_number(wald, "level")) / 2);
    double centre = m->by * cf_view_number(m->parameter, "value");

    if (!m->ratio)
        return gsl_ran_gaussian_pdf(x - centre, (high - low) / (2 * z));
    return gsl_ran_gaussian_pdf(log(x / centre), log(high / low) / (2 * z)) / x;
}

/* The density of the prior between the bounds, which cut off a normal one, too: uniform, or as the
 * study states it, normal in the parameter or in its logarithm; NAN: the file does not say which.
 */
static double prior_density(const struct cf_marginal *m, double x)
{
    const json_t *bounds = json_object_get(m->parameter, "bounds");
    double low = m->by * cf_view_item(bounds, 0), high = m->by * cf_view_item(bounds, 1);
    double centre = m->by * cf_view_number(m->numbers, "prior_centre");
    double sigma = cf_view_number(m->numbers, "prior_sigma");

    if (strncmp(cf_view_text(m->numbers, "prior"), "uniform", 7) == 0)
        return m->ratio ? 1 / (x * log(high / low)) : 1 / (high - low);
    if (!isfinite(centre) || !(sigma > 0) || !(low < high))
        return (double) NAN;
    if (!m->ratio) /* sigma is of the parameter in its unit: so is by, 1 */
        return gsl_ran_gaussian_pdf(x - centre, sigma) /
               (gsl_cdf_gaussian_P(high - centre, sigma) - gsl_cdf_gaussian_P(low - centre, sigma));
    return gsl_ran_gaussian_pdf(log(x / centre), sigma) / x /
           (gsl_cdf_gaussian_P(log(high / centre), sigma) -
            gsl_cdf_gaussian_P(log(low / centre), sigma));
}

static void add_curve(const struct cf_marginal *m,
                      double (*density)(const struct cf_marginal *, double), struct cf_range x,
                      struct cf_style style, const char *title, size_t rank, double *most,
                      struct cf_panel *panel)
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

static void add_panel(const struct cf_marginal *m, const struct cf_stack *stack,
                      struct cf_chart *chart)
{
    static const struct cf_style normal = {.colour = CF_VERMILION, .width = 1.4, .dash = "8,4"},
                                 before = {.colour = CF_GREY, .width = 1.4, .dash = "3,3"};
    struct cf_panel *panel = cf_stack_add_panel(stack, chart);
    const double index_in = 0.05; /* below the letters of a name, an index of an index */
    struct cf_range x = CF_RANGE_EMPTY;

    for (size_t i = 0; i < json_array_size(m->draws); i++)
        cf_range_include(&x, cf_marginal_draw(m, i));
    if (!(x.high > x.low)) /* draws that do not move */
        cf_range_pad(&x, 0.1);
    double most = add_histogram(m, x, panel);
    add_curve(m, normal_density, x, normal, "normal", 1, &most, panel);
    add_curve(m, prior_density, x, before, "prior", 2, &most, panel);
    cf_axis_linear(&panel->y, (struct cf_range){0, most * 1.08});
    cf_range_pad(&x, 0.04);
    cf_axis_linear(&panel->x, x);
    cf_marginal_label(m, &panel->x.label);
    panel->x.label_at += index_in;
    cf_text_add(&panel->y.label, "density");
}

static int make_chart(const json_t *fit, struct cf_chart *chart, struct cf_error *err)
{
    const struct cf_stack stack = cf_marginals_stack(fit);
    struct cf_marginal m;

    (void) err;
    cf_stack_chart(&stack, chart);
    for (size_t i = 0; i < stack.count && cf_marginal_of(fit, i, &m); i++)
        add_panel(&m, &stack, chart);
    return CF_OK;
}

static void caption(const json_t *fit, FILE *html)
{
    struct cf_marginal m;
    size_t n = cf_marginals_count(fit), stated = 0;

    for (size_t i = 0; cf_marginal_of(fit, i, &m); i++)
        stated += strncmp(cf_view_text(m.numbers, "prior"), "uniform", 7) != 0;
    fputs(
        "How the draws from the posterior lie, beside the normal approximation about the best fit: "
        "where the two differ, intervals from the covariance are wrong. Dotted: the prior",
        html);
    if (stated)
        fprintf(html, ", of %zu that of the study", stated);
    fputs(
        "; where it is flat below the histogram it says little beside the data, and where it is as "
        "narrow the posterior is as much the prior&rsquo;s as theirs.",
        html);
    if (json_array_size(json_object_get(json_object_get(fit, "posterior"), "noise")))
        fputs(" What was estimated of the measurement&rsquo;s errors was sampled along, so its "
              "uncertainty is in the histograms.",
              html);
    if (n > CF_MARGINAL_PANELS)
        fprintf(html, " Of %zu parameters the first %d are drawn.", n, CF_MARGINAL_PANELS);
}

const struct cf_figure cf_figure_marginals = {
    .name = "marginals",
    .title = "Posterior of each parameter",
    .what = "the density of each parameter's posterior, with the prior",
    .applies = applies,
    .chart = make_chart,
    .caption = caption,
};
