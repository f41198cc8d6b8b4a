/* Coulomb friction of a round contact that slides and spins, exactly: each ring's friction is
 * summed over its angles by complete elliptic integrals, and the rings by quadrature. [G07] 4.211
 * closes the two by C_v^2 + C_w^2 = 1 in place of them.
 *
 *   force = mu f_n F against the sliding, torque = mu f_n R T against the spin,
 *   F = integral of p u_v/|u| dA, T = integral of p (r/R) u_w/|u| dA over the disc of radius R,
 *
 * u the velocity of the surface at each place, and the pressure p, of integral 1, as
 * (1 - r^2/R^2)^power. Of u it is only the ratio of sliding to spin that counts.
 */

#ifndef CF_LAW_CONTENSOU_H
#define CF_LAW_CONTENSOU_H

#include "core/status.h"

struct cf_contensou {
    double force, torque;                 /* F, T; from 0 to 1 */
    double force_by_slip, force_by_rim;   /* their derivatives [s/m] */
    double torque_by_slip, torque_by_rim; /* force_by_rim = torque_by_slip */
};

/* The shares F and T where the centre slides at slip_m_s >= 0 and the rim spins at rim_m_s = |w| R
 * >= 0; power >= 0: 0 for a uniform pressure, 0.5 for Hertz', 1 for the paraboloid of a foundation
 * under a sphere. All to some 1e-11 of themselves. CF_ERANGE: what is not
 * finite or is below 0; both speeds 0, where friction sticks and has no direction; a power above
 * 10. CF_ESOLVE: a quadrature did not come to rounding. */
int cf_contensou(double power, double slip_m_s, double rim_m_s, struct cf_contensou *out,
                 struct cf_error *err);

#endif
