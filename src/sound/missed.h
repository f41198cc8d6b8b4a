/* How many impacts of a ball were too quiet to be found, as far as it follows from its flights.
 *
 * Flights of a throw shrink by e each time. Where one lasts 1 + e or 1 + e + e^2 times what the one
 * before lets expect, one or two impacts lie within it unheard. Behind the last of a throw the ball
 * goes on in flights of e, e^2, ... times the last: those of dead_time and more end in an impact
 * that should have been found, unless it is to be expected below the threshold: loudness falls with
 * the speed, and so by e. A loud end is that of a ball that was caught, and no miss. */

#ifndef CF_SOUND_MISSED_H
#define CF_SOUND_MISSED_H

#include "sound/onsets.h"

/* 0 also where too few flights follow each other to give e. */
size_t cf_onsets_missed(const struct cf_onsets *onsets, double dead_time_s);

#endif
