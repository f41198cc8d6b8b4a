/* An SVG as gnuplot makes it, in words of ours. Private to src/report. */

#ifndef CF_REPORT_SVG_H
#define CF_REPORT_SVG_H

#include "report/chart.h"

/* Give an SVG of this chart its title, the names of its axes, and its description, what is seen;
 * the numbers by which gnuplot names plots without a title go, since browsers show such names. *svg
 * is freed and replaced, *len with it; on failure it stays. CF_EDRAW: it is no SVG of gnuplot's. */
int cf_svg_describe(const struct cf_chart *chart, char **svg, size_t *len, struct cf_error *err);

#endif
