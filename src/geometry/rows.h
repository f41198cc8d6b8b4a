/* Rows defined by the shape files, and what they share; private to src/geometry. */

#ifndef CF_GEOMETRY_ROWS_H
#define CF_GEOMETRY_ROWS_H

#include "geometry/shape.h"

extern const struct cf_shape cf_plane;
extern const struct cf_shape cf_sphere;
extern const struct cf_shape cf_edge;
extern const struct cf_shape cf_cylinder;
extern const struct cf_shape cf_bore;
extern const struct cf_shape cf_cone;
extern const struct cf_shape cf_funnel;

/* Within this distance [m] of an axis, an apex, an edge or a centre the direction away from it is
 * not resolved: positions of some metres are rounded to 1e-15 m, and what is left of a direction is
 * good to a millionth here. A sphere that deep has lost its centre in the solid. */
#define CF_NEAR_M 1e-9

#define CF_SIZE_RADIUS(text)                                                                       \
    {                                                                                              \
        "radius", "m", 1e-9, 1e6, 1e-6, 1e6, 0.1, CF_SCALE_LOG, text                               \
    }

/* The normal does not turn. */
void cf_touch_flat(double depth_m, const double n[3], struct cf_touch *out);

/* It turns as the centre goes around a point: turn = rate (1 - n n). */
void cf_touch_around_point(double depth_m, const double n[3], double rate_1_m,
                           struct cf_touch *out);

/* It turns as the centre goes along g, a unit vector, around an axis: turn = rate g g; fade is the
 * unit vector from the axis over the distance from it. */
void cf_touch_around_axis(double depth_m, const double n[3], const double g[3], double rate_1_m,
                          const double fade[3], struct cf_touch *out);

/* There is no normal: the answer of a row's touch() is then false. */
bool cf_touch_none(double depth_m, struct cf_touch *out);

#endif
