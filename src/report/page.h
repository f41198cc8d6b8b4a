/* The page of a fit: one self-contained HTML file. */

#ifndef CF_REPORT_PAGE_H
#define CF_REPORT_PAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "core/status.h"

/* Fails with CF_EDRAW where gnuplot does not serve. `draw` false: without figures, with words in
 * the place of each. */
int cf_page_write(const json_t *fit, bool draw, FILE *out, struct cf_error *err);

#endif
