/* Do channels, or data sets, agree? What each of them says of a parameter that they all depend on,
 * and what is known without it. */

#ifndef CF_JUDGE_AGREEMENT_H
#define CF_JUDGE_AGREEMENT_H

#include "judge/fit_result.h"

/* Each free parameter of the law in turn is given a value of its own in each part of the data, all
 * others being shared and fitted along, by the linear model at the optimum (estimate/split.h). The
 * parts are the data sets of a study that has several; and the channels, where those of its
 * protocol are readings of one event (`one_event`).
 *
 * How far chi^2 falls by that is tested by chi^2 where all sigmas were given, else by F with the
 * degrees of freedom of the part that is known least, with Holm's adjustment over all these tests.
 * A part that determines a parameter to no better than a decade either way, or ten times its value,
 * says nothing of it. Fills fit->agreement, by channel only with what at least two say anything of.
 *
 * Left out are fits that are not identified, those with robust losses, and those whose parts have
 * unknowns of their own; and parameters at a bound. */
int cf_agreement(struct cf_fit *fit, struct cf_error *err);
void cf_agreement_clear(struct cf_fit *fit);

/* The name of a part of the data. */
const char *cf_told_name(const struct cf_fit *fit, const struct cf_agreement *of, size_t k);

/* "tangential_restitution 0.0914, rebound_spin 0.0956", of many the lowest and the highest; the
 * caller frees it, NULL without memory. */
char *cf_agreement_text(const struct cf_fit *fit, const struct cf_agreement *of);

/* A finding and an advice for each parameter about which they disagree. */
void cf_judge_agreement(struct cf_fit *fit);

#endif
