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

#include "estimate/problem.h"

struct cf_rank {
    size_t n; /* columns */
    size_t rank;
    double norm[CF_MAX_PARAM];                     /* of the columns */
    bool dead[CF_MAX_PARAM];                       /* the column is 0: no data depend on it */
    double singular[CF_MAX_PARAM];                 /* of the scaled columns, descending */
    double direction[CF_MAX_PARAM][CF_MAX_PARAM];  /* null directions in theta, unit length */
    size_t nnull;                                  /* null directions among live columns */
    double covariance[CF_MAX_PARAM][CF_MAX_PARAM]; /* of theta in the row space */
    bool flat[CF_MAX_PARAM];                       /* takes part in a null direction */
};

/* Decompose J[m * n], row-major, residuals in units of sigma. `noise` is the relative accuracy of
 * J: singular values below it (relative to the first) are 0. hat, when not NULL, receives the m
 * leverages. Fails with CF_ENOMEM, or CF_ESOLVE when J is not finite. */
int cf_rank_analyse(const double J[], size_t m, size_t n, double noise, struct cf_rank *out,
                    double hat[], struct cf_error *err);

/* The same for a problem's residuals at theta; parameters with held[i] (NULL: none) are left
 * out. */
int cf_rank_problem(const struct cf_problem *problem, const double theta[], const bool held[],
                    struct cf_rank *out, struct cf_error *err);

/* Variance of a linear function g[n] of theta. */
double cf_linear_variance(const struct cf_rank *rank, const double g[]);

extern const double cf_rank_noise; /* the accuracy of this library's derivatives, with reserve */

#endif
