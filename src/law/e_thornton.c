/* Elastic, perfectly plastic sphere: e falls from 1 at the yield speed v_y as
 *
 *   e = (6 sqrt(3)/5)^(1/2) (1 - x^2/6)^(1/2) (x/(x + 2 (6/5 - x^2/5)^(1/2)))^(1/4),   x = v_y/v,
 *
 * towards 1.185 x^(1/4); 1 up to v_y. Thornton 1997, J. Appl. Mech. 64, 383-386.
 */

#include <math.h>

#include "law/rows.h"

enum { YIELD_SPEED, NPARAM };

static const struct cf_param param[NPARAM] = {
    [YIELD_SPEED] = {"yield_speed", "m/s", 0, 1e4, 1e-6, 1e2, 0.01, CF_SCALE_LOG,
                     "approach speed v_y at which yielding begins"},
};

static void restitution(const double p[], double speed_m_s, struct cf_restitution *out)
{
    double x = p[YIELD_SPEED] / speed_m_s;
    double below, root, e, log_slope; /* of ln(e) by x, times x */

    *out = (struct cf_restitution){.e = 1};
    if (!(x < 1))
        return;
    root = sqrt(1.2 - 0.2 * x * x);
    below = x + 2 * root;
    e = sqrt(1.2 * sqrt(3) * (1 - x * x / 6)) * sqrt(sqrt(x / below));
    log_slope = -x * x / (6 - x * x) + 0.25 * (1 - x * (1 - 0.4 * x / root) / below);
    out->e = e;
    out->by_speed = -e * log_slope / speed_m_s;
    out->by_param[YIELD_SPEED] = x > 0 ? e * log_slope / p[YIELD_SPEED] : 0;
}

const struct cf_law cf_e_thornton = {
    .name = "e-thornton",
    .cite = "Thornton 1997, J. Appl. Mech. 64",
    .what = "elastic, perfectly plastic sphere: 1 up to a yield speed, then v^(-1/4)",
    .formula =
        "1.442 (1 - x^2/6)^0.5 (x/(x + 2 (1.2 - 0.2 x^2)^0.5))^0.25, x = v_y/v; 1 for v < v_y",
    .family = CF_FAMILY_RESTITUTION,
    .nparam = NPARAM,
    .param = param,
    .restitution = restitution,
};
