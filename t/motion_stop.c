/* Scenes that cannot be integrated: they say where and when, stop, and output no NaN; scenes at the
 * limits of the number range either run or do that. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/stage.h"
#include "scene/balance_words.h"
#include "tap.h"

/* Is everything that an observer may see a number? */
static bool finite_at(const struct cf_snapshot *at, const struct cf_scene *scene)
{
    double sum = at->time_s;

    for (size_t b = 0; b < scene->nbody; b++)
        for (int k = 0; k < 4; k++) {
            const struct cf_body_state *body = &at->body[b];
            sum += k < 3 ? body->position_m[k] + body->velocity_m_s[k] + body->spin_rad_s[k] : 0;
            sum += body->attitude[k];
        }
    for (size_t m = 0; m < scene->npair; m++)
        for (int k = 0; k < 3; k++) {
            const struct cf_contact_snapshot *c = &at->contact[m];
            sum += c->depth_m + c->rate_m_s + c->normal_N + c->normal[k] + c->friction_N[k] +
                   c->slip_m_s[k] + c->bristle_m[k];
        }
    for (int e = 0; e < CF_NENERGY; e++)
        sum += at->energy_J[e];
    return !isnan(sum);
}

struct guard {
    const struct stage *stage;
    size_t seen, nans;
    double last_s;
    bool ordered;
};

static void look(struct guard *guard, const struct cf_snapshot *at)
{
    guard->seen++;
    guard->nans += !finite_at(at, &guard->stage->file->scene);
    guard->ordered &= at->time_s >= guard->last_s;
    guard->last_s = at->time_s;
}

static void on_event(void *observer, enum cf_motion_event what, size_t index,
                     const struct cf_snapshot *at)
{
    struct guard *guard = observer;

    (void) what, (void) index;
    guard->nans += !finite_at(at, &guard->stage->file->scene);
}

static void sampled(void *observer, const struct cf_snapshot *at)
{
    look(observer, at);
}

/* Runs a scene under guard. */
static int guarded(struct stage *stage, struct guard *guard)
{
    *guard = (struct guard){.stage = stage, .ordered = true};
    if (!stage->file)
        return CF_EINPUT;
    stage->err.text[0] = 0;
    stage->options.on_event = on_event;
    stage->options.sample = sampled;
    stage->options.observer = guard;
    return cf_motion_run(&stage->file->scene, &stage->options, &stage->result, &stage->err);
}

/* Too few steps: the whole text, what was good before, and no more steps than allowed. */
static void test_steps(void)
{
    struct guard guard;
    struct stage stage;

    stage_open(&stage, "af14_steel_66g", NULL);
    stage.options.max_steps = 100;
    stage.options.every_s = 0.1;
    int status = guarded(&stage, &guard);
    char want[256];
    snprintf(want, sizeof want,
             "the run stopped at t = %.9g s, contact ball-ground: the limit of 100 steps "
             "(max-steps) ran out",
             stage.result.time_s);
    ok(status == CF_ESOLVE, "66 g, 100 steps: stops");
    is_str(stage.err.text, want, "and says when and in which contact");
    ok(stage.result.steps + stage.result.rejected == 100, "after 100 steps");
    ok(stage.result.time_s > 1.4 && stage.result.time_s < 2 && guard.seen >= 15 &&
           guard.nans == 0 && guard.ordered,
       "what was good till %.3f s has been reported, in order", stage.result.time_s);
    stage_close(&stage);

    stage_open(&stage, "g07_bowden_leben_0.05", NULL);
    stage.options.max_steps = 50;
    status = guarded(&stage, &guard);
    snprintf(want, sizeof want,
             "the run stopped at t = %.9g s, contact block-plate: the limit of 50 steps "
             "(max-steps) ran out; is its friction "
             "stiffer than the surfaces are?",
             stage.result.time_s);
    ok(status == CF_ESOLVE, "block on a plate, 50 steps: stops");
    is_str(stage.err.text, want, "and says when and in which contact");
    stage_close(&stage);

    stage_open(&stage, "af14_steel_66g", NULL);
    stage.options.scheme = cf_ode_scheme_find("rk4");
    stage.options.dt_s = 1e-6;
    stage.options.max_steps = 1000;
    status = guarded(&stage, &guard);
    is_str(stage.err.text,
           "5000000 steps of 1e-06 s for 5 s are more than the 1000 allowed: take longer ones or "
           "allow more",
           "fixed steps: said before the first");
    ok(status == CF_ESOLVE && stage.result.steps == 0, "and none is taken");
    stage_close(&stage);
}

/* Fixed steps that blow up: they stop at the first that is not a number. */
static void test_fixed(void)
{
    struct guard guard;
    struct stage stage;

    stage_open(&stage, "g07_bowden_leben_0.05", NULL);
    stage.options.scheme = cf_ode_scheme_find("rk4");
    stage.options.dt_s = 1e-2;
    stage.options.every_s = 0.01;
    int status = guarded(&stage, &guard);
    const char *begin = "the run stopped at t = ";
    const char *end = " s, contact block-plate: a rate, a state or an event's g is not finite";
    size_t n = strlen(stage.err.text), tail = strlen(end);
    ok(status == CF_ESOLVE && strncmp(stage.err.text, begin, strlen(begin)) == 0 && n > tail &&
           strcmp(stage.err.text + n - tail, end) == 0,
       "steps too long for the bristle: %s", stage.err.text);
    ok(guard.nans == 0 && guard.seen > 1, "no NaN was reported in %zu samples", guard.seen);
    ok(stage.result.residual_J > stage.result.energy_J[CF_ENERGY_WORK],
       "and the energy balance shows the error");
    stage_close(&stage);
}

/* Options out of range. */
static void test_options(void)
{
    struct guard guard;
    struct stage stage;

    stage_open(&stage, "af14_steel_66g", NULL);
    stage.options.tolerance = NAN;
    guarded(&stage, &guard);
    is_str(stage.err.text, "tolerance = nan lies outside 1e-14 to 1e-2", "tolerance: no number");
    stage.options.tolerance = 1e-10;
    stage.options.scheme = cf_ode_scheme_find("euler");
    stage.options.dt_s = 4e-7;
    guarded(&stage, &guard);
    is_str(stage.err.text,
           "12500000 steps of 4e-07 s for 5 s are more than the 10000000 allowed: take longer ones "
           "or allow more",
           "where no limit is given, ten million fixed steps");
    stage.options.dt_s = 0;
    stage.options.max_steps = 10;
    guarded(&stage, &guard);
    is_str(stage.err.text, "step = 0 s: fixed steps must be above 0", "a step of 0");
    stage_close(&stage);
}

/* Either it runs and the energy balance closes, or it stops and says "t = "; never a NaN. */
static void test_extremes(void)
{
    static const struct {
        const char *name, *mass, *position, *velocity, *gravity, *normal;
    } rows[] = {
        {"a speck", "1e-30 kg", "1 m", "0", "9.81", "azad-featherstone, k: 1e10, lambda: 1e5"},
        {"a star", "1e30 kg", "1 m", "0", "9.81", "azad-featherstone, k: 1e10, lambda: 1e5"},
        {"no weight", "1 kg", "1 m", "-1e-9", "0", "azad-featherstone, k: 1e10, lambda: 1e5"},
        {"much weight", "1 kg", "1 m", "0", "1e12", "azad-featherstone, k: 1e10, lambda: 1e5"},
        {"at light speed", "1 kg", "1 m", "-3e8", "9.81",
         "azad-featherstone, k: 1e10, lambda: 1e5"},
        {"beyond it", "1 kg", "1 m", "-1e80", "9.81", "azad-featherstone, k: 1e10, lambda: 1e5"},
        {"from far", "1 kg", "1e12 m", "0", "9.81", "azad-featherstone, k: 1e10, lambda: 1e5"},
        {"elastic", "1 kg", "1 m", "0", "9.81", "gonthier, k: 1e10, e: 1, v_small: 1e-3"},
        {"dead", "1 kg", "1 m", "0", "9.81", "gonthier, k: 1e10, e: 0.001, v_small: 1e-9"},
        {"ever smaller", "1 kg", "1 m", "0", "9.81", "tsuji, k: 1e13, alpha: 0.05"},
        {"stiff", "1 kg", "1 m", "0", "9.81", "azad-featherstone, k: 1e13, lambda: 1e2"},
        {"thick", "1 kg", "1 m", "0", "9.81", "azad-featherstone, k: 1e4, lambda: 1e9"},
        {"a jump", "1 kg", "1 m", "0", "9.81", "linear, k: 1e6, lambda: 1e4"},
        {"grazes", "1 kg", "0.01 m", "0", "0", "azad-featherstone, k: 1e10, lambda: 1e5"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct guard guard;
        struct stage stage;

        stage_write(&stage, "extreme",
                    "gravity: %s m/s^2\n"
                    "duration: 2 s\n"
                    "bodies:\n"
                    "  ball: {sphere: {radius: 1 cm}, mass: %s, position: [0, 0, %s],\n"
                    "         velocity: [0, 0, %s]}\n"
                    "  ground: {plane: {normal: [0, 0, 1], height: 0}, fixed: true}\n"
                    "contacts: [{between: [ball, ground], normal: {law: %s}}]\n",
                    rows[i].gravity, rows[i].mass, rows[i].position, rows[i].velocity,
                    rows[i].normal);
        stage.options.every_s = 0.01;
        stage.options.max_steps = 200000;
        int status = guarded(&stage, &guard);
        bool runs = status == CF_OK && stage.result.time_s == 2 &&
                    cf_balance_verdict(&stage.options, &stage.result) == CF_BALANCE_CLOSES;
        bool says = status == CF_ESOLVE && strstr(stage.err.text, "the run stopped at t = ") &&
                    strstr(stage.err.text, "contact ball-ground");
        ok((runs || says) && guard.nans == 0 && guard.seen > 0, "%s: %s", rows[i].name,
           status == CF_OK ? "runs" : stage.err.text);
        if (!runs && !says)
            printf("# status %d at %g s, energy balance off by %g J\n", status, stage.result.time_s,
                   stage.result.residual_J);
        stage_close(&stage);
    }
}

/* Laid on what it touches, to the last digit: it is touched, in flight and under a spring. */
static void test_laid(void)
{
    for (int i = 0; i < 2; i++) {
        double deep = pow(0.05 * 9.81 / 1e9, 2.0 / 3);
        struct stage stage;
        stage_write(&stage, "laid",
                    "duration: 0.1 s\n"
                    "bodies:\n"
                    "  ball: {sphere: {radius: 1 cm}, mass: 50 g, position: [0, 0, 1 cm]}\n"
                    "  plate: {plane: {normal: [0, 0, 1], height: 0}, fixed: true}\n"
                    "contacts:\n"
                    "  - {between: [ball, plate],\n"
                    "     normal: {law: azad-featherstone, k: 1e9, lambda: 1e5}}\n"
                    "%s",
                    i == 0 ? "" : "springs: [{body: ball, anchor: [0, 0, 1 cm], stiffness: 1}]\n");
        ok(stage_run(&stage) && isfinite(stage.result.rest_s), "laid on%s: comes to rest",
           i == 0 ? "" : ", held by a spring");
        is_near((0.01 - stage.end.body.position_m[2]) / deep, 1, 1e-5, "as deep as it weighs");
        ok(stage_off(&stage) < 1e-9, "energy balance off by %.1e", stage_off(&stage));
        stage_close(&stage);
    }
}

TEST(motion_stop)
{
    plan(8 + 3 + 3 + 14 + 6);
    test_steps();
    test_fixed();
    test_options();
    test_extremes();
    test_laid();
    return done();
}
