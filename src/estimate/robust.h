/* The covariance of a fit under a robust loss. */

#ifndef CF_ESTIMATE_ROBUST_H
#define CF_ESTIMATE_ROBUST_H

#include "judge/fit_result.h"

/* Scale the observations' rows of fit->jacobian such that its covariance is the sandwich's, and
 * analyse its rank again. With squares nothing changes. */
int cf_robust_covariance(struct cf_fit *fit, struct cf_error *err);

/* Intervals from that covariance: the profile of a robust cost has no known distribution. */
void cf_robust_intervals(struct cf_fit *fit);

#endif
