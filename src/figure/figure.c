/* Reading the key `figures` of a scene's file. */

#define _POSIX_C_SOURCE 200809L

#include "figure/figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "figure/figure_parts.h"
#include "figure/keys.h"
#include "scene/parts.h"

static int read_kind(const struct cf_yaml *node, struct cf_scene_figure *figure,
                     struct cf_error *err)
{
    const char *known[CF_SCENE_NKIND], *name = NULL;
    const struct cf_yaml *at;
    int kind = 0, status = cf_yaml_need(node, "kind", &at, err);

    if (status == CF_OK)
        status = cf_yaml_text(at, &name, err);
    if (status)
        return status;
    for (int k = 0; k < CF_SCENE_NKIND; k++)
        known[k] = cf_scene_kinds[k].name;
    while (kind < CF_SCENE_NKIND && strcmp(name, known[kind]) != 0)
        kind++;
    if (kind == CF_SCENE_NKIND)
        return cf_yaml_unknown(at, "kind", name, known, CF_SCENE_NKIND, err);
    figure->kind = (enum cf_scene_figure_kind) kind;
    return cf_schema_check(node, cf_scene_figure_schemas[kind], err);
}

static int read_name(const struct cf_scene_figures *figures, const struct cf_yaml *node,
                     struct cf_scene_figure *figure, struct cf_error *err)
{
    const struct cf_yaml *at;
    char *copy = NULL;
    int status = cf_yaml_need(node, "name", &at, err);

    if (status == CF_OK)
        status = cf_yaml_text(at, &figure->name, err);
    if (status == CF_OK)
        status = cf_scene_name(at, figure->name, &copy, err);
    free(copy);
    for (size_t i = 0; i + 1 < figures->n && status == CF_OK; i++)
        if (strcmp(figures->figure[i].name, figure->name) == 0)
            status = cf_yaml_fail(at, err, "name: there is a figure %s already", figure->name);
    return status;
}

static int read_during(const struct cf_yaml *node, const struct cf_scene *scene,
                       struct cf_scene_figure *figure, struct cf_error *err)
{
    const struct cf_yaml *at = cf_yaml_get(node, "during");
    double span[2] = {0, scene->duration_s};
    int status = at ? cf_scene_vector(at, "s", 2, span, err) : CF_OK;

    if (status == CF_OK && !(span[0] >= 0 && span[1] > span[0] && span[1] <= scene->duration_s))
        status =
            cf_yaml_fail(at, err,
                         "during: from %.10g s to %.10g s: must be two times in the scene's 0 s "
                         "to %.10g s, the later one second",
                         span[0], span[1], scene->duration_s);
    figure->from_s = span[0];
    figure->to_s = span[1];
    return status;
}

/* Axes of the figure, turned so from the world's. */
static int read_frame(const struct cf_yaml *node, struct cf_scene_figure *figure,
                      struct cf_error *err)
{
    const struct cf_yaml *at = cf_yaml_get(node, "frame");
    double q[4] = {1, 0, 0, 0};
    int status = at ? cf_scene_attitude(at, q, err) : CF_OK;

    for (int i = 0; i < 3; i++) { /* axis i: e_i turned by q */
        const double u[3] = {q[1], q[2], q[3]};
        for (int k = 0; k < 3; k++) {
            int j = 3 - i - k; /* the third */
            double odd = i == k ? 0 : ((k - i + 3) % 3 == 1 ? 1.0 : -1.0) * u[j] * q[0];
            figure->frame[i][k] = (i == k ? 2 * q[0] * q[0] - 1 : 0) + 2 * (u[i] * u[k] + odd);
        }
    }
    return status;
}

static void set_time(const struct cf_scene_table *table, struct cf_scene_figure *figure)
{
    cf_scene_curve_add(table, &figure->x, "time_s", 1);
    figure->x_axis.quantity = cf_scene_quantity_of(&table->column[figure->x.term[0].column]);
    figure->x_axis.factor = 1;
    figure->x_axis.from = figure->from_s;
    figure->x_axis.to = figure->to_s;
}

static int read_figure(struct cf_scene_figures *figures, const struct cf_yaml *node,
                       struct cf_error *err)
{
    struct cf_scene_figure *figure = &figures->figure[figures->n++];
    const struct cf_scene *scene = &figures->file->scene;
    const struct cf_yaml *source = cf_yaml_get(node, "source"), *what = cf_yaml_get(node, "what");
    int status = read_kind(node, figure, err);

    figure->at = node;
    if (status == CF_OK)
        status = read_name(figures, node, figure, err);
    if (status == CF_OK && source)
        status = cf_yaml_text(source, &figure->source, err);
    if (status == CF_OK && what)
        status = cf_yaml_text(what, &figure->what, err);
    if (status == CF_OK)
        status = read_during(node, scene, figure, err);
    if (status == CF_OK)
        status = read_frame(node, figure, err);
    if (status == CF_OK)
        status = cf_scene_flag(node, "start", &figure->start, err);
    if (status)
        return status;
    if (figure->kind == CF_SCENE_SWEEP)
        return cf_scene_sweep_read(node, figure, err);
    if (figure->kind != CF_SCENE_PATH)
        set_time(figures->table, figure);
    if (figure->kind == CF_SCENE_VARIANTS)
        return cf_scene_variants_read(figures->file, figures->table, node, figure, err);
    if (figure->kind == CF_SCENE_SERIES)
        return cf_scene_panels_read(figures->table, node, figure, err);
    if (figure->kind == CF_SCENE_BODIES)
        return cf_scene_bodies_read(node, figure, err);
    if (figure->kind == CF_SCENE_ENERGY)
        return cf_scene_energy_read(scene, figures->table, node, figure, err);
    return figure->kind == CF_SCENE_PATH ? cf_scene_path_read(figures->table, node, figure, err)
                                         : cf_scene_path3d_read(figures->table, node, figure, err);
}

struct cf_scene_figures *cf_scene_figures_read(const struct cf_scene_file *file,
                                               struct cf_error *err)
{
    struct cf_scene_figures *figures = calloc(1, sizeof *figures);
    const struct cf_yaml *list = file->figures;
    size_t n = list ? list->n : 0;
    int status = CF_OK;

    if (figures)
        figures->figure = calloc(n + 1, sizeof *figures->figure);
    if (!figures || !figures->figure) {
        cf_fail(err, CF_ENOMEM, "no memory for the figures of a scene");
        cf_scene_figures_free(figures);
        return NULL;
    }
    figures->file = file;
    figures->table = cf_scene_table_make(&file->scene, err);
    if (!figures->table)
        status = CF_ENOMEM;
    for (size_t i = 0; i < n && status == CF_OK; i++)
        status = read_figure(figures, &list->item[i], err);
    if (status == CF_OK) {
        if (cf_scene_bodies_default(figures))
            set_time(figures->table, figures->figure);
        return figures;
    }
    cf_scene_figures_free(figures);
    return NULL;
}

size_t cf_scene_figures_find(const struct cf_scene_figures *figures, const char *name)
{
    size_t i = 0;
    while (i < figures->n && strcmp(figures->figure[i].name, name) != 0)
        i++;
    return i;
}

void cf_scene_figures_free(struct cf_scene_figures *figures)
{
    if (!figures)
        return;
    for (size_t i = 0; i < figures->n; i++) {
        struct cf_scene_figure *figure = &figures->figure[i];
        for (size_t j = 0; j < figure->npanel && figure->panel; j++)
            for (size_t k = 0; k < figure->panel[j].ncurve; k++)
                free(figure->panel[j].curve[k].y);
        free(figure->x.y);
        free(figure->pose);
        free(figure->time_s);
        free(figure->panel);
        cf_scene_sweep_free(figure);
        cf_scene_variants_free(figure);
    }
    free(figures->figure);
    free(figures->touch);
    cf_scene_table_free(figures->table);
    free(figures);
}
