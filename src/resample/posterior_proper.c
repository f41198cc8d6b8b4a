#include "resample/posterior_proper.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/effects.h"
#include "estimate/leverage.h"

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

/* The groups that rows of a channel share sampled errors with, counted once for each effect; of
 * levels around each other the innermost are all of them. */
static size_t groups_of(const struct cf_problem *q, size_t channel, bool use[])
{
    const struct cf_channel *c = &q->channel[channel];
    size_t level = SIZE_MAX, n = 0;

    for (size_t e = 0; e < q->neffect; e++) {
        const struct cf_effect *effect = &q->effect[e];
        use[e] = effect->identified && cf_effect_reaches(q, effect, c->data, c->column) &&
                 (level == SIZE_MAX || effect->level == level);
        level = use[e] ? effect->level : level;
        n += use[e] ? effect->ngroup : 0;
    }
    return n;
}

/* Derivatives of the observations of a channel, by rows: by the unknowns, then by what each group
 * shares. */
struct directions {
    size_t channel, columns;
    double *J;
};

static void take_slopes(void *context, size_t unit, const struct cf_stretch *at)
{
    const struct cf_problem *q = at->problem;
    const struct cf_set *set = &q->set[q->part[at->part].data];
    struct directions *d = context;

    (void) unit;
    for (size_t i = 0; i < at->count; i++)
        for (size_t j = 0; j < set->nactive; j++)
            if (q->observation[at->first + i].channel == d->channel)
                d->J[(at->first + i) * d->columns + set->active[j]] =
                    at->A[(set->nlocal + j) * at->ld + i];
}

static void put_loads(const struct cf_problem *q, const bool use[], struct directions *d)
{
    size_t to = q->nfree;

    for (size_t e = 0; e < q->neffect; e++)
        for (size_t g = 0; g < q->effect[e].ngroup && use[e]; g++, to++)
            for (size_t k = q->effect[e].first[g]; k < q->effect[e].first[g + 1]; k++) {
                size_t i = q->effect[e].member[k];
                if (q->observation[i].channel == d->channel)
                    d->J[i * d->columns + to] = q->effect[e].load[i];
            }
}

/* How many directions of a channel's observations are left for its own errors, where the parameters
 * and the errors of its groups, `groups` in all, take all that they can. */
static int left_within(const struct cf_optimum *optimum, const bool use[], size_t groups,
                       size_t channel, size_t *left, struct cf_error *err)
{
    const struct cf_problem *q = &optimum->problem;
    size_t n = q->nobservation, columns = q->nfree + groups;
    struct directions d = {channel, columns, calloc((n + columns) * columns + 1, sizeof *d.J)};
    struct cf_rank rank = {0};
    int status =
        d.J ? cf_visit_ungrouped(q, optimum->theta, NULL, CF_WANT_SLOPES, take_slopes, &d, err)
            : cf_fail(err, CF_ENOMEM, "no memory for %zu derivatives", n * columns);

    if (!status) {
        put_loads(q, use, &d);
        status =
            cf_rank_analyse(d.J, n + columns, columns, columns, NULL, cf_rank_noise, &rank, err);
    }
    *left = rank.rank < q->channel[channel].n ? q->channel[channel].n - rank.rank : 0;
    cf_rank_clear(&rank);
    free(d.J);
    return status;
}

/* Can the parameters, and the errors that groups share, fit all observations of a channel exactly?
 * Then its likelihood does not fall off as its sigma goes to nothing. */
static int can_vanish(const struct cf_optimum *optimum, size_t channel, bool *vanishes,
                      bool *by_groups, struct cf_error *err)
{
    const struct cf_problem *q = &optimum->problem;
    bool *use = calloc(q->neffect + 1, sizeof *use);
    size_t n = q->channel[channel].n, rank = n, left, groups = use ? groups_of(q, channel, use) : 0;
    double chi2;
    int status = use ? cf_channel_alone(q, &optimum->fold, channel, SIZE_MAX, &rank, &chi2, err)
                     : cf_fail(err, CF_ENOMEM, "no memory for %zu groups", q->neffect);

    *by_groups = rank < n;
    *vanishes = rank >= n;
    if (!status && !*vanishes && groups && n <= rank + groups) {
        status = left_within(optimum, use, groups, channel, &left, err);
        *vanishes = !status && left == 0;
    }
    free(use);
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
