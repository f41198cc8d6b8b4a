/* What a posterior has sampled along with the parameters, in a fit file: the variances of the
 * errors, as standard deviations, and how they follow each other, with their priors. */

#include <math.h>

#include "document/fit_json.h"
#include "estimate/effects.h"
#include "estimate/records.h"
#include "resample/posterior.h"

static const char *const kind_text[] = {
    [CF_VARIANCE_SIGMA] = "sigma", [CF_VARIANCE_BASE] = "base",
    [CF_VARIANCE_SLOPE] = "slope", [CF_VARIANCE_SHARED] = "correlation",
    [CF_VARIANCE_EFFECT] = "tau",  [CF_VARIANCE_RECORD] = "record",
};

static const char *kind_of(const struct cf_noise_number *number)
{
    switch (number->coordinate) {
    case CF_NOISE_PARTIAL:
        return "partial";
    case CF_NOISE_SLOW:
        return "slow-share";
    case CF_NOISE_TOTAL:
    case CF_NOISE_SHARE:
    case CF_NOISE_CORRELATION:
    case CF_NOISE_EFFECT:
        break;
    }
    return kind_text[number->part.kind];
}

/* How many numbers share what the readings of its channel vary by. */
static size_t divided_among(const struct cf_noise_space *noise, size_t k)
{
    while (noise->number[k].coordinate == CF_NOISE_SHARE)
        k--;
    return noise->number[k].of + 1;
}

static json_t *prior_text(const struct cf_noise_space *noise, size_t k)
{
    const struct cf_noise_number *number = &noise->number[k];

    switch (number->coordinate) {
    case CF_NOISE_CORRELATION:
        return json_string("uniform in (-1, 1)");
    case CF_NOISE_EFFECT:
        return json_string("of tau^2, above 0: as 1/(tau^2 + v), v the variance of a group's mean "
                           "without tau (Jeffreys)");
    case CF_NOISE_PARTIAL:
        return json_string(number->low < 0 ? "uniform in (-1, 1)" : "uniform in (0, 1)");
    case CF_NOISE_SLOW:
        return json_string("uniform in (0, 1)");
    case CF_NOISE_TOTAL:
    case CF_NOISE_SHARE:
        break;
    }
    if (divided_among(noise, k) > 1)
        return json_sprintf("what readings vary by in all is uniform in its logarithm, and divided "
                            "among %d numbers in any shares alike",
                            (int) divided_among(noise, k));
    return json_string(number->beside > 0
                           ? "what readings vary by, with what is stated, is uniform in its "
                             "logarithm"
                           : "uniform in its logarithm");
}

/* A column of the number's channel. */
static void put_channel(const struct cf_problem *q, const struct cf_noise_number *number,
                        size_t column, const char *unit, json_t **to)
{
    const struct cf_dataset *d = &q->spec->data[q->channel[number->channel].data];
    bool all = cf_channel_sets(q, number->channel) > 1;

    cf_json_put(to, "data", json_string(all ? "all" : d->name));
    cf_json_put(to, "channel", json_string(d->protocol->channel[column].name));
    cf_json_put(to, "unit", json_string(unit ? unit : d->protocol->channel[column].unit));
}

/* Whose it is: a data set and a channel of it, or a level of groups and a channel of a protocol. */
static void put_owner(const struct cf_problem *q, const struct cf_noise_number *number, json_t **to)
{
    const struct cf_channel *c = &q->channel[number->channel];
    const struct cf_dataset *d = &q->spec->data[c->data];

    switch (number->coordinate) {
    case CF_NOISE_EFFECT: {
        const struct cf_effect *e = &q->effect[number->part.index];
        cf_json_put(to, "level", cf_json_shown(q->spec->grouping.level[e->level].name));
        cf_json_put(to, e->of == CF_GROUPS_PARAMETER ? "parameter" : "channel",
                    json_string(cf_effect_name(q, e)));
        cf_json_put(to, "unit", json_string(cf_effect_unit(q, e)));
        break;
    }
    case CF_NOISE_PARTIAL:
        cf_json_put(to, "lag", json_integer((json_int_t) number->at + 1));
        put_channel(q, number, c->column, "1", to);
        break;
    case CF_NOISE_SLOW:
        put_channel(q, number, c->column, "1", to);
        break;
    case CF_NOISE_CORRELATION:
        cf_json_put(to, "with",
                    json_string(d->protocol->channel[q->channel[c->partner].column].name));
        put_channel(q, number, c->column, "1", to);
        break;
    case CF_NOISE_TOTAL:
    case CF_NOISE_SHARE:
        if (number->part.kind == CF_VARIANCE_SLOPE)
            cf_json_put(to, "exponent", cf_json_number(c->exponent));
        put_channel(q, number,
                    number->part.kind == CF_VARIANCE_RECORD ? d->protocol->recording->record
                                                            : c->column,
                    NULL, to);
        break;
    }
}

json_t *cf_fit_json_noise(const struct cf_fit *fit)
{
    const struct cf_posterior *p = fit->resamples.posterior;
    json_t *all = json_array();

    for (size_t k = 0; k < p->noise.n && p->converged; k++) {
        const struct cf_posterior_number *n = &p->variance[k];
        json_t *j = json_object();
        cf_json_put(&j, "kind", json_string(kind_of(&p->noise.number[k])));
        put_owner(&fit->optimum.problem, &p->noise.number[k], &j);
        cf_json_put(&j, "median", cf_json_number(n->median));
        cf_json_put(&j, "low", cf_json_number(n->low));
        cf_json_put(&j, "high", cf_json_number(n->high));
        cf_json_put(&j, "rhat", cf_json_number(n->rhat));
        cf_json_put(&j, "ess", cf_json_number(n->ess));
        cf_json_put(&j, "prior", prior_text(&p->noise, k));
        cf_json_add(&all, j);
    }
    return all;
}
