#include "resample/resample.h"

#include <stdlib.h>

#include "resample/bootstrap.h"
#include "resample/posterior.h"

static int bootstrap_all(const struct cf_optimum *optimum, bool usable,
                         const struct cf_workers *workers, struct cf_resamples *out,
                         struct cf_error *err)
{
    size_t replicates = optimum->problem.spec->options.bootstrap;
    int status = CF_OK;

    if (replicates == 0)
        return CF_OK;
    out->bootstrap = calloc(CF_NBOOTSTRAP, sizeof *out->bootstrap);
    if (!out->bootstrap)
        return cf_fail(err, CF_ENOMEM, "no memory for the bootstrap");
    for (int kind = 0; kind < CF_NBOOTSTRAP && !status; kind++) {
        status = cf_bootstrap(optimum, usable, (enum cf_bootstrap_kind) kind, replicates, workers,
                              &out->bootstrap[kind], err);
        out->nbootstrap++; /* to be cleared also where it failed */
    }
    return status;
}

int cf_resample(const struct cf_optimum *optimum, bool usable, const struct cf_workers *workers,
                struct cf_resamples *out, struct cf_error *err)
{
    size_t steps = optimum->problem.spec->options.posterior;
    int status = bootstrap_all(optimum, usable, workers, out, err);

    if (status || steps == 0)
        return status;
    out->posterior = calloc(1, sizeof *out->posterior);
    if (!out->posterior)
        return cf_fail(err, CF_ENOMEM, "no memory for the posterior");
    return cf_posterior(optimum, usable, steps, workers, out->posterior, err);
}

void cf_resamples_clear(struct cf_resamples *resamples)
{
    for (size_t i = 0; i < resamples->nbootstrap; i++)
        cf_bootstrap_clear(&resamples->bootstrap[i]);
    if (resamples->posterior)
        cf_posterior_clear(resamples->posterior);
    free(resamples->bootstrap);
    free(resamples->posterior);
}
