/* The parts of cf_scene_check(); private to src/motion. */

#ifndef CF_MOTION_CHECK_H
#define CF_MOTION_CHECK_H

#include "motion/scene.h"

/* A unit vector, within the rounding of reading and normalising. */
bool cf_is_unit(const double v[3]);

/* The first point, from 1, that is not finite or not later than the one before; 0: none. */
size_t cf_check_course(const struct cf_course *course);

/* One contact; its bodies and the chain have been checked. */
int cf_check_pair(const struct cf_scene *scene, const struct cf_contact_pair *pair,
                  struct cf_error *err);

#endif
