#include "resample/resample.h"

#include <stdio.h>
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

/* Those that were not begun are made as where nothing can be drawn. */
static int leave_posterior(const struct cf_optimum *optimum, const char *why,
                           struct cf_resamples *out, struct cf_error *err)
{
    size_t steps = optimum->problem.spec->options.posterior;
    struct cf_posterior *p = out->posterior;
    int status = CF_OK;

    if (!p) {
        p = out->posterior = calloc(1, sizeof *p);
        if (!p)
            return cf_fail(err, CF_ENOMEM, "no memory for the posterior");
        status = cf_posterior(optimum, false, steps, NULL, p, err);
    }
    p->converged = false;
    snprintf(p->why, sizeof p->why, "%s", why);
    return status;
}

int cf_resample_leave(const struct cf_optimum *optimum, const char *why, struct cf_resamples *out,
                      struct cf_error *err)
{
    const struct cf_fit_options *o = &optimum->problem.spec->options;
    int status = CF_OK;

    for (size_t kind = 0; o->bootstrap && kind < CF_NBOOTSTRAP && !status; kind++) {
        struct cf_bootstrap *b = &out->bootstrap[kind];
        if (kind < out->nbootstrap && (b->shown || b->why[0]))
            continue;
        if (kind >= out->nbootstrap)
            status = cf_bootstrap(optimum, false, (enum cf_bootstrap_kind) kind, o->bootstrap, NULL,
                                  b, err);
        out->nbootstrap = kind + 1;
        snprintf(b->why, sizeof b->why, "%s", why);
    }
    return status || !o->posterior ? status : leave_posterior(optimum, why, out, err);
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
