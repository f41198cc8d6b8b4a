/* e(v) = max(0, 1 - slope v), slope 0.08 to 0.32 s/m for steel, bronze, ivory.
 *
 * Gonthier 2007, eq. (3.12), where the slope is called alpha.
 */

#include <math.h>

#include "law/rows.h"

enum { SLOPE, NPARAM };

static const struct cf_param param[NPARAM] = {
    [SLOPE] = {"slope", "s/m", 0, 1e4, 1e-5, 1e2, 0.1, CF_SCALE_LOG, "fall of e per m/s"},
};

static void restitution(const double p[], double speed_m_s, struct cf_restitution *out)
{
    double e = 1 - p[SLOPE] * speed_m_s;

    *out = (struct cf_restitution){.e = fmax(0, e)};
    if (e > 0) {
        out->by_speed = -p[SLOPE];
        out->by_param[SLOPE] = -speed_m_s;
    }
}

const struct cf_law cf_e_linear = {
    .name = "e-linear",
    .cite = "Gonthier 2007, eq. 3.12",
    .what = "restitution that falls linearly with speed",
    .formula = "1 - slope v, not below 0",
    .family = CF_FAMILY_RESTITUTION,
    .nparam = NPARAM,
    .param = param,
    .restitution = restitution,
};
