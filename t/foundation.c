/* The distributed foundation that azad-featherstone was derived from, integrated over the area of
 * contact: Azad & Featherstone 2010, eqs. 3 to 12, and the tangential ones, 20 to 24.
 *
 * Their A(z) = 2 pi r z and K_A(z) = E*(z^-1/2)/(2 pi sqrt(r)) give the printed (10) exactly: the
 * integral of xi (z - xi)^-1/2 is (4/3) z^(3/2). A(z) is twice the patch of Hertz, pi r z, which
 * the choice of K_A makes up for. (12) follows with lambda = 4 pi r alpha: an alpha of the material
 * would make lambda grow with r, where their paper of 2014, eq. 9, has sqrt(r).
 */

#include <gsl/gsl_integration.h>
#include <math.h>

#include "law/law.h"
#include "law/pair.h"
#include "tap.h"

static const double MODULUS = 7.3e8, RADIUS = 0.0231, ALPHA = 31.7; /* E*, r, alpha of D_A */

static double area(double z)
{
    return 2 * acos(-1.0) * RADIUS * z;
}

static double stiffness(double z)
{
    return MODULUS / (2 * acos(-1.0) * sqrt(RADIUS)) / sqrt(z);
}

/* (4), its integrand with zeta = z - xi */
static double spring(double zeta, void *z)
{
    return area(*(double *) z - zeta) * stiffness(zeta);
}

/* (5) per unit of zdot, and (20): the local deformation of the ring dA = 2 pi r dzeta is zeta */
static double damper(double zeta, void *unused)
{
    (void) unused;
    return ALPHA / sqrt(zeta) * area(1);
}

static double tangential(double zeta, void *unused)
{
    (void) unused;
    return stiffness(zeta) * area(1);
}

/* From 0, where the integrand has a root's pole, to z. */
static double integral(double (*f)(double zeta, void *z), double z)
{
    gsl_integration_workspace *space = gsl_integration_workspace_alloc(1000);
    gsl_function function = {f, &z};
    double sum = 0, error;

    gsl_integration_qags(&function, 0, z, 0, 1e-12, 1000, space, &sum, &error);
    gsl_integration_workspace_free(space);
    return sum;
}

TEST(foundation)
{
    const struct cf_law *law = cf_law_find("azad-featherstone");
    const double lambda = 4 * acos(-1.0) * RADIUS * ALPHA;
    const double p[] = {cf_hertz_stiffness(MODULUS, RADIUS), lambda};
    double worst[3] = {0};

    plan(3);
    for (double z = 1e-7; z < 2e-3; z *= 3.7) {
        double rate = 0.31;
        struct cf_contact still = {.depth_m = z}, moving = {.depth_m = z, .rate_m_s = rate};
        double at_rest = law->force(law, p, &still);
        double damped = law->force(law, p, &moving) - at_rest;
        worst[0] = fmax(worst[0], fabs(integral(spring, z) / at_rest - 1));
        worst[1] = fmax(worst[1], fabs(integral(damper, z) * rate / damped - 1));
        worst[2] = fmax(worst[2], fabs(integral(tangential, z) / (1.5 * p[0] * sqrt(z)) - 1));
    }
    ok(worst[0] < 1e-11, "springs over the area give Hertz, eq. 10 (worst %.1e)", worst[0]);
    ok(worst[1] < 1e-11, "dampers give lambda sqrt(z) zdot, eq. 12 (worst %.1e)", worst[1]);
    ok(worst[2] < 1e-11, "and sideways K_t = 1.5 k, eq. 24 (worst %.1e)", worst[2]);
    return done();
}
