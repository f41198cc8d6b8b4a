/* A figure as part of a page: SVG from gnuplot, made safe and short. */

#ifndef CF_REPORT_HTML_SVG_H
#define CF_REPORT_HTML_SVG_H

#include <stddef.h>
#include <stdio.h>

#include "core/status.h"

struct cf_html_svg {
    const char *id;    /* unique on the page: what identifiers in the figure begin with */
    const char *title; /* text: its name */
};

/* Write the elements and attributes that draw, and no others: nothing that runs, loads, links out
 * of the figure or styles the page. Identifiers begin with the id; the title is that
 * given, and the description, of what is seen, the figure's own (see svg.h). Black and white become
 * the ink and the paper of the page, greys its lines, so that a dark page has a dark figure;
 * coordinates are rounded to a tenth of a unit. Fails with CF_EDRAW on what is no SVG or deeper
 * than 30 elements, CF_ENOMEM. */
int cf_html_svg(const struct cf_html_svg *figure, const char *svg, size_t len, FILE *out,
                struct cf_error *err);

#endif
