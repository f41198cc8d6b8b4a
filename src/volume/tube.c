/* A sphere and an endless cylinder or bore. What is at rest is the surface about the axis, as much
 * of it as is in the sphere: across phi 2 w along the axis, where all is cubic and two points are
 * exact. Points are taken by fours, so that what is odd adds up to 0. */

#include <gsl/gsl_math.h>
#include <math.h>
#include <string.h>

#include "core/quadrature.h"
#include "geometry/vector.h"
#include "volume/pairs.h"
#include "volume/rows.h"
#include "volume/tube.h"

/* A centre that is closer to the axis, as a share of the radii, has no direction from it but that
 * of rounding. */
static const double NEAR = 1e-12;

double cf_tube_depth(const struct cf_tube *tube, double radius_m, const double centre_m[3],
                     double n[3], double by[CF_TWIST])
{
    double inside = tube->hollow ? 1 : -1, distance, turn[3];

    cf_vec_sub(centre_m, tube->point_m, n);
    cf_vec_add_scaled(n, -cf_vec_dot(n, tube->axis), tube->axis, n);
    distance = cf_vec_norm(n);
    if (!(distance > NEAR * (radius_m + tube->radius_m)))
        distance = NAN;
    cf_vec_scale(-inside / distance, n, n);
    cf_vec_cross(centre_m, n, turn);
    for (int k = 0; by && k < 3; k++) {
        by[k] = -n[k];
        by[3 + k] = -turn[k];
    }
    return tube->hollow ? radius_m - tube->radius_m + distance
                        : radius_m + tube->radius_m - distance;
}

static struct cf_tube_pose pose_of(double radius_m, double tube_m, bool hollow, double depth_m)
{
    struct cf_tube_pose p = {.R = radius_m, .r = tube_m, .d = depth_m, .inside = hollow ? 1 : -1};
    double over, square;

    p.e = hollow ? tube_m - radius_m + depth_m : tube_m + (radius_m - depth_m);
    over = hollow ? -1 : depth_m - 2 * tube_m; /* R - r - e */
    if (over > 0) {
        p.whole = sqrt(over * (radius_m + tube_m + p.e));
        p.wide = M_PI;
    } else {
        square = depth_m * (2 * radius_m - depth_m) / (4 * tube_m * p.e);
        p.wide = 2 * asin(sqrt(square < 1 ? square : 1));
    }
    return p;
}

/* The whole of still[][] at an angle. */
static int at_surface(void *context, double left, double right, double out[], struct cf_error *err)
{
    const struct cf_tube_pose *p = (const struct cf_tube_pose *) context;
    double half = sin(left / 2), s = sin(left), w = sqrt(cf_tube_square(p, left, right));
    double z = p->inside * 2 * p->r * half * half, area = w * p->r;
    struct cf_region part = {.ceiling_m = NAN};

    (void) err;
    for (int corner = 0; corner < 4; corner++) {
        double side = corner & 1 ? -1 : 1, end = corner & 2 ? -1 : 1;
        double x[3] = {end * w / sqrt(3), side * p->r * s, z};
        double out_m2[3] = {0, -p->inside * side * area * s, area * cos(left)};
        cf_region_still(&part, x, out_m2);
    }
    memcpy(out, part.still, sizeof part.still);
    return CF_OK;
}

static int check(const struct cf_tube *tube, double radius, const double centre[3], double depth,
                 struct cf_error *err)
{
    const char *body = tube->hollow ? "bore" : "cylinder";
    double most = tube->hollow ? 2 * radius : fmin(2 * radius, radius + tube->radius_m);
    int status = cf_volume_check_radius("sphere", radius, err);

    if (!status)
        status = cf_volume_check_radius(body, tube->radius_m, err);
    if (!status)
        status = cf_volume_check_place("centre of a sphere", centre, err);
    if (!status)
        status = cf_volume_check_depth("sphere", depth, err);
    if (status)
        return status;
    if (tube->hollow && !(radius <= tube->radius_m))
        return cf_fail(err, CF_ERANGE,
                       "radius of a sphere = %.15g m: must be at most that of its bore, %.15g m",
                       radius, tube->radius_m);
    if (!(depth < most))
        return cf_fail(err, CF_ERANGE, "depth = %.15g m of a sphere: must be below %.15g m, %s",
                       depth, most,
                       most < 2 * radius ? "where its centre is on the axis of the cylinder"
                       : tube->hollow    ? "where it is wholly in the wall of the bore"
                                         : "where it is wholly in the cylinder");
    return CF_OK;
}

/* n across the axis, both unit vectors. */
static int directions(const struct cf_tube *tube, const double n[3], double along[3], double up[3],
                      struct cf_error *err)
{
    const char *body = tube->hollow ? "axis of a bore" : "axis of a cylinder";
    int status = cf_volume_unit(body, tube->axis, along, err);

    if (!status)
        status = cf_volume_unit("normal of a sphere", n, up, err);
    if (status)
        return status;
    cf_vec_add_scaled(up, -cf_vec_dot(up, along), along, up);
    if (!(cf_vec_norm(up) > NEAR))
        return cf_fail(err, CF_ERANGE,
                       "normal of a sphere = (%.15g, %.15g, %.15g): must not be along the %s", n[0],
                       n[1], n[2], body);
    cf_vec_scale(1 / cf_vec_norm(up), up, up);
    cf_vec_add_scaled(up, -cf_vec_dot(up, along), along, up);
    return CF_OK;
}

int cf_volume_tube(const struct cf_tube *tube, double radius_m, const double centre_m[3],
                   const double n[3], double depth_m, struct cf_volume *out, struct cf_error *err)
{
    struct cf_region region;
    struct cf_tube_pose pose;
    double along[3], up[3], place[3];
    int status = directions(tube, n, along, up, err);

    if (!status)
        status = check(tube, radius_m, centre_m, depth_m, err);
    if (status)
        return status;
    cf_vec_add_scaled(centre_m, (depth_m > 0 ? depth_m : 0) - radius_m, up, place);
    cf_region_begin(&region, place, up, along);
    if (depth_m > 0) {
        pose = pose_of(radius_m, tube->radius_m, tube->hollow, depth_m);
        status = (tube->hollow ? cf_tube_outside : cf_tube_within)(&pose, region.moment, err);
        if (!status)
            status = cf_integrate(at_surface, &pose, pose.wide, CF_NMOMENT * CF_TWIST,
                                  &region.still[0][0], err);
    }
    if (!status)
        cf_region_metrics(&region, out);
    return status;
}
