/* An endless cone. Gonthier 2007, eqs. A.16 to A.24, with alpha = angle/2, a out of the apex, u the
 * unit vector from the axis to the centre:
 *
 *   over the tip   n = p/|p|                     depth = radius_m - |p|
 *   over the side  n = sin(alpha) a + cos(alpha) u   depth = radius_m - p . n
 *   on the axis    n = a, depth = radius_m - p . a over the apex and
 *                  radius_m - sin(alpha) p . a under it, which is what the sides come to (A.20)
 *
 * with p = centre - apex. An angle of pi makes a plane. Over the tip n = p/|p| passes the axis
 * smoothly, so the axis is an exception in the cone and at the apex only.
 */

#include <gsl/gsl_math.h>
#include <math.h>

#include "geometry/rows.h"
#include "geometry/vector.h"

enum { ANGLE };

static const struct cf_param size[] = {
    [ANGLE] = {"angle", "rad", 1e-3, M_PI, 0.1, M_PI, 1, CF_SCALE_LINEAR,
               "full angle at the tip; pi: a plane"},
};

/* That of the side falls with the distance from the apex: see shape.h. */
static double curvature(const struct cf_solid *solid)
{
    (void) solid;
    return 0;
}

static bool touch(const struct cf_solid *solid, double radius_m, const double centre_m[3],
                  struct cf_touch *out)
{
    const double *axis = solid->direction[0];
    double sine = sin(solid->size[ANGLE] / 2);
    double cosine = sin((M_PI - solid->size[ANGLE]) / 2); /* exactly 0 for a plane */
    double p[3], u[3], n[3], g[3], fade[3], height, aside, distance;

    cf_vec_sub(centre_m, solid->point_m, p);
    distance = cf_vec_norm(p);
    height = cf_vec_dot(p, axis);
    cf_vec_add_scaled(p, -height, axis, u);
    aside = cf_vec_norm(u);
    if (height * cosine > aside * sine && distance >= CF_NEAR_M) {
        cf_vec_scale(1 / distance, p, n);
        cf_touch_around_point(radius_m - distance, n, 1 / distance, out);
    } else if (aside >= CF_NEAR_M) {
        cf_vec_scale(1 / aside, u, u);
        cf_vec_scale(sine, axis, n);
        cf_vec_add_scaled(n, cosine, u, n);
        cf_vec_cross(axis, u, g);
        cf_vec_scale(1 / aside, u, fade);
        cf_touch_around_axis(radius_m - (sine * height + cosine * aside), n, g, cosine / aside,
                             fade, out);
    } else {
        cf_touch_flat(radius_m - (height > 0 ? 1 : sine) * height, axis, out);
    }
    return true;
}

/* > 0 over the tip: the nearest point is the apex. */
static double tip(const struct cf_solid *solid, const double centre_m[3])
{
    const double *axis = solid->direction[0];
    double p[3], u[3], height;

    cf_vec_sub(centre_m, solid->point_m, p);
    height = cf_vec_dot(p, axis);
    cf_vec_add_scaled(p, -height, axis, u);
    return height * sin((M_PI - solid->size[ANGLE]) / 2) -
           cf_vec_norm(u) * sin(solid->size[ANGLE] / 2);
}

const struct cf_shape cf_cone = {
    .name = "cone",
    .cite = "Gonthier 2007, eqs. A.16 to A.24",
    .what = "endless cone, convex",
    .point = "apex",
    .direction = {"axis"},
    .nsize = 1,
    .size = size,
    .curvature = curvature,
    .touch = touch,
    .seam = {tip},
};
