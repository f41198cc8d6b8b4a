/* What a chart shows, in words: for those who cannot see it, and for search. */

#ifndef CF_REPORT_CHART_WORDS_H
#define CF_REPORT_CHART_WORDS_H

#include <stdio.h>

#include "report/chart.h"

/* Write what the axes of the first panel are, as plain text: "coefficient of restitution e against
 * approach speed v / (m/s)". Nothing where they have no names. */
void cf_chart_axes_words(const struct cf_chart *chart, FILE *out);

/* Write a sentence a panel, as plain text in UTF-8: its axes, and for each series with a name how
 * many points it has and whether it rises or falls, with its ends, or between which values it lies.
 * "residual / sigma against v / (m/s): rebound, 8 points, rises from -3.45 to 2.9." Texts of the
 * chart come as they are: whoever writes HTML or XML escapes them. */
void cf_chart_words(const struct cf_chart *chart, FILE *out);

#endif
