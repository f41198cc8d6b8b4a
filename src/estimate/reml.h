/* Variances by restricted maximum likelihood (REML).
 *
 * The estimated ones of a problem: sigma^2 of each channel without a stated sigma, tau^2 of each
 * effect of its groups. At a given theta, where predictions are taken as linear in the unknowns,
 * they minimise
 *
 *     -2 ln L_R = ln det V + ln det(X^T V^-1 X) + r^T V^-1 r at the best of the unknowns,
 *
 * X being the derivatives and the rows of priors among the data: D. A. Harville, J. Am. Stat.
 * Assoc. 72 (1977) 320, eq. 3.3. By Newton steps, or those of Fisher scoring. A tau^2 may come out
 * negative, as long as the covariance stays positive definite: rows of a group are then less alike
 * than by chance. Cutting it off at 0 would make intervals too wide where groups share little;
 * reports say 0. Without effects the minimum is that of residual sums of squares over degrees of
 * freedom (estimate/cost.c).
 */

#ifndef CF_ESTIMATE_REML_H
#define CF_ESTIMATE_REML_H

#include "estimate/rank.h"

/* What an estimated variance is; the covariance of the observations is linear in all of them. */
enum cf_variance_kind {
    CF_VARIANCE_SIGMA,  /* sigma^2 of a channel whose sigma is constant */
    CF_VARIANCE_BASE,   /* a^2 of a channel with sigma^2 = a^2 + b^2 x^2 */
    CF_VARIANCE_SLOPE,  /* b^2 of it */
    CF_VARIANCE_SHARED, /* covariance of a channel with its partner */
    CF_VARIANCE_EFFECT, /* tau^2 of an effect */
    CF_VARIANCE_RECORD, /* s_t^2 of the records of a data set */
};

struct cf_variance_part {
    enum cf_variance_kind kind;
    size_t index; /* channel, effect or record of the problem */
};

/* The estimated variances of a problem: part[] and v[] have room for 3 of each channel and 1 of
 * each effect and of each set of records. Returns their number. And put them into it, with the
 * sigmas and shares of its observations. */
size_t cf_variance_list(const struct cf_problem *q, struct cf_variance_part part[], double v[]);
void cf_variance_put(struct cf_problem *q, const struct cf_variance_part part[], const double v[],
                     size_t n);

/* What an interval of tau follows from: what the mean of a group varies by without it, on average
 * [SI^2], the degrees of freedom of the variance between the means, and of what is within; all of
 * them where tau^2 is not below 0. */
struct cf_between {
    double own, dof, own_dof;
};

/* Estimated variances and what follows from them: behind those of the problem stand the
 * numbers of models of errors that follow each other (estimate/serial_model.h), as they are looked
 * for, with no part of their own. */
struct cf_variances {
    size_t n;
    struct cf_variance_part *part; /* n */
    double *value;                 /* n [SI^2] */
    double *covariance; /* n * n: of these estimates, by the expected information; 0 for one of
                         * which the data say nothing */
    size_t nfree;
    double *slope; /* n * nfree * nfree: derivatives of the covariance C of the unknowns */
    struct cf_between *between; /* n: of effects; else zeros */
    double *more; /* nfree * nfree: what is added to C because the variances are estimates */
};

void cf_variances_clear(struct cf_variances *variances);

/* Put the problem's variances where they minimise -2 ln L_R at theta, where its rank is known.
 * *change receives the largest change, relative to the variance, or that of a group's mean; 0 where
 * they were there already, to within less than the data determine them. Also sets the degrees of
 * freedom of estimated channels, and which effects are identified. Fails with CF_ESOLVE where no
 * minimum is found. */
int cf_reml_update(struct cf_problem *problem, const double theta[], const struct cf_rank *rank,
                   double *change, struct cf_error *err);

/* What is known of them there; to be cleared, also after a failure. */
int cf_reml_variances(const struct cf_problem *problem, const double theta[],
                      const struct cf_rank *rank, struct cf_variances *out, struct cf_error *err);

/* What the variance of a function of the unknowns with the slopes g[nfree] gains because variances
 * are estimates, g^T more g: M. G. Kenward and J. H. Roger, Biometrics 53 (1997) 983, eq. 5, which
 * is minus the sum of the second derivatives of C times the covariance of the variances. 0 where
 * there are none. */
double cf_variances_more(const struct cf_variances *variances, const double g[]);

/* Satterthwaite's degrees of freedom of the variance V = g^T C g of a function of the unknowns with
 * the slopes g[nfree]: 2 V^2 over the variance of V (Biometrics 2 (1946) 110; W. W. Giesbrecht and
 * J. C. Burns, Biometrics 41 (1985) 477); not below 0.5; INFINITY where no variance matters. */
double cf_variances_dof(const struct cf_variances *variances, const struct cf_rank *rank,
                        const double g[]);

/* The interval of the tau of an effect at a level, by J. W. Tukey and J. S. Williams (Biometrika 49
 * (1962) 278): the variance of the means over its chi^2, less what is within by the quantiles of F.
 * Means that lie closer than by chance count as those of tau = 0: they would leave nothing, and few
 * groups leave tau open far above, INFINITY where the data give no end. */
void cf_tau_interval(const struct cf_variances *variances, size_t effect, double level, double *low,
                     double *high);

/* The least -2 ln L_R at theta, *cost without the constants of L; the problem then has its
 * variances, unless it fails. */
int cf_reml_least(struct cf_problem *problem, const double theta[], const struct cf_rank *rank,
                  double *cost, struct cf_error *err);

/* How far -2 ln L_R falls below the problem's variances along any of them, from a tenth to ten
 * times its value, others held: 0 at a minimum. `lowered` (NULL: none), the problem or a copy of
 * it, receives the variances of the least that was found. */
int cf_reml_fall(const struct cf_problem *problem, const double theta[], const struct cf_rank *rank,
                 struct cf_problem *lowered, double *fall, struct cf_error *err);

/* -2 ln L with the variances at their most likely values (ML), all constants included, of raw
 * residuals raw[nobservation] = measured - predicted. */
int cf_ml_cost(const struct cf_problem *problem, const double raw[], double *cost,
               struct cf_error *err);

#endif
