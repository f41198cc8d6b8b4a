/* Cycles of a signal over the rows of a record: where it turns, and which part of its cycle each
 * row stands in.
 *
 * It turns where it has come back from an extreme by more than a share of its range: by little for
 * its direction, by much for its cycles. A cycle begins where the signal rises through the middle
 * of a stroke, which a dwell at its ends does not blur.
 */

#ifndef CF_JUDGE_CYCLES_H
#define CF_JUDGE_CYCLES_H

#include <stddef.h>

/* 1 where the signal rises, -1 where it falls: direction[n]; turned when it has come back by this
 * share of its range. 0 all over where it has none. */
void cf_cycle_directions(const double signal[], size_t n, double share, double direction[]);

/* The place of each row in its cycle, phase[n] in [0, 1): NAN where there is none, as further than
 * one cycle off the whole ones. t[n] ascends. Returns how many cycles there are, whole or not, by
 * the length of their rows; 0: less than two turns up, which make no cycle. */
double cf_cycle_phases(const double signal[], const double t[], size_t n, double phase[]);

#endif
