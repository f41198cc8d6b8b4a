#include "document/fit_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "estimate/global.h"
#include "judge/verdict.h"

static json_t *body_json(const struct cf_body *b)
{
    json_t *j = json_object();
    json_object_set_new(j, "name", json_string(b->name));
    json_object_set_new(j, "shape", json_string(b->sphere ? "sphere" : "plane"));
    if (b->sphere)
        json_object_set_new(j, "radius_m", cf_json_number(b->radius_m));
    if (isfinite(b->mass_kg))
        json_object_set_new(j, "mass_kg", cf_json_number(b->mass_kg));
    json_object_set_new(j, "fixed", json_boolean(b->fixed));
    return j;
}

static bool uses_pivot(const struct cf_fit *fit)
{
    for (size_t i = 0; i < fit->optimum.problem.nfree; i++)
        if (fit->optimum.problem.unknown[i].alias &&
            fit->optimum.problem.unknown[i].alias->pivot_by)
            return true;
    for (size_t i = 0; i < fit->nrival; i++)
        if (fit->rival[i].law->unknown)
            return true;
    return false;
}

static json_t *options_json(const struct cf_fit_options *o)
{
    json_t *j = json_pack("{s:f,s:I,s:I,s:f,s:f}", "level", o->level, "screen",
                          (json_int_t) o->screen, "starts", (json_int_t) o->starts, "weak_factor",
                          o->weak_factor, "p_reject", o->p_reject);
    if (o->bootstrap)
        json_object_set_new(j, "bootstrap", json_integer((json_int_t) o->bootstrap));
    if (o->posterior)
        json_object_set_new(j, "posterior", json_integer((json_int_t) o->posterior));
    if (cf_global_count(o)) {
        json_object_set_new(j, "global", json_string(cf_global_name[o->global]));
        json_object_set_new(j, "global_budget", json_integer((json_int_t) o->global_budget));
    }
    return j;
}

json_t *cf_fit_json_study(const struct cf_study *study)
{
    const struct cf_spec *spec = &study->spec;
    const char *slash = strrchr(study->path, '/');
    json_t *j = json_object(), *bodies = json_array(), *fit = json_array(), *given = json_object(),
           *rivals = json_array();
    json_int_t held = 0;

    for (size_t i = 0; i < study->nbody; i++)
        json_array_append_new(bodies, body_json(&study->body[i]));
    for (size_t i = 0; i < spec->nfree; i++)
        json_array_append_new(fit, json_string(spec->free[i].name));
    for (size_t i = 0; i < spec->ngiven; i++)
        json_object_set_new(given, spec->given[i].name,
                            spec->given[i].hertz ? json_string("hertz")
                                                 : cf_json_number(spec->given[i].value));
    for (size_t i = 0; i < study->nrival; i++)
        json_array_append_new(rivals, json_string(study->rival[i]->name));
    for (size_t i = 0; i < spec->ndata; i++)
        for (size_t row = 0; row < spec->data[i].nrow; row++)
            held += spec->data[i].use[row] == CF_ROW_HELD_OUT;
    json_object_set_new(j, "path", json_string(slash ? slash + 1 : study->path));
    json_object_set_new(j, "sha256", json_string(study->sha256));
    json_object_set_new(j, "gravity_m_s2", cf_json_number(study->gravity_m_s2));
    json_object_set_new(j, "bodies", bodies);
    json_object_set_new(j, "law", json_string(spec->law->name));
    json_object_set_new(j, "fit", fit);
    json_object_set_new(j, "given", given);
    if (spec->ntie)
        json_object_set_new(j, "tie", cf_fit_json_ties(spec));
    json_object_set_new(j, "rivals", rivals);
    json_object_set_new(j, "options", options_json(&spec->options));
    json_object_set_new(j, "hold_out", json_integer(held));
    return j;
}

json_t *cf_json_statements(const struct cf_statements *list)
{
    json_t *j = json_array();
    for (size_t i = 0; i < list->n; i++)
        json_array_append_new(j, json_string(list->text[i]));
    return j;
}

static json_t *verdict_json(const struct cf_fit *fit)
{
    json_t *j = json_object();
    json_object_set_new(j, "status", json_string(cf_verdict_text(fit->status)));
    json_object_set_new(j, "trusted", json_boolean(cf_fit_trusted(fit)));
    json_object_set_new(j, "summary", json_string(fit->summary));
    json_object_set_new(j, "reasons", cf_json_statements(&fit->reasons));
    json_object_set_new(j, "advice", cf_json_statements(&fit->advice));
    return j;
}

static json_t *statistics_json(const struct cf_fit *fit)
{
    json_t *j = json_object();
    json_object_set_new(j, "n", json_integer((json_int_t) fit->optimum.problem.nobservation));
    json_object_set_new(j, "free", json_integer((json_int_t) fit->optimum.problem.nfree));
    json_object_set_new(j, "rank", json_integer((json_int_t) fit->optimum.rank.rank));
    json_object_set_new(j, "dof", json_integer((json_int_t) fit->optimum.dof));
    json_object_set_new(j, "chi2", cf_json_number(fit->optimum.chi2));
    json_object_set_new(j, "chi2_per_dof", cf_json_number(fit->optimum.chi2 / fit->optimum.dof));
    json_object_set_new(j, "chi2_p", cf_json_number(fit->optimum.chi2_p));
    json_object_set_new(j, "minus_2_log_likelihood", cf_json_number(fit->optimum.cost));
    json_object_set_new(j, "aicc", cf_json_number(fit->optimum.aicc));
    json_object_set_new(j, "bic", cf_json_number(fit->optimum.bic));
    return j;
}

json_t *cf_json_tests(const struct cf_problem *problem, const struct cf_tests *tests)
{
    json_t *all = json_array();

    for (size_t i = 0; i < tests->n; i++) {
        const struct cf_test *t = &tests->item[i];
        const struct cf_channel *c = &problem->channel[t->channel];
        const struct cf_dataset *d = &problem->spec->data[c->data];
        bool whole = strcmp(t->name, "chi-square") == 0;
        json_t *j = json_object();
        json_object_set_new(j, "data", json_string(whole || t->channels ? "all" : d->name));
        json_object_set_new(j, "channel",
                            json_string(whole ? "all" : d->protocol->channel[c->column].name));
        json_object_set_new(j, "test", json_string(t->name));
        json_object_set_new(j, "statistic", cf_json_number(t->statistic));
        json_object_set_new(j, "p", cf_json_number(t->p));
        json_object_set_new(j, "p_adjusted", cf_json_number(t->p_adjusted));
        json_object_set_new(j, "rejects", json_boolean(t->rejects));
        json_object_set_new(j, "text", json_string(t->text));
        json_array_append_new(all, j);
    }
    return all;
}

static json_t *held_out_json(const struct cf_fit *fit)
{
    const struct cf_problem *q = &fit->held_out;
    double *mean_square = calloc(q->nchannel + 1, sizeof *mean_square);
    json_t *j = NULL;

    if (q->nobservation == 0 || !mean_square) {
        free(mean_square);
        return json_null();
    }
    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        mean_square[o->channel] +=
            pow(o->value - fit->held_out_predicted[i].value, 2) / (double) q->channel[o->channel].n;
    }
    j = json_object();
    json_object_set_new(j, "n", json_integer((json_int_t) q->nobservation));
    json_object_set_new(j, "rms_sigma", cf_json_number(fit->held_out_rms_sigma));
    json_object_set_new(j, "rms", cf_json_rms(q, mean_square));
    free(mean_square);
    return j;
}

static json_t *starts_json(const struct cf_fit *fit)
{
    static const char *const end[] = {[CF_END_CONVERGED] = "converged",
                                      [CF_END_STALLED] = "no convergence",
                                      [CF_END_FAILED] = "failed"};
    json_t *all = json_array();

    for (size_t i = 0; i < fit->optimum.nstart; i++) {
        const struct cf_solution *s = &fit->optimum.start[i];
        json_t *j = json_object(), *p = json_object();
        for (size_t k = 0; k < fit->optimum.problem.nfree; k++) {
            const struct cf_unknown *w = &fit->optimum.problem.unknown[k];
            json_object_set_new(p, w->name, cf_json_number(cf_unknown_value(w, s->theta[k])));
        }
        json_object_set_new(j, "cost", cf_json_number(s->cost));
        json_object_set_new(j, "origin", json_string(s->origin));
        json_object_set_new(j, "rows", json_integer((json_int_t) s->rows));
        json_object_set_new(j, "status", json_string(end[s->end]));
        json_object_set_new(j, "evaluations", json_integer((json_int_t) s->evaluations));
        json_object_set_new(j, "parameters", p);
        json_object_set_new(
            j, "at_optimum",
            json_boolean(s->end == CF_END_CONVERGED && s->cost - fit->optimum.cost < cf_same_cost));
        json_array_append_new(all, j);
    }
    return all;
}

static json_t *bias_json(const struct cf_fit *fit)
{
    json_t *j = json_object();
    json_object_set_new(j, "max", cf_json_number(fit->bias));
    json_object_set_new(j, "max_over_sigma", cf_json_number(fit->bias_over_sigma));
    json_object_set_new(j, "gate", cf_json_number(cf_bias_gate));
    json_object_set_new(j, "passed", json_boolean(fit->bias_over_sigma < cf_bias_gate));
    return j;
}

json_t *cf_fit_json(const struct cf_study *study, const struct cf_fit *fit, const char *command)
{
    const struct cf_law *law = fit->optimum.problem.law;
    json_t *j = json_object();

    json_object_set_new(j, "contactfit", json_string("fit/2"));
    json_object_set_new(j, "version", json_string(PACKAGE_VERSION));
    json_object_set_new(j, "name", json_string(study->name));
    json_object_set_new(j, "title", json_string(study->title));
    json_object_set_new(j, "command", json_string(command));
    json_object_set_new(j, "seed", json_integer((json_int_t) study->spec.options.seed));
    json_object_set_new(j, "study", cf_fit_json_study(study));
    if (uses_pivot(fit))
        json_object_set_new(json_object_get(json_object_get(j, "study"), "options"), "pivot_m",
                            json_real(fit->optimum.problem.pivot_m));
    json_object_set_new(j, "law", json_string(law->name));
    json_object_set_new(j, "law_cite", json_string(law->cite));
    json_object_set_new(j, "law_formula", json_string(law->formula));
    json_object_set_new(j, "data", cf_fit_json_data(fit));
    json_object_set_new(j, "verdict", verdict_json(fit));
    json_object_set_new(j, "parameters", cf_fit_json_parameters(fit));
    json_object_set_new(j, "combinations", cf_fit_json_combinations(fit));
    if (fit->optimum.problem.nlocal)
        json_object_set_new(j, "nuisances", cf_fit_json_nuisances(fit));
    json_object_set_new(j, "covariance", cf_fit_json_covariance(fit));
    json_object_set_new(j, "uncertainty", cf_fit_json_uncertainty(fit));
    json_object_set_new(j, "statistics", statistics_json(fit));
    json_object_set_new(j, "tests", cf_json_tests(&fit->optimum.problem, &fit->tests));
    if (cf_fit_json_put_points(fit, j, NULL)) {
        json_decref(j);
        return NULL;
    }
    json_object_set_new(j, "held_out", held_out_json(fit));
    json_object_set_new(j, "curves", cf_fit_json_curves(fit));
    json_object_set_new(j, "rivals", cf_fit_json_rivals(fit));
    json_object_set_new(j, "starts", starts_json(fit));
    json_object_set_new(j, "loss", cf_fit_json_loss(fit));
    json_object_set_new(j, "outliers", cf_fit_json_outliers(fit));
    json_object_set_new(j, "leave_one_out", cf_fit_json_leave_one_out(fit));
    json_object_set_new(j, "solver_bias", bias_json(fit));
    if (fit->resamples.nbootstrap)
        json_object_set_new(j, "bootstrap", cf_fit_json_bootstrap(fit));
    if (fit->resamples.posterior)
        json_object_set_new(j, "posterior", cf_fit_json_posterior(fit));
    if (json_object_get(j, "data"))
        return j;
    json_decref(j);
    return NULL;
}
