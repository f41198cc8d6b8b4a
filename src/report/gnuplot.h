/* Drawing charts with gnuplot, whose language is spoken in gnuplot*.c and nowhere else. Private to
 * src/report.
 *
 * Texts are given to it in quotes, every mark that would mean something to it escaped. A text with
 * a control character is refused, and so is a colour or dash that is none.
 */

#ifndef CF_REPORT_GNUPLOT_H
#define CF_REPORT_GNUPLOT_H

#include <stdio.h>

#include "report/render.h"

/* Draw as "svg", "pdf" or "png"; *bytes is the caller's to free(). A missing gnuplot is an error
 * that says how to install it. */
int cf_gnuplot_draw(const struct cf_chart *chart, const char *format, struct cf_plotter *plotter,
                    char **bytes, size_t *len, struct cf_error *err);

/* Write the commands that do so, with the data among them. */
int cf_gnuplot_write(const struct cf_chart *chart, const char *format, FILE *script,
                     struct cf_error *err);

#endif
