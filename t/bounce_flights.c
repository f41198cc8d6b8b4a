/* Bounces: flights under drag against their equation of motion, intervals and their ratios against
 * bounces that are followed forwards, all derivatives against differences. */

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiment/bounce_channels.h"
#include "experiment/flight.h"
#include "lab.h"
#include "tap.h"

static const double gravity = 9.80665;

/* dv/dt = -g - kappa v |v|, dh/dt = v, by Runge and Kutta's method until h = 0 again; when
 * it is highest. */
static void fly(double launch, double kappa, double *time, double *landing, double *rise)
{
    const double dt = launch / gravity / 4000;
    double v = launch, h = 0, t = 0;

    *time = *landing = *rise = (double) NAN;
    while (v > -1e9) { /* ends for NaN, too */
        double k[4][2], at = v, old_h = h, old_v = v;
        for (int i = 0; i < 4; i++) {
            k[i][0] = -gravity - kappa * at * fabs(at);
            k[i][1] = at;
            at = v + k[i][0] * (i < 2 ? dt / 2 : dt);
        }
        v += dt / 6 * (k[0][0] + 2 * k[1][0] + 2 * k[2][0] + k[3][0]);
        h += dt / 6 * (k[0][1] + 2 * k[1][1] + 2 * k[2][1] + k[3][1]);
        if (old_v > 0 && v <= 0)
            *rise = t + dt * old_v / (old_v - v);
        if (h <= 0) { /* Newton's step back along the last parabola */
            double a = (v - old_v) / dt, s = dt;
            for (int i = 0; i < 20; i++)
                s -= (old_h + s * (old_v + s * a / 2)) / (old_v + a * s);
            *time = t + s;
            *landing = -(old_v + a * s);
            return;
        }
        t += dt;
    }
}

static void test_flight(double launch, double kappa)
{
    struct cf_flight f = cf_flight(launch, gravity, kappa), up, down;
    double time, landing, rise, height, h = 1e-6 * launch, dk = 1e-5 * gravity / (launch * launch);

    fly(launch, kappa, &time, &landing, &rise);
    is_near(f.time_s, time, 1e-7, "flight of %g m/s with kappa %g /m", launch, kappa);
    is_near(f.landing_m_s, landing, 1e-7, "its end");
    is_near(cf_flight_launch(f.time_s, gravity, kappa), launch, 1e-14, "launch of the time");
    is_near(cf_flight_launch_of_landing(f.landing_m_s, gravity, kappa), launch, 1e-13,
            "launch of the landing");
    up = cf_flight(launch + h, gravity, kappa);
    down = cf_flight(launch - h, gravity, kappa);
    is_near(f.time_by_launch, (up.time_s - down.time_s) / (2 * h), 1e-7, "dT/du");
    is_near(f.landing_by_launch, (up.landing_m_s - down.landing_m_s) / (2 * h), 1e-7, "dv/du");
    up = cf_flight(launch, gravity, kappa + dk);
    down = cf_flight(launch, gravity, kappa);
    ok(fabs(f.time_by_drag - (up.time_s - down.time_s) / dk) < 1e-3 * fabs(f.time_by_drag),
       "dT/dkappa");
    ok(fabs(f.landing_by_drag - (up.landing_m_s - down.landing_m_s) / dk) <
           1e-3 * fabs(f.landing_by_drag),
       "dv/dkappa");
    height = cf_rise_height(launch, gravity, kappa).value;
    is_near(cf_rise_time(height, gravity, kappa), rise, 1e-7, "time of the rise");
    is_near(cf_fall_time(height, gravity, kappa), time - rise, 1e-7, "and of the fall");
}

/* ---- readings */

enum { MOST_VALUE = CF_MAX_PARAM + CF_BOUNCE_NAPPARATUS };

static const struct {
    const char *law;
    double p[3], drag, contact_time, speed;
} cases[] = {
    {"e-constant", {0.8}, 0, 0, 2},
    {"e-log", {0.8, 0.05}, 0.5, 0, 2},
    {"e-log", {0.8, 0.05}, 0.5, 3e-3, 1},
    {"azad-featherstone", {1e6, 300}, 0, 0, 2},
    {"azad-featherstone", {1e5, 100}, 0.5, 0, 3},
    {"azad-featherstone", {1e5, 100}, 0.5, 1e-3, 0.3}, /* the law knows better */
    {"hunt-crossley", {1e6, 0.2}, 0.4, 0, 1},
};
enum { NCASE = sizeof cases / sizeof cases[0] };

/* An impact at a speed, and what comes of it: the interval behind it and the speed at its end. */
static double bounce(struct cf_curves *curves, const struct cf_law *law, int i, double kappa,
                     double mass, double *speed)
{
    struct cf_impact impact;
    struct cf_error err;
    double time, rise;

    if (cf_impact(curves, law, cases[i].p, mass, *speed, &impact, &err))
        impact = (struct cf_impact){.value = {NAN, NAN, NAN, NAN}};
    fly(impact.value[CF_IMPACT_RESTITUTION] * *speed, kappa, &time, speed, &rise);
    return time + (impact.known[CF_IMPACT_DURATION] ? impact.value[CF_IMPACT_DURATION]
                                                    : cases[i].contact_time);
}

/* The speed at the end of a fall from rest, by its energy: d(v^2)/ds = 2 (g - kappa v^2), by the
 * same method. */
static double fall_to_floor(double height, double kappa)
{
    enum { STEPS = 1000 };
    const double ds = height / STEPS;
    double w = 0;

    for (int i = 0; i < STEPS; i++) {
        double k[4], at = w;
        for (int j = 0; j < 4; j++) {
            k[j] = 2 * (gravity - kappa * at);
            at = w + k[j] * (j < 2 ? ds / 2 : ds);
        }
        w += ds / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3]);
    }
    return sqrt(w);
}

/* The largest error of derivatives, relative to the reading over the value. */
static double derivatives(struct cf_curves *curves, struct cf_dataset *d, const struct cf_law *law,
                          size_t channel, size_t imposed, double value[])
{
    double by[MOST_VALUE], by_imposed, worst = 0, up, h;
    double y = lab_reading(curves, d, law, channel, value, 0, by, &by_imposed);
    double *x = &d->series[imposed].value[0], kept;

    for (size_t k = 0; k < law->nparam + CF_BOUNCE_NAPPARATUS; k++) {
        kept = value[k];
        h = 1e-5 * (fabs(kept) + 1e-4);
        value[k] = kept + h;
        up = lab_reading(curves, d, law, channel, value, 0, NULL, NULL);
        value[k] = kept - h;
        up -= lab_reading(curves, d, law, channel, value, 0, NULL, NULL);
        value[k] = kept;
        worst = fmax(worst, fabs(by[k] - up / (2 * h)) * (fabs(kept) + 1e-4) / y);
    }
    kept = *x;
    h = 1e-5 * kept;
    *x = kept + h;
    up = lab_reading(curves, d, law, channel, value, 0, NULL, NULL);
    *x = kept - h;
    up -= lab_reading(curves, d, law, channel, value, 0, NULL, NULL);
    *x = kept;
    return fmax(worst, fabs(by_imposed - up / (2 * h)) * kept / y);
}

/* The first interval of a throw that falls from a height; the divisor is any number. */
static void test_fall(struct cf_curves *curves, struct cf_dataset *d, int i, double kappa,
                      double value[])
{
    const struct cf_law *law = cf_law_find(cases[i].law);
    const double height = cases[i].speed * cases[i].speed / (2 * gravity), divisor = 0.5;
    struct cf_error err;
    double speed = fall_to_floor(height + value[law->nparam + CF_BOUNCE_RELEASE_OFFSET], kappa);
    double interval = bounce(curves, law, i, kappa, d->pair.mass_kg, &speed);

    cf_dataset_put(d, 0, CF_BOUNCE_RELEASE, height, 0, &err);
    cf_dataset_put(d, 0, CF_BOUNCE_INTERVAL, divisor, 0, &err);
    is_near(lab_reading(curves, d, law, CF_BOUNCE_RATIO, value, 0, NULL, NULL), interval / divisor,
            1e-7, "the interval behind a fall");
    ok(derivatives(curves, d, law, CF_BOUNCE_RATIO, CF_BOUNCE_RELEASE, value) < 2e-7,
       "its derivatives");
    ok(derivatives(curves, d, law, CF_BOUNCE_RESTITUTION, CF_BOUNCE_RELEASE, value) < 2e-7,
       "and those of its e");
}

static void test(struct cf_curves *curves, int i)
{
    const struct cf_law *law = cf_law_find(cases[i].law);
    const struct cf_pair pair = {.mass_kg = 0.05, .radius_m = 0.02, .gravity_m_s2 = gravity};
    double value[MOST_VALUE], speed = cases[i].speed, first, second, landing, kappa;
    struct cf_dataset d = {.pair = pair};
    struct cf_error err;

    cf_curves_prepare(curves, law, &err);
    memcpy(value, cases[i].p, law->nparam * sizeof *value);
    value[law->nparam + CF_BOUNCE_DRAG] = cases[i].drag;
    value[law->nparam + CF_BOUNCE_AIR_DENSITY] = 1.2;
    value[law->nparam + CF_BOUNCE_CONTACT_TIME] = cases[i].contact_time;
    value[law->nparam + CF_BOUNCE_RELEASE_HEIGHT] = 0;
    value[law->nparam + CF_BOUNCE_RELEASE_OFFSET] = 0.01;
    kappa = cases[i].drag * 1.2 * M_PI * 0.02 * 0.02 / (2 * 0.05);
    first = bounce(curves, law, i, kappa, pair.mass_kg, &speed);
    landing = speed;
    second = bounce(curves, law, i, kappa, pair.mass_kg, &speed);
    cf_dataset_alloc(&d, cf_protocol_find("bounce"), 1, &err);
    cf_dataset_put(&d, 0, CF_BOUNCE_INTERVAL, first, 0, &err);
    is_near(lab_reading(curves, &d, law, CF_BOUNCE_RATIO, value, 0, NULL, NULL), second / first,
            1e-7, "%s, drag %g: the next interval follows", law->name, cases[i].drag);
    if (law->family == CF_FAMILY_NORMAL)
        is_near(lab_reading(curves, &d, law, CF_BOUNCE_RATIO, value, 1e-10, NULL, NULL),
                second / first, 1e-7, "also by integration");
    else
        ok(true, "a law of e is not integrated");
    ok(derivatives(curves, &d, law, CF_BOUNCE_RATIO, CF_BOUNCE_INTERVAL, value) < 2e-7,
       "derivatives of the ratio");
    ok(derivatives(curves, &d, law, CF_BOUNCE_RESTITUTION, CF_BOUNCE_INTERVAL, value) < 2e-7,
       "and of e");
    cf_dataset_drop(&d, CF_BOUNCE_INTERVAL);
    cf_dataset_put(&d, 0, CF_BOUNCE_SPEED, landing, 0, &err);
    is_near(lab_reading(curves, &d, law, CF_BOUNCE_RATIO, value, 0, NULL, NULL), second / first,
            2e-2, "nearly the same of the speed alone");
    ok(derivatives(curves, &d, law, CF_BOUNCE_RATIO, CF_BOUNCE_SPEED, value) < 2e-7,
       "whose derivatives are right, too");
    cf_dataset_drop(&d, CF_BOUNCE_SPEED);
    test_fall(curves, &d, i, kappa, value);
    cf_dataset_clear(&d);
}

TEST(bounce_flights)
{
    struct cf_curves *curves = cf_curves_alloc();

    plan(10 * 4 + 9 * NCASE);
    test_flight(3, 0);
    test_flight(3, 0.009);
    test_flight(0.01, 0.009);
    test_flight(20, 0.3);
    for (int i = 0; i < NCASE; i++)
        test(curves, i);
    cf_curves_free(curves);
    return done();
}
