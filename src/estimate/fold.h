/* A problem folded at one theta: the triangular factor of its residuals and their derivatives.
 *
 * R is the upper triangle of [J r] over the unknowns, locals eliminated part by part; R^T R =
 * [J r]^T [J r], but R is made by reflections and has J's own condition. Observations are folded in
 * units of fixed size, and units, channels and parts joined in a fixed order, so that R has the
 * same bits whatever the number of threads. Memory grows with the unknowns and the parts, not with
 * the observations.
 */

#ifndef CF_ESTIMATE_FOLD_H
#define CF_ESTIMATE_FOLD_H

#include "estimate/evaluate.h"

/* Factors of one part, (ncolumn + 1)^2 each, row-major: columns are its locals, the set's active
 * unknowns, r. */
struct cf_part_fold {
    size_t ncolumn, nlocal;
    double left;     /* what chi^2 would still fall by at the locals' best, of a quick fold */
    double *R;       /* all of it, priors of the locals included */
    double *channel; /* set->nchannel of them: the observations of each channel alone */
};

struct cf_fold {
    size_t n;      /* unknowns */
    double *R;     /* (n + 1)^2, row-major: of everything, priors included */
    double *data;  /* the same without the priors of the unknowns */
    double *norm;  /* n: lengths of the columns of J, before locals were eliminated */
    double chi2;   /* sum of squared residuals, priors of unknowns and locals included */
    double *local; /* problem->nlocal: their best at this theta */
    size_t npart;
    struct cf_part_fold *part;
    bool quick;   /* set by who folds a motion again and again: locals whose best is near are left
                   * where they are, and chi2 is taken as at their best, by the derivatives */
    double *room; /* all factors */
    size_t nkept; /* numbers that there is room for below */
    double *kept; /* part by part [J r] of its observations, by columns; NULL: no room for them */
    bool keeps;   /* they are those of the last fold, whose problem fitted the room */
};

/* Room to fold problems like this one; to be cleared, also after a failure. */
int cf_fold_alloc(struct cf_fold *fold, const struct cf_problem *problem, struct cf_error *err);
void cf_fold_clear(struct cf_fold *fold);

/* Have it keep the derivatives of its observations, if these are few and the problem has no
 * locals. */
int cf_fold_keep(struct cf_fold *fold, const struct cf_problem *problem, struct cf_error *err);

/* Where the locals are best, by the derivatives of a fold, when the unknowns have changed by
 * change[n] from where it was made: local[problem->nlocal], within their bounds. */
void cf_fold_follow(const struct cf_fold *fold, const struct cf_problem *problem,
                    const double change[], double local[]);

/* Fold at theta. The locals are sought from where the problem has them. Fails as
 * cf_problem_visit() does, and with CF_ESOLVE where a derivative is not finite. */
int cf_problem_fold(const struct cf_problem *problem, const double theta[], struct cf_fold *fold,
                    struct cf_error *err);

/* [J r] with J at theta and r at `other`: the residuals there in the basis of the fold here, which
 * is the one at theta and spares computing J again where it has kept it. Only R is filled; for
 * problems without locals. */
int cf_problem_fold_other(const struct cf_problem *problem, const struct cf_fold *here,
                          const double theta[], const double other[], struct cf_fold *fold,
                          struct cf_error *err);

/* x[n] of unknowns, continued over the columns of a part: the locals as they follow the unknowns.
 * column[ncolumn]. */
void cf_part_follow(const struct cf_problem *problem, const struct cf_fold *fold, size_t part,
                    const double x[], double column[]);

/* Column k of the root of the covariance that a part's locals have where the unknowns are held:
 * column[ncolumn], 0 for the unknowns. */
void cf_part_local_root(const struct cf_part_fold *part, size_t k, double column[]);

/* F x of a channel's factor F of a part, x[ncolumn]: out[ncolumn]. */
void cf_channel_times(const struct cf_part_fold *part, size_t channel_index, const double x[],
                      double out[]);

/* |F x|^2 of a channel's factor of a part, x[ncolumn]: the sum over its observations of (J x)^2. */
double cf_channel_square(const struct cf_part_fold *part, size_t channel_index, const double x[]);

#endif
