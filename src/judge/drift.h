/* What the number of rows cannot show. */

#ifndef CF_JUDGE_DRIFT_H
#define CF_JUDGE_DRIFT_H

#include "judge/fit_result.h"

/* A note of how often errors that follow each other from row to row would be missed, where that is
 * often. Of rows that are each an experiment; the fit has its tests, and none rejects. */
int cf_judge_drift(struct cf_fit *fit, struct cf_error *err);

#endif
