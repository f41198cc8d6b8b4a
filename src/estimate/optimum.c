#include "estimate/optimum.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/criteria.h"
#include "estimate/robust.h"

/* 1e-3 in -2 ln L is a thirtieth of a standard error: less than a report can show. */
const double cf_same_cost = 1e-3;

int cf_optimum_init(struct cf_optimum *optimum, const struct cf_spec *spec,
                    struct cf_curves *curves, struct cf_error *err)
{
    memset(optimum, 0, sizeof *optimum);
    return cf_problem_init(&optimum->problem, spec, spec->law, curves, CF_ROW_FIT, CF_SCOPE_ALL,
                           err);
}

void cf_optimum_clear(struct cf_optimum *optimum)
{
    cf_problem_free(&optimum->problem);
    free(optimum->start);
    free(optimum->residual);
    free(optimum->jacobian);
}

static int optimise(struct cf_optimum *optimum, struct cf_solver *solver, struct cf_error *err)
{
    struct cf_problem *q = &optimum->problem;
    int status;

    optimum->start = calloc(cf_start_count(&q->spec->options), sizeof *optimum->start);
    if (!optimum->start)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu starts", q->spec->options.starts);
    status = cf_multistart(solver, q, optimum->start, &optimum->nstart, err);
    if (status)
        return status;
    memcpy(optimum->theta, optimum->start[0].theta, sizeof optimum->theta);
    optimum->cost = optimum->start[0].cost;
    for (size_t i = 0; i < optimum->nstart; i++)
        optimum->confirmed += optimum->start[i].end == CF_END_CONVERGED &&
                              optimum->start[i].cost - optimum->cost < cf_same_cost;
    for (size_t i = 0; i < q->nfree; i++)
        optimum->value[i] = cf_unknown_value(&q->unknown[i], optimum->theta[i]);
    return CF_OK;
}

/* Residuals and Jacobian at the optimum, with the sigmas at that point. */
static int linearise(struct cf_optimum *optimum, struct cf_error *err)
{
    const struct cf_problem *q = &optimum->problem;

    optimum->residual = calloc(q->nresidual, sizeof *optimum->residual);
    optimum->jacobian = calloc(q->nresidual * q->nfree, sizeof *optimum->jacobian);
    if (!optimum->residual || !optimum->jacobian)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", q->nresidual);
    return cf_problem_residuals(q, optimum->theta, optimum->residual, optimum->jacobian, err);
}

/* Distance to the optimum as the gradient estimates it, in standard errors of a parameter. */
static double gradient_of(const struct cf_optimum *optimum)
{
    const struct cf_problem *q = &optimum->problem;
    double largest = 0;

    for (size_t j = 0; j < q->nfree; j++) {
        /* at a bound the cost may fall on, but only outwards */
        int bound = cf_unknown_at_bound(&q->unknown[j], optimum->theta[j]);
        double dot = 0;
        for (size_t i = 0; i < q->nresidual; i++)
            dot += optimum->jacobian[i * q->nfree + j] * optimum->residual[i];
        if (!optimum->rank.dead[j] && !(bound * dot < 0))
            largest = fmax(largest, fabs(dot) / optimum->rank.norm[j]);
    }
    return largest;
}

static void measure(struct cf_optimum *optimum)
{
    const struct cf_problem *q = &optimum->problem;
    double K, N = (double) q->nobservation;
    size_t nsigma = 0;

    for (size_t i = 0; i < q->nresidual; i++)
        optimum->chi2 += optimum->residual[i] * optimum->residual[i];
    for (size_t c = 0; c < q->nchannel; c++)
        nsigma += q->channel[c].estimated;
    K = (double) (optimum->rank.rank + nsigma);
    optimum->gradient = gradient_of(optimum);
    optimum->sigma_known = nsigma == 0;
    optimum->dof = (double) q->nresidual - (double) optimum->rank.rank;
    optimum->chi2_p = optimum->sigma_known && optimum->dof > 0 && q->loss.kind == CF_LOSS_SQUARES
                          ? gsl_cdf_chisq_Q(optimum->chi2, optimum->dof)
                          : (double) NAN;
    optimum->aicc = cf_aicc(optimum->cost, K, N);
    optimum->bic = cf_bic(optimum->cost, K, N);
}

/* Which parameters would the data alone not identify? Priors are the last rows of the Jacobian. */
static int find_by_prior(struct cf_optimum *optimum, struct cf_error *err)
{
    const struct cf_problem *q = &optimum->problem;
    struct cf_rank rank;
    int status;

    if (q->nprior == 0)
        return CF_OK;
    status = cf_rank_analyse(optimum->jacobian, q->nobservation, q->nfree, cf_rank_noise, &rank,
                             NULL, err);
    for (size_t i = 0; i < q->nfree && !status; i++)
        optimum->by_prior[i] =
            (rank.dead[i] || rank.flat[i]) && !optimum->rank.dead[i] && !optimum->rank.flat[i];
    return status;
}

int cf_optimum_find(struct cf_optimum *optimum, struct cf_solver *solver, struct cf_error *err)
{
    const struct cf_problem *q = &optimum->problem;
    double change;
    int status = optimise(optimum, solver, err);

    /* this also finds the degrees of freedom that each channel is left with */
    if (!status)
        status = cf_sigma_update(&optimum->problem, optimum->theta, &change, err);
    if (!status)
        status = linearise(optimum, err);
    if (!status)
        status = cf_rank_analyse(optimum->jacobian, q->nresidual, q->nfree, cf_rank_noise,
                                 &optimum->rank, NULL, err);
    if (!status)
        status = find_by_prior(optimum, err);
    if (status)
        return status;
    measure(optimum);
    status = cf_robust_covariance(optimum, err);
    if (!status)
        optimum->ncombination =
            cf_combinations(q, &optimum->rank, optimum->theta, optimum->combination);
    return status;
}
