#include "resample/workspace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sigmas need converge only so far: the optimum moves by far less than a standard error. */
static const double sigma_tolerance = 1e-4;

/* A last step of this length in standard errors is too small to show in an interval. */
static const double step_tolerance = 1e-4;
enum { MAX_STEP = 15 };

void cf_refit_workspace_clear(struct cf_refit_workspace *d)
{
    cf_problem_free(&d->problem);
    cf_solver_free(d->solver);
    cf_fold_clear(&d->fold);
    free(d->theta);
    free(d->count);
}

bool cf_refit_workspace_init(struct cf_refit_workspace *d, const struct cf_optimum *optimum,
                             size_t nrow)
{
    const struct cf_problem *q = &optimum->problem;

    if (cf_problem_copy(&d->problem, q, NULL))
        return false;
    d->problem.workers = NULL; /* replicates run side by side, not their evaluations */
    d->solver = cf_solver_alloc(q);
    d->theta = calloc(2 * q->nfree + 1, sizeof *d->theta);
    d->gradient = d->theta ? d->theta + q->nfree : NULL;
    d->count = calloc(nrow + 1, sizeof *d->count);
    return !cf_fold_alloc(&d->fold, q, NULL) && d->solver && d->theta && d->count;
}

void cf_refit_reset(struct cf_refit_workspace *d, const struct cf_problem *q)
{
    cf_problem_restore(&d->problem, q);
}

int cf_refit_identifies(struct cf_refit_workspace *d, const struct cf_optimum *optimum,
                        bool *identifies, struct cf_error *err)
{
    struct cf_rank rank = {0};
    int status = cf_problem_fold(&d->problem, optimum->theta, &d->fold, err);

    if (!status)
        status = cf_rank_fold(&d->fold, NULL, &rank, err);
    *identifies = !status && rank.rank == optimum->rank.rank;
    cf_rank_clear(&rank);
    return cf_status_ends(status) ? status : CF_OK;
}

void cf_refit_weigh(struct cf_refit_workspace *d, const struct cf_rows *rows)
{
    for (size_t i = 0; i < d->problem.nobservation; i++)
        d->problem.observation[i].weight *= (double) d->count[rows->row[i]];
}

/* A sigma of repeats of one row goes to nothing, and the likelihood with it to infinity. */
static bool collapsed(const struct cf_problem *q, const struct cf_problem *fitted)
{
    for (size_t c = 0; c < q->nchannel; c++)
        if (q->channel[c].estimated && q->channel[c].sigma <= q->channel[c].floor &&
            fitted->channel[c].sigma > q->channel[c].floor)
            return true;
    return false;
}

static void put_sigmas_back(struct cf_problem *q, const struct cf_problem *fitted)
{
    memcpy(q->channel, fitted->channel, q->nchannel * sizeof *q->channel);
    for (size_t i = 0; i < q->nobservation; i++)
        q->observation[i].sigma = fitted->observation[i].sigma;
}

/* A flat parameter may be anywhere between its bounds; the optimum of another that comes near to a
 * bound may be at it, which takes more than plain steps. */
static bool inside(const struct cf_unknown *w, double theta, bool flat)
{
    return flat ? theta >= w->lower && theta <= w->upper : cf_unknown_at_bound(w, theta) == 0;
}

/* A Gauss-Newton step of theta, in the identified directions. *length receives its length in
 * standard errors; INFINITY where the law or the bounds end. */
static int newton_step(struct cf_refit_workspace *d, const bool flat[], double theta[],
                       double *length, struct cf_error *err)
{
    struct cf_problem *q = &d->problem;
    size_t n = q->nfree, all = n + 1;
    struct cf_rank rank = {0};
    int status = cf_problem_fold(q, theta, &d->fold, err);
    bool ok;

    if (!status)
        status = cf_rank_fold(&d->fold, NULL, &rank, err);
    ok = !status;
    for (size_t j = 0; j < n && ok; j++) {
        d->gradient[j] = 0;
        for (size_t i = 0; i <= j; i++)
            d->gradient[j] += d->fold.R[i * all + j] * d->fold.R[i * all + n];
    }
    *length = ok ? sqrt(cf_linear_variance(&rank, d->gradient)) : (double) INFINITY;
    for (size_t i = 0; i < n && ok; i++) {
        for (size_t j = 0; j < n; j++)
            theta[i] -= rank.covariance[i * n + j] * d->gradient[j];
        ok = inside(&q->unknown[i], theta[i], flat[i]);
    }
    if (ok)
        memcpy(q->local, d->fold.local, q->nlocal * sizeof *q->local);
    if (!ok || !isfinite(*length))
        *length = INFINITY;
    cf_rank_clear(&rank);
    return cf_status_ends(status) ? status : CF_OK;
}

/* The fit's optimum is near the replicate's: plain steps, the sigmas updated before each. *reached
 * is false when they do not converge: then the optimiser is needed. */
static int newton(struct cf_refit_workspace *d, const bool flat[], double theta[], bool *reached,
                  struct cf_error *err)
{
    bool sigma_moves = cf_sigma_moves(&d->problem);

    *reached = false;
    for (int k = 0; k < MAX_STEP; k++) {
        double change = 0, length;
        int status = sigma_moves ? cf_sigma_update(&d->problem, theta, &change, err) : CF_OK;
        if (status)
            return cf_status_ends(status) ? status : CF_OK;
        status = newton_step(d, flat, theta, &length, err);
        if (status || !isfinite(length))
            return status;
        *reached = length < step_tolerance && change < sigma_tolerance;
        if (*reached)
            return CF_OK;
    }
    return CF_OK;
}

int cf_refit(struct cf_refit_workspace *d, const struct cf_optimum *optimum,
             enum cf_outcome *outcome, double shift[], struct cf_error *err)
{
    size_t n = optimum->problem.nfree;
    struct cf_solution solution = {.theta = d->theta, .end = CF_END_CONVERGED};
    bool reached;
    int status;

    memcpy(d->theta, optimum->theta, n * sizeof *d->theta);
    status = newton(d, optimum->rank.flat, d->theta, &reached, err);
    if (status)
        return status;
    if (!reached) {
        memcpy(d->theta, optimum->theta, n * sizeof *d->theta);
        put_sigmas_back(&d->problem, &optimum->problem);
        status = cf_polish(d->solver, &d->problem, NULL, sigma_tolerance, &solution, err);
        if (status)
            return status;
    }
    *outcome = solution.end != CF_END_CONVERGED            ? CF_OUTCOME_LOST
               : collapsed(&d->problem, &optimum->problem) ? CF_OUTCOME_COLLAPSED
                                                           : CF_OUTCOME_FITTED;
    for (size_t i = 0; i < n; i++)
        shift[i] = d->theta[i] - optimum->theta[i];
    return CF_OK;
}
