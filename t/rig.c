/* Scenes as experiments: numbers of scene files by their paths, what sensors make of a motion, and
 * derivatives through both.
 *
 * Paths are held against the scene read anew with the number at another value; slow sensors against
 * the closed forms of their answers to ramps and sines; derivatives against differences of whole
 * predictions.
 */

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/rig.h"
#include "lib/stage.h"
#include "scene/path.h"
#include "tap.h"

/* ---- paths */

/* The largest difference of numbers of a scene that was moved and of one that was read so. */
static double worst_number(const char *scene, const char *path, const char *value)
{
    const char *const moved[] = {path, value, NULL};
    struct stage from, to;
    struct cf_scene copy = {.nbody = 0};
    struct cf_scene_numbers mine = {.n = 0}, theirs = {.n = 0};
    struct cf_scene_path way = {.value = 0};
    struct cf_error err = {""};
    const char *unit = "";
    double x = 0, worst = (double) INFINITY;

    stage_open(&from, scene, NULL);
    stage_open(&to, scene, moved);
    if (from.file && to.file && !cf_scene_file_path(from.file, path, &way, &unit, &err) &&
        !cf_scene_copy(&copy, &from.file->scene, &err) &&
        !cf_scene_numbers_make(&mine, &copy, &err) &&
        !cf_scene_numbers_make(&theirs, &to.file->scene, &err)) {
        struct cf_scene_path there = {.value = 0};
        cf_scene_file_path(to.file, path, &there, &unit, &err);
        x = there.value;
        cf_scene_path_clear(&there);
        cf_scene_path_put(&way, &mine, &copy, x);
        worst = 0;
        for (size_t i = 0; i < mine.n; i++) {
            double a = *mine.number[i].at, b = *theirs.number[i].at;
            if (a != b)
                worst = fmax(worst, fabs(a - b) / fmax(fabs(a), fabs(b)));
        }
        for (size_t b = 0; b < copy.nbody; b++)
            for (int k = 0; k < 4; k++)
                worst = fmax(worst,
                             fabs(copy.body[b].attitude[k] - to.file->scene.body[b].attitude[k]));
    } else {
        fprintf(stderr, "# %s %s%s%s\n", path, err.text, from.err.text, to.err.text);
    }
    cf_scene_path_clear(&way);
    cf_scene_numbers_free(&mine);
    cf_scene_numbers_free(&theirs);
    cf_scene_copy_free(&copy);
    stage_close(&from);
    stage_close(&to);
    return worst;
}

static void move_paths(void)
{
    static const struct {
        const char *scene, *path, *value;
    } row[] = {
        {"af14_steel_66g", "bodies.ball.mass", "93 g"}, /* and its inertia */
        {"af14_steel_66g", "contacts.1.normal.k", "2.37e9"},
        {"af14_steel_66g", "bodies.ball.position.3", "0.71 m"},
        {"af14_steel_66g", "bodies.ground.plane.height", "-13 mm"},
        {"af14_steel_66g", "gravity", "3.7 m/s^2"},
        {"g07_spinning_block", "contacts.1.friction.mu_c", "0.13"}, /* four corners */
        {"g07_spinning_block", "contacts.1.normal.k", "2.1e6 N/m^1.5"},
        {"g07_bowden_leben_0.05", "springs.1.stiffness", "3.1 N/m"},
        {"g07_force_accommodation_tangential", "bodies.half-sphere.command.lag", "17 ms"},
        {"g07_force_accommodation_tangential", "bodies.half-sphere.command.legs.2.velocity.1",
         "-0.7 mm/s"},
        {"g07_force_accommodation_tangential", "bodies.half-sphere.command.legs.3.from", "15 s"},
        {"presliding_recorded", "contacts.1.normal.load", "3.3 N"},
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        double worst = worst_number(row[i].scene, row[i].path, row[i].value);
        ok(worst < 1e-9, "%s of %s moves the scene as reading it does (%.1e)", row[i].path,
           row[i].scene, worst);
    }
}

/* What cannot be freed, and why. */
static void refuse_paths(void)
{
    static const struct {
        const char *scene, *path, *says;
    } row[] = {
        {"af14_steel_66g", "bodies.ball.sphere.radius",
         "bodies.ball.sphere.radius: it moves a radius, by which derivatives are not taken"},
        {"af14_steel_66g", "duration",
         "duration: it moves how long the scene lasts, and no motion"},
        {"af14_steel_66g", "contacts.1.normal.law",
         "contacts.1.normal.law: azad-featherstone in scenes/af14_steel_66g.yaml is no number that "
         "the scene reads: a quantity is wanted"},
        {"af14_steel_66g", "bodies.ball.position",
         "bodies.ball.position: what stands there in scenes/af14_steel_66g.yaml is no number that "
         "the scene reads: one of its entries is, by its number from 1"},
        {"af14_steel_66g", "bodies.bal.mass",
         "bodies.bal.mass: no bal in scenes/af14_steel_66g.yaml: did you mean ball?"},
        {"g07_spinning_block", "contacts.1.friction.delta_z",
         "contacts.1.friction.delta_z: the scene does not follow it along a straight line: free "
         "what it stands for, such as k of a contact"},
        {"g07_spinning_block", "bodies.block.box.size.1",
         "bodies.block.box.size.1: it moves the place of a sphere or point in its body, by which "
         "derivatives are not taken"},
        {"g07_spinning_block", "bodies.ground.plane.normal.1",
         "bodies.ground.plane.normal.1: it moves the direction of a solid (its body's attitude "
         "serves: attitude: {axis: [0, 1, 0], angle: 0 deg}), by which derivatives are not taken"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct stage stage;
        struct cf_scene_path way = {.value = 0};
        struct cf_error err = {""};
        const char *unit, *at, *begin;
        char text[sizeof err.text];
        stage_open(&stage, row[i].scene, NULL);
        if (stage.file)
            cf_scene_file_path(stage.file, row[i].path, &way, &unit, &err);
        /* without the folder of the sources */
        at = strstr(err.text, "scenes/");
        begin = at;
        while (begin && begin > err.text && begin[-1] != ' ')
            begin--;
        snprintf(text, sizeof text, "%.*s%s", at ? (int) (begin - err.text) : 0, err.text,
                 at ? at : err.text);
        is_str(text, row[i].says, "%s", row[i].path);
        cf_scene_path_clear(&way);
        stage_close(&stage);
    }
}

/* ---- slow sensors */

/* The answer of a sensor to x = a + b t from rest at a: order 1 lags by 1/w. */
static void follow_ramp(void)
{
    const struct cf_sensor sensor = {.bandwidth_Hz = 37, .order = 1};
    double w = 2 * M_PI * 37, a = 2.37, b = -11.3, h = 4.3e-4, worst = 0, worst_w = 0;
    struct cf_lag lag = {{a, 0}, {0, 0}};

    for (int i = 1; i <= 200; i++) {
        double t = i * h, e = exp(-w * t);
        cf_lag_step(&sensor, h, (double[]){a + b * (t - h), a + b * t}, (double[]){b, b}, &lag);
        worst = fmax(worst, fabs(lag.y[0] - (a + b * (t - (1 - e) / w))));
        worst_w = fmax(worst_w, fabs(lag.by_w[0] - b * ((1 - e) / (w * w) - t * e / w)));
    }
    ok(worst < 1e-14, "order 1 follows a ramp as the closed form says (%.1e)", worst);
    ok(worst_w < 1e-16, "and so does its derivative by the bandwidth (%.1e)", worst_w);
}

/* A sine, long after its start: gain 1/sqrt(2) at the bandwidth in both orders; behind by an eighth
 * of a turn, or by a quarter. */
static void follow_sine(int order)
{
    const struct cf_sensor sensor = {.bandwidth_Hz = 110, .order = order};
    double w = 2 * M_PI * 110, h = 0.05 / w, phase = order * M_PI / 4, worst = 0;
    struct cf_lag lag = {{0, 0}, {0, 0}};

    for (int i = 1; i <= 2000; i++) {
        double t = i * h, was = t - h;
        cf_lag_step(&sensor, h, (double[]){sin(w * was), sin(w * t)},
                    (double[]){w * cos(w * was), w * cos(w * t)}, &lag);
        if (w * t > 60)
            worst = fmax(worst, fabs(lag.y[0] - M_SQRT1_2 * sin(w * t - phase)));
    }
    ok(worst < 1e-8, "order %d at its bandwidth: gain and phase (%.1e)", order, worst);
}

static void differ_by_bandwidth(void)
{
    struct cf_sensor sensor = {.order = 2};
    double y[3] = {0}, by_w = 0, f = 23, step = 1e-4;

    for (int side = 0; side < 3; side++) {
        struct cf_lag lag = {{0.4, 0}, {0, 0}};
        sensor.bandwidth_Hz = f + (side - 1) * step;
        for (int i = 0; i < 30; i++)
            cf_lag_step(&sensor, 1e-3, (double[]){cos(i * 0.1), cos((i + 1) * 0.1)},
                        (double[]){-100 * sin(i * 0.1), -100 * sin((i + 1) * 0.1)}, &lag);
        y[side] = lag.y[0];
        by_w = side == 1 ? lag.by_w[0] : by_w;
    }
    is_near(by_w * 2 * M_PI, (y[2] - y[0]) / (2 * step), 1e-8,
            "order 2: its derivative by the bandwidth is that of differences");
}

/* ---- predictions of a made protocol */

enum { ROWS = 90, MOST_VALUE = 40 };

struct made {
    struct stage stage;
    struct cf_rig *rig;
    struct cf_dataset d;
    const struct cf_law *law;
    double value[MOST_VALUE];
};

/* A ball that is dropped on a plate, seen by its place and by the force. */
static bool make(struct made *m)
{
    static const char *const path[] = {"bodies.ground.plane.height", "bodies.ball.mass",
                                       "bodies.ball.position.3"};
    enum { PATHS = sizeof path / sizeof *path };
    static const struct cf_rig_channel channel[] = {
        {"ball_z_m", "m", "position of ball along z", {CF_CHANNEL_POSITION, 0, 2}},
        {"ball-ground_normal_N", "N", "normal force", {CF_CHANNEL_NORMAL_FORCE, 0, 0}}};
    static const size_t pair[] = {0};
    struct cf_rig_path way[PATHS];
    struct cf_error err = {""};
    bool good = true;

    memset(m, 0, sizeof *m);
    stage_write(&m->stage, "rig",
                "duration: 0.2 s\n"
                "bodies:\n"
                "  ball: {sphere: {radius: 20 mm}, mass: 50 g, position: [0 m, 0 m, 30 mm]}\n"
                "  ground: {plane: {normal: [0, 0, 1], height: 0 mm}, fixed: true}\n"
                "contacts:\n"
                "  - {between: [ball, ground], normal: {law: azad-featherstone, k: 2e5, lambda: "
                "150}}\n");
    for (size_t i = 0; i < PATHS && m->stage.file; i++) {
        way[i].name = path[i];
        good =
            good && !cf_scene_file_path(m->stage.file, path[i], &way[i].path, &way[i].unit, &err);
    }
    if (!good || !m->stage.file) {
        fprintf(stderr, "# %s %s\n", err.text, m->stage.err.text);
        return false;
    }
    m->rig = cf_rig_make(&(struct cf_rig_parts){.scene = &m->stage.file->scene,
                                                .nchannel = 2,
                                                .channel = channel,
                                                .npath = PATHS,
                                                .path = way,
                                                .tolerance = 1e-11,
                                                .npair = 1,
                                                .pair = pair},
                         &err);
    m->law = cf_law_find("azad-featherstone");
    if (!m->rig || cf_dataset_alloc(&m->d, cf_rig_protocol(m->rig), ROWS, &err))
        return false;
    for (size_t i = 0; i < ROWS; i++)
        cf_dataset_put(&m->d, i, 0, 0.002 * (double) i + 0.00041, 0, &err);
    m->value[0] = 2.3e5;
    m->value[1] = 170;
    memcpy(m->value + 2, m->d.apparatus, m->d.protocol->napparatus * sizeof *m->value);
    return true;
}

static bool predict(struct made *m, size_t nby, const size_t by[], double y[], double slope[])
{
    static const size_t channel[] = {1, 2};
    size_t row[ROWS];
    struct cf_error err = {""};
    double by_imposed[2 * ROWS];
    struct cf_request q = {.data = &m->d,
                           .law = m->law,
                           .value = m->value,
                           .nrow = ROWS,
                           .row = row,
                           .nchannel = 2,
                           .channel = channel,
                           .nby = nby,
                           .by = by};
    struct cf_response out = {y, slope, slope ? by_imposed : NULL};

    for (size_t i = 0; i < ROWS; i++)
        row[i] = ROWS - 1 - i; /* in any order */
    if (!cf_protocol_predict(NULL, &q, &out, &err))
        return true;
    fprintf(stderr, "# %s\n", err.text);
    return false;
}

/* Every derivative against differences; of the force, where it jumps between samples, the median of
 * what is off. */
static void differ(struct made *m, const char *name, size_t at, double step)
{
    static double y[2][2 * ROWS], slope[2 * ROWS], whole[2 * ROWS];
    double was = m->value[at], largest = 0, off = 0;
    size_t bad = 0;

    if (!predict(m, 1, &at, whole, slope)) {
        ok(false, "%s: predicted", name);
        return;
    }
    for (int side = 0; side < 2; side++) {
        m->value[at] = was + (side ? step : -step);
        predict(m, 0, NULL, y[side], NULL);
    }
    m->value[at] = was;
    for (int c = 0; c < 2; c++) {
        largest = 0;
        for (size_t i = (size_t) c; i < 2 * ROWS; i += 2)
            largest = fmax(largest, fabs(slope[i]));
        for (size_t i = (size_t) c; i < 2 * ROWS; i += 2) {
            double d = fabs((y[1][i] - y[0][i]) / (2 * step) - slope[i]);
            bad += !(d <= 1e-4 * largest);
            off = fmax(off, d / largest);
        }
    }
    /* a touch or a break within the step of the difference spoils the rows beside it */
    ok(largest > 0 && bad <= 4, "by %s: as differences say (%zu rows off, at most %.1e)", name, bad,
       off);
}

static size_t at_name(const struct made *m, const char *name)
{
    return m->law->nparam +
           cf_param_find(m->d.protocol->apparatus, m->d.protocol->napparatus, name);
}

static void derivatives(void)
{
    struct made m;
    static double late[2 * ROWS], now[2 * ROWS], y[2 * ROWS];
    double worst = 0;

    if (!make(&m)) {
        ok(false, "the rig is made");
        return;
    }
    differ(&m, "k", 0, 3);
    differ(&m, "lambda", 1, 2e-3);
    differ(&m, "the plate's height", at_name(&m, "bodies.ground.plane.height"), 1e-8);
    differ(&m, "the mass", at_name(&m, "bodies.ball.mass"), 1e-7);
    differ(&m, "where it is dropped from", at_name(&m, "bodies.ball.position.3"), 1e-8);
    m.value[at_name(&m, "ball-ground_normal_N.bandwidth")] = 400;
    m.value[at_name(&m, "ball-ground_normal_N.delay")] = 0.31e-3;
    differ(&m, "k, seen by a slow sensor", 0, 3);
    m.value[at_name(&m, "ball-ground_normal_N.order")] = 2;
    differ(&m, "lambda, seen by one of order 2", 1, 2e-3);
    m.value[at_name(&m, "ball-ground_normal_N.bandwidth")] = 0;

    /* all the clock later is each sensor later */
    m.value[at_name(&m, "ball-ground_normal_N.delay")] = 0.7e-3;
    m.value[at_name(&m, "ball_z_m.delay")] = 0.7e-3;
    predict(&m, 0, NULL, late, NULL);
    m.value[at_name(&m, "ball-ground_normal_N.delay")] = 0;
    m.value[at_name(&m, "ball_z_m.delay")] = 0;
    m.value[at_name(&m, "start")] = 0.7e-3;
    predict(&m, 0, NULL, now, NULL);
    for (size_t i = 0; i < 2 * ROWS; i++)
        worst = fmax(worst, fabs(late[i] - now[i]));
    ok(worst == 0, "a delay of all sensors is a later start (%.1e)", worst);

    /* no bit depends on what was predicted before */
    m.value[at_name(&m, "start")] = 0;
    predict(&m, 0, NULL, now, NULL);
    m.value[at_name(&m, "bodies.ball.mass")] *= 1.7;
    predict(&m, 0, NULL, y, NULL);
    m.value[at_name(&m, "bodies.ball.mass")] /= 1.7;
    predict(&m, 0, NULL, late, NULL);
    ok(memcmp(now, late, sizeof now) == 0 && memcmp(now, y, sizeof now) != 0,
       "predictions are the same bits whatever came before");
    cf_dataset_clear(&m.d);
    cf_rig_free(m.rig);
    stage_close(&m.stage);
}

TEST(rig)
{
    plan(12 + 8 + 5 + 9);
    move_paths();
    refuse_paths();
    follow_ramp();
    follow_sine(1);
    follow_sine(2);
    differ_by_bandwidth();
    derivatives();
    return done();
}
