#include "resample/posterior_proper.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/effects.h"
#include "estimate/leverage.h"

/* A derivative that keeps less than this of its length where the means of groups are taken off has
 * no more than rounding left. */
static const double least_left = 1e-10;

/* "k and lambda": all that the data do not identify. */
static void name_unidentified(const struct cf_optimum *optimum, char text[], size_t size)
{
    size_t used = 0;

    for (size_t i = 0; i < optimum->problem.nfree; i++)
        if ((optimum->rank.flat[i] || optimum->rank.dead[i]) && used < size)
            used += (size_t) snprintf(text + used, size - used, "%s%s", used ? " and " : "",
                                      optimum->problem.unknown[i].name);
}

/* ---- beside errors of groups */

/* The innermost groups that rows of a channel share a sampled error with; NULL: none. */
static const struct cf_effect *groups_of(const struct cf_problem *q, size_t channel)
{
    const struct cf_channel *c = &q->channel[channel];

    for (size_t e = 0; e < q->neffect; e++)
        if (q->effect[e].identified && q->effect[e].column == c->column &&
            q->effect[e].protocol == q->spec->data[c->data].protocol)
            return &q->effect[e];
    return NULL;
}

/* The derivatives of all observations, by rows. */
static void take_slopes(void *context, size_t unit, const struct cf_stretch *at)
{
    const struct cf_problem *q = at->problem;
    const struct cf_set *set = &q->set[q->part[at->part].data];
    double *J = context;

    (void) unit;
    for (size_t i = 0; i < at->count; i++)
        for (size_t j = 0; j < set->nactive; j++)
            J[(at->first + i) * q->nfree + set->active[j]] = at->A[(set->nlocal + j) * at->ld + i];
}

/* Leave one column of the derivatives of a group what differs from their mean; the others of the
 * channel are left 0. */
static void centre(const struct cf_problem *q, const struct cf_effect *e, size_t g, size_t channel,
                   size_t column, double J[])
{
    double sum = 0, count = 0, longest = 0;

    for (size_t k = e->first[g]; k < e->first[g + 1]; k++) {
        double slope = J[e->member[k] * q->nfree + column];
        if (q->observation[e->member[k]].channel != channel)
            continue;
        sum += slope;
        longest = fmax(longest, fabs(slope));
        count++;
    }
    for (size_t k = e->first[g]; k < e->first[g + 1]; k++) {
        double *slope = &J[e->member[k] * q->nfree + column];
        *slope = q->observation[e->member[k]].channel == channel ? *slope - sum / count : *slope;
        *slope = fabs(*slope) > least_left * longest ? *slope : 0;
    }
}

/* How many directions of a channel's observations are left for its own errors, where the parameters
 * and the errors of its groups take all that they can. */
static int left_within(const struct cf_optimum *optimum, const struct cf_effect *e, size_t channel,
                       size_t *left, struct cf_error *err)
{
    const struct cf_problem *q = &optimum->problem;
    size_t n = q->nobservation, m = q->nfree, taken = 0;
    double *J = calloc((n + m) * m + 1, sizeof *J);
    struct cf_rank rank = {0};
    int status =
        J ? cf_visit_ungrouped(q, optimum->theta, NULL, CF_WANT_SLOPES, take_slopes, J, err)
          : cf_fail(err, CF_ENOMEM, "no memory for %zu derivatives", n * m);

    for (size_t g = 0; g < e->ngroup && !status; g++) {
        bool any = false;
        for (size_t k = e->first[g]; k < e->first[g + 1]; k++)
            any = any || q->observation[e->member[k]].channel == channel;
        taken += any;
        for (size_t j = 0; j < m && any; j++)
            centre(q, e, g, channel, j, J);
    }
    for (size_t i = 0; i < n && !status; i++)
        if (q->observation[i].channel != channel)
            memset(&J[i * m], 0, m * sizeof *J);
    if (!status)
        status = cf_rank_analyse(J, n + m, m, m, NULL, cf_rank_noise, &rank, err);
    taken += rank.rank;
    *left = taken < q->channel[channel].n ? q->channel[channel].n - taken : 0;
    cf_rank_clear(&rank);
    free(J);
    return status;
}

/* Can the parameters, and the errors that groups share, fit all observations of a channel exactly?
 * Then its likelihood does not fall off as its sigma goes to nothing. */
static int can_vanish(const struct cf_optimum *optimum, size_t channel, bool *vanishes,
                      bool *by_groups, struct cf_error *err)
{
    const struct cf_effect *e = groups_of(&optimum->problem, channel);
    size_t n = optimum->problem.channel[channel].n, rank, left;
    double chi2;
    int status =
        cf_channel_alone(&optimum->problem, &optimum->fold, channel, SIZE_MAX, &rank, &chi2, err);

    *by_groups = rank < n;
    *vanishes = rank >= n;
    if (status || *vanishes || !e || n > rank + e->ngroup)
        return status;
    status = left_within(optimum, e, channel, &left, err);
    *vanishes = !status && left == 0;
    return status;
}

int cf_density_proper(const struct cf_density *density, bool usable, bool *proper, char why[],
                      size_t size, struct cf_error *err)
{
    const struct cf_optimum *optimum = density->optimum;
    const struct cf_problem *q = &optimum->problem;
    char names[200] = "";
    int status = CF_OK;

    *proper = false;
    if (!usable) {
        snprintf(why, size, "the optimum cannot serve as a start");
        return CF_OK;
    }
    if (optimum->rank.rank < q->nfree) {
        name_unidentified(optimum, names, sizeof names);
        snprintf(
            why, size,
            "undetermined: the data do not identify %s, whose posterior would be the bounds that "
            "were chosen",
            names);
        return CF_OK;
    }
    if (optimum->ncluster) {
        snprintf(why, size,
                 "rows of one run share whatever the law leaves over, of which there is no "
                 "likelihood: the other intervals are made by leaving out %zu runs one by one",
                 optimum->ncluster);
        return CF_OK;
    }
    if (density->noise.wanted + q->nfree > CF_MAX_DIM) {
        snprintf(why, size,
                 "%zu parameters and %zu estimated variances are more than can be sampled: at most "
                 "%d together",
                 q->nfree, density->noise.wanted, CF_MAX_DIM);
        return CF_OK;
    }
    for (size_t c = 0; c < q->nchannel; c++) {
        const struct cf_dataset *d = &q->spec->data[q->channel[c].data];
        bool vanishes = false, by_groups = false;
        if (q->channel[c].estimated)
            status = can_vanish(optimum, c, &vanishes, &by_groups, err);
        if (status)
            return status;
        if (!vanishes)
            continue;
        snprintf(why, size,
                 "the parameters%s can follow all %zu values of %s%s%s, so that its estimated "
                 "sigma has no posterior: state that sigma",
                 by_groups ? ", with the errors that groups share," : "", q->channel[c].n,
                 d->protocol->channel[q->channel[c].column].name,
                 cf_channel_sets(q, c) > 1 ? "" : " in data set ",
                 cf_channel_sets(q, c) > 1 ? "" : d->name);
        return CF_OK;
    }
    *proper = true;
    return CF_OK;
}
