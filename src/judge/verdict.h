/* The independent verdict: the optimiser's return code is not one. */

#ifndef CF_JUDGE_VERDICT_H
#define CF_JUDGE_VERDICT_H

#include "judge/fit_result.h"
#include "judge/identifiability.h"

/* Fill estimate[].worth, status, summary, reasons and advice from the results of the fit. */
void cf_verdict(struct cf_fit *fit, const struct cf_identifiability *foresight);

/* Append a statement to list[CF_MAX_REASON]; dropped where that is full. */
void cf_say(struct cf_statement list[], size_t *n, const char *format, ...)
    __attribute__((__format__(printf, 3, 4)));

/* The law under study among the rivals where another one is far better by AICc, else NULL. */
const struct cf_rival *cf_left_behind(const struct cf_fit *fit);

/* The AICc difference that a law may have. */
extern const double cf_rival_gap;

/* Solver bias in units of sigma that a fit may carry. */
extern const double cf_bias_gate;

#endif
