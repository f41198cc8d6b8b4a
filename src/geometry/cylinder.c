/* An endless cylinder, touched from outside, and an endless bore, touched from inside. Gonthier
 * 2007, eqs. A.11 to A.15, who distinguishes them by the sign of the radius:
 *
 *   p = (1 - a a)(centre - point),  n = p/|p|,  depth = radius_m + r - |p|    outside
 *                                   n = -p/|p|, depth = radius_m - r + |p|    inside
 *
 * On the axis there is no normal. Gonthier leaves that out; here touch() says so.
 */

#include "geometry/rows.h"
#include "geometry/vector.h"

enum { RADIUS };

static const struct cf_param size[] = {
    [RADIUS] = CF_SIZE_RADIUS("distance of the surface from the axis"),
};

/* `out_of` is 1 where the solid is around the axis, -1 where the hollow is. */
static bool touch(const struct cf_solid *solid, double out_of, double radius_m,
                  const double centre_m[3], struct cf_touch *out)
{
    const double *axis = solid->direction[0];
    double n[3], g[3], fade[3], distance, depth;

    cf_vec_sub(centre_m, solid->point_m, n);
    cf_vec_add_scaled(n, -cf_vec_dot(n, axis), axis, n);
    distance = cf_vec_norm(n);
    depth = radius_m + out_of * (solid->size[RADIUS] - distance);
    if (!(distance >= CF_NEAR_M))
        return cf_touch_none(depth, out);
    cf_vec_scale(1 / (distance * distance), n, fade);
    cf_vec_scale(out_of / distance, n, n);
    cf_vec_cross(axis, n, g);
    cf_touch_around_axis(depth, n, g, out_of / distance, fade, out);
    return true;
}

static bool touch_cylinder(const struct cf_solid *solid, double radius_m, const double centre_m[3],
                           struct cf_touch *out)
{
    return touch(solid, 1, radius_m, centre_m, out);
}

static bool touch_bore(const struct cf_solid *solid, double radius_m, const double centre_m[3],
                       struct cf_touch *out)
{
    return touch(solid, -1, radius_m, centre_m, out);
}

static double curvature_cylinder(const struct cf_solid *solid)
{
    return 1 / solid->size[RADIUS];
}

static double curvature_bore(const struct cf_solid *solid)
{
    return -1 / solid->size[RADIUS];
}

const struct cf_shape cf_cylinder = {
    .name = "cylinder",
    .cite = "Gonthier 2007, eqs. A.11 to A.15 with r > 0",
    .what = "endless cylinder, touched from outside",
    .point = "point",
    .direction = {"axis"},
    .nsize = 1,
    .size = size,
    .curvature = curvature_cylinder,
    .touch = touch_cylinder,
};

const struct cf_shape cf_bore = {
    .name = "bore",
    .cite = "Gonthier 2007, eqs. A.11 to A.15 with r < 0",
    .what = "endless round hole, touched from inside",
    .point = "point",
    .direction = {"axis"},
    .nsize = 1,
    .size = size,
    .curvature = curvature_bore,
    .touch = touch_bore,
};
