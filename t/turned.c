/* A scene rotated by any angle gives the rotated answer: gravity, positions, shapes, velocities,
 * spins. And a box rests on its corners, and a bristle is carried along. */

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "lib/stage.h"
#include "tap.h"

/* About (2, -1, 0.5) by 2.3 rad, and moved. */
static const double SHIFT[3] = {0.3, -0.7, 1.1};
static double R[3][3];

static void make_turn(void)
{
    double n[3] = {2, -1, 0.5}, a = 2.3, size = cf_vec_norm(n);

    for (int i = 0; i < 3; i++)
        n[i] /= size;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int k = 3 - i - j;
            double cross = i == j ? 0 : ((j - i + 3) % 3 == 1 ? -n[k] : n[k]);
            R[i][j] = (i == j) * cos(a) + (1 - cos(a)) * n[i] * n[j] + sin(a) * cross;
        }
}

static void turn(double v[3], bool place)
{
    double out[3];

    cf_vec_turn(R, v, out);
    for (int k = 0; k < 3; k++)
        v[k] = out[k] + (place ? SHIFT[k] : 0);
}

/* Turns a scene as it was read: bodies that carry something asymmetric by their attitude. */
static void turn_scene(struct cf_scene *scene)
{
    double q[4], half = 1.15, n[3] = {2, -1, 0.5}, size = cf_vec_norm(n);

    q[0] = cos(half);
    for (int k = 0; k < 3; k++)
        q[1 + k] = sin(half) * n[k] / size;
    turn(scene->gravity_m_s2, false);
    for (size_t b = 0; b < scene->nbody; b++) {
        struct cf_rigid *body = &scene->body[b];
        double *p = body->attitude, made[4];
        turn(body->position_m, true);
        turn(body->velocity_m_s, false);
        turn(body->spin_rad_s, false);
        made[0] = q[0] * p[0] - q[1] * p[1] - q[2] * p[2] - q[3] * p[3];
        for (int k = 0; k < 3; k++) {
            int i = 1 + (k + 1) % 3, j = 1 + (k + 2) % 3;
            made[1 + k] = q[0] * p[1 + k] + p[0] * q[1 + k] + q[i] * p[j] - q[j] * p[i];
        }
        memcpy(p, made, sizeof made);
    }
    for (size_t m = 0; m < scene->npair; m++)
        turn(scene->pair[m].normal, false);
    for (size_t t = 0; t < scene->ntether; t++)
        turn(scene->tether[t].anchor_m, true);
}

static size_t at_once(const struct stage *stage, int what)
{
    const struct stage_event *first = stage_find(stage, (enum cf_motion_event) what, 0);

    return what == CF_EVENT_APEX && first && first->time_s < 1e-12;
}

/* How far the turned run ends from the turned end of the plain one, in m, m/s and r rad/s. */
static void test_turned(const char *scene, const char *duration, double radius, double tolerance)
{
    const char *const overrides[] = {"duration", duration, NULL};
    struct stage plain, turned;
    double worst = 0, time = 0;
    bool missed = false;
    size_t n = 0;

    stage_open(&plain, scene, overrides);
    stage_open(&turned, scene, overrides);
    turn_scene(&turned.file->scene);
    ok(stage_run(&plain) && stage_run(&turned), "%s: runs, plain and turned", scene);
    for (size_t b = 0; plain.last && b < plain.file->scene.nbody; b++) {
        struct cf_body_state want = plain.last[b];
        const struct cf_body_state *got = &turned.last[b];
        turn(want.position_m, true);
        turn(want.velocity_m_s, false);
        turn(want.spin_rad_s, false);
        for (int k = 0; k < 3; k++) {
            worst = fmax(worst, fabs(got->position_m[k] - want.position_m[k]));
            worst = fmax(worst, fabs(got->velocity_m_s[k] - want.velocity_m_s[k]));
            worst = fmax(worst, radius * fabs(got->spin_rad_s[k] - want.spin_rad_s[k]));
        }
    }
    ok(worst < tolerance, "%s: turned, the turned answer to %.1e", scene, worst);
    for (int what = 0; what < CF_NEVENT; what++) {
        /* a body that starts level may appear to turn at once: rounding */
        size_t skip[2] = {at_once(&plain, what), at_once(&turned, what)};
        const struct stage_event *a, *b;
        for (size_t i = 0;; i++, n++) {
            a = stage_find(&plain, (enum cf_motion_event) what, i + skip[0]);
            b = stage_find(&turned, (enum cf_motion_event) what, i + skip[1]);
            if (!a || !b)
                break;
            time = fmax(time, fabs(a->time_s - b->time_s));
        }
        missed |= a || b;
    }
    ok(!missed && n > 0, "%s: %zu things happen", scene, n);
    ok(time < tolerance, "%s: at the same times, to %.1e s", scene, time);
    stage_close(&plain);
    stage_close(&turned);
}

/* Between samples the bristle and the friction stay across the normal. */
struct across {
    double worst;
    bool turned;
};

static void watch_across(void *observer, const struct cf_snapshot *at)
{
    struct across *across = observer;
    const struct cf_contact_snapshot *m = at->contact;
    double u = cf_vec_norm(m->bristle_m), f = cf_vec_norm(m->friction_N);

    if (!m->touching || u == 0)
        return;
    across->worst = fmax(across->worst, fabs(cf_vec_dot(m->bristle_m, m->normal)) / u);
    if (f > 0)
        across->worst = fmax(across->worst, fabs(cf_vec_dot(m->friction_N, m->normal)) / f);
    across->turned |= m->normal[2] * m->normal[2] < 0.9;
}

static void test_carried(const char *scene, const char *duration, double every_s)
{
    struct across across = {0};
    struct stage stage;

    stage_open(&stage, scene, (const char *const[]){"duration", duration, NULL});
    stage.options.every_s = every_s;
    stage.sample = watch_across;
    stage.observer = &across;
    stage_run(&stage);
    ok(across.turned && across.worst < 1e-7, "%s: bristle and friction across the normal to %.1e",
       scene, across.worst);
    stage_close(&stage);
}

/* A box laid on its four lower corners, each with a quarter of the weight; slid, it stops by mu g
 * and rests. */
static void test_box(void)
{
    struct stage stage;
    double deep = pow(0.25 * 9.81 / 1e6, 2.0 / 3);

    stage_write(&stage, "box",
                "duration: 1 s\n"
                "bodies:\n"
                "  box: {box: {size: [0.2 m, 0.2 m, 2 mm]}, mass: 1 kg,\n"
                "        position: [0, 0, %.17g m], velocity: [0.3 m/s, 0.4 m/s, 0]}\n"
                "  floor: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}\n"
                "contacts:\n"
                "  - between: [box, floor]\n"
                "    normal: {law: azad-featherstone, k: 1e6, lambda: 1e4}\n"
                "    friction: {law: clutch-linear, mu: 0.2, k_t: 1e5, d_t: 1e3, c_v: 0}\n",
                0.001 - deep);
    stage.options.every_s = 0.05;
    bool ran = stage_run(&stage);
    ok(ran && isfinite(stage.result.rest_s), "box: comes to rest, at %.3f s", stage.result.rest_s);
    ok(stage_off(&stage) < 1e-9, "box: energy balance off by %.1e", stage_off(&stage));
    /* 0.5 m/s, mu g = 1.962 m/s^2: stops in 0.2548 s after 0.06371 m, less what the clutch gives */
    const double *x = stage.end.body.position_m;
    is_within(hypot(x[0], x[1]), 0.25 / (2 * 0.2 * 9.81), 3e-5, "box: where mu g stops it");
    is_near(x[1] / x[0], 4.0 / 3, 1e-3, "box: on its way");
    is_near((0.001 - x[2]) / deep, 1, 1e-4, "box: as deep as a quarter of its weight presses");
    is_near(stage.end.contact.normal_N, stage.end.contact.touching ? 0.25 * 9.81 : 0, 1e-4,
            "box: with a quarter of it");
    stage_close(&stage);
}

TEST(turned)
{
    plan(4 * 4 + 2 + 6);
    make_turn();
    test_turned("af10_rolling_sphere", "0.7 s", 0.0165, 1e-9);
    test_turned("g07_ball_in_cylinder_3d", "0.75 s", 0.1, 1e-8);
    test_turned("g07_sphere_on_cone", "0.4 s", 0.1, 1e-8);
    test_turned("g07_spinning_block", "0.2 s", 0.1, 1e-8);
    test_carried("g07_ball_in_cylinder_3d", "1 s", 1e-3);
    test_carried("g07_sphere_on_cone", "1 s", 1e-3);
    test_box();
    return done();
}
