#include "resample/ensemble.h"

#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"

/* The stretch is in [1/a, a] (Goodman & Weare); the share of stretches; of whole differences; the
 * scatter of a difference, in shares of it, that lets walkers leave a common plane. */
static const double stretch_a = 2, stretches = 0.5, whole = 0.1, jitter = 0.01;

bool cf_ensemble_init(struct cf_ensemble *e, size_t dim, size_t walkers, uint64_t seed,
                      uint64_t stream)
{
    *e = (struct cf_ensemble){.dim = dim,
                              .walkers = walkers,
                              .x = calloc(walkers * dim, sizeof *e->x),
                              .log_density = calloc(walkers, sizeof *e->log_density),
                              .rng = cf_random_stream(seed, stream)};
    return e->x && e->log_density && e->rng;
}

void cf_ensemble_clear(struct cf_ensemble *e)
{
    free(e->x);
    free(e->log_density);
    if (e->rng)
        gsl_rng_free(e->rng);
    *e = (struct cf_ensemble){0};
}

/* y = other + z (x - other), z of density 1/sqrt(z); the ratio of volumes is z^(dim - 1). */
static double stretch(struct cf_ensemble *e, const double x[], const double other[], double y[])
{
    double root = 1 / sqrt(stretch_a);
    double z = gsl_pow_2(root + (sqrt(stretch_a) - root) * gsl_rng_uniform(e->rng));

    for (size_t j = 0; j < e->dim; j++)
        y[j] = other[j] + z * (x[j] - other[j]);
    return (double) (e->dim - 1) * log(z);
}

/* y = x + gamma (one - other): as likely forth as back. */
static double difference(struct cf_ensemble *e, const double x[], const double one[],
                         const double other[], double y[])
{
    double best = 2.38 / sqrt(2 * (double) e->dim); /* ter Braak 2006, for a normal target */
    double gamma = gsl_rng_uniform(e->rng) < whole ? 1 : best;

    for (size_t j = 0; j < e->dim; j++)
        y[j] = x[j] + gamma * (one[j] - other[j]) * (1 + gsl_ran_gaussian_ziggurat(e->rng, jitter));
    return 0;
}

static void move(struct cf_ensemble *e, size_t i, size_t others, cf_log_density *density,
                 void *context, size_t worker)
{
    size_t half = e->walkers / 2, a = gsl_rng_uniform_int(e->rng, half),
           b = (a + 1 + gsl_rng_uniform_int(e->rng, half - 1)) % half;
    double *x = &e->x[i * e->dim], y[CF_MAX_DIM], factor, log_y;
    const double *one = &e->x[(others + a) * e->dim], *other = &e->x[(others + b) * e->dim];

    factor = gsl_rng_uniform(e->rng) < stretches ? stretch(e, x, one, y)
                                                 : difference(e, x, one, other, y);
    log_y = density(context, y, worker);
    e->proposed++;
    if (!(log(1 - gsl_rng_uniform(e->rng)) < factor + log_y - e->log_density[i]))
        return;
    memcpy(x, y, e->dim * sizeof *x);
    e->log_density[i] = log_y;
    e->accepted++;
}

void cf_ensemble_step(struct cf_ensemble *e, cf_log_density *density, void *context, size_t worker)
{
    size_t half = e->walkers / 2;

    for (size_t i = 0; i < e->walkers; i++)
        move(e, i, i < half ? half : 0, density, context, worker);
}
