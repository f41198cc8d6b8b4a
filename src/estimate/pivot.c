/* The pivot depth: where a power law with free exponents states its force and damping. Inside the
 * depths that were reached these are nearly independent of the exponents. */

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>

#include "estimate/problem.h"

/* Where the data hold no depth and no time, k and lambda cannot be identified separately at any
 * depth. */
static const double any_depth = 1e-3;

/* Peak compression over speed times duration of an elastic impact: 0.30 to 0.34 for n of 1 to 2. */
static const double depth_share = 1.0 / 3;

/* The values of the rows of the fit in a column, each times what `by` returns for its row. */
static size_t collect(const struct cf_spec *spec, const char *column,
                      double (*by)(const struct cf_dataset *d, size_t row), double out[])
{
    size_t n = 0;

    for (size_t i = 0; i < spec->ndata; i++) {
        const struct cf_dataset *d = &spec->data[i];
        size_t c = cf_protocol_channel(d->protocol, column);
        for (size_t row = 0; row < d->nrow && c < d->protocol->nchannel; row++)
            if (d->use[row] == CF_ROW_FIT && cf_dataset_has(d, row, c))
                out[n++] = cf_dataset_value(d, row, c) * by(d, row);
    }
    return n;
}

static double as_measured(const struct cf_dataset *d, size_t row)
{
    (void) d;
    (void) row;
    return 1;
}

static double by_speed(const struct cf_dataset *d, size_t row)
{
    return depth_share * d->protocol->abscissa(d, row);
}

/* Two digits are enough and easier to read. */
static double two_digits(double x)
{
    double unit = pow(10, floor(log10(x)) - 1);
    return round(x / unit) * unit;
}

int cf_pivot_choose(const struct cf_spec *spec, double *pivot_m, struct cf_error *err)
{
    size_t n = 1;
    double *depth;

    *pivot_m = spec->options.pivot_m;
    if (*pivot_m > 0)
        return CF_OK;
    for (size_t i = 0; i < spec->ndata; i++)
        n += spec->data[i].nrow;
    depth = calloc(n, sizeof *depth);
    if (!depth)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu depths", n);
    n = collect(spec, "depth", as_measured, depth);
    if (n == 0)
        n = collect(spec, "duration", by_speed, depth);
    gsl_sort(depth, 1, n);
    *pivot_m = n ? two_digits(gsl_stats_median_from_sorted_data(depth, 1, n)) : any_depth;
    free(depth);
    return CF_OK;
}
