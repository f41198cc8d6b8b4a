/* LuGre: a bristle that yields in proportion to the slip, with a Stribeck curve.
 *
 *   x' = v - sigma_0 |v|/g(v) x,   g = mu_c + (mu_s - mu_c) exp(-|v|^2/v_s^2)
 *   f  = -f_n (sigma_0 x + sigma_1 x' + sigma_2 v)
 *
 * Canudas de Wit, Olsson, Astrom & Lischinsky 1995, with vectors for their scalars. It
 * drifts: under a small swinging force a loaded contact creeps without end.
 */

#include "law/lean_family.h"

static const struct cf_param param[CF_LEAN_NPARAM] = {CF_PARAMS_LEAN};

static struct cf_lean lean_of(const double p[], const struct cf_slide *c)
{
    const double *v = c->velocity_m_s;
    struct cf_lean lean = cf_lean_of(p);

    lean.w = lean.sigma_0 * cf_size(v) / cf_lean_curve(p, v);
    return lean;
}

static void force(const double p[], const struct cf_slide *c, double f[2], double rate[])
{
    struct cf_lean lean = lean_of(p, c);
    cf_lean_force(&lean, c, f, rate);
}

static void vary(const double p[], const struct cf_slide *c, const double d[CF_FRICTION_COLUMNS],
                 double dforce[2], double drate[])
{
    const double *v = c->velocity_m_s;
    double speed = cf_size(v), curve = cf_lean_curve(p, v);
    double dspeed = speed > 0 ? cf_dot(v, d + CF_BY_VELOCITY) / speed : 0;
    struct cf_lean lean = lean_of(p, c), dlean = cf_lean_of(d + CF_BY_PARAM);

    dlean.w =
        (dlean.sigma_0 * speed + lean.sigma_0 * dspeed - lean.w * cf_lean_curve_vary(p, v, d)) /
        curve;
    cf_lean_vary(&lean, &dlean, c, d, dforce, drate);
}

static void parts(const double p[], const struct cf_slide *c, struct cf_friction_parts *out)
{
    struct cf_lean lean = cf_lean_of(p);
    cf_lean_parts(&lean, c, out);
}

const struct cf_friction_law cf_lugre = {
    .name = "lugre",
    .cite = "Canudas de Wit, Olsson, Astrom & Lischinsky 1995",
    .what = "bristle that yields in proportion to the slip, with a Stribeck curve",
    .formula = "-f_n (sigma_0 x + sigma_1 x' + sigma_2 v), x' = v - sigma_0 |v|/g(v) x",
    .needs = CF_NEEDS_NOTHING,
    .nparam = CF_LEAN_NPARAM,
    .param = param,
    .nstate = CF_LEAN_NSTATE,
    .nvector = 1,
    .force = force,
    .vary = vary,
    .parts = parts,
    .slip = cf_lean_slip,
};
