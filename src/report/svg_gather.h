/* Lines of axes of a figure, gathered into few elements. Private to src/report. */

#ifndef CF_REPORT_SVG_GATHER_H
#define CF_REPORT_SVG_GATHER_H

#include <stdio.h>

/* Write the SVG that cf_html_svg() makes, with all grid lines between two other elements as one
 * path, and all lines in ink without a style of their own as another, which text follows: the grid
 * below the tics below their labels, in half of the bytes. */
void cf_svg_gather(const char *svg, FILE *out);

#endif
