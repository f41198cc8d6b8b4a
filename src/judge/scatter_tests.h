/* Tests of how far the residuals scatter. */

#ifndef CF_JUDGE_SCATTER_TESTS_H
#define CF_JUDGE_SCATTER_TESTS_H

#include "judge/residual_series.h"

/* Repeats at the same place have a scatter of their own, which no law can explain: the means of
 * repeats about the curve against it, by F. */
void cf_test_lack_of_fit(const struct cf_problem *problem, struct cf_tests *tests, size_t channel,
                         const struct cf_residual_series *s);

/* With given sigmas: chi^2 of all residuals; where rows share an error, within groups, whatever the
 * groups' own errors are. */
int cf_test_scatter(const struct cf_fitted *of, struct cf_tests *tests, struct cf_error *err);

#endif
