/* The reference of a judged curve (judge/adequacy.h): the law and its smoothed difference from what
 * was measured, over the range of the measurements. It is a curve of its own, e-smooth of impacts:
 * without parameters, and without a value outside of that range.
 */

#ifndef CF_IDENTIFY_REFERENCE_H
#define CF_IDENTIFY_REFERENCE_H

#include "judge/adequacy.h"

struct cf_reference {
    char *channel;              /* what it is of */
    char *branch;               /* of the protocol; NULL: it has none */
    size_t data;                /* the first data set of those that were judged together */
    double low, high;           /* of the axis, the one that is nearer to 0 first */
    double stated;              /* that the limits have for what is not known of the instruments */
    double at_most;             /* that the law is off by */
    bool needed;                /* a need was stated, and */
    enum cf_adequacy_word word; /* this is its answer */
    double dof;                 /* of the standard errors; INFINITY: sigmas are given */
    size_t n; /* points, along the axis; 0: there were too few places for a reference */
    double *abscissa, *law, *difference, *standard_error; /* n each, allocated as one */
};

/* Ones that are the caller's to free, also after a failure. */
void cf_references_free(struct cf_reference *list, size_t n);

/* Does a place lie in its range? */
bool cf_reference_covers(const struct cf_reference *reference, double abscissa);

/* Limits of the difference at a place, pointwise at a level. */
void cf_reference_limits(const struct cf_reference *reference, double abscissa, double level,
                         double *low, double *high);

/* The law and the difference as a curve of n points with its pointwise limits at a level, within
 * [least, most]: e is in [0, 1]. `monotone`: values are sorted the way that the law goes, and so
 * are the limits, which makes neither less accurate: V. Chernozhukov, I. Fernandez-Val and A.
 * Galichon, Biometrika 96 (2009) 559. value, low and high have room for n each. */
struct cf_smooth_asked {
    double level, least, most;
    bool monotone;
};
void cf_reference_curve(const struct cf_reference *reference, const struct cf_smooth_asked *asked,
                        double value[], double low[], double high[]);

/* y[n] of its points at a place of its range, linear between them. */
double cf_reference_between(const struct cf_reference *reference, const double y[],
                            double abscissa);

#endif
