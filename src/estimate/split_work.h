/* Least squares with a split unknown; private to src/estimate. */

#ifndef CF_ESTIMATE_SPLIT_WORK_H
#define CF_ESTIMATE_SPLIT_WORK_H

#include "estimate/split.h"

/* A column of which less than this part is left beside the others is not known by the data. */
extern const double cf_split_least;

/* Columns to be whitened, linear->n each: room for so many, and the place of one. */
int cf_split_room(struct cf_linear *linear, size_t columns, struct cf_error *err);
double *cf_split_column(const struct cf_linear *linear, size_t j);

/* Add the rows of priors, which apply to an unknown as a whole only, so that the split one
 * (SIZE_MAX: none) has none, to R[m * m], whose columns are the unknowns that are neither held nor
 * split, and more; row[m] is spare. */
void cf_split_priors(const struct cf_linear *linear, size_t split, double R[], size_t m,
                     double row[]);

/* The least squares of a triangle R[(p + 1)^2]: the step, its variances, and the fall of chi^2.
 * norm[p] (NULL: those of R): sizes of the columns before others were taken out of them. *solved:
 * false where some column is not identified. CF_ENOMEM is no such finding: it fails. */
int cf_split_solve(const double R[], size_t p, const double norm[], double step[],
                   double variance[], double *fall, bool *solved, struct cf_error *err);

/* What part[n], data sets that share no errors, say each of an unknown: step[n] and variance[n].
 * Each data set gives up its own value first, in a triangle of its own, so that the cost is linear
 * in the data sets. *fall and *solved as cf_split() has them. */
int cf_split_apart(struct cf_linear *linear, size_t unknown, size_t n,
                   const struct cf_split_part part[], double step[], double variance[],
                   double *fall, bool *solved, struct cf_error *err);

#endif
