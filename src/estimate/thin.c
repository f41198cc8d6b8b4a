/* Some rows that stand for all: where to begin is looked for on them, so that the cost of a search
 * does not grow with the rows. */

#include <stdlib.h>

#include "estimate/effects.h"
#include "estimate/records.h"
#include "estimate/serial.h"
#include "estimate/solve.h"

/* A row of a part: where its observations begin, and its place on the axis. */
struct row_place {
    double abscissa;
    size_t first;
};

static bool begins_row(const struct cf_problem *q, size_t i)
{
    const struct cf_observation *o = &q->observation[i];
    return i == 0 || o[-1].data != o->data || o[-1].row != o->row;
}

size_t cf_problem_rows(const struct cf_problem *problem)
{
    size_t n = 0;
    for (size_t i = 0; i < problem->nobservation; i++)
        n += begins_row(problem, i);
    return n;
}

static int by_abscissa(const void *a, const void *b)
{
    const struct row_place *x = a, *y = b;
    if (x->abscissa != y->abscissa)
        return x->abscissa < y->abscissa ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

/* Mark the observations of `wanted` of the n rows, at the middles of equal shares. */
static void mark(const struct cf_problem *q, struct row_place row[], size_t n, size_t wanted,
                 bool keep[])
{
    qsort(row, n, sizeof *row, by_abscissa);
    for (size_t k = 0; k < wanted; k++) {
        size_t i = row[(2 * k + 1) * n / (2 * wanted)].first;
        do
            keep[i++] = true;
        while (i < q->nobservation && !begins_row(q, i));
    }
}

/* Parts with locals of their own are kept or left whole: some of their rows have no information on
 * these. Of each data set a few are, be they more than their share. */
static void mark_parts(const struct cf_problem *q, size_t rows, size_t most, bool keep[])
{
    enum { LEAST = 3 };
    size_t kept = 0, seen = 0, of_set = 0;

    for (size_t p = 0; p < q->npart; p++) {
        const struct cf_part *part = &q->part[p];
        size_t n = 0;
        of_set = p > 0 && part[-1].data == part->data ? of_set : 0;
        for (size_t i = part->first; i < part->first + part->count; i++)
            n += begins_row(q, i);
        seen += n;
        if (kept * rows >= seen * most && of_set >= LEAST) /* this share has been kept already */
            continue;
        of_set++;
        kept += n;
        for (size_t i = part->first; i < part->first + part->count; i++)
            keep[i] = true;
    }
}

/* The end of a run that begins at an observation of a part that ends at `end`: of readings that
 * share records, but no more than so many. */
static size_t run_end(const struct cf_problem *q, size_t begin, size_t end)
{
    enum { LONGEST = 64 };
    size_t i = begin + 1;

    while (i < end && i - begin < LONGEST && cf_record_links(q, i))
        i++;
    return i;
}

/* Readings that share records say what these add to their errors only side by side: whole runs of
 * them, evenly over the part. */
static void mark_runs(const struct cf_problem *q, const struct cf_part *part, size_t wanted,
                      size_t n, bool keep[])
{
    size_t kept = 0, end = part->first + part->count;

    for (size_t i = part->first, next; i < end; i = next) {
        next = run_end(q, i, end);
        if (kept * n >= (next - part->first) * wanted)
            continue;
        kept += next - i;
        for (size_t k = i; k < next; k++)
            keep[k] = true;
    }
}

static bool has_links(const struct cf_problem *q, const struct cf_part *part)
{
    for (size_t i = part->first; i < part->first + part->count; i++)
        if (cf_record_links(q, i))
            return true;
    return false;
}

/* Each part in proportion to its rows, but of each at least a few. */
static void mark_all(const struct cf_problem *q, size_t rows, size_t most, struct row_place place[],
                     bool keep[])
{
    enum { LEAST = 4 };

    for (size_t p = 0; p < q->npart; p++) {
        const struct cf_part *part = &q->part[p];
        size_t n = 0, wanted;
        for (size_t i = part->first; i < part->first + part->count; i++)
            if (begins_row(q, i))
                place[n++] = (struct row_place){q->observation[i].abscissa, i};
        wanted = (size_t) ((double) n * (double) most / (double) rows);
        wanted = wanted > LEAST ? wanted : LEAST;
        wanted = wanted < n ? wanted : n;
        if (has_links(q, part))
            mark_runs(q, part, wanted, n, keep);
        else
            mark(q, place, n, wanted, keep);
    }
}

/* Close up over what is not kept. */
static void close_up(struct cf_problem *q, const bool keep[])
{
    size_t n = 0, left = 0;

    for (size_t c = 0; c < q->nchannel; c++)
        q->channel[c].n = 0;
    for (size_t p = 0; p < q->npart; p++) {
        const struct cf_part *part = &q->part[p];
        size_t first = n;
        for (size_t i = part->first; i < part->first + part->count; i++)
            if (keep[i]) {
                q->channel[q->observation[i].channel].n++;
                q->observation[n++] = q->observation[i];
            }
        if (n > first) {
            struct cf_part some = *part;
            some.first = first;
            some.count = n - first;
            q->part[left++] = some;
        }
    }
    q->npart = left;
    q->nobservation = n;
    q->nresidual = n + q->nprior;
}

/* Are data sets in segments, whose starts are eliminated with them? */
static bool has_parts(const struct cf_problem *q)
{
    return q->npart > q->spec->ndata;
}

int cf_problem_thin(struct cf_problem *copy, const struct cf_problem *from, size_t most,
                    struct cf_error *err)
{
    size_t rows = cf_problem_rows(from);
    int status = cf_problem_copy(copy, from, err);
    struct row_place *place;
    bool *keep;

    /* fewer rows would not make a motion shorter, and its events are in few of them; fewer segments
     * would */
    if (status || rows <= most || (cf_problem_is_motion(from) && !has_parts(from)))
        return status;
    place = calloc(rows, sizeof *place);
    keep = calloc(from->nobservation, sizeof *keep);
    if (place && keep) {
        if (has_parts(from))
            mark_parts(copy, rows, most, keep);
        else
            mark_all(copy, rows, most, place, keep);
        close_up(copy, keep);
        cf_effects_free(copy);
        status = cf_effects_make(copy, from->effect, from->neffect, err);
        cf_records_close_up(copy, keep, from->nobservation);
        cf_serial_free(copy);
        if (!status)
            status = cf_serial_make(copy, from->serial, from->nserial, err);
    } else {
        status = cf_fail(err, CF_ENOMEM, "no memory to choose among %zu rows", rows);
    }
    if (status)
        cf_problem_free(copy);
    free(place);
    free(keep);
    return status;
}

void cf_problem_begin_as(struct cf_problem *q, const struct cf_problem *some)
{
    bool changed;

    cf_sigma_reset(q);
    cf_effects_take(q, some);
    cf_records_take(q, some);
    cf_serial_take(q, some, &changed);
    for (size_t c = 0; c < q->nchannel; c++) {
        struct cf_channel own = q->channel[c];
        q->channel[c] = some->channel[c];
        q->channel[c].n = own.n;
        q->channel[c].dof = own.dof;
        q->channel[c].floor = own.floor;
    }
    for (size_t i = 0; i < q->nobservation; i++) {
        struct cf_observation *o = &q->observation[i];
        if (q->channel[o->channel].estimated)
            o->sigma = cf_channel_sigma(&q->channel[o->channel], o);
    }
}
