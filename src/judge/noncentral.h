/* How often a test sees what is there: the noncentral F and chi^2 distributions.
 *
 * Both are sums of central ones with Poisson weights: N. L. Johnson, S. Kotz & N. Balakrishnan,
 * Continuous Univariate Distributions vol. 2, Wiley 1995, ch. 29 and 30. */

#ifndef CF_JUDGE_NONCENTRAL_H
#define CF_JUDGE_NONCENTRAL_H

/* The probability that an F test of m and dof degrees of freedom at `level` rejects where lambda is
 * the square of the departure's length in sigmas; dof INFINITY: a chi^2 test. */
double cf_power_of(double level, double m, double dof, double lambda);

/* The lambda at which that is `power`, which is above level. */
double cf_lambda_seen(double level, double m, double dof, double power);

#endif
