/* A box: a polytope whose vertices are known. */

#include "geometry/vector.h"
#include "volume/polytope.h"
#include "volume/rows.h"

enum { NFACE = 6 };

static const struct cf_param size[] = {
    CF_FORM_LENGTH("size_x", "length along x"),
    CF_FORM_LENGTH("size_y", "length along y"),
    CF_FORM_LENGTH("size_z", "length along z"),
};

static const size_t ncorner[NFACE] = {4, 4, 4, 4, 4, 4};
static const size_t corner[] = {
    1, 3, 7, 5, 0, 4, 6, 2, /* x up, down */
    2, 6, 7, 3, 0, 1, 5, 4, /* y */
    4, 5, 7, 6, 0, 2, 3, 1, /* z */
};

struct cf_polytope cf_box_polytope(double (*vertex_m)[3])
{
    return (struct cf_polytope){.nvertex = CF_BOX_VERTICES,
                                .nface = NFACE,
                                .vertex_m = (const double(*)[3]) vertex_m,
                                .ncorner = ncorner,
                                .corner = corner};
}

static void lowest(const struct cf_piece *piece, const double n[3], double point_m[3])
{
    for (int k = 0; k < 3; k++)
        point_m[k] = (n[k] > 0 ? -0.5 : 0.5) * piece->size_m[k];
}

/* Vertices are as many whole sides from the lowest: their heights are sums of lengths >= 0. Along
 * the axes of the box a sliver on an edge keeps its width, however long the edge. */
static int slice(const struct cf_piece *piece, const double n[3], double depth_m,
                 struct cf_region *out, struct cf_error *err)
{
    static const double lowest_m[3] = {0, 0, 0};
    double q[3], vertex[CF_BOX_VERTICES][3];
    struct cf_polytope box = cf_box_polytope(vertex);

    (void) err;
    lowest(piece, n, q);
    for (int v = 0; v < CF_BOX_VERTICES; v++)
        for (int k = 0; k < 3; k++)
            vertex[v][k] = ((v >> k & 1) - (n[k] > 0 ? 0 : 1)) * piece->size_m[k];
    cf_region_begin_along(out, q, n);
    cf_polytope_slice(&box, lowest_m, depth_m, out);
    return CF_OK;
}

const struct cf_form cf_form_box = {
    .name = "box",
    .what = "box along the axes about the origin",
    .nsize = sizeof size / sizeof size[0],
    .size = size,
    .lowest = lowest,
    .slice = slice,
};
