/* Statistics of residuals, and how often random orders or signs make them as large.
 *
 * Up to CF_MOST_ORDERED residuals random orders are drawn. Of more, the statistic's distribution is
 * its limit law: the normal one with the mean and variance that the statistic has exactly over all
 * orders of the very same numbers, ties and all. Both say the same there within the scatter of the
 * drawing (t/permutation). Where few of the numbers make most of the statistic, so that its
 * distribution is not normal in spite of their number, orders are drawn all the same.
 *
 * lag-1   sum of r[i] r[i - 1]: moments by expansion, see cf_lag1_moments(); the limit is that of
 *         A. Wald & J. Wolfowitz, Ann. Math. Statist. 14 (1943) 378
 * signs   a sum of d[i] under random signs: mean 0, variance sum of d[i]^2: E. J. G. Pitman,
 *         Suppl. J. R. Statist. Soc. 4 (1937) 119
 */

#ifndef CF_JUDGE_PERMUTATION_H
#define CF_JUDGE_PERMUTATION_H

#include <gsl/gsl_rng.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

enum { CF_ORDERS = 9999, CF_MOST_ORDERED = 2000 };

/* How random orders are drawn: at most so many; and no more once `enough` statistics are as large
 * as the observed one, itself counted (J. Besag & P. Clifford, Biometrika 78 (1991) 301). */
struct cf_orders {
    gsl_rng *rng;
    size_t orders, enough;
};

/* Correlation of neighbours about 0. */
double cf_lag1(const double r[], size_t n);

/* Mean and variance of the sum of r[i] r[i - 1] over all orders of r[n], n at least 4. */
void cf_lag1_moments(const double r[], size_t n, double *mean, double *variance);

/* One-sided p of cf_lag1(): by the size of n; by drawing; by the limit law, NAN where that is none.
 * work[n] is scratch. */
double cf_lag1_p(const struct cf_orders *how, const double r[], size_t n, double work[]);
double cf_lag1_drawn(const struct cf_orders *how, const double r[], size_t n, double work[]);
double cf_lag1_limit(const double r[], size_t n);

/* Average ranks, 1...n, of x[n], where ties share; order[n] is scratch. */
void cf_ranks(const double x[], size_t n, size_t order[], double rank[]);

/* Two-sided p of the mean of d[n] being 0, by changing signs: all 2^n ways for n up to 13, else
 * CF_ORDERS at random from (seed, 2) or by the limit law. NAN for n = 0. */
int cf_sign_flip_p(const double d[], size_t n, uint64_t seed, double *p, struct cf_error *err);

/* The last two ways. */
double cf_sign_flip_drawn(gsl_rng *rng, const double d[], size_t n, size_t ways);
double cf_sign_flip_limit(const double d[], size_t n);

#endif
