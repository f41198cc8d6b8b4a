/* Reading a figure file: what it is called, what it shows, and its panels. */

#define _POSIX_C_SOURCE 200809L

#include "figure/law_figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/text.h"
#include "figure/keys.h"
#include "figure/law_figure_parts.h"
#include "file/head.h"
#include "study/parts.h"

enum { FILE_LIMIT = 1 << 20, MAX_KINDS = 16 };

static int read_kind(struct cf_drawing *drawing, const struct cf_yaml *root, struct cf_error *err)
{
    const char *known[MAX_KINDS], *name = NULL;
    const struct cf_yaml *at;
    size_t n = 0;
    int status = cf_yaml_need(root, "kind", &at, err);

    if (status == CF_OK)
        status = cf_yaml_text(at, &name, err);
    if (status)
        return status;
    for (; cf_drawing_kinds[n] && n < MAX_KINDS; n++) {
        known[n] = cf_drawing_kinds[n]->name;
        if (strcmp(name, known[n]) == 0)
            drawing->kind = cf_drawing_kinds[n];
    }
    return drawing->kind ? CF_OK : cf_yaml_unknown(at, "kind", name, known, n, err);
}

static int read_axis(struct cf_drawing *drawing, const struct cf_yaml *root, struct cf_error *err)
{
    static const char *const known[] = {"linear", "logarithmic"};
    const struct cf_yaml *at = cf_yaml_get(root, "axis");
    const char *text = "linear";
    int status = at ? cf_yaml_text(at, &text, err) : CF_OK;

    if (status)
        return status;
    drawing->logarithmic = strcmp(text, known[1]) == 0;
    if (!drawing->logarithmic && strcmp(text, known[0]) != 0)
        return cf_yaml_unknown(at, "axis", text, known, 2, err);
    if (drawing->logarithmic && !drawing->kind->ranged)
        return cf_yaml_fail(at, err, "axis: a figure of kind %s has linear axes",
                            drawing->kind->name);
    return CF_OK;
}

/* [FROM, TO] of the axis x. */
static int read_range(struct cf_drawing *drawing, const struct cf_yaml *root, struct cf_error *err)
{
    const struct cf_drawn_axis *x = &drawing->kind->x;
    const struct cf_yaml *at = cf_yaml_get(root, x->key);
    int status;

    if (!drawing->kind->ranged && at)
        return cf_yaml_fail_key(at, err,
                                "%s: the curves of a figure of kind %s find their own "
                                "range",
                                x->key, drawing->kind->name);
    if (!drawing->kind->ranged)
        return CF_OK;
    status = cf_yaml_need(root, x->key, &at, err);
    if (status == CF_OK)
        status = cf_yaml_list(at, err);
    if (status == CF_OK && at->n != 2)
        status = cf_yaml_fail(at, err, "%s: %zu values: two are wanted, [FROM, TO]", x->key, at->n);
    if (status == CF_OK)
        status = cf_yaml_quantity(&at->item[0], x->unit, &drawing->from, err);
    if (status == CF_OK)
        status = cf_yaml_quantity(&at->item[1], x->unit, &drawing->to, err);
    if (status)
        return status;
    if (!(drawing->from >= x->lower && drawing->to <= x->upper))
        return cf_yaml_fail(at, err, "%s: from %.6g to %.6g%s%s: must lie in [%g, %g]", x->key,
                            drawing->from, drawing->to, strcmp(x->unit, "1") ? " " : "",
                            strcmp(x->unit, "1") ? x->unit : "", x->lower, x->upper);
    if (drawing->logarithmic && !(drawing->from > 0))
        return cf_yaml_fail(at, err, "%s: from %.6g: a logarithmic axis begins above 0", x->key,
                            drawing->from);
    if (!(drawing->to > drawing->from))
        return cf_yaml_fail(at, err, "%s: from %.6g to %.6g: the second must be the larger", x->key,
                            drawing->from, drawing->to);
    return CF_OK;
}

/* The wanted e(v). */
static int read_target(struct cf_drawing *drawing, const struct cf_yaml *root, struct cf_error *err)
{
    const struct cf_yaml *at = cf_yaml_get(root, "target");
    bool hertz;
    int status;

    if (!drawing->kind->aimed)
        return at ? cf_yaml_fail_key(at, err, "target: a figure of kind %s has none",
                                     drawing->kind->name)
                  : CF_OK;
    status = cf_yaml_need(root, "target", &at, err);
    if (status == CF_OK)
        status = cf_drawing_law(at, &cf_drawing_target_schema, NULL, NULL, &drawing->target,
                                drawing->target_p, &hertz, err);
    if (status)
        return status;
    if (drawing->target->family != CF_FAMILY_RESTITUTION)
        return cf_yaml_fail(at, err, "target: %s: a law of restitution is wanted, such as e-linear",
                            drawing->target->name);
    for (size_t i = 0; i < drawing->target->nparam; i++)
        if (isnan(drawing->target_p[i]))
            return cf_yaml_fail(at, err, "%s needs %s [%s] (%s)", drawing->target->name,
                                drawing->target->param[i].name, drawing->target->param[i].unit,
                                drawing->target->param[i].what);
    return CF_OK;
}

/* Two bodies, as in a study, or the mass alone. */
static int read_pair(struct cf_drawn_panel *panel, const struct cf_yaml *node, struct cf_error *err)
{
    const struct cf_yaml *bodies = cf_yaml_get(node, "bodies"), *mass = cf_yaml_get(node, "mass");
    struct cf_study *study;
    int status;

    panel->mass_kg = (double) NAN;
    if (bodies && mass)
        return cf_yaml_fail_key(mass, err, "mass and bodies: one of them is wanted");
    if (!bodies)
        return mass ? cf_yaml_positive(mass, "kg", &panel->mass_kg, err) : CF_OK;
    study = calloc(1, sizeof *study);
    if (!study)
        return cf_fail(err, CF_ENOMEM, "no memory for the bodies");
    status = cf_study_bodies(study, node, err);
    if (status == CF_OK)
        status = cf_study_pair(study, node, &panel->pair, err);
    panel->has_pair = status == CF_OK;
    panel->mass_kg = panel->pair.mass_kg;
    cf_study_free(study);
    return status;
}

static int read_panel(struct cf_drawing *drawing, struct cf_curves *curves,
                      const struct cf_yaml *node, const char *folder, struct cf_drawn_panel *panel,
                      struct cf_error *err)
{
    const struct cf_yaml *points = cf_yaml_get(node, "points");
    int status = read_pair(panel, node, err);

    if (status == CF_OK && points)
        status = cf_drawing_points(drawing, points, folder, &panel->points, err);
    return status == CF_OK ? cf_drawing_curves(drawing, panel, curves, node, err) : status;
}

/* One panel may stand in the file itself, several in the list `panels`. */
static int read_panels(struct cf_drawing *drawing, struct cf_curves *curves,
                       const struct cf_yaml *root, const char *folder, struct cf_error *err)
{
    const struct cf_schema_key *const keys = cf_drawing_panel_schema.key;
    const struct cf_yaml *panels = cf_yaml_get(root, "panels");
    int status = panels ? cf_yaml_list(panels, err) : CF_OK;

    if (status)
        return status;
    for (size_t i = 1; panels && i < cf_drawing_panel_schema.nkey; i++)
        if (cf_yaml_get(root, keys[i].name))
            return cf_yaml_fail_key(cf_yaml_get(root, keys[i].name), err,
                                    "%s: it belongs to one of the panels", keys[i].name);
    if (panels && (panels->n == 0 || panels->n > CF_MAX_DRAWN_PANEL))
        return cf_yaml_fail(panels, err, "panels: %zu: from 1 to %d are wanted", panels->n,
                            CF_MAX_DRAWN_PANEL);
    drawing->panel = calloc(panels ? panels->n : 1, sizeof *drawing->panel);
    if (!drawing->panel)
        return cf_fail(err, CF_ENOMEM, "no memory for the panels");
    if (!panels) {
        drawing->npanel = 1;
        return read_panel(drawing, curves, root, folder, &drawing->panel[0], err);
    }
    for (size_t i = 0; i < panels->n && status == CF_OK; i++) {
        struct cf_drawn_panel *panel = &drawing->panel[drawing->npanel++];
        status = cf_schema_check(&panels->item[i], &cf_drawing_panel_schema, err);
        if (status == CF_OK)
            status = cf_head_text(&panels->item[i], "title", &panel->title, err);
        if (status == CF_OK)
            status = read_panel(drawing, curves, &panels->item[i], folder, panel, err);
    }
    return status;
}

static int read_root(struct cf_drawing *drawing, const char *folder, struct cf_error *err)
{
    const struct cf_yaml *root = drawing->root;
    struct cf_curves *curves = NULL;
    int status = cf_head_kind(root, "figure", err);

    if (status == CF_OK)
        status = read_kind(drawing, root, err);
    if (status)
        return status;
    const char *keys[CF_DRAWING_KEYS + 1] = {[CF_DRAWING_KEYS] = drawing->kind->x.key};
    for (size_t i = 0; i < CF_DRAWING_KEYS; i++)
        keys[i] = cf_drawing_schema.key[i].name;
    status = cf_yaml_keys(root, keys, CF_DRAWING_KEYS + 1, err);
    drawing->title = drawing->name;
    if (status == CF_OK)
        status = cf_head_text(root, "title", &drawing->title, err);
    if (status == CF_OK)
        status = cf_head_text(root, "source", &drawing->source, err);
    if (status == CF_OK)
        status = cf_head_text(root, "caption", &drawing->caption, err);
    if (status == CF_OK)
        status = cf_head_notes(root, &drawing->note, &drawing->nnote, err);
    if (status == CF_OK)
        status = read_axis(drawing, root, err);
    if (status == CF_OK)
        status = read_range(drawing, root, err);
    if (status == CF_OK)
        status = read_target(drawing, root, err);
    if (status)
        return status;
    curves = cf_curves_alloc();
    status = curves ? read_panels(drawing, curves, root, folder, err)
                    : cf_fail(err, CF_ENOMEM, "no memory for curves");
    cf_curves_free(curves);
    return status;
}

struct cf_drawing *cf_drawing_read(const char *path, struct cf_error *err)
{
    struct cf_drawing *drawing = calloc(1, sizeof *drawing);
    char *folder = NULL;
    size_t len = 0;
    int status;

    if (!drawing || cf_file_names(path, &drawing->path, &drawing->name, &folder))
        status = cf_fail(err, CF_ENOMEM, "%s: no memory for the figure", path);
    else
        status = cf_file_read(path, FILE_LIMIT, &drawing->text, &len, NULL, err);
    if (status == CF_OK) {
        drawing->root = cf_yaml_parse(drawing->path, drawing->text, len, err);
        status = drawing->root ? read_root(drawing, folder, err) : CF_EINPUT;
    }
    free(folder);
    if (status == CF_OK)
        return drawing;
    cf_drawing_free(drawing);
    return NULL;
}

void cf_drawing_free(struct cf_drawing *drawing)
{
    if (!drawing)
        return;
    for (size_t i = 0; i < drawing->npanel; i++) {
        free(drawing->panel[i].curve);
        free(drawing->panel[i].points.x);
        free(drawing->panel[i].points.y);
    }
    cf_paths_clear(&drawing->read);
    free(drawing->panel);
    free(drawing->note);
    cf_yaml_free(drawing->root);
    free(drawing->text);
    free(drawing->name);
    free(drawing->path);
    free(drawing);
}
