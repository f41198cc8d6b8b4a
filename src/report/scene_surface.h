/* The surfaces of a scene in the picture of its bodies. Private to src/report. */

#ifndef CF_REPORT_SCENE_SURFACE_H
#define CF_REPORT_SCENE_SURFACE_H

#include "report/scene_bodies.h"

/* The solids of a body, and its cells without an end, in a pose: cut along the plane of a flat
 * picture, and in another one, where the body does not move, as a mesh over the ground of what
 * moves. Added to a series of lines, in the unit of the axes. CF_ENOMEM. */
int cf_scene_surface_add(const struct cf_bodies_picture *picture, size_t body,
                         const struct cf_scene_pose *pose, struct cf_chart_series *series,
                         struct cf_error *err);

/* Widen the window of a picture that is not flat until it has all of the mesh. */
void cf_scene_surface_include(struct cf_bodies_picture *picture);

#endif
