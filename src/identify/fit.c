#include "identify/fit.h"

#include <math.h>
#include <stdlib.h>

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
#include "judge/verdict.h"

/* The fast way is checked against direct integration at this relative tolerance. */
static const double check_tolerance = 1e-13;

/* And that of a motion: a hundredth of a fit's own, which the steps reach in any scene. */
static const double motion_check_tolerance = 1e-10;

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
    cf_otherwise_clear(&fit->otherwise);
    free(fit->rival);
    free(fit->curve);
    free(fit->left_out);
    free(fit);
}

/* Direct integration is slow: the bias is looked for on this many rows spread over the axis. */
enum { MOST_CHECKED = 200 };

/* Observation i of a problem by direct integration against the fast way. */
static int bias_of(struct cf_fit *fit, const struct cf_problem *q, size_t i, struct cf_error *err)
{
    const struct cf_observation *o = &q->observation[i];
    const struct cf_dataset *d = &q->spec->data[o->data];
    size_t row = o->row, channel = o->column;
    double fast, slow, bias;
    int status = cf_problem_predict_rows(q, o->data, d, 1, &row, 1, &channel, 0, fit->optimum.theta,
                                         &fast, NULL, NULL, err);

    if (!status)
        status = cf_problem_predict_rows(q, o->data, d, 1, &row, 1, &channel, check_tolerance,
                                         fit->optimum.theta, &slow, NULL, NULL, err);
    if (status)
        return status;
    bias = fabs(fast - slow);
    fit->bias = fmax(fit->bias, bias / fabs(slow));
    fit->bias_over_sigma = fmax(fit->bias_over_sigma, bias / o->sigma);
    return CF_OK;
}

/* The same of a data set whose motion is predicted whole: one run each, all rows at once. */
static int bias_of_motion(struct cf_fit *fit, size_t data, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    const struct cf_dataset *d = &q->spec->data[data];
    const struct cf_set *set = &q->set[data];
    size_t n = 0, cells, *row = malloc((d->nrow + 1) * sizeof *row);
    double *fast, *slow, most = 0, off = 0;
    int status;

    for (size_t i = 0; row && i < d->nrow; i++)
        if (d->use[i] == CF_ROW_FIT)
            row[n++] = i;
    cells = n * set->nchannel;
    fast = malloc((2 * cells + 1) * sizeof *fast);
    slow = fast + cells;
    status = row && fast ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu predictions", cells);
    if (!status)
        status = cf_problem_predict_rows(q, data, d, n, row, set->nchannel, set->channel, 0,
                                         fit->optimum.theta, fast, NULL, NULL, err);
    if (!status)
        status = cf_problem_predict_rows(q, data, d, n, row, set->nchannel, set->channel,
                                         motion_check_tolerance, fit->optimum.theta, slow, NULL,
                                         NULL, err);
    for (size_t c = 0; c < set->nchannel && !status; c++) {
        double sigma = q->channel[set->fitted[c]].sigma;
        most = off = 0;
        for (size_t i = c; i < cells; i += set->nchannel) {
            most = fmax(most, fabs(slow[i]));
            off = fmax(off, fabs(fast[i] - slow[i]));
        }
        fit->bias = fmax(fit->bias, most > 0 ? off / most : 0);
        fit->bias_over_sigma = fmax(fit->bias_over_sigma, off / sigma);
    }
    free(row);
    free(fast);
    return status;
}

/* The largest difference of fast predictions from direct integration, raw and in sigmas. */
static int solver_bias(struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    struct cf_problem some;
    int status;

    if (cf_problem_is_motion(q)) {
        status = CF_OK;
        for (size_t i = 0; i < q->spec->ndata && !status; i++)
            if (q->spec->data[i].protocol->whole && q->set[i].nchannel)
                status = bias_of_motion(fit, i, err);
        return status;
    }
    if (q->law->family != CF_FAMILY_NORMAL)
        return CF_OK; /* a formula has no solver */
    status = cf_problem_thin(&some, q, MOST_CHECKED, err);
    for (size_t i = 0; i < some.nobservation && !status; i++) {
        status = bias_of(fit, &some, i, err);
        if (!status)
            status = cf_workers_check(q->workers, err);
    }
    cf_problem_free(&some);
    return status;
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

/* What the optimum itself gives, before other laws are compared. */
static int judge_optimum(struct cf_fit *fit, struct cf_solver *solver, struct cf_error *err)
{
    int status = judge_place(fit, solver, err);

    if (!status)
        status = cf_predict_rows(fit, err);
    if (!status)
        status = cf_predict_curves(fit, err);
    if (!status)
        status = solver_bias(fit, err);
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
