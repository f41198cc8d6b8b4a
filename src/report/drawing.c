/* Drawing a figure file: panels side by side, one key for all of them below.
 *
 * Texts of the file never reach gnuplot: the key is made of the laws' names and of those
 * parameters in which the curves of a law differ; titles and captions stand in HTML.
 */

#include "report/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/drawing_key.h"
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

struct sketch {
    const struct cf_drawing *drawing;
    FILE *script;
    struct cf_grid grid;
    struct cf_range x, y; /* of all panels, with their prefixes */
    struct cf_axis_prefix px, py;
    struct cf_key key;
    bool shown[CF_MAX_KEY + 1]; /* entries that have been put */
};

static const double key_line_in = 0.2, x_label_in = 0.34;

static void make_grid(struct sketch *s)
{
    size_t n = s->drawing->npanel;
    struct cf_grid *g = &s->grid;

    g->columns = n > 1 ? 2 : 1;
    g->rows = (n + g->columns - 1) / g->columns;
    g->margin_left = 0.3;
    g->margin_bottom = x_label_in + key_line_in * (double) cf_key_lines(&s->key);
    g->width = (CF_FIGURE_WIDTH - g->margin_left) / (double) g->columns;
    g->height = n > 1 ? 2.05 : 3.5;
    g->left = n > 1 ? 0.45 : 0.62;
    g->right = 0.14;
    g->bottom = 0.34;
    g->above = n > 1 ? 0.3 : 0.12;
}

static void put_title(struct sketch *s, size_t entry)
{
    size_t line = entry % cf_key_lines(&s->key);
    double x = cf_key_left(&s->key, entry);
    double y = s->grid.margin_bottom - x_label_in - key_line_in * ((double) line + 0.5);

    if (s->shown[entry]) {
        fputs("notitle", s->script);
        return;
    }
    s->shown[entry] = true;
    fprintf(s->script, "title '%s' at screen %.6f, screen %.6f",
            entry == s->key.n ? "points" : s->key.entry[entry].text, x / cf_grid_width(&s->grid),
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
        size_t k;
        status = cf_key_find(&s->key, panel, &panel->curve[j], &k, err);
        if (status)
            return status;
        cf_plot_clause(s->script, &begun);
        fprintf(s->script,
                "$curve%zu_%zu using 1:2 with lines linewidth 2 dashtype %s linecolor rgb '%s' ", i,
                j, cf_line_dash(k), cf_key_colour(&s->key, k));
        put_title(s, k);
    }
    if (panel->points.n) {
        cf_plot_clause(s->script, &begun);
        fprintf(s->script,
                "$points%zu using 1:2 with points pointtype 6 pointsize 0.8 linewidth 1.2 "
                "linecolor rgb '" CF_INK "' ",
                i);
        put_title(s, s->key.n);
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
    int status = cf_key_make(&s.key, drawing, err);

    *bytes = NULL;
    *len = 0;
    if (status)
        return status;
    find_ranges(&s);
    make_grid(&s);
    const struct cf_image image = {cf_grid_width(&s.grid), cf_grid_height(&s.grid), draw, &s};
    return cf_image_render(&image, format, bytes, len, err);
}
