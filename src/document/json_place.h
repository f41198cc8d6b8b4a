/* Places in a JSON document, for messages; private to src/document. */

#ifndef CF_DOCUMENT_JSON_PLACE_H
#define CF_DOCUMENT_JSON_PLACE_H

#include <stddef.h>

#include "core/status.h"

enum { CF_JSON_PATH = 256 };

/* Where in the file: the file, and the path inside it ("parameters.k.value"). */
struct cf_json_place {
    const char *file;
    char path[CF_JSON_PATH];
    struct cf_error *err;
};

/* Fail with CF_EINPUT at the place: "FILE: PATH: ...". */
int cf_json_refuse(const struct cf_json_place *place, const char *format, ...)
    __attribute__((__format__(printf, 2, 3)));

/* Step into an item or a key; path[the returned length] = '\0' goes back. */
size_t cf_json_step_in(struct cf_json_place *place, const char *format, ...)
    __attribute__((__format__(printf, 2, 3)));
size_t cf_json_step_key(struct cf_json_place *place, const char *key);

#endif
