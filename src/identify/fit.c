#include "judge/fit_result.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/combination.h"
#include "estimate/robust.h"
#include "judge/comparison.h"
#include "judge/interval.h"
#include "judge/outliers.h"
#include "judge/prediction.h"
#include "judge/residual_tests.h"
#include "judge/verdict.h"
#include "resample/resample.h"

/* The fast way is checked against direct integration at this relative tolerance. */
static const double check_tolerance = 1e-13;

/* A parameter within this share of its range of a bound is at it. */
static const double bound_share = 1e-3;

int cf_unknown_at_bound(const struct cf_unknown *unknown, double theta)
{
    double share = (theta - unknown->lower) / (unknown->upper - unknown->lower);
    return share < bound_share ? -1 : share > 1 - bound_share ? 1 : 0;
}

void cf_fit_free(struct cf_fit *fit)
{
    if (!fit)
        return;
    for (size_t i = 0; i < fit->nrival; i++)
        free(fit->rival[i].curve);
    cf_problem_free(&fit->problem);
    cf_problem_free(&fit->held_out);
    free(fit->start);
    free(fit->residual);
    free(fit->jacobian);
    free(fit->predicted);
    free(fit->held_out_predicted);
    free(fit->rival);
    free(fit->curve);
    free(fit->bootstrap);
    free(fit->posterior);
    free(fit->left_out);
    free(fit);
}

static int optimise(struct cf_fit *fit, struct cf_solver *solver, struct cf_error *err)
{
    struct cf_problem *q = &fit->problem;
    int status;

    fit->start = calloc(cf_start_count(&q->spec->options), sizeof *fit->start);
    if (!fit->start)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu starts", q->spec->options.starts);
    status = cf_multistart(solver, q, fit->start, &fit->nstart, err);
    if (status)
        return status;
    memcpy(fit->theta, fit->start[0].theta, sizeof fit->theta);
    fit->cost = fit->start[0].cost;
    for (size_t i = 0; i < fit->nstart; i++)
        fit->confirmed +=
            fit->start[i].end == CF_END_CONVERGED && fit->start[i].cost - fit->cost < cf_same_cost;
    for (size_t i = 0; i < q->nfree; i++)
        fit->estimate[i].value = cf_unknown_value(&q->unknown[i], fit->theta[i]);
    return CF_OK;
}

/* Residuals and Jacobian at the optimum, with the sigmas in force there. */
static int linearise(struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_problem *q = &fit->problem;

    fit->residual = calloc(q->nresidual, sizeof *fit->residual);
    fit->jacobian = calloc(q->nresidual * q->nfree, sizeof *fit->jacobian);
    if (!fit->residual || !fit->jacobian)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", q->nresidual);
    return cf_problem_residuals(q, fit->theta, fit->residual, fit->jacobian, err);
}

/* How far the gradient says the optimum still is, in standard errors of a parameter. */
static double gradient_of(const struct cf_fit *fit)
{
    const struct cf_problem *q = &fit->problem;
    double largest = 0;

    for (size_t j = 0; j < q->nfree; j++) {
        /* at a bound the cost may fall on, but only outwards */
        int bound = cf_unknown_at_bound(&q->unknown[j], fit->theta[j]);
        double dot = 0;
        for (size_t i = 0; i < q->nresidual; i++)
            dot += fit->jacobian[i * q->nfree + j] * fit->residual[i];
        if (!fit->rank.dead[j] && !(bound * dot < 0))
            largest = fmax(largest, fabs(dot) / fit->rank.norm[j]);
    }
    return largest;
}

static void measure(struct cf_fit *fit)
{
    const struct cf_problem *q = &fit->problem;
    double K, N = (double) q->nobservation;
    size_t nsigma = 0;

    for (size_t i = 0; i < q->nresidual; i++)
        fit->chi2 += fit->residual[i] * fit->residual[i];
    for (size_t c = 0; c < q->nchannel; c++)
        nsigma += q->channel[c].estimated;
    K = (double) (fit->rank.rank + nsigma);
    fit->gradient = gradient_of(fit);
    fit->sigma_known = nsigma == 0;
    fit->dof = (double) q->nresidual - (double) fit->rank.rank;
    fit->chi2_p = fit->sigma_known && fit->dof > 0 && q->loss.kind == CF_LOSS_SQUARES
                      ? gsl_cdf_chisq_Q(fit->chi2, fit->dof)
                      : (double) NAN;
    fit->aicc = N - K - 1 > 0 ? fit->cost + 2 * K + 2 * K * (K + 1) / (N - K - 1) : (double) NAN;
    fit->bic = fit->cost + K * log(N);
}

static void combine(struct cf_fit *fit)
{
    const struct cf_problem *q = &fit->problem;
    struct cf_group group[CF_MAX_PARAM];

    fit->ncombination = cf_combinations(q, &fit->rank, group);
    for (size_t i = 0; i < fit->ncombination; i++) {
        struct cf_combination *c = &fit->combination[i];
        double half = cf_half_width(fit, group[i].power, 0);
        snprintf(c->name, sizeof c->name, "%s", group[i].name);
        snprintf(c->unit, sizeof c->unit, "%s", group[i].unit);
        memcpy(c->power, group[i].power, sizeof c->power);
        c->value = cf_combination_value(&group[i], q->nfree, fit->theta);
        c->interval = (struct cf_interval){
            .known = true,
            .low = group[i].product ? c->value * exp(-half) : c->value - half,
            .high = group[i].product ? c->value * exp(half) : c->value + half,
        };
    }
}

/* The largest difference of fast predictions from direct integration, raw and in sigmas. */
static int solver_bias(struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_problem *q = &fit->problem;

    if (q->law->family != CF_FAMILY_NORMAL)
        return CF_OK; /* a formula has no solver */
    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        const struct cf_dataset *d = &q->spec->data[o->data];
        struct cf_prediction slow;
        double p[CF_MAX_PARAM], bias;
        int status = cf_problem_params(q, o->data, fit->theta, p, NULL, err);
        if (!status)
            status = d->protocol->integrate(q->law, p, d, o->row, check_tolerance, &slow, err);
        if (status)
            return status;
        bias = fabs(fit->predicted[i].value - slow.value[o->column]);
        fit->bias = fmax(fit->bias, bias / fabs(slow.value[o->column]));
        fit->bias_over_sigma = fmax(fit->bias_over_sigma, bias / o->sigma);
    }
    return CF_OK;
}

/* Which parameters would the data alone not tell? Priors are the last rows of the Jacobian. */
static int find_by_prior(struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_problem *q = &fit->problem;
    struct cf_rank rank;
    int status;

    if (q->nprior == 0)
        return CF_OK;
    status =
        cf_rank_analyse(fit->jacobian, q->nobservation, q->nfree, cf_rank_noise, &rank, NULL, err);
    for (size_t i = 0; i < q->nfree && !status; i++)
        fit->by_prior[i] =
            (rank.dead[i] || rank.flat[i]) && !fit->rank.dead[i] && !fit->rank.flat[i];
    return status;
}

/* Everything that follows from the optimum. */
static int study_optimum(struct cf_fit *fit, struct cf_solver *solver, struct cf_error *err)
{
    const struct cf_problem *q = &fit->problem;
    double change;

    /* this also tells the degrees of freedom that each channel is left with */
    int status = cf_sigma_update(&fit->problem, fit->theta, &change, err);

    if (!status)
        status = linearise(fit, err);
    if (!status)
        status = cf_rank_analyse(fit->jacobian, q->nresidual, q->nfree, cf_rank_noise, &fit->rank,
                                 NULL, err);
    if (!status)
        status = find_by_prior(fit, err);
    if (status)
        return status;
    measure(fit);
    status = cf_robust_covariance(fit, err);
    if (status)
        return status;
    combine(fit);
    cf_wald(fit);
    if (q->loss.kind == CF_LOSS_SQUARES)
        status = cf_profiles(fit, solver, err);
    else
        cf_robust_intervals(fit);
    if (!status)
        status = cf_predict_rows(fit, err);
    if (!status)
        status = cf_predict_curves(fit, err);
    if (!status)
        status = solver_bias(fit, err);
    return status ? status : cf_adequacy(fit, err);
}

int cf_fit_run(const struct cf_spec *spec, const struct cf_law *const rival[], size_t nrival,
               struct cf_curves *curves, const struct cf_workers *workers, struct cf_fit **out,
               struct cf_error *err)
{
    struct cf_fit *fit = calloc(1, sizeof *fit);
    struct cf_solver *solver = NULL;
    struct cf_identifiability foresight;
    int status;

    *out = NULL;
    if (!fit)
        return cf_fail(err, CF_ENOMEM, "no memory for a fit");
    status = cf_problem_init(&fit->problem, spec, spec->law, curves, CF_ROW_FIT, CF_SCOPE_ALL, err);
    if (!status)
        status = cf_problem_init(&fit->held_out, spec, spec->law, curves, CF_ROW_HELD_OUT,
                                 CF_SCOPE_ALL, err);
    if (!status && !(solver = cf_solver_alloc(&fit->problem)))
        status = cf_fail(err, CF_ENOMEM, "no memory for the optimiser");
    if (!status)
        status = optimise(fit, solver, err);
    if (!status)
        status = study_optimum(fit, solver, err);
    if (!status)
        status = cf_compare(fit, rival, nrival, workers, err);
    if (!status)
        status = cf_outliers(fit, err);
    if (!status)
        status = cf_identifiability_at(&fit->problem, fit->theta, &foresight, err);
    if (!status) {
        cf_verdict(fit, &foresight);
        status = cf_resample(fit, workers, err);
    }
    cf_solver_free(solver);
    if (status) {
        cf_fit_free(fit);
        return status;
    }
    *out = fit;
    return CF_OK;
}
