/* An optional global search by NLopt beside the Sobol starts: it confirms the optimum and is
 * independent of them except for the objective. */

#ifndef CF_ESTIMATE_GLOBAL_H
#define CF_ESTIMATE_GLOBAL_H

#include "estimate/solve.h"

extern const char *const cf_global_name[CF_NGLOBAL];

/* The kind by its name, or fail with the nearest one. */
int cf_global_find(const char *name, enum cf_global_kind *kind, struct cf_error *err);

/* How many searches the options ask for: repeating a deterministic method is useless. */
size_t cf_global_count(const struct cf_fit_options *options);

/* Search number `run` over the whole box for options.global_budget evaluations; the random
 * numbers come from (seed, run). solution->theta is the best point found, to be polished. */
int cf_global_search(const struct cf_problem *problem, size_t run, struct cf_solution *solution,
                     struct cf_error *err);

#endif
