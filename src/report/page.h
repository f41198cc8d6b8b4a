/* The page of a fit: one self-contained HTML file. */

#ifndef CF_REPORT_PAGE_H
#define CF_REPORT_PAGE_H

#include <jansson.h>
#include <stdio.h>

#include "core/status.h"

int cf_page_write(const json_t *fit, FILE *out, struct cf_error *err);

#endif
