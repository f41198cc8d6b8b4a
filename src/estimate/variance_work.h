/* -2 ln L_R as a function of the estimated variances; private to src/estimate. */

#ifndef CF_ESTIMATE_VARIANCE_WORK_H
#define CF_ESTIMATE_VARIANCE_WORK_H

#include "estimate/reml.h"

/* The function at some variances: ln det V + ln det X^T V^-1 X, r^T V^-1 r, and R of [X r]. */
struct cf_variance_value {
    double log_det, square;
};

struct cf_variance_work {
    struct cf_problem problem;         /* a copy; its variances are those of the last evaluation */
    size_t n, columns;                 /* observations; of [X r] */
    double *A;                         /* n * columns, by columns, not divided by sigma */
    double *prior;                     /* nprior * columns, by rows, in sigmas */
    double *whitened;                  /* (n + nprior + columns) * columns */
    double *R;                         /* columns^2 */
    struct cf_variance_stream *stream; /* NULL: where observations are not as it wants them */
    size_t nvariance;
    struct cf_variance_part *part;    /* nvariance: what each is */
    double *v, *scale, *least, *most; /* where it stays */
    bool relative;                    /* cf_variance_relate() holds, */
    bool *related;                    /* nvariance: of these */
    double *load; /* neffect * nchannel: the most that the observations of a group weigh, of each
                   * channel: s^2, over sigma^2 where that is not estimated */
    bool *spans;  /* neffect: some of its groups have observations of several channels */
    size_t *at;   /* nchannel: where its sigma^2 stands in v; SIZE_MAX: nowhere */
    double *gradient, *step; /* by the variances in their scales, as are: */
    double *hessian;         /* the expected curvature, which is positive, */
    double *observed;        /* and that here, which need not be */
};

/* Room for `columns` columns of [X r]: A and prior are to be filled, scale by cf_variance_scales().
 * To be freed, also after a failure. */
int cf_variance_work_make(const struct cf_problem *q, size_t columns, struct cf_variance_work *w,
                          struct cf_error *err);
void cf_variance_work_free(struct cf_variance_work *w);

/* From the next scales on, a tau^2 that is not above 0 in units of what the mean of the heaviest
 * group varies by without it; or back. How far it may be negative hangs on sigma^2, and does not in
 * these units: there steps end at that end, which each step moved on without them. */
void cf_variance_relate(struct cf_variance_work *w);
void cf_variance_unrelate(struct cf_variance_work *w);

/* v[nvariance] without such units: plain[nvariance], which may be v. */
void cf_variance_plain(const struct cf_variance_work *w, const double v[], double plain[]);

/* The scale of each at w->v, which the work's problem then has: itself, and for an effect beside it
 * what the mean of a group varies by without it. */
void cf_variance_scales(struct cf_variance_work *w);

/* The function at v[nvariance], which the work's problem then has; CF_ESOLVE where it is not
 * finite.
 */
int cf_variance_evaluate(struct cf_variance_work *w, const double v[], struct cf_variance_value *at,
                         struct cf_error *err);

/* The same at v[n * nvariance]: at[n]. The problem's variances are then any. */
int cf_variance_values(struct cf_variance_work *w, const double v[], size_t n,
                       struct cf_variance_value at[], struct cf_error *err);

/* The function at w->v, with gradient and expected curvature, each by the variances in their
 * scales.
 */
int cf_variance_differentiate(struct cf_variance_work *w, struct cf_variance_value *here,
                              struct cf_error *err);

/* Those of a problem at theta, with the unknowns turned and scaled so that X has the condition 1 at
 * the variances of the rank. */
int cf_variance_work_at(const struct cf_problem *q, const double theta[],
                        const struct cf_rank *rank, struct cf_variance_work *w,
                        struct cf_error *err);

/* The covariance C[nfree * nfree] of the unknowns as the last evaluation has it; half[nfree * rank]
 * is spare. */
void cf_variance_covariance(const struct cf_variance_work *w, const struct cf_rank *rank,
                            double half[], double C[]);

/* How many numbers the models of errors that follow each other have, whose uncertainty is reported.
 */
size_t cf_variance_numbers(const struct cf_problem *q);

/* Put them behind out->n - cf_variance_numbers() variances: their covariance, the slopes of C along
 * them, sigma of their channel going with them, and what that adds to out->more; the last
 * evaluation is at w->v. room[4 * nfree^2]. */
int cf_variance_serial(struct cf_variance_work *w, const struct cf_rank *rank, double room[],
                       struct cf_variances *out, struct cf_error *err);

/* Does anything depend on this variance: a channel's always, an effect's where it is identified.
 * Here and below w has been differentiated. */
bool cf_variance_matters(const struct cf_variance_work *w, size_t k);

/* Inverse of a curvature H over the variances that `use` wants, 0 elsewhere: out[n * n]. Where it
 * is not positive definite, of its diagonal: *is_definite (NULL to skip) says. And of the expected
 * one over those that matter. */
int cf_variance_invert(const struct cf_variance_work *w, const double H[], const bool use[],
                       double out[], bool *is_definite, struct cf_error *err);
int cf_variance_inverse(const struct cf_variance_work *w, double inverse[], struct cf_error *err);

#endif
