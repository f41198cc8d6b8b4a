/* One page of several fits. */

#ifndef CF_REPORT_PAGES_H
#define CF_REPORT_PAGES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "core/status.h"

/* A table of the fits with their verdicts and parameters, and below it the page of each. Fails as
 * cf_page_write() does; `draw` as there. */
int cf_pages_write(json_t *const fit[], size_t n, bool draw, FILE *out, struct cf_error *err);

#endif
