/* The normal of a volume of interference: the axis of its inertia J_v that is nearest to a
 * geometric estimate ([G07] 4.199, A.3.3), found by inverse iteration.
 *
 * Friction about any other axis would tilt the bodies against each other. It is an approximation
 * nevertheless: over a tilted box it is the bisector of the box's face and the plane.
 */

#ifndef CF_VOLUME_NORMAL_H
#define CF_VOLUME_NORMAL_H

#include <stdbool.h>

#include "core/status.h"

/* The numbers of [G07] 5.2. Where he stops at a turn of theta_e = 1 deg, this goes on to rounding:
 * an error of a degree in n would be one of the force. */
struct cf_normal_options {
    double memory; /* r_n: share of the previous normal in the first guess, from 0 to 1 */
    int rounds;    /* n_i: at most; rounding takes 3 to 5 of them, since each cubes the error */
};
extern const struct cf_normal_options cf_normal_defaults; /* 0.95, 15 */

/* n, a unit vector out of body j, from the inertia of a volume. geometric: the unit vector of the
 * estimate; previous: the n of the step before, or NULL. CF_ESOLVE where J_v does not determine it:
 * two of its moments are the same, to a millionth, in the plane in which n would have to be chosen,
 * as for a cube that is sunk in; *n is then the geometric estimate. */
int cf_volume_normal(double inertia[3][3], const double geometric[3], const double previous[3],
                     const struct cf_normal_options *options, double n[3], struct cf_error *err);

/* How n turns as J_v changes by dJ: dn, across n. CF_ESOLVE as above, with dn 0. */
int cf_volume_normal_turn(double inertia[3][3], const double n[3], double change[3][3],
                          double dn[3], struct cf_error *err);

#endif
