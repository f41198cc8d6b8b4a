/* The event function of implicit primitives. */

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "volume/barrier.h"
#include "volume/cells.h"
#include "volume/implicit.h"

/* The deepest point as if there were no holes, in the frame of the call. */
static int find_deepest(const struct cf_cells *cells, struct cf_implicit_touch *out,
                        struct cf_error *err)
{
    struct cf_conic conic[CF_MAX_SURFACES];
    struct cf_overlap first = {.conic = conic, .n = cells->nfirst},
                      both = {.conic = conic, .n = cells->nconvex, .nfixed = cells->nfirst};
    double x[3] = {0}, bound, turn[3], length;
    int status;

    cf_cells_shrunk(cells, conic);
    status = cf_overlap_inside(&first, x, &bound, err);
    if (!status && !(bound < 0))
        status = cf_fail(err, CF_ERANGE, "body i: its primitives have nothing in common");
    if (!status)
        status = cf_overlap_deepest(&both, x, &bound, out->n, err);
    if (status)
        return status;
    out->depth_m = -bound * cells->size_m;
    cf_vec_add_scaled(cells->origin_m, cells->size_m, x, out->point_m);
    cf_vec_cross(out->point_m, out->n, turn);
    for (int k = 0; k < 3; k++) {
        out->by[k] = -out->n[k];
        out->by[3 + k] = -turn[k];
    }
    length = cf_vec_norm(out->n);
    if (length > 0)
        cf_vec_scale(1 / length, out->n, out->n);
    return CF_OK;
}

/* How far a point is in the hole that it is furthest in [m]; < 0: in none. */
static double in_hole(const struct cf_implicit body[], size_t n, const double point_m[3])
{
    double most = -INFINITY;

    for (size_t k = 0; k < n; k++)
        if (body[k].hole)
            most = fmax(most, -cf_implicit_value(&body[k], point_m, NULL));
    return most;
}

int cf_implicit_depth(const struct cf_implicit body_i[], size_t ni,
                      const struct cf_implicit body_j[], size_t nj,
                      const struct cf_octree_options *options, struct cf_implicit_touch *out,
                      struct cf_error *err)
{
    static const double touching = 1e-9; /* a hole that ends where the body does */
    struct cf_cells cells;
    struct cf_octree_volume v;
    double hole, root;
    int status = cf_cells_check("body i", body_i, ni, false, err);

    *out = (struct cf_implicit_touch){.depth_m = 0};
    if (!status)
        status = cf_cells_check("body j", body_j, nj, false, err);
    if (!status)
        status = cf_cells_gather(body_i, ni, body_j, nj, &cells, err);
    if (!status)
        status = find_deepest(&cells, out, err);
    if (status)
        return status;
    hole = fmax(in_hole(body_i, ni, out->point_m), in_hole(body_j, nj, out->point_m));
    out->bracketed = out->depth_m > 0 && hole > -touching * cells.size_m;
    if (!out->bracketed)
        return CF_OK;
    status = cf_volume_implicit(body_i, ni, body_j, nj, options, &v, err);
    if (status)
        return status;
    out->volume = v.volume;
    root = cbrt(v.volume.volume_m3);
    out->depth_m = root > 0 ? root : -fmax(0, hole);
    for (int t = 0; t < CF_TWIST; t++)
        out->by[t] = root > 0 ? v.volume.volume_by[t] / (3 * root * root) : 0;
    return CF_OK;
}
