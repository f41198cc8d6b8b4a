/* Which noise the data have, where a study leaves that to them: of one sigma a column or of one
 * that grows with the axis; independent from column to column of a row, or not. */

#ifndef CF_ESTIMATE_NOISE_MODEL_H
#define CF_ESTIMATE_NOISE_MODEL_H

#include "estimate/problem.h"
#include "estimate/solve.h"

/* Give data sets that do not scatter alike at theta a sigma each, quantity by quantity, at the
 * spec's p_reject over the number of these. *changed: some have, and the problem is to be fitted
 * again. */
int cf_noise_part(struct cf_problem *problem, const double theta[], bool *changed,
                  struct cf_error *err);

/* Look at the residuals at theta with constant sigmas. A channel with an estimated sigma gets
 * sigma^2 = a^2 + b^2 x^2 where that is likelier, by the likelihood ratio; two of one data set
 * whose residuals of the same rows correlate become partners, by Pearson's correlation. The level
 * is the spec's p_reject over the number of looks. A sigma that falls with the axis stays constant,
 * and so do more than two columns independent: the judge says so. *changed: something was chosen,
 * and the problem is to be fitted again. */
int cf_noise_choose(struct cf_problem *problem, const double theta[], bool *changed,
                    struct cf_error *err);

/* Where a study asks for a sigma b |x|^q of the axis, or leaves it to the readings of records, the
 * likeliest q at theta: that of the least -2 ln L_R. Where it was not asked for it is taken if it
 * is likelier than a constant sigma at the spec's p_reject. *changed as above. */
int cf_noise_power(struct cf_problem *problem, const double theta[], bool *changed,
                   struct cf_error *err);

/* The noise that was chosen for another law on the same data, so that both are compared under one;
 * a partner that the problem does not have is left out. *changed as above. */
void cf_noise_take(struct cf_problem *problem, const struct cf_problem *from, bool *changed);

/* The optimum with what was chosen, from the one without, which is near: best->end says whether it
 * converged. */
int cf_noise_refit(struct cf_solver *solver, struct cf_problem *problem, struct cf_solution *best,
                   struct cf_error *err);

/* Are the residuals of what was chosen scatter, fitted with it? Where their signs follow each other
 * along the axis it hides a law that fails, or an onset: too few runs, at 1 %. */
int cf_noise_is_scatter(const struct cf_problem *problem, const double theta[], bool *is,
                        struct cf_error *err);

#endif
