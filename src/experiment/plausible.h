/* Are the numbers of a study those of things that exist? Rules that catch a wrong unit, which fits
 * as well as the right one.
 *
 * A rule is a row in a table: a number, made from bodies, data and, after a fit, from what the law
 * predicts, and the range that it has wherever somebody measured. What holds of every experiment is
 * in judge/plausibility.c; a protocol adds rules for its own quantities.
 */

#ifndef CF_EXPERIMENT_PLAUSIBLE_H
#define CF_EXPERIMENT_PLAUSIBLE_H

#include "experiment/dataset.h"

/* One row of a data set. */
struct cf_plausible_row {
    const struct cf_dataset *data;
    size_t row;
    const double *value; /* by channel of the protocol, SI: measured, else predicted; else NAN */
    const double *sigma; /* the same: of what was measured, stated or fitted; NAN: not known */
    double abscissa;
    double modulus_Pa; /* E*, stated or fitted; NAN: not known */
};

/* A slip that would explain a number: it times `factor` is what was meant if `what` is so. */
struct cf_slip {
    double factor;
    const char *what; /* "the mass in g" */
};

struct cf_plausible_rule {
    const char *name;           /* "density" */
    const char *unit;           /* SI */
    double low, high;           /* ends included */
    const char *why;            /* what stands at the ends */
    const struct cf_slip *slip; /* the likeliest first; ends with none */
    double (*number)(const struct cf_plausible_row *row, size_t sphere); /* NAN: does not apply */
    bool of_sphere; /* one for each sphere of the pair; else sphere is 0 */
};

/* The density and the radius of a sphere of the pair; NAN where it has none. */
double cf_sphere_density(const struct cf_pair *pair, size_t sphere);
double cf_sphere_radius(const struct cf_pair *pair, size_t sphere);

/* Of the smallest sphere, and of the lightest kind of them. */
double cf_least_radius(const struct cf_pair *pair);
double cf_least_density(const struct cf_pair *pair);

#endif
