/* What the records that settings make have in common: rows at even times. */

#include "experiment/setting.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double cf_setting_step(const struct cf_dataset *d, size_t time_channel)
{
    double *step = malloc((d->nrow + 1) * sizeof *step), last = (double) NAN, median;
    size_t n = 0;

    for (size_t row = 0; row < d->nrow && step; row++) {
        double t = cf_dataset_value(d, row, time_channel);
        if (isnan(t))
            continue;
        if (t > last)
            step[n++] = t - last;
        last = t;
    }
    if (n)
        gsl_sort(step, 1, n);
    median = n ? gsl_stats_median_from_sorted_data(step, 1, n) : (double) NAN;
    free(step);
    return median;
}

int cf_setting_rows(const struct cf_dataset *like, const double apparatus[], size_t time_channel,
                    double from_s, double until_s, double step_s, struct cf_dataset *out,
                    struct cf_error *err)
{
    double count = floor((until_s - from_s) / step_s) + 1;
    int status;

    *out = (struct cf_dataset){.nrow = 0};
    if (!(count >= 1 && count <= CF_SETTING_MOST_ROWS))
        return cf_fail(err, CF_ERANGE,
                       "%.3g s in steps of %.3g s: a record of 1 to %d rows is wanted",
                       until_s - from_s, step_s, CF_SETTING_MOST_ROWS);
    status = cf_dataset_like(like, (size_t) count, out, err);
    if (status)
        return status;
    memcpy(out->apparatus, apparatus, like->protocol->napparatus * sizeof *apparatus);
    for (size_t i = 0; i < out->nrow && !status; i++) {
        out->use[i] = CF_ROW_FIT;
        status = cf_dataset_put(out, i, time_channel, from_s + (double) i * step_s, 0, err);
    }
    return status;
}
