/* The whole fit: from a study to its verdict. */

#ifndef CF_IDENTIFY_FIT_H
#define CF_IDENTIFY_FIT_H

#include "judge/fit_result.h"

/* Fit spec->law to spec's data and compare it with rivals. A result that cannot be trusted is no
 * error: see status. It fails only when out of memory or when a law cannot be evaluated at all.
 * The caller must have switched off GSL's error handler, which would end the process. `workers`
 * (NULL: this thread alone, silently) change the speed, never the result; but where they have
 * enough (cf_workers.enough), or options.time_s is over, the fit ends with what it has found:
 * failed, `unfinished`. CF_ECANCELLED where that is nothing. */
int cf_fit_run(const struct cf_spec *spec, const struct cf_law *const rival[], size_t nrival,
               struct cf_curves *curves, const struct cf_workers *workers, struct cf_fit **fit,
               struct cf_error *err);
void cf_fit_free(struct cf_fit *fit);

#endif
