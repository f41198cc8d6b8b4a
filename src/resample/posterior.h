/* The posterior of the parameters: the likelihood of the fit times the study's priors, or without
 * one uniform in theta (for a parameter on a log scale, in its logarithm) between the bounds. The
 * likelihood is that of all rows with whatever they share: errors of groups, of records, of
 * neighbours. A given sigma is that at the optimum; what the fit estimates of its errors is sampled
 * along with the parameters (resample/noise_space.h). Locals of a part are integrated out about
 * their best: exactly where they act linearly, as a bias does, nearly so for others.
 */

#ifndef CF_RESAMPLE_POSTERIOR_H
#define CF_RESAMPLE_POSTERIOR_H

#include "core/parallel.h"
#include "estimate/optimum.h"
#include "resample/noise_space.h"

enum { CF_NDRAW = 400 };

struct cf_posterior_number {
    double median, low, high; /* natural units; equal tails */
    double rhat, ess;         /* the smaller of bulk and tails */
};

struct cf_posterior {
    bool converged; /* else only `why` and the counts are to be shown */
    char why[500];
    size_t ensembles, walkers;
    size_t warm_up, steps; /* of each walker: thrown away, used */
    double rhat_max,
        ess_min; /* over the parameters and what is estimated of the errors; NAN: not sampled */
    size_t nfree;
    struct cf_posterior_number *parameter; /* by unknown */
    double *correlation;                   /* nfree * nfree, of theta */
    double *draw;                          /* CF_NDRAW * nfree, natural units, thinned evenly */
    struct cf_noise_space noise;           /* estimated variances, which are sampled along: */
    struct cf_posterior_number *variance;  /* noise.n, as cf_noise_value() tells them */
    double *noise_draw;                    /* CF_NDRAW * noise.n coordinates, of the same draws */
    size_t nreplicated;
    struct cf_replicated *replicated; /* by observation: predictive.h */
};

/* What convergence means. */
extern const double cf_posterior_rhat, cf_posterior_ess;

/* Sample `steps` of each walker after as many of warm-up. While that has not converged, all of it
 * counts as warm-up and twice as many follow, a few times. Ensemble e draws from the stream (seed,
 * e), so the number of workers changes no bit. No convergence is no error. `usable` as in
 * bootstrap.h. *out is to be cleared, also after a failure. */
int cf_posterior(const struct cf_optimum *optimum, bool usable, size_t steps,
                 const struct cf_workers *workers, struct cf_posterior *out, struct cf_error *err);

void cf_posterior_clear(struct cf_posterior *posterior);

#endif
