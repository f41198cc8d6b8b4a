/* The parts of reading a model; private to src/document. */

#ifndef CF_DOCUMENT_MODEL_PARTS_H
#define CF_DOCUMENT_MODEL_PARTS_H

#include <jansson.h>

#include "identify/model.h"

/* A number of an object, `otherwise` where there is none. */
double cf_model_number(const json_t *object, const char *key, double otherwise);

/* Fail with the model's path, what is wrong and, unless NULL, a name from the file. */
int cf_model_refuse(const struct cf_model *m, const char *what, const char *name,
                    struct cf_error *err);

/* The name of a parameter or alias as the law's own tables have it: it outlives the file. */
const char *cf_model_own_name(const struct cf_law *law, const char *name);

/* Unknowns, covariance, what is not identified, and channels. */
int cf_model_uncertainty(struct cf_model *m, const json_t *file, struct cf_error *err);

/* How errors of its channels follow each other, where they do. */
int cf_model_serial(struct cf_model *m, const json_t *file, struct cf_error *err);

#endif
