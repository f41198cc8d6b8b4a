/* The loads of effects, and the values of parameters that groups have of their own (effects.h): put
 * where variances are, and drawn. */

#ifndef CF_ESTIMATE_OWN_SETTLE_H
#define CF_ESTIMATE_OWN_SETTLE_H

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

/* Add to extra[nobservation] what groups that are drawn anew have beside the prediction y at theta:
 * a standard normal number for each group and effect. */
int cf_own_draw(const struct cf_problem *problem, const double theta[], const double y[],
                double (*normal)(void *), void *owner, double extra[], struct cf_error *err);

#endif
