/* Drake's Stribeck friction: rises to mu_s at the slip speed v_s, falls to mu_d at 3 v_s.
 *
 *   f = -mu(|v|/v_s) f_n v/|v|,  mu(r) = mu_s S(r)                       r < 1
 *                                        mu_s - (mu_s - mu_d) S((r-1)/2)  r < 3
 *                                        mu_d                             else
 *   S(x) = x^3 (10 + x (6 x - 15))
 *
 * [DR], and Drake's source for S. It does not stick: under a force below mu_s f_n it creeps at less
 * than v_s. Twice continuously differentiable.
 */

#include "law/friction_rows.h"

enum { MU_S, MU_D, V_S, NPARAM };

static const struct cf_param param[NPARAM] = {
    [MU_S] = CF_PARAM_MU_S,
    [MU_D] = {"mu_d", "1", 1e-6, 10, 0.001, 2, 0.1, CF_SCALE_LINEAR,
              "friction coefficient of sliding"},
    [V_S] = CF_PARAM_V_S("slip speed at which friction peaks"),
};

struct step {
    double value, slope;
};

static struct step step(double x)
{
    return (struct step){x * x * x * (10 + x * (6 * x - 15)), 30 * x * x * (1 - x) * (1 - x)};
}

/* mu and its derivatives by r, mu_s and mu_d. */
struct coefficient {
    double mu, by_r, by_mu_s, by_mu_d;
};

static struct coefficient coefficient(const double p[], double r)
{
    struct step s;

    if (r < 1) {
        s = step(r);
        return (struct coefficient){p[MU_S] * s.value, p[MU_S] * s.slope, s.value, 0};
    }
    if (!(r < 3))
        return (struct coefficient){p[MU_D], 0, 0, 1};
    s = step((r - 1) / 2);
    return (struct coefficient){p[MU_S] - (p[MU_S] - p[MU_D]) * s.value,
                                -(p[MU_S] - p[MU_D]) * s.slope / 2, 1 - s.value, s.value};
}

static void force(const double p[], const struct cf_slide *c, double f[2], double rate[])
{
    const double *v = c->velocity_m_s;
    double speed = cf_size(v);
    double by = speed > 0 ? coefficient(p, speed / p[V_S]).mu * c->normal_N / speed : 0;

    (void) rate;
    f[0] = -by * v[0];
    f[1] = -by * v[1];
}

static void vary(const double p[], const struct cf_slide *c, const double d[CF_FRICTION_COLUMNS],
                 double dforce[2], double drate[])
{
    const double *v = c->velocity_m_s, *dv = d + CF_BY_VELOCITY, *dp = d + CF_BY_PARAM;
    double speed = cf_size(v), by, dby;

    (void) drate;
    dforce[0] = dforce[1] = 0;
    if (!(speed > 0))
        return; /* mu grows as the third power of speed */
    struct coefficient at = coefficient(p, speed / p[V_S]);
    double dspeed = cf_dot(v, dv) / speed;
    double dr = (dspeed - speed * dp[V_S] / p[V_S]) / p[V_S];
    double dmu = at.by_r * dr + at.by_mu_s * dp[MU_S] + at.by_mu_d * dp[MU_D];
    by = at.mu * c->normal_N / speed;
    dby = (dmu * c->normal_N + at.mu * d[CF_BY_NORMAL] - by * dspeed) / speed;
    for (int i = 0; i < 2; i++)
        dforce[i] = -dby * v[i] - by * dv[i];
}

static double slip(const double p[], const struct cf_slide *c)
{
    return cf_faster(c, p[V_S]);
}

const struct cf_friction_law cf_stribeck = {
    .name = "stribeck",
    .cite = "Drake, Computing contact forces; Sherman, Seth & Delp 2011",
    .what = "friction of slip speed alone, which rises to a peak and falls",
    .formula = "-mu(|v|/v_s) f_n v/|v|: 0 to mu_s at 1, mu_d from 3 on, by quintic steps",
    .needs = CF_NEEDS_NOTHING,
    .nparam = NPARAM,
    .param = param,
    .force = force,
    .vary = vary,
    .parts = cf_no_parts,
    .slip = slip,
};
