/* Laws whose impacts are integrated one by one: against the curves where they are the same law,
 * against exact facts where there are some, and against plain steps in time. */

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "impact/impact.h"
#include "law/exact.h"
#include "tap.h"

#define LENGTH(table) ((int) (sizeof table / sizeof table[0]))

static const double MASS = 0.0421, SPEED = 0.317, STIFFNESS = 2.37e7;

static struct cf_curves *curves;

static double worse(double a, double b)
{
    return isnan(a) || a >= b ? a : b;
}

/* Worst relative difference of all four answers. */
static double apart(const struct cf_impact *a, const struct cf_impact *b)
{
    double worst = 0;
    for (int i = 0; i < CF_NIMPACT; i++)
        worst = worse(worst, fabs(a->value[i] / b->value[i] - 1));
    return worst;
}

/* `power` with the exponents of a named law is that law. */
static void named(void)
{
    static const struct {
        const char *law;
        double to_lambda; /* 0: lambda itself; 1: a = lambda/k; 2: alpha = lambda/sqrt(m k) */
    } rows[] = {{"azad-featherstone", 0},
                {"lee-wang", 0},
                {"linear", 0},
                {"tsuji", 2},
                {"hunt-crossley", 1},
                {"azad-featherstone-recovering", 0}};

    for (int i = 0; i < LENGTH(rows); i++) {
        const struct cf_law *law = cf_law_find(rows[i].law);
        double worst = 0, slopes = 0;
        for (double beta = 1e-7; beta < 20; beta *= 6.3) {
            double Z = pow(MASS * SPEED * SPEED / STIFFNESS, 1 / (law->n + 1));
            double lambda = beta * STIFFNESS * pow(Z, law->n - law->p) / SPEED;
            double own[] = {STIFFNESS, rows[i].to_lambda == 0   ? lambda
                                       : rows[i].to_lambda == 1 ? lambda / STIFFNESS
                                                                : lambda / sqrt(MASS * STIFFNESS)};
            double p[] = {STIFFNESS, lambda, law->n, law->p};
            struct cf_impact a, b, tight;
            cf_impact(curves, law, own, MASS, SPEED, &a, NULL);
            cf_impact(curves, cf_law_find("power"), p, MASS, SPEED, &b, NULL);
            cf_impact_integrate(cf_law_find("power"), p, MASS, SPEED, 1e-13, tight.value, NULL);
            worst = worse(worst, apart(&a, &tight));
            slopes = worse(slopes, apart(&a, &b));
            for (int j = 0; j < CF_NIMPACT; j++)
                slopes = worse(slopes, fabs(a.by_speed[j] - b.by_speed[j]) * SPEED / a.value[j]);
        }
        ok(worst < 1e-10 && slopes < 5e-9,
           "power is %s at its exponents (%.1e; at the default tolerance, with slopes, %.1e)",
           law->name, worst, slopes);
    }
}

/* With damping that is all but critical the force ends long after it has sunk below the rounding of
 * its start: `power` against the curves, whose states are others, and its derivatives by all
 * parameters against differences. */
static void strong(void)
{
    static const char *const names[] = {"azad-featherstone", "lee-wang", "tsuji", "linear"};
    const struct cf_law *power = cf_law_find("power");

    for (int i = 0; i < LENGTH(names); i++) {
        const struct cf_law *law = cf_law_find(names[i]);
        double worst = 0, beyond = 0, slopes = 0;
        for (double beta = 2.9; beta < 1e8; beta *= 3.2) {
            double p[] = {1, beta, law->n, law->p};
            struct cf_impact a, b, up, down;
            if (beta > law->param[1].upper)
                break;
            cf_impact(curves, law, (double[]){1, beta}, 1, 1, &a, NULL);
            cf_impact(curves, power, p, 1, 1, &b, NULL);
            *(beta > 1e4 ? &beyond : &worst) = worse(beta > 1e4 ? beyond : worst, apart(&a, &b));
            for (int k = 0; k < 4 && beta < 1e4; k++) {
                double h = 2e-5 * p[k], q[4];
                memcpy(q, p, sizeof q);
                q[k] = p[k] + h;
                cf_impact_integrate(power, q, 1, 1, 1e-13, up.value, NULL);
                q[k] = p[k] - h;
                cf_impact_integrate(power, q, 1, 1, 1e-13, down.value, NULL);
                for (int w = 0; w < CF_NIMPACT && h > 0; w++)
                    slopes = worse(
                        slopes, fabs((up.value[w] - down.value[w]) / (2 * h) - b.by_param[w][k]) /
                                    (b.value[w] / p[k]));
            }
        }
        ok(worst < 1e-10 && beyond < 1e-9 && slopes < 1e-6,
           "power with strong damping is %s (%.1e; to beta = 1e8 %.1e), and its slopes are "
           "differences (%.1e)",
           names[i], worst, beyond, slopes);
    }
    {
        struct cf_error err = {""};
        struct cf_impact out;
        int status = cf_impact(curves, cf_law_find("azad-featherstone"), (double[]){1, 1.01e8}, 1,
                               1, &out, &err);
        ok(status == CF_ERANGE, "beyond beta = 1e8 there is no answer");
        is_str(err.text,
               "azad-featherstone: the damping over the spring, beta = (lambda/k) Z^(p-n) v, is "
               "1.01e+08 here: its answers are known up to 1e+08",
               "and it says so");
    }
}

/* Central differences of an answer by parameter k, extrapolated. */
static double differences(const struct cf_law *law, const double p[4], int k, int what)
{
    double slope[2];

    for (int s = 0; s < 2; s++) {
        double h = (s + 1) * 1e-4 * p[k], q[4], up[CF_NIMPACT], down[CF_NIMPACT];
        memcpy(q, p, sizeof q);
        q[k] = p[k] + h;
        cf_impact_integrate(law, q, 1, 1, 1e-14, up, NULL);
        q[k] = p[k] - h;
        cf_impact_integrate(law, q, 1, 1, 1e-14, down, NULL);
        slope[s] = (up[what] - down[what]) / (2 * h);
    }
    return (4 * slope[0] - slope[1]) / 3;
}

/* The derivatives of `power` by all of its parameters, at exponents of no named law, on both sides
 * of the damping from which on another state is carried. */
static void slopes_of_power(void)
{
    /* where n is hardly above p the rate of the other state is not smooth at touch */
    static const struct {
        double n, p, within;
    } row[] = {{1.97, 0.209, 3e-9}, {1.2, 0.9, 3e-8}, {1.5, 1.3, 5e-7}, {2.6, 0, 3e-9}};
    const struct cf_law *power = cf_law_find("power");

    for (int i = 0; i < LENGTH(row); i++) {
        double worst = 0;
        for (double beta = 1e-3; beta < 2e3; beta *= 5) {
            double p[] = {1, beta, row[i].n, row[i].p};
            struct cf_impact at;
            cf_impact(curves, power, p, 1, 1, &at, NULL);
            for (int k = 0; k < 4; k++)
                for (int what = 0; what < CF_NIMPACT && p[k] > 0; what++)
                    worst =
                        worse(worst, fabs(at.by_param[what][k] - differences(power, p, k, what)) /
                                         (at.value[what] / p[k]));
        }
        ok(worst < row[i].within, "power, n = %g, p = %g: its slopes are differences (%.1e)",
           row[i].n, row[i].p, worst);
    }
}

/* Two bodies with the same recovery time are one, with springs and dampers in series. */
static void two_as_one(void)
{
    const struct cf_law *two = cf_law_find("azad-featherstone-two-body");
    const struct cf_law *one = cf_law_find("azad-featherstone");
    double value[CF_NIMPACT], same[CF_NIMPACT], worst = 0, swapped = 0;

    for (double lambda = 10; lambda < 5e4; lambda *= 4.1) {
        double p[] = {3 * STIFFNESS, 3 * lambda, 1.5 * STIFFNESS, 1.5 * lambda};
        double q[] = {p[0], p[1], 4 * p[2], 0.1 * p[3]}, r[] = {q[2], q[3], q[0], q[1]};
        cf_impact_integrate(two, p, MASS, SPEED, 1e-14, value, NULL);
        cf_impact_integrate(one, (double[]){STIFFNESS, lambda}, MASS, SPEED, 1e-14, same, NULL);
        for (int i = 0; i < CF_NIMPACT; i++)
            worst = worse(worst, fabs(value[i] / same[i] - 1));
        cf_impact_integrate(two, q, MASS, SPEED, 1e-13, value, NULL);
        cf_impact_integrate(two, r, MASS, SPEED, 1e-13, same, NULL);
        for (int i = 0; i < CF_NIMPACT; i++)
            swapped = worse(swapped, fabs(value[i] / same[i] - 1));
    }
    ok(worst < 1e-12, "two bodies of one recovery time are one body (worst %.1e)", worst);
    ok(swapped < 1e-11, "which body is which does not matter (worst %.1e)", swapped);
}

/* An elastic body and a damped one: the damper of one acts on its own spring only. In the limit of
 * an infinite damper its body is rigid, and only the other one's spring is left. */
static void limits(void)
{
    const struct cf_law *two = cf_law_find("azad-featherstone-two-body");
    double rigid[] = {STIFFNESS, 0, STIFFNESS, 1e12}, Hertz[] = {STIFFNESS, 0};
    struct cf_impact a, b;

    cf_impact(curves, two, rigid, MASS, SPEED, &a, NULL);
    cf_impact(curves, cf_law_find("azad-featherstone"), Hertz, MASS, SPEED, &b, NULL);
    ok(apart(&a, &b) < 1e-5, "a body whose damper does not give way is rigid (%.1e)",
       apart(&a, &b));
}

/* Without damping e = 1, and duration, depth and force are those of the spring alone. */
static void elastic(void)
{
    static const struct {
        const char *law;
        double p[4], n, k; /* of the spring; n = 0: not a power law */
    } rows[] = {
        {"power", {2.37e7, 0, 1.5, 0.45}, 1.5, 2.37e7},
        {"power", {2.37e7, 0, 1.31, 1.31}, 1.31, 2.37e7},
        {"power", {2.37e7, 0, 1.2, 1.7}, 1.2, 2.37e7},
        {"azad-featherstone-two-body", {2.37e7, 0, 7.11e7, 0}, 1.5, 2.37e7 * 0.75},
        {"exponential", {2.37e5, 1e-4, 0}, 0, 0},
    };

    for (int i = 0; i < LENGTH(rows); i++) {
        double n = rows[i].n, share = 1 / (n + 1), worst = 0;
        struct cf_impact out;
        cf_impact(curves, cf_law_find(rows[i].law), rows[i].p, MASS, SPEED, &out, NULL);
        if (n > 0) {
            double depth = pow((n + 1) / 2 * MASS * SPEED * SPEED / rows[i].k, share);
            double stay = 2 * depth / SPEED * tgamma(0.5) * tgamma(1 + share) / tgamma(0.5 + share);
            worst = worse(fabs(out.value[CF_IMPACT_DEPTH] / depth - 1),
                          fabs(out.value[CF_IMPACT_DURATION] / stay - 1));
            worst =
                worse(worst, fabs(out.value[CF_IMPACT_FORCE] / (rows[i].k * pow(depth, n)) - 1));
        }
        ok(fabs(out.value[CF_IMPACT_RESTITUTION] - 1) < 1e-12 && worst < 1e-9,
           "%s without damping is elastic (e - 1 = %.1e, the rest %.1e)", rows[i].law,
           out.value[CF_IMPACT_RESTITUTION] - 1, worst);
    }
}

/* Any spring with damping (1 + a zdot) has Hunt-Crossley's e(a v): so has the exponential one, and
 * power with n = p. */
static void proportional(void)
{
    double worst = 0, free_n = 0;

    for (double x = 1e-3; x < 30; x *= 2.3)
        for (double skin = 1e-6; skin < 1e-2; skin *= 12) {
            double a = x / SPEED, e = cf_hunt_crossley_restitution(x, NULL);
            struct cf_impact out;
            int status = cf_impact(curves, cf_law_find("exponential"), (double[]){2.37e5, skin, a},
                                   MASS, SPEED, &out, NULL);
            worst =
                worse(worst, status ? (double) NAN : fabs(out.value[CF_IMPACT_RESTITUTION] - e));
            status = cf_impact(curves, cf_law_find("power"),
                               (double[]){2.37e7, 2.37e7 * a, 1.83, 1.83}, MASS, SPEED, &out, NULL);
            free_n =
                worse(free_n, status ? (double) NAN : fabs(out.value[CF_IMPACT_RESTITUTION] - e));
        }
    ok(worst < 1e-9, "exponential: e is Hunt-Crossley's at any skin (worst %.1e)", worst);
    ok(free_n < 1e-9, "power: and with n = p at any n (worst %.1e)", free_n);
}

/* A relaxation far too fast for explicit steps fails with a reason and does not hang. */
static void stiff(void)
{
    struct cf_error err = {""};
    struct cf_impact out;
    int status = cf_impact(curves, cf_law_find("azad-featherstone-two-body"),
                           (double[]){1e8, 1e-6, 2e8, 3e-6}, MASS, SPEED, &out, &err);

    ok(status == CF_ESOLVE && strstr(err.text, "azad-featherstone-two-body at 0.317 m/s: ") &&
           strstr(err.text, "the limit of 1000 steps ran out"),
       "a body that relaxes at once is reported: %s", err.text);
}

/* A trace begins at touch, ends without force, and its force does the work that was lost. */
static void trace(void)
{
    static const char *const names[] = {"azad-featherstone",          "tsuji",       "power",
                                        "azad-featherstone-two-body", "exponential", "gonthier"};
    enum { N = 2001 };
    static double t[N], z[N], w[N], f[N];

    for (int i = 0; i < LENGTH(names); i++) {
        const struct cf_law *law = cf_law_find(names[i]);
        struct cf_impact out;
        double p[CF_MAX_PARAM], work = 0, lost, depth = 0, force = 0;
        for (size_t j = 0; j < law->nparam; j++)
            p[j] = law->param[j].typical;
        cf_impact(curves, law, p, MASS, SPEED, &out, NULL);
        int status = cf_impact_trace(law, p, MASS, SPEED, N, t, z, w, f, NULL);
        for (int j = 0; j < N; j++) {
            depth = fmax(depth, z[j]);
            force = fmax(force, f[j]);
            if (j > 0)
                work += 0.5 * (f[j] + f[j - 1]) * (z[j] - z[j - 1]);
        }
        lost = 0.5 * MASS * SPEED * SPEED * (1 - pow(out.value[CF_IMPACT_RESTITUTION], 2));
        ok(!status && t[0] == 0 && z[0] == 0 && w[0] == SPEED && f[0] == 0 &&
               fabs(t[N - 1] / out.value[CF_IMPACT_DURATION] - 1) < 1e-9 &&
               fabs(w[N - 1] / SPEED + out.value[CF_IMPACT_RESTITUTION]) < 1e-8 &&
               fabs(f[N - 1]) < 1e-7 * force &&
               fabs(depth / out.value[CF_IMPACT_DEPTH] - 1) < 1e-5 &&
               fabs(force / out.value[CF_IMPACT_FORCE] - 1) < 1e-5 && fabs(work / lost - 1) < 1e-4,
           "%s: its trace (work over loss - 1 = %.1e)", law->name, work / lost - 1);
    }
}

static void trace_errors(void)
{
    struct cf_error err;
    double x[4];

    cf_impact_trace(cf_law_find("e-log"), (double[]){0.7, 0.1}, 1, 1, 4, x, x, x, x, &err);
    is_str(err.text, "e-log has no force to integrate", "an e-law has no trace");
    cf_impact_trace(cf_law_find("tsuji"), (double[]){1e8, 0.1}, 1, 1, 1, x, x, x, x, &err);
    is_str(err.text, "a trace has 1 points: must be at least 2", "nor has a single point");
}

TEST(direct)
{
    curves = cf_curves_alloc();
    plan(6 + 4 + 2 + 4 + 2 + 1 + 5 + 2 + 1 + 6 + 2);
    named();
    strong();
    slopes_of_power();
    two_as_one();
    limits();
    elastic();
    proportional();
    stiff();
    trace();
    trace_errors();
    cf_curves_free(curves);
    return done();
}
