/* Values of parameters that groups have of their own, and the loads of effects (effects.h). */

#ifndef CF_ESTIMATE_OWN_VALUES_H
#define CF_ESTIMATE_OWN_VALUES_H

#include "estimate/problem.h"

/* Before variances are looked for at theta: loads that are shares of predictions, and those of
 * parameters where they are not known yet. *change (raised, never lowered) receives the largest
 * change of tau s, in sigmas. */
int cf_own_begin(struct cf_problem *problem, const double theta[], double *change,
                 struct cf_error *err);

/* Once variances are known: the groups' own values, at their most likely within the bounds of the
 * parameter, and the loads there. *change as above, also for what the values move by. */
int cf_own_settle(struct cf_problem *problem, const double theta[], double *change,
                  struct cf_error *err);

/* Groups have no values of their own any more: predictions are of the mean. */
void cf_own_forget(struct cf_problem *problem);
bool cf_own_any(const struct cf_problem *problem);

/* The first observation after `first`, before `end`, whose group has other values. */
size_t cf_own_run(const struct cf_problem *problem, size_t first, size_t end);

/* theta[nfree] of the group of an observation, from that of the mean: mine[nfree]. */
void cf_own_theta(const struct cf_problem *problem, size_t observation, const double theta[],
                  double mine[]);

/* Add to extra[nobservation] what groups that are drawn anew have beside the prediction y at theta:
 * a standard normal number for each group and effect. */
int cf_own_draw(const struct cf_problem *problem, const double theta[], const double y[],
                double (*normal)(void *), void *owner, double extra[], struct cf_error *err);

#endif
