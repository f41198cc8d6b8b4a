#include "identify/synthetic.h"

#include <gsl/gsl_randist.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "estimate/evaluate.h"

/* Noise that leaves the range of its column this many times running is wrong for such a
 * quantity. */
enum { MOST_DRAWS = 1000 };

static int copy(const struct cf_dataset *from, struct cf_dataset *to, struct cf_error *err)
{
    int status = cf_dataset_copy(to, from, err);

    for (size_t i = 0; i < from->nrow && !status; i++)
        to->use[i] = CF_ROW_EXCLUDED;
    return status;
}

/* The column's range, ends of an open quantity included. */
static int draw(gsl_rng *rng, const struct cf_channel_row *column, double mean, double sigma,
                double *value, struct cf_error *err)
{
    for (int i = 0; i < MOST_DRAWS; i++) {
        *value = mean + gsl_ran_gaussian(rng, sigma);
        if (*value >= column->lower && *value <= column->upper)
            return CF_OK;
    }
    return cf_fail(err, CF_ERANGE, "noise of sigma %g %s leaves no plausible %s about %g %s", sigma,
                   column->unit, column->name, mean, column->unit);
}

/* One observation; the first of a row draws the record of its imposed quantity, too. */
static int draw_one(const struct cf_problem *truth, size_t i, double y, double sigma, gsl_rng *rng,
                    struct cf_dataset data[], struct cf_error *err)
{
    const struct cf_observation *o = &truth->observation[i];
    struct cf_dataset *d = &data[o->data];
    const struct cf_protocol *protocol = d->protocol;
    size_t imposed = protocol->imposed(d, o->row);
    double known = cf_dataset_sigma(d, o->row, imposed);
    int status = CF_OK;

    if (d->use[o->row] == CF_ROW_EXCLUDED && known > 0)
        status = draw(rng, &protocol->channel[imposed], d->series[imposed].value[o->row], known,
                      &d->series[imposed].value[o->row], err);
    d->use[o->row] = CF_ROW_FIT;
    if (!status)
        status = draw(rng, &protocol->channel[o->column], y, sigma,
                      &d->series[o->column].value[o->row], err);
    return status;
}

int cf_simulate(const struct cf_problem *truth, const double theta[], const double sigma[],
                uint64_t seed, uint64_t index, struct cf_dataset data[], struct cf_error *err)
{
    gsl_rng *rng = cf_random_stream(seed, index);
    double *y = calloc(truth->nobservation + 1, sizeof *y);
    int status = rng && y ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for synthetic data");

    memset(data, 0, truth->spec->ndata * sizeof *data);
    for (size_t i = 0; i < truth->spec->ndata && !status; i++)
        status = copy(&truth->spec->data[i], &data[i], err);
    if (!status)
        status = cf_problem_predict(truth, theta, y, NULL, err);
    for (size_t i = 0; i < truth->nobservation && !status; i++) {
        const struct cf_observation *o = &truth->observation[i];
        double noise = truth->channel[o->channel].estimated ? sigma[o->channel] : o->sigma0;
        status = draw_one(truth, i, y[i], noise, rng, data, err);
    }
    free(y);
    if (rng)
        gsl_rng_free(rng);
    return status;
}
