/* Herbert-McWhannell: damping for a wanted restitution.
 *
 *   F = k z^(3/2) (1 + a zdot),   a = 6 (1 - e)/(((2 e - 1)^2 + 3) v_i)
 *
 * Herbert & McWhannell 1977.
 */

#include "law/driven.h"
#include "law/rows.h"

static void damping(const double p[], double mass_kg, double approach_m_s, struct cf_damping *out)
{
    double e = p[CF_DRIVEN_E];
    double below = (2 * e - 1) * (2 * e - 1) + 3;
    double x = 6 * (1 - e) / below;

    (void) mass_kg;
    cf_driven_damping(p, approach_m_s, x, (-6 - 4 * (2 * e - 1) * x) / below, out);
}

const struct cf_law cf_herbert_mcwhannell = {
    CF_DRIVEN_FAMILY,
    .name = "herbert-mcwhannell",
    .cite = "Herbert & McWhannell 1977",
    .what = "Hertz spring, Herbert and McWhannell's damping for the wanted restitution",
    .formula = "k z^1.5 (1 + 6 (1 - e)/(((2 e - 1)^2 + 3) v_i) zdot)",
    .damping = damping,
};
