/* Force, energy and derivatives of both elastic foundations: see foundation_family.h. */

#include "law/foundation_family.h"

#include <math.h>

const struct cf_alias cf_foundation_alias[CF_FOUNDATION_NALIAS] = {
    {.name = "modulus_over_thickness",
     .unit = "Pa/m",
     .target = CF_FOUNDATION_KV,
     .factor = 1,
     .what = "E/H, the modulus of a layer over its thickness: kv = E/H"},
};

/* 1 + a v_app, or 0 where the damping would pull; *a receives the damping. */
static double growth(const struct cf_law *self, const double p[], const struct cf_contact *c,
                     struct cf_damping *a)
{
    self->damping(p, c->mass_kg, c->approach_m_s, a);
    return fmax(0, 1 + a->ratio * c->rate_m_s);
}

double cf_foundation_force(const struct cf_law *self, const double p[], const struct cf_contact *c)
{
    struct cf_damping a;

    return c->volume_m3 > 0 ? p[CF_FOUNDATION_KV] * c->volume_m3 * growth(self, p, c, &a) : 0;
}

double cf_foundation_energy(const struct cf_law *self, const double p[], const struct cf_contact *c)
{
    (void) self;
    return c->volume_m3 > 0 ? p[CF_FOUNDATION_KV] * c->volume_m3 * c->centroid_depth_m : 0;
}

void cf_foundation_slope(const struct cf_law *self, const double p[], const struct cf_contact *c,
                         struct cf_force_slope *out)
{
    struct cf_damping a;
    double kv = p[CF_FOUNDATION_KV], V = c->volume_m3, grown;

    *out = (struct cf_force_slope){0};
    if (!(V > 0) || (grown = growth(self, p, c, &a)) == 0)
        return;
    out->by_volume = kv * grown;
    out->by_rate = kv * V * a.ratio;
    out->by_approach = kv * V * a.by_approach * c->rate_m_s;
    out->by_mass = kv * V * a.by_mass * c->rate_m_s;
    for (size_t i = 0; i < self->nparam; i++)
        out->by_param[i] = kv * V * a.by_param[i] * c->rate_m_s;
    out->by_param[CF_FOUNDATION_KV] += V * grown;
}
