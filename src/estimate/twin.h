/* A study with other numbers of its rigs: what is to be fitted to what as it is, on data sets that
 * have apparatus of their own and share all else. */

#ifndef CF_ESTIMATE_TWIN_H
#define CF_ESTIMATE_TWIN_H

#include "estimate/spec.h"

/* The apparatus of `spec`, in which numbers may then be changed. *twin is to be cleared, also after
 * a failure, and before `spec`; problems of `spec` may be made problems of it. */
int cf_twin_make(struct cf_spec *twin, const struct cf_spec *spec, struct cf_error *err);
void cf_twin_clear(struct cf_spec *twin);

#endif
