/* Where the panels of a chart lie, and what stands about them. Private to src/report. */

#ifndef CF_REPORT_LAYOUT_H
#define CF_REPORT_LAYOUT_H

#include "report/chart.h"

/* Every figure is as wide as a column of text [inches]. */
#define CF_FIGURE_WIDTH 5.8

/* Panels below each other, as wide as the figure, with a key below the axis of each or above its
 * frame. */
struct cf_stack {
    double height; /* of one panel with its labels [inches] */
    size_t count;
    double above;   /* room over the frame, for a heading or a key */
    size_t nkey;    /* entries of the key below the axis */
    size_t longest; /* characters of the longest of them: long ones stand in fewer columns */
};

/* An empty chart as large as the stack. */
void cf_stack_chart(const struct cf_stack *stack, struct cf_chart *chart);

/* The next panel of the chart, in its place. */
struct cf_panel *cf_stack_add_panel(const struct cf_stack *stack, struct cf_chart *chart);

/* Make room for a title in the key; before the panel is placed. */
void cf_stack_make_room(struct cf_stack *stack, const char *title);

/* Title a series of the chart's last panel: entry i of the key, in rows of three or two below the
 * axis; or above the frame when the stack has no key below. */
void cf_stack_title(const struct cf_stack *stack, const struct cf_chart *chart,
                    struct cf_chart_series *series, size_t i, const char *title);

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

#endif
