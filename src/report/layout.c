#include "report/layout.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static const double left_in = 0.95, right_in = 0.14, bottom_in = 0.64;

/* The upper edge of a panel with its labels. */
static double ceiling_of(const struct cf_stack *stack, size_t index)
{
    return stack->height * (double) stack->count - stack->height * (double) index;
}

void cf_stack_chart(const struct cf_stack *stack, struct cf_chart *chart)
{
    cf_chart_init(chart, CF_FIGURE_WIDTH, stack->height * (double) stack->count);
    chart->cells = stack->count;
    chart->cell_height = stack->height;
    chart->abreast = stack->abreast;
}

struct cf_panel *cf_stack_add_panel(const struct cf_stack *stack, struct cf_chart *chart)
{
    return cf_stack_add_part(stack, chart->npanel, bottom_in, stack->height - stack->above, chart);
}

struct cf_panel *cf_stack_add_part(const struct cf_stack *stack, size_t index, double from,
                                   double to, struct cf_chart *chart)
{
    double floor = ceiling_of(stack, index) - stack->height;
    struct cf_panel *panel = cf_chart_add_panel(chart);

    panel->cell = index;
    panel->left = left_in;
    panel->right = CF_FIGURE_WIDTH - right_in;
    panel->top = floor + to;
    panel->bottom = floor + from;
    panel->x.label_at = panel->bottom - (bottom_in - 0.12);
    panel->y.label_at = 0.14;
    return panel;
}

void cf_series_title(struct cf_chart_series *series, enum cf_key key, size_t rank,
                     const char *title, ...)
{
    char words[CF_TEXT_SIZE];
    va_list args;

    va_start(args, title);
    vsnprintf(words, sizeof words, title, args);
    va_end(args);
    cf_text_add(&series->title, "%s", words);
    series->key = key;
    series->rank = rank;
}

void cf_stack_heading(struct cf_panel *panel, const char *words)
{
    cf_text_add(&panel->heading, "%s", words);
    panel->heading_lift = 0.7;
}

void cf_grid_chart(const struct cf_grid *grid, struct cf_chart *chart)
{
    cf_chart_init(chart, grid->margin_left + grid->width * (double) grid->columns,
                  grid->margin_bottom + grid->height * (double) grid->rows);
}

struct cf_panel *cf_grid_add_panel(const struct cf_grid *grid, struct cf_chart *chart,
                                   size_t column, size_t row)
{
    const double gap = 0.1; /* from the cell to the middle of a label's letters */
    double x = grid->margin_left + grid->width * (double) column;
    double y = grid->margin_bottom + grid->height * (double) (grid->rows - 1 - row);
    struct cf_panel *panel = cf_chart_add_panel(chart);

    panel->left = x + grid->left;
    panel->right = x + grid->width - grid->right;
    panel->bottom = y + grid->bottom;
    panel->top = y + grid->height - grid->above;
    panel->x.label_at = y - gap;
    panel->y.label_at = x - gap;
    return panel;
}

static bool same(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

void cf_chart_lift(struct cf_chart *chart, double from, double by, double higher)
{
    chart->height += by + higher;
    for (size_t i = 0; i < chart->npanel; i++) {
        struct cf_panel *panel = chart->panel[i];
        bool here = same(panel->bottom, from), above = panel->bottom > from && !here;
        if (panel->space || !(here || above))
            continue;
        panel->bottom += by + (above ? higher : 0);
        panel->top += by + higher;
        panel->x.label_at += by + (above ? higher : 0);
        for (size_t k = 0; k < panel->nseries; k++)
            if (panel->series[k]->place.x > 0)
                panel->series[k]->place.y += by + higher;
    }
}
