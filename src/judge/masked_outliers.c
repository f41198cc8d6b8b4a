#include "judge/masked_outliers.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/evaluate.h"
#include "estimate/leverage.h"
#include "estimate/solve.h"

/* No more than this share of the rows is taken out, and no more steps are made behind the last row
 * that was significant. */
enum { SHARE = 4, BEYOND = 3 };

/* A row of more leverage determines a parameter alone. */
static const double all_its_own = 1 - 1e-9;

/* The problem without the rows that were taken out, and room for its residuals. */
struct search {
    struct cf_problem problem;
    struct cf_solver *solver;
    double *theta, *r, *hat, *chi2, *dof; /* chi2, dof: nchannel */
    double tolerance;
};

static void search_free(struct search *s)
{
    cf_problem_free(&s->problem);
    cf_solver_free(s->solver);
    free(s->theta);
}

static int search_make(const struct cf_fit *fit, struct search *s, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    size_t n = q->nobservation;
    int status;

    *s = (struct search){.tolerance =
                             cf_problem_is_slow(q) ? 1e-4 : 1e-7}; /* as leave-one-out has it */
    status = cf_problem_copy(&s->problem, q, err);
    if (status)
        return status;
    s->solver = cf_solver_alloc(q);
    s->theta = calloc(q->nfree + 2 * n + q->nprior + 2 * q->nchannel + 1, sizeof *s->theta);
    if (!s->solver || !s->theta)
        return cf_fail(err, CF_ENOMEM, "no memory to fit %zu observations again", n);
    s->r = s->theta + q->nfree;
    s->hat = s->r + n + q->nprior;
    s->chi2 = s->hat + n;
    s->dof = s->chi2 + q->nchannel;
    memcpy(s->theta, fit->optimum.theta, q->nfree * sizeof *s->theta);
    return CF_OK;
}

static double two_sided(double t, double dof)
{
    return 2 * (isinf(dof) ? gsl_cdf_ugaussian_Q(fabs(t)) : gsl_cdf_tdist_Q(fabs(t), dof));
}

/* The deleted residual of row i, and its p: with a given sigma the less striking of both ways. */
static double p_of(const struct search *s, size_t i, double *t)
{
    const struct cf_observation *o = &s->problem.observation[i];
    double left = 1 - s->hat[i], z = s->r[i] / sqrt(left), dof = s->dof[o->channel] - 1, rest, p;

    *t = z;
    if (!(o->weight > 0) || !(s->hat[i] < all_its_own) || !(dof >= 1))
        return 1;
    rest = s->chi2[o->channel] - gsl_pow_2(s->r[i]) / left;
    if (!(rest > 0))
        return 1;
    p = two_sided(z * sqrt(dof / rest), dof);
    if (cf_channel_is_known(&s->problem.channel[o->channel]) && two_sided(z, (double) INFINITY) > p)
        return two_sided(z, (double) INFINITY);
    *t = z * sqrt(dof / rest);
    return p;
}

/* Residuals and leverages of what is left, at its optimum. */
static int look(struct search *s, struct cf_error *err)
{
    struct cf_problem *q = &s->problem;
    struct cf_fold fold;
    struct cf_rank rank = {0};
    int status = cf_fold_alloc(&fold, q, err);

    if (!status)
        status = cf_problem_fold(q, s->theta, &fold, err);
    if (!status)
        status = cf_rank_fold(&fold, NULL, &rank, err);
    if (!status)
        status = cf_leverages(q, s->theta, &fold, &rank, s->hat, err);
    if (!status)
        status = cf_problem_residuals(q, s->theta, s->r, NULL, err);
    cf_residual_freedom(q, s->hat, s->dof);
    memset(s->chi2, 0, q->nchannel * sizeof *s->chi2);
    for (size_t i = 0; i < q->nobservation && !status; i++)
        s->chi2[q->observation[i].channel] += gsl_pow_2(s->r[i]);
    cf_rank_clear(&rank);
    cf_fold_clear(&fold);
    return status;
}

/* Fit what is left, and take its most striking row out. *made is false where there is none. */
static int take_out(struct search *s, struct cf_masked *out, bool *made, struct cf_error *err)
{
    struct cf_solution solution = {.theta = s->theta, .end = CF_END_CONVERGED};
    size_t n = s->problem.nobservation, left = 0;
    double least = 1;
    int status = cf_polish(s->solver, &s->problem, NULL, s->tolerance, &solution, err);

    *made = false;
    if (status || solution.end != CF_END_CONVERGED)
        return status;
    status = look(s, err);
    for (size_t i = 0; i < n && !status; i++) {
        double t, p = p_of(s, i, &t);
        left += s->problem.observation[i].weight > 0;
        if (!(p < least))
            continue;
        least = p;
        *out = (struct cf_masked){i, t, p};
        *made = true;
    }
    if (!*made)
        return status;
    out->p_adjusted = fmin(1, (double) left * out->p_adjusted);
    s->problem.observation[out->observation].weight = 0;
    return status;
}

int cf_masked_outliers(const struct cf_fit *fit, const bool named[], double level,
                       struct cf_masked found[], size_t *n, struct cf_error *err)
{
    struct search s;
    size_t all = fit->optimum.problem.nobservation, most = all / SHARE;
    bool made = true;
    int status = search_make(fit, &s, err);

    *n = 0;
    for (size_t i = 0; i < all && !status; i++)
        if (named[i])
            s.problem.observation[i].weight = 0;
    most = most < CF_MOST_MASKED ? most : CF_MOST_MASKED;
    for (size_t k = 0; k < most && k < *n + BEYOND && made && !status; k++) {
        status = take_out(&s, &found[k], &made, err);
        if (!status && made && found[k].p_adjusted < level)
            *n = k + 1;
    }
    search_free(&s);
    return cf_status_ends(status) ? status : CF_OK;
}
