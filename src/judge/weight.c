#include "judge/weight.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

#include "estimate/evaluate.h"

/* What is fitted moves by no more standard errors than this root of squares of what readings are
 * off by, in their sigmas: half the width of an interval, and it misses. */
static const double most_off = 2;

/* The readings of one column of a data set. */
struct column {
    double squares;                /* of their changes in sigmas */
    double share, at, sigma_share; /* of the one that changes most; its place, and its sigma */
};

static void count(const struct cf_observation *o, double predicted, double share, struct column *c)
{
    c->squares += gsl_pow_2(share * predicted / o->sigma);
    if (fabs(share) <= fabs(c->share))
        return;
    c->share = share;
    c->at = o->abscissa;
    c->sigma_share = o->sigma / fabs(predicted);
}

static void find(struct cf_fit *fit, const struct cf_dataset *d, size_t channel,
                 const struct column *c)
{
    struct cf_finding *f = cf_add_finding(
        &fit->findings, CF_RULE_WEIGHT,
        "%s of %s: the weight during the contact, which predictions leave out, changes it by %.2g "
        "%% at %s %.3g %s, where its sigma is %.2g %%: together its readings move what is fitted "
        "by up to %.2g standard errors",
        d->protocol->channel[channel].name, d->name, 100 * c->share, d->protocol->axis.name, c->at,
        d->protocol->axis.unit, 100 * c->sigma_share, sqrt(c->squares));

    f->data = d->name;
    f->quantity = d->protocol->channel[channel].name;
    f->size = sqrt(c->squares);
    f->unit = "sigma";
    f->level = most_off;
    f->at = c->at;
}

/* Observations of one data set, from the first on; their number. */
static size_t judge_set(struct cf_fit *fit, size_t first, const double p[], struct column sum[])
{
    const struct cf_problem *q = &fit->optimum.problem;
    size_t data = q->observation[first].data, i = first, row = SIZE_MAX;
    const struct cf_dataset *d = &q->spec->data[data];
    double share[CF_MAX_COLUMN], at = NAN;
    bool any = false;

    for (; i < q->nobservation && q->observation[i].data == data; i++) {
        const struct cf_observation *o = &q->observation[i];
        if (!d->protocol->weigh)
            continue;
        if (o->row != row && o->abscissa != at) /* drops are repeated */
            any = d->protocol->weigh(d, o->row, q->law, p, share);
        row = o->row;
        at = o->abscissa;
        if (any && o->weight > 0)
            count(o, fit->predicted[i].value, share[o->column], &sum[o->column]);
    }
    return i - first;
}

int cf_judge_weight(struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    double p[CF_MAX_PARAM];
    bool any = false;
    int status = CF_OK;

    if (fit->optimum.rank.rank < q->nfree)
        return CF_OK; /* nothing there to be weighed */
    for (size_t i = 0; i < q->nobservation && !status;) {
        struct column sum[CF_MAX_COLUMN] = {{0}};
        const struct cf_dataset *d = &q->spec->data[q->observation[i].data];
        status = cf_problem_params(q, q->observation[i].data, fit->optimum.theta, p, NULL, err);
        if (status)
            return status;
        i += judge_set(fit, i, p, sum);
        for (size_t c = 0; c < d->protocol->nchannel; c++)
            if (sqrt(sum[c].squares) > most_off) {
                find(fit, d, c, &sum[c]);
                any = true;
            }
    }
    if (any)
        cf_say(&fit->advice, "measure faster impacts, and leave slow ones out (where: ): there the "
                             "weight is no small part of the force");
    return CF_OK;
}
