/* The sensitivities of runs, against central differences of whole runs at a tighter tolerance: of
 * positions and velocities at samples, and of the times of events. */

#include <math.h>
#include <string.h>

#include "lib/columns.h"
#include "tap.h"

enum { MOST = 200, NUMBERS = 10, NASKED = 12, NRING = 3 };

/* The time and the followed body's motion, at all samples and events of a run. */
struct record {
    size_t n, follow;
    double value[MOST][NUMBERS], by[MOST][NUMBERS];
};

static void keep(struct record *record, const struct cf_snapshot *at)
{
    const struct cf_body_state *body = &at->body[record->follow];
    const struct cf_body_state *by = &at->body_by[record->follow];

    if (record->n >= MOST)
        return;
    double *value = record->value[record->n], *slope = record->by[record->n];
    value[0] = at->time_s;
    slope[0] = at->time_by[0];
    memcpy(value + 1, body->position_m, sizeof body->position_m);
    memcpy(slope + 1, by->position_m, sizeof by->position_m);
    memcpy(value + 4, body->velocity_m_s, sizeof body->velocity_m_s);
    memcpy(slope + 4, by->velocity_m_s, sizeof by->velocity_m_s);
    memcpy(value + 7, body->spin_rad_s, sizeof body->spin_rad_s);
    memcpy(slope + 7, by->spin_rad_s, sizeof by->spin_rad_s);
    record->n++;
}

static void on_event(void *observer, enum cf_motion_event what, size_t index,
                     const struct cf_snapshot *at)
{
    (void) what, (void) index;
    keep(observer, at);
}

static void sampled(void *observer, const struct cf_snapshot *at)
{
    keep(observer, at);
}

static bool run(struct stage *stage, const struct cf_wrt *wrt, double tolerance,
                struct record *record)
{
    struct cf_motion_options options = stage->options;
    struct cf_motion_result result;

    record->n = 0;
    record->follow =
        wrt->kind == CF_WRT_MASS || wrt->kind >= CF_WRT_POSITION ? wrt->index : stage->follow;
    options.nwrt = 1;
    options.wrt = wrt;
    options.tolerance = tolerance;
    options.on_event = on_event;
    options.sample = sampled;
    options.observer = record;
    return cf_motion_run(&stage->file->scene, &options, &result, &stage->err) == CF_OK;
}

/* The error of the run's derivatives against differences, over the largest of each kind of
 * number. */
static double worst(struct stage *stage, const struct cf_wrt *wrt, double share, double tolerance)
{
    static struct record at, above, below;
    struct cf_scene *scene = &stage->file->scene;
    double was = *columns_number(scene, wrt), step = share * (was != 0 ? fabs(was) : 1), off = 0;

    if (!run(stage, wrt, stage->options.tolerance, &at))
        return NAN;
    columns_shift(scene, wrt, step);
    bool fine = run(stage, wrt, tolerance, &above);
    columns_shift(scene, wrt, -2 * step);
    fine = run(stage, wrt, tolerance, &below) && fine;
    columns_shift(scene, wrt, step);
    if (!fine || at.n != above.n || at.n != below.n)
        return NAN;
    for (int i = 0; i < NUMBERS; i++) {
        double most = 1e-30;
        for (size_t r = 0; r < at.n; r++)
            most = fmax(most, fabs(above.value[r][i] - below.value[r][i]) / (2 * step));
        for (size_t r = 0; r < at.n && most * step > 1e-10; r++) {
            double want = (above.value[r][i] - below.value[r][i]) / (2 * step);
            double gap = fabs(at.by[r][i] - want) / most;
            off = gap <= off ? off : gap;
        }
    }
    return off;
}

static const struct {
    const char *scene, *duration;
    double every_s;
    const char *name;
    struct cf_wrt wrt;
    double share, tolerance;
} rows[] = {
    {"af14_steel_66g", "2.3 s", 0.5, "k", {CF_WRT_LAW, 0, 0}, 1e-5, 1e-6},
    {"af14_steel_66g", "2.3 s", 0.5, "lambda", {CF_WRT_LAW, 0, 1}, 1e-5, 1e-6},
    {"af14_steel_66g", "2.3 s", 0.5, "mass", {CF_WRT_MASS, 0, 0}, 1e-5, 1e-6},
    {"af14_steel_66g", "2.3 s", 0.5, "gravity", {CF_WRT_GRAVITY, 0, 2}, 1e-5, 1e-6},
    {"af14_steel_66g", "2.3 s", 0.5, "height", {CF_WRT_POSITION, 0, 2}, 1e-5, 1e-6},
    {"af10_rolling_sphere", "0.5 s", 0.07, "velocity", {CF_WRT_VELOCITY, 0, 0}, 1e-5, 1e-4},
    {"af14_steel_66g", "2.3 s", 0.5, "spin", {CF_WRT_SPIN, 0, 1}, 1e-3, 1e-6},
    {"af10_second_landing", "0.5 s", 0.1, "lambda", {CF_WRT_LAW, 0, 1}, 1e-6, 1e-6},
    {"af10_rolling_sphere", "0.5 s", 0.07, "mu", {CF_WRT_FRICTION, 0, 0}, 1e-5, 1e-4},
    {"af10_rolling_sphere", "0.5 s", 0.07, "k_t", {CF_WRT_FRICTION, 0, 1}, 1e-5, 1e-4},
    {"af10_rolling_sphere", "0.5 s", 0.07, "spin", {CF_WRT_SPIN, 0, 1}, 1e-5, 1e-4},
    {"g07_bowden_leben_0.15", "16 s", 2.5, "mu_s", {CF_WRT_FRICTION, 0, 0}, 1e-5, 1e-3},
    {"g07_bowden_leben_0.15", "16 s", 2.5, "tau_dw", {CF_WRT_FRICTION, 0, 6}, 1e-5, 1e-3},
    {"af10_rolling_sphere", "0.5 s", 0.07, "c_v of 0", {CF_WRT_FRICTION, 0, 3}, 1e-3, 1e-4},
    {"g07_ball_on_incline", "1.2 s", 0.1, "sigma_2 of 0", {CF_WRT_FRICTION, 0, 4}, 1e-6, 1e-3},
    {"g07_double_pendulum", "0.42 s", 0.05, "e", {CF_WRT_LAW, 0, 1}, 1e-5, 3e-4},
    {"g07_double_pendulum", "0.42 s", 0.05, "mu_c", {CF_WRT_FRICTION, 0, 1}, 1e-5, 1e-3},
    {"g07_force_accommodation_normal", "12 s", 1, "k", {CF_WRT_LAW, 0, 0}, 1e-4, 1e-2},
};
enum { NROW = sizeof rows / sizeof rows[0] };

/* Over the volume of a ring, by an octree: differences of its volumes are good to less. Steps
 * and volumes are less exact but for CHECK_FULL: that is half of the time it takes. */
static void test_ring(void)
{
    static const struct {
        const char *name;
        struct cf_wrt wrt;
    } by[NRING] = {
        {"kv", {CF_WRT_LAW, 0, 0}},
        {"mu", {CF_WRT_FRICTION, 0, 0}},
        {"height", {CF_WRT_POSITION, 0, 2}},
    };
    bool full = is_full_check();
    double tolerance = full ? 1e-8 : 1e-7, error = full ? 1e-2 : 2e-2;

    for (int i = 0; i < NRING; i++) {
        struct stage stage;
        stage_write(&stage, "ring",
                    "title: Ring\n"
                    "duration: 7 ms\n"
                    "bodies:\n"
                    "  ring:\n"
                    "    cells: [{intersection: [{cylinder: {radius: 5 cm, length: 3 cm}},\n"
                    "             {endless-cylinder: {radius: 3 cm, hole: true}}]}]\n"
                    "    mass: 0.5 kg\n"
                    "    inertia: [4e-4 kg m^2, 4e-4 kg m^2, 8e-4 kg m^2]\n"
                    "    position: [0 m, 0 m, 3 cm]\n"
                    "    velocity: [0 m/s, 0.1 m/s, -1 m/s]\n"
                    "    attitude: {axis: [1, 0.2, 0], angle: 0.3 rad}\n"
                    "  floor: {fixed: true, plane: {normal: [0, 0, 1], height: 0 m}}\n"
                    "contacts:\n"
                    "  - between: [ring, floor]\n"
                    "    foundation: {law: winkler, kv: 1e8 N/m^3, a: 0.4 s/m}\n"
                    "    friction: {law: coulomb, mu: 0.3, v_e: 10 mm/s}\n"
                    "solver: {tolerance: %g, octree: {error: %g}}\n",
                    tolerance, error);
        stage.options.every_s = 1e-3;
        double off = stage.file ? worst(&stage, &by[i].wrt, 1e-3, tolerance) : (double) NAN;
        ok(off <= 1e-2, "a ring by %s: %.1e%s%s", by[i].name, off, stage.err.text[0] ? ", " : "",
           stage.err.text);
        stage_close(&stage);
    }
}

/* Derivatives by what a scene does not have or what cannot be shifted. */
static void test_asked(void)
{
    static const struct {
        struct cf_wrt wrt;
        const char *said;
    } row[] = {
        {{CF_WRT_LAW, 1, 0}, "derivative 0: contact 1: there are 1"},
        {{CF_WRT_LAW, 0, 2},
         "derivative 0: part 2 of contact ball-ground: it has 2 parameters of the normal law"},
        {{CF_WRT_FRICTION, 0, 0},
         "derivative 0: part 0 of contact ball-ground: it has 0 parameters of the friction law"},
        {{CF_WRT_MASS, 2, 0}, "derivative 0: body 2: there are 2"},
        {{CF_WRT_MASS, 1, 0},
         "derivative 0: part 0 of body ground: it has 0 masses that move by forces"},
        {{CF_WRT_SPIN, 0, 3}, "derivative 0: part 3 of body ball: it has 3 components of a spin"},
        {{CF_WRT_GRAVITY, 0, 3},
         "derivative 0: part 3 of the scene: it has 3 components of gravity"},
        {{CF_WRT_GRAVITY, 1, 0}, "derivative 0: gravity 1: there are 1"},
        {{CF_WRT_DELAY, 1, 0}, "derivative 0: part 0 of body ground: it has 0 recorded motions"},
        {{CF_WRT_SPRING, 0, 0}, "derivative 0: spring 0: there are 0"},
        {{CF_WRT_FORCE, 0, 0}, "derivative 0: force 0: there are 0"},
        {{CF_WRT_ANGLE, 0, 0}, "derivative 0: link 0: there are 0"},
    };
    static const char *const none[] = {NULL};
    struct stage stage;
    struct cf_motion_result result;

    stage_open(&stage, "af14_steel_66g", none);
    stage.options.nwrt = 1;
    for (size_t i = 0; i < NASKED; i++) {
        stage.options.wrt = &row[i].wrt;
        stage.err.text[0] = '\0';
        cf_motion_run(&stage.file->scene, &stage.options, &result, &stage.err);
        is_str(stage.err.text, row[i].said, "refused: %s", row[i].said);
    }
    stage_close(&stage);
}

/* Fixed steps carry none, and fail with that message. */
static void test_refused(void)
{
    static const char *const none[] = {NULL};
    struct stage stage;
    struct cf_motion_result result;
    const struct cf_wrt wrt = {CF_WRT_LAW, 0, 0};

    stage_open(&stage, "af14_steel_66g", none);
    stage.options.scheme = cf_ode_scheme_find("rk4");
    stage.options.dt_s = 1e-6;
    stage.options.nwrt = 1;
    stage.options.wrt = &wrt;
    ok(cf_motion_run(&stage.file->scene, &stage.options, &result, &stage.err) == CF_ERANGE,
       "fixed steps carry no derivatives");
    is_str(stage.err.text, "derivatives are carried by the adaptive method only, not by rk4",
           "and say so");
    stage_close(&stage);
}

TEST(sense)
{
    plan(NROW + 2 + NASKED + NRING);
    for (int i = 0; i < NROW; i++) {
        const char *const overrides[] = {"duration", rows[i].duration, NULL};
        struct stage stage;
        stage_open(&stage, rows[i].scene, overrides);
        stage.options.every_s = rows[i].every_s;
        double off = stage.file ? worst(&stage, &rows[i].wrt, rows[i].share, 1e-13) : (double) NAN;
        ok(off <= rows[i].tolerance, "%s by %s: %.1e%s%s", rows[i].scene, rows[i].name, off,
           stage.err.text[0] ? ", " : "", stage.err.text);
        stage_close(&stage);
    }
    test_ring();
    test_refused();
    test_asked();
    return done();
}
