/* Bounces of one sphere on ground that recovers slowly. */

#ifndef CF_IMPACT_REBOUNDS_H
#define CF_IMPACT_REBOUNDS_H

#include <stdbool.h>

#include "law/law.h"

struct cf_landing {
    double time_s;       /* of touch, from the first one on */
    double surface_m;    /* how deep the ground still stood: 0 when it was back */
    double approach_m_s; /* the body's speed at touch; below 0 where the surface came up to it */
    double rebound_m_s;  /* at the end of the force; 0 where it never ended: the body stays */
    double duration_s;
    double depth_m; /* peak, from the ground at rest */
    double force_N; /* peak */
    double left_m;  /* depth at which the contact was lost */
};

/* Up to n landings, the first at speed_m_s on ground at rest; flights in closed form under gravity,
 * landings where the body meets the law's recovering surface, contacts by the stepper, weight
 * included. *count landings are filled: fewer where the body stays (without gravity it never comes
 * back). The law: azad-featherstone-recovering, or azad-featherstone, whose ground is back at once;
 * others fail with CF_ERANGE. */
int cf_impact_rebound(const struct cf_law *law, const double p[], double mass_kg, double speed_m_s,
                      double gravity_m_s2, size_t n, struct cf_landing landing[], size_t *count,
                      struct cf_error *err);

#endif
