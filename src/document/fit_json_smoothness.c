/* What moves where recorded inputs are smoothed at half of, and at double the cutoff. */

#include "document/fit_json.h"
#include "document/json_value.h"
#include "judge/smoothness.h"

static json_t *cutoffs_json(const struct cf_fit *fit)
{
    const struct cf_spec *spec = fit->optimum.problem.spec;
    json_t *all = json_array();

    for (size_t i = 0; i < fit->smoothness.n; i++) {
        const struct cf_cutoff *c = &fit->smoothness.cutoff[i];
        const struct cf_dataset *d = &spec->data[c->data];
        json_t *j = json_object();
        cf_json_put(&j, "data", json_string(d->name));
        cf_json_put(&j, "name", json_string(d->protocol->apparatus[c->parameter].name));
        cf_json_put(&j, "value_Hz", cf_json_number(d->apparatus[c->parameter]));
        cf_json_add(&all, j);
    }
    return all;
}

static json_t *parameter_json(const struct cf_fit *fit, size_t i)
{
    const struct cf_unknown *w = &fit->optimum.problem.unknown[i];
    const struct cf_smoothed *half = cf_smoothed(fit, i, CF_SMOOTHED_HALF);
    const struct cf_smoothed *twice = cf_smoothed(fit, i, CF_SMOOTHED_DOUBLE);
    char text[CF_SMOOTHNESS_TEXT];
    json_t *j = json_object();

    cf_json_put(&j, "parameter", json_string(w->name));
    cf_json_put(&j, "unit", json_string(w->unit));
    cf_json_put(&j, "value", cf_json_number(fit->optimum.value[i]));
    cf_json_put(&j, "at_half", cf_json_number(half->value));
    cf_json_put(&j, "at_double", cf_json_number(twice->value));
    cf_json_put(&j, "change_at_half", cf_json_number(half->change));
    cf_json_put(&j, "change_at_double", cf_json_number(twice->change));
    if (cf_smoothness_text(fit, i, text, sizeof text))
        cf_json_put(&j, "text", json_string(text));
    return j;
}

json_t *cf_fit_json_smoothness(const struct cf_fit *fit)
{
    json_t *j = json_object(), *all = json_array();

    for (size_t i = 0; i < fit->optimum.problem.nfree; i++)
        cf_json_add(&all, parameter_json(fit, i));
    cf_json_put(&j, "cutoffs", cutoffs_json(fit));
    cf_json_put(&j, "parameters", all);
    return j;
}
