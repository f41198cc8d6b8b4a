/* Fit files (JSON, "contactfit": "fit/3"): everything a page, a figure or an export needs. */

#ifndef CF_DOCUMENT_FIT_FILE_H
#define CF_DOCUMENT_FIT_FILE_H

#include <jansson.h>
#include <stdio.h>

#include "core/status.h"

/* Read a fit file and check its kind, version and shape; duplicate keys and non-finite numbers are
 * refused. The message has path, line and column for a syntax error, else the path inside the
 * file ("parameters.k.value: a string where a number is wanted"). The caller json_decref()s. */
int cf_fit_file_read(const char *path, json_t **fit, struct cf_error *err);

/* The same, and the 64 hexadecimal digits of the file's hash. */
int cf_fit_file_read_hashed(const char *path, char sha256[65], json_t **fit, struct cf_error *err);

/* The same of a text in memory; `name` stands for the path in messages. */
int cf_fit_file_parse(const char *name, const char *text, json_t **fit, struct cf_error *err);

/* Check the keys as the reader does, so that what is written can be read, and write it, keys
 * in the order of their making, a newline at the end. */
int cf_fit_file_write(const json_t *fit, FILE *out, struct cf_error *err);

#endif
