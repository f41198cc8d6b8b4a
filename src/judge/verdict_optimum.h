/* Can the optimum be trusted? */

#ifndef CF_JUDGE_VERDICT_OPTIMUM_H
#define CF_JUDGE_VERDICT_OPTIMUM_H

#include "judge/fit_result.h"

/* Solver bias in units of sigma that a fit may carry. */
extern const double cf_bias_gate;

/* Says what is wrong with it. `failed` where it is none that two starts confirm, or where the
 * solver has a say in it; `weak` at a kink, where the slope does not vanish though a descent
 * without derivatives finds nothing lower; else `good`. */
enum cf_verdict_status cf_say_optimum(struct cf_fit *fit);

#endif
