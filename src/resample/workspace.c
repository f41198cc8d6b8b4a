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
    free(d->problem.observation);
    free(d->problem.channel);
    cf_solver_free(d->solver);
    free(d->residual);
    free(d->jacobian);
    free(d->count);
}

bool cf_refit_workspace_init(struct cf_refit_workspace *d, const struct cf_optimum *optimum,
                             size_t nrow)
{
    const struct cf_problem *q = &optimum->problem;

    d->problem = *q;
    d->problem.observation = calloc(q->nobservation, sizeof *q->observation);
    d->problem.channel = calloc(q->nchannel, sizeof *q->channel);
    d->solver = cf_solver_alloc(q);
    d->residual = calloc(q->nresidual, sizeof *d->residual);
    d->jacobian = calloc(q->nresidual * q->nfree, sizeof *d->jacobian);
    d->count = calloc(nrow, sizeof *d->count);
    return d->problem.observation && d->problem.channel && d->solver && d->residual &&
           d->jacobian && d->count;
}

void cf_refit_reset(struct cf_refit_workspace *d, const struct cf_problem *q)
{
    memcpy(d->problem.observation, q->observation, q->nobservation * sizeof *q->observation);
    memcpy(d->problem.channel, q->channel, q->nchannel * sizeof *q->channel);
    memcpy(d->problem.unknown, q->unknown, sizeof q->unknown);
}

bool cf_refit_identifies(const struct cf_refit_workspace *d, const struct cf_optimum *optimum,
                         const struct cf_rows *rows)
{
    size_t n = optimum->problem.nfree, m = optimum->problem.nresidual;
    struct cf_rank rank;

    memcpy(d->jacobian, optimum->jacobian, m * n * sizeof *d->jacobian);
    for (size_t row = 0; row < rows->nrow; row++)
        for (size_t i = rows->first[row]; i < rows->first[row + 1]; i++)
            for (size_t j = 0; j < n; j++)
                d->jacobian[i * n + j] *= sqrt((double) d->count[row]);
    return cf_rank_analyse(d->jacobian, m, n, cf_rank_noise, &rank, NULL, NULL) == CF_OK &&
           rank.rank == optimum->rank.rank;
}

void cf_refit_weigh(struct cf_refit_workspace *d, const struct cf_rows *rows)
{
    for (size_t row = 0; row < rows->nrow; row++)
        for (size_t i = rows->first[row]; i < rows->first[row + 1]; i++)
            d->problem.observation[i].weight *= (double) d->count[row];
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

/* A Gauss-Newton step of theta, in the identified directions; false where the law or the bounds
 * end. *length receives its length in standard errors. */
static bool newton_step(struct cf_refit_workspace *d, const bool flat[], double theta[],
                        double *length)
{
    const struct cf_problem *q = &d->problem;
    size_t n = q->nfree;
    double gradient[CF_MAX_PARAM] = {0};
    struct cf_rank rank;

    if (cf_problem_residuals(q, theta, d->residual, d->jacobian, NULL) ||
        cf_rank_analyse(d->jacobian, q->nresidual, n, cf_rank_noise, &rank, NULL, NULL))
        return false;
    for (size_t i = 0; i < q->nresidual; i++)
        for (size_t j = 0; j < n; j++)
            gradient[j] += d->jacobian[i * n + j] * d->residual[i];
    *length = sqrt(cf_linear_variance(&rank, gradient));
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            theta[i] -= rank.covariance[i][j] * gradient[j];
        if (!inside(&q->unknown[i], theta[i], flat[i]))
            return false;
    }
    return isfinite(*length);
}

/* The fit's optimum is near the replicate's: plain steps, the sigmas updated before each. False
 * when they do not converge: then the optimiser is needed. */
static bool newton(struct cf_refit_workspace *d, const bool flat[], double theta[])
{
    bool sigma_moves = cf_sigma_moves(&d->problem);

    for (int k = 0; k < MAX_STEP; k++) {
        double change = 0, length;
        if (sigma_moves && cf_sigma_update(&d->problem, theta, &change, NULL))
            return false;
        if (!newton_step(d, flat, theta, &length))
            return false;
        if (length < step_tolerance && change < sigma_tolerance)
            return true;
    }
    return false;
}

int cf_refit(struct cf_refit_workspace *d, const struct cf_optimum *optimum,
             enum cf_outcome *outcome, double shift[], struct cf_error *err)
{
    struct cf_solution solution = {.evaluations = 0};
    int status = CF_OK;

    memcpy(solution.theta, optimum->theta, sizeof optimum->theta);
    solution.end = CF_END_CONVERGED;
    if (!newton(d, optimum->rank.flat, solution.theta)) {
        memcpy(solution.theta, optimum->theta, sizeof optimum->theta);
        put_sigmas_back(&d->problem, &optimum->problem);
        status = cf_polish(d->solver, &d->problem, NULL, sigma_tolerance, &solution, err);
        if (status)
            return status;
    }
    *outcome = solution.end != CF_END_CONVERGED            ? CF_OUTCOME_LOST
               : collapsed(&d->problem, &optimum->problem) ? CF_OUTCOME_COLLAPSED
                                                           : CF_OUTCOME_FITTED;
    for (size_t i = 0; i < optimum->problem.nfree; i++)
        shift[i] = solution.theta[i] - optimum->theta[i];
    return CF_OK;
}
