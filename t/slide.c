/* A block on a plane, held by a spring, pushed, or carried by a moving plate: motion under friction
 * laws against independent numbers and closed forms, with the energy balance checked.
 *
 *   m r'' = -k r + push(t) + f,   slip v = r' - V
 *
 * The reference numbers of the Bowden-Leben rig are Gonthier 2007, section 5.1.2, solved by SciPy.
 */

#include <math.h>
#include <string.h>

#include "law/friction.h"
#include "ode/ode.h"
#include "tap.h"

/* Position, velocity, states of the law, losses, work of plate and push. */
enum { R = 0, RDOT = 2, STATE = 4, LOSS = 7, WORK, N };
enum { MAX_SLIP = 16 };

struct rig {
    const struct cf_friction_law *law;
    const double *p;
    double mass, spring, load, plate[2];
    double push[2], ramp, swing, omega; /* push (1 + ramp t + swing sin(omega t)) */
    size_t column[2];                   /* parameters of the sensitivities */

    double slip[MAX_SLIP], most_force, most_time, near, far; /* seen */
    size_t nslip;
    double watch_from;
};

static struct cf_slide slide_of(const struct rig *rig, const double y[])
{
    return (struct cf_slide){
        1e-5, rig->load, {y[RDOT] - rig->plate[0], y[RDOT + 1] - rig->plate[1]}, y + STATE};
}

static void rates(const void *context, double t, const double y[], double dydt[])
{
    const struct rig *rig = context;
    struct cf_slide c = slide_of(rig, y);
    struct cf_friction_power to;
    double f[2], size = 1 + rig->ramp * t + rig->swing * sin(rig->omega * t);

    memset(dydt, 0, N * sizeof *dydt);
    rig->law->force(rig->p, &c, f, dydt + STATE);
    cf_friction_power(rig->law, rig->p, &c, &to);
    dydt[LOSS] = to.damper_W + to.slide_W + to.viscous_W;
    for (int i = 0; i < 2; i++) {
        double push = rig->push[i] * size;
        dydt[R + i] = y[RDOT + i];
        dydt[RDOT + i] = (f[i] + push - rig->spring * y[R + i]) / rig->mass;
        dydt[WORK] += f[i] * rig->plate[i] + push * y[RDOT + i];
    }
}

/* Without the energy balance: its derivatives are not needed. */
static void vary_one(const struct rig *rig, const double y[], const double s[], size_t column,
                     double dsdt[])
{
    struct cf_slide c = slide_of(rig, y);
    double d[CF_FRICTION_COLUMNS] = {0}, df[2];

    memset(dsdt, 0, N * sizeof *dsdt);
    d[CF_BY_PARAM + rig->column[column]] = 1;
    for (size_t i = 0; i < 2; i++)
        d[CF_BY_VELOCITY + i] = s[RDOT + i];
    for (size_t i = 0; i < rig->law->nstate; i++)
        d[CF_BY_STATE + i] = s[STATE + i];
    rig->law->vary(rig->p, &c, d, df, dsdt + STATE);
    for (int i = 0; i < 2; i++) {
        dsdt[R + i] = s[RDOT + i];
        dsdt[RDOT + i] = (df[i] - rig->spring * s[R + i]) / rig->mass;
    }
}

static void variation(const void *context, double t, const double y[], const double s[],
                      double dsdt[])
{
    (void) t;
    for (size_t column = 0; column < 2; column++)
        vary_one(context, y, s + column * N, column, dsdt + column * N);
}

static double sliding(const void *context, double t, const double y[])
{
    const struct rig *rig = context;
    struct cf_slide c = slide_of(rig, y);

    (void) t;
    return rig->law->slip(rig->p, &c);
}

static void seen(void *observer, size_t event, double t, const double y[], const double s[],
                 const double dtau[])
{
    struct rig *rig = observer;

    (void) event, (void) y, (void) s, (void) dtau;
    if (rig->nslip < MAX_SLIP)
        rig->slip[rig->nslip++] = t;
}

/* Extremes of force and position, at points within each step. */
static void watch(void *observer, const struct cf_ode_dense *dense)
{
    struct rig *rig = observer;
    double from, to, y[N], f[2];

    cf_ode_dense_span(dense, &from, &to);
    if (from < rig->watch_from)
        return;
    for (int i = 0; i <= 16; i++) {
        double t = from + (to - from) * i / 16;
        cf_ode_dense_at(dense, t, y);
        struct cf_slide c = slide_of(rig, y);
        rig->law->force(rig->p, &c, f, NULL);
        double size = hypot(f[0], f[1]), r = hypot(y[R], y[R + 1]);
        if (size > rig->most_force)
            rig->most_force = size, rig->most_time = t;
        rig->near = fmin(rig->near, r);
        rig->far = fmax(rig->far, r);
    }
}

/* Kinetic energy and that in springs. */
static double held(const struct rig *rig, const double y[])
{
    struct cf_slide c = slide_of(rig, y);
    double speed = hypot(y[RDOT], y[RDOT + 1]), r = hypot(y[R], y[R + 1]);

    return 0.5 * rig->mass * speed * speed + 0.5 * rig->spring * r * r +
           cf_friction_energy(rig->law, rig->p, &c);
}

/* From y at *t to the end; s[2 * N] or NULL. Returns the residual of the energy balance over the
 * work and the initial energy, or NAN. */
static double run(struct rig *rig, double tolerance, double *t, double y[N], double s[], double end)
{
    static const double scale[N] = {1, 1, 1e-3, 1e-3, 1e-5, 1e-5, 1, 1, 1};
    static const struct cf_ode_event slip = {.name = "slip", .g = sliding, .direction = 1};
    struct cf_ode_system system = {.n = N,
                                   .ncolumn = s ? 2 : 0,
                                   .rates = rates,
                                   .variation = variation,
                                   .nevent = rig->law->slip && !s ? 1 : 0,
                                   .event = &slip};
    struct cf_ode_options options = {.tolerance = tolerance,
                                     .scale = scale,
                                     .max_steps = 100000,
                                     .seen = seen,
                                     .step = watch,
                                     .observer = rig};
    struct cf_ode *ode = cf_ode_alloc(N, system.ncolumn);
    struct cf_ode_result result;
    double before = held(rig, y) + y[LOSS] - y[WORK];

    rig->most_force = 0, rig->far = 0, rig->near = INFINITY;
    int status = ode ? cf_ode_run(ode, &system, rig, &options, t, y, s, end, &result, NULL) : -1;
    cf_ode_free(ode);
    double off = held(rig, y) + y[LOSS] - y[WORK] - before;
    return status == CF_OK ? fabs(off) / (fabs(y[WORK]) + y[LOSS]) : (double) NAN;
}

/* Table 5.1 over m g = 10 N, the block moving with the plate at first. */
static const double table_5_1[] = {0.15, 0.1, 1e4, 31.622776601683793, 0.01, 1e-3, 2};

static struct rig bowden_leben(double speed, double angle, double y[N])
{
    struct rig rig = {.law = cf_friction_find("bristle"),
                      .p = table_5_1,
                      .mass = 1,
                      .spring = 2,
                      .load = 10,
                      .plate = {speed * cos(angle), speed * sin(angle)}};

    memset(y, 0, N * sizeof *y);
    memcpy(y + RDOT, rig.plate, sizeof rig.plate);
    memcpy(y + STATE, rig.law->rested, rig.law->nstate * sizeof *y);
    return rig;
}

/* Slip times (|v| = v_s) by classical Runge-Kutta steps of 0.2 ms in one dimension, elsewhere. */
static const double slips_slow[] = {15.06079, 26.93737, 38.78248, 50.62702};
static const double slips_fast[] = {5.04205,  10.55615, 15.72936, 20.80373, 25.83936, 30.85787,
                                    35.86839, 40.87511, 45.87997, 50.88394, 55.88747};

static double worst_slip(const struct rig *rig, const double want[], size_t n)
{
    double worst = rig->nslip == n ? 0 : (double) NAN;

    for (size_t i = 0; i < n && i < rig->nslip; i++)
        worst = fmax(worst, fabs(rig->slip[i] - want[i]));
    return rig->nslip == n ? worst : (double) NAN;
}

static void test_bowden_leben(void)
{
    static const double QUARTER = 0.78539816339744831; /* 45 deg */
    double y[N], turned[N], t = 0, off, period;
    struct rig rig = bowden_leben(0.05, QUARTER, y);

    off = run(&rig, 1e-9, &t, y, NULL, 20);
    is_near(rig.most_force, 1.50000, 1e-4, "0.05 m/s: first peak of friction");
    is_near(rig.most_time / 15.003, 1, 5e-3 / 15, "0.05 m/s: and its time");
    off = fmax(off, run(&rig, 1e-9, &t, y, NULL, 45));
    off = fmax(off, run(&rig, 1e-9, &t, y, NULL, 60));
    is_near(rig.most_force, 1.49541, 1e-5, "0.05 m/s: peak of the last cycle");
    is_within(rig.near, 0.27781, 1e-5, "0.05 m/s: nearest place");
    is_near(rig.far, 0.75360, 1e-5, "0.05 m/s: farthest place");
    period = rig.nslip > 1 ? rig.slip[rig.nslip - 1] - rig.slip[rig.nslip - 2] : (double) NAN;
    is_near(period / 11.8445, 1, 1e-4 / 11.8, "0.05 m/s: period");
    is_within(worst_slip(&rig, slips_slow, 4), 0, 2e-5, "0.05 m/s: four slips");
    ok(off < 1e-9, "0.05 m/s: energy balance (%.1e)", off);
    ok(fabs(y[R] - y[R + 1]) < 1e-12, "0.05 m/s: along the plate's motion");

    t = 0;
    rig = bowden_leben(0.05, QUARTER + 2.1, turned);
    run(&rig, 1e-9, &t, turned, NULL, 60);
    double back[2] = {cos(2.1) * turned[R] + sin(2.1) * turned[R + 1],
                      cos(2.1) * turned[R + 1] - sin(2.1) * turned[R]};
    is_within(hypot(back[0] - y[R], back[1] - y[R + 1]), 0, 1e-7, "the rig turned by 2.1 rad");

    t = 0;
    rig = bowden_leben(0.15, QUARTER, y);
    off = run(&rig, 1e-9, &t, y, NULL, 8);
    is_near(rig.most_force, 1.50000, 1e-4, "0.15 m/s: first peak of friction");
    is_near(rig.most_time / 5.0004, 1, 5e-4 / 5, "0.15 m/s: and its time");
    off = fmax(off, run(&rig, 1e-9, &t, y, NULL, 60));
    is_within(worst_slip(&rig, slips_fast, 11), 0, 3e-5, "0.15 m/s: eleven slips");
    ok(off < 1e-9, "0.15 m/s: energy balance (%.1e)", off);
}

/* Table 5.3 under 10 N: a ramp reaches mu_s f_n early by the bristle's leak. */
static void test_ramp(void)
{
    static const double p[] = {0.15, 0.12, 1e5, 316.22776601683793, 0, 0.1, 0.75};
    static const struct {
        double rate, early;
    } rows[] = {{0.1, 2.1e-4}, {1, 2.1e-3}, {5, 1.05e-2}};

    for (int i = 0; i < 3; i++) {
        double y[N] = {[STATE + 2] = 1}, t = 0;
        struct rig rig = {.law = cf_friction_find("bristle"),
                          .p = p,
                          .mass = 1,
                          .load = 10,
                          .push = {0.6 * rows[i].rate, -0.8 * rows[i].rate}};
        /* the push is its rate times (1 + t - 1): ramp 1 from a start one second early */
        rig.ramp = 1, t = -1;
        double off = run(&rig, 1e-9, &t, y, NULL, 1.5 / rows[i].rate - 1);
        is_near((1 - hypot(y[R], y[R + 1]) / 1.5e-6) / rows[i].early, 1, 1e-2,
                "ramp of %g N/s: mu_s f_n at mu_s/sigma_0 less %g", rows[i].rate, rows[i].early);
        ok(off < 1e-9, "ramp of %g N/s: energy balance (%.1e)", rows[i].rate, off);
    }
}

/* A clutch that does not slip is a damped oscillator; one that slips fast brakes at mu g. */
static void test_clutch(void)
{
    static const double stuck[] = {10, 2e3, 3, 0}, loose[] = {0.3, 2e6, 2e3, 0};
    double y[N] = {[RDOT] = 0.06, [RDOT + 1] = -0.08}, t = 0;
    struct rig rig = {.law = cf_friction_find("clutch-linear"), .p = stuck, .mass = 1, .load = 10};

    double off = run(&rig, 1e-11, &t, y, NULL, 0.3);
    double rate = sqrt(2e3 - 1.5 * 1.5), want = 0.06 / rate * exp(-1.5 * 0.3) * sin(rate * 0.3);
    is_near(y[R] / want, 1, 1e-9, "clutch-linear: sticking, a damped oscillator");
    is_near(y[R + 1] / y[R], -0.08 / 0.06, 1e-12, "clutch-linear: on its line");
    ok(off < 1e-9, "clutch-linear: energy balance (%.1e)", off);

    double fast[N] = {[RDOT] = 1.2, [RDOT + 1] = 1.6};
    rig.p = loose, t = 0;
    off = run(&rig, 1e-10, &t, fast, NULL, 0.5);
    is_near(hypot(fast[RDOT], fast[RDOT + 1]), 2 - 3 * 0.5, 1e-9, "clutch-linear: brakes at mu g");
    is_near(hypot(fast[R], fast[R + 1]), 2 * 0.5 - 1.5 * 0.25, 1e-9,
            "clutch-linear: over its path");
    off = fmax(off, run(&rig, 1e-10, &t, fast, NULL, 1));
    ok(off < 1e-9, "clutch-linear: energy balance down to rest (%.1e)", off);
    is_within(hypot(fast[RDOT], fast[RDOT + 1]), 0, 1e-6, "clutch-linear: at rest");
}

/* Pushed repeatedly with 0.4 to 0.8 of the static friction: lugre creeps, elasto-plastic does not.
 */
static double drift(const char *law, const double p[])
{
    double y[N] = {0}, t = 0, early;
    struct rig rig = {.law = cf_friction_find(law),
                      .p = p,
                      .mass = 1,
                      .load = 10,
                      .push = {0.54, 0.72},
                      .swing = 1.0 / 3,
                      .omega = 6.283185307179586};

    double off = run(&rig, 1e-9, &t, y, NULL, 3);
    early = hypot(y[R], y[R + 1]);
    off = fmax(off, run(&rig, 1e-9, &t, y, NULL, 9));
    return off < 1e-9 ? hypot(y[R], y[R + 1]) - early : (double) NAN;
}

static void test_drift(void)
{
    static const double p[] = {0.15, 0.15, 1e4, 60, 0, 1e-3, 0.9};
    double creep = drift("lugre", p), rest = drift("elasto-plastic", p);

    ok(creep > 2e-6, "lugre drifts (%.1e m in six swings)", creep);
    ok(fabs(rest) < 1e-10, "elasto-plastic does not (%.1e m)", rest);
}

/* Position at `end`, under Table 5.1 with one parameter scaled. */
static double place(size_t changed, double factor, double end)
{
    double p[CF_MAX_PARAM], y[N], t = 0;
    struct rig rig = bowden_leben(0.15, 0.3, y);

    memcpy(p, table_5_1, sizeof table_5_1);
    p[changed] *= factor;
    rig.p = p;
    run(&rig, 1e-11, &t, y, NULL, end);
    return hypot(y[R], y[R + 1]);
}

/* The stepper's sensitivities against differences of runs: while it sticks, and through a slip,
 * where derivatives of the rates jump within steps. */
static void test_sensitivities(void)
{
    static const struct {
        size_t by[2];
        double end, share, tolerance;
    } rows[] = {{{2, 3}, 4.5, 3e-3, 1e-4}, {{0, 1}, 9, 1e-4, 2e-3}};

    for (int k = 0; k < 2; k++) {
        double y[N], s[2 * N] = {0}, t = 0;
        struct rig rig = bowden_leben(0.15, 0.3, y);
        memcpy(rig.column, rows[k].by, sizeof rig.column);
        run(&rig, 1e-11, &t, y, s, rows[k].end);
        for (int i = 0; i < 2; i++) {
            size_t by = rows[k].by[i];
            double got = cos(0.3) * s[i * N + R] + sin(0.3) * s[i * N + R + 1];
            double want = (place(by, 1 + rows[k].share, rows[k].end) -
                           place(by, 1 - rows[k].share, rows[k].end)) /
                          (2 * rows[k].share * table_5_1[by]);
            is_near(got / want, 1, rows[k].tolerance, "place at %g s by %s: %.5g", rows[k].end,
                    rig.law->param[by].name, want);
        }
    }
}

TEST(slide)
{
    plan(14 + 6 + 7 + 2 + 4);
    test_bowden_leben();
    test_ramp();
    test_clutch();
    test_drift();
    test_sensitivities();
    return done();
}
