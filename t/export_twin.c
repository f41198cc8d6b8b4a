/* Conversions for export targets and their discrete twins, against e measured in the targets. */

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "export/convert.h"
#include "export/twin.h"
#include "tap.h"

#define LENGTH(table) ((int) (sizeof table / sizeof table[0]))

/* The reference case: R = 10 mm, m = 10 g, k = 1e6 N/m^1.5, rigid plane, no gravity. */
static const double mass = 0.01, hertz = 1e6;
/* tuned to e(0.5 m/s) = 0.85 at the depth of the undamped contact */
static const double K = 15924.286822139886, C = 1.3497175453759713;
/* azad-featherstone with the A of a contact that gives 0.85 at 0.5 m/s, and the ratio of
 * Hunt-Crossley that does */
static const double kk_lambda = 1.5 * 6.9932232e-05 * 1e6, hc_a = 0.52801881;

static const double speed[] = {0.1, 0.5, 2};

static struct cf_twin spring_damper(enum cf_scheme scheme, double damping)
{
    return (struct cf_twin){.scheme = scheme,
                            .law = cf_law_find("linear"),
                            .p = {K, damping},
                            .mass_kg = mass,
                            .radius_m = 0.01};
}

/* e at 0.1, 0.5 and 2 m/s as the simulators showed it from a gap of 0.1 um: MuJoCo 3.3.8 (Euler,
 * direct solref), ODE 0.16 (ERP and CFM), Bullet 3.24, PhysX 5.6.1, with 5 digits. */
static const struct {
    const char *target;
    enum cf_scheme scheme;
    double dt, gap, damping, e[3];
} measured[] = {
    {"MuJoCo", CF_SCHEME_REFERENCE, 1e-5, 1e-7, 1, {0.85042, 0.85052, 0.85054}},
    {"MuJoCo", CF_SCHEME_REFERENCE, 1e-4, 1e-7, 1, {0.85529, 0.85548, 0.85552}},
    {"MuJoCo", CF_SCHEME_REFERENCE, 1e-3, 1e-7, 1, {1.06288, 1.06323, 1.06330}},
    {"ODE", CF_SCHEME_BACKWARD, 1e-5, 1e-7, 1, {0.83499, 0.83509, 0.83511}},
    {"ODE", CF_SCHEME_BACKWARD, 5e-5, 1e-7, 1, {0.78089, 0.78104, 0.78107}},
    {"ODE", CF_SCHEME_BACKWARD, 1e-4, 1e-7, 1, {0.72408, 0.72428, 0.72432}},
    {"ODE", CF_SCHEME_BACKWARD, 1e-3, 1e-7, 1, {0.53622, 0.53659, 0.53666}},
    {"ODE, C - hK", CF_SCHEME_BACKWARD, 1e-5, 1e-7, -1, {0.85050, 0.85060, 0.85062}},
    {"ODE, C - hK", CF_SCHEME_BACKWARD, 5e-5, 1e-7, -1, {0.85329, 0.85339, 0.85341}},
    {"ODE, C - hK", CF_SCHEME_BACKWARD, 1e-4, 1e-7, -1, {0.83372, 0.83383, 0.83385}},
    {"ODE, C - hK", CF_SCHEME_BACKWARD, 1e-3, 1e-7, -1, {0.56156, 0.56194, 0.56202}},
    {"Bullet", CF_SCHEME_AHEAD, 1e-6, -1e-9, 1, {0.84837, 0.84837, 0.84837}},
    {"Bullet", CF_SCHEME_AHEAD, 1e-5, -1e-9, 1, {0.83386, 0.83386, 0.83386}},
    {"Bullet", CF_SCHEME_AHEAD, 1e-4, -1e-9, 1, {0.70363, 0.70363, 0.70363}},
    {"Bullet", CF_SCHEME_AHEAD, 1e-3, -1e-9, 1, {0.19678, 0.19677, 0.19677}},
    {"PhysX", CF_SCHEME_THROUGH, 1e-5, 1e-7, 1, {0.83375, 0.83384, 0.83386}},
    {"PhysX", CF_SCHEME_THROUGH, 1e-4, 1e-7, 1, {0.70350, 0.70360, 0.70362}},
    {"PhysX", CF_SCHEME_THROUGH, 1e-4, 1.5e-5, 1, {0.69682, 0.69955, 0.70261}},
    {"PhysX", CF_SCHEME_THROUGH, 1e-3, 1e-7, 1, {0.19663, 0.19674, 0.19677}},
};

static void twins(struct cf_curves *curves)
{
    for (int i = 0; i < LENGTH(measured); i++) {
        double dt = measured[i].dt, damping = measured[i].damping > 0 ? C : fmax(C - dt * K, 0);
        struct cf_twin twin = spring_damper(measured[i].scheme, damping);
        /* half a digit, and the rounding of single precision */
        double within = measured[i].scheme == CF_SCHEME_THROUGH ? 1e-5 : 6e-6;
        for (int j = 0; j < 3; j++) {
            struct cf_seen seen = {.e = (double) NAN};
            cf_twin_run(&twin, curves, speed[j], dt, measured[i].gap, &seen, NULL);
            ok(fabs(seen.e - measured[i].e[j]) < within && seen.left,
               "%s at %g s, %g m/s: %.5f as measured, %.6f", measured[i].target, dt, speed[j],
               measured[i].e[j], seen.e);
        }
    }
}

/* Two spheres in Bullet 3.24, which meets them at overlap only: stiffness, damping, effective mass,
 * speed, step, gap, and e and depth as seen, in single precision. */
static void two_spheres(struct cf_curves *curves)
{
    static const struct {
        double k, lambda, mass, speed, dt, gap, e, depth;
    } seen[] = {{2e4, 3, 0.02, 0.7, 1e-5, 3e-6, 0.7873402, 0.000621411},
                {2e4, 3, 0.02, 0.7, 1e-4, 3e-6, 0.7048447, 0.000594753},
                {2e4, 3, 0.02, 0.7, 1e-3, 3e-4, 0.3584943, 0.000539536},
                {1e6, 2000, 100 / 3.0, 5, 1e-3, 1e-3, 0.5149575, 0.0214639},
                {1e6, 2000, 100 / 3.0, 5, 1e-3, 4e-3, 0.4888522, 0.0203793}};
    for (int i = 0; i < LENGTH(seen); i++) {
        const struct cf_twin twin = {.scheme = CF_SCHEME_BACKWARD,
                                     .law = cf_law_find("linear"),
                                     .p = {seen[i].k, seen[i].lambda},
                                     .mass_kg = seen[i].mass,
                                     .radius_m = 1};
        struct cf_seen out = {.e = (double) NAN};
        cf_twin_run(&twin, curves, seen[i].speed, seen[i].dt, seen[i].gap, &out, NULL);
        ok(fabs(out.e - seen[i].e) < 3e-5 && fabs(out.depth_m / seen[i].depth - 1) < 2e-5,
           "two spheres in Bullet at %g s: %.6f as measured, %.6f", seen[i].dt, seen[i].e, out.e);
    }
}

/* What engines add to a contact: a ball of 5 cm and 0.1 kg, by K = 158.5 or 400 N/m and C = 1.084
 * or 0.3 N s/m or by e = 0.65, as MuJoCo 2.2.2, Bullet 3.24, PhysX 5.6.1, ODE 0.16 and DART 6.12
 * showed it under g: by the top of its flight, the touch at 0.5/8 to 0.9 of a step. Bullet splits
 * the impulse of the fastest and sees none ahead; PhysX does not see the fastest. In MuJoCo the
 * pyramid of the friction that geoms have by themselves changes e by 1e-4. */
enum { GENTLE, SPLIT, OFFSET, TAKEN, KICKED };
static const struct {
    enum cf_scheme scheme;
    int engine;
    double speed, dt, g, part, e, within;
} around[] = {
    {CF_SCHEME_REFERENCE, GENTLE, 0.4, 1e-3, 0, 0.5 / 8, 0.676890797, 1.1e-4},
    {CF_SCHEME_REFERENCE, GENTLE, 0.4, 1e-3, 9.81, 0.5 / 8, 0.658992278, 1.1e-4},
    {CF_SCHEME_REFERENCE, GENTLE, 0.4, 1e-3, 9.81, 3.5 / 8, 0.643577712, 1.1e-4},
    {CF_SCHEME_REFERENCE, GENTLE, 1, 1e-3, 9.81, 7.5 / 8, 0.643163243, 1.1e-4},
    {CF_SCHEME_AHEAD, SPLIT, 0.4, 4e-3, 0, 0.6, 0.629306808, 1e-5},
    {CF_SCHEME_AHEAD, SPLIT, 1.5, 4e-3, 0, 0.9, 0.639083902, 1e-5},
    {CF_SCHEME_AHEAD, SPLIT, 5, 4e-3, 0, 0.1, 0.394527173, 1e-5},
    {CF_SCHEME_AHEAD, SPLIT, 0.4, 4e-3, 9.81, 0.1, 0.31270344, 2e-5},
    {CF_SCHEME_AHEAD, SPLIT, 5, 4e-3, 9.81, 0.6, 0.367268958, 1e-5},
    {CF_SCHEME_THROUGH, OFFSET, 3, 4e-3, 0, 0.6, 0.624850074, 1e-5},
    {CF_SCHEME_THROUGH, OFFSET, 20, 4e-3, 0, 0.6, 0.648130751, 1e-5},
    {CF_SCHEME_THROUGH, OFFSET, 20, 4e-3, 9.81, 0.6, 0.645276590, 1e-5},
    {CF_SCHEME_RESTITUTION, TAKEN, 0.4, 4e-3, 9.81, 0.1, 0.583666227, 5e-5},
    {CF_SCHEME_RESTITUTION, TAKEN, 0.4, 1.0 / 60, 9.81, 0.6, 0.617894579, 5e-5},
    {CF_SCHEME_RESTITUTION, TAKEN, 2, 4e-3, 9.81, 0.9, 0.651842553, 5e-5},
    {CF_SCHEME_RESTITUTION, KICKED, 0.4, 4e-3, 9.81, 0.1, 0.66113634, 5e-5},
    {CF_SCHEME_RESTITUTION, KICKED, 2, 1.0 / 60, 9.81, 0.6, 0.693237614, 5e-5},
};

static void engines(struct cf_curves *curves)
{
    static const struct cf_engine adds[] = {
        [GENTLE] = {.impedance = 0.9999},
        [SPLIT] = {.sees_m = 0.02 * 1.7320508 * 0.05, .split_m = 0.04},
        [OFFSET] = {.sees_m = 0.04},
        [TAKEN] = {.taken_back = 0.2},
        [KICKED] = {.bounces_kick = true, .taken_back = 0.01}};

    for (int i = 0; i < LENGTH(around); i++) {
        bool gentle = around[i].engine == GENTLE, bounces = around[i].engine >= TAKEN;
        const struct cf_twin twin = {.scheme = around[i].scheme,
                                     .law = bounces ? NULL : cf_law_find("linear"),
                                     .p = {gentle ? 158.5 : 400, gentle ? 1.084 : 0.3},
                                     .e = 0.65,
                                     .mass_kg = 0.1,
                                     .radius_m = 0.05,
                                     .gravity_m_s2 = around[i].g,
                                     .engine = adds[around[i].engine]};
        struct cf_seen seen = {.e = (double) NAN};
        cf_twin_run(&twin, curves, around[i].speed, around[i].dt,
                    around[i].part * around[i].speed * around[i].dt, &seen, NULL);
        ok(fabs(seen.e - around[i].e) < around[i].within && seen.left,
           "engine %d at %g m/s under %g m/s^2: %.6f as measured, %.6f", around[i].engine,
           around[i].speed, around[i].g, around[i].e, seen.e);
    }
}

/* The extremes over where in a step the touch falls are at its ends; between two parts of 16 they
 * would be cut off. A backward contact of 400 places is no wider, and no narrower by more than what
 * 1/800 of a step is. */
static void spread_ends(struct cf_curves *curves)
{
    const struct cf_twin twin = spring_damper(CF_SCHEME_BACKWARD, C);
    struct cf_spread spread;
    double low = 2, high = -1;

    cf_twin_spread(&twin, curves, 0.5, 1e-4, &spread, NULL);
    for (int i = 0; i < 400; i++) {
        struct cf_seen seen;
        cf_twin_run(&twin, curves, 0.5, 1e-4, 0.5e-4 * (i + 0.5) / 400, &seen, NULL);
        low = fmin(low, seen.e);
        high = fmax(high, seen.e);
    }
    ok(spread.e_low <= low && spread.e_high >= high && high - low > 0.01 &&
           high - low > 0.994 * (spread.e_high - spread.e_low),
       "e of 400 touches, %.5f to %.5f, in the band of %.5f to %.5f", low, high, spread.e_low,
       spread.e_high);
}

/* Nor are they cut off between those parts, where coarse explicit steps have some: 3001 touches of
 * each, no two laws alike. */
static void spread_between(struct cf_curves *curves)
{
    static const struct {
        enum cf_scheme scheme;
        const char *law;
        double k, damping, steps;
    } row[] = {
        {CF_SCHEME_SEMI_IMPLICIT, "linear", 15924, 1.35, 5.3},
        {CF_SCHEME_SEMI_IMPLICIT, "linear", 15924, 12, 17},
        {CF_SCHEME_SEMI_IMPLICIT, "azad-featherstone", 1e6, 105, 5},
        {CF_SCHEME_SEMI_IMPLICIT, "azad-featherstone", 1e6, 900, 7.7},
        {CF_SCHEME_SEMI_IMPLICIT, "tsuji", 1e6, 0.25, 6.1},
        {CF_SCHEME_VERLET, "azad-featherstone", 1e6, 105, 5},
        {CF_SCHEME_VERLET, "azad-featherstone", 1e6, 400, 11.3},
        {CF_SCHEME_BACKWARD, "linear", 15924, 0.3, 5},
        {CF_SCHEME_AHEAD, "linear", 15924, 4, 6.2},
        {CF_SCHEME_THROUGH, "linear", 15924, 4, 5.6},
    };
    enum { NTOUCH = 3001 };

    for (int i = 0; i < LENGTH(row); i++) {
        const struct cf_twin twin = {.scheme = row[i].scheme,
                                     .law = cf_law_find(row[i].law),
                                     .p = {row[i].k, row[i].damping},
                                     .mass_kg = mass,
                                     .radius_m = 0.01};
        bool linear = strcmp(row[i].law, "linear") == 0;
        double time = linear ? 3.14159 * sqrt(mass / row[i].k)
                             : 3.22 * pow(mass * mass / row[i].k / row[i].k / 0.5, 0.2);
        double dt = time / row[i].steps, low = INFINITY, high = -INFINITY;
        struct cf_spread spread;
        cf_twin_spread(&twin, curves, 0.5, dt, &spread, NULL);
        for (int j = 0; j < NTOUCH; j++) {
            struct cf_seen seen;
            cf_twin_run(&twin, curves, 0.5, dt, 0.5 * dt * (j + 0.5) / NTOUCH, &seen, NULL);
            low = fmin(low, seen.e);
            high = fmax(high, seen.e);
        }
        double width = spread.e_high - spread.e_low;
        ok(spread.e_low <= low + 1e-4 * width && spread.e_high >= high - 1e-4 * width &&
               high - low > 0.98 * width && width > 1e-3,
           "%s, scheme %d, T/%g: e of %d touches, %.7f to %.7f, in %.7f to %.7f", row[i].law,
           (int) row[i].scheme, row[i].steps, (int) NTOUCH, low, high, spread.e_low, spread.e_high);
    }
}

/* LAMMPS and LIGGGHTS, clipped, at 1 us; to their discretisation the law itself. */
static void verlet(struct cf_curves *curves)
{
    static const double e[] = {0.88802, 0.85000, 0.80869};
    struct cf_twin twin = {.scheme = CF_SCHEME_VERLET,
                           .law = cf_law_find("azad-featherstone"),
                           .p = {hertz, kk_lambda},
                           .mass_kg = mass,
                           .radius_m = 0.01};
    for (int j = 0; j < 3; j++) {
        struct cf_seen seen;
        cf_twin_run(&twin, curves, speed[j], 1e-6, 1e-7, &seen, NULL);
        is_near(seen.e, e[j], 1.5e-5, "Verlet steps of azad-featherstone at %g m/s", speed[j]);
    }
}

/* Limits that need no simulator: at fine steps every scheme shows the law itself. */
static void limits(struct cf_curves *curves)
{
    static const enum cf_scheme scheme[] = {CF_SCHEME_SEMI_IMPLICIT, CF_SCHEME_VERLET,
                                            CF_SCHEME_BACKWARD, CF_SCHEME_AHEAD, CF_SCHEME_THROUGH};
    struct cf_twin twin = spring_damper(CF_SCHEME_CONTINUOUS, C);
    struct cf_seen exact, seen;

    cf_twin_run(&twin, curves, 0.5, 0, 0, &exact, NULL);
    is_near(exact.e, 0.85, 1e-12, "the continuous contact has the e that it is tuned to");
    for (int i = 0; i < LENGTH(scheme); i++) {
        twin.scheme = scheme[i];
        cf_twin_run(&twin, curves, 0.5, 1e-7, 0, &seen, NULL);
        ok(fabs(seen.e - exact.e) < 3e-4 && fabs(seen.depth_m / exact.depth_m - 1) < 3e-4 &&
               fabs(seen.duration_s / exact.duration_s - 1) < 3e-4,
           "scheme %d at 0.1 us: e, depth and duration of the law", (int) scheme[i]);
    }
    twin = (struct cf_twin){.scheme = CF_SCHEME_RESTITUTION, .e = 0.7};
    cf_twin_run(&twin, curves, 0.5, 1e-3, 1e-4, &seen, NULL);
    is_near(seen.e, 0.7, 1e-15, "a bounce has its e at any step");
}

static void linear_forms(struct cf_curves *curves)
{
    is_near(cf_linear_zeta(0.85), 0.05347895373529253, 1e-12, "zeta of 0.85, never pulling");
    is_near(cf_linear_restitution(1), exp(-2), 1e-12, "critical damping: e^-2");
    is_near(cf_linear_restitution(1 + 1e-5), cf_linear_restitution(1 - 1e-5), 1e-4,
            "both forms meet at zeta = 1");
    for (double e = 0.02; e < 1; e += 0.07)
        is_near(cf_linear_restitution(cf_linear_zeta(e)), e, 1e-13, "zeta and back at e = %.2f", e);
    /* an independent check: the integrated contact */
    for (double zeta = 0.05; zeta < 3; zeta *= 1.9) {
        double p[] = {K, 2 * zeta * sqrt(K * mass)}, value[CF_NIMPACT];
        cf_impact_integrate(cf_law_find("linear"), p, mass, 0.5, 1e-12, value, NULL);
        is_near(cf_linear_restitution(zeta), value[CF_IMPACT_RESTITUTION], 1e-9,
                "zeta = %.3f, integrated", zeta);
    }
    /* mixing the forms costs as much as was measured */
    for (int i = 0; i < 2; i++) {
        double e = i ? 0.5 : 0.85, cost = i ? 0.05 : 0.005;
        double mixed = cf_linear_restitution(cf_linear_zeta_pulling(e)) - e;
        ok(mixed > 0.8 * cost && mixed < 1.2 * cost,
           "zeta of the pulling form, never pulling: %+.4f at %g", mixed, e);
    }
    (void) curves;
}

/* 0.800, 0.911 and 1.25: an undamped Hertz contact and its linear equivalents, integrated. */
static void stiffness(struct cf_curves *curves)
{
    static const double factor[] = {0.800, 0.911, 1.25};
    static const enum cf_impact_what what[] = {CF_IMPACT_DEPTH, CF_IMPACT_DURATION,
                                               CF_IMPACT_FORCE};
    const struct cf_law *kk = cf_law_find("azad-featherstone"), *linear = cf_law_find("linear");
    double x = cf_hertz_depth(hertz, mass, 0.5);

    for (int keep = 0; keep < 3; keep++) {
        double stiff = cf_hertz_linear_stiffness(hertz, x, (enum cf_keep) keep);
        ok(fabs(stiff / (hertz * sqrt(x)) - factor[keep]) < 6e-4, "the factor %.3f: %.5f",
           factor[keep], stiff / (hertz * sqrt(x)));
        for (int damped = 0; damped < 2; damped++) {
            double p[] = {hertz, damped ? kk_lambda : 1e-6}, q[2], a[CF_NIMPACT], b[CF_NIMPACT];
            cf_linear_equivalent(curves, kk, p, mass, 0.5, (enum cf_keep) keep, &q[0], &q[1], NULL);
            cf_impact_integrate(kk, p, mass, 0.5, 1e-11, a, NULL);
            cf_impact_integrate(linear, q, mass, 0.5, 1e-11, b, NULL);
            ok(fabs(b[what[keep]] / a[what[keep]] - 1) < 1e-7 &&
                   fabs(b[CF_IMPACT_RESTITUTION] - a[CF_IMPACT_RESTITUTION]) < 1e-7,
               "what is kept is kept, and e");
            if (!damped)
                is_near(q[0] / stiff, 1, 1e-5, "without damping, that factor");
        }
    }
}

/* How much a target loses on azad-featherstone data: measured over two ranges of speeds. */
static void losses(struct cf_curves *curves)
{
    static const struct {
        double low, high, constant, hunt_crossley;
    } range[] = {{0.1, 2, 0.040, 0.093}, {0.35, 0.7, 0.009, 0.034}};
    const struct cf_law *kk = cf_law_find("azad-featherstone");
    double p[] = {hertz, kk_lambda};

    for (int i = 0; i < LENGTH(range); i++) {
        double e, error = 1, q[CF_MAX_PARAM];
        cf_constant_restitution(curves, kk, p, mass, range[i].low, range[i].high, &e, &error, NULL);
        ok(fabs(error - range[i].constant) < 6e-4, "%g to %g m/s, constant e loses %.4f",
           range[i].low, range[i].high, error);
        cf_law_approximate(curves, kk, p, mass, range[i].low, range[i].high,
                           cf_law_find("hunt-crossley"), q, &error, NULL);
        ok(fabs(error - range[i].hunt_crossley) < 6e-4 && q[0] == hertz,
           "%g to %g m/s, Hunt-Crossley loses %.4f", range[i].low, range[i].high, error);
    }
    double q[CF_MAX_PARAM], hc[] = {hertz, hc_a}, error;
    cf_law_approximate(curves, cf_law_find("hunt-crossley"), hc, mass, 0.1, 2,
                       cf_law_find("hunt-crossley"), q, &error, NULL);
    ok(fabs(q[1] / hc_a - 1) < 1e-8 && error < 1e-8, "a law is approximated by itself");
}

static void steps(struct cf_curves *curves)
{
    struct cf_twin twin = spring_damper(CF_SCHEME_BACKWARD, C);
    struct cf_spread spread;
    bool possible;

    cf_twin_compensate(&twin, curves, 0.5, 1e-5, 0.85, &possible, NULL);
    cf_twin_spread(&twin, curves, 0.5, 1e-5, &spread, NULL);
    ok(possible && fabs(spread.e_mean - 0.85) < 1e-6 && fabs(twin.p[1] / (C - 1e-5 * K) - 1) < 0.01,
       "backward steps of 10 us: compensated, by about hK (%.4f for %.4f)", twin.p[1],
       C - 1e-5 * K);
    twin = spring_damper(CF_SCHEME_BACKWARD, C);
    cf_twin_compensate(&twin, curves, 0.5, 1e-3, 0.85, &possible, NULL);
    ok(!possible && twin.p[1] == 0, "backward steps of 1 ms lose too much without any damping");

    twin = spring_damper(CF_SCHEME_SEMI_IMPLICIT, C);
    cf_twin_compensate(&twin, curves, 0.5, 1e-3, 0.3, &possible, NULL);
    ok(!possible, "nor does damping lose enough in steps as long as the contact");
    twin = spring_damper(CF_SCHEME_SEMI_IMPLICIT, C);
    const struct cf_goal goal = {.design_m_s = 0.5,
                                 .design_e = 0.85,
                                 .n = 1,
                                 .speed_m_s = {0.5},
                                 .e = {0.85},
                                 .bound = 0.005};
    double dt, scaled;
    cf_twin_largest_step(&twin, curves, &goal, false, &dt, NULL);
    cf_twin_spread(&twin, curves, 0.5, dt, &spread, NULL);
    ok(spread.e_high <= 0.855 && spread.e_low >= 0.845, "within the bound at the largest step %g",
       dt);
    cf_twin_spread(&twin, curves, 0.5, dt * 1.021, &spread, NULL);
    ok(!(spread.e_high <= 0.855 && spread.e_low >= 0.845), "and not 2 %% above it");
    /* a linear contact that is c times faster needs steps c times finer */
    twin.p[0] *= 100;
    twin.p[1] *= 10;
    cf_twin_largest_step(&twin, curves, &goal, false, &scaled, NULL);
    is_near(scaled * 10 / dt, 1, 1e-9, "the largest step scales with the contact's time");
    double more;
    twin.scheme = CF_SCHEME_BACKWARD;
    cf_twin_largest_step(&twin, curves, &goal, false, &scaled, NULL);
    cf_twin_largest_step(&twin, curves, &goal, true, &more, NULL);
    ok(more > 5 * scaled, "compensated damping allows larger steps: %g for %g", more, scaled);
    twin.scheme = CF_SCHEME_CONTINUOUS;
    cf_twin_largest_step(&twin, curves, &goal, false, &more, NULL);
    ok(isinf(more), "an integrator with error control has no largest step");
}

/* The damping that is found shows the wanted e, to 1e-8, at steps that are fine and coarse. */
static void dampings(struct cf_curves *curves)
{
    static const double dt[] = {1e-6, 1e-5, 1e-4};

    for (int i = 0; i < LENGTH(dt); i++) {
        struct cf_twin twin = spring_damper(CF_SCHEME_SEMI_IMPLICIT, i == 1 ? 100 * C : C / 50);
        struct cf_spread spread;
        bool possible;

        cf_twin_compensate(&twin, curves, 0.5, dt[i], 0.7, &possible, NULL);
        cf_twin_spread(&twin, curves, 0.5, dt[i], &spread, NULL);
        ok(possible && fabs(spread.e_mean - 0.7) <= 1e-8, "e of steps of %g s: %.10f", dt[i],
           spread.e_mean);
    }
}

/* Whether e stays within a bound, which ends at the first phase that does not, against how far it
 * is off over all phases: of springs by each scheme, in floats and under gravity, of a law of
 * Hertz's force. */
static void bounds(struct cf_curves *curves)
{
    static const enum cf_scheme scheme[] = {CF_SCHEME_SEMI_IMPLICIT, CF_SCHEME_BACKWARD,
                                            CF_SCHEME_AHEAD, CF_SCHEME_THROUGH, CF_SCHEME_VERLET};
    static const double dt[] = {1e-6, 2e-5, 7e-5, 3e-4, 1e-3};
    int met = 0, asked = 0;

    for (int kind = 0; kind < 4; kind++)
        for (int i = 0; i < LENGTH(scheme) * LENGTH(dt); i++) {
            struct cf_twin twin = spring_damper(scheme[i % LENGTH(scheme)], C);
            struct cf_goal goal = {.n = 3, .speed_m_s = {0.1, 0.5, 2}, .e = {0.84, 0.85, 0.83}};
            struct cf_miss miss;
            bool below, above;
            bool in_floats = i % LENGTH(scheme) > 0 && i % LENGTH(scheme) < 4;
            if (kind == 1 && in_floats)
                twin.floats = (struct cf_floats){true, {0.01, 0}, {1, 0}};
            twin.gravity_m_s2 = kind == 2 ? 9.81 : 0;
            if (kind == 3 && !in_floats) {
                twin.law = cf_law_find("hunt-crossley");
                twin.p[0] = hertz;
                twin.p[1] = hc_a;
            }
            cf_twin_miss(&twin, curves, &goal, dt[i / LENGTH(scheme)], &miss, NULL);
            goal.bound = miss.error * (1 - 1e-9);
            cf_twin_within(&twin, curves, &goal, dt[i / LENGTH(scheme)], false, &below, NULL);
            goal.bound = miss.error * (1 + 1e-9);
            cf_twin_within(&twin, curves, &goal, dt[i / LENGTH(scheme)], false, &above, NULL);
            met += !below && above == (miss.left && miss.e_high <= 1);
            asked++;
        }
    ok(met == asked, "a bound is kept just where all phases keep it: %d of %d", met, asked);
}

static void refusals(struct cf_curves *curves)
{
    struct cf_twin twin = spring_damper(CF_SCHEME_BACKWARD, C);
    struct cf_seen seen;
    struct cf_error err;

    ok(cf_twin_run(&twin, curves, 0, 1e-3, 0, &seen, &err) == CF_ERANGE, "no speed");
    is_str(err.text, "speed = 0 m/s: must be above 0", "and why");
    ok(cf_twin_run(&twin, curves, 1, (double) NAN, 0, &seen, &err) == CF_ERANGE, "no step");
    is_str(err.text, "dt = nan s: must be above 0", "and why");
    twin.law = cf_law_find("hunt-crossley");
    ok(cf_twin_run(&twin, curves, 1, 1e-3, 0, &seen, &err) == CF_EINPUT, "no such constraint");
    is_str(err.text, "hunt-crossley: only linear springs and dampers are solved so", "and why");
}

TEST(export_twin)
{
    struct cf_curves *curves = cf_curves_alloc();

    plan(161);
    twins(curves);
    two_spheres(curves);
    engines(curves);
    spread_ends(curves);
    spread_between(curves);
    verlet(curves);
    limits(curves);
    linear_forms(curves);
    stiffness(curves);
    losses(curves);
    steps(curves);
    dampings(curves);
    bounds(curves);
    refusals(curves);
    cf_curves_free(curves);
    return done();
}
