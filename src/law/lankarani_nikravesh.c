/* Lankarani-Nikravesh: damping from the energy that a nearly elastic impact loses.
 *
 *   F = k z^(3/2) (1 + a zdot),   a = (3/4) (1 - e^2)/v_i
 *
 * Gonthier 2007, eqs. (3.16) and (3.27). Asked for 0.5 it gives 0.725.
 */

#include "law/driven.h"
#include "law/rows.h"

static void damping(const double p[], double mass_kg, double approach_m_s, struct cf_damping *out)
{
    double e = p[CF_DRIVEN_E];

    (void) mass_kg;
    cf_driven_damping(p, approach_m_s, 0.75 * (1 - e) * (1 + e), -1.5 * e, out);
}

const struct cf_law cf_lankarani_nikravesh = {
    CF_DRIVEN_FAMILY,
    .name = "lankarani-nikravesh",
    .cite = "Lankarani & Nikravesh 1990; Gonthier 2007, eqs. 3.16 and 3.27",
    .what = "Hertz spring, damping from the energy lost at small loss",
    .formula = "k z^1.5 (1 + 0.75 (1 - e^2)/v_i zdot)",
    .damping = damping,
};
