/* Scaled impacts against a 25-digit table and against closed forms. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "impact/impact.h"
#include "tap.h"

#define LENGTH(table) ((int) (sizeof table / sizeof table[0]))

/* One contact to put scaled numbers into: nothing in it is 1. */
static const double MASS = 0.0421, SPEED = 0.317, STIFFNESS = 2.37e7;

static struct cf_curves *curves;

static double worse(double a, double b)
{
    return isnan(a) || a >= b ? a : b;
}

static const struct cf_law *law_of(double n, double p)
{
    static const char *const names[] = {"linear", "hunt-crossley", "lee-wang", "azad-featherstone",
                                        "tsuji"};
    for (int i = 0; i < LENGTH(names); i++) {
        const struct cf_law *law = cf_law_find(names[i]);
        if (law->n == n && law->p == p)
            return law;
    }
    return NULL;
}

static double length_of(const struct cf_law *law)
{
    return pow(MASS * SPEED * SPEED / STIFFNESS, 1 / (law->n + 1));
}

/* The law's damping parameter for a unit of beta: lambda, a or alpha. */
static double unit_damping(const struct cf_law *law)
{
    if (strcmp(law->name, "tsuji") == 0)
        return 1;
    if (strcmp(law->name, "hunt-crossley") == 0)
        return 1 / SPEED;
    return STIFFNESS * pow(length_of(law), law->n - law->p) / SPEED;
}

/* The scaled answers, and de/dbeta; by the integration when a tolerance is given. */
static void scaled(const struct cf_law *law, double beta, double tolerance, double value[],
                   double *slope)
{
    double unit = unit_damping(law), p[] = {STIFFNESS, beta * unit}, z = length_of(law);
    struct cf_error err;
    struct cf_impact out;
    int status;

    if (tolerance > 0) {
        status = cf_impact_integrate(law, p, MASS, SPEED, tolerance, out.value, &err);
    } else {
        status = cf_impact(curves, law, p, MASS, SPEED, &out, &err);
        *slope = out.by_param[CF_IMPACT_RESTITUTION][1] * unit;
    }
    value[CF_IMPACT_RESTITUTION] = status ? (double) NAN : out.value[CF_IMPACT_RESTITUTION];
    value[CF_IMPACT_DURATION] = out.value[CF_IMPACT_DURATION] / z * SPEED;
    value[CF_IMPACT_DEPTH] = out.value[CF_IMPACT_DEPTH] / z;
    value[CF_IMPACT_FORCE] = out.value[CF_IMPACT_FORCE] / (MASS * SPEED * SPEED) * z;
}

enum { N, P, BETA, E, DE_DBETA, TAU, ZETA, PHI, NCOLUMN };

/* Worst errors of one (n, p) over its rows: columns E to PHI by cf_impact(), then by integration.
 */
struct errors {
    double n, p, curve[NCOLUMN], direct[NCOLUMN];
    int rows;
};

static void compare(const double row[], struct errors *errors)
{
    const struct cf_law *law = law_of(row[N], row[P]);
    double value[CF_NIMPACT], slope;

    scaled(law, row[BETA], 0, value, &slope);
    errors->curve[E] = worse(errors->curve[E], fabs(value[CF_IMPACT_RESTITUTION] - row[E]));
    errors->curve[DE_DBETA] = worse(errors->curve[DE_DBETA], fabs(slope - row[DE_DBETA]));
    for (int i = CF_IMPACT_DURATION; i < CF_NIMPACT; i++) {
        int column = TAU + i - CF_IMPACT_DURATION;
        errors->curve[column] = worse(errors->curve[column], fabs(value[i] / row[column] - 1));
    }
    scaled(law, row[BETA], 1e-16, value, &slope);
    errors->direct[E] = worse(errors->direct[E], fabs(value[CF_IMPACT_RESTITUTION] - row[E]));
    for (int i = CF_IMPACT_DURATION; i < CF_NIMPACT; i++) {
        int column = TAU + i - CF_IMPACT_DURATION;
        errors->direct[column] = worse(errors->direct[column], fabs(value[i] / row[column] - 1));
    }
    errors->rows++;
}

/* Read a row of numbers; false on comments and the header. */
static bool read_row(const char *line, double row[])
{
    char *end;

    for (int i = 0; i < NCOLUMN; i++, line = end + 1) {
        row[i] = strtod(line, &end);
        if (end == line || *end != (i + 1 < NCOLUMN ? ',' : '\n'))
            return false;
    }
    return true;
}

static int read_reference(struct errors errors[], int max)
{
    const char *srcdir = getenv("srcdir");
    char path[1000], line[1000];
    double row[NCOLUMN];
    int n = 0;
    FILE *in;

    snprintf(path, sizeof path, "%s/t/reference/impact.csv", srcdir ? srcdir : ".");
    in = fopen(path, "r");
    while (in && fgets(line, sizeof line, in)) {
        if (!read_row(line, row))
            continue;
        if (n == 0 || errors[n - 1].n != row[N] || errors[n - 1].p != row[P]) {
            if (n == max)
                break;
            errors[n++] = (struct errors){.n = row[N], .p = row[P]};
        }
        compare(row, &errors[n - 1]);
    }
    if (in)
        fclose(in);
    return n;
}

static void reference(void)
{
    struct errors errors[5] = {{0}};
    int n = read_reference(errors, LENGTH(errors));

    ok(n == LENGTH(errors), "the reference table has all five (n, p)");
    for (int i = 0; i < LENGTH(errors); i++) {
        const double *c = errors[i].curve, *d = errors[i].direct;
        ok(errors[i].rows == 18 && c[E] < 1e-12 && c[DE_DBETA] < 1e-10 && c[TAU] < 1e-12 &&
               c[ZETA] < 1e-13 && c[PHI] < 1e-11,
           "n = %g, p = %g: e %.0e, de/dbeta %.0e, tau %.0e, zeta %.0e, phi %.0e", errors[i].n,
           errors[i].p, c[E], c[DE_DBETA], c[TAU], c[ZETA], c[PHI]);
        ok(d[E] < 1e-13 && d[TAU] < 1e-12 && d[ZETA] < 1e-13 && d[PHI] < 1e-13,
           "the same by integration: e %.0e, tau %.0e, zeta %.0e, phi %.0e", d[E], d[TAU], d[ZETA],
           d[PHI]);
    }
}

/* A law with a curve and a damping of its own; t/direct.c and t/exact.c have the others. */
static bool has_damping_curve(const struct cf_law *law)
{
    return law->family == CF_FAMILY_NORMAL && !law->regular && strcmp(law->param[1].name, "e") != 0;
}

/* e = 1 - c beta + ..., for azad-featherstone to beta^3; tau, zeta, phi of the undamped impact. */
static void small(void)
{
    const struct cf_law *law = cf_law_find("azad-featherstone");
    double value[CF_NIMPACT], slope, worst = 0;

    for (double beta = 1e-9; beta < 2e-3; beta *= 1.9) {
        double root = sqrt(beta);
        double lost = beta * (1.153448858095289 -
                              beta * (0.798266560944795 + root * (4.0 / 15 - root * 0.522882568)));
        scaled(law, beta, 0, value, &slope);
        worst = worse(worst, fabs(1 - value[CF_IMPACT_RESTITUTION] - lost) /
                                 (1e-15 + 2 * beta * beta * beta * root));
    }
    ok(worst < 1, "azad-featherstone follows its series to beta^3 (%.2g of its next term)", worst);

    for (const struct cf_law *const *i = cf_laws; *i; i++) {
        double p[CF_MAX_PARAM] = {STIFFNESS}, depth, n = (*i)->n;
        struct cf_impact out;
        if (!has_damping_curve(*i))
            continue;
        cf_impact(curves, *i, p, MASS, SPEED, &out, NULL);
        depth = pow((n + 1) / 2 * MASS * SPEED * SPEED / STIFFNESS, 1 / (n + 1));
        /* 2 zeta/v times the integral of dx/sqrt(1 - x^(n+1)) from 0 to 1 */
        double stay =
            2 * depth / SPEED * tgamma(0.5) * tgamma(1 + 1 / (n + 1)) / tgamma(0.5 + 1 / (n + 1));
        ok(out.value[CF_IMPACT_RESTITUTION] == 1 &&
               fabs(out.value[CF_IMPACT_DEPTH] / depth - 1) < 1e-12 &&
               fabs(out.value[CF_IMPACT_DURATION] / stay - 1) < 1e-12 &&
               fabs(out.value[CF_IMPACT_FORCE] / (STIFFNESS * pow(depth, n)) - 1) < 1e-12 &&
               isfinite(out.by_param[CF_IMPACT_DURATION][1]) &&
               out.by_param[CF_IMPACT_RESTITUTION][1] < 0,
           "%s without damping is elastic", (*i)->name);
    }
}

/* Leading powers, and no jump where one form of the curve hands over to another. */
static void large_and_seams(void)
{
    static const double seams[] = {1e-6, 0.1, 10, 1e4};
    static const double pairs[][2] = {{1, 0}, {1.5, 1.5}, {1.5, 1}, {1.5, 0.5}, {1.5, 0.25}};
    double value[CF_NIMPACT], next[CF_NIMPACT], slope, next_slope;
    const struct cf_law *law = cf_law_find("azad-featherstone");

    scaled(law, 1e4, 0, value, &slope);
    is_near(value[CF_IMPACT_RESTITUTION] * pow(1e4, 5.0 / 3) / pow(1.5, 2.0 / 3), 1, 1e-5,
            "azad-featherstone: e beta^(5/3) goes to (3/2)^(2/3)");
    scaled(law, 1e6, 0, next, &next_slope);
    is_near(next[CF_IMPACT_RESTITUTION] * pow(1e6, 5.0 / 3) / pow(1.5, 2.0 / 3), 1, 1e-4,
            "and stays there beyond the table");

    for (int i = 0; i < LENGTH(pairs); i++) {
        double worst = 0;
        for (int j = 0; j < LENGTH(seams); j++) {
            double beta = seams[j], width = 1e-12;
            law = law_of(pairs[i][0], pairs[i][1]);
            if (beta * (1 + width) * unit_damping(law) > law->param[1].upper)
                continue; /* alpha and a end there */
            scaled(law, beta * (1 - width), 0, value, &slope);
            scaled(law, beta * (1 + width), 0, next, &next_slope);
            worst = worse(worst, 0.01 * fabs(next_slope / slope - 1));
            for (int k = 0; k < CF_NIMPACT; k++)
                worst = worse(worst, fabs(next[k] / value[k] - 1));
        }
        ok(worst < 2e-11, "n = %g, p = %g: no jump of value or slope at a seam (worst %.1e)",
           pairs[i][0], pairs[i][1], worst);
    }
}

/* The 66 g sphere of [AF14] II-C, dropped from 1 m with g = 10, by an independent simulation with
 * gravity. Gravity during the contact, left out here, changes the fifth digit. */
static void sphere(void)
{
    struct cf_impact out;

    cf_impact(curves, cf_law_find("azad-featherstone"), (double[]){1e10, 1e5}, 0.066, sqrt(20),
              &out, NULL);
    is_near(out.value[CF_IMPACT_RESTITUTION], 0.65394573872, 1e-4, "66 g sphere: restitution");
    is_near(out.value[CF_IMPACT_FORCE] / 11116.7988903, 1, 1e-4, "66 g sphere: peak force");
}

/* (k, lambda) -> (c^-2.5 k, c^-1.5 lambda) keeps e and stretches the duration by c ([AF14]). */
static void invariance(void)
{
    const struct cf_law *law = cf_law_find("azad-featherstone");
    struct cf_impact a, b;
    double c = 3.7, lambda = 0.4 * unit_damping(law);

    cf_impact(curves, law, (double[]){STIFFNESS, lambda}, MASS, SPEED, &a, NULL);
    cf_impact(curves, law, (double[]){pow(c, -2.5) * STIFFNESS, pow(c, -1.5) * lambda}, MASS, SPEED,
              &b, NULL);
    is_near(b.value[CF_IMPACT_RESTITUTION], a.value[CF_IMPACT_RESTITUTION], 1e-14,
            "scaled k and lambda: the same e");
    is_near(b.value[CF_IMPACT_DURATION] / a.value[CF_IMPACT_DURATION], c, 1e-14,
            "scaled k and lambda: c times the duration");
    is_near(b.value[CF_IMPACT_DEPTH] / a.value[CF_IMPACT_DEPTH], c, 1e-14, "and the depth");
    is_near(b.value[CF_IMPACT_FORCE] / a.value[CF_IMPACT_FORCE], 1 / c, 1e-14,
            "and its inverse the force");
}

TEST(impact)
{
    curves = cf_curves_alloc();
    int undamped = 0;
    for (const struct cf_law *const *law = cf_laws; *law; law++)
        undamped += has_damping_curve(*law);
    plan(12 + undamped + 7 + 2 + 4);
    reference();
    small();
    large_and_seams();
    sphere();
    invariance();
    cf_curves_free(curves);
    return done();
}
