#include "report/drawing_key.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/law_style.h"
#include "report/line_style.h"

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool laws_differ(const struct cf_drawing *drawing)
{
    const struct cf_law *law = drawing->panel[0].curve[0].law;

    for (size_t i = 0; i < drawing->npanel; i++)
        for (size_t j = 0; j < drawing->panel[i].ncurve; j++)
            if (drawing->panel[i].curve[j].law != law)
                return true;
    return false;
}

/* What a curve is drawn for: its parameters, then mass and speed. */
struct quantity {
    const char *name, *unit;
    double value;
};

static struct quantity quantity_of(const struct cf_drawn *curve, size_t i)
{
    const struct cf_law *law = curve->law;

    if (i < law->nparam)
        return (struct quantity){law->param[i].name, law->param[i].unit, curve->p[i]};
    return i == law->nparam ? (struct quantity){"m", "kg", curve->mass_kg}
                            : (struct quantity){"v", "m/s", curve->speed_m_s};
}

/* Do the curves of a law differ in quantity i? */
static bool differs(const struct cf_drawn_panel *panel, const struct cf_drawn *curve, size_t i)
{
    for (size_t j = 0; j < panel->ncurve; j++)
        if (panel->curve[j].law == curve->law &&
            !same(quantity_of(&panel->curve[j], i).value, quantity_of(curve, i).value))
            return true;
    return false;
}

/* Four digits, and powers of ten where numbers would be long. */
static void add_value(struct cf_text *text, double value)
{
    char digits[32];
    char *e;

    snprintf(digits, sizeof digits, "%.4g", value);
    e = strchr(digits, 'e');
    if (e)
        *e = '\0';
    if (!e || strcmp(digits, "1") != 0)
        cf_text_add(text, e ? "%s×" : "%s", digits);
    if (e)
        cf_text_power(text, atoi(e + 1));
}

static void add_quantity(struct cf_text *text, struct quantity q)
{
    cf_text_symbol(text, q.name);
    cf_text_add(text, " = ");
    add_value(text, q.value);
    if (strcmp(q.unit, "1") == 0)
        return;
    cf_text_add(text, " ");
    cf_text_unit(text, q.unit);
}

static struct cf_legend_entry make_entry(const struct cf_legend *legend,
                                         const struct cf_drawn_panel *panel,
                                         const struct cf_drawn *curve)
{
    const struct cf_law *law = curve->law;
    struct cf_legend_entry entry = {.law = law};
    const char *between = "";

    if (legend->laws_differ) {
        cf_text_add(&entry.text, "%s", law->name);
        between = ", ";
    }
    if (curve->pulls) {
        cf_text_add(&entry.text, "%sunclamped", between);
        between = ", ";
    }
    for (size_t i = 0; i < law->nparam + 2; i++) {
        if (!differs(panel, curve, i))
            continue;
        cf_text_add(&entry.text, "%s", between);
        add_quantity(&entry.text, quantity_of(curve, i));
        between = ", ";
    }
    if (!*between) /* curves that differ in nothing still have a name */
        cf_text_add(&entry.text, "%s", law->name);
    return entry;
}

/* The entry that has this text, or n. */
static size_t find_text(const struct cf_legend *legend, const struct cf_text *text)
{
    size_t i = 0;
    while (i < legend->n && !cf_text_same(&legend->entry[i].text, text))
        i++;
    return i;
}

static int add_panel(struct cf_legend *legend, const struct cf_drawn_panel *panel,
                     struct cf_error *err)
{
    legend->points = legend->points || panel->points.n > 0;
    for (size_t j = 0; j < panel->ncurve; j++) {
        struct cf_legend_entry entry = make_entry(legend, panel, &panel->curve[j]);
        if (find_text(legend, &entry.text) < legend->n)
            continue;
        if (legend->n == CF_MAX_LEGEND)
            return cf_fail(err, CF_ERANGE, "%s: its key would have more than %d entries",
                           legend->drawing->path, CF_MAX_LEGEND);
        legend->entry[legend->n++] = entry;
    }
    return CF_OK;
}

int cf_legend_make(struct cf_legend *legend, const struct cf_drawing *drawing, struct cf_error *err)
{
    int status = CF_OK;

    *legend = (struct cf_legend){.drawing = drawing, .laws_differ = laws_differ(drawing)};
    for (size_t i = 0; i < drawing->npanel && status == CF_OK; i++)
        status = add_panel(legend, &drawing->panel[i], err);
    for (size_t i = 0; i < legend->n; i++)
        for (size_t j = 0; j < i && legend->laws_differ; j++)
            legend->by_law = legend->by_law || legend->entry[i].law == legend->entry[j].law;
    return status;
}

size_t cf_legend_find(const struct cf_legend *legend, const struct cf_drawn_panel *panel,
                      const struct cf_drawn *curve)
{
    const struct cf_legend_entry entry = make_entry(legend, panel, curve);
    return find_text(legend, &entry.text);
}

struct cf_style cf_legend_style(const struct cf_legend *legend, size_t entry)
{
    const struct cf_law *law = legend->entry[entry].law;
    struct cf_style style = cf_law_style(law->name);

    style.width = 2;
    if (!legend->laws_differ)
        style.colour = cf_line_colour(entry);
    if (!legend->laws_differ || legend->by_law)
        style.dash = cf_line_dash(entry);
    return style;
}
