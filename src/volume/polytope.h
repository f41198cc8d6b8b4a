/* Convex polytopes cut by planes; private to src/volume. */

#ifndef CF_VOLUME_POLYTOPE_H
#define CF_VOLUME_POLYTOPE_H

#include "volume/moments.h"

enum { CF_BOX_VERTICES = 8 };

/* A box by its vertices: bit k of a vertex's number says that it is at the upper end of axis k. */
struct cf_polytope cf_box_polytope(double (*vertex_m)[3]);

/* Twice the area of a face, as a vector out of the body, by its loop. */
void cf_polytope_normal(const struct cf_polytope *polytope, const size_t corner[], size_t ncorner,
                        double n[3]);

/* The part within depth_m > 0 of the lowest vertex, which is at `lowest_m` in the polytope's frame
 * and at the origin of the region's. */
void cf_polytope_slice(const struct cf_polytope *polytope, const double lowest_m[3], double depth_m,
                       struct cf_region *out);

#endif
