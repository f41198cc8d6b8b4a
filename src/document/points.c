#include "document/points.h"

#include <stdlib.h>

struct place {
    double abscissa;
    size_t observation;
};

static int compare_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->abscissa != y->abscissa)
        return x->abscissa < y->abscissa ? -1 : 1;
    return (x->observation > y->observation) - (x->observation < y->observation);
}

size_t cf_points_step(size_t n)
{
    return n > CF_POINTS_WHOLE ? (n + CF_POINTS_THINNED - 1) / CF_POINTS_THINNED : 1;
}

static void thin(const struct cf_problem *q, size_t channel, struct place place[], bool hold[])
{
    size_t n = 0;

    for (size_t i = 0; i < q->nobservation; i++)
        if (q->observation[i].channel == channel)
            place[n++] = (struct place){q->observation[i].abscissa, i};
    qsort(place, n, sizeof *place, compare_place);
    for (size_t i = 0; i < n; i += cf_points_step(n))
        hold[place[i].observation] = true;
    if (n)
        hold[place[n - 1].observation] = true;
}

int cf_points_choose(const struct cf_problem *q, bool hold[], struct cf_error *err)
{
    struct place *place = calloc(q->nobservation + 1, sizeof *place);

    if (!place)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu observations", q->nobservation);
    for (size_t i = 0; i < q->nobservation; i++)
        hold[i] = false;
    for (size_t c = 0; c < q->nchannel; c++)
        thin(q, c, place, hold);
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
    json_t *rule = held < of ? json_sprintf("of a channel with more than %d rows every n-th along "
                                            "the axis, some %d, the first and the last; and all "
                                            "rows that are flagged",
                                            CF_POINTS_WHOLE, CF_POINTS_THINNED)
                             : json_string("all rows");

    return json_pack("{s:I,s:I,s:o}", "held", (json_int_t) held, "of", (json_int_t) of, "rule",
                     rule);
}
