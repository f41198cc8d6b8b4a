/* Leave-one-out: the law fitted again without one observation, and its prediction there. */

#ifndef CF_ESTIMATE_LEAVE_ONE_OUT_H
#define CF_ESTIMATE_LEAVE_ONE_OUT_H

#include "estimate/problem.h"

/* More observations than this are sampled evenly: the work grows with the square of their number.
 */
extern const size_t cf_most_left_out;

/* Fit without observation i, starting at the optimum of the whole fit, with new sigmas and weights
 * of the loss; theta[nfree] in and out. *predicted is its prediction of observation i, NAN where
 * the law could not be fitted. `problem` is not changed. */
int cf_leave_one(const struct cf_problem *problem, size_t i, double theta[], double *predicted,
                 struct cf_error *err);

/* The same for every observation from the optimum theta: predicted[nobservation], NAN where it was
 * not sampled, could not be fitted, or where no data remain. */
int cf_leave_one_out(const struct cf_problem *problem, const double theta[], double predicted[],
                     struct cf_error *err);

#endif
