/* Was the law tested at all? A fit that nothing could have contradicted praises no law. */

#ifndef CF_JUDGE_TESTED_H
#define CF_JUDGE_TESTED_H

#include "judge/fit_result.h"

/* Find what was not: anything, where as many numbers were fitted as were measured; how the law goes
 * along the axis, where all rows lie at one place; and what signs say of a friction. */
void cf_judge_reach(struct cf_fit *fit);

#endif
