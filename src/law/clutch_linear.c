/* Featherstone's clutch: spring and damper of constant strength while in contact.
 *
 * Featherstone 2008, section 11.8, in the plane; the equations are in clutch_family.h with h = 1.
 * Out of contact the damper dissipates what is left in the spring.
 */

#include "law/clutch_family.h"

static const struct cf_param param[CF_CLUTCH_NPARAM] = {
    [CF_CLUTCH_MU] = CF_PARAM_MU("friction coefficient"),
    [CF_CLUTCH_K_T] = {"k_t", "N/m", 1e-3, 1e15, 1e2, 1e10, 1e5, CF_SCALE_LOG,
                       "tangential stiffness"},
    [CF_CLUTCH_D_T] = {"d_t", "N s/m", 1e-9, 1e12, 1e-2, 1e8, 1e2, CF_SCALE_LOG,
                       "tangential damping"},
    [CF_CLUTCH_C_V] = CF_PARAM_C_V,
};

/* 1 from the touch on: there the force is bounded by the cone, as everywhere, and a load has no
 * depth at all. */
static double gear(const struct cf_slide *c)
{
    return c->depth_m < 0 ? 0 : 1;
}

static void force(const double p[], const struct cf_slide *c, double f[2], double rate[])
{
    cf_clutch_force(p, c, gear(c), f, rate);
}

static void vary_all(const double p[], const struct cf_slide *c, size_t n, const double d[],
                     double dforce[], double drate[])
{
    cf_clutch_vary(p, c, gear(c), 0, n, d, dforce, drate);
}

static void vary(const double p[], const struct cf_slide *c, const double d[CF_FRICTION_COLUMNS],
                 double dforce[2], double drate[])
{
    vary_all(p, c, 1, d, dforce, drate);
}

static void parts(const double p[], const struct cf_slide *c, struct cf_friction_parts *out)
{
    cf_clutch_parts(p, 1, out);
    out->viscous_N_s_m *= gear(c);
}

static double slip(const double p[], const struct cf_slide *c)
{
    return cf_clutch_slip(p, c, gear(c));
}

const struct cf_friction_law cf_clutch_linear = {
    .name = "clutch-linear",
    .cite = "Featherstone 2008, section 11.8",
    .what = "constant spring and damper behind a clutch that slips at the cone",
    .formula = "-(k_t x + d_t v) within mu f_n; beyond, mu f_n that way - c_v (v - x')",
    .load_free = true,
    .needs = CF_NEEDS_CONTACT,
    .nparam = CF_CLUTCH_NPARAM,
    .param = param,
    .nstate = CF_CLUTCH_NSTATE,
    .nvector = 1,
    .force = force,
    .vary = vary,
    .vary_all = vary_all,
    .parts = parts,
    .viscous_on_slip = true,
    .slip = slip,
};
