#include "resample/rows.h"

#include <stdlib.h>

int cf_rows_init(struct cf_rows *rows, const struct cf_problem *problem, struct cf_error *err)
{
    const struct cf_observation *o = problem->observation;
    size_t n = problem->nobservation;

    *rows = (struct cf_rows){.first = calloc(n + 1, sizeof *rows->first),
                             .set = calloc(n + 1, sizeof *rows->set)};
    if (!rows->first || !rows->set)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu rows", n);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || o[i].data != o[i - 1].data)
            rows->set[rows->nset++] = rows->nrow;
        if (i == 0 || o[i].data != o[i - 1].data || o[i].row != o[i - 1].row)
            rows->first[rows->nrow++] = i;
    }
    rows->first[rows->nrow] = n;
    rows->set[rows->nset] = rows->nrow;
    return CF_OK;
}

void cf_rows_clear(struct cf_rows *rows)
{
    free(rows->first);
    free(rows->set);
    *rows = (struct cf_rows){0};
}
