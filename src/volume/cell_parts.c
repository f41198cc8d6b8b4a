#include "volume/cell_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"

struct cf_implicit cf_part_placed(const struct cf_implicit *part, const struct cf_placing *at)
{
    struct cf_implicit out = *part;
    struct cf_placing to = *at;

    cf_vec_turn(to.turn, part->origin_m, out.origin_m);
    cf_vec_add_scaled(out.origin_m, 1, to.origin_m, out.origin_m);
    for (int k = 0; k < 3; k++)
        cf_vec_turn(to.turn, part->axis[k], out.axis[k]);
    return out;
}

struct cf_implicit cf_part_under(const double n[3], const double point_m[3])
{
    struct cf_implicit plane = {.row = cf_primitive_find("half-space")};
    int least = 0;
    double other[3] = {0};

    memcpy(plane.origin_m, point_m, sizeof plane.origin_m);
    memcpy(plane.axis[2], n, sizeof plane.axis[2]);
    for (int k = 1; k < 3; k++)
        if (fabs(n[k]) < fabs(n[least]))
            least = k;
    other[least] = 1;
    cf_vec_cross(other, n, plane.axis[0]);
    cf_vec_scale(1 / cf_vec_norm(plane.axis[0]), plane.axis[0], plane.axis[0]);
    cf_vec_cross(plane.axis[2], plane.axis[0], plane.axis[1]);
    return plane;
}

/* A face of a polytope: its plane, by the sum over its corners, of which the first one is in it. */
static struct cf_implicit under_face(const struct cf_polytope *polytope, const size_t corner[],
                                     size_t n)
{
    const double(*vertex)[3] = polytope->vertex_m;
    double area[3] = {0};

    for (size_t c = 2; c < n; c++) {
        double a[3], b[3], part[3];
        cf_vec_sub(vertex[corner[c - 1]], vertex[corner[0]], a);
        cf_vec_sub(vertex[corner[c]], vertex[corner[0]], b);
        cf_vec_cross(a, b, part);
        cf_vec_add_scaled(area, 1, part, area);
    }
    cf_vec_scale(1 / cf_vec_norm(area), area, area);
    return cf_part_under(area, vertex[corner[0]]);
}

/* Faces are in the frame of the body already. */
static void find_faces(struct cf_cell *cell)
{
    const size_t *corner = cell->faces.corner;

    for (size_t f = 0; f < cell->faces.nface; f++) {
        cell->part[f] = under_face(&cell->faces, corner, cell->faces.ncorner[f]);
        corner += cell->faces.ncorner[f];
    }
    cell->npart = cell->faces.nface;
}

int cf_cell_find_parts(struct cf_cell *cell, struct cf_error *err)
{
    struct cf_implicit own = {.row = cf_primitive_find(cell->piece.form->name),
                              .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    size_t n = own.row ? 1 : cell->faces.nface;

    if (n == 0 || n > CF_MAX_SURFACES) /* with faces there is what is exact */
        return CF_OK;
    cell->part = calloc(n, sizeof *cell->part);
    if (!cell->part)
        return cf_fail(err, CF_ENOMEM, "no memory for the surfaces of a cell");
    if (!own.row) {
        find_faces(cell);
        return CF_OK;
    }
    memcpy(own.size, cell->piece.size_m, own.row->nsize * sizeof *own.size);
    cell->part[0] = cf_part_placed(&own, &cell->at);
    cell->npart = 1;
    return CF_OK;
}

int cf_cell_bound_parts(struct cf_cell *cell, struct cf_error *err)
{
    cell->radius_m = INFINITY;
    int status = cf_implicit_check(cell->part, cell->npart, false, err);

    for (size_t k = 0; k < cell->npart && !status; k++) {
        const struct cf_implicit *part = &cell->part[k];
        double radius =
            part->hole || !part->row->around ? (double) INFINITY : part->row->around(part->size);
        if (!(radius < cell->radius_m))
            continue;
        cell->radius_m = radius;
        memcpy(cell->middle_m, part->origin_m, sizeof cell->middle_m);
    }
    return status;
}
