/* Residuals of two columns in the same rows. */

#ifndef CF_ESTIMATE_ROW_PAIRS_H
#define CF_ESTIMATE_ROW_PAIRS_H

#include "estimate/problem.h"

/* Those of channels a < b of one data set, of r[nobservation], in the rows that have both: x and y,
 * nobservation of room each. Returns how many. */
size_t cf_row_pairs(const struct cf_problem *problem, const double r[], size_t a, size_t b,
                    double x[], double y[]);

/* Pearson's correlation of n pairs; *p is that of independence, two-sided, for normal errors. False
 * where there is none: fewer than three pairs, or all on a line. */
bool cf_pair_correlation(const double x[], const double y[], size_t n, double *rho, double *p);

#endif
