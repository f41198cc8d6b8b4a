/* Can the optimum be trusted? */

#ifndef CF_JUDGE_VERDICT_OPTIMUM_H
#define CF_JUDGE_VERDICT_OPTIMUM_H

#include "judge/fit_result.h"

/* Solver bias in units of sigma that a fit may carry. */
extern const double cf_bias_gate;

/* Find what is wrong with it. */
void cf_judge_optimum(struct cf_fit *fit);

#endif
