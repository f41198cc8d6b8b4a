/* What is known of variances that REML has found, and what follows for the unknowns. */

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/chi_square.h"
#include "estimate/effects.h"
#include "estimate/reml.h"
#include "estimate/variance_work.h"

/* Second derivatives by differences of this share of a variance's scale. */
static const double second_difference = 1e-3;

/* Fewer degrees of freedom make no quantile that could be used. */
static const double least_dof = 0.5;

void cf_variances_clear(struct cf_variances *variances)
{
    free(variances->value);
    free(variances->part);
    free(variances->between);
    *variances = (struct cf_variances){0};
}

/* C with variance k moved by a and variance l by b of their scales; half is spare. */
static int covariance_at(struct cf_variance_work *w, const struct cf_rank *rank, size_t k, double a,
                         size_t l, double b, double half[], double C[], struct cf_error *err)
{
    double vk = w->v[k], vl = w->v[l];
    struct cf_variance_value value;
    int status;

    w->v[k] += a * w->scale[k];
    w->v[l] += b * w->scale[l];
    status = cf_variance_evaluate(w, w->v, &value, err);
    w->v[k] = vk;
    w->v[l] = vl;
    if (!status)
        cf_variance_covariance(w, rank, half, C);
    return status;
}

/* Take the mixed derivative of C by variances k and l off out->more, times their covariance. */
static int subtract_mixed(struct cf_variance_work *w, const struct cf_rank *rank, size_t k,
                          size_t l, double half[], double C[], struct cf_variances *out,
                          struct cf_error *err)
{
    double h = second_difference, area = 4 * h * h * w->scale[k] * w->scale[l];
    double by = 2 * out->covariance[k * out->n + l] / area;
    int status = CF_OK;

    for (int corner = 0; corner < 4 && !status; corner++) {
        double a = corner & 1 ? -h : h, b = corner & 2 ? -h : h;
        status = covariance_at(w, rank, k, a, l, b, half, C, err);
        for (size_t i = 0; i < rank->n * rank->n && !status; i++)
            out->more[i] -= (a * b > 0 ? by : -by) * C[i];
    }
    return status;
}

/* First derivatives, and the sum of the second ones times the covariance of the variances; room for
 * four C. */
static int slopes(struct cf_variance_work *w, const struct cf_rank *rank, double room[],
                  struct cf_variances *out, struct cf_error *err)
{
    size_t n = rank->n, size = n * n;
    double *here = room, *up = here + size, *down = up + size, *half = down + size;
    double h = second_difference;
    int status = w->nvariance ? covariance_at(w, rank, 0, 0, 0, 0, half, here, err) : CF_OK;

    for (size_t k = 0; k < w->nvariance && !status; k++) {
        double by = out->covariance[k * out->n + k] / gsl_pow_2(h * w->scale[k]);
        status = covariance_at(w, rank, k, h, k, 0, half, up, err);
        if (!status)
            status = covariance_at(w, rank, k, -h, k, 0, half, down, err);
        for (size_t i = 0; i < size && !status; i++) {
            out->slope[k * size + i] = (up[i] - down[i]) / (2 * h * w->scale[k]);
            out->more[i] -= by * (up[i] + down[i] - 2 * here[i]);
        }
        for (size_t l = 0; l < k && !status; l++)
            status = subtract_mixed(w, rank, k, l, half, up, out, err);
    }
    return status;
}

/* Room for differences above the least own variance of readings that have hardly one. */
static void stay_inside(struct cf_variance_work *w)
{
    for (size_t k = 0; k < w->nvariance; k++)
        if (w->least[k] > 0)
            w->v[k] = fmax(w->v[k], w->least[k] + 2 * second_difference * w->scale[k]);
}

/* Degrees of freedom of the own errors of an effect's rows: of the channel that has fewest. */
static double own_dof(const struct cf_variance_work *w, const struct cf_effect *e,
                      const double inverse[])
{
    double dof = (double) INFINITY;

    for (size_t i = 0; i < e->first[e->ngroup]; i++) {
        size_t channel = w->problem.observation[e->member[i]].channel, k = w->at[channel];
        const struct cf_channel *c = &w->problem.channel[channel];
        if (c->estimated)
            dof = fmin(dof, k == SIZE_MAX || w->part[k].kind != CF_VARIANCE_SIGMA
                                ? c->dof
                                : gsl_pow_2(w->v[k] / w->scale[k]) / inverse[k * w->nvariance + k]);
    }
    return fmax(dof, least_dof);
}

/* Fill out->between, with each tau^2 that is below 0 at 0; inverse[nvariance^2] and v[nvariance]
 * are room. */
static int look_between(struct cf_variance_work *w, double inverse[], double v[],
                        struct cf_variances *out, struct cf_error *err)
{
    size_t n = w->nvariance;
    double *information = calloc(w->problem.neffect + 1, sizeof *information);
    struct cf_variance_value here;
    int status = information
                     ? CF_OK
                     : cf_fail(err, CF_ENOMEM, "no memory for %zu effects", w->problem.neffect);

    memcpy(v, w->v, n * sizeof *v);
    for (size_t k = 0; k < n; k++)
        if (w->part[k].kind == CF_VARIANCE_EFFECT)
            w->v[k] = fmax(w->v[k], 0);
    cf_variance_scales(w);
    if (!status)
        status = cf_variance_differentiate(w, &here, err);
    if (!status)
        status = cf_variance_inverse(w, inverse, err);
    cf_variance_put(&w->problem, w->part, w->v, n);
    if (!status)
        status = cf_effects_inform(&w->problem, information, err);
    for (size_t k = 0; k < n && !status; k++) {
        const struct cf_effect *e = &w->problem.effect[w->part[k].index];
        if (w->part[k].kind != CF_VARIANCE_EFFECT)
            continue;
        double mean = sqrt((double) e->ngroup / (2 * information[w->part[k].index]));
        out->between[k] = (struct cf_between){
            .own = mean - w->v[k],
            .dof = gsl_pow_2(mean / w->scale[k]) * w->hessian[k * n + k],
            .own_dof = own_dof(w, e, inverse),
        };
    }
    memcpy(w->v, v, n * sizeof *v);
    free(information);
    return status;
}

/* Does a channel keep next to nothing of its own beside what records and what is imposed add? */
static bool is_at_end(const struct cf_variance_work *w, size_t k)
{
    enum cf_variance_kind kind = w->part[k].kind;
    const struct cf_channel *c = &w->problem.channel[w->part[k].index];

    return (kind == CF_VARIANCE_SIGMA || kind == CF_VARIANCE_BASE) &&
           w->least[k] > gsl_pow_2(c->floor) &&
           w->v[k] < w->least[k] + 3 * second_difference * w->scale[k];
}

/* A variance at its end cannot err to both sides, and no degrees of freedom go by it. What is not
 * seen there is taken to be as large as it is on average: the mean of half a normal distribution,
 * whose standard deviation is that of the estimate, error[]. What C gains so is added to it; room
 * for three C. */
static int expect_at_end(struct cf_variance_work *w, const struct cf_rank *rank,
                         const double error[], double room[], struct cf_variances *out,
                         struct cf_error *err)
{
    const double half_normal_mean = sqrt(2 / M_PI);
    size_t size = rank->n * rank->n;
    double *here = room, *there = here + size, *half = there + size;
    int status = CF_OK;

    for (size_t k = 0; k < w->nvariance && !status; k++) {
        if (!is_at_end(w, k))
            continue;
        status = covariance_at(w, rank, k, 0, k, 0, half, here, err);
        if (!status)
            status = covariance_at(w, rank, k, half_normal_mean * error[k] / w->scale[k], k, 0,
                                   half, there, err);
        for (size_t i = 0; i < size && !status; i++)
            out->more[i] += there[i] - here[i];
    }
    return status;
}

/* Their covariance, and the standard error error[] of each beside all others; those at their end
 * are known for the others. */
static int find_covariance(const struct cf_variance_work *w, double error[], double inverse[],
                           struct cf_variances *out, struct cf_error *err)
{
    size_t n = w->nvariance;
    bool *use = calloc(n + 1, sizeof *use);
    int status = use ? cf_variance_inverse(w, inverse, err)
                     : cf_fail(err, CF_ENOMEM, "no memory for %zu variances", n);

    for (size_t k = 0; k < n && !status; k++) { /* the curvature is twice the information */
        error[k] = w->scale[k] * sqrt(2 * fmax(inverse[k * n + k], 0));
        use[k] = cf_variance_matters(w, k) && !is_at_end(w, k);
    }
    if (!status)
        status = cf_variance_invert(w, w->hessian, use, inverse, NULL, err);
    for (size_t k = 0; k < n && !status; k++)
        for (size_t l = 0; l < n; l++)
            out->covariance[k * out->n + l] = 2 * w->scale[k] * w->scale[l] * inverse[k * n + l];
    free(use);
    return status;
}

static int fill(struct cf_variance_work *w, const struct cf_rank *rank, struct cf_variances *out,
                struct cf_error *err)
{
    size_t own = w->nvariance, n = own + cf_variance_numbers(&w->problem);
    size_t size = rank->n * rank->n;
    double *room = calloc(4 * size + own * own + own + 1, sizeof *room), *inverse = room + 4 * size;
    double *error = inverse + own * own;
    struct cf_variance_value here;
    int status = CF_OK;

    *out = (struct cf_variances){.n = n, .nfree = rank->n};
    out->value = calloc(n + n * n + (n + 1) * size + 1, sizeof *out->value);
    out->part = calloc(n + 1, sizeof *out->part);
    out->between = calloc(n + 1, sizeof *out->between);
    if (!room || !out->value || !out->part || !out->between)
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu variances", n);
    if (!status) {
        out->covariance = out->value + n;
        out->slope = out->covariance + n * n;
        out->more = out->slope + n * size;
        memcpy(out->value, w->v, own * sizeof *out->value);
        memcpy(out->part, w->part, own * sizeof *out->part);
        status = look_between(w, inverse, inverse + own * own, out, err);
    }
    if (!status) {
        cf_variance_scales(w);
        stay_inside(w);
        status = cf_variance_differentiate(w, &here, err);
    }
    if (!status)
        status = find_covariance(w, error, inverse, out, err);
    if (!status)
        status = slopes(w, rank, room, out, err);
    if (!status)
        status = expect_at_end(w, rank, error, room, out, err);
    if (!status && n > own)
        status = cf_variance_serial(w, rank, room, out, err);
    free(room);
    return status;
}

int cf_reml_variances(const struct cf_problem *problem, const double theta[],
                      const struct cf_rank *rank, struct cf_variances *out, struct cf_error *err)
{
    struct cf_variance_work w;
    int status = cf_variance_work_at(problem, theta, rank, &w, err);

    *out = (struct cf_variances){0};
    if (!status)
        status = fill(&w, rank, out, err);
    cf_variance_work_free(&w);
    return status;
}

double cf_variances_more(const struct cf_variances *variances, const double g[])
{
    size_t n = variances->nfree;
    double sum = 0;

    for (size_t i = 0; i < n && variances->n; i++)
        for (size_t j = 0; j < n; j++)
            sum += g[i] * g[j] * variances->more[i * n + j];
    return fmax(sum, 0); /* where a term of second order is negative it is not to be relied on */
}

double cf_variances_dof(const struct cf_variances *variances, const struct cf_rank *rank,
                        const double g[])
{
    size_t n = variances->n, nfree = variances->nfree;
    double V = cf_linear_variance(rank, g), spread = 0;

    for (size_t k = 0; k < n; k++)
        for (size_t l = 0; l < n; l++) {
            double by_k = 0, by_l = 0;
            for (size_t i = 0; i < nfree && variances->covariance[k * n + l] != 0; i++)
                for (size_t j = 0; j < nfree; j++) {
                    by_k += g[i] * g[j] * variances->slope[(k * nfree + i) * nfree + j];
                    by_l += g[i] * g[j] * variances->slope[(l * nfree + i) * nfree + j];
                }
            spread += by_k * by_l * variances->covariance[k * n + l];
        }
    return spread > 0 ? fmax(2 * V * V / spread, least_dof) : (double) INFINITY;
}

/* What F exceeds with probability 1 - p, by the quantile of the beta distribution: GSL's of F fails
 * below one degree of freedom, of which two groups have no more. */
static double f_below(double p, double dof, double own_dof)
{
    double x = gsl_cdf_beta_Pinv(p, dof / 2, own_dof / 2);
    return own_dof * x / (dof * (1 - x));
}

void cf_tau_interval(const struct cf_variances *variances, size_t effect, double level, double *low,
                     double *high)
{
    double tail = (1 - level) / 2;

    *low = 0;
    *high = (double) INFINITY;
    for (size_t k = 0; k < variances->n; k++) {
        const struct cf_between *b = &variances->between[k];
        if (variances->part[k].kind != CF_VARIANCE_EFFECT || variances->part[k].index != effect ||
            !(b->own >= 0 && b->dof > 0))
            continue;
        double mean = variances->value[k] + b->own;
        double above = cf_chi_square_above(tail, b->dof) / b->dof;
        double below = cf_chi_square_above(1 - tail, b->dof) / b->dof;
        bool known = isinf(b->own_dof);
        double most = known ? above : 1 / f_below(tail, b->own_dof, b->dof);
        double least = known ? below : f_below(tail, b->dof, b->own_dof);
        *low = sqrt(fmax(mean - most * b->own, 0) / above);
        *high = below > 0 ? sqrt((fmax(mean, b->own) - least * b->own) / below) : (double) INFINITY;
    }
}
