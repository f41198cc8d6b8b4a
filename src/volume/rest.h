/* The facets of a leaf that are at rest. Private to src/volume. */

#ifndef CF_VOLUME_REST_H
#define CF_VOLUME_REST_H

#include "volume/section.h"

/* Adds the surface over the k-th plane that cut the tree's cubelet, of the facet facet_of[k], to
 * what is integrated over the boundary at rest; flat: the section itself. What may be missed of it
 * counts as lost. */
void cf_rest_add(const struct cf_octree *tree, const size_t facet_of[], size_t k, bool flat,
                 struct cf_leaf_sum *sum);

#endif
