/* How lines look that are many, or that begin somewhere. Private to src/report. */

#ifndef CF_REPORT_LINE_STYLE_H
#define CF_REPORT_LINE_STYLE_H

#include "report/chart.h"

enum { CF_LINE_COLOURS = 8, CF_LINE_DASHES = 10 };

/* The colour of line i, "#0072B2", from CF_LINE_COLOURS; each has a contrast of 3 to 1 and more
 * with white and with a dark page (WCAG 2.1, 1.4.11). */
const char *cf_line_colour(size_t i);

/* The dash of line i, as struct cf_style has it: dashes differ as far as they go, so that print
 * without colours separates the lines. */
const char *cf_line_dash(size_t i);

/* A mark where a line of the panel begins. */
void cf_line_mark_start(struct cf_panel *panel, const struct cf_chart_series *line);

#endif
