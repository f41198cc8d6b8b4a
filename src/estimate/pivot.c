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

/* The depths of the rows of the fit: measured ones, or those estimated from other channels. */
static int collect(const struct cf_spec *spec, bool wanted, double out[], size_t *n,
                   struct cf_error *err)
{
    int status = CF_OK;

    *n = 0;
    for (size_t i = 0; i < spec->ndata; i++) {
        const struct cf_dataset *d = &spec->data[i];
        for (size_t row = 0; row < d->nrow && d->protocol->depth && !status; row++) {
            bool measured;
            double depth;
            status = d->protocol->depth(d, row, &depth, &measured, err);
            if (!status && d->use[row] == CF_ROW_FIT && measured == wanted && !isnan(depth))
                out[(*n)++] = depth;
        }
    }
    return status;
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
    int status;

    *pivot_m = spec->options.pivot_m;
    if (*pivot_m > 0)
        return CF_OK;
    for (size_t i = 0; i < spec->ndata; i++)
        n += spec->data[i].nrow;
    depth = calloc(n, sizeof *depth);
    if (!depth)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu depths", n);
    status = collect(spec, true, depth, &n, err);
    if (!status && n == 0)
        status = collect(spec, false, depth, &n, err);
    gsl_sort(depth, 1, n);
    *pivot_m = n ? two_digits(gsl_stats_median_from_sorted_data(depth, 1, n)) : any_depth;
    free(depth);
    return status;
}
