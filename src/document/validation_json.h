/* A validation as a JSON document. */

#ifndef CF_DOCUMENT_VALIDATION_JSON_H
#define CF_DOCUMENT_VALIDATION_JSON_H

#include <jansson.h>

#include "identify/validation.h"
#include "study/study.h"

/* "contactfit": "validation/2", in the form that figures of fits read. */
int cf_validation_json(const struct cf_validation *v, const struct cf_study *study,
                       struct cf_curves *curves, const char *command, json_t **document,
                       struct cf_error *err);

#endif
