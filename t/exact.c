/* The Hunt-Crossley impact and Gonthier's d(e), against 80-digit solutions of the equations. */

#include <math.h>
#include <stddef.h>

#include "law/exact.h"
#include "tap.h"

#define LENGTH(table) ((int) (sizeof table / sizeof table[0]))

/* e and de/dx of h(-e x) = h(x), h(x) = x - ln(1 + x), by Lambert's W with 80 digits. */
static const struct {
    double x, e, slope;
} impact[] = {
    {1e-12, 0.99999999999933333333, -0.66666666666577777778},
    {1e-9, 0.99999999933333333378, -0.66666666577777777876},
    {1e-6, 0.99999933333377777745, -0.66666577777875555453},
    {1e-4, 0.99993333777745187753, -0.66657778755452850087},
    {1e-3, 0.99933377745210843051, -0.6657787545294521848},
    {0.01, 0.9933774543987673634, -0.6578745388702469656},
    {0.03, 0.98039140298492206441, -0.64085309836179687583},
    {0.1, 0.93747557994990506377, -0.58662441785586653623},
    {0.3, 0.83286979226560166503, -0.46682784437226928582},
    {0.7, 0.6785946897288155239, -0.31930863662757157853},
    {1, 0.59362426004004009232, -0.25134062431687256972},
    {1.0000001, 0.59362423490597860145, -0.2513406055006254519},
    {1.7, 0.45417645049229622157, -0.15784073761650493042},
    {3, 0.30689679829096211452, -0.080763570396247291454},
    {6, 0.16559594778802581069, -0.02667563149844989277},
    {10, 0.099981624752943886879, -0.009981454635136470002},
    {30, 0.03333333333329776107, -0.0011111111110755005979},
    {100, 0.01, -0.0001},
    {1000, 0.001, -1.0e-6},
    {1e6, 1.0e-6, -1.0e-12},
};

/* d and d/e of (1 + d/e)/(1 - d) = exp(d (1 + 1/e)), by bisection in -ln(1 - d) with 80 digits. */
static const struct {
    double e, d, x;
} wanted[] = {
    {0.01, 1.0, 100.0},
    {0.03, 0.9999999999999578363, 33.333333333331927877},
    {0.1, 0.99981593974956678179, 9.9981593974956678179},
    {0.2, 0.98383334315815730174, 4.9191667157907865087},
    {0.35, 0.88318219708297151571, 2.5233777059513471878},
    {0.4, 0.83299926565880279255, 2.0824981641470069814},
    {0.5, 0.71637526663568751403, 1.4327505332713750281},
    {0.6, 0.58492302648795917237, 0.97487171081326528728},
    {0.7, 0.4443797968864917199, 0.63482828126641674272},
    {0.8, 0.29851696269204293434, 0.37314620336505366792},
    {0.9, 0.1498337556167772944, 0.16648195068530810489},
    {0.95, 0.074980275023044469659, 0.07892660528741523122},
    {0.99, 0.014999848488346595079, 0.015151362109441005131},
    {0.999, 0.0014999998498498842042, 0.0015015013512010852895},
};

static double relative(double got, double want)
{
    return fabs(got / want - 1);
}

/* The larger error; a NaN is the largest. */
static double worse(double a, double b)
{
    return isnan(a) || a >= b ? a : b;
}

static void tables(void)
{
    for (int i = 0; i < LENGTH(impact); i++) {
        double slope, e = cf_hunt_crossley_restitution(impact[i].x, &slope);
        ok(relative(e, impact[i].e) < 4e-16 && relative(slope, impact[i].slope) < 2e-15,
           "e and its slope at a v = %g, to rounding", impact[i].x);
    }
    for (int i = 0; i < LENGTH(wanted); i++) {
        double x = cf_hunt_crossley_damping(wanted[i].e, NULL), d = cf_gonthier_d(wanted[i].e);
        /* e near 1 holds 1 - e to a rounding of e only */
        double tol = 5e-16 + 1.2e-16 / (1 - wanted[i].e);
        ok(relative(x, wanted[i].x) < tol && relative(d, wanted[i].d) < tol,
           "d and a v for e = %g, to rounding", wanted[i].e);
    }
}

/* e = 1 - 2x/3 + 4x^2/9 - 44x^3/135 + ...: the loss itself must be accurate, not 1 minus it. */
static void limits(void)
{
    double slope, worst = 0, worst_slope = 0, worst_back = 0;

    is_near(cf_hunt_crossley_restitution(0, &slope), 1, 0, "no damping, no loss");
    is_near(slope, -2.0 / 3, 1e-16, "de/dx is -2/3 there");
    is_near(cf_hunt_crossley_damping(1, &slope), 0, 0, "e = 1 needs no damping");
    is_near(slope, -1.5, 1e-15, "dx/de is -3/2 there");
    is_near(cf_hunt_crossley_restitution(1e300, &slope) * 1e300, 1, 1e-15, "e = 1/x for large x");
    ok(cf_hunt_crossley_restitution(1e-300, NULL) == 1, "the smallest damping loses nothing");
    is_near(cf_hunt_crossley_damping(1e-150, NULL) * 1e-150, 1, 1e-15, "x = 1/e for small e");
    ok(cf_gonthier_d(1e-3) <= 1 && cf_gonthier_d(0.02) <= 1, "d does not pass 1");

    for (double x = 1e-12; x < 1e-4; x *= 1.7) {
        double series = -2.0 / 3 + x * (8.0 / 9 - x * 44.0 / 45);
        cf_hunt_crossley_restitution(x, &slope);
        worst_slope = worse(worst_slope, relative(slope, series + x * x * x * 416.0 / 405));
    }
    ok(worst_slope < 3e-15, "slope along its series for x < 1e-4 (worst %.1e)", worst_slope);

    /* the defining equation, where doubles can judge it */
    for (double x = 0.05; x < 5; x *= 1.01) {
        double e = cf_hunt_crossley_restitution(x, NULL);
        double right = log((1 + x) / (1 - e * x));
        worst = worse(worst, relative(x + e * x, right));
    }
    ok(worst < 1e-14, "a (v + u) = ln((1 + a v)/(1 - a u)) (worst %.1e)", worst);

    for (double e = 0.001; e < 0.9995; e += 0.0007) {
        double by_e, by_x, x = cf_hunt_crossley_damping(e, &by_e);
        worst_back = worse(worst_back, relative(cf_hunt_crossley_restitution(x, &by_x), e));
        worst_back = worse(worst_back, 0.1 * relative(by_x * by_e, 1));
    }
    ok(worst_back < 1e-15, "damping and restitution are inverse, slopes too (worst %.1e)",
       worst_back);
}

/* The e of the approximate laws for a target of 0.5 ([G07] 3.2.2). */
static void approximate(void)
{
    is_near(cf_hunt_crossley_restitution(1.5 * 0.5, NULL), 0.66296, 5e-6,
            "3.13 asked for 0.5 gives 0.66296");
    is_near(cf_hunt_crossley_restitution(0.75 * 0.75, NULL), 0.72524, 5e-6,
            "3.16 asked for 0.5 gives 0.72524");
}

TEST(exact)
{
    plan(LENGTH(impact) + LENGTH(wanted) + 13);
    tables();
    limits();
    approximate();
    return done();
}
