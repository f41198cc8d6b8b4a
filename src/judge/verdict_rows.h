/* What a verdict says of rows that stand off; private to src/judge. */

#ifndef CF_JUDGE_VERDICT_ROWS_H
#define CF_JUDGE_VERDICT_ROWS_H

#include "judge/fit_result.h"

/* Name the outliers, and say what to do: they are never left out unless the user asks. True where
 * there are some and the loss is squares: the fit is no better than weak. */
bool cf_say_outliers(struct cf_fit *fit);

/* Name channels in which many readings are equal, and the largest: where a range ends, numbers do.
 * True: there are some. */
bool cf_say_clipped(struct cf_fit *fit);

#endif
