/* Coulomb friction with a smooth start, for comparison.
 *
 *   f = -mu f_n dir(v),  dir(v) = v/|v| from v_e on, (v/v_e)(3/2 - (1/2)(|v|/v_e)^2) below
 *
 * The regularisation is that of Gonthier 2007, eqs. 3.32 and 3.33. It does not stick: under any
 * force the contact creeps.
 */

#include "law/friction_rows.h"

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

const struct cf_friction_law cf_coulomb = {
    .name = "coulomb",
    .cite = "Coulomb 1785; regularised as Gonthier 2007, eqs. 3.32 and 3.33",
    .what = "dry friction, smooth through rest",
    .formula = "-mu f_n dir(v), dir(v) = v/|v| from v_e on, a smooth rise below",
    .nparam = NPARAM,
    .param = param,
    .force = force,
    .vary = vary,
    .parts = cf_no_parts,
    .slip = slip,
};
