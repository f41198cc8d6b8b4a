/* Channels at any times: values, rates and columns from the dense output, against closed forms and
 * against each other; and the numbers of a scene that columns.c cannot shift. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/stage.h"
#include "motion/recorded.h"
#include "tap.h"

enum { MOST = 64, CHANNELS = 4, NUMBERS = 4 };

struct kept {
    size_t n;
    double time_s[MOST], value[MOST][CHANNELS], rate[MOST][CHANNELS];
    double by[MOST][NUMBERS * CHANNELS];
    size_t nchannel, nwrt;
};

static void keep(void *observer, const struct cf_values *at)
{
    struct kept *k = observer;

    if (k->n == MOST)
        return;
    k->time_s[k->n] = at->time_s;
    memcpy(k->value[k->n], at->value, k->nchannel * sizeof *at->value);
    memcpy(k->rate[k->n], at->rate, k->nchannel * sizeof *at->rate);
    memcpy(k->by[k->n++], at->by, k->nchannel * k->nwrt * sizeof *at->by);
}

static int run(struct stage *stage, struct kept *k, size_t ntime, const double time_s[],
               size_t nchannel, const struct cf_motion_channel channel[], size_t nwrt,
               const struct cf_wrt wrt[])
{
    const struct cf_motion_options options = {.tolerance = 1e-10,
                                              .nwrt = nwrt,
                                              .wrt = wrt,
                                              .ntime = ntime,
                                              .time_s = time_s,
                                              .on_values = keep,
                                              .nchannel = nchannel,
                                              .channel = channel,
                                              .observer = k};

    *k = (struct kept){.nchannel = nchannel, .nwrt = nwrt};
    return cf_motion_run(&stage->file->scene, &options, &stage->result, &stage->err);
}

/* A mass on a spring: x = x0 cos(w t), w^2 = k/m. */
static void test_swing(void)
{
    static const struct cf_motion_channel channel[] = {{CF_CHANNEL_POSITION, 0, 0},
                                                       {CF_CHANNEL_VELOCITY, 0, 0}};
    static const struct cf_wrt wrt[] = {
        {CF_WRT_SPRING, 0, 0}, {CF_WRT_MASS, 0, 0}, {CF_WRT_POSITION, 0, 0}, {CF_WRT_SPRING, 0, 2}};
    static const double time_s[] = {0, 1e-6, 0.3, 0.30000001, 0.77, 1.9, 2};
    enum { NTIME = sizeof time_s / sizeof time_s[0] };
    const double m = 2, stiff = 50, x0 = 0.1, w = sqrt(stiff / m);
    double off = 0, off_rate = 0, off_by = 0;
    struct stage stage;
    struct kept k;

    stage_write(&stage, "swing",
                "gravity: 0 m/s^2\nduration: 2 s\nbodies:\n"
                "  block: {point: {}, mass: 2 kg, turns: false, position: [0.1 m, 0, 0]}\n"
                "springs:\n  - {body: block, anchor: [0, 0, 0], stiffness: 50 N/m}\n");
    ok(run(&stage, &k, NTIME, time_s, 2, channel, 4, wrt) == CF_OK && k.n == NTIME,
       "%zu samples at the times asked for %s", k.n, stage.err.text);
    for (size_t i = 0; i < k.n; i++) {
        double t = time_s[i], c = cos(w * t), s = sin(w * t), by_w = -x0 * t * s;
        const double want[] = {by_w * 0.5 * w / stiff, -by_w * 0.5 * w / m, c, 1 - c};
        off = fmax(off, fabs(k.time_s[i] - t));
        off = fmax(off, fmax(fabs(k.value[i][0] - x0 * c), fabs(k.value[i][1] + x0 * w * s)));
        off_rate = fmax(off_rate, fabs(k.rate[i][0] + x0 * w * s));
        off_rate = fmax(off_rate, fabs(k.rate[i][1] + x0 * w * w * c));
        for (int j = 0; j < 4; j++)
            off_by = fmax(off_by, fabs(k.by[i][2 * j] - want[j]));
    }
    ok(off < 1e-10, "values (%.0e)", off);
    ok(off_rate < 1e-7, "rates (%.0e)", off_rate);
    ok(off_by < 1e-9, "columns by stiffness, mass, start and anchor (%.0e)", off_by);
    stage_close(&stage);
}

/* A bouncing ball: where all channels are states they are read off the steps; with another channel
 * beside them everything is made anew. Both ways agree, within touches and flights, and samples
 * take no steps of their own. */
static void test_both_ways(void)
{
    static const struct cf_motion_channel channel[] = {{CF_CHANNEL_POSITION, 0, 2},
                                                       {CF_CHANNEL_VELOCITY, 0, 2},
                                                       {CF_CHANNEL_NORMAL_FORCE, 0, 0},
                                                       {CF_CHANNEL_DEPTH, 0, 0}};
    static const struct cf_wrt wrt[] = {{CF_WRT_LAW, 0, 0}, {CF_WRT_POSITION, 0, 2}};
    static const char *const none[] = {NULL};
    double time_s[MOST], off = 0, off_by = 0, off_rate = 0;
    size_t steps, touching = 0;
    struct stage stage;
    struct kept states, all;

    stage_open(&stage, "af14_steel_66g", none);
    stage.file->scene.duration_s = 0.6;
    for (int i = 0; i < MOST; i++) /* half of them in the first touch, from 0.4472 s on */
        time_s[i] = i < MOST / 2 ? 0.44721359 + 1e-5 * i : 0.55 + 1e-3 * (i - MOST / 2);
    ok(run(&stage, &states, MOST, time_s, 2, channel, 2, wrt) == CF_OK, "states alone %s",
       stage.err.text);
    steps = stage.result.steps;
    ok(run(&stage, &all, MOST, time_s, 4, channel, 2, wrt) == CF_OK && stage.result.steps == steps,
       "with a force: %zu steps, as before", stage.result.steps);
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < 2; j++) {
            off = fmax(off, fabs(states.value[i][j] - all.value[i][j]));
            off_rate = fmax(off_rate,
                            fabs(states.rate[i][j] - all.rate[i][j]) / (1 + fabs(all.rate[i][j])));
            for (int c = 0; c < 2; c++)
                off_by = fmax(off_by, fabs(states.by[i][2 * c + j] - all.by[i][4 * c + j]) /
                                          (1e-9 + fabs(all.by[i][4 * c + j])));
            touching += j == 0 && all.value[i][2] > 0;
        }
    ok(touching > 5, "%zu samples in a touch", touching);
    ok(off < 1e-12, "the same values (%.0e)", off);
    ok(off_rate < 1e-4, "rates (%.0e)", off_rate);
    ok(off_by < 1e-6, "and columns (%.0e)", off_by);
    off = 0;
    for (int i = 1; i < MOST / 2 && touching > 5; i++)
        if (all.value[i - 1][2] > 0 && all.value[i][2] > 0 && i + 1 < MOST / 2 &&
            all.value[i + 1][2] > 0) {
            double want = (all.value[i + 1][3] - all.value[i - 1][3]) / 2e-5;
            off = fmax(off, fabs(all.rate[i][3] - want));
        }
    ok(off < 0.2, "the rate of the depth is its difference (%.0e m/s)", off);
    stage_close(&stage);
}

/* The end of a run with a number shifted, by `shift`. */
static double end_of(struct stage *stage, double *number, double h,
                     const struct cf_motion_channel *channel)
{
    const double end_s[] = {stage->file->scene.duration_s};
    struct kept k;

    *number += h;
    run(stage, &k, 1, end_s, 1, channel, 0, NULL);
    *number -= h;
    return k.value[0][0];
}

/* A block that slides under a load over time: by Coulomb's law v = v0 - (mu/m) int N dt. */
static void test_load(void)
{
    static const struct cf_motion_channel channel[] = {{CF_CHANNEL_VELOCITY, 0, 0},
                                                       {CF_CHANNEL_NORMAL_FORCE, 0, 0}};
    static const struct cf_wrt wrt[] = {
        {CF_WRT_LOAD, 0, 1}, {CF_WRT_LOAD_TIME, 0, 1}, {CF_WRT_LOAD, 0, 3}};
    static const double time_s[] = {0.2, 0.35, 0.5, 0.75, 1};
    double off = 0, off_N = 0;
    struct stage stage;
    struct kept k;

    stage_write(&stage, "load_course",
                "gravity: 0 m/s^2\nduration: 1 s\nbodies:\n"
                "  block: {point: {}, mass: 2 kg, turns: false, velocity: [3 m/s, 0, 0]}\n"
                "  plate: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}\n"
                "contacts:\n  - between: [block, plate]\n"
                "    normal: {load: {times: [0.2 s, 0.5 s, 0.6 s, 1 s],"
                " values: [4 N, 7 N, 5.6 N, 0 N]}, direction: [0, 0, 1]}\n"
                "    friction: {law: coulomb, mu: 0.4, v_e: 1e-3 m/s}\n");
    ok(stage.file && run(&stage, &k, 5, time_s, 2, channel, 3, wrt) == CF_OK, "a load over time %s",
       stage.err.text);
    for (int i = 0; i < 5 && stage.file; i++) {
        const double *t = stage.file->scene.pair[0].load.time_s;
        const double *f = stage.file->scene.pair[0].load.value;
        double sum = 0, now_N = f[0], from_s = 0;
        for (int j = 0; j < 4 && time_s[i] > from_s; j++) { /* trapezia */
            double to_s = fmin(time_s[i], t[j]), at_N = f[j];
            if (j > 0 && to_s < t[j])
                at_N = f[j - 1] + (f[j] - f[j - 1]) * (to_s - t[j - 1]) / (t[j] - t[j - 1]);
            sum += 0.5 * (now_N + at_N) * (to_s - from_s);
            now_N = at_N;
            from_s = to_s;
        }
        off_N = fmax(off_N, fabs(k.value[i][1] - now_N));
        off = fmax(off, fabs(k.value[i][0] - (3 - 0.4 / 2 * sum)));
    }
    ok(off_N < 1e-12, "the normal force (%.0e N)", off_N);
    ok(off < 1e-9, "slows it down (%.0e m/s)", off);
    /* the second point counts from 0.2 s to 0.6 s; its time moves a trapezium's corner */
    is_near(k.by[4][0], -0.2 * 0.2, 1e-9, "by the load of a point");
    is_near(k.by[4][2], -0.2 * 0.5 * (4 - 5.6), 1e-8, "by its time");
    is_near(k.by[4][4], -0.2 * 0.2, 1e-9, "by the last load");
    stage_close(&stage);
}

/* What a load over time may not be. */
static void test_load_refused(void)
{
    static const struct {
        const char *load, *said;
    } row[] = {
        {"{times: [0 s, 1 s], values: [1 N, -1 N]}", "load: -1 N: it presses, or is 0"},
        {"{times: [0 s, 1 s], values: [0 N, 0 N]}", "load: it never presses: a value above 0 is "
                                                    "wanted"},
        {"{times: [1 s, 1 s], values: [1 N, 2 N]}",
         "times: 1 s after 1 s: they must grow from point to point"},
        {"{times: [1 s], values: [1 N, 2 N]}", "values: 2, and times: 1: as many are wanted"},
    };

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct stage stage;
        stage_write(&stage, "load_refused",
                    "duration: 1 s\nbodies:\n  block: {point: {}, mass: 2 kg, turns: false}\n"
                    "  plate: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}\n"
                    "contacts:\n  - between: [block, plate]\n"
                    "    normal: {load: %s, direction: [0, 0, 1]}\n",
                    row[i].load);
        ok(!stage.file && strstr(stage.err.text, row[i].said), "refused: %s", row[i].said);
        stage_close(&stage);
    }
}

/* By the wanted restitution, and by the delay of a recorded plate. */
static void test_target(void)
{
    static const struct cf_motion_channel height = {CF_CHANNEL_POSITION, 0, 2};
    static const struct cf_wrt wrt = {CF_WRT_TARGET, 0, 0};
    static const double end_s[] = {1.5};
    struct stage stage;
    struct kept k;

    stage_write(&stage, "target",
                "duration: 1.5 s\nbodies:\n"
                "  ball: {sphere: {radius: 1 cm}, mass: 0.1 kg, position: [0, 0, 0.3 m]}\n"
                "  ground: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}\n"
                "contacts:\n  - between: [ball, ground]\n"
                "    normal: {law: gonthier, k: 1e8 N/m^1.5, e: {law: e-linear, slope: 0.1 s/m},"
                " v_small: 1 mm/s}\n");
    ok(stage.file && run(&stage, &k, 1, end_s, 1, &height, 1, &wrt) == CF_OK && stage.file,
       "a wanted restitution %s", stage.err.text);
    double *slope = &stage.file->scene.pair[0].e_param[0], h = 1e-6;
    double want =
        (end_of(&stage, slope, h, &height) - end_of(&stage, slope, -h, &height)) / (2 * h);
    ok(fabs(k.by[0][0] / want - 1) < 1e-5, "by its slope: %.8g, a difference %.8g", k.by[0][0],
       want);
    stage_close(&stage);
}

static struct cf_trace *shaken(double later_s)
{
    enum { ROWS = 401 };
    static double time_s[ROWS], place[3 * ROWS];

    for (int i = 0; i < ROWS; i++) {
        time_s[i] = 0.01 * i - 1 + later_s;
        memset(place + 3 * i, 0, 3 * sizeof *place);
        place[3 * i] = 0.05 * sin(7 * (0.01 * i - 1)) + 0.02 * sin(3 * (0.01 * i - 1));
    }
    return cf_trace_make(ROWS, time_s, place, NULL);
}

static void test_delay(void)
{
    static const struct cf_motion_channel place = {CF_CHANNEL_POSITION, 0, 0};
    static const struct cf_wrt wrt = {CF_WRT_DELAY, 1, 0};
    static const double time_s[] = {0.31, 0.9, 1.5}, h = 1e-3;
    double off = 0, most = 0;
    struct stage stage;
    struct kept k, above, below;

    stage_write(&stage, "delay",
                "gravity: 0 m/s^2\nduration: 1.5 s\nbodies:\n"
                "  block: {point: {}, mass: 2 kg, turns: false}\n"
                "  plate: {moving: {velocity: [0.1 m/s, 0, 0]}}\n"
                "contacts:\n  - between: [block, plate]\n"
                "    normal: {load: 10 N, direction: [0, 0, 1]}\n"
                "    friction: {law: viscous-load, mu_v: 0.7 s/m}\n"
                "springs:\n  - {body: block, anchor: [0, 0, 0], stiffness: 30 N/m}\n");
    if (!ok(stage.file != NULL, "a shaken plate %s", stage.err.text))
        return;
    stage.file->scene.body[1].drive = CF_DRIVE_RECORDED;
    stage.file->scene.body[1].trace = shaken(0);
    ok(run(&stage, &k, 3, time_s, 1, &place, 1, &wrt) == CF_OK, "runs %s", stage.err.text);
    for (int side = 0; side < 2; side++) {
        cf_trace_free(stage.file->scene.body[1].trace);
        stage.file->scene.body[1].trace = shaken(side ? -h : h);
        run(&stage, side ? &below : &above, 3, time_s, 1, &place, 0, NULL);
    }
    for (int i = 0; i < 3; i++) {
        double want = (above.value[i][0] - below.value[i][0]) / (2 * h);
        off = fmax(off, fabs(k.by[i][0] - want));
        most = fmax(most, fabs(want));
    }
    /* no step ends at the rows of a recorded motion, where its third derivative jumps */
    ok(off < 1e-4 * most, "by its delay: off by %.1e of %.3g m/s", off, most);
    stage_close(&stage);
}

static void test_refused(void)
{
    static const struct {
        struct cf_motion_channel channel;
        const char *said;
    } row[] = {
        {{CF_CHANNEL_POSITION, 2, 0}, "channel 0: body 2: there are 2"},
        {{CF_CHANNEL_POSITION, 0, 3}, "channel 0: part 3: this number of body 0 has 3 parts"},
        {{CF_CHANNEL_DEPTH, 1, 0}, "channel 0: contact 1: there are 1"},
        {{CF_CHANNEL_FRICTION, 0, 0}, "channel 0: part 0: this number of contact 0 has 0 parts"},
        {{CF_CHANNEL_ANGLE, 0, 0}, "channel 0: link 0: there are 0"},
    };
    static const struct cf_motion_channel height = {CF_CHANNEL_POSITION, 0, 2};
    static const double back_s[] = {0.2, 0.1}, late_s[] = {0.1, 3.5};
    static const char *const none[] = {NULL};
    const double time_s[] = {0.1};
    struct stage stage;
    struct kept k;

    stage_open(&stage, "af14_steel_66g", none);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        run(&stage, &k, 1, time_s, 1, &row[i].channel, 0, NULL);
        is_str(stage.err.text, row[i].said, "refused: %s", row[i].said);
    }
    stage.file->scene.duration_s = 3;
    run(&stage, &k, 2, back_s, 1, &height, 0, NULL);
    is_str(stage.err.text, "sample 1 at 0.1 s after one at 0.2 s: times must grow", "times back");
    run(&stage, &k, 2, late_s, 1, &height, 0, NULL);
    is_str(stage.err.text, "sample 1 at 3.5 s: the run is from 0 s to 3 s", "and too late");
    stage_close(&stage);
}

/* A law whose damping follows from a mass, between bodies that have none to show. */
static void test_no_mass(void)
{
    struct stage stage;
    struct cf_error err = {""};

    stage_write(&stage, "no_mass",
                "duration: 1 s\nbodies:\n"
                "  ball: {sphere: {radius: 1 cm}, position: [0, 0, 2 cm],"
                " moving: {velocity: [0, 0, -1 cm/s]}}\n"
                "  ground: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}\n"
                "contacts:\n  - between: [ball, ground]\n"
                "    normal: {law: tsuji, k: 1e8 N/m^1.5, alpha: 0.3}\n");
    if (stage.file)
        cf_scene_check(&stage.file->scene, NULL, NULL, &err);
    ok(strstr(stage.file ? err.text : stage.err.text,
              "contact ball-ground: the damping of tsuji follows from the mass, and neither body "
              "moves by forces: take a law whose damping is given"),
       "tsuji between driven bodies is refused: %s", stage.file ? err.text : stage.err.text);
    stage_close(&stage);
}

TEST(channels)
{
    plan(4 + 7 + 6 + 4 + 2 + 3 + 7 + 1);
    test_swing();
    test_both_ways();
    test_load();
    test_load_refused();
    test_target();
    test_delay();
    test_refused();
    test_no_mass();
    return done();
}
