/* The volume over depth of a probe that is pressed in, in fit files; private to src/document. */

#ifndef CF_DOCUMENT_PRESS_JSON_H
#define CF_DOCUMENT_PRESS_JSON_H

#include <jansson.h>

#include "volume/press.h"

/* Its table; NULL when out of memory. */
json_t *cf_press_json(const struct cf_press *press);

/* The table of a fit file, to be released. CF_ERANGE as cf_press_make(); CF_ENOMEM. */
int cf_press_of_json(const json_t *from, struct cf_press **out, struct cf_error *err);

#endif
