/* Two spheres. Seen from the plane of the circle in which they meet, the lens is a cap of body i
 * below and one of body j above. In a cap that is h high, with c = 2 R - h, the disc at the height
 * t over the circle has a radius r, r^2 = (h - t)(c + t): all moments are sums of what is >= 0.
 *
 * What is at rest is the curved side of the upper cap: its whole boundary less the circle.
 */

#include <gsl/gsl_math.h>
#include <string.h>

#include "geometry/vector.h"
#include "volume/pairs.h"
#include "volume/rows.h"

/* Centres that are closer, as a share of the radii, have a direction of rounding only. */
static const double NEAR = 1e-12;

double cf_spheres_depth(double radius_i_m, const double centre_i_m[3], double radius_j_m,
                        const double centre_j_m[3], double n[3], double by[CF_TWIST])
{
    double reach = radius_i_m + radius_j_m, distance, turn[3];

    cf_vec_sub(centre_i_m, centre_j_m, n);
    distance = cf_vec_norm(n);
    if (!(distance > NEAR * reach))
        distance = NAN;
    cf_vec_scale(1 / distance, n, n);
    cf_vec_cross(centre_i_m, n, turn);
    for (int k = 0; by && k < 3; k++) {
        by[k] = -n[k];
        by[3 + k] = -turn[k];
    }
    return reach - distance;
}

/* Of the cap of a sphere of radius R, h high, over its circle in z = 0; side = -1: under it. */
static void cap(double R, double h, int side, double m[CF_NMOMENT])
{
    double c = 2 * R - h, h2 = h * h;

    memset(m, 0, CF_NMOMENT * sizeof *m);
    m[CF_MOMENT_1] = M_PI * h2 * (c / 2 + h / 6);
    m[CF_MOMENT_Z] = side * M_PI * h2 * h * (c / 6 + h / 12);
    m[CF_MOMENT_ZZ] = M_PI * h2 * h2 * (c / 12 + h / 20);
    m[CF_MOMENT_XX] = M_PI_4 * h2 * h * (c * c / 3 + c * h / 6 + h2 / 30);
    m[CF_MOMENT_YY] = m[CF_MOMENT_XX];
}

static void lens(double radius_i, double radius_j, double depth, const double centre_i[3],
                 const double n[3], struct cf_region *out)
{
    double distance = radius_i + radius_j - depth;
    double high_i = depth / 2 * (2 * radius_j - depth) / distance;
    double high_j = depth / 2 * (2 * radius_i - depth) / distance;
    double square = high_i * (2 * radius_i - high_i), low[CF_NMOMENT], high[CF_NMOMENT], middle[3];
    double across[4][4] = {{0}};

    cf_vec_add_scaled(centre_i, high_i - radius_i, n, middle);
    cf_region_begin(out, middle, n, NULL);
    cap(radius_i, high_i, -1, low);
    cap(radius_j, high_j, 1, high);
    for (int k = 0; k < CF_NMOMENT; k++)
        out->moment[k] = low[k] + high[k];
    across[0][0] = M_PI * square;
    across[2][0] = across[0][2] = M_PI_4 * square * square;
    cf_region_still_whole(out, high);
    cf_region_still_level(out, 0, across); /* out of the cap is down */
}

static int check(double radius_i, double radius_j, const double centre_i[3], double depth,
                 struct cf_error *err)
{
    double least = fmin(radius_i, radius_j);
    int status = cf_volume_check_radius("sphere", radius_i, err);

    if (!status)
        status = cf_volume_check_radius("sphere", radius_j, err);
    if (!status)
        status = cf_volume_check_place("centre of a sphere", centre_i, err);
    if (!status)
        status = cf_volume_check_depth("sphere", depth, err);
    if (!status && !(depth < 2 * least))
        return cf_fail(err, CF_ERANGE,
                       "depth = %.15g m of a sphere: must be below %.15g m, where one sphere is "
                       "wholly inside the other",
                       depth, 2 * least);
    return status;
}

int cf_volume_spheres(double radius_i_m, double radius_j_m, const double centre_i_m[3],
                      const double n[3], double depth_m, struct cf_volume *out,
                      struct cf_error *err)
{
    struct cf_region region;
    double up[3], deepest[3];
    int status = cf_volume_unit("normal of two spheres", n, up, err);

    if (!status)
        status = check(radius_i_m, radius_j_m, centre_i_m, depth_m, err);
    if (status)
        return status;
    if (depth_m > 0) {
        lens(radius_i_m, radius_j_m, depth_m, centre_i_m, up, &region);
    } else {
        cf_vec_add_scaled(centre_i_m, -radius_i_m, up, deepest);
        cf_region_begin(&region, deepest, up, NULL);
    }
    cf_region_metrics(&region, out);
    return CF_OK;
}
