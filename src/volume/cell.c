#include "volume/cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"
#include "volume/cell_parts.h"
#include "volume/pairs.h"
#include "volume/polytope.h"

/* A frame is a rotation to this. */
static const double ROTATION = 1e-9;

static void place(const struct cf_placing *at, const double a[3], double out[3])
{
    double turned[3];

    cf_vec_turn(((struct cf_placing *) at)->turn, a, turned);
    cf_vec_add_scaled(at->origin_m, 1, turned, out);
}

/* R^T a */
static void turn_back(const struct cf_placing *at, const double a[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = at->turn[0][i] * a[0] + at->turn[1][i] * a[1] + at->turn[2][i] * a[2];
}

static struct cf_placing follow(const struct cf_placing *outer, const struct cf_placing *inner)
{
    struct cf_placing both;

    place(outer, inner->origin_m, both.origin_m);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            both.turn[i][k] = 0;
            for (int m = 0; m < 3; m++)
                both.turn[i][k] += outer->turn[i][m] * inner->turn[m][k];
        }
    return both;
}

static int check_frame(const struct cf_placing *at, struct cf_error *err)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            double sum = 0;
            for (int m = 0; m < 3; m++)
                sum += at->turn[m][i] * at->turn[m][k];
            if (!(fabs(sum - (i == k)) <= ROTATION) || !isfinite(at->origin_m[i]))
                return cf_fail(err, CF_ERANGE, "frame of a cell: not a rotation at a place");
        }
    return CF_OK;
}

static size_t corners_of(const struct cf_polytope *p)
{
    size_t n = 0;

    for (size_t f = 0; f < p->nface; f++)
        n += p->ncorner[f];
    return n;
}

/* A copy of a polytope whose vertices are placed. */
static int copy_faces(struct cf_polytope *to, const struct cf_polytope *from,
                      const struct cf_placing *at, struct cf_error *err)
{
    size_t ncorner = corners_of(from);
    double(*vertex)[3] = calloc(from->nvertex, sizeof *vertex);
    size_t *count = calloc(from->nface, sizeof *count), *corner = calloc(ncorner, sizeof *corner);

    *to = (struct cf_polytope){from->nvertex, from->nface, (const double(*)[3]) vertex, count,
                               corner};
    if (!vertex || !count || !corner)
        return cf_fail(err, CF_ENOMEM, "no memory for the faces of a cell");
    for (size_t v = 0; v < from->nvertex; v++)
        place(at, from->vertex_m[v], vertex[v]);
    memcpy(count, from->ncorner, from->nface * sizeof *count);
    memcpy(corner, from->corner, ncorner * sizeof *corner);
    return CF_OK;
}

static void free_faces(struct cf_polytope *p)
{
    free((void *) p->vertex_m);
    free((void *) p->ncorner);
    free((void *) p->corner);
    *p = (struct cf_polytope){0};
}

static int find_faces(struct cf_cell *cell, struct cf_error *err)
{
    double vertex[CF_BOX_VERTICES][3];
    struct cf_polytope box = cf_box_polytope(vertex);

    if (cell->piece.polytope)
        return copy_faces(&cell->faces, cell->piece.polytope, &cell->at, err);
    if (cell->piece.form != cf_form_find("box"))
        return CF_OK;
    for (int v = 0; v < CF_BOX_VERTICES; v++)
        for (int k = 0; k < 3; k++)
            vertex[v][k] = ((v >> k & 1) ? 0.5 : -0.5) * cell->piece.size_m[k];
    return copy_faces(&cell->faces, &box, &cell->at, err);
}

/* The middle of the box that has it along the body's axes, and half of its diagonal. */
static void find_sphere(struct cf_cell *cell)
{
    double square = 0;

    for (int k = 0; k < 3; k++) {
        double end[2];
        for (int side = 0; side < 2; side++) {
            double n[3] = {0}, inside[3], q[3], at[3];
            n[k] = side ? -1 : 1;
            turn_back(&cell->at, n, inside);
            cell->piece.form->lowest(&cell->piece, inside, q);
            place(&cell->at, q, at);
            end[side] = at[k];
        }
        cell->middle_m[k] = (end[0] + end[1]) / 2;
        square += (end[1] - end[0]) * (end[1] - end[0]) / 4;
    }
    cell->radius_m = sqrt(square);
}

int cf_cell_make(struct cf_cell *cell, struct cf_error *err)
{
    int status;

    if (!cell->piece.form)
        return cf_cell_bound_parts(cell, err);
    status = cf_piece_check(&cell->piece, err);
    if (!status)
        status = check_frame(&cell->at, err);
    if (!status)
        status = find_faces(cell, err);
    if (!status)
        status = cf_cell_find_parts(cell, err);
    if (!status)
        find_sphere(cell);
    return status;
}

void cf_cell_free(struct cf_cell *cell)
{
    struct cf_polytope *own = (struct cf_polytope *) cell->piece.polytope;

    free_faces(&cell->faces);
    free(cell->part);
    cell->part = NULL;
    if (own)
        free_faces(own);
    free(own);
    cell->piece.polytope = NULL;
}

double cf_cell_part_depth(const struct cf_cell *cell, const double point_m[3])
{
    double value = -INFINITY;

    for (size_t k = 0; k < cell->npart; k++) {
        double of_part = cf_implicit_value(&cell->part[k], point_m, NULL);
        value = fmax(value, cell->part[k].hole ? -of_part : of_part);
    }
    return cell->npart ? -value : -INFINITY;
}

double cf_cell_depth(const struct cf_cell *i, const struct cf_placing *placing, const double n[3],
                     double height_m, double point_m[3])
{
    struct cf_placing at = follow(placing, &i->at);
    double inside[3], q[3];

    turn_back(&at, n, inside);
    i->piece.form->lowest(&i->piece, inside, q);
    place(&at, q, point_m);
    return height_m - cf_vec_dot(n, point_m);
}

/* R m R^T */
static void turn_matrix(const struct cf_placing *at, double m[3][3], double out[3][3])
{
    double half[3][3] = {{0}};

    memset(out, 0, sizeof half);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            for (int k = 0; k < 3; k++)
                half[a][b] += at->turn[a][k] * m[k][b];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            for (int k = 0; k < 3; k++)
                out[a][b] += half[a][k] * at->turn[b][k];
}

/* Add what a motion of the inner frame makes, as one of the outer. */
static void add_column(const struct cf_placing *at, const struct cf_volume *inner,
                       const double twist[CF_TWIST], int t, struct cf_volume *out)
{
    double moved[3] = {0}, turned[3], grown[3][3] = {{0}}, spun[3][3];

    out->volume_by[t] = 0;
    for (int u = 0; u < CF_TWIST; u++) {
        out->volume_by[t] += inner->volume_by[u] * twist[u];
        for (int a = 0; a < 3; a++) {
            moved[a] += inner->centroid_by[a][u] * twist[u];
            for (int b = 0; b < 3; b++)
                grown[a][b] += inner->inertia_by[a][b][u] * twist[u];
        }
    }
    cf_vec_turn(((struct cf_placing *) at)->turn, moved, turned);
    turn_matrix(at, grown, spun);
    for (int a = 0; a < 3; a++) {
        out->centroid_by[a][t] = turned[a];
        for (int b = 0; b < 3; b++)
            out->inertia_by[a][b][t] = spun[a][b];
    }
}

/* A volume out of the frame of a piece into the one in which that is placed. */
static void move_out(const struct cf_placing *at, const struct cf_volume *inner,
                     struct cf_volume *out)
{
    struct cf_volume v = *inner;

    out->volume_m3 = v.volume_m3;
    out->centroid_depth_m = v.centroid_depth_m;
    place(at, v.centroid_m, out->centroid_m);
    turn_matrix(at, v.inertia_m5, out->inertia_m5);
    for (int t = 0; t < CF_TWIST; t++) {
        double unit[3] = {t % 3 == 0, t % 3 == 1, t % 3 == 2}, moved[3], twist[CF_TWIST] = {0};
        if (t < 3) {
            turn_back(at, unit, twist);
        } else { /* a turn about the outer origin moves the inner one */
            cf_vec_cross(unit, at->origin_m, moved);
            turn_back(at, moved, twist);
            turn_back(at, unit, twist + 3);
        }
        add_column(at, &v, twist, t, out);
    }
}

int cf_cell_volume(const struct cf_cell *i, const struct cf_placing *placing, const double n[3],
                   double depth_m, struct cf_volume *out, struct cf_error *err)
{
    struct cf_placing at = follow(placing, &i->at);
    struct cf_volume inner;
    double inside[3];
    int status;

    turn_back(&at, n, inside);
    status = cf_volume_half_space(&i->piece, inside, depth_m, &inner, err);
    if (!status)
        move_out(&at, &inner, out);
    return status;
}

/* The faces of cell i in the frame of j; the vertices are to be freed. */
static int placed(const struct cf_cell *i, const struct cf_placing *placing,
                  struct cf_polytope *out)
{
    double(*vertex)[3] = calloc(i->faces.nvertex, sizeof *vertex);

    *out = i->faces;
    out->vertex_m = (const double(*)[3]) vertex;
    for (size_t v = 0; vertex && v < i->faces.nvertex; v++)
        place(placing, i->faces.vertex_m[v], vertex[v]);
    return vertex ? CF_OK : CF_ENOMEM;
}

double cf_cells_depth(const struct cf_cell *i, const struct cf_placing *placing,
                      const struct cf_cell *j, double n[3], double point_m[3])
{
    struct cf_polytope faces;
    double middle[3], apart[3], size, depth;

    place(placing, i->middle_m, middle);
    cf_vec_sub(middle, j->middle_m, apart);
    size = cf_vec_norm(apart);
    depth = i->radius_m + j->radius_m - size;
    if (depth < 0) {
        cf_vec_scale(1 / size, apart, n);
        cf_vec_add_scaled(middle, -i->radius_m, n, point_m);
        return depth;
    }
    if (placed(i, placing, &faces))
        return (double) NAN;
    depth = cf_polytopes_depth(&faces, &j->faces, n, point_m, NULL);
    free((void *) faces.vertex_m);
    return depth;
}

int cf_cells_volume(const struct cf_cell *i, const struct cf_placing *placing,
                    const struct cf_cell *j, struct cf_volume *out, struct cf_error *err)
{
    struct cf_polytope faces;
    int status = placed(i, placing, &faces);

    if (status)
        return cf_fail(err, CF_ENOMEM, "no memory for the faces of a cell");
    status = cf_volume_polytopes(&faces, &j->faces, out, err);
    free((void *) faces.vertex_m);
    return status;
}
