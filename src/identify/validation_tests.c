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

/* Fewer rows show no trend. */
enum { LEAST_TREND = 4 };

static struct cf_test *add(struct cf_validation *v, const char *name, size_t channel,
                           double statistic, double p)
{
    return cf_tests_add(&v->tests, name, CF_ACCUSES_LAW, channel, v->problem.channel[channel].n,
                        statistic, p);
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
        snprintf(t->text, sizeof t->text, "the mean lies %.1f standard errors %s the prediction",
                 fabs(z), z > 0 ? "above" : "below");
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
