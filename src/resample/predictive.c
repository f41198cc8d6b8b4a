#include "resample/predictive.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

#include "estimate/effects.h"
#include "estimate/records.h"
#include "resample/posterior_density.h"

struct replicate {
    const struct cf_optimum *optimum;
    const struct cf_posterior *posterior;
    const size_t *sigma_of; /* nchannel: index among the sampled sigmas */
    double *y;              /* CF_NDRAW * n, of the replicated observations */
    double *room;           /* nobservation + 1 for each worker */
};

/* All predictions of draw k. */
static int predict(void *context, size_t k, size_t worker, struct cf_error *err)
{
    struct replicate *r = context;
    const struct cf_problem *q = &r->optimum->problem;
    const struct cf_posterior *p = r->posterior;
    double theta[CF_MAX_DIM], *y = &r->room[worker * (q->nobservation + 1)];
    int status;

    for (size_t j = 0; j < q->nfree; j++)
        theta[j] = cf_unknown_theta(&q->unknown[j], p->draw[k * q->nfree + j]);
    status = cf_density_settle(q, theta, y, err);
    for (size_t i = 0; i < p->nreplicated && !status; i++)
        r->y[k * p->nreplicated + i] = y[p->replicated[i].observation];
    return status;
}

/* Standard deviation of a replicate of observation i about what draw k predicts. */
static double scatter(const struct replicate *r, size_t i, size_t k)
{
    const struct cf_problem *q = &r->optimum->problem;
    const struct cf_observation *o = &q->observation[i];
    double own = q->channel[o->channel].estimated
                     ? r->posterior->sigma[k * r->posterior->nsigma + r->sigma_of[o->channel]]
                     : cf_observation_sigma(q, i);

    return sqrt(own * own + cf_shared_variance(q, o->data, o->column));
}

/* Where this share of the mixture lies below, by bisection. */
static double quantile(const double centre[], const double sigma[], double share)
{
    double low = INFINITY, high = -INFINITY;
    const double far = 10; /* sigmas, beyond which there is nothing */
    enum { HALVINGS = 60 };

    for (size_t k = 0; k < CF_NDRAW; k++) {
        low = fmin(low, centre[k] - far * sigma[k]);
        high = fmax(high, centre[k] + far * sigma[k]);
    }
    for (int step = 0; step < HALVINGS; step++) {
        double middle = low + (high - low) / 2, below = 0;
        for (size_t k = 0; k < CF_NDRAW; k++)
            below += gsl_cdf_ugaussian_P((middle - centre[k]) / sigma[k]) / CF_NDRAW;
        *(below < share ? &low : &high) = middle;
    }
    return low + (high - low) / 2;
}

/* One replicated observation. */
static int mix(void *context, size_t i, size_t worker, struct cf_error *err)
{
    const struct replicate *r = context;
    const struct cf_posterior *p = r->posterior;
    struct cf_replicated *to = &p->replicated[i];
    double level = r->optimum->problem.spec->options.level, centre[CF_NDRAW], sigma[CF_NDRAW];

    (void) worker;
    (void) err;
    for (size_t k = 0; k < CF_NDRAW; k++) {
        centre[k] = r->y[k * p->nreplicated + i];
        sigma[k] = scatter(r, to->observation, k);
    }
    to->median = quantile(centre, sigma, 0.5);
    to->low = quantile(centre, sigma, (1 - level) / 2);
    to->high = quantile(centre, sigma, (1 + level) / 2);
    return CF_OK;
}

int cf_posterior_replicate(const struct cf_optimum *optimum, const struct cf_workers *workers,
                           struct cf_posterior *p, struct cf_error *err)
{
    const struct cf_problem *q = &optimum->problem;
    size_t all = q->nobservation, n = all < CF_MOST_REPLICATED ? all : CF_MOST_REPLICATED;
    size_t *sigma_of = calloc(q->nchannel + 1, sizeof *sigma_of), nsigma = 0;
    struct replicate r = {optimum, p, sigma_of, calloc(CF_NDRAW * n + 1, sizeof *r.y),
                          calloc(cf_workers_count(workers) * (all + 1), sizeof *r.room)};
    int status = CF_OK;

    p->replicated = calloc(n + 1, sizeof *p->replicated);
    if (!sigma_of || !r.y || !r.room || !p->replicated)
        status = cf_fail(err, CF_ENOMEM, "no memory for replicates of %zu observations", n);
    for (size_t c = 0; c < q->nchannel && !status; c++)
        if (q->channel[c].estimated)
            sigma_of[c] = nsigma++;
    p->nreplicated = status ? 0 : n;
    for (size_t i = 0; i < p->nreplicated; i++)
        p->replicated[i].observation = i * all / n;
    if (!status)
        status = cf_parallel(workers, "replicates", CF_NDRAW, predict, &r, err);
    if (!status)
        status = cf_parallel(NULL, "replicates", n, mix, &r, err);
    free(sigma_of);
    free(r.y);
    free(r.room);
    return status;
}
