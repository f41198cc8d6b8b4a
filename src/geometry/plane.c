/* A half-space: all that is below a height along the normal. Gonthier 2007, eqs. A.2 and A.3. */

#include "geometry/rows.h"
#include "geometry/vector.h"

enum { HEIGHT };

static const struct cf_param size[] = {
    [HEIGHT] = {"height", "m", -1e6, 1e6, -1, 1, 0, CF_SCALE_LINEAR,
                "distance of the plane from the body's origin, along the normal"},
};

static double curvature(const struct cf_solid *solid)
{
    (void) solid;
    return 0;
}

static bool touch(const struct cf_solid *solid, double radius_m, const double centre_m[3],
                  struct cf_touch *out)
{
    const double *n = solid->direction[0];
    cf_touch_flat(radius_m + solid->size[HEIGHT] - cf_vec_dot(centre_m, n), n, out);
    return true;
}

const struct cf_shape cf_plane = {
    .name = "plane",
    .cite = "Gonthier 2007, eqs. A.2 and A.3",
    .what = "half-space under a plane",
    .direction = {"normal"},
    .nsize = 1,
    .size = size,
    .curvature = curvature,
    .touch = touch,
};
