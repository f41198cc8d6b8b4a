#include "estimate/simplex.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <nlopt.h>
#include <stdlib.h>
#include <string.h>

/* The first simplex reaches half a standard error, where a point that is no minimum shows it; one
 * of two unknowns comes down from there in some thirty evaluations. */
static const double first_step = 0.5;
enum { EVALUATIONS_A_COORDINATE = 40 };

/* Where the law cannot be evaluated: neither NaN nor infinity, which the method would carry on. */
static const double bad = 1e30;

struct simplex {
    const struct cf_problem *problem;
    struct cf_fold fold; /* of problems with locals, which have their best at each theta */
    double *theta, *r, *lowest;
    const double *from, *step; /* nfree: theta = from + step t */
    size_t *moving;            /* the unknown of each coordinate */
    double least;
    nlopt_opt opt;
    int status;
    struct cf_error *err;
};

static int chi2_at(struct simplex *s, double *chi2)
{
    const struct cf_problem *q = s->problem;
    int status;

    *chi2 = 0;
    if (q->nlocal) {
        status = cf_problem_fold(q, s->theta, &s->fold, s->err);
        *chi2 = s->fold.chi2;
        return status;
    }
    status = cf_problem_residuals(q, s->theta, s->r, NULL, s->err);
    for (size_t i = 0; i < q->nresidual && !status; i++)
        *chi2 += gsl_pow_2(s->r[i]);
    return status;
}

static double value_at(unsigned n, const double t[], double slope[], void *data)
{
    struct simplex *s = data;
    double chi2;

    (void) slope;
    for (unsigned k = 0; k < n; k++) {
        size_t j = s->moving[k];
        const struct cf_unknown *w = &s->problem->unknown[j];
        s->theta[j] = s->from[j] + s->step[j] * t[k];
        if (!(s->theta[j] >= w->lower && s->theta[j] <= w->upper))
            return bad;
    }
    int status = cf_workers_check(s->problem->workers, s->err);
    if (!status)
        status = chi2_at(s, &chi2);
    if (cf_status_ends(status)) {
        s->status = status;
        nlopt_force_stop(s->opt);
    }
    if (status || !isfinite(chi2))
        return bad;
    if (chi2 < s->least) {
        s->least = chi2;
        memcpy(s->lowest, s->theta, s->problem->nfree * sizeof *s->theta);
    }
    return chi2;
}

/* Which unknowns move, and how far one standard error of each is. Starts of single segments do not:
 * each is identified by its own rows, and dozens of them would hide the others from such a descent.
 */
static unsigned choose(const struct cf_problem *q, const struct cf_rank *rank, double step[],
                       size_t moving[])
{
    unsigned n = 0;

    for (size_t j = 0; j < q->nfree; j++) {
        bool moves = !q->unknown[j].of_segment && cf_rank_identifies(rank, j);
        step[j] = moves ? sqrt(cf_rank_variance(rank, j)) : 0;
        if (step[j] > 0 && isfinite(step[j]))
            moving[n++] = j;
    }
    return n;
}

static int descend(struct simplex *s, unsigned n, struct cf_error *err)
{
    double *t = calloc(n, sizeof *t), least;

    s->opt = nlopt_create(NLOPT_LN_NELDERMEAD, n);
    if (!t || !s->opt || nlopt_set_min_objective(s->opt, value_at, s) < 0 ||
        nlopt_set_initial_step1(s->opt, first_step) < 0 ||
        nlopt_set_maxeval(s->opt, (int) (EVALUATIONS_A_COORDINATE * n)) < 0 ||
        nlopt_optimize(s->opt, t, &least) == NLOPT_OUT_OF_MEMORY)
        s->status = cf_fail(err, CF_ENOMEM, "no memory for a descent without derivatives");
    nlopt_destroy(s->opt);
    free(t);
    return s->status;
}

int cf_simplex_fall(const struct cf_problem *problem, const struct cf_rank *rank,
                    const double theta[], double *fall, double lowest[], struct cf_error *err)
{
    size_t n = problem->nfree;
    double *room = calloc(3 * n + problem->nresidual + 1, sizeof *room), begin = 0;
    struct simplex s = {.problem = problem,
                        .theta = room,
                        .r = room ? room + 3 * n : NULL,
                        .lowest = room ? room + 2 * n : NULL,
                        .from = theta,
                        .step = room ? room + n : NULL,
                        .moving = calloc(n + 1, sizeof *s.moving),
                        .err = err};
    int status = room && s.moving ? cf_fold_alloc(&s.fold, problem, err)
                                  : cf_fail(err, CF_ENOMEM, "no memory for %zu unknowns", n);

    *fall = 0;
    if (!status) {
        memcpy(s.theta, theta, n * sizeof *theta);
        memcpy(s.lowest, theta, n * sizeof *theta);
        status = chi2_at(&s, &begin);
    }
    s.least = begin;
    if (!status) {
        unsigned moving = choose(problem, rank, room + n, s.moving);
        status = moving ? descend(&s, moving, err) : CF_OK;
    }
    if (!status)
        *fall = begin - s.least;
    if (!status && lowest)
        memcpy(lowest, s.lowest, n * sizeof *lowest);
    cf_fold_clear(&s.fold);
    free(s.moving);
    free(room);
    return status;
}
