/* What errors that follow each other leave of a record. */

#ifndef CF_JUDGE_SERIAL_NOISE_H
#define CF_JUDGE_SERIAL_NOISE_H

#include "judge/fit_result.h"

/* Find records that are too short for the memory of their noise, and such for which the choice of
 * its model came to no end. */
void cf_judge_serial(struct cf_fit *fit);

#endif
