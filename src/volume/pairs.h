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

/* An endless wedge: the solid under two planes that meet in its edge, convex, of any angle between
 * 0 and pi. (In a solid around a concave edge a sphere is deepest at two places: two contacts.) */
struct cf_wedge {
    double normal[2][3]; /* out of the solid, of any length */
    double point_m[3];   /* any point of the edge */
};

enum { CF_WEDGE_EDGE = -1 };

/* The place of a wedge's surface that is closest to the centre of a sphere: on the face 0 or 1, or,
 * where the centre is over neither face, on the edge. */
struct cf_wedge_touch {
    double depth_m;      /* > 0 where they interfere, < 0 the gap: the event function of contact */
    double n[3];         /* unit vector out of the wedge there */
    int face;            /* 0, 1 or CF_WEDGE_EDGE */
    double inward_m;     /* from the edge to that place, >= 0; on the edge 0 */
    double by[CF_TWIST]; /* of depth_m, by the motion of the sphere, body i */
};

/* Where a sphere touches a wedge. n turns from one normal to the other as the centre passes over
 * the edge; with the centre inside the wedge depth_m is that below the nearer face, and n jumps
 * where both are as near. A centre on the edge, to a 1e-12th of the radius, has the n midway
 * between the faces. CF_ERANGE: what is not finite, a radius not above 0, a normal that is 0,
 * normals that are parallel or opposite to 1e-12 rad. */
int cf_wedge_depth(const struct cf_wedge *wedge, double radius_m, const double centre_m[3],
                   struct cf_wedge_touch *out, struct cf_error *err);

/* What a sphere, body i, about centre_m has in common with a wedge, body j, that is where touch
 * says: by depth_m and inward_m, and on the edge by n, which may be of any length and of which what
 * is across the edge counts; wedge->point_m is not read. 0 or a gap (depth_m < 0) is no failure: V
 * is 0. CF_ERANGE: as above, and a depth of 2 radius_m and more, where the sphere is wholly in the
 * wedge, or over the edge of more than radius_m; an n that is not between the normals. CF_ESOLVE: a
 * quadrature did not come to rounding. */
int cf_volume_wedge(const struct cf_wedge *wedge, double radius_m, const double centre_m[3],
                    const struct cf_wedge_touch *touch, struct cf_volume *out,
                    struct cf_error *err);

/* How deep two convex polytopes overlap [m], the least way by which body i can be moved out of body
 * j; < 0 the gap, the distance between them: the event function of contact. n receives the unit
 * vector of that way, from body j to body i, point_m the point of body i that is deepest along it,
 * or closest to body j, and by (may be NULL) the derivatives by the motion of body i. Exact, to
 * rounding in the vertices' distances. Where a face or an edge is as deep as a whole, the point is
 * the mean of the corners of what it shares with body j's, as seen along n, and the derivatives are
 * one-sided. Where several ways are as short it is one of them. Both bodies in the frame of the
 * call, and such as pass cf_polytope_check(). The time grows as the product of the edges' numbers
 * times the vertices'. */
double cf_polytopes_depth(const struct cf_polytope *body_i, const struct cf_polytope *body_j,
                          double n[3], double point_m[3], double by[CF_TWIST]);

/* What two convex polytopes have in common, both in the frame of the call: body i less what is over
 * the faces of body j, exactly for the vertices that are given: where they overlap by little, V is
 * as good as the vertices and the slopes of faces determine it, to some 1e-16 of the bodies' size
 * times the area. A body wholly inside the other is no failure: V is its own. Faces of both that
 * lie in one plane count as body i's, by one-sided derivatives. Nothing in common, or less than the
 * rounding error, is no failure: V is 0. Both must pass cf_polytope_check(). Allocates while it
 * runs: CF_ENOMEM. */
int cf_volume_polytopes(const struct cf_polytope *body_i, const struct cf_polytope *body_j,
                        struct cf_volume *out, struct cf_error *err);

#endif
