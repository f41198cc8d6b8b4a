/* The uncertainty budget of a fit: what numbers that the study states with an uncertainty add to
 * that of the data (JCGM 100:2008, the GUM).
 *
 * Type A is the standard error that the scatter of the data gives. For type B each number is moved
 * by its standard uncertainty to both sides, the study is read again, and the optimum follows; half
 * of the difference is the number's contribution. One number in several places moves in all of them
 * at once. Contributions of different numbers are independent: their squares add. Degrees of
 * freedom are those of Welch and Satterthwaite, in which type B counts as known exactly.
 */

#ifndef CF_JUDGE_BUDGET_H
#define CF_JUDGE_BUDGET_H

#include "judge/fit_result.h"

/* Both sides of a contribution differ by more than this share of it: it is not linear. It is said
 * where it is at least the second share of the combined uncertainty. */
extern const double cf_budget_uneven, cf_budget_matters;

/* Fill fit->budget, which stays empty where the study states no uncertainty; the fit has its
 * estimates. Numbers that cannot be moved are no error: see the source. */
int cf_budget(struct cf_fit *fit, struct cf_solver *solver, struct cf_error *err);
void cf_budget_clear(struct cf_budget *budget);

/* A remark on a source beside its numbers; size bytes; false, and "": there is none. */
bool cf_budget_remark(const struct cf_fit *fit, size_t source, char text[], size_t size);

/* The parameters that have no budget, as they are at a bound; the same. */
bool cf_budget_left_out(const struct cf_fit *fit, char text[], size_t size);

#endif
