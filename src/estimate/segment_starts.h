/* What each segment of a data set begins with: locals of its part, which are eliminated; or, where
 * rows share errors and nothing can be eliminated part by part, unknowns of the fit. */

#ifndef CF_ESTIMATE_SEGMENT_STARTS_H
#define CF_ESTIMATE_SEGMENT_STARTS_H

#include "estimate/problem.h"

/* How many become unknowns: room for so many is needed. */
size_t cf_starts_count(const struct cf_problem *problem);

int cf_starts_add(struct cf_problem *problem, size_t data, struct cf_error *err);

#endif
