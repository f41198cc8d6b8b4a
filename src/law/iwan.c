/* Iwan's parallel elements: n springs side by side, each behind its own slider, so that a contact
 * yields in n steps and holds no damper and no time.
 *
 *   f    = -f_n sum_i sigma_i x_i
 *   x_i' = v - u^2 max(0, v.x_i/|x_i|) x_i/|x_i| where u > 0, else v
 *   u    = 1 - (1 - |x_i|/x_max,i)/ROUND,   x_max,i = mu_i/sigma_i
 *
 * Iwan 1966; each element is Jenkins's of 1962, with vectors for their scalars as in
 * elasto_plastic.c: what a full slider takes is the part of the slip along its spring, so that the
 * spring turns into the direction of slip.
 *
 * Their slider is full at once: the rate jumps there, derivatives of runs would need an event with
 * a jump at every such place, and on the edge rounding decides whether it slides. Here a slider
 * gives way over the last ROUND of its deflection. On a straight path u is the tanh of the path
 * over ROUND x_max: the force is below that with a sharp corner by at most (1 - tanh 1) ROUND mu_i
 * f_n, and is the same again once the slider is full; a slip that turns before keeps what is
 * missing until then. The motion of scenes/presliding_recorded.yaml under iwan-3 says what that
 * costs and what is left, over mu_c f_n (with a jump: what its samples leave over):
 *
 *   ROUND              0.1      0.01     0.003    0.001    a jump
 *   evaluations/1000   565      584      812      1057     589
 *   largest error      1.4e-2   2.1e-3            3.0e-4   1.9e-4
 *
 * The parameters are those of the curve of first loading, broken at n places. It starts with the
 * stiffness sigma_0 and ends at mu_c. At the i-th place it has risen by the share yield_i of what
 * was left to mu_c, and the share keep_i of its stiffness stays:
 *
 *   K_0 = sigma_0,        K_i = keep_i K_(i-1),                            K_n = 0
 *   F_0 = 0,              F_i = F_(i-1) + yield_i (mu_c - F_(i-1)),        F_n = mu_c
 *   sigma_i = K_(i-1) - K_i,   x_max,i = x_max,(i-1) + (F_i - F_(i-1))/K_(i-1)
 *
 * so that sum sigma_i = sigma_0 and sum mu_i = mu_c. Every choice of springs and limits is one
 * choice of shares, the elements ordered as they give way: a fit meets no other order of the same
 * elements, and no bound but 0 and 1.
 */

#include "law/friction_rows.h"

enum { MU_C, SIGMA_0, SHAPE, MOST = CF_FRICTION_VECTORS };
enum { YIELD, KEEP, NSHARE }; /* of an element but the last, from SHAPE on */

static const double ROUND = 0.01;

struct element {
    double sigma, limit; /* x_max */
};

/* All elements, or, along dp, their derivatives, too. */
static void elements_of(const double p[], size_t n, struct element e[])
{
    double stiffness = p[SIGMA_0], left = p[MU_C], limit = 0;

    for (size_t i = 0; i < n; i++) {
        const double *share = p + SHAPE + NSHARE * i;
        bool last = i + 1 == n;
        double rise = last ? left : share[YIELD] * left;
        double kept = last ? 0 : share[KEEP] * stiffness;

        limit += rise / stiffness;
        e[i] = (struct element){stiffness - kept, limit};
        left -= rise;
        stiffness = kept;
    }
}

static void elements_vary(const double p[], const double dp[], size_t n, struct element de[])
{
    double stiffness = p[SIGMA_0], left = p[MU_C];
    double dstiffness = dp[SIGMA_0], dleft = dp[MU_C], dlimit = 0;

    for (size_t i = 0; i < n; i++) {
        const double *share = p + SHAPE + NSHARE * i, *dshare = dp + SHAPE + NSHARE * i;
        bool last = i + 1 == n;
        double rise = last ? left : share[YIELD] * left;
        double drise = last ? dleft : dshare[YIELD] * left + share[YIELD] * dleft;
        double kept = last ? 0 : share[KEEP] * stiffness;
        double dkept = last ? 0 : dshare[KEEP] * stiffness + share[KEEP] * dstiffness;

        dlimit += (drise - rise / stiffness * dstiffness) / stiffness;
        de[i] = (struct element){dstiffness - dkept, dlimit};
        left -= rise;
        dleft -= drise;
        stiffness = kept;
        dstiffness = dkept;
    }
}

/* u: from where it begins to give way, 1 where it is full */
static double fill_of(const struct element *e, double size)
{
    return 1 - (1 - size / e->limit) / ROUND;
}

/* An element that may be giving way. */
struct slider {
    double size, u, along; /* |x|, u, v.x/|x| */
    bool yields;
};

static struct slider slider_of(const struct element *e, const double v[2], const double x[2])
{
    struct slider at = {.size = cf_size(x)};

    at.u = fill_of(e, at.size);
    if (at.u > 0)
        at.along = cf_dot(v, x) / at.size;
    at.yields = at.along > 0;
    return at;
}

static void force_of(const double p[], const struct cf_slide *c, size_t n, double force[2],
                     double rate[])
{
    const double *v = c->velocity_m_s;
    struct element e[MOST];

    elements_of(p, n, e);
    force[0] = force[1] = 0;
    for (size_t i = 0; i < n; i++) {
        const double *x = c->state + 2 * i;
        for (int k = 0; k < 2; k++)
            force[k] -= c->normal_N * e[i].sigma * x[k];
        if (!rate)
            continue;
        struct slider at = slider_of(&e[i], v, x);
        double given = at.yields ? at.u * at.u * at.along / at.size : 0;
        for (int k = 0; k < 2; k++)
            rate[2 * i + k] = v[k] - given * x[k];
    }
}

/* The rate of one element along (de, dv, dx). */
static void rate_vary(const struct element *e, const struct element *de, const double v[2],
                      const double dv[2], const double x[2], const double dx[2], double drate[2])
{
    struct slider at = slider_of(e, v, x);
    double given = 0, dgiven = 0;

    if (at.yields) {
        double dsize = cf_dot(x, dx) / at.size;
        double du = (dsize - at.size / e->limit * de->limit) / (ROUND * e->limit);
        double dalong = (cf_dot(dv, x) + cf_dot(v, dx) - at.along * dsize) / at.size;
        given = at.u * at.u * at.along / at.size;
        dgiven = at.u * (2 * du * at.along + at.u * dalong - at.u * at.along * dsize / at.size) /
                 at.size;
    }
    for (int k = 0; k < 2; k++)
        drate[k] = dv[k] - dgiven * x[k] - given * dx[k];
}

static void vary_of(const double p[], const struct cf_slide *c, size_t n, size_t ndirection,
                    const double d[], double dforce[], double drate[])
{
    struct element e[MOST], de[MOST];

    elements_of(p, n, e);
    for (; ndirection > 0; ndirection--) {
        elements_vary(p, d + CF_BY_PARAM, n, de);
        dforce[0] = dforce[1] = 0;
        for (size_t i = 0; i < n; i++) {
            const double *x = c->state + 2 * i, *dx = d + CF_BY_STATE + 2 * i;
            double load = c->normal_N * e[i].sigma;
            double dload = d[CF_BY_NORMAL] * e[i].sigma + c->normal_N * de[i].sigma;
            for (int k = 0; k < 2; k++)
                dforce[k] -= dload * x[k] + load * dx[k];
            rate_vary(&e[i], &de[i], c->velocity_m_s, d + CF_BY_VELOCITY, x, dx, drate + 2 * i);
        }
        d += CF_FRICTION_COLUMNS;
        dforce += 2;
        drate += CF_FRICTION_STATES;
    }
}

static void parts_of(const double p[], const struct cf_slide *c, size_t n,
                     struct cf_friction_parts *out)
{
    struct element e[MOST];

    *out = (struct cf_friction_parts){{0}};
    elements_of(p, n, e);
    for (size_t i = 0; i < n; i++)
        out->stiffness_N_m[i] = c->normal_N * e[i].sigma;
}

/* The one that holds longest gives way. */
static double slip_of(const double p[], const struct cf_slide *c, size_t n)
{
    struct element e[MOST];

    elements_of(p, n, e);
    return fill_of(&e[n - 1], cf_size(c->state + 2 * (n - 1)));
}

/* > 0 while an element gives way: it begins at u = 0 along the slip, and ends where the slip turns
 * against it. */
static double corner_of(const double p[], const struct cf_slide *c, size_t n, size_t which)
{
    struct element e[MOST];

    elements_of(p, n, e);
    struct slider at = slider_of(&e[which], c->velocity_m_s, c->state + 2 * which);
    return at.u * (at.u > 0 ? at.along : cf_size(c->velocity_m_s));
}

#define YIELD_OF(i)                                                                                \
    {                                                                                              \
        "yield_" #i, "1", 1e-6, 1, 0.02, 0.98, 0.4, CF_SCALE_LINEAR,                               \
            "place " #i ": it has risen by this share of what was left to mu_c"                    \
    }
#define KEEP_OF(i)                                                                                 \
    {                                                                                              \
        "keep_" #i, "1", 1e-6, 1, 0.01, 0.98, 0.4, CF_SCALE_LINEAR,                                \
            "place " #i ": this share of the stiffness stays behind it"                            \
    }
#define PARAM                                                                                      \
    [MU_C] = CF_PARAM_MU_C, [SIGMA_0] = {                                                          \
                                "sigma_0", "1/m",        1e-3,                                     \
                                1e12,      1e1,          1e8,                                      \
                                1e4,       CF_SCALE_LOG, "stiffness of all elements, per load"}

static const struct cf_param param[SHAPE + NSHARE * (MOST - 1)] = {
    PARAM, YIELD_OF(1), KEEP_OF(1), YIELD_OF(2), KEEP_OF(2), YIELD_OF(3), KEEP_OF(3),
};

/* A law of n elements, and its i-th corner, of the name n_i. */
#define CORNER(name, n, i)                                                                         \
    static double corner_##name(const double p[], const struct cf_slide *c)                        \
    {                                                                                              \
        return corner_of(p, c, n, (i) -1);                                                         \
    }
#define LAW(n, ...)                                                                                \
    static void force_##n(const double p[], const struct cf_slide *c, double f[2], double rate[])  \
    {                                                                                              \
        force_of(p, c, n, f, rate);                                                                \
    }                                                                                              \
    static void vary_all_##n(const double p[], const struct cf_slide *c, size_t ndirection,        \
                             const double d[], double dforce[], double drate[])                    \
    {                                                                                              \
        vary_of(p, c, n, ndirection, d, dforce, drate);                                            \
    }                                                                                              \
    static void vary_##n(const double p[], const struct cf_slide *c, const double d[],             \
                         double dforce[2], double drate[])                                         \
    {                                                                                              \
        vary_of(p, c, n, 1, d, dforce, drate);                                                     \
    }                                                                                              \
    static void parts_##n(const double p[], const struct cf_slide *c,                              \
                          struct cf_friction_parts *out)                                           \
    {                                                                                              \
        parts_of(p, c, n, out);                                                                    \
    }                                                                                              \
    static double slip_##n(const double p[], const struct cf_slide *c)                             \
    {                                                                                              \
        return slip_of(p, c, n);                                                                   \
    }                                                                                              \
    const struct cf_friction_law cf_iwan_##n = {                                                   \
        .name = "iwan-" #n,                                                                        \
        .cite = "Iwan 1966",                                                                       \
        .what = #n " springs side by side, each behind its own slider: yields in steps",           \
        .formula = "-f_n sum sigma_i x_i, x_i' = v; at mu_i/sigma_i only what turns x_i is left",  \
        .needs = CF_NEEDS_NOTHING,                                                                 \
        .nparam = SHAPE + NSHARE * ((n) -1),                                                       \
        .param = param,                                                                            \
        .nstate = 2 * (n),                                                                         \
        .nvector = n,                                                                              \
        .shown = (n) -1,                                                                           \
        .force = force_##n,                                                                        \
        .vary = vary_##n,                                                                          \
        .vary_all = vary_all_##n,                                                                  \
        .parts = parts_##n,                                                                        \
        .slip = slip_##n,                                                                          \
        .corner = {__VA_ARGS__},                                                                   \
    };

CORNER(2_1, 2, 1)
CORNER(2_2, 2, 2)
CORNER(3_1, 3, 1)
CORNER(3_2, 3, 2)
CORNER(3_3, 3, 3)
CORNER(4_1, 4, 1)
CORNER(4_2, 4, 2)
CORNER(4_3, 4, 3)
CORNER(4_4, 4, 4)
LAW(2, corner_2_1, corner_2_2)
LAW(3, corner_3_1, corner_3_2, corner_3_3)
LAW(4, corner_4_1, corner_4_2, corner_4_3, corner_4_4)
