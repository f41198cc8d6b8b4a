/* What rows that share an error mean for the verdict.
 *
 * Where the study groups them, the law is judged by what is left. Where it is silent and repeats
 * were grouped by place, the spread of the places about the curve is the law's failure or an error
 * that the repeats of a place share, and these data do not show which: both are reported.
 */

#ifndef CF_JUDGE_GROUPS_H
#define CF_JUDGE_GROUPS_H

#include "judge/fit_result.h"

/* Do rows share an error in what this channel of a problem measured? */
bool cf_channel_shares(const struct cf_problem *problem, size_t channel);

/* Chi^2 of the scatter within the innermost groups at theta, whatever the groups' own errors are,
 * on its degrees of freedom; all sigmas are given. */
int cf_scatter_within(const struct cf_problem *problem, const double theta[], double *chi2,
                      double *dof, struct cf_error *err);

/* Do the groups' own errors exceed what the rows' scatter lets one expect? The variance ratio of
 * group means about the curve, and its p by F: of the optimum's effect. False where it has no
 * degrees of freedom. */
bool cf_group_excess(const struct cf_fit *fit, size_t effect, double *F, double *p);

/* Find what the groups are worth. */
void cf_judge_groups(struct cf_fit *fit);

#endif
