#include "report/plot_grid.h"

#include "report/plot.h"

double cf_grid_width(const struct cf_grid *grid)
{
    return grid->margin_left + grid->width * (double) grid->columns;
}

double cf_grid_height(const struct cf_grid *grid)
{
    return grid->margin_bottom + grid->height * (double) grid->rows;
}

/* The lower left corner of a cell. */
static double cell_x(const struct cf_grid *grid, size_t column)
{
    return grid->margin_left + grid->width * (double) column;
}

static double cell_y(const struct cf_grid *grid, size_t row)
{
    return grid->margin_bottom + grid->height * (double) (grid->rows - 1 - row);
}

void cf_grid_place(FILE *script, const struct cf_grid *grid, size_t column, size_t row)
{
    double x = cell_x(grid, column), y = cell_y(grid, row);
    double width = cf_grid_width(grid), height = cf_grid_height(grid);

    fprintf(script,
            "set lmargin at screen %.6f\nset rmargin at screen %.6f\n"
            "set bmargin at screen %.6f\nset tmargin at screen %.6f\n",
            (x + grid->left) / width, (x + grid->width - grid->right) / width,
            (y + grid->bottom) / height, (y + grid->height - grid->above) / height);
}

void cf_grid_label_begin(FILE *script, char axis)
{
    fprintf(script, "set label %d '", axis == 'x' ? 2 : 3);
}

void cf_grid_label_end(FILE *script, const struct cf_grid *grid, char axis, size_t column,
                       size_t row)
{
    const double gap = 0.1; /* from the cell to the middle of the letters [inches] */

    if (axis == 'x')
        fprintf(script, "' at graph 0.5, screen %.6f center\n",
                (cell_y(grid, row) - gap) / cf_grid_height(grid));
    else
        fprintf(script, "' at screen %.6f, graph 0.5 center rotate\n",
                (cell_x(grid, column) - gap) / cf_grid_width(grid));
}

const char *cf_line_colour(size_t i)
{
    static const char *const colour[] = {CF_BLUE,   CF_VERMILION, CF_GREEN, CF_ORANGE,
                                         CF_PURPLE, CF_SKY,       CF_INK};
    return colour[i % (sizeof colour / sizeof *colour)];
}

const char *cf_line_dash(size_t i)
{
    static const char *const dash[CF_NLINE_STYLE] = {
        "solid", "(12,5)", "(3,3)",     "(12,4,3,4)",     "(6,3)",
        "(2,6)", "(20,5)", "(6,3,2,3)", "(12,4,3,4,3,4)", "(20,4,2,4,2,4)"};
    return dash[i % CF_NLINE_STYLE];
}
