/* How far curves are from what was measured. */

#include <math.h>
#include <stdlib.h>

#include "document/fit_json.h"
#include "experiment/run_number.h"

/* Every so many points of a reference are written. */
enum { EVERY = 2 };

static json_t *list_of(const double x[])
{
    json_t *all = json_array();

    for (size_t i = 0; i < CF_ADEQUACY_GRID; i += EVERY)
        cf_json_add(&all, cf_json_number(x[i]));
    return all;
}

static json_t *limits_json(const struct cf_adequacy_limits *limits)
{
    json_t *j = json_object();

    cf_json_put(&j, "largest", cf_json_number(limits->largest.value));
    cf_json_put(&j, "at_most", cf_json_number(limits->at_most.value));
    cf_json_put(&j, "at_least", cf_json_number(limits->at_least));
    return j;
}

static json_t *reference_json(const struct cf_judged_curve *c)
{
    json_t *j = json_object();

    cf_json_put(&j, "columns", json_integer((json_int_t) c->of.columns));
    cf_json_put(&j, "knots", json_integer((json_int_t) c->of.knots));
    cf_json_put(&j, "sd", cf_json_number(c->of.s));
    cf_json_put(&j, "dof", cf_json_number(c->of.dof));
    cf_json_put(&j, "shared", cf_json_number(c->of.share));
    cf_json_put(&j, "resolution", cf_json_number(c->of.resolution));
    cf_json_put(&j, "simultaneous", cf_json_number(c->of.simultaneous));
    cf_json_put(&j, "abscissa", list_of(c->abscissa));
    cf_json_put(&j, "law", list_of(c->law));
    cf_json_put(&j, "difference", list_of(c->of.delta));
    cf_json_put(&j, "standard_error", list_of(c->of.se));
    return j;
}

static json_t *need_json(const struct cf_judged_curve *c)
{
    json_t *j = json_object();

    cf_json_put(&j, "within", cf_json_number(c->need->within));
    cf_json_put(&j, "relative", json_boolean(c->need->relative));
    cf_json_put(&j, "answer", json_string(cf_adequacy_text(c->word)));
    if (isfinite(c->times))
        cf_json_put(&j, "times", cf_json_number(c->times));
    return j;
}

/* So many runs are written, evenly spread. */
enum { MOST_RUNS = CF_ADEQUACY_GRID };

/* A number of runs: its words, its axis, and the runs. */
static json_t *number_json(const struct cf_judged_curve *c)
{
    const struct cf_run_number *number = c->number;
    json_t *j = json_object(), *axis, *runs = json_array();
    size_t held = c->rows < MOST_RUNS ? c->rows : MOST_RUNS;

    cf_json_put(&j, "name", json_string(number->name));
    cf_json_put(&j, "label", json_string(number->label));
    if (number->axis) {
        axis = json_object();
        cf_json_put(&axis, "name", json_string(number->axis->name));
        cf_json_put(&axis, "label", json_string(number->axis->label));
        cf_json_put(&axis, "unit", json_string(number->axis->unit));
        cf_json_put(&axis, "scale", json_string(number->axis->linear ? "linear" : "log"));
        cf_json_put(&j, "axis", axis);
    }
    for (size_t i = 0; i < held; i++) {
        const struct cf_judged_run *run =
            &c->run[held < c->rows ? i * (c->rows - 1) / (held - 1) : i];
        json_t *one = json_object();
        cf_json_put(&one, "data", json_integer((json_int_t) run->data));
        if (number->axis)
            cf_json_put(&one, "place", cf_json_number(run->place));
        cf_json_put(&one, "measured", cf_json_number(run->measured));
        cf_json_put(&one, "predicted", cf_json_number(run->predicted));
        cf_json_add(&runs, one);
    }
    cf_json_put(&j, "runs", runs);
    return j;
}

json_t *cf_fit_json_adequacy(const struct cf_fit *fit)
{
    json_t *all = json_array();

    for (size_t i = 0; i < fit->njudged; i++) {
        const struct cf_judged_curve *c = &fit->judged[i];
        const struct cf_protocol *p = fit->optimum.problem.spec->data[c->data].protocol;
        json_t *j = json_object();
        cf_json_put(&j, "data", json_integer((json_int_t) c->data));
        cf_json_put(&j, "sets", json_integer((json_int_t) c->sets));
        cf_json_put(&j, "channel", json_string(p->channel[c->column].name));
        cf_json_put(&j, "unit",
                    json_string(c->number ? c->number->unit : p->channel[c->column].unit));
        if (c->number)
            cf_json_put(&j, "number", number_json(c));
        if (p->nbranch && !c->number)
            cf_json_put(&j, "branch", json_string(p->branch_name[c->branch]));
        cf_json_put(&j, "low", cf_json_number(c->low));
        cf_json_put(&j, "high", cf_json_number(c->high));
        cf_json_put(&j, "rows", json_integer((json_int_t) c->rows));
        cf_json_put(&j, "places", json_integer((json_int_t) c->of.places));
        if (c->of.columns) {
            cf_json_put(&j, "in_unit", limits_json(&c->of.in_unit));
            if (isfinite(c->of.relative.at_most.value))
                cf_json_put(&j, "relative", limits_json(&c->of.relative));
            if (c->stated > 0)
                cf_json_put(&j, "stated", cf_json_number(c->stated));
            if (!c->averaged)
                cf_json_put(&j, "worst_at", cf_json_number(c->worst));
            else
                cf_json_put(&j, "averaged", json_true());
            cf_json_put(&j, "reference", reference_json(c));
        }
        if (c->need)
            cf_json_put(&j, "needed", need_json(c));
        cf_json_put(&j, "text", json_string(c->text));
        cf_json_add(&all, j);
    }
    return all;
}
