#include "judge/residual_series.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#include "judge/permutation.h"
#include "judge/second_axis.h"

/* Rows whose order and the axis have a rank correlation beyond this are in the order of the axis
 * but for a few neighbours: the tests along the axis see what those by row would see. */
static const double nearly_along = 0.9;

/* Residuals of so many sigmas matter to nobody, whatever they follow. */
static const double nothing = 1e-3;

void cf_residual_series_clear(struct cf_residual_series *series)
{
    free(series->abscissa);
    free(series->order);
    *series = (struct cf_residual_series){0};
}

/* The residuals by row, as they were measured; none where that is along the axis, or nearly so. */
static void put_by_row(struct cf_residual_series *s, const struct cf_dataset *d,
                       const struct cf_observation *const o[])
{
    for (size_t i = 0; i < s->n; i++)
        s->work[i] = (double) cf_dataset_order(d, o[i]->row);
    cf_ranks(s->work, s->n, s->order, s->rank);
    cf_ranks(s->abscissa, s->n, s->order, s->work);
    s->has_rows = s->abscissa[0] < s->abscissa[s->n - 1] &&
                  fabs(cf_rank_correlation(s->rank, s->work, s->n)) < nearly_along;
    for (size_t i = 0; i < s->n; i++)
        s->work[i] = (double) cf_dataset_order(d, o[i]->row);
    gsl_sort_index(s->order, s->work, 1, s->n);
    for (size_t i = 0; i < s->n; i++)
        s->by_row[i] = s->r[s->order[i]];
}

int cf_residual_series_make(struct cf_residual_series *series, const struct cf_fitted *of,
                            const struct cf_observation *const o[], size_t n, struct cf_error *err)
{
    struct cf_residual_series *s = series;

    *s = (struct cf_residual_series){.n = n,
                                     .abscissa = calloc(6 * n + 1, sizeof *s->abscissa),
                                     .order = calloc(n + 1, sizeof *s->order)};
    if (!s->abscissa || !s->order)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", n);
    s->r = s->abscissa + n;
    s->by_row = s->r + n;
    s->second = s->by_row + n;
    s->work = s->second + n;
    s->rank = s->work + n;
    if (n == 0)
        return CF_OK;
    s->dof = of->problem->channel[o[0]->channel].dof;
    for (size_t i = 0; i < n; i++) {
        s->abscissa[i] = o[i]->abscissa;
        size_t at = (size_t) (o[i] - of->problem->observation);
        s->r[i] = of->independent ? of->independent[at] : (o[i]->value - of->y[at]) / o[i]->sigma;
    }
    put_by_row(s, &of->problem->spec->data[o[0]->data], o);
    return cf_second_axis(of, o, n, s->second, &s->has_second, err);
}

bool cf_residual_series_same_order(const struct cf_residual_series *series)
{
    const double *a = series->abscissa, *b = series->second;

    for (size_t i = 1; i < series->n; i++)
        if ((a[i] > a[i - 1]) != (b[i] > b[i - 1]))
            return false;
    return true;
}

bool cf_residuals_are_exact(const struct cf_fitted *of, size_t channel)
{
    const struct cf_problem *q = of->problem;
    const struct cf_channel *c = &q->channel[channel];
    double largest = 0;

    for (size_t i = 0; i < q->nobservation; i++)
        if (q->observation[i].channel == channel)
            largest = fmax(largest, fabs(q->observation[i].value - of->y[i]));
    return (c->estimated && !(c->sigma > c->floor)) ||
           !(largest > fmax(c->floor, nothing * c->sigma));
}
