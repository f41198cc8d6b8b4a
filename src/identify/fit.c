#include "identify/fit.h"

#include <math.h>
#include <stdlib.h>

#include "core/clock.h"
#include "estimate/twin.h"
#include "judge/agreement.h"
#include "judge/budget.h"
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

static void clear_rivals(struct cf_fit *fit)
{
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
    free(fit->rival);
}

/* What was judged: all but the optimum and what it is of. */
static void clear_judged(struct cf_fit *fit)
{
    struct cf_fit of = {.stage = fit->stage,
                        .optimum = fit->optimum,
                        .held_out = fit->held_out,
                        .nsteps = fit->nsteps,
                        .steps = fit->steps,
                        .finer = fit->finer};

    clear_rivals(fit);
    clear_intervals(fit);
    free(fit->left_out_how);
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
    cf_otherwise_clear(&fit->otherwise);
    cf_budget_clear(&fit->budget);
    free(fit->curve);
    for (size_t i = 0; i < fit->njudged; i++)
        free(fit->judged[i].run);
    free(fit->judged);
    free(fit->left_out);
    *fit = of;
}

void cf_fit_free(struct cf_fit *fit)
{
    if (!fit)
        return;
    clear_judged(fit);
    cf_optimum_clear(&fit->optimum);
    cf_problem_free(&fit->held_out);
    free(fit->steps);
    cf_twin_clear(&fit->finer); /* which the problems are of */
    free(fit);
}

/* Intervals by the covariance. */
static int find_plain_intervals(struct cf_fit *fit, struct cf_error *err)
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
    return status ? status : cf_local_intervals(fit, err);
}

static int find_intervals(struct cf_fit *fit, struct cf_solver *solver, struct cf_error *err)
{
    const struct cf_optimum *optimum = &fit->optimum;
    int status = find_plain_intervals(fit, err);

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

    fit->stage = status ? fit->stage : CF_STAGE_TESTS;
    if (!status)
        status = cf_predict_rows(fit, err);
    if (!status)
        status = cf_predict_curves(fit, err);
    if (!status)
        status = cf_budget(fit, solver, err);
    if (!status)
        status = cf_judge_curves(fit, err);
    if (!status)
        status = cf_prior_tests(fit, err);
    if (!status)
        status = cf_smoothness(fit, solver, err);
    if (!status)
        status = cf_fit_otherwise(fit, solver, err);
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

    fit->stage = status ? fit->stage : CF_STAGE_INTERVALS;
    if (!status)
        status = judge_optimum(fit, solver, err);
    fit->stage = status ? fit->stage : CF_STAGE_LEFT_OUT;
    if (!status)
        status = cf_leave_out(fit, err);
    fit->stage = status ? fit->stage : CF_STAGE_RIVALS;
    if (!status)
        status = cf_compare(fit, rival, nrival, workers, err);
    fit->stage = status ? fit->stage : CF_STAGE_VERDICT;
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

/* ---- a fit that ends early */

/* The workers of a fit that may: they are cancelled where the caller's have enough, too, or the
 * time is over. */
struct early {
    const struct cf_workers *outer; /* NULL: none */
    double end_s;
    struct cf_workers inner;
};

static bool is_interrupted(const struct early *early)
{
    return early->outer && early->outer->enough && early->outer->enough(early->outer->listener);
}

static bool is_over(void *listener)
{
    const struct early *early = listener;

    return cf_clock_s() >= early->end_s || is_interrupted(early) ||
           cf_workers_check(early->outer, NULL);
}

static void show(void *listener, const char *what, size_t done, size_t total)
{
    const struct early *early = listener;

    early->outer->progress(early->outer->listener, what, done, total);
}

/* The workers to fit with; *early stays where it is until the fit has ended. */
static const struct cf_workers *may_end(struct early *early, const struct cf_workers *workers,
                                        double time_s)
{
    *early = (struct early){.outer = workers,
                            .end_s = time_s > 0 ? cf_clock_s() + time_s : (double) INFINITY,
                            .inner = {.jobs = cf_workers_count(workers),
                                      .progress = workers && workers->progress ? show : NULL,
                                      .listener = early,
                                      .cancelled = is_over}};
    return time_s > 0 || (workers && workers->enough) ? &early->inner : workers;
}

/* No row is left out. */
static int leave_nothing_out(struct cf_fit *fit, struct cf_error *err)
{
    size_t n = fit->optimum.problem.nobservation;

    fit->left_out = calloc(n + 1, sizeof *fit->left_out);
    fit->left_out_how = calloc(n + 1, sizeof *fit->left_out_how);
    if (!fit->left_out || !fit->left_out_how)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu rows", n);
    for (size_t i = 0; i < n; i++)
        fit->left_out[i] = (double) NAN;
    fit->loo_rms_sigma = (double) NAN;
    return CF_OK;
}

/* The best that a search has left, in the place of an optimum that it did not come to. */
static int salvage(struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    struct cf_optimum best;
    bool found = false;
    int status = cf_optimum_init(&best, q->spec, q->curves, q->workers, err);

    if (!status)
        status = cf_optimum_salvage(&best, &fit->optimum, &found, err);
    cf_optimum_clear(&fit->optimum);
    fit->optimum = best;
    if (status || found)
        return status;
    return cf_fail(err, CF_ECANCELLED,
                   "it was ended before any point was evaluated: nothing was found, and nothing is "
                   "written");
}

/* What was found, by its covariance alone; nothing is searched any more. */
static int end_early(struct cf_fit *fit, const struct early *early, struct cf_error *err)
{
    bool interrupted = is_interrupted(early);
    int status;

    fit->optimum.problem.workers = early->outer;
    if (fit->stage == CF_STAGE_RESAMPLES)
        return cf_resample_leave(&fit->optimum,
                                 interrupted ? "it was interrupted" : "options: {time: } was over",
                                 &fit->resamples, err);
    clear_judged(fit);
    fit->unfinished = true;
    fit->interrupted = interrupted;
    status = fit->optimum.settled ? CF_OK : salvage(fit, err);
    if (!status)
        status = find_plain_intervals(fit, err);
    if (status)
        return status;
    cf_robust_intervals(fit);
    status = cf_predict_rows(fit, err);
    if (!status)
        status = cf_predict_curves(fit, err);
    if (!status)
        status = leave_nothing_out(fit, err);
    return status ? status : cf_verdict(fit, NULL, err);
}

/* From the study to all that is asked for. */
static int run_all(struct cf_fit *fit, const struct cf_law *const rival[], size_t nrival,
                   const struct cf_workers *workers, struct cf_error *err)
{
    struct cf_solver *solver = cf_solver_alloc(&fit->optimum.problem);
    int status = solver ? run(fit, rival, nrival, solver, workers, err)
                        : cf_fail(err, CF_ENOMEM, "no memory for the optimiser");

    fit->stage = status ? fit->stage : CF_STAGE_RESAMPLES;
    if (!status)
        status = cf_resample(&fit->optimum, fit->status != CF_VERDICT_FAILED, workers,
                             &fit->resamples, err);
    cf_solver_free(solver);
    return status;
}

int cf_fit_run(const struct cf_spec *spec, const struct cf_law *const rival[], size_t nrival,
               struct cf_curves *curves, const struct cf_workers *workers, struct cf_fit **out,
               struct cf_error *err)
{
    struct cf_fit *fit = calloc(1, sizeof *fit);
    struct early early;
    const struct cf_workers *inner = may_end(&early, workers, spec->options.time_s);
    int status;

    *out = NULL;
    if (!fit)
        return cf_fail(err, CF_ENOMEM, "no memory for a fit");
    status = cf_optimum_init(&fit->optimum, spec, curves, inner, err);
    if (!status)
        status = cf_problem_init(&fit->held_out, spec, spec->law, curves, CF_ROW_HELD_OUT,
                                 CF_SCOPE_ALL, err);
    if (!status)
        status = run_all(fit, rival, nrival, inner, err);
    if (status == CF_ECANCELLED && inner != workers && !cf_workers_check(workers, NULL))
        status = end_early(fit, &early, err);
    fit->optimum.problem.workers = workers;
    if (status) {
        cf_fit_free(fit);
        return status;
    }
    *out = fit;
    return CF_OK;
}
