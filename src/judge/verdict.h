/* The independent verdict: the optimiser's return code is not one. */

#ifndef CF_JUDGE_VERDICT_H
#define CF_JUDGE_VERDICT_H

#include "judge/fit_result.h"
#include "judge/identifiability.h"

/* Fill estimate[].worth, status, summary, reasons and advice from the results of the fit. Of many
 * tests that reject, the surest stand where tests belong among the reasons, and the others at the
 * end: a reader who is shown the first reasons sees one of each kind. */
int cf_verdict(struct cf_fit *fit, const struct cf_identifiability *foresight,
               struct cf_error *err);

#endif
