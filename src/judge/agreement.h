/* Do the channels agree? What each of them tells of a parameter that they all depend on. */

#ifndef CF_JUDGE_AGREEMENT_H
#define CF_JUDGE_AGREEMENT_H

#include "judge/fit_result.h"

/* Where a protocol's channels are readings of one event (`one_event`), each free parameter of the
 * law in turn is given a value of its own for each channel, all others being shared and fitted
 * along, by the linear model at the optimum: so much the fit would move. How far chi^2 falls by
 * that is tested by chi^2 where all sigmas were given, else by F, with Holm's adjustment over the
 * parameters. A channel that knows a parameter to no better than three decades, or ten times its
 * value, tells nothing of it; a parameter of which fewer than two channels tell anything is left
 * out; so are fits with parts that have unknowns of their own, or groups. Fills fit->agreement. */
int cf_agreement(struct cf_fit *fit, struct cf_error *err);

/* "tangential_restitution 0.0914, rebound_spin 0.0956": in text[size]. */
void cf_agreement_text(const struct cf_fit *fit, const struct cf_agreement *of, char text[],
                       size_t size);

/* A reason and an advice for each parameter of which channels disagree; is there one? */
bool cf_say_disagreement(struct cf_fit *fit);

#endif
