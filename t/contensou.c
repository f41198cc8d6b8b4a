/* Friction of a disc that slides and spins: against sums about the centre of rotation, without
 * elliptic integrals (t/reference/make_contensou.py); the limits in closed form, of both and of
 * their slopes; the slopes against differences; what is refused.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "law/contensou.h"
#include "tap.h"

static void test_reference(void)
{
    const char *srcdir = getenv("srcdir");
    char path[1000], line[200];
    double p, v, w, F, T, worst = 0;
    int rows = 0;
    FILE *in;

    snprintf(path, sizeof path, "%s/t/reference/contensou.csv", srcdir ? srcdir : ".");
    in = fopen(path, "r");
    while (in && fgets(line, sizeof line, in))
        if (sscanf(line, "%lf,%lf,%lf,%lf,%lf", &p, &v, &w, &F, &T) == 5) {
            struct cf_contensou c = {.force = NAN};
            cf_contensou(p, 3 * v, 3 * w, &c, NULL);
            worst = fmax(worst, fabs(c.force - F) < 1 ? fabs(c.force - F) : 1);
            worst = fmax(worst, fabs(c.torque - T) < 1 ? fabs(c.torque - T) : 1);
            rows++;
        }
    if (in)
        fclose(in);
    ok(rows == 15 && worst < 1e-12, "%d rows of the reference (%.0e)", rows, worst);
}

/* Of pure spin: T, and the slope of F by v w^-1 R^-1; of pure sliding T's slope, half of the
 * pressure's mean r^2. */
static void test_limits(void)
{
    const double pi = acos(-1.);
    const double power[3] = {0, 0.5, 1}, T[3] = {2. / 3, 3 * pi / 16, 8. / 15},
                 slope[3] = {1, 3 * pi / 8, 4. / 3}, square[3] = {0.5, 0.4, 1. / 3};

    for (int k = 0; k < 3; k++) {
        struct cf_contensou c;
        cf_contensou(power[k], 0, 2, &c, NULL);
        ok(fabs(c.torque - T[k]) < 1e-13 && c.force == 0, "power %g: pure spin", power[k]);
        ok(fabs(c.force_by_slip - slope[k] / 2) < 1e-12 && fabs(c.torque_by_rim) < 1e-13,
           "its slopes");
        cf_contensou(power[k], 2, 0, &c, NULL);
        ok(fabs(c.force - 1) < 1e-13 && c.torque == 0, "pure sliding");
        ok(fabs(c.torque_by_rim - square[k] / 4) < 1e-12 && fabs(c.force_by_slip) < 1e-13,
           "its slopes");
        cf_contensou(power[k], 2e-9, 2, &c, NULL);
        ok(fabs(c.force / (1e-9 * slope[k]) - 1) < 1e-11, "next to pure spin (%.0e)",
           c.force / (1e-9 * slope[k]) - 1);
    }
}

/* Where the rim moves as fast as the centre, the singular ring is the last one. */
static void test_equal(void)
{
    static const double power[] = {0, 0.5, 1};

    for (int k = 0; k < 3; k++) {
        struct cf_contensou at, below, above;
        cf_contensou(power[k], 1, 1, &at, NULL);
        cf_contensou(power[k], 1, 1 - 1e-7, &below, NULL);
        cf_contensou(power[k], 1, 1 + 1e-7, &above, NULL);
        ok(fabs((below.force + above.force) / 2 - at.force) < 1e-12 &&
               fabs((below.torque + above.torque) / 2 - at.torque) < 1e-12 &&
               fabs((above.torque - below.torque) / 2e-7 - at.torque_by_rim) < 1e-6,
           "power %g: both speeds the same", power[k]);
    }
}

static void test_slopes(void)
{
    double worst = 0, h = 1e-4;

    for (double v = 0.25; v < 2; v += 0.25) {
        struct cf_contensou c, s[4];
        cf_contensou(0.5, v, 1.1, &c, NULL);
        cf_contensou(0.5, v + h, 1.1, &s[0], NULL);
        cf_contensou(0.5, v - h, 1.1, &s[1], NULL);
        cf_contensou(0.5, v, 1.1 + h, &s[2], NULL);
        cf_contensou(0.5, v, 1.1 - h, &s[3], NULL);
        worst = fmax(worst, fabs((s[0].force - s[1].force) / (2 * h) - c.force_by_slip));
        worst = fmax(worst, fabs((s[2].force - s[3].force) / (2 * h) - c.force_by_rim));
        worst = fmax(worst, fabs((s[0].torque - s[1].torque) / (2 * h) - c.torque_by_slip));
        worst = fmax(worst, fabs((s[2].torque - s[3].torque) / (2 * h) - c.torque_by_rim));
    }
    ok(worst < 1e-6, "slopes against differences (%.0e)", worst);
}

static void refused(double power, double slip, double rim, const char *want)
{
    struct cf_error err = {""};
    struct cf_contensou c;

    ok(cf_contensou(power, slip, rim, &c, &err) == CF_ERANGE, "refused: %s", want);
    is_str(err.text, want, "in these words");
}

static void test_refused(void)
{
    refused(-1, 1, 1, "power of a pressure = -1: must be from 0 to 10");
    refused(0, -1, 1, "slip = -1 m/s: must be finite and not below 0");
    refused(0, 1, INFINITY, "speed of the rim = inf m/s: must be finite and not below 0");
    refused(0, 0, 0, "slip and speed of the rim = 0 m/s: friction at rest has no direction");
}

TEST(contensou)
{
    plan(1 + 15 + 3 + 1 + 8);
    test_reference();
    test_limits();
    test_equal();
    test_slopes();
    test_refused();
    return done();
}
