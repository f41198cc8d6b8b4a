/* From the JSON of a fit file, whose keys are checked, to a model. What the keys' table cannot say
 * is checked here: that the law and its parameters are known, and that matrices are square. */

#ifndef CF_DOCUMENT_MODEL_READ_H
#define CF_DOCUMENT_MODEL_READ_H

#include <jansson.h>

#include "experiment/registry.h"
#include "identify/model.h"

/* Read a fit file, whose laws and protocols are those of the registry (NULL: built in). NULL, and a
 * message that begins with its path, when it is none or cannot be used again. */
struct cf_model *cf_model_read(const char *path, const struct cf_registry *registry,
                               struct cf_error *err);

/* The same of what was read already, and its keys checked; `path` is for messages. */
struct cf_model *cf_model_of(const char *path, const json_t *fit,
                             const struct cf_registry *registry, struct cf_error *err);

/* The references of its curves, which cf_references_free() frees, also after a failure. */
int cf_references_read(const json_t *fit, struct cf_reference **list, size_t *n,
                       struct cf_error *err);

#endif
