/* The error of an imposed quantity is shared by all that is measured in its row.
 *
 * An observation's residual in sigmas is a z + sqrt(1 - a^2) e: z is the row's error of the imposed
 * quantity, e the measurement's own, both of unit variance, and a its share of sigma. The
 * correlation of two observations of one row is the product of their shares; fitting them as
 * independent would count the same error once for each column.
 */

#ifndef CF_ESTIMATE_SHARED_ERROR_H
#define CF_ESTIMATE_SHARED_ERROR_H

#include "estimate/problem.h"

/* Make x[i], in sigmas, of n observations that begin with a row independent and of unit variance:
 * each less its prediction from those before it in its row, over what is then left of its sigma. */
void cf_shared_whiten(const struct cf_observation o[], size_t n, double x[]);

/* Sum of weight ln(variance left): what the correlations add to -2 ln L. */
double cf_shared_log_det(const struct cf_problem *problem);

#endif
