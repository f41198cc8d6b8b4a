/* Gonthier's bristle with stiffness and damping of the contact, whatever the load.
 *
 * The form that Gonthier 2007 used for Table 5.4, with sigma*_0 = f_n sigma_0 and so on: the same
 * as `bristle` under a constant load, but not where the load changes.
 */

#include "law/bristle_family.h"

static const struct cf_param param[CF_BRISTLE_NPARAM] = {
    [CF_BRISTLE_MU_S] = CF_PARAM_MU_S,
    [CF_BRISTLE_MU_C] = CF_PARAM_MU_C,
    [CF_BRISTLE_SIGMA_0] = {"sigma_0_star", "N/m", 1e-3, 1e15, 1e1, 1e10, 1e5, CF_SCALE_LOG,
                            "bristle stiffness"},
    [CF_BRISTLE_SIGMA_1] = {"sigma_1_star", "N s/m", 1e-9, 1e12, 1e-3, 1e8, 300, CF_SCALE_LOG,
                            "bristle damping"},
    [CF_BRISTLE_SIGMA_2] = {"sigma_2_star", "N s/m", 0, 1e9, 1e-6, 1e4, 0.1, CF_SCALE_LOG,
                            "viscous damping"},
    [CF_BRISTLE_V_S] = CF_PARAM_V_S(CF_STRIBECK_SPEED),
    [CF_BRISTLE_TAU_DW] = CF_PARAM_TAU_DW,
};

static struct cf_bristle_load load(double normal_N)
{
    return (struct cf_bristle_load){.limit = normal_N, .force = 1};
}

static void force(const double p[], const struct cf_slide *c, double f[2], double rate[])
{
    cf_bristle_force(p, c, load(c->normal_N), f, rate);
}

static void vary_all(const double p[], const struct cf_slide *c, size_t n, const double d[],
                     double dforce[], double drate[])
{
    const struct cf_bristle_load per_N = {.limit = 1, .force = 0};
    cf_bristle_vary(p, c, load(c->normal_N), per_N, n, d, dforce, drate);
}

static void vary(const double p[], const struct cf_slide *c, const double d[CF_FRICTION_COLUMNS],
                 double dforce[2], double drate[])
{
    vary_all(p, c, 1, d, dforce, drate);
}

static void parts(const double p[], const struct cf_slide *c, struct cf_friction_parts *out)
{
    cf_bristle_parts(p, load(c->normal_N).force, out);
}

static double corner(const double p[], const struct cf_slide *c)
{
    return cf_bristle_corner(p, c, load(c->normal_N));
}

const struct cf_friction_law cf_bristle_fixed = {
    .name = "bristle-fixed",
    .cite = "Gonthier 2007, section 5.1.4 and Table 5.4",
    .what = "bristle whose stiffness and damping do not depend on the load",
    .formula = "-(sigma_0_star x + sigma_1_star x' + sigma_2_star v), first two cut at mu_max f_n",
    .load_free = true,
    .needs = CF_NEEDS_NOTHING,
    .nparam = CF_BRISTLE_NPARAM,
    .param = param,
    .nstate = CF_BRISTLE_NSTATE,
    .nvector = 1,
    .dwell = CF_BRISTLE_DWELL,
    .rested = cf_bristle_rested,
    .force = force,
    .vary = vary,
    .vary_all = vary_all,
    .parts = parts,
    .slip = cf_bristle_slip,
    .corner = {corner, cf_bristle_dwell_corner},
};
