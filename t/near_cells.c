/* Cells that are near: the tree of two bodies of cells against all pairs of spheres, at random
 * places, within margins. And motions of blocks of cells, falling, rolling over, spinning past, and
 * in fixed steps, where the trees tell which pairs to look at, against the same motions with all
 * pairs looked at, which they are where pairs stand in another order.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"
#include "lib/stage.h"
#include "tap.h"
#include "volume/cell_tree.h"

static double uniform(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double) (*seed >> 8) / (1 << 24);
}

enum { NI = 37, NJ = 53 };

static void scatter(struct cf_cell cell[], int n, unsigned *seed)
{
    for (int c = 0; c < n; c++) {
        cell[c] = (struct cf_cell){.radius_m = 0.02 + 0.1 * uniform(seed)};
        for (int k = 0; k < 3; k++)
            cell[c].middle_m[k] = uniform(seed);
    }
    cell[0].radius_m = INFINITY; /* without an end: near all */
}

/* About z and then x. */
static struct cf_placing random_placing(unsigned *seed)
{
    double a = 6 * uniform(seed), b = 6 * uniform(seed);
    struct cf_placing at = {.turn = {{cos(a), -sin(a), 0},
                                     {cos(b) * sin(a), cos(b) * cos(a), -sin(b)},
                                     {sin(b) * sin(a), sin(b) * cos(a), cos(b)}}};

    for (int k = 0; k < 3; k++)
        at.origin_m[k] = 2 * uniform(seed) - 1;
    return at;
}

static int found[NI][NJ];

static void find(void *context, size_t i, size_t j)
{
    ++*(int *) context;
    found[i][j]++;
}

static void test_tree(void)
{
    struct cf_cell i[NI], j[NJ];
    struct cf_cell_tree tree[2];
    unsigned seed = 7;
    int wrong = 0, all = 0, called = 0;

    for (int round = 0; round < 60; round++) {
        struct cf_placing at = random_placing(&seed);
        double within = 0.3 * uniform(&seed);
        scatter(i, NI, &seed);
        scatter(j, NJ, &seed);
        cf_cell_tree_make(&tree[0], i, round % 2 ? 1 : NI, NULL);
        cf_cell_tree_make(&tree[1], j, NJ, NULL);
        memset(found, 0, sizeof found);
        cf_cell_trees_near(&tree[0], &at, &tree[1], within, find, &called);
        for (int a = 0; a < (round % 2 ? 1 : NI); a++)
            for (int b = 0; b < NJ; b++) {
                double p[3], apart[3];
                for (int k = 0; k < 3; k++)
                    p[k] = at.origin_m[k] + at.turn[k][0] * i[a].middle_m[0] +
                           at.turn[k][1] * i[a].middle_m[1] + at.turn[k][2] * i[a].middle_m[2];
                cf_vec_sub(p, j[b].middle_m, apart);
                int near = cf_vec_norm(apart) <= i[a].radius_m + j[b].radius_m + within;
                all += near;
                wrong += found[a][b] != near;
            }
        cf_cell_tree_free(&tree[0]);
        cf_cell_tree_free(&tree[1]);
    }
    ok(wrong == 0 && called == all && all > 1000,
       "a tree finds all near pairs, each once, no other");
}

static void test_plane(void)
{
    static const double n[3] = {2. / 7, -3. / 7, 6. / 7};
    struct cf_cell i[NI];
    struct cf_cell_tree tree;
    unsigned seed = 11;
    int wrong = 0, all = 0, called = 0;

    for (int round = 0; round < 60; round++) {
        struct cf_placing at = random_placing(&seed);
        double within = 0.3 * uniform(&seed), height = uniform(&seed) - 0.5;
        scatter(i, NI, &seed);
        cf_cell_tree_make(&tree, i, NI, NULL);
        memset(found, 0, sizeof found);
        cf_cell_tree_over(&tree, &at, n, height, within, find, &called);
        for (int a = 0; a < NI; a++) {
            double over = -height;
            for (int k = 0; k < 3; k++)
                over += n[k] * (at.origin_m[k] + cf_vec_dot(at.turn[k], i[a].middle_m));
            int near = over <= i[a].radius_m + within;
            all += near;
            wrong += found[a][0] != near;
        }
        cf_cell_tree_free(&tree);
    }
    ok(wrong == 0 && called == all && all > 500 && all < 60 * NI - 500, "and those near a plane");
}

static const char *const scene =
    "gravity: %s m/s^2\n"
    "duration: %s\n"
    "bodies:\n"
    "  block:\n"
    "    cells: [{box: {%s}}]\n"
    "    mass: 1 kg\n"
    "    inertia: [0.005 kg m^2, 0.006 kg m^2, 0.007 kg m^2]\n"
    "    %s\n"
    "  ground: {%s, fixed: true}\n"
    "contacts:\n"
    "  - between: [block, ground]\n"
    "    foundation: {law: gonthier-volumetric, kv: 1e8 N/m^3, e: 0.5, v_small: 1 mm/s}\n"
    "%s";

static const char
    *const smooth = "",
           *const rough =
               "    friction: {law: bristle, mu_s: 0.3, mu_c: 0.2, sigma_0: 1e5 1/m, sigma_1: 300 "
               "s/m,\n"
               "      sigma_2: 0 s/m, v_s: 1 mm/s, tau_dw: 0.01 s}\n";

static void turn_round(struct cf_scene *scene_of)
{
    for (size_t m = 0; m < scene_of->npair / 2; m++) {
        struct cf_contact_pair spare = scene_of->pair[m];
        scene_of->pair[m] = scene_of->pair[scene_of->npair - 1 - m];
        scene_of->pair[scene_of->npair - 1 - m] = spare;
    }
}

static double apart(const struct cf_body_state *a, const struct cf_body_state *b)
{
    double most = 0;

    for (int k = 0; k < 3; k++)
        most = fmax(most, fabs(a->position_m[k] - b->position_m[k]));
    for (int k = 0; k < 4; k++)
        most = fmax(most, fabs(a->attitude[k] - b->attitude[k]));
    return most;
}

static const char *const cube = "size: [0.2 m, 0.2 m, 0.2 m], cut: [3, 3, 3]",
                         *const bar = "size: [1 m, 0.2 m, 0.1 m], cut: [12, 3, 1]",
                         *const fine =
                             "size: [0.2 m, 0.2 m, 0.2 m], cut: [5, 5, 4]"; /* on a plane */
static const char *const grounds[] = {
    "cells: [{box: {size: [3 m, 0.4 m, 0.2 m], center: [1 m, 0 m, -0.1 m], cut: [9, 3, 2]}}]",
    "plane: {normal: [0, 0, 1], height: 0 m}"};

static void test_motion(const char *what, const char *gravity, const char *duration,
                        const char *cells, const char *start, const char *friction, bool fixed,
                        double within)
{
    struct cf_body_state end[2];
    size_t made[2];
    struct stage stage;

    stage_write(&stage, "near_cells", scene, gravity, duration, cells, start,
                grounds[cells == fine], friction);
    if (fixed) {
        stage.options.scheme = cf_ode_scheme_find("rk4");
        stage.options.dt_s = 1e-4;
    }
    for (int k = 0; k < 2; k++) {
        if (k)
            turn_round(&stage.file->scene);
        stage_run(&stage);
        end[k] = stage.end.body;
        made[k] = stage.result.events[CF_EVENT_MAKE];
    }
    ok(stage.status == CF_OK && made[0] > 3 && made[0] == made[1], "%s: touches %zu times, and %zu",
       what, made[0], made[1]);
    is_within(apart(&end[0], &end[1]), 0, within, "and ends at the same place");
    stage_close(&stage);
}

/* A motion takes its time where cells touch: but for CHECK_FULL they do so for less long. */
static const char *lasting(const char *full, const char *brief)
{
    return is_full_check() ? full : brief;
}

TEST(near_cells)
{
    plan(2 + 2 * 8);
    test_tree();
    test_plane();
    test_motion("it falls on a corner", "9.81", lasting("0.1 s", "0.05 s"), cube,
                "position: [0 m, 0 m, 0.11 m]\n"
                "    attitude: {axis: [1, 0.3, 0], angle: 3 deg}\n"
                "    velocity: [0.1 m/s, 0 m/s, 0 m/s]",
                smooth, false, 1e-8);
    test_motion("with friction", "9.81", lasting("0.06 s", "0.045 s"), cube,
                "position: [0 m, 0 m, 0.11 m]\n"
                "    attitude: {axis: [1, 0.3, 0], angle: 3 deg}\n"
                "    velocity: [0.1 m/s, 0 m/s, 0 m/s]",
                rough, false, 1e-8);
    test_motion("on a plane, with friction", "9.81", "0.06 s", fine,
                "position: [0 m, 0 m, 0.11 m]\n"
                "    attitude: {axis: [1, 0.3, 0], angle: 3 deg}\n"
                "    velocity: [0.1 m/s, 0 m/s, 0 m/s]",
                rough, false, 1e-8);
    test_motion("on a plane, turning over", "9.81", "0.3 s", fine,
                "position: [0 m, 0 m, 0.3 m]\n"
                "    spin: [3 rad/s, 9 rad/s, 0.1 rad/s]",
                smooth, false, 1e-7);
    test_motion("it flies along, turning", "9.81", lasting("0.45 s", "0.25 s"), cube,
                "position: [0 m, 0 m, 0.3 m]\n"
                "    velocity: [4 m/s, 0 m/s, 0 m/s]\n"
                "    spin: [0 rad/s, 9 rad/s, 0.1 rad/s]",
                smooth, false, 1e-7);
    test_motion("without weight it comes down from far", "0", lasting("0.7 s", "0.6 s"), cube,
                "position: [-1 m, 0 m, 1 m]\n"
                "    velocity: [3 m/s, 0 m/s, -1.6 m/s]\n"
                "    spin: [0.3 rad/s, -11 rad/s, 0 rad/s]",
                smooth, false, 1e-7);
    test_motion("a bar only turns", "0", "0.12 s", bar,
                "position: [0.5 m, 0 m, 0.4 m]\n"
                "    spin: [0 rad/s, 9 rad/s, 0 rad/s]",
                smooth, false, 1e-8);
    test_motion("in fixed steps", "9.81", lasting("0.1 s", "0.05 s"), cube,
                "position: [0 m, 0 m, 0.11 m]\n"
                "    attitude: {axis: [1, 0.3, 0], angle: 3 deg}\n"
                "    velocity: [0.1 m/s, 0 m/s, 0 m/s]",
                smooth, true, 1e-10);
    return done();
}
