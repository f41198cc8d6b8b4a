/* The curves of a scene's figures, by the columns of its trace. */

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "core/units.h"
#include "figure/figure_parts.h"
#include "figure/keys.h"
#include "scene/parts.h"

int cf_scene_words(const struct cf_yaml *at, const char **words, struct cf_error *err)
{
    static const char known[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                " .,()+-=/|";
    enum { MOST = 48 }; /* of a line of a key */
    char shown[CF_SHOWN];
    int status = cf_yaml_text(at, words, err);

    if (status == CF_OK && ((*words)[strspn(*words, known)] || strlen(*words) > MOST))
        status = cf_yaml_fail(at, err,
                              "%s: %s: at most %d letters, digits, blanks and .,()+-=/| are wanted",
                              at->key ? at->key : "this entry", cf_show(*words, shown), (int) MOST);
    return status;
}

/* Names of tilts are made for this alone. */
static int unknown_tilt(const struct cf_scene_table *table, const struct cf_yaml *at, size_t len,
                        struct cf_error *err)
{
    const char **known = calloc(table->n, sizeof *known);
    char *of = strndup(at->text, len);
    size_t n = 0;
    int status;

    for (size_t i = 0; i < table->n && known && of; i++)
        if (strcmp(cf_scene_quantity_of(&table->column[i])->words, "attitude") == 0 &&
            table->column[i].axis == 0)
            known[n++] = table->column[i].of;
    status = known && of ? cf_yaml_unknown(at, "body that turns", of, known, n, err)
                         : cf_fail(err, CF_ENOMEM, "no memory for names of bodies");
    free(known);
    free(of);
    return status;
}

static int unknown_column(const struct cf_scene_table *table, const struct cf_yaml *at,
                          struct cf_error *err)
{
    static const char tilt[] = "_tilt_rad";
    const char **known = NULL;
    size_t len = strlen(at->text), end = strlen(tilt);
    int status;

    if (len > end && strcmp(at->text + len - end, tilt) == 0)
        return unknown_tilt(table, at, len - end, err);
    known = calloc(table->n, sizeof *known);
    if (!known)
        return cf_fail(err, CF_ENOMEM, "no memory for names of columns");
    for (size_t i = 0; i < table->n; i++)
        known[i] = table->column[i].name;
    status = cf_yaml_unknown(at, "column", at->text, known, table->n, err);
    free(known);
    return status;
}

const struct cf_scene_quantity *cf_scene_term_quantity(const struct cf_scene_table *table,
                                                       const struct cf_scene_term *term)
{
    return term->part == CF_PART_TILT ? &cf_scene_tilt
                                      : cf_scene_quantity_of(&table->column[term->column]);
}

static const char *unit_of(const struct cf_scene_table *table, const struct cf_scene_curve *curve)
{
    return cf_scene_term_quantity(table, curve->term)->unit;
}

/* A number of the trace, or what figures make of several; its column is table->n if unknown. */
static struct cf_scene_term find_term(const struct cf_scene_table *table, const char *name)
{
    struct cf_scene_term term = {cf_scene_table_find(table, name), CF_PART_NUMBER, 1};

    if (term.column == table->n) {
        term.part = CF_PART_LENGTH;
        term.column = cf_scene_table_vector(table, name);
    }
    if (term.column == table->n) {
        term.part = CF_PART_TILT;
        term.column = cf_scene_table_tilt(table, name);
    }
    return term;
}

static int add_term(const struct cf_scene_table *table, const struct cf_yaml *at,
                    struct cf_scene_curve *curve, struct cf_error *err)
{
    const char *name = NULL, *unit;
    int status = cf_yaml_text(at, &name, err);

    if (status)
        return status;
    struct cf_scene_term term = find_term(table, name);
    if (term.column == table->n)
        return unknown_column(table, at, err);
    if (curve->nterm == CF_SCENE_MAX_TERM)
        return cf_yaml_fail(at, err, "of: at most %d columns are added up", CF_SCENE_MAX_TERM);
    unit = cf_scene_term_quantity(table, &term)->unit;
    if (curve->nterm > 0 && strcmp(unit, unit_of(table, curve)) != 0)
        return cf_yaml_fail(at, err, "of: %s is in %s, the first one in %s: they cannot be added",
                            name, unit, unit_of(table, curve));
    curve->term[curve->nterm++] = term;
    return CF_OK;
}

void cf_scene_curve_add(const struct cf_scene_table *table, struct cf_scene_curve *curve,
                        const char *column, double weight)
{
    curve->term[curve->nterm++] =
        (struct cf_scene_term){cf_scene_table_find(table, column), CF_PART_NUMBER, weight};
}

int cf_scene_curve_read(const struct cf_scene_table *table, const struct cf_yaml *at,
                        struct cf_scene_curve *curve, struct cf_error *err)
{
    const struct cf_yaml *of, *as, *less, *times;
    double factor = 1;
    int status;

    if (at->kind == CF_YAML_TEXT)
        return add_term(table, at, curve, err);
    status = cf_schema_check(at, &cf_scene_curve_schema, err);
    if (status == CF_OK)
        status = cf_yaml_need(at, "of", &of, err);
    if (status)
        return status;
    if (of->kind != CF_YAML_LIST)
        status = add_term(table, of, curve, err);
    else if (of->n == 0)
        status = cf_yaml_fail(of, err, "of: no columns: one or more are wanted");
    for (size_t i = 0; of->kind == CF_YAML_LIST && i < of->n && status == CF_OK; i++)
        status = add_term(table, &of->item[i], curve, err);
    as = cf_yaml_get(at, "as");
    less = cf_yaml_get(at, "less");
    times = cf_yaml_get(at, "times");
    if (status == CF_OK && as)
        status = cf_scene_words(as, &curve->as, err);
    if (status == CF_OK && times)
        status = cf_yaml_quantity(times, "1", &factor, err);
    for (size_t i = 0; i < curve->nterm; i++)
        curve->term[i].weight = factor;
    if (status == CF_OK && less)
        status = cf_yaml_quantity(less, unit_of(table, curve), &curve->less, err);
    return status;
}

/* [FROM, TO] of an axis. */
static int read_range(const struct cf_yaml *at, struct cf_scene_axis *axis, struct cf_error *err)
{
    double span[2] = {0, 0};
    int status = cf_scene_vector(at, axis->quantity ? axis->quantity->unit : "1", 2, span, err);

    if (status == CF_OK && !(span[1] > span[0]))
        status = cf_yaml_fail(at, err, "%s: from %.6g to %.6g: the second must be the larger",
                              at->key, span[0], span[1]);
    axis->from = span[0];
    axis->to = span[1];
    return status;
}

static int read_unit(const struct cf_yaml *at, struct cf_scene_axis *axis, struct cf_error *err)
{
    struct cf_unit unit, si;
    char shown[CF_SHOWN];
    int status = cf_yaml_text(at, &axis->unit, err);

    if (status == CF_OK && cf_unit_parse(axis->unit, &unit, err))
        return cf_yaml_blame(at, at->key, CF_EINPUT, err);
    if (status == CF_OK)
        status = cf_unit_parse(axis->quantity->unit, &si, err);
    if (status == CF_OK && !cf_unit_same_dimension(&unit, &si))
        status = cf_yaml_fail(at, err, "%s: %s: a unit like %s is wanted", at->key,
                              cf_show(axis->unit, shown), axis->quantity->unit);
    if (status == CF_OK)
        axis->factor = 1 / unit.factor;
    return status;
}

int cf_scene_axis_read(const struct cf_yaml *node, const char *as, const char *unit,
                       const char *range, struct cf_scene_axis *axis, struct cf_error *err)
{
    const struct cf_yaml *words = as ? cf_yaml_get(node, as) : NULL,
                         *shown = unit ? cf_yaml_get(node, unit) : NULL,
                         *span = range ? cf_yaml_get(node, range) : NULL;
    int status = CF_OK;

    axis->factor = 1;
    axis->from = axis->to = (double) NAN;
    if (words)
        status = cf_scene_words(words, &axis->as, err);
    if (status == CF_OK && shown)
        status = read_unit(shown, axis, err);
    if (status == CF_OK && span)
        status = read_range(span, axis, err);
    return status;
}

int cf_scene_panel_read(const struct cf_scene_table *table, const struct cf_yaml *node,
                        struct cf_scene_panel *panel, struct cf_error *err)
{
    const struct cf_yaml *y;
    int status = cf_yaml_need(node, "y", &y, err);

    if (status == CF_OK)
        status = cf_yaml_list(y, err);
    if (status == CF_OK && (y->n == 0 || y->n > CF_SCENE_MAX_CURVE))
        status = cf_yaml_fail(y, err, "y: %zu: from 1 to %d are wanted", y->n, CF_SCENE_MAX_CURVE);
    for (size_t i = 0; status == CF_OK && i < y->n; i++) {
        struct cf_scene_curve *curve = &panel->curve[panel->ncurve++];
        status = cf_scene_curve_read(table, &y->item[i], curve, err);
        if (status == CF_OK && strcmp(unit_of(table, curve), unit_of(table, panel->curve)) != 0)
            status = cf_yaml_fail(&y->item[i], err,
                                  "y: this one is in %s, the first one in %s: a panel has one axis",
                                  unit_of(table, curve), unit_of(table, panel->curve));
    }
    if (status)
        return status;
    panel->axis.quantity = cf_scene_term_quantity(table, panel->curve[0].term);
    return cf_scene_axis_read(node, "axis", "unit", "range", &panel->axis, err);
}
