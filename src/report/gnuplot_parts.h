/* What drawing with gnuplot is made of; private to src/report/gnuplot*.c. */

#ifndef CF_REPORT_GNUPLOT_PARTS_H
#define CF_REPORT_GNUPLOT_PARTS_H

#include <stdio.h>

#include "report/gnuplot.h"

/* Commands on their way to gnuplot. The first failure stays. */
struct cf_gnuplot {
    FILE *script;
    const char *key_font; /* of keys and notes */
    int status;
    struct cf_error *err;
};

/* A text in quotes, in enhanced markup or without its faces and levels. */
void cf_gnuplot_text(struct cf_gnuplot *to, const struct cf_text *text, bool enhanced);

/* An option that takes a colour: "linecolor". */
void cf_gnuplot_colour(struct cf_gnuplot *to, const char *option, const char *colour);

/* How an area is filled. */
void cf_gnuplot_fill(struct cf_gnuplot *to, const char *colour, double opacity);

/* Width of a line, its dash if it has one, and its colour. */
void cf_gnuplot_line(struct cf_gnuplot *to, const struct cf_style *style);

/* Frame and axes of a panel, and what lies behind its series. */
void cf_gnuplot_frame(struct cf_gnuplot *to, const struct cf_chart *chart,
                      const struct cf_panel *panel);

/* The data of a panel's series, and the command that plots them. */
void cf_gnuplot_series(struct cf_gnuplot *to, const struct cf_chart *chart,
                       const struct cf_panel *panel);

/* Before the script of a figure is written: the plotter's files are there, and empty. */
int cf_plotter_begin(struct cf_plotter *plotter, struct cf_error *err);

/* Give the plotter's script to its gnuplot and take what that writes to standard output; *bytes is
 * the caller's to free(). */
int cf_plotter_run(struct cf_plotter *plotter, char **bytes, size_t *len, struct cf_error *err);

#endif
