/* Charts of many cells: where their panels and texts stand, by geometry. Widths of letters are
 * checked against the font itself by t/svg_text.t. */

#include <math.h>
#include <string.h>

#include "report/axis.h"
#include "report/layout.h"
#include "report/settle.h"
#include "report/text_width.h"
#include "tap.h"

static const double sheet = 8;

/* A stack of so many panels, settled. `add` adds texts to each. */
static void make(struct cf_chart *chart, struct cf_stack stack,
                 void (*add)(struct cf_panel *panel, size_t i))
{
    cf_stack_chart(&stack, chart);
    for (size_t i = 0; i < stack.count; i++) {
        struct cf_panel *panel = cf_stack_add_panel(&stack, chart);
        cf_axis_linear(&panel->x, (struct cf_range){0, 1});
        cf_axis_linear(&panel->y, (struct cf_range){0, 1});
        if (add)
            add(panel, i);
    }
    cf_chart_settle(chart);
}

static size_t columns(const struct cf_chart *chart)
{
    return chart->npanel > 1 && chart->panel[1]->left > chart->panel[0]->right ? 2 : 1;
}

static bool equal(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

/* Two panels whose frames share a place. */
static bool overlap(const struct cf_panel *a, const struct cf_panel *b)
{
    return a->left < b->right && b->left < a->right && a->bottom < b->top && b->bottom < a->top;
}

static void places(void)
{
    for (size_t n = 1; n <= 15; n++) {
        struct cf_chart chart;
        bool apart = true, read = true, inside = true, wide = true;
        make(&chart, (struct cf_stack){.height = 3.7, .count = n, .above = 0.12, .abreast = true},
             NULL);
        for (size_t i = 0; i < n; i++) {
            const struct cf_panel *p = chart.panel[i], *before = i ? chart.panel[i - 1] : NULL;
            for (size_t k = 0; k < i; k++)
                apart = apart && !overlap(p, chart.panel[k]);
            read = read && (!before || p->top < before->bottom ||
                            (p->left > before->right && equal(p->top, before->top)));
            inside = inside && p->x.label_at > 0 && p->left > p->y.label_at &&
                     p->left < p->y.label_at + 1.2 && p->top < chart.height && p->left > 0 &&
                     p->right < chart.width;
            wide = wide && p->right - p->left > 1.5 && p->top - p->bottom > 1.25;
        }
        ok(apart && inside, "%zu panels: apart, and within the chart", n);
        ok(read, "in the order of reading");
        ok(columns(&chart) == (n < 4 ? 1 : 2), "in %d columns", n < 4 ? 1 : 2);
        ok(wide, "large enough to be seen");
        ok(n > 6 || chart.height <= sheet + 1e-9, "on half a sheet: %g inches", chart.height);
        cf_chart_free(&chart);
    }
}

static void heading(struct cf_panel *panel, size_t i)
{
    cf_stack_heading(panel, i == 2 ? "a heading wider than frames" : "short");
    cf_text_add(&panel->x.label, "%s", i == 3 ? "wider than the frame it has" : "x");
}

static void long_heading(struct cf_panel *panel, size_t i)
{
    if (i == 2)
        cf_stack_heading(panel, "a heading that is much wider than a column of the chart");
}

static void long_label(struct cf_panel *panel, size_t i)
{
    if (i == 3)
        cf_text_add(&panel->x.label, "a label that is much wider than a column of the chart");
}

static struct cf_chart_series *entry(struct cf_panel *panel, enum cf_key key, size_t rank,
                                     const char *title)
{
    struct cf_chart_series *series =
        cf_panel_add_series(panel, CF_SERIES_LINE, (struct cf_style){.colour = CF_INK});
    cf_series_title(series, key, rank, "%s", title);
    return series;
}

static void long_entry(struct cf_panel *panel, size_t i)
{
    if (i == 0)
        entry(panel, CF_KEY_HEADING, 0, "an entry that is much wider than a column of the chart");
}

static void entries(struct cf_panel *panel, size_t i)
{
    for (size_t k = 0; k <= i; k++)
        entry(panel, CF_KEY_PANEL, k, "twelve signs");
}

static const struct cf_stack four = {.height = 3, .count = 4, .above = 0.35, .abreast = true};

static void words(void)
{
    struct cf_chart chart;

    make(&chart, four, heading);
    ok(columns(&chart) == 2, "a heading and a label wider than frames have room in columns");
    const struct cf_panel *third = chart.panel[2], *fourth = chart.panel[3];
    double end = third->heading_at + CF_TEXT_SIZE_IN * cf_text_width(&third->heading);
    ok(third->heading_at > 0 && third->heading_at < third->left && end < chart.width / 2,
       "the heading begins before the frame");
    end = fourth->middle + CF_TEXT_SIZE_IN * cf_text_width(&fourth->x.label) / 2;
    ok(fourth->middle > chart.width / 2 && end < chart.width, "the label is beside the middle");
    ok(chart.panel[0]->heading_at == 0 && chart.panel[0]->middle == 0,
       "others stand where they do otherwise");
    cf_chart_free(&chart);

    void (*const wide[])(struct cf_panel *, size_t) = {long_heading, long_label, long_entry};
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        make(&chart, four, wide[i]);
        ok(columns(&chart) == 1 && chart.width == CF_FIGURE_WIDTH, "texts wider than a column");
        cf_chart_free(&chart);
    }
    struct cf_stack other = four;
    other.abreast = false;
    make(&chart, other, NULL);
    ok(columns(&chart) == 1 && chart.height == 12, "others stand below each other, as they are");
    cf_chart_free(&chart);
}

/* Keys of panels that stand side by side. */
static void keys(void)
{
    struct cf_chart chart;

    make(&chart, four, entries);
    for (size_t row = 0; row < 4; row += 2) {
        const struct cf_panel *left = chart.panel[row], *right = chart.panel[row + 1];
        ok(equal(left->bottom, right->bottom) && equal(left->top, right->top),
           "frames on one height");
        ok(equal(left->series[0]->place.y, right->series[0]->place.y) &&
               left->series[0]->place.y < left->x.label_at,
           "and their keys, below the axes");
        ok(left->series[0]->place.x < chart.width / 2 &&
               right->series[0]->place.x > chart.width / 2,
           "each in its column");
        double lowest = right->series[right->nseries - 1]->place.y;
        ok(row ? lowest > 0 : lowest > chart.panel[2]->top, "above what is below");
    }
    cf_chart_free(&chart);
}

/* Two panels in each cell. */
static void pairs(void)
{
    const struct cf_stack stack = {.height = 5.2, .count = 2, .above = 0.12, .abreast = true};
    struct cf_chart chart;

    cf_stack_chart(&stack, &chart);
    for (size_t i = 0; i < stack.count; i++) {
        struct cf_panel *above = cf_stack_add_part(&stack, i, 2.24, 5, &chart),
                        *below = cf_stack_add_part(&stack, i, 0.64, 1.84, &chart);
        cf_axis_linear(&above->x, (struct cf_range){0, 1});
        cf_axis_linear(&below->x, (struct cf_range){0, 1});
    }
    cf_chart_settle(&chart);
    ok(fabs(chart.height - sheet) < 1e-9, "two pairs on half a sheet");
    for (size_t i = 0; i < 4; i += 2) {
        const struct cf_panel *above = chart.panel[i], *below = chart.panel[i + 1];
        is_near(below->top - below->bottom, 1.2, 1e-9, "the lower panel as it was");
        is_near(above->bottom - below->top, 0.4, 1e-9, "as far below the other");
        is_near(above->top - above->bottom, 2.76 - 1.2, 1e-9, "which is lower");
    }
    ok(chart.panel[1]->bottom > chart.panel[2]->top, "above the next");
    cf_chart_free(&chart);
}

TEST(abreast)
{
    plan(15 * 5 + 8 + 8 + 8);
    places();
    words();
    keys();
    pairs();
    return done();
}
