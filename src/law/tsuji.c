/* Tsuji: Hertz spring with the damping that makes the restitution independent of speed.
 *
 *   F = k z^(3/2) + lambda z^(1/4) zdot,   lambda = alpha sqrt(m k),   never pulling
 *
 * Tsuji, Tanaka & Ishida 1992; the Hertz contact of LAMMPS, LIGGGHTS and Yade. In the scaling of
 * impact.h beta = alpha, so e(v) identifies alpha only.
 */

#include <math.h>

#include "law/power_family.h"
#include "law/rows.h"

enum { K, ALPHA, NPARAM };

static const struct cf_param param[NPARAM] = {
    [K] = CF_PARAM_HERTZ,
    [ALPHA] = {"alpha", "1", 0, 1e4, 1e-4, 1e1, 0.3, CF_SCALE_LOG, "damping, lambda/sqrt(m k)"},
};

static const struct cf_alias alias[] = {CF_ALIAS_MODULUS(K)};

static void damping(const double p[], double mass_kg, double approach_m_s, struct cf_damping *out)
{
    double root = sqrt(mass_kg / p[K]);

    (void) approach_m_s;
    *out = (struct cf_damping){.ratio = p[ALPHA] * root};
    out->by_param[K] = -0.5 * out->ratio / p[K];
    out->by_param[ALPHA] = root;
    out->by_mass = 0.5 * out->ratio / mass_kg;
}

const struct cf_law cf_tsuji = {
    CF_POWER_FAMILY,
    .name = "tsuji",
    .cite = "Tsuji, Tanaka & Ishida 1992",
    .what = "Hertz spring, damping that makes e independent of speed",
    .formula = "k z^1.5 + alpha sqrt(m k) z^0.25 zdot",
    .nparam = NPARAM,
    .param = param,
    .nalias = sizeof alias / sizeof alias[0],
    .alias = alias,
    .n = 1.5,
    .p = 0.25,
    .damping = damping,
};
