/* The same materials on a pair of another radius.
 *
 * What belongs to the material stays, so that a parameter with an alias by R^radius_power scales
 * with it (k of Hertz and lambda of azad-featherstone by sqrt(R)). A parameter without such an
 * alias stays as it is if its unit holds no force (a, alpha, e); a coefficient of force without
 * one, and an e-law, which is a record of what one pair did, have no rule for another radius.
 */

#ifndef CF_LAW_RADIUS_H
#define CF_LAW_RADIUS_H

#include "law/law.h"

/* By what p[law->nparam], which holds at the effective radius from_m, is to be multiplied for to_m,
 * both in metres: factor[law->nparam], 1 of what is NAN. CF_ERANGE where the law has no rule, or a
 * radius is infinite and the other is not. */
int cf_radius_factors(const struct cf_law *law, const double p[], double from_m, double to_m,
                      double factor[], struct cf_error *err);

#endif
