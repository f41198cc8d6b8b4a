/* A sphere and an endless round surface about an axis, as the two parts of its volume of
 * interference see it. Private to src/volume. */

#ifndef CF_VOLUME_TUBE_H
#define CF_VOLUME_TUBE_H

#include <math.h>
#include <stdbool.h>

#include "volume/moments.h"

/* The origin of the region is the place of the surface that is deepest in the sphere, x along the
 * tube, z away from the solid. */
struct cf_tube_pose {
    double R, r, d;     /* of the sphere, of the surface, the depth */
    double e;           /* the centre's distance from the axis */
    double inside;      /* 1: a bore, touched from inside; -1: a cylinder */
    double wide, whole; /* see below */
};

/* At the angle phi about the axis from the centre of the sphere the surface is inside the sphere
 * over a length 2 w,
 *
 *   w^2 = R^2 - (r - e)^2 - 4 r e sin(phi/2)^2 = whole^2 + 4 r e (sin(wide/2)^2 - sin(phi/2)^2)
 *
 * either up to phi = wide, whole = 0, or all around, wide = pi: here at `left` from phi = 0 and
 * `right` from phi = wide. */
static inline double cf_tube_square(const struct cf_tube_pose *p, double left, double right)
{
    return p->whole * p->whole + 4 * p->r * p->e * sin(right / 2) * sin((p->wide + left) / 2);
}

/* The moments of the part of the sphere that is outside a bore, and inside a cylinder. */
int cf_tube_outside(const struct cf_tube_pose *p, double moment[CF_NMOMENT], struct cf_error *err);
int cf_tube_within(const struct cf_tube_pose *p, double moment[CF_NMOMENT], struct cf_error *err);

#endif
