/* Elastic foundation with a damping factor that is given.
 *
 *   F = kv V (1 + a v_app)
 *
 * Gonthier 2007, eqs. 4.62 and 4.178, after Winkler 1867: springs side by side that do not affect
 * each other. The restitution of an impact depends on a alone, whatever kv, mass and shape.
 */

#include "law/foundation_family.h"
#include "law/rows.h"

enum { KV, A, NPARAM };

static const struct cf_param param[NPARAM] = {
    [KV] = CF_PARAM_KV,
    [A] = {"a", "s/m", 0, 1e4, 1e-5, 1e2, 0.1, CF_SCALE_LOG, "damping factor"},
};

static void damping(const double p[], double mass_kg, double approach_m_s, struct cf_damping *out)
{
    (void) mass_kg;
    (void) approach_m_s;
    *out = (struct cf_damping){.ratio = p[A]};
    out->by_param[A] = 1;
}

const struct cf_law cf_winkler = {
    CF_FOUNDATION_FAMILY,
    .name = "winkler",
    .cite = "Winkler 1867; Gonthier 2007, eqs. 4.62 and 4.178",
    .what = "elastic foundation over the volume of interference, damping proportional to it",
    .formula = "kv V (1 + a v_app)",
    .nparam = NPARAM,
    .param = param,
    .damping = damping,
};
