/* Columns under the error control of both methods, against closed forms. */

#include <math.h>
#include <string.h>

#include "ode/ode.h"
#include "tap.h"

enum { METHODS = 3 };
static const enum cf_ode_method method[METHODS] = {CF_ODE_EXPLICIT, CF_ODE_STIFF, CF_ODE_AUTO};
static const char *const name[METHODS] = {"explicit", "stiff", "auto"};

/* y' = -a (y - cos t), y(0) = 0: columns by a, by y(0). */
enum { BY_A, BY_START, NCOLUMN };

static void follow(const void *context, double t, const double y[], double dydt[])
{
    const double *a = context;

    dydt[0] = -*a * (y[0] - cos(t));
    dydt[1] = y[0]; /* no rate reads it */
}

static void follow_along(const void *context, double t, const double y[], const double s[],
                         double dsdt[])
{
    const double *a = context;

    dsdt[BY_A] = -*a * s[BY_A] - (y[0] - cos(t));
    dsdt[BY_START] = -*a * s[BY_START];
}

/* d y/d a: y = A cos t + B sin t - A exp(-a t), A = a^2/(1 + a^2), B = a/(1 + a^2). */
static double follow_by(double a, double t)
{
    double d = 1 + a * a, A = a * a / d, dA = 2 * a / (d * d), dB = (1 - a * a) / (d * d);

    return dA * cos(t) + dB * sin(t) + (A * t - dA) * exp(-a * t);
}

struct watch {
    double a, off, off_rate;
    size_t seen;
};

/* The columns within a step, and single states with their rates. */
static void look(void *observer, const struct cf_ode_dense *dense)
{
    struct watch *w = observer;
    double from, to;

    cf_ode_dense_span(dense, &from, &to);
    for (int i = 0; i <= 4; i++) {
        double t = from + i * (to - from) / 4, s[NCOLUMN], value, rate, by[NCOLUMN], dydt[2];
        const size_t first = 0;
        cf_ode_dense_columns_at(dense, t, s);
        cf_ode_dense_states_at(dense, t, 1, &first, &value, &rate, by);
        follow(&w->a, t, (double[2]){value, 0}, dydt);
        w->off = fmax(w->off, fabs(s[BY_A] - follow_by(w->a, t)));
        w->off = fmax(w->off, fabs(by[BY_START] - exp(-w->a * t)));
        w->off = fmax(w->off, fabs(by[BY_A] - s[BY_A]));
        w->off_rate = fmax(w->off_rate, fabs(rate - dydt[0]) / (1 + fabs(dydt[0])));
        w->seen++;
    }
}

static void test_follow(void)
{
    static const double scale[] = {1, 1}, a[] = {0.5, 30, 1e4};

    for (int k = 0; k < 3; k++)
        for (int m = 0; m < METHODS; m++) {
            double s_size[] = {1e-3 / a[k], 1e-3}, y[] = {0, 0}, s[] = {0, 1}, t = 0;
            struct watch watch = {.a = a[k]};
            const struct cf_ode_options options = {.method = method[m],
                                                   .tolerance = 1e-9,
                                                   .scale = scale,
                                                   .s_size = s_size,
                                                   .max_steps = 100000,
                                                   .step = look,
                                                   .observer = &watch};
            const struct cf_ode_system system = {
                .n = 2, .nread = 1, .ncolumn = NCOLUMN, .rates = follow, .variation = follow_along};
            struct cf_ode *ode = cf_ode_alloc(2, NCOLUMN);
            struct cf_ode_result out;
            struct cf_error err = {""};
            int status = cf_ode_run(ode, &system, &a[k], &options, &t, y, s, 2, &out, &err);
            double off = fabs(s[BY_A] / follow_by(a[k], 2) - 1);
            cf_ode_free(ode);
            ok(status == CF_OK && off < 2e-6, "%s, a = %g: dy/da off by %.1e after %zu steps%s",
               name[m], a[k], off, out.steps, err.text);
            ok(watch.seen > 0 && watch.off < 3e-8 * fmax(1, 1 / a[k]) && watch.off_rate < 1e-3,
               "within steps by %.1e, rates by %.1e", watch.off, watch.off_rate);
        }
}

/* y' = max(0, t - p): the column's rate jumps at p, where no event is. */
static void bend(const void *context, double t, const double y[], double dydt[])
{
    (void) y;
    dydt[0] = fmax(0, t - *(const double *) context);
}

static void bend_along(const void *context, double t, const double y[], const double s[],
                       double dsdt[])
{
    (void) y, (void) s;
    dsdt[0] = t > *(const double *) context ? -1 : 0;
}

static void test_unmarked(void)
{
    static const double scale[] = {1}, p = 0.7391;

    for (int m = 0; m < METHODS; m++) {
        double s_size[] = {1e-3}, y[] = {0}, s[] = {0}, t = 0;
        const struct cf_ode_options options = {.method = method[m],
                                               .tolerance = 1e-8,
                                               .scale = scale,
                                               .s_size = s_size,
                                               .max_steps = 10000};
        const struct cf_ode_system system = {
            .n = 1, .ncolumn = 1, .rates = bend, .variation = bend_along};
        struct cf_ode *ode = cf_ode_alloc(1, 1);
        struct cf_ode_result out;
        struct cf_error err = {""};
        int status = cf_ode_run(ode, &system, &p, &options, &t, y, s, 2, &out, &err);
        cf_ode_free(ode);
        ok(status == CF_OK && fabs(s[0] - (p - 2)) < 1e-6 && out.steps < 1000,
           "%s: a corner that no event marks: off by %.1e after %zu steps%s", name[m],
           fabs(s[0] - (p - 2)), out.steps, err.text);
        is_near(s_size[0], 2 - p, 1e-6, "the size has grown with the column");
    }
}

/* y' = 1 below y = p, 2 beyond: the rates themselves jump, at a corner. */
static double beyond(const void *context, double t, const double y[])
{
    (void) t;
    return y[0] - *(const double *) context;
}

static void quicken(const void *context, double t, const double y[], double dydt[])
{
    dydt[0] = beyond(context, t, y) > 0 ? 2 : 1;
}

static void quicken_along(const void *context, double t, const double y[], const double s[],
                          double dsdt[])
{
    (void) context, (void) t, (void) y, (void) s;
    dsdt[0] = dsdt[1] = 0;
}

static double beyond_along(const void *context, double t, const double y[], const double s[],
                           size_t column)
{
    (void) context, (void) t, (void) y;
    return s[0] - (column == 1); /* the second column is by p */
}

static void test_jump(void)
{
    static const double scale[] = {1}, p = 0.61803;
    const struct cf_ode_event event = {
        .name = "p", .g = beyond, .slope = beyond_along, .corner = true, .jumps = true};

    for (int m = 0; m < METHODS; m++) {
        double y[] = {0}, s[] = {1, 0}, t = 0;
        const struct cf_ode_options options = {
            .method = method[m], .tolerance = 1e-8, .scale = scale, .max_steps = 10000};
        const struct cf_ode_system system = {.n = 1,
                                             .ncolumn = 2,
                                             .rates = quicken,
                                             .variation = quicken_along,
                                             .nevent = 1,
                                             .event = &event};
        struct cf_ode *ode = cf_ode_alloc(1, 2);
        struct cf_ode_result out;
        struct cf_error err = {""};
        int status = cf_ode_run(ode, &system, &p, &options, &t, y, s, 1, &out, &err);
        cf_ode_free(ode);
        ok(status == CF_OK && fabs(y[0] - (2 - p)) < 1e-8, "%s: through a jump of the rates: %s",
           name[m], err.text);
        is_near(s[0], 2, 1e-7, "by the start");
        is_near(s[1], -1, 1e-7, "by where it is");
    }
}

/* Columns that take the states' steps as they are leave these untouched. */
static void test_unchecked(void)
{
    static const double scale[] = {1, 1}, a = 30;
    double end[2];
    size_t steps[2];

    for (int carried = 0; carried < 2; carried++) {
        double y[] = {0, 0}, s[] = {0, 1}, t = 0;
        const struct cf_ode_options options = {
            .tolerance = 1e-9, .scale = scale, .max_steps = 10000, .s_slack = (double) INFINITY};
        const struct cf_ode_system system = {.n = 2,
                                             .nread = 1,
                                             .ncolumn = carried ? NCOLUMN : 0,
                                             .rates = follow,
                                             .variation = follow_along};
        struct cf_ode *ode = cf_ode_alloc(2, system.ncolumn);
        struct cf_ode_result out;
        struct cf_error err = {""};
        cf_ode_run(ode, &system, &a, &options, &t, y, s, 2, &out, &err);
        cf_ode_free(ode);
        end[carried] = y[0];
        steps[carried] = out.steps;
    }
    ok(end[0] == end[1] && steps[0] == steps[1], "unchecked: %zu and %zu steps, the same end",
       steps[0], steps[1]);
}

/* y' = -1000 (y - p) from y = p: it stands still, and dy/dp = 1 - exp(-1000 t) from 0. */
static void settle(const void *context, double t, const double y[], double dydt[])
{
    (void) context, (void) t;
    dydt[0] = -1000 * (y[0] - 0.7);
}

static void settle_along(const void *context, double t, const double y[], const double s[],
                         double dsdt[])
{
    (void) context, (void) t, (void) y;
    dsdt[0] = -1000 * (s[0] - 1);
}

/* Steps that suit a state at rest are too long for a column that decays. */
static void test_slack(void)
{
    static const double scale[] = {1};
    const struct cf_ode_system system = {
        .n = 1, .ncolumn = 1, .rates = settle, .variation = settle_along};
    double ended[2];

    for (int bounded = 0; bounded < 2; bounded++) {
        double y[] = {0.7}, s[] = {0}, t = 0;
        const struct cf_ode_options options = {.method = CF_ODE_AUTO,
                                               .tolerance = 1e-9,
                                               .scale = scale,
                                               .max_steps = 10000,
                                               .s_slack = bounded ? 1e5 : (double) INFINITY};
        struct cf_ode *ode = cf_ode_alloc(1, 1);
        struct cf_ode_result out;
        struct cf_error err = {""};
        int status = cf_ode_run(ode, &system, NULL, &options, &t, y, s, 2, &out, &err);
        cf_ode_free(ode);
        ended[bounded] = s[0];
        ok(status == CF_OK && y[0] == 0.7, "it stands still for %zu steps", out.steps);
    }
    ok(!(fabs(ended[0]) < 1e6), "unchecked, its column grows to %g", ended[0]);
    is_near(ended[1], 1, 1e-4, "and does not where its error is bounded");
}

TEST(ode_columns)
{
    plan(3 * METHODS * 2 + METHODS * 2 + METHODS * 3 + 1 + 4);
    test_follow();
    test_unmarked();
    test_jump();
    test_unchecked();
    test_slack();
    return done();
}
