/* Does the law describe the data? Tests of the residuals, channel by channel.
 *
 * runs             too few changes of sign along the axis: the exact distribution of Wald and
 *                  Wolfowitz, one-sided
 * lag-1            neighbours along the axis resemble each other: permutation test, one-sided
 * trend with speed rank correlation of residual and speed: permutation test, two-sided
 * trend with depth the same with the predicted compression, where its order differs lack of fit the
 * means miss the curve by more than repeats at one speed scatter: F test chi-square the residuals
 * are larger than the given sigmas allow
 *
 * With sigma estimated chi^2/dof is 1 by construction, so the last is made with given sigmas only.
 */

#ifndef CF_JUDGE_RESIDUAL_TESTS_H
#define CF_JUDGE_RESIDUAL_TESTS_H

#include "judge/fit_result.h"

/* A law at its optimum: a problem with its sigmas there, and its predictions. */
struct cf_fitted {
    const struct cf_problem *problem;
    const double *theta;
    const double *y;  /* problem->nobservation */
    double chi2, dof; /* of all residuals */
};

/* The tests of any fitted law: test[CF_MAX_TEST], Holm's adjustment over all of them. The random
 * orders come from the spec's seed, the same for every law. */
int cf_residual_tests_of(const struct cf_fitted *of, struct cf_test test[], size_t *ntest,
                         struct cf_error *err);

/* Fill fit->test; Holm's adjustment over all of them; the random orders come from the fit's seed.
 */
int cf_residual_tests(struct cf_fit *fit, struct cf_error *err);

/* Holm's p: with m tests the smallest p counts m-fold, the next (m-1)-fold, never less than the one
 * before. From the smallest on, `left` of them to come with this one; `before` is 0 at first. */
double cf_holm(double before, size_t left, double p);

/* The same for all of test[n], with what is rejected at p_reject. */
void cf_tests_adjust(struct cf_test test[], size_t n, double p_reject);

/* One more of test[CF_MAX_TEST], whose text is left to fill. NULL where there is no room, or p is
 * no number: nothing was tested. */
struct cf_test *cf_tests_add(struct cf_test test[], size_t *ntest, const char *name, size_t channel,
                             size_t n, double statistic, double p);

/* P(runs <= observed) for n_plus and n_minus signs in random order. */
double cf_runs_probability(size_t n_plus, size_t n_minus, size_t runs);

#endif
