/* Reading what a scene's file asks for under `figures`. */

#define _POSIX_C_SOURCE 200809L

#include "study/scene_figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "study/scene_figure_parts.h"
#include "study/scene_parts.h"

const struct cf_scene_kind cf_scene_kinds[CF_SCENE_NKIND] = {
    [CF_SCENE_SERIES] = {"series", "columns of the trace over time, in up to four panels"},
    [CF_SCENE_PATH] = {"path", "columns over a column: loops, where a tip goes"},
    [CF_SCENE_PATH3D] = {"path3d", "where a body goes, in space and on the ground below it"},
    [CF_SCENE_ENERGY] = {"energy", "where energy is and went, over time"},
    [CF_SCENE_SWEEP] = {"sweep", "a result over values that are given to keys of the scene"},
};

#define EVERY "name", "kind", "source", "what"
static const struct {
    size_t n;
    const char *key[16];
} keys[CF_SCENE_NKIND] = {
    [CF_SCENE_SERIES] = {11,
                         {EVERY, "y", "axis", "unit", "range", "panels", "during", "frame"}},
    [CF_SCENE_PATH] = {16,
                       {EVERY, "x", "x-axis", "x-unit", "x-range", "y", "axis", "unit", "range",
                        "equal", "start", "during", "frame"}},
    [CF_SCENE_PATH3D] = {8, {EVERY, "body", "during", "frame", "start"}},
    [CF_SCENE_ENERGY] = {7, {EVERY, "during", "range", "level"}},
    [CF_SCENE_SWEEP] = {8, {EVERY, "over", "lines", "y", "range"}},
};

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
    return cf_yaml_keys(node, keys[kind].key, keys[kind].n, err);
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
        status = cf_yaml_fail(at, err,
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
            figure->frame[i][k] =
                (i == k ? 2 * q[0] * q[0] - 1 : 0) + 2 * (u[i] * u[k] + odd);
        }
    }
    return status;
}

/* One panel may stand in the figure itself, several in the list `panels`. */
static int read_panels(const struct cf_scene_table *table, const struct cf_yaml *node,
                       struct cf_scene_figure *figure, struct cf_error *err)
{
    static const char *const of_panel[] = {"y", "axis", "unit", "range"};
    const struct cf_yaml *panels = cf_yaml_get(node, "panels");
    int status = panels ? cf_yaml_list(panels, err) : CF_OK;

    if (status)
        return status;
    for (size_t i = 0; panels && i < 4; i++)
        if (cf_yaml_get(node, of_panel[i]))
            return cf_yaml_fail_key(cf_yaml_get(node, of_panel[i]), err,
                                    "%s: it belongs to one of the panels", of_panel[i]);
    if (panels && (panels->n == 0 || panels->n > CF_SCENE_MAX_PANEL))
        return cf_yaml_fail(panels, err, "panels: %zu: from 1 to %d are wanted", panels->n,
                            CF_SCENE_MAX_PANEL);
    figure->npanel = panels ? panels->n : 1;
    figure->panel = calloc(figure->npanel, sizeof *figure->panel);
    if (!figure->panel)
        return cf_fail(err, CF_ENOMEM, "no memory for panels");
    if (!panels)
        return cf_scene_panel_read(table, node, &figure->panel[0], err);
    for (size_t i = 0; i < panels->n && status == CF_OK; i++) {
        status = cf_yaml_keys(&panels->item[i], of_panel, 4, err);
        if (status == CF_OK)
            status = cf_scene_panel_read(table, &panels->item[i], &figure->panel[i], err);
    }
    return status;
}

static int read_flag(const struct cf_yaml *node, const char *key, bool *flag, struct cf_error *err)
{
    const struct cf_yaml *at = cf_yaml_get(node, key);
    return at ? cf_yaml_bool(at, flag, err) : CF_OK;
}

static void set_time(const struct cf_scene_table *table, struct cf_scene_figure *figure)
{
    cf_scene_curve_add(table, &figure->x, "time_s", 1);
    figure->x_axis.quantity = cf_scene_quantity_of(&table->column[figure->x.term[0].column]);
    figure->x_axis.factor = 1;
    figure->x_axis.from = figure->from_s;
    figure->x_axis.to = figure->to_s;
}

static int read_path(const struct cf_scene_table *table, const struct cf_yaml *node,
                     struct cf_scene_figure *figure, struct cf_error *err)
{
    const struct cf_yaml *at;
    int status = cf_yaml_need(node, "x", &at, err);

    if (status == CF_OK)
        status = cf_scene_curve_read(table, at, &figure->x, err);
    if (status)
        return status;
    figure->x_axis.quantity = cf_scene_quantity_of(&table->column[figure->x.term[0].column]);
    status = cf_scene_axis_read(node, "x-axis", "x-unit", "x-range", &figure->x_axis, err);
    if (status == CF_OK)
        status = read_flag(node, "equal", &figure->equal, err);
    if (status == CF_OK)
        status = read_panels(table, node, figure, err);
    if (status == CF_OK && figure->equal &&
        strcmp(figure->x_axis.quantity->unit, figure->panel[0].axis.quantity->unit) != 0)
        status = cf_yaml_fail_key(cf_yaml_get(node, "equal"), err,
                                  "equal: the axes are in %s and in %s",
                                  figure->x_axis.quantity->unit,
                                  figure->panel[0].axis.quantity->unit);
    return status;
}

/* Three curves: along x, y and z. */
static int read_path3d(const struct cf_scene_table *table, const struct cf_yaml *node,
                       struct cf_scene_figure *figure, struct cf_error *err)
{
    const struct cf_yaml *at;
    const char *body = NULL;
    char name[256];
    size_t first = table->n;
    int status = cf_yaml_need(node, "body", &at, err);

    if (status == CF_OK)
        status = cf_yaml_text(at, &body, err);
    if (status)
        return status;
    if ((size_t) snprintf(name, sizeof name, "%s_m", body) < sizeof name)
        first = cf_scene_table_vector(table, name);
    if (first == table->n) {
        const char *known[64];
        size_t n = 0;
        for (size_t i = 0; i < table->n && n < sizeof known / sizeof *known; i++)
            if (cf_scene_table_vector(table, table->column[i].name) == table->n &&
                *table->column[i].of && table->column[i].axis == 0 &&
                strcmp(cf_scene_quantity_of(&table->column[i])->words, "position") == 0)
                known[n++] = table->column[i].of;
        return cf_yaml_unknown(at, "moving body", body, known, n, err);
    }
    figure->npanel = 1;
    figure->panel = calloc(1, sizeof *figure->panel);
    if (!figure->panel)
        return cf_fail(err, CF_ENOMEM, "no memory for panels");
    figure->panel->axis = (struct cf_scene_axis){cf_scene_quantity_of(&table->column[first]),
                                                 NULL, NULL, 1, (double) NAN, (double) NAN};
    figure->panel->ncurve = 3;
    for (size_t i = 0; i < 3; i++) {
        figure->panel->curve[i].nterm = 1;
        figure->panel->curve[i].term[0] = (struct cf_scene_term){first + i, false, 1};
    }
    return CF_OK;
}

/* What lies at this height has no potential energy. */
static int read_level(const struct cf_scene *scene, const struct cf_yaml *node, double *zero_J,
                      struct cf_error *err)
{
    const struct cf_yaml *at = cf_yaml_get(node, "level");
    const double *g = scene->gravity_m_s2;
    double level = 0;
    int status = at ? cf_yaml_quantity(at, "m", &level, err) : CF_OK;

    *zero_J = 0;
    for (size_t b = 0; b < scene->nbody; b++)
        if (scene->body[b].drive == CF_FREE || scene->body[b].drive == CF_LINK)
            *zero_J += scene->body[b].mass_kg * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) *
                       level;
    return status;
}

static int read_energy(const struct cf_scene *scene, const struct cf_scene_table *table,
                       const struct cf_yaml *node, struct cf_scene_figure *figure,
                       struct cf_error *err)
{
    static const char *const words[] = {"total", "bodies", "springs", "lost"};
    struct cf_scene_panel *panel = calloc(1, sizeof *panel);
    double zero_J;

    figure->panel = panel;
    if (!panel)
        return cf_fail(err, CF_ENOMEM, "no memory for panels");
    figure->npanel = 1;
    panel->ncurve = 4;
    for (int i = 0; i < 4; i++)
        panel->curve[i].as = words[i];
    for (int e = 0; e < CF_NENERGY; e++) {
        char name[64];
        int kind = e <= CF_E_POTENTIAL ? 1 : e <= CF_E_TETHER ? 2 : e < CF_E_WORK ? 3 : 0;
        snprintf(name, sizeof name, "energy_%s_J", cf_energy_names[e]);
        cf_scene_curve_add(table, &panel->curve[0], name, e == CF_E_WORK ? -1 : 1);
        if (kind)
            cf_scene_curve_add(table, &panel->curve[kind], name, 1);
    }
    int status = read_level(scene, node, &zero_J, err);
    panel->curve[0].less = panel->curve[1].less = zero_J;
    panel->axis.quantity =
        cf_scene_quantity_of(&table->column[panel->curve[0].term[0].column]);
    return status == CF_OK ? cf_scene_axis_read(node, NULL, NULL, "range", &panel->axis, err)
                           : status;
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
        status = read_flag(node, "start", &figure->start, err);
    if (status)
        return status;
    if (figure->kind == CF_SCENE_SWEEP)
        return cf_scene_sweep_read(node, figure, err);
    if (figure->kind != CF_SCENE_PATH)
        set_time(figures->table, figure);
    if (figure->kind == CF_SCENE_SERIES)
        return read_panels(figures->table, node, figure, err);
    if (figure->kind == CF_SCENE_ENERGY)
        return read_energy(scene, figures->table, node, figure, err);
    return figure->kind == CF_SCENE_PATH ? read_path(figures->table, node, figure, err)
                                         : read_path3d(figures->table, node, figure, err);
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
    if (status == CF_OK)
        return figures;
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
        free(figure->panel);
        cf_scene_sweep_free(figure);
    }
    free(figures->figure);
    free(figures->touch);
    cf_scene_table_free(figures->table);
    free(figures);
}
