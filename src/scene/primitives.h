/* Reading implicit primitives: {cylinder: {radius: 3 cm, length: 10 cm, center: [...], attitude:
 * {...}, hole: true}}, sizes and names by cf_primitives[]. */

#ifndef CF_SCENE_PRIMITIVES_H
#define CF_SCENE_PRIMITIVES_H

#include "file/yaml.h"
#include "volume/implicit.h"

/* One, from its entry, whose key is its name. CF_EINPUT. */
int cf_scene_primitive(const struct cf_yaml *entry, struct cf_implicit *out, struct cf_error *err);

/* A list of them: what they have in common less the holes, *n of them, to be freed, also where it
 * fails. Nothing is said of the body that they make: cf_implicit_check(). CF_EINPUT; CF_ENOMEM. */
int cf_scene_intersection(const struct cf_yaml *list, struct cf_implicit **part, size_t *n,
                          struct cf_error *err);

#endif
