/* A list of paths: the files that a study, a scene or a figure names. */

#ifndef CF_CORE_PATHS_H
#define CF_CORE_PATHS_H

#include <stddef.h>

#include "core/status.h"

struct cf_paths {
    size_t n;
    char **path;
};

/* Add a copy of a path. */
int cf_paths_add(struct cf_paths *paths, const char *path, struct cf_error *err);
void cf_paths_clear(struct cf_paths *paths);

#endif
