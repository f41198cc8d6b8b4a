#include "estimate/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/clusters.h"

/* A thirtieth of a standard error. */
const double cf_same_cost = 1e-3;

/* A motion costs a thousand times what a curve does: where so many evaluations have not settled it,
 * the law misses the data by far, and more of them only crawl. */
enum { MAX_ROUND = 300, MAX_MOTION_EVALUATIONS = 400 };

struct cf_solver {
    struct cf_descent *descent;
};

void cf_solver_free(struct cf_solver *solver)
{
    if (solver)
        cf_descent_free(solver->descent);
    free(solver);
}

struct cf_solver *cf_solver_alloc(const struct cf_problem *problem)
{
    struct cf_solver *s = calloc(1, sizeof *s);

    if (s && !(s->descent = cf_descent_alloc(problem))) {
        free(s);
        return NULL;
    }
    return s;
}

int cf_lower(struct cf_solver *solver, struct cf_problem *problem, const bool held[],
             double least_fall, double theta[], enum cf_end *end, double *chi2,
             struct cf_error *err)
{
    size_t evaluations = 0;
    int status =
        cf_descend(solver->descent, problem, held, fmax(least_fall, cf_problem_fall(problem)),
                   theta, &evaluations, end, err);

    *chi2 = cf_descent_fold(solver->descent)->chi2;
    return status;
}

struct cf_solution *cf_solutions_alloc(size_t n, size_t nfree)
{
    struct cf_solution *s = calloc(1, (n + 1) * sizeof *s + n * nfree * sizeof *s->theta);
    double *theta = s ? (double *) (s + n + 1) : NULL;

    for (size_t i = 0; s && i < n; i++)
        s[i].theta = theta + i * nfree;
    return s;
}

bool cf_sigma_moves(const struct cf_problem *q)
{
    if (q->loss.kind != CF_LOSS_SQUARES)
        return true; /* its weights do */
    if (cf_uses_reml(q))
        return true;
    for (size_t i = 0; i < q->nchannel; i++)
        if (q->channel[i].estimated)
            return true;
    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        const struct cf_dataset *d = &q->spec->data[o->data];
        if (cf_dataset_sigma(d, o->row, d->protocol->imposed(d, o->row)) > 0)
            return true;
    }
    return false;
}

/* ---- rounds that converge slowly
 *
 * Where the law misses the data the sigmas hang on theta, and rounds of descent and new sigmas go
 * on by a constant share of the last step. A. C. Aitken's sum of that series is then tried, and
 * taken where it costs less.
 */

/* So many rounds are left to themselves; shares of the last step for which the sum is worth it. */
enum { PATIENCE = 3 };
static const double slow_share = 0.2, endless_share = 0.97;

struct leap {
    size_t n;
    int fresh;                     /* rounds since theta was last set otherwise */
    double *theta, *step, *longer; /* n each: after the last round, its step; where to go */
};

static bool leap_make(struct leap *l, size_t n)
{
    *l = (struct leap){.n = n, .theta = calloc(3 * n + 1, sizeof *l->theta)};
    l->step = l->theta + n;
    l->longer = l->step + n;
    return l->theta != NULL;
}

/* A round has ended at theta: is there a sum, in l->longer? */
static bool leaps(struct leap *l, const struct cf_problem *q, const double theta[])
{
    double along = 0, before = 0, share;

    for (size_t i = 0; i < l->n; i++) {
        double w = 1 / (q->unknown[i].upper - q->unknown[i].lower),
               now = w * (theta[i] - l->theta[i]);
        along += now * w * l->step[i];
        before += w * w * l->step[i] * l->step[i];
        l->step[i] = theta[i] - l->theta[i];
        l->theta[i] = theta[i];
    }
    share = before > 0 ? along / before : 0;
    if (l->fresh++ < PATIENCE || !(share > slow_share && share < endless_share))
        return false;
    for (size_t i = 0; i < l->n; i++) {
        const struct cf_unknown *w = &q->unknown[i];
        l->longer[i] = fmin(fmax(theta[i] + share / (1 - share) * l->step[i], w->lower), w->upper);
    }
    return true;
}

/* Go there where it costs less, with the sigmas that it has. */
static int leap(struct leap *l, struct cf_problem *q, struct cf_solution *s, struct cf_error *err)
{
    double here, there, change;
    int status = cf_cost(q, s->theta, &here, err);

    s->evaluations += 2;
    if (!status)
        status = cf_cost(q, l->longer, &there, err);
    if (status || !(there < here))
        return cf_status_ends(status) ? status : CF_OK;
    status = cf_sigma_update(q, l->longer, &change, err);
    if (status) /* it has a cost there, and no derivatives: rounds go on from here */
        return cf_status_ends(status) ? status : CF_OK;
    memcpy(s->theta, l->longer, l->n * sizeof *l->longer);
    l->fresh = 1;
    memcpy(l->theta, l->longer, l->n * sizeof *l->longer);
    return CF_OK;
}

static bool crawls(const struct cf_problem *q, size_t evaluations)
{
    return cf_problem_is_motion(q) && evaluations > MAX_MOTION_EVALUATIONS;
}

/* Of a motion, while sigmas still move by a share, chi^2 need not be lowest to less than a tenth of
 * that share: the next sigmas put its minimum elsewhere. */
static double fall_asked(const struct cf_problem *q, double change)
{
    double least = cf_problem_fall(q);

    return cf_problem_is_motion(q) ? fmax(least, 0.1 * fmin(change, 1)) : least;
}

/* Rounds of descent and new sigmas until both converge. */
static int rounds(struct cf_solver *solver, struct cf_problem *problem, const bool held[],
                  double sigma_tolerance, struct leap *l, struct cf_solution *s,
                  struct cf_error *err)
{
    size_t before = s->evaluations;
    double change = sigma_tolerance > 0 ? 1 : 0;

    for (int i = 0; i < MAX_ROUND && !crawls(problem, s->evaluations - before); i++) {
        double fall = fall_asked(problem, change);
        int status = cf_descend(solver->descent, problem, held, fall, s->theta, &s->evaluations,
                                &s->end, err);
        if (status || s->end != CF_END_CONVERGED || !(sigma_tolerance > 0))
            return status;
        status = cf_sigma_update_folded(problem, s->theta, cf_descent_fold(solver->descent),
                                        &change, err);
        if (status) {
            s->end = CF_END_FAILED;
            return cf_status_ends(status) ? status : CF_OK;
        }
        if (change < sigma_tolerance && !(fall > cf_problem_fall(problem)))
            return CF_OK;
        if (l && leaps(l, problem, s->theta))
            status = leap(l, problem, s, err);
        if (status)
            return status;
    }
    s->end = CF_END_STALLED;
    return CF_OK;
}

int cf_polish(struct cf_solver *solver, struct cf_problem *problem, const bool held[],
              double sigma_tolerance, struct cf_solution *solution, struct cf_error *err)
{
    struct leap l;
    int status;

    if (problem->nresidual < problem->nfree)
        return cf_fail(err, CF_EFIT, "%zu observations cannot fit %zu parameters",
                       problem->nresidual, problem->nfree);
    solution->end = CF_END_CONVERGED;
    if (!leap_make(&l, problem->nfree))
        return cf_fail(err, CF_ENOMEM, "no memory for %zu unknowns", problem->nfree);
    /* clusters stand for a law that misses its data */
    status = rounds(solver, problem, held, cf_sigma_moves(problem) ? sigma_tolerance : 0,
                    cf_is_clustered(problem) ? &l : NULL, solution, err);
    free(l.theta);
    if (status)
        return status;
    status = cf_cost(problem, solution->theta, &solution->cost, err);
    if (cf_status_ends(status))
        return status;
    if (status || !isfinite(solution->cost)) {
        solution->end = CF_END_FAILED;
        solution->cost = INFINITY;
    }
    return CF_OK;
}
