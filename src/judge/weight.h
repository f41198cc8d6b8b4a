/* The weight during a contact, which the protocols leave out: does it matter to what was read? */

#ifndef CF_JUDGE_WEIGHT_H
#define CF_JUDGE_WEIGHT_H

#include "judge/fit_result.h"

/* A finding for each column of a data set whose readings it changes by more than their sigmas
 * allow. */
int cf_judge_weight(struct cf_fit *fit, struct cf_error *err);

#endif
