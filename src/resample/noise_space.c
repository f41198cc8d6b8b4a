#include "resample/noise_space.h"

#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/effects.h"
#include "estimate/records.h"

/* Where walkers begin: a share spreads over this much of what there is to divide. */
static const double share_spread = 0.1;

void cf_noise_space_clear(struct cf_noise_space *space)
{
    free(space->part);
    free(space->value);
    *space = (struct cf_noise_space){0};
}

/* ---- which numbers there are */

/* The set of records that the readings of a channel are made of; nrecord: none. */
static size_t record_of(const struct cf_problem *q, size_t channel)
{
    const struct cf_channel *c = &q->channel[channel];
    const struct cf_derived *recording = q->spec->data[c->data].protocol->recording;

    for (size_t r = 0; r < q->nrecord; r++)
        if (q->record[r].data == c->data && recording && recording->reading == c->column)
            return r;
    return q->nrecord;
}

/* Does a variance add to the readings of a channel alone? */
static bool adds_to(const struct cf_problem *q, const struct cf_variance_part *part, size_t channel)
{
    switch (part->kind) {
    case CF_VARIANCE_SIGMA:
    case CF_VARIANCE_BASE:
    case CF_VARIANCE_SLOPE:
        return part->index == channel;
    case CF_VARIANCE_RECORD:
        return part->index == record_of(q, channel) && q->record[part->index].identified;
    case CF_VARIANCE_SHARED:
    case CF_VARIANCE_EFFECT:
        break;
    }
    return false;
}

/* What a unit of a variance adds to that of a reading of the channel, on average; of no part: what
 * is stated of it. */
static double mean_of(const struct cf_problem *q, size_t channel,
                      const struct cf_variance_part *part)
{
    const struct cf_channel *c = &q->channel[channel];
    size_t r = record_of(q, channel);
    double sum = 0, n = 0;

    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        const struct cf_reading_link *link = r < q->nrecord ? &q->link[i] : NULL;
        if (o->channel != channel)
            continue;
        n++;
        if (!part)
            sum += gsl_pow_2(c->estimated ? o->sigma0 : o->sigma) + (link ? link->known : 0) +
                   (link && !q->record[r].estimated ? link->band[0] : 0);
        else if (part->kind == CF_VARIANCE_SLOPE)
            sum += cf_channel_growth(c, o->abscissa);
        else
            sum += part->kind == CF_VARIANCE_RECORD ? link->band[0] : 1;
    }
    return n > 0 ? sum / n : 0;
}

/* Room for one more; a number that is thrown away where there is none. */
static struct cf_noise_number *add(struct cf_noise_space *s, size_t at,
                                   struct cf_noise_number *spare)
{
    struct cf_noise_number *to = s->n < CF_MAX_DIM ? &s->number[s->n++] : spare;

    s->wanted++;
    *to = (struct cf_noise_number){.part = s->part[at], .at = at};
    return to;
}

/* The variances that add to a channel's readings, one after the other: the first becomes their sum,
 * the others shares of it. */
static void add_channel(struct cf_noise_space *s, const struct cf_problem *q, size_t channel)
{
    const struct cf_channel *c = &q->channel[channel];
    struct cf_noise_number spare, *total = NULL;
    double sum = 0, left;
    size_t first = s->n;

    for (size_t k = 0; k < s->nvariance; k++) {
        struct cf_noise_number *to;
        if (!adds_to(q, &s->part[k], channel))
            continue;
        to = add(s, k, &spare);
        to->coordinate = total ? CF_NOISE_SHARE : CF_NOISE_TOTAL;
        to->channel = channel;
        to->weight = mean_of(q, channel, &s->part[k]);
        sum += to->weight * fmax(s->value[k], 0);
        if (total)
            total->of++;
        total = total ? total : to;
    }
    if (!total)
        return;
    total->beside = mean_of(q, channel, NULL);
    total->low = log(fmax(total->beside, gsl_pow_2(c->floor))) / 2;
    total->high = INFINITY;
    total->start = log(fmax(total->beside + sum, exp(2 * total->low))) / 2;
    total->spread = 1 / sqrt(2 * fmax(c->estimated ? c->dof : (double) c->n, 1));
    left = sum;
    for (size_t k = first + 1; k < s->n; k++) {
        struct cf_noise_number *to = &s->number[k];
        double part = to->weight * fmax(s->value[to->at], 0);
        to->high = 1;
        to->spread = share_spread;
        to->start = left > 0 ? fmin(part / left, 1) : 0;
        left -= part;
    }
}

static void add_correlation(struct cf_noise_space *s, const struct cf_problem *q, size_t at)
{
    const struct cf_channel *c = &q->channel[s->part[at].index];
    struct cf_noise_number spare, *to = add(s, at, &spare);

    to->coordinate = CF_NOISE_CORRELATION;
    to->channel = s->part[at].index;
    to->low = -1;
    to->high = 1;
    to->start = s->value[at] / (c->sigma * q->channel[c->partner].sigma);
    to->spread = (1 - gsl_pow_2(to->start)) / sqrt((double) c->n);
}

/* What the mean of a group varies by without the effect, on average. */
static double mean_without(const struct cf_problem *q, const struct cf_effect *e)
{
    double weight = 0;

    for (size_t k = 0; k < e->first[e->ngroup]; k++)
        weight += 1 / gsl_pow_2(cf_observation_sigma(q, e->member[k]));
    return (double) e->ngroup / weight;
}

static void add_effect(struct cf_noise_space *s, const struct cf_problem *q, size_t at)
{
    const struct cf_effect *e = &q->effect[s->part[at].index];
    struct cf_noise_number spare, *to;

    if (!e->identified)
        return;
    to = add(s, at, &spare);
    to->coordinate = CF_NOISE_EFFECT;
    to->beside = mean_without(q, e);
    to->low = log(to->beside) / 2;
    to->high = INFINITY;
    to->start = log(to->beside + fmax(s->value[at], 0)) / 2;
    to->spread = 1 / sqrt(2 * fmax((double) e->ngroup - 1, 1));
}

/* Is it sampled? Else what it is held at matters: 0 where the data say nothing of it. */
static bool is_sampled(const struct cf_noise_space *s, size_t variance)
{
    for (size_t k = 0; k < s->n; k++)
        if (s->number[k].at == variance)
            return true;
    return false;
}

int cf_noise_space_make(struct cf_noise_space *space, const struct cf_problem *problem,
                        struct cf_error *err)
{
    size_t most = 3 * problem->nchannel + problem->neffect + problem->nrecord;

    *space = (struct cf_noise_space){0};
    space->part = calloc(most + 1, sizeof *space->part);
    space->value = calloc(most + 1, sizeof *space->value);
    if (!space->part || !space->value)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu variances", most);
    space->nvariance = cf_variance_list(problem, space->part, space->value);
    for (size_t c = 0; c < problem->nchannel; c++)
        add_channel(space, problem, c);
    for (size_t k = 0; k < space->nvariance; k++) {
        if (space->part[k].kind == CF_VARIANCE_SHARED)
            add_correlation(space, problem, k);
        if (space->part[k].kind == CF_VARIANCE_EFFECT)
            add_effect(space, problem, k);
    }
    for (size_t k = 0; k < space->nvariance; k++)
        if (!is_sampled(space, k))
            space->value[k] = 0;
    return CF_OK;
}

/* ---- at some coordinates */

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
    for (size_t i = 0; i < q->nobservation && q->channel[channel].floored; i++)
        if (q->observation[i].channel == channel)
            sum += gsl_pow_2(q->observation[i].sigma0) / (double) q->channel[channel].n;
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

int cf_noise_put(const struct cf_noise_space *space, const double x[], struct cf_problem *copy,
                 double room[], double *ln_prior, struct cf_error *err)
{
    double *v = room;
    bool effects = false;

    *ln_prior = 0;
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
