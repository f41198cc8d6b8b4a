/* The density that cf_posterior() samples; private to it. */

#ifndef CF_RESAMPLE_POSTERIOR_DENSITY_H
#define CF_RESAMPLE_POSTERIOR_DENSITY_H

#include "resample/ensemble.h"
#include "resample/posterior.h"

/* Coordinates: theta[nfree], then ln sigma of each estimated channel. */
struct cf_density {
    const struct cf_optimum *optimum;
    size_t dim, nsigma;
    size_t channel[CF_MAX_DIM]; /* of each sigma */
    size_t *sigma_of;           /* nchannel: index among the sigmas */
    size_t stride;              /* of a worker's predictions and sums */
    double *room;
    struct cf_density_failure {
        int status; /* as cf_status_ends() has it: the worker's densities since then are none */
        struct cf_error err;
    } * failure; /* of each worker */
};

/* Of a fit that is cf_density_proper(). False when out of memory. To be cleared in both cases. */
bool cf_density_init(struct cf_density *d, const struct cf_optimum *optimum, size_t workers);
void cf_density_clear(struct cf_density *d);

/* Predictions y[nobservation] at theta, the locals at their best: for locals that act linearly the
 * posterior is the same as with them sampled. */
int cf_density_settle(const struct cf_problem *problem, const double theta[], double y[],
                      struct cf_error *err);

/* ln of prior times likelihood; a cf_log_density of a struct cf_density. */
double cf_density_at(void *density, const double x[], size_t worker);

/* Put walkers about the optimum, wider than the posterior can be: the centre of each ensemble is
 * off by two standard errors, its walkers by one more. Fails where the law cannot be evaluated. */
int cf_density_scatter(struct cf_density *d, struct cf_ensemble *e, struct cf_error *err);

/* Is there a proper posterior that is not just the bounds? Else why[size] says what is missing. */
bool cf_density_proper(const struct cf_optimum *optimum, bool usable, char why[], size_t size);

#endif
