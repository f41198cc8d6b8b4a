#include "estimate/leave_one_out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/clusters.h"
#include "estimate/left_out_fit.h"
#include "estimate/leverage.h"
#include "estimate/records.h"
#include "estimate/solve.h"

const size_t cf_most_left_out = 400;

static int refit(const struct cf_problem *q, struct cf_left_out_fit *b, size_t i, double theta[],
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
    if (cf_problem_is_motion(q)) /* one row of thousands moves no sigma; a round costs minutes */
        status = cf_lower(b->solver, &b->problem, NULL, cf_least_fall(q), theta, &solution.end,
                          &chi2, err);
    else if (b->moves)
        status = cf_polish(b->solver, &b->problem, NULL, cf_left_out_tolerance(q), &solution, err);
    else
        status = cf_lower(b->solver, &b->problem, NULL, 0, theta, &solution.end, &chi2, err);
    if (!status && solution.end != CF_END_FAILED)
        status = cf_left_out_predict(&b->problem, i, theta, predicted, err);
    b->problem.observation[i].weight = weight;
    return status;
}

bool cf_left_out_all(const unsigned char how[], size_t n)
{
    return !memchr(how, CF_LEFT_OUT_NONE, n);
}

int cf_leave_one(const struct cf_problem *problem, size_t i, double theta[], double *predicted,
                 struct cf_error *err)
{
    struct cf_left_out_fit b;
    int status = cf_left_out_fit_make(problem, &b, err);

    if (status)
        return status;
    status = refit(problem, &b, i, theta, predicted, err);
    cf_left_out_fit_free(&b);
    return status;
}

/* ---- many observations */

/* Where the formula is wrong for those, this many more are fitted without, and the rest is left. */
enum { MORE = 200 };

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
static int refit_some(const struct cf_problem *q, struct cf_left_out_fit *b, const double theta[],
                      const struct influence order[], size_t from, size_t to, double without[],
                      double predicted[], unsigned char how[], bool *agrees, struct cf_error *err)
{
    int status = CF_OK;

    for (size_t k = from; k < to && !status; k++) {
        size_t i = order[k].i;
        double again;
        memcpy(without, theta, q->nfree * sizeof *theta);
        status = refit(q, b, i, without, &again, err);
        if (!(fabs(again - predicted[i]) < cf_left_out_agreement * q->observation[i].sigma))
            *agrees = false;
        predicted[i] = again;
        how[i] = CF_LEFT_OUT_REFIT;
    }
    return status;
}

static int leave_many(const struct cf_problem *q, struct cf_left_out_fit *b, const double theta[],
                      double without[], double predicted[], unsigned char how[],
                      struct cf_error *err)
{
    size_t n = q->nobservation,
           more = n < CF_LEFT_OUT_CHECKED + MORE ? n : CF_LEFT_OUT_CHECKED + MORE;
    size_t checked = n < CF_LEFT_OUT_CHECKED ? n : CF_LEFT_OUT_CHECKED;
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

/* Are groups left out, or clusters, each as a whole? */
static bool leaves_groups(const struct cf_problem *q)
{
    return cf_shares_errors(q) || cf_is_clustered(q);
}

int cf_leave_one_out(const struct cf_problem *problem, const double theta[], size_t most,
                     double predicted[], unsigned char how[], struct cf_error *err)
{
    size_t n = problem->nobservation;
    double *without;
    struct cf_left_out_fit b;
    int status;

    memset(how, CF_LEFT_OUT_NONE, n);
    for (size_t i = 0; i < n; i++)
        predicted[i] = NAN;
    if (n == 0 || problem->nresidual <= problem->nfree)
        return CF_OK;
    status = cf_left_out_fit_make(problem, &b, err);
    if (status)
        return status;
    without = malloc((problem->nfree + 1) * sizeof *without);
    if (!without)
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu refits", n);
    if (!status && leaves_groups(problem))
        status = cf_leave_groups(problem, &b, theta, most, without, predicted, how, err);
    for (size_t i = 0; i < n && n <= most && !leaves_groups(problem) && !status; i++) {
        memcpy(without, theta, problem->nfree * sizeof *theta);
        status = refit(problem, &b, i, without, &predicted[i], err);
        how[i] = CF_LEFT_OUT_REFIT;
    }
    if (!status && n > most && !leaves_groups(problem))
        status = leave_many(problem, &b, theta, without, predicted, how, err);
    free(without);
    cf_left_out_fit_free(&b);
    return status;
}
