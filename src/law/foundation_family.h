/* The normal force of an elastic foundation over a volume of interference V,
 *
 *   F = kv V (1 + a v_app),   never pulling
 *
 * Gonthier 2007, eqs. 4.62 and 4.178, in the sign of law.h: v_app is the speed of approach at the
 * centroid. Its energy kv V h_c holds against a half-space: where the solid is another the force
 * has no potential. The restitution of Hunt and Crossley does not ask how V grows with depth: a
 * means the same as in `hunt-crossley` and `gonthier`.
 *
 * A row of the family has kv as parameter 0 and `damping`, which gives a.
 */

#ifndef CF_LAW_FOUNDATION_FAMILY_H
#define CF_LAW_FOUNDATION_FAMILY_H

#include "law/law.h"

enum { CF_FOUNDATION_KV };

double cf_foundation_force(const struct cf_law *self, const double p[], const struct cf_contact *c);
double cf_foundation_energy(const struct cf_law *self, const double p[],
                            const struct cf_contact *c);
void cf_foundation_slope(const struct cf_law *self, const double p[], const struct cf_contact *c,
                         struct cf_force_slope *out);

/* Stiffness by the modulus and the thickness of the layer. */
enum { CF_FOUNDATION_NALIAS = 1 };
extern const struct cf_alias cf_foundation_alias[CF_FOUNDATION_NALIAS];

#define CF_PARAM_KV                                                                                \
    {                                                                                              \
        "kv", "N/m^3", 1, 1e18, 1e4, 1e15, 1e8, CF_SCALE_LOG,                                      \
            "stiffness of the foundation, per volume"                                              \
    }

#define CF_FOUNDATION_FAMILY                                                                       \
    .family = CF_FAMILY_FOUNDATION, .force = cf_foundation_force, .slope = cf_foundation_slope,    \
    .energy = cf_foundation_energy, .nalias = CF_FOUNDATION_NALIAS, .alias = cf_foundation_alias

#endif
