/* Friction laws at their limits, where they coincide with each other, at points that their sources
 * name; and their names. */

#include <math.h>
#include <string.h>
#include <strings.h>

#include "law/friction.h"
#include "law/law.h"
#include "tap.h"

#define LENGTH(table) ((int) (sizeof table / sizeof table[0]))

static double size_of_force(const char *name, const double p[], const struct cf_slide *c)
{
    double f[2];
    cf_friction_find(name)->force(p, c, f, NULL);
    return hypot(f[0], f[1]);
}

/* No slip: with a wide cone the clutch is spring and damper. No stick: with none its viscous part
 * is in series with the damper, and the spring presses on both. */
static void clutch_limits(void)
{
    static const double x[2] = {3e-5, 4e-5}, none[2] = {0, 0};
    struct cf_slide c = {4e-4, 50, {0.3, 0.4}, x};
    double f[2], rate[2], D = 0.02 * 3e3;

    cf_friction_find("clutch")->force((double[]){10, 9e6, 3e3, 7}, &c, f, rate);
    is_near(f[0], -0.02 * (9e6 * 3e-5 + 3e3 * 0.3), 1e-14, "clutch: wide cone, spring and damper");
    ok(rate[0] == 0.3 && rate[1] == 0.4, "clutch: and the spring takes the whole slip");
    c.state = none;
    is_near(size_of_force("clutch", (double[]){0, 9e6, 3e3, 7}, &c), 0.5 * D * 7 / (D + 7), 1e-14,
            "clutch: no cone, damper and viscous clutch in series");
    is_near(size_of_force("clutch", (double[]){0.2, 9e6, 3e3, 0}, &c), 10, 1e-14,
            "clutch: without a viscous part on the edge of the cone");
    is_near(size_of_force("clutch-linear", (double[]){0.2, 9e4, 1e2, 0}, &c), 10, 1e-14,
            "clutch-linear: so, too");
    /* [AF10] 27 with 30 and 31, implicit as printed: f = mu f_n/|f_stick| f_stick - C v_clutch */
    static const double p[] = {0.2, 9e6, 3e3, 7};
    c.state = x;
    cf_friction_find("clutch")->force(p, &c, f, rate);
    double stick[2], size, error = 0;
    for (int i = 0; i < 2; i++)
        stick[i] = -0.02 * (p[1] * x[i] + p[2] * c.velocity_m_s[i]);
    size = hypot(stick[0], stick[1]);
    for (int i = 0; i < 2; i++) {
        double deformation = -(f[i] + 0.02 * p[1] * x[i]) / D;
        error = fmax(error,
                     fabs(f[i] - 10 * stick[i] / size + p[3] * (c.velocity_m_s[i] - deformation)));
        error = fmax(error, fabs(deformation - rate[i]));
    }
    ok(error < 1e-13, "clutch: solves its implicit equations (%.1e)", error);
    /* of a Hertz contact that has just touched force and width vanish together */
    c.depth_m = 1e-30, c.normal_N = 3e3 * 1e-15 * 0.1;
    cf_friction_find("clutch")->force(p, &c, f, rate);
    ok(isfinite(rate[0]) && fabs(rate[0]) < 1 && fabs(f[0]) < 1e-11, "clutch: smooth at the touch");
}

/* Laws that coincide with others. */
static void relatives(void)
{
    static const double x[3] = {1.3e-5, -0.7e-5, 0.6};
    static const double load = 37;
    struct cf_slide c = {1e-5, load, {1.9e-3, 2.3e-3}, x};
    double per_load[7] = {0.4, 0.3, 2e4, 50, 0.2, 2e-3, 0.5}, fixed[7];

    memcpy(fixed, per_load, sizeof fixed);
    for (int i = 2; i < 5; i++)
        fixed[i] *= load;
    is_near(size_of_force("bristle", per_load, &c), size_of_force("bristle-fixed", fixed, &c),
            1e-14, "bristle-fixed is bristle under one load");
    is_near(size_of_force("lugre", (double[]){0.3, 0.3, 2e4, 0, 0, 1e-3}, &c),
            size_of_force("dahl", (double[]){0.3, 2e4}, &c), 1e-14,
            "dahl is lugre without dampers and without a peak");
    double slow[2], fast[2];
    static const double along[2] = {1.9e-4, 2.3e-4}; /* far beyond x_max */
    c.state = along;
    cf_friction_find("elasto-plastic")
        ->force((double[]){0.4, 0.3, 2e4, 50, 0.2, 2e-3, 0.5}, &c, slow, NULL);
    cf_friction_find("lugre")->force(per_load, &c, fast, NULL);
    is_near(slow[1], fast[1], 1e-13, "elasto-plastic is lugre once it flows along the slip");
    c.velocity_m_s[0] *= -1, c.velocity_m_s[1] *= -1;
    double rate[2];
    cf_friction_find("elasto-plastic")
        ->force((double[]){0.4, 0.3, 2e4, 50, 0.2, 2e-3, 0.5}, &c, slow, rate);
    ok(rate[0] == c.velocity_m_s[0] && rate[1] == c.velocity_m_s[1],
       "elasto-plastic: elastic on the way back");
    static const double little[2] = {4e-6, 5e-6}; /* below half of x_max >= 1.5e-5 */
    c.velocity_m_s[0] *= -1, c.velocity_m_s[1] *= -1, c.state = little;
    cf_friction_find("elasto-plastic")
        ->force((double[]){0.4, 0.3, 2e4, 50, 0.2, 2e-3, 0.5}, &c, slow, rate);
    ok(rate[0] == c.velocity_m_s[0] && rate[1] == c.velocity_m_s[1],
       "elasto-plastic: elastic below break-away");
}

/* Points of the curves that their sources name. */
static void curves(void)
{
    struct cf_slide c = {1e-5, 10, {0, 0}, NULL};
    static const struct {
        double speed, mu;
    } points[] = {{0.5, 0.2}, {1, 0.4}, {2, 0.3}, {3, 0.2}, {30, 0.2}, {0.25, 0.4 * 0.103515625}};

    for (int i = 0; i < LENGTH(points); i++) {
        c.velocity_m_s[0] = 0.6 * 2e-3 * points[i].speed;
        c.velocity_m_s[1] = -0.8 * 2e-3 * points[i].speed;
        is_near(size_of_force("stribeck", (double[]){0.4, 0.2, 2e-3}, &c), 10 * points[i].mu, 1e-13,
                "stribeck: mu(%g) = %g", points[i].speed, points[i].mu);
    }
    c.velocity_m_s[0] = 1e-3, c.velocity_m_s[1] = 0;
    is_near(size_of_force("coulomb", (double[]){0.4, 2e-3}, &c), 4 * 0.6875, 1e-14,
            "coulomb: 11/16 of mu f_n at half of v_e");
    c.velocity_m_s[0] = 5;
    is_near(size_of_force("coulomb", (double[]){0.4, 2e-3}, &c), 4, 1e-14, "coulomb: mu f_n");
    is_near(size_of_force("viscous-load", (double[]){0.03}, &c), 1.5, 1e-14, "viscous-load");
}

/* Where two readings of a source would differ. */
static void readings(void)
{
    /* below v_e = v_s/100 a bristle's direction is a smooth rise: 11/16 at half of it */
    static const double p[] = {0.15, 0.1, 1e4, 1e-6, 0, 1e-3, 2}, none[3] = {0};
    struct cf_slide c = {1e-5, 10, {3e-6, 4e-6}, none};
    double leak = -expm1(-0.005 * 0.005), want = 1e-6 * (1 - leak) * 5e-6 + leak * 0.1 * 11 / 16;
    is_near(size_of_force("bristle", p, &c) / (10 * want), 1, 1e-9, "bristle: smooth below v_e");

    /* half way from break-away to x_max = 30 um, half of the slip along x yields */
    static const double ep[] = {0.3, 0.3, 1e4, 0, 0, 1e-3, 0.6}, x[2] = {0, 24e-6};
    double f[2], rate[2];
    c = (struct cf_slide){1e-5, 10, {2e-4, 7e-4}, x};
    cf_friction_find("elasto-plastic")->force(ep, &c, f, rate);
    is_near(rate[1] / 7e-4, 1 - 0.5 * 24 / 30, 1e-13, "elasto-plastic: half way to flow");
    ok(rate[0] == 2e-4, "elasto-plastic: slip across the bristle bends it");
}

static void names(void)
{
    struct cf_error err;
    const struct cf_friction_law *law;
    int doubled = 0, by_case = 0;

    for (const struct cf_friction_law *const *a = cf_friction_laws; *a; a++) {
        doubled += cf_law_find((*a)->name) != NULL;
        for (const struct cf_friction_law *const *b = cf_friction_laws; *b; b++) {
            doubled += a != b && strcasecmp((*a)->name, (*b)->name) == 0;
            for (size_t i = 0; i < (*a)->nparam; i++)
                for (size_t j = 0; j < (*b)->nparam; j++) {
                    const char *x = (*a)->param[i].name, *y = (*b)->param[j].name;
                    by_case += strcasecmp(x, y) == 0 && strcmp(x, y) != 0;
                    doubled += a == b && i != j && strcmp(x, y) == 0;
                }
        }
        for (const struct cf_law *const *b = cf_laws; *b; b++)
            for (size_t i = 0; i < (*a)->nparam; i++)
                for (size_t j = 0; j < (*b)->nparam; j++) {
                    const char *x = (*a)->param[i].name, *y = (*b)->param[j].name;
                    by_case += strcasecmp(x, y) == 0 && strcmp(x, y) != 0;
                }
    }
    ok(doubled == 0, "law names are unique across the families, and names within a law");
    ok(by_case == 0, "no two names differ in case only, across the families");
    ok(cf_friction_get("bristel", &law, &err) == CF_EINPUT && !law, "an unknown name fails");
    is_str(err.text, "unknown friction law bristel: did you mean bristle?", "with the nearest");
    cf_friction_get("zzzzzz", &law, &err);
    is_str(err.text,
           "unknown friction law zzzzzz: must be one of clutch, clutch-linear, bristle, "
           "bristle-fixed, stribeck, viscous-load, coulomb, dahl, lugre, elasto-plastic, "
           "iwan-2, iwan-3, iwan-4, rate-state, rate-state-slip, rate-state-2, rate-state-slip-2",
           "or all of them");
    ok(cf_friction_get("lugre", &law, &err) == CF_OK && law == cf_friction_find("lugre"),
       "a known one is found");
}

TEST(friction_limits)
{
    plan(7 + 5 + 9 + 3 + 6);
    clutch_limits();
    relatives();
    curves();
    readings();
    names();
    return done();
}
