/* The solver's own error: the fast way in which a fit predicts, against direct integration. Where a
 * recorded motion is integrated in a number of steps from row to row (cf_protocol.steps), a fit
 * takes as many as leave less than a tenth of sigma; a study that states the number keeps it. */

#ifndef CF_JUDGE_SOLVER_BIAS_H
#define CF_JUDGE_SOLVER_BIAS_H

#include "judge/fit_result.h"

/* Solver bias in units of sigma that a fit may carry. */
extern const double cf_bias_gate;

/* So many steps are tried at most: the error of steps of second order is then below a thousandth of
 * that of one, and each evaluation takes as many times as long. */
enum { CF_MOST_STEPS = 64 };

/* The largest difference at the optimum, raw and in sigmas: fit->bias, fit->bias_over_sigma. */
int cf_solver_bias(struct cf_fit *fit, struct cf_error *err);

/* Double the steps of each data set in which they leave too large an error until they do not; enter
 * them in fit->steps, and put the problems of the fit in them unless the study states its own.
 * *finer: steps have changed, and the optimum is to be found again. */
int cf_steps_refine(struct cf_fit *fit, bool *finer, struct cf_error *err);

/* Findings and advice about both. */
void cf_judge_solver(struct cf_fit *fit);

#endif
