/* Parts without locals, folded in units that several threads may share; private to src/estimate. */

#ifndef CF_ESTIMATE_FOLD_UNITS_H
#define CF_ESTIMATE_FOLD_UNITS_H

#include "estimate/fold.h"

/* The factors of all parts at theta; derivatives are kept where the fold has room for them. */
int cf_fold_units(const struct cf_problem *problem, const double theta[], struct cf_fold *out,
                  struct cf_error *err);

/* The same with the residuals r[nobservation] in the place of those at theta; `here` is the fold at
 * theta, from which the derivatives are where it has kept them. */
int cf_fold_units_other(const struct cf_problem *problem, const struct cf_fold *here,
                        const double theta[], const double r[], struct cf_fold *out,
                        struct cf_error *err);

#endif
