/* How deep two convex polytopes overlap, or their gap: over all directions n the largest of
 *
 *   gap(n) = min of n.x over body i - max of n.x over body j
 *
 * is the distance where it is > 0, and else less the depth. It is at a normal of a face or across
 * two edges that meet; where there is a gap it may also be from vertex to vertex or from an edge to
 * a vertex. Whichever n is tried, gap(n) is a bound from below, so that all of them are tried. */

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "volume/pairs.h"
#include "volume/polytope.h"
#include "volume/polytopes_touch.h"

/* Edges whose directions are closer, as a sine, are parallel: a face or a vertex determines the
 * gap. */
static const double PARALLEL = 1e-9;

/* Edges that miss each other by this share of their lengths still meet. */
static const double MEET = 1e-9;

struct deepest {
    const struct cf_polytope *i, *j;
    double gap_m, n[3], point_m[3]; /* of body i */
};

/* Not fmin() and fmax(): their calls cost more than all else here. */
static double gap_along(const struct deepest *d, const double n[3])
{
    double least = INFINITY, most = -INFINITY;

    for (size_t v = 0; v < d->i->nvertex; v++) {
        double from[3], at;
        cf_vec_sub(d->i->vertex_m[v], d->i->vertex_m[0], from);
        at = cf_vec_dot(n, from);
        least = at < least ? at : least;
    }
    for (size_t v = 0; v < d->j->nvertex; v++) {
        double from[3], at;
        cf_vec_sub(d->j->vertex_m[v], d->i->vertex_m[0], from);
        at = cf_vec_dot(n, from);
        most = at > most ? at : most;
    }
    return least - most;
}

/* A direction of any length, and the point of body i that is deepest along it. With of_j it is that
 * of body j, and body i's is over it by the gap. */
static void try(struct deepest *d, const double along[3], const double point_m[3], bool of_j)
{
    double length = cf_vec_norm(along), n[3], gap;

    if (!(length > 0))
        return;
    cf_vec_scale(1 / length, along, n);
    gap = gap_along(d, n);
    if (!(gap > d->gap_m))
        return;
    d->gap_m = gap;
    memcpy(d->n, n, sizeof n);
    cf_vec_add_scaled(point_m, of_j ? gap : 0, n, d->point_m);
}

static const double *extreme(const struct cf_polytope *p, const double n[3], double sign)
{
    const double *most = p->vertex_m[0];

    for (size_t v = 1; v < p->nvertex; v++)
        if (sign * cf_vec_dot(n, p->vertex_m[v]) > sign * cf_vec_dot(n, most))
            most = p->vertex_m[v];
    return most;
}

static void try_faces(struct deepest *d)
{
    const size_t *corner = d->j->corner;
    double n[3];

    for (size_t f = 0; f < d->j->nface; corner += d->j->ncorner[f++]) {
        cf_polytope_normal(d->j, corner, d->j->ncorner[f], n);
        try(d, n, extreme(d->i, n, -1), false);
    }
    corner = d->i->corner;
    for (size_t f = 0; f < d->i->nface; corner += d->i->ncorner[f++]) {
        cf_polytope_normal(d->i, corner, d->i->ncorner[f], n);
        cf_vec_scale(-1, n, n);
        try(d, n, extreme(d->j, n, 1), true);
    }
}

struct edge {
    const double *from;
    double along[3];
};

typedef void each_edge(struct deepest *d, const struct edge *edge, const void *data);

/* Two faces have each edge, in opposite directions. */
static void each(struct deepest *d, const struct cf_polytope *p, each_edge *call, const void *data)
{
    const size_t *corner = p->corner;

    for (size_t f = 0; f < p->nface; f++) {
        for (size_t k = 0; k < p->ncorner[f]; k++) {
            size_t a = corner[k], b = corner[(k + 1) % p->ncorner[f]];
            struct edge edge = {.from = p->vertex_m[a]};
            if (a > b)
                continue;
            cf_vec_sub(p->vertex_m[b], edge.from, edge.along);
            call(d, &edge, data);
        }
        corner += p->ncorner[f];
    }
}

/* Where the lines of two edges are closest, as a share of the first's length: from the plane of the
 * second and n. */
static double share(const struct edge *edge, const struct edge *other, const double n[3])
{
    double across[3], from[3];

    cf_vec_cross(other->along, n, across);
    cf_vec_sub(other->from, edge->from, from);
    return cf_vec_dot(across, from) / cf_vec_dot(across, edge->along);
}

static bool within(double share)
{
    return share > -MEET && share < 1 + MEET;
}

static void across_edges(struct deepest *d, const struct edge *i, const void *data)
{
    const struct edge *j = data;
    double n[3], point_m[3], at;

    cf_vec_cross(i->along, j->along, n);
    if (!(cf_vec_norm(n) > PARALLEL * cf_vec_norm(i->along) * cf_vec_norm(j->along)))
        return;
    at = share(i, j, n);
    if (!within(at) || !within(share(j, i, n)))
        return;
    cf_vec_add_scaled(i->from, at, i->along, point_m);
    try(d, n, point_m, false);
    cf_vec_scale(-1, n, n);
    try(d, n, point_m, false);
}

static void with_edges_of_i(struct deepest *d, const struct edge *j, const void *data)
{
    (void) data;
    each(d, d->i, across_edges, j);
}

/* Along what leads from one point of a body to one of the other the gap is at most as long. */
static bool is_short(const struct deepest *d, const double along[3])
{
    return cf_vec_dot(along, along) < d->gap_m * d->gap_m;
}

/* From an edge of the one body to the vertices of the other. */
static void to_vertices(struct deepest *d, const struct edge *edge, const void *data)
{
    const struct cf_polytope *other = data;
    bool of_j = other == d->j;

    for (size_t v = 0; v < other->nvertex; v++) {
        double from[3], at;
        cf_vec_sub(other->vertex_m[v], edge->from, from);
        at = cf_vec_dot(from, edge->along) / cf_vec_dot(edge->along, edge->along);
        cf_vec_add_scaled(from, -at, edge->along, from);
        cf_vec_scale(of_j ? -1 : 1, from, from);
        if (within(at) && !is_short(d, from))
            try(d, from, other->vertex_m[v], of_j);
    }
}

static void try_vertices(struct deepest *d)
{
    for (size_t v = 0; v < d->i->nvertex; v++)
        for (size_t w = 0; w < d->j->nvertex; w++) {
            double along[3];
            cf_vec_sub(d->i->vertex_m[v], d->j->vertex_m[w], along);
            if (!is_short(d, along))
                try(d, along, d->i->vertex_m[v], false);
        }
}

double cf_polytopes_depth(const struct cf_polytope *body_i, const struct cf_polytope *body_j,
                          double n[3], double point_m[3], double by[CF_TWIST])
{
    struct deepest d = {.i = body_i, .j = body_j, .gap_m = -INFINITY};
    double turn[3];

    try_faces(&d);
    each(&d, body_j, with_edges_of_i, NULL);
    if (d.gap_m > 0) {
        each(&d, body_j, to_vertices, body_i);
        each(&d, body_i, to_vertices, body_j);
        try_vertices(&d);
    }
    memcpy(n, d.n, sizeof d.n);
    memcpy(point_m, d.point_m, sizeof d.point_m);
    cf_polytopes_touch(body_i, body_j, n, point_m);
    cf_vec_cross(point_m, n, turn);
    for (int k = 0; by && k < 3; k++) {
        by[k] = -n[k];
        by[3 + k] = -turn[k];
    }
    return -d.gap_m;
}
