#include "volume/cell_pair.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"
#include "volume/cell_parts.h"

/* Both in the frame of j. */
struct both {
    struct cf_implicit i[CF_MAX_SURFACES], j[CF_MAX_SURFACES];
    size_t ni, nj;
};

static int place_both(const struct cf_cell_pair *pair, const struct cf_placing *placing,
                      struct both *out, struct cf_error *err)
{
    double point[3];

    out->ni = pair->i->npart;
    out->nj = pair->j ? pair->j->npart : 1;
    if (out->ni == 0 || out->nj == 0)
        return cf_fail(err, CF_ERANGE,
                       "a polytope of more than %d faces: an octree takes no more of them",
                       CF_MAX_SURFACES);
    for (size_t k = 0; k < out->ni; k++)
        out->i[k] = cf_part_placed(&pair->i->part[k], placing);
    if (pair->j) {
        memcpy(out->j, pair->j->part, out->nj * sizeof *out->j);
    } else {
        cf_vec_scale(pair->height_m, pair->n, point);
        out->j[0] = cf_part_under(pair->n, point);
    }
    return CF_OK;
}

/* Spheres around both are apart: by their gap. */
static bool far_apart(const struct cf_cell_pair *pair, const struct cf_placing *placing,
                      struct cf_cell_meeting *out)
{
    struct cf_placing to = *placing;
    double middle[3], apart[3], size;

    cf_vec_turn(to.turn, pair->i->middle_m, middle);
    cf_vec_add_scaled(middle, 1, placing->origin_m, middle);
    if (pair->j) {
        cf_vec_sub(middle, pair->j->middle_m, apart);
        size = cf_vec_norm(apart);
        out->depth_m = pair->i->radius_m + pair->j->radius_m - size;
        if (out->depth_m < 0)
            cf_vec_scale(1 / size, apart, out->n);
    } else {
        out->depth_m = pair->height_m + pair->i->radius_m - cf_vec_dot(pair->n, middle);
        memcpy(out->n, pair->n, sizeof out->n);
    }
    if (!(out->depth_m < 0))
        return false;
    cf_vec_add_scaled(middle, -pair->i->radius_m, out->n, out->point_m);
    return true;
}

static void find_centroid_depth(const struct cf_cell_pair *pair, struct cf_volume *v)
{
    if (!pair->j)
        v->centroid_depth_m = pair->height_m - cf_vec_dot(pair->n, v->centroid_m);
}

static bool has_hole(const struct cf_cell *cell)
{
    bool any = false;

    for (size_t k = 0; cell && k < cell->npart; k++)
        any = any || cell->part[k].hole;
    return any;
}

/* Holes leave parts of the overlap that the root is far wider than: without an end to what is asked
 * of V, a touch would take boxes without an end. */
static struct cf_octree_options limited(const struct cf_cell_pair *pair)
{
    /* of a cube of the smaller cell: V counts as no less in the relative error */
    static const double NOTHING = 1e-4;
    struct cf_octree_options options = *pair->octree;
    double size = pair->i->radius_m;

    if (pair->j)
        size = fmin(size, pair->j->radius_m);
    if (has_hole(pair->i) || has_hole(pair->j))
        options.error_m3 =
            fmax(options.error_m3, NOTHING * options.error_relative * size * size * size);
    return options;
}

static int exact_depth(const struct cf_cell_pair *pair, const struct cf_placing *placing,
                       struct cf_cell_meeting *out, struct cf_error *err)
{
    if (pair->j) {
        out->depth_m = cf_cells_depth(pair->i, placing, pair->j, out->n, out->point_m);
        return isnan(out->depth_m) ? cf_fail(err, CF_ENOMEM, "no memory for the faces of a cell")
                                   : CF_OK;
    }
    memcpy(out->n, pair->n, sizeof out->n);
    out->depth_m = cf_cell_depth(pair->i, placing, pair->n, pair->height_m, out->point_m);
    return CF_OK;
}

int cf_cell_pair_depth(const struct cf_cell_pair *pair, const struct cf_placing *placing,
                       struct cf_cell_meeting *out, struct cf_error *err)
{
    struct cf_implicit_touch touch;
    struct both both;
    int status;

    out->in_hole = false;
    if (cf_cells_are_exact(pair->i, pair->j))
        return exact_depth(pair, placing, out, err);
    if (far_apart(pair, placing, out))
        return CF_OK;
    status = place_both(pair, placing, &both, err);
    if (!status)
        status = cf_implicit_depth(both.i, both.ni, both.j, both.nj, &touch, err);
    out->depth_m = status ? (double) NAN : touch.depth_m;
    out->in_hole = !status && touch.in_hole;
    if (status)
        return status;
    memcpy(out->n, touch.n, sizeof out->n);
    memcpy(out->point_m, touch.point_m, sizeof out->point_m);
    return CF_OK;
}

int cf_cell_pair_volume(const struct cf_cell_pair *pair, const struct cf_placing *placing,
                        struct cf_volume *out, struct cf_error *err)
{
    struct cf_octree_volume found = {.ncell = 0};
    struct cf_octree_options options;
    struct cf_cell_meeting meeting;
    struct both both;
    int status;

    if (cf_cells_are_exact(pair->i, pair->j)) {
        status = pair->j ? CF_OK : exact_depth(pair, placing, &meeting, err);
        return status    ? status
               : pair->j ? cf_cells_volume(pair->i, placing, pair->j, out, err)
                         : cf_cell_volume(pair->i, placing, pair->n, meeting.depth_m, out, err);
    }
    options = limited(pair);
    status = place_both(pair, placing, &both, err);
    if (!status)
        status = cf_volume_implicit(both.i, both.ni, both.j, both.nj, &options, &found, err);
    *out = found.volume;
    if (!(out->volume_m3 > options.error_m3)) /* no more than what it may be off */
        out->volume_m3 = 0;
    find_centroid_depth(pair, out);
    return status;
}

int cf_cell_size(const struct cf_cell *cell, const struct cf_octree_options *octree,
                 double *volume_m3, struct cf_error *err)
{
    static const double above[3] = {0, 0, 1};
    static const struct cf_placing same = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const struct cf_cell_pair pair = {.i = cell,
                                      .n = above,
                                      .height_m = cell->middle_m[2] + 2 * cell->radius_m,
                                      .octree = octree};
    struct cf_volume all;
    int status = cell->piece.form
                     ? cf_volume_half_space(&cell->piece, above, 4 * cell->radius_m, &all, err)
                     : cf_cell_pair_volume(&pair, &same, &all, err);

    *volume_m3 = status ? (double) NAN : all.volume_m3;
    return status;
}
