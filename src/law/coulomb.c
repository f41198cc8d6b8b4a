/* Coulomb friction with a smooth start, for comparison.
 *
 *   f = -mu f_n dir(v),  dir(v) = v/|v| from v_e on, (v/v_e)(3/2 - (1/2)(|v|/v_e)^2) below
 *
 * The regularisation is that of Gonthier 2007, eqs. 3.32 and 3.33. It does not stick: under any
 * force the contact creeps.
 */

#include "law/friction_rows.h"
#include "law/patch.h"

enum { MU, V_E, NPARAM };

static const struct cf_param param[NPARAM] = {
    [MU] = CF_PARAM_MU("friction coefficient"),
    [V_E] = {"v_e", "m/s", 1e-12, 1e3, 1e-6, 1, 1e-3, CF_SCALE_LOG,
             "speed below which friction falls to 0"},
};

static void force(const double p[], const struct cf_slide *c, double f[2], double rate[])
{
    (void) rate;
    cf_direction(c->velocity_m_s, p[V_E], f);
    for (int i = 0; i < 2; i++)
        f[i] *= -p[MU] * c->normal_N;
}

static void vary(const double p[], const struct cf_slide *c, const double d[CF_FRICTION_COLUMNS],
                 double dforce[2], double drate[])
{
    const double *dp = d + CF_BY_PARAM;
    double dir[2], ddir[2];

    (void) drate;
    cf_direction(c->velocity_m_s, p[V_E], dir);
    cf_direction_vary(c->velocity_m_s, p[V_E], d + CF_BY_VELOCITY, dp[V_E], ddir);
    for (int i = 0; i < 2; i++)
        dforce[i] = -(dp[MU] * c->normal_N + p[MU] * d[CF_BY_NORMAL]) * dir[i] -
                    p[MU] * c->normal_N * ddir[i];
}

static double slip(const double p[], const struct cf_slide *c)
{
    return cf_faster(c, p[V_E]);
}

/* Over an area, where [G07] 4.205 and 4.208 share it between sliding and spin. */
static void patch_force(const double p[], const struct cf_patch *c, double f[CF_PATCH_FORCES],
                        double rate[])
{
    double turn[2] = {c->spin_rad_s, 0}, sign[2], limit = p[MU] * c->slide.normal_N;
    struct cf_contensou_share share;

    (void) rate;
    cf_contensou_share(c, p[V_E], &share);
    cf_unit(c->slide.velocity_m_s, f);
    cf_unit(turn, sign);
    for (int i = 0; i < 2; i++)
        f[i] *= -limit * share.slide;
    f[CF_PATCH_TORQUE] = -limit * c->gyration_m * share.spin * sign[0];
}

/* A share C(|u|) along u, of which *out receives the derivative along du; slope is dC/d|u|, which
 * is C/|u| where u is 0. */
static void shared_vary(const double u[2], double share, double slope, const double du[2],
                        double dshare, double out[2])
{
    double size = cf_size(u), unit[2], along;

    cf_unit(u, unit);
    along = cf_dot(unit, du);
    for (int i = 0; i < 2; i++)
        out[i] =
            size > 0 ? dshare * unit[i] + share * (du[i] - along * unit[i]) / size : slope * du[i];
}

static void patch_vary(const double p[], const struct cf_patch *c, const double d[CF_PATCH_COLUMNS],
                       double dforce[CF_PATCH_FORCES], double drate[])
{
    double r = c->gyration_m, N = c->slide.normal_N, limit = p[MU] * N, unit[2], dslide[2];
    double turn[2] = {r * c->spin_rad_s, 0}, dspin[2];
    double dturn[2] = {d[CF_BY_GYRATION] * c->spin_rad_s + r * d[CF_BY_SPIN], 0};
    double dlimit = d[CF_BY_PARAM + MU] * N + p[MU] * d[CF_BY_NORMAL];
    double dlever = dlimit * r + limit * d[CF_BY_GYRATION];
    struct cf_contensou_share share;
    struct cf_contensou_vary to;

    (void) drate;
    cf_contensou_share(c, p[V_E], &share);
    cf_contensou_share_vary(c, &share, d, d[CF_BY_PARAM + V_E], &to);
    shared_vary(c->slide.velocity_m_s, share.slide, share.slide_by[0], d + CF_BY_VELOCITY, to.slide,
                dslide);
    shared_vary(turn, share.spin, share.spin_by[1], dturn, to.spin, dspin);
    cf_unit(c->slide.velocity_m_s, unit);
    for (int i = 0; i < 2; i++)
        dforce[i] = -dlimit * share.slide * unit[i] - limit * dslide[i];
    cf_unit(turn, unit);
    dforce[CF_PATCH_TORQUE] = -dlever * share.spin * unit[0] - limit * r * dspin[0];
}

static const struct cf_patch_friction patch = {.force = patch_force, .vary = patch_vary};

static const struct cf_friction_law over_area = {
    .name = "coulomb",
    .cite = "Gonthier 2007, eqs. 4.205 and 4.208",
    .what = "dry friction that slides and spins",
    .formula = "-mu f_n C_v v/|v|, -mu f_n r_gyr C_w w/|w|",
    .needs = CF_NEEDS_WIDTH,
    .nparam = NPARAM,
    .param = param,
    .parts = cf_no_parts,
    .patch = &patch,
};

const struct cf_friction_law cf_coulomb = {
    .name = "coulomb",
    .cite = "Coulomb 1785; regularised as Gonthier 2007, eqs. 3.32 and 3.33",
    .what = "dry friction, smooth through rest",
    .formula = "-mu f_n dir(v), dir(v) = v/|v| from v_e on, a smooth rise below",
    .needs = CF_NEEDS_NOTHING,
    .nparam = NPARAM,
    .param = param,
    .force = force,
    .vary = vary,
    .parts = cf_no_parts,
    .slip = slip,
    .over_area = &over_area,
};
