/* Leave-one-out: the law fitted again without one observation, and its prediction there.
 *
 * With few observations each is left out in turn and the law fitted again. With many the prediction
 * without observation i follows from its residual r and leverage h: what the law misses it by is
 * then r/(1 - h). That is exact where the law is linear in its parameters, so it is compared with a
 * refit for the observations that move the fit most, and used only where it agrees there.
 *
 * Where rows share an error, whole groups are left out in the same two ways: the others of a row's
 * group would say what it shares with them.
 */

#ifndef CF_ESTIMATE_LEAVE_ONE_OUT_H
#define CF_ESTIMATE_LEAVE_ONE_OUT_H

#include "estimate/problem.h"

/* Up to this many observations each is refitted, where nothing else is wanted. */
extern const size_t cf_most_left_out;

enum cf_left_out_how {
    CF_LEFT_OUT_NONE,      /* not computed */
    CF_LEFT_OUT_REFIT,     /* by a fit without it */
    CF_LEFT_OUT_INFLUENCE, /* from residual and leverage */
};

/* Was each of n observations left out? Where not, those that were are the ones that move the fit
 * most, and their errors are larger than the others'. */
bool cf_left_out_all(const unsigned char how[], size_t n);

/* Fit without observation i, starting at the optimum of the whole fit, with new sigmas and weights
 * of the loss; theta[nfree] in and out. *predicted is its prediction of observation i, NAN where
 * the law could not be fitted. `problem` is not changed. */
int cf_leave_one(const struct cf_problem *problem, size_t i, double theta[], double *predicted,
                 struct cf_error *err);

/* The same for every observation from the optimum theta: predicted[nobservation], NAN where it was
 * not computed, could not be fitted, or where no data remain; and how[nobservation]: enum
 * cf_left_out_how of each. Of up to `most` observations each is refitted, and of up to `most`
 * groups where all refits together cost little. */
int cf_leave_one_out(const struct cf_problem *problem, const double theta[], size_t most,
                     double predicted[], unsigned char how[], struct cf_error *err);

#endif
