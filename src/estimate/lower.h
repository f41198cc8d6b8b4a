/* On from the best of a search to where a descent without derivatives finds something lower, as
 * between the kinks of a law. */

#ifndef CF_ESTIMATE_LOWER_H
#define CF_ESTIMATE_LOWER_H

#include "estimate/solve.h"

/* So often a search goes on. */
enum { CF_DESCENTS = 3 };

/* On from lowest[nfree], to that point or the optimum beside it. *moved is false where neither
 * costs less than *best, which then stays; sigmas are those of the last that was tried. */
int cf_solution_try(struct cf_problem *problem, struct cf_solver *solver, struct cf_solution *best,
                    const double lowest[], bool *moved, struct cf_error *err);

/* From *best on, as often as it moves: sigmas and locals of the problem are those of *best then. */
int cf_solution_lower(struct cf_problem *problem, struct cf_solver *solver,
                      struct cf_solution *best, struct cf_error *err);

#endif
