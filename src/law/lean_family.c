/* Force, rate and derivatives of bristles that yield as they bend: see lean_family.h. */

#include "law/lean_family.h"

void cf_lean_force(const struct cf_lean *lean, const struct cf_slide *c, double force[2],
                   double rate[])
{
    for (int i = 0; i < 2; i++) {
        double v = c->velocity_m_s[i], x = c->state[i], to = v - lean->w * x;
        force[i] = -c->normal_N * (lean->sigma_0 * x + lean->sigma_1 * to + lean->sigma_2 * v);
        if (rate)
            rate[i] = to;
    }
}

void cf_lean_vary(const struct cf_lean *lean, const struct cf_lean *dlean, const struct cf_slide *c,
                  const double d[], double dforce[2], double drate[])
{
    for (int i = 0; i < 2; i++) {
        double v = c->velocity_m_s[i], x = c->state[i], rate = v - lean->w * x;
        double dv = d[CF_BY_VELOCITY + i], dx = d[CF_BY_STATE + i];
        double q = lean->sigma_0 * x + lean->sigma_1 * rate + lean->sigma_2 * v, dq;
        drate[i] = dv - dlean->w * x - lean->w * dx;
        dq = dlean->sigma_0 * x + lean->sigma_0 * dx + dlean->sigma_1 * rate +
             lean->sigma_1 * drate[i] + dlean->sigma_2 * v + lean->sigma_2 * dv;
        dforce[i] = -d[CF_BY_NORMAL] * q - c->normal_N * dq;
    }
}

void cf_lean_parts(const struct cf_lean *lean, const struct cf_slide *c,
                   struct cf_friction_parts *out)
{
    out->stiffness_N_m[0] = c->normal_N * lean->sigma_0;
    out->damping_N_s_m = c->normal_N * lean->sigma_1;
    out->viscous_N_s_m = c->normal_N * lean->sigma_2;
}

double cf_lean_curve(const double p[], const double v[2])
{
    return p[CF_LEAN_MU_C] +
           (p[CF_LEAN_MU_S] - p[CF_LEAN_MU_C]) * cf_stribeck_share(v, p[CF_LEAN_V_S]);
}

double cf_lean_curve_vary(const double p[], const double v[2], const double d[])
{
    const double *dp = d + CF_BY_PARAM;
    double s = cf_stribeck_share(v, p[CF_LEAN_V_S]);
    double ds = cf_stribeck_share_vary(v, p[CF_LEAN_V_S], s, d + CF_BY_VELOCITY, dp[CF_LEAN_V_S]);

    return dp[CF_LEAN_MU_C] * (1 - s) + dp[CF_LEAN_MU_S] * s +
           (p[CF_LEAN_MU_S] - p[CF_LEAN_MU_C]) * ds;
}

struct cf_lean cf_lean_of(const double p[])
{
    return (struct cf_lean){.sigma_0 = p[CF_LEAN_SIGMA_0],
                            .sigma_1 = p[CF_LEAN_SIGMA_1],
                            .sigma_2 = p[CF_LEAN_SIGMA_2]};
}

double cf_lean_slip(const double p[], const struct cf_slide *c)
{
    return cf_faster(c, p[CF_LEAN_V_S]);
}
