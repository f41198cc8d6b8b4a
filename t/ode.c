/* The stepper: its coefficients, orders and accuracy against closed forms, where its steps end and
 * its rates are evaluated, and its limits. */

#include "ode/ode.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ode/tableau.h"
#include "tap.h"

static const double PI = 3.14159265358979323846;
static const double ones[] = {1, 1, 1, 1};

static void swing(const void *context, double t, const double y[], double dydt[])
{
    (void) context, (void) t;
    dydt[0] = y[1];
    dydt[1] = -y[0];
}

/* y = exp(sin t) */
static void wave(const void *context, double t, const double y[], double dydt[])
{
    (void) context;
    dydt[0] = y[0] * cos(t);
}

static void kepler(const void *context, double t, const double y[], double dydt[])
{
    double r = hypot(y[0], y[1]);
    (void) context, (void) t;
    dydt[0] = y[2];
    dydt[1] = y[3];
    dydt[2] = -y[0] / (r * r * r);
    dydt[3] = -y[1] / (r * r * r);
}

static double total(const struct cf_dop_row *row, int power)
{
    double sum = 0;
    for (int j = 0; j < row->count; j++)
        sum += row->weight[j] * pow(cf_dop_c[row->stage[j]], power);
    return sum;
}

static void test_coefficients(void)
{
    double worst = 0;
    bool good = true;

    for (int i = 1; i < CF_DOP_ALL; i++) {
        worst = fmax(worst, fabs(total(&cf_dop_a[i], 0) - cf_dop_c[i]));
        for (int j = 0; j < cf_dop_a[i].count; j++)
            good &= cf_dop_a[i].stage[j] < i &&
                    (j == 0 || cf_dop_a[i].stage[j] > cf_dop_a[i].stage[j - 1]);
    }
    ok(good && worst < 1e-14, "rows are explicit and sum to c");
    for (int i = 3; i < CF_DOP_ALL; i++)
        worst = fmax(worst, fabs(total(&cf_dop_a[i], 1) - 0.5 * cf_dop_c[i] * cf_dop_c[i]));
    ok(worst < 1e-14, "from the fourth stage on sum a c = c^2/2");
    worst = 0;
    for (int power = 0; power < 8; power++)
        worst = fmax(worst, fabs(total(&cf_dop_a[CF_DOP_STAGES], power) - 1.0 / (power + 1)));
    ok(worst < 1e-15, "sum b c^k = 1/(k + 1) up to k = 7");
    worst = 0;
    for (int power = 0; power < 5; power++)
        worst = fmax(worst, fabs(total(&cf_dop_error_5, power)));
    ok(worst < 1e-15 && fabs(total(&cf_dop_error_5, 5)) > 1e-4, "the error of order 5 is of that");
    worst = 0;
    for (int power = 0; power < 3; power++)
        worst = fmax(worst, fabs(total(&cf_dop_weight_3, power) - 1.0 / (power + 1)));
    ok(worst < 1e-15, "and the other one's weights integrate t^2");
    worst = 0;
    for (int j = 0; j < CF_DOP_DENSE; j++)
        worst = fmax(worst, fabs(total(&cf_dop_dense[j], 0)));
    ok(worst < 1e-12, "the dense output of a constant rate is straight");
}

/* Largest error of the dense output at places in the steps. */
struct between {
    double worst;
    int steps;
    double longest;
};

static void look(void *observer, const struct cf_ode_dense *dense)
{
    struct between *b = observer;
    double from, to, y[4];

    cf_ode_dense_span(dense, &from, &to);
    for (int i = 0; i <= 10; i++) {
        double t = from + (to - from) * 0.1 * i;
        cf_ode_dense_at(dense, t, y);
        b->worst = fmax(b->worst, fabs(y[0] - exp(sin(t))));
    }
    b->steps++;
    b->longest = fmax(b->longest, to - from);
}

/* Error at t = 6 with steps of one length: the tolerance is so loose that none is refused. */
static double wave_error(double h, struct between *b)
{
    const struct cf_ode_system system = {.n = 1, .rates = wave};
    struct cf_ode_options options = {.tolerance = 0.9,
                                     .scale = ones,
                                     .first_step = h,
                                     .max_step = h,
                                     .max_steps = 10000,
                                     .step = b ? look : NULL,
                                     .observer = b};
    struct cf_ode *ode = cf_ode_alloc(1, 0);
    struct cf_ode_result result;
    double t = 0, y = 1;

    cf_ode_run(ode, &system, NULL, &options, &t, &y, NULL, 6, &result, NULL);
    cf_ode_free(ode);
    return fabs(y - exp(sin(6)));
}

static void test_order(void)
{
    struct between coarse = {0}, fine = {0};
    double order = log2(wave_error(0.5, NULL) / wave_error(0.25, NULL));

    ok(order > 7.5 && order < 9, "order 8: %g", order);
    wave_error(0.25, &coarse);
    wave_error(0.125, &fine);
    order = log2(coarse.worst / fine.worst);
    ok(order > 7 && order < 9 && coarse.steps == 24 && fine.steps == 48,
       "within the steps order 7 and one for their length: %g", order);
    ok(fine.worst < 1e-9, "and small: %g", fine.worst);
}

static void test_schemes(void)
{
    const struct cf_ode_system system = {.n = 1, .rates = wave};
    struct cf_ode *ode = cf_ode_alloc(1, 0);
    struct cf_ode_result result;

    for (size_t i = 0; cf_ode_schemes[i]; i++) {
        const struct cf_ode_scheme *scheme = cf_ode_schemes[i];
        double error[2], order, worst = 0;
        for (size_t j = 0; j < scheme->nstage; j++) {
            double sum = 0;
            for (size_t k = 0; k < scheme->nstage; k++)
                sum += scheme->a[j * scheme->nstage + k];
            worst = fmax(worst, fabs(sum - scheme->c[j]));
        }
        for (int k = 0; k < 2; k++) {
            double t = 0, y = 1;
            size_t count = k ? 240 : 120;
            cf_ode_fixed(ode, scheme, &system, NULL, 6.0 / (double) count, count, &t, &y, &result,
                         NULL);
            error[k] = fabs(y - exp(sin(6)));
        }
        order = log2(error[0] / error[1]);
        ok(worst < 1e-14 && fabs(order - scheme->order) < 0.2 &&
               cf_ode_scheme_find(scheme->name) == scheme &&
               result.evaluations == 240 * scheme->nstage,
           "%s (%s) is of order %d: %g", scheme->name, scheme->what, scheme->order, order);
    }
    ok(cf_ode_scheme_find("rk45") == NULL, "there is no rk45");
    cf_ode_free(ode);
}

static void test_accuracy(void)
{
    const struct cf_ode_system system = {.n = 2, .rates = swing};
    const struct cf_ode_system orbit = {.n = 4, .rates = kepler};
    const double e = 0.5;
    struct cf_ode_options options = {.tolerance = 1e-13, .scale = ones, .max_steps = 1000};
    struct cf_ode *ode = cf_ode_alloc(2, 0), *big = cf_ode_alloc(4, 0);
    struct cf_ode_result result;
    double t = 0, y[4] = {1, 0, 0, 0}, again[4] = {1 - e, 0, 0, 0};

    cf_ode_run(ode, &system, NULL, &options, &t, y, NULL, 10, &result, NULL);
    ok(t == 10 && result.reason == CF_ODE_REACHED, "the end is reached exactly");
    is_near(y[0], cos(10), 1e-12, "cos 10");
    is_near(y[1], -sin(10), 1e-12, "-sin 10");
    again[3] = sqrt((1 + e) / (1 - e));
    memcpy(y, again, sizeof y);
    t = 0;
    cf_ode_run(big, &orbit, NULL, &options, &t, y, NULL, 2 * PI, &result, NULL);
    is_near(y[0], 1 - e, 1e-12, "an orbit of eccentricity 1/2 closes");
    is_within(y[1], 0, 1e-11, "on itself");
    t = 0;
    cf_ode_run(big, &orbit, NULL, &options, &t, again, NULL, 2 * PI, &result, NULL);
    ok(memcmp(y, again, sizeof y) == 0, "a second run in the same workspace: the same bits");
    options.tolerance = 1e-16;
    t = 0;
    ok(cf_ode_run(big, &orbit, NULL, &options, &t, y, NULL, 2 * PI, &result, NULL) == CF_OK &&
           result.rejected < result.steps / 2,
       "a tolerance below rounding does not stall: %zu steps", result.steps);
    cf_ode_free(ode);
    cf_ode_free(big);
}

/* where steps end and rates are evaluated */

/* Of a run: its steps, the span of times at which rates were evaluated, and its cap. */
struct trail {
    int steps;
    double shortest, longest;
    double first_s, last_s; /* asked */
    double cap;
};

static void asked(const void *context, double t, const double y[], double dydt[])
{
    struct trail *trail = *(struct trail *const *) context;
    trail->first_s = fmin(trail->first_s, t);
    trail->last_s = fmax(trail->last_s, t);
    dydt[0] = y[0] * cos(t);
}

static double cap_of(const void *context, double t, const double y[])
{
    (void) t, (void) y;
    return (*(struct trail *const *) context)->cap;
}

static void pace(void *observer, const struct cf_ode_dense *dense)
{
    struct trail *trail = observer;
    double from, to;

    cf_ode_dense_span(dense, &from, &to);
    trail->steps++;
    trail->shortest = fmin(trail->shortest, to - from);
    trail->longest = fmax(trail->longest, to - from);
}

/* The record of the wave, with steps of at most `longest` and `cap`; 0: no such limit. */
static struct trail run_wave(double from, double to, double longest, double cap, bool own_start)
{
    struct trail trail = {
        .shortest = INFINITY, .first_s = INFINITY, .last_s = -INFINITY, .cap = cap};
    struct trail *context = &trail;
    const struct cf_ode_system system = {.n = 1, .rates = asked};
    const struct cf_ode_options options = {.tolerance = 1e-6,
                                           .scale = ones,
                                           .first_step = own_start ? 0 : longest + cap,
                                           .max_step = longest,
                                           .max_steps = 10000,
                                           .cap = cap > 0 ? cap_of : NULL,
                                           .step = pace,
                                           .observer = &trail};
    struct cf_ode *ode = cf_ode_alloc(1, 0);
    struct cf_ode_result result;
    double t = from, y = exp(sin(from));

    ok(cf_ode_run(ode, &system, &context, &options, &t, &y, NULL, to, &result, NULL) == CF_OK &&
           t == to && fabs(y - exp(sin(to))) < 1e-4,
       "from %g to %g, at most %.9g at once: ends there", from, to, longest + cap);
    cf_ode_free(ode);
    return trail;
}

/* A limit holds for the last step, too: a remainder makes a short step, a remainder from rounding
 * makes none. */
static void test_last_step(void)
{
    static const double short_of[] = {1e-3, 1e-6, 1e-8};

    for (int i = 0; i < 6; i++) {
        double most = 0.1 * (1 - short_of[i / 2]);
        struct trail trail = run_wave(0, 1, i % 2 ? most : 0, i % 2 ? 0 : most, false);
        ok(trail.longest <= most * (1 + 2e-9) && trail.steps == 11,
           "a tenth less %g of it: ten steps and the rest, none longer (%.1e)", short_of[i / 2],
           trail.longest / most - 1);
    }
    for (int n = 3; n <= 12; n += 3) {
        struct trail trail = run_wave(0.7, 2, 1.3 / n, 0, false);
        ok(trail.steps == n && trail.shortest > 1.3 / n * (1 - 1e-12), "%d equal ones are %d", n,
           n);
    }
}

/* Rates may be known between the start and the end only. */
static void test_within(void)
{
    static const struct {
        double from, to, longest;
    } row[] = {{0, 6, 0}, {-3, 3, 0}, {2, 2.001, 0}, {1e6, 1e6 + 1, 0}, {0, 1, 0.01}};

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct trail trail = run_wave(row[i].from, row[i].to, row[i].longest, 0, true);
        ok(trail.first_s == row[i].from && trail.last_s == row[i].to,
           "rates are asked from the start on and no later than the end");
    }
}

/* 1, but for a moment at which only the stages of the dense output look. */
static void moment(const void *context, double t, const double y[], double dydt[])
{
    (void) context, (void) y;
    dydt[0] = fabs(t - 0.2) < 0.01 ? 1e9 : 1;
}

static void keep_worst(void *observer, const struct cf_ode_dense *dense)
{
    double *worst = observer, from, to, y;

    cf_ode_dense_span(dense, &from, &to);
    for (int i = 0; i <= 10; i++) {
        double t = from + (to - from) * 0.1 * i;
        cf_ode_dense_at(dense, t, &y);
        *worst = fmax(*worst, fabs(y - t));
    }
}

/* What the dense output asks for beyond the step has no say in the error: it may not lead away from
 * a step that is right. */
static void test_tame(void)
{
    double worst = 0, t = 0, y = 0;
    const struct cf_ode_system system = {.n = 1, .rates = moment};
    const struct cf_ode_options options = {.tolerance = 1e-6,
                                           .scale = ones,
                                           .first_step = 1,
                                           .max_step = 1,
                                           .max_steps = 10,
                                           .step = keep_worst,
                                           .observer = &worst};
    struct cf_ode *ode = cf_ode_alloc(1, 0);
    struct cf_ode_result result;

    cf_ode_run(ode, &system, NULL, &options, &t, &y, NULL, 1, &result, NULL);
    ok(fabs(y - 1) < 1e-12 && worst < 1e-12, "between the ends of a right step: %.1e off", worst);
    cf_ode_free(ode);
}

/* failures */

static void poisoned(const void *context, double t, const double y[], double dydt[])
{
    (void) context;
    dydt[0] = t < 1 ? y[0] : (double) NAN;
}

static void blow_up(const void *context, double t, const double y[], double dydt[])
{
    (void) context, (void) t;
    dydt[0] = y[0] * y[0];
}

static double half(const void *context, double t, const double y[])
{
    (void) context, (void) t, (void) y;
    return 0.05;
}

static void test_limits(void)
{
    struct cf_ode_system system = {.n = 1, .rates = wave};
    struct between b = {0};
    struct cf_ode_options options = {.tolerance = 1e-10, .scale = ones, .max_steps = 10};
    struct cf_ode *ode = cf_ode_alloc(1, 0);
    struct cf_ode_result result;
    struct cf_error err;
    double t = 0, y = 1;
    char want[160];

    ok(cf_ode_run(ode, &system, NULL, &options, &t, &y, NULL, 100, &result, &err) == CF_ESOLVE &&
           result.reason == CF_ODE_STEPS && result.steps + result.rejected == 10 && t > 0.5,
       "steps run out");
    snprintf(want, sizeof want, "integration stopped at t = %.9g: the limit of 10 steps ran out",
             t);
    is_str(err.text, want, "in words");
    is_near(y, exp(sin(t)), 1e-9, "and the state is the last good one");

    options.max_steps = 1000;
    system.rates = poisoned;
    t = 0, y = 1;
    ok(cf_ode_run(ode, &system, NULL, &options, &t, &y, NULL, 3, &result, &err) == CF_ESOLVE &&
           result.reason == CF_ODE_NOT_FINITE && t < 1 && t > 1 - 1e-12,
       "up to where the rates are not numbers");
    is_str(err.text, "integration stopped at t = 1: a rate, a state or an event's g is not finite",
           "in words");
    is_near(y, exp(1), 1e-9, "the state there is good");
    t = 2, y = 1;
    ok(cf_ode_run(ode, &system, NULL, &options, &t, &y, NULL, 3, &result, &err) == CF_ESOLVE &&
           result.reason == CF_ODE_NOT_FINITE && t == 2 && y == 1,
       "not a number from the start");

    system.rates = blow_up;
    t = 0, y = 1;
    ok(cf_ode_run(ode, &system, NULL, &options, &t, &y, NULL, 3, &result, &err) == CF_ESOLVE &&
           result.reason == CF_ODE_TOO_SMALL && fabs(t - 1) < 1e-8,
       "a pole stops the run");
    is_str(err.text, "integration stopped at t = 1: the step fell below the rounding of t",
           "in words");

    system.rates = wave;
    options.cap = half;
    options.step = look;
    options.observer = &b;
    t = 0, y = 1;
    cf_ode_run(ode, &system, NULL, &options, &t, &y, NULL, 2, &result, &err);
    ok(b.longest < 0.05 * (1 + 1e-8) && b.steps >= 40 && b.steps < 60,
       "no step is longer than the cap");
    is_near(y, exp(sin(2)), 1e-12, "and the end is met");
    cf_ode_free(ode);
}

static void test_refusals(void)
{
    struct cf_ode_system system = {.n = 1, .rates = wave};
    const struct cf_ode_event event = {.name = "late", .g = half};
    double none = 0;
    struct cf_ode_options options = {.tolerance = 1e-10, .scale = ones, .max_steps = 10};
    struct cf_ode *ode = cf_ode_alloc(1, 0), *two = cf_ode_alloc(2, 0), *columns;
    struct cf_ode_result result;
    struct cf_error err;
    double t = 1, y = 1, s = 0;

    ok(cf_ode_run(two, &system, NULL, &options, &t, &y, NULL, 2, &result, &err) == CF_ERANGE, "n");
    is_str(err.text, "the system has 1 states and 0 sensitivities, the workspace 2 and 0",
           "in words");
    cf_ode_run(ode, &system, NULL, &options, &t, &y, NULL, 1, &result, &err);
    is_str(err.text, "the end t = 1 does not lie after the start t = 1", "an end at the start");
    options.scale = &none;
    cf_ode_run(ode, &system, NULL, &options, &t, &y, NULL, 2, &result, &err);
    is_str(err.text, "the scale of state 0 is 0: it must be above 0", "no scale");
    options.scale = ones;
    options.tolerance = 0;
    cf_ode_run(ode, &system, NULL, &options, &t, &y, NULL, 2, &result, &err);
    is_str(err.text, "tolerance = 0 lies outside 0 to 1", "no tolerance");
    options.tolerance = 1e-10;
    columns = cf_ode_alloc(1, 1);
    system.ncolumn = 1;
    cf_ode_run(columns, &system, NULL, &options, &t, &y, &s, 2, &result, &err);
    is_str(err.text, "the system has 1 sensitivities and no variation", "no variation");
    system.nevent = 1;
    system.event = &event;
    cf_ode_fixed(ode, cf_ode_schemes[0], &system, NULL, 0, 1, &t, &y, &result, &err);
    is_str(err.text, "the step 0 must be above 0", "no step");
    ok(cf_ode_fixed(ode, cf_ode_schemes[0], &(struct cf_ode_system){.n = 1, .rates = poisoned},
                    NULL, 0.1, 5, &t, &y, &result, &err) == CF_ESOLVE &&
           t == 1 && y == 1,
       "fixed steps stop where a rate is not a number");
    is_str(err.text, "integration stopped at t = 1: a rate, a state or an event's g is not finite",
           "in words");
    ok(!strcmp(cf_ode_reason_text(CF_ODE_EVENT), "a terminal event"), "reasons have words");
    cf_ode_free(ode);
    cf_ode_free(two);
    cf_ode_free(columns);
    cf_ode_free(NULL);
}

TEST(ode)
{
    plan(43 + 2 * 10 + 2 * 5);
    test_coefficients();
    test_order();
    test_schemes();
    test_accuracy();
    test_last_step();
    test_within();
    test_tame();
    test_limits();
    test_refusals();
    return done();
}
