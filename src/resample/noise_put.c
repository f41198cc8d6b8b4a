/* Sampled numbers of the noise at some coordinates. */

#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/effects.h"
#include "estimate/serial.h"
#include "estimate/serial_search.h"
#include "resample/noise_space.h"

bool cf_noise_inside(const struct cf_noise_space *space, const double x[])
{
    for (size_t k = 0; k < space->n; k++)
        if (!(x[k] >= space->number[k].low && x[k] <= space->number[k].high))
            return false;
    return true;
}

/* The variance of a channel's total (its number `first`) and of its shares; the last one that is
 * asked for. NULL: no list of all. */
static double divide(const struct cf_noise_space *s, size_t first, const double x[], size_t last,
                     double v[])
{
    const struct cf_noise_number *total = &s->number[first];
    double left = exp(2 * x[first]) - total->beside, value = 0;

    for (size_t k = first + 1; k <= first + total->of; k++) {
        double part = left * x[k];
        left -= part;
        value = k == last ? part / s->number[k].weight : value;
        if (v)
            v[s->number[k].at] = part / s->number[k].weight;
    }
    if (v)
        v[total->at] = left / total->weight;
    return last == first ? left / total->weight : value;
}

/* ln of the density of a total and its shares in their coordinates. */
static double channel_prior(const struct cf_noise_space *s, size_t first, const double x[])
{
    const struct cf_noise_number *total = &s->number[first];
    double T = exp(2 * x[first]), n = (double) total->of, ln = 0;

    if (total->of && total->beside > 0)
        ln += n * log1p(-total->beside / T);
    for (size_t k = 1; k < total->of; k++) /* shares are divided one after the other */
        ln += (double) (total->of - k) * log1p(-x[first + k]);
    return ln;
}

/* The root mean square of a channel's sigma, of its own variances alone, as covariances ask for
 * it. */
static void put_sigma(const struct cf_noise_space *s, size_t first, const double v[],
                      struct cf_problem *q)
{
    size_t channel = s->number[first].channel;
    double sum = 0;

    for (size_t k = first; k <= first + s->number[first].of; k++)
        if (s->number[k].part.kind != CF_VARIANCE_RECORD)
            sum += s->number[k].weight * v[s->number[k].at];
    for (size_t i = 0; i < q->nobservation && !cf_channel_is_plain(&q->channel[channel]); i++)
        if (q->observation[i].channel == channel)
            sum += gsl_pow_2(hypot(q->observation[i].sigma0, q->observation[i].carried)) /
                   (double) q->channel[channel].n;
    if (q->channel[channel].estimated)
        q->channel[channel].sigma = sqrt(sum);
}

/* ln of the priors of the effects, at the variances that the copy has. */
static int effects_prior(const struct cf_noise_space *s, const struct cf_problem *copy,
                         const double v[], double *ln, struct cf_error *err)
{
    double *information = calloc(copy->neffect + 1, sizeof *information);
    int status = information ? cf_effects_inform(copy, information, err)
                             : cf_fail(err, CF_ENOMEM, "no memory for %zu groups", copy->neffect);

    for (size_t k = 0; k < s->n && !status; k++)
        if (s->number[k].coordinate == CF_NOISE_EFFECT)
            *ln += log(information[s->number[k].part.index]) / 2 +
                   log(v[s->number[k].at] + s->number[k].beside);
    free(information);
    return status;
}

/* The numbers of all models into the copy; ln of their density in their coordinates. */
static double put_serial(const struct cf_noise_space *s, const double x[], struct cf_problem *copy)
{
    double ln = 0;

    for (size_t i = 0; i < copy->nserial; i++) {
        double numbers[CF_MOST_REFINED];
        size_t n = 0;
        for (size_t k = 0; k < s->n; k++) {
            if (!cf_noise_is_serial(&s->number[k]) || s->number[k].serial != i)
                continue;
            numbers[n++] = x[k]; /* d tanh x = sech^2 x dx, and of a share half of that at x/2 */
            ln -= 2 * log(cosh(s->number[k].coordinate == CF_NOISE_SLOW ? x[k] / 2 : x[k]));
        }
        if (n)
            cf_serial_put_numbers(&copy->serial[i].model, numbers);
    }
    return ln;
}

int cf_noise_put(const struct cf_noise_space *space, const double x[], struct cf_problem *copy,
                 double room[], double *ln_prior, struct cf_error *err)
{
    double *v = room;
    bool effects = false;

    *ln_prior = put_serial(space, x, copy);
    memcpy(v, space->value, space->nvariance * sizeof *v);
    for (size_t k = 0; k < space->n; k++) {
        const struct cf_noise_number *number = &space->number[k];
        if (number->coordinate == CF_NOISE_TOTAL) {
            divide(space, k, x, k, v);
            put_sigma(space, k, v, copy);
            *ln_prior += channel_prior(space, k, x);
        }
        if (number->coordinate == CF_NOISE_EFFECT) {
            v[number->at] = fmax(exp(2 * x[k]) - number->beside, 0);
            effects = true;
        }
    }
    for (size_t k = 0; k < space->n; k++) { /* between sigmas, which are there now */
        const struct cf_channel *c = &copy->channel[space->number[k].channel];
        if (space->number[k].coordinate == CF_NOISE_CORRELATION)
            v[space->number[k].at] = x[k] * c->sigma * copy->channel[c->partner].sigma;
    }
    cf_variance_put(copy, space->part, v, space->nvariance);
    return effects ? effects_prior(space, copy, v, ln_prior, err) : CF_OK;
}

double cf_noise_value(const struct cf_noise_space *space, size_t k, const double x[])
{
    const struct cf_noise_number *number = &space->number[k];
    size_t first = k;

    switch (number->coordinate) {
    case CF_NOISE_CORRELATION:
        return x[k];
    case CF_NOISE_EFFECT:
        return sqrt(fmax(exp(2 * x[k]) - number->beside, 0));
    case CF_NOISE_PARTIAL:
        return tanh(x[k]);
    case CF_NOISE_SLOW:
        return 1 / (1 + exp(-x[k]));
    case CF_NOISE_TOTAL:
        if (number->of == 0 && number->beside == 0 && number->weight == 1)
            return exp(x[k]);
        break;
    case CF_NOISE_SHARE:
        while (space->number[first].coordinate != CF_NOISE_TOTAL)
            first--;
        break;
    }
    return sqrt(divide(space, first, x, k, NULL));
}

double cf_noise_scatter(const struct cf_noise_number *number, double centre, double spread,
                        gsl_rng *rng)
{
    double x = centre + gsl_ran_gaussian_ziggurat(rng, spread * number->spread);

    x = x < number->low ? 2 * number->low - x : x;
    x = x > number->high ? 2 * number->high - x : x;
    return fmin(fmax(x, number->low), number->high);
}
