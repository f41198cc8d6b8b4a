#define _POSIX_C_SOURCE 200809L

#include "core/paths.h"

#include <stdlib.h>
#include <string.h>

#include "core/list.h"

int cf_paths_add(struct cf_paths *paths, const char *path, struct cf_error *err)
{
    char *copy = strdup(path), **longer = cf_list_grow(paths->path, paths->n, sizeof *longer);

    if (longer)
        paths->path = longer;
    if (!copy || !longer) {
        free(copy);
        return cf_fail(err, CF_ENOMEM, "%s: out of memory", path);
    }
    longer[paths->n++] = copy;
    return CF_OK;
}

void cf_paths_clear(struct cf_paths *paths)
{
    for (size_t i = 0; i < paths->n; i++)
        free(paths->path[i]);
    free(paths->path);
    *paths = (struct cf_paths){0};
}
