/* Rank analysis of a Jacobian: singular values of its scaled columns, dead parameters, and the
 * directions in parameter space along which nothing changes.
 *
 * A library's covariance of a rank-deficient problem can be 0 or finite nonsense with a report of
 * success, so rank is judged here before any interval is made.
 */

#ifndef CF_ESTIMATE_RANK_H
#define CF_ESTIMATE_RANK_H

#include <stdbool.h>
#include <stddef.h>

#include "estimate/fold.h"

struct cf_rank {
    size_t n; /* columns */
    size_t rank;
    double *norm;       /* n: of the columns */
    bool *dead;         /* n: the column is 0: no data depend on it */
    bool *flat;         /* n: takes part in a null direction */
    double *singular;   /* n: of the scaled columns, descending */
    size_t nnull;       /* null directions among live columns */
    double *direction;  /* nnull * n: null directions in theta, unit length */
    double *root;       /* n * rank: covariance = root root^T */
    double *covariance; /* n * n: of theta in the row space */
    void *room;         /* all of it */
};

/* Decompose J[m * n], row-major with ld numbers a row, residuals in units of sigma; or its
 * triangular factor. norm[n] are the lengths of the columns, NULL: those of J. `noise` is the
 * relative accuracy of J: singular values below it (relative to the first, which is not counted as
 * less than 1) are 0. *out is to be cleared, also after a failure: CF_ENOMEM, or CF_ESOLVE when J
 * is not finite. */
int cf_rank_analyse(const double J[], size_t m, size_t n, size_t ld, const double norm[],
                    double noise, struct cf_rank *out, struct cf_error *err);
void cf_rank_clear(struct cf_rank *rank);

/* The same of a problem folded at some theta; parameters with held[i] (NULL: none) are left out.
 */
int cf_rank_fold(const struct cf_fold *fold, const bool held[], struct cf_rank *out,
                 struct cf_error *err);

/* And of a problem at theta. */
int cf_rank_problem(const struct cf_problem *problem, const double theta[], const bool held[],
                    struct cf_rank *out, struct cf_error *err);

/* The same of a fold at theta, where unknowns that a bound keeps from going on count as dead: they
 * take nothing from the residuals. For variances, not for what is identified. */
int cf_rank_within_bounds(const struct cf_problem *problem, const double theta[],
                          const struct cf_fold *fold, struct cf_rank *out, struct cf_error *err);

/* Does the data identify parameter i: neither dead nor flat? */
bool cf_rank_identifies(const struct cf_rank *rank, size_t i);

/* Variance of a linear function g[n] of theta, and of theta's coordinate i. */
double cf_linear_variance(const struct cf_rank *rank, const double g[]);
double cf_rank_variance(const struct cf_rank *rank, size_t i);

extern const double cf_rank_noise; /* the accuracy of this library's derivatives, with reserve */

#endif
