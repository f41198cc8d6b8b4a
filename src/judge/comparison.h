/* Rivals side by side on the rows that all of them predict. */

#ifndef CF_JUDGE_COMPARISON_H
#define CF_JUDGE_COMPARISON_H

#include "judge/fit_result.h"

/* Fit each law to the rows that an e-law predicts, too, and rank by AICc. Parameters that these
 * rows cannot identify do not count; estimated sigmas do. A law that cannot be fitted, or has no
 * AICc on so few rows, is listed with the reason and not compared. Fills fit->rival. After
 * cf_leave_out(). */
int cf_compare(struct cf_fit *fit, const struct cf_law *const rival[], size_t nrival,
               const struct cf_workers *workers, struct cf_error *err);

/* The best rival that is likelier than the law under study and far better by AICc, lower by *gap;
 * NULL: none. With fewer numbers alone no law is far better. */
const struct cf_rival *cf_rival_ahead(const struct cf_fit *fit, double *gap);

/* The AICc difference that a law may have. */
extern const double cf_rival_gap;

/* Sigmas of the law under study for the channels of q, the same scale for all laws, of all that a
 * row of a new group is off by: the caller frees (*scale)[q->nchannel]. */
int cf_yardsticks(const struct cf_fit *fit, const struct cf_problem *q, double **scale,
                  struct cf_error *err);

#endif
