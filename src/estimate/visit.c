/* A visit of all observations of a problem, whatever its rows share. */

#include <stdlib.h>
#include <string.h>

#include "estimate/effects.h"
#include "estimate/evaluate.h"
#include "estimate/records.h"

/* All residuals of a problem with their derivatives, by columns, and what they were made from. */
struct gathered {
    size_t n, ncolumn;
    double *A, *y, *by_imposed;
};

static void gather(void *context, size_t unit, const struct cf_stretch *at)
{
    struct gathered *all = context;

    (void) unit;
    for (size_t j = 0; j <= all->ncolumn; j++)
        memcpy(&all->A[j * all->n + at->first], &at->A[j * at->ld], at->count * sizeof *at->A);
    memcpy(&all->y[at->first], at->y, at->count * sizeof *at->y);
    memcpy(&all->by_imposed[at->first], at->by_imposed, at->count * sizeof *at->by_imposed);
}

/* Hand a part's observations on, in stretches that end between rows; all as its first unit. */
static void hand_on(const struct cf_problem *q, const struct gathered *all, size_t part,
                    size_t unit, double work[], cf_visit *visit, void *context)
{
    const struct cf_observation *o = q->observation;
    size_t begin = q->part[part].first, end = begin + q->part[part].count;

    while (begin < end) {
        size_t count = end - begin < CF_STRETCH ? end - begin : CF_STRETCH;
        while (begin + count < end && count > 1 && o[begin + count].row == o[begin + count - 1].row)
            count--;
        for (size_t j = 0; j <= all->ncolumn; j++)
            memcpy(&work[j * count], &all->A[j * all->n + begin], count * sizeof *work);
        visit(context, unit,
              &(struct cf_stretch){.problem = q,
                                   .part = part,
                                   .first = begin,
                                   .count = count,
                                   .ncolumn = all->ncolumn,
                                   .y = &all->y[begin],
                                   .by_imposed = &all->by_imposed[begin],
                                   .A = work,
                                   .ld = count});
        begin += count;
    }
}

/* Rows that share an error are made independent all together: memory grows with them here. */
static int visit_effects(const struct cf_problem *q, const double theta[], const double local[],
                         cf_visit *visit, void *context, struct cf_error *err)
{
    size_t n = q->nobservation, columns = q->nfree + 1, unit = 0;
    double *room = malloc((n * (columns + 2) + CF_STRETCH * columns + 1) * sizeof *room);
    struct gathered all = {n, q->nfree, room, room + n * columns, room + n * (columns + 1)};
    int status = room ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu observations", n);

    if (!status)
        status = cf_visit_ungrouped(q, theta, local, CF_WANT_RESIDUALS, gather, &all, err);
    if (!status)
        status = cf_effects_whiten(q, all.A, columns, n, NULL, err);
    for (size_t p = 0; p < q->npart && !status; p++) {
        hand_on(q, &all, p, unit, room + n * (columns + 2), visit, context);
        unit += cf_part_units(&q->part[p]);
    }
    free(room);
    return status;
}

int cf_problem_visit(const struct cf_problem *problem, const double theta[], const double local[],
                     enum cf_wanted wanted, cf_visit *visit, void *context, struct cf_error *err)
{
    return cf_shares_errors(problem) && wanted == CF_WANT_RESIDUALS
               ? visit_effects(problem, theta, local, visit, context, err)
               : cf_visit_ungrouped(problem, theta, local, wanted, visit, context, err);
}
