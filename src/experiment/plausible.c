#include "experiment/plausible.h"

#include <gsl/gsl_math.h>
#include <math.h>

double cf_sphere_radius(const struct cf_pair *pair, size_t sphere)
{
    return pair->sphere[sphere].name ? pair->sphere[sphere].radius_m : (double) NAN;
}

double cf_sphere_density(const struct cf_pair *pair, size_t sphere)
{
    double radius = cf_sphere_radius(pair, sphere);
    return pair->sphere[sphere].mass_kg / (4 * M_PI / 3 * gsl_pow_3(radius));
}

/* fmin() leaves NAN out. */
double cf_least_radius(const struct cf_pair *pair)
{
    return fmin(cf_sphere_radius(pair, 0), cf_sphere_radius(pair, 1));
}

double cf_least_density(const struct cf_pair *pair)
{
    return fmin(cf_sphere_density(pair, 0), cf_sphere_density(pair, 1));
}
