#include "resample/predictive.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

#include "estimate/effects.h"
#include "estimate/records.h"
#include "resample/posterior_density.h"

/* What a worker predicts with. */
struct room {
    struct cf_problem problem; /* a copy with the noise of the last draw */
    double *y, *variance;      /* nobservation, and as cf_noise_put() wants them */
};

struct replicate {
    const struct cf_posterior *posterior;
    double *y, *sigma; /* CF_NDRAW * n, of the replicated observations: predicted, and scatter */
    struct room *room; /* of each worker */
};

/* Standard deviation of a replicate of an observation about what is predicted. */
static double scatter(const struct cf_problem *q, size_t i)
{
    double own = cf_observation_sigma(q, i);

    return sqrt(own * own + cf_shared_variance(q, i));
}

/* All predictions of draw k. */
static int predict(void *context, size_t k, size_t worker, struct cf_error *err)
{
    struct replicate *r = context;
    struct room *room = &r->room[worker];
    struct cf_problem *q = &room->problem;
    const struct cf_posterior *p = r->posterior;
    double theta[CF_MAX_DIM], ln_prior, ln_locals;
    int status;

    for (size_t j = 0; j < q->nfree; j++)
        theta[j] = cf_unknown_theta(&q->unknown[j], p->draw[k * q->nfree + j]);
    status =
        cf_noise_put(&p->noise, &p->noise_draw[k * p->noise.n], q, room->variance, &ln_prior, err);
    if (!status)
        status = cf_density_settle(q, theta, room->y, &ln_locals, err);
    for (size_t i = 0; i < p->nreplicated && !status; i++) {
        r->y[k * p->nreplicated + i] = room->y[p->replicated[i].observation];
        r->sigma[k * p->nreplicated + i] = scatter(q, p->replicated[i].observation);
    }
    return status;
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

/* A replicated observation, and the level of its interval. */
struct mixture {
    const struct replicate *replicate;
    double level;
};

static int mix(void *context, size_t i, size_t worker, struct cf_error *err)
{
    const struct mixture *m = context;
    const struct cf_posterior *p = m->replicate->posterior;
    struct cf_replicated *to = &p->replicated[i];
    double centre[CF_NDRAW], sigma[CF_NDRAW];

    (void) worker;
    (void) err;
    for (size_t k = 0; k < CF_NDRAW; k++) {
        centre[k] = m->replicate->y[k * p->nreplicated + i];
        sigma[k] = m->replicate->sigma[k * p->nreplicated + i];
    }
    to->median = quantile(centre, sigma, 0.5);
    to->low = quantile(centre, sigma, (1 - m->level) / 2);
    to->high = quantile(centre, sigma, (1 + m->level) / 2);
    return CF_OK;
}

static int make_room(const struct cf_problem *q, const struct cf_posterior *p, struct room *room,
                     struct cf_error *err)
{
    int status = cf_problem_copy(&room->problem, q, err);

    room->problem.workers = NULL;
    room->y = status ? NULL : calloc(q->nobservation + p->noise.nvariance + 1, sizeof *room->y);
    room->variance = room->y ? room->y + q->nobservation : NULL;
    return status || room->y
               ? status
               : cf_fail(err, CF_ENOMEM, "no memory for %zu replicates", q->nobservation);
}

int cf_posterior_replicate(const struct cf_optimum *optimum, const struct cf_workers *workers,
                           struct cf_posterior *p, struct cf_error *err)
{
    const struct cf_problem *q = &optimum->problem;
    size_t all = q->nobservation, n = all < CF_MOST_REPLICATED ? all : CF_MOST_REPLICATED;
    size_t nworker = cf_workers_count(workers);
    struct replicate r = {p, calloc(2 * CF_NDRAW * n + 1, sizeof *r.y), NULL,
                          calloc(nworker, sizeof *r.room)};
    struct mixture m = {&r, q->spec->options.level};
    int status = CF_OK;

    p->replicated = calloc(n + 1, sizeof *p->replicated);
    if (!r.y || !r.room || !p->replicated)
        status = cf_fail(err, CF_ENOMEM, "no memory for replicates of %zu observations", n);
    r.sigma = r.y ? r.y + CF_NDRAW * n : NULL;
    p->nreplicated = status ? 0 : n;
    for (size_t i = 0; i < p->nreplicated; i++)
        p->replicated[i].observation = i * all / n;
    for (size_t w = 0; w < nworker && !status; w++)
        status = make_room(q, p, &r.room[w], err);
    if (!status)
        status = cf_parallel(workers, "replicates", CF_NDRAW, predict, &r, err);
    if (!status)
        status = cf_parallel(NULL, "replicates", n, mix, &m, err);
    for (size_t w = 0; w < nworker && r.room; w++) {
        cf_problem_free(&r.room[w].problem);
        free(r.room[w].y);
    }
    free(r.y);
    free(r.room);
    return status;
}
