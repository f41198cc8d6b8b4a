#include "estimate/descent.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/bounded.h"
#include "estimate/descent_room.h"
#include "estimate/triangle.h"

/* Over so many steps a descent must gain what is asked of each, and of a motion this share of what
 * the best step promises, else it crawls. */
enum { MAX_ITERATION = 200, CRAWL = 10 };
static const double least_kept = 1e-4;

/* An unknown this near to a bound, as a share of its range, that would go on outwards stays. */
static const double pinned_share = 1e-7;

/* A column that keeps less than this of its length beside the others cannot be moved alone. */
static const double least_pivot = 1e-10;

/* Damping at first, and beyond which a step is too small to help. */
static const double first_damping = 1e-3, most_damping = 1e12;

/* Acceleration: length of the step along v at which the curvature is measured, the largest part of
 * v that it may be, and the change of the residuals in sigmas below which it is of no use: of
 * motions it costs as much as another step, which gains more. */
static const double probe_step = 0.02, most_acceleration = 0.75, least_change = 0.1,
                    motion_least_change = 1;

/* d->theta at u; those that do not move are left as they are. */
static void unmap(struct cf_descent *d, const struct cf_problem *q, const bool held[],
                  const double u[])
{
    for (size_t i = 0; i < d->n; i++)
        if (!held || !held[i])
            d->theta[i] = cf_bounded_theta(&q->unknown[i], u[i]);
}

/* J^T r by unknown i. */
static double gradient(const struct cf_fold *f, size_t i)
{
    size_t all = f->n + 1;
    double sum = 0;

    for (size_t k = 0; k <= i; k++)
        sum += f->R[k * all + i] * f->R[k * all + f->n];
    return sum;
}

/* Which unknowns move from here, and dtheta/du. */
static void choose_moving(struct cf_descent *d, const struct cf_problem *q, const bool held[])
{
    d->nmoving = 0;
    for (size_t i = 0; i < d->n; i++) {
        const struct cf_unknown *w = &q->unknown[i];
        double t = cf_bounded_share(d->u[i]);
        bool outwards = gradient(&d->now, i) < 0 ? t > 0.5 : t < 0.5;
        if (held && held[i])
            continue;
        d->slope[i] = (w->upper - w->lower) * t * (1 - t);
        if (t * (1 - t) > pinned_share || !outwards)
            d->moving[d->nmoving++] = i;
    }
}

/* The factor B of the columns that move, by u, and of r. work[(n + 1)^2]. */
static void reduce(const struct cf_descent *d, const struct cf_fold *f, double B[], double work[])
{
    size_t m = d->nmoving, all = d->n + 1;

    for (size_t j = 0; j <= m; j++) {
        size_t from = j < m ? d->moving[j] : d->n;
        for (size_t i = 0; i < all; i++)
            work[j * all + i] = i <= from ? f->R[i * all + from] * (j < m ? d->slope[from] : 1) : 0;
    }
    memset(B, 0, (m + 1) * (m + 1) * sizeof *B);
    cf_triangle_add(B, m + 1, work, all, all);
}

static double column_length(const double B[], size_t m, size_t j)
{
    double sum = 0;
    for (size_t i = 0; i <= j; i++)
        sum = hypot(sum, B[i * (m + 1) + j]);
    return sum;
}

/* What the best step of all would lower chi^2 by, as far as the columns say. */
static double foreseen_fall(const struct cf_descent *d)
{
    size_t m = d->nmoving;
    double fall = 0;

    for (size_t i = 0; i < m; i++)
        if (fabs(d->B[i * (m + 1) + i]) > least_pivot * column_length(d->B, m, i))
            fall += gsl_pow_2(d->B[i * (m + 1) + m]);
    return fall;
}

/* x solves min |B x + b|^2 + mu |S x|^2, b[m * stride]; C and work are used up. */
static void damped_step(struct cf_descent *d, const double b[], size_t stride, double mu,
                        double x[], double work[])
{
    size_t m = d->nmoving, n = m + 1;

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            d->C[i * n + j] = j < m ? d->B[i * n + j] : i < m ? -b[i * stride] : 0;
    memset(work, 0, n * m * sizeof *work);
    for (size_t j = 0; j < m; j++)
        work[j * m + j] = sqrt(mu) * d->scale[d->moving[j]];
    cf_triangle_add(d->C, n, work, m, m);
    cf_triangle_solve(d->C, m, n, &d->C[m], n, 1, x);
}

/* |B x|^2, and the fall that the linear model foresees for x. */
static double model_change(const struct cf_descent *d, const double x[], double *fall)
{
    size_t m = d->nmoving;
    double change = 0, cross = 0;

    for (size_t i = 0; i < m; i++) {
        double sum = 0;
        for (size_t j = i; j < m; j++)
            sum += d->B[i * (m + 1) + j] * x[j];
        change += sum * sum;
        cross += sum * d->B[i * (m + 1) + m];
    }
    *fall = -2 * cross - change;
    return change;
}

static double scaled_length(const struct cf_descent *d, const double x[])
{
    double sum = 0;
    for (size_t j = 0; j < d->nmoving; j++)
        sum = hypot(sum, d->scale[d->moving[j]] * x[j]);
    return sum;
}

/* ---- acceleration */

/* Residuals at another point in the place of those that a fold would have. */
struct curvature_probe {
    struct cf_descent *descent;
    struct cf_problem *problem;
    const bool *held;
    double least_fall;
    size_t *evaluations;
    struct cf_error *err;
};

/* a from the curvature along v. */
static int accelerate(const struct curvature_probe *p, double mu, double work[])
{
    struct cf_descent *d = p->descent;
    size_t m = d->nmoving, all = d->n + 1;
    double *there = work + all * all, *fvv = d->a;
    int status;

    memcpy(d->next, d->u, d->n * sizeof *d->u);
    for (size_t j = 0; j < m; j++)
        d->next[d->moving[j]] += probe_step * d->v[j];
    unmap(d, p->problem, p->held, d->u);
    memcpy(work, d->theta, d->n * sizeof *work);
    unmap(d, p->problem, p->held, d->next);
    *p->evaluations += d->now.keeps ? 1 : 2;
    status = cf_problem_fold_other(p->problem, &d->now, work, d->theta, &d->probe, p->err);
    if (status)
        return status;
    reduce(d, &d->probe, there, work);
    for (size_t i = 0; i < m; i++) {
        double along = 0;
        for (size_t j = i; j < m; j++)
            along += d->B[i * (m + 1) + j] * d->v[j];
        fvv[i] = 2 / probe_step *
                 ((there[i * (m + 1) + m] - d->B[i * (m + 1) + m]) / probe_step - along);
    }
    damped_step(d, fvv, 1, mu, there, work);
    memcpy(d->a, there, m * sizeof *d->a);
    return CF_OK;
}

/* ---- the descent */

/* The step for this damping into d->v, acceleration included. *straight is cleared where it is too
 * crooked. */
static int make_step(const struct curvature_probe *p, double mu, double *fall, double work[],
                     bool *straight)
{
    struct cf_descent *d = p->descent;
    size_t m = d->nmoving;
    double least = cf_problem_is_motion(p->problem) ? motion_least_change : least_change;
    int status;

    *straight = true;
    damped_step(d, &d->B[m], m + 1, mu, d->v, work);
    if (!(model_change(d, d->v, fall) > least * least) || p->problem->nlocal)
        return CF_OK;
    status = accelerate(p, mu, work);
    if (status)
        return cf_status_ends(status) ? status : CF_OK;
    *straight = scaled_length(d, d->a) <= most_acceleration * scaled_length(d, d->v);
    for (size_t j = 0; j < m; j++)
        d->v[j] += d->a[j] / 2;
    return CF_OK;
}

static void swap_folds(struct cf_descent *d)
{
    struct cf_fold kept = d->now;
    d->now = d->trial;
    d->trial = kept;
}

/* Take the trial point. */
static void accept(struct cf_descent *d, struct cf_problem *q)
{
    memcpy(d->u, d->next, d->n * sizeof *d->u);
    swap_folds(d);
    memcpy(q->local, d->now.local, q->nlocal * sizeof *q->local);
}

/* One step at the least damping that lowers chi^2. *gained receives by how much, 0 where none did,
 * or where, as at a kink of the law, only steps are left that would hardly lower it. The status is
 * that of an evaluation that may not fail. */
static int step_down(const struct curvature_probe *p, double *mu, double *nu, double *gained,
                     double *fall, double work[])
{
    struct cf_descent *d = p->descent;

    *gained = 0;
    for (bool again = false; *mu < most_damping; *mu *= *nu, *nu *= 2, again = true) {
        double gain, noise;
        bool straight;
        int status = make_step(p, *mu, fall, work, &straight);
        if (status || (again && !(*fall > p->least_fall)))
            return status;
        if (!straight)
            continue;
        memcpy(d->next, d->u, d->n * sizeof *d->u);
        for (size_t j = 0; j < d->nmoving; j++)
            d->next[d->moving[j]] += d->v[j];
        unmap(d, p->problem, p->held, d->next);
        ++*p->evaluations;
        for (size_t i = 0; i < d->n; i++)
            d->change[i] = d->theta[i] - cf_bounded_theta(&p->problem->unknown[i], d->u[i]);
        cf_fold_follow(&d->now, p->problem, d->change, p->problem->local);
        status = cf_problem_fold(p->problem, d->theta, &d->trial, p->err);
        memcpy(p->problem->local, d->now.local, p->problem->nlocal * sizeof *d->now.local);
        if (status && status != CF_ESOLVE && status != CF_ERANGE)
            return status;
        noise = d->now.chi2 * cf_problem_rounding(p->problem);
        gain = status ? -1 : d->now.chi2 - d->trial.chi2;
        if (gain > 0) {
            double rho = *fall > 0 ? gain / *fall : 1;
            *gained = gain;
            accept(d, p->problem);
            *mu *= fmax(1.0 / 3, 1 - gsl_pow_3(2 * fmin(rho, 1) - 1));
            *nu = 2;
            return CF_OK;
        }
        if (!status && -gain <= noise && *fall <= noise)
            return CF_OK; /* neither up nor down: rounding */
    }
    return CF_OK;
}

/* S: the largest lengths that the columns had. */
static void update_scale(struct cf_descent *d)
{
    for (size_t j = 0; j < d->nmoving; j++) {
        double *scale = &d->scale[d->moving[j]];
        *scale = fmax(*scale, column_length(d->B, d->nmoving, j));
        if (!(*scale > 0))
            *scale = 1;
    }
}

static int failed(int status, enum cf_end *end)
{
    *end = CF_END_FAILED;
    return cf_status_ends(status) ? status : CF_OK;
}

/* A fall that is worth a step, in standard errors as the data scatter: far from a fit all of them
 * are that much wider. */
static double worth_a_step(const struct curvature_probe *p)
{
    double n = (double) p->problem->nresidual, chi2 = p->descent->now.chi2;
    return p->least_fall * fmax(1, n > 0 ? chi2 / n : 1);
}

static int iterate(const struct curvature_probe *p, enum cf_end *end)
{
    struct cf_descent *d = p->descent;
    double *work = d->C + (d->n + 1) * (d->n + 1), mu = first_damping, nu = 2;
    double before = d->now.chi2; /* CRAWL steps ago */

    memset(d->scale, 0, d->n * sizeof *d->scale);
    *end = CF_END_CONVERGED;
    for (int i = 0; i < MAX_ITERATION; i++) {
        double gained, fall, worth = worth_a_step(p);
        choose_moving(d, p->problem, p->held);
        reduce(d, &d->now, d->B, work);
        if (!(foreseen_fall(d) > worth))
            return CF_OK;
        if (i > 0 && i % CRAWL == 0) {
            if (!(before - d->now.chi2 > CRAWL * worth))
                return CF_OK;
            if (cf_problem_is_motion(p->problem) &&
                !(before - d->now.chi2 > least_kept * foreseen_fall(d)))
                break;
            before = d->now.chi2;
        }
        update_scale(d);
        int status = step_down(p, &mu, &nu, &gained, &fall, work);
        if (status)
            return failed(status, end);
        if (!(gained > 0)) /* no step lowers the cost any more: the verdict checks the gradient */
            return CF_OK;
    }
    *end = CF_END_STALLED;
    return CF_OK;
}

/* The point at d->theta. */
static int fold_here(const struct curvature_probe *p)
{
    struct cf_descent *d = p->descent;
    int status;

    ++*p->evaluations;
    status = cf_problem_fold(p->problem, d->theta, &d->now, p->err);
    if (!status)
        memcpy(p->problem->local, d->now.local, p->problem->nlocal * sizeof *d->now.local);
    return status;
}

int cf_descend(struct cf_descent *descent, struct cf_problem *problem, const bool held[],
               double least_fall, double theta[], size_t *evaluations, enum cf_end *end,
               struct cf_error *err)
{
    struct cf_descent *d = descent;
    const struct curvature_probe p = {d, problem, held, least_fall, evaluations, err};
    int status;

    memcpy(d->theta, theta, d->n * sizeof *theta);
    for (size_t i = 0; i < d->n; i++)
        d->u[i] = held && held[i] ? 0 : cf_bounded_start(&problem->unknown[i], theta[i]);
    unmap(d, problem, held, d->u);
    d->now.quick = d->trial.quick = problem->nlocal > 0 && cf_problem_is_motion(problem);
    status = fold_here(&p);
    if (status)
        return failed(status, end);
    status = iterate(&p, end);
    unmap(d, problem, held, d->u);
    if (!status && d->now.quick) { /* the locals, too, at their best */
        d->now.quick = false;
        status = fold_here(&p);
    }
    if (!status || status == CF_ECANCELLED) /* what steps have gained is not lost */
        memcpy(theta, d->theta, d->n * sizeof *theta);
    return status ? failed(status, end) : CF_OK;
}
