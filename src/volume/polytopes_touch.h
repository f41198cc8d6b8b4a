/* Where two polytopes are closest along a direction, of many places that are as close. Private to
 * src/volume. */

#ifndef CF_VOLUME_POLYTOPES_TOUCH_H
#define CF_VOLUME_POLYTOPES_TOUCH_H

#include "volume/volume.h"

/* The middle of what the faces or edges of body i that are lowest along the unit vector n, and
 * those of body j that are highest, have in common as seen along n: the mean of its corners, in the
 * height of body i's. Left as it is where a vertex is alone, or where they have nothing in common.
 */
void cf_polytopes_touch(const struct cf_polytope *body_i, const struct cf_polytope *body_j,
                        const double n[3], double point_m[3]);

#endif
