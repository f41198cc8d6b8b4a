/* Where searches of an optimum begin. */

#ifndef CF_ESTIMATE_STARTS_H
#define CF_ESTIMATE_STARTS_H

#include "estimate/solve.h"

/* The problem's options, with fewer points and starts where an evaluation takes long and nearly all
 * starts end in the same basin: *fewer says so. */
struct cf_fit_options cf_start_options(const struct cf_problem *q, bool *fewer);

/* Screen options->screen points; then solution[cf_start_count(options)]: the best of them, some of
 * the others, and the ends of global searches. */
int cf_find_starts(struct cf_problem *q, const struct cf_fit_options *options,
                   struct cf_solution solution[], struct cf_error *err);

/* The best first; of equal ones that which was sought on more rows: for qsort(). */
int cf_solution_by_cost(const void *a, const void *b);

/* A copy of a solution in a place that has its own theta[]. */
void cf_solution_put(const struct cf_problem *q, const struct cf_solution *from,
                     struct cf_solution *to);

#endif
