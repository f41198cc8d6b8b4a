/* The chart of a figure file: panels side by side, one key for all of them below.
 *
 * It has no text of the file: the key is made of the laws' names and of those parameters in which
 * the curves of a law differ; titles and captions stand in HTML.
 */

#include "report/drawing.h"

#include <math.h>
#include <string.h>

#include "report/axis.h"
#include "report/drawing_key.h"
#include "report/layout.h"
#include "report/render.h"

/* Names of axes, by the key of the quantity. */
static const struct axis_name {
    const char *key, *words, *in_short, *symbol;
} axis_names[] = {
    {"speed", "approach speed", "approach speed", "v"},
    {"restitution", "coefficient of restitution", "restitution", "e"},
    {"ratio", "restitution, obtained over wanted", "obtained / wanted", NULL},
    {"damping_factor", "damping factor", "damping factor", "d"},
    {"depth", "compression", "compression", "z"},
    {"force", "force", "force", "F"},
    {"slip", "slip speed", "slip speed", "v"},
    {"coefficient", "friction coefficient", "friction coefficient", "mu"},
};

struct law_picture {
    const struct cf_drawing *drawing;
    struct cf_grid grid;
    struct cf_range x, y; /* of all panels, with their prefixes */
    struct cf_prefix px, py;
    struct cf_legend legend;
    bool shown[CF_MAX_LEGEND + 1]; /* entries that some series bears */
};

static const double x_label_in = 0.34;

static void make_grid(struct law_picture *s)
{
    size_t n = s->drawing->npanel;
    struct cf_grid *g = &s->grid;

    g->columns = n > 1 ? 2 : 1;
    g->rows = (n + g->columns - 1) / g->columns;
    g->margin_left = 0.3;
    g->margin_bottom = x_label_in;
    g->width = (CF_FIGURE_WIDTH - g->margin_left) / (double) g->columns;
    g->height = n > 1 ? 2.05 : 3.5;
    g->left = n > 1 ? 0.45 : 0.62;
    g->right = 0.14;
    g->bottom = 0.34;
    g->above = n > 1 ? 0.3 : 0.12;
}

/* The first series of an entry bears it in the key. */
static void set_title(struct law_picture *s, size_t entry, struct cf_chart_series *series)
{
    if (s->shown[entry])
        return;
    s->shown[entry] = true;
    if (entry == s->legend.n)
        cf_text_add(&series->title, "points");
    else
        series->title = s->legend.entry[entry].text;
    series->key = CF_KEY_CHART;
    series->rank = entry;
}

static struct cf_chart_series *add_curve(const struct law_picture *s, const struct cf_drawn *curve,
                                         size_t entry, struct cf_panel *panel)
{
    const struct cf_style style = cf_legend_style(&s->legend, entry);
    struct cf_chart_series *series = cf_panel_add_series(panel, CF_SERIES_LINE, style);

    for (int k = 0; k < CF_DRAWN_POINTS; k++)
        cf_series_add(series, (struct cf_datum){.x = curve->x[k] * s->px.factor,
                                                .y = curve->y[k] * s->py.factor});
    return series;
}

static struct cf_chart_series *add_points(const struct law_picture *s,
                                          const struct cf_drawn_points *points,
                                          struct cf_panel *panel)
{
    const struct cf_style style = {
        .colour = CF_INK, .width = 1.2, .marker = CF_MARKER_CIRCLE, .size = 0.8};
    struct cf_chart_series *series = cf_panel_add_series(panel, CF_SERIES_POINTS, style);

    for (size_t k = 0; k < points->n; k++)
        cf_series_add(series, (struct cf_datum){.x = points->x[k] * s->px.factor,
                                                .y = points->y[k] * s->py.factor});
    return series;
}

static const struct axis_name *name_of(const char *key)
{
    size_t i = 0;
    while (i + 1 < sizeof axis_names / sizeof *axis_names && strcmp(axis_names[i].key, key) != 0)
        i++;
    return &axis_names[i];
}

static void make_label(const struct law_picture *s, const struct cf_drawn_axis *axis,
                       const char *prefix, struct cf_text *label)
{
    const struct axis_name *name = name_of(axis->key);
    bool composed = strchr(axis->unit, '/') != NULL;

    cf_text_add(label, "%s", s->drawing->npanel > 1 ? name->in_short : name->words);
    if (name->symbol) {
        cf_text_add(label, " ");
        cf_text_symbol(label, name->symbol);
    }
    if (strcmp(axis->unit, "1") == 0)
        return;
    cf_text_add(label, composed ? " / (%s" : " / %s", prefix);
    cf_text_unit(label, axis->unit);
    cf_text_add(label, "%s", composed ? ")" : "");
}

/* Axes are labelled below the lowest panel of each column, and to the left of the first of each
 * row. */
static void make_axes(const struct law_picture *s, size_t i, struct cf_panel *panel)
{
    enum { ROOMY = 300, NARROW = 20 }; /* factor spanned up to which 2 and 5 are labelled, too */
    const double share = 0.06, near_zero = 0.35;
    struct cf_range x = s->x, y = s->y;

    if (s->drawing->logarithmic) {
        cf_axis_log(&panel->x, x, s->grid.columns > 1 ? NARROW : ROOMY);
    } else {
        x.low = x.low > 0 && x.low < near_zero * x.high ? 0 : x.low;
        if (!s->drawing->kind->ranged) /* room for the turn of a loop */
            x.high += share * (x.high - x.low);
        cf_axis_linear(&panel->x, x);
    }
    bool positive = y.low >= 0, from_zero = positive && y.low < near_zero * y.high;
    cf_range_pad(&y, share);
    if (from_zero)
        y.low = 0;
    cf_axis_linear(&panel->y, y);
    panel->y.zero = positive ? NULL : CF_INK;
    if (i + s->grid.columns >= s->drawing->npanel)
        make_label(s, &s->drawing->kind->x, s->px.symbol, &panel->x.label);
    if (i % s->grid.columns == 0)
        make_label(s, &s->drawing->kind->y, s->py.symbol, &panel->y.label);
}

static void add_panel(struct law_picture *s, size_t i, struct cf_chart *chart)
{
    const struct cf_drawn_panel *drawn = &s->drawing->panel[i];
    struct cf_panel *panel =
        cf_grid_add_panel(&s->grid, chart, i % s->grid.columns, i / s->grid.columns);

    if (s->drawing->npanel > 1) {
        cf_text_put(&panel->heading, CF_FACE_BOLD, 0, "%c", (char) ('A' + (int) i));
        panel->heading_lift = 0.6;
    }
    make_axes(s, i, panel);
    for (size_t j = 0; j < drawn->ncurve; j++) {
        size_t entry = cf_legend_find(&s->legend, drawn, &drawn->curve[j]);
        set_title(s, entry, add_curve(s, &drawn->curve[j], entry, panel));
    }
    if (drawn->points.n)
        set_title(s, s->legend.n, add_points(s, &drawn->points, panel));
}

/* Ranges and prefixes that serve all panels, so that they can be compared. */
static void find_ranges(struct law_picture *s)
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
    s->px = cf_prefix_for(s->drawing->kind->x.unit, fmax(fabs(s->x.low), fabs(s->x.high)));
    s->py = cf_prefix_for(s->drawing->kind->y.unit, fmax(fabs(s->y.low), fabs(s->y.high)));
    s->x.low *= s->px.factor;
    s->x.high *= s->px.factor;
    s->y.low *= s->py.factor;
    s->y.high *= s->py.factor;
}

int cf_drawing_chart(const struct cf_drawing *drawing, struct cf_chart *chart, struct cf_error *err)
{
    struct law_picture s = {.drawing = drawing, .x = CF_RANGE_EMPTY, .y = CF_RANGE_EMPTY};
    int status = cf_legend_make(&s.legend, drawing, err);

    cf_chart_init(chart, 0, 0);
    if (status)
        return status;
    find_ranges(&s);
    make_grid(&s);
    cf_grid_chart(&s.grid, chart);
    chart->rich_key = true;
    chart->key_down = true; /* the curves of a law stand below each other */
    for (size_t i = 0; i < drawing->npanel; i++)
        add_panel(&s, i, chart);
    return cf_chart_status(chart, err);
}
