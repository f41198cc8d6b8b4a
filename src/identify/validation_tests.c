/* The tests of a validation, channel by channel, and their verdict. */

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/clusters.h"
#include "estimate/serial.h"
#include "identify/validation.h"

/* Coverage is tested where the parameters make less than this of the intervals' variance. */
static const double independent = 0.1;

/* Fewer rows show no trend; tests that stand before the reasons of other kinds; data sets that are
 * named one by one where they are not new. */
enum { LEAST_TREND = 4, FIRST_TESTS = 8, FIRST_SETS = 3 };

/* Smaller probabilities say nothing more. */
static const double least_p = 1e-15;

static struct cf_test *add(struct cf_validation *v, const char *name, size_t channel,
                           double statistic, double p)
{
    return cf_tests_add(&v->tests, name, channel, v->problem.channel[channel].n, statistic, p);
}

static double place(const struct cf_validation *v, const struct cf_observation *o)
{
    return v->spec.data[o->data].protocol->axis.linear ? o->abscissa : log(o->abscissa);
}

/* Rows of the fit on which an estimate of its noise stands, at most: as many as there are
 * correlation times. INFINITY where errors do not follow each other. */
static double noise_dof(const struct cf_validation *v, size_t channel)
{
    const struct cf_channel *c = &v->problem.channel[channel];
    const struct cf_model_channel *fit =
        cf_model_channel_of(v->model, v->set[c->data].data, c->column);

    return fit && fit->serial.kind != CF_SERIAL_WHITE
               ? fit->serial_rows / fmax(cf_serial_time(&fit->serial), 1)
               : (double) INFINITY;
}

/* The weights of a sum over the rows of a channel, made independent as their errors are: along the
 * axis (its logarithm where it is logarithmic), less their mean, or 1. */
static int weigh(const struct cf_validation *v, size_t channel, bool along, double weight[],
                 struct cf_error *err)
{
    const struct cf_problem *q = &v->problem;
    double mean = 0;

    for (size_t i = 0; i < q->nobservation && along; i++)
        if (q->observation[i].channel == channel)
            mean += place(v, &q->observation[i]) / (double) q->channel[channel].n;
    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        double here = along ? place(v, o) - mean : 1;
        weight[i] = o->channel == channel ? here : 0;
    }
    return cf_serial_whiten(q, weight, 1, q->nobservation, NULL, err);
}

/* The variance of the sum of weight . residual over rows that come in clusters, by how the
 * clusters' own sums scatter. Returns how many there are. */
static size_t by_clusters(const struct cf_validation *v, size_t channel, const double weight[],
                          double *variance)
{
    const struct cf_problem *q = &v->problem;
    double sum = 0, squares = 0;
    bool any = false;
    size_t n = 0;

    for (size_t i = 0; i < q->nobservation; i++) {
        if (q->observation[i].channel == channel) {
            sum += weight[i] * v->white[i];
            any = true;
        }
        if (i + 1 < q->nobservation && cf_cluster_links(q, i + 1))
            continue;
        squares += sum * sum;
        n += any;
        sum = 0;
        any = false;
    }
    *variance = n > 1 ? squares * (double) n / ((double) n - 1) : squares;
    return n;
}

/* So few clusters do not determine their scatter: their rows are tested like others. */
enum { LEAST_CLUSTERS = 3 };

static bool in_clusters(const struct cf_validation *v, size_t channel)
{
    double variance;

    return cf_is_clustered(&v->problem) &&
           by_clusters(v, channel, v->white, &variance) >= LEAST_CLUSTERS;
}

/* Two-sided, of the sum of weight . residual, whose expectation is 0. *z receives the sum in its
 * standard deviations. */
static int linear_test(const struct cf_validation *v, size_t channel, bool along, double *z,
                       double *p, struct cf_error *err)
{
    const struct cf_problem *q = &v->problem;
    const struct cf_model_channel *estimated = NULL;
    size_t nfree = v->model->problem.nfree, n = q->nobservation;
    double sum = 0, own = 0, dof, *gradient = calloc(nfree + n + 1, sizeof *gradient);
    double *weight = gradient ? gradient + nfree : NULL;
    int status = gradient ? weigh(v, channel, along, weight, err)
                          : cf_fail(err, CF_ENOMEM, "no memory for %zu unknowns", nfree);

    for (size_t i = 0; i < n && !status; i++) {
        if (q->observation[i].channel != channel)
            continue;
        sum += weight[i] * v->white[i];
        own += weight[i] * weight[i];
        estimated = v->channel[i];
        for (size_t j = 0; j < nfree; j++)
            gradient[j] += weight[i] * v->white[(1 + j) * n + i];
    }
    if (!status) {
        bool clusters = in_clusters(v, channel);
        dof = clusters ? (double) by_clusters(v, channel, weight, &own) - 1 : 0;
        *z = sum / sqrt(own + cf_model_variance(v->model, gradient));
        if (!clusters)
            dof = fmin(cf_model_dof(v->model, gradient, own, estimated), noise_dof(v, channel));
        *p = 2 * (isinf(dof) ? gsl_cdf_ugaussian_Q(fabs(*z)) : gsl_cdf_tdist_Q(fabs(*z), dof));
    }
    free(gradient);
    return status;
}

/* A x = b by Householder's reflections: GSL's other solvers allocate, and do not look whether they
 * could. */
static int solve(gsl_matrix *A, const gsl_vector *b, gsl_vector *x, struct cf_error *err)
{
    int code = gsl_linalg_HH_solve(A, b, x);

    if (code == GSL_ENOMEM)
        return cf_fail(err, CF_ENOMEM, "no memory for a matrix");
    return code ? cf_fail(err, CF_ESOLVE, "the covariance of the rows cannot be inverted") : CF_OK;
}

/* r^T V^-1 r = r^T r - (H^T r)^T C (1 + H^T H C)^-1 H^T r */
static int scatter(const struct cf_validation *v, size_t channel, double *chi2,
                   struct cf_error *err)
{
    const struct cf_problem *q = &v->problem;
    size_t n = v->model->problem.nfree, rows = q->nobservation;
    gsl_matrix *A = gsl_matrix_calloc(n, n), *M = gsl_matrix_calloc(n, n);
    gsl_vector *b = gsl_vector_calloc(n), *x = gsl_vector_calloc(n);
    int status = A && M && b && x ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for a matrix");

    *chi2 = 0;
    for (size_t i = 0; i < q->nobservation && !status; i++) {
        const double *g = &v->white[rows + i], r = v->white[i];
        if (q->observation[i].channel != channel)
            continue;
        *chi2 += r * r;
        for (size_t a = 0; a < n; a++) {
            *gsl_vector_ptr(b, a) += g[a * rows] * r;
            for (size_t c = 0; c < n; c++)
                *gsl_matrix_ptr(M, a, c) += g[a * rows] * g[c * rows];
        }
    }
    for (size_t a = 0; a < n && !status; a++)
        for (size_t c = 0; c < n; c++) {
            double sum = a == c;
            for (size_t m = 0; m < n; m++)
                sum += gsl_matrix_get(M, a, m) * v->model->covariance[m * n + c];
            gsl_matrix_set(A, a, c, sum);
        }
    if (!status)
        status = solve(A, b, x, err);
    for (size_t a = 0; a < n && !status; a++)
        for (size_t c = 0; c < n; c++)
            *chi2 -= gsl_vector_get(b, a) * v->model->covariance[a * n + c] * gsl_vector_get(x, c);
    gsl_matrix_free(A);
    gsl_matrix_free(M);
    gsl_vector_free(b);
    gsl_vector_free(x);
    return status;
}

static int test_scatter(struct cf_validation *v, size_t channel,
                        const struct cf_model_channel *estimated, struct cf_error *err)
{
    double n = (double) v->problem.channel[channel].n, chi2, p;
    struct cf_test *t;
    int status = scatter(v, channel, &chi2, err);

    if (status)
        return status;
    p = estimated ? gsl_cdf_fdist_Q(chi2 / n, n, fmax(estimated->dof, 0.5))
                  : gsl_cdf_chisq_Q(chi2, n);
    t = add(v, "scatter", channel, chi2, p);
    if (t)
        snprintf(t->text, sizeof t->text,
                 "chi^2 %.4g on %g values, the parameters' errors allowed for", chi2, n);
    return CF_OK;
}

static void test_coverage(struct cf_validation *v, size_t channel)
{
    const struct cf_problem *q = &v->problem;
    double level = v->model->spec.options.level, worth = v->worth[channel];
    unsigned inside = 0, n = (unsigned) q->channel[channel].n;
    struct cf_test *t;

    for (size_t i = 0; i < q->nobservation; i++)
        inside += q->observation[i].channel == channel &&
                  q->observation[i].value >= v->predicted[i].low &&
                  q->observation[i].value <= v->predicted[i].high;
    t = add(v, "coverage", channel, inside, cf_inside_p(inside * worth / n, worth, level));
    if (t && worth < n)
        snprintf(t->text, sizeof t->text,
                 "%u of %u lie inside their %g %% intervals, and are equivalent to %.3g "
                 "independent ones",
                 inside, n, 100 * level, worth);
    else if (t)
        snprintf(t->text, sizeof t->text, "%u of %u lie inside their %g %% intervals", inside, n,
                 100 * level);
}

static int test_channel(struct cf_validation *v, size_t channel, struct cf_error *err)
{
    const struct cf_problem *q = &v->problem;
    const struct cf_model_channel *estimated = NULL;
    const struct cf_axis *axis = &v->spec.data[q->channel[channel].data].protocol->axis;
    char name[64];
    double low = (double) INFINITY, high = -low, z, p;
    struct cf_test *t;
    int status;

    for (size_t i = 0; i < q->nobservation; i++) {
        if (q->observation[i].channel != channel)
            continue;
        estimated = v->channel[i];
        low = fmin(low, q->observation[i].abscissa);
        high = fmax(high, q->observation[i].abscissa);
    }
    status = linear_test(v, channel, false, &z, &p, err);
    if (status)
        return status;
    t = add(v, "bias", channel, z, p);
    if (t)
        snprintf(t->text, sizeof t->text,
                 "the mean lies %.1f of its standard deviations %s the prediction", fabs(z),
                 z > 0 ? "above" : "below");
    if (q->channel[channel].n >= LEAST_TREND && low < high) {
        status = linear_test(v, channel, true, &z, &p, err);
        if (status)
            return status;
        snprintf(name, sizeof name, "trend with %s", axis->name);
        t = add(v, name, channel, z, p);
        if (t)
            snprintf(t->text, sizeof t->text, "residuals %s with %s, by %.1f standard deviations",
                     z < 0 ? "fall" : "rise", axis->name, fabs(z));
    }
    if (in_clusters(v, channel)) /* their rows are inside or outside together */
        return CF_OK;
    if (v->parameter_share < independent)
        test_coverage(v, channel);
    return test_scatter(v, channel, estimated, err);
}

int cf_validate_tests(struct cf_validation *v, struct cf_error *err)
{
    int status = CF_OK;

    for (size_t c = 0; c < v->problem.nchannel && !status; c++)
        if (v->problem.channel[c].n)
            status = test_channel(v, c, err);
    if (!status)
        status = cf_tests_adjust(&v->tests, v->model->spec.options.p_reject, err);
    v->agrees = true;
    for (size_t i = 0; i < v->tests.n; i++)
        v->agrees = v->agrees && !v->tests.item[i].rejects;
    return status;
}

/* The surest of the tests that reject, or all others. */
static void say_tests(struct cf_validation *v, bool surest)
{
    for (size_t i = 0; i < v->tests.n; i++) {
        const struct cf_test *t = &v->tests.item[i];
        const struct cf_channel *c = &v->problem.channel[t->channel];
        const struct cf_dataset *d = &v->spec.data[c->data];
        if (t->rejects && (t->place < FIRST_TESTS) == surest)
            cf_say(&v->reasons, "%s of %s: %s (p %s %.2g)", d->protocol->channel[c->column].name,
                   d->name, t->text, t->p_adjusted < least_p ? "<" : "=",
                   fmax(t->p_adjusted, least_p));
    }
}

/* Significant digits of an interval's ends: to the second one of its half-width. */
static int digits_of(const struct cf_predicted *p)
{
    double half = (p->high - p->low) / 2, most = fmax(fabs(p->low), fabs(p->high));
    return half > 0 && isfinite(most) ? (int) (floor(log10(most)) - floor(log10(half))) + 2 : 6;
}

/* Where the data disagree: by which tests, and in which rows first of all. */
static void say_reasons(struct cf_validation *v)
{
    const struct cf_problem *q = &v->problem;

    say_tests(v, true);
    for (size_t i = 0; i < v->nworst && v->reasons.n; i++) {
        const struct cf_observation *o = &q->observation[v->worst[i]];
        const struct cf_predicted *p = &v->predicted[v->worst[i]];
        const struct cf_dataset *d = &v->spec.data[o->data];
        cf_say(&v->reasons,
               "%s of %s, line %zu, at %.4g %s: measured %.6g; the fit predicts %.*g to %.*g",
               d->protocol->channel[o->column].name, d->name, cf_dataset_line(d, o->row, o->column),
               o->abscissa, d->protocol->axis.unit, o->value, digits_of(p), p->low, digits_of(p),
               p->high);
    }
    if (v->nworst < v->noutside && v->reasons.n)
        cf_say(&v->reasons, "and %zu more values lie outside their intervals",
               v->noutside - v->nworst);
    say_tests(v, false);
}

/* Data sets that are not new: the first few by name. */
static void say_fitted(struct cf_validation *v)
{
    size_t named = 0, sets = 0, values = 0;

    for (size_t i = 0; i < v->spec.ndata; i++) {
        size_t fitted = v->set[i].fitted;
        if (fitted && named++ < FIRST_SETS && v->model->thinned) {
            cf_say(&v->cautions,
                   "%s is a file that was fitted, by its hash; the fit file does not hold all of "
                   "its rows, so that its %zu values are all taken as fitted: they are not new, "
                   "and agreement with them shows nothing",
                   v->spec.data[i].name, fitted);
        } else if (fitted && named <= FIRST_SETS) {
            cf_say(&v->cautions,
                   "%zu values of %s are among those that were fitted: they are not new, and "
                   "agreement with them shows nothing",
                   fitted, v->spec.data[i].name);
        } else {
            sets += fitted > 0;
            values += fitted;
        }
    }
    if (sets)
        cf_say(&v->cautions, "the same holds for %zu values of %zu more data sets", values, sets);
}

static void say_cautions(struct cf_validation *v)
{
    const struct cf_axis *axis = &v->spec.data[0].protocol->axis;
    double low = (double) INFINITY, high = -low;
    size_t beyond = 0;

    for (size_t i = 0; i < v->problem.nobservation; i++) {
        double at = v->problem.observation[i].abscissa;
        low = fmin(low, at);
        high = fmax(high, at);
        beyond += at < v->model->axis_low || at > v->model->axis_high;
    }
    say_fitted(v);
    if (!v->model->trusted)
        cf_say(&v->cautions, "the fit itself is not to be trusted: %.299s", v->model->verdict);
    if (v->unjudged)
        cf_say(&v->cautions, "%zu measured values are not judged: the fit does not predict them",
               v->unjudged);
    if (v->parameter_share >= independent)
        cf_say(
            &v->cautions,
            "the fitted parameters' errors make %.0f %% of the intervals' variance and are common "
            "to all rows: the count inside the intervals is shown but not tested",
            100 * v->parameter_share);
    if (low > v->model->axis_high || high < v->model->axis_low)
        cf_say(&v->cautions,
               "the new %s, %.4g to %.4g %s, lie outside the fitted ones, %.4g to %.4g %s",
               axis->plural, low, high, axis->unit, v->model->axis_low, v->model->axis_high,
               axis->unit);
    else if (beyond)
        cf_say(&v->cautions,
               "%zu of %zu values lie beyond the fitted %s, %.4g to %.4g %s: there the law is "
               "extrapolated, and the intervals assume that it still holds",
               beyond, v->problem.nobservation, axis->plural, v->model->axis_low,
               v->model->axis_high, axis->unit);
}

int cf_validate_words(struct cf_validation *v, struct cf_error *err)
{
    int status;

    say_reasons(v);
    say_cautions(v);
    snprintf(v->summary, sizeof v->summary,
             "The new data %s the fit of %s: %zu of %zu values lie inside their %g %% intervals; "
             "rms of the residuals %.3g standard deviations of the prediction.",
             v->agrees ? "agree with" : "disagree with", v->model->law->name, v->inside,
             v->problem.nobservation, 100 * v->model->spec.options.level, v->rms_predictive);
    status = cf_statements_status(&v->reasons, err);
    return status ? status : cf_statements_status(&v->cautions, err);
}
