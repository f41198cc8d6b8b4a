/* Properties of a pair: worked numbers, limits of stiffness and size. */

#include <math.h>

#include "law/pair.h"
#include "tap.h"

static void series(void)
{
    is_near(cf_series(3, 6), 2, 1e-15, "1/3 + 1/6 = 1/2");
    is_near(cf_series(0.0421, (double) INFINITY), 0.0421, 0, "a fixed body counts as infinite");
    is_near(cf_series(0.01, -0.0125), 0.05, 1e-15,
            "a ball in a hollow: 1/0.01 - 1/0.0125 = 1/0.05");
    ok(isinf(cf_series((double) INFINITY, (double) INFINITY)), "two planes are a plane");
}

static void hertz(void)
{
    /* steel on steel, 210 GPa and 0.3: E/(2 (1 - 0.09)) = 115.3846... GPa */
    double steel = cf_effective_modulus(210e9, 0.3, 210e9, 0.3);
    is_near(steel / 1e9, 115.38461538461539, 1e-15, "E* of steel on steel");
    is_near(cf_effective_modulus(210e9, 0.3, (double) INFINITY, 0) / 1e9, 230.76923076923077, 1e-15,
            "E* of steel on something rigid is twice that");

    /* a rubber ball, 1.5 MPa and 0.5, on steel: the steel takes one part in 105000 */
    double rubber = cf_effective_modulus(1.5e6, 0.5, 210e9, 0.3);
    is_near(rubber, 2e6 / (1 + 2e6 * 0.91 / 210e9), 1e-15, "the soft body decides");

    /* the force of Hertz's own formula at 1e-5 m, F = 4/3 E* sqrt(R) d^1.5, sqrt(0.0144) = 0.12 */
    is_near(cf_hertz_stiffness(steel, 0.0144) * 1e-5 * sqrt(1e-5), 583.80, 1e-4,
            "the 14.4 mm steel ball pushes back with 584 N at 10 um");
}

static void drake(void)
{
    is_near(cf_drake_stiffness(2.37e7, 2.37e7), 1.185e7, 1e-15, "equal bodies halve k");
    is_near(cf_drake_dissipation(2e7, 0.3, 6e7, 0.7), 0.4, 1e-15,
            "d: (0.3 6e7 + 0.7 2e7)/8e7, the softer body counts more");
    is_near(cf_drake_dissipation(2e7, 0.3, (double) INFINITY, 0.7), 0.3, 0,
            "d against a rigid body is the soft one's");
    is_near(cf_drake_dissipation((double) INFINITY, 0.3, 6e7, 0.7), 0.7, 0,
            "whichever of them is rigid");
    is_near(cf_drake_dissipation((double) INFINITY, 0.3, (double) INFINITY, 0.7), 0.5, 1e-16,
            "two rigid bodies share");
    is_near(cf_drake_friction(0.3, 0.6), 0.4, 1e-15, "mu is the harmonic mean");
    is_near(cf_drake_friction(0, 0.6), 0, 0, "ice wins");
    is_near(cf_drake_friction(0, 0), 0, 0, "two frictionless bodies have no friction");
}

TEST(pair)
{
    plan(16);
    series();
    hertz();
    drake();
    return done();
}
