/* e(v) = e_at_1 (v/(1 m/s))^-q, at most 1; q = 1/4 for a fully plastic impact. */

#include <math.h>

#include "law/rows.h"

enum { E_AT_1, Q, NPARAM };

static const struct cf_param param[NPARAM] = {
    [E_AT_1] = {"e_at_1", "1", 0, 10, 0.01, 3, 0.7, CF_SCALE_LINEAR, "restitution at 1 m/s"},
    [Q] = {"q", "1", -2, 2, -0.5, 1, 0.1, CF_SCALE_LINEAR, "exponent of its fall with speed"},
};

static void restitution(const double p[], double speed_m_s, struct cf_restitution *out)
{
    double fall = pow(speed_m_s, -p[Q]);
    double e = p[E_AT_1] * fall;

    *out = (struct cf_restitution){.e = fmin(1, e)};
    if (e < 1) {
        out->by_speed = -p[Q] * e / speed_m_s;
        out->by_param[E_AT_1] = fall;
        out->by_param[Q] = -e * log(speed_m_s);
    }
}

const struct cf_law cf_e_power = {
    .name = "e-power",
    .cite = "plastic impact: Johnson 1985, section 11.5",
    .what = "restitution that falls with a power of speed",
    .formula = "e_at_1 (v/(1 m/s))^-q, at most 1",
    .family = CF_FAMILY_RESTITUTION,
    .nparam = NPARAM,
    .param = param,
    .restitution = restitution,
};
