/* Force, rates and derivatives of both bristle laws: the equations are in bristle_family.h. */

#include "law/bristle_family.h"

static const double V_E = 0.01; /* v_e/v_s: Gonthier 2007, section 3.2.2 */

const struct cf_param cf_bristle_param[CF_BRISTLE_NPARAM] = {
    [CF_BRISTLE_MU_S] = CF_PARAM_MU_S,       [CF_BRISTLE_MU_C] = CF_PARAM_MU_C,
    [CF_BRISTLE_SIGMA_0] = CF_PARAM_SIGMA_0, [CF_BRISTLE_SIGMA_1] = CF_PARAM_SIGMA_1(1e-9),
    [CF_BRISTLE_SIGMA_2] = CF_PARAM_SIGMA_2, [CF_BRISTLE_V_S] = CF_PARAM_V_S(CF_STRIBECK_SPEED),
    [CF_BRISTLE_TAU_DW] = CF_PARAM_TAU_DW,
};

const double cf_bristle_rested[CF_BRISTLE_NSTATE] = {[CF_BRISTLE_DWELL] = 1};
/* A contact before saturation. */
struct bristle {
    const double *v, *x;
    double sigma_0, sigma_1;
    double s;                 /* share of sticking */
    double dwell;             /* s_dw */
    double dir[2];            /* dir(v) */
    double slide[2];          /* x' of sliding */
    double rate[2];           /* x' */
    double q[2], size, limit; /* |q|, q_max */
};

static void look(const double p[], const struct cf_slide *c, double L, struct bristle *b)
{
    double sigma_0 = p[CF_BRISTLE_SIGMA_0], sigma_1 = p[CF_BRISTLE_SIGMA_1], dir[2];

    b->v = c->velocity_m_s;
    b->x = c->state;
    b->sigma_0 = sigma_0;
    b->sigma_1 = sigma_1;
    b->s = cf_stribeck_share(b->v, p[CF_BRISTLE_V_S]);
    b->dwell = p[CF_BRISTLE_TAU_DW] > 0 ? c->state[CF_BRISTLE_DWELL] : b->s;
    b->limit = L * (p[CF_BRISTLE_MU_C] + (p[CF_BRISTLE_MU_S] - p[CF_BRISTLE_MU_C]) * b->dwell);
    cf_direction(b->v, V_E * p[CF_BRISTLE_V_S], dir);
    for (int i = 0; i < 2; i++) {
        double slide = (L * p[CF_BRISTLE_MU_C] * dir[i] - sigma_0 * b->x[i]) / sigma_1;
        double rate = b->s * b->v[i] + (1 - b->s) * slide;
        b->dir[i] = dir[i];
        b->slide[i] = slide;
        b->rate[i] = rate;
        b->q[i] = sigma_0 * b->x[i] + sigma_1 * rate;
    }
    b->size = cf_size(b->q);
}

/* A dwell that follows a share of sticking which falls slowly is as near to it as rounding: it
 * counts as falling as long as it is no more than this below. */
static const double TIE = 1e-12;

static bool grows(double s, double dwell)
{
    return s - dwell > TIE;
}

/* 1/time of the dwell's change. */
static double pace(const double p[], double s, double dwell)
{
    if (!(p[CF_BRISTLE_TAU_DW] > 0))
        return 0;
    return grows(s, dwell) ? 1 / p[CF_BRISTLE_TAU_DW]
                           : p[CF_BRISTLE_SIGMA_0] / p[CF_BRISTLE_SIGMA_1];
}

double cf_bristle_dwell_rate(const double p[], double s, double dwell)
{
    return pace(p, s, dwell) * (s - dwell);
}

double cf_bristle_dwell_rate_vary(const double p[], double s, double dwell, double ds,
                                  double ddwell, const double dp[])
{
    double speed = pace(p, s, dwell), dspeed;

    if (!(p[CF_BRISTLE_TAU_DW] > 0))
        dspeed = 0;
    else if (grows(s, dwell))
        dspeed = -dp[CF_BRISTLE_TAU_DW] * speed * speed;
    else
        dspeed = (dp[CF_BRISTLE_SIGMA_0] - speed * dp[CF_BRISTLE_SIGMA_1]) / p[CF_BRISTLE_SIGMA_1];
    return dspeed * (s - dwell) + speed * (ds - ddwell);
}

void cf_bristle_force(const double p[], const struct cf_slide *c, struct cf_bristle_load load,
                      double force[2], double rate[])
{
    struct bristle b;
    bool saturated;
    double shrink;

    look(p, c, load.limit, &b);
    saturated = b.size > b.limit;
    shrink = saturated ? b.limit / b.size : 1;

    for (int i = 0; i < 2; i++)
        force[i] = -load.force * (shrink * b.q[i] + p[CF_BRISTLE_SIGMA_2] * b.v[i]);
    if (!rate)
        return;
    for (int i = 0; i < 2; i++)
        rate[i] = saturated ? (shrink * b.q[i] - b.sigma_0 * b.x[i]) / b.sigma_1 : b.rate[i];
    rate[CF_BRISTLE_DWELL] = cf_bristle_dwell_rate(p, b.s, b.dwell);
}

/* Derivatives of s, s_dw, q_max, and of q and x' before saturation. */
struct change {
    double s, dwell, limit, q[2], rate[2];
};

static void change_of(const double p[], const struct bristle *b, double L, double dL,
                      const double d[], struct change *to)
{
    const double *dv = d + CF_BY_VELOCITY, *dx = d + CF_BY_STATE, *dp = d + CF_BY_PARAM;
    double mu_c = p[CF_BRISTLE_MU_C], extra = p[CF_BRISTLE_MU_S] - mu_c, ddir[2];

    to->s = cf_stribeck_share_vary(b->v, p[CF_BRISTLE_V_S], b->s, dv, dp[CF_BRISTLE_V_S]);
    to->dwell = p[CF_BRISTLE_TAU_DW] > 0 ? dx[CF_BRISTLE_DWELL] : to->s;
    to->limit =
        dL * (mu_c + extra * b->dwell) + L * (dp[CF_BRISTLE_MU_C] * (1 - b->dwell) +
                                              dp[CF_BRISTLE_MU_S] * b->dwell + extra * to->dwell);
    cf_direction_vary(b->v, V_E * p[CF_BRISTLE_V_S], dv, V_E * dp[CF_BRISTLE_V_S], ddir);
    for (int i = 0; i < 2; i++) {
        double spring = dp[CF_BRISTLE_SIGMA_0] * b->x[i] + b->sigma_0 * dx[i];
        double push = (dL * mu_c + L * dp[CF_BRISTLE_MU_C]) * b->dir[i] + L * mu_c * ddir[i];
        double slide = (push - spring - dp[CF_BRISTLE_SIGMA_1] * b->slide[i]) / b->sigma_1;
        to->rate[i] = to->s * (b->v[i] - b->slide[i]) + b->s * dv[i] + (1 - b->s) * slide;
        to->q[i] = spring + dp[CF_BRISTLE_SIGMA_1] * b->rate[i] + b->sigma_1 * to->rate[i];
    }
}

/* q = q_max q/|q| in place of q. */
static void saturate(const struct bristle *b, const double d[], struct change *to, double q[2])
{
    const double *dx = d + CF_BY_STATE, *dp = d + CF_BY_PARAM;
    double shrink = b->limit / b->size;
    double growth = (to->limit - shrink * cf_dot(b->q, to->q) / b->size) / b->size;

    for (int i = 0; i < 2; i++) {
        double rate = (shrink * b->q[i] - b->sigma_0 * b->x[i]) / b->sigma_1;
        q[i] = shrink * b->q[i];
        to->q[i] = shrink * to->q[i] + growth * b->q[i];
        to->rate[i] = (to->q[i] - dp[CF_BRISTLE_SIGMA_0] * b->x[i] - b->sigma_0 * dx[i] -
                       dp[CF_BRISTLE_SIGMA_1] * rate) /
                      b->sigma_1;
    }
}

/* Along one direction. */
static void vary_one(const double p[], const struct bristle *b, struct cf_bristle_load load,
                     struct cf_bristle_load dload, const double d[], double dforce[2],
                     double drate[])
{
    const double *dv = d + CF_BY_VELOCITY, *dp = d + CF_BY_PARAM;
    struct change to;
    double q[2] = {b->q[0], b->q[1]};

    change_of(p, b, load.limit, dload.limit, d, &to);
    if (b->size > b->limit)
        saturate(b, d, &to, q);
    for (int i = 0; i < 2; i++) {
        dforce[i] = -dload.force * (q[i] + p[CF_BRISTLE_SIGMA_2] * b->v[i]) -
                    load.force * (to.q[i] + dp[CF_BRISTLE_SIGMA_2] * b->v[i] +
                                  p[CF_BRISTLE_SIGMA_2] * dv[i]);
        drate[i] = to.rate[i];
    }
    drate[CF_BRISTLE_DWELL] = cf_bristle_dwell_rate_vary(p, b->s, b->dwell, to.s, to.dwell, dp);
}

void cf_bristle_vary(const double p[], const struct cf_slide *c, struct cf_bristle_load load,
                     struct cf_bristle_load per_N, size_t n, const double d[], double dforce[],
                     double drate[])
{
    struct bristle b;

    look(p, c, load.limit, &b);
    for (size_t i = 0; i < n; i++, d += CF_FRICTION_COLUMNS) {
        double more_N = d[CF_BY_NORMAL];
        struct cf_bristle_load dload = {per_N.limit * more_N, per_N.force * more_N};
        vary_one(p, &b, load, dload, d, dforce + 2 * i, drate + i * CF_FRICTION_STATES);
    }
}

double cf_bristle_slip(const double p[], const struct cf_slide *c)
{
    return cf_faster(c, p[CF_BRISTLE_V_S]);
}

double cf_bristle_dwell_corner(const double p[], const struct cf_slide *c)
{
    return p[CF_BRISTLE_TAU_DW] > 0
               ? c->state[CF_BRISTLE_DWELL] -
                     cf_stribeck_share(c->velocity_m_s, p[CF_BRISTLE_V_S]) + TIE
               : -1;
}

double cf_bristle_corner(const double p[], const struct cf_slide *c, struct cf_bristle_load load)
{
    struct bristle b;

    look(p, c, load.limit, &b);
    return b.size + b.limit > 0 ? (b.size - b.limit) / (b.size + b.limit) : -1;
}

void cf_bristle_parts(const double p[], double force_scale, struct cf_friction_parts *out)
{
    out->stiffness_N_m[0] = force_scale * p[CF_BRISTLE_SIGMA_0];
    out->damping_N_s_m = force_scale * p[CF_BRISTLE_SIGMA_1];
    out->viscous_N_s_m = force_scale * p[CF_BRISTLE_SIGMA_2];
}
