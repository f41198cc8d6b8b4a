/* Drawing a figure file: panels side by side, one key for all of them below.
 *
 * Texts of the file never reach gnuplot: the key is made of the laws' names and of those
 * parameters in which the curves of a law differ; titles and captions stand in HTML.
 */

#define _POSIX_C_SOURCE 200809L

#include "report/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/image.h"
#include "report/plot.h"
#include "report/plot_grid.h"

/* Names of axes, by the key of the quantity. */
static const struct axis_name {
    const char *key, *words, *in_short, *symbol;
} axis_names[] = {
    {"speed", "approach speed", "approach speed", "{/:Italic v}"},
    {"restitution", "coefficient of restitution", "restitution", "{/:Italic e}"},
    {"ratio", "restitution, obtained over wanted", "obtained / wanted", NULL},
    {"damping_factor", "damping factor", "damping factor", "{/:Italic d}"},
    {"depth", "compression", "compression", "{/:Italic z}"},
    {"force", "force", "force", "{/:Italic F}"},
};

enum { MAX_KEY = 24, LEGEND = 320 };

/* An entry of the key, and what it stands for. */
struct entry {
    char text[LEGEND]; /* enhanced */
    size_t width;      /* letters, about */
    const struct cf_law *law;
};

struct sketch {
    const struct cf_drawing *drawing;
    FILE *script;
    struct cf_grid grid;
    struct cf_range x, y; /* of all panels, with their prefixes */
    struct cf_prefix px, py;
    size_t nkey;
    struct entry key[MAX_KEY];
    bool points; /* some panel has points: the last entry of the key */
    bool by_law; /* a colour a law, for laws with several curves */
    bool shown[MAX_KEY + 1];
    size_t columns; /* of the key */
};

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Is there more than one law in the whole drawing? */
static bool laws_differ(const struct cf_drawing *drawing)
{
    const struct cf_law *law = drawing->panel[0].curve[0].law;

    for (size_t i = 0; i < drawing->npanel; i++)
        for (size_t j = 0; j < drawing->panel[i].ncurve; j++)
            if (drawing->panel[i].curve[j].law != law)
                return true;
    return false;
}

/* Do the curves of a law differ in parameter i, or (i == nparam) in speed? */
static bool differs(const struct cf_drawn_panel *panel, const struct cf_drawn *curve, size_t i)
{
    for (size_t j = 0; j < panel->ncurve; j++) {
        const struct cf_drawn *other = &panel->curve[j];
        if (other->law != curve->law)
            continue;
        if (i == curve->law->nparam ? !same(other->speed_m_s, curve->speed_m_s)
                                    : !same(other->p[i], curve->p[i]))
            return true;
    }
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

static size_t put_parameter(FILE *out, const char *name, double value, const char *unit)
{
    size_t width = 4;

    cf_plot_symbol(out, name);
    fputs(" = ", out);
    width += put_value(out, value);
    if (strcmp(unit, "1") == 0)
        return width;
    fputc(' ', out);
    cf_plot_unit(out, unit);
    return width + 1 + strlen(unit);
}

static int make_entry(const struct sketch *s, const struct cf_drawn_panel *panel,
                      const struct cf_drawn *curve, struct entry *entry, struct cf_error *err)
{
    const struct cf_law *law = curve->law;
    FILE *out = fmemopen(entry->text, sizeof entry->text, "w");
    const char *between = "";

    if (!out)
        return cf_fail(err, CF_ENOMEM, "no memory for a key");
    *entry = (struct entry){.law = law};
    if (laws_differ(s->drawing)) {
        fputs(law->name, out);
        entry->width += strlen(law->name);
        between = ", ";
    }
    if (curve->pulls)
        entry->width += (size_t) fprintf(out, "%sunclamped", between);
    for (size_t i = 0; i <= law->nparam; i++) {
        if (!differs(panel, curve, i))
            continue;
        fputs(between, out);
        between = ", ";
        entry->width += i < law->nparam ? put_parameter(out, law->param[i].name, curve->p[i],
                                                        law->param[i].unit)
                                        : put_parameter(out, "v", curve->speed_m_s, "m/s");
    }
    if (ftell(out) == 0) /* curves that nothing tells apart still have a name */
        entry->width += (size_t) fprintf(out, "%s", law->name);
    fclose(out);
    return CF_OK;
}

/* The entry of the key that has this text. */
static size_t find_entry(const struct sketch *s, const char *text)
{
    size_t i = 0;
    while (i < s->nkey && strcmp(s->key[i].text, text) != 0)
        i++;
    return i;
}

static int make_key(struct sketch *s, struct cf_error *err)
{
    enum { WIDE = 24 }; /* letters that fit into a third of the width */
    const struct cf_drawing *drawing = s->drawing;
    size_t widest = 0;

    for (size_t i = 0; i < drawing->npanel; i++) {
        const struct cf_drawn_panel *panel = &drawing->panel[i];
        s->points = s->points || panel->points.n > 0;
        for (size_t j = 0; j < panel->ncurve; j++) {
            struct entry entry;
            int status = make_entry(s, panel, &panel->curve[j], &entry, err);
            if (status)
                return status;
            if (find_entry(s, entry.text) < s->nkey)
                continue;
            if (s->nkey == MAX_KEY)
                return cf_fail(err, CF_ERANGE, "the key of %s has more than %d entries",
                               drawing->path, MAX_KEY);
            widest = entry.width > widest ? entry.width : widest;
            s->key[s->nkey++] = entry;
        }
    }
    s->columns = widest > WIDE || s->nkey + s->points < 3 ? 2 : 3;
    for (size_t i = 0; i < s->nkey; i++)
        for (size_t j = 0; j < i; j++)
            s->by_law = s->by_law || (s->key[i].law == s->key[j].law && laws_differ(drawing));
    return CF_OK;
}

static size_t law_index(const struct sketch *s, const struct cf_law *law)
{
    size_t n = 0;
    for (size_t i = 0; i < s->nkey && s->key[i].law != law; i++) {
        bool before = false;
        for (size_t j = 0; j < i; j++)
            before = before || s->key[j].law == s->key[i].law;
        n += !before;
    }
    return n;
}

static const double key_line_in = 0.2;

static size_t key_lines(const struct sketch *s)
{
    return (s->nkey + s->points + s->columns - 1) / s->columns;
}

static void make_grid(struct sketch *s)
{
    size_t n = s->drawing->npanel;
    struct cf_grid *g = &s->grid;

    g->columns = n > 1 ? 2 : 1;
    g->rows = (n + g->columns - 1) / g->columns;
    g->margin_left = 0.3;
    g->margin_bottom = 0.34 + key_line_in * (double) key_lines(s);
    g->width = (CF_FIGURE_WIDTH - g->margin_left) / (double) g->columns;
    g->height = n > 1 ? 2.05 : 3.5;
    g->left = n > 1 ? 0.45 : 0.62;
    g->right = 0.14;
    g->bottom = 0.34;
    g->above = n > 1 ? 0.3 : 0.12;
}

/* Where a column of the key begins [inches]: at even distances, or behind the widest entry. */
static double key_column(const struct sketch *s, size_t column)
{
    const double left = 0.85, step = 1.75, letter = 0.068, sample = 0.65;
    size_t lines = key_lines(s), widest = 0;

    if (s->columns > 2 || column == 0)
        return left + step * (double) column;
    for (size_t i = 0; i < lines && i < s->nkey; i++)
        widest = s->key[i].width > widest ? s->key[i].width : widest;
    return left + sample + letter * (double) widest;
}

/* The key runs down its columns, so that the curves of a law stand below each other; one line runs
 * across. */
static void put_title(struct sketch *s, size_t entry)
{
    size_t lines = key_lines(s);
    double x = key_column(s, entry / lines);
    double y = s->grid.margin_bottom - 0.34 - key_line_in * ((double) (entry % lines) + 0.5);
    bool last = entry == s->nkey;

    if (s->shown[entry]) {
        fputs("notitle", s->script);
        return;
    }
    s->shown[entry] = true;
    fprintf(s->script, "title '%s' at screen %.6f, screen %.6f",
            last ? "points" : s->key[entry].text, x / cf_grid_width(&s->grid),
            y / cf_grid_height(&s->grid));
}

static void put_curves(const struct sketch *s, size_t i)
{
    const struct cf_drawn_panel *panel = &s->drawing->panel[i];

    for (size_t j = 0; j < panel->ncurve; j++) {
        cf_plot_begin(s->script, "curve%zu_%zu", i, j);
        for (int k = 0; k < CF_DRAWN_POINTS; k++) {
            cf_plot_number(s->script, panel->curve[j].x[k] * s->px.factor);
            cf_plot_number(s->script, panel->curve[j].y[k] * s->py.factor);
            fputc('\n', s->script);
        }
        cf_plot_end(s->script);
    }
    if (!panel->points.n)
        return;
    cf_plot_begin(s->script, "points%zu", i);
    for (size_t k = 0; k < panel->points.n; k++)
        fprintf(s->script, "%.17g %.17g\n", panel->points.x[k] * s->px.factor,
                panel->points.y[k] * s->py.factor);
    cf_plot_end(s->script);
}

static const struct axis_name *name_of(const char *key)
{
    size_t i = 0;
    while (i + 1 < sizeof axis_names / sizeof *axis_names && strcmp(axis_names[i].key, key) != 0)
        i++;
    return &axis_names[i];
}

/* Below the lowest panel of each column, and to the left of the first of each row. */
static void put_label(struct sketch *s, char axis, size_t i)
{
    const struct cf_drawn_axis *a = axis == 'x' ? &s->drawing->kind->x : &s->drawing->kind->y;
    const char *prefix = axis == 'x' ? s->px.symbol : s->py.symbol;
    const struct axis_name *name = name_of(a->key);
    size_t column = i % s->grid.columns, row = i / s->grid.columns;

    if (axis == 'x' ? i + s->grid.columns < s->drawing->npanel : column > 0) {
        fprintf(s->script, "unset label %d\n", axis == 'x' ? 2 : 3);
        return;
    }
    cf_grid_label_begin(s->script, axis);
    fputs(s->drawing->npanel > 1 ? name->in_short : name->words, s->script);
    if (name->symbol)
        fprintf(s->script, " %s", name->symbol);
    if (strcmp(a->unit, "1") != 0) {
        fprintf(s->script, strchr(a->unit, '/') ? " / (%s" : " / %s", prefix);
        cf_plot_unit(s->script, a->unit);
        fputs(strchr(a->unit, '/') ? ")" : "", s->script);
    }
    cf_grid_label_end(s->script, &s->grid, axis, column, row);
}

static void put_axes(struct sketch *s, size_t i)
{
    enum { ROOMY = 300, NARROW = 20 }; /* factor spanned up to which 2 and 5 are labelled, too */
    const double share = 0.06, near_zero = 0.35;
    struct cf_range x = s->x, y = s->y;

    if (s->drawing->logarithmic) {
        cf_plot_log_range(s->script, 'x', x, s->grid.columns > 1 ? NARROW : ROOMY);
    } else {
        fputs("unset logscale x\n", s->script);
        x.low = x.low > 0 && x.low < near_zero * x.high ? 0 : x.low;
        if (!s->drawing->kind->ranged) /* room for the turn of a loop */
            x.high += share * (x.high - x.low);
        cf_plot_range(s->script, 'x', x);
    }
    bool positive = y.low >= 0, from_zero = positive && y.low < near_zero * y.high;
    cf_range_pad(&y, share);
    if (from_zero)
        y.low = 0;
    cf_plot_range(s->script, 'y', y);
    fputs(positive ? "unset xzeroaxis\n"
                   : "set xzeroaxis linetype 1 linewidth 1 linecolor rgb '" CF_INK "'\n",
          s->script);
    put_label(s, 'x', i);
    put_label(s, 'y', i);
}

static int draw_panel(struct sketch *s, size_t i, struct cf_error *err)
{
    const struct cf_drawn_panel *panel = &s->drawing->panel[i];
    bool begun = false;
    int status = CF_OK;

    put_curves(s, i);
    cf_grid_place(s->script, &s->grid, i % s->grid.columns, i / s->grid.columns);
    if (s->drawing->npanel > 1)
        fprintf(s->script, "set label 1 '{/:Bold %c}' at graph 0, graph 1 left offset 0,0.6\n",
                (char) ('A' + (int) i));
    put_axes(s, i);
    for (size_t j = 0; j < panel->ncurve; j++) {
        struct entry entry;
        status = make_entry(s, panel, &panel->curve[j], &entry, err);
        if (status)
            return status;
        size_t k = find_entry(s, entry.text);
        cf_plot_clause(s->script, &begun);
        fprintf(s->script,
                "$curve%zu_%zu using 1:2 with lines linewidth 2 dashtype %s linecolor rgb '%s' ", i,
                j, cf_line_dash(k), cf_line_colour(s->by_law ? law_index(s, entry.law) : k));
        put_title(s, k);
    }
    if (panel->points.n) {
        cf_plot_clause(s->script, &begun);
        fprintf(s->script,
                "$points%zu using 1:2 with points pointtype 6 pointsize 0.8 linewidth 1.2 "
                "linecolor rgb '" CF_INK "' ",
                i);
        put_title(s, s->nkey);
    }
    fputc('\n', s->script);
    return CF_OK;
}

/* Ranges and prefixes that serve all panels, so that they can be compared. */
static void find_ranges(struct sketch *s)
{
    for (size_t i = 0; i < s->drawing->npanel; i++) {
        const struct cf_drawn_panel *panel = &s->drawing->panel[i];
        for (size_t j = 0; j < panel->ncurve; j++)
            for (int k = 0; k < CF_DRAWN_POINTS; k++) {
                cf_range_include(&s->x, panel->curve[j].x[k]);
                cf_range_include(&s->y, panel->curve[j].y[k]);
            }
        for (size_t k = 0; k < panel->points.n; k++) {
            cf_range_include(&s->x, panel->points.x[k]);
            cf_range_include(&s->y, panel->points.y[k]);
        }
    }
    s->px = cf_plot_prefix(s->drawing->kind->x.unit, fmax(fabs(s->x.low), fabs(s->x.high)));
    s->py = cf_plot_prefix(s->drawing->kind->y.unit, fmax(fabs(s->y.low), fabs(s->y.high)));
    s->x.low *= s->px.factor;
    s->x.high *= s->px.factor;
    s->y.low *= s->py.factor;
    s->y.high *= s->py.factor;
}

static int draw(const void *what, FILE *script, struct cf_error *err)
{
    struct sketch s = *(const struct sketch *) what;
    int status = CF_OK;

    s.script = script;
    cf_plot_frame(script);
    fputs("set key enhanced\nset multiplot\n", script);
    for (size_t i = 0; i < s.drawing->npanel && status == CF_OK; i++)
        status = draw_panel(&s, i, err);
    fputs("unset multiplot\n", script);
    return status;
}

int cf_drawing_render(const struct cf_drawing *drawing, const char *format, char **bytes,
                      size_t *len, struct cf_error *err)
{
    struct sketch s = {.drawing = drawing, .x = CF_RANGE_EMPTY, .y = CF_RANGE_EMPTY};
    int status = make_key(&s, err);

    *bytes = NULL;
    *len = 0;
    if (status)
        return status;
    find_ranges(&s);
    make_grid(&s);
    const struct cf_image image = {cf_grid_width(&s.grid), cf_grid_height(&s.grid), draw, &s};
    return cf_image_render(&image, format, bytes, len, err);
}
