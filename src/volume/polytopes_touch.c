#include "volume/polytopes_touch.h"

#include <math.h>
#include <stdbool.h>

#include "geometry/vector.h"

/* Vertices as high to this share of the bodies' size are of one face or edge. */
static const double FLAT = 1e-9;

/* The vertices of a body that are highest along `up`. */
struct feature {
    const struct cf_polytope *body;
    double up[3], height_m, rounding_m;
};

static double height(const struct feature *f, size_t vertex)
{
    return cf_vec_dot(f->up, f->body->vertex_m[vertex]);
}

static bool has(const struct feature *f, size_t vertex)
{
    return height(f, vertex) >= f->height_m - f->rounding_m;
}

static struct feature feature_of(const struct cf_polytope *body, const double n[3], double sign)
{
    struct feature f = {.body = body, .height_m = -INFINITY};
    double least = INFINITY;

    cf_vec_scale(sign, n, f.up);
    for (size_t v = 0; v < body->nvertex; v++) {
        f.height_m = fmax(f.height_m, height(&f, v));
        least = fmin(least, height(&f, v));
    }
    f.rounding_m = FLAT * (f.height_m - least);
    return f;
}

static size_t count(const struct feature *f)
{
    size_t n = 0;

    for (size_t v = 0; v < f->body->nvertex; v++)
        n += has(f, v);
    return n;
}

/* How far to the right of the way from a to b a point is, seen from above; along: the share of the
 * way that it is beside. */
static double beside(const struct feature *f, const double a[3], const double b[3],
                     const double at[3], double *along)
{
    double way[3], from[3], right[3], length;

    cf_vec_sub(b, a, way);
    cf_vec_sub(at, a, from);
    cf_vec_cross(way, f->up, right);
    length = cf_vec_norm(way);
    *along = cf_vec_dot(from, way) / (length * length);
    return cf_vec_dot(from, right) / length;
}

/* Is a point over one face of the feature, or over one edge, to rounding? */
static bool is_over(const struct feature *f, const double at[3])
{
    const size_t *corner = f->body->corner;
    bool over = false;

    for (size_t face = 0; face < f->body->nface && !over; face++) {
        size_t n = f->body->ncorner[face];
        bool flat = true, in = true;
        for (size_t k = 0; k < n && !over; k++) {
            size_t a = corner[k], b = corner[(k + 1) % n];
            double along, right;
            flat = flat && has(f, a);
            if (!has(f, a) || !has(f, b))
                continue;
            right = beside(f, f->body->vertex_m[a], f->body->vertex_m[b], at, &along);
            in = in && right <= f->rounding_m;
            over = fabs(right) <= f->rounding_m && along > -FLAT && along < 1 + FLAT;
        }
        over = over || (flat && in);
        corner += n;
    }
    return over;
}

/* The sum of points, at body i's height. */
struct middle {
    const struct feature *i;
    double sum[3];
    size_t n;
};

static void add(struct middle *m, const double at[3])
{
    double over = m->i->height_m - cf_vec_dot(m->i->up, at);

    cf_vec_add_scaled(m->sum, 1, at, m->sum);
    cf_vec_add_scaled(m->sum, over, m->i->up, m->sum);
    m->n++;
}

/* Vertices of the first that are over the second. */
static void add_vertices(const struct feature *of, const struct feature *over, struct middle *m)
{
    for (size_t v = 0; v < of->body->nvertex; v++)
        if (has(of, v) && is_over(over, of->body->vertex_m[v]))
            add(m, of->body->vertex_m[v]);
}

/* Where an edge of the first crosses those of the other, between the ends of both. */
static void add_crossings(const struct feature *of, const double a[3], const double b[3],
                          const struct feature *other, struct middle *m)
{
    const size_t *corner = other->body->corner;

    for (size_t face = 0; face < other->body->nface; face++) {
        size_t n = other->body->ncorner[face];
        for (size_t k = 0; k < n; k++) {
            size_t from = corner[k], to = corner[(k + 1) % n];
            const double *c = other->body->vertex_m[from], *d = other->body->vertex_m[to];
            double along, side[2][2], at[3], way[3];
            if (from > to || !has(other, from) || !has(other, to))
                continue;
            side[0][0] = beside(of, a, b, c, &along);
            side[0][1] = beside(of, a, b, d, &along);
            side[1][0] = beside(of, c, d, a, &along);
            side[1][1] = beside(of, c, d, b, &along);
            if (fmin(fmin(fabs(side[0][0]), fabs(side[0][1])),
                     fmin(fabs(side[1][0]), fabs(side[1][1]))) <= of->rounding_m ||
                (side[0][0] > 0) == (side[0][1] > 0) || (side[1][0] > 0) == (side[1][1] > 0))
                continue;
            cf_vec_sub(b, a, way);
            cf_vec_add_scaled(a, side[1][0] / (side[1][0] - side[1][1]), way, at);
            add(m, at);
        }
        corner += n;
    }
}

void cf_polytopes_touch(const struct cf_polytope *body_i, const struct cf_polytope *body_j,
                        const double n[3], double point_m[3])
{
    struct feature i = feature_of(body_i, n, -1), j = feature_of(body_j, n, 1);
    struct middle middle = {.i = &i};
    const size_t *corner = body_i->corner;

    if (count(&i) < 2 || count(&j) < 2)
        return;
    add_vertices(&i, &j, &middle);
    add_vertices(&j, &i, &middle);
    for (size_t face = 0; face < body_i->nface; face++) {
        size_t ncorner = body_i->ncorner[face];
        for (size_t k = 0; k < ncorner; k++) {
            size_t a = corner[k], b = corner[(k + 1) % ncorner];
            if (a < b && has(&i, a) && has(&i, b))
                add_crossings(&i, body_i->vertex_m[a], body_i->vertex_m[b], &j, &middle);
        }
        corner += ncorner;
    }
    if (middle.n > 0)
        cf_vec_scale(1 / (double) middle.n, middle.sum, point_m);
}
