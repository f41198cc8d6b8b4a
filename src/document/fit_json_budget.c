/* The uncertainty budget: which numbers of the study add how much to what. */

#include <math.h>

#include "document/fit_json.h"
#include "document/json_value.h"
#include "judge/budget.h"

enum { REMARK = 400 };

/* The prediction that moves most once the optimum has followed. */
static json_t *curve_json(const struct cf_fit *fit, const struct cf_budget_source *s)
{
    const struct cf_observation *o = &fit->optimum.problem.observation[s->most];
    const struct cf_dataset *d = &fit->optimum.problem.spec->data[o->data];
    const struct cf_channel_row *channel = &d->protocol->channel[o->column];
    json_t *j;

    if (isnan(s->curve))
        return json_null();
    j = json_object();
    cf_json_put(&j, "data", json_string(d->name));
    cf_json_put(&j, "channel", json_string(channel->name));
    cf_json_put(&j, "line", cf_json_count(cf_dataset_line(d, o->row, o->column)));
    cf_json_put(&j, "abscissa", cf_json_number(o->abscissa));
    cf_json_put(&j, "change", cf_json_number(s->curve));
    cf_json_put(&j, "unit", json_string(channel->unit));
    cf_json_put(&j, "sigmas", cf_json_number(s->curve_sigma));
    return j;
}

static json_t *source_json(const struct cf_fit *fit, size_t i)
{
    const struct cf_budget_source *s = &fit->budget.source[i];
    json_t *j = json_object();
    char remark[REMARK];

    cf_json_put(&j, "name", json_string(s->of->name));
    cf_json_put(&j, "stated", json_string(s->of->stated));
    cf_json_put(&j, "of", json_string(cf_uncertain_of_name[s->of->of]));
    cf_json_put(&j, "distribution", json_string(cf_uncertain_as_name[s->of->as]));
    cf_json_put(&j, "k", cf_json_number(s->of->k));
    cf_json_put(&j, "value", cf_json_number(s->of->value));
    cf_json_put(&j, "u", cf_json_number(s->of->u));
    cf_json_put(&j, "unit", json_string(s->of->unit));
    cf_json_put(&j, "curve", curve_json(fit, s));
    if (cf_budget_remark(fit, i, remark, sizeof remark))
        cf_json_put(&j, "remark", json_string(remark));
    return j;
}

/* A number of the budget; `relative`: its uncertainties are shares of it. */
static json_t *number_json(const struct cf_fit *fit, size_t k, double value, const char *unit,
                           bool relative)
{
    const struct cf_budget *b = &fit->budget;
    const struct cf_budget_number *n = &b->number[k];
    json_t *j = json_object(), *by = json_array();

    for (size_t i = 0; i < b->n; i++)
        cf_json_add(&by, cf_json_number(b->source[i].by[k]));
    cf_json_put(&j, "value", cf_json_number(value));
    cf_json_put(&j, "unit", json_string(unit));
    cf_json_put(&j, "relative", json_boolean(relative));
    cf_json_put(&j, "type_a", cf_json_number(n->type_a));
    cf_json_put(&j, "dof_a", cf_json_number(n->dof_a));
    cf_json_put(&j, "type_b", by);
    cf_json_put(&j, "combined", cf_json_number(n->combined));
    cf_json_put(&j, "dof", cf_json_number(n->dof));
    cf_json_put(&j, "coverage_factor", cf_json_number(n->coverage));
    cf_json_put(&j, "low", cf_json_number(n->interval.low));
    cf_json_put(&j, "high", cf_json_number(n->interval.high));
    return j;
}

json_t *cf_fit_json_budget(const struct cf_fit *fit)
{
    const struct cf_optimum *o = &fit->optimum;
    json_t *j = json_object(), *sources = json_array(), *numbers = json_object();
    char remark[REMARK];

    for (size_t i = 0; i < fit->budget.n; i++)
        cf_json_add(&sources, source_json(fit, i));
    for (size_t k = 0; k < o->problem.nfree; k++)
        if (fit->budget.number[k].known && !o->problem.unknown[k].of_segment)
            cf_json_put(&numbers, o->problem.unknown[k].name,
                        number_json(fit, k, o->value[k], o->problem.unknown[k].unit,
                                    o->problem.unknown[k].scale == CF_SCALE_LOG));
    for (size_t k = 0; k < o->ncombination; k++)
        if (fit->budget.number[o->problem.nfree + k].known)
            cf_json_put(&numbers, o->combination[k].name,
                        number_json(fit, o->problem.nfree + k, o->combination[k].value,
                                    o->combination[k].unit, o->combination[k].product));
    cf_json_put(&j, "level", cf_json_number(o->problem.spec->options.level));
    cf_json_put(&j, "sources", sources);
    cf_json_put(&j, "numbers", numbers);
    if (cf_budget_left_out(fit, remark, sizeof remark))
        cf_json_put(&j, "remark", json_string(remark));
    return j;
}
