/* A facet is seen along the normal of its tangent plane. Its corners, where the surface meets two
 * walls of the leaf or other surfaces, are found by Newton's method; between them its edges are
 * bent, and what is between a bent edge and its chord is a strip. By the corners of the section
 * instead, or by strips along its own edges, the areas at corners would be missed, and the whole be
 * good to the square of the leaf's length only. */

#include "volume/rest.h"

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "volume/triangle.h"

enum { MOST_CORNERS = 2 * CF_MAX_SURFACES + 16, STEPS = 4 };

/* Gauss' rule of two on (0, 1). */
enum { NEDGE = 2 };
static const double node[NEDGE] = {0.21132486540518712, 0.78867513459481288};

struct rest {
    const struct cf_octree *tree;
    const struct cf_facet *facet;
    const size_t *facet_of;
    struct cf_leaf_sum *sum;
    const struct cf_cubelet_face *face;
    bool flat;
};

/* A wall of the leaf, or a surface, as a function that is 0 there. */
static double value_at(const struct rest *r, size_t face, const double x[3], double gradient[3])
{
    const struct cf_cubelet_face *wall = &r->tree->cubelet->face[face];
    const struct cf_quadric *q;

    if (face < CF_CUBE_FACES) {
        memcpy(gradient, wall->n, sizeof wall->n);
        return cf_vec_dot(wall->n, x) - wall->height;
    }
    q = &r->tree->facet[r->facet_of[face - CF_CUBE_FACES]].quadric;
    cf_quadric_gradient(q, x, gradient);
    return cf_quadric_value(q, x);
}

/* Adds an area of the plane at y, as it is on the surface. */
static bool add_area(const struct rest *r, const double y[3], double area)
{
    double w = r->flat ? 0 : cf_facet_height(r->facet, y), at[3], n[3], x[3], normal[3];

    if (!isfinite(w))
        return false;
    cf_vec_add_scaled(y, w, r->facet->n, at);
    memcpy(n, r->facet->n, sizeof n);
    if (!r->flat)
        cf_quadric_gradient(&r->facet->quadric, at, n);
    cf_vec_scale(r->sum->sign * area / cf_vec_dot(n, r->facet->n), n, n);
    cf_vec_add_scaled(at, 1, r->sum->centre, at);
    for (int k = 0; k < 3; k++) {
        x[k] = cf_vec_dot(r->tree->map[k], at);
        normal[k] = cf_vec_dot(r->tree->normal[k], n);
    }
    cf_region_still(&r->sum->part->region, x, normal);
    return true;
}

/* The step that takes three functions to 0. */
static void newton(double g[3][3], const double value[3], double step[3])
{
    double across[3][3], det;

    for (int k = 0; k < 3; k++)
        cf_vec_cross(g[(k + 1) % 3], g[(k + 2) % 3], across[k]);
    det = cf_vec_dot(g[0], across[0]);
    for (int i = 0; i < 3; i++)
        step[i] =
            -(value[0] * across[0][i] + value[1] * across[1][i] + value[2] * across[2][i]) / det;
}

/* From a place x on to where the surface meets a face, and a second one, or a plane through x with
 * the normal `fixed`. false: not within the leaf. */
static bool meet(const struct rest *r, size_t one, size_t other, const double *fixed, double x[3])
{
    double from[3] = {x[0], x[1], x[2]}, moved[3], last = 0;

    for (int k = 0; k < STEPS; k++) {
        double g[3][3], value[3], step[3];
        cf_quadric_gradient(&r->facet->quadric, x, g[0]);
        value[0] = cf_quadric_value(&r->facet->quadric, x);
        value[1] = value_at(r, one, x, g[1]);
        if (fixed) {
            cf_vec_sub(x, from, moved);
            memcpy(g[2], fixed, sizeof g[2]);
            value[2] = cf_vec_dot(fixed, moved);
        } else {
            value[2] = value_at(r, other, x, g[2]);
        }
        newton(g, value, step);
        cf_vec_add_scaled(x, 1, step, x);
        last = cf_vec_norm(step);
    }
    cf_vec_sub(x, from, moved);
    return cf_vec_norm(moved) < r->sum->half && last < 1e-6 * r->sum->half;
}

/* Into the plane. */
static void project(const struct rest *r, double x[3])
{
    double over = cf_vec_dot(r->facet->n, x) - r->facet->height;

    cf_vec_add_scaled(x, -over, r->facet->n, x);
}

/* Where edge e really begins; it stays where that is not known. */
static void begin_of(const struct rest *r, size_t e, double out[3])
{
    const struct cf_cubelet_edge *edge = r->face->edge;
    double x[3];

    memcpy(out, edge[e].from, sizeof edge[e].from);
    for (size_t k = 0; k < r->face->nedge; k++) {
        if (k == e || memcmp(edge[k].to, edge[e].from, sizeof edge[k].to) != 0)
            continue;
        memcpy(x, out, sizeof x);
        if (meet(r, edge[e].beside, edge[k].beside, NULL, x)) {
            project(r, x);
            memcpy(out, x, sizeof x);
        }
        return;
    }
}

/* Between the chord of an edge and the edge. */
static bool add_strip(const struct rest *r, size_t e, const double from[3], const double to[3])
{
    double along[3], out[3], length;
    bool whole = true;

    cf_vec_sub(to, from, along);
    length = cf_vec_norm(along);
    if (!(length > 0))
        return true;
    cf_vec_cross(along, r->facet->n, out);
    cf_vec_scale(1 / length, out, out);
    for (int k = 0; k < NEDGE && whole; k++) {
        double y[3], x[3], far, w;
        cf_vec_add_scaled(from, node[k], along, y);
        w = cf_facet_height(r->facet, y);
        cf_vec_add_scaled(y, w, r->facet->n, x);
        whole = isfinite(w) && meet(r, r->face->edge[e].beside, 0, along, x);
        cf_vec_sub(x, y, x);
        far = cf_vec_dot(x, out);
        cf_vec_add_scaled(y, far / 2, out, y);
        whole = whole && add_area(r, y, length / NEDGE * far);
    }
    return whole;
}

static bool add_triangle(const struct rest *r, const double a[3], const double b[3],
                         const double c[3])
{
    double ab[3], ac[3], normal[3], area;
    bool whole = true;

    cf_vec_sub(b, a, ab);
    cf_vec_sub(c, a, ac);
    cf_vec_cross(ab, ac, normal);
    area = cf_vec_dot(normal, r->facet->n) / 2;
    for (int k = 0; k < CF_TRIANGLE_POINTS && area != 0; k++) {
        double y[3];
        for (int i = 0; i < 3; i++)
            y[i] = a[i] + cf_triangle[k][0] * ab[i] + cf_triangle[k][1] * ac[i];
        whole = add_area(r, y, area * cf_triangle[k][2]) && whole;
    }
    return whole;
}

/* The end of an edge is the begin of another, which has the same corner of the section. */
static const double *end_of(const struct rest *r, size_t e, double begin[][3])
{
    for (size_t k = 0; k < r->face->nedge; k++)
        if (memcmp(r->face->edge[k].from, r->face->edge[e].to, sizeof r->face->edge[k].from) == 0)
            return begin[k];
    return r->face->edge[e].to;
}

void cf_rest_add(const struct cf_octree *tree, const size_t facet_of[], size_t k, bool flat,
                 struct cf_leaf_sum *sum)
{
    const struct cf_cubelet_face *face = &tree->cubelet->face[CF_CUBE_FACES + k];
    struct rest r = {tree, &tree->facet[facet_of[k]], facet_of, sum, face, flat};
    double begin[MOST_CORNERS][3];
    bool whole = true;

    for (size_t e = 0; e < face->nedge; e++)
        if (flat)
            memcpy(begin[e], face->edge[e].from, sizeof begin[e]);
        else
            begin_of(&r, e, begin[e]);
    for (size_t e = 0; e < face->nedge; e++) {
        const double *end = end_of(&r, e, begin);
        whole = add_triangle(&r, begin[0], begin[e], end) && whole;
        if (!flat)
            whole = add_strip(&r, e, begin[e], end) && whole;
    }
    sum->part->lost += whole ? 0 : sum->half * sum->half;
}
