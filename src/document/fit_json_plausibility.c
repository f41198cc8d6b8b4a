/* What is plausible of a study and its fit. */

#include "document/fit_json.h"
#include "judge/plausibility.h"

json_t *cf_json_plausibility(const struct cf_plausibility *plausibility)
{
    json_t *all = json_array();

    for (size_t i = 0; i < plausibility->n; i++) {
        const struct cf_plausible *p = &plausibility->item[i];
        json_t *j = json_object();
        cf_json_put(&j, "rule", json_string(p->rule->name));
        cf_json_put(&j, "of", cf_json_shown(p->of));
        cf_json_put(&j, "value", cf_json_number(p->number));
        cf_json_put(&j, "unit", json_string(p->rule->unit));
        cf_json_put(&j, "low", cf_json_number(p->rule->low));
        cf_json_put(&j, "high", cf_json_number(p->rule->high));
        cf_json_put(&j, "why", json_string(p->rule->why));
        cf_json_put(&j, "plausible", json_boolean(p->inside));
        if (!p->possible)
            cf_json_put(&j, "possible", json_false());
        if (p->stated)
            cf_json_put(&j, "stated", json_true());
        if (p->slip)
            cf_json_put(&j, "slip", json_string(p->slip));
        cf_json_add(&all, j);
    }
    return all;
}
