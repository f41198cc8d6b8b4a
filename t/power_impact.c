/* Impacts of `power` with any exponents and any damping: restitution to 1e-11 against series of 25
 * digits, closed forms, and a symmetry that takes impacts of one pair of exponents to those of
 * another; no jump where n passes p; derivatives. */

#include <math.h>
#include <stdio.h>

#include "impact/impact.h"
#include "law/exact.h"
#include "lib/stage.h"
#include "tap.h"

#define LENGTH(table) ((int) (sizeof table / sizeof table[0]))

static const double RIGHT = 1e-11;

static struct cf_curves *curves;

/* The answers of z'' = -(z^n + beta z^p z') from z' = 1; NAN where there are none. */
static struct cf_impact impact(double n, double p, double beta)
{
    struct cf_error err;
    struct cf_impact out;

    if (cf_impact(curves, cf_law_find("power"), (double[]){1, beta, n, p}, 1, 1, &out, &err)) {
        printf("# n = %g, p = %g, beta = %g: %s\n", n, p, beta, err.text);
        out = (struct cf_impact){.value = {(double) NAN}};
    }
    return out;
}

static double restitution(double n, double p, double beta)
{
    return impact(n, p, beta).value[CF_IMPACT_RESTITUTION];
}

/* The larger one; NaN counts as the largest. */
static double worse(double a, double b)
{
    return isnan(b) ? (double) INFINITY : fmax(a, b);
}

static void test_series(void)
{
    enum { N, P, BETA, E, COLUMNS, MOST = 100 };
    static double cell[MOST * COLUMNS];
    int rows = stage_table("power.csv", "", COLUMNS, MOST, cell);
    double worst = 0;

    for (int i = 0; i < rows; i++) {
        const double *at = cell + i * COLUMNS;
        worst = worse(worst, fabs(restitution(at[N], at[P], at[BETA]) / at[E] - 1));
    }
    ok(rows == 54 && worst < RIGHT, "e as the series of t/reference/power.csv (%.1e)", worst);
}

static const double exponents[] = {0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 10};

/* n = p is Hunt-Crossley's law, whose e depends on a v alone. */
static void test_equal(void)
{
    for (int i = 0; i < LENGTH(exponents); i++) {
        double n = exponents[i], worst = 0;
        for (double beta = 1e-4; beta < 1.1e8; beta *= i % 2 ? 3 : 2.3)
            worst =
                worse(worst,
                      fabs(restitution(n, n, beta) / cf_hunt_crossley_restitution(beta, NULL) - 1));
        ok(worst < RIGHT, "n = p = %g: e is Hunt-Crossley's to beta = 1e8 (%.1e)", n, worst);
    }
}

/* n = 2 p + 1: in x = z^(p+1)/(p+1) and dx/dt = z^p z' it is the linear impact, whose damping ratio
 * is c = beta/(2 sqrt(p + 1)). */
static void test_linear(void)
{
    for (int i = 2; i < LENGTH(exponents); i++) {
        double n = exponents[i], p = (n - 1) / 2, worst = 0;
        for (double beta = 1e-3; beta < 1.1e8; beta *= 3.1) {
            double c = beta / (2 * sqrt(p + 1)), root = sqrt(fabs((1 - c) * (1 + c)));
            double e = exp(-2 * c * (c < 1 ? acos(c) : acosh(c)) / root);
            worst = worse(worst, fabs(restitution(n, p, beta) / e - 1));
        }
        ok(worst < RIGHT, "n = 2 p + 1 = %g: e is that of a linear impact (%.1e)", n, worst);
    }
}

/* In that x any impact is x'' = -((p+1)^m x^m + beta x'), m = (n - p)/(p + 1): e depends on m and
 * beta (p+1)^(-m/(m+1)) only. */
static double image(double n, double p, double beta, double p_there, double *n_there)
{
    double m = (n - p) / (p + 1);

    *n_there = p_there + m * (p_there + 1);
    return beta * pow((p_there + 1) / (p + 1), m / (m + 1));
}

/* n - p of p < n, next to n = p on either side, and p > n. */
static const double apart[] = {8.5,  3,    1.2,   0.6,    0.2,   0.131, 0.129, 0.03, 1e-3,
                               1e-6, 1e-9, 1e-13, -1e-12, -1e-7, -0.01, -0.3,  -2};

static void test_images(void)
{
    static const double there[] = {0, 0.37, 1.3, 4.1, 8.2};

    for (int i = 0; i < LENGTH(apart); i++) {
        double p = fmax(0.4, 0.4 - apart[i]), n = p + apart[i], worst = 0;
        int pairs = 0;
        for (double beta = 3e-3; beta < 3e7; beta *= 2.7)
            for (int k = 0; k < LENGTH(there); k++) {
                double n_there, beta_there = image(n, p, beta, there[k], &n_there);
                if (!(n_there >= 0.2 && n_there <= 10))
                    continue;
                pairs++;
                worst = worse(
                    worst,
                    fabs(restitution(n_there, there[k], beta_there) / restitution(n, p, beta) - 1));
            }
        ok(pairs >= 40 && worst < 2 * RIGHT, "n - p = %g: %d pairs of impacts with one e (%.1e)",
           apart[i], pairs, worst);
    }
}

/* So does its derivative: along n and p that keep m, and the beta that goes with them, e stays. And
 * at n = p, where all is Hunt-Crossley's, it stays along n = p, and goes with beta as that does. */
static void test_derivatives(void)
{
    double worst = 0, same = 0, slope;

    for (int i = 0; i < LENGTH(apart); i++)
        for (double beta = 0.02; beta < 3e6; beta *= 4.3) {
            double p = fmax(0.4, 0.4 - apart[i]), n = p + apart[i], m = (n - p) / (p + 1);
            struct cf_impact at = impact(n, p, beta);
            const double *by = at.by_param[CF_IMPACT_RESTITUTION];
            double sum = by[2] * (1 + m) + by[3] + by[1] * beta * m / (m + 1) / (p + 1);
            double size = fabs(by[3]) + at.value[CF_IMPACT_RESTITUTION];
            worst = worse(worst, fabs(sum) / size);
        }
    ok(worst < 2e-9, "e by n, p and lambda: along impacts with one e it stays (%.1e)", worst);
    for (double beta = 0.02; beta < 3e6; beta *= 4.3) {
        struct cf_impact at = impact(2.3, 2.3, beta);
        double e = cf_hunt_crossley_restitution(beta, &slope);
        same = worse(same, fabs(at.by_param[CF_IMPACT_RESTITUTION][1] / slope - 1));
        same = worse(same, fabs(at.by_param[CF_IMPACT_RESTITUTION][0] + beta * slope) / e);
        same = worse(same, fabs(at.by_speed[CF_IMPACT_RESTITUTION] - beta * slope) / e);
        same = worse(same, fabs(at.by_mass[CF_IMPACT_RESTITUTION]) / e);
    }
    ok(same < 1e-9, "n = p: by k, lambda, speed and mass as Hunt-Crossley's (%.1e)", same);
}

/* From one side of n = p to the other, closer than e could change by itself. */
static void test_passage(void)
{
    double worst = 0;

    for (int i = 0; i < LENGTH(exponents); i++)
        for (double beta = 0.1; beta < 1e7; beta *= 3.3)
            for (double off = 1e-14; off < 3e-13; off *= 5) {
                double n = 0.99 * exponents[i], e = restitution(n, n, beta);
                worst = worse(worst, fabs(restitution(n, n * (1 - off), beta) / e - 1));
                worst = worse(worst, fabs(restitution(n, n * (1 + off), beta) / e - 1));
            }
    ok(worst < 2 * RIGHT, "no jump at n = p (%.1e)", worst);
}

/* Depth and force there have closed forms, too; the duration is hunt-crossley's quadrature. */
static void test_others(void)
{
    double worst[CF_NIMPACT] = {0};

    for (double beta = 0.01; beta < 1e4; beta *= 2.9) {
        struct cf_impact at = impact(1.5, 1.5, beta), want;
        cf_impact(curves, cf_law_find("hunt-crossley"), (double[]){1, beta}, 1, 1, &want, NULL);
        for (int k = 0; k < CF_NIMPACT; k++)
            worst[k] = worse(worst[k], fabs(at.value[k] / want.value[k] - 1));
    }
    ok(worst[CF_IMPACT_DURATION] < 1e-10 && worst[CF_IMPACT_DEPTH] < 1e-10 &&
           worst[CF_IMPACT_FORCE] < 1e-10,
       "duration, depth and force of hunt-crossley (%.1e, %.1e, %.1e)", worst[CF_IMPACT_DURATION],
       worst[CF_IMPACT_DEPTH], worst[CF_IMPACT_FORCE]);
}

static void test_refusal(void)
{
    struct cf_error err = {""};
    struct cf_impact out;

    ok(cf_impact(curves, cf_law_find("power"), (double[]){1, 1e11, 2, 2}, 1, 1, &out, &err) ==
           CF_ESOLVE,
       "n = p, beta = 1e11: refused: %s", err.text);
}

TEST(power_impact)
{
    curves = cf_curves_alloc();
    plan(1 + LENGTH(exponents) + (LENGTH(exponents) - 2) + LENGTH(apart) + 2 + 3);
    test_series();
    test_equal();
    test_linear();
    test_images();
    test_derivatives();
    test_passage();
    test_others();
    test_refusal();
    cf_curves_free(curves);
    return done();
}
