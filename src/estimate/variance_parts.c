/* The estimated variances of a problem as a list, and back. */

#include <gsl/gsl_math.h>
#include <math.h>

#include "estimate/effects.h"
#include "estimate/records.h"
#include "estimate/variance_work.h"

size_t cf_variance_list(const struct cf_problem *q, struct cf_variance_part part[], double v[])
{
    size_t n = 0;

    for (size_t i = 0; i < q->nchannel; i++) {
        const struct cf_channel *c = &q->channel[i];
        if (!c->estimated || !c->n)
            continue;
        if (cf_channel_is_plain(c)) {
            part[n] = (struct cf_variance_part){CF_VARIANCE_SIGMA, i};
            v[n++] = gsl_pow_2(c->sigma);
        }
        if (c->model == CF_SIGMA_BOTH ||
            (c->model == CF_SIGMA_CONSTANT && !cf_channel_is_plain(c))) {
            part[n] = (struct cf_variance_part){CF_VARIANCE_BASE, i};
            v[n++] = c->base2;
        }
        if (c->model != CF_SIGMA_CONSTANT) {
            part[n] = (struct cf_variance_part){CF_VARIANCE_SLOPE, i};
            v[n++] = c->slope2;
        }
        if (c->partner != CF_NO_CHANNEL) {
            part[n] = (struct cf_variance_part){CF_VARIANCE_SHARED, i};
            v[n++] = c->covariance;
        }
    }
    for (size_t i = 0; i < q->neffect; i++) {
        part[n] = (struct cf_variance_part){CF_VARIANCE_EFFECT, i};
        v[n++] = q->effect[i].variance;
    }
    for (size_t i = 0; i < q->nrecord; i++)
        if (q->record[i].estimated) {
            part[n] = (struct cf_variance_part){CF_VARIANCE_RECORD, i};
            v[n++] = q->record[i].variance;
        }
    return n;
}

static void put_one(struct cf_problem *q, const struct cf_variance_part *part, double v)
{
    bool of_channel = part->kind != CF_VARIANCE_EFFECT && part->kind != CF_VARIANCE_RECORD;
    struct cf_channel *c = &q->channel[of_channel ? part->index : 0];

    switch (part->kind) {
    case CF_VARIANCE_SIGMA:
        c->sigma = sqrt(v);
        break;
    case CF_VARIANCE_BASE:
        c->base2 = v;
        break;
    case CF_VARIANCE_SLOPE:
        c->slope2 = v;
        break;
    case CF_VARIANCE_SHARED:
        c->covariance = v;
        break;
    case CF_VARIANCE_EFFECT:
        q->effect[part->index].variance = v;
        break;
    case CF_VARIANCE_RECORD:
        q->record[part->index].variance = v;
        break;
    }
}

/* The root mean squares of sigmas that are no one number, and the means of what is known beside
 * them. */
static void put_means(struct cf_problem *q)
{
    for (size_t i = 0; i < q->nchannel; i++)
        if (q->channel[i].estimated && !cf_channel_is_plain(&q->channel[i]))
            q->channel[i].sigma = q->channel[i].beside2 = 0;
    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        struct cf_channel *c = &q->channel[o->channel];
        double n = (double) c->n;
        if (!c->estimated || cf_channel_is_plain(c) || !c->n)
            continue;
        c->sigma += gsl_pow_2(o->sigma) / n;
        c->beside2 += (gsl_pow_2(o->sigma0) + gsl_pow_2(o->carried)) / n;
    }
    for (size_t i = 0; i < q->nchannel; i++)
        if (q->channel[i].estimated && !cf_channel_is_plain(&q->channel[i]))
            q->channel[i].sigma = sqrt(q->channel[i].sigma);
}

/* The share of a row's common error in an observation: its product with that of the partner is the
 * correlation. */
static double share_of(const struct cf_problem *q, size_t channel)
{
    for (size_t i = 0; i < q->nchannel; i++) {
        const struct cf_channel *c = &q->channel[i];
        double rho;
        if (c->partner == CF_NO_CHANNEL || (i != channel && c->partner != channel))
            continue;
        rho = c->covariance / (c->sigma * q->channel[c->partner].sigma);
        return i == channel || rho > 0 ? sqrt(fabs(rho)) : -sqrt(fabs(rho));
    }
    return 0;
}

void cf_variance_put(struct cf_problem *q, const struct cf_variance_part part[], const double v[],
                     size_t n)
{
    bool correlated = false;

    for (size_t k = 0; k < n; k++) {
        put_one(q, &part[k], v[k]);
        correlated = correlated || part[k].kind == CF_VARIANCE_SHARED;
    }
    for (size_t i = 0; i < q->nobservation; i++) {
        struct cf_observation *o = &q->observation[i];
        const struct cf_channel *c = &q->channel[o->channel];
        if (!c->estimated)
            continue;
        o->sigma = cf_channel_sigma(c, o);
        o->shared = o->carried != 0 ? o->carried / o->sigma
                    : correlated    ? share_of(q, o->channel)
                                    : 0;
    }
    put_means(q);
}
