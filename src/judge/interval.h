/* Intervals of parameters: by the covariance (Wald) and by the profile of the likelihood. */

#ifndef CF_JUDGE_INTERVAL_H
#define CF_JUDGE_INTERVAL_H

#include "judge/fit_result.h"

/* Two-sided quantile of Student's t; dof INFINITY is the normal distribution. */
double cf_t_quantile(double level, double dof);

/* Fill fit->information, J^T J over the observations of each channel: with it the degrees of
 * freedom of an interval need no pass over the observations. Before any interval of the fit. */
int cf_interval_prepare(struct cf_fit *fit, struct cf_error *err);

/* Degrees of freedom of a linear function g[nfree] of theta by Satterthwaite's formula: channels
 * with a stated sigma count as infinite, estimated ones by what they were left with. */
double cf_effective_dof(const struct cf_fit *fit, const double g[]);

/* The same for a problem with its Jacobian J[nresidual * nfree], of which rank was made. */
double cf_satterthwaite(const struct cf_problem *problem, const struct cf_rank *rank,
                        const double J[], const double g[]);

/* Half width of the interval of g[nfree] . theta at the study's level, with an own variance (of a
 * measurement that is predicted) on top. */
double cf_half_width(const struct cf_fit *fit, const double g[], double variance);

/* Fill estimate[].wald, standard_error and dof for all identified parameters. */
void cf_wald(struct cf_fit *fit);

/* Fill estimate[].likelihood from the covariance of a robust loss: the profile of a robust cost has
 * no known distribution. */
void cf_robust_intervals(struct cf_fit *fit);

/* Fill combination[]. */
void cf_combination_intervals(struct cf_fit *fit);

/* Fill estimate[].profile and likelihood for all identified parameters. The current sigmas are
 * held. Restores the solution. */
int cf_profiles(struct cf_fit *fit, struct cf_solver *solver, struct cf_error *err);

#endif
