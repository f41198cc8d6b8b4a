/* A fitted problem on the study once more, where a number that it states has moved: the same rows
 * and unknowns, and what is known of the noise; what was read, the pairs, the apparatus, what is
 * held, bounds and priors are the moved study's. */

#ifndef CF_ESTIMATE_MOVED_H
#define CF_ESTIMATE_MOVED_H

#include "estimate/solve.h"

struct cf_moved_problem {
    struct cf_spec spec;    /* of the problem: the moved study's, with the fitted one's law */
    struct cf_problem anew; /* set up from it: who lends the fitted problem what is held */
    struct cf_problem problem;
};

/* A copy of `from` on the moved spec, which outlives it and in which the steps of recorded motions
 * become those of `from`; moved NULL: on its own. CF_ERANGE where other rows are read of it. To be
 * cleared, also after a failure; it stays where it is. */
int cf_moved_problem_make(struct cf_moved_problem *made, const struct cf_problem *from,
                          struct cf_spec *moved, struct cf_error *err);
void cf_moved_problem_clear(struct cf_moved_problem *made);

/* Let theta[nfree] follow to the optimum there, with sigmas where they are estimated. */
int cf_moved_follow(struct cf_moved_problem *made, struct cf_solver *solver, double theta[],
                    enum cf_end *end, struct cf_error *err);

/* Readings and predictions at theta, nobservation each, the locals at their best. */
int cf_moved_predict(struct cf_moved_problem *made, struct cf_solver *solver, const double theta[],
                     double reading[], double predicted[], struct cf_error *err);

#endif
