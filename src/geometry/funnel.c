/* A conical hole, touched from inside: the flank of a cone seen from the other side.
 *
 * With s and c the sine and the cosine of half the angle, and the centre at a height h above the
 * apex and at a distance r from the axis, the flank is h s - r c away and the normal is s axis - c
 * u, u the unit vector from the axis. On the axis the sphere touches all around, and has no normal:
 * that is where a ball at the bottom would come to rest.
 */

#include <gsl/gsl_math.h>
#include <math.h>

#include "geometry/rows.h"
#include "geometry/vector.h"

enum { ANGLE };

static const struct cf_param size[] = {
    [ANGLE] = {"angle", "rad", 1e-3, M_PI, 0.1, M_PI, 1, CF_SCALE_LINEAR,
               "full angle of the hole; pi: a plane"},
};

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
    double p[3], u[3], n[3], g[3], fade[3], height, aside, depth;

    cf_vec_sub(centre_m, solid->point_m, p);
    height = cf_vec_dot(p, axis);
    cf_vec_add_scaled(p, -height, axis, u);
    aside = cf_vec_norm(u);
    depth = radius_m - (sine * height - cosine * aside);
    if (cosine == 0) {
        cf_touch_flat(depth, axis, out);
        return true;
    }
    if (height * cosine + aside * sine < 0) { /* deep in the solid: the apex is nearest */
        double distance = cf_vec_norm(p);
        if (!(distance >= CF_NEAR_M))
            return cf_touch_none(radius_m + distance, out);
        cf_vec_scale(-1 / distance, p, n);
        cf_touch_around_point(radius_m + distance, n, -1 / distance, out);
        return true;
    }
    if (!(aside >= CF_NEAR_M))
        return cf_touch_none(depth, out);
    cf_vec_scale(1 / aside, u, u);
    cf_vec_scale(sine, axis, n);
    cf_vec_add_scaled(n, -cosine, u, n);
    cf_vec_cross(axis, u, g);
    cf_vec_scale(1 / aside, u, fade);
    cf_touch_around_axis(depth, n, g, -cosine / aside, fade, out);
    return true;
}

const struct cf_shape cf_funnel = {
    .name = "funnel",
    .cite = "Gonthier 2007, eqs. A.16 to A.24, from inside",
    .what = "endless conical hole, touched from inside",
    .point = "apex",
    .direction = {"axis"},
    .nsize = 1,
    .size = size,
    .curvature = curvature,
    .touch = touch,
};
