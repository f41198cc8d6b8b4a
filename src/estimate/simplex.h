/* A descent without derivatives from an optimum: the gate that does not trust them. */

#ifndef CF_ESTIMATE_SIMPLEX_H
#define CF_ESTIMATE_SIMPLEX_H

#include "estimate/rank.h"
#include "estimate/solve.h"

/* Seek from theta[nfree], at the problem's variances, a point where chi^2 with its priors is lower,
 * by Nelder and Mead's method over what the data identify (NLopt). *fall receives by how much, 0 or
 * more: nothing to speak of at a minimum; lowest[nfree], NULL to skip, the point. */
int cf_simplex_fall(const struct cf_problem *problem, const struct cf_rank *rank,
                    const double theta[], double *fall, double lowest[], struct cf_error *err);

#endif
