/* Dahl's solid friction, with exponent 1.
 *
 *   x' = v - sigma_0 |v|/mu x,   f = -f_n sigma_0 x
 *
 * Dahl 1968, with vectors for his scalars: from rest |f| rises as mu f_n (1 - exp(-sigma_0 d/mu))
 * over the path d. It never rests: it creeps under any force.
 */

#include "law/lean_family.h"

enum { MU, SIGMA_0, NPARAM };

static const struct cf_param param[NPARAM] = {
    [MU] = {"mu", "1", 1e-6, 10, 0.001, 2, 0.3, CF_SCALE_LINEAR, "friction coefficient"},
    [SIGMA_0] = CF_PARAM_SIGMA_0,
};

static struct cf_lean lean_of(const double p[], const struct cf_slide *c)
{
    const double *v = c->velocity_m_s;
    return (struct cf_lean){.w = p[SIGMA_0] * cf_size(v) / p[MU], .sigma_0 = p[SIGMA_0]};
}

static void force(const double p[], const struct cf_slide *c, double f[2], double rate[])
{
    struct cf_lean lean = lean_of(p, c);
    cf_lean_force(&lean, c, f, rate);
}

static void vary(const double p[], const struct cf_slide *c, const double d[CF_FRICTION_COLUMNS],
                 double dforce[2], double drate[])
{
    const double *v = c->velocity_m_s, *dp = d + CF_BY_PARAM;
    double speed = cf_size(v);
    double dspeed = speed > 0 ? cf_dot(v, d + CF_BY_VELOCITY) / speed : 0;
    struct cf_lean lean = lean_of(p, c), dlean = {.sigma_0 = dp[SIGMA_0]};

    dlean.w = (dp[SIGMA_0] * speed + p[SIGMA_0] * dspeed - lean.w * dp[MU]) / p[MU];
    cf_lean_vary(&lean, &dlean, c, d, dforce, drate);
}

static void parts(const double p[], const struct cf_slide *c, struct cf_friction_parts *out)
{
    struct cf_lean lean = lean_of(p, c);
    cf_lean_parts(&lean, c, out);
}

const struct cf_friction_law cf_dahl = {
    .name = "dahl",
    .cite = "Dahl 1968",
    .what = "bristle that yields in proportion to the slip",
    .formula = "-f_n sigma_0 x, x' = v - sigma_0 |v|/mu x",
    .needs = CF_NEEDS_NOTHING,
    .nparam = NPARAM,
    .param = param,
    .nstate = CF_LEAN_NSTATE,
    .nvector = 1,
    .force = force,
    .vary = vary,
    .parts = parts,
};
