/* Iwan's elements against what is known of them without their equations: Masing's rule for loops
 * from the curve of first loading, the areas of loops, the lag behind a slip that turns, and the
 * columns of scenes that move a contact to and fro. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "law/friction.h"
#include "lib/columns.h"
#include "lib/scratch.h"
#include "ode/ode.h"
#include "tap.h"

#define LENGTH(table) ((int) (sizeof table / sizeof table[0]))

static const double LOAD = 37, SPEED = 1e-3;

/* How far from the sharp corner: (1 - tanh 1) of the hundredth over which a slider gives way. */
static const double ROUND = 0.01, CUT = 0.2385;

/* Curves of first loading, as places where they break [m] and friction there over the load; and the
 * parameters, by hand: the first slope is sigma_0, the last friction mu_c. */
static const struct broken {
    const char *law;
    double p[CF_MAX_PARAM];
    size_t n;
    double x_m[4], mu[4];
} curves[] = {
    {"iwan-2", {0.3, 2e4, 0.4, 0.5}, 2, {6e-6, 24e-6}, {0.12, 0.3}},
    {"iwan-3", {0.3, 2e4, 0.4, 0.5, 0.5, 0.3}, 3, {6e-6, 15e-6, 45e-6}, {0.12, 0.21, 0.3}},
    {"iwan-4",
     {0.3, 2e4, 0.4, 0.5, 0.5, 0.3, 0.2, 0.6},
     4,
     {6e-6, 15e-6, 21e-6, 61e-6},
     {0.12, 0.21, 0.228, 0.3}},
};

/* Friction over load after a path from rest. */
static double loading(const struct broken *c, double x)
{
    double x0 = 0, mu0 = 0;

    for (size_t i = 0; i < c->n; x0 = c->x_m[i], mu0 = c->mu[i], i++)
        if (x < c->x_m[i])
            return mu0 + (c->mu[i] - mu0) * (x - x0) / (c->x_m[i] - x0);
    return mu0;
}

/* Masing: what turns at (x_t, f_t) goes on as the first loading does, both scales doubled; where it
 * comes to where it turned before, it forgets that loop, and as far from 0 as ever, all of them. */
enum { TURNS = 16 };
struct masing {
    const struct broken *curve;
    size_t n; /* turns that it has not forgotten */
    double at_x[TURNS], at_f[TURNS], x, f;
    int way;
};

static double branch(const struct masing *m, double x)
{
    double way = x < m->at_x[m->n - 1] ? -1 : 1;

    return m->at_f[m->n - 1] + way * 2 * loading(m->curve, fabs(x - m->at_x[m->n - 1]) / 2);
}

static double masing_to(struct masing *m, double x)
{
    int way = x > m->x ? 1 : -1;

    if (m->way && way != m->way) {
        m->at_x[m->n] = m->x;
        m->at_f[m->n++] = m->f;
    }
    m->way = way;
    while (m->n > 1 && way * (x - m->at_x[m->n - 2]) >= 0)
        m->n -= 2;
    if (m->n == 1 && way * x >= fabs(m->at_x[0])) /* as if it had been loaded this way first */
        m->n = 0;
    m->f = m->n ? branch(m, x) : way * loading(m->curve, fabs(x));
    m->x = x;
    return m->f;
}

/* A contact that slips as it is told, its states, and what its energy has done. */
enum { LOST = CF_FRICTION_STATES, TAKEN, N };
struct drive {
    const struct cf_friction_law *law;
    const double *p;
    double v[2], turn_rad_s; /* v turns */
    double y[N], time_s;
};

static struct cf_slide slide_of(const struct drive *d, double t, const double y[])
{
    double a = d->turn_rad_s * t;

    return (struct cf_slide){
        1e-4, LOAD, {cos(a) * d->v[0] - sin(a) * d->v[1], sin(a) * d->v[0] + cos(a) * d->v[1]}, y};
}

static void rates(const void *context, double t, const double y[], double dydt[])
{
    const struct drive *d = context;
    struct cf_slide c = slide_of(d, t, y);
    struct cf_friction_power to;
    double f[2];

    memset(dydt, 0, N * sizeof *dydt);
    d->law->force(d->p, &c, f, dydt);
    cf_friction_power(d->law, d->p, &c, &to);
    dydt[LOST] = to.damper_W + to.slide_W + to.viscous_W;
    dydt[TAKEN] = -f[0] * c.velocity_m_s[0] - f[1] * c.velocity_m_s[1];
}

/* The force after some more time. */
static bool drive(struct drive *d, double more_s, double f[2])
{
    double scale[N];
    struct cf_ode_system system = {.n = N, .rates = rates};
    struct cf_ode_options options = {.tolerance = 1e-11, .scale = scale, .max_steps = 1000000};
    struct cf_ode *ode = cf_ode_alloc(N, 0);
    struct cf_ode_result result;

    for (int i = 0; i < N; i++)
        scale[i] = i < LOST ? 1e-7 : 1e-6;
    bool good = ode && cf_ode_run(ode, &system, d, &options, &d->time_s, d->y, NULL,
                                  d->time_s + more_s, &result, NULL) == CF_OK;
    cf_ode_free(ode);
    struct cf_slide c = slide_of(d, d->time_s, d->y);
    d->law->force(d->p, &c, f, NULL);
    return good;
}

static struct drive drive_of(const struct broken *c, double vx, double vy)
{
    return (struct drive){.law = cf_friction_find(c->law), .p = c->p, .v = {vx, vy}};
}

/* To and fro between turns given in parts of the last break, 16 places on each way: small loops
 * within larger ones. */
static void test_loops(const struct broken *c)
{
    static const double turns[] = {0.3, -0.2, 0.7, 0.1, 0.5, -1.4, 1.4, -0.4, 0.2, -1.4, 1.4};
    double last = c->x_m[c->n - 1], worst = 0, apart = 0, x = 0;
    struct masing m = {.curve = c};
    struct drive d = drive_of(c, 0, 0);
    bool good = true;

    for (int k = 0; k < LENGTH(turns); k++) {
        double step = (turns[k] * last - x) / 16, f[2];
        d.v[0] = copysign(0.6 * SPEED, step);
        d.v[1] = copysign(0.8 * SPEED, step);
        for (int i = 0; i < 16; i++) {
            x += step;
            good = drive(&d, fabs(step) / SPEED, f) && good;
            double want = -masing_to(&m, x) * LOAD;
            worst = fmax(worst, fabs(0.6 * f[0] + 0.8 * f[1] - want) / (c->mu[c->n - 1] * LOAD));
            apart = fmax(apart, fabs(0.8 * f[0] - 0.6 * f[1]) / LOAD);
        }
    }
    /* each element may lack that much on the way up and on the way down */
    ok(good && worst < 2 * CUT * ROUND, "%s: loops within loops by Masing's rule (%.1e)", c->law,
       worst);
    ok(apart < 1e-12, "%s: along the path", c->law);
}

/* Loops that slide at both ends: corners are the tanh of the path, and everything else is Masing's.
 * The loop's area is 4 (sum mu_i A - sum mu_i x_i) f_n, but for what the round corners cut off. */
static void test_wide_loop(const struct broken *c)
{
    double last = c->x_m[c->n - 1], reach = 3 * last, worst = 0, f[2];
    struct masing m = {.curve = c};
    struct drive d = drive_of(c, 0.6 * SPEED, 0.8 * SPEED);
    bool good = drive(&d, reach / SPEED, f);
    double lost = d.y[LOST], area = 0, mu0 = 0, slope0 = c->mu[0] / c->x_m[0];

    masing_to(&m, reach);
    for (int way = -1; way <= 1; way += 2)
        for (int i = 1; i <= 60; i++) {
            double x = way * reach * (i - 30) / 30, path = reach * i / 30, near = INFINITY;
            d.v[0] = way * 0.6 * SPEED;
            d.v[1] = way * 0.8 * SPEED;
            good = drive(&d, reach / 30 / SPEED, f) && good;
            double want = -masing_to(&m, x) * LOAD;
            for (size_t k = 0; k < c->n; k++) /* the path since its element began to give way */
                near = path < 2 * c->x_m[k] * (1 - ROUND) ? near : fmin(near, path / c->x_m[k] - 2);
            if (near > 15 * ROUND)
                worst = fmax(worst, fabs(0.6 * f[0] + 0.8 * f[1] - want) / LOAD);
        }
    ok(good && worst < 1e-9, "%s: a loop that slides is Masing's (%.1e)", c->law, worst);
    lost = d.y[LOST] - lost;
    for (size_t i = 0; i < c->n; i++) { /* sigma_i is by how much the slope falls */
        double slope = i + 1 < c->n ? (c->mu[i + 1] - c->mu[i]) / (c->x_m[i + 1] - c->x_m[i]) : 0;
        double limit = (slope0 - slope) * c->x_m[i];
        area += 4 * limit * (reach - c->x_m[i]) * LOAD;
        mu0 += limit;
        slope0 = slope;
    }
    is_near(mu0, c->p[0], 1e-14, "%s: the limits add up to mu_c", c->law);
    is_near(lost / area, 1, ROUND * ROUND, "%s: it loses its area", c->law);
    struct cf_slide now = slide_of(&d, d.time_s, d.y);
    double held = cf_friction_energy(d.law, d.p, &now);
    is_near((d.y[TAKEN] - d.y[LOST]) / held, 1, 1e-9, "%s: the rest is in its springs", c->law);
}

/* A slip that goes round a circle of radius R: an element that is full at x < R stays full and lags
 * by asin(x/R), one that is full beyond R never slides again, and is a spring about some centre:
 * its force goes round with the place. */
static void test_turning(const struct broken *c)
{
    double turn = 7, slope0 = c->mu[0] / c->x_m[0], want[2] = {0}, f[2], last = c->x_m[c->n - 1];
    double radius = 1.3 * last;
    struct drive d = drive_of(c, radius * turn, 0);

    d.turn_rad_s = turn;
    bool good = drive(&d, 12, f);
    double angle = turn * d.time_s;
    for (size_t i = 0; i < c->n; i++) {
        double slope = i + 1 < c->n ? (c->mu[i + 1] - c->mu[i]) / (c->x_m[i + 1] - c->x_m[i]) : 0;
        double limit = (slope0 - slope) * c->x_m[i], lag = asin(c->x_m[i] / radius);
        want[0] -= limit * LOAD * cos(angle - lag);
        want[1] -= limit * LOAD * sin(angle - lag);
        slope0 = slope;
    }
    is_within(hypot(f[0] - want[0], f[1] - want[1]) / LOAD, 0, 1e-8,
              "%s: the lag behind a slip that turns", c->law);
    ok(good, "%s: and it runs", c->law);
}

/* An element without stiffness is none. */
static void test_absent(void)
{
    static const double three[] = {0.3, 2e4, 0.25, 1, 0.2, 0.5}, two[] = {0.3, 2e4, 0.4, 0.5};
    static const double state[6] = {1e-6, 2e-6, 3e-6, -4e-6, 7e-6, 20e-6};
    struct cf_slide c = {1e-5, LOAD, {2e-3, 1e-3}, state}, less = c;
    double f[2], g[2], rate[6], rate_less[4];

    less.state = state + 2;
    cf_friction_find("iwan-3")->force(three, &c, f, rate);
    cf_friction_find("iwan-2")->force(two, &less, g, rate_less);
    is_near(hypot(f[0] - g[0], f[1] - g[1]) / hypot(g[0], g[1]), 0, 1e-14,
            "iwan-3 that keeps all of its stiffness at a place is iwan-2");
    ok(hypot(rate[2] - rate_less[0], rate[4] - rate_less[2]) < 1e-15, "so are its rates");
}

/* 400 places a second of a swing that grows and shrinks, along a direction of the plane. */
static void write_swing(void)
{
    FILE *file = scratch_create("tmp/iwan_swing.csv");

    fprintf(file, "time_s,x_m,y_m\n");
    for (int i = 0; i <= 400; i++) {
        double t = i / 400.0, x = 50e-6 * (1 - cos(6 * t)) * sin(25 * t) + 7e-6 * sin(61 * t);
        fprintf(file, "%.17g,%.17g,%.17g\n", t, 0.8 * x, 0.6 * x + 2e-6 * sin(9 * t));
    }
    fclose(file);
}

/* Allowed at tolerances of 1e-8 and 1e-10; of all numbers one in so many is taken. */
static const struct {
    const char *what, *text;
    double off[2], inner[2];
    size_t every;
} scenes[] = {
    {"a recorded motion",
     "duration: 1 s\nbodies:\n"
     "  slider: {point: {}, trace: {file: iwan_swing.csv, time: time_s, x: x_m, y: y_m}}\n"
     "  table: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}\n"
     "contacts:\n  - between: [slider, table]\n"
     "    normal: {load: 5 N, direction: [0, 0, 1]}\n    friction: {law: %s}\n",
     {1e-12, 1e-12},
     {1e-4, 3e-5},
     1},
    /* elasto-plastic and lugre are as far off in it */
    {"a block that a plate carries, on a spring",
     "duration: 1 s\nbodies:\n"
     "  block: {point: {}, mass: 0.3 kg, turns: false}\n"
     "  plate: {plane: {normal: [0, 0, 1], height: 0 m},\n"
     "          trace: {file: iwan_swing.csv, time: time_s, x: x_m, y: y_m}}\n"
     "contacts:\n  - between: [block, plate]\n"
     "    normal: {load: 5 N, direction: [0, 0, 1]}\n    friction: {law: %s}\n"
     "springs:\n"
     "  - {body: block, anchor: [1 mm, 0, 0], stiffness: 500 N/m, damping: 100 N s/m}\n",
     {2e-3, 2e-4},
     {1e-3, 1e-4},
     3},
    /* its load comes and goes, and its normal is not along an axis */
    {"a ball that rolls down and bounces",
     "duration: 0.15 s\nbodies:\n"
     "  ball: {sphere: {radius: 2 cm}, mass: 0.1 kg, position: [0, 0, 22 mm],\n"
     "         velocity: [0.3 m/s, 0.1 m/s, 0], spin: [3 rad/s, 0, 1 rad/s]}\n"
     "  ground: {plane: {normal: [0.1, 0, 1], height: 0 m}, fixed: true}\n"
     "contacts:\n  - between: [ball, ground]\n"
     "    normal: {law: linear, k: 1e5 N/m, lambda: 30 N s/m}\n    friction: {law: %s}\n",
     {1e-4, 1e-6},
     {1e-4, 1e-5},
     7},
};
static const char *const laws[] = {
    "iwan-2, mu_c: 0.3, sigma_0: 2e4 1/m, yield_1: 0.4, keep_1: 0.5",
    "iwan-3, mu_c: 0.3, sigma_0: 2e4 1/m, yield_1: 0.4, keep_1: 0.5, yield_2: 0.5, keep_2: 0.3",
    "iwan-4, mu_c: 0.3, sigma_0: 2e4 1/m, yield_1: 0.4, keep_1: 0.5, yield_2: 0.5, keep_2: 0.3, "
    "yield_3: 0.2, keep_3: 0.6",
};

/* Columns by numbers of a scene, a third of them but for CHECK_FULL, against differences of
 * runs; and its energies. */
static void test_scene(int scene, int law)
{
    static struct columns columns;
    size_t step = scenes[scene].every * (is_full_check() ? 1 : 3);
    struct columns_worst worst;
    struct stage stage;

    memset(&worst, 0, sizeof worst);
    stage_write(&stage, "iwan", scenes[scene].text, laws[law]);
    bool good = stage_run(&stage);
    ok(good && stage_off(&stage) < 1e-10, "%.6s, %s: energy balance %.0e", laws[law],
       scenes[scene].what, stage_off(&stage));
    const double *lost = stage.result.energy_J;
    ok(good && lost[CF_ENERGY_SLIDE] > 0 && lost[CF_ENERGY_VISCOUS] == 0, "it loses by sliding");
    good = good && columns_run(&columns, &stage);
    for (size_t i = law; good && i < columns.nnumber; i += step)
        columns_compare(&columns, i, &worst);
    for (int q = 0; q < COLUMNS_TOLERANCES && good; q++)
        if (!(worst.off[q] <= scenes[scene].off[q]))
            printf("# %s, channel %d at %g s: %g, wanted %g\n",
                   columns_name(&columns.number[worst.number[q]]),
                   (int) columns.channel[worst.channel[q]].kind, worst.time_s[q], worst.found[q],
                   worst.want[q]);
    ok(good && worst.off[0] <= scenes[scene].off[0] && worst.off[1] <= scenes[scene].off[1] &&
           worst.compared > worst.unsure,
       "columns %.0e, %.0e of %zu values, %zu unsure%s", worst.off[0], worst.off[1], worst.compared,
       worst.unsure, stage.err.text);
    ok(good && worst.inner[0] <= scenes[scene].inner[0] && worst.inner[1] <= scenes[scene].inner[1],
       "within friction %.0e, %.0e", worst.inner[0], worst.inner[1]);
    if (good)
        columns_free(&columns);
    stage_close(&stage);
}

TEST(iwan)
{
    plan(LENGTH(curves) * 8 + 2 + (LENGTH(laws) + LENGTH(scenes) - 1) * 4);
    for (int i = 0; i < LENGTH(curves); i++) {
        test_loops(&curves[i]);
        test_wide_loop(&curves[i]);
        test_turning(&curves[i]);
    }
    test_absent();
    write_swing();
    for (int k = 0; k < LENGTH(laws); k++)
        test_scene(0, k);
    for (int i = 1; i < LENGTH(scenes); i++)
        test_scene(i, i);
    return done();
}
