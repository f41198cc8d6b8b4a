/* A solid from its measures: checked once, then only touched. */

#include <math.h>
#include <stdbool.h>

#include "geometry/shape.h"
#include "geometry/vector.h"

static bool all_finite(const double a[3])
{
    return isfinite(a[0]) && isfinite(a[1]) && isfinite(a[2]);
}

static int check_point(const char *key, const double point_m[3], struct cf_error *err)
{
    if (all_finite(point_m))
        return CF_OK;
    return cf_fail(err, CF_ERANGE, "%s = (%.15g, %.15g, %.15g) m: a point must be finite", key,
                   point_m[0], point_m[1], point_m[2]);
}

/* Scaled before it is squared, so that no length is too short or too long. */
static int normalise(const char *key, double a[3], struct cf_error *err)
{
    double most = fmax(fabs(a[0]), fmax(fabs(a[1]), fabs(a[2])));

    if (!all_finite(a))
        return cf_fail(err, CF_ERANGE, "%s = (%.15g, %.15g, %.15g): a direction must be finite",
                       key, a[0], a[1], a[2]);
    if (!(most > 0))
        return cf_fail(err, CF_ERANGE, "%s = (%g, %g, %g): a direction must not be 0", key,
                       fabs(a[0]), fabs(a[1]), fabs(a[2]));
    for (int i = 0; i < 3; i++)
        a[i] /= most;
    cf_vec_scale(1 / cf_vec_norm(a), a, a);
    return CF_OK;
}

int cf_solid_make(struct cf_solid *solid, struct cf_error *err)
{
    const struct cf_shape *shape = solid->shape;
    struct cf_solid made = *solid;
    int status = CF_OK;

    if (shape->point)
        status = check_point(shape->point, made.point_m, err);
    for (int i = 0; i < CF_SHAPE_DIRECTIONS && !status && shape->direction[i]; i++)
        status = normalise(shape->direction[i], made.direction[i], err);
    if (!status)
        status = cf_param_check(shape->size, shape->nsize, made.size, err);
    if (!status && shape->check)
        status = shape->check(&made, err);
    if (!status)
        *solid = made;
    return status;
}

bool cf_solid_touch(const struct cf_solid *solid, double radius_m, const double centre_m[3],
                    struct cf_touch *out)
{
    return solid->shape->touch(solid, radius_m, centre_m, out);
}
