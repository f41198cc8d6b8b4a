/* What may stand in a scene: the tables by which it is read, and its JSON Schema is made. Private
 * to src. */

#ifndef CF_SCENE_KEYS_H
#define CF_SCENE_KEYS_H

#include "file/schema.h"

extern const struct cf_schema cf_scene_schema; /* the whole file; its figures are figure/keys.h's */

extern const struct cf_schema cf_scene_body_schema; /* shapes that are no rows, then other keys */
enum { CF_SCENE_OWN_SHAPES = 8, CF_SCENE_OTHER_KEYS = 14, CF_SCENE_FRICTION_KEYS = 5 };
extern const struct cf_schema cf_scene_lattice_schema; /* of many bodies */
enum { CF_SCENE_MOST_COUNT = 10000 };                  /* of one entry: more is a slip */
extern const struct cf_schema cf_scene_attitude_schema;
extern const struct cf_schema cf_scene_sphere_schema, cf_scene_point_schema, cf_scene_box_schema,
    cf_scene_cell_box_schema;
extern const struct cf_schema cf_scene_polytope_schema, cf_scene_intersection_schema;
extern const struct cf_schema cf_scene_moving_schema, cf_scene_leg_schema, cf_scene_command_schema,
    cf_scene_trace_schema;
extern const struct cf_schema cf_scene_time_schema,
    cf_scene_trace_time_schema; /* a mapping; or a header */
extern const struct cf_schema cf_scene_chain_schema, cf_scene_link_schema, cf_scene_tip_schema;
extern const struct cf_schema cf_scene_contact_schema, cf_scene_load_schema, cf_scene_course_schema;
extern const struct cf_schema cf_scene_friction_schema;  /* its keys that are no parameters */
enum { CF_NASSUMPTION = 1, CF_NPRESSURE = 4 };           /* words of `assume` and of `contensou` */
enum { CF_ACTION_OVERLAP, CF_ACTION_FIRST, CF_NACTION }; /* of `point-of-action` */
extern const char *const cf_scene_action[CF_NACTION];
extern const char *const cf_scene_assumption[CF_NASSUMPTION];
extern const char *const cf_scene_pressure[CF_NPRESSURE];
extern const struct cf_schema cf_scene_spring_schema, cf_scene_force_schema;
extern const struct cf_schema cf_scene_solver_schema, cf_scene_octree_schema,
    cf_scene_output_schema;
extern const struct cf_schema cf_scene_noise_schema;

#endif
