/* e(v) = e_at_1 - b ln(v/(1 m/s)), kept between 0 and 1.
 *
 * What Azad & Featherstone 2014 observe in measured e(v), Figs 3-5.
 */

#include <math.h>

#include "law/rows.h"

enum { E_AT_1, B, NPARAM };

static const struct cf_param param[NPARAM] = {
    [E_AT_1] = {"e_at_1", "1", 0, 10, 0.01, 3, 0.7, CF_SCALE_LINEAR, "restitution at 1 m/s"},
    [B] = {"b", "1", -1, 1, -0.5, 0.5, 0.05, CF_SCALE_LINEAR,
           "fall of e per factor 2.718 in speed"},
};

static void restitution(const double p[], double speed_m_s, struct cf_restitution *out)
{
    double log_v = log(speed_m_s);
    double e = p[E_AT_1] - p[B] * log_v;

    *out = (struct cf_restitution){.e = fmin(1, fmax(0, e))};
    if (e > 0 && e < 1) {
        out->by_speed = -p[B] / speed_m_s;
        out->by_param[E_AT_1] = 1;
        out->by_param[B] = -log_v;
    }
}

const struct cf_law cf_e_log = {
    .name = "e-log",
    .cite = "observed by Azad & Featherstone 2014",
    .what = "restitution that falls with the logarithm of speed",
    .formula = "e_at_1 - b ln(v/(1 m/s)), between 0 and 1",
    .family = CF_FAMILY_RESTITUTION,
    .nparam = NPARAM,
    .param = param,
    .restitution = restitution,
};
