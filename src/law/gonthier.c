/* Gonthier: the damping that gives the wanted restitution exactly.
 *
 *   F = k z^(3/2) (1 + a zdot),   a = d(e)/(e v_i),   (1 + d/e)/(1 - d) = exp(d (1 + 1/e))
 *
 * Gonthier 2007, eqs. (3.23) and (3.24). e is above 0: the table has the least one.
 */

#include "law/driven.h"
#include "law/exact.h"
#include "law/rows.h"

static void damping(const double p[], double mass_kg, double approach_m_s, struct cf_damping *out)
{
    double divisor, x, x_by_e, slope;

    (void) mass_kg;
    divisor = cf_driven_divisor(p[CF_DRIVEN_E], &slope);
    x = cf_hunt_crossley_damping(divisor, &x_by_e);
    cf_driven_damping(p, approach_m_s, x, slope * x_by_e, out);
}

const struct cf_law cf_gonthier = {
    CF_DRIVEN_DIVIDED_FAMILY,
    .name = "gonthier",
    .cite = "Gonthier 2007, eqs. 3.23 and 3.24",
    .what = "Hertz spring, damping that gives the wanted restitution exactly",
    .formula = "k z^1.5 (1 + d(e)/(e v_i) zdot)",
    .damping = damping,
};
