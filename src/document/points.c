#include "document/points.h"

#include <stdlib.h>

#include "document/json_value.h"

struct place {
    size_t data, column;
    double abscissa;
    size_t observation;
};

/* Column by column of each data set along the axis; rows at one place as they came. */
static int compare_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->data != y->data)
        return x->data < y->data ? -1 : 1;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    if (x->abscissa != y->abscissa)
        return x->abscissa < y->abscissa ? -1 : 1;
    return (x->observation > y->observation) - (x->observation < y->observation);
}

size_t cf_points_step(size_t n, size_t all, size_t sets)
{
    size_t share = sets ? CF_POINTS_WHOLE / sets : 0;

    if (all <= CF_POINTS_WHOLE)
        return 1;
    share = share < CF_POINTS_THINNED ? share : CF_POINTS_THINNED;
    share = share > CF_POINTS_LEAST ? share : CF_POINTS_LEAST;
    return n > share ? (n + share - 1) / share : 1;
}

/* The step of n points of one column of a data set: by the observations of its quantity over all
 * data sets, of which there are *few. */
static size_t step_of(const struct cf_problem *q, const struct cf_observation *o, size_t n,
                      bool *few)
{
    const struct cf_protocol *protocol = q->spec->data[o->data].protocol;
    size_t sets = 0, all = 0;

    for (size_t d = 0; d < q->spec->ndata; d++)
        sets += q->spec->data[d].protocol == protocol &&
                cf_channel_of(q, d, o->column) != CF_NO_CHANNEL;
    for (size_t c = 0; c < q->nchannel; c++)
        if (q->channel[c].column == o->column &&
            q->spec->data[q->channel[c].data].protocol == protocol)
            all += q->channel[c].n;
    *few = sets <= CF_POINTS_FEW_SETS;
    return cf_points_step(n, all, sets);
}

/* place[n]: those of one column of a data set. Many sets do not begin at the same row, for they may
 * have the same places on the axis, which would leave gaps between. */
static void thin(const struct cf_problem *q, const struct place place[], size_t n, bool hold[])
{
    const struct cf_observation *o = &q->observation[place[0].observation];
    bool few;
    size_t step = step_of(q, o, n, &few);
    size_t first = few ? 0 : o->data % step;

    for (size_t i = first; i < n; i += step)
        hold[place[i].observation] = true;
    if (few)
        hold[place[n - 1].observation] = true;
}

/* Of protocols that say how many segments are held, all of these; false: it is another. */
static bool keep_windows(const struct cf_problem *q, const struct place place[], size_t n,
                         bool hold[])
{
    const struct cf_dataset *d = &q->spec->data[place[0].data];

    for (size_t i = 0; i < n && d->protocol->windows; i++)
        hold[place[i].observation] = cf_row_shown(d, q->observation[place[i].observation].row);
    return d->protocol->windows > 0;
}

int cf_points_choose(const struct cf_problem *q, bool hold[], struct cf_error *err)
{
    size_t n = q->nobservation;
    struct place *place = calloc(n + 1, sizeof *place);

    if (!place)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu observations", n);
    for (size_t i = 0; i < n; i++) {
        const struct cf_observation *o = &q->observation[i];
        hold[i] = false;
        place[i] = (struct place){o->data, o->column, o->abscissa, i};
    }
    qsort(place, n, sizeof *place, compare_place);
    for (size_t i = 0, count; i < n; i += count) {
        for (count = 1; i + count < n && place[i + count].data == place[i].data &&
                        place[i + count].column == place[i].column;)
            count++;
        if (!keep_windows(q, &place[i], count, hold))
            thin(q, &place[i], count, hold);
    }
    free(place);
    return CF_OK;
}

size_t cf_points_count(const bool hold[], size_t n)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += hold[i];
    return count;
}

json_t *cf_points_json(size_t held, size_t of)
{
    json_t *rule =
        held < of
            ? json_sprintf("where a quantity has more than %d, some %d of each data set (of more "
                           "than %d data sets %d together), evenly spread along the axis; and "
                           "all that are flagged",
                           CF_POINTS_WHOLE, CF_POINTS_THINNED, CF_POINTS_FEW_SETS, CF_POINTS_WHOLE)
            : json_string("all rows");

    return json_pack("{s:I,s:I,s:o}", "held", (json_int_t) held, "of", (json_int_t) of, "rule",
                     rule);
}

json_t *cf_points_json_of(const struct cf_problem *q, size_t held, size_t of)
{
    json_t *j = cf_points_json(held, of);
    bool all = held < of;

    for (size_t i = 0; i < q->spec->ndata; i++)
        all = all && q->spec->data[i].protocol->windows > 0;
    if (all)
        cf_json_put(&j, "rule",
                    json_string("all of some windows, evenly spread, and all rows that "
                                "are flagged"));
    return j;
}
