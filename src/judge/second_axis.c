#include "judge/second_axis.h"

#include <math.h>
#include <stdlib.h>

int cf_second_axis(const struct cf_fitted *of, const struct cf_observation *const o[], size_t n,
                   double at[], bool *there, struct cf_error *err)
{
    const struct cf_problem *q = of->problem;
    const struct cf_dataset *d = &q->spec->data[o[0]->data];
    size_t *row, channel = d->protocol->second_axis;
    int status;

    *there = false;
    if (channel == CF_NO_CHANNEL)
        return CF_OK;
    row = calloc(n + 1, sizeof *row);
    if (!row)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", n);
    for (size_t i = 0; i < n; i++)
        row[i] = o[i]->row;
    /* where the law fails to predict it, it has no such axis */
    status = cf_problem_predict_rows(q, o[0]->data, d, n, row, 1, &channel, 0, of->theta, at, NULL,
                                     NULL, NULL);
    free(row);
    *there = !status;
    for (size_t i = 0; i < n && *there; i++)
        *there = !isnan(at[i]);
    return CF_OK;
}
