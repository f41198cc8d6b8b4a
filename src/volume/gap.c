#include "volume/gap.h"

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "volume/polytope.h"
#include "volume/polytopes_touch.h"

/* Faces are parallel to this sine. */
static const double PARALLEL = 1e-3;

/* Lengths below this share of the smaller cell's size are rounding. */
static const double ROUNDING = 1e-9;

/* Faces that cover each other by less than this share of the smaller cell's size meet at an edge or
 * a corner only. */
static const double BESIDE = 1e-3;

struct face {
    const struct cf_polytope *body;
    const size_t *corner;
    size_t n;
    double out[3]; /* a unit vector */
};

/* The first face, or the next; false behind the last. */
static bool each_face(const struct cf_polytope *body, size_t *f, struct face *face)
{
    if (*f == body->nface)
        return false;
    face->corner = *f > 0 ? face->corner + face->n : body->corner;
    face->body = body;
    face->n = body->ncorner[(*f)++];
    cf_polytope_normal(body, face->corner, face->n, face->out);
    cf_vec_scale(1 / cf_vec_norm(face->out), face->out, face->out);
    return true;
}

static const double *corner_of(const struct face *face, size_t k)
{
    return face->body->vertex_m[face->corner[k % face->n]];
}

/* How far the vertices of a body are over a face, at least. */
static double least_over(const struct face *face, const struct cf_polytope *body)
{
    double least = INFINITY, from[3];

    for (size_t v = 0; v < body->nvertex; v++) {
        cf_vec_sub(body->vertex_m[v], corner_of(face, 0), from);
        least = fmin(least, cf_vec_dot(face->out, from));
    }
    return least;
}

/* How far a face reaches along a direction, counted from a place. */
static void reach(const struct face *face, const double from_m[3], const double along[3],
                  double range[2])
{
    range[0] = INFINITY, range[1] = -INFINITY;
    for (size_t k = 0; k < face->n; k++) {
        double apart[3], at;
        cf_vec_sub(corner_of(face, k), from_m, apart);
        at = cf_vec_dot(apart, along);
        range[0] = fmin(range[0], at);
        range[1] = fmax(range[1], at);
    }
}

/* By what two faces cover each other, seen along the first one's normal, at least: of convex loops
 * it is found across one of their edges. */
static double cover(const struct face *a, const struct face *b)
{
    const struct face *both[] = {a, b};
    double least = INFINITY;

    for (int side = 0; side < 2; side++)
        for (size_t k = 0; k < both[side]->n; k++) {
            double way[3], across[3], range[2][2];
            cf_vec_sub(corner_of(both[side], k + 1), corner_of(both[side], k), way);
            cf_vec_cross(way, a->out, across);
            cf_vec_scale(1 / cf_vec_norm(across), across, across);
            reach(a, corner_of(a, 0), across, range[0]);
            reach(b, corner_of(a, 0), across, range[1]);
            least = fmin(least, fmin(range[0][1], range[1][1]) - fmax(range[0][0], range[1][0]));
        }
    return least;
}

static bool faces(const struct face *a, const struct face *b)
{
    double across[3];

    cf_vec_cross(a->out, b->out, across);
    return cf_vec_dot(a->out, b->out) < 0 && cf_vec_norm(across) < PARALLEL;
}

bool cf_cells_gap(const struct cf_cell *i, const struct cf_cell *j, double most_m,
                  struct cf_cell_gap *out)
{
    double size = 2 * fmin(i->radius_m, j->radius_m), apart[3];
    struct face of_i = {.n = 0}, of_j = {.n = 0};

    cf_vec_sub(i->middle_m, j->middle_m, apart);
    if (cf_vec_norm(apart) > i->radius_m + j->radius_m + most_m)
        return false;
    for (size_t f = 0; each_face(&j->faces, &f, &of_j);) {
        double width = least_over(&of_j, &i->faces);
        if (!(width > ROUNDING * size && width <= most_m))
            continue;
        for (size_t g = 0; each_face(&i->faces, &g, &of_i);) {
            if (!faces(&of_j, &of_i) || !(cover(&of_j, &of_i) > BESIDE * size))
                continue;
            out->width_m = width;
            memcpy(out->middle_m, corner_of(&of_i, 0), sizeof out->middle_m);
            cf_polytopes_touch(&i->faces, &j->faces, of_j.out, out->middle_m);
            cf_vec_add_scaled(out->middle_m, -0.5 * width, of_j.out, out->middle_m);
            return true;
        }
    }
    return false;
}

bool cf_cell_holds(const struct cf_cell *cell, const double point_m[3])
{
    struct face face = {.n = 0};
    bool inside = cell->faces.nface > 0;

    for (size_t f = 0; inside && each_face(&cell->faces, &f, &face);) {
        double from[3];
        cf_vec_sub(point_m, corner_of(&face, 0), from);
        inside = cf_vec_dot(from, face.out) <= ROUNDING * cell->radius_m;
    }
    return inside;
}
