/* Values of parameters that groups have of their own (effects.h), as predictions ask for them. */

#ifndef CF_ESTIMATE_OWN_VALUES_H
#define CF_ESTIMATE_OWN_VALUES_H

#include "estimate/problem.h"

/* Groups have no values of their own any more: predictions are of the mean. */
void cf_own_forget(struct cf_problem *problem);
bool cf_own_any(const struct cf_problem *problem);

/* The first observation after `first`, before `end`, whose group has other values; `end`: none. */
size_t cf_own_run(const struct cf_problem *problem, size_t first, size_t end);

/* theta[nfree] of the group of an observation, from that of the mean: mine[nfree]. */
void cf_own_theta(const struct cf_problem *problem, size_t observation, const double theta[],
                  double mine[]);

#endif
