#define _POSIX_C_SOURCE 200809L
#include "report/drawing_key.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot.h"
#include "report/plot_grid.h"

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

/* "3.1×10^{6}": four digits, powers of ten where numbers would be long. */
static size_t put_value(FILE *out, double value)
{
    char text[32];
    char *e;

    snprintf(text, sizeof text, "%.4g", value);
    e = strchr(text, 'e');
    if (!e) {
        fputs(text, out);
        return strlen(text);
    }
    *e = '\0';
    if (strcmp(text, "1") != 0)
        fprintf(out, "%s×", text);
    fprintf(out, "10^{%d}", atoi(e + 1));
    return strlen(text) + 4;
}

static size_t put_quantity(FILE *out, struct quantity q)
{
    size_t width = 4;

    cf_plot_symbol(out, q.name);
    fputs(" = ", out);
    width += put_value(out, q.value);
    if (strcmp(q.unit, "1") == 0)
        return width;
    fputc(' ', out);
    cf_plot_unit(out, q.unit);
    return width + 1 + strlen(q.unit);
}

static int make_entry(const struct cf_key *key, const struct cf_drawn_panel *panel,
                      const struct cf_drawn *curve, struct cf_key_entry *entry,
                      struct cf_error *err)
{
    const struct cf_law *law = curve->law;
    const char *between = "";

    *entry = (struct cf_key_entry){.law = law};
    FILE *out = fmemopen(entry->text, sizeof entry->text, "w");
    if (!out)
        return cf_fail(err, CF_ENOMEM, "no memory for a key");
    if (key->laws_differ) {
        entry->width += (size_t) fprintf(out, "%s", law->name);
        between = ", ";
    }
    if (curve->pulls) {
        entry->width += (size_t) fprintf(out, "%sunclamped", between);
        between = ", ";
    }
    for (size_t i = 0; i < law->nparam + 2; i++) {
        if (!differs(panel, curve, i))
            continue;
        fputs(between, out);
        entry->width += strlen(between) + put_quantity(out, quantity_of(curve, i));
        between = ", ";
    }
    if (!*between) /* curves that nothing tells apart still have a name */
        entry->width += (size_t) fprintf(out, "%s", law->name);
    fclose(out);
    return CF_OK;
}

/* The entry that has this text, or n. */
static size_t find_text(const struct cf_key *key, const char *text)
{
    size_t i = 0;
    while (i < key->n && strcmp(key->entry[i].text, text) != 0)
        i++;
    return i;
}

static int add_panel(struct cf_key *key, const struct cf_drawn_panel *panel, struct cf_error *err)
{
    key->points = key->points || panel->points.n > 0;
    for (size_t j = 0; j < panel->ncurve; j++) {
        struct cf_key_entry entry;
        int status = make_entry(key, panel, &panel->curve[j], &entry, err);
        if (status)
            return status;
        if (find_text(key, entry.text) < key->n)
            continue;
        if (key->n == CF_MAX_KEY)
            return cf_fail(err, CF_ERANGE, "%s: its key would have more than %d entries",
                           key->drawing->path, CF_MAX_KEY);
        key->entry[key->n++] = entry;
    }
    return CF_OK;
}

int cf_key_make(struct cf_key *key, const struct cf_drawing *drawing, struct cf_error *err)
{
    enum { WIDE = 24 }; /* letters that fit into a third of the width */
    size_t widest = 0;
    int status = CF_OK;

    *key = (struct cf_key){.drawing = drawing, .laws_differ = laws_differ(drawing)};
    for (size_t i = 0; i < drawing->npanel && status == CF_OK; i++)
        status = add_panel(key, &drawing->panel[i], err);
    for (size_t i = 0; i < key->n; i++) {
        widest = key->entry[i].width > widest ? key->entry[i].width : widest;
        for (size_t j = 0; j < i && key->laws_differ; j++)
            key->by_law = key->by_law || key->entry[i].law == key->entry[j].law;
    }
    key->columns = widest > WIDE || key->n + key->points < 3 ? 2 : 3;
    return status;
}

int cf_key_find(const struct cf_key *key, const struct cf_drawn_panel *panel,
                const struct cf_drawn *curve, size_t *i, struct cf_error *err)
{
    struct cf_key_entry entry;
    int status = make_entry(key, panel, curve, &entry, err);

    *i = status ? 0 : find_text(key, entry.text);
    return status;
}

size_t cf_key_lines(const struct cf_key *key)
{
    return (key->n + key->points + key->columns - 1) / key->columns;
}

/* Columns begin at even distances, or behind the widest entry. */
double cf_key_left(const struct cf_key *key, size_t entry)
{
    const double left = 0.85, step = 1.75, letter = 0.068, sample = 0.65; /* inches */
    size_t lines = cf_key_lines(key), column = entry / lines, widest = 0;

    if (key->columns > 2 || column == 0)
        return left + step * (double) column;
    for (size_t i = 0; i < lines && i < key->n; i++)
        widest = key->entry[i].width > widest ? key->entry[i].width : widest;
    return left + sample + letter * (double) widest;
}

const char *cf_key_colour(const struct cf_key *key, size_t entry)
{
    const struct cf_law *law = key->entry[entry].law;
    size_t n = 0;

    if (!key->by_law)
        return cf_line_colour(entry);
    for (size_t i = 0; i < entry && key->entry[i].law != law; i++) {
        bool before = false;
        for (size_t j = 0; j < i; j++)
            before = before || key->entry[j].law == key->entry[i].law;
        n += !before;
    }
    return cf_line_colour(n);
}
