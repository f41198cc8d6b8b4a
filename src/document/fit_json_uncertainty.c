/* The full uncertainty of a fit's parameters: enough for another program to put a band on any
 * prediction. Where parameters are flat the covariance is that of the row space, and `null` says
 * along which directions nothing is known. */

#include <math.h>
#include <stdlib.h>

#include "document/fit_json.h"
#include "estimate/leverage.h"

json_t *cf_fit_json_covariance(const struct cf_fit *fit)
{
    const struct cf_rank *rank = &fit->optimum.rank;
    json_t *names = json_array(), *matrix = json_array(), *correlation = json_array(),
           *j = json_object();

    for (size_t a = 0; a < rank->n; a++) {
        const struct cf_unknown *w = &fit->optimum.problem.unknown[a];
        const double *row = &rank->covariance[a * rank->n];
        json_t *unit = json_array();
        for (size_t b = 0; b < rank->n; b++)
            json_array_append_new(unit, cf_json_number(row[b] / sqrt(cf_rank_variance(rank, a) *
                                                                     cf_rank_variance(rank, b))));
        json_array_append_new(names, w->scale == CF_SCALE_LOG ? json_sprintf("ln %s", w->name)
                                                              : json_string(w->name));
        json_array_append_new(matrix, cf_json_numbers(row, rank->n));
        json_array_append_new(correlation, unit);
    }
    json_object_set_new(j, "names", names);
    json_object_set_new(j, "matrix", matrix);
    json_object_set_new(j, "correlation", correlation);
    if (rank->rank == rank->n)
        return j;
    json_decref(j); /* a covariance without null directions would pass for a complete one */
    return json_null();
}

/* The part of the covariance that comes from the scatter of one channel; null without memory. */
static json_t *share(const struct cf_fit *fit, size_t channel)
{
    const struct cf_optimum *optimum = &fit->optimum;
    size_t n = optimum->problem.nfree;
    double *gram = malloc((n * n + 1) * sizeof *gram);
    json_t *j = json_null();

    if (gram && !cf_channel_covariance(&optimum->problem, &optimum->fold, &optimum->rank, channel,
                                       gram, NULL)) {
        j = json_array();
        for (size_t a = 0; a < n; a++)
            json_array_append_new(j, cf_json_numbers(&gram[a * n], n));
    }
    free(gram);
    return j;
}

static json_t *channels(const struct cf_fit *fit)
{
    const struct cf_problem *q = &fit->optimum.problem;
    json_t *all = json_array();

    for (size_t c = 0; c < q->nchannel; c++) {
        const struct cf_channel *ch = &q->channel[c];
        json_t *j = json_object();
        json_object_set_new(j, "data", json_integer((json_int_t) ch->data));
        json_object_set_new(
            j, "channel", json_string(q->spec->data[ch->data].protocol->channel[ch->column].name));
        json_object_set_new(j, "sigma", cf_json_number(ch->sigma));
        json_object_set_new(j, "estimated", json_boolean(ch->estimated));
        json_object_set_new(j, "dof", cf_json_number(ch->dof));
        if (ch->estimated) /* a stated sigma counts as exact */
            json_object_set_new(j, "share", share(fit, c));
        json_array_append_new(all, j);
    }
    return all;
}

json_t *cf_fit_json_uncertainty(const struct cf_fit *fit)
{
    const struct cf_problem *q = &fit->optimum.problem;
    json_t *j = json_object(), *names = json_array(), *null = json_array(), *dead = json_array(),
           *covariance = json_array(), *shared_by = json_array();

    for (size_t i = 0; i < q->nfree; i++) {
        json_array_append_new(names, json_string(q->unknown[i].name));
        json_array_append_new(shared_by, json_string(cf_sharing_name[q->unknown[i].per]));
        json_array_append_new(dead, json_boolean(fit->optimum.rank.dead[i]));
        json_array_append_new(
            covariance, cf_json_numbers(&fit->optimum.rank.covariance[i * q->nfree], q->nfree));
    }
    for (size_t i = 0; i < fit->optimum.rank.nnull; i++)
        json_array_append_new(
            null, cf_json_numbers(&fit->optimum.rank.direction[i * q->nfree], q->nfree));
    json_object_set_new(j, "names", names);
    json_object_set_new(j, "shared_by", shared_by);
    json_object_set_new(j, "theta", cf_json_numbers(fit->optimum.theta, q->nfree));
    json_object_set_new(j, "covariance", covariance);
    json_object_set_new(j, "null", null);
    json_object_set_new(j, "dead", dead);
    json_object_set_new(j, "channels", channels(fit));
    return j;
}
