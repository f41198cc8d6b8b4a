/* Do the data bear out what was known before? Each prior against what the data say without it. */

#ifndef CF_JUDGE_PRIOR_TESTS_H
#define CF_JUDGE_PRIOR_TESTS_H

#include "judge/fit_result.h"

/* With h the share of the prior in what is known of theta_j at the optimum (the leverage of its
 * residual), the data alone put theta_j at prior - (prior - theta_j)/(1 - h), and the difference of
 * the two has the standard error prior_sigma/sqrt(1 - h), by the linear model at the optimum. p is
 * normal where all sigmas were given, else by Student's t with Welch and Satterthwaite's degrees of
 * freedom; Holm's adjustment is over the priors. A prior without which the data would not identify
 * the parameter cannot be tested. Fills fit->prior_tests; the fit has its rank and its dof. */
int cf_prior_tests(struct cf_fit *fit, struct cf_error *err);

/* A prior in words: "1.1e+07 N/m^1.5 +- 2 %" on a log scale, else with the sigma in its unit. */
enum { CF_PRIOR_TEXT = 160 }; /* size of a buffer for these */
void cf_prior_text(const struct cf_unknown *unknown, char text[], size_t size);

/* And what the data say: "the data alone give 1.01e+07: 3.2 standard errors apart". */
void cf_prior_outcome(const struct cf_prior_test *test, const struct cf_unknown *unknown,
                      char text[], size_t size);

/* Does one contradict the data? */
bool cf_prior_contradicts(const struct cf_fit *fit);

/* A finding and an advice for each that does. */
void cf_judge_priors(struct cf_fit *fit);

/* chi^2 of the data alone and its degrees of freedom: of the same linear model, without the priors
 * of parameters. False, and those of all residuals, where there is no such prior, the data do not
 * identify all parameters without it, or the loss is not squares. */
bool cf_chi2_of_data(const struct cf_optimum *optimum, double *chi2, double *dof);

#endif
