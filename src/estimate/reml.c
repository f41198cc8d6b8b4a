#include "estimate/reml.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/effects.h"
#include "estimate/records.h"
#include "estimate/variance_work.h"

/* The minimum is found when a step would move no variance by more than this share of its scale. */
static const double step_tolerance = 1e-10;
enum { MAX_STEP = 200, MAX_HALVING = 40 };

/* A step from which the function would fall by less is the last one, and needs no look at where it
 * leads: it is 3e-4 of a variance's standard deviation, and Newton's steps square their error. */
static const double least_fall = 1e-7;

/* Where it would fall by less than this, the variances are where they belong: what is left is 3e-5
 * of a standard deviation. */
static const double settled_fall = 1e-9;

/* A step changes an estimated sigma^2 by no more than this factor. */
static const double most_growth = 8;

/* ---- the minimum */

/* Does variance k move: not an effect of which the data say nothing, nor one that is as low as it
 * may be and would fall? */
static bool moves(const struct cf_variance_work *w, size_t k)
{
    return cf_variance_matters(w, k) && (w->v[k] > w->least[k] || w->gradient[k] < 0) &&
           (w->v[k] < w->most[k] || w->gradient[k] > 0);
}

/* The step of those that are free, the others' being what it is: step[k] in scales. Newton's, which
 * ends quickly, where the function is convex; else that of Fisher scoring, which always descends.
 */
static int solve(struct cf_variance_work *w, const bool is_free[], double inverse[],
                 struct cf_error *err)
{
    size_t n = w->nvariance;
    const double *H = w->observed;
    bool convex;
    int status = cf_variance_invert(w, H, is_free, inverse, &convex, err);

    if (!status && !convex) {
        H = w->hessian;
        status = cf_variance_invert(w, H, is_free, inverse, NULL, err);
    }
    for (size_t k = 0; k < n && !status; k++) {
        double step = 0;
        for (size_t l = 0; l < n && is_free[k]; l++) {
            double gradient = w->gradient[l];
            for (size_t m = 0; m < n; m++)
                gradient += is_free[m] ? 0 : H[l * n + m] * w->step[m];
            step -= inverse[k * n + l] * gradient;
        }
        w->step[k] = is_free[k] ? step : w->step[k];
    }
    return status;
}

/* The first of the free ones that its step takes beyond an end, which becomes its step; n: none. */
static size_t stop_at_end(struct cf_variance_work *w, const bool is_free[])
{
    for (size_t k = 0; k < w->nvariance; k++) {
        double there = w->v[k] + w->step[k] * w->scale[k];
        if (!is_free[k] || (there >= w->least[k] && there <= w->most[k]))
            continue;
        there = there < w->least[k] ? w->least[k] : w->most[k];
        w->step[k] = (there - w->v[k]) / w->scale[k];
        return k;
    }
    return w->nvariance;
}

/* The step within the ends, one after the other that is met; *largest of them. */
static int find_step(struct cf_variance_work *w, double *largest, struct cf_error *err)
{
    size_t n = w->nvariance, met = 0;
    double *inverse = calloc(n * n + 1, sizeof *inverse);
    bool *is_free = calloc(n + 1, sizeof *is_free);
    int status =
        inverse && is_free ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu variances", n);

    for (size_t k = 0; k < n && !status; k++) {
        is_free[k] = moves(w, k);
        w->step[k] = 0;
    }
    while (!status && met < n) {
        status = solve(w, is_free, inverse, err);
        met = status ? n : stop_at_end(w, is_free);
        if (met < n)
            is_free[met] = false;
    }
    *largest = 0;
    for (size_t k = 0; k < n && !status; k++)
        *largest = fmax(*largest, fabs(w->step[k]));
    free(inverse);
    free(is_free);
    return status;
}

/* Where a share of the step leads. */
static double along(const struct cf_variance_work *w, size_t k, double share)
{
    double v = w->v[k] + share * w->step[k] * w->scale[k];

    if (w->part[k].kind == CF_VARIANCE_SIGMA)
        v = fmin(fmax(v, w->v[k] / most_growth), w->v[k] * most_growth);
    return fmin(fmax(v, w->least[k]), w->most[k]);
}

/* Take as much of the step as lowers the function; *moved by how much of a scale at most. */
static int take_step(struct cf_variance_work *w, const struct cf_variance_value *here,
                     double *moved, struct cf_error *err)
{
    size_t n = w->nvariance;
    double *next = calloc(n + 1, sizeof *next), share = 1;
    double before = here->log_det + here->square;
    int status = next ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu variances", n);

    *moved = 0;
    for (int i = 0; i < MAX_HALVING && !status; i++, share /= 2) {
        struct cf_variance_value there;
        for (size_t k = 0; k < n; k++)
            next[k] = along(w, k, share);
        status = cf_variance_values(w, next, 1, &there, err);
        if (status == CF_ESOLVE) {
            status = CF_OK;
            continue;
        }
        if (status || !(there.log_det + there.square <= before))
            continue;
        for (size_t k = 0; k < n; k++)
            *moved = fmax(*moved, fabs(next[k] - w->v[k]) / w->scale[k]);
        memcpy(w->v, next, n * sizeof *next);
        break;
    }
    free(next);
    return status;
}

/* How far the function falls along the step, at most. */
static double fall_of(const struct cf_variance_work *w)
{
    double fall = 0;

    for (size_t k = 0; k < w->nvariance; k++)
        fall -= w->gradient[k] * w->step[k];
    return fall;
}

/* The last step: *here becomes what it is there, but for a share of the fall. */
static void take_last_step(struct cf_variance_work *w, struct cf_variance_value *here)
{
    here->square -= fall_of(w) / 2;
    for (size_t k = 0; k < w->nvariance; k++)
        w->v[k] = along(w, k, 1);
}

/* Half of what is negative: together such variances may leave no covariance, though each alone
 * does. False: none is. */
static bool retreat(struct cf_variance_work *w)
{
    bool any = false;

    for (size_t k = 0; k < w->nvariance; k++)
        if (w->v[k] < 0) {
            w->v[k] /= 2;
            any = true;
        }
    return any;
}

static int descend(struct cf_variance_work *w, struct cf_variance_value *least, bool *settled,
                   struct cf_error *err)
{
    for (int i = 0; i < MAX_STEP; i++) {
        double largest, moved;
        int status;
        cf_variance_scales(w);
        status = cf_variance_differentiate(w, least, err);
        if (status == CF_ESOLVE && retreat(w))
            continue;
        if (!status)
            status = find_step(w, &largest, err);
        if (settled && !status)
            *settled = i == 0 && fabs(fall_of(w)) < settled_fall;
        if (status || largest < step_tolerance)
            return status;
        if (fabs(fall_of(w)) < least_fall) {
            take_last_step(w, least);
            return CF_OK;
        }
        status = take_step(w, least, &moved, err);
        if (status || moved < step_tolerance) /* what is left is rounding */
            return status;
    }
    return cf_fail(err, CF_ESOLVE, "the likelihood of the variances has no minimum");
}

/* From the variances of the problem to those of the minimum; *settled (NULL to skip): they were
 * there already. */
static int minimise(struct cf_variance_work *w, struct cf_variance_value *least, bool *settled,
                    struct cf_error *err)
{
    cf_variance_relate(w);
    int status = descend(w, least, settled, err);
    cf_variance_unrelate(w);
    return status;
}

/* ---- of a problem at theta */

/* The minimum's variances into the problem. A channel's degrees of freedom follow from the variance
 * of its sigma^2, 2 sigma^4/dof. */
static void take_variances(struct cf_problem *q, const struct cf_variance_work *w,
                           const double inverse[])
{
    cf_variance_put(q, w->part, w->v, w->nvariance);
    for (size_t k = 0; k < w->nvariance; k++) {
        if (w->part[k].kind == CF_VARIANCE_EFFECT)
            q->effect[w->part[k].index].identified = cf_variance_matters(w, k);
        else if (w->part[k].kind == CF_VARIANCE_RECORD)
            q->record[w->part[k].index].identified = cf_variance_matters(w, k);
        else if (w->part[k].kind == CF_VARIANCE_SIGMA) {
            struct cf_channel *c = &q->channel[w->part[k].index];
            c->sigma = fmax(c->sigma, c->floor);
            c->dof = cf_variance_matters(w, k)
                         ? gsl_pow_2(w->v[k] / w->scale[k]) / inverse[k * w->nvariance + k]
                         : 0;
        }
    }
}

/* The largest change from the variances that the problem had, in scales. */
static double change_from(const struct cf_variance_work *w, const double before[])
{
    double change = 0;

    for (size_t k = 0; k < w->nvariance; k++)
        change = fmax(change, fabs(w->v[k] - before[k]) / w->scale[k]);
    return change;
}

int cf_reml_update(struct cf_problem *problem, const double theta[], const struct cf_rank *rank,
                   double *change, struct cf_error *err)
{
    struct cf_variance_work w;
    struct cf_variance_value least;
    double *inverse = NULL, *before;
    bool settled = false;
    int status = cf_variance_work_at(problem, theta, rank, &w, err);
    size_t n = w.nvariance;

    *change = 0;
    if (!status && !(inverse = calloc(n * n + n + 1, sizeof *inverse)))
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu variances", n);
    before = inverse ? inverse + n * n : NULL;
    if (!status) {
        memcpy(before, w.v, n * sizeof *before);
        status = minimise(&w, &least, &settled, err);
    }
    if (!status)
        status = cf_variance_inverse(&w, inverse, err);
    if (!status) {
        *change = settled ? 0 : change_from(&w, before);
        take_variances(problem, &w, inverse);
    }
    free(inverse);
    cf_variance_work_free(&w);
    return status;
}

int cf_reml_least(struct cf_problem *problem, const double theta[], const struct cf_rank *rank,
                  double *cost, struct cf_error *err)
{
    struct cf_variance_work w;
    struct cf_variance_value least;
    int status = cf_variance_work_at(problem, theta, rank, &w, err);

    if (!status)
        status = minimise(&w, &least, NULL, err);
    *cost = status ? (double) NAN : least.log_det + least.square;
    if (!status)
        cf_variance_put(problem, w.part, w.v, w.nvariance);
    cf_variance_work_free(&w);
    return status;
}

/* ---- the gate, and laws compared */

/* The gate's scan along a variance: how many times its scale. */
static const double walk_factor[] = {0.1, 0.3, 0.7, 0.9, 1.1, 1.5, 3, 10};

/* Looks along each variance from start[nvariance], with effects as low as the others then let them
 * be; *fall: by how much the least that was found is lower, and best[nvariance] where that is.
 * scale[nvariance] is room. */
static int scan_variances(struct cf_variance_work *w, double start[], double scale[], double best[],
                          double *fall, struct cf_error *err)
{
    size_t size = w->nvariance * sizeof *start;
    struct cf_variance_value here, there;
    int status;

    *fall = 0;
    cf_variance_scales(w);
    memcpy(start, w->v, size);
    memcpy(scale, w->scale, size);
    status = cf_variance_values(w, w->v, 1, &here, err);
    for (size_t k = 0; k < w->nvariance && !status; k++)
        for (size_t i = 0; i < sizeof walk_factor / sizeof *walk_factor && !status; i++) {
            /* of an effect's variance together with that of a group's mean, which has no zero */
            double next = start[k] + (walk_factor[i] - 1) * scale[k];
            memcpy(w->v, start, size);
            cf_variance_scales(w);
            if (!(next > w->least[k] && next < w->most[k]))
                continue;
            w->v[k] = next;
            cf_variance_scales(w);
            status = cf_variance_values(w, w->v, 1, &there, err);
            double lower = here.log_det + here.square - there.log_det - there.square;
            if (!status && lower > *fall) {
                *fall = lower;
                memcpy(best, w->v, size);
            }
            status = status == CF_ESOLVE ? CF_OK : status; /* no covariance any more */
        }
    return status;
}

int cf_reml_fall(const struct cf_problem *problem, const double theta[], const struct cf_rank *rank,
                 struct cf_problem *lowered, double *fall, struct cf_error *err)
{
    struct cf_variance_work w;
    double *best = NULL;
    int status = cf_variance_work_at(problem, theta, rank, &w, err);

    *fall = 0;
    if (!status && !(best = calloc(3 * w.nvariance + 1, sizeof *best)))
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu variances", w.nvariance);
    if (!status)
        status = scan_variances(&w, best + w.nvariance, best + 2 * w.nvariance, best, fall, err);
    if (!status && lowered && *fall > 0)
        cf_variance_put(lowered, w.part, best, w.nvariance);
    free(best);
    cf_variance_work_free(&w);
    return status;
}

int cf_ml_cost(const struct cf_problem *problem, const double raw[], double *cost,
               struct cf_error *err)
{
    struct cf_variance_work w;
    struct cf_variance_value least;
    double weight = 0;
    int status = cf_variance_work_make(problem, 1, &w, err);

    if (!status) {
        memcpy(w.A, raw, w.n * sizeof *raw);
        status = minimise(&w, &least, NULL, err);
    }
    for (size_t i = 0; i < problem->nobservation; i++)
        weight += problem->observation[i].weight;
    *cost = status ? (double) NAN : least.log_det + least.square + weight * log(2 * M_PI);
    cf_variance_work_free(&w);
    return status;
}
