/* What the law misses: smooth functions of where a row stands in the experiment, added to the law,
 * one family of columns each.
 *
 *   axis       a polynomial along the axis, to degree 3
 *   imposed    one in what else is imposed and varies, as a load, to degree 2; times the sign of
 *              what is predicted, where it has both
 *   row        one in the order of the rows, to degree 3; and the same times the sign of what is
 *              predicted, for what drifts in size while the directions alternate
 *   direction  a level and a size of its own where the axis is negative
 *   set        a level and a slope along the axis of its own for each data set
 *
 * Of each quantity that is measured, over all data sets. Columns and derivatives are made
 * independent by the errors of the fit, and what the columns take off the residuals of that
 * quantity is held against what is left of them: an F test, which is exact for one quantity whose
 * errors are independent and a law that is linear in its parameters; where all its sigmas are
 * given, chi^2. So an estimated sigma that the departure itself made large does not hide it. Each
 * has its size, the largest difference that it makes, and where.
 *
 * A family is tested where it has two columns and more that the law does not make itself, and
 * leaves three residuals; of few rows it has fewer columns. Traces whose errors follow each other
 * are left to judge/patterns.h.
 */

#ifndef CF_JUDGE_DEPARTURES_H
#define CF_JUDGE_DEPARTURES_H

#include "judge/residual_tests.h"

/* Of a fit by squares without unknowns of parts; others have none. */
int cf_test_departures(const struct cf_fitted *of, struct cf_tests *tests, struct cf_error *err);

#endif
