/* Variants: columns over time of a scene and of what it is with other values, in one panel. */

#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include "figure/figure_parts.h"
#include "figure/keys.h"

enum { LEAST = 2 };

/* Keys of which all variants have the same. */
static int check_path(const struct cf_yaml *at, struct cf_error *err)
{
    static const char *const common[] = {"contactfit", "duration", "figures"};

    for (size_t i = 0; i < sizeof common / sizeof *common; i++) {
        size_t len = strlen(common[i]);
        if (strncmp(at->key, common[i], len) == 0 && (!at->key[len] || at->key[len] == '.'))
            return cf_yaml_fail_key(at, err, "set: %s: it is the same for all variants", common[i]);
    }
    return CF_OK;
}

static int read_variant(const struct cf_scene_file *file, const struct cf_yaml *node,
                        struct cf_scene_variant *variant, struct cf_error *err)
{
    const struct cf_yaml *as, *set = cf_yaml_get(node, "set");
    struct cf_error why = {""};
    int status = cf_schema_check(node, &cf_scene_variant_schema, err);

    if (status == CF_OK)
        status = cf_yaml_need(node, "as", &as, err);
    if (status == CF_OK)
        status = cf_scene_words(as, &variant->as, err);
    if (status == CF_OK && set)
        status = cf_yaml_map(set, err);
    for (size_t i = 0; set && i < set->n && status == CF_OK; i++)
        status = check_path(&set->item[i], err);
    if (status)
        return status;
    variant->set = set;
    struct cf_scene_file *varied = cf_scene_read_varied(file, set, &why);
    if (!varied)
        return cf_fail(err, CF_EINPUT, "%.900s (variant %s)", why.text, variant->as);
    cf_scene_file_free(varied);
    return CF_OK;
}

/* A panel has one curve, which is that of every variant. */
static int spread(const struct cf_yaml *node, struct cf_scene_figure *figure, struct cf_error *err)
{
    const struct cf_yaml *panels = cf_yaml_get(node, "panels");

    for (size_t p = 0; p < figure->npanel; p++) {
        struct cf_scene_panel *panel = &figure->panel[p];
        if (panel->ncurve != 1)
            return cf_yaml_fail(cf_yaml_get(panels ? &panels->item[p] : node, "y"), err,
                                "y: %zu: one is wanted, which is drawn for each of the variants",
                                panel->ncurve);
        for (size_t v = 1; v < figure->nvariant; v++)
            panel->curve[v] = panel->curve[0];
        panel->ncurve = figure->nvariant;
    }
    return CF_OK;
}

int cf_scene_variants_read(const struct cf_scene_file *file, const struct cf_scene_table *table,
                           const struct cf_yaml *node, struct cf_scene_figure *figure,
                           struct cf_error *err)
{
    const struct cf_yaml *list;
    int status = cf_yaml_need(node, "variants", &list, err);

    if (status == CF_OK)
        status = cf_yaml_list(list, err);
    if (status == CF_OK && (list->n < LEAST || list->n > CF_SCENE_MAX_CURVE))
        status = cf_yaml_fail(list, err, "variants: %zu: from %d to %d are wanted", list->n, LEAST,
                              CF_SCENE_MAX_CURVE);
    if (status == CF_OK)
        status = cf_scene_panels_read(table, node, figure, err);
    if (status)
        return status;
    figure->variant = calloc(list->n, sizeof *figure->variant);
    if (!figure->variant)
        return cf_fail(err, CF_ENOMEM, "no memory for variants");
    figure->nvariant = list->n;
    for (size_t i = 0; i < list->n && status == CF_OK; i++)
        status = read_variant(file, &list->item[i], &figure->variant[i], err);
    return status == CF_OK ? spread(node, figure, err) : status;
}

void cf_scene_variants_free(struct cf_scene_figure *figure)
{
    for (size_t i = 0; i < figure->nvariant; i++)
        free(figure->variant[i].time_s);
    free(figure->variant);
}

size_t cf_scene_curve_rows(const struct cf_scene_figure *figure, size_t curve, const double **x)
{
    if (figure->kind != CF_SCENE_VARIANTS) {
        *x = figure->x.y;
        return figure->n;
    }
    *x = figure->variant[curve].time_s;
    return figure->variant[curve].n;
}
