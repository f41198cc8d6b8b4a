/* Tables in memory, in the place of files that a study names. */

#ifndef CF_FILE_COLUMNS_H
#define CF_FILE_COLUMNS_H

#include "file/tables.h"

struct cf_table_column {
    char *name, *unit; /* unit NULL: SI, or as the study says */
    const double *value;
    size_t sigma; /* 1 + index of the column of its standard deviations; 0: none */
};

struct cf_columns {
    char *name; /* of the file that it stands for */
    size_t nrow, ncolumn;
    struct cf_table_column *column;
};

/* The table of that name, or NULL; `tables` may be NULL. */
const struct cf_columns *cf_tables_find(const struct cf_tables *tables, const char *name);

#endif
