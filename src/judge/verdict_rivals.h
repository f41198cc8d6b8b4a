/* What the rivals have to say in a verdict, and whether one of them is to be recommended. */

#ifndef CF_JUDGE_VERDICT_RIVALS_H
#define CF_JUDGE_VERDICT_RIVALS_H

#include "judge/fit_result.h"

/* A finding where a rival is far ahead: with an estimated sigma nothing else may show that the
 * residuals are too large. */
void cf_judge_rivals(struct cf_fit *fit);

/* An advice for a law that does not describe the data: the first rival by AICc whose own tests
 * pass, or that none of them does. */
int cf_advise_rival(struct cf_fit *fit, struct cf_error *err);

/* An advice of the protocols for data that the law does not describe: what of the rig may be left
 * over. */
void cf_advise_apparatus(struct cf_fit *fit);

#endif
