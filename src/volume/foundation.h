/* The normal force and the rolling resistance of an elastic foundation over a volume of
 * interference [G07] 4.62, 4.67: springs of the stiffness kv all over the contact, damped by a,
 *
 *   f_n = kv V (1 + a v_app) along n at p_c,   tau_r = -kv a J_v w_t about p_c,
 *
 * v_app = -n.v_c the speed of approach at p_c, w_t the angular velocity across n; tau_r is taken
 * across n, too, for pressures along n have no torque about it. [G07]'s tau_r has the second
 * moments of the contact's area times its depth, for which J_v stands: they are the same where the
 * contact is flat, to (depth/width)^2. Body j is at rest and n with it: all is seen from it.
 * Against a half-space the force without damping has the potential kv V h_c, h_c the depth of the
 * centroid. Functions allocate nothing and keep nothing.
 */

#ifndef CF_VOLUME_FOUNDATION_H
#define CF_VOLUME_FOUNDATION_H

#include "volume/volume.h"

struct cf_foundation {
    double stiffness_N_m3; /* kv > 0: a force per volume */
    double damping_s_m;    /* a >= 0 */
};

/* What acts on body i: the force [N] along x, y, z, then the torque [N m] about the origin; with
 * derivatives by the pose of body i (as in volume.h, the twist and n kept), by its twist (velocity
 * of its point at the origin [m/s], angular velocity [rad/s]), by kv and by a. */
struct cf_foundation_load {
    double normal_N; /* f_n >= 0 */
    double wrench[CF_TWIST];
    double by_pose[CF_TWIST][CF_TWIST];  /* [of the wrench][by] */
    double by_twist[CF_TWIST][CF_TWIST]; /* [of the wrench][by] */
    double by_stiffness[CF_TWIST];
    double by_damping[CF_TWIST];
};

/* The load of a volume, n the unit vector out of body j, twist that of body i as above. Where V is
 * 0, and where the damping would pull, v_app <= -1/a, everything is 0. CF_ERANGE: kv or a out of
 * range; a twist that is not finite; n that is no unit vector to 1e-9. */
int cf_foundation_load(const struct cf_foundation *foundation, const struct cf_volume *volume,
                       const double n[3], const double twist[CF_TWIST],
                       struct cf_foundation_load *out, struct cf_error *err);

#endif
