/* The volume in which two bodies interfere of which neither is a half-space. Exact, with the
 * derivatives and to the precision that volume.h states. */

#ifndef CF_VOLUME_PAIRS_H
#define CF_VOLUME_PAIRS_H

#include <stdbool.h>

#include "volume/volume.h"

/* How deep two spheres overlap [m]: > 0 where they interfere, < 0 the gap: the sum of their radii
 * less the distance of their centres. It is the event function of contact. n receives the unit
 * vector from the centre of body j to that of body i, as the function below takes it, and by (may
 * be NULL) the derivatives by the motion of body i. NAN, with n and by, where the centres are less
 * than a 1e-12th of the sum of the radii apart, which have no direction. */
double cf_spheres_depth(double radius_i_m, const double centre_i_m[3], double radius_j_m,
                        const double centre_j_m[3], double n[3], double by[CF_TWIST]);

/* The lens in which a sphere, body i, about centre_i_m interferes with another, body j, whose
 * centre is radius_i_m + radius_j_m - depth_m from there along -n; n of any length. The depth is an
 * argument since thin lenses would lose it in the size of the spheres. The lens is a cap of each
 * on a common circle, (depth/2)(2 R - depth)/distance high with R of the other sphere. 0 or a gap
 * (depth_m < 0) is no failure: V is 0. CF_ERANGE: what is not finite, n = 0, a radius not above 0,
 * and a sphere that is wholly inside the other, depth_m >= 2 min(radius_i_m, radius_j_m). */
int cf_volume_spheres(double radius_i_m, double radius_j_m, const double centre_i_m[3],
                      const double n[3], double depth_m, struct cf_volume *out,
                      struct cf_error *err);

/* An endless round surface about an axis: of the cylinder that it encloses, or of the solid around
 * it, a bore. */
struct cf_tube {
    double radius_m, point_m[3]; /* any point of the axis */
    double axis[3];              /* a unit vector along it */
    bool hollow;                 /* a bore */
};

/* How deep a sphere, body i, is in a cylinder from outside, or in the wall of a bore from inside
 * [m]: the sum of the radii less the distance e of the centre from the axis, or e less the
 * difference of the radii; < 0 the gap. n receives the unit vector out of the solid at the place
 * where they are closest, by as above. NAN, with n and by, where e is below a 1e-12th of the radii.
 */
double cf_tube_depth(const struct cf_tube *tube, double radius_m, const double centre_m[3],
                     double n[3], double by[CF_TWIST]);

/* What a sphere, body i, about centre_m has in common with a cylinder, or with the solid around a
 * bore, body j. The axis is where depth_m along n says: of n, of any length, what is across
 * tube->axis counts, and tube->point_m is not read. 0 or a gap (depth_m < 0) is no failure: V is 0.
 * CF_ERANGE: what is not finite, a radius not above 0, n = 0 or along the axis, a sphere that is
 * wider than its bore, and one that is wholly in the solid (depth_m >= 2 radius_m) or whose centre
 * is on the axis of the cylinder. CF_ESOLVE: a quadrature did not come to rounding. */
int cf_volume_tube(const struct cf_tube *tube, double radius_m, const double centre_m[3],
                   const double n[3], double depth_m, struct cf_volume *out, struct cf_error *err);

#endif
