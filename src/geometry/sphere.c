/* A sphere, and so a sphere against a sphere: n along the line of centres. Azad & Featherstone
 * 2014, eq. 10; Gonthier 2007, section 2.2. Two spheres with one centre have no normal.
 */

#include "geometry/rows.h"
#include "geometry/vector.h"

enum { RADIUS };

static const struct cf_param size[] = {
    [RADIUS] = CF_SIZE_RADIUS("radius of the sphere"),
};

static double curvature(const struct cf_solid *solid)
{
    return 1 / solid->size[RADIUS];
}

static bool touch(const struct cf_solid *solid, double radius_m, const double centre_m[3],
                  struct cf_touch *out)
{
    double n[3], distance, depth;

    cf_vec_sub(centre_m, solid->point_m, n);
    distance = cf_vec_norm(n);
    depth = radius_m + solid->size[RADIUS] - distance;
    if (!(distance >= CF_NEAR_M))
        return cf_touch_none(depth, out);
    cf_vec_scale(1 / distance, n, n);
    cf_touch_around_point(depth, n, 1 / distance, out);
    return true;
}

const struct cf_shape cf_sphere = {
    .name = "sphere",
    .cite = "Azad & Featherstone 2014, eq. 10; Gonthier 2007, section 2.2",
    .what = "sphere",
    .point = "center",
    .nsize = 1,
    .size = size,
    .curvature = curvature,
    .touch = touch,
};
