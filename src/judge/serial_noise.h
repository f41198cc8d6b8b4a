/* What errors that follow each other leave of a record. */

#ifndef CF_JUDGE_SERIAL_NOISE_H
#define CF_JUDGE_SERIAL_NOISE_H

#include "judge/fit_result.h"

/* Says where a record is too short for the memory of its noise, or where the choice of its model
 * came to no end. True: any such thing. */
bool cf_say_serial(struct cf_fit *fit);

#endif
