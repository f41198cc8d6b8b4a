/* Convex polytopes cut by planes; private to src/volume. */

#ifndef CF_VOLUME_POLYTOPE_H
#define CF_VOLUME_POLYTOPE_H

#include "volume/moments.h"

/* The part within depth_m > 0 of the lowest vertex, which is at `lowest_m` in the polytope's frame
 * and at the origin of the region's. */
void cf_polytope_slice(const struct cf_polytope *polytope, const double lowest_m[3], double depth_m,
                       struct cf_region *out);

#endif
