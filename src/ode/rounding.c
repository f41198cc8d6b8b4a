/* What rounding leaves of a step's error, of states and of columns. */

#include <float.h>
#include <math.h>

#include "ode/stepper.h"

/* Rounding of a step: the sums over the stages carry a few units in the last place of h k and y.
 * A tolerance below it would be met by chance only. */
const double cf_ode_rounding = 4 * DBL_EPSILON;

/* The step that is taken where no shorter one meets the tolerance is of so many roundings of t. A
 * jump of the rates lies anywhere in it. */
static const double SHORT = 64;

/* What is passed so, of a state or its scale: a pole is no jump. */
static const double BLURRED = 1e-8;

double cf_ode_shortest(const struct cf_ode *ode)
{
    return SHORT * DBL_EPSILON * fabs(ode->t);
}

double cf_ode_blur(const struct cf_ode *ode, double moved, double size)
{
    double short_time = cf_ode_shortest(ode);

    return ode->blurred && ode->h <= short_time
               ? fmin(short_time / ode->h * fabs(moved), BLURRED * size)
               : 0;
}
