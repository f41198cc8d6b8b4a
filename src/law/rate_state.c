/* Rate- and state-dependent friction, the standard of rock and machine-tool friction, with one or
 * two state variables.
 *
 *   f = -mu f_n v/|v|,  mu = a asinh(|v|/(2 v_0) exp(m/a)),  m = mu_0 + sum_i b_i psi_i
 *   psi_i = ln(v_0 theta_i/D_ci)
 *   theta_i' = 1 - |v| theta_i/D_ci                               ageing (Dieterich)
 *   theta_i' = -(|v| theta_i/D_ci) ln(|v| theta_i/D_ci)           slip (Ruina)
 *
 * Dieterich 1979; Ruina 1983; asinh in place of the logarithm: Rice & Ben-Zion 1996, Lapusta et al.
 * 2000. Wherever friction is far above a, mu = mu_0 + a ln(|v|/v_0) + sum b_i psi_i; in steady
 * sliding psi_i = -ln(|v|/v_0), mu = mu_0 + (a - sum b_i) ln(|v|/v_0). A contact at rest heals with
 * the logarithm of time under ageing, and not at all under slip.
 *
 * States are the psi_i, and no exponential is formed that could overflow: m/a is 6e8 at a = 1e-9.
 * A new contact starts with psi = 0, that of sliding at v_0.
 *
 * As exp(m/a) is beyond 1e20 for rock, mu jumps at |v| = 0 to all that a run can see. Below v_e =
 * 1e-6 v_0 friction falls to 0 along dir_e(v) ([G07] 3.33): under any force it creeps. What creeps
 * by less than v_0 is, in the law's own terms, sliding: it names no sticking. Where bodies roll, a
 * v_e below 1e-9 of their speed may be lost in the rounding of their slip: a run that stops there
 * names it.
 *
 * v_0 is a reference, at which mu_0 is what steady sliding has: another v_0 with mu_0 moved by
 * (a - sum b_i) times the logarithm of their ratio is the same law. It is given, not fitted.
 */

#include "law/friction_rows.h"

enum { MU_0, A, V_0, FIRST }; /* then b and D_c of each state */
enum { B, D_C, NPER };        /* from FIRST on */
enum { MOST = 2, NPARAM = FIRST + NPER, NPARAM_2 = NPARAM + NPER };

static const double V_E = 1e-6; /* v_e/v_0 */

enum evolution { AGEING, SLIP };

static double creep_of(const double p[])
{
    return V_E * p[V_0];
}

static double b_of(const double p[], size_t i)
{
    return p[FIRST + NPER * i + B];
}

static double d_c_of(const double p[], size_t i)
{
    return p[FIRST + NPER * i + D_C];
}

/* mu at a slip above 0: with L = ln(|v|/(2 v_0)) + m/a it is a asinh(exp(L)). */
struct coefficient {
    double m, rate; /* rate = ln(|v|/v_0) */
    double mu;
    double share; /* d mu/d m = tanh of what asinh gives: 1 to all digits in rock */
    double by_a;
};

static struct coefficient coefficient_of(const double p[], size_t n, double speed,
                                         const double psi[])
{
    struct coefficient at = {.m = p[MU_0], .rate = log(speed / p[V_0])};
    double L, ratio;

    for (size_t i = 0; i < n; i++)
        at.m += b_of(p, i) * psi[i];
    ratio = at.m / p[A];
    L = log(speed / (2 * p[V_0])) + ratio;
    if (L > 0) {
        /* asinh(e^L) = L + ln(1 + sqrt(1 + e^(-2 L))), without the difference of m and a (m/a) */
        double q = exp(-2 * L), root = sqrt(1 + q), rest = at.rate + log1p((root - 1) / 2);
        at.share = 1 / root;
        at.mu = at.m + p[A] * rest;
        at.by_a = rest + q / (root * (1 + root)) * ratio;
    } else {
        double e = exp(L), up = asinh(e);
        at.share = e / sqrt(1 + e * e);
        at.mu = p[A] * up;
        at.by_a = up - at.share * ratio;
    }
    return at;
}

static void force_of(const double p[], const struct cf_slide *c, size_t n, enum evolution by,
                     double f[2], double rate[])
{
    const double *v = c->velocity_m_s, *psi = c->state;
    double speed = cf_size(v), mu = 0, of_rate = 0;

    if (speed > 0) {
        struct coefficient at = coefficient_of(p, n, speed, psi);
        mu = at.mu;
        of_rate = at.rate;
    }
    cf_direction(v, creep_of(p), f);
    for (int i = 0; i < 2; i++)
        f[i] *= -mu * c->normal_N;
    for (size_t i = 0; i < n && rate; i++)
        rate[i] = by == AGEING ? (p[V_0] * exp(-psi[i]) - speed) / d_c_of(p, i)
                               : -speed * (of_rate + psi[i]) / d_c_of(p, i);
}

/* d mu along d, of a slip above 0 that changes by `dspeed`. */
static double mu_vary(const double p[], size_t n, const struct coefficient *at, const double psi[],
                      double speed, double dspeed, const double d[CF_FRICTION_COLUMNS])
{
    const double *dp = d + CF_BY_PARAM, *dpsi = d + CF_BY_STATE;
    double dm = dp[MU_0] + p[A] * (dspeed / speed - dp[V_0] / p[V_0]);

    for (size_t i = 0; i < n; i++)
        dm += b_of(dp, i) * psi[i] + b_of(p, i) * dpsi[i];
    return at->by_a * dp[A] + at->share * dm;
}

static double rate_vary(const double p[], size_t i, enum evolution by, double psi, double heal,
                        double of_rate, double speed, double dspeed,
                        const double d[CF_FRICTION_COLUMNS])
{
    const double *dp = d + CF_BY_PARAM;
    double way = d_c_of(p, i), behind = of_rate + psi, dpsi = d[CF_BY_STATE + i], rate, change;

    if (by == AGEING) {
        rate = (p[V_0] * heal - speed) / way;
        change = heal * (dp[V_0] - p[V_0] * dpsi) - dspeed;
    } else {
        rate = -speed * behind / way;
        change = -dspeed * (behind + 1) + speed * (dp[V_0] / p[V_0] - dpsi);
    }
    return (change - rate * d_c_of(dp, i)) / way;
}

static void vary_of(const double p[], const struct cf_slide *c, size_t n, enum evolution by,
                    size_t ndirection, const double d[], double dforce[], double drate[])
{
    const double *v = c->velocity_m_s, *psi = c->state;
    double speed = cf_size(v), heal[MOST], dir[2];
    struct coefficient at = {.mu = 0};

    if (speed > 0)
        at = coefficient_of(p, n, speed, psi);
    for (size_t i = 0; i < n; i++)
        heal[i] = by == AGEING ? exp(-psi[i]) : 0;
    cf_direction(v, creep_of(p), dir);
    for (; ndirection > 0; ndirection--) {
        const double *dv = d + CF_BY_VELOCITY;
        double dspeed = speed > 0 ? cf_dot(v, dv) / speed : 0, ddir[2];
        double dmu = speed > 0 ? mu_vary(p, n, &at, psi, speed, dspeed, d) : 0;
        cf_direction_vary(v, creep_of(p), dv, V_E * d[CF_BY_PARAM + V_0], ddir);
        for (int k = 0; k < 2; k++)
            dforce[k] = -(dmu * c->normal_N + at.mu * d[CF_BY_NORMAL]) * dir[k] -
                        at.mu * c->normal_N * ddir[k];
        for (size_t i = 0; i < n; i++)
            drate[i] = rate_vary(p, i, by, psi[i], heal[i], at.rate, speed, dspeed, d);
        d += CF_FRICTION_COLUMNS;
        dforce += 2;
        drate += CF_FRICTION_STATES;
    }
}

/* ---- the rows */

#define FRICTION                                                                                   \
    {                                                                                              \
        "mu_0", "1", 1e-6, 10, 0.01, 2, 0.6, CF_SCALE_LINEAR,                                      \
            "friction coefficient of steady sliding at v_0"                                        \
    }
#define DIRECT                                                                                     \
    {                                                                                              \
        "a_rate", "1", 1e-9, 1, 1e-4, 0.1, 0.01, CF_SCALE_LOG,                                     \
            "direct effect a: what an e-fold of speed adds at once"                                \
    }
#define REFERENCE                                                                                  \
    {                                                                                              \
        "v_0", "m/s", 1e-12, 1e3, 1e-9, 1, 1e-3, CF_SCALE_LOG,                                     \
            "reference speed, to which mu_0 belongs: given, not fitted"                            \
    }
#define EVOLUTION(name, low, typical)                                                              \
    {                                                                                              \
        name, "1", -1, 1, low, 0.1, typical, CF_SCALE_LINEAR,                                      \
            "evolution effect b: what an e-fold of speed takes away after it"                      \
    }
#define WAY(name, typical)                                                                         \
    {                                                                                              \
        name, "m", 1e-12, 1, 1e-8, 0.1, typical, CF_SCALE_LOG, "slip D_c over which it is taken"   \
    }

static const struct cf_param one[NPARAM] = {
    [MU_0] = FRICTION,
    [A] = DIRECT,
    [V_0] = REFERENCE,
    [FIRST + B] = EVOLUTION("b_state", 0, 0.012),
    [FIRST + D_C] = WAY("d_c", 1e-5),
};
static const struct cf_param two[NPARAM_2] = {
    [MU_0] = FRICTION,
    [A] = DIRECT,
    [V_0] = REFERENCE,
    [FIRST + B] = EVOLUTION("b_state_1", 0, 0.012),
    [FIRST + D_C] = WAY("d_c_1", 1e-5),
    [NPARAM + B] = EVOLUTION("b_state_2", -0.1, 0.004),
    [NPARAM + D_C] = WAY("d_c_2", 1e-4),
};

#define FORMULA                                                                                    \
    "-f_n a_rate asinh(|v|/(2 v_0) exp((mu_0 + b_state ln(v_0 theta/d_c))/a_rate)) v/|v|, "
#define FORMULA_2                                                                                  \
    "-f_n a_rate asinh(|v|/(2 v_0) exp((mu_0 + sum b_state_i ln(v_0 theta_i/d_c_i))/a_rate)) "     \
    "v/|v|, "
#define REGULAR "; regularised: Lapusta, Rice, Ben-Zion & Zheng 2000"

#define LAW(id, n, by, table, name_, cite_, what_, formula_)                                       \
    static void id##_force(const double p[], const struct cf_slide *c, double f[2], double rate[]) \
    {                                                                                              \
        force_of(p, c, n, by, f, rate);                                                            \
    }                                                                                              \
    static void id##_vary_all(const double p[], const struct cf_slide *c, size_t ndirection,       \
                              const double d[], double dforce[], double drate[])                   \
    {                                                                                              \
        vary_of(p, c, n, by, ndirection, d, dforce, drate);                                        \
    }                                                                                              \
    static void id##_vary(const double p[], const struct cf_slide *c,                              \
                          const double d[CF_FRICTION_COLUMNS], double dforce[2], double drate[])   \
    {                                                                                              \
        vary_of(p, c, n, by, 1, d, dforce, drate);                                                 \
    }                                                                                              \
    const struct cf_friction_law cf_##id = {                                                       \
        .name = name_,                                                                             \
        .cite = cite_ REGULAR,                                                                     \
        .what = what_,                                                                             \
        .formula = formula_,                                                                       \
        .needs = CF_NEEDS_NOTHING,                                                                 \
        .nparam = sizeof table / sizeof table[0],                                                  \
        .param = table,                                                                            \
        .nstate = n,                                                                               \
        .force = id##_force,                                                                       \
        .vary = id##_vary,                                                                         \
        .vary_all = id##_vary_all,                                                                 \
        .parts = cf_no_parts,                                                                      \
        .creep = creep_of,                                                                         \
    };

LAW(rate_state, 1, AGEING, one, "rate-state", "Dieterich 1979",
    "friction of speed and of the age of contacts, which also heals at rest",
    FORMULA "theta' = 1 - |v| theta/d_c")
LAW(rate_state_slip, 1, SLIP, one, "rate-state-slip", "Ruina 1983",
    "friction of speed and of a state that only slip changes",
    FORMULA "theta' = -(|v| theta/d_c) ln(|v| theta/d_c)")
LAW(rate_state_2, MOST, AGEING, two, "rate-state-2", "Dieterich 1979; Ruina 1983",
    "rate-state with two state variables", FORMULA_2 "theta_i' = 1 - |v| theta_i/d_c_i")
LAW(rate_state_slip_2, MOST, SLIP, two, "rate-state-slip-2",
    "Ruina 1983; Gu, Rice, Ruina & Tse 1984", "rate-state-slip with two state variables",
    FORMULA_2 "theta_i' = -(|v| theta_i/d_c_i) ln(|v| theta_i/d_c_i)")
