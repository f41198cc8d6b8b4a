/* Hunt-Crossley driven by a restitution, accurate to first order in 1 - e.
 *
 *   F = k z^(3/2) (1 + a zdot),   a = (3/2) (1 - e)/v_i
 *
 * Gonthier 2007, eqs. (3.13) and (3.26). Asked for 0.5 it gives 0.663.
 */

#include "law/driven.h"
#include "law/rows.h"

static void damping(const double p[], double mass_kg, double approach_m_s, struct cf_damping *out)
{
    (void) mass_kg;
    cf_driven_damping(p, approach_m_s, 1.5 * (1 - p[CF_DRIVEN_E]), -1.5, out);
}

const struct cf_law cf_hunt_crossley_e = {
    CF_DRIVEN_FAMILY,
    .name = "hunt-crossley-e",
    .cite = "Hunt & Crossley 1975; Gonthier 2007, eqs. 3.13 and 3.26",
    .what = "Hertz spring, first-order damping for the wanted restitution",
    .formula = "k z^1.5 (1 + 1.5 (1 - e)/v_i zdot)",
    .damping = damping,
};
