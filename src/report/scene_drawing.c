/* Drawing the figures of a scene: panels below each other, keys above their frames. */

#include "report/scene_drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/image.h"
#include "report/plot.h"
#include "report/plot_grid.h"
#include "report/scene_key.h"
#include "report/scene_space.h"
#include "report/thin.h"

/* Lines are off by less than this part of the frame: a tenth of a dot on a screen. */
static const double unseen = 2e-4;

static const double key_line_in = 0.2, key_gap_in = 0.1, x_label_in = 0.34, letter_in = 0.074,
                    sample_in = 0.58;

enum { MAX_KEY_LINE = 4 };

struct entry {
    char text[CF_SCENE_KEY];
    double left; /* inches from the frame's left edge */
    size_t line;
};

struct panel {
    const struct cf_scene_panel *of;
    struct cf_range range; /* in the unit shown */
    double factor;
    const char *prefix;
    struct entry entry[CF_SCENE_MAX_CURVE];
    size_t nline; /* of the key */
};

struct sketch {
    const struct cf_scene_figures *figures;
    const struct cf_scene_figure *figure;
    FILE *script;
    struct cf_grid grid;
    struct cf_range x;
    double x_factor;
    const char *x_prefix;
    struct panel panel[CF_SCENE_MAX_PANEL];
    bool *keep; /* n */
};

static double frame_width(const struct cf_grid *grid)
{
    return grid->width - grid->left - grid->right;
}

/* What is to be seen of numbers, and in which unit. */
static void find_range(const struct cf_scene_axis *axis, size_t ncurve,
                       const struct cf_scene_curve *curve, size_t n, struct cf_range *range,
                       double *factor, const char **prefix)
{
    *range = (struct cf_range) CF_RANGE_EMPTY;
    if (!isnan(axis->from))
        *range = (struct cf_range){axis->from, axis->to};
    for (size_t j = 0; j < ncurve && isnan(axis->from); j++)
        for (size_t i = 0; i < n; i++)
            cf_range_include(range, curve[j].y[i]);
    *prefix = "";
    *factor = axis->factor;
    if (!axis->unit && axis->quantity) {
        struct cf_axis_prefix fits =
            cf_plot_prefix(axis->quantity->unit, fmax(fabs(range->low), fabs(range->high)));
        *factor = fits.factor;
        *prefix = fits.symbol;
    }
    range->low *= *factor;
    range->high *= *factor;
    if (!(range->high > range->low)) { /* nothing moves */
        double room = fmax(fabs(range->high), 1) * 0.1;
        *range = isfinite(range->low) ? (struct cf_range){range->low - room, range->high + room}
                                      : (struct cf_range){-1, 1};
    }
}

/* Room about the curves; down to 0 where they come near it. */
static void pad(const struct cf_scene_axis *axis, struct cf_range *range)
{
    const double share = 0.05, near_zero = 0.35;
    bool from_zero = range->low >= 0 && range->low < near_zero * range->high;

    if (!isnan(axis->from))
        return;
    cf_range_pad(range, share);
    if (from_zero)
        range->low = 0;
}

static void make_key(struct sketch *s, struct panel *panel)
{
    double left = 0, room = frame_width(&s->grid) + s->grid.right;
    size_t n = panel->of->ncurve;

    panel->nline = n > 1;
    for (size_t i = 0; i < n && n > 1; i++) {
        struct entry *entry = &panel->entry[i];
        double width =
            sample_in + key_gap_in +
            letter_in * (double) cf_scene_key(s->figures, s->figure, panel->of, i, entry->text);
        if (left > 0 && left + width > room) {
            left = 0;
            panel->nline++;
        }
        entry->left = left;
        entry->line = panel->nline - 1;
        left += width;
    }
}

static void make_grid(struct sketch *s)
{
    struct cf_grid *g = &s->grid;
    size_t n = s->figure->npanel, lines = 0;

    g->columns = 1;
    g->rows = n;
    g->margin_left = 0.3;
    g->margin_bottom = x_label_in;
    g->width = CF_FIGURE_WIDTH - g->margin_left;
    g->left = 0.62;
    g->right = 0.2;
    g->bottom = 0.34;
    for (size_t i = 0; i < n; i++) {
        s->panel[i].of = &s->figure->panel[i];
        make_key(s, &s->panel[i]);
        lines = s->panel[i].nline > lines ? s->panel[i].nline : lines;
    }
    g->above = 0.12 + (lines > 0 ? key_line_in * (double) lines + (n > 1 ? 0.1 : 0.02) : 0);
    g->height = (n > 2 ? 1.45 : n > 1 ? 1.8 : 2.75) + g->bottom + g->above;
}

/* The frame becomes as high as a length on its axis asks for. */
static void make_equal(struct sketch *s)
{
    const double lowest = 1, highest = 5;
    struct cf_range *y = &s->panel[0].range;
    double ratio =
        s->x_factor / s->panel[0].factor * frame_width(&s->grid) / (s->x.high - s->x.low);
    double height = (y->high - y->low) * ratio;

    if (height < lowest) { /* more of y to be seen */
        double more = (lowest / ratio - (y->high - y->low)) / 2;
        y->low -= more;
        y->high += more;
        height = lowest;
    }
    if (height > highest) {
        double more = (s->x.high - s->x.low) * (height / highest - 1) / 2;
        s->x.low -= more;
        s->x.high += more;
        height = highest;
    }
    s->grid.height = height + s->grid.bottom + s->grid.above;
}

static int put_curve(struct sketch *s, size_t p, size_t c, struct cf_error *err)
{
    const struct panel *panel = &s->panel[p];
    const double *xy[2] = {s->figure->x.y, panel->of->curve[c].y};
    const double scale[2] = {(s->x.high - s->x.low) / s->x_factor,
                             (panel->range.high - panel->range.low) / panel->factor};
    int status = cf_thin(2, xy, scale, s->figure->n, unseen, s->keep, err);

    if (status)
        return status;
    cf_plot_begin(s->script, "curve%zu_%zu", p, c);
    for (size_t i = 0; i < s->figure->n; i++) {
        if (!s->keep[i])
            continue;
        cf_plot_number(s->script, xy[0][i] * s->x_factor);
        cf_plot_number(s->script, xy[1][i] * panel->factor);
        fputc('\n', s->script);
    }
    cf_plot_end(s->script);
    return CF_OK;
}

static void put_labels(struct sketch *s, size_t p)
{
    const struct panel *panel = &s->panel[p];
    const struct cf_scene_figure *figure = s->figure;
    bool sweep = figure->kind == CF_SCENE_SWEEP;

    cf_grid_label_begin(s->script, 'y');
    if (sweep)
        fputs(cf_scene_result_words(figure), s->script);
    else
        cf_scene_axis_name(s->figures, &panel->of->axis,
                           panel->of->ncurve == 1 ? panel->of->curve : NULL, panel->prefix,
                           s->script);
    cf_grid_label_end(s->script, &s->grid, 'y', 0, p);
    if (p + 1 < figure->npanel) {
        fputs("unset label 2\n", s->script);
        return;
    }
    cf_grid_label_begin(s->script, 'x');
    if (sweep)
        fprintf(s->script, *figure->over.unit ? "%s / %s" : "%s", figure->over.as,
                figure->over.unit);
    else
        cf_scene_axis_name(s->figures, &figure->x_axis, &figure->x, s->x_prefix, s->script);
    cf_grid_label_end(s->script, &s->grid, 'x', 0, p);
}

static void put_title(struct sketch *s, size_t p, size_t c)
{
    const struct cf_grid *g = &s->grid;
    const struct panel *panel = &s->panel[p];
    const struct entry *entry = &panel->entry[c];
    double top = g->margin_bottom + g->height * (double) (g->rows - p) - g->above;

    if (panel->nline == 0) {
        fputs("notitle", s->script);
        return;
    }
    fprintf(s->script, "title '%s' at screen %.6f, screen %.6f", entry->text,
            (g->margin_left + g->left + entry->left) / cf_grid_width(g),
            (top + 0.08 + key_line_in * ((double) (panel->nline - entry->line) - 0.5)) /
                cf_grid_height(g));
}

static int draw_panel(struct sketch *s, size_t p, struct cf_error *err)
{
    const struct panel *panel = &s->panel[p];
    bool begun = false;
    int status = CF_OK;

    for (size_t c = 0; c < panel->of->ncurve && status == CF_OK; c++)
        status = put_curve(s, p, c, err);
    if (status)
        return status;
    cf_grid_place(s->script, &s->grid, 0, p);
    cf_plot_range(s->script, 'x', s->x);
    cf_plot_range(s->script, 'y', panel->range);
    fputs(panel->range.low < 0 && panel->range.high > 0
              ? "set xzeroaxis linetype 1 linewidth 1 linecolor rgb '#999999'\n"
              : "unset xzeroaxis\n",
          s->script);
    put_labels(s, p);
    for (size_t c = 0; c < panel->of->ncurve; c++) {
        cf_plot_clause(s->script, &begun);
        fprintf(s->script,
                "$curve%zu_%zu using 1:2 with lines linewidth 1.6 dashtype %s linecolor rgb '%s' ",
                p, c, cf_line_dash(c), cf_line_colour(c));
        put_title(s, p, c);
    }
    if (s->figure->start) {
        cf_plot_clause(s->script, &begun);
        fprintf(
            s->script,
            "$curve%zu_0 every ::0::0 using 1:2 with points pointtype 6 pointsize 1.1 linewidth "
            "1.6 linecolor rgb '" CF_INK "' notitle",
            p);
    }
    fputc('\n', s->script);
    return CF_OK;
}

static int draw(const void *what, FILE *script, struct cf_error *err)
{
    struct sketch s = *(const struct sketch *) what;
    int status = CF_OK;

    s.script = script;
    cf_plot_frame(script);
    fputs("set key enhanced\nset multiplot\n", script);
    for (size_t i = 0; i < s.figure->npanel && status == CF_OK; i++)
        status = draw_panel(&s, i, err);
    fputs("unset multiplot\n", script);
    return status;
}

static int render(struct sketch *s, const char *format, char **bytes, size_t *len,
                  struct cf_error *err)
{
    const double nearly = 0.05; /* what must not be 0 itself begins just above */
    const struct cf_scene_figure *figure = s->figure;

    make_grid(s);
    find_range(&figure->x_axis, 1, &figure->x, figure->n, &s->x, &s->x_factor, &s->x_prefix);
    if (figure->kind == CF_SCENE_PATH)
        pad(&figure->x_axis, &s->x);
    if (figure->kind == CF_SCENE_SWEEP && s->x.low > 0 && s->x.low < nearly * s->x.high)
        s->x.low = 0;
    for (size_t i = 0; i < figure->npanel; i++) {
        struct panel *panel = &s->panel[i];
        find_range(&panel->of->axis, panel->of->ncurve, panel->of->curve, figure->n, &panel->range,
                   &panel->factor, &panel->prefix);
        pad(&panel->of->axis, &panel->range);
    }
    if (figure->equal)
        make_equal(s);
    const struct cf_image image = {cf_grid_width(&s->grid), cf_grid_height(&s->grid), draw, s};
    return cf_image_render(&image, format, bytes, len, err);
}

int cf_scene_figure_render(const struct cf_scene_figures *figures,
                           const struct cf_scene_figure *figure, const char *format, char **bytes,
                           size_t *len, struct cf_error *err)
{
    struct sketch s = {.figures = figures, .figure = figure};
    int status;

    *bytes = NULL;
    *len = 0;
    if (figure->kind == CF_SCENE_PATH3D)
        return cf_scene_space_render(figure, format, bytes, len, err);
    s.keep = calloc(figure->n + 1, sizeof *s.keep);
    status = s.keep ? render(&s, format, bytes, len, err)
                    : cf_fail(err, CF_ENOMEM, "no memory for the points of a line");
    free(s.keep);
    return status;
}
