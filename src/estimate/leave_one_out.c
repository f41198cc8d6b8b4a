#include "estimate/leave_one_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/solve.h"

const size_t cf_most_left_out = 400;

/* Sigmas and weights converge to this relative change: predictions are then as good as printed. */
static const double sigma_tolerance = 1e-7;

/* For a law that is integrated, to the digits that a page prints: each round costs a hundred
 * impacts. */
static const double slow_sigma_tolerance = 1e-4;

/* A copy whose weights and sigmas may change, and what a refit of it needs. */
struct bench {
    struct cf_problem problem;
    struct cf_solver *solver;
    double *y;
};

static void bench_free(struct bench *b)
{
    cf_solver_free(b->solver);
    cf_problem_free(&b->problem);
    free(b->y);
}

static int bench_make(const struct cf_problem *q, struct bench *b, struct cf_error *err)
{
    size_t n = q->nobservation, m = q->nchannel;

    *b = (struct bench){.problem = *q};
    b->problem.observation = calloc(n + 1, sizeof *b->problem.observation);
    b->problem.channel = calloc(m + 1, sizeof *b->problem.channel);
    b->solver = cf_solver_alloc(q);
    b->y = calloc(n + 1, sizeof *b->y);
    if (b->problem.observation && b->problem.channel && b->solver && b->y)
        return CF_OK;
    bench_free(b);
    return cf_fail(err, CF_ENOMEM, "no memory to fit %zu observations again", n);
}

static int refit(const struct cf_problem *q, struct bench *b, size_t i, double theta[],
                 double *predicted, struct cf_error *err)
{
    struct cf_solution solution = {.cost = 0};
    int status;

    *predicted = NAN;
    memcpy(b->problem.observation, q->observation, q->nobservation * sizeof *q->observation);
    memcpy(b->problem.channel, q->channel, q->nchannel * sizeof *q->channel);
    b->problem.observation[i].weight = 0;
    memcpy(solution.theta, theta, q->nfree * sizeof *theta);
    status = cf_polish(b->solver, &b->problem, NULL,
                       q->law->regular ? slow_sigma_tolerance : sigma_tolerance, &solution, err);
    if (status || solution.end == CF_END_FAILED)
        return status;
    memcpy(theta, solution.theta, q->nfree * sizeof *theta);
    if (!cf_problem_predict(&b->problem, theta, b->y, NULL, NULL, NULL))
        *predicted = b->y[i];
    return CF_OK;
}

int cf_leave_one(const struct cf_problem *problem, size_t i, double theta[], double *predicted,
                 struct cf_error *err)
{
    struct bench b;
    int status = bench_make(problem, &b, err);

    if (status)
        return status;
    status = refit(problem, &b, i, theta, predicted, err);
    bench_free(&b);
    return status;
}

int cf_leave_one_out(const struct cf_problem *problem, const double theta[], double predicted[],
                     struct cf_error *err)
{
    size_t n = problem->nobservation, step = (n + cf_most_left_out - 1) / cf_most_left_out;
    struct bench b;
    int status;

    for (size_t i = 0; i < n; i++)
        predicted[i] = NAN;
    if (n == 0 || problem->nresidual <= problem->nfree)
        return CF_OK;
    status = bench_make(problem, &b, err);
    if (status)
        return status;
    for (size_t i = 0; i < n && !status; i += step) {
        double without[CF_MAX_PARAM];
        memcpy(without, theta, problem->nfree * sizeof *theta);
        status = refit(problem, &b, i, without, &predicted[i], err);
    }
    bench_free(&b);
    return status;
}
