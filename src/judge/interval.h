/* Intervals of parameters: by the covariance (Wald) and by the profile of the likelihood. */

#ifndef CF_JUDGE_INTERVAL_H
#define CF_JUDGE_INTERVAL_H

#include "judge/fit_result.h"

/* Two-sided quantile of Student's t; dof INFINITY is the normal distribution. */
double cf_t_quantile(double level, double dof);

/* Degrees of freedom of a linear function g[nfree] of theta by Satterthwaite's formula: channels
 * with a stated sigma count as infinite, estimated ones by what they were left with. 0 when out of
 * memory. */
double cf_effective_dof(const struct cf_optimum *optimum, const double g[]);

/* The same from each channel's share of a variance, and what has none (priors). */
double cf_satterthwaite(const struct cf_channel channel[], size_t n, const double share[],
                        double rest);

/* Half width of the interval of g[nfree] . theta at the study's level, with an own variance (of a
 * measurement that is predicted) on top. NAN when out of memory. */
double cf_half_width(const struct cf_optimum *optimum, const double g[], double variance);

/* Half width where the function has these degrees of freedom and this variance. */
double cf_half_width_of(const struct cf_optimum *optimum, double dof, double variance);

/* Are the ends of an interval of an unknown so far apart, or open, that it is called weak: by the
 * study's `weak_factor`, about its value? */
bool cf_interval_is_wide(const struct cf_problem *problem, const struct cf_unknown *unknown,
                         double value, const struct cf_interval *interval);

/* Fill estimate[].wald, standard_error and dof for all identified parameters. */
int cf_wald(struct cf_fit *fit, struct cf_error *err);

/* Fill estimate[].likelihood from the covariance: of a robust loss or of clusters, where the
 * profile of such a cost has no known distribution, and where none is worth its time (below). */
void cf_robust_intervals(struct cf_fit *fit);

/* Is a profile worth its time? Not of a motion whose best start stalled where its residuals reject
 * the law: descents crawl there, by the hour, to ends of intervals that mean nothing. */
int cf_profiles_pay(const struct cf_optimum *optimum, bool *pay, struct cf_error *err);

/* Fill combination[]. */
int cf_combination_intervals(struct cf_fit *fit, struct cf_error *err);

/* Fill fit->local: the locals with their Wald intervals. */
int cf_local_intervals(struct cf_fit *fit, struct cf_error *err);

/* Fill estimate[].profile and likelihood for all identified parameters. The current sigmas are
 * held. Restores the solution. */
int cf_profiles(struct cf_fit *fit, struct cf_solver *solver, struct cf_error *err);

#endif
