#include "resample/posterior_density.h"

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/rank.h"
#include "estimate/whiten.h"

/* In standard errors: scatter of the ensembles' centres, and of the walkers about these. */
static const double centre_spread = 2, walker_spread = 1;

/* Tries to put a walker about the optimum, and then anywhere between the bounds. */
enum { TRIES_NEAR = 100, TRIES_FAR = 1000 };

int cf_density_init(struct cf_density *d, const struct cf_optimum *optimum, size_t workers,
                    struct cf_error *err)
{
    const struct cf_problem *q = &optimum->problem;
    int status;

    *d = (struct cf_density){.optimum = optimum};
    status = cf_noise_space_make(&d->noise, q, err);
    d->dim = q->nfree + d->noise.n;
    d->worker = status ? NULL : calloc(workers, sizeof *d->worker);
    if (!d->worker)
        return status ? status : cf_fail(err, CF_ENOMEM, "no memory for %zu workers", workers);
    for (; d->nworker < workers; d->nworker++) {
        struct cf_density_worker *w = &d->worker[d->nworker];
        status = cf_problem_copy(&w->problem, q, err);
        if (status)
            return status;
        w->problem.workers = NULL;
        w->y = calloc(q->nobservation + d->noise.nvariance + 1, sizeof *w->y);
        w->variance = w->y ? w->y + q->nobservation : NULL;
        if (!w->y) {
            cf_problem_free(&w->problem);
            return cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", q->nobservation);
        }
    }
    return CF_OK;
}

void cf_density_clear(struct cf_density *d)
{
    for (size_t i = 0; i < d->nworker; i++) {
        cf_problem_free(&d->worker[i].problem);
        free(d->worker[i].y);
    }
    free(d->worker);
    cf_noise_space_clear(&d->noise);
}

static bool inside(const struct cf_density *d, const double x[])
{
    const struct cf_problem *q = &d->optimum->problem;

    for (size_t i = 0; i < q->nfree; i++)
        if (!(x[i] >= q->unknown[i].lower && x[i] <= q->unknown[i].upper))
            return false;
    return cf_noise_inside(&d->noise, x + q->nfree);
}

/* What is left of the locals where they are integrated out about their best, along which the
 * density is taken as normal: their priors there, and ln of the width that the data leave each;
 * one of which the data say nothing has that of its bounds, always. */
static double of_locals(const struct cf_problem *q, const struct cf_fold *fold)
{
    double ln = 0;

    for (size_t p = 0; p < q->npart; p++) {
        const struct cf_part_fold *part = &fold->part[p];
        const struct cf_unknown *local = q->set[q->part[p].data].local;
        size_t n = part->ncolumn + 1;
        for (size_t k = 0; k < part->nlocal; k++) {
            double pivot = fabs(part->R[k * n + k]), length = 0,
                   at = fold->local[q->part[p].local + k];
            for (size_t j = 0; j <= k; j++)
                length = hypot(length, part->R[j * n + k]);
            if (pivot > cf_rank_noise * length)
                ln -= log(pivot);
            if (local[k].has_prior)
                ln -= gsl_pow_2((at - local[k].prior) / local[k].prior_sigma) / 2;
        }
    }
    return ln;
}

int cf_density_settle(const struct cf_problem *q, const double x[], double y[], double *ln_locals,
                      struct cf_error *err)
{
    struct cf_problem at = *q;
    struct cf_fold fold = {0};
    int status = CF_OK;

    *ln_locals = 0;
    at.workers = NULL;
    if (q->nlocal) {
        status = cf_fold_alloc(&fold, q, err);
        if (!status)
            status = cf_problem_fold(&at, x, &fold, err);
        if (!status)
            *ln_locals = of_locals(q, &fold);
        at.local = fold.local;
    }
    if (!status)
        status = cf_problem_predict(&at, x, y, NULL, err);
    cf_fold_clear(&fold);
    return status;
}

/* ln of the likelihood of residuals r[nobservation], measured less predicted, which are used up:
 * of all rows with what they share, or by the density that a robust loss is. */
static int likelihood(const struct cf_problem *q, double r[], double *ln, struct cf_error *err)
{
    bool robust = q->loss.kind != CF_LOSS_SQUARES;
    double log_det = 0;
    int status = robust ? CF_OK : cf_whiten(q, r, 1, q->nobservation, &log_det, err);

    *ln = -log_det / 2;
    for (size_t i = 0; i < q->nobservation && !status; i++) {
        const struct cf_observation *o = &q->observation[i];
        *ln -= robust ? o->weight * (cf_loss_rho(&q->loss, r[i] / o->sigma) / 2 + log(o->sigma))
                      : gsl_pow_2(r[i]) / 2;
    }
    return status;
}

/* ln of prior times likelihood. */
static int log_density(const struct cf_density *d, const double x[], struct cf_density_worker *w,
                       double *total)
{
    const struct cf_problem *q = &w->problem;
    double ln_locals = 0, ln = 0;
    int status = cf_noise_put(&d->noise, x + q->nfree, &w->problem, w->variance, total, &w->err);

    if (!status)
        status = cf_density_settle(q, x, w->y, &ln_locals, &w->err);
    for (size_t i = 0; i < q->nobservation && !status; i++)
        w->y[i] = q->observation[i].value - w->y[i];
    if (!status)
        status = likelihood(q, w->y, &ln, &w->err);
    *total += ln + ln_locals;
    for (size_t i = 0; i < q->nfree; i++)
        if (q->unknown[i].has_prior)
            *total -= gsl_pow_2((x[i] - q->unknown[i].prior) / q->unknown[i].prior_sigma) / 2;
    return status;
}

double cf_density_at(void *density, const double x[], size_t worker)
{
    const struct cf_density *d = density;
    struct cf_density_worker *w = &d->worker[worker];
    double total = 0;
    int status;

    if (!inside(d, x) || w->status)
        return -INFINITY;
    status = log_density(d, x, w, &total);
    if (cf_status_ends(status))
        w->status = status;
    return !status && isfinite(total) ? total : -(double) INFINITY;
}

/* Lower triangle L with L L^T = covariance of theta, row-major in L[n * n]. */
static bool root_of(const struct cf_rank *rank, double L[])
{
    gsl_matrix_view m = gsl_matrix_view_array(L, rank->n, rank->n);

    for (size_t i = 0; i < rank->n; i++)
        for (size_t j = 0; j < rank->n; j++)
            gsl_matrix_set(&m.matrix, i, j, rank->covariance[i * rank->n + j]);
    return gsl_linalg_cholesky_decomp1(&m.matrix) == GSL_SUCCESS;
}

/* x = centre + spread * (the covariance's scatter). */
static void scatter(const struct cf_density *d, const double L[], const double centre[],
                    double spread, gsl_rng *rng, double x[])
{
    size_t n = d->optimum->problem.nfree;
    double z[CF_MAX_DIM];

    for (size_t i = 0; i < n; i++)
        z[i] = gsl_ran_gaussian_ziggurat(rng, spread);
    for (size_t i = 0; i < n; i++) {
        x[i] = centre[i];
        for (size_t j = 0; j <= i; j++)
            x[i] += L[i * n + j] * z[j];
    }
    for (size_t k = 0; k < d->noise.n; k++)
        x[n + k] = cf_noise_scatter(&d->noise.number[k], centre[n + k], spread, rng);
}

/* Anywhere between the bounds, the noise where it was. */
static void throw_far(const struct cf_density *d, gsl_rng *rng, double x[])
{
    for (size_t i = 0; i < d->optimum->problem.nfree; i++) {
        const struct cf_unknown *w = &d->optimum->problem.unknown[i];
        x[i] = w->lower + (w->upper - w->lower) * gsl_rng_uniform(rng);
    }
}

int cf_density_scatter(struct cf_density *d, struct cf_ensemble *e, struct cf_error *err)
{
    const struct cf_problem *q = &d->optimum->problem;
    double L[CF_MAX_DIM * CF_MAX_DIM], optimum[CF_MAX_DIM], centre[CF_MAX_DIM];

    if (!root_of(&d->optimum->rank, L))
        return cf_fail(err, CF_ESOLVE, "the covariance matrix of the fit is not positive definite");
    memcpy(optimum, d->optimum->theta, q->nfree * sizeof *optimum);
    for (size_t k = 0; k < d->noise.n; k++)
        optimum[q->nfree + k] = d->noise.number[k].start;
    scatter(d, L, optimum, centre_spread, e->rng, centre);
    for (size_t i = 0; i < e->walkers; i++) {
        double *x = &e->x[i * d->dim];
        bool found = false;
        for (int k = 0; k < TRIES_NEAR + TRIES_FAR && !found; k++) {
            scatter(d, L, centre, walker_spread, e->rng, x);
            if (k >= TRIES_NEAR)
                throw_far(d, e->rng, x);
            e->log_density[i] = cf_density_at(d, x, 0);
            found = isfinite(e->log_density[i]);
        }
        if (d->worker[0].status)
            return cf_fail(err, d->worker[0].status, "%s", d->worker[0].err.text);
        if (!found)
            return cf_fail(err, CF_ESOLVE, "%s cannot be evaluated about the optimum",
                           q->law->name);
    }
    return CF_OK;
}
