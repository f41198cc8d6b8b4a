/* Flores: damping for a wanted restitution that also serves small ones.
 *
 *   F = k z^(3/2) (1 + a zdot),   a = (8/5) (1 - e)/(e v_i)
 *
 * Flores, Machado, Silva & Martins 2011. e is above 0: the table has the least one.
 */

#include "law/driven.h"
#include "law/rows.h"

static void damping(const double p[], double mass_kg, double approach_m_s, struct cf_damping *out)
{
    double slope;
    double e = cf_driven_divisor(p[CF_DRIVEN_E], &slope);

    (void) mass_kg;
    cf_driven_damping(p, approach_m_s, 1.6 * (1 - e) / e, -slope * 1.6 / (e * e), out);
}

const struct cf_law cf_flores = {
    CF_DRIVEN_DIVIDED_FAMILY,
    .name = "flores",
    .cite = "Flores, Machado, Silva & Martins 2011",
    .what = "Hertz spring, damping that also serves small restitutions",
    .formula = "k z^1.5 (1 + 1.6 (1 - e)/(e v_i) zdot)",
    .damping = damping,
};
