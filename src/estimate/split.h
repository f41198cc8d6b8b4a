/* One unknown with a value of its own in each of some parts of the data, by the linear model at the
 * optimum: what each part says of it while all others are shared and fitted along; and what is
 * known of the unknowns without one of the parts.
 *
 * The parts are data sets or channels. Derivatives are split before the observations are made
 * independent, so that errors that the parts share are taken into account.
 */

#ifndef CF_ESTIMATE_SPLIT_H
#define CF_ESTIMATE_SPLIT_H

#include "estimate/optimum.h"

enum cf_split_by {
    CF_SPLIT_BY_CHANNEL, /* columns of the one protocol that all data sets have */
    CF_SPLIT_BY_DATA,    /* data sets */
};

/* The linear model at an optimum. */
struct cf_linear {
    const struct cf_optimum *optimum;
    struct cf_problem problem; /* a copy: its weights and variances are changed and put back */
    size_t n, p;               /* observations, unknowns */
    double *J, *r;             /* n * p by columns, n: derivatives and residuals [SI] */
    double *X;                 /* room to whiten columns of it */
    size_t room;               /* columns */
    size_t nvariance;          /* estimated variances */
    struct cf_variance_part *part;
    double *v, *covariance; /* nvariance, nvariance^2 */
    bool *held;             /* p: at a bound, or of no consequence: it stays where it is */
};

/* What one part of the data says of the unknown. */
struct cf_split_part {
    size_t source;
    double theta, variance;
    double dof; /* Satterthwaite's of that variance */
};

/* Of a problem with squares and without locals, whose optimum is identified. To be freed, also
 * after a failure. */
int cf_linear_make(const struct cf_optimum *optimum, struct cf_linear *linear,
                   struct cf_error *err);
void cf_linear_free(struct cf_linear *linear);

/* The parts of the data that depend on the unknown, ascending: source[] has room for as many as
 * there are. Returns their number. */
size_t cf_split_sources(const struct cf_linear *linear, size_t unknown, enum cf_split_by by,
                        size_t source[]);

/* What part[n], with their sources, say of the unknown; other parts keep to its value at the
 * optimum. *fall: by how much chi^2 is lower then. *solved is false where they do not identify it,
 * each for itself. */
int cf_split(struct cf_linear *linear, size_t unknown, enum cf_split_by by, size_t n,
             struct cf_split_part part[], double *fall, bool *solved, struct cf_error *err);

/* Standard errors error[p] of theta without one part of the data, as the current variances have
 * them; SIZE_MAX: with all of them. INFINITY: not identified. */
int cf_linear_errors(struct cf_linear *linear, enum cf_split_by by, size_t without, double error[],
                     struct cf_error *err);

#endif
