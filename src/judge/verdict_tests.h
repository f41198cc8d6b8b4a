/* What the tests of residuals have to say in a verdict. */

#ifndef CF_JUDGE_VERDICT_TESTS_H
#define CF_JUDGE_VERDICT_TESTS_H

#include "judge/fit_result.h"

/* The surest of the tests that reject, or all others, among the reasons. */
void cf_say_tests(struct cf_fit *fit, bool surest);

/* A note, and no fault: residuals that are smaller than the given sigmas lead one to expect. */
void cf_say_small_residuals(struct cf_fit *fit);

/* Does a test reject? */
bool cf_tests_reject(const struct cf_fit *fit);

/* Is it the order of the rows alone that the residuals follow? That is no matter of the law,
 * but where rows are a record in their order. */
bool cf_tests_reject_by_row(const struct cf_fit *fit);

#endif
