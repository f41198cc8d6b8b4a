/* The table of a press of implicit primitives: how low the body is, and V where it is needed.
 *
 * Pieces begin as a grid of depths that double, and are halved until the cubic and its slope are
 * right in the middle. At an edge of the body or of a hole dV/dz has a bend, at a face that goes in
 * flat a step, which pieces close in upon: they end where V cannot be off by more than what is
 * asked.
 */

#include <math.h>
#include <stdio.h>

#include "geometry/vector.h"
#include "volume/press_table.h"

/* Finer ones would take minutes a volume; coarser ones are no table. */
const double cf_press_least_error = 1e-8, cf_press_most_error = 0.1;

enum { DOUBLINGS = 16 };

/* What is pressed, and what has been asked of it. */
struct pressed {
    const struct cf_implicit *body;
    size_t nbody;
    double n[3], lowest_m, length_m;
    double thin_m; /* no slice is thinner: its octree would have no end sideways */
    double error;
    size_t nvolume, most;
};

/* V and dV/dz at a depth. */
struct node {
    double depth_m, m3, m2;
};

/* The half-space under n.x = height. */
static struct cf_implicit half_space(const double n[3], double height_m)
{
    struct cf_implicit h = {.row = cf_primitive_find("half-space")};
    double side[3] = {0, 0, 0}, along;
    int least = 0;

    for (int i = 1; i < 3; i++)
        if (fabs(n[i]) < fabs(n[least]))
            least = i;
    side[least] = 1;
    along = cf_vec_dot(side, n);
    cf_vec_add_scaled(side, -along, n, side);
    cf_vec_scale(1 / cf_vec_norm(side), side, h.axis[0]);
    cf_vec_scale(1 / cf_vec_norm(n), n, h.axis[2]);
    cf_vec_cross(h.axis[2], h.axis[0], h.axis[1]);
    cf_vec_scale(height_m, n, h.origin_m);
    return h;
}

/* V below a height, good to a share of itself or to error_m3. */
static int volume_under(struct pressed *p, const double n[3], double height_m, double relative,
                        double error_m3, struct cf_octree_volume *v, struct cf_error *err)
{
    const struct cf_implicit under = half_space(n, height_m);
    struct cf_octree_options options = cf_octree_defaults();

    if (p->nvolume++ >= p->most)
        return cf_fail(err, CF_ESOLVE,
                       "volume over depth: not to %g of itself with %zu volumes: allow a larger "
                       "error, or more volumes",
                       p->error, p->most);
    options.error_relative = relative;
    options.error_m3 = error_m3;
    return cf_volume_implicit(p->body, p->nbody, &under, 1, &options, v, err);
}

/* ---- the lowest point */

/* Along n as if there were no holes. */
static int lowest_convex(const struct pressed *p, const double n[3], double *height_m,
                         struct cf_error *err)
{
    const struct cf_implicit plane = half_space(n, cf_vec_dot(n, p->body[0].origin_m));
    struct cf_implicit convex[CF_MAX_SURFACES];
    struct cf_implicit_touch touch;
    struct cf_error why = {""};
    size_t nconvex = 0;
    int status;

    for (size_t k = 0; k < p->nbody && nconvex < CF_MAX_SURFACES; k++)
        if (!p->body[k].hole)
            convex[nconvex++] = p->body[k];
    status = cf_implicit_depth(convex, nconvex, &plane, 1, &touch, &why);
    *height_m = cf_vec_dot(n, p->body[0].origin_m) - touch.depth_m;
    if (status == CF_ERANGE || (!status && !isfinite(*height_m)))
        return cf_fail(err, CF_ERANGE,
                       "the body has no end along the press: bound it, as by a half-space");
    return status ? cf_fail(err, status, "%s", why.text) : CF_OK;
}

/* By V/A, which is 0 at the lowest point and grows in a straight line, whatever power of depth V
 * is: from a height over that, by a step. */
static int extrapolate(struct pressed *p, const double n[3], double from_m, double step,
                       double *height_m, struct cf_error *err)
{
    static const double relative = 1e-6;
    double ratio[2];

    for (int i = 0; i < 2; i++) {
        struct cf_octree_volume v;
        int status = volume_under(p, n, from_m + (i + 1) * step, relative, 0, &v, err);
        if (status)
            return status;
        ratio[i] = v.volume.volume_m3 / -cf_vec_dot(n, v.volume.volume_by);
    }
    *height_m = from_m + step - ratio[0] * step / (ratio[1] - ratio[0]);
    return CF_OK;
}

/* With holes: by halving between where nothing is yet and where there is something, then by
 * extrapolation, whose error is that of the straight line, of the step's square. */
static int lowest_left(struct pressed *p, const double n[3], double convex_m, double *height_m,
                       struct cf_error *err)
{
    static const double nothing = 1e-13, near = 1e-4, same = 1e-7; /* of the length, its cube */
    static const double step[] = {1e-4, 1e-6};
    double low = 0, high = p->length_m, best;
    struct cf_octree_volume v;
    int status = CF_OK;

    while (high - low > fmax(near * p->length_m, p->thin_m) && !status) {
        double middle = low + (high - low) / 2;
        status = volume_under(p, n, convex_m + middle, 1e-2,
                              nothing * p->length_m * p->length_m * p->length_m, &v, err);
        if (!status)
            *(v.volume.volume_m3 > v.error_m3 ? &high : &low) = middle;
    }
    best = convex_m + high;
    for (size_t i = 0; i < sizeof step / sizeof *step && !status; i++) {
        double next;
        status = extrapolate(p, n, best, fmax(step[i] * p->length_m, p->thin_m), &next, err);
        if (!status && next <= convex_m + high) /* not NAN */
            best = fmax(next, convex_m);
    }
    *height_m = best - convex_m < same * p->length_m ? convex_m : best;
    return status;
}

static bool has_holes(const struct pressed *p)
{
    bool any = false;

    for (size_t k = 0; k < p->nbody; k++)
        any = any || p->body[k].hole;
    return any;
}

/* By how wide the body is: the root of its mean section. */
static int find_thin(struct pressed *p, struct cf_error *err)
{
    static const double least = 1e-5;
    struct cf_octree_volume v;
    int status = volume_under(p, p->n, p->lowest_m + p->length_m, 1e-2, 0, &v, err);

    p->thin_m = status ? 0 : least * sqrt(v.volume.volume_m3 / p->length_m);
    return status;
}

static int find_length(struct pressed *p, struct cf_error *err)
{
    double low, high, over[3];
    int status = lowest_convex(p, p->n, &low, err);

    cf_vec_scale(-1, p->n, over);
    if (!status)
        status = lowest_convex(p, over, &high, err);
    if (status)
        return status;
    p->lowest_m = low;
    p->length_m = -high - low;
    status = find_thin(p, err);
    if (status || !has_holes(p))
        return status;
    status = lowest_left(p, p->n, low, &p->lowest_m, err);
    if (!status)
        status = lowest_left(p, over, high, &high, err);
    p->length_m = -high - p->lowest_m;
    return status;
}

/* ---- the table */

static int measure(struct pressed *p, double depth_m, struct node *out, struct cf_error *err)
{
    struct cf_octree_volume v;
    int status = volume_under(p, p->n, p->lowest_m + depth_m, p->error / 2, 0, &v, err);

    if (status)
        return status;
    *out = (struct node){depth_m, v.volume.volume_m3, -cf_vec_dot(p->n, v.volume.volume_by)};
    if (!(out->m3 > 0))
        return cf_fail(err, CF_ERANGE, "body: its holes leave nothing of it");
    return CF_OK;
}

static struct cf_press_piece piece_of(const struct node *a, const struct node *b)
{
    return (struct cf_press_piece){a->depth_m, b->depth_m, a->m3, fmax(a->m3, b->m3), a->m2, b->m2};
}

/* Is the cubic right in the middle, and its slope? */
static bool fits(const struct node *a, const struct node *b, const struct node *middle,
                 double error)
{
    double h = b->depth_m - a->depth_m, mean = (b->m3 - a->m3) / h;
    double m3 = (a->m3 + b->m3) / 2 + h * (a->m2 - b->m2) / 8;
    double m2 = 1.5 * mean - (a->m2 + b->m2) / 4;

    return fabs(m3 - middle->m3) <= error * b->m3 && fabs(m2 - middle->m2) * h / 4 <= error * b->m3;
}

static int refine(struct pressed *p, const struct node *first, const struct node *last,
                  struct cf_press *press, struct cf_error *err)
{
    enum { DEEPEST = 60 };
    struct node later[DEEPEST], a = *first, b = *last;
    int n = 0, status;

    for (;;) {
        struct node middle;
        status = measure(p, a.depth_m + (b.depth_m - a.depth_m) / 2, &middle, err);
        if (status)
            return status;
        if (n < DEEPEST && !fits(&a, &b, &middle, p->error)) {
            later[n++] = b;
            b = middle;
            continue;
        }
        const struct cf_press_piece lower = piece_of(&a, &middle);
        struct node from = middle;
        from.m3 = lower.to_m3;
        const struct cf_press_piece upper = piece_of(&from, &b);
        status = cf_press_add(press, &lower, err);
        if (!status)
            status = cf_press_add(press, &upper, err);
        if (status || n == 0)
            return status;
        a = b;
        a.m3 = upper.to_m3;
        b = later[--n];
    }
}

/* From touch on V grows as z^q does: the cubic that is so for q = 1, 2 and 3. */
static int begin(const struct node *at, struct cf_press *press, struct cf_error *err)
{
    double power = at->depth_m * at->m2 / at->m3;
    const struct node touch = {0, 0, fmax(0, 2 - power) * at->m3 / at->depth_m};
    const struct cf_press_piece piece = piece_of(&touch, at);

    return cf_press_add(press, &piece, err);
}

static int tabulate(struct pressed *p, struct cf_press *press, struct cf_error *err)
{
    struct node a, b;
    double first = fmin(fmax(ldexp(p->length_m, -DOUBLINGS), p->thin_m), p->length_m / 2);
    int status = measure(p, first, &a, err);

    if (!status)
        status = begin(&a, press, err);
    for (int i = DOUBLINGS - 1; i >= 0 && !status; i--) {
        if (!(ldexp(p->length_m, -i) > 1.5 * first)) /* pieces that are not mere crumbs */
            continue;
        status = measure(p, ldexp(p->length_m, -i), &b, err);
        if (!status)
            status = refine(p, &a, &b, press, err);
        a = b;
        if (!status)
            a.m3 = press->piece[press->npiece - 1].to_m3;
    }
    press->nvolume = p->nvolume;
    return status;
}

int cf_press_implicit(const struct cf_implicit body[], size_t nbody, const double n[3],
                      double error, size_t most, struct cf_press **out, struct cf_error *err)
{
    struct pressed p = {.body = body, .nbody = nbody, .error = error, .most = most};
    size_t nhole = 0;
    int status = cf_press_check_direction(n, err);

    *out = NULL;
    if (!status && !(error >= cf_press_least_error && error <= cf_press_most_error))
        status = cf_fail(err, CF_ERANGE, "error of a volume: must be in [%g, %g], not %g",
                         cf_press_least_error, cf_press_most_error, error);
    if (!status)
        status = cf_implicit_check(body, nbody, false, err);
    if (status)
        return status;
    for (size_t k = 0; k < nbody; k++)
        nhole += body[k].hole;
    cf_vec_scale(1, n, p.n);
    status = find_length(&p, err);
    if (!status)
        status = cf_press_empty(out, err);
    if (!status) {
        (*out)->error = error;
        snprintf((*out)->what, sizeof(*out)->what, "intersection of %zu primitives, %zu a hole",
                 nbody, nhole);
        status = tabulate(&p, *out, err);
    }
    if (status) {
        cf_press_release(*out);
        *out = NULL;
    }
    return status;
}
