/* Groups that stand off: a session with another sensor, a specimen that was cracked.
 *
 * The error that the rows of a group share is seen along its rows' direction: with w that of the
 * group and r the residuals, both made independent (estimate/effects.h), z = w.r/|w| has the
 * variance 1 - h, h being the leverage along it. z is studentised by the z of the other groups of
 * its effect, as a row is by the other rows: t = z sqrt((nu - 1)/((1 - h) S_(g))), nu the number of
 * groups less the sum of h. A group stands off where Holm's p over all groups of a fit is below the
 * level of outlying rows (judge/outliers.h).
 */

#ifndef CF_JUDGE_OUTLYING_GROUPS_H
#define CF_JUDGE_OUTLYING_GROUPS_H

#include "judge/fit_result.h"

/* A finding for each. */
int cf_judge_outlying_groups(struct cf_fit *fit, struct cf_error *err);

#endif
