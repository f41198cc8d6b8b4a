/* Gonthier's bristle: stiffness and damping grow with the load, sticking strengthens while
 * dwelling.
 *
 * Gonthier 2007, eqs. 3.28-3.42; the equations are in bristle_family.h. sigma_0, sigma_1 and
 * sigma_2 are per load, so that neither the bristle's motion nor the friction coefficient depends
 * on it. mu_s = mu_c switches stick-slip off.
 */

#include "law/bristle_family.h"

static struct cf_bristle_load load(double normal_N)
{
    return (struct cf_bristle_load){.limit = 1, .force = normal_N};
}

static void force(const double p[], const struct cf_slide *c, double f[2], double rate[])
{
    cf_bristle_force(p, c, load(c->normal_N), f, rate);
}

static void vary_all(const double p[], const struct cf_slide *c, size_t n, const double d[],
                     double dforce[], double drate[])
{
    const struct cf_bristle_load per_N = {.limit = 0, .force = 1};
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

const struct cf_friction_law cf_bristle = {
    .name = "bristle",
    .cite = "Gonthier 2007, eqs. 3.28-3.42",
    .what = "bristle that sticks and slips, stronger the longer it dwelt",
    .formula = "-f_n (sigma_0 x + sigma_1 x' + sigma_2 v), cut at mu_c + (mu_s - mu_c) s_dw",
    .needs = CF_NEEDS_NOTHING,
    .nparam = CF_BRISTLE_NPARAM,
    .param = cf_bristle_param,
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
    .over_area = &cf_bristle_over_area,
};
