/* Force, rates and derivatives of both clutch laws: the equations are in clutch_family.h. */

#include "law/clutch_family.h"

struct clutch {
    double g[2], size; /* k_t x + d_t v */
    bool slips;
    double ratio; /* r; 1 inside the cone */
};

static struct clutch look(const double p[], const struct cf_slide *c, double h)
{
    struct clutch at = {.ratio = 1};

    for (int i = 0; i < 2; i++)
        at.g[i] = p[CF_CLUTCH_K_T] * c->state[i] + p[CF_CLUTCH_D_T] * c->velocity_m_s[i];
    at.size = cf_size(at.g);
    at.slips = h * at.size > p[CF_CLUTCH_MU] * c->normal_N;
    if (at.slips)
        at.ratio = (p[CF_CLUTCH_MU] * c->normal_N * p[CF_CLUTCH_D_T] / at.size + p[CF_CLUTCH_C_V]) /
                   (h * p[CF_CLUTCH_D_T] + p[CF_CLUTCH_C_V]);
    return at;
}

void cf_clutch_force(const double p[], const struct cf_slide *c, double h, double force[2],
                     double rate[])
{
    struct clutch at = {.ratio = 0};

    if (h > 0)
        at = look(p, c, h);
    for (int i = 0; i < 2; i++) {
        force[i] = h > 0 ? -h * at.ratio * at.g[i] : 0;
        if (rate && h > 0 && !at.slips)
            rate[i] = c->velocity_m_s[i];
        else if (rate)
            rate[i] = (at.ratio * at.g[i] - p[CF_CLUTCH_K_T] * c->state[i]) / p[CF_CLUTCH_D_T];
    }
}

/* h and its derivative along a direction. */
struct gear {
    double h, dh;
};

/* Derivative of r; dg is that of g. */
static double ratio_vary(const double p[], const struct cf_slide *c, const struct clutch *at,
                         struct gear gear, const double dg[2], const double d[])
{
    const double *dp = d + CF_BY_PARAM;
    double cone = p[CF_CLUTCH_MU] * c->normal_N;
    double dcone = dp[CF_CLUTCH_MU] * c->normal_N + p[CF_CLUTCH_MU] * d[CF_BY_NORMAL];
    double dsize = cf_dot(at->g, dg) / at->size;
    double above = (dcone * p[CF_CLUTCH_D_T] + cone * dp[CF_CLUTCH_D_T] -
                    cone * p[CF_CLUTCH_D_T] * dsize / at->size) /
                       at->size +
                   dp[CF_CLUTCH_C_V];
    double below = gear.dh * p[CF_CLUTCH_D_T] + gear.h * dp[CF_CLUTCH_D_T] + dp[CF_CLUTCH_C_V];

    return (above - at->ratio * below) / (gear.h * p[CF_CLUTCH_D_T] + p[CF_CLUTCH_C_V]);
}

static void vary_one(const double p[], const struct cf_slide *c, const struct clutch *at,
                     struct gear gear, const double d[], double dforce[2], double drate[])
{
    const double *dv = d + CF_BY_VELOCITY, *dx = d + CF_BY_STATE, *dp = d + CF_BY_PARAM;
    const double *v = c->velocity_m_s, *x = c->state;
    double dg[2], dratio = 0;

    for (int i = 0; i < 2; i++)
        dg[i] = dp[CF_CLUTCH_K_T] * x[i] + p[CF_CLUTCH_K_T] * dx[i] + dp[CF_CLUTCH_D_T] * v[i] +
                p[CF_CLUTCH_D_T] * dv[i];
    if (at->slips)
        dratio = ratio_vary(p, c, at, gear, dg, d);
    for (int i = 0; i < 2; i++) {
        double carried = at->ratio * at->g[i], dcarried = dratio * at->g[i] + at->ratio * dg[i];
        double rate = (carried - p[CF_CLUTCH_K_T] * x[i]) / p[CF_CLUTCH_D_T];
        dforce[i] = -gear.dh * carried - gear.h * dcarried;
        drate[i] = gear.h > 0 && !at->slips
                       ? dv[i]
                       : (dcarried - dp[CF_CLUTCH_K_T] * x[i] - p[CF_CLUTCH_K_T] * dx[i] -
                          dp[CF_CLUTCH_D_T] * rate) /
                             p[CF_CLUTCH_D_T];
    }
}

void cf_clutch_vary(const double p[], const struct cf_slide *c, double h, double by_depth, size_t n,
                    const double d[], double dforce[], double drate[])
{
    struct clutch at = {.ratio = 0};

    if (h > 0)
        at = look(p, c, h);
    for (size_t j = 0; j < n; j++) {
        const double *along = d + j * CF_FRICTION_COLUMNS;
        struct gear gear = {h, by_depth * along[CF_BY_DEPTH]};
        vary_one(p, c, &at, gear, along, dforce + 2 * j, drate + j * CF_FRICTION_STATES);
    }
}

void cf_clutch_parts(const double p[], double h, struct cf_friction_parts *out)
{
    out->stiffness_N_m[0] = h * p[CF_CLUTCH_K_T];
    out->damping_N_s_m = h * p[CF_CLUTCH_D_T];
    out->viscous_N_s_m = p[CF_CLUTCH_C_V];
}

double cf_clutch_slip(const double p[], const struct cf_slide *c, double h)
{
    return h * look(p, c, h).size - p[CF_CLUTCH_MU] * c->normal_N;
}
