/* Can the optimum be trusted? */

#ifndef CF_JUDGE_VERDICT_OPTIMUM_H
#define CF_JUDGE_VERDICT_OPTIMUM_H

#include "judge/fit_result.h"

/* Find what is wrong with it. */
void cf_judge_optimum(struct cf_fit *fit);

#endif
