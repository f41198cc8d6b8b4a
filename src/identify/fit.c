#include "identify/fit.h"

#include <stdlib.h>

#include "estimate/twin.h"
#include "judge/agreement.h"
#include "judge/comparison.h"
#include "judge/held_out.h"
#include "judge/identifiability.h"
#include "judge/interval.h"
#include "judge/noise_tests.h"
#include "judge/outliers.h"
#include "judge/plausibility.h"
#include "judge/prediction.h"
#include "judge/prior_tests.h"
#include "judge/residual_tests.h"
#include "judge/smoothness.h"
#include "judge/solver_bias.h"
#include "judge/verdict.h"

static void clear_intervals(struct cf_fit *fit)
{
    free(fit->estimate);
    free(fit->combination);
    free(fit->local);
    free(fit->lowest_theta);
    fit->estimate = NULL;
    fit->combination = NULL;
    fit->local = NULL;
    fit->lowest_theta = NULL;
    fit->lowest = 0;
}

void cf_fit_free(struct cf_fit *fit)
{
    if (!fit)
        return;
    for (size_t i = 0; i < fit->nrival; i++) {
        for (size_t j = 0; j < fit->rival[i].nfree && fit->rival[i].parameter; j++)
            free(fit->rival[i].parameter[j].name);
        free(fit->rival[i].parameter);
        free(fit->rival[i].held);
        free(fit->rival[i].held_out);
        free(fit->rival[i].held_out_rms);
        free(fit->rival[i].theta);
        free(fit->rival[i].curve);
        free(fit->rival[i].rms);
    }
    cf_optimum_clear(&fit->optimum);
    clear_intervals(fit);
    free(fit->left_out_how);
    cf_problem_free(&fit->held_out);
    cf_held_units_clear(&fit->held_units);
    free(fit->held_out_text);
    cf_resamples_clear(&fit->resamples);
    cf_outliers_clear(&fit->outliers);
    cf_tests_clear(&fit->tests);
    cf_tests_clear(&fit->noise_tests);
    cf_plausibility_clear(&fit->plausibility);
    cf_findings_clear(&fit->findings);
    cf_statements_clear(&fit->advice);
    free(fit->predicted);
    free(fit->held_out_predicted);
    free(fit->held_out_sigma);
    free(fit->prior_test);
    cf_agreement_clear(fit);
    cf_smoothness_clear(&fit->smoothness);
    free(fit->rival);
    free(fit->curve);
    free(fit->left_out);
    free(fit->steps);
    cf_twin_clear(&fit->finer); /* which the problems are of */
    free(fit);
}

static int find_intervals(struct cf_fit *fit, struct cf_solver *solver, struct cf_error *err)
{
    const struct cf_optimum *optimum = &fit->optimum;
    int status;

    clear_intervals(fit);
    fit->estimate = calloc(optimum->problem.nfree + 1, sizeof *fit->estimate);
    fit->combination = calloc(optimum->ncombination + 1, sizeof *fit->combination);
    fit->lowest_theta = calloc(optimum->problem.nfree + 1, sizeof *fit->lowest_theta);
    if (!fit->estimate || !fit->combination || !fit->lowest_theta)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu intervals", optimum->problem.nfree);
    status = cf_combination_intervals(fit, err);
    if (!status)
        status = cf_wald(fit, err);
    if (!status)
        status = cf_local_intervals(fit, err);
    if (status)
        return status;
    if (fit->optimum.problem.loss.kind == CF_LOSS_SQUARES && !fit->optimum.ncluster) {
        status = cf_profiles_pay(optimum, &fit->profiled, err);
        if (status || fit->profiled)
            return status ? status : cf_profiles(fit, solver, err);
    }
    cf_robust_intervals(fit);
    return CF_OK;
}

/* So often a fit goes on from a lower point that a profile found. */
enum { FINDS = 3 };

/* Intervals about the optimum, which moves where their profiles find a lower one. */
static int judge_place(struct cf_fit *fit, struct cf_solver *solver, struct cf_error *err)
{
    bool moved = true;
    int status = find_intervals(fit, solver, err);

    for (int i = 0; i < FINDS && moved && !status; i++) {
        if (!(fit->lowest < -cf_least_fall(&fit->optimum.problem)))
            break;
        status = cf_optimum_lower(&fit->optimum, solver, fit->lowest_theta, &moved, err);
        if (!status)
            status = find_intervals(fit, solver, err);
    }
    return status;
}

/* Parameters move where the steps change, and the steps that are enough with them: so often. */
enum { REFINEMENTS = 3 };

/* The same in steps fine enough: where those of a motion leave too large an error, the fit goes on
 * from its optimum in more of them. */
static int judge_steps(struct cf_fit *fit, struct cf_solver *solver, struct cf_error *err)
{
    bool finer = true;
    int status = judge_place(fit, solver, err);

    if (!status)
        status = cf_solver_bias(fit, err);
    for (int i = 0; i < REFINEMENTS && finer && !(fit->bias_over_sigma < cf_bias_gate) && !status;
         i++) {
        status = cf_steps_refine(fit, &finer, err);
        if (status || !finer)
            return status;
        status = cf_optimum_again(&fit->optimum, solver, err);
        if (!status)
            status = judge_place(fit, solver, err);
        if (!status)
            status = cf_solver_bias(fit, err);
    }
    return status;
}

/* What the optimum itself gives, before other laws are compared. */
static int judge_optimum(struct cf_fit *fit, struct cf_solver *solver, struct cf_error *err)
{
    int status = judge_steps(fit, solver, err);

    if (!status)
        status = cf_predict_rows(fit, err);
    if (!status)
        status = cf_predict_curves(fit, err);
    if (!status)
        status = cf_prior_tests(fit, err);
    if (!status)
        status = cf_smoothness(fit, solver, err);
    if (!status)
        status = cf_agreement(fit, err);
    if (!status)
        status = cf_noise_tests(fit, err);
    return status ? status : cf_residual_tests(fit, err);
}

/* Optimum and verdict. */
static int run(struct cf_fit *fit, const struct cf_law *const rival[], size_t nrival,
               struct cf_solver *solver, const struct cf_workers *workers, struct cf_error *err)
{
    struct cf_identifiability identifiability = {0};
    int status = cf_optimum_find(&fit->optimum, solver, err);

    if (!status)
        status = judge_optimum(fit, solver, err);
    if (!status)
        status = cf_leave_out(fit, err);
    if (!status)
        status = cf_compare(fit, rival, nrival, workers, err);
    if (!status)
        status = cf_outliers(fit, err);
    if (!status)
        status =
            cf_identifiability_at(&fit->optimum.problem, fit->optimum.theta, &identifiability, err);
    if (!status)
        status = cf_plausibility(fit->optimum.problem.spec, fit, &fit->plausibility, err);
    if (!status)
        status = cf_verdict(fit, &identifiability, err);
    cf_identifiability_clear(&identifiability);
    return status;
}

int cf_fit_run(const struct cf_spec *spec, const struct cf_law *const rival[], size_t nrival,
               struct cf_curves *curves, const struct cf_workers *workers, struct cf_fit **out,
               struct cf_error *err)
{
    struct cf_fit *fit = calloc(1, sizeof *fit);
    struct cf_solver *solver = NULL;
    int status;

    *out = NULL;
    if (!fit)
        return cf_fail(err, CF_ENOMEM, "no memory for a fit");
    status = cf_optimum_init(&fit->optimum, spec, curves, workers, err);
    if (!status)
        status = cf_problem_init(&fit->held_out, spec, spec->law, curves, CF_ROW_HELD_OUT,
                                 CF_SCOPE_ALL, err);
    if (!status && !(solver = cf_solver_alloc(&fit->optimum.problem)))
        status = cf_fail(err, CF_ENOMEM, "no memory for the optimiser");
    if (!status)
        status = run(fit, rival, nrival, solver, workers, err);
    if (!status)
        status = cf_resample(&fit->optimum, fit->status != CF_VERDICT_FAILED, workers,
                             &fit->resamples, err);
    cf_solver_free(solver);
    if (status) {
        cf_fit_free(fit);
        return status;
    }
    *out = fit;
    return CF_OK;
}
