/* Unknowns that stay inside of their bounds: theta = lower + (upper - lower)/(1 + exp(-u)). */

#ifndef CF_ESTIMATE_BOUNDED_H
#define CF_ESTIMATE_BOUNDED_H

#include "estimate/problem.h"

/* The share of its range at which an unknown stands, in (0, 1): dtheta/du is the range times
 * share (1 - share). */
double cf_bounded_share(double u);

double cf_bounded_theta(const struct cf_unknown *unknown, double u);

/* u of a theta from where descents can leave: the map is flat at its ends, and theta is moved
 * inside by a thousandth of its range. */
double cf_bounded_start(const struct cf_unknown *unknown, double theta);

#endif
