/* The Bowden-Leben rig of Gonthier 2007, section 5.1.2, from its scene files, against reference
 * numbers (SciPy) and classical Runge-Kutta steps of 0.2 ms in one dimension; and the friction of a
 * plate that moves steadily under a block at rest, against the closed form of the steady law.
 */

#include <math.h>
#include <stdio.h>

#include "lib/stage.h"
#include "tap.h"

struct seen {
    double from_s;
    double force_N, at_s;  /* largest friction, from from_s on */
    double near_m, far_m;  /* of the block, from 45 s on */
    double last_N, last_s; /* largest friction from 48.3 s on: the last cycle's */
    double aside_m;
};

static void watch(void *observer, const struct cf_snapshot *at)
{
    struct seen *seen = observer;
    const double *f = at->contact[0].friction_N, *x = at->body[0].position_m;
    double size = hypot(f[0], f[1]), r = hypot(x[0], x[1]);

    seen->aside_m = fmax(seen->aside_m, fabs(x[0] - x[1]) + fabs(x[2]));
    if (at->time_s < seen->from_s && size > seen->force_N) {
        seen->force_N = size;
        seen->at_s = at->time_s;
    }
    if (at->time_s < 45)
        return;
    seen->near_m = fmin(seen->near_m, r);
    seen->far_m = fmax(seen->far_m, r);
    if (size > seen->last_N) {
        seen->last_N = size;
        seen->last_s = at->time_s;
    }
}

static void run(struct stage *stage, const char *scene, double first_s, struct seen *seen)
{
    *seen = (struct seen){.from_s = first_s, .near_m = INFINITY};
    stage_open(stage, scene, NULL);
    stage->options.every_s = 1e-3;
    stage->sample = watch;
    stage->observer = seen;
    ok(stage_run(stage), "%s: runs", scene);
    ok(stage_off(stage) < 1e-9, "%s: energy balance off by %.1e of what moved", scene,
       stage_off(stage));
    ok(seen->aside_m < 1e-12, "%s: the block stays on its line (%.1e m)", scene, seen->aside_m);
}

static double worst_slip(const struct stage *stage, const double want_s[], size_t n)
{
    double worst = stage->result.events[CF_EVENT_SLIP] == n ? 0 : (double) INFINITY;

    for (size_t i = 0; i < n; i++) {
        const struct stage_event *slip = stage_find(stage, CF_EVENT_SLIP, i);
        worst = fmax(worst, slip ? fabs(slip->time_s - want_s[i]) : (double) INFINITY);
    }
    return worst;
}

static void test_rig(void)
{
    static const double slow[] = {15.06079, 26.93737, 38.78248, 50.62702};
    static const double fast[] = {5.04205,  10.55615, 15.72936, 20.80373, 25.83936, 30.85787,
                                  35.86839, 40.87511, 45.87997, 50.88394, 55.88747};
    struct seen seen;
    struct stage stage;

    run(&stage, "g07_bowden_leben_0.05", 20, &seen);
    is_near(seen.force_N, 1.50000, 1e-4 / 1.5, "0.05 m/s: first peak of friction");
    is_near(seen.at_s, 15.003, 5e-3 / 15, "0.05 m/s: and its time");
    is_near(seen.last_N, 1.49541, 1e-5 / 1.5, "0.05 m/s: peak of the last cycle");
    is_within(seen.near_m, 0.27781, 1e-5, "0.05 m/s: nearest place");
    is_near(seen.far_m, 0.75360, 1e-5, "0.05 m/s: farthest place");
    ok(worst_slip(&stage, slow, 4) < 2e-5, "0.05 m/s: four slips within %.1e s",
       worst_slip(&stage, slow, 4));
    const struct stage_event *a = stage_find(&stage, CF_EVENT_SLIP, 2);
    const struct stage_event *b = stage_find(&stage, CF_EVENT_SLIP, 3);
    is_near(a && b ? b->time_s - a->time_s : (double) NAN, 11.8445, 1e-4 / 11.8,
            "0.05 m/s: period");
    stage_close(&stage);

    run(&stage, "g07_bowden_leben_0.15", 8, &seen);
    is_near(seen.force_N, 1.50000, 1e-4 / 1.5, "0.15 m/s: first peak of friction");
    is_near(seen.at_s, 5.0004, 1e-3 / 5, "0.15 m/s: and its time");
    ok(worst_slip(&stage, fast, 11) < 3e-5, "0.15 m/s: eleven slips within %.1e s",
       worst_slip(&stage, fast, 11));
    stage_close(&stage);
}

/* At 0.1 m/s there are no reference numbers: by tolerance, and by the spring's balance. Slips begin
 * where the spring force reaches the static friction, so that a cycle lasts longer the longer the
 * block has rested. */
static void test_middle(void)
{
    double slip[2][8];
    struct seen seen;
    struct stage stage;

    run(&stage, "g07_bowden_leben_0.10", 12, &seen);
    is_near(seen.force_N, 1.50000, 1e-4 / 1.5, "0.1 m/s: first peak of friction");
    for (int i = 0; i < 2; i++) {
        if (i == 1) {
            stage.options.tolerance = 1e-12;
            stage_run(&stage);
        }
        for (size_t k = 0; k < 8; k++) {
            const struct stage_event *event = stage_find(&stage, CF_EVENT_SLIP, k);
            slip[i][k] = event ? event->time_s : (double) NAN;
        }
    }
    double worst = 0;
    for (int k = 0; k < 8; k++)
        worst = fmax(worst, fabs(slip[0][k] - slip[1][k]));
    ok(worst < 1e-6, "0.1 m/s: eight slips, by two tolerances within %.1e s", worst);
    stage_close(&stage);
}

/* The block on a spring so stiff and damped that it is at rest. Steady:
 * mu_c + (mu_s - mu_c) exp(-(v/v_s)^2) + sigma_2 v, which saturates the bristle where
 * sigma_1 s v/(1 - s) is more than it, at 1, 2, 4 v_s. */
static void test_steady(void)
{
    static const double speed[] = {5e-4, 1e-3, 1.5e-3, 2e-3, 4e-3, 2e-2, 0.3};
    static const double mu_s = 0.15, mu_c = 0.1, sigma_1 = 31.622776601683793, sigma_2 = 0.01;
    static const double v_s = 1e-3;

    for (size_t i = 0; i < sizeof speed / sizeof *speed; i++) {
        double v = speed[i], s = exp(-(v / v_s) * (v / v_s));
        double held = mu_c + sigma_1 * s * v / (1 - s), most = mu_c + (mu_s - mu_c) * s;
        double want = 10 * (fmin(held, most) + sigma_2 * v);
        struct stage stage;

        stage_write(&stage, "steady",
                    "duration: 25 s\n"
                    "bodies:\n"
                    "  block: {point: {}, mass: 1 kg, turns: false}\n"
                    "  plate: {moving: {velocity: [%.17g m/s, %.17g m/s, 0 m/s]}}\n"
                    "contacts:\n"
                    "  - between: [block, plate]\n"
                    "    normal: {load: 10 N, direction: [0, 0, 1]}\n"
                    "    friction: {law: bristle, mu_s: 0.15, mu_c: 0.1, sigma_0: 1e4,\n"
                    "               sigma_1: %.17g, sigma_2: 0.01, v_s: 0.001, tau_dw: 1}\n"
                    "springs:\n"
                    "  - {body: block, anchor: [0 m, 0 m, 0 m], stiffness: 1e5 N/m,\n"
                    "     damping: 2e3 N s/m}\n",
                    0.6 * v, -0.8 * v, sigma_1);
        stage_run(&stage);
        const double *f = stage.end.contact.friction_N;
        is_near(hypot(f[0], f[1]) / want, 1, 2e-8, "steady at %g m/s: %.6f N", v, want);
        is_near(-f[1] / f[0], 0.8 / 0.6, 1e-8, "steady at %g m/s: with the plate", v);
        is_near(stage.end.energy_J[CF_ENERGY_WORK] /
                    (stage.end.energy_J[CF_ENERGY_SLIDE] + stage.end.energy_J[CF_ENERGY_VISCOUS] +
                     stage.end.energy_J[CF_ENERGY_TANGENTIAL_DAMPER] +
                     stage.end.energy_J[CF_ENERGY_TETHER] +
                     stage.end.energy_J[CF_ENERGY_TETHER_DAMPER] +
                     stage.end.energy_J[CF_ENERGY_TANGENTIAL_SPRING]),
                1, 1e-9, "steady at %g m/s: the plate's work is all rubbed off", v);
        stage_close(&stage);
    }
}

TEST(bowden_leben)
{
    plan(10 + 6 + 5 + 7 * 3);
    test_rig();
    test_middle();
    test_steady();
    return done();
}
