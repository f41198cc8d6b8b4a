/* The charts of a scene's figures: panels below each other, keys above their frames. */

#include "report/scene_drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/axis.h"
#include "report/layout.h"
#include "report/line_style.h"
#include "report/render.h"
#include "report/scene_bodies.h"
#include "report/scene_key.h"
#include "report/scene_space.h"
#include "report/text_width.h"
#include "report/thin.h"

/* Lines are off by less than this part of the frame: a tenth of a dot on a screen. */
static const double unseen = 2e-4;

static const double key_line_in = 0.2, key_gap_in = 0.1, x_label_in = 0.34, sample_in = 0.58;

struct scene_label {
    struct cf_text text;
    double left; /* inches from the frame's left edge */
    size_t line;
};

struct scene_part {
    const struct cf_scene_panel *of;
    struct cf_range range; /* in the unit shown */
    double factor;
    const char *prefix;
    struct scene_label label[CF_SCENE_MAX_CURVE];
    size_t nline; /* of the key */
};

struct scene_picture {
    const struct cf_scene_figures *figures;
    const struct cf_scene_figure *figure;
    struct cf_grid grid;
    struct cf_range x;
    double x_factor;
    const char *x_prefix;
    struct scene_part part[CF_SCENE_MAX_PANEL];
    bool *keep; /* n */
};

static double frame_width(const struct cf_grid *grid)
{
    return grid->width - grid->left - grid->right;
}

/* What is to be seen of numbers, and in which unit. */
static void find_range(const struct cf_scene_figure *figure, const struct cf_scene_axis *axis,
                       size_t ncurve, const struct cf_scene_curve *curve, struct cf_range *range,
                       double *factor, const char **prefix)
{
    const double *x;

    *range = (struct cf_range) CF_RANGE_EMPTY;
    if (!isnan(axis->from))
        *range = (struct cf_range){axis->from, axis->to};
    for (size_t j = 0; j < ncurve && isnan(axis->from); j++)
        for (size_t i = 0, n = cf_scene_curve_rows(figure, j, &x); i < n; i++)
            cf_range_include(range, curve[j].y[i]);
    *prefix = "";
    *factor = axis->factor;
    if (!axis->unit && axis->quantity) {
        struct cf_prefix fits =
            cf_prefix_for(axis->quantity->unit, fmax(fabs(range->low), fabs(range->high)));
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

static void make_key(struct scene_picture *s, struct scene_part *part)
{
    double left = 0, room = frame_width(&s->grid) + s->grid.right;
    size_t n = part->of->ncurve;

    part->nline = n > 1;
    for (size_t i = 0; i < n && n > 1; i++) {
        struct scene_label *label = &part->label[i];
        cf_scene_key(s->figures, s->figure, part->of, i, &label->text);
        double width = sample_in + key_gap_in + CF_KEY_SIZE_IN * cf_text_width(&label->text);
        if (left > 0 && left + width > room) {
            left = 0;
            part->nline++;
        }
        label->left = left;
        label->line = part->nline - 1;
        left += width;
    }
}

static void make_grid(struct scene_picture *s)
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
        s->part[i].of = &s->figure->panel[i];
        make_key(s, &s->part[i]);
        lines = s->part[i].nline > lines ? s->part[i].nline : lines;
    }
    g->above = 0.12 + (lines > 0 ? key_line_in * (double) lines + (n > 1 ? 0.1 : 0.02) : 0);
    g->height = (n > 2 ? 1.45 : n > 1 ? 1.8 : 2.75) + g->bottom + g->above;
}

/* The frame becomes as high as a length on its axis asks for. */
static void make_equal(struct scene_picture *s)
{
    const double lowest = 1, highest = 5;
    struct cf_range *y = &s->part[0].range;
    double ratio = s->x_factor / s->part[0].factor * frame_width(&s->grid) / (s->x.high - s->x.low);
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

static int add_curve(const struct scene_picture *s, const struct scene_part *part, size_t c,
                     struct cf_panel *panel, struct cf_error *err)
{
    const double *xy[2] = {NULL, part->of->curve[c].y};
    size_t n = cf_scene_curve_rows(s->figure, c, &xy[0]);
    const double scale[2] = {(s->x.high - s->x.low) / s->x_factor,
                             (part->range.high - part->range.low) / part->factor};
    const struct cf_style style = {
        .colour = cf_line_colour(c), .width = 1.6, .dash = cf_line_dash(c)};
    int status = cf_thin(2, xy, scale, n, unseen, s->keep, err);

    if (status)
        return status;
    struct cf_chart_series *series = cf_panel_add_series(panel, CF_SERIES_LINE, style);
    for (size_t i = 0; i < n; i++)
        if (s->keep[i])
            cf_series_add(series, (struct cf_datum){.x = xy[0][i] * s->x_factor,
                                                    .y = xy[1][i] * part->factor});
    return CF_OK;
}

/* Is it one thing that the panel shows, which its axis names? */
static bool is_one(const struct cf_scene_figure *figure, const struct cf_scene_panel *panel)
{
    return panel->ncurve == 1 || figure->kind == CF_SCENE_VARIANTS;
}

static void make_labels(const struct scene_picture *s, const struct scene_part *part, bool lowest,
                        struct cf_panel *panel)
{
    const struct cf_scene_figure *figure = s->figure;
    bool sweep = figure->kind == CF_SCENE_SWEEP;
    struct cf_text *x = &panel->x.label, *y = &panel->y.label;

    if (sweep)
        cf_text_add(y, "%s", cf_scene_result_words(figure));
    else
        cf_scene_axis_name(s->figures, &part->of->axis,
                           is_one(figure, part->of) ? part->of->curve : NULL, part->prefix, y);
    if (lowest && sweep) {
        cf_text_add(x, *figure->over.unit ? "%s / " : "%s", figure->over.as);
        cf_text_unit(x, figure->over.unit);
    } else if (lowest) {
        cf_scene_axis_name(s->figures, &figure->x_axis, &figure->x, s->x_prefix, x);
    }
}

/* The key of a panel stands above its frame; a curve that is alone needs none. */
static void set_title(const struct scene_picture *s, size_t p, size_t c,
                      struct cf_chart_series *series)
{
    const struct cf_grid *g = &s->grid;
    const struct scene_part *part = &s->part[p];
    const struct scene_label *label = &part->label[c];
    double top = g->margin_bottom + g->height * (double) (g->rows - p) - g->above;

    if (part->nline == 0)
        return;
    series->title = label->text;
    series->place.x = g->margin_left + g->left + label->left;
    series->place.y = top + 0.08 + key_line_in * ((double) (part->nline - label->line) - 0.5);
}

static int add_panel(const struct scene_picture *s, size_t p, struct cf_chart *chart,
                     struct cf_error *err)
{
    const struct scene_part *part = &s->part[p];
    struct cf_panel *panel = cf_grid_add_panel(&s->grid, chart, 0, p);
    int status = CF_OK;

    cf_axis_linear(&panel->x, s->x);
    cf_axis_linear(&panel->y, part->range);
    panel->y.zero = part->range.low < 0 && part->range.high > 0 ? "#999999" : NULL;
    make_labels(s, part, p + 1 == s->figure->npanel, panel);
    for (size_t c = 0; c < part->of->ncurve && status == CF_OK; c++)
        status = add_curve(s, part, c, panel, err);
    for (size_t c = 0; c < panel->nseries; c++)
        set_title(s, p, c, panel->series[c]);
    if (status == CF_OK && s->figure->start && panel->nseries > 0)
        cf_line_mark_start(panel, panel->series[0]);
    return status;
}

static int make_chart(struct scene_picture *s, struct cf_chart *chart, struct cf_error *err)
{
    const double nearly = 0.05; /* what must not be 0 itself begins just above */
    const struct cf_scene_figure *figure = s->figure;
    int status = CF_OK;

    make_grid(s);
    find_range(figure, &figure->x_axis, 1, &figure->x, &s->x, &s->x_factor, &s->x_prefix);
    if (figure->kind == CF_SCENE_PATH)
        pad(&figure->x_axis, &s->x);
    if (figure->kind == CF_SCENE_SWEEP && s->x.low > 0 && s->x.low < nearly * s->x.high)
        s->x.low = 0;
    for (size_t i = 0; i < figure->npanel; i++) {
        struct scene_part *part = &s->part[i];
        find_range(figure, &part->of->axis, part->of->ncurve, part->of->curve, &part->range,
                   &part->factor, &part->prefix);
        pad(&part->of->axis, &part->range);
    }
    if (figure->equal)
        make_equal(s);
    cf_grid_chart(&s->grid, chart);
    chart->rich_key = true;
    for (size_t i = 0; i < figure->npanel && status == CF_OK; i++)
        status = add_panel(s, i, chart, err);
    return status;
}

static size_t most_rows(const struct cf_scene_figure *figure)
{
    const double *x;
    size_t most = 0;

    for (size_t c = 0; c < figure->panel->ncurve; c++) {
        size_t n = cf_scene_curve_rows(figure, c, &x);
        most = n > most ? n : most;
    }
    return most;
}

int cf_scene_figure_chart(const struct cf_scene_figures *figures,
                          const struct cf_scene_figure *figure, struct cf_chart *chart,
                          struct cf_error *err)
{
    struct scene_picture s = {.figures = figures, .figure = figure};
    int status;

    cf_chart_init(chart, 0, 0);
    if (figure->kind == CF_SCENE_PATH3D) {
        status = cf_scene_space_chart(&figures->file->scene, figure, chart, err);
    } else if (figure->kind == CF_SCENE_BODIES) {
        status = cf_scene_bodies_chart(&figures->file->scene, figure, chart, err);
    } else {
        s.keep = calloc(most_rows(figure) + 1, sizeof *s.keep);
        status = s.keep ? make_chart(&s, chart, err)
                        : cf_fail(err, CF_ENOMEM, "no memory for the points of a line");
        free(s.keep);
    }
    return status ? status : cf_chart_status(chart, err);
}
