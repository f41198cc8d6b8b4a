/* Is the noise as the fit assumes: normal, of one size, independent from column to column? What
 * these reject is no failure of the law: estimates stay nearly right, and intervals do not.
 *
 * skewness: errors lie to one side; outliers of one side pull the curve along. After R. B.
 * D'Agostino, Biometrika 57 (1970) 679, two-sided, from 8 residuals on.
 *
 * scatter with speed: their size goes with a power of the axis; likelihood ratio, from 10 on.
 *
 * correlation: those of two columns of one row go together, from 8 rows on.
 *
 * Residuals are those free of what rows and groups share. Holm's adjustment is over all of them,
 * apart from the tests of the law.
 */

#ifndef CF_JUDGE_NOISE_TESTS_H
#define CF_JUDGE_NOISE_TESTS_H

#include "judge/fit_result.h"

/* Fill fit->noise_tests. */
int cf_noise_tests(struct cf_fit *fit, struct cf_error *err);

/* A finding for each that rejects, and an advice for each kind. */
void cf_judge_noise(struct cf_fit *fit);

/* Which data sets have a sigma of their own, because they do not scatter as the others do. */
void cf_judge_unequal(struct cf_fit *fit);

/* Two-sided p of the skewness of r[n], n at least 8: *skewness = m3/m2^1.5. */
double cf_skewness_p(const double r[], size_t n, double *skewness);

#endif
