/* The independent verdict: the optimiser's return code is not one. */

#ifndef CF_JUDGE_VERDICT_H
#define CF_JUDGE_VERDICT_H

#include "judge/fit_result.h"
#include "judge/identifiability.h"

/* Fill estimate[].worth, findings, status, summary and advice from the results of the fit. */
int cf_verdict(struct cf_fit *fit, const struct cf_identifiability *foresight,
               struct cf_error *err);

#endif
