/* How deep a contact may be at the start: bodies that carry their sphere and their solid off their
 * mass centres, turned any way, at a known depth; by Rodrigues' rotation. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "geometry/vector.h"
#include "lib/stage.h"
#include "tap.h"

static const char *const text =
    "duration: 1 s\n"
    "bodies:\n"
    "  ball: {spheres: [{center: [3 cm, -4 cm, 7 cm], radius: 2 cm}], mass: 1 kg,\n"
    "         inertia: [0.01, 0.01, 0.01], position: [9, 9, 9]}\n"
    "  rock: {solids: [{sphere: {center: [-5 cm, 6 cm, 2 cm], radius: 5 cm}}], fixed: true}\n"
    "contacts:\n"
    "  - {between: [ball, rock], normal: {law: azad-featherstone, k: 1e9, lambda: 1e5}}\n";

static const double ball_radius = 0.02, rock_radius = 0.05;

/* About each axis, about an arbitrary one, by little, by much, not at all. */
static const double turns[][4] = {{1, 0, 0, 0},    {1, 0, 0, 1.1},  {0, 1, 0, -0.7}, {0, 0, 1, 2.4},
                                  {1, 2, -3, 2.9}, {-2, 1, 1, 0.3}, {3, 1, -1, -1.9}};
enum { NTURN = sizeof turns / sizeof *turns };

/* v turned about an axis: v cos a + n x v sin a + n (n . v)(1 - cos a). */
static void turned(const double turn[4], const double v[3], double out[3])
{
    double n[3], cross[3], a = turn[3], size = cf_vec_norm(turn);

    cf_vec_scale(1 / size, turn, n);
    cf_vec_cross(n, v, cross);
    for (int k = 0; k < 3; k++)
        out[k] = v[k] * cos(a) + cross[k] * sin(a) + n[k] * cf_vec_dot(n, v) * (1 - cos(a));
}

static void take_attitude(struct cf_rigid *body, const double turn[4])
{
    double size = cf_vec_norm(turn);

    body->attitude[0] = cos(turn[3] / 2);
    for (int k = 0; k < 3; k++)
        body->attitude[1 + k] = sin(turn[3] / 2) * turn[k] / size;
}

/* Puts the rock so that the ball is so deep in it, seen along a direction. */
static void put(struct cf_scene *scene, double turn[2][4], const double along[3], double depth_m)
{
    struct cf_rigid *ball = &scene->body[0], *rock = &scene->body[1];
    double at_ball[3], at_rock[3], size = cf_vec_norm(along);

    take_attitude(ball, turn[0]);
    take_attitude(rock, turn[1]);
    turned(turn[0], ball->ball[0].centre_m, at_ball);
    turned(turn[1], rock->solid[0].point_m, at_rock);
    for (int k = 0; k < 3; k++) {
        ball->position_m[k] = 0.1 * (k - 1);
        rock->position_m[k] = ball->position_m[k] + at_ball[k] - at_rock[k] +
                              (ball_radius + rock_radius - depth_m) * along[k] / size;
    }
}

/* A little less than a tenth of the smaller radius is accepted, a little more is refused with a
 * message. */
static void test_turned(struct cf_scene *scene, int first, int second)
{
    static const double ways[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}, {-1, 2, 3}};
    const double limit = 0.1 * ball_radius;
    double turn[2][4], worst = 0;
    size_t right = 0, n = sizeof ways / sizeof *ways;

    memcpy(turn[0], turns[first], sizeof turn[0]);
    memcpy(turn[1], turns[second], sizeof turn[1]);
    for (size_t i = 0; i < n; i++) {
        struct cf_error err = {""};
        double depth = NAN;
        put(scene, turn, ways[i], limit * (1 - 1e-6));
        bool accepted = cf_scene_check(scene, NULL, NULL, NULL) == CF_OK;
        put(scene, turn, ways[i], 1.25 * limit);
        bool refused = cf_scene_check(scene, NULL, NULL, &err) == CF_ERANGE;
        refused &=
            sscanf(err.text, "contact ball-rock: it starts with ball %lf m deep", &depth) == 1;
        right += accepted && refused;
        worst = fmax(worst, fabs(depth / (1.25 * limit) - 1));
    }
    ok(right == n && worst < 1e-5, "turn %d on turn %d: accepted and refused, depth to %.1e", first,
       second, worst);
}

TEST(start_depth)
{
    struct stage stage;

    plan(NTURN * NTURN);
    stage_write(&stage, "start_depth", "%s", text);
    for (int i = 0; i < NTURN && stage.file; i++)
        for (int j = 0; j < NTURN; j++)
            test_turned(&stage.file->scene, i, j);
    stage_close(&stage);
    return done();
}
