/* What may stand in YAML files of every kind, and the check of keys by a table. */

#include "file/schema.h"

#include <stdlib.h>

const struct cf_schema cf_schema_any = {.kind = CF_SCHEMA_ANY};
const struct cf_schema cf_schema_text = {.kind = CF_SCHEMA_TEXT};
const struct cf_schema cf_schema_quantity = {.kind = CF_SCHEMA_QUANTITY};
const struct cf_schema cf_schema_positive = {.kind = CF_SCHEMA_POSITIVE};
const struct cf_schema cf_schema_whole = {.kind = CF_SCHEMA_WHOLE};
const struct cf_schema cf_schema_bool = {.kind = CF_SCHEMA_BOOL};
const struct cf_schema cf_schema_texts = {.kind = CF_SCHEMA_LIST, .of = &cf_schema_text};
const struct cf_schema cf_schema_pair = {
    .kind = CF_SCHEMA_LIST, .of = &cf_schema_quantity, .least = 2, .most = 2};
const struct cf_schema cf_schema_vector = {
    .kind = CF_SCHEMA_LIST, .of = &cf_schema_quantity, .least = 3, .most = 3};
const struct cf_schema cf_schema_map = {.kind = CF_SCHEMA_MAP, .of = &cf_schema_any};

int cf_schema_check_first(const struct cf_yaml *map, const struct cf_schema *schema, size_t n,
                          struct cf_error *err)
{
    const char **known = calloc(n + 1, sizeof *known);
    int status;

    if (!known)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu keys", n);
    for (size_t i = 0; i < n; i++)
        known[i] = schema->key[i].name;
    status = cf_yaml_keys(map, known, n, err);
    free(known);
    return status;
}

int cf_schema_check(const struct cf_yaml *map, const struct cf_schema *schema, struct cf_error *err)
{
    return cf_schema_check_first(map, schema, schema->nkey, err);
}
