#include "judge/second_axis.h"

#include <math.h>
#include <stdlib.h>

/* Those of one data set. */
static int predict_set(const struct cf_fitted *of, const struct cf_observation *const o[], size_t n,
                       size_t data, size_t row[], double at[], double y[])
{
    const struct cf_dataset *d = &of->problem->spec->data[data];
    size_t m = 0, channel = d->protocol->second_axis;

    for (size_t i = 0; i < n; i++)
        if (o[i]->data == data)
            row[m++] = o[i]->row;
    int status = m ? cf_problem_predict_rows(of->problem, data, d, m, row, 1, &channel, 0,
                                             of->theta, y, NULL, NULL, NULL)
                   : CF_OK;
    m = 0;
    for (size_t i = 0; i < n && !status; i++)
        if (o[i]->data == data)
            at[i] = y[m++];
    return status;
}

int cf_second_axis(const struct cf_fitted *of, const struct cf_observation *const o[], size_t n,
                   double at[], bool *there, struct cf_error *err)
{
    const struct cf_spec *spec = of->problem->spec;
    size_t *row;
    double *y;

    *there = false;
    if (spec->data[o[0]->data].protocol->second_axis == CF_NO_CHANNEL)
        return CF_OK;
    row = calloc(n + 1, sizeof *row);
    y = calloc(n + 1, sizeof *y);
    /* where the law fails to predict it, it has no such axis */
    *there = row && y;
    for (size_t d = 0; d < spec->ndata && *there; d++)
        *there = !predict_set(of, o, n, d, row, at, y);
    for (size_t i = 0; i < n && *there; i++)
        *there = !isnan(at[i]);
    int status = row && y ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", n);
    free(row);
    free(y);
    return status;
}
