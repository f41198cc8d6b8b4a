/* What a verdict says of rows that stand off; private to src/judge. */

#ifndef CF_JUDGE_VERDICT_ROWS_H
#define CF_JUDGE_VERDICT_ROWS_H

#include "judge/fit_result.h"

/* Rows that are odd by themselves, where the law does not follow them. */
int cf_judge_odd_rows(struct cf_fit *fit, struct cf_error *err);

/* Name the outliers, and say what to do: they are never left out unless the user asks. */
void cf_judge_outliers(struct cf_fit *fit);

/* Name columns in which many readings are equal, and the largest: where a range ends, numbers do.
 */
void cf_judge_clipped(struct cf_fit *fit);

/* And such of which many have a twin: more than the digits let chance give. */
int cf_judge_twins(struct cf_fit *fit, struct cf_error *err);

/* A finding for each column of a data set whose readings the weight during the contact, which
 * predictions leave out, changes by more than their sigmas allow. */
int cf_judge_weight(struct cf_fit *fit, struct cf_error *err);

#endif
