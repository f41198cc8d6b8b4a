/* Friction laws under a prescribed slip: steady sliding against closed-form curves, dwelling, and
 * the path from rest. */

#include <math.h>
#include <string.h>

#include "law/friction.h"
#include "ode/ode.h"
#include "tap.h"

#define LENGTH(table) ((int) (sizeof table / sizeof table[0]))

static const double LOAD = 37, DEPTH = 4e-4;

/* A contact that slips at one velocity. */
struct pull {
    const struct cf_friction_law *law;
    const double *p;
    double v[2];
};

static struct cf_slide slide_of(const struct pull *pull, const double state[])
{
    return (struct cf_slide){DEPTH, LOAD, {pull->v[0], pull->v[1]}, state};
}

static void rates(const void *context, double t, const double y[], double dydt[])
{
    const struct pull *pull = context;
    struct cf_slide c = slide_of(pull, y);
    double force[2];

    (void) t;
    pull->law->force(pull->p, &c, force, dydt);
}

/* Force after `time` from the given states, which move on; false where the run failed. */
static bool run(const struct pull *pull, double state[], double time, double force[2])
{
    double scale[CF_FRICTION_STATES];
    struct cf_ode_system system = {.n = pull->law->nstate, .rates = rates};
    struct cf_ode_options options = {.tolerance = 1e-11, .scale = scale, .max_steps = 100000};
    struct cf_ode *ode = pull->law->nstate ? cf_ode_alloc(pull->law->nstate, 0) : NULL;
    struct cf_ode_result result;
    double t = 0;

    for (size_t i = 0; i < pull->law->nstate; i++)
        scale[i] = i < 2 * pull->law->nvector ? 1e-7 : 1e-2;
    bool good = !pull->law->nstate || (ode && cf_ode_run(ode, &system, pull, &options, &t, state,
                                                         NULL, time, &result, NULL) == CF_OK);
    struct cf_slide c = slide_of(pull, state);

    pull->law->force(pull->p, &c, force, NULL);
    cf_ode_free(ode);
    return good;
}

/* Steady curves, as friction over load, in closed form. */
static double gauss(double mu_s, double mu_c, double v, double v_s)
{
    return mu_c + (mu_s - mu_c) / exp(v / v_s * (v / v_s));
}

/* Where x' = 0, sigma_0 x = mu_c + sigma_1 v s/(1 - s), if it is not cut. */
static double bristle(const double p[], double v)
{
    double leak = p[1] + p[3] * v / expm1(v / p[5] * (v / p[5]));
    return fmin(leak, gauss(p[0], p[1], v, p[5])) + p[4] * v;
}

static double bristle_fixed(const double p[], double v)
{
    double q[7];
    memcpy(q, p, sizeof q);
    for (int i = 2; i < 5; i++)
        q[i] /= LOAD;
    return bristle(q, v);
}

static double lugre(const double p[], double v)
{
    return gauss(p[0], p[1], v, p[5]) + p[4] * v;
}

static double clutch(const double p[], double v)
{
    return p[0] + p[3] * v / LOAD;
}

static double dry(const double p[], double v)
{
    (void) v;
    return p[0];
}

static const struct {
    const char *law;
    double p[CF_MAX_PARAM], unit; /* of speed */
    double (*curve)(const double p[], double v);
} steady[] = {
    {"bristle", {0.15, 0.1, 1e4, 31.6, 0.01, 1e-3, 2}, 1e-3, bristle},
    {"bristle", {0.15, 0.1, 1e4, 31.6, 0.01, 1e-3, 0}, 1e-3, bristle},
    {"bristle", {0.19, 0.1, 1e4, 0.31, 3.7, 1e-3, 0.3}, 1e-3, bristle},
    {"bristle-fixed", {0.15, 0.1, 3e5, 1e3, 0.3, 1e-3, 2}, 1e-3, bristle_fixed},
    {"lugre", {0.15, 0.1, 1e4, 31.6, 3.1, 1e-3}, 1e-3, lugre},
    {"elasto-plastic", {0.15, 0.1, 1e4, 31.6, 3.1, 1e-3, 0.6}, 1e-3, lugre},
    {"dahl", {0.23, 3e4}, 1e-3, dry},
    {"iwan-2", {0.19, 1.7e3, 0.3, 0.6}, 1e-3, dry},
    {"iwan-3", {0.19, 1.7e3, 0.3, 0.6, 0.5, 0.4}, 1e-3, dry},
    {"iwan-4", {0.19, 1.7e3, 0.3, 0.6, 0.5, 0.4, 0.5, 0.5}, 1e-3, dry},
    {"clutch", {0.31, 2e6, 3e3, 4.1}, 0.3, clutch},
    {"clutch-linear", {0.31, 2e4, 60, 4.1}, 0.3, clutch},
    {"coulomb", {0.31, 2e-4}, 1e-3, dry},
};

static void test_steady(void)
{
    static const double speeds[] = {0.3, 0.7, 1, 1.6, 2.3, 4, 11, 90};

    for (int i = 0; i < LENGTH(steady); i++) {
        double worst = 0;
        for (int j = 0; j < LENGTH(speeds); j++) {
            double v = speeds[j] * steady[i].unit, f[2], state[CF_FRICTION_STATES] = {0};
            struct pull pull = {
                cf_friction_find(steady[i].law), steady[i].p, {0.28 * v, -0.96 * v}};
            /* a millimetre, and some time for the dampers, are long for all of these */
            double time = 1e-3 / v + 0.3, want = LOAD * steady[i].curve(steady[i].p, v);
            if (pull.law->rested)
                memcpy(state, pull.law->rested, pull.law->nstate * sizeof *state);
            if (!run(&pull, state, time, f))
                worst = NAN;
            double error = hypot(f[0] + 0.28 * want, f[1] - 0.96 * want) / want;
            worst = isnan(error) || error > worst ? error : worst;
        }
        ok(worst < 1e-8, "%s: steady friction curve (worst %.1e)", steady[i].law, worst);
    }
}

/* At rest s_dw grows in tau_dw; sliding breaks it in tau_br; a push after a longer rest has a
 * higher peak. */
static void test_dwell(void)
{
    static const double p[] = {0.15, 0.1, 1e4, 40, 0, 1e-3, 0.5}, tau_br = 40 / 1e4;
    struct pull pull = {cf_friction_find("bristle"), p, {0, 0}};
    double f[2], state[CF_FRICTION_STATES] = {0};

    run(&pull, state, 0.8, f);
    is_near(state[2], 1 - exp(-0.8 / 0.5), 1e-9, "s_dw after a dwell of 1.6 tau_dw");
    pull.v[1] = 0.02; /* s = exp(-400) */
    double kept = state[2];
    run(&pull, state, 1.7 * tau_br, f);
    is_near(state[2], kept * exp(-1.7), 1e-9, "s_dw after sliding for 1.7 tau_br");
    is_near(hypot(f[0], f[1]), 0.1 * LOAD, 1e-9, "sliding fast it holds mu_c");

    double peak[3];
    for (int i = 0; i < 3; i++) {
        double dwell = 0.2 * (1 << 2 * i);
        memset(state, 0, sizeof state);
        pull.v[1] = 0;
        run(&pull, state, dwell, f);
        pull.v[1] = 1e-5; /* s = 0.9999: nearly stuck, to x = 20 um */
        run(&pull, state, 2, f);
        peak[i] = hypot(f[0], f[1]) / LOAD;
        double s_dw = 1 - exp(-(dwell + 2) / 0.5);
        is_near(peak[i], 0.1 + 0.05 * s_dw, 1e-4, "peak after a dwell of %g s", dwell);
    }
    ok(peak[0] < peak[1] && peak[1] < peak[2], "the longer, the higher");
}

/* From rest along a straight path d: dahl rises as 1 - exp(-sigma_0 d/mu), a bristle far faster
 * than v_s holds mu_c at once, elasto-plastic is a spring up to break-away. */
static void test_path(void)
{
    static const double p[] = {0.23, 3e4}, ep[] = {0.15, 0.15, 1e4, 0, 0, 1e-3, 0.6};
    struct pull pull = {cf_friction_find("dahl"), p, {0.6e-3, -0.8e-3}};
    double f[2], state[CF_FRICTION_STATES] = {0};

    run(&pull, state, 0.011, f);
    is_near(f[0], -0.6 * 0.23 * LOAD * -expm1(-3e4 * 11e-6 / 0.23), 1e-9, "dahl: rise from rest");
    is_near(f[1] / f[0], -0.8 / 0.6, 1e-12, "dahl: along the path");
    pull.v[0] *= -1, pull.v[1] *= -1;
    double before = hypot(f[0], f[1]) / (0.23 * LOAD), decay = exp(-3e4 * 7e-6 / 0.23);
    run(&pull, state, 0.007, f);
    /* 1 + F/F_c decays with the path back */
    is_near(-f[0] / (0.6 * 0.23 * LOAD), (1 + before) * decay - 1, 1e-9,
            "dahl: and on the way back");

    memset(state, 0, sizeof state);
    pull = (struct pull){cf_friction_find("elasto-plastic"), ep, {0.6e-3, -0.8e-3}};
    run(&pull, state, 0.0089, f);
    is_near(f[0], -0.6 * 1e4 * 8.9e-6 * LOAD, 1e-9, "elasto-plastic: a spring up to 9 um");
    run(&pull, state, 0.004, f);
    ok(hypot(f[0], f[1]) < 1e4 * 12.8e-6 * LOAD, "elasto-plastic: softer beyond");
    /* full, it turns into a new direction of slip: tan of half the angle decays with the path */
    memset(state, 0, sizeof state);
    run(&pull, state, 0.2, f);
    pull.v[0] = 0.8e-3, pull.v[1] = 0.6e-3;
    double turned = pull.v[0] * state[0] + pull.v[1] * state[1];
    ok(fabs(turned) < 1e-15, "elasto-plastic: slip across the bristle");
    run(&pull, state, 0.03, f);
    double angle = atan2(0.6, 0.8) - atan2(state[1], state[0]);
    is_near(tan(angle / 2), exp(-0.03e-3 / 15e-6), 1e-6, "elasto-plastic: turning into the slip");
}

TEST(friction_steady)
{
    plan(LENGTH(steady) + 7 + 7);
    test_steady();
    test_dwell();
    test_path();
    return done();
}
