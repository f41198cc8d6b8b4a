/* The second axis of a protocol, along which residuals are looked at, too. */

#ifndef CF_JUDGE_SECOND_AXIS_H
#define CF_JUDGE_SECOND_AXIS_H

#include "judge/residual_tests.h"

/* What the law predicts of it for observations o[n] of one data set, where both have one: at[n].
 */
int cf_second_axis(const struct cf_fitted *of, const struct cf_observation *const o[], size_t n,
                   double at[], bool *there, struct cf_error *err);

#endif
