/* What gain and bias of a channel make of its readings. */

#ifndef CF_ESTIMATE_READING_H
#define CF_ESTIMATE_READING_H

#include "estimate/problem.h"

/* An instrument that shows gain * y + bias where y is true. */
struct cf_reading {
    double gain, bias; /* pure number; SI unit of the channel */
};

/* Those of each observation, reading[nobservation], at theta and with the locals as the problem has
 * them; gain 1 and bias 0 where neither is fitted along. */
int cf_problem_readings(const struct cf_problem *problem, const double theta[],
                        struct cf_reading reading[], struct cf_error *err);

/* Is a reading as it is the true value? */
bool cf_reading_plain(struct cf_reading by);

/* The true value by a reading, and its sigma; in place. */
void cf_reading_undo(struct cf_reading by, double *value, double *sigma);

#endif
