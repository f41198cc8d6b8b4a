#define _POSIX_C_SOURCE 200809L

#include "report/scene_key.h"

#include <string.h>

#include "report/plot.h"

/* A name of a body or contact, in which "_" is no index. */
static size_t put_name(FILE *out, const char *name)
{
    for (const char *c = name; *c; c++)
        fprintf(out, *c == '_' ? "\\%c" : "%c", *c);
    return strlen(name);
}

/* "normal_spring" is two words. */
static size_t put_words(FILE *out, const char *words)
{
    for (const char *c = words; *c; c++)
        fputc(*c == '_' ? ' ' : *c, out);
    return strlen(words);
}

/* "v_x", "|v|", "x", "f_n", "kinetic". */
static size_t put_symbol(FILE *out, const struct cf_scene_column *column, bool length)
{
    const struct cf_scene_quantity *quantity = cf_scene_quantity_of(column);

    if (length) {
        fputc('|', out);
        cf_plot_symbol(out, quantity->symbol ? quantity->symbol : "r");
        fputc('|', out);
        return 3;
    }
    if (column->part && !quantity->vector)
        return put_words(out, column->part);
    if (column->part && !quantity->symbol) {
        cf_plot_symbol(out, column->part);
        return 1;
    }
    if (!quantity->symbol)
        return put_words(out, quantity->words);
    cf_plot_symbol(out, quantity->symbol);
    if (column->part)
        fprintf(out, "_{%s}", column->part);
    return 2;
}

/* Do the curves of a panel tell of several bodies? */
static bool names_differ(const struct cf_scene_table *table, const struct cf_scene_panel *panel)
{
    const char *of = table->column[panel->curve[0].term[0].column].of;

    for (size_t i = 1; i < panel->ncurve; i++)
        if (strcmp(table->column[panel->curve[i].term[0].column].of, of) != 0)
            return true;
    return false;
}

size_t cf_scene_key(const struct cf_scene_figures *figures, const struct cf_scene_figure *figure,
                    const struct cf_scene_panel *panel, size_t index, char text[CF_SCENE_KEY])
{
    const struct cf_scene_curve *curve = &panel->curve[index];
    size_t width = 0;
    FILE *out = fmemopen(text, CF_SCENE_KEY, "w");

    text[0] = '\0';
    if (!out)
        return 0;
    if (figure->kind == CF_SCENE_SWEEP) {
        width = put_words(out, figure->lines.as) + 3;
        width += (size_t) fprintf(out, " = %.4g", curve->value);
        if (*figure->lines.unit) {
            fputc(' ', out);
            cf_plot_unit(out, figure->lines.unit);
            width += 1 + strlen(figure->lines.unit);
        }
    } else if (curve->as) {
        width = put_words(out, curve->as);
    } else {
        for (size_t i = 0; i < curve->nterm; i++) {
            if (i > 0)
                width += (size_t) fprintf(out, " + ");
            width += put_symbol(out, &figures->table->column[curve->term[i].column],
                                curve->term[i].length);
        }
        if (names_differ(figures->table, panel)) {
            fputs(" of ", out);
            width += 4 + put_name(out, figures->table->column[curve->term[0].column].of);
        }
    }
    fclose(out);
    return width;
}

void cf_scene_axis_name(const struct cf_scene_figures *figures, const struct cf_scene_axis *axis,
                        const struct cf_scene_curve *alone, const char *prefix, FILE *script)
{
    const struct cf_scene_quantity *quantity = axis->quantity;
    const char *unit = axis->unit ? axis->unit : quantity ? quantity->unit : "1";

    if (axis->as)
        put_words(script, axis->as);
    else if (alone && alone->as)
        put_words(script, alone->as);
    else {
        fputs(quantity->words, script);
        if (alone && alone->nterm == 1) {
            const struct cf_scene_column *column = &figures->table->column[alone->term[0].column];
            if (quantity->symbol || column->part) {
                fputc(' ', script);
                put_symbol(script, column, alone->term[0].length);
            }
        }
    }
    if (strcmp(unit, "1") == 0)
        return;
    fputs(strpbrk(unit, "/ ") ? " / (" : " / ", script);
    fputs(axis->unit ? "" : prefix, script);
    cf_plot_unit(script, unit);
    fputs(strpbrk(unit, "/ ") ? ")" : "", script);
}
