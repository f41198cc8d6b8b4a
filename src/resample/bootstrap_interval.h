/* From replicates to intervals; private to the bootstrap. */

#ifndef CF_RESAMPLE_BOOTSTRAP_INTERVAL_H
#define CF_RESAMPLE_BOOTSTRAP_INTERVAL_H

#include "estimate/rows.h"
#include "resample/bootstrap.h"

/* Ranks that miss a whole number by rounding only. */
extern const double cf_rank_slack;

/* Data for the acceleration; without rows it is 0. */
struct cf_jackknife {
    bool known;                 /* else no BCa */
    const struct cf_rows *rows; /* NULL: the acceleration is 0 */
    const double *shift;        /* nrow * nfree: theta without the row less the optimum's */
};

/* Fill out->parameter and out->combination from n replicates shift[n * nfree] of theta less the
 * optimum's. */
int cf_bootstrap_intervals(const struct cf_optimum *optimum, const struct cf_jackknife *jackknife,
                           const double shift[], size_t n, struct cf_bootstrap *out,
                           struct cf_error *err);

#endif
