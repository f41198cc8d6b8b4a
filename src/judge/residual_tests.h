/* Does the law describe the data? Tests of the residuals, quantity by quantity.
 *
 * runs              too few changes of sign along the axis: the exact distribution of Wald and
 *                   Wolfowitz, one-sided
 * lag-1             neighbours along the axis of a data set resemble each other: random orders,
 *                   one-sided
 * ... by row        the same two in the order of the file, where that is another: what drifts in
 *                   a session, or is shared by rows that were measured together
 * departures        what smooth functions of a row's place take off (departures.c)
 * lack of fit       the means miss the curve by more than repeats at one place scatter: F test
 *
 * chi-square        the residuals are larger than the given sigmas allow
 *
 * With sigma estimated chi^2/dof is 1 by construction, so the last is made with given sigmas only.
 * Where rows share the error of their group, residuals are tested as they are when that is taken
 * out (estimate/effects.h); the last is made within groups; and lack of fit is no test of the law
 * there (judge/groups.h).
 *
 * Holm's adjustment is over all tests of a law. Of very many tests the smallest p counts so many
 * times that the 9999 orders, which resolve no p below 1e-4, could reject nothing: what they leave
 * open is then decided by more orders, or by the limit law (permutation.h).
 */

#ifndef CF_JUDGE_RESIDUAL_TESTS_H
#define CF_JUDGE_RESIDUAL_TESTS_H

#include "judge/fit_result.h"

/* A law at its optimum: a problem with its sigmas there, and its predictions. */
struct cf_fitted {
    const struct cf_problem *problem;
    const double *theta;
    const double *y;  /* problem->nobservation */
    double chi2, dof; /* of the data, without the priors of parameters */
    /* Set by cf_residual_tests_of(): */
    const double *independent; /* residuals in sigmas, free of what rows and groups share; NULL:
                                * nothing is shared */
    const double *place;       /* problem->nobservation, along the axis: cf_find_places() */
};

/* The first of the channels that are tested with this one: those of one column of a protocol, in
 * all data sets. A record is tested by itself. */
size_t cf_tested_with(const struct cf_problem *problem, size_t channel);

/* How many data sets are tested together with a channel; 0: its own alone. */
size_t cf_tested_sets(const struct cf_problem *problem, size_t channel);

/* Fill *tests with those of any fitted law, adjusted. The random orders come from the spec's seed,
 * the same for every law. The caller clears *tests, also after a failure. */
int cf_residual_tests_of(const struct cf_fitted *of, struct cf_tests *tests, struct cf_error *err);

/* What the law misses: smooth functions of where a row stands, held against what they leave
 * (departures.c); but of channels that are followed[nchannel], whose errors are no independent ones
 * (patterns.h). */
int cf_test_departures(const struct cf_fitted *of, const bool followed[], struct cf_tests *tests,
                       struct cf_error *err);

/* Fill fit->tests. */
int cf_residual_tests(struct cf_fit *fit, struct cf_error *err);

#endif
