/* The full uncertainty of a fit's parameters: enough for another program to put a band on any
 * prediction. Where parameters are flat the covariance is that of the row space, and `null` says
 * along which directions nothing is known. */

#include <math.h>
#include <stdlib.h>

#include "document/fit_json.h"
#include "estimate/clusters.h"
#include "estimate/effects.h"
#include "estimate/leverage.h"

/* The law's unknowns, which stand before the nuisances: what predictions of true values depend on.
 */
static size_t of_law(const struct cf_problem *q)
{
    size_t n = 0;

    while (n < q->nfree && q->unknown[n].kind == CF_UNKNOWN_LAW)
        n++;
    return n;
}

json_t *cf_fit_json_covariance(const struct cf_fit *fit)
{
    const struct cf_rank *rank = cf_optimum_spread(&fit->optimum);
    json_t *names = json_array(), *matrix = json_array(), *correlation = json_array(),
           *j = json_object();

    for (size_t a = 0; a < rank->n; a++) {
        const struct cf_unknown *w = &fit->optimum.problem.unknown[a];
        const double *row = &rank->covariance[a * rank->n];
        json_t *unit = json_array();
        for (size_t b = 0; b < rank->n; b++)
            cf_json_add(&unit, cf_json_number(row[b] / sqrt(cf_rank_variance(rank, a) *
                                                            cf_rank_variance(rank, b))));
        cf_json_add(&names, w->scale == CF_SCALE_LOG ? json_sprintf("ln %s", w->name)
                                                     : json_string(w->name));
        cf_json_add(&matrix, cf_json_numbers(row, rank->n));
        cf_json_add(&correlation, unit);
    }
    cf_json_put(&j, "names", names);
    cf_json_put(&j, "matrix", matrix);
    cf_json_put(&j, "correlation", correlation);
    if (rank->rank == rank->n)
        return j;
    json_decref(j); /* a covariance without null directions would pass for a complete one */
    return json_null();
}

/* The part of the covariance that comes from the scatter of one channel; null where that cannot be
 * told. */
static json_t *share(const struct cf_fit *fit, size_t channel)
{
    const struct cf_optimum *optimum = &fit->optimum;
    size_t n = optimum->problem.nfree;
    double *gram = malloc((n * n + 1) * sizeof *gram);
    int status = gram ? cf_channel_covariance(&optimum->problem, &optimum->fold, &optimum->rank,
                                              channel, gram, NULL)
                      : CF_ENOMEM;
    json_t *j = status == CF_ENOMEM ? NULL : status ? json_null() : json_array();

    for (size_t a = 0; a < of_law(&optimum->problem) && !status; a++)
        cf_json_add(&j, cf_json_numbers(&gram[a * n], of_law(&optimum->problem)));
    free(gram);
    return j;
}

/* The data sets of a channel. */
static json_t *sets(const struct cf_problem *q, size_t channel)
{
    json_t *all = json_array();

    for (size_t d = 0; d < q->spec->ndata; d++)
        if (cf_channel_of(q, d, q->channel[channel].column) == channel)
            cf_json_add(&all, json_integer((json_int_t) d));
    return all;
}

/* What rows of a new group of one kind share in a channel, where that is anything. */
static void put_shared(const struct cf_problem *q, const struct cf_channel *c, enum cf_group_of of,
                       const char *key, json_t **to)
{
    double sum = 0;

    for (size_t e = 0; e < q->neffect; e++)
        if (q->effect[e].of == of && cf_effect_reaches(q, &q->effect[e], c->data, c->column))
            sum += q->effect[e].variance;
    if (sum > 0)
        cf_json_put(to, key, cf_json_number(sqrt(sum)));
}

static json_t *channels(const struct cf_fit *fit)
{
    const struct cf_problem *q = &fit->optimum.problem;
    json_t *all = json_array();
    double least = (double) INFINITY; /* with shared errors no channel has freedom of its own */

    for (size_t i = 0; i < q->nfree && cf_uses_reml(q); i++)
        if (cf_rank_identifies(&fit->optimum.rank, i))
            least = fmin(least, fit->estimate[i].dof);
    for (size_t c = 0; c < q->nchannel; c++) {
        const struct cf_channel *ch = &q->channel[c];
        json_t *j = json_object();
        cf_json_put(&j, "data", json_integer((json_int_t) ch->data));
        if (cf_channel_sets(q, c) > 1)
            cf_json_put(&j, "sets", sets(q, c));
        cf_json_put(&j, "channel",
                    json_string(q->spec->data[ch->data].protocol->channel[ch->column].name));
        cf_json_put(&j, "sigma", cf_json_number(ch->sigma));
        if (ch->estimated && !cf_channel_is_plain(ch)) {
            cf_json_put(&j, "base", cf_json_number(sqrt(ch->base2)));
            cf_json_put(&j, "slope", cf_json_number(sqrt(ch->slope2)));
            if (ch->model == CF_SIGMA_POWER)
                cf_json_put(&j, "exponent", cf_json_number(ch->exponent));
            if (ch->carries)
                cf_json_put(&j, "imposed", cf_json_number(cf_channel_carried(q, c)));
        }
        put_shared(q, ch, CF_GROUPS_SHIFT, "shared", &j);
        put_shared(q, ch, CF_GROUPS_SHARE, "gain", &j);
        cf_json_put(&j, "estimated", json_boolean(ch->estimated || cf_uses_reml(q)));
        cf_json_put(&j, "dof", cf_json_number(fmin(ch->dof, least)));
        if (ch->estimated || cf_uses_reml(q)) /* a stated sigma counts as exact */
            cf_json_put(&j, "share", share(fit, c));
        cf_json_add(&all, j);
    }
    return all;
}

/* Parameters that groups differ in. */
static json_t *differ(const struct cf_fit *fit)
{
    const struct cf_problem *q = &fit->optimum.problem;
    json_t *all = json_array();

    for (size_t e = 0; e < q->neffect; e++)
        if (q->effect[e].of == CF_GROUPS_PARAMETER && q->effect[e].variance > 0)
            cf_json_add(&all,
                        json_pack("{s:s,s:o,s:o}", "parameter", cf_effect_name(q, &q->effect[e]),
                                  "sigma", cf_json_number(sqrt(q->effect[e].variance)), "dof",
                                  cf_json_number((double) q->effect[e].ngroup - 1)));
    return all;
}

static bool is_any(const double x[], size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (x[i] != 0)
            return true;
    return false;
}

json_t *cf_fit_json_uncertainty(const struct cf_fit *fit)
{
    const struct cf_problem *q = &fit->optimum.problem;
    size_t n = of_law(q);
    json_t *j = json_object(), *names = json_array(), *null = json_array(), *dead = json_array(),
           *covariance = json_array(), *shared_by = json_array();

    for (size_t i = 0; i < n; i++) {
        cf_json_add(&names, json_string(q->unknown[i].name));
        cf_json_add(&shared_by, json_string(cf_sharing_name[q->unknown[i].per]));
        cf_json_add(&dead, json_boolean(fit->optimum.rank.dead[i]));
        cf_json_add(
            &covariance,
            cf_json_numbers(&cf_optimum_spread(&fit->optimum)->covariance[i * q->nfree], n));
    }
    for (size_t i = 0; i < fit->optimum.rank.nnull; i++)
        if (is_any(&fit->optimum.rank.direction[i * q->nfree], n))
            cf_json_add(&null, cf_json_numbers(&fit->optimum.rank.direction[i * q->nfree], n));
    cf_json_put(&j, "names", names);
    cf_json_put(&j, "shared_by", shared_by);
    cf_json_put(&j, "theta", cf_json_numbers(fit->optimum.theta, n));
    cf_json_put(&j, "covariance", covariance);
    cf_json_put(&j, "null", null);
    cf_json_put(&j, "dead", dead);
    cf_json_put(&j, "channels", channels(fit));
    cf_json_put(&j, "differ", differ(fit));
    return j;
}
