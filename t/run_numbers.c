/* Numbers of runs: their values of traces that are known in closed form, their derivatives by
 * differences, and where loops are cut. */

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

#include "experiment/run_number.h"
#include "lab.h"
#include "tap.h"

enum { N = 60 };

typedef bool finder(const struct cf_run_readings *, double *, double[]);

/* Derivatives against differences of each reading; the largest difference. */
static double check_slopes(finder *find, double y[], const double at[], size_t split)
{
    const double step = 1e-6;
    const struct cf_run_readings r = {.n = N, .split = split, .at = at, .y = y};
    double by[N], spare[N], value, high, low, worst = 0;

    find(&r, &value, by);
    for (size_t i = 0; i < N; i++) {
        double own = y[i];
        y[i] = own + step;
        find(&r, &high, spare);
        y[i] = own - step;
        find(&r, &low, spare);
        y[i] = own;
        worst = fmax(worst, fabs((high - low) / (2 * step) - by[i]));
    }
    return worst;
}

/* Scatter without a trend. */
static double scatter(size_t i)
{
    return fmod(sin(12.9898 * (double) (i + 1)) * 43758.5453, 1);
}

static void check_pulse(void)
{
    double at[N], y[N], by[N], value;
    const struct cf_run_readings r = {.n = N, .at = at, .y = y};

    /* a half sine of 3 N and 0.8 s that begins at 0.1 s, sampled unevenly */
    for (size_t i = 0; i < N; i++) {
        at[i] = ((double) i + 0.2 * scatter(i)) / N;
        y[i] = at[i] > 0.1 && at[i] < 0.9 ? 3 * sin(M_PI * (at[i] - 0.1) / 0.8) : 0;
    }
    ok(cf_find_peak(&r, &value, by), "a pulse has a peak");
    is_near(value, 3, 2e-3, "of a sine");
    cf_find_integral(&r, &value, by);
    is_near(value, 3 * 0.8 * 2 / M_PI, 1e-3, "its integral");
    ok(cf_find_width(&r, &value, by), "it has a width");
    is_near(value, 0.8 * 2 / 3, 2e-3, "at half of its peak: two thirds of its length");
    ok(check_slopes(cf_find_width, y, at, 0) < 1e-6, "the derivatives of the width");
    ok(check_slopes(cf_find_integral, y, at, 0) < 1e-6, "of the integral");
    for (size_t i = 0; i < N; i++)
        y[i] += 0.05 * scatter(i);
    ok(check_slopes(cf_find_peak, y, at, 0) < 1e-6, "of the peak, in noise");
    cf_find_peak(&r, &value, by);
    is_within(value, 3, 0.05, "which the parabola makes no larger");
    ok(check_slopes(cf_find_last, y, at, 0) < 1e-6, "of the last reading");
    for (size_t i = 0; i < N; i++)
        y[i] = -fabs(y[i]) - 1;
    ok(!cf_find_width(&r, &value, by), "a trace below 0 has no width");
}

static void check_few(void)
{
    const double at[4] = {0, 1, 2, 3}, y[4] = {0, 2, 1, 0}, one[1] = {7};
    double by[4], value;

    ok(cf_find_peak(&(struct cf_run_readings){.n = 4, .at = at, .y = y}, &value, by) &&
           value == 2 && by[1] == 1 && by[0] == 0,
       "too few readings for a parabola: the largest is the peak");
    ok(!cf_find_peak(&(struct cf_run_readings){.n = 0, .at = at, .y = y}, &value, by),
       "no readings have no peak");
    ok(!cf_find_span(&(struct cf_run_readings){.n = 1, .at = at, .y = one}, &value, by) &&
           !cf_find_fall(&(struct cf_run_readings){.n = 2, .at = at, .y = y}, &value, by) &&
           !cf_find_integral(&(struct cf_run_readings){.n = 1, .at = at, .y = one}, &value, by),
       "one has no span, two have no fall, and one has no integral");
}

static void check_cycle(void)
{
    double at[N], y[N], by[N], value;
    const struct cf_run_readings r = {.n = N, .at = at, .y = y};

    /* a stick from -2 to 4 N in 0.8 s, and a slip in 0.1 s */
    for (size_t i = 0; i < N; i++) {
        at[i] = (double) i / N;
        y[i] = at[i] < 0.8 ? -2 + 6 * at[i] / 0.8
                           : fmax(-2 + 0.1 * at[i], 4 - 6 * (at[i] - 0.8) / 0.1);
    }
    ok(cf_find_fall(&r, &value, by), "a cycle has a fall");
    is_within(value, 0.85, 0.01, "through the middle");
    ok(check_slopes(cf_find_fall, y, at, 0) < 1e-6, "its derivatives");
    ok(cf_find_span(&r, &value, by), "and a span");
    is_within(value, 6, 0.1, "from trough to peak");
    for (size_t i = 0; i < N; i++)
        y[i] = 3 * cos(2 * M_PI * at[i]) + 1 + 0.02 * scatter(i);
    cf_find_span(&r, &value, by);
    is_within(value, 6, 0.05, "of a cosine in noise");
    ok(check_slopes(cf_find_span, y, at, 0) < 1e-6, "its derivatives");
    for (size_t i = 0; i < N; i++)
        y[i] = (double) i;
    ok(!cf_find_fall(&r, &value, by), "what only rises has no fall");
}

static void check_loop(void)
{
    double at[N], y[N], by[N], value, across;

    for (size_t i = 0; i < N; i++) {
        at[i] = 2 * cos(2 * M_PI * (double) i / N);
        y[i] = -3 * sin(2 * M_PI * (double) i / N);
    }
    cf_find_area(&(struct cf_run_readings){.n = N, .at = at, .y = y}, &value, by);
    is_near(value, 6 * M_PI, 3e-3, "the area of an ellipse, run through clockwise");
    cf_find_area_across(&(struct cf_run_readings){.n = N, .at = y, .y = at}, &across, by);
    is_near(across, value, 1e-12, "the same across");
    ok(check_slopes(cf_find_area, y, at, 0) < 1e-6, "its derivatives");
    ok(check_slopes(cf_find_area_across, at, y, 0) < 1e-6, "and across");
}

static void check_step(void)
{
    double at[N], y[N], by[N], value;
    const struct cf_run_readings r = {.n = N, .split = 20, .at = at, .y = y};

    /* friction of 0.6 jumps by 0.02 at a step up, and falls to 0.59 */
    for (size_t i = 0; i < N; i++) {
        double since = ((double) i - 20) / N;
        at[i] = (double) i / N;
        y[i] = i < 20 ? 0.6 : 0.59 + 0.03 * exp(-since / 0.05);
    }
    ok(cf_find_jump(&r, &value, by), "a step has a direct effect");
    is_within(value, 0.02, 1e-9, "of the first reading behind it");
    cf_find_change(&r, &value, by);
    is_within(value, -0.01, 1e-4, "and a change of the steady level");
    ok(check_slopes(cf_find_jump, y, at, 20) < 1e-6, "derivatives of the one");
    ok(check_slopes(cf_find_change, y, at, 20) < 1e-6, "and of the other");
    for (size_t i = 20; i < N; i++)
        y[i] = 1.2 - y[i];
    cf_find_jump(&r, &value, by);
    is_within(value, -0.02, 1e-9, "of a step down it is below 0");
    ok(!cf_find_jump(&(struct cf_run_readings){.n = N, .split = 0, .at = at, .y = y}, &value, by),
       "without readings before the step there is none");
}

/* A drive to and fro with amplitudes of 1 and 2 mm: one loop of each, and the way between. */
static void check_cuts(void)
{
    const struct cf_protocol *protocol = cf_protocol_find("ramp");
    const struct cf_run_number *loss = cf_run_number_find(protocol, "loss");
    const double way_mm[] = {0, 1, -1, 1, 2, -2, 2, 1.99, 2, 0};
    enum { LEGS = sizeof way_mm / sizeof *way_mm - 1, ROWS = 25 };
    struct cf_dataset d = {.nrow = 0};
    struct cf_error err;
    struct cf_run *run = NULL;
    size_t n = 0, displacement = cf_protocol_channel(protocol, "displacement");

    ok(loss && !cf_run_number_find(protocol, "force"), "numbers are found by their names");
    cf_dataset_alloc(&d, protocol, LEGS * ROWS, &err);
    for (size_t i = 0; i < d.nrow; i++) {
        double share = (double) (i % ROWS) / ROWS;
        lab_put(&d, i, displacement,
                1e-3 * ((1 - share) * way_mm[i / ROWS] + share * way_mm[i / ROWS + 1]), 0);
    }
    ok(cf_runs_cut(&d, loss, &run, &n, &err) == CF_OK && n == 2, "two loops");
    if (n == 2) {
        is_within(run[0].place, 1e-3, 1e-5, "the first of 1 mm");
        is_within(run[1].place, 2e-3, 1e-5, "the second of 2 mm, a step back of 0.01 mm is none");
        ok(run[0].first == ROWS && run[0].count == 2 * ROWS + 1,
           "it ends where it was when it turned, though the motion grows");
    }
    free(run);
    cf_dataset_clear(&d);
}

TEST(run_numbers)
{
    plan(38);
    check_pulse();
    check_few();
    check_cycle();
    check_loop();
    check_step();
    check_cuts();
    return done();
}
