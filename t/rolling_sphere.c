/* The sphere of Azad & Featherstone 2010, section 4, that bounces, slips, sticks and rolls, against
 * independent numbers, against SciPy (t/reference/make_rolling.py), and against what holds for any
 * friction: about a point of the plane no force has a moment along it, so that the sphere ends at
 * 5/7 of its first speed. */

#include <math.h>

#include "lib/stage.h"
#include "tap.h"

static const double RADIUS = 1.65e-2, MASS = 0.154, SPEED = 0.5;

struct seen {
    double fastest_m_s[2];   /* of the contact point along x and y, from 0.462 s on */
    double moment, sideways; /* largest change of m v r + I w; of the sideways motion from
                              * friction */
};

static void watch(void *observer, const struct cf_snapshot *at)
{
    struct seen *seen = observer;
    const struct cf_body_state *ball = at->body;
    const double *v = ball->velocity_m_s, *w = ball->spin_rad_s, *slip = at->contact[0].slip_m_s;
    double I = 0.4 * MASS * RADIUS * RADIUS;

    for (int k = 0; k < 2 && at->time_s >= 0.462; k++)
        seen->fastest_m_s[k] = fmax(seen->fastest_m_s[k], fabs(slip[k]));
    /* rolling along x turns about +y: v_x = r w_y, v_y = -r w_x */
    for (int k = 0; k < 2; k++) {
        double turn = k == 0 ? w[1] : -w[0];
        double moment = MASS * v[k] * RADIUS + I * turn;
        seen->moment = fmax(seen->moment, fabs(moment / (MASS * SPEED * RADIUS) - 1));
    }
    seen->sideways = fmax(seen->sideways, fabs(v[0] - v[1]) + fabs(w[0] + w[1]) * RADIUS);
}

static void test_scene(void)
{
    struct seen seen = {0};
    struct stage stage;

    stage_open(&stage, "af10_rolling_sphere", NULL);
    stage.options.every_s = 1e-4;
    stage.sample = watch;
    stage.observer = &seen;
    ok(stage_run(&stage), "runs");
    const struct stage_event *make = stage_find(&stage, CF_EVENT_MAKE, 0);
    const struct stage_event *stick = stage_find(&stage, CF_EVENT_STICK, 0);
    const struct stage_event *slip = stage_find(&stage, CF_EVENT_SLIP, 0);
    double start = make ? make->time_s : (double) NAN;
    is_near(start, sqrt(2 * (0.1 - RADIUS) / 9.81), 1e-14, "falls from 10 cm, its centre");
    is_near(stick ? 1e3 * (stick->time_s - start) : (double) NAN, 0.934, 5e-4, "slips to 0.934 ms");
    is_near(slip ? 1e3 * (slip->time_s - start) : (double) NAN, 1.794, 5e-4,
            "sticks to 1.794 ms and slips again");
    for (int k = 0; k < 2; k++) {
        is_near(stage.end.body.velocity_m_s[k], 0.357143, 1e-6, "final v_%c", "xy"[k]);
        is_near(stage.end.body.velocity_m_s[k], 5.0 / 7 * SPEED, 1e-10, "5/7 of the first");
    }
    is_near(stage.end.body.spin_rad_s[1] * RADIUS, 5.0 / 7 * SPEED, 1e-10, "it rolls");
    for (int k = 0; k < 2; k++)
        is_near(seen.fastest_m_s[k] / 4e-4, 1, 0.01,
                "from 0.462 s v_%c of its contact point is "
                "below %.3e m/s",
                "xy"[k], seen.fastest_m_s[k]);
    ok(seen.moment < 1e-10, "moment about the plane kept all the way (%.1e)", seen.moment);
    ok(seen.sideways < 1e-13, "along its way all the way (%.1e m/s)", seen.sideways);
    ok(stage_off(&stage) < 1e-10, "energy audit closes to %.1e", stage_off(&stage));
    stage_close(&stage);
}

/* Eight contacts against independent equations. */
static void test_contacts(void)
{
    enum { TOUCH, SLIP, END, SLIP_AFTER, NCOLUMN, MOST = 8 };
    double cell[MOST * NCOLUMN], times = 0, speeds = 0;
    int n = stage_table("rolling.csv", "", NCOLUMN, MOST, cell);
    struct stage stage;

    stage_open(&stage, "af10_rolling_sphere", NULL);
    stage_run(&stage);
    for (int i = 0; i < n; i++) {
        const double *row = cell + i * NCOLUMN;
        const struct stage_event *make = stage_find(&stage, CF_EVENT_MAKE, (size_t) i);
        const struct stage_event *out = stage_find(&stage, CF_EVENT_BREAK, (size_t) i);
        if (!make || !out) {
            times = INFINITY;
            break;
        }
        const double *v = out->contact.slip_m_s;
        times = fmax(times, fmax(fabs(make->time_s - row[TOUCH]), fabs(out->time_s - row[END])));
        speeds = fmax(speeds, fabs((v[0] + v[1]) / sqrt(2) / row[SLIP_AFTER] - 1));
    }
    ok(n == MOST && times < 1e-9, "eight contacts: times within %.1e s", times);
    ok(n == MOST && speeds < 1e-5, "eight contacts: slip after each within %.1e of it", speeds);
    stage_close(&stage);
}

/* Limits: without friction it never rolls, with large friction it always does. */
static void test_limits(void)
{
    struct stage stage;

    stage_write(&stage, "rolling_smooth",
                "duration: 0.5 s\n"
                "bodies:\n"
                "  ball: {sphere: {radius: 1 cm}, mass: 10 g, inertia: solid,\n"
                "         position: [0 m, 0 m, 5 cm], velocity: [0.3 m/s, 0 m/s, 0 m/s],\n"
                "         spin: [7 rad/s, 5 rad/s, 3 rad/s]}\n"
                "  ground: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}\n"
                "contacts:\n"
                "  - {between: [ball, ground], normal: {law: hunt-crossley, k: 1e7, a: 0.1}}\n");
    ok(stage_run(&stage) && stage.result.events[CF_EVENT_MAKE] > 2, "without friction: bounces");
    const double *v = stage.end.body.velocity_m_s, *w = stage.end.body.spin_rad_s;
    ok(v[0] == 0.3 && v[1] == 0 && w[0] == 7 && w[1] == 5 && w[2] == 3,
       "without friction: nothing along the plane changes");
    stage_close(&stage);

    /* stiff along, and mu so large that it never slips: the contact point stops with the contact */
    stage_write(&stage, "rolling_rough",
                "duration: 0.8 s\n"
                "bodies:\n"
                "  ball: {sphere: {radius: 1 cm}, mass: 10 g, inertia: solid,\n"
                "         position: [0 m, 0 m, 1.1 cm], velocity: [0.1 m/s, 0.05 m/s, 0 m/s]}\n"
                "  ground: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}\n"
                "contacts:\n"
                "  - between: [ball, ground]\n"
                "    normal: {law: azad-featherstone, k: 1e7, lambda: 3e3}\n"
                "    friction: {law: clutch, mu: 9, k_t: 1.5e7, d_t: 3e3, c_v: 0}\n");
    stage_run(&stage);
    v = stage.end.body.velocity_m_s, w = stage.end.body.spin_rad_s;
    is_near(v[0] / 0.1, 5.0 / 7, 1e-9, "much friction: 5/7 along x");
    is_near(v[1] / 0.05, 5.0 / 7, 1e-9, "much friction: 5/7 along y");
    is_near(hypot(v[0] - 0.01 * w[1], v[1] + 0.01 * w[0]), 0, 1e-9, "much friction: it rolls");
    double along_J = 0.5 * 0.01 * (0.1 * 0.1 + 0.05 * 0.05);
    ok(stage.end.energy_J[CF_ENERGY_SLIDE] < 1e-6 * along_J && stage_off(&stage) < 1e-9,
       "much friction: nothing slides (%.1e J)", stage.end.energy_J[CF_ENERGY_SLIDE]);
    stage_close(&stage);
}

TEST(rolling_sphere)
{
    plan(14 + 2 + 6);
    test_scene();
    test_contacts();
    test_limits();
    return done();
}
