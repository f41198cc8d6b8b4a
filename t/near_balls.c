/* Balls that are near: lists against all pairs at random places, at once and after motions within
 * the margin. And balls that fall on each other and on a floor, where lists tell which pairs to
 * look at, against the same with all pairs looked at, which they are where balls are off their mass
 * centres, here by nothing that matters.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/stage.h"
#include "motion/system.h"
#include "tap.h"

enum { N = 40, ROOM = 16384 };

static double uniform(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double) (*seed >> 8) / (1 << 24);
}

/* N balls of four sizes in layers, and all of their pairs with each other and with two planes. */
static void write_balls(struct stage *stage, const char *duration, const char *friction)
{
    char *bodies = calloc(ROOM, 1), *contacts = calloc(32 * ROOM, 1);
    size_t n = 0, k = 0;

    for (int i = 0; i < N; i++) {
        n += (size_t) snprintf(
            bodies + n, ROOM - n,
            "  b%d: {sphere: {radius: %g mm}, mass: 1 g, position: [%g mm, %g mm, %g mm]}\n", i,
            3 + 0.5 * (i % 4), 11.0 * (i % 4) + 0.1 * i, 11.0 * (i / 4 % 4) - 0.2 * (i % 5),
            6 + 11.0 * (i / 16));
        for (int j = 0; j < i; j++)
            k += (size_t) snprintf(contacts + k, 32 * ROOM - k,
                                   "  - {between: [b%d, b%d], normal: {law: azad-featherstone, k: "
                                   "1e7, lambda: 300}%s}\n",
                                   i, j, friction);
        for (int j = 0; j < 2; j++)
            k += (size_t) snprintf(contacts + k, 32 * ROOM - k,
                                   "  - {between: [b%d, %s], normal: {law: azad-featherstone, k: "
                                   "1e7, lambda: 300}%s}\n",
                                   i, j ? "wall" : "floor", friction);
    }
    stage_write(stage, "near_balls",
                "duration: %s\nsolver: {tolerance: 1e-8}\nbodies:\n%s"
                "  floor: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}\n"
                "  wall: {plane: {normal: [1, 0, 0], height: -20 mm}, fixed: true}\ncontacts:\n%s",
                duration, bodies, contacts);
    free(bodies);
    free(contacts);
}

static bool is_listed(const struct cf_near *near, size_t m)
{
    for (size_t k = 0; k < near->n; k++)
        if (near->pair[k] == m)
            return true;
    return false;
}

/* Pairs within a distance that are not listed, and lists that are not in order. */
static size_t count_missed(const struct cf_system *system, double within_m)
{
    size_t missed = 0;

    for (size_t m = 0; m < system->scene->npair; m++) {
        struct cf_contact_kinematics kin;
        cf_contact_geometry(system, &system->contact[m], &kin);
        missed += kin.depth > -within_m && !is_listed(&system->near, m);
    }
    for (size_t k = 1; k < system->near.n; k++)
        missed += system->near.pair[k] <= system->near.pair[k - 1];
    return missed;
}

static void put(struct cf_system *system, size_t body, int k, double x_m)
{
    system->pose[body].x[k] = system->pose[body].from[k] = x_m;
    system->pose[body].moved[k] = 0;
}

static void shake(struct cf_system *system, unsigned *seed, double by_m)
{
    for (size_t b = 0; b < N; b++) {
        double way[3], size = 0;
        for (int k = 0; k < 3; k++) {
            way[k] = 2 * uniform(seed) - 1;
            size += way[k] * way[k];
        }
        for (int k = 0; k < 3; k++)
            put(system, b, k, system->pose[b].x[k] + by_m * way[k] / sqrt(size));
    }
}

static void test_lists(void)
{
    struct stage stage;
    struct cf_system system;
    unsigned seed = 5;
    size_t missed = 0, late = 0, listed = 0, again = 0;

    write_balls(&stage, "1 s", "");
    if (!ok(stage.file &&
                cf_system_make(&system, &stage.file->scene, &stage.options, &stage.err) == CF_OK &&
                cf_near_make(&system.near, &stage.file->scene, false, &stage.err) == CF_OK &&
                system.near.balls.n == N,
            "a list of %d balls", N))
        return;
    for (int round = 0; round < 200; round++) {
        double margin_m = system.near.balls.margin_m;
        for (size_t b = 0; b < N; b++)
            for (int k = 0; k < 3; k++)
                put(&system, b, k, 0.05 * uniform(&seed));
        cf_near_renew(&system);
        listed += system.near.n;
        missed += count_missed(&system, margin_m);
        shake(&system, &seed, 0.2499 * margin_m);
        late += count_missed(&system, 0.5 * margin_m);
        const size_t before = system.near.n;
        cf_near_renew(&system); /* no occasion: it is young */
        again += system.near.n != before;
        shake(&system, &seed, 0.2499 * margin_m);
        late += count_missed(&system, 0);
        again += cf_near_balls_left(&system) < 0;
    }
    ok(missed == 0, "lists have all pairs within their margin: %zu are missing", missed);
    ok(late == 0, "and all that touch until balls have moved by half of it: %zu are missing", late);
    ok(again == 0, "they are not made anew before, and not too old");
    ok(listed < 200 * stage.file->scene.npair / 2, "they are short: %g pairs of %zu",
       (double) listed / 200, stage.file->scene.npair);
    cf_system_free(&system);
    stage_close(&stage);
}

/* The same motion with lists and without. */
static void test_motion(const char *what, const char *duration, const char *friction, double within)
{
    struct cf_body_state end[2][N];
    size_t made[2] = {0, 1};
    struct stage stage;
    double most = 0;

    write_balls(&stage, duration, friction);
    for (int k = 0; k < 2; k++) {
        for (size_t b = 0; b < N && k; b++)
            stage.file->scene.body[b].ball[0].centre_m[2] = 1e-300;
        stage_run(&stage);
        memcpy(end[k], stage.last, sizeof end[k]);
        made[k] = stage.result.events[CF_EVENT_MAKE];
    }
    for (size_t b = 0; b < N; b++)
        for (int k = 0; k < 3; k++)
            most = fmax(most, fabs(end[0][b].position_m[k] - end[1][b].position_m[k]));
    ok(stage.status == CF_OK && made[0] == made[1] && made[0] > 40, "%s: %zu touches, and %zu",
       what, made[0], made[1]);
    is_within(most, 0, within, "%s: all balls end at the same places", what);
    stage_close(&stage);
}

TEST(near_balls)
{
    plan(1 + 4 + 4);
    test_lists();
    test_motion("balls fall", "0.07 s", "", 1e-9);
    test_motion("with friction", "0.06 s", ", friction: {law: coulomb, mu: 0.3, v_e: 10 mm/s}",
                1e-9);
    return done();
}
