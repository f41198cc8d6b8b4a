/* Two cells, or one and a half-space: exactly where cf_cells_are_exact() says so; others as what
 * implicit primitives have in common, by the octree of implicit.h. Frames and derivatives as in
 * cell.h. */

#ifndef CF_VOLUME_CELL_PAIR_H
#define CF_VOLUME_CELL_PAIR_H

#include "volume/cell.h"

struct cf_cell_pair {
    const struct cf_cell *i, *j; /* j NULL: the half-space n.x <= height_m */
    const double *n;
    double height_m;
    const struct cf_octree_options *octree; /* of those that are not exact */
};

/* How two cells meet. */
struct cf_cell_meeting {
    double depth_m; /* > 0 where they interfere, < 0 the gap, or less than it: the event function */
    double n[3];    /* unit vector out of j */
    double point_m[3];
    bool in_hole; /* the gap may close faster than the speed along n: see implicit.h */
};

/* As cf_cell_depth(), cf_cells_depth() or cf_implicit_depth() say; where spheres around the cells
 * are apart, their gap, with n from middle to middle. CF_ERANGE, CF_ENOMEM, CF_ESOLVE as
 * cf_implicit_depth(); the depth is then NAN. */
int cf_cell_pair_depth(const struct cf_cell_pair *pair, const struct cf_placing *placing,
                       struct cf_cell_meeting *out, struct cf_error *err);

/* With the depth of the centroid, if j is a half-space. As cf_volume_implicit(). */
int cf_cell_pair_volume(const struct cf_cell_pair *pair, const struct cf_placing *placing,
                        struct cf_volume *out, struct cf_error *err);

/* V of a cell that has an end [m^3], exactly of a form. As cf_volume_implicit(). */
int cf_cell_size(const struct cf_cell *cell, const struct cf_octree_options *octree,
                 double *volume_m3, struct cf_error *err);

#endif
