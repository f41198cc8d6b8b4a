/* Rate- and state-dependent friction against 60-digit numbers, the closed forms of its state under
 * imposed slips, and in scenes: energies and columns. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "law/friction.h"
#include "lib/columns.h"
#include "ode/ode.h"
#include "tap.h"

#define LENGTH(table) ((int) (sizeof table / sizeof table[0]))

enum { MU_0, A, V_0, B, D_C };

static const double LOAD = 37, D_C_M = 2.3e-5;
static const char *const names[] = {"rate-state", "rate-state-slip"};

/* By t/reference/make_rate_state.py: {mu_0, a, v_0, b, v, psi}, {mu, and by a, v and psi}. */
static const struct {
    double at[6], mu[4];
} table[] = {
    {{0.60999999999999999, 0.0088999999999999999, 3.0154e-06, 0.0092999999999999992,
      1.0030000000000001e-05, -1.2},
     {6.0953644818443933994e-1, 1.2018481106111631493, 8.8733798604187432244e+2,
      9.2999999999999992395e-3}},
    {{0.60999999999999999, 0.0088999999999999999, 3.0154e-06, 0.0092999999999999992,
      1.6999999999999999e-11, 9.3000000000000007},
     {5.8892433562309040893e-1, -1.2086029705270739122e+1, 5.2352941176470589469e+8,
      9.2999999999999992395e-3}},
    {{0.59999999999999998, 1.0000000000000001e-05, 9.9999999999999995e-07, 0.012,
      3.3000000000000002e-06, -1.1899999999999999},
     {5.8573193922468470249e-1, 1.1939224684724346477, 3.0303030303030303964,
      1.200000000000000025e-2}},
    {{0.59999999999999998, 1.0000000000000001e-09, 9.9999999999999995e-07, 0.012,
      2.8999999999999998e-07, 1.24},
     {6.14879998762125622e-1, -1.2378743560016173774, 3.4482758620689660139e-3,
      1.200000000000000025e-2}},
    {{0.37, 0.050000000000000003, 0.001, 0.02, 7.2999999999999998, -8.9000000000000004},
     {6.3678148135725758569e-1, 8.8956296272117300054, 6.8493150683743968075e-3,
      1.9999999999653237497e-2}},
    {{0.23000000000000001, 0.050000000000000003, 0.001, 0.02, 1.2999999999999999e-05,
      2.1000000000000001},
     {5.9679172633888555254e-2, -3.3307934646240471401, 3.1987958974136161973e+3,
      1.6633738666550802625e-2}},
    {{0.11, 0.050000000000000003, 0.001, -0.01, 1.1000000000000001e-07, 3.7000000000000002},
     {1.1841388592257212432e-5, -1.089407685843476129e-4, 1.0764898518975463219e+2,
      -2.3682776741746019467e-6}},
    {{0.02, 0.050000000000000003, 0.001, 0.01, 0.00046999999999999999, 0.29999999999999999},
     {1.8207772959603907787e-2, 2.036757137975288462e-1, 3.7113724651838415673e+1,
      3.4886901172728108478e-3}},
    {{9.9999999999999995e-07, 1, 0.001, 0.5, 6.0999999999999999e-05, -2.2999999999999998},
     {9.6572810114977421852e-3, 2.0762799274652441977e-2, 1.5831116065766929437e+2,
      4.8284904000589133773e-3}},
    {{0.59999999999999998, 0.01, 9.9999999999999998e-13, 0.012, 1000, -34.5},
     {5.3138776394910682917e-1, 3.453877639491068528e+1, 1.0000000000000000208e-5,
      1.200000000000000025e-2}},
};

static void test_table(void)
{
    double worst[4] = {0};

    for (int i = 0; i < LENGTH(table); i++) {
        const double *at = table[i].at, p[] = {at[0], at[1], at[2], at[3], D_C_M};
        struct cf_slide c = {0, LOAD, {0, at[4]}, &at[5]};
        struct cf_friction_slopes by;
        double f[2], rate[1];
        cf_friction_find("rate-state")->force(p, &c, f, rate);
        cf_friction_slopes(cf_friction_find("rate-state"), p, &c, &by);
        const double got[] = {-f[1] / LOAD, -by.force[1][CF_BY_PARAM + A] / LOAD,
                              -by.force[1][CF_BY_VELOCITY + 1] / LOAD,
                              -by.force[1][CF_BY_STATE] / LOAD};
        for (int k = 0; k < 4; k++)
            worst[k] = fmax(worst[k], fabs(got[k] / table[i].mu[k] - 1));
    }
    ok(worst[0] < 1e-14, "mu in 60 digits (%.0e)", worst[0]);
    ok(worst[1] < 2e-13 && worst[2] < 2e-13 && worst[3] < 2e-13,
       "its derivatives by a, speed and state (%.0e, %.0e, %.0e)", worst[1], worst[2], worst[3]);
}

/* mu_0 + (a - sum b) ln(v/v_0), from the least a that is accepted on: nothing overflows. */
static void test_steady(void)
{
    static const double a[] = {1e-9, 1e-5, 1e-3, 0.0089, 0.02};
    static const double ratio[] = {1e-3, 0.07, 0.5, 1, 3.3, 41, 1e4};

    for (int two = 0; two < 2; two++)
        for (int slip = 0; slip < 2; slip++) {
            const struct cf_friction_law *law =
                cf_friction_find(two ? slip ? "rate-state-slip-2" : "rate-state-2" : names[slip]);
            double worst = 0, still = 0;
            for (int i = 0; i < LENGTH(a); i++)
                for (int j = 0; j < LENGTH(ratio); j++) {
                    const double p[] = {0.61, a[i], 3e-6, 0.0093, 1e-5, 0.002, 7e-5};
                    double psi = -log(ratio[j]), state[] = {psi, psi}, f[2], rate[2];
                    double v = ratio[j] * p[V_0], b = two ? 0.0093 + 0.002 : 0.0093;
                    struct cf_slide c = {0, LOAD, {0, v}, state};
                    law->force(p, &c, f, rate);
                    worst = fmax(worst, fabs(-f[1] / LOAD / (0.61 + (a[i] - b) * -psi) - 1));
                    still = fmax(still, fabs(rate[0]) * 1e-5 / v);
                }
            ok(worst < 1e-14, "%s: steady sliding, a from 1e-9 on (%.0e)", law->name, worst);
            ok(still < 1e-14, "and its state stays (%.0e)", still);
        }
}

/* A slip at one velocity for some time. */
struct pull {
    const struct cf_friction_law *law;
    const double *p;
    double v;
};

static void rates(const void *context, double t, const double y[], double dydt[])
{
    const struct pull *pull = context;
    struct cf_slide c = {0, LOAD, {0.6 * pull->v, -0.8 * pull->v}, y};
    double f[2];

    (void) t;
    pull->law->force(pull->p, &c, f, dydt);
}

static bool run(const struct pull *pull, double time, double state[])
{
    static const double scale[] = {1, 1};
    struct cf_ode_system system = {.n = pull->law->nstate, .rates = rates};
    struct cf_ode_options options = {.tolerance = 1e-12, .scale = scale, .max_steps = 100000};
    struct cf_ode *ode = cf_ode_alloc(pull->law->nstate, 0);
    struct cf_ode_result result;
    double t = 0;
    bool good = ode && cf_ode_run(ode, &system, pull, &options, &t, state, NULL, time, &result,
                                  NULL) == CF_OK;

    cf_ode_free(ode);
    return good;
}

/* theta goes to D_c/v with the slip over D_c under ageing, ln(v theta/D_c) to 0 under slip. */
static double psi_after(bool slip, double psi, double v, double v_0, double d_c, double time)
{
    double way = v * time / d_c, steady = d_c / v, theta = d_c / v_0 * exp(psi);

    if (slip)
        return log(v_0 / v) + log(v * theta / d_c) * exp(-way);
    return log(v_0 / d_c * (v > 0 ? steady + (theta - steady) * exp(-way) : theta + time));
}

static void test_evolution(void)
{
    static const struct {
        double v, time;
    } steps[] = {{1e-5, 0.7}, {1.3e-6, 11}, {0, 600}, {0.02, 1e-3}, {3e-6, 20}};

    for (int slip = 0; slip < 2; slip++) {
        const double p[] = {0.61, 0.0089, 3e-6, 0.0093, 1e-5, 0.002, 7e-5};
        struct pull pull = {cf_friction_find(slip ? "rate-state-slip-2" : "rate-state-2"), p, 0};
        double state[2] = {0}, want[2] = {0}, worst = 0;
        bool good = true;
        for (int i = 0; i < LENGTH(steps); i++) {
            pull.v = steps[i].v;
            good = run(&pull, steps[i].time, state) && good;
            for (int k = 0; k < 2; k++) {
                want[k] = psi_after(slip, want[k], pull.v, p[V_0], k ? 7e-5 : 1e-5, steps[i].time);
                worst = fmax(worst, fabs(state[k] - want[k]));
            }
        }
        ok(good && worst < 1e-9, "%s: speed steps and a hold in closed form (%.0e)", pull.law->name,
           worst);
    }
}

/* Another v_0, with its mu_0 and psi, is the same law. */
static void test_reference(void)
{
    const double p[] = {0.61, 0.0089, 3e-6, 0.0093, 1e-5}, more = log(7.0);
    const double q[] = {0.61 + (0.0089 - 0.0093) * more, 0.0089, 2.1e-5, 0.0093, 1e-5};

    for (int slip = 0; slip < 2; slip++) {
        double psi = -0.9, moved = psi + more, f[2], g[2], rate[1], other[1];
        struct cf_slide c = {0, LOAD, {1e-6, -2e-6}, &psi}, d = c;
        d.state = &moved;
        cf_friction_find(names[slip])->force(p, &c, f, rate);
        cf_friction_find(names[slip])->force(q, &d, g, other);
        is_near(g[0] / f[0], 1, 1e-14, "%s: v_0 is a reference", names[slip]);
        is_near(other[0] / rate[0], 1, 1e-13, "and its state is moved");
    }
}

/* Below v_e = 1e-6 v_0 it falls to 0 as ([G07] 3.33) (3/2) u - (1/2) u^3. */
static void test_creep(void)
{
    const double p[] = {0.61, 0.0089, 3e-3, 0.0093, 1e-5}, u = 0.37;
    double psi = 0, f[2], rate[1];
    struct cf_slide c = {0, LOAD, {0, u * 3e-9}, &psi};

    cf_friction_find("rate-state")->force(p, &c, f, rate);
    double mu = 0.61 + 0.0089 * log(u * 1e-6);
    is_near(-f[1] / LOAD, mu * (1.5 * u - 0.5 * u * u * u), 1e-13, "creep below v_e");
    is_near(cf_friction_least_speed(cf_friction_find("rate-state"), p), 3e-9, 1e-15,
            "which is the least speed that friction knows");
    is_near(cf_friction_least_speed(cf_friction_find("coulomb"), (double[]){0.3, 2e-4}), 2e-4,
            1e-15, "as v_e of coulomb is");
    ok(isinf(cf_friction_least_speed(cf_friction_find("dahl"), (double[]){0.3, 2e4})),
       "dahl knows none");
}

/* A block that a plate drives through a spring, off and on; b > a: it may oscillate. Of the numbers
 * by which it has columns, one in four is compared but for CHECK_FULL, from the first one on. */
static const char *const scene =
    "gravity: [0, 0, 0]\nduration: 4 s\nbodies:\n"
    "  block: {point: {}, mass: 0.3 kg, turns: false, velocity: [%s, 1e-4 m/s, 0]}\n"
    "  plate: {moving: {velocity: [2 mm/s, 1 mm/s, 0]}}\n"
    "contacts:\n  - between: [block, plate]\n"
    "    normal: {load: 5 N, direction: [0, 0, 1]}\n"
    "    friction: {law: %s, mu_0: 0.6, a_rate: %s, v_0: 1 mm/s, b_state: 0.02, d_c: 0.1 mm}\n"
    "springs:\n  - {body: block, anchor: [1 mm, 0, 0], stiffness: 700 N/m}\n";

static void test_scene(size_t first, const char *law, const char *velocity, const char *a)
{
    size_t step = is_full_check() ? 1 : 4;
    static struct columns columns;
    struct columns_worst worst;
    struct stage stage;

    memset(&worst, 0, sizeof worst);
    stage_write(&stage, "rate_state", scene, velocity, law, a);
    bool good = stage_run(&stage);
    const double *lost = stage.result.energy_J;
    if (!good)
        printf("# %s\n", stage.err.text);
    ok(good && lost[CF_ENERGY_SLIDE] > 0 && lost[CF_ENERGY_TANGENTIAL_DAMPER] == 0 &&
           lost[CF_ENERGY_VISCOUS] == 0,
       "%s, a %s: it loses by sliding", law, a);
    ok(good && stage_off(&stage) < 1e-14, "energy balance %.0e", stage_off(&stage));
    good = good && columns_run(&columns, &stage);
    for (size_t i = first % step; good && i < columns.nnumber; i += step)
        columns_compare(&columns, i, &worst);
    ok(good && worst.off[1] < 1e-6, "%zu values of its columns (%.0e, by %s)", worst.compared,
       worst.off[1], good ? columns_name(&columns.number[worst.number[1]]) : "");
    columns_free(&columns);
    stage_close(&stage);
}

/* Two balls roll on the ground, one into the other, away from the origin or at it. */
static const char *const rolling =
    "duration: 0.2 s\nsolver: {max-steps: %d}\nbodies:\n"
    "  one: {sphere: {radius: 7 mm}, mass: 5 g, inertia: solid, position: [%.17g m, %.17g m, 7 "
    "mm],\n"
    "        velocity: [0.2 m/s, 0.05 m/s, 0 m/s]}\n"
    "  two: {sphere: {radius: 9 mm, center: [0.3 mm, 0.2 mm, 0.1 mm]}, mass: 12 g,\n"
    "        inertia: [5e-7 kg m^2, 5e-7 kg m^2, 5e-7 kg m^2],\n"
    "        position: [%.17g m, %.17g m, 9 mm]}\n"
    "  ground: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}\n"
    "contacts:\n  - between: [\"*\", \"*\"]\n"
    "    normal: {law: azad-featherstone, k: 8e5 N/m^1.5, lambda: 2e3 N s/m^1.5}\n"
    "    friction: {law: %s, mu_0: 0.5, a_rate: 0.012, v_0: %s, b_state: 0.01, d_c: 20 um}\n";

/* Where a scene lies changes nothing, down to the rounding of places: 100 m away friction that
 * turns round within 3e-10 m/s would feel the rounding of levers that are differences of places. */
static void test_far(const char *law)
{
    static const double away_m[][2] = {{0, 0}, {100, 0}, {-40, 300}};
    struct stage at[LENGTH(away_m)];
    double off = 0, most = 0;
    bool good = true;

    for (int i = 0; i < LENGTH(away_m); i++) {
        double x = away_m[i][0], y = away_m[i][1];
        stage_write(&at[i], "rate_state_far", rolling, 100000, x, y, x + 0.025, y + 0.004, law,
                    "0.3 mm/s");
        good = stage_run(&at[i]) && good;
        if (at[i].status)
            printf("# %s\n", at[i].err.text);
        for (int b = 0; b < 2 && good; b++)
            for (int k = 0; k < 3; k++)
                off =
                    fmax(off, fabs(at[i].last[b].velocity_m_s[k] - at[0].last[b].velocity_m_s[k]));
        if (good)
            most = fmax(most, (double) at[i].result.steps / (double) at[0].result.steps);
    }
    ok(good && off < 1e-7, "%s: velocities 100 m and 303 m away (%.0e m/s)", law, off);
    ok(good && most < 1.2, "in at most %.2f times the steps", most);
    for (int i = 0; i < LENGTH(away_m); i++)
        stage_close(&at[i]);
}

/* A v_0 so small that slip is lost beside the speeds: the run that stops says so. */
static void test_faint(void)
{
    struct stage stage;

    stage_write(&stage, "rate_state_faint", rolling, 3000, 0.0, 0.0, 0.025, 0.004, "rate-state",
                "1e-11 m/s");
    ok(!stage_run(&stage) && stage.status == CF_ESOLVE &&
           strstr(stage.err.text, "its friction turns round within 1e-17 m/s of slip") &&
           strstr(stage.err.text, ": let its v_0 be at least "),
       "a v_0 of 1e-11 m/s stops, and says which would do");
    stage_close(&stage);
}

TEST(rate_state)
{
    plan(2 + 8 + 2 + 4 + 4 + 3 * (is_full_check() ? 4 : 3) + 2 * 2 + 1);
    test_table();
    test_steady();
    test_evolution();
    test_reference();
    test_creep();
    test_scene(0, "rate-state", "2.1 mm/s", "0.03");
    test_scene(1, "rate-state-slip", "2.1 mm/s", "0.03");
    if (is_full_check()) /* 50 s: it oscillates from rest, in many steps */
        test_scene(2, "rate-state", "0 m/s", "0.015");
    test_scene(3, "rate-state-slip", "-4 mm/s", "0.015");
    test_far("rate-state");
    test_far("rate-state-slip");
    test_faint();
    return done();
}
