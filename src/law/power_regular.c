/* The regular form of k z^n + lambda z^p zdot with any exponents.
 *
 * z = y^8, chosen by measurement. Powers of y above 7 have as many derivatives at
 * touch as order 8 asks for, and below y = 0 the powers are 0. With L = ln y
 *
 *   dy/ds = w/8,   dw/ds = -y^7 (exp(8 n L) + beta exp(8 p L) w).
 *
 * For large beta the two terms of the force cancel long before it ends, and w is smaller there than
 * the rounding of its start. So u = w + z^(n-p)/beta, which the force is proportional to, is the
 * state in place of w: it starts from 1 as well, and its errors die with it.
 *
 *   du/ds = -beta y^7 z^p u + (n - p) z^(n-p)/(beta y) w,   f = beta z^p u.
 */

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "law/regular.h"

enum { K, LAMBDA, N, P }; /* parameters of `power` */
enum { GN = CF_POWER_N, GP = CF_POWER_P, BETA = CF_POWER_BETA, NGROUP };
enum { Q = 8 };

/* Below it, and where b is small, y - (-beta w)^(1/b) gives the end, else y^b + beta w: for small
 * beta the latter is flat where it ends, for small b it falls from 1 to 0 as y does from next to
 * nothing, which no step sees. For large beta and b the former is steep at the turn. */
static const double WEAK = 0.3;

/* From this beta on u is the state, where z^(n-p)/y is smooth enough at touch; where it is less so,
 * from where it matters less. */
static const double STRONG = 3, APART = 0.5, STRONGER = 10, LEAST_APART = 0.13;

/* Exponents no further apart end as equal ones do, with the depth: where spring and damper hold
 * each other, they differ by no more than rounding up to there. e changes by this times a
 * logarithm. */
static const double SAME = 5e-13;

/* ln of a y that no impact reaches: with small b the root would overflow behind the end. */
static const double LOG_BEYOND = 1;

/* Used for beta = 0 in slopes of beta^(1/b), which are infinite there. */
static const double TINY = 1e-12;

/* Z = (m v^2/k)^(1/(n+1)), beta = (lambda/k) Z^(p-n) v */
static void scale(const double p[], double mass_kg, double speed_m_s, struct cf_graded *length_m,
                  struct cf_graded group[], double *size)
{
    double share = 1 / (p[N] + 1), power = p[P] - p[N];
    double log_Z = share * log(mass_kg * speed_m_s * speed_m_s / p[K]), Z = exp(log_Z);
    double unit = exp(power * log_Z) * speed_m_s / p[K], beta = p[LAMBDA] * unit;

    *length_m = (struct cf_graded){Z, {0}, 2 * share * Z / speed_m_s, share * Z / mass_kg};
    length_m->by_param[K] = -share * Z / p[K];
    length_m->by_param[N] = -share * log_Z * Z;
    group[GN] = (struct cf_graded){.value = p[N]};
    group[GN].by_param[N] = 1;
    group[GP] = (struct cf_graded){.value = p[P]};
    group[GP].by_param[P] = 1;
    group[BETA].value = beta;
    group[BETA].by_param[K] = -beta * (1 + power * share) / p[K];
    group[BETA].by_param[LAMBDA] = unit;
    group[BETA].by_param[N] = -beta * log_Z * (1 + power * share);
    group[BETA].by_param[P] = beta * log_Z;
    group[BETA].by_speed = beta * (1 + 2 * power * share) / speed_m_s;
    group[BETA].by_mass = beta * power * share / mass_kg;
    *size = fmin(1, pow(beta, -1 / (Q * (p[P] + 1))));
}

static double seventh(double y)
{
    double y3 = y * y * y;
    return y3 * y3 * y;
}

/* z^n and z^p from y, and ln(y), 0 where y < 0. */
static double powers(const double group[], double y, double *zn, double *zp)
{
    double L = log(y);

    if (y > 0) {
        *zn = exp(Q * group[GN] * L);
        *zp = exp(Q * group[GP] * L);
        return L;
    }
    *zn = 0;
    *zp = y == 0 && group[GP] == 0; /* the force jumps at touch */
    return 0;
}

static void weak_rates(const double group[], const double x[], double rate[],
                       struct cf_rates_slope *at)
{
    double y = x[CF_Y], w = x[CF_W], beta = group[BETA], zn, zp, y7 = seventh(y), f, f_y, lost;
    double L = powers(group, y, &zn, &zp);

    f = zn + beta * zp * w;
    lost = y7 * zp * w;
    rate[CF_Y] = w / Q;
    rate[CF_W] = -y7 * f;
    rate[CF_T] = y7;
    rate[CF_D] = beta * lost * w;
    if (!at)
        return;
    at->by_state[CF_Y][CF_W] = 1.0 / Q;
    at->by_state[CF_W][CF_W] = -y7 * beta * zp;
    at->by_state[CF_D][CF_W] = 2 * beta * lost;
    at->by_group[CF_W][BETA] = -lost;
    at->by_group[CF_D][BETA] = lost * w;
    if (!(y > 0))
        return;
    f_y = (Q * group[GN] * zn + Q * group[GP] * beta * zp * w) / y;
    at->by_state[CF_W][CF_Y] = -y7 * (f_y + (Q - 1) * f / y);
    at->by_state[CF_T][CF_Y] = (Q - 1) * y7 / y;
    at->by_state[CF_D][CF_Y] = (Q * group[GP] + Q - 1) * beta * lost * w / y;
    at->by_group[CF_W][GN] = -y7 * Q * L * zn;
    at->by_group[CF_W][GP] = -Q * L * beta * lost;
    at->by_group[CF_D][GP] = Q * L * beta * lost * w;
}

/* u is the state, and w follows from it, with its derivatives. */
struct strong {
    double w, w_y, w_beta, w_n; /* w_p = -w_n */
    double decay, gain;         /* beta y^7 z^p, (n - p) z^(n-p)/(beta y) */
    double L, b, zb, zp;
};

static bool is_strong(const double group[])
{
    double apart = group[GN] - group[GP];

    return group[BETA] >= (apart >= APART ? STRONG : STRONGER) && apart >= LEAST_APART;
}

static struct strong look(const double group[], const double x[])
{
    double y = x[CF_Y], beta = group[BETA], zn;
    struct strong at = {.b = Q * (group[GN] - group[GP])};

    at.L = powers(group, y, &zn, &at.zp);
    at.zb = y > 0 ? exp(at.b * at.L) : 0;
    at.w = x[CF_W] - at.zb / beta;
    at.decay = beta * seventh(y) * at.zp;
    if (!(y > 0))
        return at;
    at.gain = at.b / Q * at.zb / (beta * y);
    at.w_y = -at.b * at.zb / (beta * y);
    at.w_beta = at.zb / (beta * beta);
    at.w_n = -Q * at.L * at.zb / beta;
    return at;
}

static void strong_rates(const double group[], const double x[], double rate[],
                         struct cf_rates_slope *by)
{
    struct strong at = look(group, x);
    double y = x[CF_Y], u = x[CF_W], beta = group[BETA], w = at.w;
    double decay_y, decay_p, gain_y, gain_n;

    rate[CF_Y] = w / Q;
    rate[CF_W] = -at.decay * u + at.gain * w;
    rate[CF_T] = seventh(y);
    rate[CF_D] = at.decay * w * w;
    if (!by)
        return;
    by->by_state[CF_Y][CF_W] = 1.0 / Q;
    by->by_state[CF_W][CF_W] = -at.decay + at.gain;
    by->by_state[CF_D][CF_W] = 2 * at.decay * w;
    if (!(y > 0))
        return;
    decay_y = at.decay * (Q - 1 + Q * group[GP]) / y;
    decay_p = Q * at.L * at.decay;
    gain_y = at.gain * (at.b - 1) / y;
    gain_n = at.zb / (beta * y) + Q * at.L * at.gain; /* gain_p = -gain_n */
    by->by_state[CF_Y][CF_Y] = at.w_y / Q;
    by->by_group[CF_Y][BETA] = at.w_beta / Q;
    by->by_group[CF_Y][GN] = at.w_n / Q;
    by->by_group[CF_Y][GP] = -at.w_n / Q;
    by->by_state[CF_W][CF_Y] = -decay_y * u + gain_y * w + at.gain * at.w_y;
    by->by_group[CF_W][BETA] = -at.decay / beta * u - at.gain / beta * w + at.gain * at.w_beta;
    by->by_group[CF_W][GN] = gain_n * w + at.gain * at.w_n;
    by->by_group[CF_W][GP] = -decay_p * u - gain_n * w - at.gain * at.w_n;
    by->by_state[CF_T][CF_Y] = (Q - 1) * seventh(y) / y;
    by->by_state[CF_D][CF_Y] = decay_y * w * w + 2 * at.decay * w * at.w_y;
    by->by_group[CF_D][BETA] = at.decay / beta * w * w + 2 * at.decay * w * at.w_beta;
    by->by_group[CF_D][GN] = 2 * at.decay * w * at.w_n;
    by->by_group[CF_D][GP] = decay_p * w * w - 2 * at.decay * w * at.w_n;
}

/* ln Z of an impact that damping alone stops, where it stops it sooner than a spring. */
static double log_stopped(const double group[])
{
    double p1 = group[GP] + 1;

    return fmin(0, log(p1 / group[BETA]) / p1);
}

/* u where its decay and gain are equal; w where spring and damper hold each other: both at the
 * depth of an impact that damping alone stops. */
static double last(const double group[])
{
    double beta = group[BETA], p1 = group[GP] + 1, apart = group[GN] - group[GP];
    double spring = exp(apart * log_stopped(group));

    return fmin(1, is_strong(group) ? apart * spring * spring / (beta * beta * p1) : spring / beta);
}

/* The integral of beta z^p over time, from that depth to 0 at the w of above. Where n > p, the
 * force ends before much has decayed. */
static double decay(const double group[])
{
    double beta = group[BETA], power = 2 * group[GP] + 1 - group[GN];

    if (group[GN] - group[GP] > SAME)
        return 0;
    return beta * beta * exp(power * log_stopped(group)) / power;
}

static void speed(const double group[], const double x[], struct cf_sloped *out)
{
    struct strong at;

    if (!is_strong(group)) {
        out->value = x[CF_W];
        out->by_state[CF_W] = 1;
        return;
    }
    at = look(group, x);
    out->value = at.w;
    out->by_state[CF_W] = 1;
    out->by_state[CF_Y] = at.w_y;
    out->by_group[BETA] = at.w_beta;
    out->by_group[GN] = at.w_n;
    out->by_group[GP] = -at.w_n;
}

static void rates(const double group[], const double x[], double rate[], struct cf_rates_slope *at)
{
    if (is_strong(group))
        strong_rates(group, x, rate, at);
    else
        weak_rates(group, x, rate, at);
}

static void regular_force(const double group[], const double x[], struct cf_sloped *out)
{
    double y = x[CF_Y], w = x[CF_W], beta = group[BETA], zn, zp;
    double L = powers(group, y, &zn, &zp);

    zn = is_strong(group) ? 0 : zn; /* what u holds, too */
    out->value = zn + beta * zp * w;
    out->by_state[CF_W] = beta * zp;
    out->by_group[BETA] = zp * w;
    if (!(y > 0))
        return;
    out->by_state[CF_Y] = Q * (group[GN] * zn + group[GP] * beta * zp * w) / y;
    out->by_group[GN] = Q * L * zn;
    out->by_group[GP] = Q * L * beta * zp * w;
}

/* The rate of force over z^min(n, p), which would hide its sign at touch. */
static double rise(const double group[], const double x[])
{
    double y = fmax(x[CF_Y], DBL_MIN), beta = group[BETA], L = log(y);
    double w = is_strong(group) ? look(group, x).w : x[CF_W];
    double apart = group[GN] - group[GP], ratio = exp(-fabs(Q * apart * L) * (L < 0 ? 1 : -1));
    double an = apart > 0 ? ratio : 1, ap = apart > 0 ? 1 : ratio;
    double z_low = exp(Q * fmin(group[GN], group[GP]) * L), z = seventh(y) * y;

    return w * (group[GN] * an + beta * group[GP] * ap * w) -
           beta * z * z_low * ap * (an + beta * ap * w);
}

static void stored(const double group[], const double x[], struct cf_sloped *out)
{
    double y = x[CF_Y], n1 = group[GN] + 1, energy;

    if (!(y > 0))
        return;
    energy = exp(Q * n1 * log(y)) / n1;
    out->value = energy;
    out->by_state[CF_Y] = Q * n1 * energy / y;
    out->by_group[GN] = energy * (Q * log(y) - 1 / n1);
}

static double root_of(double size, double b)
{
    return exp(fmin(log(size) / b, LOG_BEYOND));
}

/* y - (-beta w)^(1/b), b = 8 (n - p) */
static void end_weak(double b, double beta, const double x[], struct cf_sloped *out)
{
    double w = x[CF_W], size = fmax(-beta * w, 0), some = fmax(size, TINY);
    double root = root_of(size, b), slope = root_of(some, b) / (b * some);

    out->value = x[CF_Y] - root;
    out->by_state[CF_Y] = 1;
    out->by_state[CF_W] = slope * beta;
    out->by_group[BETA] = slope * w;
    out->by_group[GN] = Q * root * log(some) / (b * b);
    out->by_group[GP] = -out->by_group[GN];
}

/* On the way in the force does not end. Where n <= p, or as good as that, it ends with the depth
 * only: as it tends to 0, w no longer changes and z^(n-p) grows against beta w. */
static void end(const double group[], const double x[], struct cf_sloped *out)
{
    double y = x[CF_Y], b = Q * (group[GN] - group[GP]), power;

    if (is_strong(group) && look(group, x).w < 0) {
        out->value = x[CF_W];
        out->by_state[CF_W] = 1;
        return;
    }
    out->value = y;
    out->by_state[CF_Y] = 1;
    if (!(b > Q * SAME) || is_strong(group) || x[CF_W] >= 0)
        return;
    if (group[BETA] < WEAK || b < Q * LEAST_APART) {
        end_weak(b, group[BETA], x, out);
        return;
    }
    power = y > 0 ? pow(y, b) : 0;
    out->value = power + group[BETA] * x[CF_W];
    out->by_state[CF_Y] = y > 0 ? b * power / y : 0;
    out->by_state[CF_W] = group[BETA];
    out->by_group[BETA] = x[CF_W];
    out->by_group[GN] = y > 0 ? Q * power * log(y) : 0;
    out->by_group[GP] = -out->by_group[GN];
}

const struct cf_regular cf_power_regular = {
    .nstate = CF_NBASIC,
    .ngroup = NGROUP,
    .q = Q,
    .scale = scale,
    .rates = rates,
    .speed = speed,
    .last = last,
    .decay = decay,
    .force = regular_force,
    .rise = rise,
    .stored = stored,
    .end = end,
};
