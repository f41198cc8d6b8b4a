/* The bootstraps and the posterior in a fit file. */

#include <math.h>

#include "document/fit_json.h"
#include "resample/bootstrap.h"
#include "resample/posterior.h"

static json_t *text_or_null(const char *text)
{
    return text[0] ? json_string(text) : json_null();
}

static void put_resampled(json_t *to, const char *name, const struct cf_resampled *r)
{
    json_t *j;

    if (!r->known)
        return;
    j = json_object();
    json_object_set_new(j, "standard_error", cf_json_number(r->standard_error));
    json_object_set_new(j, "bias", cf_json_number(r->bias));
    json_object_set_new(j, "low", cf_json_number(r->low));
    json_object_set_new(j, "high", cf_json_number(r->high));
    json_object_set_new(j, "method", json_string(r->bca ? "BCa" : "percentile"));
    json_object_set_new(to, name, j);
}

json_t *cf_fit_json_bootstrap(const struct cf_fit *fit)
{
    json_t *all = json_array();

    for (size_t i = 0; i < fit->resamples.nbootstrap; i++) {
        const struct cf_bootstrap *b = &fit->resamples.bootstrap[i];
        json_t *j = json_object(), *parameters = json_object(), *combinations = json_object();
        for (size_t k = 0; k < fit->optimum.problem.nfree; k++)
            put_resampled(parameters, fit->optimum.problem.unknown[k].name, &b->parameter[k]);
        for (size_t k = 0; k < fit->optimum.ncombination; k++)
            put_resampled(combinations, fit->optimum.combination[k].name, &b->combination[k]);
        json_object_set_new(j, "kind", json_string(cf_bootstrap_name[b->kind]));
        json_object_set_new(j, "level", cf_json_number(fit->optimum.problem.spec->options.level));
        json_object_set_new(j, "replicates", json_integer((json_int_t) b->replicates));
        json_object_set_new(j, "failed", json_integer((json_int_t) b->failed));
        json_object_set_new(j, "shown", json_boolean(b->shown));
        json_object_set_new(j, "why", text_or_null(b->why));
        json_object_set_new(j, "parameters", parameters);
        json_object_set_new(j, "combinations", combinations);
        json_array_append_new(all, j);
    }
    return all;
}

/* "uniform in ln k between the bounds" */
static json_t *prior_json(const struct cf_unknown *w)
{
    bool log = w->scale == CF_SCALE_LOG;

    if (!w->has_prior)
        return json_sprintf(log ? "uniform in ln %s between the bounds"
                                : "uniform in %s between the bounds",
                            w->name);
    return json_sprintf("the study's: %s between the bounds", log ? "lognormal" : "normal");
}

static json_t *numbers_json(const struct cf_fit *fit)
{
    const struct cf_posterior *p = fit->resamples.posterior;
    json_t *all = json_object();

    for (size_t i = 0; i < fit->optimum.problem.nfree && p->converged; i++) {
        const struct cf_posterior_number *n = &p->parameter[i];
        json_t *j = json_object();
        json_object_set_new(j, "median", cf_json_number(n->median));
        json_object_set_new(j, "low", cf_json_number(n->low));
        json_object_set_new(j, "high", cf_json_number(n->high));
        json_object_set_new(j, "rhat", cf_json_number(n->rhat));
        json_object_set_new(j, "ess", cf_json_number(n->ess));
        json_object_set_new(j, "prior", prior_json(&fit->optimum.problem.unknown[i]));
        json_object_set_new(all, fit->optimum.problem.unknown[i].name, j);
    }
    return all;
}

static json_t *correlation_json(const struct cf_fit *fit)
{
    json_t *j = json_object(), *names = json_array(), *matrix = json_array();

    for (size_t i = 0; i < fit->optimum.problem.nfree; i++) {
        const struct cf_unknown *w = &fit->optimum.problem.unknown[i];
        json_array_append_new(names, w->scale == CF_SCALE_LOG ? json_sprintf("ln %s", w->name)
                                                              : json_string(w->name));
        json_array_append_new(
            matrix, cf_json_numbers(
                        &fit->resamples.posterior->correlation[i * fit->resamples.posterior->nfree],
                        fit->optimum.problem.nfree));
    }
    json_object_set_new(j, "names", names);
    json_object_set_new(j, "matrix", matrix);
    return j;
}

static json_t *draws_json(const struct cf_fit *fit)
{
    json_t *all = json_object();

    for (size_t i = 0; i < fit->optimum.problem.nfree && fit->resamples.posterior->converged; i++) {
        double x[CF_NDRAW];
        for (size_t k = 0; k < CF_NDRAW; k++)
            x[k] = fit->resamples.posterior->draw[k * fit->optimum.problem.nfree + i];
        json_object_set_new(all, fit->optimum.problem.unknown[i].name,
                            cf_json_numbers(x, CF_NDRAW));
    }
    return all;
}

json_t *cf_fit_json_posterior(const struct cf_fit *fit)
{
    const struct cf_posterior *p = fit->resamples.posterior;
    json_t *j = json_object();

    json_object_set_new(j, "converged", json_boolean(p->converged));
    json_object_set_new(j, "why", text_or_null(p->why));
    json_object_set_new(j, "level", cf_json_number(fit->optimum.problem.spec->options.level));
    json_object_set_new(j, "ensembles", json_integer((json_int_t) p->ensembles));
    json_object_set_new(j, "walkers", json_integer((json_int_t) p->walkers));
    json_object_set_new(j, "warm_up", json_integer((json_int_t) p->warm_up));
    json_object_set_new(j, "steps", json_integer((json_int_t) p->steps));
    json_object_set_new(j, "rhat_max", cf_json_number(p->rhat_max));
    json_object_set_new(j, "ess_min", cf_json_number(p->ess_min));
    json_object_set_new(j, "parameters", numbers_json(fit));
    json_object_set_new(j, "correlation", p->converged ? correlation_json(fit) : json_null());
    json_object_set_new(j, "draws", draws_json(fit));
    return j;
}
