#include "report/scene_key.h"

#include <string.h>

/* "normal_spring" is two words. */
static void add_words(struct cf_text *text, const char *words)
{
    for (const char *c = words; *c; c++)
        cf_text_add(text, "%c", *c == '_' ? ' ' : *c);
}

/* "v_x", "|v|", "x", "f_n", "kinetic". */
static void add_symbol(struct cf_text *text, const struct cf_scene_table *table,
                       const struct cf_scene_term *term)
{
    const struct cf_scene_quantity *quantity = cf_scene_term_quantity(table, term);
    const struct cf_scene_column *column = &table->column[term->column];

    if (term->part == CF_PART_TILT) {
        cf_text_symbol(text, quantity->symbol);
    } else if (term->part == CF_PART_LENGTH) {
        cf_text_add(text, "|");
        cf_text_symbol(text, quantity->symbol ? quantity->symbol : "r");
        cf_text_add(text, "|");
    } else if (column->part && !quantity->vector) {
        add_words(text, column->part);
    } else if (column->part && !quantity->symbol) {
        cf_text_symbol(text, column->part);
    } else if (!quantity->symbol) {
        add_words(text, quantity->words);
    } else {
        cf_text_symbol(text, quantity->symbol);
        if (column->part)
            cf_text_put(text, CF_FACE_ROMAN, -1, "%s", column->part);
    }
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

void cf_scene_key(const struct cf_scene_figures *figures, const struct cf_scene_figure *figure,
                  const struct cf_scene_panel *panel, size_t index, struct cf_text *text)
{
    const struct cf_scene_curve *curve = &panel->curve[index];

    if (figure->kind == CF_SCENE_SWEEP) {
        add_words(text, figure->lines.as);
        cf_text_add(text, " = %.4g", curve->value);
        if (*figure->lines.unit) {
            cf_text_add(text, " ");
            cf_text_unit(text, figure->lines.unit);
        }
        return;
    }
    if (figure->kind == CF_SCENE_VARIANTS) {
        add_words(text, figure->variant[index].as);
        return;
    }
    if (curve->as) {
        add_words(text, curve->as);
        return;
    }
    for (size_t i = 0; i < curve->nterm; i++) {
        cf_text_add(text, "%s", i > 0 ? " + " : "");
        add_symbol(text, figures->table, &curve->term[i]);
    }
    if (names_differ(figures->table, panel))
        cf_text_add(text, " of %s", figures->table->column[curve->term[0].column].of);
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
                add_symbol(text, figures->table, alone->term);
            }
        }
    }
    if (strcmp(unit, "1") == 0)
        return;
    cf_text_add(text, "%s%s", strpbrk(unit, "/ ") ? " / (" : " / ", axis->unit ? "" : prefix);
    cf_text_unit(text, unit);
    cf_text_add(text, "%s", strpbrk(unit, "/ ") ? ")" : "");
}
