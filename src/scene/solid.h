/* Solids as scenes and studies state them: where they lie, and what they are made of. */

#ifndef CF_SCENE_SOLID_H
#define CF_SCENE_SOLID_H

#include "volume/cell.h"

struct cf_yaml;

/* The keys center and attitude, which may be left out. */
int cf_scene_place(const struct cf_yaml *node, struct cf_placing *at, struct cf_error *err);

/* A polytope by its vertices and faces, and its place. What was read of it is put into a cell, and
 * freed with that, also after a failure. It is not checked yet: cf_polytope_check(). */
int cf_scene_polytope(const struct cf_yaml *node, struct cf_polytope **out, struct cf_placing *at,
                      struct cf_error *err);

#endif
