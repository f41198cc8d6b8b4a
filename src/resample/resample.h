/* The bootstraps and the posterior that a study asks for. */

#ifndef CF_RESAMPLE_RESAMPLE_H
#define CF_RESAMPLE_RESAMPLE_H

#include "judge/fit_result.h"

/* Fill fit->bootstrap and fit->posterior as spec->options say; to be called after the verdict. */
int cf_resample(struct cf_fit *fit, const struct cf_workers *workers, struct cf_error *err);

#endif
