/* Checks that all pairs share. */

#include <math.h>

#include "geometry/vector.h"
#include "volume/rows.h"

/* Scaled before it is squared, so that no length is too short or too long. */
int cf_volume_unit(const char *what, const double n[3], double unit[3], struct cf_error *err)
{
    double most = fmax(fabs(n[0]), fmax(fabs(n[1]), fabs(n[2])));

    if (!(isfinite(n[0]) && isfinite(n[1]) && isfinite(n[2]) && most > 0))
        return cf_fail(err, CF_ERANGE,
                       "%s = (%.15g, %.15g, %.15g): a direction must be finite and not 0", what,
                       n[0], n[1], n[2]);
    cf_vec_scale(1 / most, n, unit);
    cf_vec_scale(1 / cf_vec_norm(unit), unit, unit);
    return CF_OK;
}

int cf_volume_check_radius(const char *body, double radius_m, struct cf_error *err)
{
    if (radius_m > 0 && isfinite(radius_m))
        return CF_OK;
    return cf_fail(err, CF_ERANGE, "radius of a %s = %.15g m: must be finite and above 0", body,
                   radius_m);
}

int cf_volume_check_place(const char *what, const double place_m[3], struct cf_error *err)
{
    if (isfinite(place_m[0]) && isfinite(place_m[1]) && isfinite(place_m[2]))
        return CF_OK;
    return cf_fail(err, CF_ERANGE, "%s = (%.15g, %.15g, %.15g) m: a point must be finite", what,
                   place_m[0], place_m[1], place_m[2]);
}

int cf_volume_check_depth(const char *body, double depth_m, struct cf_error *err)
{
    if (isfinite(depth_m))
        return CF_OK;
    return cf_fail(err, CF_ERANGE, "depth = %.15g m of a %s: must be finite", depth_m, body);
}
