/* A convex polytope: its check, and as a form. */

#include "volume/polytope.h"

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "volume/rows.h"

/* Faces are flat, and the body convex, to this share of its size. */
static const double FLAT = 1e-9;

static const size_t *face_of(const struct cf_polytope *p, size_t face)
{
    const size_t *corner = p->corner;

    for (size_t f = 0; f < face; f++)
        corner += p->ncorner[f];
    return corner;
}

/* How often a face runs from one vertex to another. */
static size_t runs(const struct cf_polytope *p, size_t from, size_t to)
{
    const size_t *corner = p->corner;
    size_t n = 0;

    for (size_t f = 0; f < p->nface; f++) {
        for (size_t i = 0; i < p->ncorner[f]; i++)
            n += corner[i] == from && corner[(i + 1) % p->ncorner[f]] == to;
        corner += p->ncorner[f];
    }
    return n;
}

static int check_vertices(const struct cf_polytope *p, double *reach, struct cf_error *err)
{
    *reach = 0;
    if (p->nvertex < 4 || p->nface < 4)
        return cf_fail(err, CF_ERANGE,
                       "polytope of %zu vertices and %zu faces: a body has 4 or more of both",
                       p->nvertex, p->nface);
    for (size_t v = 0; v < p->nvertex; v++)
        for (int i = 0; i < 3; i++) {
            if (!isfinite(p->vertex_m[v][i]))
                return cf_fail(err, CF_ERANGE,
                               "polytope: vertex %zu = (%.15g, %.15g, %.15g) m: "
                               "must be finite",
                               v + 1, p->vertex_m[v][0], p->vertex_m[v][1], p->vertex_m[v][2]);
            *reach = fmax(*reach, fabs(p->vertex_m[v][i] - p->vertex_m[0][i]));
        }
    return CF_OK;
}

static int check_edges(const struct cf_polytope *p, size_t face, struct cf_error *err)
{
    const size_t *corner = face_of(p, face);
    size_t n = p->ncorner[face];

    if (n < 3)
        return cf_fail(err, CF_ERANGE, "polytope: face %zu has %zu corners: 3 or more make a face",
                       face + 1, n);
    for (size_t i = 0; i < n; i++)
        if (corner[i] >= p->nvertex)
            return cf_fail(err, CF_ERANGE,
                           "polytope: face %zu names vertex %zu: there are %zu vertices", face + 1,
                           corner[i] + 1, p->nvertex);
    for (size_t i = 0; i < n; i++) {
        size_t from = corner[i], to = corner[(i + 1) % n];
        if (runs(p, from, to) != 1 || runs(p, to, from) != 1)
            return cf_fail(err, CF_ERANGE,
                           "polytope: the edge of face %zu from vertex %zu to %zu is not shared by "
                           "exactly one other face that runs the opposite way: the body is open or "
                           "a face is inside out",
                           face + 1, from + 1, to + 1);
    }
    return CF_OK;
}

void cf_polytope_normal(const struct cf_polytope *p, const size_t corner[], size_t ncorner,
                        double n[3])
{
    const double *first = p->vertex_m[corner[0]];

    memset(n, 0, 3 * sizeof *n);
    for (size_t i = 1; i + 1 < ncorner; i++) {
        double a[3], b[3], part[3];
        cf_vec_sub(p->vertex_m[corner[i]], first, a);
        cf_vec_sub(p->vertex_m[corner[i + 1]], first, b);
        cf_vec_cross(a, b, part);
        cf_vec_add_scaled(n, 1, part, n);
    }
}

static bool has_corner(const struct cf_polytope *p, size_t face, size_t vertex)
{
    const size_t *corner = face_of(p, face);
    size_t i = 0;

    while (i < p->ncorner[face] && corner[i] != vertex)
        i++;
    return i < p->ncorner[face];
}

/* No vertex outside the plane of a face, and its own corners in it. */
static int check_convex(const struct cf_polytope *p, size_t face, double reach,
                        struct cf_error *err)
{
    const double *first = p->vertex_m[face_of(p, face)[0]];
    double n[3], area;

    cf_polytope_normal(p, face_of(p, face), p->ncorner[face], n);
    area = cf_vec_norm(n);
    if (!(area > FLAT * reach * reach * FLAT))
        return cf_fail(err, CF_ERANGE, "polytope: face %zu has no area", face + 1);
    for (size_t v = 0; v < p->nvertex; v++) {
        double from[3], out;
        cf_vec_sub(p->vertex_m[v], first, from);
        out = cf_vec_dot(n, from) / area;
        if (!(out <= FLAT * reach) || (has_corner(p, face, v) && !(out >= -FLAT * reach)))
            return cf_fail(err, CF_ERANGE,
                           "polytope: vertex %zu is %.6g m %s the plane of face %zu: %s", v + 1,
                           fabs(out), out > 0 ? "outside" : "inside", face + 1,
                           has_corner(p, face, v) ? "a face must be flat" : "must be convex");
    }
    return CF_OK;
}

static int check_volume(const struct cf_polytope *p, double reach, struct cf_error *err)
{
    double deepest = 0, n[3];

    cf_polytope_normal(p, p->corner, p->ncorner[0], n);
    for (size_t v = 0; v < p->nvertex; v++) {
        double from[3];
        cf_vec_sub(p->vertex_m[v], p->vertex_m[face_of(p, 0)[0]], from);
        deepest = fmin(deepest, cf_vec_dot(n, from) / cf_vec_norm(n));
    }
    if (!(-deepest > FLAT * reach))
        return cf_fail(err, CF_ERANGE, "polytope: has no volume: all vertices lie in one plane");
    return CF_OK;
}

int cf_polytope_check(const struct cf_polytope *polytope, struct cf_error *err)
{
    double reach;
    int status = check_vertices(polytope, &reach, err);

    for (size_t f = 0; f < polytope->nface && !status; f++)
        status = check_edges(polytope, f, err);
    for (size_t f = 0; f < polytope->nface && !status; f++)
        status = check_convex(polytope, f, reach, err);
    return status ? status : check_volume(polytope, reach, err);
}

static void lowest(const struct cf_piece *piece, const double n[3], double point_m[3])
{
    const struct cf_polytope *p = piece->polytope;
    const double *least = p->vertex_m[0];

    for (size_t v = 1; v < p->nvertex; v++)
        if (cf_vec_dot(n, p->vertex_m[v]) < cf_vec_dot(n, least))
            least = p->vertex_m[v];
    memcpy(point_m, least, 3 * sizeof *point_m);
}

static int slice(const struct cf_piece *piece, const double n[3], double depth_m,
                 struct cf_region *out, struct cf_error *err)
{
    double q[3];

    (void) err;
    lowest(piece, n, q);
    cf_region_begin(out, q, n, NULL);
    cf_polytope_slice(piece->polytope, q, depth_m, out);
    return CF_OK;
}

const struct cf_form cf_form_polytope = {
    .name = "polytope",
    .what = "convex polytope, by its vertices and faces",
    .lowest = lowest,
    .slice = slice,
};
