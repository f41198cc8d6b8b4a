/* Numbers of a scene file by their paths, "bodies.plate.plane.height", to be moved and freed. */

#ifndef CF_SCENE_PATH_H
#define CF_SCENE_PATH_H

#include "motion/scene_path.h"
#include "scene/scene_file.h"

/* What the number at a path of the file moves, and its SI unit, a text of a table. The scene is
 * read anew with other values of it, beside what its overrides say. CF_EINPUT: there is no such
 * number, or it cannot be freed; the message is "PATH: why". *path is to be cleared, also after a
 * failure. */
int cf_scene_file_path(const struct cf_scene_file *file, const char *name,
                       struct cf_scene_path *path, const char **unit, struct cf_error *err);

#endif
