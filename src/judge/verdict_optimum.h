/* Can the optimum be trusted? */

#ifndef CF_JUDGE_VERDICT_OPTIMUM_H
#define CF_JUDGE_VERDICT_OPTIMUM_H

#include "judge/fit_result.h"

/* Of a fit that was ended early: say where, and what its numbers are worth. */
void cf_judge_unfinished(struct cf_fit *fit);

/* Find what is wrong with it. */
void cf_judge_optimum(struct cf_fit *fit);

#endif
