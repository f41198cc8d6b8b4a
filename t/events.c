/* Events of the stepper and the sensitivities over them, against closed forms (differentiated by
 * complex steps) and against differences of much tighter runs. */

#include <complex.h>
#include <math.h>
#include <string.h>

#include "ode/ode.h"
#include "tap.h"

static const double PI = 3.14159265358979323846;
static const double ones[] = {1, 1, 1, 1};

/* a ball that falls from rest and bounces: y, v; p = height, e, g */
enum { HEIGHT, E, G, NP };

static void fall(const void *context, double t, const double y[], double dydt[])
{
    const double *p = context;
    (void) t;
    dydt[0] = y[1];
    dydt[1] = -p[G];
}

static void fall_variation(const void *context, double t, const double y[], const double s[],
                           double dsdt[])
{
    (void) context, (void) t, (void) y;
    for (size_t column = 0; column < NP; column++, s += 2, dsdt += 2) {
        dsdt[0] = s[1];
        dsdt[1] = column == G ? -1 : 0;
    }
}

static double ground(const void *context, double t, const double y[])
{
    (void) context, (void) t;
    return y[0];
}

static double ground_slope(const void *context, double t, const double y[], const double s[],
                           size_t column)
{
    (void) context, (void) t, (void) y, (void) column;
    return s[0];
}

static void bounce(const void *context, double t, const double y[], double after[])
{
    const double *p = context;
    (void) t;
    after[0] = y[0];
    after[1] = -p[E] * y[1];
}

static void bounce_slope(const void *context, double t, const double y[], const double s[],
                         size_t column, double after[])
{
    const double *p = context;
    (void) t;
    after[0] = s[0];
    after[1] = -p[E] * s[1] - (column == E ? y[1] : 0);
}

/* the closed forms, of complex parameters */
static double complex bounce_time(const double complex p[], int k)
{
    double complex first = csqrt(2 * p[HEIGHT] / p[G]), sum = first, power = 1;
    for (int i = 1; i < k; i++) {
        power *= p[E];
        sum += 2 * first * power;
    }
    return sum;
}

static void flight(const double complex p[], int k, double t, double complex y[2])
{
    double complex v = cpow(p[E], k) * csqrt(2 * p[G] * p[HEIGHT]), dt = t - bounce_time(p, k);
    y[0] = v * dt - p[G] * dt * dt / 2;
    y[1] = v - p[G] * dt;
}

struct log {
    int count;
    size_t event[64];
    double t[64], y[64], speed[64], dtau[64][NP], s[64][2 * NP];
};

static void note(void *observer, size_t event, double t, const double y[], const double s[],
                 const double dtau[])
{
    struct log *log = observer;
    if (log->count < 64) {
        log->event[log->count] = event;
        log->t[log->count] = t;
        log->y[log->count] = y[0];
        log->speed[log->count] = y[1];
        if (dtau) {
            memcpy(log->dtau[log->count], dtau, sizeof log->dtau[0]);
            memcpy(log->s[log->count], s, sizeof log->s[0]);
        }
    }
    log->count++;
}

static void test_ball(void)
{
    enum { BOUNCES = 6 };
    const double p[NP] = {1.37, 0.73, 9.81}, tiny = 1e-30;
    const struct cf_ode_event event = {.name = "ground",
                                       .g = ground,
                                       .slope = ground_slope,
                                       .direction = -1,
                                       .reset = bounce,
                                       .reset_slope = bounce_slope};
    struct cf_ode_system system = {.n = 2,
                                   .ncolumn = NP,
                                   .rates = fall,
                                   .variation = fall_variation,
                                   .nevent = 1,
                                   .event = &event};
    struct log log = {0};
    struct cf_ode_options options = {
        .tolerance = 1e-12, .scale = ones, .max_steps = 1000, .seen = note, .observer = &log};
    struct cf_ode *ode = cf_ode_alloc(2, NP);
    struct cf_ode_result result;
    struct cf_error err;
    double complex q[NP], y_p[2];
    double t = 0, y[2] = {p[HEIGHT], 0}, s[2 * NP] = {1, 0, 0, 0, 0, 0}, end;

    for (int i = 0; i < NP; i++)
        q[i] = p[i];
    end = creal(bounce_time(q, BOUNCES)) + 0.05;
    ok(cf_ode_run(ode, &system, p, &options, &t, y, s, end, &result, &err) == CF_OK &&
           result.reason == CF_ODE_REACHED && t == end,
       "a ball bounces until the end, which is met exactly");
    ok(log.count == BOUNCES, "as often as it should");
    flight(q, BOUNCES, end, y_p);
    is_near(y[0], creal(y_p[0]), 2e-13, "height after six bounces");
    is_near(y[1], creal(y_p[1]), 2e-13, "speed");
    for (int i = 0; i < NP; i++) {
        q[i] += tiny * (double complex) I; /* clang has no CMPLX */
        flight(q, BOUNCES, end, y_p);
        is_near(s[2 * i], cimag(y_p[0]) / tiny, 2e-12, "derivative %d of the height", i);
        is_near(s[2 * i + 1], cimag(y_p[1]) / tiny, 2e-12, "derivative %d of the speed", i);
        is_near(log.dtau[BOUNCES - 1][i], cimag(bounce_time(q, BOUNCES)) / tiny, 1e-13,
                "derivative %d of the time of the last bounce", i);
        q[i] = p[i];
    }
    is_near(log.t[0], sqrt(2 * p[HEIGHT] / p[G]), 4e-16, "the first bounce to rounding");
    is_near(log.t[BOUNCES - 1], creal(bounce_time(q, BOUNCES)), 1e-14, "the last to a few");
    is_near(log.y[BOUNCES - 1], 0, 1e-15, "and there the ball is at the ground");
    is_near(log.s[0][0], 0, 1e-15, "at the event's own time the height has no derivative");
    is_near(log.s[0][1], -sqrt(p[G] / (2 * p[HEIGHT])), 1e-14, "the speed has");
    cf_ode_free(ode);
}

static void test_many_bounces(void)
{
    const double p[NP] = {1, 0.5, 10};
    const struct cf_ode_event event = {
        .name = "ground", .g = ground, .direction = -1, .reset = bounce};
    const struct cf_ode_system system = {.n = 2, .rates = fall, .nevent = 1, .event = &event};
    struct log log = {0};
    struct cf_ode_options options = {
        .tolerance = 1e-10, .scale = ones, .max_steps = 1000, .seen = note, .observer = &log};
    struct cf_ode *ode = cf_ode_alloc(2, 0);
    struct cf_ode_result result;
    double complex q[NP] = {p[0], p[1], p[2]};
    double t = 0, y[2] = {1, 0}, end = creal(bounce_time(q, 31)) * (1 - 1e-12);
    bool good = true;

    ok(cf_ode_run(ode, &system, p, &options, &t, y, NULL, end, &result, NULL) == CF_OK &&
           log.count >= 30,
       "a ball that bounces ever faster: none of 30 bounces is missed, the last of 1 ns");
    for (int k = 1; k <= 30; k++)
        good &= fabs(log.t[k - 1] - creal(bounce_time(q, k))) < 1e-14;
    ok(good, "and each is in its place");

    /* thrown from the ground: g is 0 at the start */
    memset(&log, 0, sizeof log);
    t = 0, y[0] = 0, y[1] = 3;
    cf_ode_run(ode, &system, p, &options, &t, y, NULL, 0.7, &result, NULL);
    ok(log.count == 1 && fabs(log.t[0] - 0.6) < 1e-15,
       "thrown from the ground it meets the ground when it comes back, not when it leaves");
    cf_ode_free(ode);
}

/* harmonic motion y = cos(t + phase); context: level */
static void swing(const void *context, double t, const double y[], double dydt[])
{
    (void) context, (void) t;
    dydt[0] = y[1];
    dydt[1] = -y[0];
}

static void swing_variation(const void *context, double t, const double y[], const double s[],
                            double dsdt[])
{
    (void) y;
    swing(context, t, s, dsdt);
}

static double level(const void *context, double t, const double y[])
{
    const double *at = context;
    (void) t;
    return y[0] - *at;
}

static double level_slope(const void *context, double t, const double y[], const double s[],
                          size_t column)
{
    (void) context, (void) t, (void) y, (void) column;
    return s[0];
}

/* Events of y = cos(t + phase) at a level, in a `direction`, over 10 turns. */
static void swing_events(double at, double phase, int direction, double tolerance, struct log *log)
{
    const struct cf_ode_event event = {.name = "level", .g = level, .direction = direction};
    const struct cf_ode_system system = {.n = 2, .rates = swing, .nevent = 1, .event = &event};
    struct cf_ode_options options = {
        .tolerance = tolerance, .scale = ones, .max_steps = 10000, .seen = note, .observer = log};
    struct cf_ode *ode = cf_ode_alloc(2, 0);
    struct cf_ode_result result;
    double t = 0, y[2] = {cos(phase), -sin(phase)};

    log->count = 0;
    cf_ode_run(ode, &system, &at, &options, &t, y, NULL, 62.8318, &result, NULL);
    cf_ode_free(ode);
}

static void test_swing(void)
{
    static const double tolerance[] = {1e-3, 1e-6, 1e-9, 1e-13};
    struct log log;

    swing_events(0, 0, 0, 1e-15, &log);
    is_near(log.t[0], PI / 2, 2e-15, "cos passes 0 at pi/2, to rounding");
    ok(log.count == 20, "and 20 times in 10 turns");
    swing_events(0, 0, -1, 1e-9, &log);
    ok(log.count == 10 && fabs(log.t[1] - 2.5 * PI) < 1e-7, "10 times falling");
    swing_events(0, 0, 1, 1e-9, &log);
    ok(log.count == 10 && fabs(log.t[1] - 3.5 * PI) < 1e-7, "10 times rising");
    for (size_t k = 0; k < sizeof tolerance / sizeof tolerance[0]; k++) {
        int missed = 0;
        for (int i = 0; i < 50; i++) {
            /* the depth is well above the error of the run, so that it does not vanish in it */
            double depth = fmax(1e3 * tolerance[k], 1e-9);
            swing_events(-1 + fmin(depth, 0.1), 0.4 + 0.05 * i, 0, tolerance[k], &log);
            missed += log.count != 20;
        }
        ok(missed == 0, "at tolerance %g no narrow dip is stepped over, wherever the steps fall",
           tolerance[k]);
    }
}

static void test_grazing(void)
{
    double at = 1;
    const struct cf_ode_event event = {.name = "stop", .g = level, .slope = level_slope};
    const struct cf_ode_system system = {.n = 2,
                                         .ncolumn = 1,
                                         .rates = swing,
                                         .variation = swing_variation,
                                         .nevent = 1,
                                         .event = &event};
    struct cf_ode_options options = {.tolerance = 1e-12, .scale = ones, .max_steps = 1000};
    struct cf_ode *ode = cf_ode_alloc(2, 1);
    struct cf_ode_result result;
    struct cf_error err;
    double t = 0, y[2] = {0, 1}, s[2] = {1, 0};

    ok(cf_ode_run(ode, &system, &at, &options, &t, y, s, 6, &result, &err) == CF_ESOLVE &&
           result.reason == CF_ODE_GRAZING && isfinite(s[0]) && isfinite(s[1]),
       "a level that is only touched: sensitivities do not exist");
    ok(strstr(err.text, ": the event \"stop\" touches 0 without going through, so that no "
                        "sensitivity exists"),
       "and that is said: %s", err.text);
    at = 1 - 1e-6;
    t = 0, y[0] = 0, y[1] = 1, s[0] = 1, s[1] = 0;
    ok(cf_ode_run(ode, &system, &at, &options, &t, y, s, 6, &result, &err) == CF_OK,
       "a level just below the top is passed");
    cf_ode_free(ode);
}

/* a scaled impact in sqrt(depth): y, w, t */
static void impact(const void *context, double t, const double y[], double dydt[])
{
    double beta = *(const double *) context;
    (void) t;
    dydt[0] = y[1] / 2;
    dydt[1] = -y[0] * y[0] * (y[0] * y[0] + beta * y[1]);
    dydt[2] = y[0];
}

/* negative only from just before y = 0 to just after it */
static double force(const void *context, double t, const double y[])
{
    double beta = *(const double *) context;
    (void) t;
    return y[0] * y[0] + beta * y[1];
}

static double peak(const void *context, double t, const double y[])
{
    (void) context, (void) t;
    return y[1];
}

static void test_trap(void)
{
    static const double tolerance[] = {1e-4, 1e-8, 1e-12};
    const struct cf_ode_event event[] = {
        {.name = "peak", .g = peak, .direction = -1},
        {.name = "end", .g = force, .direction = -1, .terminal = true}};
    const struct cf_ode_system system = {.n = 3, .rates = impact, .nevent = 2, .event = event};
    struct cf_ode *ode = cf_ode_alloc(3, 0);
    struct cf_ode_result result;

    for (int k = 0; k < 3; k++) {
        struct cf_ode_options options = {
            .tolerance = tolerance[k], .scale = ones, .max_steps = 1000};
        bool good = true;
        for (double beta = 1e-2; beta > 1e-7; beta *= 0.7) {
            /* it starts in the first such window: past it */
            double t = 0, y[3] = {0.5, 0.9, 0};
            good &= cf_ode_run(ode, &system, &beta, &options, &t, y, NULL, 100, &result, NULL) ==
                        CF_OK &&
                    result.reason == CF_ODE_EVENT && result.event == 1 && y[0] > 0 &&
                    fabs(y[0] - sqrt(-beta * y[1])) < 1e-14;
        }
        ok(good, "at %g the force's narrow window below 0 is found for beta 1e-7 to 1e-2",
           tolerance[k]);
    }
    cf_ode_free(ode);
}

static void test_impact(void)
{
    /* reference: beta, e, duration */
    static const double row[][3] = {{0.01, 0.98854743964272943, 3.21179830015394},
                                    {0.1, 0.89285887550655333, 3.15725565580257},
                                    {1, 0.39393060322987319, 2.75202657403905},
                                    {10, 0.025095704431518392, 1.63071544465623}};
    const struct cf_ode_event event[] = {
        {.name = "peak", .g = peak, .direction = -1},
        {.name = "end", .g = force, .direction = -1, .terminal = true}};
    const struct cf_ode_system system = {.n = 3, .rates = impact, .nevent = 2, .event = event};
    struct cf_ode_options options = {.tolerance = 1e-14, .scale = ones, .max_steps = 1000};
    struct cf_ode *ode = cf_ode_alloc(3, 0);
    struct cf_ode_result result;

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        double t = 0, y[3] = {0, 1, 0};
        cf_ode_run(ode, &system, &row[i][0], &options, &t, y, NULL, 100, &result, NULL);
        is_near(-y[1] / row[i][1], 1, 2e-14, "beta = %g: e", row[i][0]);
        is_near(y[2], row[i][2], 2e-13, "duration");
    }
    cf_ode_free(ode);
}

/* A driven, damped, stiffening spring that meets a moving wall and is thrown back: no part of it is
 * simple. p = damping, stiffening, drive, wall's speed, restitution; also by the first y. */
enum { DAMP, STIFFEN, DRIVE, WALL, BACK, NWALL, FIRST = NWALL, NCOLUMN };

static void spring(const void *context, double t, const double y[], double dydt[])
{
    const double *p = context;
    dydt[0] = y[1];
    dydt[1] = -y[0] - p[STIFFEN] * y[0] * y[0] * y[0] - p[DAMP] * y[1] + p[DRIVE] * cos(1.3 * t);
}

static void spring_variation(const void *context, double t, const double y[], const double s[],
                             double dsdt[])
{
    const double *p = context;

    for (size_t column = 0; column < NCOLUMN; column++, s += 2, dsdt += 2) {
        dsdt[0] = s[1];
        dsdt[1] = -(1 + 3 * p[STIFFEN] * y[0] * y[0]) * s[0] - p[DAMP] * s[1];
        dsdt[1] += column == DAMP      ? -y[1]
                   : column == STIFFEN ? -y[0] * y[0] * y[0]
                   : column == DRIVE   ? cos(1.3 * t)
                                       : 0;
    }
}

static double wall(const void *context, double t, const double y[])
{
    const double *p = context;
    return y[0] * fabs(y[0]) - 0.4 - p[WALL] * t;
}

static double wall_slope(const void *context, double t, const double y[], const double s[],
                         size_t column)
{
    const double *p = context;
    double by_p = column == WALL ? -t : column == CF_ODE_TIME ? -p[WALL] : 0;
    return 2 * fabs(y[0]) * s[0] + by_p;
}

/* the speed against the wall is turned round; it depends on the time too */
static void throw(const void *context, double t, const double y[], double after[])
{
    const double *p = context;
    after[0] = y[0];
    after[1] = -p[BACK] * y[1] - 0.01 * t * y[0];
}

static void throw_slope(const void *context, double t, const double y[], const double s[],
                        size_t column, double after[])
{
    const double *p = context;
    after[0] = s[0];
    after[1] = -p[BACK] * s[1] - 0.01 * t * s[0];
    after[1] += column == BACK ? -y[1] : column == CF_ODE_TIME ? -0.01 * y[0] : 0;
}

static const struct cf_ode_event walls = {.name = "wall",
                                          .g = wall,
                                          .slope = wall_slope,
                                          .direction = 1,
                                          .reset = throw,
                                          .reset_slope = throw_slope};

static int wall_run(const double p[NCOLUMN], double tolerance, double out[3], double s[],
                    struct log *log)
{
    const struct cf_ode_system system = {.n = 2,
                                         .ncolumn = s ? NCOLUMN : 0,
                                         .rates = spring,
                                         .variation = spring_variation,
                                         .nevent = 1,
                                         .event = &walls};
    struct cf_ode_options options = {
        .tolerance = tolerance, .scale = ones, .max_steps = 10000, .observer = log};
    struct cf_ode *ode = cf_ode_alloc(2, s ? NCOLUMN : 0);
    struct cf_ode_result result;
    double t = 0, y[2] = {p[FIRST], 0.3};
    int status;

    options.seen = note;
    status = cf_ode_run(ode, &system, p, &options, &t, y, s, 12, &result, NULL);
    out[0] = y[0], out[1] = y[1];
    cf_ode_free(ode);
    return status;
}

static void test_wall(void)
{
    const double p[NCOLUMN] = {0.11, 0.6, 0.8, 0.01, 0.7, 0.2};
    double s[2 * NCOLUMN] = {0}, y[3], tight[3];
    struct log log = {0}, other;
    bool good;

    s[2 * FIRST] = 1;
    good = wall_run(p, 1e-13, y, s, &log) == CF_OK;
    ok(good && log.count >= 3, "a driven spring at a moving wall: %d throws", log.count);
    wall_run(p, 1e-15, tight, NULL, &(struct log){0});
    ok(fabs(y[0] - tight[0]) < 1e-11 && fabs(y[1] - tight[1]) < 1e-11,
       "within 1e-11 of a tighter run");
    for (size_t c = 0; c < NCOLUMN; c++) {
        /* central differences at h, h/2, extrapolated */
        double d[2][2], h = 1e-3;
        for (int half = 0; half < 2; half++, h /= 2) {
            double q[NCOLUMN], up[3], down[3];
            memcpy(q, p, sizeof q);
            q[c] = p[c] + h;
            other.count = 0;
            wall_run(q, 1e-15, up, NULL, &other);
            q[c] = p[c] - h;
            wall_run(q, 1e-15, down, NULL, &other);
            for (int i = 0; i < 2; i++)
                d[half][i] = (up[i] - down[i]) / (2 * h);
        }
        good = true;
        for (int i = 0; i < 2; i++) {
            double want = (4 * d[1][i] - d[0][i]) / 3;
            good &= fabs(s[2 * c + (size_t) i] - want) < 1e-6 * fmax(1, fabs(want));
        }
        ok(good, "sensitivity %zu agrees with extrapolated differences: %.9g, %.9g", c, s[2 * c],
           (4 * d[1][0] - d[0][0]) / 3);
    }
    /* steps at a loose tolerance: the derivative is as good as the value */
    {
        double loose[2 * NCOLUMN] = {0};
        loose[2 * FIRST] = 1;
        wall_run(p, 1e-7, y, loose, &log);
        good = true;
        for (int i = 0; i < 2 * NCOLUMN; i++)
            good &= fabs(loose[i] - s[i]) < 1e-4 * fmax(1, fabs(s[i]));
        ok(good, "and at 1e-7 they are within 1e-4");
    }
}

/* simultaneous events */
static double past(const void *context, double t, const double y[])
{
    (void) context, (void) y;
    return t - 1;
}

static void kick(const void *context, double t, const double y[], double after[])
{
    (void) context, (void) t;
    after[0] = y[0] + 1;
    after[1] = y[1];
}

static void twice(const void *context, double t, const double y[], double after[])
{
    (void) context, (void) t;
    after[0] = 2 * y[0];
    after[1] = y[1];
}

static void test_together(void)
{
    struct cf_ode_event event[] = {
        {.name = "kick", .g = past, .reset = kick},
        {.name = "twice", .g = past, .reset = twice},
        {.name = "falls", .g = past, .direction = -1, .terminal = true},
    };
    const struct cf_ode_system system = {.n = 2, .rates = swing, .nevent = 3, .event = event};
    struct log log = {0};
    struct cf_ode_options options = {
        .tolerance = 1e-13, .scale = ones, .max_steps = 1000, .seen = note, .observer = &log};
    struct cf_ode *ode = cf_ode_alloc(2, 0);
    struct cf_ode_result result;
    double t = 0, y[2] = {1, 0}, a, b = -sin(1);

    cf_ode_run(ode, &system, NULL, &options, &t, y, NULL, 2, &result, NULL);
    a = 2 * (cos(1) + 1);
    ok(log.count == 2 && log.event[0] == 0 && log.event[1] == 1 && log.t[0] == 1 && log.t[1] == 1,
       "two events at one time are reported in the table's order, each once, at t = 1 exactly");
    is_near(y[0], a * cos(1) + b * sin(1), 1e-12,
            "the later reset acts on the earlier one's state");
    event[1].terminal = true;
    log.count = 0;
    t = 0, y[0] = 1, y[1] = 0;
    cf_ode_run(ode, &system, NULL, &options, &t, y, NULL, 2, &result, NULL);
    ok(log.count == 2 && result.reason == CF_ODE_EVENT && result.event == 1 && t == 1,
       "and a terminal one ends the run");
    is_near(y[0], cos(1) + 1, 1e-13, "with its own reset left to the caller");
    cf_ode_free(ode);
}

/* two narrow dips per turn of a level that moves through both ends of the swing */
static double inside(const void *context, double t, const double y[])
{
    const double *width = context;
    (void) t;
    return 1 - *width - y[0] * y[0];
}

static double broken(const void *context, double t, const double y[])
{
    (void) context, (void) y;
    return t < 1 ? 1 : (double) NAN;
}

static void test_more(void)
{
    struct cf_ode_event event = {.name = "inside", .g = inside, .direction = 1};
    const struct cf_ode_system system = {.n = 2, .rates = swing, .nevent = 1, .event = &event};
    struct log log = {0};
    struct cf_ode_options options = {
        .tolerance = 1e-9, .scale = ones, .max_steps = 1000, .seen = note, .observer = &log};
    struct cf_ode *ode = cf_ode_alloc(2, 0);
    struct cf_ode_result result;
    struct cf_error err;
    double width = 1e-6, t = 0, y[2] = {0, 1};
    bool good;

    cf_ode_run(ode, &system, &width, &options, &t, y, NULL, 20 * PI, &result, NULL);
    good = log.count == 20;
    for (int k = 0; k < 20; k++)
        good &= fabs(log.t[k] - (k + 0.5) * PI - asin(sqrt(width))) < 1e-5;
    ok(good, "only the second of a dip's two roots rises: %d of 20", log.count);

    event.g = broken;
    t = 0;
    ok(cf_ode_run(ode, &system, NULL, &options, &t, y, NULL, 2, &result, &err) == CF_ESOLVE &&
           result.reason == CF_ODE_NOT_FINITE && t < 1 && t > 1 - 1e-12,
       "up to where g is not a number");
    cf_ode_free(ode);
}

/* a cubic of the swing's state, lifted so that its lowest dip is 1e-4 deep */
static double cubic(const void *context, double t, const double y[])
{
    const double *a = context;
    (void) t;
    return a[0] + a[1] * y[0] + a[2] * y[1] + a[3] * y[0] * y[1] + a[4] * y[0] * y[0] * y[0] +
           a[5] * y[1] * y[1];
}

static void test_cubics(void)
{
    const struct cf_ode_event event = {.name = "cubic", .g = cubic};
    const struct cf_ode_system system = {.n = 2, .rates = swing, .nevent = 1, .event = &event};
    struct log log;
    struct cf_ode_options options = {
        .tolerance = 1e-7, .scale = ones, .max_steps = 1000, .seen = note, .observer = &log};
    struct cf_ode *ode = cf_ode_alloc(2, 0);
    struct cf_ode_result result;
    int wrong = 0;

    for (int i = 0; i < 60; i++) {
        /* coefficients in -1 .. 1, spread by the golden ratio's multiples */
        double a[6] = {0}, low = 10, t = 0, y[2] = {1, 0}, before;
        int count = 0;
        for (int j = 1; j < 6; j++)
            a[j] = 2 * fmod((7 * i + j * j) * 0.6180339887498949, 1) - 1;
        for (int k = 0; k < 5000; k++)
            low =
                fmin(low, cubic(a, 0, (double[]){cos(k * 2e-4 * 2 * PI), sin(k * 2e-4 * 2 * PI)}));
        a[0] = -low - 1e-4;
        before = cubic(a, 0, y);
        for (int k = 1; k <= 20000; k++) {
            double now = cubic(a, 0, (double[]){cos(1e-3 * k), -sin(1e-3 * k)});
            count += (now > 0) != (before > 0);
            before = now;
        }
        log.count = 0;
        cf_ode_run(ode, &system, a, &options, &t, y, NULL, 20, &result, NULL);
        wrong += log.count != count;
    }
    ok(wrong == 0, "of 60 curves with narrow dips none is reported wrong: %d", wrong);
    cf_ode_free(ode);
}

/* in fixed steps an event waits for the end of its step */
static void test_fixed(void)
{
    const double p[NP] = {1, 0.5, 10};
    struct cf_ode_event event = {.name = "ground", .g = ground, .direction = -1, .reset = bounce};
    const struct cf_ode_system system = {.n = 2, .rates = fall, .nevent = 1, .event = &event};
    const struct cf_ode_scheme *scheme = cf_ode_scheme_find("rk4");
    struct cf_ode *ode = cf_ode_alloc(2, 0);
    struct cf_ode_result result;
    double t = 0, y[2] = {1, 0}, h, v;

    /* it falls 1 m in 0.447 s: seen at 0.45 s, at 1 - 1.0125 m, with 4.5 m/s */
    cf_ode_fixed(ode, scheme, &system, p, 0.01, 46, &t, y, &result, NULL);
    h = 1 - 5 * 0.45 * 0.45, v = 2.25;
    ok(result.reason == CF_ODE_REACHED && result.steps == 46 && fabs(t - 0.46) < 1e-15,
       "46 steps of 0.01 s");
    is_within(y[0], h + v * 0.01 - 5e-4, 1e-14, "the ball was turned round below the ground");
    is_near(y[1], v - 0.1, 1e-14, "its speed halved");
    cf_ode_fixed(ode, scheme, &system, p, 0.01, 10, &t, y, &result, NULL);
    ok(y[1] > 0, "and coming up through the ground it is let be");
    event.terminal = true;
    t = 0, y[0] = 1, y[1] = 0;
    cf_ode_fixed(ode, scheme, &system, p, 0.01, 100, &t, y, &result, NULL);
    ok(result.reason == CF_ODE_EVENT && result.event == 0 && result.steps == 45 &&
           fabs(t - 0.45) < 1e-15 && fabs(y[1] + 4.5) < 1e-14,
       "a terminal event ends the run at the end of its step");
    cf_ode_free(ode);
}

TEST(events)
{
    plan(64);
    test_ball();
    test_many_bounces();
    test_swing();
    test_grazing();
    test_trap();
    test_impact();
    test_wall();
    test_together();
    test_more();
    test_cubics();
    test_fixed();
    return done();
}
