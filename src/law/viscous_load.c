/* Viscous friction in proportion to the load.
 *
 *   f = -mu_v f_n v,  over an area T = -mu_v f_n r_gyr^2 w
 *
 * Gonthier 2007, eqs. 4.75 and 4.82.
 */

#include "law/friction_rows.h"
#include "law/patch.h"

enum { MU_V, NPARAM };

static const struct cf_param param[NPARAM] = {
    [MU_V] = {"mu_v", "s/m", 0, 1e9, 1e-6, 1e4, 0.1, CF_SCALE_LOG, "viscous friction, per load"},
};

static void force(const double p[], const struct cf_slide *c, double f[2], double rate[])
{
    (void) rate;
    for (int i = 0; i < 2; i++)
        f[i] = -p[MU_V] * c->normal_N * c->velocity_m_s[i];
}

static void vary(const double p[], const struct cf_slide *c, const double d[CF_FRICTION_COLUMNS],
                 double dforce[2], double drate[])
{
    double by = p[MU_V] * c->normal_N;
    double dby = d[CF_BY_PARAM + MU_V] * c->normal_N + p[MU_V] * d[CF_BY_NORMAL];

    (void) drate;
    for (int i = 0; i < 2; i++)
        dforce[i] = -dby * c->velocity_m_s[i] - by * d[CF_BY_VELOCITY + i];
}

static void parts(const double p[], const struct cf_slide *c, struct cf_friction_parts *out)
{
    *out = (struct cf_friction_parts){.viscous_N_s_m = p[MU_V] * c->normal_N};
}

static void patch_force(const double p[], const struct cf_patch *c, double f[CF_PATCH_FORCES],
                        double rate[])
{
    double r = c->gyration_m;

    force(p, &c->slide, f, rate);
    f[CF_PATCH_TORQUE] = -p[MU_V] * c->slide.normal_N * r * r * c->spin_rad_s;
}

static void patch_vary(const double p[], const struct cf_patch *c, const double d[CF_PATCH_COLUMNS],
                       double dforce[CF_PATCH_FORCES], double drate[])
{
    double r = c->gyration_m, w = c->spin_rad_s, by = p[MU_V] * c->slide.normal_N;
    double dby = d[CF_BY_PARAM + MU_V] * c->slide.normal_N + p[MU_V] * d[CF_BY_NORMAL];

    vary(p, &c->slide, d, dforce, drate);
    dforce[CF_PATCH_TORQUE] =
        -dby * r * r * w - by * (2 * r * d[CF_BY_GYRATION] * w + r * r * d[CF_BY_SPIN]);
}

static const struct cf_patch_friction patch = {.force = patch_force, .vary = patch_vary};

static const struct cf_friction_law over_area = {
    .name = "viscous-load",
    .cite = "Gonthier 2007, eqs. 4.75 and 4.82",
    .what = "viscous friction in proportion to the load, against the spin, too",
    .formula = "-mu_v f_n v, -mu_v f_n r_gyr^2 w",
    .needs = CF_NEEDS_WIDTH,
    .nparam = NPARAM,
    .param = param,
    .parts = parts,
    .patch = &patch,
};

const struct cf_friction_law cf_viscous_load = {
    .name = "viscous-load",
    .cite = "Gonthier 2007, eqs. 4.75 and 4.82",
    .what = "viscous friction in proportion to the load",
    .formula = "-mu_v f_n v",
    .needs = CF_NEEDS_NOTHING,
    .nparam = NPARAM,
    .param = param,
    .force = force,
    .vary = vary,
    .parts = parts,
    .over_area = &over_area,
};
