#include "resample/resample.h"

#include <stdlib.h>

#include "resample/bootstrap.h"
#include "resample/posterior.h"

static int bootstrap_all(struct cf_fit *fit, const struct cf_workers *workers, struct cf_error *err)
{
    size_t replicates = fit->problem.spec->options.bootstrap;
    int status = CF_OK;

    if (replicates == 0)
        return CF_OK;
    fit->bootstrap = calloc(CF_NBOOTSTRAP, sizeof *fit->bootstrap);
    if (!fit->bootstrap)
        return cf_fail(err, CF_ENOMEM, "no memory for the bootstrap");
    for (int kind = 0; kind < CF_NBOOTSTRAP && !status; kind++) {
        status = cf_bootstrap(fit, (enum cf_bootstrap_kind) kind, replicates, workers,
                              &fit->bootstrap[kind], err);
        fit->nbootstrap += !status;
    }
    return status;
}

int cf_resample(struct cf_fit *fit, const struct cf_workers *workers, struct cf_error *err)
{
    size_t steps = fit->problem.spec->options.posterior;
    int status = bootstrap_all(fit, workers, err);

    if (status || steps == 0)
        return status;
    fit->posterior = calloc(1, sizeof *fit->posterior);
    if (!fit->posterior)
        return cf_fail(err, CF_ENOMEM, "no memory for the posterior");
    return cf_posterior(fit, steps, workers, fit->posterior, err);
}
