#include "resample/posterior.h"

#include <gsl/gsl_math.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resample/convergence.h"
#include "resample/posterior_density.h"
#include "resample/posterior_proper.h"
#include "resample/predictive.h"

/* Vehtari et al. 2021. */
const double cf_posterior_rhat = 1.01, cf_posterior_ess = 400;

/* Independent ensembles; walkers for each dimension, and at least. */
enum { ENSEMBLES = 4, WALKERS_EACH = 4, LEAST_WALKERS = 16 };

/* How often the sample is discarded as warm-up and twice as much sampled. */
enum { DOUBLINGS = 3 };

/* Between two reports of progress an ensemble moves this share of `steps`. */
enum { BLOCKS = 10 };

/* Stream of ensemble 0; replicates of the bootstrap use those below. */
static const uint64_t first_stream = UINT64_C(3) << 32;

struct chain {
    struct cf_density density;
    struct cf_ensemble ensemble[ENSEMBLES];
    size_t walkers, steps; /* steps that are kept of a stage */
    size_t from, count;    /* of the current block; kept steps */
    size_t thin;           /* moves for one kept step; 0: none is kept, count are moves */
    const struct cf_workers *workers;
    struct cf_convergence check[CF_MAX_DIM];
    double *x; /* dim * ENSEMBLES * steps * walkers */
};

/* Relays the progress of a stage that is done in several calls of cf_parallel(). */
struct relay {
    const struct cf_workers *to;
    size_t before, total;
};

static void pass_on(void *listener, const char *what, size_t done, size_t total)
{
    const struct relay *relay = listener;
    (void) total;
    relay->to->progress(relay->to->listener, what, relay->before + done, relay->total);
}

static double *kept(const struct chain *c, size_t dim, size_t ensemble, size_t step)
{
    return &c->x[((dim * ENSEMBLES + ensemble) * c->steps + step) * c->walkers];
}

/* A block of one ensemble. */
static int advance(void *context, size_t i, size_t worker, struct cf_error *err)
{
    struct chain *c = context;
    struct cf_ensemble *e = &c->ensemble[i];
    const struct cf_density_worker *w = &c->density.worker[worker];
    size_t moves = c->thin ? c->thin : 1;

    for (size_t t = 0; t < c->count; t++) {
        if (cf_workers_check(c->workers, err))
            return CF_ECANCELLED;
        for (size_t k = 0; k < moves; k++)
            cf_ensemble_step(e, cf_density_at, &c->density, worker);
        if (w->status)
            return cf_fail(err, w->status, "%s", w->err.text);
        for (size_t j = 0; c->thin && j < e->dim; j++)
            for (size_t k = 0; k < e->walkers; k++)
                kept(c, j, i, c->from + t)[k] = e->x[k * e->dim + j];
    }
    return CF_OK;
}

/* c->steps steps of all ensembles. */
static int stage(struct chain *c, const char *what, size_t thin, const struct cf_workers *workers,
                 struct cf_error *err)
{
    struct relay relay = {.to = workers, .total = BLOCKS * ENSEMBLES};
    struct cf_workers own = {.jobs = cf_workers_count(workers), .listener = &relay};
    int status = CF_OK;

    if (workers && workers->progress)
        own.progress = pass_on;
    c->thin = thin;
    c->workers = workers;
    for (size_t b = 0; b < BLOCKS && !status; b++) {
        c->from = b * c->steps / BLOCKS;
        c->count = (b + 1) * c->steps / BLOCKS - c->from;
        relay.before = b * ENSEMBLES;
        status = cf_parallel(&own, what, ENSEMBLES, advance, c, err);
    }
    return status;
}

/* One coordinate. */
static int check(void *context, size_t j, size_t worker, struct cf_error *err)
{
    struct chain *c = context;

    (void) worker;
    return cf_convergence(kept(c, j, 0, 0), ENSEMBLES, c->steps, c->walkers, &c->check[j], err);
}

/* R-hat and effective sizes of every coordinate; the worst of each into out, with their names. */
static int diagnose(struct chain *c, const struct cf_workers *workers, struct cf_posterior *out,
                    const char *worst[2], struct cf_error *err)
{
    const struct cf_problem *q = &c->density.optimum->problem;
    struct cf_workers silent = {.jobs = cf_workers_count(workers)};
    int status = cf_parallel(&silent, "convergence", c->density.dim, check, c, err);

    out->rhat_max = 0;
    out->ess_min = INFINITY;
    for (size_t j = 0; j < c->density.dim && !status; j++) {
        const char *name = j < q->nfree ? q->unknown[j].name : "an estimated variance";
        const struct cf_convergence v = c->check[j];
        double ess = fmin(v.ess_bulk, v.ess_tail);
        /* NAN, of a coordinate that never moved, is the worst there is */
        if (!(v.rhat <= out->rhat_max)) {
            out->rhat_max = isnan(v.rhat) ? (double) INFINITY : v.rhat;
            worst[0] = name;
        }
        if (!(ess >= out->ess_min)) {
            out->ess_min = isnan(ess) ? 0 : ess;
            worst[1] = name;
        }
        *(j < q->nfree ? &out->parameter[j] : &out->variance[j - q->nfree]) =
            (struct cf_posterior_number){.rhat = v.rhat, .ess = ess};
    }
    return status;
}

static int sample(struct chain *c, const struct cf_workers *workers, struct cf_posterior *out,
                  struct cf_error *err)
{
    const char *worst[2] = {"", ""};
    int status = stage(c, "posterior warm-up", 0, workers, err);

    out->warm_up = 0;
    out->steps = c->steps;
    for (size_t k = 0; k <= DOUBLINGS && !status && !out->converged; k++) {
        out->warm_up += out->steps;
        out->steps = c->steps << k;
        status = stage(c, "posterior", (size_t) 1 << k, workers, err);
        if (!status)
            status = diagnose(c, workers, out, worst, err);
        out->converged =
            !status && out->rhat_max < cf_posterior_rhat && out->ess_min > cf_posterior_ess;
    }
    if (!status && !out->converged)
        snprintf(out->why, sizeof out->why,
                 "the sampler did not converge: after %zu steps of warm-up and %zu more R-hat is "
                 "%.4g (%s; below %g is wanted) and the effective sample size %.0f (%s; above %.0f "
                 "is wanted)",
                 out->warm_up, out->steps, out->rhat_max, worst[0], cf_posterior_rhat, out->ess_min,
                 worst[1], cf_posterior_ess);
    return status;
}

static void correlate(const struct chain *c, struct cf_posterior *out)
{
    size_t n = ENSEMBLES * c->steps * c->walkers, nfree = c->density.optimum->problem.nfree;

    for (size_t i = 0; i < nfree; i++)
        for (size_t j = 0; j < nfree; j++)
            out->correlation[i * nfree + j] =
                i == j ? 1 : gsl_stats_correlation(kept(c, i, 0, 0), 1, kept(c, j, 0, 0), 1, n);
}

/* Evenly over ensembles and steps, from one walker after the other. */
static void thin_out(const struct chain *c, struct cf_posterior *out)
{
    const struct cf_problem *q = &c->density.optimum->problem;
    size_t n = ENSEMBLES * c->steps;

    for (size_t i = 0; i < CF_NDRAW; i++) {
        size_t at = (2 * i + 1) * n / (2 * CF_NDRAW);
        for (size_t j = 0; j < q->nfree; j++)
            out->draw[i * q->nfree + j] = cf_unknown_value(
                &q->unknown[j], kept(c, j, at / c->steps, at % c->steps)[i % c->walkers]);
        for (size_t s = 0; s < out->noise.n; s++)
            out->noise_draw[i * out->noise.n + s] =
                kept(c, q->nfree + s, at / c->steps, at % c->steps)[i % c->walkers];
    }
}

/* The coordinates of the noise become the numbers that are told. */
static void tell_noise(struct chain *c)
{
    const struct cf_noise_space *noise = &c->density.noise;
    size_t nfree = c->density.optimum->problem.nfree, n = ENSEMBLES * c->steps * c->walkers;

    for (size_t i = 0; i < n; i++) {
        double x[CF_MAX_DIM];
        for (size_t k = 0; k < noise->n; k++)
            x[k] = kept(c, nfree + k, 0, 0)[i];
        for (size_t k = 0; k < noise->n; k++)
            kept(c, nfree + k, 0, 0)[i] = cf_noise_value(noise, k, x);
    }
}

/* Median and tails of one coordinate's kept draws, sorted. */
static void put_quantiles(double x[], size_t n, double level, struct cf_posterior_number *p)
{
    gsl_sort(x, 1, n);
    p->median = gsl_stats_quantile_from_sorted_data(x, 1, n, 0.5);
    p->low = gsl_stats_quantile_from_sorted_data(x, 1, n, (1 - level) / 2);
    p->high = gsl_stats_quantile_from_sorted_data(x, 1, n, (1 + level) / 2);
}

/* Sorts the kept draws: to be called last. */
static void summarise(struct chain *c, struct cf_posterior *out)
{
    const struct cf_problem *q = &c->density.optimum->problem;
    size_t n = ENSEMBLES * c->steps * c->walkers;
    double level = q->spec->options.level;

    correlate(c, out);
    thin_out(c, out);
    for (size_t j = 0; j < q->nfree; j++) {
        struct cf_posterior_number *p = &out->parameter[j];
        put_quantiles(kept(c, j, 0, 0), n, level, p);
        p->median = cf_unknown_value(&q->unknown[j], p->median);
        p->low = cf_unknown_value(&q->unknown[j], p->low);
        p->high = cf_unknown_value(&q->unknown[j], p->high);
    }
    tell_noise(c);
    for (size_t k = 0; k < out->noise.n; k++)
        put_quantiles(kept(c, q->nfree + k, 0, 0), n, level, &out->variance[k]);
}

/* What is said of a posterior, and its density. */
static int allocate(struct chain *c, const struct cf_optimum *optimum,
                    const struct cf_workers *workers, struct cf_posterior *out,
                    struct cf_error *err)
{
    size_t n = optimum->problem.nfree, m;
    int status = cf_noise_space_make(&out->noise, &optimum->problem, err);

    if (status)
        return status;
    m = out->noise.n;
    out->parameter = calloc(n + 1, sizeof *out->parameter);
    out->correlation = calloc(n * (n + CF_NDRAW) + 1, sizeof *out->correlation);
    out->variance = calloc(m + 1, sizeof *out->variance);
    out->noise_draw = calloc(CF_NDRAW * m + 1, sizeof *out->noise_draw);
    if (!out->parameter || !out->correlation || !out->variance || !out->noise_draw)
        return cf_fail(err, CF_ENOMEM, "no memory for the posterior of %zu unknowns", n + m);
    out->draw = out->correlation + n * n;
    return cf_density_init(&c->density, optimum, cf_workers_count(workers), err);
}

static int begin(struct chain *c, const struct cf_optimum *optimum, struct cf_error *err)
{
    size_t wanted;
    int status = CF_OK;

    wanted = WALKERS_EACH * c->density.dim;
    c->walkers = wanted > LEAST_WALKERS ? wanted : LEAST_WALKERS;
    c->x = calloc(c->density.dim * ENSEMBLES * c->steps * c->walkers, sizeof *c->x);
    if (!c->x)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu steps of the posterior", c->steps);
    for (size_t i = 0; i < ENSEMBLES && !status; i++) {
        struct cf_ensemble *e = &c->ensemble[i];
        if (!cf_ensemble_init(e, c->density.dim, c->walkers, optimum->problem.spec->options.seed,
                              first_stream + i))
            return cf_fail(err, CF_ENOMEM, "no memory for %zu walkers", c->walkers);
        status = cf_density_scatter(&c->density, e, err);
    }
    return status;
}

void cf_posterior_clear(struct cf_posterior *posterior)
{
    free(posterior->parameter);
    free(posterior->correlation);
    free(posterior->variance);
    free(posterior->noise_draw);
    free(posterior->replicated);
    cf_noise_space_clear(&posterior->noise);
    posterior->variance = NULL;
    posterior->noise_draw = NULL;
    posterior->replicated = NULL;
    posterior->parameter = NULL;
    posterior->correlation = posterior->draw = NULL;
}

int cf_posterior(const struct cf_optimum *optimum, bool usable, size_t steps,
                 const struct cf_workers *workers, struct cf_posterior *out, struct cf_error *err)
{
    struct chain chain = {.steps = steps};
    size_t n = optimum->problem.nfree;
    bool proper = false;
    int status;

    *out = (struct cf_posterior){.rhat_max = (double) NAN, .ess_min = (double) NAN, .nfree = n};
    status = allocate(&chain, optimum, workers, out, err);
    if (!status)
        status = cf_density_proper(&chain.density, usable, &proper, out->why, sizeof out->why, err);
    if (!status && proper)
        status = begin(&chain, optimum, err);
    if (!status && proper) {
        out->ensembles = ENSEMBLES;
        out->walkers = chain.walkers;
        status = sample(&chain, workers, out, err);
    }
    if (!status && out->converged) {
        summarise(&chain, out);
        status = cf_posterior_replicate(optimum, workers, out, err);
    }
    for (size_t i = 0; i < ENSEMBLES; i++)
        cf_ensemble_clear(&chain.ensemble[i]);
    cf_density_clear(&chain.density);
    free(chain.x);
    return status;
}
