/* Fixed steps on scenes: their order where the motion is smooth, the residual of the energy balance
 * that they report, and the relaxation of Gonthier 2007, 3.44-3.45. */

#include <math.h>
#include <stdio.h>

#include "lib/stage.h"
#include "tap.h"

/* A bob on a spring, aside only: r(t) = d cos(w t). */
static double error_of(const struct cf_ode_scheme *scheme, double dt, double *residual)
{
    double w = sqrt(40 / 0.5), got;
    struct stage stage;

    stage_write(&stage, "fixed_bob",
                "gravity: 0 m/s^2\n"
                "duration: 1 s\n"
                "bodies: {bob: {point: {}, mass: 0.5 kg, turns: false, position: [0.2, 0, 0]}}\n"
                "springs: [{body: bob, anchor: [0, 0, 0], stiffness: 40 N/m}]\n");
    stage.options.scheme = scheme;
    stage.options.dt_s = dt;
    stage_run(&stage);
    got = stage.end.body.position_m[0] - 0.2 * cos(w);
    *residual = stage.result.residual_J;
    if (stage.result.steps != (size_t) lround(1 / dt))
        got = (double) NAN;
    stage_close(&stage);
    return fabs(got);
}

static void test_order(void)
{
    for (size_t i = 0; cf_ode_schemes[i]; i++) {
        const struct cf_ode_scheme *scheme = cf_ode_schemes[i];
        double residual[3], dt = scheme->order > 1 ? 1.0 / 64 : 1.0 / 4096, error[3];
        for (int h = 0; h < 3; h++)
            error[h] = error_of(scheme, dt / (1 << h), &residual[h]);
        double order = log2(error[1] / error[2]);
        is_near(order, scheme->order, 0.12, "%s: order %.2f", scheme->name, order);
        ok(residual[0] > residual[1] && residual[1] > residual[2] && residual[2] > 0,
           "%s: reports what its energy balance is off, less for shorter steps (%.1e J)",
           scheme->name, residual[2]);
    }
}

/* A drop: the touch is found at the end of its step, with the depth and speed at that time. */
static const char *const drop =
    "duration: 0.35 s\n"
    "bodies:\n"
    "  ball: {sphere: {radius: 2 cm}, mass: 0.2 kg, position: [0, 0, %.17g m]}\n"
    "  floor: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}\n"
    "contacts:\n"
    "  - between: [ball, floor]\n"
    "    normal: {law: hunt-crossley, k: 1e5, a: 0.4}\n"
    "%s";

struct peak {
    double first_N, found_m;
    bool touched;
};

static void watch(void *observer, const struct cf_snapshot *at)
{
    struct peak *peak = observer;

    if (at->contact[0].touching && !peak->touched) {
        peak->touched = true;
        peak->first_N = at->contact[0].normal_N;
        peak->found_m = at->contact[0].depth_m;
    }
}

static void run_drop(struct stage *stage, double height_m, const char *extra, double dt,
                     struct peak *peak)
{
    *peak = (struct peak){0, 0, false};
    stage_write(stage, "fixed_drop", drop, height_m, extra);
    stage->options.scheme = dt > 0 ? cf_ode_scheme_find("rk4") : NULL;
    stage->options.dt_s = dt;
    stage->options.every_s = dt;
    stage->sample = watch;
    stage->observer = peak;
    stage_run(stage);
}

/* Without relaxation the force jumps to that of the found depth; with it the depth z_o that was
 * found is subtracted, so that the contact begins without spring force, as 3.44 says. */
static void test_relaxation(void)
{
    static const double DT = 1e-3;
    struct stage jump, soft;
    struct peak with, without;

    run_drop(&jump, 0.1237, "", DT, &without);
    run_drop(&soft, 0.1237, "    relaxation: 1 s\n", DT, &with);
    const struct stage_event *a = stage_find(&jump, CF_EVENT_MAKE, 0);
    const struct stage_event *b = stage_find(&soft, CF_EVENT_MAKE, 0);
    double fall = sqrt(2 * (0.1237 - 0.02) / 9.81), found = ceil(fall / DT) * DT;
    double depth = 9.81 / 2 * found * found - (0.1237 - 0.02);
    is_near(a ? a->time_s : (double) NAN, found, 1e-12, "found at the end of the step");
    is_near(a ? a->contact.depth_m / depth : (double) NAN, 1, 1e-9,
            "as deep as it has come by then");
    is_near(without.first_N / (1e5 * pow(depth, 1.5) * (1 + 0.4 * 9.81 * found)), 1, 1e-9,
            "the force jumps to %.1f N", without.first_N);
    ok(a && b && a->time_s == b->time_s, "with relaxation: found there too");
    is_near(with.first_N, 0, 1e-9, "with relaxation: it begins at 0");
    double off[2] = {jump.result.residual_J, soft.result.residual_J};
    ok(off[0] > 0 && off[1] > 0, "both report what their energy balance is off: %.2e J, %.2e J",
       off[0], off[1]);
    stage_close(&jump);
    stage_close(&soft);
}

/* e of a ball that flies with 1.4 m/s from a height over the floor, without weight. */
static double restitution(double gap_m, const char *extra)
{
    struct stage stage;
    double e;

    stage_write(&stage, "fixed_flight",
                "gravity: 0 m/s^2\n"
                "duration: 0.05 s\n"
                "bodies:\n"
                "  ball: {sphere: {radius: 2 cm}, mass: 0.2 kg, position: [0, 0, %.17g m],\n"
                "         velocity: [0, 0, -1.4 m/s]}\n"
                "  floor: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}\n"
                "contacts:\n"
                "  - between: [ball, floor]\n"
                "    normal: {law: hunt-crossley, k: 1e5, a: 0.4}\n"
                "%s",
                0.02 + gap_m, extra);
    stage.options.scheme = cf_ode_scheme_find("rk4");
    stage.options.dt_s = 5e-4;
    stage_run(&stage);
    e = stage.end.body.velocity_m_s[2] / 1.4;
    stage_close(&stage);
    return e;
}

/* A ball found within the floor has missed a part of the compression, and rebounds too fast. With
 * z_o subtracted, and kept, the contact is complete, whatever z_o: a (v + o) = ln((1 + a v)/(1 - a
 * o)). */
static void test_gain(void)
{
    enum { PLACES = 8 };
    double gain = 0, worst = 0;

    for (int i = 0; i < PLACES; i++) {
        double gap = 0.01 + i * 7e-4 / PLACES, e = restitution(gap, "");
        double v = 0.4 * 1.4, o = v * restitution(gap, "    relaxation: 1e6 s\n");
        gain += (v * e / o - 1) / PLACES;
        worst = fmax(worst, fabs(v + o - log((1 + v) / (1 - o))));
    }
    ok(worst < 1e-5, "with all of z_o taken off: the e of the law, to %.1e", worst);
    ok(gain > 1e-4, "without: too large, by %.2g %% on average", 100 * gain);
}

/* A body at rest in a fixed-step run sinks by z_o and comes up as z_o fades in tau_r. */
static void test_fades(void)
{
    struct stage stage;
    double deep = pow(0.2 * 9.81 / 1e5, 2.0 / 3), z_o;

    stage_write(&stage, "fades",
                "duration: 3 s\n"
                "bodies:\n"
                "  ball: {sphere: {radius: 2 cm}, mass: 0.2 kg, position: [0, 0, 0.0201 m]}\n"
                "  floor: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}\n"
                "contacts:\n"
                "  - {between: [ball, floor], relaxation: 1 s,\n"
                "     normal: {law: azad-featherstone, k: 1e5, lambda: 2e4}}\n");
    stage.options.scheme = cf_ode_scheme_find("rk4");
    stage.options.dt_s = 5e-5;
    stage_run(&stage);
    const struct stage_event *last = NULL;
    for (size_t i = 0; stage_find(&stage, CF_EVENT_MAKE, i); i++)
        last = stage_find(&stage, CF_EVENT_MAKE, i);
    z_o = last ? 0.02 - last->body.position_m[2] : (double) NAN;
    double fade = last ? exp(-(3 - last->time_s) / 1) : (double) NAN;
    is_near((0.02 - stage.end.body.position_m[2]) / (deep + z_o * fade), 1, 1e-4,
            "at rest: deeper by z_o exp(-t/tau_r)");
    ok(z_o > 1e-9, "z_o was %.2e m", z_o);
    stage_close(&stage);
}

/* The scene of the source by fixed steps: nearer for shorter ones. */
static void test_scene(void)
{
    double apex[3], before = INFINITY;

    for (int i = 0; i < 3; i++) {
        struct stage stage;
        stage_open(&stage, "af10_bouncing_154g", (const char *const[]){"duration", "0.25 s", NULL});
        stage.options.scheme = cf_ode_scheme_find("rk4");
        stage.options.dt_s = 1e-5 / (1 << (2 * i));
        stage_run(&stage);
        /* by 0.25 s it is in flight after the first bounce: energy over the ground */
        const struct cf_body_state *ball = &stage.end.body;
        apex[i] = ball->position_m[2] - 0.0165 + pow(ball->velocity_m_s[2], 2) / (2 * 9.81);
        double off = fabs(apex[i] / 35.7828177e-3 - 1);
        ok(off < before && off < 0.02 / (1 << (2 * i)), "154 g by steps of %g us: apex off by %.1e",
           1e6 * stage.options.dt_s, off);
        before = off;
        stage_close(&stage);
    }
}

TEST(fixed_motion)
{
    plan(4 * 2 + 6 + 2 + 2 + 3);
    test_order();
    test_relaxation();
    test_gain();
    test_fades();
    test_scene();
    return done();
}
