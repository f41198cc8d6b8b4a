/* Predictions, residuals and derivatives of a problem, some observations at a time: nothing here
 * grows with their number.
 *
 * Every function is pure: it looks for the locals' best where the problem has them, and neither the
 * number of workers nor earlier calls change a bit of its results.
 */

#ifndef CF_ESTIMATE_EVALUATE_H
#define CF_ESTIMATE_EVALUATE_H

#include "estimate/problem.h"

/* At most this many observations are evaluated together: few enough to stay in a processor's cache
 * with their derivatives, many enough for the reflections that fold them. */
enum { CF_STRETCH = 512 };

/* Consecutive observations of a part as predicted at one theta. Matrices are stored by columns. */
struct cf_stretch {
    const struct cf_problem *problem;
    size_t part, first, count; /* observations */
    size_t ncolumn;            /* the part's locals, then the set's active unknowns */
    const double *y;           /* predicted readings [SI] */
    const double *by_imposed;  /* dy/d(imposed quantity) */
    double *A;                 /* column j at A[j * ld]; to be used up */
    size_t ld;
};

enum cf_wanted {
    CF_WANT_VALUES,    /* y; by_imposed is 0 and A NULL */
    CF_WANT_SLOPES,    /* y, by_imposed, A: dy/dcolumn */
    CF_WANT_RESIDUALS, /* A: derivatives of the residuals, and in column ncolumn the residuals, in
                        * sigmas and independent */
};

/* Residuals of n observations that begin with a row, predicted y[n]: in sigmas and independent but
 * for what groups share. */
void cf_residuals_of(const struct cf_observation o[], size_t n, const double y[], double r[]);

/* Called for each stretch; from several threads at a time, on stretches of different units. `unit`
 * counts runs of stretches that do not depend on the number of threads. */
typedef void cf_visit(void *context, size_t unit, const struct cf_stretch *at);

/* How many units a part's observations make, and a problem's. */
size_t cf_part_units(const struct cf_part *part);
size_t cf_units(const struct cf_problem *problem);

/* Threads that so many tasks of one evaluation are worth: 1 where observations are few. */
size_t cf_threads_for(const struct cf_problem *problem, size_t tasks);

/* Visit all observations at theta, in ascending order within a unit. local[nlocal]: theta of the
 * locals; NULL: as the problem has them. Fails with CF_ESOLVE where the law predicts no such thing,
 * CF_ECANCELLED where the problem's workers say so. */
int cf_problem_visit(const struct cf_problem *problem, const double theta[], const double local[],
                     enum cf_wanted wanted, cf_visit *visit, void *context, struct cf_error *err);

/* The same without what groups share: residuals are independent within their rows only. */
int cf_visit_ungrouped(const struct cf_problem *problem, const double theta[], const double local[],
                       enum cf_wanted wanted, cf_visit *visit, void *context, struct cf_error *err);

/* The same for the observations of one part, as unit 0, in this thread. */
int cf_part_visit(const struct cf_problem *problem, size_t part, const double theta[],
                  const double local[], enum cf_wanted wanted, cf_visit *visit, void *context,
                  struct cf_error *err);

/* The prediction of the one observation of the problem's one part. */
int cf_part_value(const struct cf_problem *problem, const double theta[], double *y,
                  struct cf_error *err);

/* Predictions y[nobservation] [SI] and (NULL to skip) dy/d(imposed quantity), with the locals as
 * the problem has them. */
int cf_problem_predict(const struct cf_problem *problem, const double theta[], double y[],
                       double by_imposed[], struct cf_error *err);

/* Residuals r[nresidual] and (NULL to skip, which spares the slopes) their Jacobian J[nresidual *
 * nfree], row-major, with the locals as the problem has them: for problems that are small, and as
 * an oracle. */
int cf_problem_residuals(const struct cf_problem *problem, const double theta[], double r[],
                         double J[], struct cf_error *err);

/* Predict n rows of any data set of the protocol and apparatus of data set `data`, on a pair of its
 * own: y[n * nchannel] of these channels, NAN where the law does not determine it, and (NULL to
 * skip) slope[n * nchannel * nfree] by theta and by_imposed[n * nchannel]. tolerance as in a
 * request. The true values: neither gain nor bias. */
int cf_problem_predict_rows(const struct cf_problem *problem, size_t data,
                            const struct cf_dataset *d, size_t n, const size_t row[],
                            size_t nchannel, const size_t channel[], double tolerance,
                            const double theta[], double y[], double slope[], double by_imposed[],
                            struct cf_error *err);

#endif
