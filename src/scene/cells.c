/* Cells of a body, for contacts over a volume of interference: forms, and what primitives have in
 * common. */

#include <stdlib.h>
#include <string.h>

#include "scene/keys.h"
#include "scene/parts.h"
#include "scene/primitives.h"
#include "scene/solid.h"

enum { MAX_CELL = 4096, MAX_CUT = 1000, MAX_KNOWN = 32 };

static int no_memory(struct cf_error *err)
{
    return cf_fail(err, CF_ENOMEM, "no memory for cells");
}

/* One more cell, like the one given; what its piece owns goes over. */
static int add_cell(const struct cf_yaml *at, const struct cf_cell *like, struct cf_rigid *body,
                    struct cf_error *err)
{
    struct cf_error why = {""};
    struct cf_cell *cell;

    if (body->ncell == MAX_CELL)
        return cf_yaml_fail(at, err, "more than %d cells", (int) MAX_CELL);
    cell = realloc(body->cell, (body->ncell + 1) * sizeof *cell);
    if (!cell)
        return no_memory(err);
    body->cell = cell;
    cell[body->ncell] = *like;
    int status = cf_cell_make(&cell[body->ncell++], &why);
    return status == CF_ERANGE ? cf_yaml_fail(at, err, "%s", why.text)
           : status            ? cf_fail(err, status, "%s", why.text)
                               : CF_OK;
}

/* A box in one piece or cut into many along its axes. */
static int cut_box(const struct cf_yaml *node, const struct cf_cell *whole,
                   const unsigned long long cut[3], struct cf_rigid *body, struct cf_error *err)
{
    int status = CF_OK;

    for (unsigned long long k = 0; k < cut[0] * cut[1] * cut[2] && status == CF_OK; k++) {
        const unsigned long long at[3] = {k % cut[0], k / cut[0] % cut[1], k / cut[0] / cut[1]};
        struct cf_cell part = *whole;
        for (int a = 0; a < 3; a++) {
            double size = whole->piece.size_m[a], share = ((double) at[a] + 0.5) / (double) cut[a];
            part.piece.size_m[a] = size / (double) cut[a];
            for (int b = 0; b < 3; b++)
                part.at.origin_m[b] += whole->at.turn[b][a] * (share - 0.5) * size;
        }
        status = add_cell(node, &part, body, err);
    }
    return status;
}

static int read_cell_box(const struct cf_yaml *node, struct cf_cell *cell, struct cf_rigid *body,
                         struct cf_error *err)
{
    const struct cf_yaml *size, *cut = cf_yaml_get(node, "cut");
    unsigned long long n[3] = {1, 1, 1};
    int status = cf_schema_check(node, &cf_scene_cell_box_schema, err);

    if (status == CF_OK)
        status = cf_yaml_need(node, "size", &size, err);
    if (status == CF_OK)
        status = cf_scene_vector(size, "m", 3, cell->piece.size_m, err);
    if (status == CF_OK)
        status = cf_scene_place(node, &cell->at, err);
    if (status == CF_OK && cut)
        status = cf_yaml_list(cut, err);
    if (status == CF_OK && cut && cut->n != 3)
        return cf_yaml_fail(cut, err, "cut: %zu numbers: 3 are wanted", cut->n);
    for (int i = 0; i < 3 && status == CF_OK && cut; i++)
        status = cf_yaml_whole(&cut->item[i], 1, MAX_CUT, &n[i], err);
    return status == CF_OK ? cut_box(node, cell, n, body, err) : status;
}

/* A form whose sizes are numbers by name. */
static int read_cell_form(const struct cf_yaml *node, struct cf_cell *cell, struct cf_rigid *body,
                          struct cf_error *err)
{
    const struct cf_form *form = cell->piece.form;
    const char *keys[CF_FORM_SIZES + 2] = {"center", "attitude"};
    int status;

    for (size_t i = 0; i < form->nsize; i++)
        keys[2 + i] = form->size[i].name;
    status = cf_yaml_keys(node, keys, 2 + form->nsize, err);
    for (size_t i = 0; i < form->nsize && status == CF_OK; i++) {
        const struct cf_yaml *at;
        status = cf_yaml_need(node, form->size[i].name, &at, err);
        if (status == CF_OK)
            status = cf_yaml_quantity(at, form->size[i].unit, &cell->piece.size_m[i], err);
    }
    if (status == CF_OK)
        status = cf_scene_place(node, &cell->at, err);
    return status == CF_OK ? add_cell(node, cell, body, err) : status;
}

static int read_cell_polytope(const struct cf_yaml *node, struct cf_cell *cell,
                              struct cf_rigid *body, struct cf_error *err)
{
    struct cf_polytope *polytope;
    int status = cf_scene_polytope(node, &polytope, &cell->at, err);

    cell->piece.polytope = polytope;
    if (status == CF_OK)
        return add_cell(node, cell, body, err);
    cf_cell_free(cell);
    return status;
}

/* What primitives have in common; one by its own name, if there is no form of it. */
static int read_cell_parts(const struct cf_yaml *node, struct cf_cell *cell, struct cf_rigid *body,
                           struct cf_error *err)
{
    int status;

    if (strcmp(node->key, "intersection") == 0) {
        status = cf_scene_intersection(node, &cell->part, &cell->npart, err);
    } else {
        cell->part = calloc(1, sizeof *cell->part);
        cell->npart = 1;
        status = cell->part ? cf_scene_primitive(node, cell->part, err) : no_memory(err);
    }
    if (status == CF_OK)
        return add_cell(node, cell, body, err);
    cf_cell_free(cell);
    return status;
}

/* Forms, for which there are exact volumes, and primitives. */
static size_t list_forms(const char *known[MAX_KNOWN])
{
    size_t n = 0;

    known[n++] = "intersection";
    for (const struct cf_form *const *form = cf_forms; *form && n < MAX_KNOWN; form++)
        known[n++] = (*form)->name;
    for (const struct cf_primitive *const *row = cf_primitives; *row && n < MAX_KNOWN; row++)
        if (!cf_form_find((*row)->name))
            known[n++] = (*row)->name;
    return n;
}

static int read_cell(const struct cf_yaml *at, struct cf_rigid *body, struct cf_error *err)
{
    const char *known[MAX_KNOWN];
    struct cf_cell cell = {.piece = {.form = NULL}};
    int status = cf_yaml_map(at, err);

    if (status == CF_OK && at->n != 1)
        status = cf_yaml_fail(at, err, "cells: %zu forms in one entry: one is wanted", at->n);
    if (status)
        return status;
    const struct cf_yaml *node = &at->item[0];
    cell.piece.form = cf_form_find(node->key);
    if (strcmp(node->key, "intersection") == 0 ||
        (!cell.piece.form && cf_primitive_find(node->key)))
        return read_cell_parts(node, &cell, body, err);
    if (!cell.piece.form)
        return cf_yaml_unknown(node, "form of a cell", node->key, known, list_forms(known), err);
    if (strcmp(node->key, "box") == 0)
        return read_cell_box(node, &cell, body, err);
    if (strcmp(node->key, "polytope") == 0)
        return read_cell_polytope(node, &cell, body, err);
    return read_cell_form(node, &cell, body, err);
}

/* One box or sphere about the mass centre gives the inertia. */
static int find_inertia(const struct cf_yaml *only, struct cf_scene_shape *shape,
                        struct cf_error *err)
{
    if (cf_yaml_get(only, "center") || cf_yaml_get(only, "attitude"))
        return CF_OK;
    shape->centred = strcmp(only->key, "sphere") == 0;
    if (shape->centred)
        return cf_yaml_positive(cf_yaml_get(only, "radius"), "m", &shape->radius_m, err);
    shape->box = strcmp(only->key, "box") == 0;
    return shape->box ? cf_scene_vector(cf_yaml_get(only, "size"), "m", 3, shape->side_m, err)
                      : CF_OK;
}

int cf_scene_cells(const struct cf_yaml *list, struct cf_rigid *body, struct cf_scene_shape *shape,
                   struct cf_error *err)
{
    int status = cf_yaml_list(list, err);

    if (status == CF_OK && list->n == 0)
        status = cf_yaml_fail(list, err, "cells: none: one or more are wanted");
    for (size_t i = 0; i < list->n && status == CF_OK; i++)
        status = read_cell(&list->item[i], body, err);
    return status || list->n > 1 ? status : find_inertia(&list->item[0].item[0], shape, err);
}
