/* Panels side by side, and the lines in them. Private to src/report. */

#ifndef CF_REPORT_PLOT_GRID_H
#define CF_REPORT_PLOT_GRID_H

#include <stddef.h>
#include <stdio.h>

/* A grid of panels on a canvas [inches]. Axes are named at the left and below the lowest panels. */
struct cf_grid {
    size_t columns, rows;
    double width, height;              /* of a cell, its tics and its letter included */
    double left, right, bottom;        /* room within a cell beside and below its frame */
    double above;                      /* room within a cell over its frame */
    double margin_left, margin_bottom; /* of the canvas: names of axes, and the key */
};

double cf_grid_width(const struct cf_grid *grid);
double cf_grid_height(const struct cf_grid *grid);

/* Place the frame of cell (column, row), row 0 on top. */
void cf_grid_place(FILE *script, const struct cf_grid *grid, size_t column, size_t row);

/* The name of the axis x under a cell, y to the left of one: what is written between begin and end
 * is enhanced text. */
void cf_grid_label_begin(FILE *script, char axis);
void cf_grid_label_end(FILE *script, const struct cf_grid *grid, char axis, size_t column,
                       size_t row);

/* Colour and dash of line i: dashes differ as far as they go, so that print without colours tells
 * the lines apart. */
enum { CF_NLINE_STYLE = 10 };
const char *cf_line_colour(size_t i);
const char *cf_line_dash(size_t i);

#endif
