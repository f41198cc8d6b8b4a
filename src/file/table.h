/* The table that a mapping names: its file, its marks, its columns by name, their units. */

#ifndef CF_FILE_TABLE_H
#define CF_FILE_TABLE_H

#include "core/paths.h"
#include "file/csv.h"
#include "file/yaml.h"

/* Where the tables are that a text names. */
struct cf_places {
    const char *folder;             /* of its file, with the slash */
    bool in_memory;                 /* nowhere but there, and not on a disk */
    const struct cf_tables *tables; /* those; NULL: none */
    struct cf_paths *read;          /* paths are added to it */
};

/* A table that is not read yet: its file and how it is cut. */
struct cf_table_place {
    char *path; /* to be freed; NULL: it is in memory */
    struct cf_csv_form form;
    size_t block; /* which of the file's tables, from 1; 0: it is the only one */
};

/* The keys by which a mapping says how its table is written. */
enum { CF_TABLE_NKEY = 8 };
extern const char *const cf_table_key[CF_TABLE_NKEY];

/* Find the table of a mapping that names one and is cut as its keys say (cf_table_key), and what
 * stands above its rows; a table in memory is whole. */
int cf_table_head(const struct cf_yaml *set, const struct cf_yaml *file,
                  const struct cf_places *places, struct cf_table_place *place, struct cf_csv **csv,
                  struct cf_error *err);

/* Where the message is about the file as a whole, say which key names it; returns CF_EINPUT. */
int cf_table_blame(const struct cf_yaml *file, const char *path, struct cf_error *err);

/* Read the table of such a mapping. */
int cf_table_open(const struct cf_yaml *set, const struct cf_yaml *file,
                  const struct cf_places *places, struct cf_csv **csv, struct cf_error *err);

/* The SI value of a column's unit, from the header and the key `unit` (NULL: not there). *found is
 * false where neither names one. */
int cf_table_factor(const struct cf_csv *csv, size_t column, const struct cf_yaml *entry,
                    const struct cf_yaml *unit, const char *want, double *factor, bool *found,
                    struct cf_error *err);

/* A column of the table by its header, or fail with the nearest one or all there are. */
int cf_table_header(const struct cf_csv *csv, const struct cf_yaml *at, const char *name,
                    size_t *column, struct cf_error *err);

#endif
