#include "report/scene_key.h"

#include <stdio.h>
#include <string.h>

/* "normal_spring" is two words. */
static size_t add_words(struct cf_text *text, const char *words)
{
    for (const char *c = words; *c; c++)
        cf_text_add(text, "%c", *c == '_' ? ' ' : *c);
    return strlen(words);
}

/* "v_x", "|v|", "x", "f_n", "kinetic". */
static size_t add_symbol(struct cf_text *text, const struct cf_scene_column *column, bool length)
{
    const struct cf_scene_quantity *quantity = cf_scene_quantity_of(column);

    if (length) {
        cf_text_add(text, "|");
        cf_text_symbol(text, quantity->symbol ? quantity->symbol : "r");
        cf_text_add(text, "|");
        return 3;
    }
    if (column->part && !quantity->vector)
        return add_words(text, column->part);
    if (column->part && !quantity->symbol) {
        cf_text_symbol(text, column->part);
        return 1;
    }
    if (!quantity->symbol)
        return add_words(text, quantity->words);
    cf_text_symbol(text, quantity->symbol);
    if (column->part)
        cf_text_put(text, CF_FACE_ROMAN, -1, "%s", column->part);
    return 2;
}

/* Do the curves of a panel belong to several bodies? */
static bool names_differ(const struct cf_scene_table *table, const struct cf_scene_panel *panel)
{
    const char *of = table->column[panel->curve[0].term[0].column].of;

    for (size_t i = 1; i < panel->ncurve; i++)
        if (strcmp(table->column[panel->curve[i].term[0].column].of, of) != 0)
            return true;
    return false;
}

size_t cf_scene_key(const struct cf_scene_figures *figures, const struct cf_scene_figure *figure,
                    const struct cf_scene_panel *panel, size_t index, struct cf_text *text)
{
    const struct cf_scene_curve *curve = &panel->curve[index];
    size_t width = 0;

    if (figure->kind == CF_SCENE_SWEEP) {
        char value[32];
        int digits = snprintf(value, sizeof value, " = %.4g", curve->value);
        width = add_words(text, figure->lines.as) + 3 + (size_t) digits;
        cf_text_add(text, "%s", value);
        if (*figure->lines.unit) {
            cf_text_add(text, " ");
            cf_text_unit(text, figure->lines.unit);
            width += 1 + strlen(figure->lines.unit);
        }
        return width;
    }
    if (curve->as)
        return add_words(text, curve->as);
    for (size_t i = 0; i < curve->nterm; i++) {
        cf_text_add(text, "%s", i > 0 ? " + " : "");
        width += (i > 0 ? 3 : 0) + add_symbol(text, &figures->table->column[curve->term[i].column],
                                              curve->term[i].length);
    }
    if (names_differ(figures->table, panel)) {
        const char *of = figures->table->column[curve->term[0].column].of;
        cf_text_add(text, " of %s", of);
        width += 4 + strlen(of);
    }
    return width;
}

void cf_scene_axis_name(const struct cf_scene_figures *figures, const struct cf_scene_axis *axis,
                        const struct cf_scene_curve *alone, const char *prefix,
                        struct cf_text *text)
{
    const struct cf_scene_quantity *quantity = axis->quantity;
    const char *unit = axis->unit ? axis->unit : quantity ? quantity->unit : "1";

    if (axis->as)
        add_words(text, axis->as);
    else if (alone && alone->as)
        add_words(text, alone->as);
    else {
        cf_text_add(text, "%s", quantity->words);
        if (alone && alone->nterm == 1) {
            const struct cf_scene_column *column = &figures->table->column[alone->term[0].column];
            if (quantity->symbol || column->part) {
                cf_text_add(text, " ");
                add_symbol(text, column, alone->term[0].length);
            }
        }
    }
    if (strcmp(unit, "1") == 0)
        return;
    cf_text_add(text, "%s%s", strpbrk(unit, "/ ") ? " / (" : " / ", axis->unit ? "" : prefix);
    cf_text_unit(text, unit);
    cf_text_add(text, "%s", strpbrk(unit, "/ ") ? ")" : "");
}
