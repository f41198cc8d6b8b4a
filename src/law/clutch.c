/* Azad and Featherstone's clutch: spring and damper grow with the patch, sqrt(z).
 *
 * [AF10] 19-32; the equations are in clutch_family.h. k_t = 2 E* sqrt(R), 1.5 times the Hertz
 * stiffness, and d_t = lambda of azad-featherstone (12, 24). The clutch's power is -f.v_clutch: 29
 * needs the minus sign.
 *
 * The normal force ends before the depth does: there the limit mu f_n is 0, and friction ends with
 * the force. The paper leaves it open; friction up to the end of the depth would change the speed
 * along x of its ball by 1.5e-5 m/s.
 */

#include "law/clutch_family.h"

static const struct cf_param param[CF_CLUTCH_NPARAM] = {
    [CF_CLUTCH_MU] = CF_PARAM_MU("friction coefficient"),
    [CF_CLUTCH_K_T] = {"k_t", "N/m^1.5", 1e-3, 1e16, 1e2, 1e14, 1.5e8, CF_SCALE_LOG,
                       "tangential stiffness; in the paper 1.5 times the Hertz stiffness"},
    [CF_CLUTCH_D_T] = {"d_t", "N s/m^1.5", 1e-9, 1e12, 1e-1, 1e9, 1e4, CF_SCALE_LOG,
                       "tangential damping; in the paper the normal lambda"},
    [CF_CLUTCH_C_V] = CF_PARAM_C_V,
};

static double gear(const struct cf_slide *c)
{
    return c->depth_m > 0 ? sqrt(c->depth_m) : 0;
}

static void force(const double p[], const struct cf_slide *c, double f[2], double rate[])
{
    cf_clutch_force(p, c, gear(c), f, rate);
}

static void vary_all(const double p[], const struct cf_slide *c, size_t n, const double d[],
                     double dforce[], double drate[])
{
    double h = gear(c);

    cf_clutch_vary(p, c, h, h > 0 ? 0.5 / h : 0, n, d, dforce, drate);
}

static void vary(const double p[], const struct cf_slide *c, const double d[CF_FRICTION_COLUMNS],
                 double dforce[2], double drate[])
{
    vary_all(p, c, 1, d, dforce, drate);
}

static void parts(const double p[], const struct cf_slide *c, struct cf_friction_parts *out)
{
    cf_clutch_parts(p, gear(c), out);
}

static double slip(const double p[], const struct cf_slide *c)
{
    return cf_clutch_slip(p, c, gear(c));
}

const struct cf_friction_law cf_clutch = {
    .name = "clutch",
    .cite = "Azad & Featherstone 2010, eqs. 19-32",
    .what = "spring and damper proportional to the width of the patch, behind a clutch that slips "
            "at the cone",
    .formula = "-sqrt(z) (k_t x + d_t v) within mu f_n; beyond, mu f_n that way - c_v (v - x')",
    .needs = CF_NEEDS_DEPTH,
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
