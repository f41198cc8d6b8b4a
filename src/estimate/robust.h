/* The covariance of a fit under a robust loss. */

#ifndef CF_ESTIMATE_ROBUST_H
#define CF_ESTIMATE_ROBUST_H

#include "estimate/optimum.h"

/* Fold again with the observations scaled so that the covariance is the sandwich's, and analyse the
 * rank again. With squares nothing changes. */
int cf_robust_covariance(struct cf_optimum *optimum, struct cf_error *err);

#endif
