/* Bodies that are driven: under force accommodation, against the limits that Gonthier 2007, section
 * 5.1.4, describes; along a recorded trace; and by plates that move steadily. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/scratch.h"
#include "lib/stage.h"
#include "tap.h"

enum { MOMENTS = 8 };

/* What the first contact and the body that is followed do at certain times. */
struct moments {
    size_t follow, n;
    double at_s[MOMENTS];
    struct cf_contact_snapshot contact[MOMENTS];
    struct cf_body_state body[MOMENTS];
    size_t seen;
};

static void watch(void *observer, const struct cf_snapshot *at)
{
    struct moments *moments = observer;

    for (size_t i = 0; i < moments->n; i++) {
        if (fabs(moments->at_s[i] - at->time_s) > 1e-9)
            continue;
        moments->contact[i] = at->contact[0];
        moments->body[i] = at->body[moments->follow];
        moments->seen++;
    }
}

static void run(struct stage *stage, struct moments *moments, const char *what)
{
    moments->seen = 0;
    moments->follow = stage->follow;
    stage->sample = watch;
    stage->observer = moments;
    ok(stage_run(stage) && moments->seen == moments->n, "%s: runs", what);
}

/* "A force beyond 10 N yields by 1 mm/s for every 10 N": commanded to move 2 mm/s into the plate,
 * it stops where the plate pushes with 10 N + 20 N. */
static void test_normal(void)
{
    static const double K = 2.5413e8;
    struct moments m = {.n = 4, .at_s = {4.9, 9.9, 19.9, 29.9}};
    struct stage stage;

    stage_open(&stage, "g07_force_accommodation_normal", NULL);
    stage.options.every_s = 0.1;
    run(&stage, &m, "pressed");
    const struct stage_event *make = stage_find(&stage, CF_EVENT_MAKE, 0);
    is_near(make ? make->time_s : (double) NAN, 5.01, 1e-9,
            "10 mm at 2 mm/s, and the lag: touches at 5.01 s");
    is_near(make ? make->contact.rate_m_s : (double) NAN, 2e-3, 1e-9, "with 2 mm/s");
    ok(m.contact[0].normal_N == 0, "before: no force");
    is_near(m.contact[1].normal_N, 30, 1e-9,
            "command of 2 mm/s: dead band 10 N + 2 mm/s over the yield");
    is_near(m.contact[1].depth_m / pow(30 / K, 2.0 / 3), 1, 1e-9, "as deep as k says of 30 N");
    is_within(m.body[1].velocity_m_s[2], 0, 1e-12, "and stands");
    ok(m.contact[2].normal_N == 0 && !m.contact[2].touching, "command to lift: no force");
    is_near(m.body[2].velocity_m_s[2], 1e-3, 1e-9, "it rises with 1 mm/s, as commanded");
    is_near(m.contact[3].normal_N, 30, 1e-9, "command of 2 mm/s again: 30 N again");
    double off = stage_off(&stage);
    ok(off < 1e-9, "energy balance off by %.1e of what moved", off);
    double work = stage.end.energy_J[CF_ENERGY_WORK],
           lost = stage.end.energy_J[CF_ENERGY_NORMAL_DAMPER];
    is_near(work / lost, 1, 1e-9, "in the air again, the drive's work is the damper's loss");
    stage_close(&stage);
}

/* Drawn along the plate under 30 N, slower than v_s: friction (mu_c + (mu_s - mu_c) s) 30 N against
 * the motion, below the dead band, so that the motion is as commanded. */
static void test_tangential(void)
{
    struct moments m = {.n = 3, .at_s = {7.9, 13.9, 19.9}};
    double s = exp(-5e-6 / 0.01), want = (0.1 + 0.06 * s) * 30;
    struct stage stage;

    stage_open(&stage, "g07_force_accommodation_tangential", NULL);
    stage.options.every_s = 0.1;
    run(&stage, &m, "drawn");
    is_near(hypot(m.contact[0].friction_N[0], m.contact[0].friction_N[1]), 0, 1e-12,
            "pressed straight: no friction");
    for (int i = 1; i < 3; i++) {
        double sign = i == 1 ? 1 : -1;
        const double *f = m.contact[i].friction_N, *v = m.body[i].velocity_m_s;
        is_near(m.contact[i].normal_N, 30, 1e-8, "leg %d: pressed with 30 N", i);
        is_near(hypot(f[0], f[1]) / want, 1, 1e-8, "leg %d: friction", i);
        is_near(f[0] / f[1], 2, 1e-8, "leg %d: against the motion", i);
        ok(sign * f[0] < 0, "leg %d: and not with it", i);
        is_near(hypot(v[0] - sign * 2e-3, v[1] - sign * 1e-3), 0, 1e-12, "leg %d: as commanded", i);
    }
    double off = stage_off(&stage);
    ok(off < 1e-9, "energy balance off by %.1e of what moved", off);
    is_within((stage.end.energy_J[CF_ENERGY_WORK] - stage.end.energy_J[CF_ENERGY_SLIDE] -
               stage.end.energy_J[CF_ENERGY_TANGENTIAL_DAMPER] -
               stage.end.energy_J[CF_ENERGY_NORMAL_DAMPER]) /
                  stage.end.energy_J[CF_ENERGY_WORK],
              0, 1e-9, "the drive's work is what was lost");
    stage_close(&stage);
}

/* Below the dead band nothing yields. */
static void test_dead_band(void)
{
    struct stage stage;

    stage_write(&stage, "dead_band",
                "gravity: 0 m/s^2\n"
                "duration: 2 s\n"
                "bodies:\n"
                "  tool: {sphere: {radius: 1 cm}, position: [0 m, 0 m, 1 cm],\n"
                "         command: {yield: 1 mm/(s N), dead-band: 10 N, lag: 1 ms,\n"
                "                   legs: [{from: 0 s, velocity: [0 m/s, 0 m/s, -1 um/s]}]}}\n"
                "  plate: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}\n"
                "contacts:\n"
                "  - {between: [tool, plate], normal: {law: hunt-crossley, k: 1e9, a: 0.1}}\n");
    stage_run(&stage);
    double deep = 1e-6 * (2 - 1e-3);
    is_near(stage.end.contact.depth_m / deep, 1, 1e-9,
            "below the dead band it goes on as commanded");
    is_near(stage.end.contact.normal_N / (1e9 * pow(deep, 1.5) * (1 + 0.1e-6)), 1, 1e-9,
            "and presses with less than 10 N (%.3f N)", stage.end.contact.normal_N);
    stage_close(&stage);
}

/* A plate that a trace shakes by 2 mm at 3 Hz, 400 rows a second, and a ball on it: so slow that
 * the ball goes with it, and the contact presses with m (g + a). */
static void write_trace(double swing_m)
{
    FILE *file = scratch_create("tmp/shaken.csv");

    fprintf(file, "time_s,up_mm\n");
    for (int i = 0; i <= 400; i++) {
        double t = i / 400.0, w = 6 * 3.14159265358979323846;
        fprintf(file, "%.17g,%.17g\n", t, 1e3 * swing_m * (1 - cos(w * t)));
    }
    fclose(file);
}

static void shake(struct stage *stage)
{
    stage_write(stage, "shaken",
                "duration: 1 s\n"
                "bodies:\n"
                "  ball: {sphere: {radius: 1 cm}, mass: 50 g, position: [0 m, 0 m, %.17g m]}\n"
                "  plate: {plane: {normal: [0, 0, 1], height: 0 m},\n"
                "          trace: {file: shaken.csv, time: time_s, z: up_mm}}\n"
                "contacts:\n"
                "  - {between: [ball, plate], normal: {law: azad-featherstone, k: 1e9,\n"
                "     lambda: 1e5}}\n",
                0.01 - pow(0.05 * 9.81 / 1e9, 2.0 / 3));
}

static void test_trace(void)
{
    static const double W = 6 * 3.14159265358979323846;
    struct moments m = {.n = 4, .at_s = {0.3, 0.45, 0.6, 0.95}};
    struct stage stage;

    write_trace(2e-3);
    shake(&stage);
    stage.options.every_s = 0.05;
    run(&stage, &m, "carried");
    for (size_t i = 0; i < m.n; i++) {
        double a = 2e-3 * W * W * cos(W * m.at_s[i]);
        is_near(m.contact[i].normal_N / (0.05 * (9.81 + a)), 1, 1e-4,
                "carried at %g s: pressed with m (g + a)", m.at_s[i]);
    }
    is_within(stage.end.body.position_m[2] - 0.01, 0, 1e-6, "carried: ends where it began");
    ok(stage_off(&stage) < 1e-6, "carried: energy balance off by %.1e of what moved",
       stage_off(&stage));
    stage_close(&stage);

    /* Ten times the amplitude throws it. */
    write_trace(5e-2);
    shake(&stage);
    bool ran = stage_run(&stage);
    ok(ran && stage.result.events[CF_EVENT_BREAK] > 0 && stage.result.events[CF_EVENT_MAKE] > 0,
       "thrown: %zu times", stage.result.events[CF_EVENT_BREAK]);
    const struct stage_event *out = stage_find(&stage, CF_EVENT_BREAK, 0);
    const struct stage_event *next = stage_find(&stage, CF_EVENT_MAKE, 0);
    /* leaves where the plate falls faster than it: cos(w t) = -g/(A w^2) */
    double leaves = acos(-9.81 / (5e-2 * W * W)) / W;
    is_within(out ? out->time_s : (double) NAN, leaves, 1e-3,
              "thrown: where the plate falls with g");
    double t = next ? next->time_s - leaves : (double) NAN, v = 5e-2 * W * sin(W * leaves);
    double ball = 5e-2 * (1 - cos(W * leaves)) + v * t - 9.81 / 2 * t * t;
    is_within(ball, 5e-2 * (1 - cos(W * (leaves + t))), 1e-4, "thrown: meets the plate again");
    ok(stage_off(&stage) < 1e-6, "thrown: energy balance off by %.1e of what moved",
       stage_off(&stage));
    stage_close(&stage);
}

/* A ball dropped on a plate that rises steadily bounces as on one at rest, seen from the plate. */
static void test_rising(void)
{
    struct stage still, rises;
    static const char scene[] =
        "duration: 0.6 s\n"
        "bodies:\n"
        "  ball: {sphere: {radius: 1 cm}, mass: 50 g, position: [0 m, 0 m, 6 cm],\n"
        "         velocity: [0 m/s, 0 m/s, %g m/s]}\n"
        "  plate: {plane: {normal: [0, 0, 1], height: 0 m},\n"
        "          moving: {velocity: [0 m/s, 0 m/s, %g m/s]}}\n"
        "contacts:\n"
        "  - {between: [ball, plate], normal: {law: gonthier, k: 1e8, e: 0.6,\n"
        "     v_small: 1 mm/s}}\n";

    stage_write(&still, "still", scene, 0.0, 0.0);
    stage_write(&rises, "rises", scene, 0.7, 0.7);
    stage_run(&still);
    stage_run(&rises);
    double worst = 0;
    for (size_t i = 0; i < 4; i++) {
        const struct stage_event *a = stage_find(&still, CF_EVENT_BREAK, i);
        const struct stage_event *b = stage_find(&rises, CF_EVENT_BREAK, i);
        worst = fmax(worst, a && b ? fabs(a->time_s - b->time_s) : (double) INFINITY);
        worst = fmax(worst, a && b ? fabs(a->body.velocity_m_s[2] - b->body.velocity_m_s[2] + 0.7)
                                   : (double) INFINITY);
    }
    ok(worst < 1e-9, "on a rising plate it bounces as on one that stands (%.1e)", worst);
    ok(stage_off(&rises) < 1e-9, "energy balance off by %.1e of what moved", stage_off(&rises));
    stage_close(&still);
    stage_close(&rises);
}

TEST(accommodation)
{
    plan(12 + 14 + 2 + 7 + 4 + 2);
    test_normal();
    test_tangential();
    test_dead_band();
    test_trace();
    test_rising();
    return done();
}
