/* The law fitted again without one observation: what it predicts where it was not told. */

#ifndef CF_ESTIMATE_LEAVE_ONE_OUT_H
#define CF_ESTIMATE_LEAVE_ONE_OUT_H

#include "estimate/problem.h"

/* More observations than this are sampled evenly: the work grows with the square of their number.
 */
extern const size_t cf_most_left_out;

/* Fit without observation i from where the whole fit ended, sigmas and weights of the loss anew;
 * theta[nfree] in and out. *predicted is what it tells of observation i, NAN where the law could
 * not be fitted. `problem` is not changed. */
int cf_leave_one(const struct cf_problem *problem, size_t i, double theta[], double *predicted,
                 struct cf_error *err);

/* That for every observation from the optimum theta: predicted[nobservation], NAN where it was not
 * sampled, could not be fitted, or where nothing is left to fit to. */
int cf_leave_one_out(const struct cf_problem *problem, const double theta[], double predicted[],
                     struct cf_error *err);

#endif
