/* JSON texts into values, whole or not at all. */

#ifndef CF_DOCUMENT_JSON_LOAD_H
#define CF_DOCUMENT_JSON_LOAD_H

#include <jansson.h>
#include <stddef.h>

#include "core/status.h"

/* Parse text[0..len), valid UTF-8 with a NUL behind it; `path` is for messages, which have line and
 * column. Duplicate keys are refused. The caller json_decref()s *root. */
int cf_json_load(const char *path, const char *text, size_t len, json_t **root,
                 struct cf_error *err);

#endif
