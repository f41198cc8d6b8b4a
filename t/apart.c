/* Scenes of many balls by parts that run apart, against the same scenes run as a whole: events and
 * their order, places at all samples, losses; with friction, spins, balls of several sizes, some
 * that stand, walls, weight or none, a ball that is far faster than the others. And a heap that
 * comes to rest.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/stage.h"
#include "tap.h"

enum { MOST_BALLS = 48, ROOM = 65536, MOST_SAMPLES = 32 };

static double uniform(unsigned *seed, double low, double high)
{
    *seed = *seed * 1664525u + 1013904223u;
    return low + (high - low) * (double) (*seed >> 8) / (1 << 24);
}

/* A scene by its seed: balls of three sizes on a lattice, off their places, in a box. */
static void write_scene(struct stage *stage, unsigned seed)
{
    static const char *const friction[] = {
        "", ", friction: {law: coulomb, mu: 0.3, v_e: 20 mm/s}",
        ", friction: {law: lugre, mu_s: 0.3, mu_c: 0.25, sigma_0: 2e4, sigma_1: 5, sigma_2: 0.1, "
        "v_s: 0.05}"};
    char *text = calloc(ROOM, 1);
    const char *rubs = friction[seed % 3];
    size_t n = 0;
    int count = 24 + (int) (seed % 5) * 6;

    for (int i = 0; i < count; i++) {
        bool stands = seed % 2 && i % 11 == 5;
        double speed = i == 7 && seed % 4 == 1 ? 20 : 0.4;
        n += (size_t) snprintf(text + n, ROOM - n,
                               "  b%02d: {sphere: {radius: %g mm}, position: [%.9f mm, %.9f mm, "
                               "%.9f mm]",
                               i, 4 + 0.5 * (i % 3), 11.5 * (i % 4) + uniform(&seed, -1, 1),
                               11.5 * (i / 4 % 4) + uniform(&seed, -1, 1),
                               7 + 11.5 * (i / 16) + uniform(&seed, -1, 1));
        if (stands)
            n += (size_t) snprintf(text + n, ROOM - n, ", fixed: true}\n");
        else
            n += (size_t) snprintf(
                text + n, ROOM - n,
                ", mass: %.3f g, inertia: solid, velocity: [%.9f, %.9f, %.9f], spin: [%.6f, 0, "
                "%.6f]}\n",
                1 + 0.3 * (i % 3), uniform(&seed, -speed, speed), uniform(&seed, -speed, speed),
                uniform(&seed, -speed, speed), uniform(&seed, -20, 20), uniform(&seed, -20, 20));
    }
    stage_write(stage, "apart",
                "gravity: %s\nduration: 20 ms\nsolver: {tolerance: 1e-10}\nbodies:\n%s"
                "  wall0: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}\n"
                "  wall1: {plane: {normal: [1, 0, 0], height: -7 mm}, fixed: true}\n"
                "  wall2: {plane: {normal: [-1, 0, 0], height: -42 mm}, fixed: true}\ncontacts:\n"
                "  - {between: ['b*', 'b*'], normal: {law: azad-featherstone, k: 3e6, lambda: "
                "200}%s}\n"
                "  - {between: ['b*', 'wall*'], normal: {law: hunt-crossley, k: 5e6, a: 0.1}%s}\n",
                count % 4 ? "9.81 m/s^2" : "0", text, rubs, rubs);
    free(text);
}

struct samples {
    size_t n, nbody;
    double time_s[MOST_SAMPLES], place_m[MOST_SAMPLES][MOST_BALLS + 3][3];
};

static void take_sample(void *observer, const struct cf_snapshot *at)
{
    struct samples *samples = observer;

    if (samples->n == MOST_SAMPLES)
        return;
    samples->time_s[samples->n] = at->time_s;
    for (size_t b = 0; b < samples->nbody; b++)
        memcpy(samples->place_m[samples->n][b], at->body[b].position_m, 3 * sizeof(double));
    samples->n++;
}

/* What two runs of a scene came to. */
struct outcome {
    size_t touches, steps, flights, other_events;
    double time_s, place_m, speed_m_s, lost_J, off;
};

/* Tops of flights are seen where a whole scene flies, or a part of it. */
static size_t drop_tops(struct stage_event *event, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (event[i].what != CF_EVENT_APEX)
            event[kept++] = event[i];
    return kept;
}

static void compare_events(struct stage *stage, struct stage_event *event, size_t n,
                           struct outcome *out)
{
    n = drop_tops(event, n);
    stage->n = drop_tops(stage->event, stage->n);
    out->other_events += n > stage->n ? n - stage->n : stage->n - n;
    for (size_t i = 0; i < n && i < stage->n; i++) {
        const struct stage_event *a = &event[i], *b = &stage->event[i];
        out->other_events += a->what != b->what || a->index != b->index;
        out->time_s = fmax(out->time_s, fabs(a->time_s - b->time_s));
        if (a->what == CF_EVENT_MAKE || a->what == CF_EVENT_BREAK)
            out->speed_m_s = fmax(out->speed_m_s, fabs(a->contact.rate_m_s - b->contact.rate_m_s));
    }
}

static struct outcome run_twice(struct stage *stage, double every_s)
{
    struct samples *samples = calloc(2, sizeof *samples);
    struct outcome out = {.place_m = 0};
    struct stage_event *event = NULL;
    size_t n = 0, steps = 0;
    double lost_J = 0;

    for (int k = 0; k < 2; k++) {
        samples[k].nbody = stage->file->scene.nbody;
        stage->options.apart = k == 1;
        stage->options.every_s = every_s;
        stage->sample = take_sample;
        stage->observer = &samples[k];
        if (!stage_run(stage))
            out.other_events++;
        out.off = fmax(out.off, stage_off(stage));
        if (k == 0) {
            n = stage->n;
            event = malloc((n + 1) * sizeof *event);
            memcpy(event, stage->event, n * sizeof *event);
            lost_J = stage->result.energy_J[CF_ENERGY_NORMAL_DAMPER];
            steps = stage->result.steps;
        }
    }
    compare_events(stage, event, n, &out);
    out.touches = stage->result.events[CF_EVENT_MAKE];
    out.lost_J = fabs(stage->result.energy_J[CF_ENERGY_NORMAL_DAMPER] / lost_J - 1);
    out.steps = steps;
    out.other_events += samples[0].n != samples[1].n;
    for (size_t i = 0; i < samples[0].n; i++) {
        out.other_events += samples[0].time_s[i] != samples[1].time_s[i];
        for (size_t b = 0; b < samples[0].nbody; b++)
            for (int k = 0; k < 3; k++)
                out.place_m = fmax(out.place_m,
                                   fabs(samples[0].place_m[i][b][k] - samples[1].place_m[i][b][k]));
    }
    free(event);
    free(samples);
    return out;
}

static void test_scenes(void)
{
    enum { SCENES = 30 };
    struct outcome worst = {.place_m = 0};

    for (unsigned seed = 1; seed <= SCENES; seed++) {
        struct stage stage;
        write_scene(&stage, seed);
        if (!stage.file)
            continue;
        struct outcome one = run_twice(&stage, seed % 3 ? 0.8e-3 : 0);
        if (one.other_events > 0 || one.place_m > 1e-8)
            printf("# seed %u: %zu of %zu events differ, places by %.1e m, times by %.1e s\n", seed,
                   one.other_events, stage.n, one.place_m, one.time_s);
        worst.touches += one.touches;
        worst.other_events += one.other_events;
        worst.place_m = fmax(worst.place_m, one.place_m);
        worst.time_s = fmax(worst.time_s, one.time_s);
        worst.speed_m_s = fmax(worst.speed_m_s, one.speed_m_s);
        worst.lost_J = fmax(worst.lost_J, one.lost_J);
        worst.off = fmax(worst.off, one.off);
        stage_close(&stage);
    }
    ok(worst.touches > 40 * SCENES && worst.other_events == 0,
       "%zu touches of %d scenes are those of the whole, and in their order", worst.touches,
       SCENES);
    ok(worst.time_s <= 1e-7 && worst.speed_m_s <= 1e-5, "times within %.0e s, speeds %.0e m/s",
       worst.time_s, worst.speed_m_s);
    ok(worst.place_m <= 1e-7, "places at all samples within %.0e m", worst.place_m);
    ok(worst.lost_J <= 1e-6, "what was lost within %.0e", worst.lost_J);
    ok(worst.off <= 1e-5, "energy residual at most %.0e", worst.off);
}

/* Of a box of a hundred balls that just stand on the ground: all come to rest, each at its time. */
static void test_rest(void)
{
    struct stage stage;
    double rest_s[2], height_m = 0;

    stage_write(&stage, "rests",
                "duration: 3 s\nsolver: {tolerance: 1e-8}\nbodies:\n"
                "  b: {count: 80, sphere: {radius: 5 mm}, mass: 1 g, inertia: solid, lattice: "
                "{from: [0 m, 0 m, 6 mm], spacing: [11 mm, 11 mm, 11 mm], size: [10, 8, 1], "
                "jitter: 0.4 mm, seed: 4}}\n"
                "  ground: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}\ncontacts:\n"
                "  - {between: ['b*', 'b*'], normal: {law: azad-featherstone, k: 1e6, lambda: "
                "500}}\n"
                "  - {between: ['b*', ground], normal: {law: azad-featherstone, k: 1e6, lambda: "
                "500}}\n");
    for (int k = 0; k < 2; k++) {
        stage.options.apart = k == 1;
        bool good = stage.file && stage_run(&stage);
        ok(good && isfinite(stage.result.rest_s), "%s: at rest at %g s", k ? "apart" : "as a whole",
           stage.result.rest_s);
        rest_s[k] = stage.result.rest_s;
        for (size_t b = 0; b < 80; b++)
            height_m =
                fmax(height_m, fabs(stage.last[b].position_m[2] - stage.last[0].position_m[2]));
    }
    ok(fabs(rest_s[0] - rest_s[1]) < 0.05 * rest_s[0], "at about the same time");
    ok(height_m < 1e-11, "all at one height, to %.0e m", height_m);
    stage_close(&stage);
}

/* Balls that all just touch, at rest: no window parts them. */
static void test_touching(void)
{
    double place_m[2] = {0, 0};
    struct stage stage;

    stage_write(&stage, "touching",
                "duration: 20 ms\nsolver: {tolerance: 1e-8}\nbodies:\n"
                "  b: {count: 60, sphere: {radius: 4 mm}, mass: 1 g, inertia: solid, lattice: "
                "{from: [0 m, 0 m, 4 mm], spacing: [8 mm, 8 mm, 8 mm], size: [5, 4, 3]}}\n"
                "  ground: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}\ncontacts:\n"
                "  - {between: ['b*', 'b*'], normal: {law: azad-featherstone, k: 1e6, lambda: "
                "500}}\n"
                "  - {between: ['b*', ground], normal: {law: azad-featherstone, k: 1e6, lambda: "
                "500}}\n");
    for (int k = 0; k < 2; k++) {
        stage.options.apart = k == 1;
        bool good = stage.file && stage_run(&stage);
        ok(good && stage_off(&stage) < 1e-6, "balls that touch, %s: energy to %.0e",
           k ? "apart" : "as a whole", stage_off(&stage));
        place_m[k] = stage.last[59].position_m[2];
    }
    ok(fabs(place_m[0] - place_m[1]) < 1e-10, "the same place, to %.0e m",
       fabs(place_m[0] - place_m[1]));
    stage_close(&stage);
}

TEST(apart)
{
    plan(5 + 4 + 3);
    test_touching();
    test_scenes();
    test_rest();
}
