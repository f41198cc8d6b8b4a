/* The page of a validation ("validation/2"), and the same in a terminal. */

#ifndef CF_REPORT_PAGE_VALIDATE_H
#define CF_REPORT_PAGE_VALIDATE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "core/status.h"

/* As cf_page_write() does it. */
int cf_page_validate_write(const json_t *validation, bool draw, FILE *out, struct cf_error *err);
int cf_summary_validate_write(const json_t *validation, FILE *out, struct cf_error *err);

#endif
