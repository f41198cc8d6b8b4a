/* A ball. Its part within d of the lowest point is a cap: at the height z over that point the
 * circle has a radius r, r^2 = z (2 R - z), and the moments are polynomials in z without
 * cancellation. */

#include <gsl/gsl_math.h>

#include "geometry/vector.h"
#include "volume/rows.h"

enum { RADIUS, NSIZE };

static const struct cf_param size[NSIZE] = {
    [RADIUS] = CF_FORM_LENGTH("radius", "radius of the sphere"),
};

static void lowest(const struct cf_piece *piece, const double n[3], double point_m[3])
{
    cf_vec_scale(-piece->size_m[RADIUS], n, point_m);
}

static int slice(const struct cf_piece *piece, const double n[3], double depth_m,
                 struct cf_region *out, struct cf_error *err)
{
    double R = piece->size_m[RADIUS], d = depth_m < 2 * R ? depth_m : 2 * R, q[3];
    double square = d * (2 * R - d), across[4][4] = {{0}};

    (void) err;
    lowest(piece, n, q);
    cf_region_begin(out, q, n, NULL);
    out->moment[CF_MOMENT_1] = M_PI * d * d * (R - d / 3);
    out->moment[CF_MOMENT_Z] = M_PI * d * d * d * (2 * R / 3 - d / 4);
    out->moment[CF_MOMENT_ZZ] = M_PI * d * d * d * d * (R / 2 - d / 5);
    out->moment[CF_MOMENT_XX] = M_PI_4 * d * d * d * (4 * R * R / 3 - R * d + d * d / 5);
    out->moment[CF_MOMENT_YY] = out->moment[CF_MOMENT_XX];
    across[0][0] = M_PI * square;
    across[2][0] = across[0][2] = M_PI_4 * square * square;
    cf_region_still_level(out, d, across);
    return CF_OK;
}

const struct cf_form cf_form_sphere = {
    .name = "sphere",
    .what = "ball about the origin",
    .nsize = NSIZE,
    .size = size,
    .lowest = lowest,
    .slice = slice,
};
