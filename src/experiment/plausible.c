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

/* ---- the rules of every experiment */

static double density(const struct cf_plausible_row *r, size_t sphere)
{
    return cf_sphere_density(&r->data->pair, sphere);
}

static double diameter(const struct cf_plausible_row *r, size_t sphere)
{
    return 2 * cf_sphere_radius(&r->data->pair, sphere);
}

static double mass(const struct cf_plausible_row *r, size_t sphere)
{
    return r->data->pair.sphere[sphere].name ? r->data->pair.sphere[sphere].mass_kg : (double) NAN;
}

static double modulus(const struct cf_plausible_row *r, size_t sphere)
{
    (void) sphere;
    return r->modulus_Pa;
}

static double sound(const struct cf_plausible_row *r, size_t sphere)
{
    (void) sphere;
    return sqrt(r->modulus_Pa / cf_least_density(&r->data->pair));
}

static const struct cf_slip of_density[] = {
    {1e-3, "the mass in g", CF_STATED_MASS},
    {1e9, "the diameter in mm", CF_STATED_SIZE},
    {1e-6, "the mass in mg", CF_STATED_MASS},
    {1e6, "the diameter in mm, and the mass in g", CF_STATED_SIZE},
    {1e-9, "the diameter in m, and not in mm", CF_STATED_SIZE},
    {1e3, "the mass in kg, and not in g", CF_STATED_MASS},
    {0}};
static const struct cf_slip of_diameter[] = {{1e-3, "it in mm", CF_STATED_SIZE},
                                             {1e-6, "it in um", CF_STATED_SIZE},
                                             {1e3, "it in m, and not in mm", CF_STATED_SIZE},
                                             {0}};
static const struct cf_slip of_mass[] = {
    {1e-3, "it in g", CF_STATED_MASS}, {1e-6, "it in mg", CF_STATED_MASS}, {0}};
static const struct cf_slip of_modulus[] = {{1e-3, "it in MPa, and not in GPa", CF_STATED_E},
                                            {1e6, "it in MPa", CF_STATED_E},
                                            {1e9, "it in GPa", CF_STATED_E},
                                            {0}};
static const struct cf_slip of_sigma[] = {
    {1e-2, "sigma in per cent, or in the column's unit (state it, as in 1 % or 10 us)",
     CF_STATED_NOWHERE},
    {1e-3, "sigma in the column's unit (state it, as in 10 us)", CF_STATED_NOWHERE},
    {1e-6, "sigma in the column's unit (state it, as in 10 us)", CF_STATED_NOWHERE},
    {0}};

/* The physical range is that of all bodies that exist, with room for those that are no whole
 * spheres: hollow ones, and a dumbbell of which one ball is the sphere. A modulus and a speed of
 * sound follow from what was fitted, which may be off by a factor. */
const struct cf_plausible_rule cf_plausible_common[] = {
    {"density", "kg/m^3", 10, 25000, "a hollow ball of foam; osmium", 1e-3, 1e5,
     "a satellite's balloon in space; four times osmium, as a ball that carries others", of_density,
     density, true, CF_STATED_MASS},
    {"diameter", "m", 1e-7, 20, "a colloid; a wrecking ball", 1e-10, 1e6, "an atom; Ceres",
     of_diameter, diameter, true, CF_STATED_SIZE},
    {"mass", "kg", 1e-18, 1e5, "a colloid; a ship's fender", 1e-27, 1e21, "an atom; Ceres", of_mass,
     mass, true, CF_STATED_MASS},
    {"effective modulus", "Pa", 1e3, 1.2e12, "a gel; diamond", 1, 1e13,
     "a film of mucus; ten times diamond", of_modulus, modulus, false, CF_STATED_E},
    {"speed of sound", "m/s", 0.3, 2e4, "a gel; diamond", 1e-3, 1e6,
     "a film of mucus; a balloon of foil", NULL, sound, false, CF_STATED_E},
    {0},
};

/* It is of a column, and not of a row. A reading near 0 may be far below its error. */
const struct cf_plausible_rule cf_plausible_sigma = {
    .name = "sigma over size",
    .unit = "1",
    .low = 1e-8,
    .high = 1,
    .why = "nothing is measured to nine digits here; a value no larger than its own error carries "
           "no information",
    .least = 1e-13,
    .most = 1e3,
    .limit = "no number here has as many digits; all readings are a thousandth of their error",
    .slip = of_sigma,
};
