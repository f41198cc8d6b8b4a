/* What rounding leaves of a step's error, of states and of columns. */

#include <float.h>
#include <math.h>

#include "ode/stepper.h"

/* Rounding of a step: the sums over the stages carry a few units in the last place of h k and y.
 * A tolerance below it would be met by chance only. */
const double cf_ode_rounding = 4 * DBL_EPSILON;

/* Steps of fewer roundings of t are short: one must not be much longer than the shortest that is
 * tried, or a jump of the rates that lies anywhere in it is passed with a worse error. */
static const double SHORT = 64;

/* What is passed so, of a state or its scale: a pole is no jump. */
static const double BLURRED = 1e-8;

double cf_ode_blur(const struct cf_ode *ode, double moved, double size)
{
    const double short_time = SHORT * DBL_EPSILON * fabs(ode->t);

    return ode->h < short_time ? fmin(short_time / ode->h * fabs(moved), BLURRED * size) : 0;
}
