/* A piece and a half-space. */

#include "geometry/vector.h"
#include "volume/rows.h"

double cf_half_space_depth(const struct cf_piece *piece, const double n[3], double height_m,
                           double by[CF_TWIST])
{
    double q[3], turn[3];

    piece->form->lowest(piece, n, q);
    cf_vec_cross(q, n, turn);
    for (int i = 0; by && i < 3; i++) {
        by[i] = -n[i];
        by[3 + i] = -turn[i];
    }
    return height_m - cf_vec_dot(n, q);
}

int cf_volume_half_space(const struct cf_piece *piece, const double n[3], double depth_m,
                         struct cf_volume *out, struct cf_error *err)
{
    struct cf_region region;
    double up[3];
    int status = cf_volume_unit("normal of a half-space", n, up, err);

    if (!status)
        status = cf_volume_check_depth(piece->form->name, depth_m, err);
    if (status)
        return status;
    if (depth_m > 0) {
        status = piece->form->slice(piece, up, depth_m, &region, err);
    } else {
        double q[3];
        piece->form->lowest(piece, up, q);
        cf_region_begin(&region, q, up, NULL);
    }
    if (status)
        return status;
    region.ceiling_m = depth_m;
    cf_region_metrics(&region, out);
    return CF_OK;
}
