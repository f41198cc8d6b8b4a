/* What the YAML files of every kind have at their top. Private to src/file. */

#ifndef CF_FILE_HEAD_H
#define CF_FILE_HEAD_H

#include "file/yaml.h"

/* "contactfit: KIND/1", the kind of file and its version, which come first: a file of another kind
 * is not read any further. `kind` is "study", "figure", "scene". */
int cf_head_kind(const struct cf_yaml *root, const char *kind, struct cf_error *err);

/* A text of one paragraph; *text stays as it is where the key is absent. */
int cf_head_text(const struct cf_yaml *root, const char *key, const char **text,
                 struct cf_error *err);

/* The list `notes`; (*note)[*n] is to be freed, its texts are the tree's. */
int cf_head_notes(const struct cf_yaml *root, const char ***note, size_t *n, struct cf_error *err);

#endif
