/* The numbers of a law in a comparison: what was fitted of it, and what was held. */

#ifndef CF_JUDGE_RIVAL_NUMBERS_H
#define CF_JUDGE_RIVAL_NUMBERS_H

#include "judge/fit_result.h"

/* Fill parameter, theta, rank and held of a rival whose problem q has its optimum at
 * theta[q->nfree]; cf_fit_free() frees them. Fails without memory only, or where the law cannot be
 * evaluated there. */
int cf_rival_numbers(const struct cf_problem *q, const double theta[], struct cf_rival *v,
                     struct cf_error *err);

#endif
