/* JSON as it is written: by jansson, but for its real numbers, which have the fewest digits that
 * read back as the same value, 0.95 and not 0.94999999999999996. */

#ifndef CF_DOCUMENT_JSON_DUMP_H
#define CF_DOCUMENT_JSON_DUMP_H

#include <jansson.h>
#include <stdio.h>

/* Flags of json_dumpf(), but for its precision. 0, or -1 where something cannot be written or there
 * is no memory. */
int cf_json_dump(const json_t *json, FILE *out, size_t flags);

/* The same to a function, as json_dump_callback() does; it returns 0, else that is the end. */
int cf_json_dump_to(const json_t *json, json_dump_callback_t put, void *to, size_t flags);

#endif
