/* Do the ensembles of a sampler agree, and what is their effective sample size?
 *
 * After Vehtari, Gelman, Simpson, Carpenter & Buerkner 2021, Bayesian Analysis 16, 667: R-hat of
 * rank-normalised halves, of the values and of their distance from the median, the larger;
 * effective sample sizes by Geyer's initial sequences, of the ranks (bulk) and of the outer 5 %
 * (tails), the smaller. The walkers of an ensemble are correlated, so an ensemble counts as one
 * chain: R-hat compares whole ensembles, and the effective size is that of the walkers' mean,
 * Var(x)/Var(mean) (Goodman & Weare 2010, section 3). With one walker this is the usual formula.
 */

#ifndef CF_RESAMPLE_CONVERGENCE_H
#define CF_RESAMPLE_CONVERGENCE_H

#include <stddef.h>

#include "core/status.h"

struct cf_convergence {
    double rhat, ess_bulk, ess_tail;
};

/* Of x[ensembles * steps * walkers], walkers running fastest; steps >= 8. All numbers are NAN when
 * x never changes. */
int cf_convergence(const double x[], size_t ensembles, size_t steps, size_t walkers,
                   struct cf_convergence *out, struct cf_error *err);

#endif
