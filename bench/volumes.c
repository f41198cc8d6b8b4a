/* Time of one volume of interference with its derivatives, of every form with a half-space and of
 * the pairs, and of a depth with its own: lines as those of laws.c, all in the second column.
 *
 * The bodies overlap by a twentieth of their size and more, by another share in each call; two
 * cubes by a corner, and the gap between them from a vertex to a vertex.
 */

#define _POSIX_C_SOURCE 200809L

#include <math.h>

#include "timing.h"
#include "volume/pairs.h"

enum { TURNS = 7, CALLS = 1000 };

/* The sum of the results, so that no compiler omits them, and what has failed. */
struct bench {
    double sum;
    int status;
    struct cf_error err;
};

typedef void call(struct bench *b, const void *what, double x);

/* The best time of one of CALLS calls. */
static void clock_calls(struct bench *b, const char *kind, const char *name, call *one,
                        const void *what)
{
    double best = INFINITY;

    for (int turn = 0; turn < TURNS && !b->status; turn++) {
        double begin = bench_now_s();
        for (int i = 0; i < CALLS; i++)
            one(b, what, fmod(0.618 * i, 1));
        best = fmin(best, (bench_now_s() - begin) / CALLS);
    }
    printf("%s\t%s\tnan\t%.4g\n", kind, name, best);
}

static void add(struct bench *b, int status, const struct cf_volume *v)
{
    b->sum += status ? 0 : v->volume_m3 + v->inertia_by[0][0][5];
    if (status)
        b->status = status;
}

static const size_t corners[6] = {4, 4, 4, 4, 4, 4},
                    cube[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};

/* A cube of 2 m whose centre is at (x, x, x). */
static struct cf_polytope cube_at(double x, double vertex_m[8][3])
{
    for (int v = 0; v < 8; v++)
        for (int k = 0; k < 3; k++)
            vertex_m[v][k] = x + ((v >> k & 1) ? 1 : -1);
    return (struct cf_polytope){8, 6, (const double(*)[3]) vertex_m, corners, cube};
}

static void half_space(struct bench *b, const void *what, double x)
{
    static const double n[3] = {0.3, -0.2, 1};
    struct cf_volume v;

    add(b, cf_volume_half_space(what, n, 0.1 * (1 + x), &v, &b->err), &v);
}

static void spheres(struct bench *b, const void *what, double x)
{
    static const double centre[3] = {0.1, 0, 0.2}, n[3] = {0.3, -0.2, 1};
    struct cf_volume v;

    (void) what;
    add(b, cf_volume_spheres(0.5, 0.8, centre, n, 0.1 * (1 + x), &v, &b->err), &v);
}

static void tube(struct bench *b, const void *what, double x)
{
    static const double centre[3] = {0.1, 0, 0.2}, n[3] = {1, -0.2, 0};
    struct cf_volume v;

    add(b, cf_volume_tube(what, 0.5, centre, n, 0.1 * (1 + x), &v, &b->err), &v);
}

static void wedge(struct bench *b, const void *what, double x)
{
    const double centre[3] = {0.4 - 0.05 * x, 0, 0.2};
    struct cf_wedge_touch touch;
    struct cf_volume v;
    int status = cf_wedge_depth(what, 0.5, centre, &touch, &b->err);

    if (!status)
        status = cf_volume_wedge(what, 0.5, centre, &touch, &v, &b->err);
    add(b, status, &v);
}

static void cubes(struct bench *b, const void *what, double x)
{
    double i[8][3], j[8][3];
    struct cf_polytope of_i = cube_at(1.9 - 0.3 * x, i), of_j = cube_at(0, j);
    struct cf_volume v;

    (void) what;
    add(b, cf_volume_polytopes(&of_i, &of_j, &v, &b->err), &v);
}

static void cubes_depth(struct bench *b, const void *apart_m, double x)
{
    double i[8][3], j[8][3], n[3], at[3], by[CF_TWIST];
    struct cf_polytope of_i = cube_at(1.9 - 0.3 * x + *(const double *) apart_m, i),
                       of_j = cube_at(0, j);

    b->sum += cf_polytopes_depth(&of_i, &of_j, n, at, by) + by[5];
}

static void time_forms(struct bench *b)
{
    double vertex_m[8][3];
    struct cf_polytope polytope = cube_at(0, vertex_m);

    for (const struct cf_form *const *form = cf_forms; *form; form++) {
        struct cf_piece piece = {.form = *form};
        for (size_t k = 0; k < (*form)->nsize; k++)
            piece.size_m[k] = 1;
        if ((*form)->nsize == 0)
            piece.polytope = &polytope;
        clock_calls(b, "half-space", (*form)->name, half_space, &piece);
    }
}

static void time_pairs(struct bench *b)
{
    static const struct cf_tube rod = {.radius_m = 0.8, .axis = {0, 0, 1}},
                                bore = {.radius_m = 0.8, .axis = {0, 0, 1}, .hollow = true};
    static const struct cf_wedge edge = {.normal = {{1, 0, 0}, {0, 0, 1}}};
    static const double near = 0, far = 1;

    clock_calls(b, "sphere and", "sphere", spheres, NULL);
    clock_calls(b, "sphere and", "cylinder, endless", tube, &rod);
    clock_calls(b, "sphere and", "bore", tube, &bore);
    clock_calls(b, "sphere and", "edge of a wedge", wedge, &edge);
    clock_calls(b, "cube and", "cube", cubes, NULL);
    clock_calls(b, "depth", "cube and cube", cubes_depth, &near);
    clock_calls(b, "gap", "cube and cube", cubes_depth, &far);
}

int main(void)
{
    struct bench b = {.sum = 0};

    time_forms(&b);
    time_pairs(&b);
    if (b.status)
        fprintf(stderr, "volumes: %s: %s\n", cf_status_text(b.status), b.err.text);
    return b.status || !isfinite(b.sum) ? 1 : 0;
}
