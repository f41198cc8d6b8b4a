/* What cannot be sampled, before it is tried; private to cf_posterior(). */

#ifndef CF_RESAMPLE_POSTERIOR_PROPER_H
#define CF_RESAMPLE_POSTERIOR_PROPER_H

#include "resample/posterior_density.h"

/* Has the density a posterior that is not just the bounds? Else *proper is false and why[size] says
 * what is missing. `usable` as in bootstrap.h. */
int cf_density_proper(const struct cf_density *density, bool usable, bool *proper, char why[],
                      size_t size, struct cf_error *err);

#endif
