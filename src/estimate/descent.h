/* Levenberg and Marquardt's descent with geodesic acceleration, on folded problems.
 *
 * Steps are taken in u, with theta = lower + (upper - lower)/(1 + exp(-u)): the law is never called
 * outside of its bounds, where NaN or penalties make optimisers report success at wrong points. The
 * damped step v solves min |R v + c|^2 + mu |S v|^2, R and c the factor of [J r] and S the largest
 * lengths that its columns had (J. J. More, in: Numerical Analysis, 1978); mu follows the gain as
 * H. B. Nielsen, IMM-REP-1999-05, has it; and a second step a, half of which is added, follows the
 * curvature of the residuals along v (M. K. Transtrum and J. P. Sethna, arXiv:1201.5885).
 */

#ifndef CF_ESTIMATE_DESCENT_H
#define CF_ESTIMATE_DESCENT_H

#include "estimate/fold.h"

enum cf_end {
    CF_END_CONVERGED, /* a step would no longer lower chi^2, or no step did */
    CF_END_STALLED,   /* it did not within the iterations allowed */
    CF_END_FAILED,    /* the law could not be evaluated */
};

struct cf_descent;                                                     /* workspace */
struct cf_descent *cf_descent_alloc(const struct cf_problem *problem); /* NULL: out of memory */
void cf_descent_free(struct cf_descent *descent);

/* Descend from theta[nfree] with the sigmas and weights as they are. held[nfree] (NULL: none) marks
 * unknowns that stay. It has converged where the best step would lower chi^2 by no more than
 * least_fall, which is cf_problem_fall() or more, or ten steps did not lower it by ten times that;
 * where the law misses the data, least_fall counts in units of chi^2 over the residuals. It has
 * stalled after too many steps, or where those of a motion keep nothing of what they promise.
 * Locals of the problem are brought along. *evaluations counts. Fails, with CF_END_FAILED, only as
 * cf_status_ends() has it; that the law cannot be evaluated is an end. Where it is cancelled, theta
 * is where its steps have come. */
int cf_descend(struct cf_descent *descent, struct cf_problem *problem, const bool held[],
               double least_fall, double theta[], size_t *evaluations, enum cf_end *end,
               struct cf_error *err);

/* The fold at the end of the last descent that did not fail. */
const struct cf_fold *cf_descent_fold(const struct cf_descent *descent);

#endif
