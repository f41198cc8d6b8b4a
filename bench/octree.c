/* The volume of interference of a sphere, a box, a cylinder and a cone with a half-space, by
 * counting cells and by the octree of implicit primitives, its leaves counted, their tangent
 * planes, or corrected for curvature: root mean square of the relative errors of V, p_c (of the
 * radius of gyration) and J over poses that are oblique to the lattice, and the time of one. A line
 * each:
 *
 *   shape  how  steps  V  p_c  J  seconds  boxes
 *
 * which octree.gp draws. steps: cells or leaves along the longest side of the box about the
 * overlap, or of the root. What "cells" counts is a lattice's cubes whose centre is in both bodies,
 * by a loop made for the shape; the box about the overlap is found beforehand and not timed. The
 * octree gives derivatives, too. boxes: looked at, of any size.
 */

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "geometry/vector.h"
#include "t/lib/poses.h"
#include "timing.h"

enum { POSES = 24, TURNS = 3, SCAN = 96, MOST_LEVELS = 7, NSUM = 10 };

enum shape { SPHERE, BOX, CYLINDER, CONE, NSHAPE };

static const char *const names[NSHAPE] = {"sphere", "box", "cylinder", "cone"};
static const double size[3] = {0.37, 0.52, 0.41};

struct pose {
    struct cf_implicit body, plane;
    struct cf_volume exact;
    double low[3], high[3]; /* of a box about the overlap */
};

/* In the frame of the shape. */
static inline bool inside(enum shape shape, const double x[3])
{
    double square = x[0] * x[0] + x[1] * x[1], r;

    switch (shape) {
    case SPHERE:
        return square + x[2] * x[2] < size[0] * size[0];
    case BOX:
        return fabs(x[0]) < size[0] / 2 && fabs(x[1]) < size[1] / 2 && fabs(x[2]) < size[2] / 2;
    case CYLINDER:
        return fabs(x[2]) < size[1] / 2 && square < size[0] * size[0];
    default:
        r = size[0] * (1 - x[2] / size[1]);
        return x[2] > 0 && r > 0 && square < r * r;
    }
}

/* A line of cells along z from `at` on: where it is over the plane and in the frame of the shape,
 * and how these change from cell to cell. */
struct row {
    double over, over_by, x[3], x_by[3];
};

static struct row row_at(const struct pose *p, const double at[3], double step)
{
    struct row row = {.over_by = step * p->plane.axis[2][2]};
    double away[3];

    cf_vec_sub(at, p->plane.origin_m, away);
    row.over = cf_vec_dot(away, p->plane.axis[2]);
    cf_vec_sub(at, p->body.origin_m, away);
    for (int k = 0; k < 3; k++) {
        row.x[k] = cf_vec_dot(p->body.axis[k], away);
        row.x_by[k] = step * p->body.axis[k][2];
    }
    return row;
}

/* The sums of 1; x, y, z; x^2, y^2, z^2; y z, z x, x y over the cells of n steps along the longest
 * side. Where it is inlined, for one shape. */
static inline double count(enum shape shape, const struct pose *p, int n, double sum[NSUM],
                           size_t *ncell)
{
    double step = 0, at[3];
    int m[3];

    memset(sum, 0, NSUM * sizeof *sum);
    for (int k = 0; k < 3; k++)
        step = fmax(step, (p->high[k] - p->low[k]) / n);
    for (int k = 0; k < 3; k++)
        m[k] = (int) ceil((p->high[k] - p->low[k]) / step);
    *ncell = (size_t) m[0] * (size_t) m[1] * (size_t) m[2];
    for (int i = 0; i < m[0]; i++)
        for (int j = 0; j < m[1]; j++) {
            double low[3] = {p->low[0] + (i + 0.5) * step, p->low[1] + (j + 0.5) * step,
                             p->low[2] + 0.5 * step};
            struct row row = row_at(p, low, step);
            double in = 0, z = 0, zz = 0;
            for (int l = 0; l < m[2]; l++) {
                const double x[3] = {row.x[0] + l * row.x_by[0], row.x[1] + l * row.x_by[1],
                                     row.x[2] + l * row.x_by[2]};
                if (row.over + l * row.over_by < 0 && inside(shape, x)) {
                    at[2] = low[2] + l * step;
                    in++;
                    z += at[2];
                    zz += at[2] * at[2];
                }
            }
            sum[0] += in;
            sum[1] += in * low[0];
            sum[2] += in * low[1];
            sum[3] += z;
            sum[4] += in * low[0] * low[0];
            sum[5] += in * low[1] * low[1];
            sum[6] += zz;
            sum[7] += z * low[1];
            sum[8] += z * low[0];
            sum[9] += in * low[0] * low[1];
        }
    return step;
}

static struct cf_volume count_cells(enum shape shape, const struct pose *p, int n, size_t *ncell)
{
    struct cf_volume v = {.volume_m3 = 0};
    double sum[NSUM], step = 0, trace;

    switch (shape) {
    case SPHERE:
        step = count(SPHERE, p, n, sum, ncell);
        break;
    case BOX:
        step = count(BOX, p, n, sum, ncell);
        break;
    case CYLINDER:
        step = count(CYLINDER, p, n, sum, ncell);
        break;
    default:
        step = count(CONE, p, n, sum, ncell);
    }
    v.volume_m3 = sum[0] * step * step * step;
    for (int i = 0; i < 3; i++)
        v.centroid_m[i] = sum[1 + i] / sum[0];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double second = (i == j ? sum[4 + i] : sum[10 - i - j]) / sum[0];
            v.inertia_m5[i][j] = (second - v.centroid_m[i] * v.centroid_m[j]) * v.volume_m3;
        }
    trace = v.inertia_m5[0][0] + v.inertia_m5[1][1] + v.inertia_m5[2][2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            v.inertia_m5[i][j] = (i == j ? trace : 0) - v.inertia_m5[i][j];
    return v;
}

/* A box about the overlap, from a lattice over the ball about the shape. */
static void find_box(enum shape shape, struct pose *p)
{
    double reach = 0.75, step = 2 * reach / SCAN;

    for (int k = 0; k < 3; k++) {
        p->low[k] = INFINITY;
        p->high[k] = -INFINITY;
    }
    for (int c = 0; c < SCAN * SCAN * SCAN; c++) {
        const int cell[3] = {c % SCAN, c / SCAN % SCAN, c / SCAN / SCAN};
        double at[3];
        struct row row;
        for (int k = 0; k < 3; k++)
            at[k] = p->body.origin_m[k] - reach + (cell[k] + 0.5) * step;
        row = row_at(p, at, step);
        for (int k = 0; k < 3 && row.over < 0 && inside(shape, row.x); k++) {
            p->low[k] = fmin(p->low[k], at[k] - 2 * step);
            p->high[k] = fmax(p->high[k], at[k] + 2 * step);
        }
    }
}

/* 0.5 of the first size deep. */
static void make_pose(enum shape shape, unsigned long *seed, struct pose *p)
{
    struct cf_piece piece = {.form = cf_form_find(names[shape]),
                             .size_m = {size[0], size[1], size[2]}};
    struct cf_volume exact;
    double axis[3][3], origin[3], n[3], depth = 0.5 * size[0];

    next_rotation(seed, axis);
    for (int k = 0; k < 3; k++)
        origin[k] = next_number(seed);
    p->body = primitive(names[shape], size[0], size[1], size[2]);
    p->plane = primitive("half-space", 0, 0, 0);
    next_rotation(seed, p->plane.axis);
    memcpy(n, p->plane.axis[2], sizeof n);
    cf_volume_half_space(&piece, n, depth, &exact, NULL);
    cf_vec_scale(depth - cf_half_space_depth(&piece, n, 0, NULL), n, p->plane.origin_m);
    primitive_seen(&p->body, axis, origin);
    primitive_seen(&p->plane, axis, origin);
    volume_seen(&exact, axis, origin, &p->exact);
    find_box(shape, p);
}

/* The squares of how far it is off, in shares of POSES. */
static void add_errors(const struct cf_volume *got, const struct cf_volume *want, double sum[3])
{
    double off[3], J = 0, size_J = 0, trace = 0;

    for (int i = 0; i < 3; i++) {
        trace += want->inertia_m5[i][i];
        for (int j = 0; j < 3; j++) {
            J += pow(got->inertia_m5[i][j] - want->inertia_m5[i][j], 2);
            size_J += pow(want->inertia_m5[i][j], 2);
        }
    }
    cf_vec_sub(got->centroid_m, want->centroid_m, off);
    sum[0] += pow(got->volume_m3 / want->volume_m3 - 1, 2) / POSES;
    sum[1] += cf_vec_dot(off, off) / (trace / (2 * want->volume_m3)) / POSES;
    sum[2] += J / size_J / POSES;
}

/* The ways; the first is not the octree. */
static const char *const ways[] = {"cells", "counted leaves", "flat leaves", "curved leaves"};
enum { NWAY = 4 };

static int volume_of(enum shape shape, int way, int level, double root_m, const struct pose *p,
                     struct cf_octree_volume *out, struct cf_error *err)
{
    static const enum cf_leaf leaves[NWAY] = {0, CF_LEAF_COUNTED, CF_LEAF_FLAT, CF_LEAF_CURVED};
    struct cf_octree_options options = cf_octree_defaults();

    if (way == 0) {
        out->volume = count_cells(shape, p, 1 << level, &out->ncell);
        return CF_OK;
    }
    options.leaf = leaves[way];
    options.leaf_m = ldexp(root_m, -level);
    return cf_volume_implicit(&p->body, 1, &p->plane, 1, &options, out, err);
}

static int bench(enum shape shape, int way, int level, const struct pose pose[], double root_m[],
                 struct cf_error *err)
{
    double sum[3] = {0}, best = INFINITY, boxes = 0;

    for (int turn = 0; turn < TURNS; turn++) {
        double begin = bench_now_s();
        for (int k = 0; k < POSES; k++) {
            struct cf_octree_volume v;
            int status = volume_of(shape, way, level, root_m[k], &pose[k], &v, err);
            if (status)
                return status;
            if (turn == 0)
                add_errors(&v.volume, &pose[k].exact, sum);
            boxes += (double) v.ncell / (TURNS * POSES);
        }
        best = fmin(best, (bench_now_s() - begin) / POSES);
    }
    printf("%s\t%s\t%d", names[shape], ways[way], 1 << level);
    for (int k = 0; k < 3; k++)
        if (isfinite(sum[k]))
            printf("\t%.3g", sqrt(sum[k]));
        else
            printf("\t-"); /* nothing was in, in one pose */
    printf("\t%.4g\t%.0f\n", best, boxes);
    return CF_OK;
}

int main(void)
{
    unsigned long seed = 11;
    struct cf_error err = {""};
    int status = CF_OK;

    printf("# shape\thow\tsteps\tV\tp_c\tJ\tseconds\tboxes\n");
    for (enum shape shape = 0; shape < NSHAPE && !status; shape++) {
        struct cf_octree_options options = cf_octree_defaults();
        struct pose pose[POSES];
        double root_m[POSES];
        options.error_relative = 10; /* to learn the length of the root */
        for (int k = 0; k < POSES && !status; k++) {
            struct cf_octree_volume v;
            make_pose(shape, &seed, &pose[k]);
            status = cf_volume_implicit(&pose[k].body, 1, &pose[k].plane, 1, &options, &v, &err);
            root_m[k] = v.root_m;
        }
        for (int way = 0; way < NWAY && !status; way++)
            for (int level = 1; level <= MOST_LEVELS && !status; level++)
                status = bench(shape, way, level, pose, root_m, &err);
    }
    if (status)
        fprintf(stderr, "octree: %s: %s\n", cf_status_text(status), err.text);
    return status ? 1 : 0;
}
