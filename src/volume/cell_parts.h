/* What cells are as intersections of implicit primitives. Private to src/volume. */

#ifndef CF_VOLUME_CELL_PARTS_H
#define CF_VOLUME_CELL_PARTS_H

#include "volume/cell.h"

/* A primitive in the frame that its own is placed in. */
struct cf_implicit cf_part_placed(const struct cf_implicit *part, const struct cf_placing *at);

/* What is under the plane through a point, n the unit vector out of it. */
struct cf_implicit cf_part_under(const double n[3], const double point_m[3]);

/* The parts of a form that was checked, as long as an octree takes so many. CF_ENOMEM. */
int cf_cell_find_parts(struct cf_cell *cell, struct cf_error *err);

/* The sphere around parts, which are checked: cf_implicit_check(), of a body that need not have an
 * end. */
int cf_cell_bound_parts(struct cf_cell *cell, struct cf_error *err);

#endif
