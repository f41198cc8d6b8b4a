/* The event function of implicit primitives. */

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "volume/barrier.h"
#include "volume/cells.h"
#include "volume/implicit.h"

/* By the motion of body i where the depth grows along -n with its place, and n to a unit vector. */
static void find_slopes(struct cf_implicit_touch *out)
{
    double turn[3], length = cf_vec_norm(out->n);

    cf_vec_cross(out->point_m, out->n, turn);
    for (int k = 0; k < 3; k++) {
        out->by[k] = -out->n[k];
        out->by[3 + k] = -turn[k];
    }
    if (length > 0)
        cf_vec_scale(1 / length, out->n, out->n);
}

/* The deepest point as if there were no holes, in the frame of the call. */
static int find_deepest(const struct cf_cells *cells, struct cf_implicit_touch *out,
                        struct cf_error *err)
{
    struct cf_conic conic[CF_MAX_SURFACES];
    struct cf_overlap first = {.conic = conic, .n = cells->nfirst},
                      both = {.conic = conic, .n = cells->nconvex, .nfixed = cells->nfirst};
    double x[3] = {0}, bound;
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
    find_slopes(out);
    return CF_OK;
}

/* What bodies would have in common without holes, seen from a hole in one of them. */
struct hollow {
    const struct cf_cells *cells;
    const struct cf_implicit *hole;
    bool of_i;
    struct cf_overlap overlap;
    double inside[3]; /* a point of the overlap, in lengths of the cells */
};

/* A place of the overlap. */
struct place {
    double x[3]; /* in lengths of the cells */
    double point_m[3];
    double depth_m; /* outside the hole */
    double out[3];  /* of the hole, the way along which that grows, */
    double held[3]; /* and the part of the last way that body i holds back */
};

static void look(const struct hollow *h, struct place *at)
{
    cf_vec_add_scaled(h->cells->origin_m, h->cells->size_m, at->x, at->point_m);
    at->depth_m = cf_implicit_value(h->hole, at->point_m, at->out);
}

/* The point that is furthest along a way. */
static int go(const struct hollow *h, const double way[3], struct place *to, struct cf_error *err)
{
    int status;

    memcpy(to->x, h->inside, sizeof to->x);
    status = cf_overlap_furthest(&h->overlap, way, to->x, to->held, err);
    look(h, to);
    return status;
}

/* The best of the points that are furthest along the hole's axes, and one step on. */
static int start(const struct hollow *h, struct place *best, struct cf_error *err)
{
    int status = CF_OK;

    best->depth_m = -INFINITY;
    for (int w = 0; w < 6 && !status; w++) {
        struct place at;
        double way[3];
        cf_vec_scale(w % 2 ? -1 : 1, h->hole->axis[w / 2], way);
        status = go(h, way, &at, err);
        if (!status && cf_vec_norm(at.out) > 0)
            status = go(h, at.out, &at, err);
        if (!status && at.depth_m > best->depth_m)
            *best = at;
    }
    return status;
}

/* Of a fixed point of which the last three iterates are known, where they seem to go: Aitken's
 * extrapolation along the line of the last two steps. */
static bool foresee(double before[3], double last[3], double now[3], double out[3])
{
    double first[3], second[3], square, ratio;

    cf_vec_sub(last, before, first);
    cf_vec_sub(now, last, second);
    square = cf_vec_dot(first, first);
    ratio = square > 0 ? cf_vec_dot(first, second) / square : 0;
    if (!(ratio > 0 && ratio < 1))
        return false;
    memcpy(out, now, 3 * sizeof *out);
    cf_vec_add_scaled(out, ratio / (1 - ratio), second, out);
    return true;
}

/* The value of a hole is convex: from a point where its slope is `out`, the point furthest along
 * `out` is as deep or deeper, until none is. */
static int find_furthest(const struct hollow *h, struct place *best, struct cf_error *err)
{
    enum { MOST_ROUNDS = 60 };
    static const double SAME = 1e-13; /* of the cells */
    struct place before, last;
    int status = start(h, best, err);

    before = last = *best;
    for (int k = 0; k < MOST_ROUNDS && !status && cf_vec_norm(best->out) > 0; k++) {
        struct place next = *best;
        if (k % 3 == 2 && foresee(before.x, last.x, best->x, next.x))
            look(h, &next);
        status = go(h, next.out, &next, err);
        if (status)
            break;
        bool same = fabs(next.depth_m - best->depth_m) < SAME * h->cells->size_m;
        before = last;
        last = *best;
        if (next.depth_m > best->depth_m)
            *best = next;
        if (same && k % 3 != 2)
            break;
    }
    return status;
}

/* How deep the bodies are in the wall of a hole that the deepest point is in. */
static int find_in_wall(struct hollow *h, double most_m, struct cf_implicit_touch *out,
                        struct cf_error *err)
{
    struct cf_conic conic[CF_MAX_SURFACES];
    struct place best;
    double bound, way[3];
    int status;

    h->overlap = (struct cf_overlap){.conic = conic, .n = h->cells->nconvex};
    cf_cells_shrunk(h->cells, conic);
    memset(h->inside, 0, sizeof h->inside);
    status = cf_overlap_inside(&h->overlap, h->inside, &bound, err);
    if (status)
        return status;
    if (!(bound < -cf_overlap_thin)) { /* so thin an overlap that no point of it is found */
        out->depth_m = -most_m;
        return CF_OK;
    }
    h->overlap.nfixed = h->cells->nfirst;
    status = find_furthest(h, &best, err);
    if (status)
        return status;
    out->depth_m = best.depth_m;
    memcpy(out->point_m, best.point_m, sizeof out->point_m);
    cf_vec_sub(best.out, best.held, way); /* what body j holds back */
    cf_vec_scale(h->of_i ? 1 : -1, h->of_i ? way : best.held, out->n);
    find_slopes(out);
    return CF_OK;
}

/* The holes of a body that the deepest point is in: the shortest way out counts, each of them frees
 * what is in it. */
static int see_holes(const struct cf_cells *cells, const struct cf_implicit body[], size_t n,
                     bool of_i, const double deepest_m[3], struct cf_implicit_touch *out,
                     struct cf_error *err)
{
    static const double touching = 1e-9; /* a hole that ends where the body does */
    int status = CF_OK;

    for (size_t k = 0; k < n && !status; k++) {
        struct hollow h = {.cells = cells, .hole = &body[k], .of_i = of_i};
        struct cf_implicit_touch wall = {.in_hole = true};
        double inside_m;
        if (!body[k].hole)
            continue;
        inside_m = -cf_implicit_value(&body[k], deepest_m, NULL);
        if (!(inside_m > -touching * cells->size_m))
            continue;
        status = find_in_wall(&h, fmax(inside_m, 0), &wall, err);
        if (!status && wall.depth_m < out->depth_m)
            *out = wall;
    }
    return status;
}

/* Holes of both bodies, where the deepest point is given by `out`. */
static int see_all(const struct cf_implicit body_i[], size_t ni, const struct cf_implicit body_j[],
                   size_t nj, const struct cf_cells *cells, struct cf_implicit_touch *out,
                   struct cf_error *err)
{
    double deepest[3];
    int status;

    memcpy(deepest, out->point_m, sizeof deepest);
    status = see_holes(cells, body_i, ni, true, deepest, out, err);
    return status ? status : see_holes(cells, body_j, nj, false, deepest, out, err);
}

/* Bodies that just touch, without holes, have nothing in common yet that a wall could be seen by:
 * as if body i were a little deeper, it is in a hole, or it is not. */
static int see_ahead(const struct cf_implicit body_i[], size_t ni,
                     const struct cf_implicit body_j[], size_t nj, double deeper_m,
                     struct cf_implicit_touch *out, struct cf_error *err)
{
    struct cf_implicit moved[CF_MAX_SURFACES];
    struct cf_implicit_touch ahead = *out;
    struct cf_cells cells;
    int status;

    for (size_t k = 0; k < ni; k++) {
        moved[k] = body_i[k];
        cf_vec_add_scaled(moved[k].origin_m, -deeper_m, out->n, moved[k].origin_m);
    }
    ahead.depth_m += deeper_m;
    status = cf_cells_gather(moved, ni, body_j, nj, &cells, err);
    if (!status)
        status = see_all(moved, ni, body_j, nj, &cells, &ahead, err);
    if (!status && ahead.in_hole && ahead.depth_m < 0)
        *out = ahead;
    return status;
}

int cf_implicit_depth(const struct cf_implicit body_i[], size_t ni,
                      const struct cf_implicit body_j[], size_t nj, struct cf_implicit_touch *out,
                      struct cf_error *err)
{
    static const double near = 1e-9; /* of the bodies: they touch */
    struct cf_cells cells;
    int status = cf_cells_check("body i", body_i, ni, false, err);

    *out = (struct cf_implicit_touch){.depth_m = 0};
    if (!status)
        status = cf_cells_check("body j", body_j, nj, false, err);
    if (!status)
        status = cf_cells_gather(body_i, ni, body_j, nj, &cells, err);
    if (!status)
        status = find_deepest(&cells, out, err);
    if (status || cells.nhole == 0 || !(out->depth_m > -near * cells.size_m))
        return status;
    return out->depth_m > near * cells.size_m
               ? see_all(body_i, ni, body_j, nj, &cells, out, err)
               : see_ahead(body_i, ni, body_j, nj, 2 * near * cells.size_m, out, err);
}
