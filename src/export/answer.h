/* What export says to people, for programs. */

#ifndef CF_EXPORT_ANSWER_H
#define CF_EXPORT_ANSWER_H

#include <jansson.h>

#include "export/verify.h"

/* One mapping with its prediction, and what was seen; seen NULL: not run. NULL: out of memory. */
json_t *cf_export_answer(const struct cf_mapping *m, const struct cf_verification *seen);

#endif
