/* Readings of slides: what a friction curve makes at an instrument, by hand, with all derivatives
 * by differences; and starts by hand formulas. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiment/protocol.h"
#include "lab.h"
#include "tap.h"

enum { LOAD_VALUE, LEVER, RAMP, NAPPARATUS };

/* One row of a slide by a law, and what it must read. */
static const struct {
    const char *protocol, *law, *channel;
    double speed, load_column, load, lever; /* NAN: no column; 0: not stated */
    double p[2], want;
} rows[] = {
    {"slide", "mu-viscous", "force", 2, NAN, 10, 0, {0.1, 0.05}, 10 * (0.1 + 0.1)},
    {"slide", "mu-viscous", "force", -2, NAN, 10, 0, {0.1, 0.05}, -2},
    {"slide", "mu-viscous", "force", 2, 30, 10, 0, {0.1, 0.05}, 6}, /* the column's load counts */
    {"slide", "mu-viscous", "coefficient", -2, NAN, 0, 0, {0.1, 0.05}, -0.2},
    {"slide", "mu-viscous", "torque", 2, 30, 0, 0.5, {0.1, 0.05}, 3},
    {"slide", "f-viscous", "force", 3, NAN, 0, 0, {1.5, 0.2}, 2.1},
    {"slide", "f-viscous", "torque", -3, NAN, 0, 0.25, {1.5, 0.2}, -0.525},
    {"slide_rotary", "t-viscous", "torque", -4, NAN, 0, 0, {1.5, 0.2}, -2.3},
    {"slide_rotary", "f-viscous", "torque", 4, NAN, 0, 0.5, {1.5, 0.2}, 0.5 * (1.5 + 0.2 * 2)},
    {"slide_rotary", "mu-viscous", "torque", 4, NAN, 8, 0.5, {0.1, 0.05}, 0.5 * 8 * 0.2},
    {"slide_rotary", "mu-viscous", "force", -4, 8, 0, 0.5, {0.1, 0.05}, -1.6},
};
enum { NROW = sizeof rows / sizeof rows[0], NVALUE = 2 + NAPPARATUS };

static void test(int i)
{
    const struct cf_protocol *protocol = cf_protocol_find(rows[i].protocol);
    const struct cf_law *law = cf_law_find(rows[i].law);
    size_t channel = cf_protocol_channel(protocol, rows[i].channel);
    size_t speed = cf_protocol_channel(protocol, "speed");
    double value[NVALUE] = {rows[i].p[0], rows[i].p[1], rows[i].load, rows[i].lever, 0.01};
    double by[NVALUE], by_speed, y, worst = 0;
    struct cf_dataset d = {0};
    struct cf_error err;

    cf_dataset_alloc(&d, protocol, 1, &err);
    cf_dataset_put(&d, 0, speed, rows[i].speed, 0, &err);
    if (!isnan(rows[i].load_column))
        cf_dataset_put(&d, 0, cf_protocol_channel(protocol, "load"), rows[i].load_column, 0, &err);
    y = lab_reading(NULL, &d, law, channel, value, 0, by, &by_speed);
    is_near(y, rows[i].want, 1e-14, "%s of %s on %s", rows[i].channel, rows[i].law,
            rows[i].protocol);
    for (size_t k = 0; k < NVALUE; k++) {
        double kept = value[k], h = 1e-6, up, down;
        value[k] = kept + h;
        up = lab_reading(NULL, &d, law, channel, value, 0, NULL, NULL);
        value[k] = kept - h;
        down = lab_reading(NULL, &d, law, channel, value, 0, NULL, NULL);
        value[k] = kept;
        worst = fmax(worst, fabs(by[k] - (up - down) / (2 * h)));
    }
    d.series[speed].value[0] = rows[i].speed + 1e-6;
    double up = lab_reading(NULL, &d, law, channel, value, 0, NULL, NULL);
    d.series[speed].value[0] = rows[i].speed - 1e-6;
    worst =
        fmax(worst, fabs(by_speed -
                         (up - lab_reading(NULL, &d, law, channel, value, 0, NULL, NULL)) / 2e-6));
    ok(worst < 1e-7, "its derivatives are %.0e off", worst);
    cf_dataset_clear(&d);
}

/* A line in both directions with a bias: the formulas give line and bias-free level exactly. */
static void by_hand(const char *name, double level, double slope)
{
    enum { N = 20 };

    const struct cf_protocol *protocol = cf_protocol_find("slide");
    const struct cf_law *law = cf_law_find(name);
    struct cf_dataset d = {0};
    struct cf_hand start[CF_MAX_PARAM];
    struct cf_error err;

    cf_dataset_alloc(&d, protocol, N, &err);
    for (size_t i = 0; i < N; i++) {
        double v = (i % 2 ? -1.0 : 1.0) * (1 + (double) (i / 2));
        cf_dataset_put(&d, i, cf_protocol_channel(protocol, "speed"), v, 0, &err);
        cf_dataset_put(&d, i, cf_protocol_channel(protocol, "force"),
                       0.7 + (v < 0 ? -1 : 1) * (level + slope * fabs(v)), 0, &err);
    }
    ok(!protocol->hand(&d, law, start, &err), "%s starts by hand", name);
    is_near(start[0].value, level, 1e-12, "at the line's level");
    is_near(start[law->nparam - 1].value, slope, 1e-12, "and slope");
    d.nrow = 3;
    for (size_t i = 0; i < law->nparam; i++)
        start[i].value = (double) NAN;
    ok(!protocol->hand(&d, law, start, &err) && start[0].value > 0.3 * level &&
           start[0].value < 3 * level && start[law->nparam - 1].most > slope,
       "three rows say where to begin, and how far the slope may reach");
    d.nrow = N;
    cf_dataset_clear(&d);
}

TEST(slide_readings)
{
    plan(2 * NROW + 8);
    for (int i = 0; i < NROW; i++)
        test(i);
    by_hand("f-viscous", 2.5, 0.125);
    by_hand("f-stribeck", 2.5, 0.125);
    return done();
}
