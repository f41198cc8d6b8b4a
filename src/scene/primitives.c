#include "scene/primitives.h"

#include <stdlib.h>
#include <string.h>

#include "scene/solid.h"

enum { MAX_PRIMITIVES = 32 }; /* rows of cf_primitives[] */

static int read_place(const struct cf_yaml *node, struct cf_implicit *out, struct cf_error *err)
{
    const struct cf_yaml *hole = cf_yaml_get(node, "hole");
    struct cf_placing at = {.origin_m = {0}};
    int status = cf_scene_place(node, &at, err);

    if (status == CF_OK && hole)
        status = cf_yaml_bool(hole, &out->hole, err);
    memcpy(out->origin_m, at.origin_m, sizeof out->origin_m);
    for (int k = 0; k < 3; k++)
        for (int a = 0; a < 3; a++)
            out->axis[k][a] = at.turn[a][k];
    return status;
}

static int read_sizes(const struct cf_yaml *node, struct cf_implicit *out, struct cf_error *err)
{
    const struct cf_primitive *row = out->row;

    for (size_t i = 0; i < row->nsize; i++) {
        const struct cf_yaml *at;
        struct cf_error why = {""};
        int status = cf_yaml_need(node, row->size[i].name, &at, err);
        if (status == CF_OK)
            status = cf_yaml_quantity(at, row->size[i].unit, &out->size[i], err);
        if (status)
            return status;
        if (cf_param_check(&row->size[i], 1, &out->size[i], &why))
            return cf_yaml_fail(at, err, "%s: %s", row->name, why.text);
    }
    return CF_OK;
}

int cf_scene_primitive(const struct cf_yaml *entry, struct cf_implicit *out, struct cf_error *err)
{
    const char *keys[CF_PRIMITIVE_SIZES + 3] = {"center", "attitude", "hole"};
    const char *known[MAX_PRIMITIVES];
    size_t n = 0;
    int status;

    *out = (struct cf_implicit){.row = cf_primitive_find(entry->key)};
    for (; cf_primitives[n] && n < MAX_PRIMITIVES; n++)
        known[n] = cf_primitives[n]->name;
    if (!out->row)
        return cf_yaml_unknown(entry, "primitive", entry->key, known, n, err);
    for (size_t i = 0; i < out->row->nsize; i++)
        keys[3 + i] = out->row->size[i].name;
    status = cf_yaml_keys(entry, keys, 3 + out->row->nsize, err);
    if (status == CF_OK)
        status = read_sizes(entry, out, err);
    return status == CF_OK ? read_place(entry, out, err) : status;
}

int cf_scene_intersection(const struct cf_yaml *list, struct cf_implicit **part, size_t *n,
                          struct cf_error *err)
{
    int status = cf_yaml_list(list, err);

    *part = NULL;
    *n = 0;
    if (status == CF_OK && (list->n == 0 || list->n > CF_MAX_SURFACES))
        status = cf_yaml_fail(list, err, "intersection: %zu primitives: 1 to %d are wanted",
                              list->n, (int) CF_MAX_SURFACES);
    if (status)
        return status;
    *part = calloc(list->n, sizeof **part);
    if (!*part)
        return cf_fail(err, CF_ENOMEM, "no memory for primitives");
    for (; *n < list->n; (*n)++) {
        const struct cf_yaml *at = &list->item[*n];
        status = cf_yaml_map(at, err);
        if (status == CF_OK && at->n != 1)
            status = cf_yaml_fail(
                at, err, "intersection: %zu primitives in one entry: one is wanted", at->n);
        if (status == CF_OK)
            status = cf_scene_primitive(&at->item[0], &(*part)[*n], err);
        if (status)
            return status;
    }
    return CF_OK;
}
