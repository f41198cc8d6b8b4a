/* The general power law, both exponents free:
 *
 *   F = k z^n + lambda z^p zdot,   never pulling
 *
 * Azad & Featherstone 2014, eq. (1). The units of k and lambda change with n and p. So a fit has
 * the force and the damping at a pivot depth d within the data as its parameters instead, k =
 * pivot_force/d^n and lambda = pivot_damping/d^p: these are nearly independent of the exponents, k
 * and lambda are not.
 *
 * Regular form: z = y^8, chosen by measurement. Powers of y above 7 have as many derivatives at
 * touch as order 8 asks for, and below y = 0 the powers are 0. With L = ln y
 *
 *   dy/ds = w/8,   dw/ds = -y^7 (exp(8 n L) + beta exp(8 p L) w).
 */

#include <float.h>
#include <math.h>

#include "law/regular.h"
#include "law/rows.h"

enum { K, LAMBDA, N, P, NPARAM };
enum { GN = CF_POWER_N, GP = CF_POWER_P, BETA = CF_POWER_BETA, NGROUP };
enum { Q = 8 };

/* Below it y - (-beta w)^(1/b) gives the end, above it y^b + beta w: for small beta the latter is
 * flat where it ends, for large beta and small b the former overflows. */
static const double WEAK = 0.3;

/* Used for beta = 0 in slopes of beta^(1/b), which are infinite there. */
static const double TINY = 1e-12;

static const struct cf_param param[NPARAM] = {
    [K] = {"k", "N/m^n", 1e-3, 1e30, 1e2, 1e13, 1e8, CF_SCALE_LOG, "stiffness"},
    [LAMBDA] = {"lambda", "N s/m^(p+1)", 0, 1e30, 1e-3, 1e9, 1e4, CF_SCALE_LOG,
                "damping coefficient"},
    [N] = {"n", "1", 0.2, 10, 1, 3, 1.5, CF_SCALE_LINEAR, "exponent of the spring"},
    [P] = {"p", "1", 0, 10, 0, 2, 0.5, CF_SCALE_LINEAR, "exponent of the damper"},
};

static const struct cf_alias alias[] = {
    {.name = "pivot_force",
     .unit = "N",
     .target = K,
     .factor = 1,
     .pivot_by = 1 + N,
     .what = "elastic force at the pivot depth: k = pivot_force/pivot^n"},
    {.name = "pivot_damping",
     .unit = "N s/m",
     .target = LAMBDA,
     .factor = 1,
     .pivot_by = 1 + P,
     .what = "damping at the pivot depth: lambda = pivot_damping/pivot^p"},
};

static const char *const unknown[] = {"pivot_force", "pivot_damping", "n", "p", NULL};

static double force(const struct cf_law *self, const double p[], const struct cf_contact *c)
{
    double z = c->depth_m;

    (void) self;
    return z > 0 ? fmax(0, p[K] * pow(z, p[N]) + p[LAMBDA] * pow(z, p[P]) * c->rate_m_s) : 0;
}

/* The force over k, and where damping prevails at touch without the factor that ends with depth */
static double force_end(const double p[], const struct cf_contact *c)
{
    double z = c->depth_m, ratio = p[LAMBDA] / p[K];

    if (p[N] > p[P])
        return pow(z, p[N] - p[P]) + ratio * c->rate_m_s;
    return pow(z, p[N]) + ratio * pow(z, p[P]) * c->rate_m_s;
}

static double energy(const struct cf_law *self, const double p[], const struct cf_contact *c)
{
    (void) self;
    return c->depth_m > 0 ? p[K] * pow(c->depth_m, p[N] + 1) / (p[N] + 1) : 0;
}

static void slope(const struct cf_law *self, const double p[], const struct cf_contact *c,
                  struct cf_force_slope *out)
{
    double z = c->depth_m, w = c->rate_m_s, zn, zp;

    (void) self;
    *out = (struct cf_force_slope){0};
    if (!(z > 0))
        return;
    zn = pow(z, p[N]);
    zp = pow(z, p[P]);
    if (!(p[K] * zn + p[LAMBDA] * zp * w > 0))
        return;
    out->by_depth = (p[N] * p[K] * zn + p[P] * p[LAMBDA] * zp * w) / z;
    out->by_rate = p[LAMBDA] * zp;
    out->by_param[K] = zn;
    out->by_param[LAMBDA] = zp * w;
    out->by_param[N] = p[K] * zn * log(z);
    out->by_param[P] = p[LAMBDA] * zp * log(z) * w;
}

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

static void rates(const double group[], const double x[], double rate[], struct cf_rates_slope *at)
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

static void regular_force(const double group[], const double x[], struct cf_sloped *out)
{
    double y = x[CF_Y], w = x[CF_W], beta = group[BETA], zn, zp;
    double L = powers(group, y, &zn, &zp);

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
    double y = fmax(x[CF_Y], DBL_MIN), w = x[CF_W], beta = group[BETA], L = log(y);
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

/* y - (-beta w)^(1/b), b = 8 (n - p) */
static void end_weak(double b, double beta, const double x[], struct cf_sloped *out)
{
    double w = x[CF_W], size = -beta * w;
    double root = pow(size, 1 / b), slope = pow(fmax(size, TINY), 1 / b - 1) / b;

    out->value = x[CF_Y] - root;
    out->by_state[CF_Y] = 1;
    out->by_state[CF_W] = slope * beta;
    out->by_group[BETA] = slope * w;
    out->by_group[GN] = Q * root * log(fmax(size, TINY)) / (b * b);
    out->by_group[GP] = -out->by_group[GN];
}

/* On the way in the force does not end. Where n <= p it ends with the depth only: as it tends to 0,
 * w no longer changes and z^(n-p) grows against beta w. */
static void end(const double group[], const double x[], struct cf_sloped *out)
{
    double y = x[CF_Y], b = Q * (group[GN] - group[GP]), power;

    out->value = y;
    out->by_state[CF_Y] = 1;
    if (!(b > 0) || x[CF_W] >= 0)
        return;
    if (group[BETA] < WEAK) {
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
    .force = regular_force,
    .rise = rise,
    .stored = stored,
    .end = end,
};

const struct cf_law cf_power = {
    .name = "power",
    .cite = "Azad & Featherstone 2014, eq. 1",
    .what = "spring and damper as powers of depth, both exponents free",
    .formula = "k z^n + lambda z^p zdot",
    .family = CF_FAMILY_NORMAL,
    .nparam = NPARAM,
    .param = param,
    .nalias = sizeof alias / sizeof alias[0],
    .alias = alias,
    .force = force,
    .slope = slope,
    .energy = energy,
    .end = force_end,
    .regular = &cf_power_regular,
    .unknown = unknown,
};
