/* Hunt-Crossley: Hertz force with damping that vanishes with depth.
 *
 *   F = k z^(3/2) (1 + a zdot),   never pulling
 *
 * Azad & Featherstone 2014, eq. (2) with lambda = a k. The restitution obeys
 * a (v_i + v_o) = ln((1 + a v_i)/(1 - a v_o)) whatever k, mass and exponent: e(v) identifies a
 * only.
 */

#include "law/power_family.h"
#include "law/rows.h"

enum { K, A, NPARAM };

static const struct cf_param param[NPARAM] = {
    [K] = CF_PARAM_HERTZ,
    [A] = {"a", "s/m", 0, 1e4, 1e-5, 1e2, 0.1, CF_SCALE_LOG, "damping factor, lambda/k"},
};

static const struct cf_alias alias[] = {
    CF_ALIAS_MODULUS(K),
    {.name = "lambda",
     .unit = "N s/m^2.5",
     .target = A,
     .factor = 1,
     .k_power = -1,
     .what = "damping coefficient: a = lambda/k"},
    {.name = "hc_slope",
     .unit = "s/m",
     .target = A,
     .factor = 1.5,
     .what = "d of Drake's theory and c of Simbody: a = 1.5 hc_slope"},
    {.name = "drake_dissipation",
     .unit = "s/m",
     .target = A,
     .factor = 1,
     .what = "hunt_crossley_dissipation of Drake: the same as a"},
};

static void damping(const double p[], double mass_kg, double approach_m_s, struct cf_damping *out)
{
    (void) mass_kg;
    (void) approach_m_s;
    *out = (struct cf_damping){.ratio = p[A]};
    out->by_param[A] = 1;
}

const struct cf_law cf_hunt_crossley = {
    CF_POWER_FAMILY,
    .name = "hunt-crossley",
    .cite = "Hunt & Crossley 1975; Azad & Featherstone 2014, eq. 2",
    .what = "Hertz spring, damping proportional to it",
    .formula = "k z^1.5 (1 + a zdot)",
    .nparam = NPARAM,
    .param = param,
    .nalias = sizeof alias / sizeof alias[0],
    .alias = alias,
    .n = 1.5,
    .p = 1.5,
    .damping = damping,
};
