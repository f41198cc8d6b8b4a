/* Times of cf_motion_run() on scenes that table.pl gives to Octave, SciPy and Simbody, too.
 *
 *   motion DROP.yaml SLIDE.yaml IMPACT.yaml TOUCHES
 *
 * TOUCHES has the drop's true times of touch [s], one a line. Prints lines as timing.h says, with
 * the error as value, and two lines for the others: `slide-truth` with the true spring forces at
 * equal steps of time, `impact-truth` with the impact's data and its true restitution. Runs that
 * are timed write nothing; the energy balance is kept in all of them.
 */

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "impact/impact.h"
#include "scene/scene_file.h"
#include "timing.h"

enum { TOUCHES = 64, FORCES = 600 };

/* The reference for the slide: SciPy's LSODA at 1e-12 agrees with it within 2e-9 N. */
static const double TIGHT = 1e-13;

/* The result of interest of a run. */
struct record {
    const struct cf_scene *scene;
    size_t ntouch, nforce;
    double touch_s[TOUCHES], force_N[FORCES + 1];
    double speed_m_s; /* at the end, of the first body along z */
};

static void on_event(void *observer, enum cf_motion_event what, size_t index,
                     const struct cf_snapshot *at)
{
    struct record *record = observer;

    (void) index;
    if (what == CF_EVENT_MAKE && record->ntouch < TOUCHES)
        record->touch_s[record->ntouch++] = at->time_s;
}

static void sampled(void *observer, const struct cf_snapshot *at)
{
    struct record *record = observer;
    const struct cf_body_state *body = &at->body[0];

    record->speed_m_s = body->velocity_m_s[2];
    if (record->scene->ntether == 0 || record->nforce > FORCES)
        return;
    /* the block starts where its spring is slack and goes along one line */
    record->force_N[record->nforce++] =
        record->scene->tether[0].stiffness_N_m * hypot(body->position_m[0], body->position_m[1]);
}

static int look(const struct cf_scene *scene, double tolerance, struct record *record,
                struct cf_error *err)
{
    struct cf_motion_options options = cf_motion_defaults;
    struct cf_motion_result result;

    *record = (struct record){.scene = scene};
    options.tolerance = tolerance;
    options.every_s = scene->duration_s / FORCES;
    options.sample = sampled;
    options.on_event = on_event;
    options.observer = record;
    return cf_motion_run(scene, &options, &result, err);
}

/* The time of a run without an observer. */
static int clock_run(const struct cf_scene *scene, double tolerance, int turns, double *best_s,
                     struct cf_motion_result *result, struct cf_error *err)
{
    struct cf_motion_options options = cf_motion_defaults;
    int status = CF_OK;

    options.tolerance = tolerance;
    *best_s = INFINITY;
    for (int turn = 0; !status && turn < turns; turn++) {
        double begin = bench_now_s();
        status = cf_motion_run(scene, &options, result, err);
        *best_s = fmin(*best_s, bench_now_s() - begin);
    }
    return status;
}

static void print_run(const char *key, double seconds, double error, double tolerance,
                      const struct cf_motion_result *result)
{
    char remark[160];

    snprintf(remark, sizeof remark, "at %.0e: %zu steps, %zu rates, energy residual %.0e",
             tolerance, result->steps, result->evaluations, result->residual_J / result->moved_J);
    bench_print(key, seconds, error, remark);
}

static size_t read_touches(const char *path, double touch_s[TOUCHES])
{
    FILE *file = fopen(path, "r");
    size_t n = 0;

    while (file && n < TOUCHES && fscanf(file, "%lf", &touch_s[n]) == 1)
        n++;
    if (file)
        fclose(file);
    return n;
}

static int time_drop(const struct cf_scene *scene, const char *touches, struct cf_error *err)
{
    enum { TURNS = 400 };
    struct record record;
    struct cf_motion_result result;
    double touch_s[TOUCHES], best = NAN, error = 0, tolerance = cf_motion_defaults.tolerance;
    size_t n = read_touches(touches, touch_s);
    int status = look(scene, tolerance, &record, err);

    if (!status && (n == 0 || record.ntouch != n))
        return cf_fail(err, CF_EINPUT, "%s has %zu times, the run %zu touches", touches, n,
                       record.ntouch);
    if (!status)
        status = clock_run(scene, tolerance, TURNS, &best, &result, err);
    if (status)
        return status;
    for (size_t i = 0; i < n; i++)
        error = fmax(error, fabs(record.touch_s[i] - touch_s[i]));
    print_run("drop", best, error, tolerance, &result);
    return CF_OK;
}

static int time_slide(const char *key, const struct cf_scene *scene, const struct record *truth,
                      double tolerance, struct cf_error *err)
{
    enum { TURNS = 60 };
    struct record record;
    struct cf_motion_result result;
    double best = NAN, error = 0;
    int status = look(scene, tolerance, &record, err);

    if (!status)
        status = clock_run(scene, tolerance, TURNS, &best, &result, err);
    if (status)
        return status;
    for (size_t i = 0; i < truth->nforce; i++)
        error = fmax(error, fabs(record.force_N[i] - truth->force_N[i]));
    print_run(key, best, error, tolerance, &result);
    return CF_OK;
}

static int time_slides(const struct cf_scene *scene, struct cf_error *err)
{
    struct record truth;
    int status = look(scene, TIGHT, &truth, err);

    if (status)
        return status;
    printf("slide-truth");
    for (size_t i = 0; i < truth.nforce; i++)
        printf("\t%.17g", truth.force_N[i]);
    putchar('\n');
    status = time_slide("slide", scene, &truth, cf_motion_defaults.tolerance, err);
    return status ? status : time_slide("slide-6", scene, &truth, 1e-6, err);
}

/* The columns by all parameters of the slide's friction, and samples of its block. */
struct columns {
    size_t n;        /* samples */
    double last[16]; /* the last one's derivatives */
    size_t ncolumn;
};

static void take(void *observer, const struct cf_values *at)
{
    struct columns *columns = observer;

    columns->n++;
    if (columns->ncolumn > 0) /* of one channel, or the first of two */
        memcpy(columns->last, at->by, columns->ncolumn * sizeof *at->by);
}

static int run_columns(const struct cf_scene *scene, double tolerance, size_t nwrt, double every_s,
                       enum cf_channel_kind kind, int turns, struct columns *columns,
                       double *best_s, struct cf_motion_result *result, struct cf_error *err)
{
    struct cf_wrt wrt[CF_MAX_PARAM];
    const struct cf_motion_channel channel = {.kind = kind};
    struct cf_motion_options options = {.tolerance = tolerance,
                                        .nwrt = nwrt,
                                        .wrt = wrt,
                                        .every_s = every_s,
                                        .on_values = every_s > 0 ? take : NULL,
                                        .nchannel = 1,
                                        .channel = &channel,
                                        .observer = columns};
    int status = CF_OK;

    for (size_t i = 0; i < nwrt; i++)
        wrt[i] = (struct cf_wrt){CF_WRT_FRICTION, 0, i};
    *best_s = INFINITY;
    for (int turn = 0; !status && turn < turns; turn++) {
        double begin = bench_now_s();
        *columns = (struct columns){.ncolumn = nwrt};
        status = cf_motion_run(scene, &options, result, err);
        *best_s = fmin(*best_s, bench_now_s() - begin);
    }
    return status;
}

static int time_columns(const struct cf_scene *scene, struct cf_error *err)
{
    enum { TURNS = 10 };
    static const double AT = 1e-8, EVERY_S = 1e-3;
    static const struct {
        const char *key;
        bool columns, samples;
        enum cf_channel_kind kind;
    } row[] = {
        {"slide-8", false, false, CF_CHANNEL_POSITION},
        {"slide-samples", false, true, CF_CHANNEL_POSITION},
        {"slide-columns", true, false, CF_CHANNEL_POSITION},
        {"slide-both", true, true, CF_CHANNEL_POSITION},
        {"slide-force", true, true, CF_CHANNEL_FRICTION},
    };
    size_t nparam = scene->pair[0].friction->nparam;
    int status = CF_OK;

    for (size_t i = 0; i < sizeof row / sizeof row[0] && !status; i++) {
        size_t nwrt = row[i].columns ? nparam : 0;
        struct columns found, truth;
        struct cf_motion_result result, ignored;
        double best, unused, error = 0;
        char remark[160];
        status = run_columns(scene, 1e-12, nwrt, scene->duration_s, row[i].kind, 1, &truth, &unused,
                             &ignored, err);
        if (!status)
            status = run_columns(scene, AT, nwrt, row[i].samples ? EVERY_S : 0, row[i].kind, TURNS,
                                 &found, &best, &result, err);
        for (size_t c = 0; c < nwrt && row[i].samples; c++)
            error = fmax(error, fabs(found.last[c] / truth.last[c] - 1));
        snprintf(remark, sizeof remark, "at 1e-8: %zu steps, %zu columns off by %.0e, %zu samples",
                 result.steps, nwrt, error, found.n);
        bench_print(row[i].key, best, error, remark);
    }
    return status;
}

static int time_impact(const struct cf_scene *scene, struct cf_error *err)
{
    enum { TURNS = 2000 };
    const struct cf_contact_pair *pair = &scene->pair[0];
    const struct cf_rigid *ball = &scene->body[0];
    double v = -ball->velocity_m_s[2], best = NAN, tolerance = cf_motion_defaults.tolerance;
    struct cf_curves *curves = cf_curves_alloc();
    struct cf_impact truth;
    struct record record;
    struct cf_motion_result result;
    int status = curves ? cf_impact(curves, pair->law, pair->p, ball->mass_kg, v, &truth, err)
                        : cf_fail(err, CF_ENOMEM, "no memory for curves");

    cf_curves_free(curves);
    if (!status)
        status = look(scene, tolerance, &record, err);
    if (!status)
        status = clock_run(scene, tolerance, TURNS, &best, &result, err);
    if (status)
        return status;
    double e = truth.value[CF_IMPACT_RESTITUTION];
    printf("impact-truth\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g\n", pair->p[0], pair->p[1],
           ball->mass_kg, ball->ball[0].radius_m, v, e);
    print_run("impact-simbody", best, fabs(record.speed_m_s / v - e), tolerance, &result);
    return CF_OK;
}

int main(int argc, char *argv[])
{
    struct cf_error err = {""};
    struct cf_scene_file *file[3] = {NULL};
    int status = CF_OK;

    if (argc != 5) {
        fprintf(stderr, "usage: motion DROP.yaml SLIDE.yaml IMPACT.yaml TOUCHES\n");
        return 2;
    }
    for (int i = 0; i < 3 && !status; i++)
        if (!(file[i] = cf_scene_read(argv[1 + i], NULL, 0, &err)))
            status = CF_EINPUT;
    if (!status)
        status = time_drop(&file[0]->scene, argv[4], &err);
    if (!status)
        status = time_slides(&file[1]->scene, &err);
    if (!status)
        status = time_columns(&file[1]->scene, &err);
    if (!status)
        status = time_impact(&file[2]->scene, &err);
    for (int i = 0; i < 3; i++)
        cf_scene_file_free(file[i]);
    if (status)
        fprintf(stderr, "motion: %s: %s\n", cf_status_text(status), err.text);
    return status ? 1 : 0;
}
