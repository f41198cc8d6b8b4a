/* The parts of cf_scene_check(); private to src/motion. */

#ifndef CF_MOTION_CHECK_H
#define CF_MOTION_CHECK_H

#include "motion/scene.h"

/* A unit vector, within the rounding of reading and normalising. */
bool cf_is_unit(const double v[3]);

/* The first point, from 1, that is not finite or not later than the one before; 0: none. */
size_t cf_check_course(const struct cf_course *course);

/* check_start.c: a point of a body in the world, at the start; and one of the world in the frame of
 * a body, which is no link. */
void cf_start_point(const struct cf_scene *scene, size_t index, const double at[3], double out[3]);
void cf_start_inside(const struct cf_scene *scene, size_t index, const double at[3], double out[3]);

/* check_cells.c: the cells of a body; a contact over a volume, whose bodies have been checked; its
 * start, where it is of cells. */
int cf_check_cells(const struct cf_scene *scene, const struct cf_rigid *body, struct cf_error *err);
int cf_check_volume(const struct cf_scene *scene, const struct cf_contact_pair *pair,
                    struct cf_error *err);
int cf_check_cell_start(const struct cf_scene *scene, const struct cf_contact_pair *pair,
                        struct cf_error *err);

/* check_gaps.c: gaps between the cells of a body, which have been checked. */
int cf_check_gaps(const struct cf_rigid *body, struct cf_error *err);

/* One contact; its bodies and the chain have been checked. */
int cf_check_pair(const struct cf_scene *scene, const struct cf_contact_pair *pair,
                  struct cf_error *err);

#endif
