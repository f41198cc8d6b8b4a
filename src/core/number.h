/* The front end of a number; private to src/core. */

#ifndef CF_CORE_NUMBER_H
#define CF_CORE_NUMBER_H

#include <stddef.h>

#include "core/status.h"

/* Bytes of the decimal number that text starts with, 0 when it starts with none. */
size_t cf_number_scan(const char *text, char decimal);

/* Read the number that text starts with; *len receives its length. What follows may be a unit but
 * not another digit or mark. */
int cf_number_head(const char *text, char decimal, double *value, size_t *len,
                   struct cf_error *err);

#endif
