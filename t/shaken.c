/* Plates that a recorded motion swings under a block: sticking and sliding must begin at the times
 * at which the plate, seen from the block, passes the speed of slip, and the speeds that follow
 * decide which is which. */

#include <math.h>
#include <stdio.h>

#include "lib/scratch.h"
#include "lib/stage.h"
#include "tap.h"

static const double W = 4 * 3.14159265358979323846, V_SLIP = 0.01; /* two swings a second */
enum { MOST = 5000 };

/* 500 places a second of swing (1 - cos w t), along a direction. */
static void write_trace(double swing_m, double angle)
{
    FILE *file = scratch_create("tmp/swung.csv");

    fprintf(file, "time_s,x_m,y_m\n");
    for (int i = 0; i <= 500; i++) {
        double t = i / 500.0, x = swing_m * (1 - cos(W * t));
        fprintf(file, "%.17g,%.17g,%.17g\n", t, x * cos(angle), x * sin(angle));
    }
    fclose(file);
}

static void swing(struct stage *stage, const char *block, const char *law)
{
    stage_write(stage, "swung",
                "duration: 1 s\n"
                "bodies:\n"
                "  block: {point: {}, %s}\n"
                "  plate: {plane: {normal: [0, 0, 1], height: 0 m},\n"
                "          trace: {file: swung.csv, time: time_s, x: x_m, y: y_m}}\n"
                "contacts:\n"
                "  - {between: [block, plate], normal: {load: 2 N, direction: [0, 0, 1]},\n"
                "     friction: {law: %s}}\n",
                block, law);
}

/* The block's speed on the plate, sample by sample. */
struct speeds {
    size_t n;
    double at_s[MOST], slip_m_s[MOST];
};

static void note(void *observer, const struct cf_snapshot *at)
{
    struct speeds *s = observer;
    const double *v = at->contact[0].slip_m_s;

    if (s->n < MOST) {
        s->at_s[s->n] = at->time_s;
        s->slip_m_s[s->n++] = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
}

/* Samples between a slip and the stick that follows are faster than V_SLIP, others slower. */
static size_t misnamed(const struct stage *stage, const struct speeds *speeds)
{
    size_t wrong = 0, next = 0;
    bool known = false, slides = false;

    for (size_t i = 0; i < speeds->n; i++) {
        while (next < stage->n && stage->event[next].time_s < speeds->at_s[i]) {
            enum cf_motion_event what = stage->event[next++].what;
            wrong += known && slides == (what == CF_EVENT_SLIP);
            slides = what == CF_EVENT_SLIP;
            known = true;
        }
        wrong += known && slides != (speeds->slip_m_s[i] > V_SLIP);
    }
    return wrong;
}

/* A block that is held: the plate's speed A w sin(w t) alone decides. Four times it grows over
 * V_SLIP, each time at the same distance from where the plate reverses; four times it falls
 * below. */
static void test_held(const char *law, double swing_m, double angle)
{
    static struct speeds speeds;
    double late = asin(V_SLIP / (swing_m * W)) / W, worst = 0;
    struct stage stage;

    speeds.n = 0;
    write_trace(swing_m, angle);
    swing(&stage, "fixed: true", law);
    stage.options.every_s = 1e-3;
    stage.sample = note;
    stage.observer = &speeds;
    ok(stage_run(&stage) && misnamed(&stage, &speeds) == 0, "%s, held: named by what follows", law);
    for (size_t i = 0; i < 4; i++) {
        double turns = 0.25 * (double) i;
        const struct stage_event *slip = stage_find(&stage, CF_EVENT_SLIP, i);
        const struct stage_event *stick = stage_find(&stage, CF_EVENT_STICK, i);
        worst = fmax(worst, slip ? fabs(slip->time_s - turns - late) : (double) INFINITY);
        worst = fmax(worst, stick ? fabs(stick->time_s - turns - 0.25 + late) : (double) INFINITY);
    }
    ok(worst < 1e-6 && stage.n == 8, "%s, held: four slips, four sticks, to %.1e s", law, worst);
    stage_close(&stage);
}

/* A block that is dragged along, or moves by itself. */
static void test_moved(const char *law, const char *what, const char *block, size_t least)
{
    static struct speeds speeds;
    struct stage stage;

    speeds.n = 0;
    write_trace(0.05, 0.3);
    swing(&stage, block, law);
    stage.options.every_s = 1e-3;
    stage.sample = note;
    stage.observer = &speeds;
    bool ran = stage_run(&stage);
    ok(ran && stage.n >= least && misnamed(&stage, &speeds) == 0,
       "%s, %s: %zu named by what follows", law, what, stage.n);
    stage_close(&stage);
}

TEST(shaken)
{
    static const char *const laws[] = {
        "coulomb, mu: 0.2, v_e: 0.01",
        "stribeck, mu_s: 0.25, mu_d: 0.2, v_s: 0.01",
        "lugre, mu_s: 0.25, mu_c: 0.2, v_s: 0.01, sigma_0: 1e4, sigma_1: 10, sigma_2: 0",
    };
    enum { NLAW = sizeof laws / sizeof *laws };

    plan(NLAW * 8);
    for (int i = 0; i < NLAW; i++) {
        test_held(laws[i], 0.05, 0);
        test_held(laws[i], 2e-3, 1);
        test_moved(laws[i], "dragged", "mass: 1 kg, turns: false", 4);
        test_moved(laws[i], "steady", "moving: {velocity: [0.3 m/s, 0.1 m/s, 0]}", 4);
        test_moved(laws[i], "heavy", "mass: 20 kg, turns: false", 4);
        test_moved(laws[i], "thrown", "mass: 20 g, turns: false, velocity: [-0.5 m/s, 0.2 m/s, 0]",
                   1);
    }
    return done();
}
