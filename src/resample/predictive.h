/* What the sampler's draws say of new measurements in the places of those that were fitted: the
 * posterior predictive distribution (A. Gelman et al., Bayesian Data Analysis, 3rd ed. 2013,
 * section 6.3). */

#ifndef CF_RESAMPLE_PREDICTIVE_H
#define CF_RESAMPLE_PREDICTIVE_H

#include "core/parallel.h"
#include "resample/posterior.h"

/* Observations that are replicated at most, evenly over all of them. */
enum { CF_MOST_REPLICATED = 2000 };

/* Of one observation [its unit]: the median, and equal tails beyond the interval's ends. */
struct cf_replicated {
    size_t observation;
    double median, low, high;
};

/* Fill posterior->replicated from its draws, which have converged: each draw predicts the
 * observation, with the locals at their best, and a replicate scatters about that as the
 * measurement of a new group does, with the draw's own variances; the quantiles are those of the
 * mixture of these normal distributions, so nothing is drawn here. */
int cf_posterior_replicate(const struct cf_optimum *optimum, const struct cf_workers *workers,
                           struct cf_posterior *posterior, struct cf_error *err);

#endif
