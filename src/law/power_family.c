/* The family ([AF14] 1)
 *
 *   F = max(0, k z^n + lambda z^p zdot) = max(0, k z^n (1 + r z^(p-n) zdot)),   r = lambda/k,
 *
 * and 0 where z <= 0. The clamp is part of the law: contacts of this family never pull.
 */

#include "law/power_family.h"

#include <math.h>

enum { K, LAMBDA };

/* z^x for z > 0; the exponents of the named laws without a call of pow(). */
static double power(double z, double x)
{
    if (x == 1.5)
        return z * sqrt(z);
    if (x == 1)
        return z;
    if (x == 0.5)
        return sqrt(z);
    if (x == 0.25)
        return sqrt(sqrt(z));
    if (x == 0)
        return 1;
    return pow(z, x);
}

double cf_power_force_at(const struct cf_law *self, const double p[], double ratio, double depth_m,
                         double rate_m_s)
{
    if (!(depth_m > 0))
        return 0;
    return fmax(0, p[K] * (power(depth_m, self->n) + ratio * power(depth_m, self->p) * rate_m_s));
}

double cf_power_force(const struct cf_law *self, const double p[], const struct cf_contact *c)
{
    struct cf_damping damping;

    if (!(c->depth_m > 0))
        return 0;
    self->damping(p, c->mass_kg, c->approach_m_s, &damping);
    return cf_power_force_at(self, p, damping.ratio, c->depth_m, c->rate_m_s);
}

double cf_power_energy(const struct cf_law *self, const double p[], const struct cf_contact *c)
{
    if (!(c->depth_m > 0))
        return 0;
    return p[K] * power(c->depth_m, self->n) * c->depth_m / (self->n + 1);
}

void cf_power_slope(const struct cf_law *self, const double p[], const struct cf_contact *c,
                    struct cf_force_slope *out)
{
    struct cf_damping damping;
    double z = c->depth_m, zn, zp, per_k;

    *out = (struct cf_force_slope){0};
    if (!(z > 0))
        return;
    self->damping(p, c->mass_kg, c->approach_m_s, &damping);
    zn = power(z, self->n);
    zp = power(z, self->p);
    per_k = zn + damping.ratio * zp * c->rate_m_s;
    if (!(per_k > 0))
        return;

    out->by_depth = p[K] * (self->n * zn + damping.ratio * self->p * zp * c->rate_m_s) / z;
    out->by_rate = p[K] * damping.ratio * zp;
    out->by_approach = p[K] * damping.by_approach * zp * c->rate_m_s;
    out->by_mass = p[K] * damping.by_mass * zp * c->rate_m_s;
    for (size_t i = 0; i < self->nparam; i++)
        out->by_param[i] = p[K] * damping.by_param[i] * zp * c->rate_m_s;
    out->by_param[K] += per_k;
}

void cf_lambda_damping(const double p[], double mass_kg, double approach_m_s,
                       struct cf_damping *out)
{
    (void) mass_kg;
    (void) approach_m_s;
    *out = (struct cf_damping){.ratio = p[LAMBDA] / p[K]};
    out->by_param[K] = -out->ratio / p[K];
    out->by_param[LAMBDA] = 1 / p[K];
}
