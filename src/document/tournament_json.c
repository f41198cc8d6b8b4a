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

    json_object_set_new(j, "law", name_or_null(t, i));
    json_object_set_new(j, "same_as", c->same_as == i ? json_null() : name_or_null(t, c->same_as));
    json_object_set_new(j, "describes", json_boolean(c->describes));
    json_object_set_new(j, "rejected", json_boolean(c->rejected));
    json_object_set_new(j, "verdict", json_string(c->verdict));
    json_object_set_new(j, "starts", json_integer((json_int_t) c->rival->nstart));
    json_object_set_new(j, "confirmed", json_integer((json_int_t) c->rival->confirmed));
    json_object_set_new(j, "tests", cf_json_tests(&c->problem, &c->tests));
    return j;
}

static json_t *held_out_json(const struct cf_tournament *t)
{
    json_t *j;

    if (t->best_predictor == t->n)
        return json_null();
    j = json_object();
    json_object_set_new(j, "n", json_integer((json_int_t) t->nheld));
    json_object_set_new(j, "best", name_or_null(t, t->best_predictor));
    json_object_set_new(j, "next", name_or_null(t, t->next));
    json_object_set_new(j, "p", cf_json_number(t->predictor_p));
    return j;
}

json_t *cf_tournament_json(const struct cf_tournament *t)
{
    json_t *j = json_object(), *contenders = json_array();

    for (size_t i = 0; i < t->n; i++)
        json_array_append_new(contenders, contender_json(t, i));
    json_object_set_new(j, "summary", json_string(t->summary));
    json_object_set_new(j, "best", name_or_null(t, t->best));
    json_object_set_new(j, "curves", json_integer((json_int_t) t->ncurve));
    json_object_set_new(j, "describing", json_integer((json_int_t) t->ndescribe));
    json_object_set_new(j, "statements", cf_json_statements(&t->statements));
    json_object_set_new(j, "held_out", held_out_json(t));
    json_object_set_new(j, "contenders", contenders);
    return j;
}
