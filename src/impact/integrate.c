/* One scaled impact with exponents that a small power makes whole: the source of the curves.
 *
 * With y = z^(1/q) and ds = dt/y^(q-1) the impact z'' = -(z^n + beta z^p w), w = z', is polynomial:
 *
 *   dy/ds = w/q,   dw/ds = -y^a P,   dP/ds = (b/q) y^(b-1) w - beta y^a P,
 *   dt/ds = y^c,   dD/ds = w^2 y^a,
 *
 *   P = y^b + beta w,   a = q (p + 1) - 1,   b = q (n - p),   c = q - 1.
 *
 * The force is z^p P, and beta D is the energy that the damper takes.
 *
 * For small beta w is a state and P follows from it, and ln(e) comes from the energy that was lost.
 * P as the event of the end would be a trap there: it is negative only in a narrow window before
 * y = 0, which one step can jump over. y - (-beta w)^(1/b) has the same zero and falls through it
 * steadily, with a slope that no beta makes small.
 *
 * For larger beta the two terms of P cancel long before the force ends, and w in the end is smaller
 * than the rounding of its start. So P is the state, whose errors die with it, w follows from it,
 * and e from the depth at the end, y^b = beta e.
 */

#include <float.h>
#include <math.h>

#include "impact/direct.h"
#include "impact/scaled.h"

enum { PUSH = CF_NBASIC, NSTATE }; /* P */
enum { MAX_POWER = 8 };            /* of y; more than any named law has */
enum { MAX_STEPS = 100000 };

/* Where P becomes the state. */
static const double WEAK = 0.3;

static double whole_power(double x, int n)
{
    double product = 1;
    while (n-- > 0)
        product *= x;
    return product;
}

/* The scaled impact at one y, for one q. */
struct at {
    int a, b;
    double n, p, beta, y, w, P, yb, ya;
};

static inline struct at read(int q, const double group[], const double x[])
{
    struct at at = {
        .n = group[CF_POWER_N], .p = group[CF_POWER_P], .beta = group[CF_POWER_BETA], .y = x[CF_Y]};

    at.a = (int) (q * (at.p + 1)) - 1;
    at.b = (int) (q * (at.n - at.p));
    at.ya = whole_power(at.y, at.a);
    at.yb = whole_power(at.y, at.b);
    if (at.beta < WEAK) {
        at.w = x[CF_W];
        at.P = at.yb + at.beta * at.w;
    } else {
        at.P = x[PUSH];
        at.w = (at.P - at.yb) / at.beta;
    }
    return at;
}

static inline void rates(int q, const double group[], const double x[], double rate[])
{
    struct at at = read(q, group, x);

    rate[CF_Y] = at.w / q;
    rate[CF_W] = -at.ya * at.P;
    rate[CF_T] = whole_power(at.y, q - 1);
    rate[CF_D] = at.w * at.w * at.ya;
    if (at.beta < WEAK)
        return; /* P is no state */
    rate[PUSH] = -at.beta * at.ya * at.P;
    if (at.b > 0)
        rate[PUSH] += (double) at.b / q * whole_power(at.y, at.b - 1) * at.w;
}

/* dF/ds up to a factor that is positive in contact: it must not be 0 at touch. */
static inline double rise(int q, const double group[], const double x[])
{
    struct at at = read(q, group, x);
    double brake = at.beta * at.ya * at.P;

    if (at.p == 0)
        return at.w * at.n * whole_power(at.y, at.b - 1) - brake;
    return at.w * (at.n * at.yb + at.beta * at.p * at.w) - at.y * brake;
}

static inline void end(int q, const double group[], const double x[], struct cf_sloped *out)
{
    struct at at = read(q, group, x);
    double pull = -at.beta * at.w;

    if (at.b == 0 || at.beta == 0)
        out->value = at.y; /* P > 0 on every impact: the force ends with the depth */
    else if (at.beta >= WEAK)
        out->value = at.P;
    else
        out->value = at.y - (pull > 0 ? pow(pull, 1.0 / at.b) : 0);
}

#define WHOLE(q)                                                                                   \
    static void rates_##q(const double group[], const double x[], double rate[],                   \
                          struct cf_rates_slope *slope)                                            \
    {                                                                                              \
        (void) slope;                                                                              \
        rates(q, group, x, rate);                                                                  \
    }                                                                                              \
    static double rise_##q(const double group[], const double x[])                                 \
    {                                                                                              \
        return rise(q, group, x);                                                                  \
    }                                                                                              \
    static void end_##q(const double group[], const double x[], struct cf_sloped *out)             \
    {                                                                                              \
        end(q, group, x, out);                                                                     \
    }                                                                                              \
    static void speed_##q(const double group[], const double x[], struct cf_sloped *out)           \
    {                                                                                              \
        out->value = read(q, group, x).w;                                                          \
    }
WHOLE(1)
WHOLE(2)
WHOLE(4)

/* Without sensitivities; the answers are computed here. */
static const struct cf_regular regulars[] = {
    {.q = 1, .rates = rates_1, .rise = rise_1, .end = end_1, .speed = speed_1},
    {.q = 2, .rates = rates_2, .rise = rise_2, .end = end_2, .speed = speed_2},
    {.q = 4, .rates = rates_4, .rise = rise_4, .end = end_4, .speed = speed_4},
};
enum { NREGULAR = sizeof regulars / sizeof regulars[0] };

static bool whole(double x)
{
    return x == floor(x) && x >= 0 && x < MAX_POWER;
}

static const struct cf_regular *find(double n, double p)
{
    for (int i = 0; i < NREGULAR; i++)
        if (whole(regulars[i].q * (p + 1) - 1) && whole(regulars[i].q * (n - p)))
            return &regulars[i];
    return NULL;
}

static double force(int q, const double group[], const double x[])
{
    struct at at = read(q, group, x);
    return whole_power(at.y, at.a - q + 1) * at.P;
}

/* Answers at the end of contact. */
static void finish(const struct cf_regular *regular, const double group[], const double x[],
                   struct cf_scaled *out)
{
    struct at at = read(regular->q, group, x);
    double lost = at.beta * x[CF_D];

    out->tau = x[CF_T];
    if (at.b > 0) /* what is left in the spring */
        lost += pow(at.y, regular->q * (at.n + 1)) / (at.n + 1);
    if (at.beta == 0) {
        out->log_e_per_beta = -x[CF_D];
        out->e = 1;
    } else if (at.beta < WEAK) {
        out->log_e_per_beta = 0.5 * log1p(-2 * lost) / at.beta;
        out->e = exp(at.beta * out->log_e_per_beta);
    } else {
        out->e = at.b > 0 ? at.yb / at.beta : -at.w;
        out->log_e_per_beta = log(out->e) / at.beta;
    }
}

/* About how large P is where the force ends: its decay from there on is as fast as the spring's
 * growth, at the depth of an impact that damping alone stops. */
static double push_at_end(double n, double p, double beta)
{
    double log_z = fmin(log((p + 1) / beta) / (p + 1), 0), spring = exp((n - p) * log_z);

    return n > p ? fmin(spring, (n - p) * spring * spring / (beta * (p + 1))) : 1;
}

int cf_scaled_integrate(double n, double p, double beta, double tolerance, struct cf_scaled *out,
                        struct cf_error *err)
{
    const struct cf_regular *found = find(n, p);
    const double group[CF_MAX_GROUP] = {[CF_POWER_N] = n, [CF_POWER_P] = p, [CF_POWER_BETA] = beta};
    struct cf_direct_how how = {.tolerance = fmax(tolerance, DBL_EPSILON), .max_steps = MAX_STEPS};
    struct cf_regular regular;
    struct cf_instants at;
    int status;

    if (!found)
        return cf_fail(err, CF_ESOLVE, "no regular form for z^%g and z^%g zdot", n, p);
    regular = *found;
    regular.nstate = beta < WEAK ? CF_NBASIC : NSTATE;
    how.size = fmin(1, pow(beta, -1 / (regular.q * (p + 1))));
    how.inner = push_at_end(n, p, beta);
    const double touch[CF_MAX_REGULAR] = {[CF_W] = 1, [PUSH] = (n == p) + beta};
    if ((status = cf_direct_run(&regular, group, touch, &how, &at, err)))
        return status;
    *out = (struct cf_scaled){.zeta = whole_power(at.turn.x[CF_Y], regular.q)};
    finish(&regular, group, at.end.x, out);
    out->phi = force(regular.q, group, at.has_peak ? at.peak.x : at.turn.x);
    if (p == 0) /* the force jumps to beta at touch */
        out->phi = fmax(out->phi, beta);
    return CF_OK;
}
