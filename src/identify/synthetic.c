#include "identify/synthetic.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "estimate/evaluate.h"
#include "estimate/own_settle.h"
#include "estimate/records.h"
#include "estimate/serial.h"

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

static double normal(void *rng)
{
    return gsl_ran_gaussian(rng, 1);
}

/* What an experiment is drawn from, predicted as y. */
struct truth {
    const struct cf_problem *problem;
    const double *theta, *sigma, *y;
};

/* The noise of each observation's own, and what it shares with others. */
static int draw_shared(const struct truth *of, const struct cf_disturbance *disturbance,
                       gsl_rng *rng, double own[], double extra[], struct cf_error *err)
{
    const struct cf_problem *truth = of->problem;
    int status;

    for (size_t i = 0; i < truth->nobservation; i++) {
        const struct cf_observation *o = &truth->observation[i];
        const struct cf_channel *c = &truth->channel[o->channel];
        own[i] = c->estimated ? of->sigma[o->channel] : o->sigma0;
        if (c->estimated && !cf_channel_is_plain(c)) /* sigma[] is the root mean square */
            own[i] *= cf_channel_own_sigma(c, o) / c->sigma;
    }
    status = cf_own_draw(truth, of->theta, of->y, normal, rng, extra, err);
    if (!status)
        status = cf_records_draw(truth, normal, rng, extra, err);
    if (!status)
        status = cf_serial_draw(truth, normal, rng, own, extra, err);
    if (!status && disturbance)
        disturbance->disturb(disturbance->owner, truth, rng, own, extra);
    return status;
}

int cf_simulate(const struct cf_problem *truth, const double theta[], const double sigma[],
                const struct cf_disturbance *disturbance, uint64_t seed, uint64_t index,
                struct cf_dataset data[], struct cf_error *err)
{
    gsl_rng *rng = cf_random_stream(seed, index);
    double *y = calloc(3 * truth->nobservation + 1, sizeof *y);
    double *own = y + truth->nobservation, *extra = own + truth->nobservation;
    int status = rng && y ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for synthetic data");

    memset(data, 0, truth->spec->ndata * sizeof *data);
    for (size_t i = 0; i < truth->spec->ndata && !status; i++)
        status = copy(&truth->spec->data[i], &data[i], err);
    if (!status)
        status = cf_problem_predict(truth, theta, y, NULL, err);
    if (!status)
        status =
            draw_shared(&(struct truth){truth, theta, sigma, y}, disturbance, rng, own, extra, err);
    for (size_t i = 0; i < truth->nobservation && !status; i++)
        status = draw_one(truth, i, y[i] + extra[i], own[i], rng, data, err);
    free(y);
    if (rng)
        gsl_rng_free(rng);
    return status;
}
