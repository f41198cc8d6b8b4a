/* The general power law, both exponents free:
 *
 *   F = k z^n + lambda z^p zdot,   never pulling
 *
 * Azad & Featherstone 2014, eq. (1). The units of k and lambda change with n and p. So a fit has
 * the force and the damping at a pivot depth d within the data as its parameters instead, k =
 * pivot_force/d^n and lambda = pivot_damping/d^p: these are nearly independent of the exponents, k
 * and lambda are not.
 */

#include <math.h>

#include "law/regular.h"
#include "law/rows.h"

enum { K, LAMBDA, N, P, NPARAM };

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
