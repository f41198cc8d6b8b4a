#include "resample/posterior_density.h"

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/effects.h"
#include "estimate/leverage.h"
#include "estimate/shared_error.h"

/* In standard errors: scatter of the ensembles' centres, and of the walkers about these. */
static const double centre_spread = 2, walker_spread = 1;

/* Tries to put a walker about the optimum, and then anywhere between the bounds. */
enum { TRIES_NEAR = 100, TRIES_FAR = 1000 };

bool cf_density_init(struct cf_density *d, const struct cf_optimum *optimum, size_t workers)
{
    const struct cf_problem *q = &optimum->problem;

    *d = (struct cf_density){.optimum = optimum, .stride = q->nobservation + 1};
    d->sigma_of = calloc(q->nchannel + 1, sizeof *d->sigma_of);
    d->room = calloc(workers * d->stride, sizeof *d->room);
    d->failure = calloc(workers, sizeof *d->failure);
    if (!d->sigma_of || !d->room || !d->failure)
        return false;
    for (size_t c = 0; c < q->nchannel; c++) {
        if (!q->channel[c].estimated)
            continue;
        d->channel[d->nsigma] = c;
        d->sigma_of[c] = d->nsigma++;
    }
    d->dim = q->nfree + d->nsigma;
    return true;
}

void cf_density_clear(struct cf_density *d)
{
    free(d->sigma_of);
    free(d->room);
    free(d->failure);
}

static bool inside(const struct cf_density *d, const double x[])
{
    const struct cf_problem *q = &d->optimum->problem;

    for (size_t i = 0; i < q->nfree; i++)
        if (!(x[i] >= q->unknown[i].lower && x[i] <= q->unknown[i].upper))
            return false;
    for (size_t k = 0; k < d->nsigma; k++)
        if (!(exp(x[q->nfree + k]) >= q->channel[d->channel[k]].floor))
            return false;
    return true;
}

int cf_density_settle(const struct cf_problem *q, const double x[], double y[],
                      struct cf_error *err)
{
    struct cf_problem at = *q;
    struct cf_fold fold = {0};
    int status = CF_OK;

    at.workers = NULL;
    if (q->nlocal) {
        status = cf_fold_alloc(&fold, q, err);
        if (!status)
            status = cf_problem_fold(&at, x, &fold, err);
        at.local = fold.local;
    }
    if (!status)
        status = cf_problem_predict(&at, x, y, NULL, err);
    cf_fold_clear(&fold);
    return status;
}

double cf_density_at(void *density, const double x[], size_t worker)
{
    const struct cf_density *d = density;
    const struct cf_problem *q = &d->optimum->problem;
    struct cf_density_failure *failure = &d->failure[worker];
    double *y = &d->room[worker * d->stride], total = 0;
    int status;

    if (!inside(d, x) || failure->status)
        return -INFINITY;
    status = cf_density_settle(q, x, y, &failure->err);
    if (cf_status_ends(status))
        failure->status = status;
    if (status)
        return -INFINITY;
    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        double ln_sigma =
            q->channel[o->channel].estimated ? x[q->nfree + d->sigma_of[o->channel]] : 0;
        y[i] = (o->value - y[i]) / (q->channel[o->channel].estimated ? exp(ln_sigma) : o->sigma);
        total -= o->weight * ln_sigma;
    }
    cf_shared_whiten(q->observation, q->nobservation, y);
    for (size_t i = 0; i < q->nobservation; i++)
        total -= 0.5 * q->observation[i].weight * gsl_pow_2(y[i]);
    for (size_t i = 0; i < q->nfree; i++)
        if (q->unknown[i].has_prior)
            total -= 0.5 * gsl_pow_2((x[i] - q->unknown[i].prior) / q->unknown[i].prior_sigma);
    return isfinite(total) ? total : -(double) INFINITY;
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
    for (size_t k = 0; k < d->nsigma; k++) {
        double dof = fmax(d->optimum->problem.channel[d->channel[k]].dof, 1);
        x[n + k] = centre[n + k] + gsl_ran_gaussian_ziggurat(rng, spread / sqrt(2 * dof));
    }
}

/* Anywhere between the bounds, the sigmas where they were. */
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
    for (size_t k = 0; k < d->nsigma; k++)
        optimum[q->nfree + k] = log(q->channel[d->channel[k]].sigma);
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
        if (d->failure[0].status)
            return cf_fail(err, d->failure[0].status, "%s", d->failure[0].err.text);
        if (!found)
            return cf_fail(err, CF_ESOLVE, "%s cannot be evaluated about the optimum",
                           q->law->name);
    }
    return CF_OK;
}

/* "k and lambda": all that the data do not identify. */
static void name_unidentified(const struct cf_optimum *optimum, char text[], size_t size)
{
    size_t used = 0;

    for (size_t i = 0; i < optimum->problem.nfree; i++)
        if ((optimum->rank.flat[i] || optimum->rank.dead[i]) && used < size)
            used += (size_t) snprintf(text + used, size - used, "%s%s", used ? " and " : "",
                                      optimum->problem.unknown[i].name);
}

/* Can the parameters fit all observations of a channel exactly? Then its likelihood grows without
 * limit as its sigma goes to nothing. */
static bool can_vanish(const struct cf_optimum *optimum, size_t channel)
{
    const struct cf_problem *q = &optimum->problem;
    size_t rank = 0;

    for (size_t p = 0; p < q->npart; p++) {
        const struct cf_part_fold *part = &optimum->fold.part[p];
        size_t n = part->ncolumn + 1, first = cf_part_channel(q, p);
        struct cf_rank own;
        if (q->part[p].data != q->channel[channel].data)
            continue;
        if (cf_rank_analyse(&part->channel[(channel - first) * n * n], part->ncolumn, part->ncolumn,
                            n, NULL, cf_rank_noise, &own, NULL) == CF_OK)
            rank += own.rank;
        cf_rank_clear(&own);
    }
    return rank >= q->channel[channel].n;
}

/* The likelihood that is sampled takes rows as independent beside the errors of their columns. What
 * it would leave out, in words; NULL: nothing. */
static const char *what_rows_share(const struct cf_problem *q)
{
    for (size_t k = 0; k < q->neffect; k++)
        if (q->effect[k].identified && q->effect[k].variance != 0)
            return "rows of one group share an error";
    if (q->nrecord)
        return "neighbouring readings share the errors of what they were made from";
    if (q->nserial)
        return "errors follow each other from row to row";
    return NULL;
}

bool cf_density_proper(const struct cf_optimum *optimum, bool usable, char why[], size_t size)
{
    const struct cf_problem *q = &optimum->problem;
    char names[200] = "";
    size_t nsigma = 0;

    if (!usable) {
        snprintf(why, size, "the optimum cannot serve as a start");
        return false;
    }
    if (optimum->rank.rank < q->nfree) {
        name_unidentified(optimum, names, sizeof names);
        snprintf(
            why, size,
            "undetermined: the data do not identify %s, whose posterior would be the bounds that "
            "were chosen",
            names);
        return false;
    }
    if (what_rows_share(q)) {
        snprintf(why, size,
                 "%s, which the sampler takes as independent: its intervals would be too narrow or "
                 "beside the point; those by the likelihood and by --bootstrap allow for it",
                 what_rows_share(q));
        return false;
    }
    for (size_t c = 0; c < q->nchannel; c++)
        nsigma += q->channel[c].estimated;
    if (nsigma + q->nfree > CF_MAX_DIM) {
        snprintf(why, size,
                 "%zu parameters and %zu estimated sigmas are more than can be sampled: at most %d "
                 "together",
                 q->nfree, nsigma, CF_MAX_DIM);
        return false;
    }
    for (size_t c = 0; c < q->nchannel; c++) {
        const struct cf_dataset *d = &q->spec->data[q->channel[c].data];
        if (!q->channel[c].estimated || !can_vanish(optimum, c))
            continue;
        snprintf(why, size,
                 "the parameters can follow all %zu values of %s in data set %s, so that its "
                 "estimated sigma has no posterior: state that sigma",
                 q->channel[c].n, d->protocol->channel[q->channel[c].column].name, d->name);
        return false;
    }
    return true;
}
