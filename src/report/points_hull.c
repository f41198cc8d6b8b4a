#include "report/points_hull.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"

/* Of the size of the body: what lies nearer to a plane lies on it. */
static const double flat = 1e-9;

struct hull {
    const struct cf_ball *point;
    size_t n;
    double size_m;
    size_t nface;
    double (*face)[4]; /* normals and heights of the faces that were found */
    double (*loop)[3]; /* n + 1: room for one */
    struct cf_body_outline *out;
};

static bool plane_of(const struct hull *h, size_t i, size_t j, size_t k, double plane[4])
{
    double a[3], b[3];

    cf_vec_sub(h->point[j].centre_m, h->point[i].centre_m, a);
    cf_vec_sub(h->point[k].centre_m, h->point[i].centre_m, b);
    cf_vec_cross(a, b, plane);
    double area = cf_vec_norm(plane);
    if (!(area > flat * h->size_m * h->size_m))
        return false;
    cf_vec_scale(1 / area, plane, plane);
    plane[3] = cf_vec_dot(plane, h->point[i].centre_m);
    return true;
}

static double above(const struct hull *h, const double plane[4], size_t i)
{
    return cf_vec_dot(plane, h->point[i].centre_m) - plane[3];
}

/* No point lies above it, and it was not found before. */
static bool is_new_face(const struct hull *h, const double plane[4])
{
    for (size_t i = 0; i < h->n; i++)
        if (above(h, plane, i) > flat * h->size_m)
            return false;
    for (size_t f = 0; f < h->nface; f++)
        if (cf_vec_dot(plane, h->face[f]) > 1 - flat &&
            fabs(plane[3] - h->face[f][3]) < flat * h->size_m)
            return false;
    return true;
}

/* Is b further to the right than a, seen from `at` with the normal towards the eye; of points in
 * one direction, is it the farther one? */
static bool turns_right(const double n[3], const double at[3], const double a[3], const double b[3],
                        double least)
{
    double u[3], v[3], w[3];

    cf_vec_sub(a, at, u);
    cf_vec_sub(b, at, v);
    cf_vec_cross(u, v, w);
    double turn = cf_vec_dot(w, n);
    return turn < -least || (turn <= least && cf_vec_dot(v, v) > cf_vec_dot(u, u));
}

/* The corners of the points on a face, by wrapping: from one at the end of a direction on, always
 * to the next that all others are to the left of. */
static void add_loop(struct hull *h, const double plane[4])
{
    const double least = flat * h->size_m * h->size_m;
    double along[3], side[3] = {0, 0, 0};
    size_t start = h->n, n = 0, at;

    side[fabs(plane[0]) < 0.6 ? 0 : 1] = 1;
    cf_vec_cross(plane, side, along);
    cf_vec_cross(along, plane, side);
    for (size_t i = 0; i < h->n; i++) {
        if (above(h, plane, i) < -flat * h->size_m)
            continue;
        double first = start == h->n ? -1
                                     : cf_vec_dot(along, h->point[i].centre_m) -
                                           cf_vec_dot(along, h->point[start].centre_m);
        double second = start == h->n ? 0
                                      : cf_vec_dot(side, h->point[i].centre_m) -
                                            cf_vec_dot(side, h->point[start].centre_m);
        if (first < -flat * h->size_m || (first < flat * h->size_m && second < 0))
            start = i;
    }
    at = start;
    do {
        size_t next = h->n;
        memcpy(h->loop[n++], h->point[at].centre_m, sizeof *h->loop);
        for (size_t i = 0; i < h->n; i++)
            if (i != at && above(h, plane, i) >= -flat * h->size_m &&
                (next == h->n || turns_right(plane, h->point[at].centre_m, h->point[next].centre_m,
                                             h->point[i].centre_m, least)))
                next = i;
        at = next;
    } while (at != start && n < h->n);
    cf_body_outline_add_line(h->out, (const double(*)[3]) h->loop, n, true);
}

static void add_face(struct hull *h, const double plane[4])
{
    double(*face)[4] = realloc(h->face, (h->nface + 1) * sizeof *face);

    h->out->failed = h->out->failed || !face;
    if (!face)
        return;
    h->face = face;
    memcpy(face[h->nface++], plane, sizeof *face);
    add_loop(h, plane);
}

void cf_points_hull(const struct cf_ball point[], size_t n, struct cf_body_outline *out)
{
    struct hull h = {.point = point, .n = n, .out = out};

    h.loop = malloc((n + 1) * sizeof *h.loop);
    out->failed = out->failed || !h.loop;
    for (size_t i = 0; i < n; i++) {
        double d[3];
        cf_vec_sub(point[i].centre_m, point[0].centre_m, d);
        h.size_m = fmax(h.size_m, cf_vec_norm(d));
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            for (size_t k = j + 1; k < n && !out->failed; k++) {
                double plane[4];
                if (!plane_of(&h, i, j, k, plane))
                    continue;
                for (int turned = 0; turned < 2; turned++) {
                    if (is_new_face(&h, plane))
                        add_face(&h, plane);
                    for (int c = 0; c < 4; c++)
                        plane[c] = -plane[c];
                }
            }
    free(h.face);
    free(h.loop);
}
