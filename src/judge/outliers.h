/* Rows to look at, and the leave-one-out error.
 *
 * For each row the law is fitted again without it; the error of its prediction there over its own
 * standard deviation is the externally studentised residual
 *   t = (y - y_(i)) sqrt(1 - h)/s_(i),
 * h the leverage, s_(i) the scatter of the other rows of its channel, Student's t with one degree
 * of freedom less than the channel has. Where sigma was given t is also made with it, and the less
 * striking of the two is taken: a sigma stated too small makes no outliers. Under a robust loss
 * s_(i) is the fit's own sigma. A row is an outlier where Holm's p over all rows is below 1 %.
 *
 * Rows that hide behind each other are looked for after those that stand off alone
 * (judge/masked_outliers.h).
 *
 * Where the residuals are systematic (a test rejects, or a rival is far ahead) the ends of the
 * range deviate because the law is wrong. A row is then named only if nothing systematic is left
 * without it: the runs of sign and the rank correlation with the speed both pass at 5 %. Each such
 * row costs a fit: of more than leave-one-out takes (cf_most_left_out), those furthest off are
 * fitted without, and the others are counted.
 *
 * A row whose removal moves the parameters beyond the middle of their confidence region (Cook's
 * distance above the median of F(p, n - p); R. D. Cook, Technometrics 19 (1977) 15) is influential:
 * not in itself an error, but a reason to measure there again.
 */

#ifndef CF_JUDGE_OUTLIERS_H
#define CF_JUDGE_OUTLIERS_H

#include "judge/fit_result.h"

/* Fill left_out, nleft_out, loo_rms_sigma: errors over all that a row is off by, which is what
 * its group shares, too. */
int cf_leave_out(struct cf_fit *fit, struct cf_error *err);

/* Fill outliers. After cf_leave_out() and cf_compare(). */
int cf_outliers(struct cf_fit *fit, struct cf_error *err);
void cf_outliers_clear(struct cf_outlier_list *outliers);

/* Share of fits to faultless data that name an outlier, at most. */
extern const double cf_outlier_level;

#endif
