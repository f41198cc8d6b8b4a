/* `unusual` of a study: rules of what is plausible whose numbers are right as they stand, as the
 * density of a hammer of which the nose is the sphere. */

#include <stdlib.h>

#include "experiment/plausible_rules.h"
#include "study/parts.h"

static const char *name_of(const void *unused, size_t i)
{
    (void) unused;
    return cf_plausible_rule_name(i);
}

int cf_study_unusual(struct cf_study *study, const struct cf_yaml *root, struct cf_error *err)
{
    const struct cf_yaml *list = cf_yaml_get(root, "unusual");
    struct cf_spec *spec = &study->spec;
    size_t n = 0;
    int status = list ? cf_yaml_list(list, err) : CF_OK;

    if (!list || status)
        return status;
    while (cf_plausible_rule(n))
        n++;
    spec->unusual = calloc(list->n + 1, sizeof *spec->unusual);
    if (!spec->unusual)
        return cf_fail(err, CF_ENOMEM, "no memory for what is unusual");
    for (size_t i = 0; i < list->n && !status; i++) {
        size_t rule = 0;
        status =
            cf_yaml_pick(&list->item[i], "rule of what is plausible", name_of, NULL, n, &rule, err);
        if (!status)
            spec->unusual[spec->nunusual++] = cf_plausible_rule(rule);
    }
    return status;
}
