/* Forces over time on bodies of a scene: against integrals, balances and stiction. */

#include <math.h>
#include <stdio.h>

#include "lib/stage.h"
#include "tap.h"

/* A triangular pulse on a free body: speed and place by hand. */
static void pulse(void)
{
    struct stage stage;

    stage_write(&stage, "pulse",
                "gravity: 0 m/s^2\nduration: 1 s\nbodies:\n"
                "  block: {point: {}, mass: 2 kg, turns: false, velocity: [0, 0, 0.5 m/s]}\n"
                "forces:\n"
                "  - {body: block, direction: [2, 0, 0], times: [0.1 s, 0.3 s, 0.5 s],\n"
                "     values: [0 N, 5 N, 0 N]}\n"
                "  - {body: block, direction: [0, -1, 0], times: [0.25 s], values: [3 N]}\n");
    ok(stage_run(&stage), "a pulse: %s", stage.err.text);
    /* impulse 1 N s about 0.3 s; 3 N all the time */
    is_near(stage.end.body.velocity_m_s[0], 0.5, 1e-12, "its impulse");
    is_near(stage.end.body.position_m[0], 0.5 * 0.7, 1e-12, "and way");
    is_near(stage.end.body.velocity_m_s[1], -1.5, 1e-12, "one point is a constant force");
    is_near(stage.end.body.position_m[2], 0.5, 1e-12, "the rest is free");
    is_near(stage.end.energy_J[CF_ENERGY_WORK], 0.25 + 2.25, 1e-10, "their work is put in");
    stage_close(&stage);
}

static void keep_slope(void *observer, const struct cf_snapshot *at)
{
    *(double *) observer = at->body_by[0].velocity_m_s[0];
}

/* The columns go through the corners of a force: v = J/m. */
static void by_mass(void)
{
    static const struct cf_wrt mass = {.kind = CF_WRT_MASS};
    struct cf_motion_options options;
    struct cf_motion_result result;
    struct cf_error err = {""};
    struct stage stage;
    double slope = 0;

    stage_write(&stage, "by_mass",
                "gravity: 0 m/s^2\nduration: 1 s\nbodies:\n"
                "  block: {point: {}, mass: 2 kg, turns: false}\n"
                "forces:\n"
                "  - {body: block, direction: [1, 0, 0], times: [0.1 s, 0.3 s, 0.5 s],\n"
                "     values: [0 N, 5 N, 0 N]}\n");
    options = stage.options;
    options.nwrt = 1;
    options.wrt = &mass;
    options.sample = keep_slope;
    options.observer = &slope;
    ok(cf_motion_run(&stage.file->scene, &options, &result, &err) == CF_OK, "with a column: %s",
       err.text);
    is_near(slope, -1.0 / 4, 1e-7, "dv/dm = -J/m^2");
    stage_close(&stage);
}

/* A ball that is pressed slowly into its ground: the depth follows the load. */
static void press(void)
{
    static const double at_s[] = {1, 1.7, 3.5};
    const double k = 1e6, weight = 0.1 * 9.81;

    for (int i = 0; i < 3; i++) {
        double load = at_s[i] < 2 ? 10 * at_s[i] : 20, z = pow((weight + load) / k, 2.0 / 3);
        struct stage stage;

        stage_write(
            &stage, "press",
            "duration: %.17g s\nbodies:\n"
            "  ball: {sphere: {radius: 20 mm}, mass: 0.1 kg, turns: false,\n"
            "    position: [0 m, 0 m, %.17g m]}\n"
            "  ground: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}\n"
            "contacts:\n  - between: [ball, ground]\n"
            "    normal: {law: azad-featherstone, k: 1e6, lambda: 2e4}\n"
            "forces:\n"
            "  - {body: ball, direction: [0, 0, -1], times: [0 s, 2 s], values: [0 N, 20 N]}\n",
            at_s[i], 0.02 - pow(weight / k, 2.0 / 3));
        ok(stage_run(&stage) && stage_off(&stage) < 2e-9, "pressed for %g s", at_s[i]);
        /* while the load grows the damper holds some of it: lambda z^0.5 z' */
        double rate = at_s[i] < 2 ? 10 / (1.5 * k * sqrt(z)) : 0;
        is_within(stage.end.contact.depth_m,
                  pow((weight + load - 2e4 * sqrt(z) * rate) / k, 2.0 / 3), 3e-9, "its depth");
        stage_close(&stage);
    }
}

/* A block that is drawn by a ramp slips when that reaches the stiction limit. */
static void ramp(void)
{
    struct stage stage;

    stage_write(&stage, "ramp",
                "duration: 1 s\nbodies:\n"
                "  block: {point: {}, mass: 1 kg, turns: false}\n"
                "  plate: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}\n"
                "contacts:\n  - between: [block, plate]\n"
                "    normal: {load: 10 N, direction: [0, 0, 1]}\n"
                "    friction: {law: bristle, mu_s: 0.4, mu_c: 0.3, sigma_0: 1e5 1/m,\n"
                "      sigma_1: 300 s/m, sigma_2: 0 s/m, v_s: 1 mm/s, tau_dw: 0.1 s}\n"
                "    stuck: true\n"
                "forces:\n"
                "  - {body: block, direction: [1, 0, 0], times: [0 s, 1 s], values: [0 N, 8 N]}\n");
    ok(stage_run(&stage), "a ramp: %s", stage.err.text);
    const struct stage_event *slip = stage_find(&stage, CF_EVENT_SLIP, 0);
    ok(slip && slip->time_s > 0.499 && slip->time_s < 0.52, "it slips at %.4f s, at 4 N of 8 N",
       slip ? slip->time_s : (double) NAN);
    ok(stage.end.body.position_m[0] > 0.05 && stage_off(&stage) < 2e-9, "and goes");
    stage_close(&stage);
}

/* What a scene may not hold. */
static void refused(void)
{
    double t[2] = {0, 0}, f[2] = {1, 2};
    struct cf_applied_force force = {.direction = {1, 0, 0}, .force = {2, t, f}};
    struct stage stage;
    struct cf_error err = {""};

    stage_write(&stage, "alone",
                "gravity: 0 m/s^2\nduration: 1 s\nbodies:\n"
                "  block: {point: {}, mass: 2 kg, turns: false}\n");
    stage.file->scene.nforce = 1;
    stage.file->scene.force = &force;
    ok(cf_scene_check(&stage.file->scene, NULL, NULL, &err) == CF_ERANGE, "times that do not grow");
    is_str(err.text, "force on block: point 2, 2 N at 0 s: times must grow from point to point",
           "are refused");
    t[1] = 1;
    ok(cf_scene_check(&stage.file->scene, NULL, NULL, &err) == CF_OK, "times that grow are not");
    force.body = 1;
    ok(cf_scene_check(&stage.file->scene, NULL, NULL, &err) == CF_ERANGE,
       "a body that is not there");
    stage.file->scene.nforce = 0;
    stage.file->scene.force = NULL;
    stage_close(&stage);
}

TEST(applied_force)
{
    plan(6 + 2 + 6 + 3 + 4);
    pulse();
    by_mass();
    press();
    ramp();
    refused();
    return done();
}
