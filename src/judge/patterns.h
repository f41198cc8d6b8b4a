/* What the errors of a dense record cannot do: follow the experiment.
 *
 * Errors that resemble their neighbours swallow a misfit that goes on from row to row: what is left
 * when they are taken out looks as it should. So residuals as they are, not made independent, are
 * tested for what they follow (judge/pattern_columns.h). Errors and columns alike are made
 * independent under a model of the errors that is chosen anew beside all columns (estimate/
 * serial_regression.h), and what a pattern adds to the derivatives of the fit and a constant is
 * held against the rest by F. Rows of a long record are tested in means of a few.
 */

#ifndef CF_JUDGE_PATTERNS_H
#define CF_JUDGE_PATTERNS_H

#include "judge/residual_tests.h"

/* Of all dense channels, and of records that the study takes for white where `tests` have found
 * that neighbouring residuals resemble each other: followed[nchannel] says which. */
int cf_test_patterns(const struct cf_fitted *of, struct cf_tests *tests, bool followed[],
                     struct cf_error *err);

#endif
