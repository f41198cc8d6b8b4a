/* The verdict on the balance of a run against what is known of it without energies: speeds of
 * elastic impacts in closed form, the height that a ball without damping comes back to. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/stage.h"
#include "scene/balance_words.h"
#include "tap.h"

static bool closes(const struct stage *stage)
{
    return cf_balance_verdict(&stage->options, &stage->result) == CF_BALANCE_CLOSES;
}

static void say_if_open(const struct stage *stage)
{
    char *words = cf_balance_words(&stage->file->scene, &stage->options, &stage->result);

    if (!closes(stage))
        printf("# %s\n", words ? words : "no memory");
    free(words);
}

/* Two spheres, the first of which meets the second at rest. */
static void test_pairs(void)
{
    static const struct {
        double radius_m, mass_kg, speed_m_s, ratio;
        const char *spin;
    } rows[] = {
        {4e-3, 3e-4, 0.2, 1, "[0, 0, 0]"},   {0.5, 900, 7, 1, "[0, 0, 0]"},
        {4e-3, 3e-4, 0.2, 30, "[9, -4, 2]"}, {2e-4, 1e-7, 30, 0.04, "[100, 0, -70]"},
        {0.03, 0.2, 1e-5, 1.5, "[1, 1, 1]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct stage stage;
        double r = rows[i].radius_m, v = rows[i].speed_m_s, q = rows[i].ratio;

        stage_write(&stage, "pair",
                    "gravity: 0\n"
                    "duration: %.17g s\n"
                    "bodies:\n"
                    "  a: {sphere: {radius: %.17g m}, mass: %.17g kg, position: [0, 0, 0],\n"
                    "      velocity: [0, %.17g, 0], spin: %s}\n"
                    "  b: {sphere: {radius: %.17g m}, mass: %.17g kg, position: [0, %.17g, 0]}\n"
                    "contacts: [{between: [a, b], normal: {law: hunt-crossley, k: 1e8, a: 0}}]\n",
                    4 * r / v, r, rows[i].mass_kg, v, rows[i].spin, 2 * r, q * rows[i].mass_kg,
                    3.5 * r);
        ok(stage_run(&stage) && closes(&stage), "a pair of radius %g m at %g m/s closes", r, v);
        say_if_open(&stage);
        is_near(stage.last ? stage.last[1].velocity_m_s[1] / v : (double) NAN, 2 / (1 + q), 1e-7,
                "as fast as it must be");
        const struct cf_balance_check(*check)[CF_NCONSERVED] = stage.result.balance;
        ok(check[CF_SPAN_EXCHANGE][CF_CONSERVED_MOMENTUM].body < 2 &&
               check[CF_SPAN_RUN][CF_CONSERVED_SPIN].body < 2,
           "momentum and spin are judged");
        ok(check[CF_SPAN_RUN][CF_CONSERVED_ENERGY].others == 1, "as those of both bodies");
        stage_close(&stage);
    }
}

static void test_tops(void)
{
    static const struct {
        const char *inertia, *spin, *duration;
    } rows[] = {
        {"[1e-3, 2e-3, 2.8e-3]", "[3, 20, -5]", "20 s"},
        {"[4e-9, 2e-9, 5e-9]", "[1e-3, 300, 0.1]", "0.3 s"},
        {"[70, 70, 20]", "[1e-3, 2e-3, 1e-3]", "3000 s"},
        {"[5, 5, 5]", "[0.1, 0, 4]", "10 s"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct stage stage;

        stage_write(&stage, "top",
                    "gravity: 0\nduration: %s\n"
                    "bodies: {m: {point: {}, mass: 0.3 kg, inertia: %s, spin: %s,\n"
                    "             velocity: [1, 2, 3]}}\n",
                    rows[i].duration, rows[i].inertia, rows[i].spin);
        ok(stage_run(&stage) && closes(&stage), "a free top of %s kg m^2 closes", rows[i].inertia);
        say_if_open(&stage);
        stage_close(&stage);
    }
}

/* Past a wall at a shallow angle, and past another ball. */
static void test_grazing(void)
{
    for (int i = 0; i < 4; i++) {
        struct stage stage;
        double down = i < 2 ? 1e-3 : 1e-6;

        stage_write(&stage, "graze",
                    "gravity: 0\nduration: %.17g s\n"
                    "bodies:\n"
                    "  a: {sphere: {radius: 5 cm}, mass: 0.4 kg, position: [0, 0, 5.0005 cm],\n"
                    "      velocity: [%d, 0, -%.17g], spin: [0, %d, 3]}\n"
                    "  wall: {plane: {normal: [0, 0, 1], height: 0}, fixed: true}\n"
                    "contacts: [{between: [a, wall], normal: {law: hunt-crossley, k: 1e7, a: 0}}]"
                    "\n",
                    1e-4 / down, i % 2 ? 200 : 2, down, 40 * i);
        ok(stage_run(&stage) && closes(&stage) && stage.result.events[CF_EVENT_BREAK] == 1,
           "a touch at %g m/s closes", down);
        say_if_open(&stage);
        is_near(stage.last[0].velocity_m_s[2] / down, 1, 1e-6, "and comes back as fast");
        stage_close(&stage);
    }
}

/* Ten thousand bounces without damping. Neither a heavy body on a spring elsewhere, nor speed along
 * the ground, nor spin makes a wrong height look right; and samples change nothing. */
static const char bounces[] =
    "gravity: 1.62 m/s^2\n"
    "duration: %.17g s\n"
    "bodies:\n"
    "  ball: {sphere: {radius: 3 mm}, mass: 2 g, position: [0, 0, 23 mm], velocity: [%g, 0, 0],\n"
    "         spin: [0, 0, %g]}\n"
    "%s"
    "  ground: {plane: {normal: [0, 0, 1], height: 0}, fixed: true}\n"
    "contacts:\n"
    "  - {between: [ball, ground], normal: {law: hunt-crossley, k: 1e7, a: 0}}\n"
    "%s";

static void rise(void *observer, const struct cf_snapshot *at)
{
    double *highest = observer;

    if (at->time_s > 0)
        *highest = fmax(*highest, at->body[0].position_m[2]);
}

/* How high it comes in the last bounces over how high it was, both from the lowest place; a sample
 * is off the top by 1e-4 of it at most. */
static double height(struct stage *stage, double tolerance, bool elsewhere, bool throughout)
{
    enum { BOUNCES = 10000, SAMPLES = 100 };
    double period = 2 * sqrt(2 * 0.02 / 1.62), highest = 0;

    stage_write(
        stage, "bounces", bounces, BOUNCES * period, elsewhere ? 30.0 : 0, elsewhere ? 500.0 : 0,
        elsewhere ? "  heavy: {point: {}, mass: 1000 kg, turns: false, position: [1 km, 1 km, 0]}\n"
                  : "",
        elsewhere ? "springs: [{body: heavy, anchor: [0, 0, 0], stiffness: 0.4 N/m}]\n" : "");
    stage->options.tolerance = tolerance;
    stage->options.every_s = period / SAMPLES;
    stage->options.from_s = throughout ? 0 : (BOUNCES - 3) * period;
    stage->sample = rise;
    stage->observer = &highest;
    if (!stage_run(stage))
        return (double) NAN;
    return (highest - 0.003) / 0.02;
}

static void test_bounces(void)
{
    static const double tolerance[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-9};
    size_t wrong = 0, right = 0;

    for (size_t i = 0; i < sizeof tolerance / sizeof *tolerance; i++)
        for (int elsewhere = 0; elsewhere < 2; elsewhere++) {
            struct stage stage;
            double off = fabs(height(&stage, tolerance[i], elsewhere, false) - 1);
            double helps = cf_balance_helps(&stage.options, &stage.result);

            wrong += off > 0.01;
            right += off < 0.001;
            ok(isfinite(off) && (off > 0.01 ? !closes(&stage) : off >= 0.001 || closes(&stage)),
               "a height that is off by %.2g %s at a tolerance of %g", off,
               closes(&stage) ? "closes" : "does not close", tolerance[i]);
            bool good = closes(&stage);
            ok(good || stage.result.balance[CF_SPAN_RUN][CF_CONSERVED_ENERGY].body == 0,
               "and where it does not, it is the ball's energy");
            stage_close(&stage);
            if (elsewhere)
                continue;
            off = fabs(height(&stage, good ? tolerance[i] : helps, false, false) - 1);
            ok(isnan(helps) == good && off < 0.01 && closes(&stage),
               "a tolerance of %g helps: off by %.2g", helps, off);
            stage_close(&stage);
        }
    ok(wrong >= 4 && right >= 2, "%zu wrong ones and %zu right ones", wrong, right);
}

/* The verdict depends on the run, and not on how often it is looked at. */
static void test_samples(void)
{
    for (int i = 0; i < 2; i++) {
        struct stage often, seldom;
        double tolerance = i ? 1e-8 : 1e-4;

        height(&often, tolerance, false, true);
        height(&seldom, tolerance, false, false);
        ok(closes(&often) == closes(&seldom) && closes(&often) == (i == 1),
           "the same verdict with samples and without, at %g", tolerance);
        stage_close(&often);
        stage_close(&seldom);
    }
}

/* Momentum comes in from outside, and fixed steps promise nothing. */
static void test_outside(void)
{
    struct stage stage;

    stage_open(&stage, "af14_steel_66g", NULL);
    ok(stage_run(&stage) && closes(&stage) &&
           stage.result.balance[CF_SPAN_RUN][CF_CONSERVED_MOMENTUM].body == SIZE_MAX,
       "with weight no momentum is judged");
    stage.options.scheme = cf_ode_scheme_find("euler");
    stage.options.dt_s = 1e-4;
    stage_run(&stage);
    const struct cf_balance_check *check = &stage.result.balance[CF_SPAN_RUN][CF_CONSERVED_ENERGY];
    ok(cf_balance_verdict(&stage.options, &stage.result) == CF_BALANCE_NOT_JUDGED &&
           fabs(check->off) > check->limit,
       "fixed steps are off by %.1g and not judged", cf_balance_part(check));
    stage_close(&stage);
}

TEST(verdicts)
{
    plan(5 * 4 + 4 + 4 * 2 + 6 * 5 + 1 + 2 + 2);
    test_pairs();
    test_tops();
    test_grazing();
    test_bounces();
    test_samples();
    test_outside();
    return done();
}
