/* Are the numbers of a study those of things that exist? Rules that catch a wrong unit, which fits
 * as well as the right one.
 *
 * A rule is a row in a table: a number, made from bodies, data and, after a fit, from what the law
 * predicts, and two ranges. The usual one it has wherever somebody measured; beyond the physical
 * one, which is wider, there is no such thing. Rules of every experiment are here; a protocol adds
 * those of its own quantities.
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

/* Where a number that is wrong is to be corrected. */
enum cf_stated_in { CF_STATED_NOWHERE, CF_STATED_MASS, CF_STATED_SIZE, CF_STATED_E, CF_STATED_ROW };

/* A slip that would explain a number: it times `factor` is what was meant if `what` is so. */
struct cf_slip {
    double factor;
    const char *what; /* "the mass in g" */
    enum cf_stated_in in;
};

struct cf_plausible_rule {
    const char *name;           /* "density" */
    const char *unit;           /* SI */
    double low, high;           /* the usual range, ends included */
    const char *why;            /* what stands at its ends */
    double least, most;         /* the physical range, which is wider; both 0: not known, */
    const char *limit;          /* and what stands at its ends */
    const struct cf_slip *slip; /* the likeliest first; ends with none */
    double (*number)(const struct cf_plausible_row *row, size_t sphere); /* NAN: does not apply */
    bool of_sphere;       /* one for each sphere of the pair; else sphere is 0 */
    enum cf_stated_in in; /* where no slip says better */
};

/* The rules of every experiment, which end with one without a name, and that of a column's sigmas
 * over its values. */
extern const struct cf_plausible_rule cf_plausible_common[], cf_plausible_sigma;

/* The density and the radius of a sphere of the pair; NAN where it has none. */
double cf_sphere_density(const struct cf_pair *pair, size_t sphere);
double cf_sphere_radius(const struct cf_pair *pair, size_t sphere);

/* Of the smallest sphere, and of the lightest kind of them. */
double cf_least_radius(const struct cf_pair *pair);
double cf_least_density(const struct cf_pair *pair);

#endif
