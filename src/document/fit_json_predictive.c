/* The posterior predictive distribution in a fit file: for each channel and branch of a data set a
 * curve over the places of its rows. */

#include <stdlib.h>

#include "document/fit_json.h"
#include "resample/posterior.h"
#include "resample/predictive.h"

struct place {
    double abscissa, median, low, high;
};

static int compare(const void *a, const void *b)
{
    double x = ((const struct place *) a)->abscissa, y = ((const struct place *) b)->abscissa;
    return (x > y) - (x < y);
}

static size_t branch_of(const struct cf_problem *q, const struct cf_observation *o)
{
    const struct cf_dataset *d = &q->spec->data[o->data];
    return d->protocol->nbranch ? d->protocol->branch(d, o->row) : 0;
}

static bool same_curve(const struct cf_problem *q, const struct cf_observation *a,
                       const struct cf_observation *b)
{
    return a->data == b->data && a->column == b->column && branch_of(q, a) == branch_of(q, b);
}

/* The curve that replicate `first` begins, with those behind it that are not taken yet. */
static json_t *curve_json(const struct cf_fit *fit, size_t first, bool taken[],
                          struct place place[])
{
    const struct cf_problem *q = &fit->optimum.problem;
    const struct cf_posterior *p = fit->resamples.posterior;
    const struct cf_observation *begin = &q->observation[p->replicated[first].observation];
    const struct cf_protocol *protocol = q->spec->data[begin->data].protocol;
    json_t *j = json_object(), *list[4];
    static const char *const key[] = {"abscissa", "value", "low", "high"};
    size_t n = 0;

    for (size_t i = first; i < p->nreplicated; i++) {
        const struct cf_replicated *r = &p->replicated[i];
        const struct cf_observation *o = &q->observation[r->observation];
        if (taken[i] || !same_curve(q, begin, o))
            continue;
        taken[i] = true;
        place[n++] = (struct place){o->abscissa, r->median, r->low, r->high};
    }
    qsort(place, n, sizeof *place, compare);
    cf_json_put(&j, "data", json_integer((json_int_t) begin->data));
    cf_json_put(&j, "channel", json_string(protocol->channel[begin->column].name));
    if (protocol->nbranch)
        cf_json_put(&j, "branch", json_string(protocol->branch_name[branch_of(q, begin)]));
    for (int k = 0; k < 4; k++) {
        list[k] = json_array();
        for (size_t i = 0; i < n; i++) {
            const double of[] = {place[i].abscissa, place[i].median, place[i].low, place[i].high};
            cf_json_add(&list[k], cf_json_number(of[k]));
        }
        cf_json_put(&j, key[k], list[k]);
    }
    return j;
}

void cf_fit_json_put_predictive(const struct cf_fit *fit, json_t **document)
{
    const struct cf_posterior *p = fit->resamples.posterior;
    size_t n = p ? p->nreplicated : 0;
    bool *taken = calloc(n + 1, sizeof *taken);
    struct place *place = calloc(n + 1, sizeof *place);
    json_t *all = taken && place ? json_array() : NULL;

    for (size_t i = 0; i < n && all; i++)
        if (!taken[i])
            cf_json_add(&all, curve_json(fit, i, taken, place));
    if (n)
        cf_json_put(document, "predictive", all);
    else
        json_decref(all);
    free(taken);
    free(place);
}
