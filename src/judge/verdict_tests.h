/* What the tests of residuals have to say in a verdict. */

#ifndef CF_JUDGE_VERDICT_TESTS_H
#define CF_JUDGE_VERDICT_TESTS_H

#include "judge/fit_result.h"

/* A finding for each test that rejects; and a note where residuals are smaller than the given
 * sigmas let one expect. */
void cf_judge_tests(struct cf_fit *fit);

/* Is it the order of the rows alone that the residuals follow? That is no matter of the law, but
 * where rows are a record in their order. */
bool cf_follow_rows(const struct cf_fit *fit);

#endif
