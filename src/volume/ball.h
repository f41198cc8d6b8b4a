/* The volume of interference of a sphere with what it can touch (geometry/shape.h): the rows of a
 * table, exact, with derivatives as volume.h says.
 *
 * To add one, write a function here and name its shape in the table.
 */

#ifndef CF_VOLUME_BALL_H
#define CF_VOLUME_BALL_H

#include <stdbool.h>

#include "geometry/shape.h"
#include "volume/volume.h"

/* Is there a volume of a sphere with this shape? Else *err says with which there is: CF_EINPUT. */
int cf_ball_volume_known(const struct cf_shape *shape, struct cf_error *err);

/* Is the normal of the touch, by symmetry, that of the volume: an axis of its inertia? It is not
 * where the volume is cut off on one side, as over the edge of a solid. */
bool cf_ball_volume_is_even(const struct cf_shape *shape);

/* The volume of the sphere (body i) about centre_m with a solid (body j), at the touch that
 * cf_solid_touch() gave, everything in the frame of body j. Where there is no overlap V is 0.
 * Failures are those of the volume: CF_ERANGE, CF_ESOLVE. */
int cf_ball_volume(const struct cf_solid *solid, double radius_m, const double centre_m[3],
                   const struct cf_touch *touch, struct cf_volume *out, struct cf_error *err);

#endif
