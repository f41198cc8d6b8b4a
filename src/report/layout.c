#include "report/layout.h"

#include <string.h>

/* A title of more than so many characters runs into the next of three. */
enum { KEY_ROOM = 20 };
static const double key_line_in = 0.2, left_in = 0.95, right_in = 0.14, bottom_in = 0.64;

static size_t key_columns(const struct cf_stack *stack)
{
    return stack->longest > KEY_ROOM ? 2 : 3;
}

static double key_height(const struct cf_stack *stack)
{
    size_t rows = (stack->nkey + key_columns(stack) - 1) / key_columns(stack);
    return rows ? key_line_in * (double) rows + 0.05 : 0;
}

/* The upper edge of a panel with its labels. */
static double ceiling_of(const struct cf_stack *stack, size_t index)
{
    return stack->height * (double) stack->count - stack->height * (double) index;
}

void cf_stack_chart(const struct cf_stack *stack, struct cf_chart *chart)
{
    cf_chart_init(chart, CF_FIGURE_WIDTH, stack->height * (double) stack->count);
}

struct cf_panel *cf_stack_add_panel(const struct cf_stack *stack, struct cf_chart *chart)
{
    double ceiling = ceiling_of(stack, chart->npanel), floor = ceiling - stack->height;
    struct cf_panel *panel = cf_chart_add_panel(chart);

    panel->left = left_in;
    panel->right = CF_FIGURE_WIDTH - right_in;
    panel->top = ceiling - stack->above;
    panel->bottom = floor + bottom_in + key_height(stack);
    panel->x.label_at = floor + key_height(stack) + 0.12;
    panel->y.label_at = 0.14;
    return panel;
}

void cf_stack_make_room(struct cf_stack *stack, const char *title)
{
    size_t length = strlen(title);
    stack->longest = length > stack->longest ? length : stack->longest;
}

void cf_stack_title(const struct cf_stack *stack, const struct cf_chart *chart,
                    struct cf_chart_series *series, size_t i, const char *title)
{
    double ceiling = ceiling_of(stack, chart->npanel - 1);
    size_t columns = key_columns(stack);

    cf_text_add(&series->title, "%s", title);
    if (stack->nkey) {
        series->place.x = 0.5 + 0.975 * CF_FIGURE_WIDTH * (double) (i % columns) / (double) columns;
        series->place.y = ceiling - stack->height + key_height(stack) - 0.08 -
                          key_line_in * (double) (i / columns);
    } else { /* above: the heading stands at the left */
        series->place.x = CF_FIGURE_WIDTH - 0.85 - 1.02 * (double) i;
        series->place.y = ceiling - stack->above + 0.16;
    }
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
