#include "resample/noise_space.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

#include "estimate/effects.h"
#include "estimate/records.h"
#include "estimate/serial.h"
#include "estimate/serial_search.h"

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
            sum += gsl_pow_2(c->estimated ? hypot(o->sigma0, o->carried) : o->sigma) +
                   (link ? link->known : 0) + (link && !q->record[r].estimated ? link->band[0] : 0);
        else if (part->kind == CF_VARIANCE_SLOPE)
            sum += cf_channel_growth(c, o->abscissa);
        else
            sum += part->kind == CF_VARIANCE_RECORD ? link->band[0] : 1;
    }
    return n > 0 ? sum / n : 0;
}

/* Room for one more; a number that is thrown away where there is none. */
static struct cf_noise_number *add_any(struct cf_noise_space *s, struct cf_noise_number *spare)
{
    s->wanted++;
    return s->n < CF_MAX_DIM ? &s->number[s->n++] : spare;
}

/* A variance. */
static struct cf_noise_number *add(struct cf_noise_space *s, size_t at,
                                   struct cf_noise_number *spare)
{
    struct cf_noise_number *to = add_any(s, spare);

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

/* What the rows of a group alone know of its error, on average. */
static double mean_without(const struct cf_problem *q, const struct cf_effect *e)
{
    double weight = 0;

    for (size_t g = 0; g < e->ngroup; g++)
        weight += cf_effect_weight(q, e, g);
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

/* The numbers of a model of errors that follow each other, unless it has too many. */
static void add_serial(struct cf_noise_space *s, const struct cf_serial *serial, size_t index)
{
    size_t n = cf_serial_parameters(&serial->model);
    double x[CF_MOST_REFINED];

    if (n > CF_MOST_REFINED)
        return;
    cf_serial_numbers(&serial->model, x);
    for (size_t k = 0; k < n; k++) {
        struct cf_noise_number spare;
        bool slow = k == serial->model.order;
        *add_any(s, &spare) = (struct cf_noise_number){
            .coordinate = slow ? CF_NOISE_SLOW : CF_NOISE_PARTIAL,
            .at = k,
            .serial = index,
            .channel = serial->channel,
            .low = serial->model.kind == CF_SERIAL_WHITE_AR && !slow ? 0 : -INFINITY,
            .high = INFINITY,
            .start = x[k],
            .spread = 1 / sqrt((double) serial->n),
        };
    }
}

bool cf_noise_is_serial(const struct cf_noise_number *number)
{
    return number->coordinate == CF_NOISE_PARTIAL || number->coordinate == CF_NOISE_SLOW;
}

/* Is it sampled? Else what it is held at matters: 0 where the data say nothing of it. */
static bool is_sampled(const struct cf_noise_space *s, size_t variance)
{
    for (size_t k = 0; k < s->n; k++)
        if (!cf_noise_is_serial(&s->number[k]) && s->number[k].at == variance)
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
    for (size_t k = 0; k < problem->nserial; k++)
        add_serial(space, &problem->serial[k], k);
    for (size_t k = 0; k < space->nvariance; k++)
        if (!is_sampled(space, k))
            space->value[k] = 0;
    return CF_OK;
}
