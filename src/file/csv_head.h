/* The head of a table: names of columns and their units; private to src/file. */

#ifndef CF_FILE_CSV_HEAD_H
#define CF_FILE_CSV_HEAD_H

#include "file/csv.h"
#include "file/csv_line.h"

/* Take the names of the columns from the line of that number, and the units that stand in them. */
int cf_csv_head_names(struct cf_csv *csv, const struct cf_csv_line *line, size_t number,
                      struct cf_error *err);

/* Take the row of units: what is in a cell stands for brackets behind the name. */
int cf_csv_head_units(struct cf_csv *csv, const struct cf_csv_line *line, size_t number,
                      struct cf_error *err);

/* Is each cell a number? */
bool cf_csv_all_numbers(const struct cf_csv_line *line, char decimal);

#endif
