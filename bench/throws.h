/* Synthetic throws of a bouncing ball, followed forwards bounce by bounce: not by what the fit
 * predicts from measured intervals. */

#ifndef THROWS_H
#define THROWS_H

#include <gsl/gsl_rng.h>

#include "estimate/spec.h"

struct throws {
    size_t n;                   /* throws; 0: none */
    double from_m_s, least_m_s; /* fastest first impact, 0.7 to 1 of it; none slower is stamped */
    double scatter, exponent;   /* of e: sd scatter (v/(1 m/s))^exponent */
    double shift;               /* sd of what a throw's e has in common */
    double jitter_s;            /* sd of a stamp */
    double bad, bad_size;       /* share of bounces that lose more, and how much on average */
    double missed, spurious; /* shares of impacts without a stamp, of flights with one too many */
    double drag_coefficient;
};

/* What was done to the stamps, and what of it was found. */
struct throws_count {
    size_t missed, missed_named, spurious, spurious_named, clean, clean_cut; /* the last two: throws
                                                                              */
};

/* Stamps by a law at p, as data set and groups of a study. *data and *grouping are to be cleared,
 * also after a failure; *count (NULL to skip) is added to. */
int throws_make(const struct throws *t, const struct cf_law *law, const double p[],
                struct cf_pair pair, struct cf_curves *curves, gsl_rng *rng,
                struct cf_dataset *data, struct cf_grouping *grouping, struct throws_count *count,
                struct cf_error *err);

#endif
