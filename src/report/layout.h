/* Where the panels of a chart lie, and what stands about them. Private to src/report. */

#ifndef CF_REPORT_LAYOUT_H
#define CF_REPORT_LAYOUT_H

#include "report/chart.h"

/* Every figure is as wide as a column of text [inches]. */
#define CF_FIGURE_WIDTH 5.8

/* Panels below each other, as wide as the figure. */
struct cf_stack {
    double height; /* of one panel with its labels, without a key below them [inches] */
    size_t count;
    double above; /* room over the frame, for a heading or a key */
    bool abreast; /* many panels may stand in two columns, and be lower: see abreast.h */
};

/* An empty chart as large as the stack. */
void cf_stack_chart(const struct cf_stack *stack, struct cf_chart *chart);

/* The next panel of the chart, in its place. */
struct cf_panel *cf_stack_add_panel(const struct cf_stack *stack, struct cf_chart *chart);

/* A panel in a part of a place of the stack, between these heights over its floor. */
struct cf_panel *cf_stack_add_part(const struct cf_stack *stack, size_t index, double from,
                                   double to, struct cf_chart *chart);

/* Title a series: its entry in a key, in the order of ranks. */
void cf_series_title(struct cf_chart_series *series, enum cf_key key, size_t rank,
                     const char *title, ...) __attribute__((__format__(printf, 4, 5)));

/* The heading of a panel of a stack. */
void cf_stack_heading(struct cf_panel *panel, const char *words);

/* A grid of panels [inches]. Axes are named at the left and below the lowest panels. */
struct cf_grid {
    size_t columns, rows;
    double width, height;              /* of a cell, its tics and its letter included */
    double left, right, bottom;        /* room within a cell beside and below its frame */
    double above;                      /* room within a cell over its frame */
    double margin_left, margin_bottom; /* of the chart: names of axes, and the key */
};

/* An empty chart as large as the grid. */
void cf_grid_chart(const struct cf_grid *grid, struct cf_chart *chart);

/* A panel in cell (column, row), row 0 on top. */
struct cf_panel *cf_grid_add_panel(const struct cf_grid *grid, struct cf_chart *chart,
                                   size_t column, size_t row);

/* Move the panels on and above a height up by so much, keys with them; frames that begin there
 * become higher by `higher` besides. */
void cf_chart_lift(struct cf_chart *chart, double from, double by, double higher);

#endif
