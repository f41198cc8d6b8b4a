/* One impact as a simulator with fixed steps sees it. */

#ifndef CF_IMPACT_FIXED_H
#define CF_IMPACT_FIXED_H

#include "impact/impact.h"
#include "ode/ode.h"

struct cf_fixed_step {
    const struct cf_ode_scheme *scheme;
    double dt_s;
    double gap_m; /* height at the first step: decides where within a step contact is found */
    double relaxation_s; /* tau_r of [G07] 3.44-3.45; 0: none */
};

struct cf_fixed_impact {
    double value[CF_NIMPACT]; /* peaks are those of the steps' ends */
    double first_force_N;     /* as contact is found */
    size_t steps;             /* in contact */
};

/* The force is noticed at the ends of steps only: contact is found in the step after which the
 * depth is above 0, and ends in the step after which there is no force. With relaxation the depth
 * in the law is z - z_o, z_o the penetration that was found at first contact, dz_o/dt = -z_o/tau_r
 * ([G07] 3.44-3.45), so that the force does not jump by the overlap between two steps. CF_ESOLVE
 * where the contact has not ended after a million steps or the steps diverge. */
int cf_impact_fixed(const struct cf_law *law, const double p[], double mass_kg, double speed_m_s,
                    const struct cf_fixed_step *how, struct cf_fixed_impact *out,
                    struct cf_error *err);

#endif
