/* YAML files as a tree with the place of each node in the file. Private to src/file.
 *
 * Only what a table of settings needs: mappings, lists and text in one document. Refused, at their
 * line and column: second documents, tags, anchors, aliases, merge keys, keys that are not plain
 * text, duplicate keys, control characters. All text stays text; the accessors below give it
 * meaning, and every failure reads "FILE:LINE:COLUMN: what was found: what is allowed".
 */

#ifndef CF_FILE_YAML_H
#define CF_FILE_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/status.h"

enum cf_yaml_kind { CF_YAML_TEXT, CF_YAML_MAP, CF_YAML_LIST };

struct cf_yaml {
    const char *file; /* not owned */
    size_t line, column;
    enum cf_yaml_kind kind;
    char *text;           /* of CF_YAML_TEXT; "" where nothing was written */
    const char **read_as; /* of CF_YAML_TEXT: *read_as is the unit that it was last read in, or NULL
                           */
    size_t n;             /* entries of a mapping or list */
    struct cf_yaml *item; /* n */
    char *key;            /* its key, for an entry of a mapping */
    size_t key_line, key_column;
};

/* Parse text[0..len), which must be valid UTF-8 without NUL. `file` is for messages and must
 * outlive the tree. The top must be a mapping. NULL on failure. */
struct cf_yaml *cf_yaml_parse(const char *file, const char *text, size_t len, struct cf_error *err);
void cf_yaml_free(struct cf_yaml *root);

/* Fail with CF_EINPUT at a node, or at the key of an entry. */
int cf_yaml_fail(const struct cf_yaml *at, struct cf_error *err, const char *format, ...)
    __attribute__((__format__(printf, 3, 4)));
int cf_yaml_fail_key(const struct cf_yaml *at, struct cf_error *err, const char *format, ...)
    __attribute__((__format__(printf, 3, 4)));

/* Fail with "unknown WHAT NAME: did you mean NEAREST?", or a list of the known words; at the node,
 * or at its key where `name` is at->key. */
int cf_yaml_unknown(const struct cf_yaml *at, const char *what, const char *name,
                    const char *const known[], size_t n, struct cf_error *err);

/* The one of n things whose name stands here, or fail as cf_yaml_unknown(); name() gives that of
 * thing i. */
int cf_yaml_pick(const struct cf_yaml *at, const char *what,
                 const char *(*name)(const void *things, size_t i), const void *things, size_t n,
                 size_t *index, struct cf_error *err);

/* Put "FILE:LINE:COLUMN: NAME: " before the message that err holds; returns status. */
int cf_yaml_blame(const struct cf_yaml *at, const char *name, int status, struct cf_error *err);

/* The entry of a mapping; NULL when it is not there. cf_yaml_need() fails instead. */
const struct cf_yaml *cf_yaml_get(const struct cf_yaml *map, const char *key);
int cf_yaml_need(const struct cf_yaml *map, const char *key, const struct cf_yaml **entry,
                 struct cf_error *err);

/* A mapping (nothing at all counts as an empty one) with no other keys than known[n]. */
int cf_yaml_keys(const struct cf_yaml *map, const char *const known[], size_t n,
                 struct cf_error *err);

/* The entry, a mapping with any keys but not without; fails with the example of what might stand
 * there. */
int cf_yaml_need_some(const struct cf_yaml *map, const char *key, const char *example,
                      const struct cf_yaml **entry, struct cf_error *err);

/* A mapping with any keys; a list. */
int cf_yaml_map(const struct cf_yaml *map, struct cf_error *err);
int cf_yaml_list(const struct cf_yaml *list, struct cf_error *err);

/* One line of text that is not empty. */
int cf_yaml_text(const struct cf_yaml *at, const char **text, struct cf_error *err);

/* A number with its unit, in SI. */
int cf_yaml_quantity(const struct cf_yaml *at, const char *unit, double *si, struct cf_error *err);

/* The same, above 0. */
int cf_yaml_positive(const struct cf_yaml *at, const char *unit, double *si, struct cf_error *err);

/* "N %" gives N/100 and true in *relative; else as cf_yaml_positive(). */
int cf_yaml_spread(const struct cf_yaml *at, const char *unit, double *value, bool *relative,
                   struct cf_error *err);

/* A whole number from lower to upper. */
int cf_yaml_whole(const struct cf_yaml *at, unsigned long long lower, unsigned long long upper,
                  unsigned long long *value, struct cf_error *err);

/* true or false. */
int cf_yaml_bool(const struct cf_yaml *at, bool *value, struct cf_error *err);

/* Write text as a scalar: plain where that is safe, else in single quotes. */
void cf_yaml_put(FILE *out, const char *text);

/* Replace the value at a path of keys, "bodies.ball.mass", where an entry of a list goes by its
 * name or its number from 1, "contacts.1.normal.k". `label` is the file of messages about the value
 * and must outlive the tree. The value is read as YAML. */
int cf_yaml_set(struct cf_yaml *root, const char *path, const char *value, const char *label,
                struct cf_error *err);

/* The same with a copy of a node of another tree, or of this one, that outlives it; messages about
 * it have that node's place. Keys that are not there yet are added to their mappings: whoever reads
 * them says whether they are known. */
int cf_yaml_graft(struct cf_yaml *root, const char *path, const struct cf_yaml *value,
                  struct cf_error *err);

/* The node at such a path. */
int cf_yaml_find(struct cf_yaml *root, const char *path, const char *label, struct cf_yaml **found,
                 struct cf_error *err);

/* What `init` writes where only the user knows the value. */
#define CF_YAML_FILL_IN "FILL-IN"

#endif
