#include "document/fit_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "estimate/global.h"
#include "judge/agreement.h"
#include "judge/prior_tests.h"
#include "judge/solver_bias.h"

static json_t *body_json(const struct cf_body *b)
{
    json_t *j = json_object();
    cf_json_put(&j, "name", json_string(b->name));
    if (b->material)
        cf_json_put(&j, "material", json_string(b->material));
    cf_json_put(&j, "shape", json_string(b->sphere ? "sphere" : "plane"));
    if (b->sphere)
        cf_json_put(&j, "radius_m", cf_json_number(b->radius_m));
    if (isfinite(b->mass_kg))
        cf_json_put(&j, "mass_kg", cf_json_number(b->mass_kg));
    cf_json_put(&j, "fixed", json_boolean(b->fixed));
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
        cf_json_put(&j, "bootstrap", json_integer((json_int_t) o->bootstrap));
    if (o->posterior)
        cf_json_put(&j, "posterior", json_integer((json_int_t) o->posterior));
    if (cf_global_count(o)) {
        cf_json_put(&j, "global", json_string(cf_global_name[o->global]));
        cf_json_put(&j, "global_budget", json_integer((json_int_t) o->global_budget));
    }
    if (o->time_s > 0)
        cf_json_put(&j, "time_s", json_real(o->time_s));
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
        cf_json_add(&bodies, body_json(&study->body[i]));
    for (size_t i = 0; i < spec->nfree; i++)
        cf_json_add(&fit, json_string(spec->free[i].name));
    for (size_t i = 0; i < spec->ngiven; i++)
        cf_json_put(&given, spec->given[i].name,
                    spec->given[i].hertz ? json_string("hertz")
                                         : cf_json_number(spec->given[i].value));
    for (size_t i = 0; i < study->nrival; i++)
        cf_json_add(&rivals, json_string(study->rival[i]->name));
    for (size_t i = 0; i < spec->ndata; i++)
        for (size_t row = 0; row < spec->data[i].nrow; row++)
            held += spec->data[i].use[row] == CF_ROW_HELD_OUT;
    cf_json_put(&j, "path", cf_json_shown(slash ? slash + 1 : study->path));
    cf_json_put(&j, "sha256", json_string(study->sha256));
    cf_json_put(&j, "gravity_m_s2", cf_json_number(study->gravity_m_s2));
    cf_json_put(&j, "bodies", bodies);
    cf_json_put(&j, "law", json_string(spec->law->name));
    cf_json_put(&j, "fit", fit);
    cf_json_put(&j, "given", given);
    if (spec->ntie)
        cf_json_put(&j, "tie", cf_fit_json_ties(spec));
    cf_json_put(&j, "rivals", rivals);
    cf_json_put(&j, "options", options_json(&spec->options));
    cf_json_put(&j, "hold_out", json_integer(held));
    return j;
}

json_t *cf_json_statements(const struct cf_statements *list)
{
    json_t *j = json_array();
    for (size_t i = 0; i < list->n; i++)
        cf_json_add(&j, json_string(list->text[i]));
    return j;
}

static void put_known(const char *key, double number, json_t **to)
{
    if (!isnan(number))
        cf_json_put(to, key, cf_json_number(number));
}

static void put_text(const char *key, const char *text, json_t **to)
{
    if (text)
        cf_json_put(to, key, json_string(text));
}

/* What the rules found, in their order; what is not known of one is left out. */
static json_t *findings_json(const struct cf_findings *findings)
{
    json_t *all = json_array();

    for (size_t i = 0; i < findings->n; i++) {
        const struct cf_finding *f = &findings->item[i];
        const struct cf_rule_row *rule = &cf_rules[f->rule];
        json_t *j = json_object();
        cf_json_put(&j, "rule", json_string(rule->name));
        cf_json_put(
            &j, "word",
            json_string(rule->word == CF_VERDICT_GOOD ? "note" : cf_verdict_text(rule->word)));
        cf_json_put(&j, "accuses", json_string(cf_accused_name[f->accuses]));
        put_text("test", f->test, &j);
        put_known("p", f->p, &j);
        put_known("level", f->level, &j);
        put_known("size", f->size, &j);
        put_text("unit", isnan(f->size) ? NULL : f->unit, &j);
        put_text("data", f->data, &j);
        put_text("channel", f->quantity, &j);
        put_text("parameter", f->parameter, &j);
        put_known("at", f->at, &j);
        cf_json_put(&j, "text", json_string(f->text));
        cf_json_add(&all, j);
    }
    return all;
}

static json_t *verdict_json(const struct cf_fit *fit)
{
    enum cf_adequacy_word needed;
    json_t *j = json_object();

    cf_json_put(&j, "status", json_string(cf_verdict_text(fit->status)));
    cf_json_put(&j, "trusted", json_boolean(cf_fit_trusted(fit)));
    cf_json_put(&j, "misfit", json_boolean(cf_fit_misfits(fit)));
    if (cf_fit_needs(fit, &needed))
        cf_json_put(&j, "needed", json_string(cf_adequacy_text(needed)));
    cf_json_put(&j, "summary", json_string(fit->summary));
    cf_json_put(&j, "reasons", findings_json(&fit->findings));
    cf_json_put(&j, "advice", cf_json_statements(&fit->advice));
    return j;
}

static json_t *statistics_json(const struct cf_fit *fit)
{
    json_t *j = json_object();
    double chi2, dof;

    cf_json_put(&j, "n", json_integer((json_int_t) fit->optimum.problem.nobservation));
    cf_json_put(&j, "free", json_integer((json_int_t) fit->optimum.problem.nfree));
    cf_json_put(&j, "rank", json_integer((json_int_t) fit->optimum.rank.rank));
    cf_json_put(&j, "dof", json_integer((json_int_t) fit->optimum.dof));
    cf_json_put(&j, "chi2", cf_json_number(fit->optimum.chi2));
    cf_json_put(&j, "chi2_per_dof", cf_json_number(fit->optimum.chi2 / fit->optimum.dof));
    cf_json_put(&j, "chi2_p", cf_json_number(fit->optimum.chi2_p));
    if (cf_chi2_of_data(&fit->optimum, &chi2, &dof)) {
        cf_json_put(&j, "chi2_of_data", cf_json_number(chi2));
        cf_json_put(&j, "dof_of_data", cf_json_number(dof));
    }
    cf_json_put(&j, "minus_2_log_likelihood", cf_json_number(fit->optimum.cost));
    cf_json_put(&j, "aicc", cf_json_number(fit->optimum.aicc));
    cf_json_put(&j, "bic", cf_json_number(fit->optimum.bic));
    return j;
}

json_t *cf_json_tests(const struct cf_problem *problem, const struct cf_tests *tests)
{
    json_t *all = json_array();

    for (size_t i = 0; i < tests->n; i++) {
        const struct cf_test *t = &tests->item[i];
        const struct cf_channel *c = &problem->channel[t->channel];
        const struct cf_dataset *d = &problem->spec->data[c->data];
        bool whole = t->accuses == CF_ACCUSES_SIGMAS;
        json_t *j = json_object();
        cf_json_put(&j, "data", json_string(whole || t->channels ? "all" : d->name));
        cf_json_put(&j, "channel",
                    json_string(whole ? "all" : d->protocol->channel[c->column].name));
        cf_json_put(&j, "test", json_string(t->name));
        cf_json_put(&j, "statistic", cf_json_number(t->statistic));
        cf_json_put(&j, "p", cf_json_number(t->p));
        cf_json_put(&j, "p_adjusted", cf_json_number(t->p_adjusted));
        cf_json_put(&j, "rejects", json_boolean(t->rejects));
        cf_json_put(&j, "text", json_string(t->text));
        cf_json_add(&all, j);
    }
    return all;
}

/* Of the priors of parameters, the surest first; untested ones have no numbers. */
static json_t *prior_tests_json(const struct cf_fit *fit)
{
    json_t *all = json_array();

    for (size_t i = 0; i < fit->nprior_test; i++) {
        const struct cf_prior_test *t = &fit->prior_test[i];
        const struct cf_unknown *w = &fit->optimum.problem.unknown[t->unknown];
        char prior[CF_PRIOR_TEXT], text[CF_PRIOR_TEXT];
        json_t *j = json_object();
        cf_prior_text(w, prior, sizeof prior);
        cf_prior_outcome(t, w, text, sizeof text);
        cf_json_put(&j, "parameter", json_string(w->name));
        cf_json_put(&j, "prior", json_string(prior));
        cf_json_put(&j, "by_data", cf_json_number(t->by_data));
        cf_json_put(&j, "statistic", cf_json_number(t->z));
        cf_json_put(&j, "p", cf_json_number(t->p));
        cf_json_put(&j, "p_adjusted", cf_json_number(t->p_adjusted));
        cf_json_put(&j, "rejects", json_boolean(t->contradicts));
        cf_json_put(&j, "text", json_string(text));
        cf_json_add(&all, j);
    }
    return all;
}

static json_t *told_json(const struct cf_fit *fit, const struct cf_agreement *a, size_t k)
{
    const struct cf_told *told = &a->told[k];
    const char *name = cf_told_name(fit, a, k);
    json_t *j = json_object();

    if (a->by == CF_SPLIT_BY_CHANNEL) {
        const struct cf_protocol *protocol = fit->optimum.problem.spec->data[0].protocol;
        cf_json_put(&j, "channel", json_string(name));
        cf_json_put(&j, "label", json_string(protocol->channel[told->source].label));
    } else {
        cf_json_put(&j, "data", json_string(name));
        cf_json_put(&j, "label", json_string(name));
    }
    cf_json_put(&j, "identified_without", json_boolean(isfinite(told->widens)));
    cf_json_put(&j, "widens", cf_json_number(told->widens));
    cf_json_put(&j, "value", cf_json_number(told->value));
    cf_json_put(&j, "low", cf_json_number(told->low));
    cf_json_put(&j, "high", cf_json_number(told->high));
    return j;
}

/* What channels and data sets say of parameters, side by side. */
static json_t *agreement_json(const struct cf_fit *fit)
{
    static const char *const by[] = {"channel", "data"};
    json_t *all = json_array();

    for (size_t i = 0; i < fit->nagreement; i++) {
        const struct cf_agreement *a = &fit->agreement[i];
        const struct cf_unknown *w = &fit->optimum.problem.unknown[a->unknown];
        json_t *j = json_object(), *list = json_array();
        char *text = cf_agreement_text(fit, a);
        for (size_t k = 0; k < a->n; k++)
            cf_json_add(&list, told_json(fit, a, k));
        cf_json_put(&j, "parameter", json_string(w->name));
        cf_json_put(&j, "unit", json_string(w->unit));
        cf_json_put(&j, "by", json_string(by[a->by]));
        cf_json_put(&j, "told", list);
        cf_json_put(&j, "statistic", cf_json_number(a->statistic));
        cf_json_put(&j, "p", cf_json_number(a->p));
        cf_json_put(&j, "p_adjusted", cf_json_number(a->p_adjusted));
        cf_json_put(&j, "rejects", json_boolean(a->disagrees));
        cf_json_put(&j, "text", text ? json_string(text) : NULL);
        cf_json_add(&all, j);
        free(text);
    }
    return all;
}

static json_t *held_out_json(const struct cf_fit *fit)
{
    const struct cf_problem *q = &fit->held_out;
    double *mean_square = calloc(q->nchannel + 1, sizeof *mean_square);
    json_t *j = q->nobservation || !mean_square ? NULL : json_null();

    if (q->nobservation == 0 || !mean_square) {
        free(mean_square);
        return j;
    }
    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        mean_square[o->channel] +=
            pow(o->value - fit->held_out_predicted[i].value, 2) / (double) q->channel[o->channel].n;
    }
    j = json_object();
    cf_json_put(&j, "n", json_integer((json_int_t) q->nobservation));
    cf_json_put(&j, "rms_sigma", cf_json_number(fit->held_out_rms_sigma));
    cf_json_put(&j, "rms", cf_json_rms(q, mean_square));
    if (fit->held_out_text) {
        cf_json_put(&j, "unit", json_string(fit->held_units.one));
        cf_json_put(&j, "units", json_integer((json_int_t) fit->held_units.n));
        cf_json_put(&j, "text", json_string(fit->held_out_text));
    }
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
            cf_json_put(&p, w->name, cf_json_number(cf_unknown_value(w, s->theta[k])));
        }
        cf_json_put(&j, "cost", cf_json_number(s->cost));
        cf_json_put(&j, "origin", json_string(s->origin));
        cf_json_put(&j, "rows", json_integer((json_int_t) s->rows));
        cf_json_put(&j, "status", json_string(end[s->end]));
        cf_json_put(&j, "evaluations", json_integer((json_int_t) s->evaluations));
        cf_json_put(&j, "parameters", p);
        cf_json_put(&j, "at_optimum", json_boolean(cf_solution_is_best(s)));
        cf_json_add(&all, j);
    }
    return all;
}

static json_t *bias_json(const struct cf_fit *fit)
{
    json_t *j = json_object();

    if (fit->unfinished) { /* before it was looked for */
        json_decref(j);
        return json_null();
    }
    cf_json_put(&j, "max", cf_json_number(fit->bias));
    cf_json_put(&j, "max_over_sigma", cf_json_number(fit->bias_over_sigma));
    cf_json_put(&j, "gate", cf_json_number(cf_bias_gate));
    cf_json_put(&j, "passed", json_boolean(fit->bias_over_sigma < cf_bias_gate));
    return j;
}

json_t *cf_fit_json(const struct cf_study *study, const struct cf_fit *fit, const char *command)
{
    const struct cf_law *law = fit->optimum.problem.law;
    json_t *j = json_object();

    cf_json_put(&j, "contactfit", json_string("fit/3"));
    cf_json_put(&j, "version", json_string(PACKAGE_VERSION));
    cf_json_put(&j, "name", cf_json_shown(study->name));
    cf_json_put(&j, "title", cf_json_shown(study->title));
    cf_json_put(&j, "command", cf_json_shown(command));
    cf_json_put(&j, "seed", json_integer((json_int_t) study->spec.options.seed));
    cf_json_put(&j, "study", cf_fit_json_study(study));
    if (uses_pivot(fit))
        cf_json_put_within(&j, json_object_get(json_object_get(j, "study"), "options"), "pivot_m",
                           json_real(fit->optimum.problem.pivot_m));
    cf_json_put(&j, "law", json_string(law->name));
    cf_json_put(&j, "law_cite", json_string(law->cite));
    cf_json_put(&j, "law_formula", json_string(law->formula));
    cf_json_put(&j, "data", cf_fit_json_data(fit));
    cf_json_put(&j, "verdict", verdict_json(fit));
    cf_json_put(&j, "parameters", cf_fit_json_parameters(fit));
    cf_json_put(&j, "combinations", cf_fit_json_combinations(fit));
    if (fit->optimum.problem.nlocal)
        cf_json_put(&j, "nuisances", cf_fit_json_nuisances(fit));
    cf_json_put(&j, "covariance", cf_fit_json_covariance(fit));
    cf_json_put(&j, "uncertainty", cf_fit_json_uncertainty(fit));
    cf_json_put(&j, "statistics", statistics_json(fit));
    cf_json_put(&j, "plausibility", cf_json_plausibility(&fit->plausibility));
    if (fit->njudged)
        cf_json_put(&j, "adequacy", cf_fit_json_adequacy(fit));
    cf_json_put(&j, "errors", cf_fit_json_errors(fit));
    cf_json_put(&j, "tests", cf_json_tests(&fit->optimum.problem, &fit->tests));
    cf_json_put(&j, "noise_tests", cf_json_tests(&fit->optimum.problem, &fit->noise_tests));
    if (fit->nprior_test)
        cf_json_put(&j, "prior_tests", prior_tests_json(fit));
    if (fit->smoothness.n)
        cf_json_put(&j, "smoothness", cf_fit_json_smoothness(fit));
    if (fit->budget.n)
        cf_json_put(&j, "budget", cf_fit_json_budget(fit));
    if (fit->nagreement)
        cf_json_put(&j, "agreement", agreement_json(fit));
    if (cf_fit_json_put_points(fit, &j, NULL)) {
        json_decref(j);
        return NULL;
    }
    cf_json_put(&j, "held_out", held_out_json(fit));
    cf_json_put(&j, "curves", cf_fit_json_curves(fit));
    cf_json_put(&j, "rivals", cf_fit_json_rivals(fit));
    cf_json_put(&j, "starts", starts_json(fit));
    cf_json_put(&j, "loss", cf_fit_json_loss(fit));
    cf_json_put(&j, "outliers", cf_fit_json_outliers(fit));
    cf_json_put(&j, "leave_one_out", cf_fit_json_leave_one_out(fit));
    cf_json_put(&j, "solver_bias", bias_json(fit));
    if (fit->resamples.nbootstrap)
        cf_json_put(&j, "bootstrap", cf_fit_json_bootstrap(fit));
    if (fit->resamples.posterior)
        cf_json_put(&j, "posterior", cf_fit_json_posterior(fit));
    cf_fit_json_put_predictive(fit, &j);
    return j;
}
