/* Two convex polytopes: body i cut by the planes of body j's faces. What the planes leave of it is
 * cones from a point inside, and the faces that they cut are the boundary at rest. */

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "volume/clip.h"
#include "volume/moments.h"
#include "volume/pairs.h"
#include "volume/polytope.h"

static int cut(struct cf_clip *clip, const struct cf_polytope *by, struct cf_error *err)
{
    const size_t *corner = by->corner;
    int status = CF_OK;

    for (size_t f = 0; f < by->nface && clip->now.nface > 0 && !status; f++) {
        double n[3];
        cf_polytope_normal(by, corner, by->ncorner[f], n);
        status = cf_clip_plane(clip, n, by->vertex_m[corner[0]], err);
        corner += by->ncorner[f];
    }
    return status;
}

/* Adds a face, and returns the size of its cones. */
static double add_face(const struct cf_clip_body *body, const struct cf_clip_face *face,
                       struct cf_region *out)
{
    const size_t *corner = body->corner + face->begin;
    double size = 0, at[3][3];

    for (size_t k = 1; k + 1 < face->n; k++) {
        double before = out->moment[CF_MOMENT_1];
        cf_vec_sub(body->vertex_m[corner[0]], out->origin_m, at[0]);
        cf_vec_sub(body->vertex_m[corner[k]], out->origin_m, at[1]);
        cf_vec_sub(body->vertex_m[corner[k + 1]], out->origin_m, at[2]);
        cf_region_add_cone(out, at[0], at[1], at[2]);
        size += fabs(out->moment[CF_MOMENT_1] - before);
        if (face->cut)
            cf_region_still_triangle(out, at[0], at[1], at[2]);
    }
    return size;
}

static void nothing(const double at_m[3], struct cf_region *out)
{
    static const double up[3] = {0, 0, 1};

    cf_region_begin_along(out, at_m, up);
}

/* Rounding leaves of what only touches cones of both signs: that is nothing. */
static void measure(const struct cf_clip_body *body, struct cf_region *out)
{
    double middle[3] = {0}, size = 0;

    for (size_t v = 0; v < body->nvertex; v++)
        cf_vec_add_scaled(middle, 1 / (double) body->nvertex, body->vertex_m[v], middle);
    nothing(middle, out);
    for (size_t f = 0; f < body->nface; f++)
        size += add_face(body, &body->face[f], out);
    if (!(out->moment[CF_MOMENT_1] > size / 2))
        nothing(middle, out);
}

int cf_volume_polytopes(const struct cf_polytope *body_i, const struct cf_polytope *body_j,
                        struct cf_volume *out, struct cf_error *err)
{
    struct cf_clip clip;
    struct cf_region region;
    double n[3];
    int status = cf_clip_begin(&clip, body_i, err);

    if (!status)
        status = cut(&clip, body_j, err);
    if (!status) {
        measure(&clip.now, &region);
        cf_region_metrics(&region, out);
        if (out->volume_m3 == 0)
            cf_polytopes_depth(body_i, body_j, n, out->centroid_m, NULL);
    }
    cf_clip_free(&clip);
    return status;
}
