/* The bootstraps and the posterior in a fit file. */

#include <math.h>

#include "document/fit_json.h"
#include "resample/bootstrap.h"
#include "resample/posterior.h"

static void put_resampled(json_t **to, const char *name, const struct cf_resampled *r)
{
    json_t *j;

    if (!r->known)
        return;
    j = json_object();
    cf_json_put(&j, "standard_error", cf_json_number(r->standard_error));
    cf_json_put(&j, "bias", cf_json_number(r->bias));
    cf_json_put(&j, "low", cf_json_number(r->low));
    cf_json_put(&j, "high", cf_json_number(r->high));
    cf_json_put(&j, "method", json_string(r->bca ? "BCa" : "percentile"));
    cf_json_put(to, name, j);
}

json_t *cf_fit_json_bootstrap(const struct cf_fit *fit)
{
    json_t *all = json_array();

    for (size_t i = 0; i < fit->resamples.nbootstrap; i++) {
        const struct cf_bootstrap *b = &fit->resamples.bootstrap[i];
        json_t *j = json_object(), *parameters = json_object(), *combinations = json_object();
        for (size_t k = 0; k < fit->optimum.problem.nfree; k++)
            put_resampled(&parameters, fit->optimum.problem.unknown[k].name, &b->parameter[k]);
        for (size_t k = 0; k < fit->optimum.ncombination; k++)
            put_resampled(&combinations, fit->optimum.combination[k].name, &b->combination[k]);
        cf_json_put(&j, "kind", json_string(cf_bootstrap_name[b->kind]));
        cf_json_put(&j, "level", cf_json_number(fit->optimum.problem.spec->options.level));
        cf_json_put(&j, "replicates", json_integer((json_int_t) b->replicates));
        cf_json_put(&j, "failed", json_integer((json_int_t) b->failed));
        cf_json_put(&j, "shown", json_boolean(b->shown));
        cf_json_put(&j, "why", cf_json_text(b->why[0] ? b->why : NULL));
        cf_json_put(&j, "parameters", parameters);
        cf_json_put(&j, "combinations", combinations);
        cf_json_add(&all, j);
    }
    return all;
}

/* "uniform in ln k between the bounds"; the study's with its centre in the parameter's unit and its
 * standard deviation, in that unit or, lognormal, of the logarithm. */
static void put_prior(json_t **to, const struct cf_unknown *w)
{
    bool log = w->scale == CF_SCALE_LOG;

    if (!w->has_prior) {
        cf_json_put(to, "prior",
                    json_sprintf(log ? "uniform in ln %s between the bounds"
                                     : "uniform in %s between the bounds",
                                 w->name));
        return;
    }
    cf_json_put(to, "prior",
                json_sprintf("the study's: %s between the bounds", log ? "lognormal" : "normal"));
    cf_json_put(to, "prior_centre", cf_json_number(cf_unknown_value(w, w->prior)));
    cf_json_put(to, "prior_sigma", cf_json_number(w->prior_sigma));
}

static json_t *numbers_json(const struct cf_fit *fit)
{
    const struct cf_posterior *p = fit->resamples.posterior;
    json_t *all = json_object();

    for (size_t i = 0; i < fit->optimum.problem.nfree && p->converged; i++) {
        const struct cf_posterior_number *n = &p->parameter[i];
        json_t *j = json_object();
        cf_json_put(&j, "median", cf_json_number(n->median));
        cf_json_put(&j, "low", cf_json_number(n->low));
        cf_json_put(&j, "high", cf_json_number(n->high));
        cf_json_put(&j, "rhat", cf_json_number(n->rhat));
        cf_json_put(&j, "ess", cf_json_number(n->ess));
        put_prior(&j, &fit->optimum.problem.unknown[i]);
        cf_json_put(&all, fit->optimum.problem.unknown[i].name, j);
    }
    return all;
}

static json_t *correlation_json(const struct cf_fit *fit)
{
    json_t *j = json_object(), *names = json_array(), *matrix = json_array();

    for (size_t i = 0; i < fit->optimum.problem.nfree; i++) {
        const struct cf_unknown *w = &fit->optimum.problem.unknown[i];
        cf_json_add(&names, w->scale == CF_SCALE_LOG ? json_sprintf("ln %s", w->name)
                                                     : json_string(w->name));
        cf_json_add(&matrix,
                    cf_json_numbers(
                        &fit->resamples.posterior->correlation[i * fit->resamples.posterior->nfree],
                        fit->optimum.problem.nfree));
    }
    cf_json_put(&j, "names", names);
    cf_json_put(&j, "matrix", matrix);
    return j;
}

static json_t *draws_json(const struct cf_fit *fit)
{
    json_t *all = json_object();

    for (size_t i = 0; i < fit->optimum.problem.nfree && fit->resamples.posterior->converged; i++) {
        double x[CF_NDRAW];
        for (size_t k = 0; k < CF_NDRAW; k++)
            x[k] = fit->resamples.posterior->draw[k * fit->optimum.problem.nfree + i];
        cf_json_put(&all, fit->optimum.problem.unknown[i].name, cf_json_numbers(x, CF_NDRAW));
    }
    return all;
}

json_t *cf_fit_json_posterior(const struct cf_fit *fit)
{
    const struct cf_posterior *p = fit->resamples.posterior;
    json_t *j = json_object();

    cf_json_put(&j, "converged", json_boolean(p->converged));
    cf_json_put(&j, "why", cf_json_text(p->why[0] ? p->why : NULL));
    cf_json_put(&j, "level", cf_json_number(fit->optimum.problem.spec->options.level));
    cf_json_put(&j, "ensembles", json_integer((json_int_t) p->ensembles));
    cf_json_put(&j, "walkers", json_integer((json_int_t) p->walkers));
    cf_json_put(&j, "warm_up", json_integer((json_int_t) p->warm_up));
    cf_json_put(&j, "steps", json_integer((json_int_t) p->steps));
    cf_json_put(&j, "rhat_max", cf_json_number(p->rhat_max));
    cf_json_put(&j, "ess_min", cf_json_number(p->ess_min));
    cf_json_put(&j, "parameters", numbers_json(fit));
    cf_json_put(&j, "noise", cf_fit_json_noise(fit));
    cf_json_put(&j, "correlation", p->converged ? correlation_json(fit) : json_null());
    cf_json_put(&j, "draws", draws_json(fit));
    return j;
}
