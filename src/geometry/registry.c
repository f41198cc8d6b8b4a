/* The table of shapes, and finding one by name. */

#include <stdio.h>
#include <string.h>

#include "core/nearest.h"
#include "geometry/rows.h"

const struct cf_shape *const cf_shapes[] = {
    &cf_plane, &cf_sphere, &cf_edge, &cf_cylinder, &cf_bore, &cf_cone, &cf_funnel, NULL,
};

enum { NSHAPE = sizeof cf_shapes / sizeof cf_shapes[0] - 1 };

const struct cf_shape *cf_shape_find(const char *name)
{
    const struct cf_shape *const *shape = cf_shapes;
    while (*shape && strcmp((*shape)->name, name) != 0)
        shape++;
    return *shape;
}

int cf_shape_get(const char *name, const struct cf_shape **shape, struct cf_error *err)
{
    const char *names[NSHAPE];
    const char *nearest;
    char known[256] = "";
    size_t used = 0;

    *shape = cf_shape_find(name);
    if (*shape)
        return CF_OK;
    for (size_t i = 0; i < NSHAPE; i++)
        names[i] = cf_shapes[i]->name;
    nearest = cf_nearest(name, names, NSHAPE);
    if (nearest)
        return cf_fail(err, CF_EINPUT, "unknown shape %s: did you mean %s?", name, nearest);
    for (size_t i = 0; i < NSHAPE && used < sizeof known; i++)
        used +=
            (size_t) snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", names[i]);
    return cf_fail(err, CF_EINPUT, "unknown shape %s: must be one of %s", name, known);
}
