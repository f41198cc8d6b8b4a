/* Friction under a load, which presses without a depth: every law that needs none does there what
 * it does on a spring that carries the same weight, and brakes as its limit says, under a load that
 * changes or is 0, too. */

#include "law/friction.h"

#include <math.h>
#include <stdio.h>

#include "law/flat.h"
#include "lib/stage.h"
#include "tap.h"

#define LENGTH(table) ((int) (sizeof table / sizeof table[0]))

static const double MASS = 0.7, GRAVITY = 9.81;

/* The law with its typical parameters, as a scene has them. */
static void write_typical(const struct cf_friction_law *law, char out[900])
{
    int used = snprintf(out, 900, "{law: %s", law->name);

    for (size_t i = 0; i < law->nparam; i++)
        used += snprintf(out + used, 900 - (size_t) used, ", %s: %.17g", law->param[i].name,
                         law->param[i].typical);
    snprintf(out + used, 900 - (size_t) used, "}");
}

/* A block that slides out, pressed by a load or by its weight on a spring, in which it sinks as
 * deep as that holds it from the start. */
static bool slid(const char *friction, bool loaded, struct stage *stage)
{
    const double k = 1e6;
    char normal[100];

    if (loaded)
        snprintf(normal, sizeof normal, "{load: %.17g N, direction: [0, 0, 1]}", MASS * GRAVITY);
    else
        snprintf(normal, sizeof normal, "{law: linear, k: %.17g N/m, lambda: 10 N s/m}", k);
    stage_write(stage, "slid",
                "duration: 0.12 s\nbodies:\n"
                "  block: {sphere: {radius: 20 mm}, mass: %.17g kg, turns: false,\n"
                "    position: [0 m, 0 m, %.17g m], velocity: [0.2 m/s, -0.1 m/s, 0 m/s]}\n"
                "  plate: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}\n"
                "contacts:\n  - between: [block, plate]\n    normal: %s\n    friction: %s\n",
                MASS, 0.02 - MASS * GRAVITY / k, normal, friction);
    return stage_run(stage);
}

static void test_as_on_a_spring(const struct cf_friction_law *law)
{
    char friction[900];
    struct stage load, spring;

    write_typical(law, friction);
    bool ran = slid(friction, true, &load), too = slid(friction, false, &spring);
    ok(ran && too, "%s: under a load and on a spring: %s%s", law->name, load.err.text,
       spring.err.text);
    double off = 0, gone = 0;
    for (int k = 0; k < 2 && ran && too; k++) {
        off = fmax(off, fabs(load.end.body.velocity_m_s[k] - spring.end.body.velocity_m_s[k]));
        off = fmax(off, fabs(load.end.body.position_m[k] - spring.end.body.position_m[k]) / 0.12);
        gone = fmax(gone, fabs(load.end.body.velocity_m_s[k] - (k ? -0.1 : 0.2)));
    }
    ok(off < 2e-8, "%s: the same (%.1e m/s)", law->name, off);
    ok(gone > 1e-4, "%s: and it is braked, by %.2g m/s", law->name, gone);
    stage_close(&load);
    stage_close(&spring);
}

/* Laws whose friction is mu = 0.3 of the load while they slide. */
static const char *const braking[] = {
    "{law: clutch-linear, mu: 0.3, k_t: 2e5, d_t: 150, c_v: 0}",
    "{law: coulomb, mu: 0.3, v_e: 1e-4}",
    "{law: stribeck, mu_s: 0.5, mu_d: 0.3, v_s: 1e-4}",
    "{law: bristle, mu_s: 0.5, mu_c: 0.3, sigma_0: 1e4, sigma_1: 30, sigma_2: 0, v_s: 1e-3,"
    " tau_dw: 0.1}",
    "{law: bristle-fixed, mu_s: 0.5, mu_c: 0.3, sigma_0_star: 1e5, sigma_1_star: 300,"
    " sigma_2_star: 0, v_s: 1e-3, tau_dw: 0.1}",
};

static bool braked(const char *friction, const char *load, double until_s, struct stage *stage)
{
    stage_write(
        stage, "braked",
        "gravity: 0 m/s^2\nduration: %.17g s\nbodies:\n"
        "  block: {point: {}, mass: 2 kg, turns: false, velocity: [0 m/s, 1.5 m/s, 0 m/s]}\n"
        "  plate: {moving: {velocity: [0 m/s, 0 m/s, 0 m/s]}}\n"
        "contacts:\n  - between: [block, plate]\n"
        "    normal: {load: %s, direction: [0, 0, 1]}\n    friction: %s\n",
        until_s, load, friction);
    return stage_run(stage);
}

/* Loads, and their impulse up to a time; by the last the block stands. */
static const struct {
    const char *load;
    double at_s, impulse_N_s;
} pressed[] = {
    {"17 N", 0.4, 6.8},
    {"17 N", 1.2, 10},
    {"{times: [0.1 s, 0.3 s], values: [20 N, 4 N]}", 0.5, 2 + 2.4 + 0.8},
    {"{times: [0 s, 0.1 s, 0.2 s, 0.4 s], values: [24 N, 0 N, 0 N, 40 N]}", 0.15, 1.2},
    {"{times: [0 s, 0.1 s, 0.2 s, 0.4 s], values: [24 N, 0 N, 0 N, 40 N]}", 0.3, 1.2 + 1},
    {"{times: [0 s, 0.1 s, 0.2 s, 0.4 s], values: [24 N, 0 N, 0 N, 40 N]}", 1, 10},
    {"{times: [0 s, 0.2 s, 0.3 s], values: [0 N, 0 N, 30 N]}", 0.1, 0},
    {"{times: [0 s, 0.2 s, 0.3 s], values: [0 N, 0 N, 30 N]}", 0.4, 1.5 + 3},
};

static void test_brakes(const char *friction)
{
    double worst = 0;
    bool ran = true;

    for (int i = 0; i < LENGTH(pressed); i++) {
        struct stage stage;
        ran = braked(friction, pressed[i].load, pressed[i].at_s, &stage) && ran;
        double want = 1.5 - 0.3 * pressed[i].impulse_N_s / 2;
        worst = fmax(worst, fabs(stage.end.body.velocity_m_s[1] - want));
        stage_close(&stage);
    }
    /* stribeck alone never stands: it creeps */
    ok(ran && worst < 1e-5, "%.24s: as the impulse of the load says (%.1e m/s)", friction, worst);
}

static void keep_slopes(void *observer, const struct cf_snapshot *at)
{
    double *by = observer;

    for (int w = 0; w < 3; w++)
        by[w] = at->body_by[2 * w].velocity_m_s[1];
}

/* v = v_0 - mu J/m: by mu, and by two points of a load that is straight between them. */
static void test_slopes(void)
{
    static const struct cf_wrt wrt[] = {
        {CF_WRT_FRICTION, 0, 0}, {CF_WRT_LOAD, 0, 0}, {CF_WRT_LOAD, 0, 1}};
    struct cf_motion_result result;
    struct cf_error err = {""};
    struct stage stage;
    double by[3] = {0};

    braked(braking[0], "{times: [0 s, 0.4 s], values: [20 N, 4 N]}", 0.4, &stage);
    struct cf_motion_options options = stage.options;
    options.nwrt = LENGTH(wrt);
    options.wrt = wrt;
    options.sample = keep_slopes;
    options.observer = by;
    ok(cf_motion_run(&stage.file->scene, &options, &result, &err) == CF_OK, "with columns: %s",
       err.text);
    is_near(by[0], -4.8 / 2, 1e-6, "dv/dmu = -J/m");
    is_near(by[1], -0.3 * 0.2 / 2, 1e-6, "by the first point of the load");
    is_near(by[2], -0.3 * 0.2 / 2, 1e-6, "by the second");
    stage_close(&stage);
}

/* At a spring's force below the limit it holds: without a damper at the tip, a vibration about
 * where the pull hangs. */
static void test_holds(void)
{
    struct stage stage;

    stage_write(
        &stage, "holds",
        "gravity: 0 m/s^2\nduration: 0.4 s\nbodies:\n"
        "  block: {point: {}, mass: 2 kg, turns: false}\n"
        "  plate: {moving: {velocity: [0 m/s, 0 m/s, 0 m/s]}}\n"
        "contacts:\n  - between: [block, plate]\n"
        "    normal: {load: 20 N, direction: [0, 0, 1]}\n"
        "    friction: {law: clutch-linear, mu: 0.3, k_t: 2e4, d_t: 250, c_v: 0}\n"
        "forces:\n  - {body: block, direction: [1, 0, 0], times: [0 s], values: [2.5 N]}\n");
    ok(stage_run(&stage), "held: %s", stage.err.text);
    is_within(stage.end.body.position_m[0], 2.5 / 2e4, 1e-11, "by its spring");
    is_within(stage.end.contact.friction_N[0], -2.5, 1e-7, "which takes the pull");
    stage_close(&stage);
}

static void test_refusals(void)
{
    static const double v[2] = {0.1, 0}, state[2] = {0, 0}, load = 10, p[] = {0.3, 1e7, 1e4, 0};
    struct cf_slides at = {1, v, &load, NULL, state};
    struct cf_error err = {""};
    double force[2] = {0, 0};

    ok(cf_friction_check_load(cf_friction_find("clutch"), "load", &err) == CF_EINPUT,
       "a law that needs the depth is refused");
    is_str(err.text,
           "friction clutch needs the depth of indentation beside the load, and a load has none: "
           "did you mean clutch-linear?",
           "with the nearest that needs none");
    ok(cf_friction_check_load(cf_friction_find("coulomb")->over_area, "load", &err) == CF_EINPUT,
       "over an area, too: %s", err.text);
    ok(cf_friction_force("clutch", 4, p, &at, force, NULL, &err) == CF_EUSAGE,
       "where forces are asked for without depths: %s", err.text);
    ok(cf_friction_force("clutch-linear", 4, p, &at, force, NULL, &err) == CF_OK && force[0] == -3,
       "clutch-linear slides at its limit");
}

/* Scenes that a program makes know no file. */
static void test_made(void)
{
    struct cf_error err = {""};
    struct stage stage;

    braked(braking[0], "17 N", 0.1, &stage);
    stage.file->scene.pair[0].friction = cf_friction_find("clutch");
    ok(cf_scene_check(&stage.file->scene, NULL, NULL, &err) == CF_ERANGE,
       "a scene in memory is refused, too");
    is_str(err.text,
           "contact block-plate: friction clutch needs the depth of indentation beside the load, "
           "and a load has none: did you mean clutch-linear?",
           "with its contact");
    stage_close(&stage);
}

TEST(friction_loads)
{
    int count = 0;

    for (size_t i = 0; cf_friction_laws[i]; i++)
        count += cf_friction_takes_load(cf_friction_laws[i]);
    plan(3 * count + LENGTH(braking) + 4 + 3 + 5 + 2);
    for (size_t i = 0; cf_friction_laws[i]; i++)
        if (cf_friction_takes_load(cf_friction_laws[i]))
            test_as_on_a_spring(cf_friction_laws[i]);
    for (int i = 0; i < LENGTH(braking); i++)
        test_brakes(braking[i]);
    test_slopes();
    test_holds();
    test_refusals();
    test_made();
    return done();
}
