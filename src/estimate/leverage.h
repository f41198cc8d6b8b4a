/* What single observations and whole channels have to say in a fit, locals included. */

#ifndef CF_ESTIMATE_LEVERAGE_H
#define CF_ESTIMATE_LEVERAGE_H

#include "estimate/rank.h"

/* The leverages h of all observations at theta, hat[nobservation]: diagonal of J (J^T J)^-1 J^T.
 * The problem has been folded there with its current sigmas; rank is that fold's. */
int cf_leverages(const struct cf_problem *problem, const double theta[], const struct cf_fold *fold,
                 const struct cf_rank *rank, double hat[], struct cf_error *err);

/* Degrees of freedom of the residuals of each channel with these leverages, dof[nchannel]: those of
 * its sigma, but where this is one of several variances those of its rows, whose residuals are in
 * units of all of them. */
void cf_residual_freedom(const struct cf_problem *problem, const double hat[], double dof[]);

/* Their sums by channel, share[nchannel]. */
int cf_channel_leverages(const struct cf_problem *problem, const struct cf_fold *fold,
                         const struct cf_rank *rank, double share[], struct cf_error *err);

/* Each channel's share of the variance of g . theta, share[nchannel]: the sum over its observations
 * of the squares by which they move it. *prior receives that of the priors. */
int cf_variance_shares(const struct cf_problem *problem, const struct cf_fold *fold,
                       const struct cf_rank *rank, const double g[], double share[], double *prior,
                       struct cf_error *err);

/* The part of the covariance of the unknowns that comes from the scatter of one channel:
 * gram[nfree * nfree], the sum over its observations of (C J)(C J)^T. */
int cf_channel_covariance(const struct cf_problem *problem, const struct cf_fold *fold,
                          const struct cf_rank *rank, size_t channel, double gram[],
                          struct cf_error *err);

/* A channel's rows of one data set (SIZE_MAX: of all) fitted by themselves, in the linear model of
 * the fold: how many of the unknowns and locals they determine, and what is left of their chi^2. */
int cf_channel_alone(const struct cf_problem *problem, const struct cf_fold *fold, size_t channel,
                     size_t data, size_t *rank, double *chi2, struct cf_error *err);

#endif
