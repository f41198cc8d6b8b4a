/* Recorded motions that are smoothed: one cutoff for all axes, chosen by the one that moves most;
 * rest at both ends; the same record at another cutoff. And scenes as experiments that are driven
 * by them: predictions as functions of the cutoff, and of the clock of the record.
 */

#include "motion/recorded.h"

#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/random.h"
#include "experiment/rig.h"
#include "lib/stage.h"
#include "tap.h"

enum { ROWS = 1500 };

static double time_s[ROWS], place[3 * ROWS];

/* 1 cm along z, 1 mm along x, with noise; it stands still along y. */
static void record(double later_s, double noise_m)
{
    gsl_rng *rng = cf_random_stream(7, 1);

    for (size_t i = 0; i < ROWS; i++) {
        double t = 2e-3 * (double) i;
        time_s[i] = t + later_s;
        place[3 * i] = 1e-3 * cos(2 * t) + gsl_ran_gaussian(rng, noise_m);
        place[3 * i + 1] = 5;
        place[3 * i + 2] = 0.01 * sin(7 * t) + gsl_ran_gaussian(rng, noise_m);
    }
    gsl_rng_free(rng);
}

/* rms of the speed along z against the truth, away from the ends. */
static double speed_error(const struct cf_trace *trace)
{
    double sum = 0, x[3], v[3];
    int n = 0;

    for (double t = 0.2; t < 2.8; t += 0.0013, n++) {
        cf_trace_at(trace, t, x, v);
        sum += gsl_pow_2(v[2] - 0.07 * cos(7 * t));
    }
    return sqrt(sum / n);
}

static double bend_error(const struct cf_trace *trace)
{
    double x[3], above[3], below[3], a[3], worst = 0;

    for (double t = 0.1001; t < 2.9; t += 0.017) {
        cf_trace_bend(trace, t, a);
        cf_trace_at(trace, t + 1e-5, x, above);
        cf_trace_at(trace, t - 1e-5, x, below);
        for (int k = 0; k < 3; k++)
            worst = fmax(worst, fabs((above[k] - below[k]) / 2e-5 - a[k]));
    }
    return worst;
}

static bool same(const struct cf_trace *a, const struct cf_trace *b)
{
    double x[3], v[3], y[3], w[3];
    bool is = true;

    for (double t = -0.5; t < 3.5; t += 0.0131) {
        cf_trace_at(a, t, x, v);
        cf_trace_at(b, t, y, w);
        is = is && memcmp(x, y, sizeof x) == 0 && memcmp(v, w, sizeof v) == 0;
    }
    return is;
}

static void smooth_records(void)
{
    static const double noise = 1e-5;
    struct cf_error err = {""};
    struct cf_trace_smoothness s, stated;
    struct cf_trace *through, *chosen, *ten, *again;
    double x[3], v[3];

    record(0, noise);
    through = cf_trace_make(ROWS, time_s, place, &err);
    chosen = cf_trace_smooth(ROWS, time_s, place, 0, &err);
    ten = cf_trace_smooth(ROWS, time_s, place, 10, &err);
    again = cf_trace_again(chosen, 10, &err);
    if (!ok(through && chosen && ten && again, "smoothed %s", err.text))
        return;
    ok(!cf_trace_smoothness(through, &s), "one that goes through its rows is not smoothed");
    ok(cf_trace_smoothness(chosen, &s) && s.chosen && s.axis == 2 && s.rows == ROWS,
       "its cutoff is chosen by the axis that moves most");
    ok(s.cutoff_Hz > 1.2 && s.cutoff_Hz < 40, "between its wave and its samples: %.3g Hz",
       s.cutoff_Hz);
    ok(fabs(s.noise_m[2] / noise - 1) < 0.06 && fabs(s.noise_m[0] / noise - 1) < 0.06 &&
           s.noise_m[1] == 0,
       "it takes off the noise that was put in: %.3g, %.3g m", s.noise_m[0], s.noise_m[2]);
    ok(s.freedom > 5 && s.freedom < 200, "and spends few numbers: %.4g", s.freedom);
    ok(speed_error(chosen) < 0.05 * speed_error(through),
       "its speed has little of the noise: %.2g m/s, that of the other %.2g", speed_error(chosen),
       speed_error(through));
    ok(cf_trace_smoothness(ten, &stated) && !stated.chosen && stated.cutoff_Hz == 10,
       "one that is stated");
    ok(same(ten, again), "the same record at another cutoff is the record smoothed so");
    ok(bend_error(chosen) < 1e-3, "its acceleration is that of its speed: %.1e off",
       bend_error(chosen));
    cf_trace_at(chosen, -1, x, v);
    ok(v[2] == 0 && fabs(x[2]) < 5 * noise && x[1] == 5, "before the first row it is at rest");
    cf_trace_at(chosen, 99, x, v);
    ok(v[2] == 0 && fabs(x[2] - 0.01 * sin(7 * time_s[ROWS - 1])) < 5 * noise,
       "and behind the last");
    cf_trace_free(again);
    again = cf_trace_smooth(ROWS, time_s, place, (double) INFINITY, &err);
    ok(again && same(through, again), "an infinite cutoff smooths nothing");
    cf_trace_free(through);
    cf_trace_free(chosen);
    cf_trace_free(ten);
    cf_trace_free(again);

    ok(!cf_trace_smooth(ROWS, time_s, place, -1, &err), "below 0");
    is_str(err.text, "smoothing at -1 Hz: must be above 0", "is refused");
    ok(!cf_trace_smooth(4, time_s, place, 10, &err), "four rows");
    is_str(err.text, "4 samples: at least 5 can be smoothed", "are too few");
    for (size_t i = 0; i < ROWS; i++)
        place[3 * i] = place[3 * i + 1] = place[3 * i + 2] = 1;
    again = cf_trace_smooth(ROWS, time_s, place, 0, &err);
    ok(again && !cf_trace_smoothness(again, &s), "what stands still is not smoothed");
    cf_trace_free(again);
}

/* ---- a ball on a plate that is shaken */

enum { SEEN = 60, MOST_VALUE = 20 };

struct shaken {
    struct stage stage;
    struct cf_rig *rig;
    struct cf_dataset d;
    double value[MOST_VALUE];
};

static bool shake(struct shaken *s, double later_s, double cutoff_Hz, bool own_clock)
{
    static const struct cf_rig_channel channel = {
        "ball_z_m", "m", "position of ball along z", {CF_CHANNEL_POSITION, 0, 2}};
    static const size_t pair[] = {0}, body[] = {1};
    struct cf_error err = {""};

    memset(s, 0, sizeof *s);
    stage_write(
        &s->stage, "shaken-plate",
        "duration: 0.6 s\n"
        "bodies:\n"
        "  ball: {sphere: {radius: 20 mm}, mass: 50 g, position: [0 m, 0 m, 20 mm]}\n"
        "  plate: {plane: {normal: [0, 0, 1], height: 0 mm}, moving: {velocity: [0, 0, 0]}}\n"
        "contacts:\n"
        "  - {between: [ball, plate], normal: {law: azad-featherstone, k: 1e4, lambda: "
        "150}}\n");
    if (!s->stage.file)
        return false;
    record(later_s - 0.5, 1e-5); /* its first row is a kink, by which nothing has a slope */
    s->stage.file->scene.body[1].drive = CF_DRIVE_RECORDED;
    s->stage.file->scene.body[1].trace = cf_trace_smooth(ROWS, time_s, place, cutoff_Hz, &err);
    s->rig = cf_rig_make(&(struct cf_rig_parts){.scene = &s->stage.file->scene,
                                                .nchannel = 1,
                                                .channel = &channel,
                                                .tolerance = 1e-11,
                                                .npair = 1,
                                                .pair = pair,
                                                .nrecorded = own_clock,
                                                .recorded = body,
                                                .start_s = later_s},
                         &err);
    if (!s->rig || cf_dataset_alloc(&s->d, cf_rig_protocol(s->rig), SEEN, &err)) {
        fprintf(stderr, "# %s\n", err.text);
        return false;
    }
    for (size_t i = 0; i < SEEN; i++)
        cf_dataset_put(&s->d, i, 0, later_s + 0.01 * (double) i, 0, &err);
    s->value[0] = 1e4;
    s->value[1] = 150;
    memcpy(s->value + 2, s->d.apparatus, s->d.protocol->napparatus * sizeof *s->value);
    return true;
}

static size_t at_name(const struct shaken *s, const char *name)
{
    return 2 + cf_param_find(s->d.protocol->apparatus, s->d.protocol->napparatus, name);
}

static void unshake(struct shaken *s)
{
    cf_dataset_clear(&s->d);
    cf_rig_free(s->rig);
    stage_close(&s->stage);
}

static bool predict(struct shaken *s, void *work, const size_t *by, double y[], double slope[])
{
    static const size_t channel[] = {1};
    size_t row[SEEN];
    struct cf_error err = {""};
    struct cf_request q = {.data = &s->d,
                           .law = cf_law_find("azad-featherstone"),
                           .value = s->value,
                           .nrow = SEEN,
                           .row = row,
                           .nchannel = 1,
                           .channel = channel,
                           .nby = by ? 1 : 0,
                           .by = by};
    struct cf_response out = {y, slope, NULL};

    for (size_t i = 0; i < SEEN; i++)
        row[i] = i;
    if (!s->d.protocol->predict(work, &q, &out, &err))
        return true;
    fprintf(stderr, "# %s\n", err.text);
    return false;
}

static double apart(const double a[], const double b[])
{
    double worst = 0;

    for (size_t i = 0; i < SEEN; i++)
        worst = fmax(worst, fabs(a[i] - b[i]));
    return worst;
}

static void cutoffs(void)
{
    struct shaken s, other;
    double y[4][SEEN];
    size_t at;
    void *work;

    if (!ok(shake(&s, 0, 10, false) && shake(&other, 0, 5, false), "a shaken plate"))
        return;
    at = at_name(&s, "bodies.plate.trace.smoothing");
    ok(s.d.protocol->nsmoothing == 1 && s.d.protocol->smoothing == at - 2 && s.value[at] == 10,
       "its cutoff is a number of the apparatus");
    work = s.d.protocol->open(NULL);
    predict(&s, work, NULL, y[0], NULL);
    s.value[at] = 5;
    predict(&s, work, NULL, y[1], NULL);
    s.value[at] = 10;
    predict(&s, work, NULL, y[2], NULL);
    ok(memcmp(y[0], y[2], sizeof y[0]) == 0, "the same bits whatever came before");
    s.d.protocol->close(work);
    work = other.d.protocol->open(NULL);
    predict(&other, work, NULL, y[3], NULL);
    other.d.protocol->close(work);
    ok(memcmp(y[1], y[3], sizeof y[0]) == 0 && apart(y[0], y[1]) > 1e-6,
       "at half of it, what a scene that is smoothed so does");
    unshake(&s);
    unshake(&other);
}

static void clocks(void)
{
    struct shaken s, now;
    double y[2][SEEN], slope[SEEN], above[SEEN], below[SEEN], off = 0, most = 0;
    static const double step = 1e-5;
    size_t at;
    void *work;

    if (!ok(shake(&now, 0, 10, false) && shake(&s, 100, 10, true), "a record that begins at 100 s"))
        return;
    work = now.d.protocol->open(NULL);
    predict(&now, work, NULL, y[0], NULL);
    now.d.protocol->close(work);
    at = at_name(&s, "start");
    s.value[at] = 100;
    work = s.d.protocol->open(NULL);
    predict(&s, work, &at, y[1], slope);
    ok(apart(y[0], y[1]) < 1e-9, "moves as one from 0 s on: %.1e m apart", apart(y[0], y[1]));
    s.value[at] = 100 + step;
    predict(&s, work, NULL, above, NULL);
    s.value[at] = 100 - step;
    predict(&s, work, NULL, below, NULL);
    s.d.protocol->close(work);
    for (size_t i = 1; i < SEEN; i++) {
        double d = fabs((above[i] - below[i]) / (2 * step) - slope[i]);
        off = fmax(off, d);
        most = fmax(most, fabs(slope[i]));
    }
    ok(off < 2e-3 * most, "its derivative by the start: %.1e off of %.3g m/s", off, most);
    unshake(&s);
    unshake(&now);
}

TEST(recorded)
{
    plan(18 + 4 + 3);
    smooth_records();
    cutoffs();
    clocks();
    return done();
}
