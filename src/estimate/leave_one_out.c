#include "estimate/leave_one_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/leverage.h"
#include "estimate/records.h"
#include "estimate/rows.h"
#include "estimate/solve.h"

const size_t cf_most_left_out = 400;

/* Sigmas and weights converge to this relative change: predictions are then as good as printed. */
static const double sigma_tolerance = 1e-7;

/* For a law that is integrated, to the digits that a page prints: each round costs a hundred
 * impacts. */
static const double slow_sigma_tolerance = 1e-4;

/* What a refit needs. Where the sigmas stay, the problem itself is fitted, but for a weight that is
 * put back: there may be too many observations for a copy. */
struct bench {
    struct cf_problem problem; /* a copy, or the caller's, its observations shared */
    bool moves;                /* sigmas do: a copy */
    struct cf_solver *solver;
};

static void bench_free(struct bench *b)
{
    cf_solver_free(b->solver);
    if (b->moves)
        cf_problem_free(&b->problem);
    else
        free(b->problem.local);
}

static int bench_make(const struct cf_problem *q, struct bench *b, struct cf_error *err)
{
    int status = CF_OK;

    *b = (struct bench){.problem = *q, .moves = cf_sigma_moves(q)};
    if (b->moves)
        status = cf_problem_copy(&b->problem, q, err);
    else
        b->problem.local = malloc((q->nlocal + 1) * sizeof *q->local);
    b->solver = status ? NULL : cf_solver_alloc(q);
    if (b->solver && b->problem.local)
        return CF_OK;
    if (!status)
        bench_free(b);
    return status ? status
                  : cf_fail(err, CF_ENOMEM, "no memory to fit %zu observations again",
                            q->nobservation);
}

/* The prediction of observation i as the bench has its locals; NAN where there is none. */
static int predict_one(const struct cf_problem *q, size_t i, const double theta[],
                       double *predicted, struct cf_error *err)
{
    struct cf_problem one = *q;
    struct cf_part part = {.data = q->observation[i].data, .first = i, .count = 1};
    int status;

    for (size_t p = 0; p < q->npart; p++)
        if (i >= q->part[p].first && i < q->part[p].first + q->part[p].count)
            part.local = q->part[p].local;
    one.part = &part;
    one.npart = 1;
    status = cf_part_value(&one, theta, predicted, err);
    if (status)
        *predicted = NAN;
    return cf_status_ends(status) ? status : CF_OK;
}

static int refit(const struct cf_problem *q, struct bench *b, size_t i, double theta[],
                 double *predicted, struct cf_error *err)
{
    struct cf_solution solution = {.theta = theta, .end = CF_END_CONVERGED};
    double weight = q->observation[i].weight, chi2;
    int status;

    *predicted = NAN;
    if (b->moves)
        cf_problem_restore(&b->problem, q);
    else
        memcpy(b->problem.local, q->local, q->nlocal * sizeof *q->local);
    b->problem.observation[i].weight = 0;
    if (b->moves)
        status = cf_polish(b->solver, &b->problem, NULL,
                           cf_law_is_slow(q->law) ? slow_sigma_tolerance : sigma_tolerance,
                           &solution, err);
    else
        status = cf_lower(b->solver, &b->problem, NULL, theta, &solution.end, &chi2, err);
    if (!status && solution.end != CF_END_FAILED)
        status = predict_one(&b->problem, i, theta, predicted, err);
    b->problem.observation[i].weight = weight;
    return status;
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

/* ---- many observations */

/* The influence formula is checked on this many, those that move the fit most; it must agree to
 * this share of a sigma; where it does not, this many more are fitted without and the rest is left.
 */
enum { CHECKED = 10, MORE = 200 };
static const double agreement = 0.1;

/* What is left out, with how far it moves the fit. */
struct influence {
    double size; /* Cook's distance but for a factor */
    size_t i;
};

static int by_size(const void *a, const void *b)
{
    const struct influence *s = a, *t = b;
    if (s->size != t->size)
        return s->size > t->size ? -1 : 1;
    return (s->i > t->i) - (s->i < t->i);
}

/* Leverages and predictions at theta. */
static int linearise(const struct cf_problem *q, const double theta[], double hat[], double y[],
                     struct cf_error *err)
{
    struct cf_fold fold;
    struct cf_rank rank = {0};
    int status = cf_fold_alloc(&fold, q, err);

    if (!status)
        status = cf_problem_fold(q, theta, &fold, err);
    if (!status)
        status = cf_rank_fold(&fold, NULL, &rank, err);
    if (!status)
        status = cf_leverages(q, theta, &fold, &rank, hat, err);
    if (!status)
        status = cf_problem_predict(q, theta, y, NULL, err);
    cf_rank_clear(&rank);
    cf_fold_clear(&fold);
    return status;
}

/* Predictions without each observation by its influence, and the order of their influence. */
static void by_influence(const struct cf_problem *q, const double hat[], const double y[],
                         double predicted[], struct influence order[])
{
    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        double seen = o->value - y[i], left = 1 - hat[i];
        predicted[i] = left > 0 ? o->value - seen / left : (double) NAN;
        order[i] = (struct influence){
            left > 0 ? fabs(seen / o->sigma) * sqrt(hat[i]) / left : (double) INFINITY, i};
    }
    qsort(order, q->nobservation, sizeof *order, by_size);
}

/* Refit without order[from] to order[to - 1]. *agrees is cleared where that differs. */
static int refit_some(const struct cf_problem *q, struct bench *b, const double theta[],
                      const struct influence order[], size_t from, size_t to, double without[],
                      double predicted[], unsigned char how[], bool *agrees, struct cf_error *err)
{
    int status = CF_OK;

    for (size_t k = from; k < to && !status; k++) {
        size_t i = order[k].i;
        double again;
        memcpy(without, theta, q->nfree * sizeof *theta);
        status = refit(q, b, i, without, &again, err);
        if (!(fabs(again - predicted[i]) < agreement * q->observation[i].sigma))
            *agrees = false;
        predicted[i] = again;
        how[i] = CF_LEFT_OUT_REFIT;
    }
    return status;
}

static int leave_many(const struct cf_problem *q, struct bench *b, const double theta[],
                      double without[], double predicted[], unsigned char how[],
                      struct cf_error *err)
{
    size_t n = q->nobservation, more = n < CHECKED + MORE ? n : CHECKED + MORE;
    size_t checked = n < CHECKED ? n : CHECKED;
    double *hat = malloc((2 * n + 1) * sizeof *hat), *y = hat + n;
    struct influence *order = malloc((n + 1) * sizeof *order);
    bool agrees = true;
    int status = hat && order ? linearise(q, theta, hat, y, err)
                              : cf_fail(err, CF_ENOMEM, "no memory for %zu leverages", n);

    if (!status) {
        by_influence(q, hat, y, predicted, order);
        memset(how, CF_LEFT_OUT_INFLUENCE, n);
        status = refit_some(q, b, theta, order, 0, checked, without, predicted, how, &agrees, err);
    }
    if (!status && !agrees)
        status =
            refit_some(q, b, theta, order, checked, more, without, predicted, how, &agrees, err);
    for (size_t k = more; k < n && !status && !agrees; k++) {
        predicted[order[k].i] = NAN;
        how[order[k].i] = CF_LEFT_OUT_NONE;
    }
    free(hat);
    free(order);
    return status;
}

/* ---- groups */

/* Each refit costs all observations: so many of them in all, so that the time goes with the rows
 * and not with their square, and this many groups whatever their size. */
static const double most_refitted = 4e5;
enum { LEAST_GROUPS = 10 };

/* Refit without a group, and predict its observations. */
static int leave_group(const struct cf_problem *q, struct bench *b, const struct cf_rows *rows,
                       size_t row, double theta[], double predicted[], unsigned char how[],
                       struct cf_error *err)
{
    struct cf_solution solution = {.theta = theta, .end = CF_END_CONVERGED};
    int status;

    cf_problem_restore(&b->problem, q);
    for (size_t i = 0; i < q->nobservation; i++) {
        struct cf_observation *o = &b->problem.observation[i];
        o->weight = rows->row[i] == row ? 0 : o->weight;
    }
    status =
        cf_polish(b->solver, &b->problem, NULL,
                  cf_law_is_slow(q->law) ? slow_sigma_tolerance : sigma_tolerance, &solution, err);
    for (size_t i = 0; i < q->nobservation && !status && solution.end != CF_END_FAILED; i++) {
        if (rows->row[i] != row)
            continue;
        status = predict_one(&b->problem, i, theta, &predicted[i], err);
        how[i] = CF_LEFT_OUT_REFIT;
    }
    return status;
}

static int leave_groups(const struct cf_problem *q, struct bench *b, const double theta[],
                        size_t most, double without[], double predicted[], unsigned char how[],
                        struct cf_error *err)
{
    struct cf_rows rows;
    int status = cf_rows_init(&rows, q, err);
    size_t n = rows.nrow < most ? rows.nrow : most;
    size_t paid = (size_t) (most_refitted / (double) (q->nobservation + 1)) + LEAST_GROUPS;

    n = n < paid ? n : paid;
    for (size_t k = 0; k < n && !status; k++) {
        memcpy(without, theta, q->nfree * sizeof *theta);
        status = leave_group(q, b, &rows, k * rows.nrow / n, without, predicted, how, err);
    }
    cf_rows_clear(&rows);
    return status;
}

int cf_leave_one_out(const struct cf_problem *problem, const double theta[], size_t most,
                     double predicted[], unsigned char how[], struct cf_error *err)
{
    size_t n = problem->nobservation;
    double *without;
    struct bench b;
    int status;

    memset(how, CF_LEFT_OUT_NONE, n);
    for (size_t i = 0; i < n; i++)
        predicted[i] = NAN;
    if (n == 0 || problem->nresidual <= problem->nfree)
        return CF_OK;
    status = bench_make(problem, &b, err);
    if (status)
        return status;
    without = malloc((problem->nfree + 1) * sizeof *without);
    if (!without)
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu refits", n);
    if (!status && cf_shares_errors(problem))
        status = leave_groups(problem, &b, theta, most, without, predicted, how, err);
    for (size_t i = 0; i < n && n <= most && !cf_shares_errors(problem) && !status; i++) {
        memcpy(without, theta, problem->nfree * sizeof *theta);
        status = refit(problem, &b, i, without, &predicted[i], err);
        how[i] = CF_LEFT_OUT_REFIT;
    }
    if (!status && n > most && !cf_shares_errors(problem))
        status = leave_many(problem, &b, theta, without, predicted, how, err);
    free(without);
    bench_free(&b);
    return status;
}
