/* What is specific to the kinds of a scene's figures: panels, paths, energies. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figure/figure_parts.h"
#include "figure/keys.h"

/* One panel may stand in the figure itself, several in the list `panels`. */
int cf_scene_panels_read(const struct cf_scene_table *table, const struct cf_yaml *node,
                         struct cf_scene_figure *figure, struct cf_error *err)
{
    const struct cf_schema_key *const of_panel = cf_scene_panel_schema.key;
    const struct cf_yaml *panels = cf_yaml_get(node, "panels");
    int status = panels ? cf_yaml_list(panels, err) : CF_OK;

    if (status)
        return status;
    for (size_t i = 0; panels && i < cf_scene_panel_schema.nkey; i++)
        if (cf_yaml_get(node, of_panel[i].name))
            return cf_yaml_fail_key(cf_yaml_get(node, of_panel[i].name), err,
                                    "%s: it belongs to one of the panels", of_panel[i].name);
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
        status = cf_schema_check(&panels->item[i], &cf_scene_panel_schema, err);
        if (status == CF_OK)
            status = cf_scene_panel_read(table, &panels->item[i], &figure->panel[i], err);
    }
    return status;
}

int cf_scene_flag(const struct cf_yaml *node, const char *key, bool *flag, struct cf_error *err)
{
    const struct cf_yaml *at = cf_yaml_get(node, key);
    return at ? cf_yaml_bool(at, flag, err) : CF_OK;
}

int cf_scene_path_read(const struct cf_scene_table *table, const struct cf_yaml *node,
                       struct cf_scene_figure *figure, struct cf_error *err)
{
    const struct cf_yaml *at;
    int status = cf_yaml_need(node, "x", &at, err);

    if (status == CF_OK)
        status = cf_scene_curve_read(table, at, &figure->x, err);
    if (status)
        return status;
    figure->x_axis.quantity = cf_scene_term_quantity(table, figure->x.term);
    status = cf_scene_axis_read(node, "x-axis", "x-unit", "x-range", &figure->x_axis, err);
    if (status == CF_OK)
        status = cf_scene_flag(node, "equal", &figure->equal, err);
    if (status == CF_OK)
        status = cf_scene_panels_read(table, node, figure, err);
    if (status == CF_OK && figure->equal &&
        strcmp(figure->x_axis.quantity->unit, figure->panel[0].axis.quantity->unit) != 0)
        status =
            cf_yaml_fail_key(cf_yaml_get(node, "equal"), err, "equal: the axes are in %s and in %s",
                             figure->x_axis.quantity->unit, figure->panel[0].axis.quantity->unit);
    return status;
}

/* Three curves: along x, y and z. */
int cf_scene_path3d_read(const struct cf_scene_table *table, const struct cf_yaml *node,
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
            if (table->column[i].axis == 0 &&
                strcmp(cf_scene_quantity_of(&table->column[i])->words, "position") == 0)
                known[n++] = table->column[i].of;
        return cf_yaml_unknown(at, "moving body", body, known, n, err);
    }
    figure->npanel = 1;
    figure->panel = calloc(1, sizeof *figure->panel);
    if (!figure->panel)
        return cf_fail(err, CF_ENOMEM, "no memory for panels");
    figure->panel->axis = (struct cf_scene_axis){
        cf_scene_quantity_of(&table->column[first]), NULL, NULL, 1, (double) NAN, (double) NAN};
    figure->panel->ncurve = 3;
    for (size_t i = 0; i < 3; i++) {
        figure->panel->curve[i].nterm = 1;
        figure->panel->curve[i].term[0] = (struct cf_scene_term){first + i, CF_PART_NUMBER, 1};
    }
    return CF_OK;
}

/* Potential energy is 0 at this height. */
static int read_level(const struct cf_scene *scene, const struct cf_yaml *node, double *zero_J,
                      struct cf_error *err)
{
    const struct cf_yaml *at = cf_yaml_get(node, "level");
    const double *g = scene->gravity_m_s2;
    double level = 0;
    int status = at ? cf_yaml_quantity(at, "m", &level, err) : CF_OK;

    *zero_J = 0;
    for (size_t b = 0; b < scene->nbody; b++)
        if (scene->body[b].drive == CF_DRIVE_FREE || scene->body[b].drive == CF_DRIVE_LINK)
            *zero_J +=
                scene->body[b].mass_kg * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) * level;
    return status;
}

int cf_scene_energy_read(const struct cf_scene *scene, const struct cf_scene_table *table,
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
        int kind = e <= CF_ENERGY_POTENTIAL ? 1
                   : e <= CF_ENERGY_TETHER  ? 2
                   : e < CF_ENERGY_WORK     ? 3
                                            : 0;
        snprintf(name, sizeof name, "energy_%s_J", cf_energy_names[e]);
        cf_scene_curve_add(table, &panel->curve[0], name, e == CF_ENERGY_WORK ? -1 : 1);
        if (kind)
            cf_scene_curve_add(table, &panel->curve[kind], name, 1);
    }
    int status = read_level(scene, node, &zero_J, err);
    panel->curve[0].less = panel->curve[1].less = zero_J;
    panel->axis.quantity = cf_scene_quantity_of(&table->column[panel->curve[0].term[0].column]);
    return status == CF_OK ? cf_scene_axis_read(node, NULL, NULL, "range", &panel->axis, err)
                           : status;
}
