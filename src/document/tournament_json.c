#include "document/tournament_json.h"

#include <math.h>

#include "document/fit_json.h"

static json_t *name_or_null(const struct cf_tournament *t, size_t i)
{
    return i < t->n ? json_string(t->contender[i].rival->law->name) : json_null();
}

static json_t *contender_json(const struct cf_tournament *t, size_t i)
{
    const struct cf_contender *c = &t->contender[i];
    json_t *j = json_object();

    cf_json_put(&j, "law", name_or_null(t, i));
    cf_json_put(&j, "same_as", c->same_as == i ? json_null() : name_or_null(t, c->same_as));
    cf_json_put(&j, "describes", json_boolean(c->describes));
    cf_json_put(&j, "rejected", json_boolean(c->rejected));
    cf_json_put(&j, "verdict", json_string(c->verdict));
    cf_json_put(&j, "starts", json_integer((json_int_t) c->rival->nstart));
    cf_json_put(&j, "confirmed", json_integer((json_int_t) c->rival->confirmed));
    cf_json_put(&j, "tests", cf_json_tests(&c->problem, &c->tests));
    return j;
}

static json_t *held_out_json(const struct cf_fit *fit, const struct cf_tournament *t)
{
    json_t *j;

    if (t->best_predictor == t->n)
        return json_null();
    j = json_object();
    cf_json_put(&j, "n", json_integer((json_int_t) t->nheld));
    cf_json_put(&j, "best", name_or_null(t, t->best_predictor));
    cf_json_put(&j, "next", name_or_null(t, t->next));
    cf_json_put(&j, "unit", json_string(fit->held_units.one));
    cf_json_put(&j, "units", json_integer((json_int_t) fit->held_units.n));
    cf_json_put(&j, "difference", cf_json_number(t->predictor.difference));
    cf_json_put(&j, "standard_error", cf_json_number(t->predictor.standard_error));
    cf_json_put(&j, "p", cf_json_number(t->predictor.p));
    return j;
}

json_t *cf_tournament_json(const struct cf_fit *fit, const struct cf_tournament *t)
{
    json_t *j = json_object(), *contenders = json_array();

    for (size_t i = 0; i < t->n; i++)
        cf_json_add(&contenders, contender_json(t, i));
    cf_json_put(&j, "summary", json_string(t->summary));
    cf_json_put(&j, "best", name_or_null(t, t->best));
    cf_json_put(&j, "curves", json_integer((json_int_t) t->ncurve));
    cf_json_put(&j, "describing", json_integer((json_int_t) t->ndescribe));
    cf_json_put(&j, "statements", cf_json_statements(&t->statements));
    cf_json_put(&j, "held_out", held_out_json(fit, t));
    cf_json_put(&j, "contenders", contenders);
    return j;
}
