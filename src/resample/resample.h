/* The bootstraps and the posterior that a study asks for. */

#ifndef CF_RESAMPLE_RESAMPLE_H
#define CF_RESAMPLE_RESAMPLE_H

#include "core/parallel.h"
#include "estimate/optimum.h"

struct cf_resamples {
    struct cf_bootstrap *bootstrap; /* nbootstrap: of each kind, where they were asked for */
    size_t nbootstrap;
    struct cf_posterior *posterior; /* NULL: it was not asked for */
};

/* Fill *out as spec->options say. `usable`: the optimum can be started from; otherwise nothing is
 * drawn, and each result says why. The caller clears *out, also after a failure. */
int cf_resample(const struct cf_optimum *optimum, bool usable, const struct cf_workers *workers,
                struct cf_resamples *out, struct cf_error *err);

/* Where cf_resample() was cancelled: what is not complete of what was asked for says `why`. */
int cf_resample_leave(const struct cf_optimum *optimum, const char *why, struct cf_resamples *out,
                      struct cf_error *err);

void cf_resamples_clear(struct cf_resamples *resamples);

#endif
