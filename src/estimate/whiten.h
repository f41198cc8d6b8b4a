/* Observations made independent: whatever they share. */

#ifndef CF_ESTIMATE_WHITEN_H
#define CF_ESTIMATE_WHITEN_H

#include "estimate/problem.h"

/* Make the columns of A, as measured or their derivatives [SI], those of independent observations
 * of unit variance: column j at A[j * ld], nobservation each. *log_det (NULL to skip) is the log
 * determinant of their covariance; NAN where that is not positive definite. */
int cf_whiten(const struct cf_problem *problem, double A[], size_t ncolumn, size_t ld,
              double *log_det, struct cf_error *err);

#endif
