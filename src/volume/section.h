/* What a leaf holds between the tangent plane of a surface and the surface. Private to src/volume.
 */

#ifndef CF_VOLUME_SECTION_H
#define CF_VOLUME_SECTION_H

#include <stdbool.h>

#include "volume/leaf.h"

/* A convex body in a leaf, and what is known of it: moments about the leaf's centre; what belongs
 * to the region is added to the part. */
struct cf_leaf_sum {
    double sign, half;
    const double *centre;
    double moment[CF_NMOMENT], error;
    struct cf_octree_part *part;
};

/* The height of the surface over a point of its tangent plane. NAN: there is none. */
double cf_facet_height(const struct cf_facet *facet, const double y[3]);

/* Adds what is over, or less what is missing under, the k-th plane that cut the tree's cubelet, of
 * the facet facet_of[k]. false: somewhere there is no surface
 * over the plane. */
bool cf_section_add(const struct cf_octree *tree, const size_t facet_of[], size_t k,
                    struct cf_leaf_sum *sum);

#endif
