#include "law/pair.h"

#include <math.h>

double cf_series(double x1, double x2)
{
    return 1 / (1 / x1 + 1 / x2);
}

double cf_effective_modulus(double E1_Pa, double nu1, double E2_Pa, double nu2)
{
    return cf_series(E1_Pa / (1 - nu1 * nu1), E2_Pa / (1 - nu2 * nu2));
}

double cf_hertz_stiffness(double modulus_Pa, double radius_m)
{
    return 4.0 / 3 * modulus_Pa * sqrt(radius_m);
}

double cf_drake_stiffness(double k1, double k2)
{
    return cf_series(k1, k2);
}

/* Each body's dissipation is weighted by its share of the deformation, so by the other's k. */
double cf_drake_dissipation(double k1, double d1, double k2, double d2)
{
    if (isinf(k1))
        return isinf(k2) ? 0.5 * (d1 + d2) : d2;
    if (isinf(k2))
        return d1;
    return (k2 * d1 + k1 * d2) / (k1 + k2);
}

/* Two frictionless bodies give 0, where the formula is 0/0. */
double cf_drake_friction(double mu1, double mu2)
{
    return mu1 + mu2 > 0 ? 2 * mu1 * mu2 / (mu1 + mu2) : 0;
}
