/* Halving of boxes until what is asked for is reached. Private to src/volume. */

#ifndef CF_VOLUME_OCTREE_H
#define CF_VOLUME_OCTREE_H

#include "volume/leaf.h"

/* What is asked for, and what it took. */
struct cf_octree_run {
    double error, relative; /* of V in units of the root's measure; and of V itself */
    int levels;             /* > 0: instead, halve so often */
    size_t max_cells, max_memory_B;
    size_t ncell, memory_B; /* so far: of several runs */
    int level;              /* of the smallest leaf */
};

/* The moments of the tree; where what was taken for good enough turned out not to be, since V is
 * less than it seemed, with an error above what is asked for: again, with less. CF_ENOMEM,
 * CF_ESOLVE as cf_volume_implicit(). */
int cf_octree_sum(struct cf_octree *tree, struct cf_octree_run *run, struct cf_octree_part *out,
                  struct cf_error *err);

#endif
