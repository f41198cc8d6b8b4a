/* Where in a stretch of samples a sound sets in. */

#ifndef CF_SOUND_PICKER_H
#define CF_SOUND_PICKER_H

#include <stddef.h>

/* The k in 1..n-1 of the least AIC(k): see onsets.h. x[0..n), n >= 2, has the mean 0. No part's
 * mean square counts as less than `least`, which is above 0: digital silence has the logarithm of
 * 0. */
size_t cf_pick_onset(const double x[], size_t n, double least);

#endif
