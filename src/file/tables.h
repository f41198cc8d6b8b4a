/* Tables in memory, in the place of the files that a study names. */

#ifndef CF_FILE_TABLES_H
#define CF_FILE_TABLES_H

#include <stddef.h>

#include "core/status.h"

struct cf_tables;
struct cf_tables *cf_tables_alloc(void); /* NULL when out of memory */
void cf_tables_free(struct cf_tables *tables);

/* A column of such a table. */
struct cf_column_in {
    const char *name;    /* as a study names it: "speed" */
    const char *unit;    /* "m/s"; NULL: as the study says, else SI */
    size_t n;            /* rows: as many as the table's other columns have */
    const double *value; /* n, in the unit; NAN where nothing was measured */
    const double *sigma; /* n, the standard deviation of each value, > 0; NULL: as the study says */
};

/* Add a column to the table that stands for the file `table`. The numbers are not copied: they stay
 * where they are until the study is read; where it states uncertainties, until it is freed, as do
 * the tables. CF_EINPUT: another number of rows, or a second column of this name. */
int cf_tables_add(struct cf_tables *tables, const char *table, const struct cf_column_in *column,
                  struct cf_error *err);

#endif
