/* The density that cf_posterior() samples; private to it. */

#ifndef CF_RESAMPLE_POSTERIOR_DENSITY_H
#define CF_RESAMPLE_POSTERIOR_DENSITY_H

#include "resample/ensemble.h"
#include "resample/noise_space.h"
#include "resample/posterior.h"

/* Coordinates: theta[nfree], then the numbers of the noise (resample/noise_space.h). The likelihood
 * is that of all rows together, whatever they share: errors of groups are integrated out, those of
 * records and of neighbouring rows made independent. */
struct cf_density {
    const struct cf_optimum *optimum;
    size_t dim;
    struct cf_noise_space noise;
    size_t nworker;
    struct cf_density_worker {
        struct cf_problem problem; /* a copy with the noise of the last density */
        double *y;                 /* nobservation */
        double *variance;          /* as cf_noise_put() wants them */
        int status; /* as cf_status_ends() has it: the worker's densities since then are none */
        struct cf_error err;
    } * worker;
};

/* Of a fit that is cf_density_proper(). To be cleared, also after a failure. */
int cf_density_init(struct cf_density *d, const struct cf_optimum *optimum, size_t workers,
                    struct cf_error *err);
void cf_density_clear(struct cf_density *d);

/* Predictions y[nobservation] at theta, the locals at their best; and ln of what integrating over
 * these leaves beside the likelihood there: exactly where they act linearly, as a bias does, and
 * nearly so for others, whose bounds are taken to be far. */
int cf_density_settle(const struct cf_problem *problem, const double theta[], double y[],
                      double *ln_locals, struct cf_error *err);

/* ln of prior times likelihood; a cf_log_density of a struct cf_density. */
double cf_density_at(void *density, const double x[], size_t worker);

/* Put walkers about the optimum, wider than the posterior can be: the centre of each ensemble is
 * off by two standard errors, its walkers by one more. Fails where the law cannot be evaluated. */
int cf_density_scatter(struct cf_density *d, struct cf_ensemble *e, struct cf_error *err);

#endif
