/* A sphere and an endless wedge, as the parts of its volume of interference see it. Private to
 * src/volume. */

#ifndef CF_VOLUME_WEDGE_H
#define CF_VOLUME_WEDGE_H

#include "volume/moments.h"

/* Half-planes from the edge sweep the wedge. One is at an angle from the region's second axis,
 * turned down from it: that axis is along the face that is touched, into it; or, where it is the
 * edge that is touched, across the normal. The origin is the place of the wedge that is deepest in
 * the sphere; x is along the edge. */
struct cf_wedge_pose {
    double R, d;           /* of the sphere, the depth */
    double y, h;           /* its centre from the edge, along the face and over it */
    double q;              /* and in all; over the edge only q counts, y is 0 */
    double square;         /* half the length of the edge inside the sphere, squared; < 0: none */
    double opening, rest;  /* of the wedge, and pi less that */
    double before, behind; /* the first half-plane from the axis, the last from its other side */
    int face;              /* as in struct cf_wedge_touch */
};

/* Moments and boundary at rest, of depths > 0. */
int cf_wedge_sweep(const struct cf_wedge_pose *p, struct cf_region *out, struct cf_error *err);

/* The angle from the face to the half-plane that touches a sphere beside the edge, square < 0. */
double cf_wedge_touching(const struct cf_wedge_pose *p);

#endif
