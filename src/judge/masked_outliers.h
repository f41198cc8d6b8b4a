/* Outliers that hide behind each other: two bad rows make the scatter so large that neither stands
 * off alone.
 *
 * Rows are taken out one after the other, the most striking first, and the law is fitted again
 * without them, whether a row was significant or not; those up to the last one that was are
 * outliers (the generalised extreme studentised deviate: B. Rosner, Technometrics 25 (1983) 165).
 */

#ifndef CF_JUDGE_MASKED_OUTLIERS_H
#define CF_JUDGE_MASKED_OUTLIERS_H

#include "judge/fit_result.h"

/* A row that was taken out, by its studentised deleted residual among those left. */
struct cf_masked {
    size_t observation;
    double studentized, p_adjusted; /* p times the rows left */
};

/* Go on, at a level of p_adjusted, from the rows that are named (nobservation of them), under
 * squares. found[CF_MOST_MASKED] receives the outliers, *n of them. */
int cf_masked_outliers(const struct cf_fit *fit, const bool named[], double level,
                       struct cf_masked found[], size_t *n, struct cf_error *err);

enum { CF_MOST_MASKED = 8 };

#endif
